//! ChatGPT's data export: `conversations.json`, or `conversations-000.json` and so on of large
//! accounts, with pictures and files beside them, in a folder or in the archive as it is
//! downloaded; `chat.html` where only that is there; and single conversations as the site's own
//! interface gives them.

mod assets;
mod calls;
mod content;
mod conversation;
mod flow;
mod html;
mod markers;
mod message;
mod references;
mod replies;
mod results;
mod tree;
mod writing;

#[cfg(test)]
mod tests;

use std::io::Read;

use crate::error::{Problem, Severity};
use crate::source::{At, File, Part, Source};

use super::chat;
use super::problems::Problems;
use super::records::{self, document_of};
use super::{Claim, Format, Head, Reading, Role, Shape};

/// Reads ChatGPT's exports.
pub(super) struct ChatGpt;

/// The name of the page that an export holds beside its conversations, with all of them in it.
const PAGE: &str = "chat.html";
/// An element of an export that is no conversation (a folder, say) is not larger than this.
const SMALL: u64 = 4 << 10;
/// How long the part of a file's id is that is random, at least.
const ID: usize = 16;

impl Format for ChatGpt {
    fn name(&self) -> &'static str {
        "chatgpt"
    }

    fn program(&self) -> &'static str {
        "ChatGPT"
    }

    fn recognises(&self, head: &Head) -> bool {
        if head.text.trim_start().starts_with('<') {
            return html::is_page(&head.text);
        }
        head.records.iter().any(|record| {
            let wrapped = record.get("conversations").map(Shape::items);
            let wrapped = wrapped.unwrap_or_default().iter();
            chat::with_items(record).chain(wrapped).any(is_conversation)
        })
    }

    fn is_document(&self, head: &Head) -> bool {
        // Some tools write the conversations of an export in lines.
        let are_lines = head.records.len() > 1 && head.records.iter().all(is_conversation);
        !are_lines
    }

    fn claim(&self, file: &File, _: &Head) -> Claim {
        let is_page = file.file_name() == PAGE;
        if !is_page && !is_of_export(file.stem()) {
            return Claim {
                key: file.name.clone(),
                role: Role::Main,
                own_folder: None,
            };
        }
        let folder = file.folder();
        Claim {
            key: match folder {
                "" => "conversations".to_owned(),
                folder => format!("{folder}/conversations"),
            },
            // The page says what the other files say: it is read where they are not there.
            role: if is_page { Role::Member } else { Role::Main },
            own_folder: Some(folder.to_owned()),
        }
    }

    /// A file that was handed over, or a picture: named by its id, which is like no other. Some
    /// downloads have them in another archive than the conversations, and an older export has
    /// what a newer one left out.
    fn shares(&self, file: &File) -> bool {
        let rest = file.file_name().strip_prefix("file");
        let rest = rest.and_then(|rest| rest.strip_prefix(['-', '_']));
        rest.is_some_and(|rest| {
            rest.len() >= ID && rest.as_bytes()[..ID].iter().all(u8::is_ascii_alphanumeric)
        })
    }

    fn parts(&self, source: &Source) -> Result<Vec<Part>, Problem> {
        let failed = |error: std::io::Error| {
            let what = format!("cannot be read: {error}");
            Problem::new(Severity::Warning, source.main.path.as_str(), what)
        };
        if let Some(start) = html::array_in_page(&source.main).map_err(failed)? {
            let found = records::elements_from(&source.main, start).map_err(failed)?;
            let ranges = found.map(|found| found.ranges).unwrap_or_default();
            let part = |range: std::ops::Range<u64>| Part {
                size: range.end - range.start,
                at: At::Bytes(range),
            };
            return Ok(ranges.into_iter().map(part).collect());
        }
        let mut parts = chat::parts_of_array(source, None)?;
        if parts.is_empty() {
            parts = chat::parts_of_array(source, Some("conversations"))?;
        }
        if parts.is_empty() && source.is_document == Some(false) {
            parts = chat::parts_of_lines(source)?;
        }
        // Exports have folders and what is left of broken conversations among the others.
        parts.retain(|part| part.size > SMALL || may_be_conversation(&source.main, part));
        Ok(parts)
    }

    fn read(&self, source: &Source) -> Reading {
        let mut problems = Problems::of_source(source);
        let conversation = document_of(source, &mut problems)
            .and_then(|json| conversation::read(&json, source, &mut problems));
        Reading {
            conversation,
            problems: problems.into_vec(),
        }
    }
}

/// Whether a file without its extension is named as an export names those of its conversations.
fn is_of_export(stem: &str) -> bool {
    let Some(rest) = stem.strip_prefix("conversations") else {
        return false;
    };
    let number = rest.strip_prefix('-').unwrap_or_default();
    rest.is_empty() || (!number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()))
}

/// Whether there are messages in a small part, or it cannot be told.
fn may_be_conversation(file: &File, part: &Part) -> bool {
    let At::Bytes(range) = &part.at else {
        return true;
    };
    let mut bytes = Vec::new();
    let read = file.open_range(range.clone());
    let read = read.and_then(|mut reader| reader.read_to_end(&mut bytes));
    read.is_err() || memchr::memmem::find(&bytes, b"\"mapping\"").is_some()
}

/// A conversation has messages in a tree: each under its id, with those that it follows and that
/// follow it. DeepSeek's do as well, but its messages are in fragments.
fn is_conversation(shape: &Shape) -> bool {
    let Some(Shape::Map(nodes)) = shape.get("mapping") else {
        return false;
    };
    const ABOUT: [&str; 5] = [
        "title",
        "create_time",
        "current_node",
        "id",
        "conversation_id",
    ];
    let is_about = ABOUT.iter().any(|key| shape.get(key).is_some());
    let is_node = |node: &Shape| {
        let message = node.get("message");
        let has = |key| message.is_some_and(|message| message.get(key).is_some());
        if has("fragments") || has("inserted_at") {
            return None;
        }
        let is_linked = node.get("parent").is_some() || node.get("children").is_some();
        Some(message.is_some() && (is_linked || has("author")))
    };
    let nodes: Option<Vec<bool>> = nodes.iter().map(|(_, node)| is_node(node)).collect();
    let is_tree = nodes.is_some_and(|nodes| nodes.is_empty() || nodes.contains(&true));
    is_about && is_tree
}
