//! Parts of messages: words in pieces, thoughts, calls in all their states, sources and files.

use crate::formats::api::{Flow, data_part, file_part, image_of, named, settled};
use crate::formats::chat::{self, cite};
use crate::formats::pairs::input;
use crate::formats::records::{Json, Object};
use crate::model::{
    Attachment, Body, Input, Notice, NoticeKind, Part, Reasoning, Reply, SourceLink, ToolCall,
    ToolResult,
};

/// What was said so far and is not handed over yet.
#[derive(Default)]
pub(super) struct Said {
    pub(super) parts: Vec<Part>,
    sources: Vec<SourceLink>,
}

impl Said {
    /// Adds a piece of what is being said: a sentence with citations comes in several.
    fn piece(&mut self, words: String) {
        match self.parts.last_mut() {
            Some(Part::Text(whole)) => whole.push_str(&words),
            _ if words.is_empty() => {}
            _ => self.parts.push(Part::Text(words)),
        }
    }

    /// Adds a thought.
    pub(super) fn thought(&mut self, text: String, hidden: Option<&'static str>) {
        self.parts.push(Part::Reasoning(Reasoning {
            text,
            hidden,
            ms: None,
        }));
    }

    /// Hands over what the assistant said.
    pub(super) fn hand_over(&mut self, flow: &mut Flow) {
        let blank = |part: &Part| matches!(part, Part::Text(words) if words.trim().is_empty());
        let parts = std::mem::take(&mut self.parts).into_iter();
        flow.parts(parts.filter(|part| !blank(part)));
        if !self.sources.is_empty() {
            flow.facts(Reply {
                sources: std::mem::take(&mut self.sources),
                ..Reply::default()
            });
        }
    }
}

/// Reads a part.
pub(super) fn read(value: Json<'_>, said: &mut Said, flow: &mut Flow) {
    let part = Object::of(value).unwrap_or_default();
    let kind = part.string("type");
    match kind.as_str() {
        "text" => said.piece(part.string("text")),
        "reasoning" => reasoning(&part, said),
        "redacted-reasoning" => said.thought(String::new(), Some("redacted")),
        "tool-invocation" => {
            said.hand_over(flow);
            let call = part.object("toolInvocation").unwrap_or_default();
            called(&call, &call.string("toolName"), flow);
        }
        "dynamic-tool" => {
            said.hand_over(flow);
            called(&part, &part.string("toolName"), flow);
        }
        "source" => source(&part.object("source").unwrap_or_default(), said),
        "source-url" => source(&part, said),
        "source-document" => said.parts.push(Part::File(Attachment {
            name: part
                .words("filename")
                .or_else(|| part.words("title"))
                .unwrap_or_default(),
            media_type: part.words("mediaType"),
            text: None,
            note: Some("a source".to_owned()),
        })),
        "file" | "reasoning-file" => said.parts.push(file(&part)),
        "image" => said.parts.push(image(&part)),
        // Where one request to the model ends and the next begins.
        "step-start" => {}
        _ => match (kind.strip_prefix("tool-"), kind.strip_prefix("data-")) {
            (Some(tool), _) => {
                said.hand_over(flow);
                called(&part, tool, flow);
            }
            (_, Some(name)) => {
                let notice = Notice::new(NoticeKind::Info, format!("Data of the program: {name}"));
                let data = part.get("data").map_or("", Json::get);
                let notice = notice.with_body(Body::Data(data.to_owned()));
                said.parts.push(Part::Notice(notice));
            }
            _ => {
                let title = format!("A part of an unknown kind: {kind}");
                said.parts.push(chat::unknown(title, value));
            }
        },
    }
}

