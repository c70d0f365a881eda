//! Calls and their results find each other by id over the whole conversation, however far apart
//! they stand.

use std::collections::{HashMap, HashSet, VecDeque};

use xxhash_rust::xxh3::Xxh3;

use crate::figures::between;
use crate::formats::branches::Counts;
use crate::formats::notices::in_a_line;
use crate::formats::problems::Problems;
use crate::model::{Body, ImageData, Input, Notice, NoticeKind, Part, Timestamp, ToolCall};

use super::outcome::Outcome;
use super::row::{Row, What};
use super::transcript::name;
use super::wrappers::{self, Piece};

/// How an id that was made up for a call without one begins.
const MADE_UP: char = '\u{1}';

/// Results and notices that wait for the calls that they belong to.
#[derive(Debug, Default)]
pub(super) struct Pairs {
    results: HashMap<String, Vec<Outcome>>,
    notices: HashMap<String, Vec<Notice>>,
}

impl Pairs {
    /// Takes the results out of the rows for which there is a call. Those that are left have
    /// none.
    pub(super) fn gather(rows: &mut [Row], counts: &mut Counts, problems: &mut Problems) -> Self {
        name_nameless(rows);
        let calls = calls(rows, problems);
        let mut pairs = Pairs::default();
        let mut said = HashSet::new();
        for (at, row) in rows.iter_mut().enumerate() {
            let (line, time) = (row.line, row.time);
            settle_report(row, &calls);
            let outcomes = match &mut row.what {
                What::Said(speech) => &mut speech.outcomes,
                What::Wrote(message) => &mut message.outcomes,
                _ => continue,
            };
            for mut outcome in std::mem::take(outcomes) {
                outcome.result.time = time;
                let id = name(outcome.call.trim_start_matches(MADE_UP));
                let Some(call) = calls.get(&outcome.call) else {
                    problems.warn(line, format!("result for unknown call {id}"));
                    outcomes.push(outcome);
                    continue;
                };
                if call.row > at {
                    problems.warn(line, format!("result before its call {id}"));
                }
                if !said.insert(hash_of_result(&outcome)) {
                    continue;
                }
                let known = pairs.results.entry(outcome.call.clone()).or_default();
                if !known.is_empty() {
                    problems.warn(line, format!("second result for {id}"));
                }
                known.push(outcome);
            }
        }
        pairs.gather_notices(rows, &calls);
        let open = calls.keys().filter(|id| !pairs.results.contains_key(*id));
        counts.open_calls += open.count();
        pairs
    }

    /// Takes what is said about calls out of the rows.
    fn gather_notices(&mut self, rows: &mut [Row], calls: &HashMap<String, Call>) {
        for row in rows {
            let time = row.time;
            match &mut row.what {
                What::Remark { call, .. } if calls.contains_key(call) => {
                    if let What::Remark { notice, call } = std::mem::take(&mut row.what) {
                        self.notices.entry(call).or_default().push(notice.at(time));
                    }
                }
                What::Said(speech) if speech.injected && calls.contains_key(&speech.call) => {
                    let pieces = std::mem::take(&mut speech.pieces);
                    for piece in pieces {
                        self.add(&speech.call, piece, time);
                    }
                }
                _ => {}
            }
        }
    }

    /// Adds what the program said for a call, such as a skill's text.
    fn add(&mut self, call: &str, piece: Piece, time: Option<Timestamp>) {
        let notice = match piece {
            Piece::Notice(notice) | Piece::Stop(notice) => notice,
            Piece::Part(Part::Text(text)) => wrappers::injected(&text),
            Piece::Part(Part::Image(image)) => {
                let results = self.results.get_mut(call);
                if let Some(outcome) = results.and_then(|results| results.first_mut()) {
                    outcome.result.images.push(image);
                    return;
                }
                Notice::new(NoticeKind::Context, "A picture for this call")
            }
            Piece::Part(Part::File(file)) => {
                let body = Body::Output(file.text.unwrap_or_default());
                Notice::new(NoticeKind::Context, format!("File {}", file.name)).with_body(body)
            }
            Piece::Part(_) => return,
            Piece::Command(command) => in_a_line(NoticeKind::Command, &command.words),
            Piece::Output(output) => {
                let notice = Notice::new(NoticeKind::Command, "Output of a command");
                notice.with_body(Body::Output(output))
            }
            Piece::From { agent, text, .. } => {
                wrappers::folded(NoticeKind::Context, &format!("Message of {agent}"), &text)
            }
        };
        let notices = self.notices.entry(call.to_owned()).or_default();
        notices.push(notice.at(time));
    }

