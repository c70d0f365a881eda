//! One record of a session, decoded.

use crate::formats::branches::{Link, Parent};
use crate::model::{Notice, Part, Prompt, Timestamp, Usage};

use super::outcome::Outcome;

/// One record.
#[derive(Debug, Default)]
pub(super) struct Row {
    /// Its line, counted from 1.
    pub(super) line: u64,
    /// Its id; empty when it has none.
    pub(super) id: String,
    /// The record that it follows.
    pub(super) follows: Follows,
    /// When it was written: a message once it was whole.
    pub(super) time: Option<Timestamp>,
    /// What it says.
    pub(super) what: What,
}

/// The record that another follows.
#[derive(Debug, Default)]
pub(super) enum Follows {
    /// The one before it in the file.
    #[default]
    Before,
    /// The one of this id.
    Id(String),
}

/// What a record says.
#[derive(Debug, Default)]
pub(super) enum What {
    /// A message of the person, or of the parent agent.
    Said(Box<Prompt>),
    /// Files that were handed over with the message before.
    Given(Vec<Part>),
    /// A message of the assistant.
    Wrote(Box<Message>),
    /// The result of a call.
    Result(Box<Outcome>),
    /// Something of the program.
    Remark(Notice),
    /// The flow breaks here: earlier messages were summarised, or put away.
    Divider(Notice, Kept),
    /// Another model was chosen.
    Model(String),
    /// Another level of thinking was chosen.
    Level(String),
    /// Nothing that is shown: a link in the chain.
    #[default]
    Hidden,
}

/// The first record that a summary did not replace.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) enum Kept {
    /// It is not said.
    #[default]
    Unknown,
    /// The one of this id.
    Id(String),
    /// The one of this index, the header's being 0.
    Index(u64),
}

/// A message of the assistant.
#[derive(Debug, Default)]
pub(super) struct Message {
    /// When the model was asked for it.
    pub(super) asked: Option<Timestamp>,
    /// The model; empty when it is not said.
    pub(super) model: String,
    /// Text, reasoning, calls without their results.
    pub(super) parts: Vec<Part>,
    /// Results of tools that the vendor's server ran.
    pub(super) outcomes: Vec<Outcome>,
    /// Its tokens.
    pub(super) usage: Option<Usage>,
    /// How it ended.
    pub(super) stop: Stop,
}

/// How a message of the assistant ended.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) enum Stop {
    /// It is not said, or calls are to be made.
    #[default]
    Open,
    /// It was whole.
    Done,
    /// It was as long as it may be.
    TooLong,
    /// The person stopped it; what the program says of it beyond that.
    Stopped(Option<String>),
    /// It failed so.
    Failed(String),
}

impl Row {
    /// How it hangs together with the others. Every entry can be a branch: only a person who goes
    /// back to an earlier one gives it a second follower. What has no id is no entry, or of a
    /// file without branches.
    pub(super) fn link(&self) -> Link<'_> {
        Link {
            line: self.line,
            id: &self.id,
            parent: match &self.follows {
                Follows::Before => Parent::Before,
                Follows::Id(id) => Parent::Id(id),
            },
            counts: !self.id.is_empty(),
        }
    }

    /// Whether it is a message that the model was shown.
    pub(super) fn is_message(&self) -> bool {
        matches!(self.what, What::Said(_) | What::Wrote(_) | What::Result(_))
    }
}
