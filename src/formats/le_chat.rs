//! Le Chat's data export: a file for each conversation, an array of its messages in any order.

use crate::model::{
    Attachment, Conversation, Details, Entry, Part, Prompt, Reasoning, Reply, ReplyStatus,
    SearchHit, SourceLink, Timestamp, ToolCall, ToolResult,
};
use crate::source::Source;

use super::chat::{self, Losses, between, cite, image_at};
use super::pairs::input;
use super::problems::Problems;
use super::records::{Json, Object, document_of, items, text};
use super::{Format, Head, Reading};

/// Reads Le Chat's exports.
pub(super) struct LeChat;

impl Format for LeChat {
    fn name(&self) -> &'static str {
        "le_chat"
    }

    fn program(&self) -> &'static str {
        "Le Chat"
    }

    fn recognises(&self, head: &Head) -> bool {
        let mut shapes = head.records.iter().flat_map(|record| record.items());
        shapes.any(|one| one.has(&["chatId", "contentChunks", "role"]))
    }

    fn is_document(&self, _: &Head) -> bool {
        true
    }

    fn read(&self, source: &Source) -> Reading {
        let mut problems = Problems::of_source(source);
        let json = document_of(source, &mut problems);
        let conversation = json.and_then(|json| conversation(&json, &mut problems));
        Reading {
            conversation,
            problems: problems.into_vec(),
        }
    }
}

fn conversation(json: &str, problems: &mut Problems) -> Option<Conversation> {
    let mut losses = Losses::default();
    let mut id = String::new();
    let mut entries: Vec<(Option<Timestamp>, Entry)> = Vec::new();
    for value in items(Json::parse(json).ok()?) {
        let message = Object::of(value).unwrap_or_default();
        if id.is_empty() {
            id = message.string("chatId");
        }
        let time = losses.time(&message, "createdAt");
        entries.push((time, entry(&message, time, &mut losses)));
    }
    losses.report(problems);
    if entries.is_empty() {
        problems.note(None, "no messages");
        return None;
    }
    entries.sort_by_key(|(time, _)| *time);
    Some(Conversation {
        id,
        program: LeChat.program().to_owned(),
        entries: entries.into_iter().map(|(_, entry)| entry).collect(),
        unshown: losses.unshown,
        ..Conversation::default()
    })
}

fn entry(message: &Object<'_>, time: Option<Timestamp>, losses: &mut Losses) -> Entry {
    let mut sources: Vec<SourceLink> = Vec::new();
    let mut parts: Vec<Part> = Vec::new();
    let chunks = message.items("contentChunks");
    let mut is_stopped = false;
    if chunks.is_empty() {
        parts.extend(message.words("content").map(Part::Text));
    }
    for value in chunks {
        let chunk = Object::of(value).unwrap_or_default();
        match chunk.string("type").as_str() {
            "text" => push_text(&mut parts, &chunk.string("text")),
            "tool_call" => {
                is_stopped = chunk.flag("isInterrupted");
                let call = call(&chunk, losses);
                let hits = call
                    .result
                    .as_ref()
                    .and_then(|result| result.details.as_ref());
                let hits = hits.and_then(|details| details.hits.as_ref());
                for hit in hits.into_iter().flatten() {
                    let title = Some(hit.title.clone()).filter(|title| !title.is_empty());
                    cite(&mut sources, &hit.url, title);
                }
                parts.push(Part::Tool(Box::new(call)));
            }
            "image_url" => {
                let url = chunk
                    .object("imageUrl")
                    .and_then(|inner| inner.words("url"));
                let url = url.unwrap_or_else(|| chunk.string("imageUrl"));
                parts.push(Part::Image(image_at(&url, None)));
            }
            "thinking" => {
                let inner = chunk.items("thinking").into_iter().filter_map(Object::of);
                let words: Vec<String> = inner.filter_map(|one| one.words("text")).collect();
                let words = match words.is_empty() {
                    true => chunk.string("thinking"),
                    false => words.join("\n\n"),
                };
                parts.push(Part::Reasoning(Reasoning {
                    text: words,
                    ..Reasoning::default()
                }));
            }
            // It points into what the tools of the reply found, which is listed at its end.
            "reference" => losses.skip("reference"),
            kind => {
                let title = format!("A part of an unknown kind: {kind}");
                parts.push(chat::unknown(title, value));
            }
        }
    }
    for quote in message.items("quotes") {
        let words = Object::of(quote).and_then(|quote| quote.words("text"));
        let words = words.or_else(|| text(quote).map(|words| words.into_owned()));
        let lines = words.unwrap_or_default();
        let lines: Vec<String> = lines.lines().map(|line| format!("> {line}")).collect();
        push_whole(&mut parts, lines.join("\n"));
    }
    for canvas in message.items("canvas").into_iter().filter_map(Object::of) {
        parts.push(Part::Tool(Box::new(document(&canvas))));
    }
    for file in message.items("files") {
        let file = Object::of(file).unwrap_or_default();
        parts.push(Part::File(Attachment {
            name: file.words("name").unwrap_or_else(|| "A file".to_owned()),
            media_type: file.words("type"),
            text: None,
            note: Some("not in this file".to_owned()),
        }));
    }
    let id = message.string("id");
    if message.text("role").as_deref() == Some("user") {
        return Entry::Prompt(Prompt {
            id,
            time,
            parts,
            ..Prompt::default()
        });
    }
    Entry::Reply(Reply {
        id,
        start: time,
        models: message.words("model").into_iter().collect(),
        status: match is_stopped {
            true => ReplyStatus::Cancelled,
            false => ReplyStatus::Complete,
        },
        parts,
        sources,
        ..Reply::default()
    })
}

