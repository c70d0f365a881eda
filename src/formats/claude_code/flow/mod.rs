//! Rows in their order become prompts, replies and what stands between them. A reply is all that
//! the assistant did until a person (or another agent) spoke again.

mod commands;
mod replies;

use std::collections::HashMap;

use crate::formats::branches::Step;
use crate::model::{
    Author, Body, Entry, Notice, NoticeKind, Part, Prompt, TextFile, Timestamp, Usage,
};

use super::pairing::Pairs;
use super::row::{Row, Speech, What};
use super::wrappers::Piece;

use commands::Typed;
use replies::Open;

/// What a conversation's flow needs beside its rows.
pub(super) struct Context<'a> {
    /// Results and notices by call.
    pub(super) pairs: Pairs,
    /// Tokens by message, each taken once.
    pub(super) usage: HashMap<String, Usage>,
    /// Finds an output that was saved in a file of its own.
    pub(super) saved: &'a dyn Fn(&str) -> TextFile,
    /// Whether a parent agent wrote the prompts.
    pub(super) is_agent: bool,
}

/// The entries of a conversation.
pub(super) fn entries(steps: Vec<Step>, rows: &mut [Row], context: &mut Context<'_>) -> Vec<Entry> {
    let mut flow = Flow {
        rows,
        context,
        entries: Vec::new(),
        reply: None,
        waiting: Vec::new(),
        command: None,
        previous: None,
        model: String::new(),
        queued: Vec::new(),
    };
    flow.run(steps);
    flow.entries
}

struct Flow<'a, 'b> {
    rows: &'a mut [Row],
    context: &'a mut Context<'b>,
    entries: Vec<Entry>,
    reply: Option<Open>,
    /// Notices that came after the reply's last part: in it when it goes on, else after it.
    waiting: Vec<Notice>,
    command: Option<Typed>,
    /// When the record before was written.
    previous: Option<Timestamp>,
    model: String,
    /// Hashes of messages that were typed while the reply was at work.
    queued: Vec<u64>,
}

impl Flow<'_, '_> {
    fn run(&mut self, steps: Vec<Step>) {
        for step in steps {
            match step {
                Step::Row(at) => {
                    let row = std::mem::take(&mut self.rows[at]);
                    let time = row.time;
                    self.row(row);
                    self.previous = time.or(self.previous);
                }
                Step::Versions(versions) => self.versions(versions),
            }
        }
        self.close_reply();
        self.close_command();
    }

    /// Puts branches that were left where they were left.
    fn versions(&mut self, versions: Vec<Vec<Step>>) {
        self.close_reply();
        self.close_command();
        let around = std::mem::take(&mut self.entries);
        let (previous, model) = (self.previous, self.model.clone());
        let versions: Vec<Vec<Entry>> = versions
            .into_iter()
            .map(|steps| {
                self.run(steps);
                self.previous = previous;
                self.model.clone_from(&model);
                std::mem::take(&mut self.entries)
            })
            .filter(|version| !version.is_empty())
            .collect();
        self.entries = around;
        if !versions.is_empty() {
            self.entries.push(Entry::Versions(versions));
        }
    }

    fn row(&mut self, mut row: Row) {
        match std::mem::take(&mut row.what) {
            What::Said(speech) => self.said(row, speech),
            What::Wrote(message) => self.wrote(row, message),
            What::Remark { notice, .. } => {
                self.close_command();
                if notice.kind == NoticeKind::ModelChange {
                    // It says which model comes next.
                    self.model.clear();
                }
                self.notice(notice.at(row.time));
            }
            What::Divider(notice) => {
                self.close_reply();
                self.close_command();
                self.entries.push(Entry::Notice(notice.at(row.time)));
            }
            What::Summary(words) => self.summary(words, row.time),
            What::Given(file) => match self.entries.last_mut() {
                Some(Entry::Prompt(prompt)) if self.reply.is_none() => {
                    prompt.parts.push(Part::File(file));
                }
                _ => {
                    let title = format!("File {}", file.name);
                    let body = Body::Output(file.text.unwrap_or_default());
                    let notice = Notice::new(NoticeKind::Context, title).with_body(body);
                    self.notice(notice.at(row.time));
                }
            },
            What::Took(ms) => {
                if let Some(open) = &mut self.reply {
                    let before = open.reply.ms.unwrap_or_default();
                    open.reply.ms = Some(before.saturating_add(ms)).filter(|ms| *ms > 0);
                    open.ended = true;
                }
            }
            What::Ended => {
                if let Some(open) = &mut self.reply {
                    open.ended = true;
                }
            }
            What::Queue { .. } | What::Hidden => {}
        }
    }

