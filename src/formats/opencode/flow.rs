//! Messages in their order become prompts, replies and what stands between them. The model's
//! message is one step; a reply is all of its steps until the person speaks again.

use std::collections::BTreeMap;

use crate::model::{
    Author, Body, Entry, Input, Notice, NoticeKind, Part, Prompt, Reply, ReplyStatus, Timestamp,
    Usage,
};

use super::message::{Message, Role};
use super::part::Piece;
use super::prompt::{self, Spoken};
use super::saved::Session;

/// What a session's messages came to.
#[derive(Debug, Default)]
pub(super) struct Told {
    /// Prompts, replies and what stands between them.
    pub(super) entries: Vec<Entry>,
    /// The cost in US dollars of all messages, those that were undone too.
    pub(super) cost: f64,
    /// Tokens of summaries, which are no replies.
    pub(super) other_usage: Option<Usage>,
    /// Parts that are not shown, by kind.
    pub(super) unshown: BTreeMap<String, u64>,
}

/// Tells a session. `is_agent` says whether a parent agent wrote its prompts.
pub(super) fn tell(session: Session, is_agent: bool) -> Told {
    let mut flow = Flow {
        is_agent,
        ..Flow::default()
    };
    let mut notices = session.notices.into_iter().peekable();
    let mut messages = session.messages;
    let undone = match &session.info.undone {
        Some(undone) => split(&mut messages, &undone.message, &undone.part),
        None => Vec::new(),
    };
    let last = messages.iter().rposition(|message| !message.is_removed);
    let mut left = Vec::new();
    for (at, message) in messages.into_iter().enumerate() {
        while let Some((_, notice)) = notices.next_if(|(before, _)| *before <= at) {
            flow.notice(notice);
        }
        if message.is_removed {
            left.push(message);
            continue;
        }
        flow.leave(std::mem::take(&mut left), None);
        // What was undone came to its end.
        let is_last = last == Some(at) && undone.is_empty();
        flow.message(message, is_last);
    }
    for (_, notice) in notices {
        flow.notice(notice);
    }
    flow.leave(left, None);
    flow.leave(undone, Some("What follows was undone"));
    flow.close();
    flow.told
}

/// Takes away the messages from this one on, and of it the parts from this one on when it is
/// named.
fn split(messages: &mut Vec<Message>, first: &str, part: &str) -> Vec<Message> {
    let Some(at) = messages.iter().position(|message| message.id == first) else {
        return Vec::new();
    };
    let message = &mut messages[at];
    let kept = message.parts.iter().position(|(id, _)| id == part);
    let Some(kept) = kept.filter(|kept| !part.is_empty() && *kept > 0) else {
        return messages.split_off(at);
    };
    let parts = message.parts.split_off(kept);
    let rest = Message {
        id: message.id.clone(),
        role: message.role,
        created: message.created,
        model: message.model.clone(),
        failure: message.failure.take(),
        finish: std::mem::take(&mut message.finish),
        completed: message.completed,
        parts,
        is_known: message.is_known,
        ..Message::default()
    };
    let mut undone = vec![rest];
    undone.extend(messages.drain(at + 1..));
    undone
}

#[derive(Default)]
struct Flow {
    told: Told,
    is_agent: bool,
    reply: Option<Reply>,
    /// The agent and the model that spoke last, and the last instructions.
    agent: String,
    model: String,
    system: String,
    /// When the model's last message was done.
    done: Option<Timestamp>,
}

impl Flow {
    /// Puts messages that were left where they were left.
    fn leave(&mut self, messages: Vec<Message>, why: Option<&str>) {
        if messages.is_empty() {
            return;
        }
        self.close();
        let around = std::mem::take(&mut self.told.entries);
        let spoke = (self.agent.clone(), self.model.clone(), self.done);
        for message in messages {
            self.message(message, false);
        }
        self.close();
        (self.agent, self.model, self.done) = spoke;
        let left = std::mem::replace(&mut self.told.entries, around);
        if left.is_empty() {
            return;
        }
        if let Some(why) = why {
            let notice = Notice::new(NoticeKind::Info, why);
            self.told.entries.push(Entry::Notice(notice));
        }
        self.told.entries.push(Entry::Versions(vec![left]));
    }

    fn message(&mut self, mut message: Message, is_last: bool) {
        match message.role {
            Role::User => {
                let spoken = prompt::read(&mut message);
                self.said(&message, spoken);
            }
            Role::Assistant if message.is_summary => self.summary(message),
            Role::Assistant => self.wrote(message, is_last),
        }
    }

