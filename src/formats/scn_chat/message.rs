//! One record of a message: a prompt or a reply, and where it stands among the others.

use super::blobs::Blobs;
use super::parts::{self, Losses, Parts, time};
use crate::formats::records::{Json, Object};
use crate::model::{
    Body, Entry, Notice, NoticeKind, Part, Prompt, Reply, ReplyStatus, Timestamp, Usage,
};

/// One message.
#[derive(Clone, Debug)]
pub(super) struct Message {
    /// The record's key; empty when it is not known.
    pub(super) key: String,
    /// The key of the message that it follows.
    pub(super) parent: Option<String>,
    /// When it was made.
    pub(super) created: Option<Timestamp>,
    /// What it is on a page.
    pub(super) entry: Entry,
}

impl Message {
    /// The message that a record is.
    pub(super) fn of(
        key: String,
        record: &Object<'_>,
        blobs: &mut Blobs<'_>,
        losses: &mut Losses,
    ) -> Self {
        let created = time(record, "createdAt");
        losses.odd_times += parts::odd_times(record);
        let content = record.object("content").unwrap_or_default();
        let id = key.clone();
        let entry = match record.text("role").as_deref() {
            Some("user") => {
                let read = said(&content, blobs, losses);
                Entry::Prompt(prompt(id, created, read))
            }
            Some("assistant") => {
                let read = said(&content, blobs, losses);
                Entry::Reply(reply(id, created, read, record))
            }
            role => {
                let title = format!("A message of {}", role.unwrap_or("an unknown role"));
                let json = record.get("content").map_or("", Json::get).to_owned();
                let notice = Notice::new(NoticeKind::Unknown, title).with_body(Body::Data(json));
                Entry::Notice(notice.at(created))
            }
        };
        Message {
            parent: record.words("parent"),
            key,
            created,
            entry,
        }
    }
}

/// The parts of a message; an encrypted one has none that can be read.
fn said(content: &Object<'_>, blobs: &mut Blobs<'_>, losses: &mut Losses) -> Parts {
    let encrypted =
        content.has("ciphertext") || parts::kind(content).as_deref() == Some("encryptedContent");
    if encrypted {
        let notice = Notice::new(NoticeKind::Info, "This message is encrypted.");
        return Parts {
            parts: vec![Part::Notice(notice)],
            ..Parts::default()
        };
    }
    parts::parts(&content.items("parts"), blobs, losses)
}

fn prompt(id: String, created: Option<Timestamp>, read: Parts) -> Prompt {
    let cited = |source: crate::model::SourceLink| {
        let title = match source.title {
            Some(title) => format!("{title}: {}", source.url),
            None => source.url,
        };
        Notice::new(NoticeKind::Info, title)
    };
    Prompt {
        id,
        time: created,
        parts: read.parts,
        asides: read.sources.into_iter().map(cited).collect(),
        ..Prompt::default()
    }
}

fn reply(id: String, created: Option<Timestamp>, read: Parts, record: &Object<'_>) -> Reply {
    let start = time(record, "startedAt").or(created);
    let end = time(record, "endedAt");
    let took = || parts::between(start?, end?);
    Reply {
        id,
        start,
        end,
        ms: record.count("durationMs").or_else(took),
        models: model(record).into_iter().collect(),
        status: match record.text("status").as_deref() {
            Some("pending") => ReplyStatus::Pending,
            Some("complete") => ReplyStatus::Complete,
            Some("error") => ReplyStatus::Error,
            Some("cancelled") => ReplyStatus::Cancelled,
            // A status that is not known is neither pending nor finished.
            _ => ReplyStatus::Unknown,
        },
        parts: read.parts,
        sources: read.sources,
        error: record.words("error"),
        usage: record.object("usage").map(|usage| {
            let count = |key| usage.count(key).unwrap_or_default();
            Usage {
                input: count("inputTokens"),
                output: count("outputTokens"),
                reasoning: count("reasoningTokens"),
                ..Usage::default()
            }
        }),
        ..Reply::default()
    }
}

/// The model with the effort that it was asked for.
fn model(record: &Object<'_>) -> Option<String> {
    let id = record.object("model")?.words("id")?;
    Some(Reply::model_name(id, record.words("effort").as_deref()))
}
