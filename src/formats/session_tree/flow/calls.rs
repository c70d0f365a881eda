//! Calls with their results, wherever in the file those stand.

use std::collections::HashMap;

use crate::figures::between;
use crate::formats::pairs::Pairs;
use crate::model::{Input, Notice, NoticeKind, Part, Timestamp, ToolCall};

use super::Flow;
use crate::formats::records::Object;
use crate::formats::session_tree::outcome::{More, Outcome};
use crate::formats::session_tree::row::{Row, What};

/// How the address of a tool begins, to which one writes in order to call it.
const ADDRESS: &str = "xd://";

/// Takes the results out of the rows.
pub(super) fn gather(rows: &mut [Row]) -> (Pairs, HashMap<String, More>) {
    let mut pairs = Pairs::default();
    let mut more = HashMap::new();
    for row in rows.iter_mut() {
        match &mut row.what {
            What::Wrote(message) => {
                for part in &message.parts {
                    if let Part::Tool(call) = part
                        && let Some(input) = &call.input
                    {
                        pairs.add_call(&call.id, &call.name, input);
                    }
                }
                for outcome in &mut message.outcomes {
                    take(outcome, &mut pairs, &mut more);
                }
            }
            What::Result(outcome) => take(outcome, &mut pairs, &mut more),
            _ => {}
        }
    }
    (pairs, more)
}

fn take(outcome: &mut Outcome, pairs: &mut Pairs, more: &mut HashMap<String, More>) {
    let result = std::mem::take(&mut outcome.result);
    let told = std::mem::take(&mut outcome.more);
    match pairs.add_result(&outcome.call, result) {
        // One without an id belongs to no call, and is kept for its own card.
        Some(result) => (outcome.result, outcome.more) = (result, told),
        None => {
            more.entry(outcome.call.clone()).or_insert(told);
        }
    }
}

impl Flow<'_, '_> {
    /// The result of a call: it stands in the call's card, or in one of its own.
    pub(super) fn result(&mut self, outcome: Outcome, time: Option<Timestamp>) {
        let own = outcome.call.is_empty().then_some(outcome.result);
        let card = self.pairs.orphan(outcome.call, outcome.tool, own);
        let Some(mut call) = card else {
            if let Some(open) = &mut self.reply {
                open.reply.end = time.or(open.reply.end);
            }
            return;
        };
        let told = match call.id.is_empty() {
            true => Some(outcome.more),
            false => self.more.remove(&call.id),
        };
        self.complete(&mut call, told.unwrap_or_default(), None);
        let open = self.open("", time);
        open.reply.parts.push(Part::Tool(Box::new(call)));
    }

    /// A call with its result, made when its message was whole; `None` when its id had its card
    /// already. `is_lone` says whether its message made no other calls, which may have to wait
    /// for each other.
    pub(super) fn card(
        &mut self,
        call: ToolCall,
        made: Option<Timestamp>,
        is_lone: bool,
    ) -> Option<ToolCall> {
        let input = call.input.unwrap_or(Input::Text(String::new()));
        let mut call = self.pairs.card(call.id, call.name, input)?;
        call.start = made;
        let told = self.more.remove(&call.id).unwrap_or_default();
        self.complete(&mut call, told, made.filter(|_| is_lone));
        Some(call)
    }

    fn complete(&mut self, call: &mut ToolCall, told: More, made: Option<Timestamp>) {
        let answered = call.result.as_ref().and_then(|result| result.time);
        call.ms = told.ms.or_else(|| between(made, answered));
        if let (Some(number), Some(result)) = (&told.artifact, &mut call.result) {
            result.full_output = Some(self.transcript.blobs.artifact(number, self.folder));
        }
        match told.inner {
            Some(inner) => through(call, inner.tool, inner.input),
            None if call.result.is_none() => addressed(call),
            None => {}
        }
        name_patches(call);
        if !told.runs.is_empty() {
            self.runs.insert(call.id.clone(), told.runs);
        }
    }
}

/// Shows the tool that was called through another one.
fn through(call: &mut ToolCall, tool: String, input: Option<String>) {
    let title = format!("Called through {}: {ADDRESS}{tool}", call.name);
    call.notices.push(Notice::new(NoticeKind::Info, title));
    call.name = tool;
    if let Some(input) = input.or_else(|| content(call)) {
        call.input = Some(Input::Json(input));
    }
}

/// A call without a result that writes to a tool's address.
fn addressed(call: &mut ToolCall) {
    let path = argument(call, "path");
    let tool = path
        .as_deref()
        .and_then(|path| path.trim().strip_prefix(ADDRESS));
    let tool = tool.filter(|tool| !tool.is_empty() && call.name == "write");
    if let Some(tool) = tool.map(str::to_owned)
        && content(call).is_some()
    {
        through(call, tool, None);
    }
}

/// The JSON object that a call writes.
fn content(call: &ToolCall) -> Option<String> {
    argument(call, "content").filter(|content| Object::parse(content).is_ok())
}

fn argument(call: &ToolCall, name: &str) -> Option<String> {
    match &call.input {
        Some(Input::Json(json)) => Object::parse(json).ok()?.words(name),
        _ => None,
    }
}

/// A change that was recorded without its file is of the file that was asked to be changed.
fn name_patches(call: &mut ToolCall) {
    let nameless = call
        .result
        .as_ref()
        .and_then(|result| result.details.as_ref());
    if !nameless.is_some_and(|details| details.patches.iter().any(|p| p.path.is_empty())) {
        return;
    }
    let path = argument(call, "path").or_else(|| argument(call, "file_path"));
    let details = call
        .result
        .as_mut()
        .and_then(|result| result.details.as_mut());
    if let (Some(path), Some(details)) = (path, details) {
        for patch in details
            .patches
            .iter_mut()
            .filter(|patch| patch.path.is_empty())
        {
            patch.path.clone_from(&path);
        }
    }
}
