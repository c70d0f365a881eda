//! What decides where a text is looked at more closely: one search for all literals.

use std::ops::Range;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};

/// Why a text is looked at more closely at some place.
#[derive(Clone, Copy, Debug)]
pub(super) enum Sign {
    Shape(usize),
    Name,
    Block,
    Address,
    Scheme,
    Jar,
    Program(usize),
    Reader,
    Call(usize),
    Document(usize),
    Codes,
    Encoded,
    Card,
    Account,
    Odd,
    Home,
    Listing,
    At,
}

/// One search over a text for all of some literals.
#[derive(Debug)]
pub(super) struct Signs {
    automaton: Option<AhoCorasick>,
    list: Vec<(Sign, &'static str)>,
}

impl Signs {
    /// The search for these.
    pub(super) fn new(list: Vec<(Sign, &'static str)>) -> Self {
        let automaton = AhoCorasick::builder()
            .kind(Some(AhoCorasickKind::DFA))
            .match_kind(MatchKind::Standard)
            .ascii_case_insensitive(true)
            .build(list.iter().map(|(_, literal)| literal));
        Self {
            automaton: automaton.ok(),
            list,
        }
    }

    /// Sees every literal that stands in a text, also those within others.
    pub(super) fn each(&self, text: &str, mut see: impl FnMut(Sign, &'static str, Range<usize>)) {
        let Some(automaton) = &self.automaton else {
            return;
        };
        for found in automaton.find_overlapping_iter(text) {
            let (sign, literal) = self.list[found.pattern().as_usize()];
            see(sign, literal, found.range());
        }
    }
}
