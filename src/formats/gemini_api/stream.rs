//! Streamed responses: each piece is a response with some more of the parts.

use serde_json::Value;

use crate::formats::{Head, api};

/// Whether a file is a stream of this API.
pub(super) fn is_file(head: &Head) -> bool {
    api::is_stream(head, &["\"candidates\""], |_| false)
}

/// The id of the response that a piece is of.
pub(super) fn id_of(piece: &Value) -> Option<&str> {
    let id = piece.get("responseId").or_else(|| piece.get("response_id"));
    let is_one = piece["candidates"].is_array() || piece["usageMetadata"].is_object();
    is_one.then(|| id.and_then(Value::as_str).unwrap_or(""))
}

/// The response that pieces are.
pub(super) fn joined(pieces: &[Value]) -> Option<Value> {
    let mut whole = pieces.first()?.as_object()?.clone();
    let mut candidate = serde_json::Map::new();
    let mut parts: Vec<Value> = Vec::new();
    for piece in pieces {
        for (key, value) in piece.as_object()? {
            if key != "candidates" && !value.is_null() {
                whole.insert(key.clone(), value.clone());
            }
        }
        let Some(more) = piece["candidates"][0].as_object() else {
            continue;
        };
        for (key, value) in more.iter().filter(|(key, _)| *key != "content") {
            candidate.insert(key.clone(), value.clone());
        }
        for part in more
            .get("content")
            .and_then(|content| content["parts"].as_array())
            .into_iter()
            .flatten()
        {
            add(&mut parts, part);
        }
    }
    candidate.insert(
        "content".to_owned(),
        serde_json::json!({"role": "model", "parts": parts}),
    );
    whole.insert(
        "candidates".to_owned(),
        vec![Value::Object(candidate)].into(),
    );
    Some(Value::Object(whole))
}

/// Adds a part: words to words, thoughts to thoughts.
fn add(parts: &mut Vec<Value>, part: &Value) {
    let is_text = |part: &Value| {
        let known = ["text", "thought"];
        let keys = part
            .as_object()
            .map(|part| part.keys().all(|key| known.contains(&key.as_str())));
        keys == Some(true) && part["text"].is_string()
    };
    if let Some(last) = parts.last_mut()
        && is_text(last)
        && is_text(part)
        && last["thought"] == part["thought"]
        && let (Some(Value::String(text)), Some(more)) =
            (last.get_mut("text"), part["text"].as_str())
    {
        text.push_str(more);
        return;
    }
    parts.push(part.clone());
}
