//! What decides where a text is looked at more closely: one search for all literals.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

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
///
/// Three bytes decide where a literal can begin. An automaton's every step waits for the one
/// before, and its table is larger than what lies near the processor; here no step waits, and the
/// table of bits is small.
pub(super) struct Signs {
    list: Vec<(Sign, &'static str)>,
    /// The class of each byte: 0 for those that are in no literal's first three.
    classes: Box<[u8; 256]>,
    /// One bit for each three classes with which a literal can begin.
    bits: Box<[u64; Self::WORDS]>,
    /// The literals by their first three classes, in order.
    starts: Vec<(usize, Vec<usize>)>,
    /// Literals that are shorter than three bytes.
    shorts: Vec<usize>,
}

impl fmt::Debug for Signs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} signs", self.list.len())
    }
}

impl Signs {
    const CLASS: u32 = 6;
    const MASK: usize = (1 << (3 * Self::CLASS)) - 1;
    const WORDS: usize = (Self::MASK + 1) / 64;

    /// The search for these, in any case of their ASCII letters.
    pub(super) fn new(list: Vec<(Sign, &'static str)>) -> Self {
        let classes = Self::classes(&list);
        let mut bits: Box<[u64; Self::WORDS]> = Box::new([0; Self::WORDS]);
        let mut starts: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        let mut shorts = Vec::new();
        for (index, (_, literal)) in list.iter().enumerate() {
            let known = literal.len().min(3);
            let start = literal.as_bytes()[..known].iter().fold(0, |start, byte| {
                (start << Self::CLASS) | usize::from(classes[usize::from(*byte)])
            });
            // After a shorter literal anything may stand.
            let open = Self::CLASS * u32::try_from(3 - known).unwrap_or(0);
            for rest in 0..1_usize << open {
                let place = (start << open) | rest;
                bits[place / 64] |= 1 << (place % 64);
            }
            if known < 3 {
                shorts.push(index);
            } else {
                starts.entry(start).or_default().push(index);
            }
        }
        Self {
            list,
            classes,
            bits,
            starts: starts.into_iter().collect(),
            shorts,
        }
    }

    fn classes(list: &[(Sign, &'static str)]) -> Box<[u8; 256]> {
        let mut classes = Box::new([0; 256]);
        let mut next = 0;
        for byte in list.iter().flat_map(|(_, literal)| literal.bytes().take(3)) {
            let (small, capital) = (byte.to_ascii_lowercase(), byte.to_ascii_uppercase());
            if classes[usize::from(small)] == 0 {
                // With more bytes than classes some share one, which costs looks and loses none.
                next = next % ((1 << Self::CLASS) - 1) + 1;
                classes[usize::from(small)] = next;
                classes[usize::from(capital)] = next;
            }
        }
        classes
    }

    /// Sees every literal that stands in a text, also those within others, in the order in which
    /// they begin.
    pub(super) fn each(&self, text: &str, mut see: impl FnMut(Sign, &'static str, Range<usize>)) {
        let bytes = text.as_bytes();
        let mut window = 0;
        // The last two bytes have nothing after them.
        let steps = bytes.iter().chain(&[0, 0]).enumerate();
        steps.for_each(|(at, byte)| {
            let class = self.classes[usize::from(*byte)];
            window = ((window << Self::CLASS) | usize::from(class)) & Self::MASK;
            if (self.bits[window / 64] >> (window % 64)) & 1 == 1 && at >= 2 {
                self.at(bytes, at - 2, window, &mut see);
            }
        });
    }

    fn at(
        &self,
        bytes: &[u8],
        at: usize,
        window: usize,
        see: &mut impl FnMut(Sign, &'static str, Range<usize>),
    ) {
        let start = self
            .starts
            .binary_search_by_key(&window, |(start, _)| *start);
        let long = start.ok().map(|start| &self.starts[start].1);
        for index in self.shorts.iter().chain(long.into_iter().flatten()) {
            let (sign, literal) = self.list[*index];
            let span = at..at + literal.len();
            if bytes
                .get(span.clone())
                .is_some_and(|there| there.eq_ignore_ascii_case(literal.as_bytes()))
            {
                see(sign, literal, span);
            }
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
