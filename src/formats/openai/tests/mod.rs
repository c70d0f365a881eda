//! What the reader makes of logs of OpenAI's API.

mod chat;
mod logs;
mod responses;

use serde_json::Value;

use super::OpenAi;
use crate::formats::api::tests::read_with;
use crate::model::Conversation;

/// The conversations in a document, and what was said of the file.
fn of(document: &Value) -> (Vec<Conversation>, Vec<String>) {
    read_with(&OpenAi, &document.to_string())
}

/// The conversations in lines.
fn of_lines(lines: &[Value]) -> (Vec<Conversation>, Vec<String>) {
    let lines: Vec<String> = lines.iter().map(Value::to_string).collect();
    read_with(&OpenAi, &lines.join("\n"))
}

/// The one conversation in a document.
fn one(document: &Value) -> Conversation {
    let (mut all, _) = of(document);
    assert_eq!(all.len(), 1);
    all.remove(0)
}
