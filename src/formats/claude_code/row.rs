//! One line of a session, decoded.

use crate::formats::branches::{Link, Parent};
use crate::model::{Attachment, Notice, Part, SourceLink, Timestamp, Usage};

use super::outcome::Outcome;
use super::report::Report;
use super::wrappers::Piece;

/// One record.
#[derive(Debug, Default)]
pub(super) struct Row {
    /// Its line, counted from 1.
    pub(super) line: u64,
    /// Its id; empty when it has none.
    pub(super) uuid: String,
    /// The id of the record that it follows; empty when there is none.
    pub(super) parent: String,
    /// When it was written.
    pub(super) time: Option<Timestamp>,
    /// The subagent that it belongs to, when it stands in another conversation's file.
    pub(super) side: Option<Side>,
    /// What it says.
    pub(super) what: What,
}

impl Row {
    /// A notice that stands by itself.
    pub(super) fn remark(line: u64, notice: Notice) -> Self {
        Row {
            line,
            what: What::Remark {
                notice,
                call: String::new(),
            },
            ..Row::default()
        }
    }
}

/// How a subagent's record names its subagent.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Side {
    /// The agent's id; empty when it is not said.
    pub(super) agent: String,
    /// The call that started it; empty when it is not said.
    pub(super) call: String,
}

/// What a record says.
#[derive(Debug, Default)]
pub(super) enum What {
    /// A user message.
    Said(Speech),
    /// An assistant message, or a part of one.
    Wrote(Message),
    /// Something of the program.
    Remark {
        /// What is shown.
        notice: Notice,
        /// The call that it is about; empty when there is none.
        call: String,
    },
    /// Earlier messages were summarised here.
    Divider(Notice),
    /// The summary of earlier messages.
    Summary(String),
    /// A file that was handed over with the message before.
    Given(Attachment),
    /// The turn took so many milliseconds.
    Took(u64),
    /// The turn came to its end.
    Ended,
    /// A message was put into, or taken from, the queue.
    Queue {
        /// What was done.
        operation: String,
        /// The message.
        speech: Speech,
    },
    /// Nothing that is shown: a link in the chain.
    #[default]
    Hidden,
}

/// A user message.
#[derive(Debug, Default)]
pub(super) struct Speech {
    /// What it consists of, results apart.
    pub(super) pieces: Vec<Piece>,
    /// Results of calls.
    pub(super) outcomes: Vec<Outcome>,
    /// What the program recorded about one of several results.
    pub(super) report: Option<Box<Report>>,
    /// A hash of all its words.
    pub(super) words: u64,
    /// Whether the program wrote it.
    pub(super) injected: bool,
    /// The call for which the program wrote it; empty when there is none.
    pub(super) call: String,
    /// Whether it was typed while the assistant was at work.
    pub(super) queued: bool,
}

/// An assistant message, or a part of one.
#[derive(Debug, Default)]
pub(super) struct Message {
    /// The message's id, shared by its lines; empty when it has none.
    pub(super) id: String,
    /// The model; empty when it is not said.
    pub(super) model: String,
    /// Its content.
    pub(super) parts: Vec<Part>,
    /// Results of tools that the vendor's server ran.
    pub(super) outcomes: Vec<Outcome>,
    /// Pages that it cites.
    pub(super) sources: Vec<SourceLink>,
    /// Tokens of the whole message so far.
    pub(super) usage: Option<Usage>,
    /// Why it ended; empty when it is not said.
    pub(super) stop: String,
    /// Whether the program wrote it in the model's place.
    pub(super) synthetic: bool,
    /// Whether it says that the vendor's server failed.
    pub(super) failed: bool,
}

impl Row {
    /// How it hangs together with the others. Parallel calls fork too, and so do hooks: a branch
    /// is what a person went on from.
    pub(super) fn link(&self) -> Link<'_> {
        Link {
            line: self.line,
            id: &self.uuid,
            parent: Parent::of(&self.parent),
            counts: self.is_prompt(),
        }
    }

    /// Whether a person, or another agent, speaks here.
    pub(super) fn is_prompt(&self) -> bool {
        let What::Said(speech) = &self.what else {
            return false;
        };
        !speech.injected
            && speech
                .pieces
                .iter()
                .any(|piece| matches!(piece, Piece::Part(_) | Piece::From { .. }))
    }
}
