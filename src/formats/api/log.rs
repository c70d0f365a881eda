//! Logs: which of their records are one conversation, and what each says that is new.
//!
//! A program that goes on with a conversation sends all of it again with each request. Where the
//! messages of one request are the first of a later one, and what follows them there is what the
//! response said, both are one conversation, and what is said again is read once.

use std::collections::BTreeMap;
use std::hash::Hasher;
use std::ops::Range;

use xxhash_rust::xxh3::Xxh3;

use crate::error::{Problem, Severity};
use crate::formats::Reading;
use crate::formats::chat::parts_of_array;
use crate::formats::problems::Problems;
use crate::formats::records::{self, Json, Object, each_line_in, each_record, items, text};
use crate::model::{Reply, ReplyStatus};
use crate::source::{At, Part, Source};

use super::{Exchange, Flow, Wire};

/// Keys that say nothing of what a message is: they move from one to the next.
const MOVING: [&str; 1] = ["cache_control"];

/// The conversations in a source's main file, when they are several.
///
/// # Errors
/// When the file cannot be read.
pub(crate) fn parts(
    source: &Source,
    wire: &dyn Wire,
    is_document: bool,
) -> Result<Vec<Part>, Problem> {
    let mut chains = Chains::new(wire);
    let fault = |error: std::io::Error| {
        let what = format!("cannot be read: {error}");
        Problem::new(Severity::Warning, source.main.path.as_str(), what)
    };
    if !is_document {
        if !matches!(
            records::open(&source.main).map_err(fault)?.0,
            records::Encoding::Utf8
        ) {
            return Ok(Vec::new());
        }
        let size = source.main.size;
        each_line_in(&source.main, 0..size, &mut |span, line| match line {
            Ok(json) => chains.add(span, json),
            Err(_) => chains.stretch(span),
        })
        .map_err(fault)?;
        return Ok(chains.parts(true));
    }
    for key in [None, Some("data")] {
        for part in parts_of_array(source, key)? {
            let At::Bytes(span) = part.at.clone() else {
                continue;
            };
            let one = Source {
                part: Some(part),
                ..source.clone()
            };
            let mut unsaid = Problems::of_source(&one);
            if let Some(json) = records::document_of(&one, &mut unsaid) {
                chains.add(span, &json);
            }
        }
        if !chains.all.is_empty() {
            break;
        }
    }
    Ok(chains.parts(false))
}

/// Reads a source of this wire, or a part of one.
pub(crate) fn read(source: &Source, wire: &dyn Wire, is_document: bool) -> Reading {
    let mut problems = Problems::of_source(source);
    let mut telling = Telling {
        wire,
        last: None,
        flow: Flow::default(),
        left: 0,
    };
    match source.part.as_ref().map(|part| &part.at) {
        Some(At::Bytes(range)) if !is_document => {
            let mut is_ours = true;
            let read = each_line_in(&source.main, range.clone(), &mut |_, line| match line {
                Ok(json) => is_ours = telling.record(json),
                Err(what) if is_ours => problems.warn(None, format!("a line: {what}")),
                Err(_) => {}
            });
            if let Err(error) = read {
                problems.lost(None, format!("cannot be read: {error}"));
            }
        }
        Some(At::Key(key)) => {
            for range in ranges(key) {
                let part = Part {
                    size: range.end - range.start,
                    at: At::Bytes(range),
                };
                let one = Source {
                    part: Some(part),
                    ..source.clone()
                };
                if let Some(json) = records::document_of(&one, &mut problems) {
                    telling.record(&json);
                }
            }
        }
        _ if is_document => {
            if let Some(json) = records::document_of(source, &mut problems) {
                telling.document(&json, &mut problems);
            }
        }
        _ => {
            each_record(&source.main, &mut problems, &mut |record, _| {
                Json::parse(record.json)?;
                telling.record(record.json);
                Ok(())
            });
        }
    }
    if telling.left > 0 && source.part.is_none() {
        let what = format!("{} further conversations are not read", telling.left);
        problems.warn(None, what);
    }
    let is_lost = is_document && problems.any_warning();
    let conversation = telling.flow.finish(wire.program(), &mut problems);
    if is_lost && conversation.entries.is_empty() {
        // Why there is no page has been said.
        return Reading {
            conversation: None,
            problems: problems.into_vec(),
        };
    }
    Reading::settled(conversation, vec![problems], |notice| {
        // Instructions and tools without a word are no conversation.
        notice.kind == crate::model::NoticeKind::Context
    })
}

