//! Whether a file is a log of this API: told by keys that its requests and messages may have, and
//! no others.

use crate::formats::api::{are_messages, bodies, has_only};
use crate::formats::{Head, Shape};

use super::responses;

/// The keys that a message may have, those of vendors who speak like OpenAI too.
const MESSAGE: [&str; 28] = [
    "role",
    "content",
    "name",
    "tool_calls",
    "tool_call_id",
    "function_call",
    "refusal",
    "audio",
    "annotations",
    "reasoning",
    "reasoning_content",
    "reasoning_details",
    "thinking",
    "images",
    "weight",
    "prefix",
    "partial",
    "id",
    "object",
    "type",
    "status",
    "phase",
    "created_at",
    "timestamp",
    "model",
    "citations",
    "cache_control",
    "content_parts",
];

/// The keys that a request may have.
const REQUEST: [&str; 79] = [
    "model",
    "messages",
    "input",
    "instructions",
    "previous_response_id",
    "conversation",
    "context_management",
    "include",
    "text",
    "prompt",
    "background",
    "max_output_tokens",
    "max_tool_calls",
    "truncation",
    "tools",
    "tool_choice",
    "functions",
    "function_call",
    "temperature",
    "top_p",
    "top_k",
    "min_p",
    "max_tokens",
    "max_completion_tokens",
    "stream",
    "stream_options",
    "n",
    "stop",
    "seed",
    "user",
    "response_format",
    "metadata",
    "parallel_tool_calls",
    "reasoning",
    "reasoning_effort",
    "include_reasoning",
    "thinking",
    "enable_thinking",
    "store",
    "logprobs",
    "top_logprobs",
    "logit_bias",
    "frequency_penalty",
    "presence_penalty",
    "repetition_penalty",
    "repeat_penalty",
    "service_tier",
    "modalities",
    "audio",
    "prediction",
    "web_search_options",
    "verbosity",
    "prompt_cache_key",
    "prompt_cache_retention",
    "prompt_cache_options",
    "safety_identifier",
    "extra_body",
    "extra_headers",
    "provider",
    "plugins",
    "transforms",
    "models",
    "route",
    "usage",
    "cost",
    "timeout",
    "options",
    "keep_alive",
    "chat_template_kwargs",
    "format",
    "title",
    "name",
    "created",
    "updated_at",
    "method",
    "url",
    "endpoint",
    "status_code",
    "preferred_output",
];

/// Whether a file begins as such a log does.
pub(super) fn recognises(head: &Head) -> bool {
    bodies(head).into_iter().any(is_body) || is_list(head)
}

/// Whether a file is a list of messages, as an array or as lines.
fn is_list(head: &Head) -> bool {
    let is_item = |shape: &Shape| shape.text("type").is_some_and(responses::is_kind);
    let are_said = |list: &[Shape]| {
        let has_some = list.iter().any(|one| one.has(&["role", "content"]));
        (has_some && are_messages(list, &MESSAGE))
            || (!list.is_empty() && list.iter().all(|one| is_item(one) || is_said(one)))
    };
    match head.records.as_slice() {
        [one] if head.document => are_said(one.items()) || are_said(data(one)),
        records => are_said(records),
    }
}

/// The list that the API itself gives of what it keeps.
fn data(shape: &Shape) -> &[Shape] {
    let is_list = shape.text("object") == Some("list");
    let data = shape.get("data").filter(|_| is_list);
    data.map(Shape::items).unwrap_or_default()
}

/// Whether a shape is a message by its keys alone.
fn is_said(shape: &Shape) -> bool {
    are_messages(std::slice::from_ref(shape), &MESSAGE)
}

fn is_body(shape: &Shape) -> bool {
    is_response(shape) || is_request(shape) || is_preference(shape)
}

fn is_response(shape: &Shape) -> bool {
    let is_choice = |one: &Shape| {
        let has_words = one.get("message").is_some() || one.get("text").is_some();
        has_words && one.has(&["finish_reason"])
    };
    let choices = shape.get("choices").map(Shape::items).unwrap_or_default();
    let has_output = matches!(shape.get("output"), Some(Shape::List(_)));
    choices.iter().any(is_choice) || (shape.text("object") == Some("response") && has_output)
}

fn is_request(shape: &Shape) -> bool {
    if !has_only(shape, &REQUEST) {
        return false;
    }
    let is_model = |word: &str| {
        shape
            .text("model")
            .is_some_and(|model| model.contains(word))
    };
    match (shape.get("messages"), shape.get("input")) {
        (Some(Shape::List(list)), _) => list.is_empty() || are_lenient(list),
        // Not what it should be, which is better said than passed over.
        (Some(Shape::Map(map)), _) => map.iter().any(|(_, one)| one.has(&["role", "content"])),
        (None, Some(Shape::List(list))) => {
            let is_one =
                |one: &Shape| is_said(one) || one.text("type").is_some_and(responses::is_kind);
            !list.is_empty() && list.iter().all(is_one)
        }
        (None, Some(Shape::Text(_))) => {
            let tells = [
                "instructions",
                "tools",
                "reasoning",
                "previous_response_id",
                "response",
            ];
            let is_asked = tells.iter().any(|key| shape.get(key).is_some());
            shape.get("model").is_some() && is_asked && !is_model("embed")
        }
        _ => false,
    }
}

/// Whether a list under `messages` is one of messages, though some may lack a role, and the last
/// may be cut.
fn are_lenient(list: &[Shape]) -> bool {
    let is_one = |shape: &Shape| match shape {
        Shape::Map(entries) => entries
            .iter()
            .all(|(key, _)| MESSAGE.contains(&key.as_str())),
        Shape::Unseen => true,
        _ => false,
    };
    list.iter().all(is_one) && list.iter().any(|one| one.text("role").is_some())
}

/// Whether a shape is an example with an answer that was preferred.
fn is_preference(shape: &Shape) -> bool {
    let asked = shape.get("input").and_then(|input| input.get("messages"));
    asked.is_some() && shape.has(&["preferred_output", "non_preferred_output"])
}
