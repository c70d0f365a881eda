//! One conversation of an export.

use std::collections::BTreeMap;

use super::message::{self, Context};
use super::projects;
use crate::formats::Format;
use crate::formats::chat::{self, Losses, Message, in_order};
use crate::formats::problems::Problems;
use crate::formats::records::Object;
use crate::model::{Body, Conversation, Entry, Notice, NoticeKind};
use crate::source::Source;

/// The parent of a first message.
const ROOT: &str = "00000000-0000-4000-8000-000000000000";

/// Reads a conversation; `None` when nobody said anything in it.
pub(super) fn read(json: &str, source: &Source, problems: &mut Problems) -> Option<Conversation> {
    let whole = chat::object_of(json, problems)?;
    let whole = match whole.items("conversations").first() {
        Some(first) if !whole.has("chat_messages") => Object::of(*first)?,
        _ => whole,
    };
    let mut losses = Losses::default();
    let values = whole.items("chat_messages");
    let objects: Vec<Object<'_>> = values.iter().filter_map(|one| Object::of(*one)).collect();
    for _ in objects.len()..values.len() {
        losses.skip("message that is no object");
    }
    let mut context = Context::new(whole.words("model"), &objects);
    let mut messages: Vec<Message> = Vec::with_capacity(objects.len());
    for object in &objects {
        let parent = object.words("parent_message_uuid");
        messages.push(Message {
            id: object.string("uuid"),
            parent: parent.filter(|parent| parent != ROOT),
            entries: message::entries(object, &mut context, &mut losses),
        });
    }
    // The export does not say which branch was shown: that of the newest message was.
    let last = messages.last().map(|message| message.id.clone());
    let shown = whole.words("current_leaf_message_uuid").or(last);
    let said = in_order(messages, shown.as_deref(), problems);
    losses.report(problems);
    if said.is_empty() {
        problems.note(None, "no messages");
        return None;
    }
    let project = project(&whole, source);
    let mut entries: Vec<Entry> = about(&whole).into_iter().collect();
    entries.extend(project.as_ref().and_then(projects::instructions));
    entries.extend(said);
    Some(Conversation {
        id: whole.string("uuid"),
        title: whole.words("name"),
        program: super::Claude.program().to_owned(),
        project: project.and_then(|project| project.name),
        entries,
        unshown: losses.unshown,
        ..Conversation::default()
    })
}

/// What the program wrote of the whole conversation.
fn about(whole: &Object<'_>) -> Option<Entry> {
    let summary = whole.words("summary")?;
    let notice = Notice::new(NoticeKind::Info, "Summary of the conversation");
    Some(Entry::Notice(notice.with_body(Body::Prose(summary))))
}

/// The project that the conversation belongs to, as far as it is known.
fn project(whole: &Object<'_>, source: &Source) -> Option<projects::Project> {
    let named = whole.object("project");
    let named = named.as_ref();
    let id = whole
        .words("project_uuid")
        .or_else(|| named.and_then(|project| project.words("uuid")))?;
    let known = projects::by_id(source, &id);
    let name = named.and_then(|project| project.words("name"));
    Some(known.unwrap_or(projects::Project {
        name,
        instructions: None,
    }))
}

/// Titles of pages by their addresses, as the results of the conversation give them: a citation
/// has the address alone.
pub(super) fn titles(messages: &[Object<'_>]) -> BTreeMap<String, String> {
    let mut titles = BTreeMap::new();
    for message in messages {
        for block in message.items("content") {
            let block = Object::of(block).unwrap_or_default();
            for item in block.items("content") {
                let item = Object::of(item).unwrap_or_default();
                if let Some((url, title)) = item.words("url").zip(item.words("title")) {
                    titles.entry(url).or_insert(title);
                }
            }
        }
    }
    titles
}
