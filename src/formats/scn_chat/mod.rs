//! SCN Chat, whose messages are records of the AT Protocol: a document with the conversation and
//! its messages, a bare array of records, or JSON Lines with a record on each. Pictures, files and
//! outputs that are too long for a record stand in `blobs/` beside the file, by their content id.

mod blobs;
mod branches;
mod message;
mod parts;
#[cfg(test)]
mod tests;

use crate::model::{Conversation, Entry};
use crate::source::{File, Source};

use super::problems::Problems;
use super::records::{self, Json, Object, each_record};
use super::{Claim, Format, Head, Reading, Role, Shape};
use blobs::Blobs;
use message::Message;
use parts::Losses;

/// Reads SCN Chat's conversations.
pub(super) struct ScnChat;

impl Format for ScnChat {
    fn name(&self) -> &'static str {
        "scn_chat"
    }

    fn program(&self) -> &'static str {
        "SCN Chat"
    }

    fn recognises(&self, head: &Head) -> bool {
        head.records.iter().any(|record| {
            let messages = record.get("messages").map(Shape::items).unwrap_or_default();
            [std::slice::from_ref(record), record.items(), messages]
                .into_iter()
                .flatten()
                .any(is_message)
        })
    }

    /// A single line may be one record as well.
    fn is_document(&self, head: &Head) -> bool {
        head.document && !head.records.iter().any(is_message)
    }

    fn claim(&self, file: &File, _: &Head) -> Claim {
        let folder = match file.folder() {
            "" => "blobs".to_owned(),
            folder => format!("{folder}/blobs"),
        };
        Claim {
            key: file.name.clone(),
            role: Role::Main,
            own_folder: Some(folder),
        }
    }

    fn read(&self, source: &Source) -> Reading {
        let mut problems = Problems::of(&source.main);
        let mut saved = Saved::default();
        let mut blobs = Blobs::of(source);
        if super::is_document(self, source) {
            let kept = records::kept_document(&source.main, &["messages"], &mut problems);
            if let Some(kept) = kept {
                saved.document(&kept.json, &mut blobs);
                let gaps = kept.gaps.into_iter();
                saved.gaps = gaps.map(|(at, gap)| (at, Entry::Notice(gap))).collect();
                let odd = saved.losses.odd_times;
                if odd > 0 {
                    problems.warn(None, format!("unreadable timestamps: {odd}"));
                }
            }
        } else {
            saved.lines(source, &mut blobs, &mut problems);
        }
        blobs.report(&mut problems);
        let conversation = saved.into_conversation(&mut problems);
        Reading {
            conversation,
            problems: problems.into_vec(),
        }
    }
}

/// A record is wrapped with its key, or with its address as the protocol lists it, or stands bare.
fn is_message(shape: &Shape) -> bool {
    let is_record = |record: &Shape| record.has(&["role", "content", "createdAt"]);
    let has_parts = |record: &Shape| {
        record.get("content").is_some_and(|content| {
            content.get("parts").is_some() || content.get("ciphertext").is_some()
        })
    };
    if let Some(record) = shape.get("record").or_else(|| shape.get("value")) {
        // Deep in a document the content is out of sight.
        let content = record.get("content");
        return is_record(record)
            && (content == Some(&Shape::Unseen) || has_parts(record))
            && (shape.get("key").is_some() || shape.get("uri").is_some());
    }
    is_record(shape) && has_parts(shape)
}

/// What a file holds.
#[derive(Debug, Default)]
struct Saved {
    id: String,
    title: Option<String>,
    messages: Vec<Message>,
    losses: Losses,
    /// Lines that could not be read, each with the number of messages before it.
    gaps: Vec<(usize, Entry)>,
}

impl Saved {
    /// One value: an object with messages in it, or an array of them.
    fn document(&mut self, json: &str, blobs: &mut Blobs<'_>) {
        let whole = Object::parse(json);
        let messages: Vec<Json<'_>> = match &whole {
            Ok(whole) => whole.items("messages"),
            // What is kept is sound.
            Err(_) => Json::parse(json).map(records::items).unwrap_or_default(),
        };
        if let Some(conversation) = whole.ok().and_then(|whole| whole.object("conversation")) {
            self.conversation(&conversation);
        }
        for message in messages {
            self.record(&Object::of(message).unwrap_or_default(), blobs);
        }
    }

    /// A record on each line.
    fn lines(&mut self, source: &Source, blobs: &mut Blobs<'_>, problems: &mut Problems) {
        let mut lines = Vec::new();
        let extent = each_record(&source.main, problems, &mut |record, problems| {
            self.record(&Object::parse(record.json)?, blobs);
            if std::mem::take(&mut self.losses.odd_times) > 0 {
                problems.warn(record.line, "unreadable timestamp");
            }
            lines.push((record.line, self.messages.len()));
            Ok(())
        });
        let gaps = extent.gaps.iter().map(|gap| (gap.first, gap.notice()));
        for (line, notice) in gaps.chain(extent.cut.zip(extent.cut_notice())) {
            let before = lines.partition_point(|(read, _)| *read < line);
            let messages = before.checked_sub(1).map_or(0, |last| lines[last].1);
            self.gaps.push((messages, Entry::Notice(notice)));
        }
    }

    fn conversation(&mut self, conversation: &Object<'_>) {
        self.title = self.title.take().or(conversation.words("title"));
        if self.id.is_empty() {
            self.id = conversation.string("uri");
        }
    }

    /// One record, wrapped or bare.
    fn record(&mut self, outer: &Object<'_>, blobs: &mut Blobs<'_>) {
        let wrapped = outer.object("record").or_else(|| outer.object("value"));
        let record = wrapped.as_ref().unwrap_or(outer);
        if record.has("role") {
            let key = outer.words("key").unwrap_or_else(|| {
                // An address ends with the record's key.
                let uri = outer.string("uri");
                uri.rsplit('/').next().unwrap_or_default().to_owned()
            });
            let message = Message::of(key, record, blobs, &mut self.losses);
            self.messages.push(message);
        } else if record.words("title").is_some() {
            self.conversation(record);
        } else {
            let kind = parts::kind(record).unwrap_or_else(|| "unknown record".to_owned());
            *self.losses.unshown.entry(kind).or_default() += 1;
        }
    }

    fn into_conversation(self, problems: &mut Problems) -> Option<Conversation> {
        if self.messages.is_empty() {
            if !problems.any_warning() {
                problems.note(None, "no messages");
            }
            return None;
        }
        Some(Conversation {
            id: self.id,
            title: self.title,
            program: ScnChat.program().to_owned(),
            entries: branches::in_order(self.messages, self.gaps, problems),
            unshown: self.losses.unshown,
            ..Conversation::default()
        })
    }
}