    fn said(&mut self, message: &Message, mut spoken: Spoken) {
        let time = message.created;
        for kind in spoken.hidden.drain(..) {
            self.hide(kind);
        }
        if let Some(auto) = spoken.compaction {
            self.close();
            let title = match auto {
                true => "Earlier messages were summarised, as there was no room for more",
                false => "Earlier messages were summarised",
            };
            let notice = Notice::new(NoticeKind::Compaction, title).at(time);
            self.told.entries.push(Entry::Notice(notice));
        }
        if spoken.parts.is_empty() {
            if spoken.is_command() {
                self.close();
            }
            for notice in spoken.asides {
                self.notice(notice.at(time));
            }
            return;
        }
        self.close();
        self.change_agent(&message.agent, time);
        if !message.system.is_empty() && message.system != self.system {
            let notice = Notice::new(NoticeKind::Context, "Instructions for the model");
            let body = Body::Prose(message.system.clone());
            spoken.asides.push(notice.with_body(body));
            self.system.clone_from(&message.system);
        }
        let asides = spoken.asides.into_iter();
        self.told.entries.push(Entry::Prompt(Prompt {
            id: message.id.clone(),
            time,
            author: match self.is_agent {
                true => Author::Agent(None),
                false => Author::Person,
            },
            queued: time.is_some() && time < self.done,
            parts: spoken.parts,
            asides: asides
                .map(|notice| match notice.time {
                    None => notice.at(time),
                    Some(_) => notice,
                })
                .collect(),
            ..Prompt::default()
        }));
    }

    /// Says when another agent is spoken to. That a conversation begins with the usual one goes
    /// without saying.
    fn change_agent(&mut self, agent: &str, time: Option<Timestamp>) {
        let is_usual = self.agent.is_empty() && (agent == "build" || self.is_agent);
        if !agent.is_empty() && agent != self.agent {
            if !is_usual {
                let title = format!("Agent: {agent}");
                self.notice(Notice::new(NoticeKind::Info, title).at(time));
            }
            self.agent = agent.to_owned();
        }
    }

    /// The summary of earlier messages belongs to the divider before it.
    fn summary(&mut self, message: Message) {
        self.close();
        let mut words = Vec::new();
        let time = message.created;
        let failure = message.failure.map(|failure| failure.words);
        let mut spent = Spent::default();
        for (_, piece) in message.parts {
            match piece {
                Piece::Text { words: text, .. } => words.push(text),
                Piece::Step { usage, cost, .. } => spent.step(usage, cost),
                Piece::Hidden(kind) => self.hide(kind),
                _ => {}
            }
        }
        let (usage, cost) = spent.of_message(message.usage, message.cost);
        self.told.cost += cost;
        if let Some(usage) = usage {
            self.told.other_usage.get_or_insert_default().add(&usage);
        }
        words.extend(failure);
        let body = Body::Prose(words.join("\n\n"));
        if let Some(Entry::Notice(notice)) = self.told.entries.last_mut()
            && notice.kind == NoticeKind::Compaction
            && notice.body.is_none()
        {
            notice.body = Some(body).filter(|body| !body.text().trim().is_empty());
            return;
        }
        let title = "Earlier messages were summarised";
        let notice = Notice::new(NoticeKind::Compaction, title).with_body(body);
        self.told.entries.push(Entry::Notice(notice.at(time)));
    }

    fn wrote(&mut self, message: Message, is_last: bool) {
        let time = message.created;
        if self.is_agent || self.agent.is_empty() {
            self.agent.clone_from(&message.agent);
        }
        if !message.model.is_empty() && message.model != self.model {
            if !self.model.is_empty() {
                let title = format!("Model changed to {}", message.model);
                self.notice(Notice::new(NoticeKind::ModelChange, title).at(time));
            }
            self.model.clone_from(&message.model);
        }
        let (state, end) = state(&message, is_last);
        let mut reply = self.reply.take().unwrap_or_else(|| Reply {
            id: message.id.clone(),
            start: time,
            ..Reply::default()
        });
        if !message.model.is_empty() && !reply.models.contains(&message.model) {
            reply.models.push(message.model);
        }
        reply.status = state;
        reply.end = end.or(reply.end);
        let mut spent = Spent::default();
        let mut changed = Vec::new();
        let first = reply.parts.len();
        for (_, piece) in message.parts {
            let part = match piece {
                Piece::Text { words, .. } if words.trim().is_empty() => continue,
                Piece::Text {
                    words,
                    synthetic: true,
                    ..
                } => Part::Notice(prompt::injected(&words).at(time)),
                Piece::Text {
                    words,
                    ignored: true,
                    ..
                } => {
                    let notice = Notice::new(NoticeKind::Info, "Not given to the model");
                    Part::Notice(notice.with_body(Body::Prose(words)))
                }
                Piece::Text { words, .. } => Part::Text(words),
                Piece::Reasoning(reasoning) => Part::Reasoning(reasoning),
                Piece::Call(mut call) => {
                    call.running &= state == ReplyStatus::Pending;
                    Part::Tool(call)
                }
                Piece::File(part) => part,
                Piece::Subtask(notice) | Piece::Notice(notice) | Piece::Unknown(_, notice) => {
                    Part::Notice(notice)
                }
                Piece::Step { usage, cost, .. } => {
                    spent.step(usage, cost);
                    continue;
                }
                Piece::Changed(files) => {
                    changed.extend(files);
                    continue;
                }
                Piece::Start | Piece::Mention(_) | Piece::Compaction(_) => continue,
                Piece::Hidden(kind) => {
                    self.hide(kind);
                    continue;
                }
            };
            reply.parts.push(part);
        }
        let silent = silently_changed(changed, &reply.parts[first..]);
        reply.parts.extend(silent.map(Part::Notice));
        let (usage, cost) = spent.of_message(message.usage, message.cost);
        if let Some(usage) = usage {
            reply.usage.get_or_insert_default().add(&usage);
        }
        self.told.cost += cost;
        if let Some(failure) = message.failure.filter(|failure| !failure.is_stop()) {
            reply.error = Some(failure.told());
        }
        self.done = message.completed.or(self.done);
        self.reply = Some(reply);
    }

