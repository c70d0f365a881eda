//! Behaviour of the whole reader, by what a file holds.

mod messages;
mod shapes;
mod system;

use serde_json::{Value, json};

use crate::formats::outline::outline;
use crate::formats::{Format, Reading};
use crate::model::Conversation;
use crate::source::{File, Source};

use super::QwenCode;

fn file(name: &str, text: String) -> File {
    File::in_memory(name.into(), name.into(), text.into_bytes())
}

fn text(records: &[Value]) -> String {
    records.iter().map(|record| format!("{record}\n")).collect()
}

fn read(records: &[Value]) -> Reading {
    QwenCode.read(&Source::single(file("s.jsonl", text(records))))
}

fn conversation(records: &[Value]) -> Conversation {
    read(records).conversation.expect("there is a conversation")
}

fn outlined(records: &[Value]) -> Vec<String> {
    outline(&conversation(records))
}

/// A record by its id, which is also its second, and the id of the one that it follows.
fn record(kind: &str, id: u32, parent: u32, more: Value) -> Value {
    let parent = (parent > 0).then(|| format!("u{parent}"));
    let envelope = json!({
        "uuid": format!("u{id}"), "parentUuid": parent, "sessionId": "s", "type": kind,
        "timestamp": format!("2026-01-02T03:{:02}:{:02}.000Z", id / 60, id % 60),
        "cwd": "/home/robin/tea", "version": "0.21.0", "gitBranch": "main",
    });
    with(envelope, more)
}

fn said(id: u32, parent: u32, words: &str) -> Value {
    let message = json!({"role": "user", "parts": [{"text": words}]});
    record("user", id, parent, json!({"message": message}))
}

fn wrote(id: u32, parent: u32, parts: Value) -> Value {
    let message = json!({"role": "model", "parts": parts});
    let more = json!({"message": message, "model": "qwen-x"});
    record("assistant", id, parent, more)
}

fn answer(id: u32, parent: u32, words: &str) -> Value {
    wrote(id, parent, json!([{"text": words}]))
}

fn call(id: &str, name: &str, args: Value) -> Value {
    json!({"functionCall": {"id": id, "name": name, "args": args}})
}

fn result(id: u32, parent: u32, call: &str, name: &str, output: &str) -> Value {
    let response = json!({"id": call, "name": name, "response": {"output": output}});
    let message = json!({"role": "user", "parts": [{"functionResponse": response}]});
    let more = json!({"message": message,
                      "toolCallResult": {"callId": call, "status": "success"}});
    record("tool_result", id, parent, more)
}

fn system(id: u32, parent: u32, subtype: &str, payload: Value) -> Value {
    let more = json!({"subtype": subtype, "systemPayload": payload});
    record("system", id, parent, more)
}

/// A record with more in it.
fn with(mut record: Value, more: Value) -> Value {
    let (Value::Object(fields), Value::Object(more)) = (&mut record, more) else {
        panic!("records are objects");
    };
    fields.extend(more);
    record
}
