//! What the reader makes of small files: one behaviour a test.

mod calls;
mod echoes;
mod outputs;
mod sessions;
mod shapes;
mod turns;

use serde_json::{Value, json};

use crate::formats::{Head, Reading, group};
use crate::model::{Conversation, Entry, Notice, Part, Prompt, Reasoning, Reply, ToolCall};
use crate::source::{File, Source};

use super::Codex;
use crate::formats::Format;

/// Reads lines, each an object.
fn read_all(lines: &[Value]) -> Reading {
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    Codex.read(&Source::single(file("r.jsonl", text)))
}

/// The conversation of lines that have one.
fn read(lines: &[Value]) -> Conversation {
    read_all(lines).conversation.expect("there is something")
}

fn file(name: &str, text: String) -> File {
    File::in_memory(name.to_owned(), name.to_owned(), text.into_bytes())
}

/// A record in an envelope, so many milliseconds after the first.
fn at(ms: u64, kind: &str, payload: Value) -> Value {
    let time = format!(
        "2026-03-01T10:{:02}:{:02}.{:03}Z",
        ms / 60_000,
        ms / 1_000 % 60,
        ms % 1_000
    );
    json!({"timestamp": time, "type": kind, "payload": payload})
}

fn item(payload: Value) -> Value {
    at(0, "response_item", payload)
}

fn event(payload: Value) -> Value {
    at(0, "event_msg", payload)
}

fn user(text: &str) -> Value {
    item(
        json!({"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}]}),
    )
}

fn assistant(text: &str) -> Value {
    item(
        json!({"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": text}]}),
    )
}

fn call(id: &str, name: &str, arguments: Value) -> Value {
    item(
        json!({"type": "function_call", "name": name, "arguments": arguments.to_string(), "call_id": id}),
    )
}

fn output(id: &str, output: Value) -> Value {
    item(json!({"type": "function_call_output", "call_id": id, "output": output}))
}

fn prompts(conversation: &Conversation) -> Vec<&Prompt> {
    let entries = conversation.entries.iter();
    entries
        .filter_map(|entry| match entry {
            Entry::Prompt(prompt) => Some(prompt),
            _ => None,
        })
        .collect()
}

fn replies(conversation: &Conversation) -> Vec<&Reply> {
    let entries = conversation.entries.iter();
    entries
        .filter_map(|entry| match entry {
            Entry::Reply(reply) => Some(reply),
            _ => None,
        })
        .collect()
}

fn parts(conversation: &Conversation) -> Vec<&Part> {
    let replies = replies(conversation).into_iter();
    replies.flat_map(|reply| &reply.parts).collect()
}

fn calls(conversation: &Conversation) -> Vec<&ToolCall> {
    let parts = parts(conversation).into_iter();
    parts
        .filter_map(|part| match part {
            Part::Tool(call) => Some(call.as_ref()),
            _ => None,
        })
        .collect()
}

fn thoughts(conversation: &Conversation) -> Vec<&Reasoning> {
    let parts = parts(conversation).into_iter();
    parts
        .filter_map(|part| match part {
            Part::Reasoning(reasoning) => Some(reasoning),
            _ => None,
        })
        .collect()
}

fn texts(parts: &[Part]) -> Vec<&str> {
    let texts = parts.iter().filter_map(|part| match part {
        Part::Text(text) => Some(text.as_str()),
        _ => None,
    });
    texts.collect()
}

/// All notices of a conversation: between, around prompts and in replies.
fn notices(conversation: &Conversation) -> Vec<&Notice> {
    let mut all = Vec::new();
    for entry in &conversation.entries {
        match entry {
            Entry::Notice(notice) => all.push(notice),
            Entry::Prompt(prompt) => all.extend(&prompt.asides),
            Entry::Reply(reply) => all.extend(reply.parts.iter().filter_map(|part| match part {
                Part::Notice(notice) => Some(notice),
                _ => None,
            })),
            Entry::Versions(_) => {}
        }
    }
    all
}

fn titles(conversation: &Conversation) -> Vec<&str> {
    let notices = notices(conversation).into_iter();
    notices.map(|notice| notice.title.as_str()).collect()
}

/// The sources that files are, by name.
fn sources(files: &[(&str, Vec<Value>)]) -> Vec<Source> {
    let found = files.iter().map(|(name, lines)| {
        let text = lines.iter().map(|line| format!("{line}\n")).collect();
        let file = file(name, text);
        let head = Head::of(&file).expect("memory can be read");
        (file, head)
    });
    let grouped = group(found.collect(), None);
    grouped
        .sources
        .into_iter()
        .map(|(source, _)| source)
        .collect()
}
