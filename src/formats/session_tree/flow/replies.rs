//! Replies: all that the assistant did until someone spoke again.

use crate::figures::one_line;
use crate::model::{Body, Entry, Notice, NoticeKind, Part, Reply, ReplyStatus, Timestamp};

use super::Flow;
use crate::formats::session_tree::row::{Message, Stop};

/// A reply that is still being put together.
#[derive(Default)]
pub(super) struct Open {
    /// What there is of it.
    pub(super) reply: Reply,
    /// How its last message ended.
    stop: Stop,
}

impl Flow<'_, '_> {
    /// The reply that goes on here, or a new one.
    pub(super) fn open(&mut self, id: &str, time: Option<Timestamp>) -> &mut Open {
        let open = self.reply.get_or_insert_default();
        let reply = &mut open.reply;
        if reply.id.is_empty() {
            reply.id = id.to_owned();
        }
        reply.start = reply.start.or(time);
        reply.end = time.or(reply.end);
        // What went wrong on the way is told where it did.
        if let Stop::Failed(error) = std::mem::take(&mut open.stop) {
            reply.parts.push(Part::Notice(failure(&error)));
        }
        reply.parts.extend(self.waiting.drain(..).map(Part::Notice));
        open
    }

    pub(super) fn wrote(&mut self, id: &str, message: Message, written: Option<Timestamp>) {
        self.settle();
        self.name_model(&message.model, message.asked);
        let is_empty = message.parts.is_empty() && message.outcomes.is_empty();
        if is_empty && self.reply.is_none() && matches!(message.stop, Stop::Stopped(None)) {
            let title = "Stopped before there was an answer";
            let notice = Notice::new(NoticeKind::Interruption, title);
            return self
                .entries
                .push(Entry::Notice(notice.at(written.or(message.asked))));
        }
        let calls = |part: &&Part| matches!(part, Part::Tool(_));
        let is_lone = message.parts.iter().filter(calls).count() == 1;
        let mut parts = Vec::new();
        for part in message.parts {
            match part {
                Part::Tool(call) => {
                    let card = self.card(*call, written, is_lone);
                    parts.extend(card.map(|call| Part::Tool(Box::new(call))));
                }
                part => parts.push(part),
            }
        }
        let open = self.open(id, message.asked.or(written));
        open.stop = message.stop;
        let reply = &mut open.reply;
        reply.end = written.or(reply.end);
        if !message.model.is_empty() && !reply.models.contains(&message.model) {
            reply.models.push(message.model);
        }
        if let Some(tokens) = message.usage {
            reply.usage.get_or_insert_default().add(&tokens);
        }
        reply.parts.append(&mut parts);
        if let Stop::Stopped(Some(why)) = &open.stop {
            let notice = Notice::new(NoticeKind::Interruption, one_line(why, 200));
            reply.parts.push(Part::Notice(notice));
        }
        if open.stop == Stop::TooLong {
            let title = "The reply is cut here: it became as long as the model may write";
            let notice = Notice::new(NoticeKind::Error, title);
            reply.parts.push(Part::Notice(notice));
        }
        for outcome in message.outcomes {
            self.result(outcome, written);
        }
    }

    /// A model may take over without a record of the change.
    fn name_model(&mut self, model: &str, time: Option<Timestamp>) {
        if model.is_empty() {
            return;
        }
        self.model.chosen = Some((model.to_owned(), time));
        self.settle();
    }

    pub(super) fn close_reply(&mut self) {
        if let Some(open) = self.reply.take() {
            let reply = open.finish();
            if !reply.parts.is_empty() || reply.error.is_some() {
                self.entries.push(Entry::Reply(reply));
            }
        }
        let waiting = self.waiting.drain(..);
        self.entries.extend(waiting.map(Entry::Notice));
    }
}

impl Open {
    fn finish(self) -> Reply {
        let mut reply = self.reply;
        reply.status = match self.stop {
            Stop::Open => ReplyStatus::Unknown,
            Stop::Done | Stop::TooLong => ReplyStatus::Complete,
            Stop::Stopped(_) => ReplyStatus::Cancelled,
            Stop::Failed(error) => {
                reply.error = Some(error).filter(|error| !error.trim().is_empty());
                ReplyStatus::Error
            }
        };
        reply
    }
}

/// A request that failed and was made again.
fn failure(error: &str) -> Notice {
    let line = one_line(error, 120);
    let is_whole = line == error.trim();
    let title = match line.as_str() {
        "" => "A request failed".to_owned(),
        line => format!("A request failed: {line}"),
    };
    let notice = Notice::new(NoticeKind::Error, title);
    if is_whole {
        notice
    } else {
        notice.with_body(Body::Output(error.to_owned()))
    }
}
