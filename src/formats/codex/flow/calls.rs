//! Calls with all that belongs to them: their results, and what events say of them.

use std::collections::BTreeMap;

use crate::figures::between;
use crate::formats::codex::echoes::SHORTEST;
use crate::formats::codex::items;
use crate::formats::codex::row::{Report, Row, What, merge};
use crate::formats::pairs::Pairs;
use crate::formats::problems::Problems;
use crate::model::{Details, Input, Timestamp, ToolCall, ToolResult};

/// How an id that was made up for a call without one begins.
const MADE_UP: char = '\u{1}';

/// What waits for the calls that it belongs to.
#[derive(Debug, Default)]
pub(in crate::formats::codex) struct Calls {
    pairs: Pairs,
    reports: BTreeMap<String, Report>,
    /// How long calls took, in milliseconds.
    took: BTreeMap<String, u64>,
    /// What came without an id.
    nameless: Vec<ToolResult>,
}

impl Calls {
    /// Takes results and reports out of the rows. A report of a call that no item has becomes the
    /// call.
    pub(in crate::formats::codex) fn gather(rows: &mut [Row], problems: &mut Problems) -> Self {
        name_nameless(rows);
        let mut calls = Calls::default();
        let mut names: BTreeMap<String, String> = BTreeMap::new();
        for row in rows.iter() {
            if let What::Call {
                id, name, input, ..
            } = &row.what
            {
                calls.pairs.add_call(id, name, input);
                names.entry(id.clone()).or_insert_with(|| name.clone());
            }
        }
        for row in rows.iter_mut() {
            if !matches!(row.what, What::Report { .. }) {
                continue;
            }
            let What::Report { call, mut report } = std::mem::take(&mut row.what) else {
                continue;
            };
            if !call.is_empty() && !names.contains_key(&call) {
                // Without a tool it is about nothing that is shown.
                let Some((name, input)) = report.call.take() else {
                    continue;
                };
                calls.pairs.add_call(&call, &name, &input);
                names.insert(call.clone(), name.clone());
                row.what = What::Call {
                    id: call.clone(),
                    name,
                    input,
                    is_running: false,
                };
            }
            calls.reports.entry(call).or_default().add(*report);
        }
        for row in rows.iter_mut() {
            let What::Result { call, result, ms } = &mut row.what else {
                continue;
            };
            let mut result = std::mem::take(result.as_mut());
            result.time = row.time;
            if let Some(ms) = ms {
                calls.took.entry(call.clone()).or_insert(*ms);
            }
            match names.get(call) {
                Some(name) => items::settle_result(name, &mut result),
                None if call.is_empty() => {}
                None => {
                    let id = crate::figures::one_line(call, 40);
                    problems.warn(row.line, format!("result for unknown call {id}"));
                }
            }
            // The order of those without an id is the order in which they are asked for.
            calls.nameless.extend(calls.pairs.add_result(call, result));
        }
        calls.nameless.reverse();
        calls
    }

    /// The card of a call; `None` when its id has one already.
    pub(super) fn card(
        &mut self,
        id: String,
        name: String,
        input: Input,
        time: Option<Timestamp>,
    ) -> Option<ToolCall> {
        let mut call = self.pairs.card(id, name, input)?;
        call.start = time;
        let report = self.reports.remove(&call.id).unwrap_or_default();
        let ended = call.result.as_ref().and_then(|result| result.time);
        call.ms = report
            .ms
            .or_else(|| self.took.remove(&call.id))
            .or_else(|| between(time, ended).filter(|ms| *ms >= SHORTEST));
        add(&mut call, report);
        if call.id.starts_with(MADE_UP) {
            call.id.clear();
        }
        Some(call)
    }

    /// The card of a result without a call; `None` when it stands in a card already.
    pub(super) fn orphan(
        &mut self,
        id: String,
        _taken: ToolResult,
        ms: Option<u64>,
    ) -> Option<ToolCall> {
        let own = if id.is_empty() {
            Some(self.nameless.pop()?)
        } else {
            None
        };
        let mut call = self.pairs.orphan(id, String::new(), own)?;
        call.ms = ms;
        Some(call)
    }
}

/// Adds what events say of a call.
fn add(call: &mut ToolCall, report: Report) {
    call.notices.extend(report.notices);
    if call.result.is_none() {
        call.result = report.result;
    }
    let Some(result) = &mut call.result else {
        return;
    };
    result.is_error |= report.has_failed;
    let mut details = result.details.take().unwrap_or_default();
    merge(&mut details, report.details);
    if *details != Details::default() {
        result.details = Some(details);
    }
}

/// Gives calls without an id one of their own, and its result the same: the searches of the web
/// have none.
fn name_nameless(rows: &mut [Row]) {
    let mut made = 0;
    let mut last = None;
    for row in rows {
        match &mut row.what {
            What::Call { id, .. } => {
                last = None;
                if id.is_empty() {
                    made += 1;
                    *id = format!("{MADE_UP}{made}");
                    last = Some(id.clone());
                }
            }
            What::Result { call, .. } if call.is_empty() => {
                *call = last.take().unwrap_or_default();
            }
            _ => {}
        }
    }
}
