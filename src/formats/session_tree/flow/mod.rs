//! Rows in their order become prompts, replies and what stands between them. A reply is all that
//! the assistant did until a person spoke again.

mod calls;
mod replies;

use std::collections::{BTreeMap, HashMap};

use crate::formats::branches::Step;
use crate::formats::pairs::Pairs;
use crate::model::{Author, Entry, Notice, NoticeKind, Prompt, Timestamp};

use super::details::Run;
use super::outcome::More;
use super::row::{Row, What};
use super::transcript::Transcript;

use replies::Open;

/// The entries of a session, and the subagents that its calls started, by the calls' ids.
pub(super) fn entries(
    steps: Vec<Step>,
    transcript: &mut Transcript<'_>,
    folder: &str,
    is_agent: bool,
) -> (Vec<Entry>, BTreeMap<String, Vec<Run>>) {
    let (pairs, more) = calls::gather(&mut transcript.rows);
    let (model, level) = std::mem::take(&mut transcript.settings);
    let mut flow = Flow {
        transcript,
        pairs,
        more,
        runs: BTreeMap::new(),
        folder,
        is_agent,
        entries: Vec::new(),
        reply: None,
        waiting: Vec::new(),
        model: Setting::of(model),
        level: Setting::of(level),
    };
    flow.run(steps);
    (flow.entries, flow.runs)
}

struct Flow<'a, 'b> {
    transcript: &'a mut Transcript<'b>,
    pairs: Pairs,
    /// What results tell of their calls, by the calls' ids.
    more: HashMap<String, More>,
    runs: BTreeMap<String, Vec<Run>>,
    /// The session's own folder.
    folder: &'a str,
    is_agent: bool,
    entries: Vec<Entry>,
    reply: Option<Open>,
    /// Notices that came after the reply's last part: in it when it goes on, else after it.
    waiting: Vec<Notice>,
    model: Setting,
    level: Setting,
}

/// A setting that may be changed several times before it has an effect.
#[derive(Clone, Debug, Default)]
struct Setting {
    /// What it is; empty when that is not known yet.
    now: String,
    /// What was chosen last, and when.
    chosen: Option<(String, Option<Timestamp>)>,
}

impl Setting {
    fn of(now: String) -> Self {
        Setting { now, chosen: None }
    }

    /// Takes up what was chosen; what it is then, if that is another than it was.
    fn settle(&mut self) -> Option<(String, Option<Timestamp>)> {
        let (chosen, time) = self.chosen.take()?;
        if chosen == self.now {
            return None;
        }
        let is_first = self.now.is_empty();
        self.now.clone_from(&chosen);
        (!is_first).then_some((chosen, time))
    }
}

impl Flow<'_, '_> {
    fn run(&mut self, steps: Vec<Step>) {
        for step in steps {
            match step {
                Step::Row(at) => {
                    let row = std::mem::take(&mut self.transcript.rows[at]);
                    if let Some(label) = self.transcript.labels.remove(&row.id) {
                        let title = format!("Label: {label}");
                        self.notice(Notice::new(NoticeKind::Info, title).at(row.time));
                    }
                    self.row(row);
                }
                Step::Versions(versions) => self.versions(versions),
            }
        }
        self.settle();
        self.close_reply();
    }

    /// Puts branches that were left where they were left.
    fn versions(&mut self, versions: Vec<Vec<Step>>) {
        self.settle();
        self.close_reply();
        let around = std::mem::take(&mut self.entries);
        let (model, level) = (self.model.clone(), self.level.clone());
        let versions: Vec<Vec<Entry>> = versions
            .into_iter()
            .map(|steps| {
                self.run(steps);
                self.model.clone_from(&model);
                self.level.clone_from(&level);
                std::mem::take(&mut self.entries)
            })
            .filter(|version| !version.is_empty())
            .collect();
        self.entries = around;
        if !versions.is_empty() {
            self.entries.push(Entry::Versions(versions));
        }
    }

    fn row(&mut self, row: Row) {
        match row.what {
            What::Said(prompt) => self.said(row.id, *prompt, row.time),
            What::Given(parts) => match self.entries.last_mut() {
                Some(Entry::Prompt(prompt)) if self.reply.is_none() => prompt.parts.extend(parts),
                _ => self.prompt(Prompt {
                    id: row.id,
                    time: row.time,
                    parts,
                    ..Prompt::default()
                }),
            },
            What::Wrote(message) => self.wrote(&row.id, *message, row.time),
            What::Result(outcome) => self.result(*outcome, row.time),
            What::Remark(notice) => {
                let time = notice.time.or(row.time);
                self.notice(notice.at(time));
            }
            What::Divider(notice, _) => {
                self.settle();
                self.close_reply();
                let time = notice.time.or(row.time);
                self.entries.push(Entry::Notice(notice.at(time)));
            }
            What::Model(model) => self.model.chosen = Some((model, row.time)),
            What::Level(level) => self.level.chosen = Some((level, row.time)),
            What::Hidden => {}
        }
    }

    /// Says which settings were changed since the last message.
    fn settle(&mut self) {
        if let Some((model, time)) = self.model.settle() {
            let title = format!("Model changed to {model}");
            self.notice(Notice::new(NoticeKind::ModelChange, title).at(time));
        }
        if let Some((level, time)) = self.level.settle() {
            let title = format!("Thinking level: {level}");
            self.notice(Notice::new(NoticeKind::Info, title).at(time));
        }
    }

    fn said(&mut self, id: String, mut prompt: Prompt, written: Option<Timestamp>) {
        if prompt.parts.is_empty() {
            prompt
                .asides
                .drain(..)
                .for_each(|notice| self.notice(notice));
            return;
        }
        prompt.id = id;
        prompt.time = prompt.time.or(written);
        if self.is_agent && prompt.author == Author::Person {
            prompt.author = Author::Agent(None);
        }
        self.prompt(prompt);
    }

    fn prompt(&mut self, prompt: Prompt) {
        self.settle();
        self.close_reply();
        self.entries.push(Entry::Prompt(prompt));
    }

    /// Puts a notice into the flow: with the prompt that it follows, in the reply, or between.
    fn notice(&mut self, notice: Notice) {
        use NoticeKind::{Context, Hook, Reminder};
        if self.reply.is_some() {
            self.waiting.push(notice);
        } else if let Some(Entry::Prompt(prompt)) = self.entries.last_mut()
            && matches!(notice.kind, Context | Hook | Reminder)
        {
            prompt.asides.push(notice);
        } else {
            self.entries.push(Entry::Notice(notice));
        }
    }
}