    /// Gives a call what belongs to it.
    pub(super) fn complete(&mut self, call: &mut ToolCall) -> Option<String> {
        call.notices = self.notices.remove(&call.id).unwrap_or_default();
        let mut outcomes = self
            .results
            .remove(&call.id)
            .unwrap_or_default()
            .into_iter();
        if call.id.starts_with(MADE_UP) {
            call.id.clear();
        }
        let first = outcomes.next()?;
        call.ms = first.ms.or_else(|| between(call.start, first.result.time));
        call.result = Some(first.result);
        call.more_results = outcomes.map(|outcome| outcome.result).collect();
        first.saved
    }
}

/// A hash of what a result says to which call.
fn hash_of_result(outcome: &Outcome) -> u64 {
    let result = &outcome.result;
    let mut hash = Xxh3::new();
    hash.update(outcome.call.as_bytes());
    hash.update(&[u8::from(result.is_error), 0]);
    hash.update(result.text.as_bytes());
    for image in &result.images {
        match &image.data {
            ImageData::Base64 { data: words, .. }
            | ImageData::Remote(words)
            | ImageData::Missing(words) => hash.update(words.as_bytes()),
            ImageData::Bytes(bytes) => hash.update(bytes),
        }
    }
    hash.digest()
}

/// Where a call stands.
struct Call {
    row: usize,
    tool: String,
}

/// All calls by id. A call that stands twice is counted once.
fn calls(rows: &mut [Row], problems: &mut Problems) -> HashMap<String, Call> {
    let mut calls: HashMap<String, Call> = HashMap::new();
    let mut inputs: HashMap<String, u64> = HashMap::new();
    for (at, row) in rows.iter_mut().enumerate() {
        let line = row.line;
        let What::Wrote(message) = &mut row.what else {
            continue;
        };
        message.parts.retain(|part| {
            let Part::Tool(call) = part else {
                return true;
            };
            let hash = hash(call);
            if let Some(known) = inputs.get(&call.id) {
                if *known != hash {
                    problems.warn(line, format!("tool id {} used twice", name(&call.id)));
                }
                return *known != hash;
            }
            inputs.insert(call.id.clone(), hash);
            let tool = call.name.clone();
            calls.insert(call.id.clone(), Call { row: at, tool });
            true
        });
    }
    calls
}

/// A hash of what a call asks for.
fn hash(call: &ToolCall) -> u64 {
    let mut hash = Xxh3::new();
    hash.update(call.name.as_bytes());
    if let Some(Input::Json(input) | Input::Text(input)) = &call.input {
        hash.update(input.as_bytes());
    }
    hash.digest()
}

/// Gives the report of a row with several results to the one that it fits, if it is one.
fn settle_report(row: &mut Row, calls: &HashMap<String, Call>) {
    let What::Said(speech) = &mut row.what else {
        return;
    };
    let Some(report) = speech.report.take() else {
        return;
    };
    let mut fitting = speech.outcomes.iter_mut().filter(|outcome| {
        let call = calls.get(&outcome.call);
        call.is_some_and(|call| report.act.fits(&call.tool))
    });
    if let (Some(outcome), None) = (fitting.next(), fitting.next()) {
        outcome.add(*report);
    }
}

/// Gives calls and results without ids one: files that were cut by hand have none, and a result
/// then belongs to the first call that has none yet.
fn name_nameless(rows: &mut [Row]) {
    let mut made = 0;
    let mut open = VecDeque::new();
    for row in rows {
        match &mut row.what {
            What::Wrote(message) => {
                for part in &mut message.parts {
                    if let Part::Tool(call) = part
                        && call.id.is_empty()
                    {
                        made += 1;
                        call.id = format!("{MADE_UP}{made}");
                        open.push_back(call.id.clone());
                    }
                }
            }
            What::Said(speech) => {
                for outcome in &mut speech.outcomes {
                    if outcome.call.is_empty()
                        && let Some(id) = open.pop_front()
                    {
                        outcome.call = id;
                    }
                }
            }
            _ => {}
        }
    }
}
