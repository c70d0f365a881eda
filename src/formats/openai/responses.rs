//! Responses: a request with its items, and the items of a response.

use crate::formats::api::{Flow, ended, said, settled, usage};
use crate::formats::chat;
use crate::formats::pairs::input;
use crate::formats::records::{Json, Object, items, text};
use crate::model::{
    Body, Notice, NoticeKind, Part, Prompt, Reasoning, Reply, ReplyStatus, ToolCall,
};

use super::chat::{annotations, parts, words_of};
use super::{hash, hosted};

/// The kinds of items that no other program's records have.
const KINDS: [&str; 32] = [
    "function_call",
    "function_call_output",
    "custom_tool_call",
    "custom_tool_call_output",
    "web_search_call",
    "file_search_call",
    "code_interpreter_call",
    "image_generation_call",
    "computer_call",
    "computer_call_output",
    "local_shell_call",
    "local_shell_call_output",
    "shell_call",
    "shell_call_output",
    "apply_patch_call",
    "apply_patch_call_output",
    "mcp_call",
    "mcp_list_tools",
    "mcp_approval_request",
    "mcp_approval_response",
    "tool_search_call",
    "tool_search_output",
    "program",
    "program_output",
    "x_search_call",
    "item_reference",
    "compaction",
    "reasoning",
    "compaction_summary",
    "context_compaction",
    "shell_container",
    "hosted_tool_call",
];

/// Whether this is the kind of an item that is no message.
pub(super) fn is_kind(kind: &str) -> bool {
    KINDS.contains(&kind)
}

/// Whether an object is an item rather than a message of Chat Completions.
pub(super) fn is_item(object: &Object<'_>) -> bool {
    object
        .text("type")
        .is_some_and(|kind| kind == "message" || is_kind(&kind))
}

pub(super) fn is_request(body: &Object<'_>) -> bool {
    let Some(input) = body.get("input") else {
        return false;
    };
    let is_said =
        |value: Json<'_>| Object::of(value).is_some_and(|one| one.has("role") || is_item(&one));
    match text(input) {
        Some(_) => body.has("model") && !body.string("model").contains("embed"),
        None => !is_response(body) && items(input).into_iter().any(is_said),
    }
}

pub(super) fn is_response(body: &Object<'_>) -> bool {
    let is_named = body.text("object").as_deref() == Some("response");
    is_named
        && body
            .get("output")
            .is_some_and(|output| output.get().starts_with('['))
}

