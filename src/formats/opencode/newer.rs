//! Messages as the newest versions keep them: one row a message, with its content inside. They
//! become the messages and parts that all others are.

use crate::formats::pairs;
use crate::formats::records::Object;
use crate::model::{Input, Notice, NoticeKind, Reasoning, ToolCall, ToolResult};

use super::message::{Failure, Message, Role, cost, moment, usage};
use super::part::{self, Piece, lasted, unknown};
use super::saved::Saved;
use super::tool;

/// Takes a message of this kind.
pub(super) fn take(saved: &mut Saved, session: &str, id: &str, kind: &str, data: &Object<'_>) {
    let time = data.object("time").unwrap_or_default();
    let mut message = Message {
        id: id.to_owned(),
        created: time.get("created").and_then(moment),
        completed: time.get("completed").and_then(moment),
        is_known: true,
        ..Message::default()
    };
    match kind {
        "user" => {
            message.role = Role::User;
            push(&mut message, words(data.string("text"), false));
            for file in data.items("files") {
                if let Some(file) = Object::of(file) {
                    push(&mut message, Piece::File(part::file(&file)));
                }
            }
            for agent in data.items("agents") {
                if let Some(agent) = Object::of(agent) {
                    push(&mut message, Piece::Mention(agent.string("name")));
                }
            }
        }
        "synthetic" | "system" => {
            message.role = Role::User;
            push(&mut message, words(data.string("text"), true));
        }
        "shell" => {
            let call = shell(data, &message);
            push(&mut message, Piece::Call(Box::new(call)));
        }
        "assistant" => assistant(&mut message, data),
        "compaction" => {
            message.is_summary = true;
            push(&mut message, words(data.string("summary"), false));
        }
        "agent-switched" | "model-switched" => return saved.hide("changes of agent or model"),
        kind => {
            let title = format!("Message of an unknown kind: {kind}");
            let notice = Notice::new(NoticeKind::Unknown, title);
            return saved.session(session).note(notice);
        }
    }
    *saved.session(session).message(id) = message;
}

fn push(message: &mut Message, piece: Piece) {
    let id = message.parts.len().to_string();
    message.parts.push((id, piece));
}

fn words(words: String, synthetic: bool) -> Piece {
    Piece::Text {
        words,
        synthetic,
        ignored: false,
    }
}

/// A command that the person ran.
fn shell(data: &Object<'_>, message: &Message) -> ToolCall {
    let command = serde_json::json!({ "command": data.string("command") });
    let is_done = message.completed.is_some();
    ToolCall {
        id: data.string("callID"),
        name: "bash".to_owned(),
        input: Some(Input::Json(command.to_string())),
        start: message.created,
        ms: crate::figures::between(message.created, message.completed),
        running: !is_done,
        result: is_done.then(|| ToolResult {
            text: data.string("output"),
            time: message.completed,
            ..ToolResult::default()
        }),
        ..ToolCall::default()
    }
}

fn assistant(message: &mut Message, data: &Object<'_>) {
    let model = data.object("model").unwrap_or_default();
    message.agent = data.string("agent");
    message.model = model.string("id");
    message.finish = data.string("finish");
    message.usage = data.object("tokens").and_then(|tokens| usage(&tokens));
    message.cost = cost(data);
    message.failure = data.object("error").map(|error| Failure::of(&error));
    for value in data.items("content") {
        let Some(content) = Object::of(value) else {
            continue;
        };
        let kind = content.string("type");
        let piece = match kind.as_str() {
            "text" => words(content.string("text"), false),
            "reasoning" => {
                let text = content.string("text");
                let time = content.object("time").unwrap_or_default();
                Piece::Reasoning(Reasoning {
                    hidden: text.trim().is_empty().then_some("hidden"),
                    ms: lasted(&time, "created", "completed"),
                    text,
                })
            }
            "tool" => Piece::Call(Box::new(call(&content))),
            kind => unknown(kind, value.get()),
        };
        push(message, piece);
    }
}

fn call(content: &Object<'_>) -> ToolCall {
    let state = content.object("state").unwrap_or_default();
    let time = content.object("time").unwrap_or_default();
    let at = |key: &str| time.get(key).and_then(moment);
    let start = at("ran").or_else(|| at("created"));
    let status = state.string("status");
    let is_open = matches!(status.as_str(), "pending" | "running");
    let name = content.string("name");
    let mut said = Vec::new();
    let mut files = Vec::new();
    for item in state.items("content") {
        let item = Object::of(item).unwrap_or_default();
        match item.string("type").as_str() {
            "text" => said.push(item.string("text")),
            _ => files.push(part::file(&item)),
        }
    }
    let failure = state.object("error").map(|error| Failure::of(&error));
    let failed = status == "error";
    if let Some(failure) = failure.filter(|_| failed) {
        said.push(failure.words);
    }
    let result = (!is_open).then(|| {
        let input = state.object("input").unwrap_or_default();
        let metadata = state.object("structured").unwrap_or_default();
        let mut result = tool::made_of(&name, said.join("\n"), &input, &metadata, failed);
        for file in files {
            tool::attach(&mut result, file);
        }
        result.time = at("completed");
        result
    });
    ToolCall {
        id: content.string("id"),
        input: Some(pairs::input(&state, "input")),
        start,
        ms: crate::figures::between(start, at("completed")),
        running: is_open,
        result,
        name,
        ..ToolCall::default()
    }
}
