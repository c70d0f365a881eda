//! What decides where a text is looked at more closely: one search for all literals.

use std::ops::Range;

use aho_corasick::automaton::{Automaton, StateID};
use aho_corasick::dfa::DFA;
use aho_corasick::{Anchored, PatternID};

/// How many stretches of a text are walked at once. Each step through the automaton waits for the
/// one before it, so that six walks take little longer than one.
const LANES: usize = 6;

/// How much of a text is cut into stretches at once, in bytes: what is found is kept until the
/// stretches before it are told.
const BLOCK: usize = 32 << 10;

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
    automaton: DFA,
    start: StateID,
    /// How long the longest literal is, in bytes.
    longest: usize,
    list: Vec<(Sign, &'static str)>,
}

impl Signs {
    /// The search for these, in any case of their ASCII letters.
    pub(super) fn new(list: Vec<(Sign, &'static str)>) -> Self {
        // Without it nothing would be redacted, and nobody would know.
        let automaton = DFA::builder()
            .ascii_case_insensitive(true)
            .build(list.iter().map(|(_, literal)| literal))
            .expect("a few hundred short literals fit into an automaton");
        let start = automaton.start_state(Anchored::No);
        Self {
            start: start.expect("an automaton is built for searches that are not anchored"),
            longest: list
                .iter()
                .map(|(_, literal)| literal.len())
                .max()
                .unwrap_or(0),
            automaton,
            list,
        }
    }

    /// Sees every literal that stands in a text, also those within others, in the order of their
    /// ends.
    pub(super) fn each(&self, text: &str, mut see: impl FnMut(Sign, &'static str, Range<usize>)) {
        let bytes = text.as_bytes();
        let mut state = self.start;
        let mut found: [Vec<(usize, PatternID)>; LANES] = Default::default();
        for from in (0..bytes.len()).step_by(BLOCK) {
            let block = from..bytes.len().min(from + BLOCK);
            state = self.walk(bytes, block, state, &mut found);
            for (end, pattern) in found.iter_mut().flat_map(|found| found.drain(..)) {
                let (sign, literal) = self.list[pattern.as_usize()];
                see(sign, literal, end - literal.len()..end);
            }
        }
    }

    /// Walks through a block in stretches of the same length, beginning in a state, and says in
    /// which it ends. What each stretch has is put into its own list: where it ends, and which.
    fn walk(
        &self,
        bytes: &[u8],
        block: Range<usize>,
        state: StateID,
        found: &mut [Vec<(usize, PatternID)>; LANES],
    ) -> StateID {
        let mut lane = block.len() / LANES;
        if lane < self.longest {
            lane = 0;
        }
        let mut states = [state; LANES];
        let starts: [usize; LANES] = std::array::from_fn(|n| block.start + n * lane);
        if lane > 0 {
            // What is in a stretch may have begun before it.
            for (state, start) in states.iter_mut().zip(starts).skip(1) {
                *state = bytes[start - self.longest..start]
                    .iter()
                    .fold(self.start, |state, byte| self.next(state, *byte));
            }
        }
        let stretches = starts.map(|start| &bytes[start..start + lane]);
        for at in 0..lane {
            let mut is_special = false;
            for (state, stretch) in states.iter_mut().zip(stretches) {
                *state = self.next(*state, stretch[at]);
                is_special |= self.automaton.is_special(*state);
            }
            if is_special {
                for ((state, start), found) in states.iter().zip(starts).zip(&mut *found) {
                    self.matches(*state, start + at + 1, found);
                }
            }
        }
        let last = LANES - 1;
        let rest = block.start + LANES * lane..block.end;
        for (byte, end) in bytes[rest.clone()].iter().zip(rest.start + 1..) {
            states[last] = self.next(states[last], *byte);
            self.matches(states[last], end, &mut found[last]);
        }
        states[last]
    }

    fn next(&self, state: StateID, byte: u8) -> StateID {
        self.automaton.next_state(Anchored::No, state, byte)
    }

    /// What ends where a state was come to.
    fn matches(&self, state: StateID, end: usize, found: &mut Vec<(usize, PatternID)>) {
        if self.automaton.is_match(state) {
            let patterns = 0..self.automaton.match_len(state);
            found.extend(patterns.map(|nth| (end, self.automaton.match_pattern(state, nth))));
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
            // As it is, and where it lies over the ends of stretches.
            for before in [0, 9, BLOCK - 40] {
                let text = "-".repeat(before) + &text;
                let mut seen = Vec::new();
                signs().each(&text, |_, literal, span| seen.push((span.start, literal.len())));
                let ends = seen.iter().map(|(start, length)| start + length);
                prop_assert!(ends.is_sorted());
                seen.sort_unstable();
                prop_assert_eq!(seen, standing(&text));
            }
        }
    }

    /// Where each literal stands, found one by one.
    fn standing(text: &str) -> Vec<(usize, usize)> {
        let mut there = Vec::new();
        for at in 0..text.len() {
            for literal in LITERALS {
                let span = text.as_bytes().get(at..at + literal.len());
                if span.is_some_and(|span| span.eq_ignore_ascii_case(literal.as_bytes())) {
                    there.push((at, literal.len()));
                }
            }
        }
        there.sort_unstable();
        there
    }
}
