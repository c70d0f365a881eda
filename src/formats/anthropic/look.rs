//! Whether a file is a log of this API: what only its requests and responses have.

use crate::formats::api::{are_messages, bodies, has_only};
use crate::formats::{Head, Shape};

const MESSAGE: [&str; 4] = ["role", "content", "id", "cache_control"];

/// The keys that a request may have.
const REQUEST: [&str; 30] = [
    "model",
    "messages",
    "system",
    "max_tokens",
    "tools",
    "tool_choice",
    "temperature",
    "top_p",
    "top_k",
    "stream",
    "stop_sequences",
    "metadata",
    "thinking",
    "betas",
    "container",
    "context_management",
    "mcp_servers",
    "service_tier",
    "output_config",
    "output_format",
    "anthropic_version",
    "anthropic_beta",
    "anthropic-version",
    "anthropic-beta",
    "inference_geo",
    "speed",
    "cache_control",
    "extra_headers",
    "extra_body",
    "timeout",
];

/// The kinds of blocks that only this API has in messages.
const KINDS: [&str; 12] = [
    "tool_use",
    "tool_result",
    "thinking",
    "redacted_thinking",
    "server_tool_use",
    "mcp_tool_use",
    "mcp_tool_result",
    "web_search_tool_result",
    "web_fetch_tool_result",
    "code_execution_tool_result",
    "bash_code_execution_tool_result",
    "compaction",
];

/// Whether a file begins as such a log does.
pub(super) fn recognises(head: &Head) -> bool {
    let is_body = |shape: &&Shape| is_response(shape) || is_request(shape) || is_batched(shape);
    let list: &[Shape] = match head.records.as_slice() {
        [one] if head.document => one.items(),
        records => records,
    };
    bodies(head).iter().any(is_body) || (are_messages(list, &MESSAGE) && has_blocks(list))
}

fn is_response(shape: &Shape) -> bool {
    let is_message = shape.text("type") == Some("message");
    let is_answer = shape.text("role") == Some("assistant");
    is_message && is_answer && shape.has(&["content", "stop_reason", "model"]) && is_bare(shape)
}

/// Whether nothing says that a program keeps the response as a record of its own.
fn is_bare(shape: &Shape) -> bool {
    let own = ["uuid", "parentUuid", "sessionId", "timestamp", "message"];
    own.iter().all(|key| shape.get(key).is_none())
}

fn is_request(shape: &Shape) -> bool {
    let messages = shape.get("messages").map(Shape::items).unwrap_or_default();
    let is_model = shape
        .text("model")
        .is_some_and(|model| model.contains("claude"));
    let has_system = matches!(shape.get("system"), Some(Shape::Text(_) | Shape::List(_)));
    let is_ours = is_model || has_system || shape.has(&["anthropic_version"]);
    has_only(shape, &REQUEST)
        && are_messages(messages, &MESSAGE)
        && (is_ours || has_blocks(messages))
}

fn has_blocks(messages: &[Shape]) -> bool {
    let blocks = messages.iter().filter_map(|message| message.get("content"));
    let mut blocks = blocks.flat_map(Shape::items);
    blocks.any(|block| match block.text("type") {
        // Pictures of others stand under an address.
        Some("image" | "document") => block.get("source").is_some(),
        Some(kind) => KINDS.contains(&kind),
        None => false,
    })
}

/// What a batch gave for a request that failed.
fn is_batched(shape: &Shape) -> bool {
    let state = shape.get("result").and_then(|result| result.text("type"));
    shape.get("custom_id").is_some()
        && matches!(
            state,
            Some("succeeded" | "errored" | "canceled" | "expired")
        )
}
