//! Reads one source, redacts what was read, and keeps what the others must know of it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use crate::addresses::assign_anchors;
use crate::error::{Problem, Severity};
use crate::formats::{Format, Reading};
use crate::model::{Conversation, Entry, NoticeKind};
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
        problems.extend(nothing_shown(source, &problems, options));
    }
    problems.extend(secrets::places(source, &redactions));
    Scan {
        known,
        problems,
        redactions,
    }
}

/// The problem of a source that gives no page. Where the reader says why, as when nobody said
/// anything, that is enough; but of a file that was named somebody wants to see something.
pub(super) fn nothing_shown(
    source: &Source,
    problems: &[Problem],
    options: &Options,
) -> Option<Problem> {
    let path = Path::new(&source.main.path);
    let is_named = source.part.is_none() && options.inputs.iter().any(|input| input == path);
    let worst = problems.iter().map(|problem| problem.severity).max();
    let severity = match worst {
        None => Severity::Lost,
        // Who named the format as well is told of a mistake.
        Some(Severity::Note) if is_named && options.format.is_some() => Severity::Lost,
        Some(Severity::Note) if is_named => Severity::Warning,
        Some(_) => return None,
    };
    let what = "nothing in it that could be shown";
    Some(Problem::new(severity, &source.main.path, what))
}

/// Whether anything of a conversation is more than the mark of a record that nobody knows, as when
/// a file is read by the wrong reader.
fn says_anything(conversation: &Conversation) -> bool {
    let is_unknown = |entry: &Entry| match entry {
        Entry::Notice(notice) => notice.kind == NoticeKind::Unknown,
        _ => false,
    };
    !conversation.children.is_empty() || !conversation.entries.iter().all(is_unknown)
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
        let conversation = conversation.filter(|conversation| {
            let says_anything = says_anything(conversation);
            if !says_anything {
                let what = "no record in it is one that this format has";
                problems.push(Problem::new(Severity::Lost, &source.main.path, what));
            }
            says_anything
        });
        let mut redactions = None;
        let conversation = conversation.map(|mut conversation| {
            assign_anchors(&mut conversation);
            // One folder is one group, however a program writes it.
            if let Some(project) = &mut conversation.project {
                let end = project.trim_end_matches('/').len();
                project.truncate(end.max(1));
            }
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
