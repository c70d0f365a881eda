//! Replies: all that the assistant did until someone spoke again.

use std::collections::HashSet;

use crate::figures::between;
use crate::model::{Entry, Notice, NoticeKind, Part, Reply, ReplyStatus, Timestamp, ToolCall};

use super::Flow;
use crate::formats::claude_code::outcome::Outcome;
use crate::formats::claude_code::row::{Message, Row};
use crate::formats::notices::in_a_line;

/// Longer than a model thinks at a stretch, in milliseconds.
const THINKING: u64 = 3_600_000;

/// A reply that is still being put together.
#[derive(Default)]
pub(super) struct Open {
    /// What there is of it.
    pub(super) reply: Reply,
    /// Why its last message ended; empty when that is not said.
    stop: String,
    /// Whether the person stopped it.
    pub(super) stopped: bool,
    /// Whether the program says that it came to its end.
    pub(super) ended: bool,
    /// Whether its last part says that the vendor's server failed.
    failed: bool,
    /// The addresses of its sources.
    cited: HashSet<String>,
}

impl Flow<'_, '_> {
    /// A result without a call.
    pub(super) fn orphan(&mut self, mut outcome: Outcome, time: Option<Timestamp>) {
        outcome.result.time = time;
        if let Some(path) = &outcome.saved {
            outcome.result.full_output = Some((self.context.saved)(path));
        }
        let call = ToolCall {
            id: outcome.call,
            result: Some(outcome.result),
            ms: outcome.ms,
            ..ToolCall::default()
        };
        let open = self.open(None, time);
        open.reply.parts.push(Part::Tool(Box::new(call)));
    }

    /// The reply that goes on here, or a new one.
    pub(super) fn open(&mut self, id: Option<&str>, time: Option<Timestamp>) -> &mut Open {
        self.close_command();
        let open = self.reply.get_or_insert_default();
        let reply = &mut open.reply;
        if reply.id.is_empty() {
            reply.id = id.unwrap_or_default().to_owned();
        }
        reply.start = reply.start.or(time);
        reply.end = time.or(reply.end);
        reply.parts.extend(self.waiting.drain(..).map(Part::Notice));
        open
    }

    pub(super) fn wrote(&mut self, row: Row, message: Message) {
        let time = row.time;
        if message.synthetic {
            return self.stand_in(&row, message);
        }
        if !message.model.is_empty() && message.model != self.model {
            if !self.model.is_empty() && !message.parts.iter().any(is_model_change) {
                let title = format!("Model changed to {}", message.model);
                self.notice(Notice::new(NoticeKind::ModelChange, title).at(time));
            }
            self.model.clone_from(&message.model);
        }
        let tokens = if message.id.is_empty() {
            message.usage
        } else {
            self.context.usage.remove(&message.id)
        };
        let mut thought = between(self.previous, time).filter(|ms| *ms <= THINKING);
        let mut parts = message.parts;
        for part in &mut parts {
            match part {
                Part::Reasoning(reasoning) => reasoning.ms = thought.take(),
                Part::Tool(call) => {
                    call.start = time;
                    let saved = self.context.pairs.complete(call);
                    if let (Some(path), Some(result)) = (saved, &mut call.result) {
                        result.full_output = Some((self.context.saved)(&path));
                    }
                }
                _ => {}
            }
        }
        self.queued.clear();
        let open = self.open(Some(&row.uuid), time);
        open.failed = false;
        open.stop = message.stop;
        let reply = &mut open.reply;
        if !message.model.is_empty() && !reply.models.contains(&message.model) {
            reply.models.push(message.model);
        }
        if let Some(tokens) = tokens {
            reply.usage.get_or_insert_default().add(&tokens);
        }
        reply.parts.append(&mut parts);
        for source in message.sources {
            if open.cited.insert(source.url.clone()) {
                reply.sources.push(source);
            }
        }
        for outcome in message.outcomes {
            self.orphan(outcome, time);
        }
    }

    /// A message that the program wrote in the model's place.
    fn stand_in(&mut self, row: &Row, message: Message) {
        for part in message.parts {
            let part = match part {
                Part::Text(text) => {
                    let error = message.failed || text.starts_with("API Error");
                    let kind = if error {
                        NoticeKind::Error
                    } else {
                        NoticeKind::Info
                    };
                    let notice = in_a_line(kind, &text).at(row.time);
                    if !error {
                        self.notice(notice);
                        continue;
                    }
                    Part::Notice(notice)
                }
                part => part,
            };
            let open = self.open(Some(&row.uuid), row.time);
            open.failed |= matches!(part, Part::Notice(_));
            open.reply.parts.push(part);
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
        if self.failed
            && let Some(Part::Notice(notice)) = reply.parts.pop_if(is_error)
        {
            let whole = notice.body.map(|body| body.text().to_owned());
            reply.error = Some(whole.unwrap_or(notice.title));
        }
        if self.stop == "refusal" && reply.error.is_none() {
            reply.error = Some("The model refused to answer".to_owned());
        }
        reply.status = if self.stopped {
            ReplyStatus::Cancelled
        } else if reply.error.is_some() {
            ReplyStatus::Error
        } else if self.ended || !matches!(self.stop.as_str(), "" | "tool_use" | "pause_turn") {
            ReplyStatus::Complete
        } else {
            ReplyStatus::Unknown
        };
        reply
    }
}

fn is_model_change(part: &Part) -> bool {
    matches!(part, Part::Notice(notice) if notice.kind == NoticeKind::ModelChange)
}

fn is_error(part: &mut Part) -> bool {
    matches!(part, Part::Notice(notice) if notice.kind == NoticeKind::Error)
}
