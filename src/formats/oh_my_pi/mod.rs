//! oh-my-pi (`omp`): sessions of pi's kind with a line for the title before the header, entries of
//! its own, subagents' sessions in a folder named as their session is, and pictures in a folder of
//! blobs.

#[cfg(test)]
mod tests;

use std::ffi::OsStr;
use std::path::PathBuf;

use crate::source::{File, Source};

use super::{Claim, Format, Head, Machine, Reading, Role, Shape, session_tree};

/// oh-my-pi.
pub(super) struct OhMyPi;

/// Entries that pi does not write.
const ENTRIES: [&str; 8] = [
    "model_usage",
    "service_tier_change",
    "title_change",
    "ttsr_injection",
    "session_init",
    "mode_change",
    "credential_pin",
    "reset_boundary",
];

/// Who speaks in messages that pi does not write.
const ROLES: [&str; 3] = ["developer", "pythonExecution", "fileMention"];

impl Format for OhMyPi {
    fn name(&self) -> &'static str {
        "oh_my_pi"
    }

    fn program(&self) -> &'static str {
        "oh-my-pi"
    }

    fn recognises(&self, head: &Head) -> bool {
        head.records.iter().any(is_title_slot)
            || session_tree::recognises(head) && head.records.iter().any(is_of_omp)
    }

    /// A lone record is a session of one line.
    fn is_document(&self, _: &Head) -> bool {
        false
    }

    fn claim(&self, file: &File, head: &Head) -> Claim {
        let folder = file.folder();
        let begins_as_agent = |record: &Shape| record.text("type") == Some("session_init");
        let session = session_folder(folder).or_else(|| {
            // A session of another name has its subagents in a folder of that name.
            let is_agent = head.records.iter().take(5).any(begins_as_agent);
            Some(folder).filter(|_| is_agent && !folder.is_empty())
        });
        match session {
            Some(session) => Claim {
                key: session.to_owned(),
                role: Role::Member,
                own_folder: Some(session.to_owned()),
            },
            None => {
                let name = file.name.strip_suffix(".jsonl").unwrap_or(&file.name);
                Claim {
                    key: name.to_owned(),
                    role: Role::Main,
                    own_folder: Some(name.to_owned()),
                }
            }
        }
    }

    /// A picture, named by the hash of its bytes.
    fn shares(&self, file: &File) -> bool {
        let is_hash = |c: u8| c.is_ascii_digit() || (b'a'..=b'f').contains(&c);
        let name = file.file_name();
        let folder = file.folder();
        let is_in_place = folder.is_empty() || folder == "blobs" || folder.ends_with("/blobs");
        is_in_place && name.len() == 64 && name.bytes().all(is_hash)
    }

    fn places(&self, machine: &Machine) -> Vec<PathBuf> {
        let config = machine.folder("PI_CONFIG_DIR");
        let config = config.unwrap_or_else(|| PathBuf::from(".omp"));
        let root = machine.home.as_ref().map(|home| home.join(config));
        let profile =
            (machine.variable)("OMP_PROFILE").or_else(|| (machine.variable)("PI_PROFILE"));
        let profile = profile.filter(|name| !name.is_empty() && name != OsStr::new("default"));
        let agent = match (&profile, machine.folder("PI_CODING_AGENT_DIR")) {
            (Some(profile), _) => {
                let below = PathBuf::from("profiles").join(profile).join("agent");
                root.map(|root| root.join(below))
            }
            (None, Some(folder)) => Some(folder),
            (None, None) => root.map(|root| root.join("agent")),
        };
        // Under the folder for data the program leaves `agent` out.
        let data = machine.folder("XDG_DATA_HOME").map(|data| match profile {
            Some(profile) => data.join("omp/profiles").join(profile),
            None => data.join("omp"),
        });
        let folders = agent.into_iter().chain(data);
        folders
            .flat_map(|folder| ["sessions", "blobs"].map(|name| folder.join(name)))
            .collect()
    }

    fn read(&self, source: &Source) -> Reading {
        session_tree::read(source, self.program())
    }
}

/// The folder of a session that a folder is, or is in: named by a time and an id, as in
/// `2026-08-01T10-00-00-000Z_019f…`.
fn session_folder(folder: &str) -> Option<&str> {
    let mut end = 0;
    for part in folder.split('/') {
        end += part.len();
        if is_session(part) {
            return folder.get(..end);
        }
        end += 1;
    }
    None
}

fn is_session(name: &str) -> bool {
    let Some((time, id)) = name.split_once('_') else {
        return false;
    };
    let bytes = time.as_bytes();
    let is_date = |at: usize| match at {
        4 | 7 => bytes[at] == b'-',
        10 => bytes[at] == b'T',
        _ => bytes[at].is_ascii_digit(),
    };
    bytes.len() > 12 && (0..13).all(is_date) && !id.is_empty()
}

/// The line before the header, of fixed length, so that the title can be changed in place.
fn is_title_slot(record: &Shape) -> bool {
    record.text("type") == Some("title")
        && record.get("v") == Some(&Shape::Number(1.0))
        && record.has(&["title", "updatedAt"])
}

fn is_of_omp(record: &Shape) -> bool {
    let kind = record.text("type").unwrap_or_default();
    let message = record.get("message");
    let role = message.and_then(|message| message.text("role"));
    match kind {
        "session" => {
            let keys = [
                "titleSource",
                "additionalDirectories",
                "previousSessionFiles",
            ];
            keys.iter().any(|key| record.get(key).is_some())
        }
        "model_change" => record.text("model").is_some(),
        "thinking_level_change" => record.get("configured").is_some(),
        "compaction" => {
            record.get("shortSummary").is_some() || record.get("fromExtension").is_some()
        }
        "message" => role.is_some_and(|role| ROLES.contains(&role)),
        kind => ENTRIES.contains(&kind),
    }
}