/// The conversations that records are, each as the places of its records.
pub(crate) fn chained(wire: &dyn Wire, records: &[String]) -> Vec<Vec<usize>> {
    let mut chains = Chains::new(wire);
    for (at, record) in (0_u64..).zip(records) {
        chains.add(at..at + 1, record);
    }
    let places = |chain: &Chain| {
        let starts = chain.spans.iter().map(|span| span.start);
        starts
            .filter_map(|start| usize::try_from(start).ok())
            .collect()
    };
    chains.all.iter().map(places).collect()
}

/// What records say that are one conversation.
pub(crate) fn told<'r>(wire: &dyn Wire, records: impl IntoIterator<Item = &'r str>) -> Flow {
    let mut telling = Telling {
        wire,
        last: None,
        flow: Flow::default(),
        left: 0,
    };
    for record in records {
        telling.record(record);
    }
    telling.flow
}

/// The stretches that a part of several is written as.
pub(crate) fn ranges(key: &str) -> Vec<Range<u64>> {
    let range = |range: &str| {
        let (start, end) = range.split_once('-')?;
        Some(start.parse().ok()?..end.parse().ok()?)
    };
    key.split(',').filter_map(range).collect()
}

/// A conversation as it is read.
struct Telling<'w> {
    wire: &'w dyn Wire,
    last: Option<Last>,
    flow: Flow,
    /// Records that belong to other conversations.
    left: usize,
}

impl Telling<'_> {
    fn document(&mut self, json: &str, problems: &mut Problems) {
        let Ok(value) = Json::parse(json) else {
            return;
        };
        let whole = Object::of(value).unwrap_or_default();
        if whole.has("messages") && whole.items("messages").is_empty() {
            let is_list = whole
                .get("messages")
                .is_some_and(|list| list.get().starts_with('['));
            if !is_list {
                return problems.lost(None, "`messages` is not an array");
            }
        }
        let list = match Object::of(value) {
            Some(_) => whole.items("data"),
            None => items(value),
        };
        if list.is_empty() {
            self.record(json);
        } else {
            list.into_iter().for_each(|item| {
                self.record(item.get());
            });
        }
    }

    /// Reads a record; whether it belongs to this conversation.
    fn record(&mut self, json: &str) -> bool {
        let Ok(value) = Json::parse(json) else {
            return false;
        };
        if Object::of(value).is_some_and(|object| self.wire.is_message(&object)) {
            self.wire.message(value, &mut self.flow);
            return true;
        }
        let Some(exchange) = Exchange::of(value, self.wire) else {
            return false;
        };
        let is_first = self.last.is_none();
        let next = Last::of(&exchange, self.wire);
        let from = match &self.last {
            None => Some(0),
            Some(last) => next.continues(last),
        };
        let Some(from) = from else {
            self.left += 1;
            return false;
        };
        let answers = self
            .last
            .take()
            .map(|last| last.answers)
            .unwrap_or_default();
        self.exchange(&exchange, from, &answers, is_first);
        self.last = Some(next);
        true
    }

    fn exchange(&mut self, exchange: &Exchange, from: usize, said: &[u64], is_first: bool) {
        let flow = &mut self.flow;
        if is_first {
            flow.about.id.clone_from(&exchange.batch_id);
        }
        if let Some(request) = exchange
            .request
            .as_deref()
            .and_then(|json| Object::parse(json).ok())
        {
            self.wire.begin(&request, flow);
            let mut is_said = !said.is_empty();
            for message in self.wire.messages(&request).into_iter().skip(from) {
                let essence = self.wire.essence(message);
                is_said &= essence.is_some_and(|essence| said.contains(&essence));
                if !is_said {
                    self.wire.message(message, flow);
                }
            }
            self.wire.end(&request, flow);
        }
        let response = exchange.response.as_deref();
        if let Some(response) = response.and_then(|json| Object::parse(json).ok()) {
            self.wire.respond(&response, flow);
        }
        let facts = Reply {
            start: exchange.time,
            ms: exchange.ms,
            error: exchange.error.clone(),
            status: match exchange.error {
                Some(_) => ReplyStatus::Error,
                None => ReplyStatus::Unknown,
            },
            ..Reply::default()
        };
        let is_answered = response.is_some() || facts.error.is_some();
        if is_answered && facts != Reply::default() {
            flow.facts(facts);
        }
    }
}

