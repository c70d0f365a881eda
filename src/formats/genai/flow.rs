//! Records in their order become prompts, replies and what stands between them. A reply is all
//! that the model did until a person (or another agent) spoke again.

use std::collections::{BTreeMap, HashSet};

use crate::figures::between;
use crate::formats::branches::Step;
use crate::formats::pairs::Pairs;
use crate::model::{
    Entry, Input, Notice, NoticeKind, Part, Prompt, Reply, ReplyStatus, SourceLink, Timestamp,
    ToolCall, ToolResult, Usage,
};

use super::parts::Answer;

/// Longer than a model thinks at a stretch, in milliseconds.
const THINKING: u64 = 3_600_000;

/// How an id begins that was made up for a call without one.
const MADE_UP: char = '\u{1}';

/// One record.
#[derive(Debug, Default)]
pub(crate) struct Row {
    /// Its line, counted from 1.
    pub(crate) line: u64,
    /// Its id; empty when it has none.
    pub(crate) id: String,
    /// When it was written.
    pub(crate) time: Option<Timestamp>,
    /// What it says.
    pub(crate) what: What,
}

/// What a record says.
#[derive(Debug, Default)]
pub(crate) enum What {
    /// Somebody spoke to the model.
    Said(Box<Prompt>),
    /// The model wrote.
    Wrote(Box<Message>),
    /// Results of calls.
    Answered(Vec<Answer>),
    /// The program remarks something.
    Remarks(Vec<Notice>),
    /// Something that ends a reply, such as a summary of earlier messages.
    Divider(Notice),
    /// The person stopped the reply.
    Stopped(Notice),
    /// The vendor's server, or the program, failed.
    Failed(Notice),
    /// The program says that the turn came to its end.
    Ended,
    /// Records of this kind, which are not shown.
    Unshown(&'static str),
    /// Nothing that is shown.
    #[default]
    Hidden,
}

/// What the model wrote.
#[derive(Debug, Default)]
pub(crate) struct Message {
    /// The model; empty when it is not said.
    pub(crate) model: String,
    /// Its content. A call may have its result already.
    pub(crate) parts: Vec<Part>,
    /// When it was done thinking, if that is known.
    pub(crate) thought: Option<Timestamp>,
    /// Pages that it cites.
    pub(crate) sources: Vec<SourceLink>,
    /// Its tokens.
    pub(crate) usage: Option<Usage>,
}

/// Puts a conversation's records together.
pub(crate) struct Flow<'a> {
    rows: &'a mut [Row],
    pairs: Pairs,
    entries: Vec<Entry>,
    reply: Option<Open>,
    /// Notices that came after the reply's last part: in it when it goes on, else after it.
    waiting: Vec<Notice>,
    /// When the record before was written.
    previous: Option<Timestamp>,
    model: String,
}

/// A reply that is still being put together.
#[derive(Default)]
struct Open {
    reply: Reply,
    /// Whether the person stopped it.
    stopped: bool,
    /// Whether its last part says that something failed.
    failed: bool,
    /// Whether the program says that it came to its end.
    ended: bool,
    /// The addresses of its sources.
    cited: HashSet<String>,
}

impl<'a> Flow<'a> {
    /// The entries of a conversation, whose records are read in the order of these steps. Results
    /// that a call has already are handed over twice by the programs; how many these are is
    /// counted in `unshown`.
    pub(crate) fn entries(
        steps: Vec<Step>,
        rows: &'a mut [Row],
        unshown: &mut BTreeMap<String, u64>,
    ) -> Vec<Entry> {
        let pairs = gather(rows, unshown);
        let mut flow = Flow {
            rows,
            pairs,
            entries: Vec::new(),
            reply: None,
            waiting: Vec::new(),
            previous: None,
            model: String::new(),
        };
        flow.run(steps);
        flow.entries
    }

    fn run(&mut self, steps: Vec<Step>) {
        for step in steps {
            match step {
                Step::Row(at) => {
                    let row = std::mem::take(&mut self.rows[at]);
                    let time = row.time;
                    self.row(row);
                    self.previous = time.max(self.previous);
                }
                Step::Versions(versions) => self.versions(versions),
            }
        }
        self.close(false);
    }