/// The items of an input; none of one that is words.
pub(super) fn items_of(input: Json<'_>) -> Vec<Json<'_>> {
    items(input)
}

/// An input that is words.
pub(super) fn asked(words: String, flow: &mut Flow) {
    flow.prompt(Prompt {
        parts: said(words).into_iter().collect(),
        ..Prompt::default()
    });
}

/// By what an item of a response is known among those of the next request.
pub(super) fn essence(item: &Object<'_>) -> Option<u64> {
    let kind = item.text("type").unwrap_or("message".into());
    if kind == "message" {
        let is_answer = item.text("role").as_deref() == Some("assistant");
        return is_answer.then(|| hash(["message", words_of(item).trim()]));
    }
    if kind.ends_with("_output") {
        return None;
    }
    let id = item.words("call_id").or_else(|| item.words("id"))?;
    Some(hash([kind.as_ref(), id.as_str()]))
}

pub(super) fn respond(response: &Object<'_>, flow: &mut Flow) {
    if let Some(instructions) = response.words("instructions") {
        flow.told(&instructions, None);
    }
    flow.offered(&crate::formats::api::offered(response.items("tools")));
    let values = response.items("output");
    let titles = hosted::titles(&values);
    for value in values {
        if let Some(item) = Object::of(value) {
            one(&item, value, &titles, flow);
        }
    }
    let incomplete = response.object("incomplete_details");
    let reason = incomplete.and_then(|details| details.words("reason"));
    let state = response.string("status");
    let (status, notice) = ended(reason.as_deref().unwrap_or(state.as_str()));
    let error = response.object("error").map(|error| {
        let told = [error.words("code"), error.words("message")];
        told.into_iter().flatten().collect::<Vec<_>>().join(": ")
    });
    let error = error.or_else(|| (state == "failed").then(|| "The response failed.".to_owned()));
    flow.parts(notice.filter(|_| error.is_none()));
    let start = flow.losses.time(response, "created_at");
    let end = flow.losses.time(response, "completed_at");
    flow.facts(Reply {
        id: response.string("id"),
        start,
        end,
        models: response.words("model").into_iter().collect(),
        status: match error {
            Some(_) => ReplyStatus::Error,
            None => status,
        },
        error,
        usage: usage(response, "usage"),
        ..Reply::default()
    });
}

/// Reads an item of an input.
pub(super) fn item(item: &Object<'_>, value: Json<'_>, flow: &mut Flow) {
    one(item, value, &hosted::Titles::default(), flow);
}

fn one(item: &Object<'_>, value: Json<'_>, titles: &hosted::Titles, flow: &mut Flow) {
    let kind = item.string("type");
    match kind.as_str() {
        "message" => message(item, flow),
        "reasoning" => flow.part(Part::Reasoning(thought(item))),
        "function_call" => {
            let name = item.string("name");
            // A tool of a group is named by both, but for a group of one.
            let group = item.words("namespace").filter(|group| *group != name);
            flow.call(ToolCall {
                id: item.string("call_id"),
                name: match group {
                    Some(group) => format!("{group}.{name}"),
                    None => name,
                },
                input: Some(input(item, "arguments")),
                notices: caller(item).into_iter().collect(),
                ..ToolCall::default()
            });
        }
        "custom_tool_call" => flow.call(ToolCall {
            id: item.string("call_id"),
            name: item.string("name"),
            input: Some(input(item, "input")),
            notices: caller(item).into_iter().collect(),
            ..ToolCall::default()
        }),
        "function_call_output" | "custom_tool_call_output" => {
            flow.result(&item.string("call_id"), "", settled(item.get("output")));
        }
        "compaction" | "compaction_summary" | "context_compaction" => {
            let title = "Earlier messages were summarised";
            let notice = Notice::new(NoticeKind::Compaction, title);
            let words = ["summary", "content", "text"];
            let words = words.iter().find_map(|key| item.words(key));
            flow.part(Part::Notice(
                notice.with_body(Body::Prose(words.unwrap_or_default())),
            ));
        }
        "item_reference" | "shell_container" => flow.losses.skip(kind),
        _ if hosted::read(&kind, item, titles, flow) => {}
        other => {
            let title = format!("An item of an unknown kind: {other}");
            flow.part(chat::unknown(title, value));
        }
    }
}

/// That a program which the model wrote made the call, not the model itself.
fn caller(item: &Object<'_>) -> Option<Notice> {
    let caller = item.object("caller")?;
    let kind = caller.text("type").filter(|kind| *kind != "direct")?;
    Some(Notice::new(NoticeKind::Info, format!("Called by a {kind}")))
}

fn message(item: &Object<'_>, flow: &mut Flow) {
    let role = item.string("role");
    let mut sources = Vec::new();
    match role.as_str() {
        "system" | "developer" => flow.told(&words_of(item), None),
        "user" => {
            let parts = parts(item, &mut sources);
            flow.prompt(Prompt {
                id: item.string("id"),
                parts,
                ..Prompt::default()
            });
        }
        "assistant" => {
            flow.parts(parts(item, &mut sources));
            annotations(item, &mut sources);
            flow.facts(Reply {
                id: item.string("id"),
                sources,
                ..Reply::default()
            });
        }
        role => flow.of_unknown(role, words_of(item)),
    }
}

fn thought(item: &Object<'_>) -> Reasoning {
    let texts = |key: &str| {
        let parts = item.items(key).into_iter().filter_map(Object::of);
        let words = parts.filter_map(|part| part.words("text"));
        words.collect::<Vec<_>>().join("\n\n")
    };
    let summary = texts("summary");
    let text = match summary.is_empty() {
        true => texts("content"),
        false => summary,
    };
    Reasoning {
        hidden: (text.is_empty() && item.words("encrypted_content").is_some())
            .then_some("encrypted"),
        text,
        ms: None,
    }
}
