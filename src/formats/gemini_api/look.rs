//! Whether a file is a log of this API: contents with parts, candidates, or steps.

use crate::formats::api::{bodies, has_only};
use crate::formats::{Head, Shape};

/// The keys that a request may have.
const REQUEST: [&str; 16] = [
    "contents",
    "systemInstruction",
    "system_instruction",
    "tools",
    "toolConfig",
    "tool_config",
    "generationConfig",
    "generation_config",
    "safetySettings",
    "safety_settings",
    "cachedContent",
    "cached_content",
    "labels",
    "config",
    "model",
    "key",
];

/// Whether a file begins as such a log does.
pub(super) fn recognises(head: &Head) -> bool {
    bodies(head)
        .into_iter()
        .any(|body| is_request(body) || is_response(body) || super::interaction::recognises(body))
}

fn is_content(shape: &Shape) -> bool {
    let role = shape.text("role");
    let is_role = matches!(role, None | Some("user" | "model" | "function"));
    let parts = shape.get("parts").map(Shape::items).unwrap_or_default();
    // Parts with a type are of others.
    is_role && parts.iter().all(|part| part.get("type").is_none()) && shape.get("parts").is_some()
}

fn is_request(shape: &Shape) -> bool {
    let contents = shape.get("contents").map(Shape::items).unwrap_or_default();
    has_only(shape, &REQUEST) && !contents.is_empty() && contents.iter().all(is_content)
}

fn is_response(shape: &Shape) -> bool {
    let is_candidate = |one: &Shape| {
        let reason = one.get("finishReason").or_else(|| one.get("finish_reason"));
        let has_content = one.get("content").is_some_and(is_content);
        has_content || (reason.is_some() && one.get("message").is_none())
    };
    let candidates = shape
        .get("candidates")
        .map(Shape::items)
        .unwrap_or_default();
    let counted = [
        "usageMetadata",
        "usage_metadata",
        "modelVersion",
        "model_version",
    ];
    let is_counted = counted.iter().any(|key| shape.get(key).is_some());
    is_counted && candidates.iter().any(is_candidate)
}