    /// Puts a notice into the reply that is open, or between.
    fn notice(&mut self, notice: Notice) {
        match &mut self.reply {
            Some(reply) => reply.parts.push(Part::Notice(notice)),
            None => self.told.entries.push(Entry::Notice(notice)),
        }
    }

    fn hide(&mut self, kind: &str) {
        *self.told.unshown.entry(kind.to_owned()).or_default() += 1;
    }

    fn close(&mut self) {
        if let Some(reply) = self.reply.take() {
            let is_empty = reply.parts.is_empty() && reply.error.is_none();
            let is_told = matches!(reply.status, ReplyStatus::Pending | ReplyStatus::Cancelled);
            if !is_empty || is_told {
                self.told.entries.push(Entry::Reply(reply));
            }
        }
    }
}

/// What a message's steps used. They say it step by step, the message only of the last one; a
/// message whose steps say nothing speaks for itself.
#[derive(Default)]
struct Spent {
    usage: Option<Usage>,
    cost: f64,
}

impl Spent {
    fn step(&mut self, usage: Option<Usage>, cost: Option<f64>) {
        if let Some(usage) = usage {
            self.usage.get_or_insert_default().add(&usage);
        }
        self.cost += cost.unwrap_or_default();
    }

    fn of_message(self, usage: Option<Usage>, cost: Option<f64>) -> (Option<Usage>, f64) {
        let of_steps = Some(self.cost).filter(|cost| *cost > 0.0);
        let cost = cost.or(of_steps).unwrap_or_default();
        (self.usage.or(usage), cost)
    }
}

/// How a message ended, and when.
fn state(message: &Message, is_last: bool) -> (ReplyStatus, Option<Timestamp>) {
    let mut is_open = message.parts.is_empty();
    let mut reason = message.finish.as_str();
    let mut latest = None;
    for (_, piece) in &message.parts {
        match piece {
            Piece::Start => is_open = true,
            Piece::Step { reason: why, .. } => {
                is_open = false;
                reason = why;
            }
            Piece::Call(call) => {
                is_open |= call.running;
                let end = call.result.as_ref().and_then(|result| result.time);
                latest = latest.max(end.or(call.start));
            }
            _ => {}
        }
    }
    let end = message.completed.or(latest).or(message.created);
    let status = match &message.failure {
        Some(failure) if failure.is_stop() => ReplyStatus::Cancelled,
        Some(_) => ReplyStatus::Error,
        None if message.completed.is_some() => ReplyStatus::Complete,
        None if is_open && is_last => ReplyStatus::Pending,
        None if !is_open && !matches!(reason, "" | "tool-calls") => ReplyStatus::Complete,
        None => ReplyStatus::Unknown,
    };
    (status, end)
}

/// The files that changed though no call of the step names them.
fn silently_changed(files: Vec<String>, parts: &[Part]) -> Option<Notice> {
    let is_named = |file: &String| {
        parts.iter().any(|part| match part {
            Part::Tool(call) => match &call.input {
                Some(Input::Json(input) | Input::Text(input)) => input.contains(file.as_str()),
                None => false,
            },
            _ => false,
        })
    };
    let mut files = files;
    files.retain(|file| !is_named(file));
    files.dedup();
    let (first, more) = files.split_first()?;
    let title = match more.len() {
        0 => format!("Changed {first}"),
        _ => format!("{} files changed", files.len()),
    };
    let list = Body::Output(files.join("\n"));
    let notice = Notice::new(NoticeKind::Info, title);
    Some(if more.is_empty() {
        notice
    } else {
        notice.with_body(list)
    })
}
