//! Claude.ai's data export: `conversations.json`, an array of conversations, with `projects.json`
//! and `memories.json` beside it, in a folder or in the archive as it is downloaded; and single
//! conversations as the site's own interface gives them.

mod conversation;
mod documents;
mod message;
mod projects;
mod results;
mod tools;

#[cfg(test)]
mod tests;

use crate::error::Problem;
use crate::source::{At, File, Part, Source};

use super::chat;
use super::problems::Problems;
use super::records::document_of;
use super::{Claim, Format, Head, Reading, Role, Shape};

/// Reads Claude.ai's exports.
pub(super) struct Claude;

/// The file of an export that holds the conversations; the others belong to it.
const CONVERSATIONS: &str = "conversations.json";

impl Format for Claude {
    fn name(&self) -> &'static str {
        "claude"
    }

    fn program(&self) -> &'static str {
        "Claude"
    }

    fn recognises(&self, head: &Head) -> bool {
        head.records.iter().any(|record| {
            let wrapped = record.get("conversations").map(Shape::items);
            let wrapped = wrapped.unwrap_or_default().iter();
            chat::with_items(record).chain(wrapped).any(is_conversation)
        }) || is_about_projects(head)
    }

    fn is_document(&self, _: &Head) -> bool {
        true
    }

    fn claim(&self, file: &File, head: &Head) -> Claim {
        let own = Claim {
            key: file.name.clone(),
            role: Role::Main,
            own_folder: None,
        };
        if !is_about_projects(head) {
            return own;
        }
        let key = match file.folder() {
            "" => CONVERSATIONS.to_owned(),
            folder => format!("{folder}/{CONVERSATIONS}"),
        };
        Claim {
            key,
            role: Role::Member,
            ..own
        }
    }

    /// The account's name and address are nothing that a page shows; the others are here when
    /// nothing is in them.
    fn shares(&self, file: &File) -> bool {
        let name = file.file_name();
        matches!(name, "users.json" | "projects.json" | "memories.json")
    }

    fn parts(&self, source: &Source) -> Result<Vec<Part>, Problem> {
        let mut parts = chat::parts_of_array(source, None)?;
        if parts.is_empty() {
            parts = chat::parts_of_array(source, Some("conversations"))?;
        }
        let mut files = vec![&source.main];
        files.extend(&source.members);
        let pages = files.into_iter().flat_map(projects::pages_of);
        let pages: Vec<Part> = pages.collect();
        // A file of projects that stands alone is an array too, but not of conversations.
        if pages.iter().any(|page| is_of(page, &source.main)) {
            return Ok(pages);
        }
        if parts.is_empty() && !pages.is_empty() {
            parts.push(Part {
                at: At::Bytes(0..source.main.size),
                size: source.main.size,
            });
        }
        parts.extend(pages);
        Ok(parts)
    }

    fn read(&self, source: &Source) -> Reading {
        let mut problems = Problems::of_source(source);
        let conversation = match &source.part {
            Some(Part {
                at: At::Key(key), ..
            }) => projects::page(source, key, &mut problems),
            _ => document_of(source, &mut problems)
                .and_then(|json| conversation::read(&json, source, &mut problems)),
        };
        Reading {
            conversation,
            problems: problems.into_vec(),
        }
    }
}

/// Whether a page is made of this file.
fn is_of(page: &Part, file: &File) -> bool {
    matches!(&page.at, At::Key(key) if projects::is_in(key, file))
}

/// A conversation has messages with a sender each, or none at all.
fn is_conversation(shape: &Shape) -> bool {
    let Some(Shape::List(messages)) = shape.get("chat_messages") else {
        return false;
    };
    let has_sender = |message: &Shape| message.text("sender").is_some();
    shape.text("uuid").is_some() && (messages.is_empty() || messages.iter().any(has_sender))
}

/// Whether a file holds an export's projects or memories.
fn is_about_projects(head: &Head) -> bool {
    let is_project = |shape: &Shape| {
        shape.has(&["uuid", "name", "docs"]) && shape.has(&["description", "created_at"])
    };
    let is_memory = |shape: &Shape| shape.has(&["conversations_memory", "account_uuid"]);
    let items = head.records.iter().flat_map(Shape::items);
    items
        .into_iter()
        .any(|item| is_project(item) || is_memory(item))
}
