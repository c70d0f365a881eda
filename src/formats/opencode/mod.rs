//! OpenCode: sessions whose messages have parts, as `opencode export` writes them, as the events
//! of its server or of `opencode run --format json`, as the many small files that it kept until
//! version 1.1, or as the rows of the database that it keeps since.
//!
//! Whatever holds them, sessions, messages and parts come together in [`saved`]; a part is read
//! as it comes ([`part`], [`tool`]), the last state counts. Then messages become prompts and
//! replies ([`flow`]), and sessions that a call started are put into it ([`children`]).

mod children;
mod database;
mod details;
mod diagnostics;
mod document;
mod events;
mod flow;
mod folder;
mod message;
mod newer;
mod part;
mod prompt;
mod read;
mod saved;
mod shapes;
mod tool;

#[cfg(test)]
mod tests;

use std::path::PathBuf;

use crate::error::Problem;
use crate::source::{File, Part, Source};

use super::{Claim, Format, Head, Machine, Reading, Role};

const PROGRAM: &str = "OpenCode";

/// The databases that the program's release channels keep beside each other.
const DATABASES: [&str; 5] = [
    "opencode.db",
    "opencode-local.db",
    "opencode-dev.db",
    "opencode-next.db",
    "opencode-preview.db",
];

/// OpenCode.
pub(super) struct OpenCode;

impl Format for OpenCode {
    fn name(&self) -> &'static str {
        "opencode"
    }

    fn program(&self) -> &'static str {
        PROGRAM
    }

    fn recognises(&self, head: &Head) -> bool {
        database::is_ours(&head.tables)
            || head.records.iter().any(|record| {
                shapes::is_export(record)
                    || (head.records.len() == 1 && shapes::is_session(record))
                    || shapes::is_event(record)
                    || record.items().iter().any(shapes::is_event)
            })
    }

    /// Empty lines behind a document do not make it lines.
    fn is_document(&self, head: &Head) -> bool {
        let [record] = head.records.as_slice() else {
            return false;
        };
        shapes::is_export(record) || shapes::is_session(record)
    }

    fn claim(&self, file: &File, head: &Head) -> Claim {
        let record = head.records.first().filter(|_| head.records.len() == 1);
        if let Some(session) = record.filter(|record| shapes::is_session(record)) {
            return folder::claim(file, session);
        }
        if folder::is_session(file) {
            return folder::claim_of_damaged(file);
        }
        let export = record.filter(|record| shapes::is_export(record));
        let exported = export.and_then(shapes::exported);
        exported
            .map(|(id, parent)| claim_of_export(id, parent))
            .or_else(|| folder::claim_of_message(file))
            .unwrap_or_else(|| Claim {
                key: file.name.clone(),
                role: Role::Main,
                own_folder: None,
            })
    }

    fn remains(&self, known: &[&File], others: &[&File]) -> Vec<usize> {
        folder::remains(known, others)
    }

    /// The record of a session stands between all its messages and the page.
    fn expects(&self, file: &File) -> bool {
        folder::is_session(file)
    }

    fn parts(&self, source: &Source) -> Result<Vec<Part>, Problem> {
        read::parts(source)
    }

    /// The folder of the data is not named as a whole: beside the conversations it holds logs,
    /// keys, and copies of all files that were worked on.
    fn places(&self, machine: &Machine) -> Vec<PathBuf> {
        let data = machine.folder_or("XDG_DATA_HOME", ".local/share");
        let Some(data) = data.map(|data| data.join("opencode")) else {
            return Vec::new();
        };
        let named = (machine.variable)("OPENCODE_DB").filter(|name| !name.is_empty());
        let databases = match named {
            // An absolute path stays what it is.
            Some(name) => vec![data.join(name)],
            None => DATABASES.iter().map(|name| data.join(name)).collect(),
        };
        let mut places = databases;
        // The oldest versions had a store for each project.
        places.extend(["storage", "project"].map(|name| data.join(name)));
        places
    }

    fn read(&self, source: &Source) -> Reading {
        read::read(source, super::is_document(self, source))
    }
}

/// What an export is to its source: that of a session which a call started belongs to the export
/// of the session in which that was.
fn claim_of_export(id: &str, parent: Option<&str>) -> Claim {
    Claim {
        key: format!("export {}", parent.unwrap_or(id)),
        role: match parent {
            Some(_) => Role::Member,
            None => Role::Main,
        },
        own_folder: None,
    }
}
