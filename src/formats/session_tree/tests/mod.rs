//! Behaviour of the whole reader, by what a file holds.

mod branches;
mod faults;
mod messages;
mod notices;
mod results;

use serde_json::{Value, json};

use crate::formats::Reading;
use crate::model::{Conversation, Entry, Notice, Part, Reply, ToolCall};
use crate::source::{File, Source};

/// A file out of records, behind a header.
fn file(name: &str, records: &[Value]) -> File {
    let header = json!({
        "type": "session", "version": 3, "id": "s1", "timestamp": time(0), "cwd": "/w",
    });
    let lines = std::iter::once(&header).chain(records);
    let lines: Vec<String> = lines.map(|record| format!("{record}\n")).collect();
    File::in_memory(name.into(), name.into(), lines.concat().into_bytes())
}

fn read(records: &[Value]) -> Reading {
    super::read(&Source::single(file("s.jsonl", records)), "pi")
}

fn read_text(text: &str) -> Reading {
    let file = File::in_memory("s.jsonl".into(), "s.jsonl".into(), text.into());
    super::read(&Source::single(file), "pi")
}

fn conversation(records: &[Value]) -> Conversation {
    read(records).conversation.expect("there is a conversation")
}

fn problems(reading: &Reading) -> Vec<String> {
    reading.problems.iter().map(ToString::to_string).collect()
}

/// The moment `at` seconds after the start.
fn time(at: u32) -> String {
    format!("2026-01-02T03:{:02}:{:02}.000Z", at / 60, at % 60)
}

/// The same as messages have it.
fn ms(at: u32) -> u64 {
    1_767_322_800_000 + u64::from(at) * 1_000
}

/// An entry of this id that follows another; nothing, when the parent's id is empty.
fn entry(kind: &str, id: &str, parent: &str, at: u32, more: Value) -> Value {
    let parent = if parent.is_empty() {
        Value::Null
    } else {
        json!(parent)
    };
    let entry = json!({"type": kind, "id": id, "parentId": parent, "timestamp": time(at)});
    with(entry, more)
}

fn said(id: &str, parent: &str, at: u32, words: &str) -> Value {
    let message = json!({"role": "user", "content": words, "timestamp": ms(at)});
    entry("message", id, parent, at, json!({"message": message}))
}

/// A message of the assistant that was asked for at `at` and whole three seconds later.
fn wrote(id: &str, parent: &str, at: u32, content: Value, stop: &str) -> Value {
    let message = json!({
        "role": "assistant", "content": content, "model": "m1", "provider": "p",
        "stopReason": stop, "timestamp": ms(at),
    });
    entry("message", id, parent, at + 3, json!({"message": message}))
}

fn text(id: &str, parent: &str, at: u32, words: &str) -> Value {
    wrote(
        id,
        parent,
        at,
        json!([{"type": "text", "text": words}]),
        "stop",
    )
}

fn call(id: &str, name: &str, arguments: Value) -> Value {
    json!({"type": "toolCall", "id": id, "name": name, "arguments": arguments})
}

fn result(id: &str, parent: &str, at: u32, of: (&str, &str), words: &str, more: Value) -> Value {
    let message = json!({
        "role": "toolResult", "toolCallId": of.0, "toolName": of.1, "isError": false,
        "content": [{"type": "text", "text": words}], "timestamp": ms(at),
    });
    entry(
        "message",
        id,
        parent,
        at,
        json!({"message": with(message, more)}),
    )
}

/// A record with more in it.
fn with(mut record: Value, more: Value) -> Value {
    let (Value::Object(fields), Value::Object(more)) = (&mut record, more) else {
        panic!("records are objects");
    };
    fields.extend(more);
    record
}

/// The outline of a conversation: one line an entry, one below it a part.
fn outline(conversation: &Conversation) -> Vec<String> {
    let mut lines = Vec::new();
    outline_of(&conversation.entries, "", &mut lines);
    lines
}

fn outline_of(entries: &[Entry], indent: &str, lines: &mut Vec<String>) {
    for entry in entries {
        match entry {
            Entry::Prompt(prompt) => {
                lines.push(format!("{indent}prompt {:?}", prompt.author));
                parts(&prompt.parts, indent, lines);
                let asides = prompt.asides.iter().map(line);
                lines.extend(asides.map(|aside| format!("{indent}  aside {aside}")));
            }
            Entry::Reply(reply) => {
                lines.push(format!("{indent}reply {:?}", reply.status));
                parts(&reply.parts, indent, lines);
                let error = reply.error.iter();
                lines.extend(error.map(|error| format!("{indent}  error {error}")));
            }
            Entry::Notice(notice) => lines.push(format!("{indent}{}", line(notice))),
            Entry::Versions(versions) => {
                for version in versions {
                    lines.push(format!("{indent}version"));
                    outline_of(version, &format!("{indent}  "), lines);
                }
            }
        }
    }
}

fn parts(parts: &[Part], indent: &str, lines: &mut Vec<String>) {
    let words = parts.iter().map(|part| match part {
        Part::Text(text) => format!("text {text}"),
        Part::Reasoning(thought) => format!("thought {} {:?}", thought.text, thought.hidden),
        Part::Tool(call) => match &call.result {
            Some(result) => format!("call {} {} -> {}", call.id, call.name, result.text),
            None => format!("call {} {}", call.id, call.name),
        },
        Part::Image(image) => format!("image {:?}", image.data),
        Part::File(file) => format!("file {}", file.name),
        Part::Notice(notice) => line(notice),
        Part::Error { message, .. } => format!("error {message}"),
    });
    lines.extend(words.map(|words| format!("{indent}  {words}")));
}

fn line(notice: &Notice) -> String {
    let body = notice
        .body
        .as_ref()
        .map(|body| format!(" [{}]", body.text()));
    format!(
        "{:?} {}{}",
        notice.kind,
        notice.title,
        body.unwrap_or_default()
    )
}

fn replies(conversation: &Conversation) -> Vec<&Reply> {
    let replies = conversation.entries.iter().filter_map(|entry| match entry {
        Entry::Reply(reply) => Some(reply),
        _ => None,
    });
    replies.collect()
}

fn calls(conversation: &Conversation) -> Vec<&ToolCall> {
    let parts = replies(conversation)
        .into_iter()
        .flat_map(|reply| &reply.parts);
    let calls = parts.filter_map(|part| match part {
        Part::Tool(call) => Some(call.as_ref()),
        _ => None,
    });
    calls.collect()
}
