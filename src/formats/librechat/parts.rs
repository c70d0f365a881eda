//! The parts of a message. A call and its result are one part.

use super::citations::Found;
use crate::formats::chat::{self, Losses, Stretch, attribute, directives, image_at, unfenced};
use crate::formats::pairs::input;
use crate::formats::records::{Json, Object, text};
use crate::model::{
    Agent, Body, Conversation, Details, Entry, Image, ImageData, Input, Notice, NoticeKind, Part,
    Reasoning, Reply, ReplyStatus, SourceLink, ToolCall, ToolResult,
};

/// What the parts of a message are.
#[derive(Default)]
pub(super) struct Pieces {
    pub(super) parts: Vec<Part>,
    pub(super) sources: Vec<SourceLink>,
    /// What went wrong.
    pub(super) error: Option<String>,
    /// What the person said while the reply was made, each with the number of parts before it.
    pub(super) spoken: Vec<(usize, String)>,
    /// Whether a program wrote it, which keeps thoughts and documents in its text.
    pub(super) is_reply: bool,
}

impl Pieces {
    /// Adds words with their citations resolved.
    pub(super) fn text(&mut self, words: &str, found: &Found) {
        let words = found.resolved(words, &mut self.sources);
        if !self.is_reply {
            self.parts
                .extend((!words.trim().is_empty()).then_some(Part::Text(words)));
            return;
        }
        for stretch in directives(&words, &["thinking", "artifact"]) {
            self.parts.push(match stretch {
                Stretch::Text(text) => Part::Text(text.to_owned()),
                Stretch::Block {
                    name: "artifact",
                    attributes,
                    inner,
                } => Part::Tool(Box::new(document(attributes, inner))),
                Stretch::Block { inner, .. } => Part::Reasoning(Reasoning {
                    text: inner.trim().to_owned(),
                    ..Reasoning::default()
                }),
            });
        }
    }
}

/// Reads parts in their order.
pub(super) fn read(
    values: &[Json<'_>],
    message: &Object<'_>,
    found: &Found,
    pieces: &mut Pieces,
    losses: &mut Losses,
) {
    for (at, value) in values.iter().enumerate() {
        let Some(part) = Object::of(*value) else {
            // Old messages have plain strings here.
            match text(*value) {
                Some(words) => pieces.text(&words, found),
                None => losses.skip("part that is no object"),
            }
            continue;
        };
        let kind = part.string("type");
        match kind.as_str() {
            "text" => pieces.text(&words_of(&part, "text"), found),
            "think" => pieces.parts.push(Part::Reasoning(Reasoning {
                text: words_of(&part, "think"),
                ..Reasoning::default()
            })),
            "tool_call" => {
                let inner = part.object("tool_call").unwrap_or_default();
                let call = call(&inner, message, found, losses);
                pieces.parts.push(Part::Tool(Box::new(call)));
            }
            "image_file" => {
                let inner = part.object("image_file").unwrap_or_default();
                pieces.parts.push(Part::Image(picture(&inner)));
            }
            "image_url" => {
                let inner = part.object("image_url");
                let url = inner.and_then(|inner| inner.words("url"));
                let url = url.unwrap_or_else(|| part.string("image_url"));
                pieces.parts.push(Part::Image(image_at(&url, None)));
            }
            "error" => {
                let words = part.words("error").or_else(|| part.words("text"));
                // One that more came after was got over.
                match words {
                    Some(message) if at + 1 < values.len() => {
                        pieces.parts.push(Part::Error {
                            message,
                            code: None,
                        });
                    }
                    words => pieces.error = pieces.error.take().or(words),
                }
            }
            "agent_update" => {
                let inner = part.object("agent_update").unwrap_or_default();
                let title = format!("Handed over to {}", inner.string("agentId"));
                let notice = Notice::new(NoticeKind::ModelChange, title);
                pieces.parts.push(Part::Notice(notice));
            }
            "steer" => {
                let at = pieces.parts.len();
                pieces.spoken.push((at, words_of(&part, "steer")));
            }
            "summary" => {
                let title = "Earlier messages were summarised";
                let notice = Notice::new(NoticeKind::Compaction, title);
                let words = words_of(&part, "summary");
                let words = if words.is_empty() {
                    part.string("text")
                } else {
                    words
                };
                pieces
                    .parts
                    .push(Part::Notice(notice.with_body(Body::Prose(words))));
            }
            "activity_label" => losses.skip(kind),
            "" => pieces
                .parts
                .push(chat::unknown("A part without a kind", *value)),
            other => {
                let title = format!("A part of an unknown kind: {other}");
                pieces.parts.push(chat::unknown(title, *value));
            }
        }
    }
}

/// Words under a key: a string, or an object with a value.
fn words_of(part: &Object<'_>, key: &str) -> String {
    let wrapped = part.object(key);
    let inner = wrapped.and_then(|inner| inner.words("value").or_else(|| inner.words("text")));
    inner.unwrap_or_else(|| part.string(key))
}

fn picture(inner: &Object<'_>) -> Image {
    let path = inner.words("filepath").or_else(|| inner.words("url"));
    let alt = inner.words("filename").or_else(|| path.clone());
    let url = path.filter(|path| path.starts_with("http") || path.starts_with("data:"));
    match url {
        Some(url) => image_at(&url, alt),
        None => Image {
            data: ImageData::Missing(match &alt {
                Some(name) => format!("{name} is not in the export"),
                None => "not in the export".to_owned(),
            }),
            alt,
        },
    }
}

/// A call in the shape that its age gave it.
fn call(call: &Object<'_>, message: &Object<'_>, found: &Found, losses: &mut Losses) -> ToolCall {
    let id = call.string("id");
    let kind = call.string("type");
    let (name, given, output) = match kind.as_str() {
        "function" => {
            let inner = call.object("function").unwrap_or_default();
            let output = inner.words("output");
            (inner.string("name"), input(&inner, "arguments"), output)
        }
        "code_interpreter" | "retrieval" | "file_search" => {
            let inner = call.object(&kind).unwrap_or_default();
            let given = match inner.words("input") {
                Some(code) => Input::Text(code),
                None => Input::Json("{}".to_owned()),
            };
            (kind.clone(), given, logs(&inner))
        }
        _ => (call.string("name"), input(call, "args"), output(call)),
    };
    let status = call.text("runStepStatus");
    let was_cancelled = matches!(status.as_deref(), Some("cancelled" | "canceled"));
    let says_error = |text: &String| text.trim_start().starts_with("Error");
    let is_error = call.flag("inputValidationError")
        || status.as_deref() == Some("failed")
        || output.as_ref().is_some_and(says_error);
    let is_over = output.is_some()
        || is_error
        || was_cancelled
        || is_complete(call)
        || !kept_for(message, &id).is_empty();
    let mut result = is_over.then(|| ToolResult {
        text: output.unwrap_or_default(),
        is_error,
        cancelled: was_cancelled,
        ..ToolResult::default()
    });
    if let Some(result) = &mut result {
        attach(message, &id, found, result);
    }
    ToolCall {
        name,
        input: Some(given),
        result,
        ms: call.count("runStepDurationMs"),
        child: child(call, found, losses).map(Box::new),
        id,
        ..ToolCall::default()
    }
}

/// Whether a call without an output says that it was done.
fn is_complete(call: &Object<'_>) -> bool {
    let is_whole = call
        .get("progress")
        .is_some_and(|progress| progress.get() == "1");
    is_whole && call.has("output")
}

fn output(call: &Object<'_>) -> Option<String> {
    let value = call.get("output")?;
    let words = text(value).map_or_else(|| value.get().to_owned(), |text| text.into_owned());
    Some(words).filter(|words| !words.is_empty())
}

/// What code printed, as an older age kept it.
fn logs(inner: &Object<'_>) -> Option<String> {
    let outputs = inner.items("outputs").into_iter();
    let logs = outputs.filter_map(|output| Object::of(output)?.words("logs"));
    let logs: Vec<String> = logs.collect();
    (!logs.is_empty()).then(|| logs.join("\n"))
}

/// What the message keeps for a call.
fn kept_for<'a>(message: &Object<'a>, id: &str) -> Vec<Object<'a>> {
    let kept = message
        .items("attachments")
        .into_iter()
        .filter_map(Object::of);
    kept.filter(|kept| !id.is_empty() && kept.string("toolCallId") == id)
        .collect()
}

