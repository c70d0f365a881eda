//! The reader, one behaviour each: what is said here as an export, the other ways of keeping a
//! session come to the same.

mod damaged;
mod diagnostics;
mod exports;
mod kept;
mod messages;
mod rows;
mod tools;

use serde_json::{Value, json};

use super::OpenCode;
use crate::formats::{Format, Grouped, Head, Reading, group};
use crate::model::{Conversation, Entry, Notice, Part, Prompt, Reply, ToolCall};
use crate::source::{File, Source};

fn file(name: &str, text: &str) -> File {
    File::in_memory(name.to_owned(), name.to_owned(), text.as_bytes().to_vec())
}

fn read_file(file: File) -> Reading {
    let head = Head::of(&file).expect("memory can be read");
    assert!(OpenCode.recognises(&head), "{} is recognised", file.name);
    let mut source = Source::single(file);
    source.is_document = Some(OpenCode.is_document(&head));
    OpenCode.read(&source)
}

fn grouped(files: Vec<File>) -> Grouped {
    let looked = files.into_iter().map(|file| {
        let head = Head::of(&file).expect("memory can be read");
        (file, head)
    });
    group(looked.collect(), None)
}

/// The files of a session as older versions kept them.
fn kept(root: &str, info: &Value, messages: &[Value]) -> Vec<File> {
    let id = info["id"].as_str().unwrap_or_default();
    let mut files = vec![file(
        &format!("{root}session/p/{id}.json"),
        &info.to_string(),
    )];
    for message in messages {
        let name = message["info"]["id"].as_str().unwrap_or_default();
        let text = message["info"].to_string();
        files.push(file(&format!("{root}message/{id}/{name}.json"), &text));
        for part in message["parts"].as_array().into_iter().flatten() {
            let part_id = part["id"].as_str().unwrap_or_default();
            files.push(file(
                &format!("{root}part/{name}/{part_id}.json"),
                &part.to_string(),
            ));
        }
    }
    files
}

fn session(more: Value) -> Value {
    let mut info = json!({
        "id": "ses_1", "projectID": "p", "directory": "/home/robin/kites", "title": "Kites",
        "version": "1.1.31", "time": {"created": 1_772_701_200_000_u64},
    });
    extend(&mut info, more);
    info
}

fn extend(value: &mut Value, more: Value) {
    let (Value::Object(fields), Value::Object(more)) = (value, more) else {
        panic!("both are objects");
    };
    fields.extend(more);
}

/// A message at second `at`, with its parts.
fn message(at: u64, role: &str, more: Value, parts: Value) -> Value {
    let created = 1_772_701_200_000 + at * 1_000;
    let mut info = json!({
        "id": format!("msg_{at:04}"), "sessionID": "ses_1", "role": role, "agent": "build",
        "time": {"created": created},
    });
    if role == "assistant" {
        extend(
            &mut info,
            json!({"modelID": "sonata", "time": {"created": created, "completed": created + 500},
                   "finish": "stop"}),
        );
    }
    extend(&mut info, more);
    let Value::Array(mut parts) = parts else {
        panic!("parts are a list");
    };
    for (nth, part) in parts.iter_mut().enumerate() {
        let ids = json!({
            "id": format!("prt_{at:04}{nth:02}"), "sessionID": "ses_1",
            "messageID": format!("msg_{at:04}"),
        });
        extend(part, ids);
    }
    json!({"info": info, "parts": parts})
}

fn said(at: u64, words: &str) -> Value {
    message(at, "user", json!({}), json!([text(words)]))
}

fn wrote(at: u64, parts: Value) -> Value {
    message(at, "assistant", json!({}), parts)
}

fn text(words: &str) -> Value {
    json!({"type": "text", "text": words})
}

fn synthetic(words: &str) -> Value {
    json!({"type": "text", "text": words, "synthetic": true})
}

fn tool(name: &str, state: Value) -> Value {
    json!({"type": "tool", "callID": "c1", "tool": name, "state": state})
}

fn done(name: &str, input: Value, output: &str, metadata: Value) -> Value {
    let state = json!({
        "status": "completed", "input": input, "output": output, "metadata": metadata,
        "title": "", "time": {"start": 1_772_701_201_000_u64, "end": 1_772_701_203_500_u64},
    });
    tool(name, state)
}

fn export(info: Value, messages: &[Value]) -> String {
    json!({"info": info, "messages": messages}).to_string()
}

fn conversation(messages: &[Value]) -> Conversation {
    conversation_of(session(json!({})), messages)
}

fn conversation_of(info: Value, messages: &[Value]) -> Conversation {
    let reading = read_file(file("x.json", &export(info, messages)));
    assert_eq!(problems(&reading), [""; 0]);
    reading.conversation.expect("there is a conversation")
}

fn problems(reading: &Reading) -> Vec<String> {
    reading.problems.iter().map(ToString::to_string).collect()
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
                lines.push(format!("{indent}prompt{queued}"));
                outline_of_parts(&prompt.parts, indent, lines);
                let asides = prompt.asides.iter();
                lines.extend(asides.map(|notice| format!("{indent}  aside {}", line(notice))));
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
            Part::File(file) => format!("file {} {:?}", file.name, file.text),
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

/// The one call of a reply with one tool part.
fn call(part: Value) -> ToolCall {
    let conversation = conversation(&[said(0, "go"), wrote(1, json!([part]))]);
    calls(&conversation)[0].clone()
}
