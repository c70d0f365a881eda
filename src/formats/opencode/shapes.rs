//! What OpenCode's records look like at a first glance.

use crate::formats::Shape;

/// The kinds of records that `opencode run --format json` prints.
const PRINTED: [&str; 6] = [
    "step_start",
    "step_finish",
    "tool_use",
    "text",
    "reasoning",
    "error",
];

/// Whether a document is a session with its messages.
pub(super) fn is_export(record: &Shape) -> bool {
    let Some(Shape::List(messages)) = record.get("messages") else {
        return false;
    };
    let info = record.get("info");
    let is_message = |message: &Shape| {
        message.has(&["info", "parts"])
            && message
                .get("info")
                .is_some_and(|info| info.has(&["sessionID"]))
    };
    match (info, messages.first()) {
        (Some(info), Some(message)) => info.has(&["id", "time"]) && is_message(message),
        (Some(info), None) => info.has(&["id", "time"]) && is_ours(info),
        (None, _) => false,
    }
}

/// The id of an exported session, and that of the session in which a call started it.
pub(super) fn exported(record: &Shape) -> Option<(&str, Option<&str>)> {
    let info = record.get("info")?;
    let id = info.text("id").filter(|id| !id.is_empty())?;
    Some((id, info.text("parentID").filter(|id| !id.is_empty())))
}

/// Whether a document is what is said of a session, its messages apart.
pub(super) fn is_session(record: &Shape) -> bool {
    record.has(&["id", "title", "version"])
        && record
            .get("time")
            .is_some_and(|time| time.has(&["created"]))
        && is_ours(record)
        && record.get("messages").is_none()
}

/// Keys that no other program gives a session.
fn is_ours(info: &Shape) -> bool {
    ["projectID", "directory", "slug", "parentID"]
        .iter()
        .any(|key| info.get(key).is_some())
}

/// Whether a record is an event of the server, bare or wrapped by who kept it, or a line of
/// `opencode run --format json`.
pub(super) fn is_event(record: &Shape) -> bool {
    let kind = record.text("type").unwrap_or_default();
    if let Some(event) = record.get("event") {
        return is_server_event(event);
    }
    let is_printed = PRINTED.contains(&kind)
        && record.text("sessionID").is_some()
        && match kind {
            "error" => record.get("error").is_some(),
            _ => record
                .get("part")
                .is_some_and(|part| part.has(&["messageID"])),
        };
    is_printed || is_server_event(record)
}

fn is_server_event(event: &Shape) -> bool {
    let kind = event.text("type").unwrap_or_default();
    let properties = event.get("properties");
    let is_about = |properties: &Shape| {
        ["info", "part", "sessionID"]
            .iter()
            .any(|key| properties.get(key).is_some())
    };
    (kind.starts_with("session.") || kind.starts_with("message."))
        && properties.is_some_and(is_about)
}
