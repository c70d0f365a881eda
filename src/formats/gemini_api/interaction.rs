//! Interactions: what was asked and done as a list of steps. A search that an answer used is
//! recorded behind it; here it stands before.

use crate::formats::Shape;
use crate::formats::api::{Flow, ended, file_part, image_of, said, settled};
use crate::formats::chat::{self, cite};
use crate::formats::pairs::input;
use crate::formats::records::{Json, Object, items, text};
use crate::model::{
    Input, Part, Prompt, Reasoning, Reply, ReplyStatus, SourceLink, ToolCall, ToolResult, Usage,
};

pub(super) fn recognises(shape: &Shape) -> bool {
    let is_ours = shape.text("object") == Some("interaction");
    is_ours && (shape.get("steps").is_some() || shape.get("outputs").is_some())
}

pub(super) fn is_response(body: &Object<'_>) -> bool {
    body.text("object").as_deref() == Some("interaction")
}

pub(super) fn is_request(body: &Object<'_>) -> bool {
    let is_ours = body.has("previous_interaction_id") || body.has("generation_config");
    is_ours && body.has("input")
}

/// Reads what a request asks for.
pub(super) fn asked(request: &Object<'_>, flow: &mut Flow) {
    if !is_request(request) {
        return;
    }
    let Some(input) = request.get("input") else {
        return;
    };
    if let Some(words) = text(input) {
        flow.prompt(Prompt {
            parts: said(words).into_iter().collect(),
            ..Prompt::default()
        });
        return;
    }
    for value in items(input) {
        let one = Object::of(value).unwrap_or_default();
        match one.string("role").as_str() {
            "model" => flow.parts(contents(&one, &mut Vec::new())),
            "user" => prompt(&one, flow),
            _ => step(&one, value, flow),
        }
    }
}

pub(super) fn respond(response: &Object<'_>, flow: &mut Flow) {
    if flow.about.id.is_empty() {
        flow.about.id = response.string("id");
    }
    let keys = ["steps", "outputs"];
    let steps = keys.iter().flat_map(|key| response.items(key));
    let steps: Vec<(Object<'_>, Json<'_>)> = steps
        .filter_map(|value| Some((Object::of(value)?, value)))
        .collect();
    for (step_object, value) in in_order(&steps) {
        step(step_object, *value, flow);
    }
    let (status, notice) = ended(&response.string("status"));
    flow.parts(notice);
    let start = flow.losses.time(response, "created");
    let end = flow.losses.time(response, "updated");
    flow.facts(Reply {
        id: response.string("id"),
        start,
        end,
        models: response.words("model").into_iter().collect(),
        status: match response.string("status").as_str() {
            "failed" => ReplyStatus::Error,
            _ => status,
        },
        error: response
            .object("error")
            .and_then(|error| error.words("message")),
        usage: usage(response),
        ..Reply::default()
    });
}

/// The steps, with the vendor's own searches behind the last answer before it.
fn in_order<'s, 'a>(
    steps: &'s [(Object<'a>, Json<'a>)],
) -> impl Iterator<Item = &'s (Object<'a>, Json<'a>)> {
    let is_answer = |(step, _): &(Object<'_>, Json<'_>)| step.string("type") == "model_output";
    let is_used = |(step, _): &&(Object<'_>, Json<'_>)| {
        let kind = step.string("type");
        let is_pair = kind.ends_with("_call") || kind.ends_with("_result");
        is_pair && !kind.starts_with("function_")
    };
    let last = steps.iter().rposition(is_answer).unwrap_or(steps.len());
    let (before, behind) = steps.split_at(last);
    let used = behind.iter().filter(is_used);
    let rest = behind.iter().filter(move |one| !is_used(one));
    before.iter().chain(used).chain(rest)
}

