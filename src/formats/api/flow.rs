//! A conversation as it is put together: what is told, asked and answered, in order, and at the
//! end the results in the cards of their calls.

use std::collections::{BTreeMap, BTreeSet};

use crate::formats::chat::{Losses, cite};
use crate::formats::pairs::Pairs;
use crate::formats::problems::Problems;
use crate::model::{
    Body, Conversation, Entry, Input, Notice, NoticeKind, Part, Prompt, Reply, ReplyStatus,
    Timestamp, ToolCall, ToolResult,
};

/// How many ids are named in a note.
const NAMED: usize = 5;

/// What is known of a conversation beside what is said in it.
#[derive(Debug, Default)]
pub(crate) struct Told {
    /// Its id; empty when it has none.
    pub(crate) id: String,
    /// Its title.
    pub(crate) title: Option<String>,
    /// The folder or project that it belongs to.
    pub(crate) project: Option<String>,
}

/// A conversation that is being put together.
#[derive(Debug, Default)]
pub(crate) struct Flow {
    events: Vec<Event>,
    pairs: Pairs,
    /// The ids of calls so far, and whether a result has come.
    calls: BTreeMap<String, bool>,
    /// The ids of results that came before their calls.
    early: BTreeSet<String>,
    /// Calls that have no result yet: their tools and their ids, and whether the id was only
    /// given to them here.
    open: Vec<(String, String, bool)>,
    given: usize,
    /// What was last told to the model, and the tools that it was last offered.
    instructions: String,
    offered: String,
    odd_arguments: Vec<String>,
    odd_roles: Vec<String>,
    /// What is not drawn, and what was odd.
    pub(crate) losses: Losses,
    /// What is known beside.
    pub(crate) about: Told,
    warnings: Vec<String>,
}

#[derive(Debug)]
enum Event {
    Notice(Notice),
    Prompt(Prompt),
    Part(Part),
    Call(Box<ToolCall>),
    Result(String, String, Option<ToolResult>),
    Facts(Box<Reply>),
}

impl Flow {
    /// Something that neither person nor assistant said.
    pub(crate) fn notice(&mut self, notice: Notice) {
        self.events.push(Event::Notice(notice));
    }

    /// What the model is told beforehand. What is told again is said once.
    pub(crate) fn told(&mut self, words: &str, time: Option<Timestamp>) {
        if words.trim().is_empty() || self.instructions == words {
            return;
        }
        words.clone_into(&mut self.instructions);
        let notice = Notice::new(NoticeKind::Context, "Instructions for the assistant");
        let body = Body::Prose(words.to_owned());
        self.notice(notice.with_body(body).at(time));
    }

    /// The tools that the model may call, each with what it is for. The same offer is said once.
    pub(crate) fn offered(&mut self, tools: &[(String, String)]) {
        let lines = tools.iter().map(|(name, what)| match what.is_empty() {
            true => format!("- `{name}`"),
            false => format!("- `{name}`: {what}"),
        });
        let lines = lines.collect::<Vec<_>>().join("\n");
        if tools.is_empty() || self.offered == lines {
            return;
        }
        self.offered.clone_from(&lines);
        let title = match tools.len() {
            1 => "1 tool was offered".to_owned(),
            count => format!("{count} tools were offered"),
        };
        let notice = Notice::new(NoticeKind::Context, title);
        self.notice(notice.with_body(Body::Prose(lines)));
    }

    /// What a person said; nothing when there is nothing in it.
    pub(crate) fn prompt(&mut self, prompt: Prompt) {
        if !prompt.parts.is_empty() || !prompt.asides.is_empty() {
            self.events.push(Event::Prompt(prompt));
        }
    }

    /// Something that the assistant said or thought.
    pub(crate) fn part(&mut self, part: Part) {
        self.events.push(Event::Part(part));
    }

    /// Several such.
    pub(crate) fn parts(&mut self, parts: impl IntoIterator<Item = Part>) {
        self.events.extend(parts.into_iter().map(Event::Part));
    }

    /// A call that the assistant made. Its own result, if it is known here, stands first. A call
    /// without an id is paired with the next nameless result of its tool.
    pub(crate) fn call(&mut self, mut call: ToolCall) {
        let is_nameless = call.id.is_empty() && call.result.is_none();
        if is_nameless {
            self.given += 1;
            call.id = format!("call-{}", self.given);
        }
        if call.result.is_none() {
            let open = (call.name.clone(), call.id.clone(), is_nameless);
            self.open.push(open);
        }
        let input = call.input.clone().unwrap_or(Input::Text(String::new()));
        let is_early = self.early.remove(&call.id);
        if is_early {
            let what = format!("result before its call {}", call.id);
            self.warnings.push(what);
        }
        let has_result = is_early || call.result.is_some();
        if !call.id.is_empty() {
            *self.calls.entry(call.id.clone()).or_default() |= has_result;
        }
        self.pairs.add_call(&call.id, &call.name, &input);
        self.events.push(Event::Call(Box::new(call)));
    }

    /// Says that a call's arguments are no JSON, though they should be.
    pub(crate) fn odd_arguments(&mut self, id: &str) {
        self.odd_arguments.push(id.to_owned());
    }

    /// A result, with the id of its call and its tool, where they are said. One that names no
    /// call is of the first call of its tool that waits.
    pub(crate) fn result(&mut self, id: &str, name: &str, result: ToolResult) {
        let is_known = self.calls.contains_key(id);
        let waits = |(tool, own, is_nameless): &(String, String, bool)| match is_known {
            true => own == id,
            false => !name.is_empty() && tool == name && (id.is_empty() || *is_nameless),
        };
        let open = self.open.iter().position(waits);
        let open = open.map(|at| self.open.remove(at).1);
        let id = open.unwrap_or_else(|| id.to_owned());
        match self.calls.get_mut(&id) {
            Some(true) => self.warnings.push(format!("second result for {id}")),
            Some(has_result) => *has_result = true,
            None => {
                self.early.insert(id.clone());
            }
        }
        let own = self.pairs.add_result(&id, result);
        self.events.push(Event::Result(id, name.to_owned(), own));
    }

