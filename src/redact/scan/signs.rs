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
    automaton: AhoCorasick,
    list: Vec<(Sign, &'static str)>,
}

impl Signs {
    /// The search for these, in any case of their ASCII letters.
    pub(super) fn new(list: Vec<(Sign, &'static str)>) -> Self {
        let automaton = AhoCorasick::builder()
            .kind(Some(AhoCorasickKind::DFA))
            .match_kind(MatchKind::Standard)
            .ascii_case_insensitive(true)
            .build(list.iter().map(|(_, literal)| literal));
        Self {
            // Without it nothing would be redacted, and nobody would know.
            automaton: automaton.expect("a few hundred short literals fit into an automaton"),
            list,
        }
    }

    /// Sees every literal that stands in a text, also those within others.
    pub(super) fn each(&self, text: &str, mut see: impl FnMut(Sign, &'static str, Range<usize>)) {
        for found in self.automaton.find_overlapping_iter(text) {
            let (sign, literal) = self.list[found.pattern().as_usize()];
            see(sign, literal, found.range());
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const LITERALS: &[&str] = &["key", "KEYS", "@", "&#", "pass", "\u{ad}", "密码", "asskey"];

    fn signs() -> &'static Signs {
        static SIGNS: std::sync::OnceLock<Signs> = std::sync::OnceLock::new();
        SIGNS.get_or_init(|| {
            Signs::new(
                LITERALS
                    .iter()
                    .map(|literal| (Sign::Name, *literal))
                    .collect(),
            )
        })
    }

    proptest! {
        #[test]
        fn every_literal_is_seen_wherever_it_stands(
            text in "(key|KEYS|kEy|@|&#|&|#|pass|PASSkey|\u{ad}|密码|é|\0|[a-z ]){0,24}",
        ) {
            let mut seen = Vec::new();
            signs().each(&text, |_, literal, span| seen.push((span.start, literal.len())));
            let mut there = Vec::new();
            for at in 0..text.len() {
                for literal in LITERALS {
                    let span = text.as_bytes().get(at..at + literal.len());
                    if span.is_some_and(|span| span.eq_ignore_ascii_case(literal.as_bytes())) {
                        there.push((at, literal.len()));
                    }
                }
            }
            seen.sort_unstable();
            there.sort_unstable();
            prop_assert_eq!(seen, there);
        }
    }
}
