//! Claude Code: sessions as JSON Lines, one content block a line, with subagents inside, beside
//! or below; web sessions as one document; the stream that `claude -p` prints.
//!
//! A session's file is read into [`row`]s, its subagents' rows are taken out ([`agents`]), calls
//! get their results ([`pairing`]), branches that were left are set apart ([`branches`](super::branches)), and what
//! is left becomes prompts and replies ([`flow`]).

mod agents;
mod attachments;
mod content;
mod flow;
mod messages;
mod outcome;
mod pairing;
mod queue;
mod read;
mod report;
mod row;
mod sessions;
mod system;
mod transcript;
mod wrappers;

#[cfg(test)]
mod tests;

use std::path::PathBuf;

use crate::source::{File, Source};

use super::{Claim, Format, Head, Machine, Reading, Role, Shape};

const PROGRAM: &str = "Claude Code";

/// Claude Code.
pub(super) struct ClaudeCode;

/// Kinds of records that no other program writes under a session's id.
const KINDS: [&str; 20] = [
    "user",
    "assistant",
    "system",
    "attachment",
    "progress",
    "summary",
    "file-history-snapshot",
    "queue-operation",
    "ai-title",
    "custom-title",
    "agent-name",
    "agent-setting",
    "last-prompt",
    "permission-mode",
    "mode",
    "pr-link",
    "worktree-state",
    "relocated",
    "bridge-session",
    "message",
];

impl Format for ClaudeCode {
    fn name(&self) -> &'static str {
        "claude_code"
    }

    fn program(&self) -> &'static str {
        PROGRAM
    }

    fn recognises(&self, head: &Head) -> bool {
        if head.records.iter().any(is_of_another) {
            return false;
        }
        let document = head.records.first();
        document.is_some_and(|first| !items(first, "loglines").is_empty())
            || head.records.iter().any(is_record)
    }

    /// Only a web's session is: a lone record is a session of one line.
    fn is_document(&self, head: &Head) -> bool {
        head.document && head.records.first().is_some_and(|r| r.has(&["loglines"]))
    }

    fn places(&self, machine: &Machine) -> Vec<PathBuf> {
        let folders = match machine.folder("CLAUDE_CONFIG_DIR") {
            Some(folder) => vec![Some(folder)],
            None => vec![
                machine.at_home(".claude"),
                machine.at_home(".config/claude"),
            ],
        };
        let folders = folders.into_iter().flatten();
        folders.map(|folder| folder.join("projects")).collect()
    }

    fn claim(&self, file: &File, head: &Head) -> Claim {
        let folder = file.folder();
        let stem = file.stem();
        let session = head
            .records
            .iter()
            .find_map(|record| record.text("sessionId"));
        let key = |session: &str| format!("{folder}/{session}");
        // `<session>/subagents/…/agent-<id>.jsonl`
        if stem.starts_with("agent-")
            && let Some((above, _)) = split_at_folder(folder, "subagents")
        {
            return Claim {
                key: rooted(above),
                role: Role::Member,
                own_folder: Some(above.to_owned()),
            };
        }
        let beside = head.records.iter().any(is_sidechain);
        if stem.starts_with("agent-") && beside {
            return Claim {
                key: key(session.unwrap_or(stem)),
                role: Role::Member,
                own_folder: None,
            };
        }
        let own = if is_uuid(stem) { Some(stem) } else { session };
        let name = file
            .name
            .rsplit_once('.')
            .map_or(file.name.as_str(), |(name, _)| name);
        Claim {
            key: key(own.unwrap_or(stem)),
            role: Role::Main,
            own_folder: Some(name.to_owned()),
        }
    }

    fn read(&self, source: &Source) -> Reading {
        read::read(source, super::is_document(self, source))
    }
}

/// A folder as it begins a key: that of a file at the top begins with a slash.
fn rooted(folder: &str) -> String {
    if folder.contains('/') {
        folder.to_owned()
    } else {
        format!("/{folder}")
    }
}

/// Splits a path at a folder of this name.
fn split_at_folder<'a>(path: &'a str, name: &str) -> Option<(&'a str, &'a str)> {
    let (above, below) = path.split_once(&format!("/{name}"))?;
    (below.is_empty() || below.starts_with('/')).then_some((above, below))
}

fn items<'a>(shape: &'a Shape, key: &str) -> &'a [Shape] {
    shape.get(key).map_or(&[], Shape::items)
}

fn is_sidechain(record: &Shape) -> bool {
    record.get("isSidechain") == Some(&Shape::Bool(true))
}

/// Whether a record shows that its file is another program's: forks of Gemini's program share
/// the envelope, not the message and not what the system says; collections of many programs'
/// sessions name the one that each record is from.
fn is_of_another(record: &Shape) -> bool {
    let parts = |message: &Shape| message.has(&["parts"]);
    record.get("message").is_some_and(parts)
        || record.get("systemPayload").is_some()
        || record
            .text("agent")
            .is_some_and(|agent| !agent.starts_with("claude"))
}

/// Whether a record is one of Claude Code's.
fn is_record(record: &Shape) -> bool {
    let Some(kind) = record.text("type") else {
        return false;
    };
    if !KINDS.contains(&kind) {
        return false;
    }
    let message = record.get("message");
    if kind == "message" {
        return record.has(&["uuid"]) && message.is_some_and(|m| m.has(&["role", "content"]));
    }
    if matches!(kind, "user" | "assistant") {
        // Other programs' logs have users, too, and a message that is a text.
        return message.map_or(record.has(&["uuid"]), |message| message.has(&["content"]));
    }
    if kind == "system" && record.text("subtype") == Some("init") {
        return record.has(&["session_id"]) || record.has(&["tools"]);
    }
    if kind == "system" && record.get("subtype").is_none() {
        return record.has(&["uuid"]);
    }
    let keys = ["sessionId", "leafUuid", "messageId", "uuid", "session_id"];
    keys.iter().any(|key| record.get(key).is_some())
}

/// Whether a name has the form of a UUID.
fn is_uuid(name: &str) -> bool {
    let lengths = name.split('-').map(str::len);
    name.bytes().all(|b| b.is_ascii_hexdigit() || b == b'-') && lengths.eq([8, 4, 4, 4, 12])
}
