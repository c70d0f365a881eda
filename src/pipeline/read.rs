//! Reads one source, redacts what was read, and keeps what the others must know of it.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::addresses::assign_anchors;
use crate::error::{Problem, Severity};
use crate::formats::{Format, Reading};
use crate::model::Conversation;
use crate::redact::{self, Redactions, Redactor};
use crate::source::Source;

use super::Options;
use super::arrange::{Identity, Known};
use super::secrets;

/// What the first reading of a source keeps.
pub(super) struct Scan {
    pub(super) known: Option<Known>,
    pub(super) problems: Vec<Problem>,
    pub(super) redactions: Redactions,
}

/// Reads a source for the first time.
pub(super) fn scan(
    source: &Source,
    format: &'static dyn Format,
    redactor: &Redactor,
    options: &Options,
) -> Scan {
    let Read {
        conversation,
        mut problems,
        redactions,
    } = read(source, format, redactor, options, None);
    let redactions = redactions.unwrap_or_default();
    let known = conversation
        .map(|(identity, conversation)| Known::of(identity, &conversation, format.name(), source));
    if known.is_none() {
        problems.extend(nothing_shown(source, &problems));
    }
    problems.extend(secrets::places(source, &redactions));
    Scan {
        known,
        problems,
        redactions,
    }
}

/// The problem of a source that gives no page, unless the problems say why. Of a conversation
/// among others a note is enough: exports hold ones in which nobody said anything.
pub(super) fn nothing_shown(source: &Source, problems: &[Problem]) -> Option<Problem> {
    let mut problems = problems.iter();
    let least = match source.part {
        Some(_) => Severity::Note,
        None => Severity::Lost,
    };
    let is_said = problems.any(|problem| problem.severity >= least);
    let what = "nothing in it that could be shown";
    (!is_said).then(|| Problem::new(Severity::Lost, &source.main.path, what))
}

/// A source that was read and redacted.
pub(super) struct Read {
    pub(super) conversation: Option<(Identity, Conversation)>,
    pub(super) problems: Vec<Problem>,
    /// What was taken out, if that is not what was taken out before.
    pub(super) redactions: Option<Redactions>,
}

/// Reads a source and takes out what is not to be published: what was taken out before, when it
/// still is the same. A panic on the way is a problem like any other.
pub(super) fn read(
    source: &Source,
    format: &'static dyn Format,
    redactor: &Redactor,
    options: &Options,
    before: Option<&Redactions>,
) -> Read {
    let read = catch_unwind(AssertUnwindSafe(|| {
        let Reading {
            conversation,
            mut problems,
        } = format.read(source);
        for problem in &mut problems {
            problem.what = redactor.line(&problem.what);
        }
        let mut redactions = None;
        let conversation = conversation.map(|mut conversation| {
            assign_anchors(&mut conversation);
            let identity = Identity::of(&conversation, format.name(), source);
            redactions = match before {
                Some(before) => redact::again(&mut conversation, redactor, before),
                None => Some(redact::conversation(&mut conversation, redactor)),
            };
            if options.live {
                conversation.mark_live();
            }
            (identity, conversation)
        });
        Read {
            conversation,
            problems,
            redactions,
        }
    }));
    read.unwrap_or_else(|_| Read {
        conversation: None,
        problems: vec![failure(source)],
        redactions: None,
    })
}

/// The problem of a panic.
pub(super) fn failure(source: &Source) -> Problem {
    let what = "foldout failed on this file; please report it";
    Problem::new(Severity::Lost, &source.main.path, what)
}