    /// Puts branches that were left where they were left.
    fn versions(&mut self, versions: Vec<Vec<Step>>) {
        self.close(true);
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

    fn row(&mut self, row: Row) {
        let time = row.time;
        match row.what {
            What::Said(prompt) => {
                self.close(!prompt.queued);
                self.entries.push(Entry::Prompt(Prompt {
                    id: row.id,
                    time,
                    ..*prompt
                }));
            }
            What::Wrote(message) => self.wrote(row.id, time, *message),
            What::Answered(answers) => self.answered(answers, time),
            What::Remarks(notices) => {
                for notice in notices {
                    self.notice(notice.at(time));
                }
            }
            What::Divider(notice) => {
                self.close(false);
                self.entries.push(Entry::Notice(notice.at(time)));
            }
            What::Stopped(notice) => match &mut self.reply {
                None => self.notice(notice.at(time)),
                Some(open) => {
                    open.stopped = true;
                    let last = self.waiting.drain(..).chain([notice.at(time)]);
                    open.reply.parts.extend(last.map(Part::Notice));
                }
            },
            What::Failed(notice) => {
                let open = self.open(&row.id, time);
                open.failed = true;
                open.reply.parts.push(Part::Notice(notice.at(time)));
            }
            What::Ended => {
                if let Some(open) = &mut self.reply {
                    open.ended = true;
                }
            }
            What::Unshown(_) | What::Hidden => {}
        }
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

    /// The reply that goes on here, or a new one.
    fn open(&mut self, id: &str, time: Option<Timestamp>) -> &mut Open {
        let open = self.reply.get_or_insert_default();
        let reply = &mut open.reply;
        if reply.id.is_empty() {
            id.clone_into(&mut reply.id);
        }
        reply.start = reply.start.or(time);
        reply.end = reply.end.max(time);
        reply.parts.extend(self.waiting.drain(..).map(Part::Notice));
        open
    }

    fn wrote(&mut self, id: String, time: Option<Timestamp>, message: Message) {
        if !message.model.is_empty() && message.model != self.model {
            if !self.model.is_empty() {
                let title = format!("Model changed to {}", message.model);
                self.notice(Notice::new(NoticeKind::ModelChange, title).at(time));
            }
            self.model.clone_from(&message.model);
        }
        let mut thought = between(self.previous, message.thought).filter(|ms| *ms <= THINKING);
        let mut parts = Vec::with_capacity(message.parts.len());
        let mut end = time;
        for part in message.parts {
            match part {
                Part::Tool(call) => {
                    let Some(call) = self.complete(*call, time) else {
                        continue;
                    };
                    let ended = call.result.as_ref().and_then(|result| result.time);
                    end = end.max(ended);
                    parts.push(Part::Tool(Box::new(call)));
                }
                Part::Reasoning(mut reasoning) => {
                    reasoning.ms = reasoning.ms.or(thought.take());
                    parts.push(Part::Reasoning(reasoning));
                }
                part => parts.push(part),
            }
        }
        self.previous = end.max(self.previous);
        let open = self.open(&id, time);
        open.failed = false;
        open.ended = false;
        let reply = &mut open.reply;
        reply.end = reply.end.max(end);
        if !message.model.is_empty() && !reply.models.contains(&message.model) {
            reply.models.push(message.model);
        }
        if let Some(tokens) = message.usage {
            reply.usage.get_or_insert_default().add(&tokens);
        }
        reply.parts.append(&mut parts);
        for source in message.sources {
            if open.cited.insert(source.url.clone()) {
                reply.sources.push(source);
            }
        }
    }

    /// The card of a call with its results; `None` when its id has one already.
    fn complete(&mut self, call: ToolCall, time: Option<Timestamp>) -> Option<ToolCall> {
        if call.id.is_empty() {
            return Some(call);
        }
        let input = call.input.unwrap_or(Input::Json("{}".to_owned()));
        let mut card = self.pairs.card(call.id, call.name, input)?;
        if card.id.starts_with(MADE_UP) {
            card.id.clear();
        }
        card.start = call.start.or(time);
        card.running = call.running && card.result.is_none();
        card.notices.splice(0..0, call.notices);
        // From the message to the result it is also the wait for the person's leave, and for the
        // calls before.
        card.ms = call.ms;
        Some(card)
    }

    /// Results whose calls are not in the transcript get cards of their own.
    fn answered(&mut self, answers: Vec<Answer>, time: Option<Timestamp>) {
        for answer in answers {
            let own = answer.id.is_empty().then_some(answer.result);
            if let Some(card) = self.pairs.orphan(answer.id, answer.name, own) {
                let open = self.open("", time);
                open.reply.parts.push(Part::Tool(Box::new(card)));
            }
        }
        if let Some(open) = &mut self.reply {
            open.reply.end = open.reply.end.max(time);
        }
    }

    /// Ends the reply. `goes_on` says whether a person went on from it, which they do when it has
    /// come to its end.
    fn close(&mut self, goes_on: bool) {
        if let Some(open) = self.reply.take() {
            let reply = open.finish(goes_on);
            if !reply.parts.is_empty() || reply.error.is_some() {
                self.entries.push(Entry::Reply(reply));
            }
        }
        let waiting = self.waiting.drain(..);
        self.entries.extend(waiting.map(Entry::Notice));
    }
}

/// Adds all calls and results, those that stand in calls first, with the moments at which the
/// records were written.
fn gather(rows: &mut [Row], unshown: &mut BTreeMap<String, u64>) -> Pairs {
    name_nameless(rows);
    let mut pairs = Pairs::default();
    let mut answered: HashSet<String> = HashSet::new();
    for row in rows.iter_mut() {
        let What::Wrote(message) = &mut row.what else {
            continue;
        };
        for part in &mut message.parts {
            let Part::Tool(call) = part else {
                continue;
            };
            if let Some(input) = &call.input {
                pairs.add_call(&call.id, &call.name, input);
            }
            if !call.id.is_empty()
                && let Some(result) = call.result.take()
            {
                // A call that stands in two messages has the same result in both.
                if answered.insert(call.id.clone()) {
                    pairs.add_result(&call.id, result);
                }
            }
        }
    }
    for row in rows {
        let What::Answered(answers) = &mut row.what else {
            continue;
        };
        for answer in answers {
            answer.result.time = answer.result.time.or(row.time);
            if answered.contains(&answer.id) {
                *unshown.entry("results given twice".to_owned()).or_default() += 1;
                continue;
            }
            let result = std::mem::take(&mut answer.result);
            if let Some(own) = pairs.add_result(&answer.id, result) {
                answer.result = own;
            }
        }
    }
    pairs
}

/// Gives calls and results without ids one: old histories have none, and a result then belongs
/// to the first call of its tool that has none yet.
fn name_nameless(rows: &mut [Row]) {
    let mut made = 0_u64;
    let mut open: Vec<(String, String)> = Vec::new();
    for row in rows {
        match &mut row.what {
            What::Wrote(message) => {
                for part in &mut message.parts {
                    if let Part::Tool(call) = part
                        && call.id.is_empty()
                        && call.result.is_none()
                    {
                        made += 1;
                        call.id = format!("{MADE_UP}{made}");
                        open.push((call.name.clone(), call.id.clone()));
                    }
                }
            }
            What::Answered(answers) => {
                for answer in answers {
                    let at = open.iter().position(|(name, _)| *name == answer.name);
                    if answer.id.is_empty()
                        && let Some(at) = at
                    {
                        answer.id = open.remove(at).1;
                    }
                }
            }
            _ => {}
        }
    }
}

/// Whether the person stopped a call, or did not allow it.
fn was_stopped(result: &ToolResult) -> bool {
    let details = result.details.as_deref();
    result.cancelled || details.is_some_and(|details| details.denied)
}

impl Open {
    fn finish(self, goes_on: bool) -> Reply {
        let mut reply = self.reply;
        let is_error = |part: &mut Part| matches!(part, Part::Notice(notice) if notice.kind == NoticeKind::Error);
        if self.failed
            && let Some(Part::Notice(notice)) = reply.parts.pop_if(is_error)
        {
            let whole = notice.body.map(|body| body.text().to_owned());
            reply.error = Some(whole.unwrap_or(notice.title));
        }
        let spoke_last = matches!(reply.parts.last(), Some(Part::Text(_)));
        let was_cancelled = matches!(
            reply.parts.last(),
            Some(Part::Tool(call)) if call.result.as_ref().is_some_and(was_stopped)
        );
        reply.status = if self.stopped || was_cancelled {
            ReplyStatus::Cancelled
        } else if reply.error.is_some() {
            ReplyStatus::Error
        } else if self.ended || goes_on && spoke_last {
            ReplyStatus::Complete
        } else {
            ReplyStatus::Unknown
        };
        reply
    }
}