/// What a record says by which the next of its conversation is known.
#[derive(Debug, Default)]
struct Last {
    /// Hashes of the first message, of the first two and so on.
    prefixes: Vec<u64>,
    /// The messages' own essences.
    essences: Vec<Option<u64>>,
    /// The essences of what the response said.
    answers: Vec<u64>,
    /// The response's id.
    response_id: String,
    /// The id of the response that the request goes on from.
    previous_id: String,
    /// Whether it is a record that others may go on from.
    is_logged: bool,
}

impl Last {
    fn of(exchange: &Exchange, wire: &dyn Wire) -> Self {
        let request = exchange
            .request
            .as_deref()
            .and_then(|json| Object::parse(json).ok());
        let response = exchange
            .response
            .as_deref()
            .and_then(|json| Object::parse(json).ok());
        let messages = request.as_ref().map(|request| wire.messages(request));
        let messages = messages.unwrap_or_default();
        let mut hash = Xxh3::new();
        let prefixes = messages.iter().map(|message| {
            fingerprint(*message, &mut hash);
            hash.finish()
        });
        let has_model = request.as_ref().is_some_and(|request| request.has("model"));
        Last {
            prefixes: prefixes.collect(),
            essences: messages
                .iter()
                .map(|message| wire.essence(*message))
                .collect(),
            answers: response
                .as_ref()
                .map(|response| wire.essences(response))
                .unwrap_or_default(),
            response_id: response
                .as_ref()
                .map(|one| one.string("id"))
                .unwrap_or_default(),
            previous_id: request
                .as_ref()
                .map(|one| one.string("previous_response_id"))
                .unwrap_or_default(),
            // Lines of other files, such as examples to learn from, share their beginnings too.
            is_logged: exchange.batch_id.is_empty() && (response.is_some() || has_model),
        }
    }

    /// From which of its messages on it goes on from another; `None` when it does not.
    fn continues(&self, last: &Last) -> Option<usize> {
        if !self.is_logged || !last.is_logged {
            return None;
        }
        let count = last.prefixes.len();
        let is_longer = count > 0 && self.prefixes.len() > count;
        if is_longer && self.prefixes.get(count - 1) == last.prefixes.last() {
            let next = self.essences.get(count).copied().flatten();
            let is_answer = next.is_some_and(|next| last.answers.contains(&next));
            if is_answer || last.answers.is_empty() {
                return Some(count);
            }
        }
        // A request that names the response before says only what is new.
        let is_named = !last.response_id.is_empty() && self.previous_id == last.response_id;
        is_named.then_some(0)
    }
}

/// Adds what a message is, however it is spaced.
fn fingerprint(value: Json<'_>, hash: &mut Xxh3) {
    let json = value.get();
    if json.starts_with('[') {
        hash.update(b"[");
        items(value)
            .into_iter()
            .for_each(|item| fingerprint(item, hash));
        hash.update(b"]");
    } else if let Some(object) = Object::of(value) {
        hash.update(b"{");
        let entries = object.entries().filter(|(key, _)| !MOVING.contains(key));
        for (key, value) in entries {
            hash.update(key.as_bytes());
            hash.update(b":");
            fingerprint(value, hash);
        }
        hash.update(b"}");
    } else if let Some(words) = text(value) {
        hash.update(b"\"");
        hash.update(words.as_bytes());
        hash.update(b"\"");
    } else {
        hash.update(json.as_bytes());
    }
}

