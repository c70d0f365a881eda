//! From a source's files to one conversation.

use std::collections::BTreeMap;

use crate::figures;
use crate::formats::Reading;
use crate::formats::branches::{self, Counts, Link};
use crate::formats::problems::Problems;
use crate::model::{Agent, Conversation, Entry, Notice, NoticeKind, Part};
use crate::source::{File, Source};

use super::agents::{self, Member};
use super::details::Run;
use super::flow;
use super::row::{Follows, Kept, Row, What};
use super::transcript::Transcript;

/// Reads a source of this program.
pub(in crate::formats) fn read(source: &Source, program: &str) -> Reading {
    let mut problems = vec![Problems::of(&source.main)];
    let mut main = converse(&source.main, source, false, &mut problems[0]);
    let mut members = Vec::new();
    for file in &source.members {
        let mut own = Problems::of(file);
        let mut member = converse(file, source, true, &mut own);
        problems.push(own);
        member.conversation.program = program.to_owned();
        if !member.conversation.entries.is_empty() {
            members.push(member);
        }
    }
    main.conversation.program = program.to_owned();
    finish(agents::attach(main, members), problems)
}

/// A conversation with nothing to read in it is none.
fn finish(conversation: Conversation, problems: Vec<Problems>) -> Reading {
    Reading::settled(conversation, problems, |notice| {
        matches!(
            notice.kind,
            NoticeKind::Unknown | NoticeKind::ModelChange | NoticeKind::Info
        ) && notice.body.is_none()
    })
}

/// One file of a source. `is_member` says whether it stands in the folder of another.
fn converse(file: &File, source: &Source, is_member: bool, problems: &mut Problems) -> Member {
    let mut transcript = Transcript::of(file, source, problems);
    transcript.note_missing(problems);
    note_open_calls(&transcript.rows, problems);
    count_kept(&mut transcript.rows);
    let mut counts = Counts::default();
    let links: Vec<Link<'_>> = transcript.rows.iter().map(Row::link).collect();
    let steps = branches::arrange(&links, &mut counts, problems);
    counts.note(problems);
    let agent = transcript.agent.take();
    let is_agent = is_member || agent.is_some();
    let path = agents::path(file);
    let (mut entries, runs) = flow::entries(steps, &mut transcript, path, is_agent);
    if let Some(origin) = &transcript.origin {
        let name = origin.rsplit(['/', '\\']).next().unwrap_or(origin);
        let title = format!("Forked from {name}");
        entries.insert(0, Entry::Notice(Notice::new(NoticeKind::Info, title)));
    }
    let id = match (is_member, transcript.id.as_str()) {
        (false, id) if !id.is_empty() => id.to_owned(),
        // A subagent is known by the name of its file.
        _ => file.stem().to_owned(),
    };
    let [now, at_first, last] = transcript.titles;
    let conversation = Conversation {
        id,
        title: now.or(last).or(at_first),
        project: transcript.project,
        agent: is_agent.then(|| Agent {
            kind: agent
                .as_ref()
                .map(|agent| agent.kind.clone())
                .unwrap_or_default(),
            description: None,
        }),
        entries,
        cost_usd: Some(transcript.cost).filter(|cost| *cost > 0.0),
        unshown: transcript.unshown,
        ..Conversation::default()
    };
    transcript.blobs.report(problems);
    Member {
        conversation,
        path: path.to_owned(),
        folder: file.folder().to_owned(),
        task: agent.map(|agent| agent.task).unwrap_or_default(),
        runs,
    }
}

/// Says how many calls have no result, and which results have no call.
fn note_open_calls(rows: &[Row], problems: &mut Problems) {
    let mut calls: BTreeMap<&str, bool> = BTreeMap::new();
    for row in rows {
        if let What::Wrote(message) = &row.what {
            for part in &message.parts {
                if let Part::Tool(call) = part {
                    calls.insert(&call.id, false);
                }
            }
        }
    }
    for row in rows {
        let own = match &row.what {
            What::Wrote(message) => &message.outcomes[..],
            What::Result(outcome) => std::slice::from_ref(outcome.as_ref()),
            _ => &[],
        };
        for outcome in own {
            match calls.get_mut(outcome.call.as_str()) {
                Some(answered) => *answered = true,
                None => {
                    let id = super::transcript::name(&outcome.call);
                    problems.warn(row.line, format!("result for unknown call {id}"));
                }
            }
        }
    }
    let counts = Counts {
        open_calls: calls.values().filter(|answered| !**answered).count(),
        ..Counts::default()
    };
    counts.note(problems);
}

/// Says in the words of each summary how many messages before it were kept beside it.
fn count_kept(rows: &mut [Row]) {
    let by_id: BTreeMap<String, usize> = rows
        .iter()
        .enumerate()
        .filter(|(_, row)| !row.id.is_empty())
        .map(|(at, row)| (row.id.clone(), at))
        .collect();
    for at in 0..rows.len() {
        let What::Divider(_, kept) = &rows[at].what else {
            continue;
        };
        let first = match kept {
            Kept::Unknown => None,
            Kept::Id(id) => by_id.get(id).copied(),
            Kept::Index(index) => usize::try_from(*index).ok().filter(|index| *index < at),
        };
        let Some(first) = first else {
            continue;
        };
        let count = kept_between(rows, &by_id, first, at);
        if let What::Divider(notice, _) = &mut rows[at].what
            && let Some(count) = count.filter(|count| *count > 0)
        {
            let kept = match count {
                1 => "the last message kept".to_owned(),
                count => format!("the last {} messages kept", figures::count(count)),
            };
            notice.title = match notice.title.strip_suffix(')') {
                Some(title) => format!("{title}, {kept})"),
                None => format!("{} ({kept})", notice.title),
            };
        }
    }
}

/// How many messages are on the way from a row up to the one that is kept first; `None` when it
/// is not on the way, as in a file that was cut by hand.
fn kept_between(
    rows: &[Row],
    by_id: &BTreeMap<String, usize>,
    first: usize,
    from: usize,
) -> Option<u64> {
    let mut count = 0;
    let mut at = from;
    // A circle of links has no way.
    for _ in 0..rows.len() {
        at = match &rows[at].follows {
            Follows::Before => at.checked_sub(1)?,
            Follows::Id(id) => *by_id.get(id)?,
        };
        count += u64::from(rows[at].is_message());
        if at == first {
            return Some(count);
        }
    }
    None
}

/// The subagents that a conversation's calls started, by the calls' ids.
pub(super) type Runs = BTreeMap<String, Vec<Run>>;
