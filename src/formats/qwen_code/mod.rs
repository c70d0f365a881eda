//! Qwen Code: sessions as JSON Lines, each record naming the one that it follows, with messages
//! in the parts of the Gemini API; subagents in files of their own.
//!
//! A file is read into rows ([`transcript`]) by the kinds of its records ([`messages`] for what
//! was said, [`system`] for what the program did); which of them are read, and what they become,
//! is shared with other formats ([`branches`](super::branches), [`genai`](super::genai)).

mod messages;
mod read;
mod system;
#[cfg(test)]
mod tests;
mod transcript;

use std::path::PathBuf;

use crate::source::{File, Source};

use super::{Claim, Format, Head, Machine, Reading, Role, Shape};

/// The program, as people call it.
pub(super) const PROGRAM: &str = "Qwen Code";

/// Qwen Code.
pub(super) struct QwenCode;

impl Format for QwenCode {
    fn name(&self) -> &'static str {
        "qwen_code"
    }

    fn program(&self) -> &'static str {
        PROGRAM
    }

    fn recognises(&self, head: &Head) -> bool {
        head.records.iter().any(is_record)
    }

    /// A lone record is a session of one line.
    fn is_document(&self, _: &Head) -> bool {
        false
    }

    /// The first versions kept sessions as their parent program does, in `tmp`.
    fn places(&self, machine: &Machine) -> Vec<PathBuf> {
        let home = machine.folder_or("QWEN_HOME", ".qwen");
        let runtime = machine.folder("QWEN_RUNTIME_DIR");
        let runtime = runtime.or_else(|| home.clone());
        let folders = [
            runtime.as_ref().map(|folder| folder.join("projects")),
            home.map(|folder| folder.join("tmp")),
        ];
        folders.into_iter().flatten().collect()
    }

    /// `<project>/chats/<session>.jsonl` has its subagents in
    /// `<project>/subagents/<session>/agent-<id>.jsonl`, with what is known of each beside it.
    fn claim(&self, file: &File, head: &Head) -> Claim {
        let told = head
            .records
            .iter()
            .find_map(|record| record.text("sessionId"));
        let stem = file.stem();
        let (above, folder) = file
            .folder()
            .rsplit_once('/')
            .unwrap_or(("", file.folder()));
        if stem.starts_with("agent-") {
            let (project, kind) = above.rsplit_once('/').unwrap_or(("", above));
            let session = told.unwrap_or(folder);
            let key = match kind {
                "subagents" => format!("{project}/{folder}"),
                _ => format!("{}/{session}", file.folder()),
            };
            return Claim {
                key,
                role: Role::Member,
                own_folder: Some(file.folder().to_owned()),
            };
        }
        let (project, agents) = match folder {
            "chats" if above.is_empty() => ("", format!("subagents/{stem}")),
            "chats" => (above, format!("{above}/subagents/{stem}")),
            _ => (file.folder(), format!("{}/subagents/{stem}", file.folder())),
        };
        Claim {
            key: format!("{project}/{stem}"),
            role: Role::Main,
            own_folder: Some(agents.trim_start_matches('/').to_owned()),
        }
    }

    fn read(&self, source: &Source) -> Reading {
        read::read(source)
    }
}

/// Whether a value is a record: it names its session, and has a message in parts or what the
/// program noted down.
fn is_record(shape: &Shape) -> bool {
    let kinds = ["user", "assistant", "tool_result", "system"];
    let is_kind = shape.text("type").is_some_and(|kind| kinds.contains(&kind));
    let in_parts = |message: &Shape| matches!(message.get("parts"), Some(Shape::List(_)));
    is_kind
        && shape.has(&["uuid", "sessionId"])
        && (shape.get("message").is_some_and(in_parts)
            || shape.get("systemPayload").is_some()
            || shape.get("toolCallResult").is_some())
}
