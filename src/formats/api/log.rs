//! Logs: which of their records are one conversation, and what each says that is new.
//!
//! A program that goes on with a conversation sends all of it again with each request. Where the
//! messages of one request are the first of a later one, and what follows them there is what the
//! response said, both are one conversation, and what is said again is read once.

use std::ops::Range;

use crate::error::{Problem, Severity};
use crate::formats::Reading;
use crate::formats::chat::parts_of_array;
use crate::formats::problems::Problems;
use crate::formats::records::{self, Json, Object, each_line_in, each_record, items};
use crate::model::{Reply, ReplyStatus};
use crate::source::{At, Part, Source};

use super::chains::{Chains, Last};
use super::{Exchange, Flow, Wire, stream};

/// The conversations in a source's main file, when they are several.
///
/// # Errors
/// When the file cannot be read.
pub(crate) fn parts(
    source: &Source,
    wire: &dyn Wire,
    is_document: bool,
) -> Result<Vec<Part>, Problem> {
    if stream::is_streamed(source, wire) {
        return Ok(Vec::new());
    }
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
        if chains.spans().next().is_some() {
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
        None if stream::is_streamed(source, wire) => {
            let text = stream::text_of(source, &mut problems).unwrap_or_default();
            // One after the other: what is kept in one file was said to one person.
            for response in stream::responses(&text, wire) {
                if let Ok(response) = Object::parse(&response) {
                    wire.respond(&response, &mut telling.flow);
                }
            }
        }
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
    let places = |spans: &[Range<u64>]| {
        let starts = spans.iter().map(|span| span.start);
        starts
            .filter_map(|start| usize::try_from(start).ok())
            .collect()
    };
    chains.spans().map(places).collect()
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
