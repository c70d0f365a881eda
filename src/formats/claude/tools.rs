//! Calls and results of one message.
//!
//! Newer exports give both an id. Older ones do not, and there results stand in the order in
//! which they came, which is not that of the calls: they are put together only where nothing
//! else can be meant.

use std::collections::BTreeMap;

use super::results;
use crate::formats::chat::{Losses, between};
use crate::formats::pairs::input;
use crate::formats::records::Object;
use crate::model::{Notice, NoticeKind, ToolCall};

/// The cards of one message, by the places of the blocks at which they stand.
pub(super) struct Calls {
    cards: BTreeMap<usize, ToolCall>,
}

impl Calls {
    /// Puts the calls and results among the blocks of a message together.
    pub(super) fn of(blocks: &[&Object<'_>], losses: &mut Losses) -> Self {
        let mut cards: BTreeMap<usize, ToolCall> = BTreeMap::new();
        let pairs = pairs(blocks);
        // Whether a tool has both calls and results that could not be put together.
        let is_unclear = |name: &str| {
            let has = |kind| {
                let mut of = blocks.iter().enumerate();
                of.any(|(at, block)| {
                    let is_paired =
                        pairs.contains_key(&at) || pairs.values().any(|call| *call == at);
                    Kind::of(block) == Some(kind) && !is_paired && block.string("name") == name
                })
            };
            has(Kind::Call) && has(Kind::Result)
        };
        for (at, block) in blocks.iter().enumerate() {
            match Kind::of(block) {
                Some(Kind::Call) => {
                    let results = pairs.iter().filter(|(_, call)| **call == at);
                    let results = results.map(|(result, _)| blocks[*result]);
                    let mut card = card(block, results, losses);
                    if card.result.is_none() && is_unclear(&block.string("name")) {
                        let words = "Which of the results below it has is not recorded";
                        card.notices.push(Notice::new(NoticeKind::Info, words));
                    }
                    cards.insert(at, card);
                }
                Some(Kind::Result) if !pairs.contains_key(&at) => {
                    let mut name = block.string("name");
                    let result = results::of(block, &name, losses);
                    let words = "Which of the calls above this answers is not recorded";
                    let notice = Notice::new(NoticeKind::Info, words);
                    let notices = is_unclear(&name).then_some(notice).into_iter().collect();
                    if name.is_empty() {
                        name = block.string("integration_name");
                    }
                    cards.insert(
                        at,
                        ToolCall {
                            id: block.string("tool_use_id"),
                            name,
                            start: result.time,
                            result: Some(result),
                            notices,
                            ..ToolCall::default()
                        },
                    );
                }
                _ => {}
            }
        }
        Calls { cards }
    }

    /// The card that stands at the block of this place.
    pub(super) fn take(&mut self, at: usize) -> Option<ToolCall> {
        self.cards.remove(&at)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Call,
    Result,
}

impl Kind {
    fn of(block: &Object<'_>) -> Option<Self> {
        match block.text("type")?.as_ref() {
            "tool_use" => Some(Kind::Call),
            "tool_result" => Some(Kind::Result),
            _ => None,
        }
    }
}

/// The id of a call; calls that were made side by side have it in what they were given.
fn id_of(call: &Object<'_>) -> String {
    let inner = || call.object("input")?.words("_tool_call_id");
    call.words("id").or_else(inner).unwrap_or_default()
}

/// The places of results with those of their calls.
fn pairs(blocks: &[&Object<'_>]) -> BTreeMap<usize, usize> {
    let mut pairs = BTreeMap::new();
    let mut by_id: BTreeMap<String, usize> = BTreeMap::new();
    for (at, block) in blocks.iter().enumerate() {
        match Kind::of(block) {
            Some(Kind::Call) => {
                by_id.entry(id_of(block)).or_insert(at);
            }
            Some(Kind::Result) => {
                let id = block.string("tool_use_id");
                if let Some(call) = by_id.get(&id).filter(|_| !id.is_empty()) {
                    pairs.insert(at, *call);
                }
            }
            None => {}
        }
    }
    let mut group = Group::default();
    for (at, block) in blocks.iter().enumerate() {
        match Kind::of(block) {
            Some(Kind::Call) => {
                if !group.results.is_empty() {
                    std::mem::take(&mut group).pair(blocks, &mut pairs);
                }
                if pairs.values().all(|call| *call != at) {
                    group.calls.push(at);
                }
            }
            Some(Kind::Result) if block.words("tool_use_id").is_none() => group.results.push(at),
            _ => {}
        }
    }
    group.pair(blocks, &mut pairs);
    pairs
}

/// Calls, and the results without an id that stand behind them and before the next call.
#[derive(Default)]
struct Group {
    calls: Vec<usize>,
    results: Vec<usize>,
}

impl Group {
    fn pair(self, blocks: &[&Object<'_>], pairs: &mut BTreeMap<usize, usize>) {
        if let ([call], [result]) = (self.calls.as_slice(), self.results.as_slice()) {
            let names = [*call, *result].map(|at| blocks[at].string("name"));
            if names[0] == names[1] || names.iter().any(String::is_empty) {
                pairs.insert(*result, *call);
            }
            return;
        }
        for result in &self.results {
            let name = blocks[*result].string("name");
            let named = |all: &[usize]| -> Vec<usize> {
                let named = all.iter().filter(|at| blocks[**at].string("name") == name);
                named.copied().collect()
            };
            let (calls, results) = (named(&self.calls), named(&self.results));
            if let ([call], 1, false) = (calls.as_slice(), results.len(), name.is_empty()) {
                pairs.insert(*result, *call);
            }
        }
    }
}

/// The card of a call with its results.
fn card<'a>(
    block: &Object<'_>,
    results: impl Iterator<Item = &'a Object<'a>>,
    losses: &mut Losses,
) -> ToolCall {
    let name = block.string("name");
    let mut results = results.map(|result| results::of(result, &name, losses));
    let first = results.next();
    let more_results: Vec<_> = results.collect();
    let start = losses.time(block, "start_timestamp");
    let end = first.as_ref().and_then(|result| result.time);
    ToolCall {
        id: id_of(block),
        input: Some(input(block, "input")),
        name: match name.as_str() {
            "" => block.string("integration_name"),
            _ => name,
        },
        result: first,
        more_results,
        start,
        ms: start.zip(end).and_then(|(start, end)| between(start, end)),
        ..ToolCall::default()
    }
}
