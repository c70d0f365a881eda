//! What decides where a text is looked at more closely: one search for all literals.

use std::collections::{BTreeMap, BTreeSet};
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
/// Three bytes decide where a literal can begin, and a fourth where it is looked for. An
/// automaton's every step waits for the one before, and its table is larger than what lies near
/// the processor; here no step waits, and the table of bits is small.
pub(super) struct Signs {
    list: Vec<(Sign, &'static str)>,
    /// The class of each byte: 0 for those that are in no literal's first three.
    classes: Box<[u8; 256]>,
    /// One bit for each three classes with which a literal can begin.
    bits: Box<[u64; Self::WORDS]>,
    /// The number of the start that each three classes are, or `NONE`.
    rows: Vec<u16>,
    starts: Vec<Start>,
    /// Literals that are shorter than three bytes, and with which bytes they begin.
    shorts: Vec<usize>,
    is_short: Box<[bool; 256]>,
}

/// Literals that begin alike.
#[derive(Default)]
struct Start {
    /// The classes of the bytes that can come fourth, as bits.
    fourths: u64,
    literals: Vec<usize>,
}

impl fmt::Debug for Signs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} signs", self.list.len())
    }
}

impl Signs {
    const CLASS: u32 = 6;
    const CLASSES: usize = 1 << Self::CLASS;
    const MASK: usize = (1 << (3 * Self::CLASS)) - 1;
    const WORDS: usize = (Self::MASK + 1) / 64;
    const NONE: u16 = u16::MAX;

    /// The search for these, in any case of their ASCII letters.
    pub(super) fn new(list: Vec<(Sign, &'static str)>) -> Self {
        let classes = Self::classes(&list);
        let class = |byte: &u8| usize::from(classes[usize::from(*byte)]);
        let mut bits: Box<[u64; Self::WORDS]> = Box::new([0; Self::WORDS]);
        let mut starts: BTreeMap<usize, Start> = BTreeMap::new();
        let mut shorts = Vec::new();
        let mut is_short = Box::new([false; 256]);
        for (index, (_, literal)) in list.iter().enumerate() {
            let bytes = literal.as_bytes();
            let known = bytes.len().min(3);
            let place = bytes[..known]
                .iter()
                .fold(0, |place, byte| (place << Self::CLASS) | class(byte));
            // After a shorter literal anything may stand.
            let open = Self::CLASS * u32::try_from(3 - known).unwrap_or(0);
            for rest in 0..1_usize << open {
                let place = (place << open) | rest;
                bits[place / 64] |= 1 << (place % 64);
            }
            if known < 3 {
                shorts.push(index);
                if let Some(byte) = bytes.first() {
                    is_short[usize::from(*byte)] = true;
                }
                continue;
            }
            let start = starts.entry(place).or_default();
            start.fourths |= bytes.get(3).map_or(u64::MAX, |byte| 1 << class(byte));
            start.literals.push(index);
        }
        let mut rows = vec![Self::NONE; Self::MASK + 1];
        for (row, place) in starts.keys().enumerate() {
            rows[*place] = u16::try_from(row).unwrap_or(Self::NONE);
        }
        Self {
            list,
            classes,
            bits,
            rows,
            starts: starts.into_values().collect(),
            shorts,
            is_short,
        }
    }

    /// A class of its own for every byte of ASCII that literals begin with, as far as there are
    /// any; the bytes of other characters share what is left, which costs looks and loses none.
    fn classes(list: &[(Sign, &'static str)]) -> Box<[u8; 256]> {
        let heads = list.iter().flat_map(|(_, literal)| literal.bytes().take(3));
        let heads: BTreeSet<u8> = heads.map(|byte| byte.to_ascii_lowercase()).collect();
        let ascii = heads.iter().filter(|byte| byte.is_ascii()).count();
        let own = ascii.min(Self::CLASSES - 2);
        let mut classes = Box::new([0; 256]);
        for (at, byte) in heads.iter().enumerate() {
            let class = if byte.is_ascii() {
                at.min(own - 1) + 1
            } else {
                own + 1 + at % (Self::CLASSES - 1 - own)
            };
            let class = u8::try_from(class).unwrap_or(0);
            classes[usize::from(*byte)] = class;
            classes[usize::from(byte.to_ascii_uppercase())] = class;
        }
        classes
    }

    /// Sees every literal that stands in a text, also those within others, in the order in which
    /// they begin.
    pub(super) fn each(&self, text: &str, mut see: impl FnMut(Sign, &'static str, Range<usize>)) {
        let bytes = text.as_bytes();
        let mut window = 0;
        let next = |window: usize, byte: u8| {
            let class = usize::from(self.classes[usize::from(byte)]);
            ((window << Self::CLASS) | class) & Self::MASK
        };
        let is_start = |window: usize| (self.bits[window / 64] >> (window % 64)) & 1 == 1;
        for (at, byte) in bytes.iter().enumerate() {
            window = next(window, *byte);
            // No literal begins with a byte of class 0, as the first two windows do.
            if is_start(window) {
                self.at(bytes, at.saturating_sub(2), window, &mut see);
            }
        }
        // The last two bytes have nothing after them.
        for at in bytes.len()..bytes.len() + 2 {
            window = next(window, 0);
            if is_start(window) && at >= 2 {
                self.at(bytes, at - 2, window, &mut see);
            }
        }
    }

    #[inline(never)]
    fn at(
        &self,
        bytes: &[u8],
        at: usize,
        window: usize,
        see: &mut impl FnMut(Sign, &'static str, Range<usize>),
    ) {
        let mut one = |index: usize| {
            let (sign, literal) = self.list[index];
            let span = at..at + literal.len();
            let there = bytes.get(span.clone());
            if there.is_some_and(|there| there.eq_ignore_ascii_case(literal.as_bytes())) {
                see(sign, literal, span);
            }
        };
        let byte = |at: usize| usize::from(bytes.get(at).copied().unwrap_or(0));
        if self.is_short[byte(at)] {
            self.shorts.iter().for_each(|index| one(*index));
        }
        let Some(start) = self.starts.get(usize::from(self.rows[window])) else {
            return;
        };
        if (start.fourths >> self.classes[byte(at + 3)]) & 1 == 1 {
            start.literals.iter().for_each(|index| one(*index));
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
