//! What a reply did, as a list of items: the way of the newer ages.

use super::details::{image, input, run};
use crate::formats::chat::{self, Losses, between, image_at};
use crate::formats::pairs::Pairs;
use crate::formats::records::{Json, Object, text};
use crate::model::{Image, Input, Part, Reasoning, ToolCall, ToolResult};

/// The parts that the items are. Results have the id of their calls; they stand in the order in
/// which they came.
pub(super) fn parts(values: &[Json<'_>], losses: &mut Losses) -> Vec<Part> {
    let items: Vec<(Object<'_>, Json<'_>)> = values
        .iter()
        .map(|value| (Object::of(*value).unwrap_or_default(), *value))
        .collect();
    let mut pairs = Pairs::default();
    for (item, _) in &items {
        match item.text("type").as_deref() {
            Some("function_call") => {
                let name = item.string("name");
                pairs.add_call(&item.string("call_id"), &name, &given(item));
            }
            Some("function_call_output") => {
                pairs.add_result(&item.string("call_id"), result(item));
            }
            _ => {}
        }
    }
    let mut parts = Vec::new();
    for (item, value) in &items {
        let kind = item.string("type");
        match kind.as_str() {
            "reasoning" => parts.push(Part::Reasoning(thought(item, losses))),
            "message" => parts.extend(message(item)),
            "function_call" => {
                let (id, name) = (item.string("call_id"), item.string("name"));
                let card = pairs.card(id, name, given(item));
                parts.extend(card.map(|card| Part::Tool(Box::new(card))));
            }
            "function_call_output" => {
                let id = item.string("call_id");
                let own = id.is_empty().then(|| result(item));
                let card = pairs.orphan(id, String::new(), own);
                parts.extend(card.map(|card| Part::Tool(Box::new(card))));
            }
            "open_webui:code_interpreter" => {
                let output = item.get("output").map(Json::get);
                let ms = ms(item, losses);
                let (language, code) = (item.string("lang"), item.string("code"));
                parts.push(Part::Tool(Box::new(ToolCall {
                    id: item.string("id"),
                    ..run(&language, &code, output, ms)
                })));
            }
            // What the model's own server did.
            "web_search_call"
            | "file_search_call"
            | "computer_call"
            | "code_interpreter_call"
            | "image_generation_call"
            | "mcp_call" => {
                parts.push(Part::Tool(Box::new(hosted(&kind, item, *value))));
            }
            "" => parts.push(chat::unknown("A part without a kind", *value)),
            other => {
                let title = format!("A part of an unknown kind: {other}");
                parts.push(chat::unknown(title, *value));
            }
        }
    }
    parts
}

fn given(item: &Object<'_>) -> Input {
    let value = item.get("arguments");
    match value.and_then(text) {
        Some(words) => input(words.into_owned()),
        None => Input::Json(value.map_or("{}", Json::get).to_owned()),
    }
}

/// The texts of a list of contents, each a paragraph.
fn texts(item: &Object<'_>, key: &str) -> String {
    let parts = item.items(key).into_iter();
    let texts = parts.filter_map(|part| Object::of(part)?.words("text"));
    texts.collect::<Vec<_>>().join("\n\n")
}

fn thought(item: &Object<'_>, losses: &mut Losses) -> Reasoning {
    let summary = texts(item, "summary");
    Reasoning {
        text: match summary.is_empty() {
            true => texts(item, "content"),
            false => summary,
        },
        hidden: None,
        ms: ms(item, losses),
    }
}

/// How long an item took: its stamps are finer than its whole seconds.
fn ms(item: &Object<'_>, losses: &mut Losses) -> Option<u64> {
    let stamps = losses
        .time(item, "started_at")
        .zip(losses.time(item, "ended_at"));
    let by_stamps = stamps.and_then(|(start, end)| between(start, end));
    let by_seconds = || {
        item.count("duration")
            .map(|seconds| seconds.saturating_mul(1_000))
    };
    by_stamps.or_else(by_seconds).filter(|ms| *ms > 0)
}

fn message(item: &Object<'_>) -> Vec<Part> {
    let contents = item.items("content").into_iter().filter_map(Object::of);
    let parts = contents.filter_map(|content| {
        let words = content.words("text").or_else(|| content.words("refusal"));
        let image = || Some(Part::Image(image_at(&content.words("image_url")?, None)));
        words.map(Part::Text).or_else(image)
    });
    parts.collect()
}

fn result(item: &Object<'_>) -> ToolResult {
    let mut images: Vec<Image> = item.items("files").into_iter().filter_map(image).collect();
    let mut lines: Vec<String> = Vec::new();
    match item.get("output").and_then(text) {
        Some(words) => lines.push(words.into_owned()),
        None => {
            for part in item.items("output") {
                let part = Object::of(part).unwrap_or_default();
                lines.extend(part.words("text"));
                images.extend(part.words("image_url").map(|url| image_at(&url, None)));
            }
        }
    }
    ToolResult {
        text: lines.join("\n"),
        images,
        ..ToolResult::default()
    }
}

/// A call whose result, if it is kept at all, is within it.
fn hosted(kind: &str, item: &Object<'_>, value: Json<'_>) -> ToolCall {
    let given = item.get("action").or_else(|| item.get("arguments"));
    let is_done = item.text("status").as_deref() != Some("in_progress");
    ToolCall {
        id: item.string("id"),
        name: kind.to_owned(),
        input: Some(Input::Json(given.unwrap_or(value).get().to_owned())),
        result: is_done.then(|| ToolResult {
            text: item.words("output").unwrap_or_default(),
            ..ToolResult::default()
        }),
        ..ToolCall::default()
    }
}
