//! Rows in their order become prompts, replies and what stands between them. A reply is all that
//! the assistant did until a person (or another agent) spoke again.

mod calls;
mod replies;

use crate::model::{Author, Body, Entry, Notice, NoticeKind, Part, Prompt, Timestamp, Usage};

use super::row::{Row, What};
use super::wrappers::Piece;

pub(super) use calls::Calls;
use replies::Open;

/// The entries of a session.
pub(super) fn entries(rows: Vec<Row>, calls: Calls, is_agent: bool) -> Vec<Entry> {
    let mut flow = Flow {
        calls,
        is_agent,
        entries: Vec::new(),
        reply: None,
        waiting: Vec::new(),
        before: Vec::new(),
        model: String::new(),
        tokens: None,
        prompts_in_turn: None,
    };
    for row in rows {
        flow.row(row);
    }
    flow.close_reply();
    let before = flow.before.drain(..).map(Entry::Notice);
    flow.entries.extend(before);
    flow.entries
}

struct Flow {
    calls: Calls,
    /// Whether another agent wrote the prompts.
    is_agent: bool,
    entries: Vec<Entry>,
    reply: Option<Open>,
    /// Notices that came after the reply's last part: in it when it goes on, else after it.
    waiting: Vec<Notice>,
    /// Context that belongs to the next prompt.
    before: Vec<Notice>,
    model: String,
    /// Tokens that no reply was there for.
    tokens: Option<Usage>,
    /// How many prompts the turn has that is going on; `None` between turns.
    prompts_in_turn: Option<u32>,
}

impl Flow {
    fn row(&mut self, row: Row) {
        let time = row.time;
        match row.what {
            What::Said {
                pieces,
                is_injected,
            } => self.said(pieces, is_injected, time),
            What::Told { agent, text } => {
                let agent = Some(agent).filter(|agent| !agent.is_empty());
                self.prompt(Prompt {
                    time,
                    author: Author::Agent(agent),
                    parts: vec![Part::Text(text)],
                    ..Prompt::default()
                });
            }
            What::Wrote { parts, is_final } => self.wrote(parts, is_final, time),
            What::Thought(reasoning) => self.add(Part::Reasoning(reasoning), time),
            What::Call {
                id,
                name,
                input,
                is_running,
            } => {
                if let Some(mut call) = self.calls.card(id, name, input, time) {
                    call.running = is_running && call.result.is_none();
                    self.add(Part::Tool(Box::new(call)), time);
                }
            }
            What::Result { call, result, ms } => match self.calls.orphan(call, *result, ms) {
                Some(call) => self.add(Part::Tool(Box::new(call)), time),
                // It stands in its call's card.
                None => self.went_on(time),
            },
            What::Report { .. } | What::Hidden => {}
            What::Remark(notice) => self.notice(notice.at(time)),
            What::Compacted(notice) => self.divider(notice.at(time)),
            What::Failed { message, code } => {
                self.add(Part::Error { message, code }, time);
            }
            What::Model(model) => {
                if !self.model.is_empty() && self.model != model {
                    let title = format!("Model changed to {model}");
                    let title = crate::figures::one_line(&title, 120);
                    self.notice(Notice::new(NoticeKind::ModelChange, title).at(time));
                }
                self.model = model;
            }
            What::Tokens(usage) => self.count(&usage),
            What::Started => {
                if self.reply.as_ref().is_some_and(|open| open.has_ended) {
                    self.close_reply();
                }
                // The prompt of a turn may stand above its beginning.
                let begun = matches!(self.entries.last(), Some(Entry::Prompt(_)));
                let begun = begun && self.reply.is_none();
                self.prompts_in_turn = Some(u32::from(begun));
            }
            What::Ended { ms, answer, error } => {
                self.ended(ms, answer, error, time);
                self.prompts_in_turn = None;
            }
            What::Stopped { reason, ms } => {
                self.stopped(&reason, ms, time);
                self.prompts_in_turn = None;
            }
            What::TakenBack(prompts) => self.take_back(prompts),
        }
    }

    fn said(&mut self, pieces: Vec<Piece>, is_injected: bool, time: Option<Timestamp>) {
        let is_human = !is_injected && pieces.iter().any(|p| matches!(p, Piece::Part(_)));
        let mut prompt = Prompt {
            time,
            author: if self.is_agent {
                Author::Agent(None)
            } else {
                Author::Person
            },
            ..Prompt::default()
        };
        for piece in pieces {
            match piece {
                Piece::Part(part) if is_human => prompt.parts.push(part),
                Piece::Part(Part::Image(image)) => {
                    let words = image.alt.unwrap_or_default();
                    let notice = Notice::new(NoticeKind::Context, "A picture for the model");
                    self.context(notice.with_body(Body::Prose(words)).at(time));
                }
                Piece::Part(_) => {}
                Piece::Notice(notice) if is_human => prompt.asides.push(notice.at(time)),
                Piece::Notice(notice) if notice.kind == NoticeKind::Context => {
                    self.context(notice.at(time));
                }
                Piece::Notice(notice) => self.notice(notice.at(time)),
                Piece::Stop(words) => self.told_of_stop(words, time),
            }
        }
        if is_human {
            self.prompt(prompt);
        }
    }

    fn prompt(&mut self, mut prompt: Prompt) {
        // What is typed while a turn goes on was queued, but for the prompt that began it.
        if let Some(prompts) = &mut self.prompts_in_turn {
            prompt.queued = *prompts > 0;
            *prompts += 1;
        }
        self.close_reply();
        let own = std::mem::take(&mut prompt.asides);
        prompt.asides = self.before.drain(..).chain(own).collect();
        self.entries.push(Entry::Prompt(prompt));
    }

    /// Context: in the reply that is going on, with the prompt that was just given, else with the
    /// next one.
    fn context(&mut self, notice: Notice) {
        match &self.reply {
            Some(open) if !open.has_ended && !open.is_stopped => self.waiting.push(notice),
            Some(_) => self.before.push(notice),
            None => match self.entries.last_mut() {
                Some(Entry::Prompt(prompt)) => prompt.asides.push(notice),
                _ => self.before.push(notice),
            },
        }
    }

    fn notice(&mut self, notice: Notice) {
        if self.reply.is_some() {
            self.waiting.push(notice);
        } else {
            self.entries.push(Entry::Notice(notice));
        }
    }

    /// What stands between replies: a compaction, the end of a copied history.
    fn divider(&mut self, notice: Notice) {
        self.close_reply();
        // The program writes a compaction as a record and as an event.
        if notice.kind == NoticeKind::Compaction
            && notice.body.is_none()
            && let Some(Entry::Notice(last)) = self.entries.last()
            && last.kind == notice.kind
        {
            return;
        }
        self.entries.push(Entry::Notice(notice));
    }

    /// The latest prompts with all that followed them become a version that was left.
    fn take_back(&mut self, prompts: u64) {
        self.close_reply();
        let is_prompt = |entry: &Entry| matches!(entry, Entry::Prompt(_));
        let places = self.entries.iter().enumerate();
        let places: Vec<usize> = places
            .filter(|(_, entry)| is_prompt(entry))
            .map(|(at, _)| at)
            .collect();
        let Some(most) = places.len().checked_sub(1) else {
            return;
        };
        let Some(back) = prompts
            .checked_sub(1)
            .map(|n| usize::try_from(n).unwrap_or(most))
        else {
            return;
        };
        let left = self.entries.split_off(places[most - back.min(most)]);
        self.entries.push(Entry::Versions(vec![left]));
    }
}
