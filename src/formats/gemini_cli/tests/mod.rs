//! Behaviour of the whole reader, by what a file holds.

mod log;
mod messages;
mod shapes;

use serde_json::{Value, json};

use crate::formats::outline::outline;
use crate::formats::{Format, Reading};
use crate::model::Conversation;
use crate::source::{File, Source};

use super::GeminiCli;

fn file(name: &str, text: String) -> File {
    File::in_memory(name.into(), name.into(), text.into_bytes())
}

/// A log out of its records, behind the line that begins it.
fn log(records: &[Value]) -> String {
    let first = json!({"sessionId": "s", "projectHash": "0123456789abcdef", "kind": "main"});
    let records = std::iter::once(&first).chain(records);
    records.map(|record| format!("{record}\n")).collect()
}

fn read(records: &[Value]) -> Reading {
    GeminiCli.read(&Source::single(file("s.jsonl", log(records))))
}

fn conversation(records: &[Value]) -> Conversation {
    read(records).conversation.expect("there is a conversation")
}

fn outlined(records: &[Value]) -> Vec<String> {
    outline(&conversation(records))
}

fn at(second: u32) -> String {
    format!("2026-01-02T03:{:02}:{:02}.000Z", second / 60, second % 60)
}

fn said(id: &str, second: u32, content: impl Into<Value>) -> Value {
    json!({"id": id, "timestamp": at(second), "type": "user", "content": content.into()})
}

fn wrote(id: &str, second: u32, content: impl Into<Value>) -> Value {
    json!({"id": id, "timestamp": at(second), "type": "gemini", "content": content.into(),
           "model": "gemini-x"})
}

fn called(id: &str, second: u32, calls: Value) -> Value {
    with(wrote(id, second, ""), json!({"toolCalls": calls}))
}

fn call(id: &str, name: &str, second: u32, output: &str) -> Value {
    let response = json!({"id": id, "name": name, "response": {"output": output}});
    json!({"id": id, "name": name, "args": {}, "status": "success", "timestamp": at(second),
           "result": [{"functionResponse": response}]})
}

/// A record with more in it.
fn with(mut record: Value, more: Value) -> Value {
    let (Value::Object(fields), Value::Object(more)) = (&mut record, more) else {
        panic!("records are objects");
    };
    fields.extend(more);
    record
}
