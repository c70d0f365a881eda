//! Streamed responses: a message that begins empty, and its blocks as they grow.

use serde_json::{Map, Value};

use crate::formats::{Head, api};

/// Whether a file is a stream of this API.
pub(super) fn is_file(head: &Head) -> bool {
    api::is_stream(head, &["message_start"], |shape| {
        shape.text("type") == Some("message_start") && shape.has(&["message"])
    })
}

/// The id of the message that a piece begins.
pub(super) fn id_of(piece: &Value) -> Option<&str> {
    let is_first = piece["type"] == "message_start";
    is_first.then(|| piece["message"]["id"].as_str())?
}

/// The message that pieces are.
pub(super) fn joined(pieces: &[Value]) -> Option<Value> {
    let mut message = pieces.first()?["message"].as_object()?.clone();
    let mut blocks: Vec<Map<String, Value>> = Vec::new();
    // The input of a call comes as text.
    let mut inputs: Vec<String> = Vec::new();
    for piece in pieces {
        let at = piece["index"]
            .as_u64()
            .and_then(|at| usize::try_from(at).ok());
        match piece["type"].as_str()? {
            "content_block_start" => {
                blocks.push(
                    piece["content_block"]
                        .as_object()
                        .cloned()
                        .unwrap_or_default(),
                );
                inputs.push(String::new());
            }
            "content_block_delta" => {
                let place = at.filter(|at| *at < blocks.len());
                if let Some(at) = place.or_else(|| blocks.len().checked_sub(1)) {
                    add(&mut blocks[at], &mut inputs[at], &piece["delta"]);
                }
            }
            "message_delta" => {
                let facts = piece["delta"].as_object().into_iter().flatten();
                message.extend(facts.map(|(key, value)| (key.clone(), value.clone())));
                let usage = piece["usage"].as_object().into_iter().flatten();
                if let Some(Value::Object(own)) = message.get_mut("usage") {
                    own.extend(usage.map(|(key, value)| (key.clone(), value.clone())));
                }
            }
            _ => {}
        }
    }
    let blocks = blocks.into_iter().zip(inputs).map(|(mut block, input)| {
        if !input.is_empty() {
            // What was cut is kept as it is.
            let input = serde_json::from_str(&input).unwrap_or(Value::String(input));
            block.insert("input".to_owned(), input);
        }
        Value::Object(block)
    });
    message.insert("content".to_owned(), blocks.collect());
    Some(Value::Object(message))
}

/// Adds to a block.
fn add(block: &mut Map<String, Value>, input: &mut String, delta: &Value) {
    for key in ["text", "thinking", "signature"] {
        let Some(more) = delta[key].as_str() else {
            continue;
        };
        match block.get_mut(key) {
            Some(Value::String(text)) => text.push_str(more),
            _ => {
                block.insert(key.to_owned(), more.into());
            }
        }
    }
    if let Some(more) = delta["partial_json"].as_str() {
        input.push_str(more);
    }
    if !delta["citation"].is_null() {
        match block.get_mut("citations") {
            Some(Value::Array(list)) => list.push(delta["citation"].clone()),
            _ => {
                block.insert(
                    "citations".to_owned(),
                    vec![delta["citation"].clone()].into(),
                );
            }
        }
    }
}
