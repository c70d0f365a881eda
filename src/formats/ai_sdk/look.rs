//! Whether messages are of this library: their parts have types that no other program writes.

use crate::formats::{Head, Shape};

/// Types of parts that only this library has.
const TYPES: [&str; 14] = [
    "tool-invocation",
    "tool-call",
    "tool-result",
    "tool-approval-request",
    "tool-approval-response",
    "dynamic-tool",
    "step-start",
    "source-url",
    "source-document",
    "source",
    "redacted-reasoning",
    "reasoning-file",
    "text",
    "reasoning",
];

/// Whether a file begins as such messages do.
pub(super) fn recognises(head: &Head) -> bool {
    is_of_messages(head)
        || head
            .records
            .iter()
            .any(|record| is_chat(record) || (head.document && record.items().iter().any(is_chat)))
}

/// Whether a file is one list of messages, as an array or as lines.
pub(super) fn is_of_messages(head: &Head) -> bool {
    match head.records.as_slice() {
        [one] if head.document => are_messages(one.items()) || is_message(one),
        records => are_messages(records),
    }
}

/// Whether a shape is a chat with its messages.
fn is_chat(shape: &Shape) -> bool {
    let messages = shape.get("messages").map(Shape::items).unwrap_or_default();
    are_messages(messages)
}

fn are_messages(list: &[Shape]) -> bool {
    let has_role = |one: &Shape| {
        let role = one.text("role");
        matches!(
            role,
            Some("system" | "user" | "assistant" | "tool" | "data")
        )
    };
    !list.is_empty() && list.iter().all(has_role) && list.iter().any(is_message)
}

/// Whether a message is in one of the shapes of this library.
fn is_message(message: &Shape) -> bool {
    if !matches!(
        message.text("role"),
        Some("system" | "user" | "assistant" | "tool")
    ) {
        return false;
    }
    if let Some(Shape::List(calls)) = message.get("toolInvocations") {
        return calls.iter().all(|call| call.has(&["toolCallId", "state"]));
    }
    let parts = message.get("parts");
    if let Some(Shape::List(parts)) = parts {
        // What stands deeper than one looks is not seen; messages with parts have an id here.
        let is_unseen = parts.contains(&Shape::Unseen);
        return message.get("id").is_some() && (is_unseen || parts.iter().all(is_ui_part));
    }
    if let Some(Shape::Text(parts)) = parts {
        return parts.starts_with("[{")
            && parts.contains("\"type\"")
            && message.get("id").is_some();
    }
    let content = message.get("content").map(Shape::items).unwrap_or_default();
    content.iter().any(is_model_part)
}

fn is_ui_part(part: &Shape) -> bool {
    if part.get("type") == Some(&Shape::Unseen) {
        return true;
    }
    part.text("type").is_some_and(|kind| {
        let is_named = kind.starts_with("tool-") || kind.starts_with("data-");
        is_named || TYPES.contains(&kind) || kind == "file"
    })
}

fn is_model_part(part: &Shape) -> bool {
    match part.text("type") {
        Some("tool-call" | "tool-result") => part.has(&["toolCallId", "toolName"]),
        Some("tool-approval-request" | "tool-approval-response" | "redacted-reasoning") => true,
        Some("reasoning") => part.get("text").is_some(),
        Some(_) => part.get("providerOptions").is_some() || part.get("mediaType").is_some(),
        None => false,
    }
}