    /// Whether a call of this id waits for its result.
    pub(crate) fn is_open(&self, id: &str) -> bool {
        self.calls.get(id).is_some_and(|has_result| !has_result)
    }

    /// A result that says nothing of its call: it is that of the first call that waits.
    pub(crate) fn answer(&mut self, result: ToolResult) {
        let first = self.open.first().map(|(_, id, _)| id.clone());
        self.result(&first.unwrap_or_default(), "", result);
    }

    /// What is known of the reply that is being given.
    pub(crate) fn facts(&mut self, facts: Reply) {
        self.events.push(Event::Facts(Box::new(facts)));
    }

    /// A message of a role that is not known.
    pub(crate) fn of_unknown(&mut self, role: &str, words: String) {
        let role = if role.is_empty() { "none" } else { role };
        self.odd_roles.push(role.to_owned());
        let title = format!("A message of an unknown role: {role}");
        let notice = Notice::new(NoticeKind::Unknown, title);
        self.notice(notice.with_body(Body::Prose(words)));
    }

    /// The whole conversation.
    pub(crate) fn finish(mut self, program: &str, problems: &mut Problems) -> Conversation {
        self.report(problems);
        let mut all = Entries::default();
        for event in std::mem::take(&mut self.events) {
            match event {
                Event::Notice(notice) => all.push(Entry::Notice(notice)),
                Event::Prompt(prompt) => all.push(Entry::Prompt(prompt)),
                Event::Part(part) => all.reply().parts.push(part),
                Event::Call(call) => {
                    let card = self.card(*call).map(|card| Part::Tool(Box::new(card)));
                    all.reply().parts.extend(card);
                }
                Event::Result(id, name, own) => {
                    if let Some(card) = self.pairs.orphan(id, name, own) {
                        all.reply().parts.push(Part::Tool(Box::new(card)));
                    }
                }
                Event::Facts(facts) => add(all.reply(), *facts),
            }
        }
        all.close(false);
        Conversation {
            id: self.about.id,
            title: self.about.title,
            project: self.about.project,
            program: program.to_owned(),
            entries: all.entries,
            unshown: self.losses.unshown,
            ..Conversation::default()
        }
    }

    fn card(&mut self, call: ToolCall) -> Option<ToolCall> {
        let input = call.input.unwrap_or(Input::Text(String::new()));
        let mut card = self.pairs.card(call.id, call.name, input)?;
        if let Some(own) = call.result {
            let later = card.result.replace(own);
            card.more_results.splice(0..0, later);
        }
        card.start = call.start;
        card.ms = call.ms;
        card.running = call.running;
        card.notices.splice(0..0, call.notices);
        Some(card)
    }

    fn report(&self, problems: &mut Problems) {
        self.losses.report(problems);
        for warning in &self.warnings {
            problems.warn(None, warning.as_str());
        }
        if !self.odd_arguments.is_empty() {
            let ids = self.odd_arguments.iter().take(NAMED).map(String::as_str);
            let ids = ids.collect::<Vec<_>>().join(", ");
            problems.note(None, format!("arguments are not JSON ({ids})"));
        }
        problems.note_unknown("role", &distinct(&self.odd_roles));
    }
}

fn distinct(words: &[String]) -> Vec<String> {
    let set: BTreeSet<&String> = words.iter().collect();
    set.into_iter().cloned().collect()
}

/// Entries, and the reply that is being given.
#[derive(Default)]
struct Entries {
    entries: Vec<Entry>,
    open: Option<Reply>,
}

impl Entries {
    fn push(&mut self, entry: Entry) {
        self.close(true);
        self.entries.push(entry);
    }

    fn reply(&mut self) -> &mut Reply {
        self.open.get_or_insert_default()
    }

    /// Ends the reply. Where nothing says how it ended, one that was gone on from, or that ends in
    /// words, is whole.
    fn close(&mut self, is_gone_on_from: bool) {
        let Some(mut reply) = self.open.take() else {
            return;
        };
        let is_said = || matches!(reply.parts.last(), Some(Part::Text(_) | Part::Image(_)));
        if reply.status == ReplyStatus::Unknown && (is_gone_on_from || is_said()) {
            reply.status = ReplyStatus::Complete;
        }
        self.entries.push(Entry::Reply(reply));
    }
}

/// Adds what is known of a reply to it.
fn add(reply: &mut Reply, facts: Reply) {
    if reply.id.is_empty() {
        reply.id = facts.id;
    }
    reply.start = reply.start.or(facts.start);
    reply.end = facts.end.or(reply.end);
    reply.ms = match (reply.ms, facts.ms) {
        (Some(one), Some(other)) => Some(one.saturating_add(other)),
        (one, other) => one.or(other),
    };
    for model in facts.models {
        if !reply.models.contains(&model) {
            reply.models.push(model);
        }
    }
    if facts.status != ReplyStatus::Unknown {
        reply.status = facts.status;
    }
    reply.parts.extend(facts.parts);
    for source in facts.sources {
        cite(&mut reply.sources, &source.url, source.title);
    }
    reply.error = reply.error.take().or(facts.error);
    if let Some(usage) = facts.usage {
        reply.usage.get_or_insert_default().add(&usage);
    }
}
