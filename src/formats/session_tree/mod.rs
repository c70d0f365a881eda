//! Sessions of pi and of the programs made from it: JSON Lines whose first is a header, and whose
//! others are entries that name the one they follow, so that a file is a tree of all that was
//! tried.
//!
//! A file is read into [`row`]s ([`entries`], [`messages`]), results find their calls, branches
//! that were left are set apart ([`order`](super::order)), and what is left becomes prompts and
//! replies ([`flow`]). What a tool stored beside its result's text is told in the model's words
//! ([`details`]).

mod agents;
mod blobs;
mod content;
mod details;
mod diff;
mod entries;
mod flow;
mod messages;
mod outcome;
mod prompt;
mod read;
mod row;
mod transcript;

#[cfg(test)]
mod tests;

pub(super) use read::read;

use super::{Head, Shape};

/// Who speaks in the messages of all these programs.
const ROLES: [&str; 11] = [
    "user",
    "assistant",
    "toolResult",
    "bashExecution",
    "custom",
    "hookMessage",
    "branchSummary",
    "compactionSummary",
    "developer",
    "pythonExecution",
    "fileMention",
];

/// Whether a file that begins so is such a session, its first line broken or not.
pub(super) fn recognises(head: &Head) -> bool {
    head.records.iter().any(is_header) || head.records.iter().any(is_entry)
}

/// Whether a record is the header of a session.
fn is_header(record: &Shape) -> bool {
    let texts = ["id", "timestamp", "cwd"];
    record.text("type") == Some("session") && texts.iter().all(|key| record.text(key).is_some())
}

/// Whether a record is an entry that no other program writes so.
fn is_entry(record: &Shape) -> bool {
    let foreign = ["uuid", "sessionId", "session_id", "payload", "data"];
    if record.text("timestamp").is_none() || foreign.iter().any(|key| record.get(key).is_some()) {
        return false;
    }
    match record.text("type") {
        Some("message") => {
            let role = record
                .get("message")
                .and_then(|message| message.text("role"));
            role.is_some_and(|role| ROLES.contains(&role))
        }
        Some("model_change") => record.has(&["provider", "modelId"]) || record.has(&["model"]),
        Some("thinking_level_change") => record.has(&["thinkingLevel"]),
        Some("compaction") => record.has(&["summary", "tokensBefore"]),
        Some("branch_summary") => record.has(&["summary", "fromId"]),
        _ => false,
    }
}
