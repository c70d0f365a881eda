//! One message: a prompt with its files, or a reply.

use super::sources::Sources;
use super::{details, items, status};
use crate::formats::chat::{Losses, image_at};
use crate::formats::records::{Json, Object, text};
use crate::model::{
    Attachment, Body, Entry, Input, Notice, NoticeKind, Part, Prompt, Reply, ReplyStatus,
    Timestamp, ToolCall, ToolResult, Usage,
};

/// What a message is on a page.
pub(super) fn entry(id: &str, message: &Object<'_>, losses: &mut Losses) -> Entry {
    let time = losses.time(message, "timestamp");
    match message.text("role").as_deref() {
        Some("user") => Entry::Prompt(prompt(id, message, time)),
        Some("assistant") => Entry::Reply(reply(id, message, time, losses)),
        Some("system") => {
            let notice = Notice::new(NoticeKind::Context, "Instructions for the assistant");
            let body = Body::Prose(words_of(message));
            Entry::Notice(notice.with_body(body).at(time))
        }
        role => {
            let title = format!("A message of {}", role.unwrap_or("an unknown role"));
            let notice = Notice::new(NoticeKind::Unknown, title);
            let body = Body::Prose(words_of(message));
            Entry::Notice(notice.with_body(body).at(time))
        }
    }
}

/// The words of a message: a string, or a list in which texts stand.
fn words_of(message: &Object<'_>) -> String {
    let Some(content) = message.get("content") else {
        return String::new();
    };
    if let Some(words) = text(content) {
        return words.into_owned();
    }
    let parts = crate::formats::records::items(content).into_iter();
    let parts = parts.filter_map(|part| Object::of(part)?.words("text"));
    parts.collect::<Vec<_>>().join("\n\n")
}

fn prompt(id: &str, message: &Object<'_>, time: Option<Timestamp>) -> Prompt {
    let words = words_of(message);
    let mut parts: Vec<Part> = Vec::new();
    if !words.trim().is_empty() {
        parts.push(Part::Text(words));
    }
    parts.extend(message.items("files").into_iter().map(file));
    Prompt {
        id: id.to_owned(),
        time,
        parts,
        ..Prompt::default()
    }
}

/// A file that stands with a message: a picture, a document with its text, pages of the web.
fn file(value: Json<'_>) -> Part {
    let file = Object::of(value).unwrap_or_default();
    let kind = file.string("type");
    let inner = file.object("file").unwrap_or_default();
    let name = file.words("name").or_else(|| inner.words("filename"));
    if kind == "image" {
        return Part::Image(image_at(&file.string("url"), name));
    }
    let data = inner.object("data").unwrap_or_default();
    let urls = file.items("urls").into_iter().filter_map(text);
    let urls: Vec<_> = urls.map(|url| url.into_owned()).collect();
    let words = data.words("content").or_else(|| file.words("content"));
    let words = words.or_else(|| (!urls.is_empty()).then(|| urls.join("\n")));
    let meta = inner.object("meta").unwrap_or_default();
    Part::File(Attachment {
        name: name.unwrap_or_else(|| "A file".to_owned()),
        media_type: meta.words("content_type"),
        note: match kind.as_str() {
            "collection" => Some("a collection of documents".to_owned()),
            "web_search" => Some("pages of the web".to_owned()),
            _ if words.is_none() => Some("not in the export".to_owned()),
            _ => None,
        },
        text: words,
    })
}

fn reply(id: &str, message: &Object<'_>, time: Option<Timestamp>, losses: &mut Losses) -> Reply {
    let mut sources = Sources::of(message, losses);
    let output = message.items("output");
    let mut parts = match output.is_empty() {
        true => details::parts(&words_of(message)),
        // The text is then a copy of the items, or a part of them.
        false => items::parts(&output, losses),
    };
    for part in &mut parts {
        if let Part::Text(words) = part {
            *words = sources.linked(words);
        }
    }
    let searches = status::searches(message, &parts);
    parts.splice(0..0, searches);
    parts.extend(message.items("files").into_iter().map(file));
    parts.extend(message.items("code_executions").into_iter().map(executed));
    if let Some(merged) = message
        .object("merged")
        .and_then(|merged| merged.words("content"))
    {
        let notice = Notice::new(NoticeKind::Info, "The answers of all models, merged");
        parts.push(Part::Notice(notice.with_body(Body::Prose(merged))));
    }
    parts.append(&mut sources.documents);
    let error = error(message);
    let is_open = message
        .get("done")
        .is_some_and(|done| done.get() == "false");
    let model = message
        .words("modelName")
        .or_else(|| message.words("model"));
    Reply {
        id: id.to_owned(),
        start: time,
        models: model.into_iter().collect(),
        status: match error {
            Some(_) => ReplyStatus::Error,
            // It was stopped, or the chat was saved before its end.
            None if is_open => ReplyStatus::Unknown,
            None => ReplyStatus::Complete,
        },
        parts,
        sources: sources.links,
        error,
        usage: usage(message),
        ..Reply::default()
    }
}

/// What went wrong, in one of the three ways in which it is said.
fn error(message: &Object<'_>) -> Option<String> {
    let value = message.get("error")?;
    match value.get() {
        "true" => return Some("The reply failed.".to_owned()),
        "false" => return None,
        _ => {}
    }
    if let Some(words) = text(value) {
        return Some(words.into_owned());
    }
    let inner = Object::of(value)?;
    let keys = ["content", "detail", "message"];
    let words = keys.into_iter().find_map(|key| inner.words(key));
    Some(words.unwrap_or_else(|| value.get().to_owned()))
}

/// Tokens, in the words of the server that counted them.
fn usage(message: &Object<'_>) -> Option<Usage> {
    let inner = message.object("usage");
    let inner = inner.or_else(|| message.object("info")?.object("usage"));
    let inner = inner.or_else(|| message.object("info"))?;
    let count = |keys: [&str; 3]| {
        let found = keys.into_iter().find_map(|key| inner.count(key));
        found.unwrap_or_default()
    };
    let usage = Usage {
        input: count(["prompt_tokens", "input_tokens", "prompt_eval_count"]),
        output: count(["completion_tokens", "output_tokens", "eval_count"]),
        ..Usage::default()
    };
    (usage.total() > 0).then_some(usage)
}

/// Code that was run by a person's wish.
fn executed(value: Json<'_>) -> Part {
    let run = Object::of(value).unwrap_or_default();
    let result = run.object("result").map(|result| {
        let (output, error) = (result.words("output"), result.words("error"));
        let files = result.items("files").into_iter();
        let files = files.filter_map(|file| Object::of(file)?.words("name"));
        ToolResult {
            is_error: error.is_some(),
            text: output
                .into_iter()
                .chain(error)
                .chain(files)
                .collect::<Vec<_>>()
                .join("\n"),
            ..ToolResult::default()
        }
    });
    let input = serde_json::json!({
        "code": run.string("code"),
        "language": run.string("language"),
    });
    Part::Tool(Box::new(ToolCall {
        id: run.string("uuid"),
        name: "execute_code".to_owned(),
        input: Some(Input::Json(input.to_string())),
        result,
        ..ToolCall::default()
    }))
}