/// The conversations of a file, as they are found.
struct Chains<'w> {
    wire: &'w dyn Wire,
    all: Vec<Chain>,
    /// The chain whose last request lists what has this hash.
    by_messages: BTreeMap<u64, usize>,
    by_response: BTreeMap<String, usize>,
    /// Where the file's readable part begins, as long as nothing was read.
    lead: Option<u64>,
    /// The chain of the line before.
    current: Option<usize>,
    is_of_messages: bool,
}

struct Chain {
    spans: Vec<Range<u64>>,
    last: Last,
}

impl<'w> Chains<'w> {
    fn new(wire: &'w dyn Wire) -> Self {
        Self {
            wire,
            all: Vec::new(),
            by_messages: BTreeMap::new(),
            by_response: BTreeMap::new(),
            lead: None,
            current: None,
            is_of_messages: false,
        }
    }

    /// A line that cannot be read belongs to what stands before it, or else after it.
    fn stretch(&mut self, span: Range<u64>) {
        match self.current {
            Some(at) => {
                if let Some(last) = self.all[at].spans.last_mut() {
                    last.end = span.end;
                }
            }
            None => self.lead = self.lead.or(Some(span.start)),
        }
    }

    fn add(&mut self, span: Range<u64>, json: &str) {
        let Ok(value) = Json::parse(json) else {
            return;
        };
        let is_message = || {
            let object = Object::of(value);
            object.is_some_and(|object| self.wire.is_message(&object))
        };
        if self.is_of_messages || (self.all.is_empty() && is_message()) {
            self.is_of_messages = true;
            return;
        }
        let Some(exchange) = Exchange::of(value, self.wire) else {
            return;
        };
        let last = Last::of(&exchange, self.wire);
        let start = self.lead.take().unwrap_or(span.start);
        let span = start..span.end;
        let at = match self.before(&last) {
            Some(at) => {
                self.all[at].spans.push(span);
                at
            }
            None => {
                self.all.push(Chain {
                    spans: vec![span],
                    last: Last::default(),
                });
                self.all.len() - 1
            }
        };
        if let Some(hash) = self.all[at].last.prefixes.last() {
            // Another conversation may stand at the same.
            let is_own = self.by_messages.get(hash) == Some(&at);
            is_own.then(|| self.by_messages.remove(hash));
        }
        if last.is_logged {
            if let Some(hash) = last.prefixes.last() {
                self.by_messages.insert(*hash, at);
            }
            if !last.response_id.is_empty() {
                self.by_response.insert(last.response_id.clone(), at);
            }
        }
        self.all[at].last = last;
        self.current = Some(at);
    }

    /// The chain that a record goes on from: the one with which it shares most.
    fn before(&self, next: &Last) -> Option<usize> {
        let by_id = self.by_response.get(&next.previous_id);
        let by_messages = next.prefixes.iter().rev().skip(1);
        let by_messages = by_messages.filter_map(|hash| self.by_messages.get(hash));
        let mut found = by_id.into_iter().chain(by_messages).copied();
        found.find(|at| next.continues(&self.all[*at].last).is_some())
    }

    /// The parts; none for a file that is one conversation.
    fn parts(self, are_lines: bool) -> Vec<Part> {
        let is_one = self.all.len() == 1 && are_lines;
        if self.is_of_messages || self.all.is_empty() || is_one {
            return Vec::new();
        }
        let part = |chain: Chain| {
            let size = chain.spans.iter().map(|span| span.end - span.start).sum();
            let ends = (chain.spans.first(), chain.spans.last());
            let at = match ends {
                (Some(first), Some(last)) if are_lines || chain.spans.len() == 1 => {
                    At::Bytes(first.start..last.end)
                }
                _ => {
                    let spans = chain.spans.iter();
                    let spans = spans.map(|span| format!("{}-{}", span.start, span.end));
                    At::Key(spans.collect::<Vec<_>>().join(","))
                }
            };
            Part { at, size }
        };
        self.all.into_iter().map(part).collect()
    }
}
