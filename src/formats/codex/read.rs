//! From a source's files to one conversation.

use std::collections::BTreeSet;

use crate::formats::Reading;
use crate::formats::problems::Problems;
use crate::model::{Agent, Conversation, NoticeKind, Timestamp};
use crate::source::{File, Source};

use super::flow::{self, Calls};
use super::forks::{self, Origin};
use super::row::{Row, What};
use super::transcript::Transcript;
use super::wrappers::{self, Piece};
use super::{agents, echoes, names};

/// Reads a source. `is_document` says whether its main file is one JSON document.
pub(super) fn read(source: &Source, is_document: bool) -> Reading {
    let mut problems = Problems::of(&source.main);
    let transcript = if is_document {
        Transcript::of_document(&source.main, &mut problems)
    } else {
        Transcript::of_lines(&source.main, &mut problems)
    };
    let own = forks::items(&transcript.rows);
    let parent = source.origin.as_ref().map(items_of);
    let mut conversation = converse(transcript, parent, &mut problems);
    // A fork has its parent's name in its copy of the history, so the index goes first.
    let name = names::name_of(&conversation.id, source);
    conversation.title = name.or(conversation.title);
    let mut problems = vec![problems];
    let mut found = Vec::new();
    for member in &source.members {
        let mut its = Problems::of(member);
        let transcript = Transcript::of_lines(member, &mut its);
        let mut child = converse(transcript, Some(own.clone()), &mut its);
        child.agent.get_or_insert_with(Agent::default);
        problems.push(its);
        if !child.entries.is_empty() {
            found.push(child);
        }
    }
    let conversation = agents::attach(conversation, found);
    finish(conversation, problems)
}

/// The items of the session that this one was forked from.
fn items_of(file: &File) -> BTreeSet<u64> {
    // What is wrong with that file is said where it is read for itself.
    let mut problems = Problems::of(file);
    forks::items(&Transcript::of_lines(file, &mut problems).rows)
}

/// One session out of its rows.
fn converse(
    mut transcript: Transcript,
    parent: Option<BTreeSet<u64>>,
    problems: &mut Problems,
) -> Conversation {
    let mut rows = std::mem::take(&mut transcript.rows);
    let meta = transcript.meta.unwrap_or_default();
    date(&mut rows, meta.made);
    echoes::pair(&mut rows);
    let origin = Origin {
        id: meta.forked_from.clone().or(transcript.copied_from),
        items: parent,
        made: meta.made,
    };
    let is_agent = meta.agent.is_some();
    let copied = forks::settle(&mut rows, &origin);
    echoes::measure(&mut rows, copied);
    add_instructions(&mut rows, meta.instructions);
    let mut unshown = transcript.unshown;
    if meta.has_system_prompt {
        unshown.insert("system prompt".to_owned(), 1);
    }
    let project = folder(&rows);
    let calls = Calls::gather(&mut rows, problems);
    Conversation {
        id: meta.id,
        title: transcript.title,
        program: super::PROGRAM.to_owned(),
        version: meta.version,
        project: meta.project.or(project),
        branch: meta.branch,
        agent: meta.agent,
        entries: flow::entries(rows, calls, is_agent),
        unshown,
        ..Conversation::default()
    }
}

/// The oldest files have one moment, that of their beginning: it is that of all rows up to the
/// first that says something.
fn date(rows: &mut [Row], made: Option<i64>) {
    let made = made.and_then(|ms| Timestamp::from_millisecond(ms).ok());
    if rows.iter().any(|row| row.time.is_some()) {
        return;
    }
    for row in rows {
        row.time = made;
        if forks::is_telling(row) || matches!(row.what, What::Thought(_)) {
            return;
        }
    }
}

/// The folder of the work, for files that name it to the model alone.
fn folder(rows: &[Row]) -> Option<String> {
    let notices = rows.iter().take(50).flat_map(|row| match &row.what {
        What::Said { pieces, .. } => pieces.as_slice(),
        _ => &[],
    });
    let mut bodies = notices.filter_map(|piece| match piece {
        Piece::Notice(notice) if notice.title == wrappers::ENVIRONMENT => notice.body.as_ref(),
        _ => None,
    });
    bodies.find_map(|body| {
        let lines = body.text().lines().map(str::trim);
        let mut folders = lines.filter_map(|line| {
            let old = line.strip_prefix("Current working directory: ");
            old.or_else(|| line.strip_prefix("<cwd>")?.strip_suffix("</cwd>"))
        });
        folders.next().map(str::to_owned)
    })
}

/// Puts the person's instructions before all else, unless a message repeats them.
fn add_instructions(rows: &mut Vec<Row>, instructions: Option<String>) {
    let Some(instructions) = instructions else {
        return;
    };
    let words = instructions.trim();
    let is_there = |row: &Row| {
        let What::Said { pieces, .. } = &row.what else {
            return false;
        };
        pieces.iter().any(|piece| {
            let body = match piece {
                Piece::Notice(notice) => notice.body.as_ref(),
                _ => None,
            };
            body.is_some_and(|body| body.text().contains(words))
        })
    };
    if rows.iter().take(50).any(is_there) {
        return;
    }
    let said = What::Said {
        pieces: vec![Piece::Notice(wrappers::folded("Instructions", words))],
        is_injected: true,
    };
    let first = Row {
        what: said,
        ..Row::default()
    };
    rows.insert(0, first);
}

/// A conversation with nothing to read in it is none.
fn finish(conversation: Conversation, problems: Vec<Problems>) -> Reading {
    Reading::settled(conversation, problems, |notice| {
        matches!(notice.kind, NoticeKind::Unknown | NoticeKind::Context) && notice.body.is_none()
    })
}
