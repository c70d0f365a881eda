//! One conversation: its tree in the order of reading, and what the export says of the whole.

use super::assets::Assets;
use super::flow::Flow;
use super::markers::Found;
use super::message::{Message, moment};
use super::{results, tree};
use crate::formats::Format;
use crate::formats::chat::{self, Losses, Place};
use crate::formats::problems::Problems;
use crate::formats::records::Object;
use crate::model::{Conversation, Entry, Notice, NoticeKind, Timestamp};
use crate::source::Source;

/// Reads a conversation; `None` when nobody said anything in it.
pub(super) fn read(json: &str, source: &Source, problems: &mut Problems) -> Option<Conversation> {
    let whole = chat::object_of(json, problems)?;
    let whole = match whole.items("conversations").first() {
        Some(first) if !whole.has("mapping") => Object::of(*first)?,
        _ => whole,
    };
    let Some(mapping) = whole.object("mapping") else {
        problems.note(None, "an entry without messages");
        return None;
    };
    let mut losses = Losses::default();
    let nodes = tree::nodes(&mapping);
    let shown = tree::shown(&nodes, whole.words("current_node"));
    let messages: Vec<Option<Message<'_>>> = nodes
        .iter()
        .map(|node| Some(Message::of(node.message.as_ref()?, &mut losses)))
        .collect();
    let places: Vec<Place<'_>> = nodes
        .iter()
        .zip(&messages)
        .map(|(node, message)| Place {
            id: &node.id,
            parent: node.parent.as_deref(),
            counts: message.as_ref().is_some_and(Message::is_of_somebody),
        })
        .collect();
    let steps = chat::arranged(&places, shown.as_deref(), problems);
    let mut found = Found::new();
    for message in messages.iter().flatten() {
        results::note_found(&message.metadata, &mut found);
    }
    let assets = Assets::of(source);
    let mut flow = Flow::new(&messages, &assets, &found, &mut losses);
    let mut entries = flow.entries(steps);
    let unknown = flow.into_unknown();
    problems.note_unknown("content", &unknown);
    losses.report(problems);
    if !is_said(&entries) {
        problems.note(None, "no messages");
        return None;
    }
    let begun = whole
        .get("create_time")
        .and_then(|value| moment(value, &mut Losses::default()));
    settle(&mut entries, begun, whole.words("default_model_slug"));
    if let Some(about) = about(&whole) {
        entries.insert(0, Entry::Notice(about));
    }
    let id = whole.words("conversation_id").or_else(|| whole.words("id"));
    Some(Conversation {
        id: id.unwrap_or_default(),
        title: whole.words("title"),
        program: super::ChatGpt.program().to_owned(),
        project: project(&whole),
        entries,
        unshown: losses.unshown,
        ..Conversation::default()
    })
}

/// Whether somebody said something, and not the program alone.
fn is_said(entries: &[Entry]) -> bool {
    entries.iter().any(|entry| match entry {
        Entry::Prompt(_) | Entry::Reply(_) => true,
        Entry::Versions(versions) => versions.iter().any(|version| is_said(version)),
        Entry::Notice(_) => false,
    })
}

/// Fills in what messages leave to the whole conversation: when it was begun, where no message
/// has a time, and the model, where no reply names one.
fn settle(entries: &mut [Entry], begun: Option<Timestamp>, model: Option<String>) {
    let is_timeless = entries.iter().all(|entry| entry.start().is_none());
    if is_timeless && let Some(Entry::Prompt(prompt)) = entries.first_mut() {
        prompt.time = begun;
    }
    let is_named = |entry: &Entry| matches!(entry, Entry::Reply(reply) if !reply.models.is_empty());
    if let Some(model) = model
        && !entries.iter().any(is_named)
    {
        for entry in entries {
            if let Entry::Reply(reply) = entry {
                reply.models.push(model.clone());
            }
        }
    }
}

/// The project, where its name is known: the export has only ids.
fn project(whole: &Object<'_>) -> Option<String> {
    let named = whole.object("project").or_else(|| whole.object("gizmo"));
    let display = named.as_ref().and_then(|named| named.object("display"));
    let is_project = whole.text("gizmo_type").as_deref() == Some("snorlax");
    let name = || {
        let named = named.as_ref().and_then(|named| named.words("name"));
        named.or_else(|| display.as_ref()?.words("name"))
    };
    whole
        .words("project_name")
        .or_else(|| name().filter(|_| is_project))
}

/// What the conversation was held with besides a model: a GPT that somebody made, or a project.
fn about(whole: &Object<'_>) -> Option<Notice> {
    let id = whole.words("gizmo_id").or_else(|| {
        let template = whole.words("conversation_template_id");
        template.filter(|id| id.starts_with("g-"))
    })?;
    let is_project =
        whole.text("gizmo_type").as_deref() == Some("snorlax") || id.starts_with("g-p-");
    if is_project && project(whole).is_some() {
        return None;
    }
    let gizmo = whole.object("gizmo");
    let display = gizmo.as_ref().and_then(|gizmo| gizmo.object("display"));
    let name = whole
        .words("gizmo_name")
        .or_else(|| display?.words("name"))
        .or_else(|| gizmo?.words("name"));
    let what = if is_project { "Project" } else { "Custom GPT" };
    Some(Notice::new(
        NoticeKind::Info,
        format!("{what}: {}", name.unwrap_or(id)),
    ))
}