/// Puts what the message keeps for a call into its result.
fn attach(message: &Object<'_>, id: &str, found: &Found, result: &mut ToolResult) {
    let hits = found.hits_of(id);
    if hits.iter().all(|hit| hit.url.is_empty()) {
        // Files that were found are told by what stands in them.
        let words = hits
            .into_iter()
            .flat_map(|hit| [Some(hit.title), hit.snippet]);
        let own = Some(std::mem::take(&mut result.text)).into_iter().map(Some);
        let words = own.chain(words).flatten().filter(|words| !words.is_empty());
        result.text = words.collect::<Vec<_>>().join("\n");
    } else {
        let details = result.details.get_or_insert_with(Box::<Details>::default);
        details.hits = Some(hits);
    }
    for attachment in kept_for(message, id) {
        let name = attachment.words("filename");
        let mut add = |line: String| {
            let texts = [result.text.as_str(), line.as_str()];
            let texts = texts.into_iter().filter(|text| !text.is_empty());
            result.text = texts.collect::<Vec<_>>().join("\n");
        };
        if attachment.has("width") {
            result.images.push(picture(&attachment));
        } else if let Some(name) = name {
            add(format!("File: {name}"));
        } else if let Some(memory) = attachment.object("memory") {
            let words = [memory.words("key"), memory.words("value")];
            let words: Vec<String> = words.into_iter().flatten().collect();
            add(words.join(": "));
        }
    }
}

/// A document that was written into the text.
fn document(attributes: &str, inner: &str) -> ToolCall {
    let mut input = serde_json::json!({});
    for (name, key) in [("identifier", "id"), ("title", "title"), ("type", "type")] {
        if let Some(value) = attribute(attributes, name) {
            input[key] = value.into();
        }
    }
    input["content"] = unfenced(inner).into();
    chat::document(input)
}

/// What a subagent did.
fn child(call: &Object<'_>, found: &Found, losses: &mut Losses) -> Option<Conversation> {
    let values = call.items("subagent_content");
    if values.is_empty() {
        return None;
    }
    let mut pieces = Pieces {
        is_reply: true,
        ..Pieces::default()
    };
    read(&values, &Object::default(), found, &mut pieces, losses);
    let id = format!("{}-agent", call.string("id"));
    Some(Conversation {
        id: id.clone(),
        agent: Some(Agent::default()),
        entries: vec![Entry::Reply(Reply {
            id,
            status: ReplyStatus::Complete,
            parts: pieces.parts,
            sources: pieces.sources,
            error: pieces.error,
            ..Reply::default()
        })],
        ..Conversation::default()
    })
}