    /// The summary of earlier messages belongs to the divider before it.
    fn summary(&mut self, words: String, time: Option<Timestamp>) {
        self.close_reply();
        self.close_command();
        let body = Body::Prose(words);
        if let Some(Entry::Notice(notice)) = self.entries.last_mut()
            && notice.kind == NoticeKind::Compaction
            && notice.body.is_none()
        {
            notice.body = Some(body);
            return;
        }
        let title = "Earlier messages were summarised";
        let notice = Notice::new(NoticeKind::Compaction, title).with_body(body);
        self.entries.push(Entry::Notice(notice.at(time)));
    }

    fn said(&mut self, row: Row, speech: Speech) {
        let time = row.time;
        for outcome in speech.outcomes {
            self.orphan(outcome, time);
        }
        if speech.injected {
            return self.injected(speech.pieces, time);
        }
        if speech.pieces.is_empty() {
            // The results that it carried belong to calls of the reply.
            if let Some(open) = &mut self.reply {
                open.reply.end = time.or(open.reply.end);
            }
            return;
        }
        let any = |kind: fn(&Piece) -> bool| speech.pieces.iter().any(kind);
        let human = any(|piece| matches!(piece, Piece::Part(_) | Piece::From { .. }));
        if !any(|piece| matches!(piece, Piece::Output(_))) {
            self.close_command();
        }
        if human && !speech.queued && self.queued.contains(&speech.words) {
            // It was shown when it was typed.
            return self.queued.retain(|words| *words != speech.words);
        }
        let mut prompt = Prompt {
            id: row.uuid,
            time,
            queued: speech.queued,
            author: if self.context.is_agent {
                Author::Agent(None)
            } else {
                Author::Person
            },
            ..Prompt::default()
        };
        for piece in speech.pieces {
            self.piece(piece, &mut prompt, human);
        }
        if prompt.parts.is_empty() {
            for notice in prompt.asides {
                self.notice(notice);
            }
        } else {
            self.prompt(prompt);
            if speech.queued {
                self.queued.push(speech.words);
            }
        }
    }

    fn piece(&mut self, piece: Piece, prompt: &mut Prompt, human: bool) {
        let time = prompt.time;
        match piece {
            Piece::Part(part) => prompt.parts.push(part),
            Piece::Notice(notice) if human => prompt.asides.push(notice.at(time)),
            Piece::Notice(notice) if notice.kind == NoticeKind::Compaction => {
                let words = notice.body.map(|body| body.text().to_owned());
                self.summary(words.unwrap_or_default(), time);
            }
            Piece::Notice(notice) => self.notice(notice.at(time)),
            Piece::Stop(notice) => {
                self.close_command();
                let notice = notice.at(time);
                let Some(open) = &mut self.reply else {
                    return self.notice(notice);
                };
                open.stopped = true;
                let before = self.waiting.drain(..).chain([notice]);
                open.reply.parts.extend(before.map(Part::Notice));
            }
            Piece::Command(command) => {
                self.close_reply();
                self.close_command();
                self.command = Some(Typed {
                    command,
                    output: String::new(),
                    id: prompt.id.clone(),
                    time,
                });
            }
            Piece::Output(output) => self.output(&output, time),
            Piece::From {
                agent,
                summary,
                text,
            } => {
                let summary = summary.map(|line| Notice::new(NoticeKind::Info, line).at(time));
                self.prompt(Prompt {
                    id: prompt.id.clone(),
                    time,
                    author: Author::Agent(Some(agent)),
                    parts: vec![Part::Text(text)],
                    asides: summary.into_iter().collect(),
                    ..Prompt::default()
                });
            }
        }
    }

    fn prompt(&mut self, prompt: Prompt) {
        self.close_reply();
        self.close_command();
        self.queued.clear();
        self.entries.push(Entry::Prompt(prompt));
    }

    /// Puts a notice into the flow: with the prompt that it follows, in the reply, or between.
    fn notice(&mut self, notice: Notice) {
        use NoticeKind::{Context, Hook, Reminder};
        if self.reply.is_some() {
            self.waiting.push(notice);
        } else if let Some(Entry::Prompt(prompt)) = self.entries.last_mut()
            && self.command.is_none()
            && matches!(notice.kind, Context | Hook | Reminder)
        {
            prompt.asides.push(notice);
        } else {
            self.entries.push(Entry::Notice(notice));
        }
    }
}
