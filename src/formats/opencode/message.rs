//! What is said of a session, and of a message apart from its parts.

use crate::formats::records::{Json, Object};
use crate::formats::times;
use crate::model::{Timestamp, Usage};

use super::part::Piece;

/// What is said of a session.
#[derive(Debug, Default)]
pub(super) struct Info {
    /// The id of the session in which a call started this one; empty when there is none.
    pub(super) parent: String,
    /// The title; empty when it is only the program's stand-in for one.
    pub(super) title: String,
    /// The folder that was worked in.
    pub(super) directory: Option<String>,
    /// The program's version.
    pub(super) version: Option<String>,
    /// From where on the conversation was undone.
    pub(super) undone: Option<Undone>,
}

/// Where what was undone begins.
#[derive(Debug, Default)]
pub(super) struct Undone {
    /// The first message.
    pub(super) message: String,
    /// Its first part that is undone; empty for all of it.
    pub(super) part: String,
}

/// A message.
#[derive(Debug, Default)]
pub(super) struct Message {
    /// Its id.
    pub(super) id: String,
    /// Who wrote it.
    pub(super) role: Role,
    /// When it was begun.
    pub(super) created: Option<Timestamp>,
    /// When it was done.
    pub(super) completed: Option<Timestamp>,
    /// The agent, or mode, that it was written to or by; empty when it is not said.
    pub(super) agent: String,
    /// The model; empty when it is not said.
    pub(super) model: String,
    /// Whether it sums up the messages before it.
    pub(super) is_summary: bool,
    /// Why the model ended; empty when it is not said.
    pub(super) finish: String,
    /// What went wrong.
    pub(super) failure: Option<Failure>,
    /// Its tokens, as the message itself says them.
    pub(super) usage: Option<Usage>,
    /// Its cost in US dollars, as the message itself says it.
    pub(super) cost: Option<f64>,
    /// Instructions that were given with it.
    pub(super) system: String,
    /// Its parts with their ids, in order.
    pub(super) parts: Vec<(String, Piece)>,
    /// Whether it was taken out of the session.
    pub(super) is_removed: bool,
    /// Whether something is known of it beyond its parts.
    pub(super) is_known: bool,
}

/// Who wrote a message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Role {
    /// The person, or a parent agent.
    User,
    /// The model. What is printed without its messages is the model's.
    #[default]
    Assistant,
}

/// What went wrong with a message.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Failure {
    /// The program's name for it.
    pub(super) name: String,
    /// What it says.
    pub(super) words: String,
}

impl Failure {
    /// Whether the person stopped it.
    pub(super) fn is_stop(&self) -> bool {
        self.name == "MessageAbortedError"
    }

    /// How a page says it.
    pub(super) fn told(self) -> String {
        if self.name.is_empty() || self.words == self.name {
            return self.words;
        }
        format!("{}: {}", self.name, self.words)
    }

    /// Reads an `error`.
    pub(super) fn of(error: &Object<'_>) -> Self {
        let data = error.object("data").unwrap_or_default();
        let name = error.string("name");
        let words = data.words("message").or_else(|| error.words("message"));
        let status = data.count("statusCode");
        let words = match (words, status) {
            (Some(words), Some(status)) => format!("{words} (status {status})"),
            (Some(words), None) => words,
            (None, _) if name == "MessageOutputLengthError" => {
                "The model reached the limit of its output".to_owned()
            }
            (None, _) if name.is_empty() => "An error without words".to_owned(),
            (None, _) => name.clone(),
        };
        Failure { name, words }
    }
}

impl Info {
    /// Reads what is said of a session.
    pub(super) fn of(info: &Object<'_>) -> Self {
        let title = info.string("title");
        // A stand-in has the time behind it.
        let is_stand_in = ["New session - ", "Child session - "].iter().any(|start| {
            title
                .strip_prefix(start)
                .is_some_and(|t| times::parse(t).is_some())
        });
        let undone = info.object("revert").map(|revert| Undone {
            message: revert.string("messageID"),
            part: revert.string("partID"),
        });
        Info {
            parent: info.string("parentID"),
            title: if is_stand_in { String::new() } else { title },
            directory: info.words("directory"),
            version: info.words("version").filter(|version| version != "unknown"),
            undone: undone.filter(|undone| !undone.message.is_empty()),
        }
    }
}

impl Message {
    /// Takes over what is said of a message; its parts stay.
    pub(super) fn describe(&mut self, info: &Object<'_>) {
        let time = info.object("time").unwrap_or_default();
        let model = info.object("model").unwrap_or_default();
        let name = |key: &str| info.words(key).or_else(|| model.words(key));
        let mode = || info.words("mode");
        self.role = match info.text("role").as_deref() {
            Some("user") => Role::User,
            _ => Role::Assistant,
        };
        self.created = time.get("created").and_then(moment).or(self.created);
        self.completed = time.get("completed").and_then(moment);
        self.agent = info.words("agent").or_else(mode).unwrap_or_default();
        self.model = name("modelID").unwrap_or_default();
        self.is_summary = info.flag("summary");
        self.finish = info.string("finish");
        self.failure = info.object("error").map(|error| Failure::of(&error));
        self.usage = info.object("tokens").and_then(|tokens| usage(&tokens));
        self.cost = cost(info);
        // What the model is told each time was a list.
        self.system = info.string("system");
        self.is_known = true;
    }
}

/// A moment; faults are none.
pub(super) fn moment(value: Json<'_>) -> Option<Timestamp> {
    times::read(value).ok().flatten()
}

/// A cost in US dollars; `None` for nothing and for what cannot be.
pub(super) fn cost(object: &Object<'_>) -> Option<f64> {
    let cost: f64 = object.get("cost")?.get().parse().ok()?;
    (cost.is_finite() && cost > 0.0).then_some(cost)
}

/// The tokens of a message or a step; `None` when there are none.
pub(super) fn usage(tokens: &Object<'_>) -> Option<Usage> {
    let cache = tokens.object("cache").unwrap_or_default();
    let count = |object: &Object<'_>, key: &str| object.count(key).unwrap_or_default();
    let mut usage = Usage {
        input: count(tokens, "input"),
        output: count(tokens, "output"),
        cache_read: count(&cache, "read"),
        cache_write: count(&cache, "write"),
        reasoning: count(tokens, "reasoning"),
    };
    // Some versions count reasoning beside the output, some within it: the sum tells.
    let beside = usage.total().saturating_add(usage.reasoning);
    let is_beside = match tokens.count("total") {
        Some(total) => total == beside,
        None => usage.reasoning > usage.output,
    };
    if is_beside {
        usage.output = usage.output.saturating_add(usage.reasoning);
    }
    (usage != Usage::default()).then_some(usage)
}
