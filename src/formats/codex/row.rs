//! One record of a session, decoded.

use crate::model::{Details, Input, Notice, Part, Reasoning, Timestamp, ToolResult, Usage};

use super::wrappers::Piece;

/// One record.
#[derive(Debug, Default)]
pub(super) struct Row {
    /// Its line, counted from 1.
    pub(super) line: u64,
    /// When it was written.
    pub(super) time: Option<Timestamp>,
    /// A hash of it, when it is an item of the model's history: a fork copies these.
    pub(super) copied: Option<u64>,
    /// When its turn began, in milliseconds since 1970, when its turn's id says so.
    pub(super) turn: Option<i64>,
    /// What it says twice: as an item of the history and as an event.
    pub(super) echo: Option<Echo>,
    /// What it says.
    pub(super) what: What,
}

impl Row {
    /// A notice that stands by itself.
    pub(super) fn remark(line: u64, notice: Notice) -> Self {
        Row {
            line,
            what: What::Remark(notice),
            ..Row::default()
        }
    }
}

/// Words that stand in a file as an item of the history and, mostly, as an event as well.
#[derive(Debug)]
pub(super) struct Echo {
    /// Whose words they are.
    pub(super) voice: Voice,
    /// Whether this is the event.
    pub(super) is_event: bool,
    /// Hashes of the words: of the whole, and of pieces that may stand for it.
    pub(super) hashes: Vec<u64>,
    /// Whether the other one was found.
    pub(super) is_paired: bool,
    /// When the event was written, which is when the words came; items are written in batches.
    pub(super) event_time: Option<Timestamp>,
}

impl Echo {
    /// Words that were not compared yet.
    pub(super) fn new(voice: Voice, is_event: bool, hashes: Vec<u64>) -> Self {
        Self {
            voice,
            is_event,
            hashes,
            is_paired: false,
            event_time: None,
        }
    }
}

/// Whose words they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Voice {
    /// A person's prompt.
    Person,
    /// The assistant's text.
    Assistant,
    /// The assistant's reasoning.
    Thought,
}

/// What a record says.
#[derive(Debug, Default)]
pub(super) enum What {
    /// A message in the person's name.
    Said {
        /// What it consists of.
        pieces: Vec<Piece>,
        /// Whether the program wrote it.
        is_injected: bool,
    },
    /// Another agent wrote.
    Told {
        /// The agent.
        agent: String,
        /// Its words.
        text: String,
    },
    /// The assistant wrote.
    Wrote {
        /// Its text and pictures.
        parts: Vec<Part>,
        /// Whether it is the turn's answer; `None` when that is not said.
        is_final: Option<bool>,
    },
    /// The assistant thought.
    Thought(Reasoning),
    /// A tool was called.
    Call {
        /// The call's id; empty when it has none.
        id: String,
        /// The tool.
        name: String,
        /// What it was given.
        input: Input,
        /// Whether the record itself says that it still runs.
        is_running: bool,
    },
    /// A call's result.
    Result {
        /// The call's id.
        call: String,
        /// The result.
        result: Box<ToolResult>,
        /// How long the call took, in milliseconds.
        ms: Option<u64>,
    },
    /// What an event says of a call.
    Report {
        /// The call's id.
        call: String,
        /// What it says.
        report: Box<Report>,
    },
    /// Something of the program.
    Remark(Notice),
    /// Earlier messages were summarised here.
    Compacted(Notice),
    /// An error.
    Failed {
        /// What it says.
        message: String,
        /// The vendor's code.
        code: Option<String>,
    },
    /// This model answers from here on.
    Model(String),
    /// Tokens since the count before.
    Tokens(Usage),
    /// A turn began.
    Started,
    /// A turn came to its end.
    Ended {
        /// How long it took, in milliseconds.
        ms: Option<u64>,
        /// The answer, as the event repeats it.
        answer: Option<String>,
        /// What went wrong.
        error: Option<String>,
    },
    /// A turn was stopped.
    Stopped {
        /// Why, in the program's word.
        reason: String,
        /// How long it took, in milliseconds.
        ms: Option<u64>,
    },
    /// So many of the latest prompts, with their replies, were taken back.
    TakenBack(u64),
    /// Nothing that is shown.
    #[default]
    Hidden,
}

/// What events say of a call beyond its item and its result.
#[derive(Debug, Default)]
pub(super) struct Report {
    /// The tool and its input, for a call that no item has.
    pub(super) call: Option<(String, Input)>,
    /// The result, for a call that has none.
    pub(super) result: Option<ToolResult>,
    /// Facts for the result.
    pub(super) details: Details,
    /// How long the call took, in milliseconds.
    pub(super) ms: Option<u64>,
    /// Whether it failed or was refused.
    pub(super) has_failed: bool,
    /// What the program said about the call.
    pub(super) notices: Vec<Notice>,
}

impl Report {
    /// Adds what a later event says of the same call.
    pub(super) fn add(&mut self, other: Report) {
        self.call = self.call.take().or(other.call);
        self.result = other.result.or(self.result.take());
        self.ms = other.ms.or(self.ms);
        self.has_failed |= other.has_failed;
        self.notices.extend(other.notices);
        merge(&mut self.details, other.details);
    }
}

/// Fills in the facts that are not known yet.
pub(super) fn merge(details: &mut Details, other: Details) {
    details.exit_code = details.exit_code.or(other.exit_code);
    details.timed_out |= other.timed_out;
    details.interrupted |= other.interrupted;
    details.truncated |= other.truncated;
    details.background = details.background.take().or(other.background);
    if details.patches.is_empty() {
        details.patches = other.patches;
    }
    details.hits = details.hits.take().or(other.hits);
    if details.answers.is_empty() {
        details.answers = other.answers;
    }
    details.agent = details.agent.take().or(other.agent);
}
