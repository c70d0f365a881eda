//! Replies: all that the assistant did until someone spoke again.

use crate::model::{Body, Entry, Notice, NoticeKind, Part, Reply, ReplyStatus, Timestamp, Usage};

use super::Flow;

/// A reply that is still being put together.
#[derive(Default)]
pub(super) struct Open {
    /// What there is of it.
    reply: Reply,
    /// Whether the program says that it came to its end.
    pub(super) has_ended: bool,
    /// Whether the person stopped it.
    pub(super) is_stopped: bool,
    /// How it was stopped.
    stop: Option<Notice>,
    /// Whether its last text is said to be the answer, or to be none.
    is_final: Option<bool>,
}

impl Flow {
    /// The reply that goes on here, or a new one.
    fn open(&mut self, time: Option<Timestamp>) -> &mut Open {
        if self.reply.is_none() {
            // No prompt came that the context could belong to.
            let before = self.before.drain(..);
            self.entries.extend(before.map(Entry::Notice));
        }
        let open = self.reply.get_or_insert_default();
        let reply = &mut open.reply;
        reply.start = reply.start.or(time);
        reply.end = time.or(reply.end);
        if !self.model.is_empty() && !reply.models.contains(&self.model) {
            reply.models.push(self.model.clone());
        }
        reply.parts.extend(self.waiting.drain(..).map(Part::Notice));
        if let Some(tokens) = self.tokens.take() {
            reply.usage.get_or_insert_default().add(&tokens);
        }
        open
    }

    pub(super) fn add(&mut self, part: Part, time: Option<Timestamp>) {
        let open = self.open(time);
        // An error is told where it happened, and again as what ended the turn.
        if matches!(part, Part::Error { .. }) && open.reply.parts.last() == Some(&part) {
            return;
        }
        open.is_final = None;
        open.reply.parts.push(part);
    }

    pub(super) fn wrote(
        &mut self,
        parts: Vec<Part>,
        is_final: Option<bool>,
        time: Option<Timestamp>,
    ) {
        if parts.is_empty() {
            return;
        }
        let open = self.open(time);
        open.reply.parts.extend(parts);
        open.is_final = is_final;
    }

    /// Something of the reply that has no part of its own came.
    pub(super) fn went_on(&mut self, time: Option<Timestamp>) {
        if let Some(open) = &mut self.reply {
            open.reply.end = time.or(open.reply.end);
        }
    }

    /// Tokens belong to the reply that is there, or was; else to the next one.
    pub(super) fn count(&mut self, usage: &Usage) {
        let last = self.entries.iter_mut().next_back();
        let reply = match (&mut self.reply, last) {
            (Some(open), _) => &mut open.reply,
            (None, Some(Entry::Reply(reply))) => reply,
            _ => return self.tokens.get_or_insert_default().add(usage),
        };
        reply.usage.get_or_insert_default().add(usage);
    }

    pub(super) fn ended(
        &mut self,
        ms: Option<u64>,
        answer: Option<String>,
        error: Option<String>,
        time: Option<Timestamp>,
    ) {
        if self.reply.is_none() && answer.is_none() && error.is_none() {
            return;
        }
        let open = self.open(time);
        open.has_ended = true;
        let before = open.reply.ms.unwrap_or_default();
        open.reply.ms = ms.map(|ms| ms.saturating_add(before)).or(open.reply.ms);
        let says_something = |part: &Part| matches!(part, Part::Text(_));
        if let Some(answer) = answer
            && !open.reply.parts.iter().any(says_something)
        {
            open.reply.parts.push(Part::Text(answer));
        }
        open.reply.error = error.or(open.reply.error.take());
    }

    pub(super) fn stopped(&mut self, reason: &str, ms: Option<u64>, time: Option<Timestamp>) {
        let title = match reason {
            "interrupted" | "" => "Interrupted by the person".to_owned(),
            "replaced" => "Replaced by another prompt".to_owned(),
            "review_ended" => "The review ended".to_owned(),
            reason => crate::figures::one_line(&format!("Stopped: {reason}"), 120),
        };
        let notice = Notice::new(NoticeKind::Interruption, title).at(time);
        let is_asked = matches!(self.entries.last(), Some(Entry::Prompt(_)));
        if self.reply.is_none() && !is_asked {
            return self.notice(notice);
        }
        let open = self.open(time);
        open.is_stopped = reason != "review_ended";
        open.has_ended |= !open.is_stopped;
        open.reply.ms = ms.or(open.reply.ms);
        open.stop.get_or_insert(notice);
    }

    /// What the model is told of a stop.
    pub(super) fn told_of_stop(&mut self, words: String, time: Option<Timestamp>) {
        if self.reply.is_none()
            && let Some(Entry::Notice(notice)) = self.entries.last_mut()
            && notice.kind == NoticeKind::Interruption
            && notice.body.is_none()
        {
            notice.body = Some(Body::Prose(words));
            return;
        }
        if self.reply.as_ref().is_none_or(|open| open.stop.is_none()) {
            self.stopped("", None, time);
        }
        let last = self.entries.last_mut();
        let stop = match (&mut self.reply, last) {
            (Some(open), _) => open.stop.as_mut(),
            (None, Some(Entry::Notice(notice))) => Some(notice),
            _ => None,
        };
        if let Some(stop) = stop {
            stop.body = Some(Body::Prose(words));
        }
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
        if let Some(Part::Error { message, code }) = reply
            .parts
            .pop_if(|part| matches!(part, Part::Error { .. }))
        {
            let code = code.map(|code| format!(" ({code})")).unwrap_or_default();
            reply.error.get_or_insert(message + &code);
        }
        reply.parts.extend(self.stop.map(Part::Notice));
        reply.status = if self.is_stopped {
            ReplyStatus::Cancelled
        } else if reply.error.is_some() {
            ReplyStatus::Error
        } else if self.has_ended || self.is_final == Some(true) {
            ReplyStatus::Complete
        } else {
            ReplyStatus::Unknown
        };
        if reply.status != ReplyStatus::Unknown {
            // Nothing runs on in a turn that is over, whatever was last said of it.
            for part in &mut reply.parts {
                if let Part::Tool(call) = part {
                    call.running = false;
                }
            }
        }
        reply
    }
}
