//! Calls and results that name each other by an id: one id becomes one card, in which the first
//! call stands with the first result, and what comes later under the same id stands with them.

use std::collections::{BTreeMap, BTreeSet};

use xxhash_rust::xxh3::Xxh3;

use super::records::{Object, text};
use crate::model::{Body, Input, Notice, NoticeKind, ToolCall, ToolResult};

/// What a tool was given, of any type. Some programs write the JSON as a string; only a string
/// that is no JSON object or array is text of its own.
pub(crate) fn input(call: &Object<'_>, key: &str) -> Input {
    let Some(value) = call.get(key) else {
        return match call.has(key) {
            true => Input::Json("null".to_owned()),
            false => Input::Text(String::new()),
        };
    };
    match text(value) {
        None => Input::Json(value.get().to_owned()),
        Some(text) if is_container(&text) => Input::Json(text.into_owned()),
        Some(text) => Input::Text(text.into_owned()),
    }
}

/// Whether a text is a JSON object or array from end to end.
fn is_container(text: &str) -> bool {
    text.trim_start().starts_with(['{', '['])
        && serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
}

/// What belongs to the same call id. All calls and results are added first; then each gets its
/// card, in the order of the page. An empty id belongs to nothing.
#[derive(Debug, Default)]
pub(crate) struct Pairs {
    calls: BTreeMap<String, Calls>,
    /// The results by id, in order.
    results: BTreeMap<String, Vec<ToolResult>>,
    /// The ids whose card was handed out.
    drawn: BTreeSet<String>,
}

/// The calls of one id.
#[derive(Debug)]
struct Calls {
    /// A hash of the first call: its input may be long, and is kept elsewhere.
    first: u64,
    /// What was asked for after the first time, each input once.
    later: Vec<Input>,
}

impl Pairs {
    /// Adds a call.
    pub(crate) fn add_call(&mut self, id: &str, name: &str, input: &Input) {
        if id.is_empty() {
            return;
        }
        let hash = hash(name, input);
        let calls = self.calls.entry(id.to_owned()).or_insert(Calls {
            first: hash,
            later: Vec::new(),
        });
        if calls.first != hash && !calls.later.contains(input) {
            calls.later.push(input.clone());
        }
    }

    /// Adds a result; one without an id is handed back.
    pub(crate) fn add_result(&mut self, id: &str, result: ToolResult) -> Option<ToolResult> {
        if id.is_empty() {
            return Some(result);
        }
        self.results.entry(id.to_owned()).or_default().push(result);
        None
    }

    /// The card of a call with all of its results; `None` when its id has one already.
    pub(crate) fn card(&mut self, id: String, name: String, input: Input) -> Option<ToolCall> {
        let (result, more_results) = self.take(&id)?;
        let calls = self.calls.get_mut(&id);
        let later = calls.map(|calls| std::mem::take(&mut calls.later));
        Some(ToolCall {
            id,
            name,
            input: Some(input),
            result,
            more_results,
            notices: later.into_iter().flatten().map(called_again).collect(),
            ..ToolCall::default()
        })
    }

    /// The card of a result whose call is not in the transcript; `None` when the call is, or when
    /// the id has its card already. `own` is the result itself, when it has no id.
    pub(crate) fn orphan(
        &mut self,
        id: String,
        name: String,
        own: Option<ToolResult>,
    ) -> Option<ToolCall> {
        if self.calls.contains_key(&id) {
            return None;
        }
        let (first, more_results) = self.take(&id)?;
        Some(ToolCall {
            id,
            name,
            result: own.or(first),
            more_results,
            ..ToolCall::default()
        })
    }

    /// The first result of an id and the later ones; `None` when they were taken before.
    fn take(&mut self, id: &str) -> Option<(Option<ToolResult>, Vec<ToolResult>)> {
        if !id.is_empty() && !self.drawn.insert(id.to_owned()) {
            return None;
        }
        let mut results = self.results.remove(id).unwrap_or_default().into_iter();
        Some((results.next(), results.collect()))
    }
}

fn hash(name: &str, input: &Input) -> u64 {
    let (kind, text) = match input {
        Input::Json(json) => ("json", json),
        Input::Text(text) => ("text", text),
    };
    let mut hash = Xxh3::new();
    for piece in [name, "\0", kind, text] {
        hash.update(piece.as_bytes());
    }
    hash.digest()
}

/// Says that a later call used the id of this one, so that no input is lost.
fn called_again(input: Input) -> Notice {
    let body = match input {
        Input::Json(json) => Body::Data(json),
        Input::Text(text) => Body::Output(text),
    };
    Notice::new(NoticeKind::Info, "Called again under the same id").with_body(body)
}