fn reasoning(part: &Object<'_>, said: &mut Said) {
    let details = part.items("details").into_iter().filter_map(Object::of);
    let is_redacted = |one: &Object<'_>| one.text("type").as_deref() == Some("redacted");
    let words = part.words("text").or_else(|| part.words("reasoning"));
    let words = words.unwrap_or_default();
    // What the vendor keeps beside says why there are no words.
    let beside = ["providerMetadata", "providerOptions"];
    let beside = beside.iter().filter_map(|key| part.get(key));
    let keeps = |key: &str| {
        let marks = [format!("\"{key}\":\""), format!("\"{key}\": \"")];
        let mut beside = beside.clone();
        beside.any(|one| marks.iter().any(|mark| one.get().contains(mark)))
    };
    let hidden = if !words.trim().is_empty() {
        None
    } else if keeps("redactedData") || details.clone().any(|one| is_redacted(&one)) {
        Some("redacted")
    } else if keeps("reasoningEncryptedContent") {
        Some("encrypted")
    } else {
        None
    };
    said.thought(words, hidden);
}

fn source(source: &Object<'_>, said: &mut Said) {
    cite(
        &mut said.sources,
        &source.string("url"),
        source.words("title"),
    );
}

fn file(part: &Object<'_>) -> Part {
    let kind = part.words("mediaType").or_else(|| part.words("mimeType"));
    let name = part.words("filename").or_else(|| part.words("name"));
    if let Some(url) = part.words("url") {
        return file_part(name, kind, &url);
    }
    let data = part.words("data").unwrap_or_default();
    match data.starts_with("http") || data.starts_with("data:") {
        true => file_part(name, kind, &data),
        false => data_part(&kind.unwrap_or_default(), data, name),
    }
}

fn image(part: &Object<'_>) -> Part {
    let data = part
        .words("image")
        .or_else(|| part.words("data"))
        .unwrap_or_default();
    if data.starts_with("http") || data.starts_with("data:") {
        return image_of(&data, None);
    }
    let kind = part.words("mediaType").or_else(|| part.words("mimeType"));
    data_part(&kind.unwrap_or_else(|| "image/png".to_owned()), data, None)
}

/// Reads a call, in whichever state it is.
pub(super) fn called(call: &Object<'_>, tool: &str, flow: &mut Flow) {
    let keys = ["input", "args", "rawInput"];
    let given = keys.iter().find(|key| call.get(key).is_some());
    let given = given.map_or_else(|| Input::Json("{}".to_owned()), |key| input(call, key));
    let output = call.get("output").or_else(|| call.get("result"));
    let (name, given) = named(tool, given, output);
    let mut notices: Vec<Notice> = Vec::new();
    let approval = call.object("approval");
    let result = match call.string("state").as_str() {
        "result" | "output-available" => Some(settled(output)),
        "output-error" => Some(ToolResult {
            text: call.string("errorText"),
            is_error: true,
            ..ToolResult::default()
        }),
        "output-denied" => {
            let reason = approval
                .as_ref()
                .and_then(|approval| approval.words("reason"));
            Some(denied(reason))
        }
        "approval-requested" => {
            notices.push(Notice::new(NoticeKind::Info, "Waits for permission"));
            None
        }
        "approval-responded" => {
            notices.extend(approval.as_ref().map(permission));
            None
        }
        // Still being written, or without its result: `partial-call`, `call`, `input-streaming`
        // and `input-available`.
        _ => None,
    };
    let id = call.string("toolCallId");
    flow.call(ToolCall {
        id,
        name,
        input: Some(given),
        result,
        notices,
        ..ToolCall::default()
    });
}

/// That a person allowed a call, or did not.
pub(super) fn permission(approval: &Object<'_>) -> Notice {
    let title = match approval.flag("approved") {
        true => "Permission was given",
        false => "Permission was refused",
    };
    let body = Body::Prose(approval.string("reason"));
    Notice::new(NoticeKind::Info, title).with_body(body)
}

/// The result of a call that a person did not allow.
pub(super) fn denied(reason: Option<String>) -> ToolResult {
    ToolResult {
        text: match reason {
            Some(reason) => format!("Not allowed: {reason}"),
            None => "Not allowed".to_owned(),
        },
        is_error: true,
        ..ToolResult::default()
    }
}
