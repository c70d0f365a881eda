//! Messages. Those of the interface hold calls with their results; those of models hold both
//! apart, results in any order and of some tools in the answer itself.

use std::collections::BTreeMap;

use crate::formats::api::{Flow, file_part, named, said, settled, usage};
use crate::formats::pairs::input;
use crate::formats::records::{Json, Object, items, text};
use crate::model::{Input, Notice, NoticeKind, Part, Prompt, Reply, ToolCall, ToolResult};

use super::list_of;
use super::parts::{self, Said};

/// Reads a list of messages.
pub(super) fn all(messages: Vec<Json<'_>>, flow: &mut Flow) {
    let outputs = outputs(&messages);
    for value in messages {
        one(value, &outputs, flow);
    }
}

/// Reads one message.
pub(super) fn read(value: Json<'_>, flow: &mut Flow) {
    all(vec![value], flow);
}

/// What calls gave back, by their ids: some say only there what they were given.
type Outputs<'a> = BTreeMap<String, Json<'a>>;

fn outputs<'a>(messages: &[Json<'a>]) -> Outputs<'a> {
    let mut all = Outputs::new();
    let messages = messages.iter().copied().filter_map(Object::of);
    for part in messages.flat_map(|message| message.items("content")) {
        let part = Object::of(part).unwrap_or_default();
        if part.text("type").as_deref() == Some("tool-result") {
            let output = part.object("output").and_then(|output| output.get("value"));
            if let Some(output) = output.or_else(|| part.get("result")) {
                all.insert(part.string("toolCallId"), output);
            }
        }
    }
    all
}

fn one(value: Json<'_>, outputs: &Outputs<'_>, flow: &mut Flow) {
    let message = Object::of(value).unwrap_or_default();
    if !message.has("role") {
        return flow.losses.skip("message without a role");
    }
    let role = message.string("role");
    match role.as_str() {
        "system" => flow.told(&words_of(&message), None),
        "user" | "data" => {
            let mut said = Said::default();
            content(&message, outputs, &mut said, flow);
            let time = time(&message, flow);
            flow.prompt(Prompt {
                id: message.string("id"),
                time,
                parts: said.parts,
                ..Prompt::default()
            });
        }
        "assistant" => {
            facts(&message, flow);
            let mut said = Said::default();
            content(&message, outputs, &mut said, flow);
            said.hand_over(flow);
        }
        "tool" => content(&message, outputs, &mut Said::default(), flow),
        role => flow.of_unknown(role, words_of(&message)),
    }
}

/// When a message was written: version 4 says so, later ones only where a program does.
fn time(message: &Object<'_>, flow: &mut Flow) -> Option<crate::model::Timestamp> {
    let meta = message.object("metadata").unwrap_or_default();
    let own = flow.losses.time(message, "createdAt");
    own.or_else(|| flow.losses.time(&meta, "createdAt"))
}

fn facts(message: &Object<'_>, flow: &mut Flow) {
    let meta = message.object("metadata").unwrap_or_default();
    let models = [
        meta.words("model"),
        meta.words("modelId"),
        message.words("model"),
    ];
    let start = time(message, flow);
    flow.facts(Reply {
        id: message.string("id"),
        start,
        models: models.into_iter().flatten().take(1).collect(),
        usage: usage(&meta, "totalUsage").or_else(|| usage(&meta, "usage")),
        ..Reply::default()
    });
}

fn words_of(message: &Object<'_>) -> String {
    if let Some(words) = message.words("content") {
        return words;
    }
    let keys = ["parts", "content"];
    let parts = keys.iter().flat_map(|key| message.items(key));
    let words = parts.filter_map(|part| Object::of(part)?.words("text"));
    words.collect::<Vec<_>>().join("\n\n")
}

/// What a message holds. Where it has parts, its text and its list of calls say the same again,
/// or less.
fn content(message: &Object<'_>, outputs: &Outputs<'_>, said_so_far: &mut Said, flow: &mut Flow) {
    let parts = message.get("parts");
    if let Some(list) = parts {
        list_of(list, |list| {
            for value in list {
                parts::read(value, said_so_far, flow);
            }
        });
        attached(message, said_so_far);
        return;
    }
    if let Some(words) = message.words("reasoning") {
        said_so_far.thought(words, None);
    }
    let content = message.get("content");
    let written = content.and_then(text);
    let is_list = written
        .as_ref()
        .is_some_and(|words| words.starts_with("[{\"type\":") && Json::parse(words).is_ok());
    match (content, written) {
        (Some(list), Some(_)) if is_list => list_of(list, |list| {
            list.into_iter()
                .for_each(|one| model_part(one, outputs, said_so_far, flow));
        }),
        (_, Some(words)) => {
            // Calls come before the words that were said of them.
            invocations(message, said_so_far, flow);
            said_so_far.hand_over(flow);
            said_so_far.parts.extend(said(words));
        }
        (Some(list), None) => {
            for one in items(list) {
                model_part(one, outputs, said_so_far, flow);
            }
        }
        (None, None) => invocations(message, said_so_far, flow),
    }
    attached(message, said_so_far);
}

/// The calls that the first versions list beside the text.
fn invocations(message: &Object<'_>, said_so_far: &mut Said, flow: &mut Flow) {
    let calls = message.items("toolInvocations");
    if !calls.is_empty() {
        said_so_far.hand_over(flow);
    }
    for call in calls.into_iter().filter_map(Object::of) {
        parts::called(&call, &call.string("toolName"), flow);
    }
}

fn attached(message: &Object<'_>, said_so_far: &mut Said) {
    for file in message
        .items("experimental_attachments")
        .into_iter()
        .filter_map(Object::of)
    {
        let part = file_part(
            file.words("name"),
            file.words("contentType"),
            &file.string("url"),
        );
        said_so_far.parts.push(part);
    }
}

/// A part of a message that models are given.
fn model_part(value: Json<'_>, outputs: &Outputs<'_>, said_so_far: &mut Said, flow: &mut Flow) {
    let part = Object::of(value).unwrap_or_default();
    let id = part.string("toolCallId");
    let name = part.string("toolName");
    match part.string("type").as_str() {
        "tool-call" => {
            said_so_far.hand_over(flow);
            let key = if part.has("input") { "input" } else { "args" };
            let given = match part.has(key) {
                true => input(&part, key),
                false => Input::Json("{}".to_owned()),
            };
            let (name, input) = named(&name, given, outputs.get(&id).copied());
            flow.call(ToolCall {
                id,
                name,
                input: Some(input),
                ..ToolCall::default()
            });
        }
        "tool-result" => {
            said_so_far.hand_over(flow);
            flow.result(&id, &name, result(&part));
        }
        "tool-approval-request" => {
            said_so_far.hand_over(flow);
            let notice = Notice::new(NoticeKind::Info, "Asked for permission");
            flow.part(Part::Notice(notice));
        }
        "tool-approval-response" => {
            said_so_far.hand_over(flow);
            flow.part(Part::Notice(parts::permission(&part)));
        }
        _ => parts::read(value, said_so_far, flow),
    }
}

/// A result, in the wrappers that versions put around it.
fn result(part: &Object<'_>) -> ToolResult {
    let Some(output) = part.object("output") else {
        return ToolResult {
            is_error: part.flag("isError"),
            ..settled(part.get("result"))
        };
    };
    let kind = output.string("type");
    if kind == "execution-denied" {
        return parts::denied(output.words("reason"));
    }
    ToolResult {
        is_error: kind.starts_with("error"),
        ..settled(output.get("value"))
    }
}
