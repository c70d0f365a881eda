//! The first look at a file: bodies in their envelopes, and lists of messages.

use crate::formats::{Head, Shape};

/// The keys under which an envelope has a body.
const ENVELOPE: [&str; 15] = [
    "request",
    "req",
    "response",
    "res",
    "result",
    "params",
    "body",
    "request_body",
    "response_body",
    "requestBody",
    "responseBody",
    "raw_request",
    "raw_response",
    "message",
    "data",
];

/// The keys that logs add to the body of a request.
const LOGGED: [&str; 13] = [
    "request",
    "response",
    "id",
    "request_id",
    "custom_id",
    "timestamp",
    "time",
    "ts",
    "created_at",
    "duration_ms",
    "latency_ms",
    "status",
    "error",
];

/// What may be a request or a response in a file: its records, the elements of a list, and what
/// they wrap, as deep as envelopes go.
pub(crate) fn bodies(head: &Head) -> Vec<&Shape> {
    let mut all = Vec::new();
    for record in &head.records {
        let listed = record.get("data").map(Shape::items).unwrap_or_default();
        for one in std::iter::once(record).chain(record.items()).chain(listed) {
            all.push(one);
            for inner in ENVELOPE.iter().filter_map(|key| one.get(key)) {
                all.push(inner);
                all.extend(ENVELOPE.iter().filter_map(|key| inner.get(key)));
            }
        }
    }
    all
}

/// Whether a shape is a map that has nothing but these keys and those that logs add.
pub(crate) fn has_only(shape: &Shape, keys: &[&str]) -> bool {
    let is_known = |key: &str| keys.contains(&key) || LOGGED.contains(&key);
    match shape {
        Shape::Map(entries) => entries.iter().all(|(key, _)| is_known(key)),
        _ => false,
    }
}

/// Whether a list is one of messages: each has a role and nothing but these keys.
pub(crate) fn are_messages(list: &[Shape], keys: &[&str]) -> bool {
    let is_one = |shape: &Shape| match shape {
        Shape::Map(entries) => {
            shape.text("role").is_some()
                && entries.iter().all(|(key, _)| keys.contains(&key.as_str()))
        }
        _ => false,
    };
    !list.is_empty() && list.iter().all(is_one)
}
