//! What each fact of the export becomes.

mod files;
mod prompts;
mod references;
mod replies;
mod shapes;
mod tools;
mod tree;

use serde_json::{Value, json};

use super::*;
use crate::formats::outline::outline;
use crate::model::{Conversation, Entry, Part as Piece, Reply, ToolCall};

/// Reads a file of this text, with files beside it, in one go.
fn read_with(text: &str, files: &[(&str, &[u8])]) -> (Option<Conversation>, Vec<String>) {
    let file = File::in_memory("a/f.json".into(), "a/f.json".into(), text.into());
    let head = Head::of(&file).expect("memory can be read");
    assert!(ChatGpt.recognises(&head), "{head:?}");
    let mut source = Source::single(file);
    source.side_files = files
        .iter()
        .map(|(name, bytes)| {
            let name = format!("a/{name}");
            File::in_memory(name.clone(), name, bytes.to_vec())
        })
        .collect();
    let reading = ChatGpt.read(&source);
    let problems = reading.problems.iter().map(ToString::to_string).collect();
    (reading.conversation, problems)
}

/// A conversation whose messages follow each other.
fn chain(messages: &[Value]) -> Value {
    let mut mapping = serde_json::Map::new();
    mapping.insert(
        "root".into(),
        json!({"id": "root", "message": null, "parent": null, "children": ["0"]}),
    );
    for (at, message) in messages.iter().enumerate() {
        let parent = at.checked_sub(1).map_or("root".into(), |at| at.to_string());
        let mut message = message.clone();
        message["id"] = json!(format!("m{at}"));
        let node = json!({
            "id": at.to_string(), "parent": parent, "children": [(at + 1).to_string()],
            "message": message,
        });
        mapping.insert(at.to_string(), node);
    }
    let last = messages.len().saturating_sub(1).to_string();
    json!({"id": "c", "title": "T", "current_node": last, "mapping": mapping})
}

/// What becomes of messages that follow each other.
fn chat(messages: &[Value]) -> Conversation {
    let text = chain(messages).to_string();
    read_with(&text, &[]).0.expect("a conversation")
}

fn lines(messages: &[Value]) -> Vec<String> {
    outline(&chat(messages))
}

fn user(text: &str) -> Value {
    json!({"author": {"role": "user"}, "content": {"content_type": "text", "parts": [text]},
        "status": "finished_successfully", "recipient": "all", "metadata": {}})
}

fn assistant(text: &str) -> Value {
    with(user(text), json!({"author": {"role": "assistant"}}))
}

/// A call: code for a tool.
fn call(tool: &str, text: &str) -> Value {
    let content = json!({"content_type": "code", "language": "unknown", "text": text});
    with(
        assistant(""),
        json!({"recipient": tool, "content": content}),
    )
}

/// What a tool gave back.
fn result(tool: &str, content: Value) -> Value {
    with(
        user(""),
        json!({"author": {"role": "tool", "name": tool}, "weight": 0.0, "content": content}),
    )
}

fn text(text: &str) -> Value {
    json!({"content_type": "text", "parts": [text]})
}

/// A value with some of its fields replaced.
fn with(mut value: Value, fields: Value) -> Value {
    let own = value.as_object_mut().expect("an object");
    own.extend(fields.as_object().expect("an object").clone());
    value
}

/// The reply to a prompt with these messages behind it.
fn reply(messages: &[Value]) -> Reply {
    let mut all = vec![user("hi")];
    all.extend_from_slice(messages);
    let mut entries = chat(&all).entries.into_iter();
    let found = entries.find_map(|entry| match entry {
        Entry::Reply(reply) => Some(reply),
        _ => None,
    });
    found.expect("a reply")
}

fn calls(reply: &Reply) -> Vec<&ToolCall> {
    let calls = reply.parts.iter().filter_map(|part| match part {
        Piece::Tool(call) => Some(call.as_ref()),
        _ => None,
    });
    calls.collect()
}

/// The texts of a reply.
fn words(reply: &Reply) -> String {
    let texts = reply.parts.iter().filter_map(|part| match part {
        Piece::Text(text) => Some(text.as_str()),
        _ => None,
    });
    texts.collect::<Vec<_>>().join("|")
}
