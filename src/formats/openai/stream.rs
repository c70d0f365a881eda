//! Streamed responses: the chunks of Chat Completions, and the events of Responses.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::formats::api::grow;
use crate::formats::{Head, Shape, api};

/// Whether a file is a stream of this API.
pub(super) fn is_file(head: &Head) -> bool {
    const WORDS: [&str; 3] = [
        "chat.completion.chunk",
        "response.created",
        "response.in_progress",
    ];
    api::is_stream(head, &WORDS, |shape| {
        let choices = shape.get("choices").map(Shape::items).unwrap_or_default();
        let is_chunk = choices.iter().any(|choice| choice.get("delta").is_some());
        is_chunk || (shape.text("type") == Some("response.created") && shape.has(&["response"]))
    })
}

/// The id of the response that a piece is of; `None` of a piece that does not say.
pub(super) fn id_of(piece: &Value) -> Option<&str> {
    if piece["choices"][0]["delta"].is_object() {
        return piece["id"].as_str();
    }
    let is_first = piece["type"] == "response.created";
    is_first.then(|| piece["response"]["id"].as_str())?
}

/// The response that pieces are.
pub(super) fn joined(pieces: &[Value]) -> Option<Value> {
    let kind = |piece: &Value| piece["type"].as_str().map(str::to_owned);
    let is_event = |piece: &Value| kind(piece).is_some_and(|kind| kind.starts_with("response."));
    if !pieces.iter().any(is_event) {
        return completed(pieces);
    }
    // The last event has the whole of it.
    let whole = pieces.iter().rev().find(|piece| {
        let ends = [
            "response.completed",
            "response.incomplete",
            "response.failed",
        ];
        kind(piece).is_some_and(|kind| ends.contains(&kind.as_str()))
    });
    if let Some(whole) = whole {
        return Some(whole["response"].clone());
    }
    let mut response = pieces.first()?["response"].clone();
    let done = pieces
        .iter()
        .filter(|piece| piece["type"] == "response.output_item.done");
    let items: Vec<Value> = done.map(|piece| piece["item"].clone()).collect();
    response
        .as_object_mut()?
        .insert("output".to_owned(), items.into());
    Some(response)
}

/// The completion that chunks are.
fn completed(chunks: &[Value]) -> Option<Value> {
    let mut whole = Map::new();
    let mut choices: BTreeMap<u64, Map<String, Value>> = BTreeMap::new();
    for chunk in chunks {
        for (key, value) in chunk.as_object()? {
            // The last chunk has the figures; what stands in the first is of all.
            if key == "usage" && !value.is_null() {
                whole.insert(key.clone(), value.clone());
            } else if key != "choices" {
                whole.entry(key.clone()).or_insert_with(|| value.clone());
            }
        }
        for choice in chunk["choices"].as_array().into_iter().flatten() {
            let index = choice["index"].as_u64().unwrap_or_default();
            let own = choices.entry(index).or_insert_with(|| {
                let mut own = Map::new();
                own.insert("index".to_owned(), index.into());
                own.insert("message".to_owned(), json!({"role": "assistant"}));
                own
            });
            if let (Some(Value::Object(message)), Value::Object(delta)) =
                (own.get_mut("message"), &choice["delta"])
            {
                grow(message, delta);
            }
            let reason = &choice["finish_reason"];
            if !reason.is_null() || !own.contains_key("finish_reason") {
                own.insert("finish_reason".to_owned(), reason.clone());
            }
        }
    }
    if choices.is_empty() {
        return None;
    }
    whole.insert("object".to_owned(), "chat.completion".into());
    let choices: Vec<Value> = choices.into_values().map(Value::Object).collect();
    whole.insert("choices".to_owned(), choices.into());
    Some(Value::Object(whole))
}
