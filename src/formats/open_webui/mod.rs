//! Open WebUI: exports of one chat or of all, each a tree of messages.
//!
//! What a reply did is kept in three ages: as elements of HTML in its text, as those and as a
//! list of items, and as the items alone.

mod details;
mod items;
mod message;
mod sources;
mod status;
#[cfg(test)]
mod tests;

use crate::error::Problem;
use crate::model::{Body, Conversation, Entry, Notice, NoticeKind};
use crate::source::{Part, Source};

use super::chat::{self, Losses, Message, in_order};
use super::problems::Problems;
use super::records::{Object, document_of};
use super::{Format, Head, Reading, Shape};

/// Reads Open WebUI's exports.
pub(super) struct OpenWebUi;

impl Format for OpenWebUi {
    fn name(&self) -> &'static str {
        "open_webui"
    }

    fn program(&self) -> &'static str {
        "Open WebUI"
    }

    fn recognises(&self, head: &Head) -> bool {
        let mut shapes = head.records.iter().flat_map(chat::with_items);
        shapes.any(|shape| is_chat(shape) || shape.get("chat").is_some_and(is_chat))
    }

    fn is_document(&self, _: &Head) -> bool {
        true
    }

    fn parts(&self, source: &Source) -> Result<Vec<Part>, Problem> {
        chat::parts_of_array(source, None)
    }

    fn read(&self, source: &Source) -> Reading {
        let mut problems = Problems::of_source(source);
        let json = document_of(source, &mut problems);
        let conversation = json.and_then(|json| conversation(&json, &mut problems));
        Reading {
            conversation,
            problems: problems.into_vec(),
        }
    }
}

/// A chat has a tree of messages, or in its first age a list of them and of the models asked.
fn is_chat(shape: &Shape) -> bool {
    let tree = shape.get("history");
    let has_tree = tree.is_some_and(|tree| {
        matches!(tree.get("messages"), Some(Shape::Map(_))) && tree.has(&["currentId"])
    });
    let messages = shape.get("messages").map(Shape::items).unwrap_or_default();
    let is_list = || {
        messages
            .iter()
            .any(|one| one.has(&["id", "role", "content"]))
    };
    has_tree || (matches!(shape.get("models"), Some(Shape::List(_))) && is_list())
}

fn conversation(json: &str, problems: &mut Problems) -> Option<Conversation> {
    let row = chat::object_of(json, problems)?;
    let inner = row.object("chat");
    let whole = inner.as_ref().unwrap_or(&row);
    let mut losses = Losses::default();
    let history = whole.object("history").unwrap_or_default();
    let tree = history.object("messages").unwrap_or_default();
    let mut messages: Vec<Message> = Vec::new();
    for (key, value) in tree.entries() {
        match Object::of(value) {
            Some(object) => messages.push(one(key, &object, &mut losses)),
            None => losses.skip("message that is no object"),
        }
    }
    if messages.is_empty() {
        // The list is the way through the tree that was shown; the first age has it alone.
        for value in whole.items("messages") {
            let object = Object::of(value).unwrap_or_default();
            messages.push(one("", &object, &mut losses));
        }
    }
    losses.report(problems);
    if messages.is_empty() {
        problems.note(None, "no messages");
        return None;
    }
    let shown = history.words("currentId");
    let told = whole
        .object("params")
        .and_then(|params| params.words("system"));
    let told = told.map(|text| {
        let notice = Notice::new(NoticeKind::Context, "Instructions for this conversation");
        Entry::Notice(notice.with_body(Body::Prose(text)))
    });
    let mut entries: Vec<Entry> = told.into_iter().collect();
    entries.extend(in_order(messages, shown.as_deref(), problems));
    let id = row.words("id").or_else(|| whole.words("id"));
    Some(Conversation {
        id: id.unwrap_or_default(),
        title: row.words("title").or_else(|| whole.words("title")),
        program: OpenWebUi.program().to_owned(),
        entries,
        unshown: losses.unshown,
        ..Conversation::default()
    })
}

fn one(key: &str, object: &Object<'_>, losses: &mut Losses) -> Message {
    let id = object.words("id").unwrap_or_else(|| key.to_owned());
    Message {
        parent: object.words("parentId"),
        entries: vec![message::entry(&id, object, losses)],
        id,
    }
}
