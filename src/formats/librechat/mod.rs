//! LibreChat: a conversation's export, with its messages in a list or each below the one that it
//! follows, and the messages of its database, one on each line.

mod citations;
mod flat;
mod message;
mod parts;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use crate::error::Problem;
use crate::model::{Body, Conversation, Entry, Notice, NoticeKind, Timestamp};
use crate::source::{At, Part, Source};

use super::chat::{Losses, Message, in_order};
use super::problems::Problems;
use super::records::{Object, deep_document, each_record};
use super::{Format, Head, Reading, Shape};

/// Reads LibreChat's exports.
pub(super) struct LibreChat;

impl Format for LibreChat {
    fn name(&self) -> &'static str {
        "librechat"
    }

    fn program(&self) -> &'static str {
        "LibreChat"
    }

    fn recognises(&self, head: &Head) -> bool {
        head.records.iter().any(|record| {
            let messages = ["messages", "messagesTree"].map(|key| record.get(key));
            let mut messages = messages.into_iter().flatten().flat_map(Shape::items);
            let is_export = record.text("conversationId").is_some();
            is_message(record) || (is_export && messages.any(is_message))
        })
    }

    fn is_document(&self, head: &Head) -> bool {
        head.document && !head.records.iter().any(is_message)
    }

    fn parts(&self, source: &Source) -> Result<Vec<Part>, Problem> {
        if super::is_document(self, source) {
            return Ok(Vec::new());
        }
        let mut ids: BTreeSet<String> = BTreeSet::new();
        let mut order: Vec<Part> = Vec::new();
        each_record(
            &source.main,
            &mut Problems::of(&source.main),
            &mut |record, _| {
                let id = Object::parse(record.json)?.string("conversationId");
                if ids.insert(id.clone()) {
                    order.push(Part {
                        at: At::Key(id),
                        size: source.main.size,
                    });
                }
                Ok(())
            },
        );
        Ok(if order.len() > 1 { order } else { Vec::new() })
    }

    fn read(&self, source: &Source) -> Reading {
        let mut problems = Problems::of_source(source);
        let mut read = Saved::default();
        if super::is_document(self, source) {
            if let Some(json) = deep_document(&source.main, &mut problems) {
                read.document(&json);
            }
        } else {
            read.lines(source, &mut problems);
        }
        let conversation = read.into_conversation(&mut problems);
        Reading {
            conversation,
            problems: problems.into_vec(),
        }
    }
}

fn is_message(shape: &Shape) -> bool {
    shape.has(&["messageId", "isCreatedByUser"])
        && (shape.has(&["parentMessageId"]) || shape.has(&["conversationId"]))
}

/// What a file holds.
#[derive(Default)]
struct Saved {
    id: String,
    title: Option<String>,
    model: Option<String>,
    /// What the assistant was told for the whole conversation.
    instructions: Option<String>,
    /// The messages, each with its time.
    messages: Vec<(Option<Timestamp>, Message)>,
    /// What stands for lines that could not be read.
    gaps: Vec<Entry>,
    losses: Losses,
}

impl Saved {
    fn document(&mut self, json: &str) {
        let nested = flat::messages(json);
        let outer = Object::parse(&nested.rest).unwrap_or_default();
        self.id = outer.string("conversationId");
        self.title = outer.words("title");
        if let Some(options) = outer.object("options") {
            self.model = options.words("model");
            self.instructions = options.words("promptPrefix");
        }
        for one in &nested.messages {
            if let Ok(object) = Object::parse(&one.json) {
                let above = one.above.and_then(|at| nested.messages.get(at));
                let above = above.and_then(|above| Object::parse(&above.json).ok());
                self.message(&object, above.map(|above| above.string("messageId")));
            }
        }
    }

    fn lines(&mut self, source: &Source, problems: &mut Problems) {
        let wanted = match &source.part {
            Some(Part {
                at: At::Key(id), ..
            }) => Some(id.as_str()),
            _ => None,
        };
        let extent = each_record(&source.main, problems, &mut |record, _| {
            let object = Object::parse(record.json)?;
            let id = object.string("conversationId");
            if wanted.is_none_or(|wanted| wanted == id) {
                self.id = id;
                self.message(&object, None);
            }
            Ok(())
        });
        let notices = extent.notices().map(|(_, notice)| notice);
        self.gaps.extend(notices.map(Entry::Notice));
    }

    /// One message; where it does not name the one that it follows, that is the one above it.
    fn message(&mut self, object: &Object<'_>, above: Option<String>) {
        let time = message::time(object, &mut self.losses);
        let entries = message::entries(object, time, self.model.as_deref(), &mut self.losses);
        let named = object.words("parentMessageId").or(above);
        let is_root = |id: &String| id.chars().all(|c| matches!(c, '0' | '-'));
        let message = Message {
            id: object.string("messageId"),
            parent: named.filter(|id| !is_root(id)),
            entries,
        };
        self.messages.push((time, message));
    }

    fn into_conversation(mut self, problems: &mut Problems) -> Option<Conversation> {
        self.losses.report(problems);
        if self.messages.is_empty() {
            problems.note(None, "no messages");
            return None;
        }
        // The last of siblings is shown, and they are made in the order of their times.
        self.messages.sort_by_key(|(time, _)| *time);
        let messages = self.messages.into_iter().map(|(_, message)| message);
        let told = self.instructions.map(|text| {
            let notice = Notice::new(NoticeKind::Context, "Instructions for this conversation");
            Entry::Notice(notice.with_body(Body::Prose(text)))
        });
        let mut entries: Vec<Entry> = told.into_iter().collect();
        entries.extend(in_order(messages.collect(), None, problems));
        entries.extend(self.gaps);
        Some(Conversation {
            id: self.id,
            title: self.title,
            program: LibreChat.program().to_owned(),
            entries,
            unshown: self.losses.unshown,
            ..Conversation::default()
        })
    }
}
