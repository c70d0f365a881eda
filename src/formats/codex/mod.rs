//! OpenAI's Codex: rollouts of all ages (lines in envelopes, bare lines, one document), with the
//! sessions of the agents that they started, and the stream that `codex exec --json` prints.
//!
//! A file is read into [`row`]s ([`transcript`]); events that repeat an item of the history are
//! put to it ([`echoes`]), a history that was copied from another session is set apart
//! ([`forks`]), and what is left becomes prompts and replies ([`flow`]).

mod agents;
mod changes;
mod content;
mod echoes;
mod events;
mod flow;
mod forks;
mod items;
mod meta;
mod names;
mod outputs;
mod read;
mod reports;
mod row;
mod stream;
mod tokens;
mod transcript;
mod wrappers;

#[cfg(test)]
mod tests;

use std::path::PathBuf;

use crate::source::{File, Source};

use super::{Claim, Format, Head, Machine, Reading, Role, Shape};

const PROGRAM: &str = "Codex";

/// Codex.
pub(super) struct Codex;

/// Kinds of records of the newer files.
const ENVELOPES: [&str; 5] = [
    "session_meta",
    "turn_context",
    "response_item",
    "event_msg",
    "compacted",
];

impl Format for Codex {
    fn name(&self) -> &'static str {
        "codex"
    }

    fn program(&self) -> &'static str {
        PROGRAM
    }

    fn recognises(&self, head: &Head) -> bool {
        let records = &head.records;
        records.iter().any(is_envelope)
            || records.iter().any(is_of_stream)
            || records.first().is_some_and(is_session)
            || records.iter().any(is_bare_item)
            || records.first().is_some_and(is_bare_meta)
    }

    /// Only the sessions of the first program are: a lone record is a session of one line.
    fn is_document(&self, head: &Head) -> bool {
        head.document && head.records.first().is_some_and(is_session)
    }

    fn places(&self, machine: &Machine) -> Vec<PathBuf> {
        let home = machine.folder_or("CODEX_HOME", ".codex");
        let names = ["sessions", "archived_sessions", names::INDEX];
        let places = home.map(|home| names.map(|name| home.join(name)).to_vec());
        places.unwrap_or_default()
    }

    /// A session's key is its id, wherever its file is; that of an agent is its parent's.
    fn claim(&self, file: &File, head: &Head) -> Claim {
        let payload = own_record(head);
        let id = payload.and_then(|payload| payload.text("id"));
        let parent = payload.and_then(parent_of);
        Claim {
            key: parent.or(id).unwrap_or(&file.name).to_owned(),
            role: if parent.is_some() {
                Role::Member
            } else {
                Role::Main
            },
            own_folder: None,
        }
    }

    fn shares(&self, file: &File) -> bool {
        file.file_name() == names::INDEX
    }

    fn origin(&self, head: &Head) -> Option<String> {
        let payload = own_record(head)?;
        if parent_of(payload).is_some() {
            return None;
        }
        if let Some(id) = payload.text("forked_from_id") {
            return Some(id.to_owned());
        }
        // Before forks said so, they only had the other session's record behind their own.
        let own = payload.text("id")?;
        let others = head.records.iter().filter_map(meta_of);
        let mut ids = others.filter_map(|payload| payload.text("id"));
        ids.find(|id| *id != own).map(str::to_owned)
    }

    fn read(&self, source: &Source) -> Reading {
        read::read(source, super::is_document(self, source))
    }
}

fn own_record(head: &Head) -> Option<&Shape> {
    head.records.iter().find_map(meta_of)
}

fn meta_of(record: &Shape) -> Option<&Shape> {
    let is_meta = record.text("type") == Some("session_meta");
    record.get("payload").filter(|_| is_meta)
}

/// The session that started this one for a part of its work.
fn parent_of(payload: &Shape) -> Option<&str> {
    let agent = payload.get("source")?.get("subagent")?;
    let spawned = || agent.get("thread_spawn")?.text("parent_thread_id");
    let parent = payload.text("parent_thread_id").or_else(spawned)?;
    // Of agents of agents, the newer files name the session at the top.
    let top = payload
        .text("session_id")
        .filter(|top| payload.text("id") != Some(*top));
    Some(top.unwrap_or(parent))
}

fn is_envelope(record: &Shape) -> bool {
    let kind = record.text("type").unwrap_or_default();
    ENVELOPES.contains(&kind) && matches!(record.get("payload"), Some(Shape::Map(_)))
}

/// Whether a record is of the stream that `codex exec --json` prints.
fn is_of_stream(record: &Shape) -> bool {
    let item = record.get("item");
    match record.text("type") {
        Some("thread.started") => record.has(&["thread_id"]),
        Some("item.started" | "item.updated" | "item.completed") => {
            item.is_some_and(|item| item.has(&["id"]))
        }
        _ => false,
    }
}

/// Whether a document is a session of the first program.
fn is_session(document: &Shape) -> bool {
    let session = document.get("session");
    let items = document.get("items").map_or(&[][..], Shape::items);
    // A cut document may have an item that is nothing yet.
    let is_of_program =
        |item: &Shape| !matches!(item, Shape::Map(_)) || item.text("type").is_some();
    session.is_some_and(|session| session.has(&["id"]))
        && matches!(document.get("items"), Some(Shape::List(_)))
        && items.first().is_none_or(is_of_program)
}

/// Whether a record is an item without an envelope.
fn is_bare_item(record: &Shape) -> bool {
    if record.has(&["uuid"]) || record.has(&["sessionId"]) || record.has(&["message"]) {
        return false;
    }
    match record.text("type") {
        Some("message") => {
            let content = record.get("content").map_or(&[][..], Shape::items);
            let kind = content.first().and_then(|block| block.text("type"));
            record.has(&["role"]) && matches!(kind, Some("input_text" | "output_text"))
        }
        Some("function_call") => record.has(&["call_id", "arguments"]),
        Some("function_call_output") => record.has(&["call_id", "output"]),
        Some("reasoning") => record.has(&["summary", "encrypted_content"]),
        None => record.text("record_type") == Some("state"),
        _ => false,
    }
}

/// Whether a record is what a session without envelopes begins with.
fn is_bare_meta(record: &Shape) -> bool {
    record.has(&["id", "timestamp", "instructions"])
        && record.get("type").is_none()
        && record.get("messages").is_none()
        && record.text("id").is_some_and(|id| id.len() == 36)
}
