//! Which records of a log are one conversation: those whose requests begin with all that an
//! earlier one lists, and go on with what was answered to it.

use std::collections::BTreeMap;
use std::hash::Hasher;
use std::ops::Range;

use xxhash_rust::xxh3::Xxh3;

use crate::formats::records::{Json, Object, items, text};
use crate::source::{At, Part};

use super::{Exchange, Wire};

/// Keys that say nothing of what a message is: they move from one to the next.
const MOVING: [&str; 1] = ["cache_control"];

/// What a record says by which the next of its conversation is known.
#[derive(Debug, Default)]
pub(super) struct Last {
    /// Hashes of the first message, of the first two and so on.
    prefixes: Vec<u64>,
    /// The messages' own essences.
    essences: Vec<Option<u64>>,
    /// The essences of what the response said.
    pub(super) answers: Vec<u64>,
    /// The response's id.
    response_id: String,
    /// The id of the response that the request goes on from.
    previous_id: String,
    /// Whether it is a record that others may go on from.
    is_logged: bool,
}

impl Last {
    pub(super) fn of(exchange: &Exchange, wire: &dyn Wire) -> Self {
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
    pub(super) fn continues(&self, last: &Last) -> Option<usize> {
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
pub(super) struct Chains<'w> {
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
    /// No conversations yet.
    pub(super) fn new(wire: &'w dyn Wire) -> Self {
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
    pub(super) fn stretch(&mut self, span: Range<u64>) {
        match self.current {
            Some(at) => {
                if let Some(last) = self.all[at].spans.last_mut() {
                    last.end = span.end;
                }
            }
            None => self.lead = self.lead.or(Some(span.start)),
        }
    }

    /// Adds a record, which stands in these bytes.
    pub(super) fn add(&mut self, span: Range<u64>, json: &str) {
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

    /// Where the records of each conversation stand.
    pub(super) fn spans(&self) -> impl Iterator<Item = &[Range<u64>]> {
        self.all.iter().map(|chain| chain.spans.as_slice())
    }

    /// The parts; none for a file that is one conversation.
    pub(super) fn parts(self, are_lines: bool) -> Vec<Part> {
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
