//! Behaviour of the whole reader, by what a file holds.

mod agents;
mod faults;
mod notices;
mod prompts;
mod replies;
mod results;
mod shapes;

use serde_json::{Value, json};

use crate::formats::{Format, Reading};
use crate::model::{Body, Conversation, Entry, Notice, Part, Prompt, Reply, ToolCall};
use crate::source::{File, Source};

use super::ClaudeCode;

/// A file out of records.
fn file(name: &str, records: &[Value]) -> File {
    let lines: Vec<String> = records.iter().map(|record| format!("{record}\n")).collect();
    File::in_memory(name.into(), name.into(), lines.concat().into_bytes())
}

/// Reads a session of these records.
fn read(records: &[Value]) -> Reading {
    ClaudeCode.read(&Source::single(file("s.jsonl", records)))
}

/// The conversation of these records.
fn conversation(records: &[Value]) -> Conversation {
    read(records).conversation.expect("there is a conversation")
}

fn problems(reading: &Reading) -> Vec<String> {
    reading.problems.iter().map(ToString::to_string).collect()
}

/// A record that follows the one before it, at second `at`.
fn record(kind: &str, at: u32, message: Value) -> Value {
    json!({
        "type": kind, "uuid": format!("{kind}-{at}"), "sessionId": "s", "isSidechain": false,
        "timestamp": format!("2026-01-02T03:{:02}:{:02}.000Z", at / 60, at % 60),
        "message": message,
    })
}

fn said(at: u32, content: impl Into<Value>) -> Value {
    record(
        "user",
        at,
        json!({"role": "user", "content": content.into()}),
    )
}

fn wrote(at: u32, blocks: Value) -> Value {
    let message = json!({
        "id": format!("msg-{at}"), "role": "assistant", "model": "model-1", "content": blocks,
    });
    record("assistant", at, message)
}

fn text(at: u32, words: &str) -> Value {
    wrote(at, json!([{"type": "text", "text": words}]))
}

fn call(at: u32, id: &str, name: &str, input: Value) -> Value {
    wrote(
        at,
        json!([{"type": "tool_use", "id": id, "name": name, "input": input}]),
    )
}

fn result(at: u32, id: &str, content: impl Into<Value>) -> Value {
    let block = json!({"type": "tool_result", "tool_use_id": id, "content": content.into()});
    said(at, json!([block]))
}

/// A record with more in its envelope.
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
    for child in &conversation.children {
        lines.push("child".to_owned());
        outline_of(&child.entries, "  ", &mut lines);
    }
    lines
}

fn outline_of(entries: &[Entry], indent: &str, lines: &mut Vec<String>) {
    for entry in entries {
        match entry {
            Entry::Prompt(prompt) => {
                let queued = if prompt.queued { " queued" } else { "" };
                lines.push(format!("{indent}prompt {:?}{queued}", prompt.author));
                outline_of_parts(&prompt.parts, indent, lines);
                for notice in &prompt.asides {
                    lines.push(format!("{indent}  aside {}", line(notice)));
                }
            }
            Entry::Reply(reply) => {
                lines.push(format!("{indent}reply {:?}", reply.status));
                outline_of_parts(&reply.parts, indent, lines);
                if let Some(error) = &reply.error {
                    lines.push(format!("{indent}  error {error}"));
                }
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

fn outline_of_parts(parts: &[Part], indent: &str, lines: &mut Vec<String>) {
    for part in parts {
        let line = match part {
            Part::Text(text) => format!("text {text}"),
            Part::Reasoning(reasoning) => format!("thought {}", reasoning.text),
            Part::Tool(call) => {
                let result = call.result.as_ref().map(|result| result.text.as_str());
                lines.push(format!("{indent}  call {} {result:?}", call.name));
                if let Some(child) = &call.child {
                    outline_of(&child.entries, &format!("{indent}    "), lines);
                }
                continue;
            }
            Part::Image(image) => format!("image {:?}", image.data),
            Part::File(file) => format!("file {}", file.name),
            Part::Notice(notice) => line(notice),
            Part::Error { message, .. } => format!("error {message}"),
        };
        lines.push(format!("{indent}  {line}"));
    }
}

fn line(notice: &Notice) -> String {
    match &notice.body {
        None => format!("{:?}: {}", notice.kind, notice.title),
        Some(body) => format!("{:?}: {} > {}", notice.kind, notice.title, body.text()),
    }
}

fn prompts(conversation: &Conversation) -> Vec<&Prompt> {
    let entries = conversation.entries.iter();
    let prompts = entries.filter_map(|entry| match entry {
        Entry::Prompt(prompt) => Some(prompt),
        _ => None,
    });
    prompts.collect()
}

fn replies(conversation: &Conversation) -> Vec<&Reply> {
    let entries = conversation.entries.iter();
    let replies = entries.filter_map(|entry| match entry {
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
        Part::Tool(call) => Some(&**call),
        _ => None,
    });
    calls.collect()
}

fn body(notice: &Notice) -> &str {
    notice.body.as_ref().map_or("", Body::text)
}
