//! The messages in their order become prompts and replies. All that is not a person's, from one
//! prompt to the next, is one reply.

use super::assets::Assets;
use super::content;
use super::markers::Found;
use super::message::{Message, Role};
use super::replies::Open;
use crate::formats::branches::Step;
use crate::formats::chat::{Losses, unknown};
use crate::formats::records::{Json, Object};
use crate::model::{Body, Entry, Notice, NoticeKind, Part, Prompt};

/// The way through the messages.
pub(super) struct Flow<'a> {
    messages: &'a [Option<Message<'a>>],
    pub(super) assets: &'a Assets<'a>,
    pub(super) found: &'a Found,
    pub(super) losses: &'a mut Losses,
    /// Types of content that are not known, each once.
    unknown: Vec<String>,
}

impl<'a> Flow<'a> {
    pub(super) fn new(
        messages: &'a [Option<Message<'a>>],
        assets: &'a Assets<'a>,
        found: &'a Found,
        losses: &'a mut Losses,
    ) -> Self {
        Self {
            messages,
            assets,
            found,
            losses,
            unknown: Vec::new(),
        }
    }

    /// The types of content that were met and are not known.
    pub(super) fn into_unknown(self) -> Vec<String> {
        self.unknown
    }

    /// The entries of these steps. A reply ends where branches were left.
    pub(super) fn entries(&mut self, steps: Vec<Step>) -> Vec<Entry> {
        let mut entries = Vec::new();
        let mut open: Option<Open> = None;
        let messages = self.messages;
        for step in steps {
            match step {
                Step::Row(row) => {
                    if let Some(message) = messages.get(row).and_then(Option::as_ref) {
                        self.message(message, &mut open, &mut entries);
                    }
                }
                Step::Versions(versions) => {
                    close(&mut open, &mut entries);
                    let versions = versions.into_iter().map(|steps| self.entries(steps));
                    let versions: Vec<_> = versions.filter(|one| !one.is_empty()).collect();
                    if !versions.is_empty() {
                        entries.push(Entry::Versions(versions));
                    }
                }
            }
        }
        close(&mut open, &mut entries);
        entries
    }

    fn message(
        &mut self,
        message: &Message<'_>,
        open: &mut Option<Open>,
        entries: &mut Vec<Entry>,
    ) {
        match message.role {
            _ if is_out_of_sight(message) => self.context(message, open, entries),
            Role::User => {
                close(open, entries);
                if let Some(prompt) = self.prompt(message) {
                    entries.push(Entry::Prompt(prompt));
                }
            }
            Role::Assistant => open
                .get_or_insert_with(|| Open::of(message))
                .assistant(message, self),
            Role::Tool => open
                .get_or_insert_with(|| Open::of(message))
                .tool(message, self),
            Role::System | Role::Other => {
                close(open, entries);
                let role = match message.role_word.as_str() {
                    "" => "an unknown role",
                    role => role,
                };
                let notice = Notice::new(NoticeKind::Unknown, format!("A message of {role}"));
                let body = Body::Data(message.raw.to_owned());
                entries.push(Entry::Notice(notice.with_body(body).at(message.time)));
            }
        }
    }

    /// What nobody said: it stands where it stood, unless nothing is in it.
    fn context(
        &mut self,
        message: &Message<'_>,
        open: &mut Option<Open>,
        entries: &mut Vec<Entry>,
    ) {
        let Some(notice) = content::context(message) else {
            self.losses
                .skip(format!("empty message of {}", message.role_word));
            return;
        };
        match open {
            Some(open) if message.role != Role::User => open.push(Part::Notice(notice)),
            _ => {
                close(open, entries);
                entries.push(Entry::Notice(notice));
            }
        }
    }

    /// A person's message; `None` when nothing is in it.
    fn prompt(&mut self, message: &Message<'_>) -> Option<Prompt> {
        let mut parts = match message.kind.as_str() {
            "" | "text" | "multimodal_text" | "image_asset_pointer" => {
                content::parts(message, self.assets)
            }
            "code" => content::fenced(message)
                .map(Part::Text)
                .into_iter()
                .collect(),
            _ => self.unknown_content(message).into_iter().collect(),
        };
        for part in &mut parts {
            if let Part::Text(text) = part {
                let resolved = super::markers::resolved(text, self.found, &mut Vec::new());
                *text = resolved;
            }
        }
        if parts.is_empty() {
            self.losses.skip("empty message of user");
            return None;
        }
        Some(Prompt {
            id: message.id.clone(),
            time: message.time,
            parts,
            asides: asides(message),
            ..Prompt::default()
        })
    }

    /// A content of a type that is not known, as data.
    pub(super) fn unknown_content(&mut self, message: &Message<'_>) -> Option<Part> {
        let value = Json::parse(message.raw).ok()?;
        if !self.unknown.contains(&message.kind) {
            self.unknown.push(message.kind.clone());
        }
        let title = format!("A message of an unknown kind: {}", message.kind);
        Some(unknown(title, value))
    }
}

/// Whether a message is not for the person's eyes. Results of tools never are, but are shown with
/// their calls; so are the calls.
fn is_out_of_sight(message: &Message<'_>) -> bool {
    let is_call = message.recipient.is_some();
    let is_thought = matches!(message.kind.as_str(), "thoughts" | "reasoning_recap");
    let is_hidden = message.is_hidden && message.role != Role::Tool && !is_call && !is_thought;
    is_hidden || message.is_context()
}

/// What the person pointed at: words of an earlier reply, or of a document.
fn asides(message: &Message<'_>) -> Vec<Notice> {
    let reply = message.metadata.words("targeted_reply");
    let canvas = message.metadata.object("canvas").unwrap_or_default();
    let selection = canvas.object("selection_metadata");
    let selected = selection
        .and_then(|one: Object<'_>| one.words("selected_text").or_else(|| one.words("text")));
    let notice = |title: &str, text: String| {
        Notice::new(NoticeKind::Context, title).with_body(Body::Prose(text))
    };
    let reply = reply.map(|text| notice("In answer to these words", text));
    let selected = selected.map(|text| notice("Selected in the document", text));
    reply.into_iter().chain(selected).collect()
}

fn close(open: &mut Option<Open>, entries: &mut Vec<Entry>) {
    let reply = open.take().and_then(Open::into_reply);
    entries.extend(reply.map(Entry::Reply));
}