fn step(step: &Object<'_>, value: Json<'_>, flow: &mut Flow) {
    let kind = step.string("type");
    match kind.as_str() {
        "thought" => {
            let summary = step.items("summary").into_iter();
            let words = summary.filter_map(|one| Object::of(one)?.words("text"));
            let words = words.collect::<Vec<_>>().join("\n\n");
            let words = step.words("summary").unwrap_or(words);
            flow.part(Part::Reasoning(Reasoning {
                hidden: words.is_empty().then_some("hidden"),
                text: words,
                ms: None,
            }));
        }
        "model_output" | "text" | "image" => {
            let mut sources = Vec::new();
            let parts = match kind.as_str() {
                "model_output" => contents(step, &mut sources),
                _ => content(step, value, &mut sources).into_iter().collect(),
            };
            flow.parts(parts);
            if !sources.is_empty() {
                flow.facts(Reply {
                    sources,
                    ..Reply::default()
                });
            }
        }
        "user_input" => prompt(step, flow),
        _ => match (kind.strip_suffix("_call"), kind.strip_suffix("_result")) {
            (Some(tool), _) => flow.call(ToolCall {
                id: step.string("id"),
                name: named(tool, step),
                input: Some(match step.has("arguments") {
                    true => input(step, "arguments"),
                    false => Input::Json("{}".to_owned()),
                }),
                ..ToolCall::default()
            }),
            (_, Some(tool)) => {
                let result = result(step, flow);
                flow.result(&step.string("call_id"), &named(tool, step), result);
            }
            _ => flow.part(chat::unknown(
                format!("A step of an unknown kind: {kind}"),
                value,
            )),
        },
    }
}

fn named(tool: &str, step: &Object<'_>) -> String {
    match (step.words("server_name"), step.words("name")) {
        (Some(server), Some(name)) => format!("mcp__{server}__{name}"),
        (None, Some(name)) => name,
        _ => tool.to_owned(),
    }
}

fn result(step: &Object<'_>, flow: &mut Flow) -> ToolResult {
    let values = step.items("result");
    // What the vendor wants to be shown of a search is a page of its own.
    let is_widget = |value: &Json<'_>| {
        Object::of(*value)
            .is_some_and(|one| one.has("search_suggestions") && one.entries().count() == 1)
    };
    let mut result = ToolResult::default();
    if !values.is_empty() && values.iter().all(is_widget) {
        flow.losses.skip("search suggestions");
    } else {
        result = settled(step.get("result"));
    }
    result.is_error |= step.flag("is_error");
    result
}

fn prompt(step: &Object<'_>, flow: &mut Flow) {
    flow.prompt(Prompt {
        parts: contents(step, &mut Vec::new()),
        ..Prompt::default()
    });
}

fn contents(step: &Object<'_>, sources: &mut Vec<SourceLink>) -> Vec<Part> {
    if let Some(words) = step.text("content") {
        return said(words).into_iter().collect();
    }
    let values = step.items("content").into_iter();
    let parts = values.filter_map(|value| content(&Object::of(value)?, value, sources));
    parts.collect()
}

fn content(one: &Object<'_>, value: Json<'_>, sources: &mut Vec<SourceLink>) -> Option<Part> {
    for annotation in one.items("annotations").into_iter().filter_map(Object::of) {
        let url = annotation
            .words("url")
            .or_else(|| annotation.words("source"));
        cite(sources, &url.unwrap_or_default(), annotation.words("title"));
    }
    let kind = one.string("type");
    match kind.as_str() {
        "text" => said(one.string("text")),
        "image" | "audio" | "video" | "document" => {
            let mime = one.words("mime_type").unwrap_or_default();
            Some(match one.words("data") {
                Some(data) => crate::formats::api::data_part(&mime, data, None),
                None if kind == "image" => image_of(&one.string("uri"), None),
                None => file_part(None, Some(mime), &one.string("uri")),
            })
        }
        other => Some(chat::unknown(
            format!("A content of an unknown kind: {other}"),
            value,
        )),
    }
}

fn usage(response: &Object<'_>) -> Option<Usage> {
    let usage = response.object("usage")?;
    let count = |key: &str| usage.count(key).unwrap_or_default();
    let cached = count("total_cached_tokens");
    let thoughts = count("total_thought_tokens");
    let input = count("total_input_tokens").saturating_sub(cached);
    let all = Usage {
        input: input.saturating_add(count("total_tool_use_tokens")),
        output: count("total_output_tokens").saturating_add(thoughts),
        cache_read: cached,
        cache_write: 0,
        reasoning: thoughts,
    };
    (all.total() > 0).then_some(all)
}