/// Adds words; what references cut apart is one text.
fn push_text(parts: &mut Vec<Part>, words: &str) {
    match parts.last_mut() {
        Some(Part::Text(text)) => text.push_str(words),
        _ if words.trim().is_empty() => {}
        _ => parts.push(Part::Text(words.to_owned())),
    }
}

/// A text of its own.
fn push_whole(parts: &mut Vec<Part>, words: String) {
    if !words.trim().is_empty() {
        parts.push(Part::Text(words));
    }
}

/// A document that was written beside the chat.
fn document(canvas: &Object<'_>) -> ToolCall {
    let field = |key: &str| canvas.words(key);
    chat::document(
        serde_json::json!({"id": field("id"), "title": field("title"),
        "type": field("type"), "content": field("content")}),
    )
}

fn call(chunk: &Object<'_>, losses: &mut Losses) -> ToolCall {
    let start = losses.time(chunk, "startTime");
    let end = losses.time(chunk, "endTime");
    let cancelled = chunk.flag("isInterrupted");
    let result = chunk.get("publicResult");
    let is_over = result.is_some() || (chunk.flag("isDone") && !cancelled);
    let result = is_over.then(|| {
        let words = result.map(|value| {
            text(value).map_or_else(|| value.get().to_owned(), |text| text.into_owned())
        });
        let hits: Vec<SearchHit> = result
            .and_then(Object::of)
            .map(|result| result.items("results"))
            .unwrap_or_default()
            .into_iter()
            .filter_map(hit)
            .collect();
        let details = Details {
            hits: (!hits.is_empty()).then_some(hits),
            ..Details::default()
        };
        ToolResult {
            text: words.unwrap_or_default(),
            is_error: chunk
                .get("success")
                .is_some_and(|success| success.get() == "false"),
            cancelled,
            time: end,
            details: (details != Details::default()).then(|| Box::new(details)),
            ..ToolResult::default()
        }
    });
    ToolCall {
        id: chunk.string("id"),
        name: chunk.string("name"),
        input: Some(input(chunk, "publicArguments")),
        result,
        start,
        ms: start.zip(end).and_then(|(start, end)| between(start, end)),
        ..ToolCall::default()
    }
}

fn hit(value: Json<'_>) -> Option<SearchHit> {
    let page = Object::of(value)?;
    Some(SearchHit {
        title: page.string("title"),
        url: page.words("url")?,
        snippet: page.words("snippet").or_else(|| page.words("description")),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::formats::apart;
    use crate::formats::outline::{call, outline};
    use crate::source::File;

    fn all(document: &Value) -> Vec<Conversation> {
        let bytes = document.to_string().into_bytes();
        let file = File::in_memory("x.json".into(), "x.json".into(), bytes);
        let head = Head::of(&file).expect("memory can be read");
        assert!(LeChat.recognises(&head), "it is recognised");
        let (sources, problem) = apart(Source::single(file), &LeChat);
        assert!(problem.is_none());
        let readings = sources.iter().map(|source| LeChat.read(source));
        readings
            .filter_map(|reading| reading.conversation)
            .collect()
    }

    #[test]
    fn messages_are_put_in_order_and_references_cut_no_text() {
        let chunks = json!([
            {"type": "tool_call", "id": "t", "name": "web_search", "publicArguments": "{\"query\":\"q\"}",
             "publicResult": {"results": [{"url": "https://example.com", "title": "E"}]},
             "startTime": 1_772_359_200_000_u64, "endTime": 1_772_359_201_500_u64, "isDone": true, "success": true},
            {"type": "text", "text": "So"}, {"type": "reference", "referenceIds": [0]}, {"type": "text", "text": "."},
        ]);
        let message = |id: &str, role: &str, minute: u64, chunks: Value| {
            json!({"id": id, "chatId": "c",
            "role": role, "content": "Dig.", "contentChunks": chunks,
            "createdAt": format!("2026-03-01T10:{minute:02}:00.000Z")})
        };
        let told = all(&json!([
            message("b", "assistant", 2, chunks),
            message("a", "user", 1, Value::Null)
        ]));
        let lines = outline(&told[0]);
        assert!(
            lines[0] == "person: \"Dig.\"" && lines[1].ends_with("\"So.\""),
            "{lines:?}"
        );
        assert_eq!(call(&told[0], "web_search").ms, Some(1_500));
    }

    #[test]
    fn an_interrupted_call_has_no_result() {
        let chunk = json!({"type": "tool_call", "id": "t", "name": "x", "isInterrupted": true, "isDone": true});
        let told = all(&json!([{"chatId": "c", "role": "assistant", "contentChunks": [chunk]}]));
        assert!(call(&told[0], "x").result.is_none());
    }

    #[test]
    fn thoughts_quotes_and_documents_are_shown() {
        let read = all(
            &json!([{"id": "m", "chatId": "c", "role": "assistant", "createdAt": "2026-03-01T10:00:00Z",
            "content": "flat", "files": [], "quotes": [{"text": "As said."}],
            "canvas": [{"id": "x", "title": "Beds", "content": "One spade.", "type": "markdown"}],
            "contentChunks": [{"type": "thinking", "thinking": [{"type": "text", "text": "Hm."}]},
                {"type": "text", "text": "So."}]}]),
        );
        let lines = outline(&read[0]);
        assert_eq!(
            lines,
            ["Complete: thought, \"So.\", \"> As said.\", artifacts → \"\""]
        );
        let written = format!("{:?}", call(&read[0], "artifacts").input);
        assert!(written.contains("One spade."), "{written}");
    }
}
