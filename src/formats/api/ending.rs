//! How a response ended, and what it cost.

use crate::formats::records::Object;
use crate::model::{Notice, NoticeKind, Part, ReplyStatus, Usage};

/// What a vendor's reason for the end of a response means: how the reply ended, and what is to be
/// said of it.
pub(crate) fn ended(reason: &str) -> (ReplyStatus, Option<Part>) {
    let info = |title: &str| Some(Part::Notice(Notice::new(NoticeKind::Info, title)));
    match reason.to_ascii_lowercase().as_str() {
        "" | "finish_reason_unspecified" => (ReplyStatus::Unknown, None),
        "stop" | "end_turn" | "stop_sequence" | "completed" | "done" => {
            (ReplyStatus::Complete, None)
        }
        // What is called has its result in the next message.
        "tool_calls" | "tool-calls" | "tool_use" | "tool_call" | "function_call"
        | "requires_action" | "pause_turn" => (ReplyStatus::Unknown, None),
        "in_progress" | "queued" => (ReplyStatus::Pending, None),
        "cancelled" | "canceled" => (ReplyStatus::Cancelled, None),
        "length"
        | "max_tokens"
        | "max_output_tokens"
        | "max_completion_tokens"
        | "model_context_window_exceeded" => (
            ReplyStatus::Complete,
            info("The reply was cut at its longest"),
        ),
        "content_filter" | "content-filter" | "safety" | "prohibited_content" | "blocklist"
        | "spii" | "recitation" | "image_safety" => (
            ReplyStatus::Error,
            Some(Part::Error {
                message: "The vendor's filter ended the reply.".to_owned(),
                code: Some(reason.to_owned()),
            }),
        ),
        "refusal" => (
            ReplyStatus::Error,
            Some(Part::Error {
                message: "The model refused to answer.".to_owned(),
                code: Some(reason.to_owned()),
            }),
        ),
        other => (
            ReplyStatus::Unknown,
            info(&format!("The reply ended: {}", other.replace('_', " "))),
        ),
    }
}

/// Tokens as OpenAI, Anthropic and the libraries around them count them. Those that came from a
/// cache are counted in the input by some, and beside it by Anthropic.
pub(crate) fn usage(response: &Object<'_>, key: &str) -> Option<Usage> {
    let usage = response.object(key)?;
    let count = |keys: &[&str]| keys.iter().find_map(|key| usage.count(key));
    let detail = |objects: &[&str], keys: &[&str]| {
        let mut inner = objects.iter().filter_map(|key| usage.object(key));
        inner.find_map(|inner| keys.iter().find_map(|key| inner.count(key)))
    };
    let input = count(&[
        "input_tokens",
        "prompt_tokens",
        "inputTokens",
        "promptTokens",
    ]);
    let output = count(&[
        "output_tokens",
        "completion_tokens",
        "outputTokens",
        "completionTokens",
    ]);
    let cached = detail(
        &[
            "input_tokens_details",
            "prompt_tokens_details",
            "inputTokenDetails",
        ],
        &["cached_tokens", "cacheReadTokens"],
    );
    let cached = cached
        .or_else(|| count(&["prompt_cache_hit_tokens", "cachedInputTokens"]))
        .unwrap_or_default();
    let beside = count(&["cache_read_input_tokens"]).unwrap_or_default();
    let reasoning = detail(
        &[
            "output_tokens_details",
            "completion_tokens_details",
            "outputTokenDetails",
        ],
        &["reasoning_tokens", "thinking_tokens", "reasoningTokens"],
    );
    let reasoning = reasoning.or_else(|| count(&["reasoningTokens"]));
    let all = Usage {
        input: input.unwrap_or_default().saturating_sub(cached),
        output: output.unwrap_or_default(),
        cache_read: cached.saturating_add(beside),
        cache_write: count(&["cache_creation_input_tokens"]).unwrap_or_default(),
        reasoning: reasoning.unwrap_or_default(),
    };
    (all.total() > 0).then_some(all)
}
