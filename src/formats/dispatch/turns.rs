//! From rows to prompts and replies: every call becomes one card with its result folded in,
//! wherever in the conversation the two stand.

use std::collections::BTreeSet;

use super::rows::{Chunk, Row};
use crate::formats::pairs::Pairs;
use crate::formats::problems::Problems;
use crate::model::{Body, Entry, Notice, NoticeKind, Part, Prompt, Reasoning, Reply};

/// What is said in one conversation, and which steps each of its replies took.
#[derive(Debug, Default)]
pub(super) struct Turns {
    pub(super) entries: Vec<Entry>,
    /// For each reply, in order, the ids of its steps.
    pub(super) steps: Vec<BTreeSet<String>>,
    /// The reply that is being given; it joins the entries when the next prompt comes.
    open: Option<Reply>,
}

/// Builds prompts and replies from rows that are in order. Every conversation numbers its rows
/// from 1, so that a row's number is no id without `conversation`, the id of the whole.
pub(super) fn turns(conversation: &str, mut rows: Vec<Row>, problems: &mut Problems) -> Turns {
    let mut pairs = pairs(&mut rows);
    let mut turns = Turns::default();
    // The number that should come next; none after lines that could not be read.
    let mut next = Some(1);
    for row in rows {
        if let Some(seq) = row.seq {
            if let Some(missing) = next.and_then(|next| gap(next, seq)) {
                problems.note(row.line, format!("no {missing} in this file"));
                let title = format!("Not in this file: {missing}");
                turns.notice(Notice::new(NoticeKind::Info, title));
            }
            next = Some(seq.saturating_add(1));
        }
        let id = match row.seq {
            Some(seq) if !conversation.is_empty() => format!("{conversation}/{seq}"),
            _ => String::new(),
        };
        match row.chunk {
            Chunk::Text(text) if row.role == "user" => turns.said(id, text),
            Chunk::Text(text) if row.role == "system" => turns.notice(system(text)),
            Chunk::System(text) => turns.notice(system(text)),
            Chunk::Text(text) => turns.part(id, Part::Text(text)),
            Chunk::Thinking(text) => turns.part(
                id,
                Part::Reasoning(Reasoning {
                    text,
                    ..Reasoning::default()
                }),
            ),
            Chunk::Call(call) => {
                if let Some(card) = pairs.card(call.id, call.tool, call.input) {
                    turns.part(id, Part::Tool(Box::new(card)));
                }
                turns.step(call.step);
            }
            Chunk::Result(outcome) => {
                if let Some(card) = pairs.orphan(outcome.id, outcome.tool, outcome.result) {
                    turns.part(id, Part::Tool(Box::new(card)));
                    turns.step(outcome.step);
                }
            }
            Chunk::Error { message, code } => turns.part(id, Part::Error { message, code }),
            Chunk::Unknown { kind, json } => {
                let title = format!("Unknown chunk: {kind}");
                turns.notice(Notice::new(NoticeKind::Unknown, title).with_body(Body::Data(json)));
            }
            Chunk::Unreadable(notice) => {
                turns.notice(notice);
                next = None;
            }
        }
    }
    turns.close();
    turns
}

/// Gathers what belongs to the same call over all rows. The results move: they may be long.
fn pairs(rows: &mut [Row]) -> Pairs {
    let mut pairs = Pairs::default();
    for row in rows {
        match &mut row.chunk {
            Chunk::Call(call) => pairs.add_call(&call.id, &call.tool, &call.input),
            Chunk::Result(outcome) => {
                let result = outcome.result.take();
                outcome.result = result.and_then(|result| pairs.add_result(&outcome.id, result));
            }
            _ => {}
        }
    }
    pairs
}

/// The rows that are missing before this one, if any are: they are numbered without gaps, so
/// a part of a conversation shows that it is one.
fn gap(next: u64, seq: u64) -> Option<String> {
    let last = seq.checked_sub(1)?;
    Some(match last.checked_sub(next)? {
        0 => format!("row {next}"),
        _ => format!("rows {next}–{last}"),
    })
}

impl Turns {
    /// The words of a person. The rows of one message follow each other; nothing else marks
    /// where it ends.
    fn said(&mut self, id: String, text: String) {
        self.close();
        if let Some(Entry::Prompt(prompt)) = self.entries.last_mut() {
            prompt.parts.push(Part::Text(text));
        } else {
            self.entries.push(Entry::Prompt(Prompt {
                id,
                parts: vec![Part::Text(text)],
                ..Prompt::default()
            }));
        }
    }

    /// A piece of the reply, which begins with it if there is none.
    fn part(&mut self, id: String, part: Part) {
        if self.open.is_none() {
            self.steps.push(BTreeSet::new());
        }
        let reply = self.open.get_or_insert_with(|| Reply {
            id,
            ..Reply::default()
        });
        reply.parts.push(part);
    }

    /// The step that the last piece belongs to.
    fn step(&mut self, step: Option<String>) {
        if self.open.is_some()
            && let (Some(step), Some(steps)) = (step, self.steps.last_mut())
        {
            steps.insert(step);
        }
    }

    /// Within a reply a notice is a part of it, elsewhere it stands alone.
    fn notice(&mut self, notice: Notice) {
        match &mut self.open {
            Some(reply) => reply.parts.push(Part::Notice(notice)),
            None => self.entries.push(Entry::Notice(notice)),
        }
    }

    fn close(&mut self) {
        self.entries.extend(self.open.take().map(Entry::Reply));
    }
}

/// A message of the system: one short line says itself, a longer text is folded.
fn system(text: String) -> Notice {
    let line = text.trim();
    if line.chars().count() <= 100 && !line.contains('\n') && !line.is_empty() {
        return Notice::new(NoticeKind::Info, line);
    }
    Notice::new(NoticeKind::Context, "System message").with_body(Body::Prose(text))
}
