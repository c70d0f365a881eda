//! Gemini CLI: sessions as one document, and as the log that newer versions append to, in which
//! a later record stands in an earlier one's place and the conversation can be taken back;
//! subagents in files of their own; histories that were saved by hand with `/chat save`.
//!
//! A file is read into the rows that stand at its end ([`log`]), each message by itself
//! ([`messages`]); what the rows become is shared with the program's forks
//! ([`genai`](super::genai)).

mod log;
mod messages;
mod projects;
mod read;
#[cfg(test)]
mod tests;

use std::path::PathBuf;

use crate::source::{File, Source};

use super::{Claim, Format, Head, Machine, Reading, Role, Shape};

const PROGRAM: &str = "Gemini CLI";

/// Gemini CLI.
pub(super) struct GeminiCli;

impl Format for GeminiCli {
    fn name(&self) -> &'static str {
        "gemini_cli"
    }

    fn program(&self) -> &'static str {
        PROGRAM
    }

    fn recognises(&self, head: &Head) -> bool {
        let is_ours = |record: &Shape| {
            is_session(record) || is_message(record) || is_change(record) || is_history(record)
        };
        head.records.iter().any(is_ours)
    }

    fn places(&self, machine: &Machine) -> Vec<PathBuf> {
        let home = machine.folder_or("GEMINI_CLI_HOME", "");
        let places = ["tmp", projects::REGISTRY];
        let places = home.map(|home| places.map(|name| home.join(".gemini").join(name)).to_vec());
        places.unwrap_or_default()
    }

    fn shares(&self, file: &File) -> bool {
        projects::tells_folders(file)
    }

    /// A subagent's file stands in a folder that is named by its parent's session, beside the
    /// parent's file.
    fn claim(&self, file: &File, head: &Head) -> Claim {
        let told = |key: &str| head.records.iter().find_map(|record| record.text(key));
        let folder = file.folder();
        if told("kind") == Some("subagent") && !folder.is_empty() {
            let key = match folder.contains('/') {
                true => folder.to_owned(),
                false => format!("/{folder}"),
            };
            return Claim {
                key,
                role: Role::Member,
                own_folder: None,
            };
        }
        Claim {
            key: format!("{folder}/{}", told("sessionId").unwrap_or(&file.name)),
            role: Role::Main,
            own_folder: None,
        }
    }

    fn read(&self, source: &Source) -> Reading {
        read::read(source, super::is_document(self, source))
    }
}

/// Whether a type of message is the model's: the fork's first versions called it by their own
/// model.
fn is_model(kind: &str) -> bool {
    matches!(kind, "gemini" | "qwen" | "model")
}

/// Whether a value is what a session's file begins with, or all of it.
fn is_session(shape: &Shape) -> bool {
    let Some(Shape::Text(_)) = shape.get("sessionId") else {
        return false;
    };
    // Sessions of other programs have an id, and messages, but neither of these.
    let is_told = matches!(shape.get("projectHash"), Some(Shape::Text(_)))
        || shape.has(&["startTime", "lastUpdated", "messages"]);
    let is_apart = shape.get("type").is_none() && shape.get("requests").is_none();
    let messages = match shape.get("messages") {
        Some(Shape::List(messages)) => messages.as_slice(),
        None => &[],
        Some(_) => return false,
    };
    let fits = |message: &Shape| message.get("type").is_some();
    is_told && is_apart && messages.first().is_none_or(fits)
}

/// Whether a value is a message of the model.
fn is_message(shape: &Shape) -> bool {
    matches!(shape.text("type"), Some("gemini" | "qwen"))
        && shape.has(&["id", "timestamp", "content"])
}

/// Whether a value changes what stands before it in a log.
fn is_change(shape: &Shape) -> bool {
    let sets = |set: &Shape| {
        let keys = ["lastUpdated", "messages", "summary", "memoryScratchpad"];
        keys.iter().any(|key| set.get(key).is_some())
    };
    shape.text("$rewindTo").is_some() || shape.get("$set").is_some_and(sets)
}

/// Whether a value is a history as the vendor's API takes it.
fn is_history(shape: &Shape) -> bool {
    let turns = match shape.get("history") {
        Some(history) => history.items(),
        None => shape.items(),
    };
    let is_turn = |turn: &Shape| {
        matches!(turn.text("role"), Some("user" | "model"))
            && matches!(turn.get("parts"), Some(Shape::List(_)))
    };
    turns.iter().all(is_turn) && turns.iter().any(|turn| turn.text("role") == Some("model"))
}
