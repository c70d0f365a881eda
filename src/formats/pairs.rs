//! Calls and results that name each other by an id: one id becomes one card, in which the first
//! call stands with the first result, and what comes later under the same id stands with them.

use std::collections::{BTreeMap, BTreeSet};

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
    name: String,
    input: Input,
    /// What was asked for after the first time, each input once.
    later: Vec<Input>,
}

impl Pairs {
    /// Adds a call.
    pub(crate) fn add_call(&mut self, id: &str, name: &str, input: &Input) {
        if id.is_empty() {
            return;
        }
        let calls = self.calls.entry(id.to_owned()).or_insert_with(|| Calls {
            name: name.to_owned(),
            input: input.clone(),
            later: Vec::new(),
        });
        let known = (calls.name == name && calls.input == *input) || calls.later.contains(input);
        if !known {
            calls.later.push(input.clone());
        }
    }

    /// Adds a result.
    pub(crate) fn add_result(&mut self, id: &str, result: &ToolResult) {
        if !id.is_empty() {
            let results = self.results.entry(id.to_owned()).or_default();
            results.push(result.clone());
        }
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
    /// the id has its card already.
    pub(crate) fn orphan(
        &mut self,
        id: String,
        name: String,
        result: ToolResult,
    ) -> Option<ToolCall> {
        if self.calls.contains_key(&id) {
            return None;
        }
        let (first, more_results) = self.take(&id)?;
        Some(ToolCall {
            id,
            name,
            result: first.or(Some(result)),
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

/// Says that a later call used the id of this one, so that no input is lost.
fn called_again(input: Input) -> Notice {
    let body = match input {
        Input::Json(json) => Body::Data(json),
        Input::Text(text) => Body::Output(text),
    };
    Notice::new(NoticeKind::Info, "Called again under the same id").with_body(body)
}
