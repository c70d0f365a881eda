//! The secrets that one conversation was found to hold: their numbers, and the second search, which
//! finds them again wherever they stand without what gave them away the first time.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::ops::Range;

use aho_corasick::{AhoCorasick, Input};
use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD;

use crate::model::marker;

use super::rules;
use super::scan::{is_chosen, is_specific};

/// From this length on the beginning of a value is enough to know it by.
const ENOUGH: usize = 12;
/// How much of a value must stand besides what all values of its kind begin with.
const OWN: usize = 6;

/// The values of one conversation, by their kinds and numbers.
#[derive(Default)]
pub(super) struct Values<'r> {
    list: Vec<(&'r str, u32)>,
    index: HashMap<String, usize>,
    counts: BTreeMap<&'r str, u32>,
    sought: Vec<Sought>,
}

/// What takes the places of values.
#[derive(Default)]
pub(super) struct Markers(Vec<(String, u32)>);

impl Markers {
    /// The marker of a value.
    pub(super) fn marker(&self, value: usize) -> String {
        let number = self.0.get(value).map_or(0, |(_, number)| *number);
        marker::written(self.kind(value), number)
    }

    /// The kind of a value.
    pub(super) fn kind(&self, value: usize) -> &str {
        self.0.get(value).map_or("secret", |(kind, _)| kind)
    }
}

/// A text to look for.
#[derive(Clone)]
struct Sought {
    text: String,
    /// How much of it must stand.
    least: usize,
    value: usize,
}

impl fmt::Debug for Values<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} values", self.list.len())
    }
}

impl<'r> Values<'r> {
    /// The number of a value: the same for the same value, the next of its kind for a new one.
    pub(super) fn number(&mut self, kind: &'r str, value: &str) -> usize {
        let plain = plain(value);
        if let Some(known) = self.index.get(&plain) {
            return *known;
        }
        let count = self.counts.entry(kind).or_default();
        *count += 1;
        let at = self.list.len();
        self.list.push((kind, *count));
        self.seek(kind, value, &plain, at);
        self.index.insert(plain, at);
        at
    }

    /// What takes the places of all values.
    pub(super) fn markers(&self) -> Markers {
        let list = self.list.iter();
        Markers(
            list.map(|(kind, number)| ((*kind).to_owned(), *number))
                .collect(),
        )
    }

    fn seek(&mut self, kind: &str, value: &str, plain: &str, at: usize) {
        if kind == "private-key" {
            let lines = value.split(|c: char| !(c.is_ascii_alphanumeric() || "+/=".contains(c)));
            for line in lines.filter(|line| line.len() >= 24) {
                // The `n` of a `\n` may have stayed at a line's beginning.
                self.add(line.to_owned(), line.len().min(40), at);
            }
            return;
        }
        if !is_specific(plain) {
            if is_chosen(plain) {
                self.add(plain.to_owned(), usize::MAX, at);
            }
            return;
        }
        let least = least(plain);
        self.add(plain.to_owned(), least, at);
        let written: [fn(&str) -> String; 3] = [in_json, in_address, in_markup];
        for written in written.map(|write| write(plain)) {
            if written != plain {
                self.add(written, usize::MAX, at);
            }
        }
        for written in in_base64(plain) {
            self.add(written, usize::MAX, at);
        }
    }

    fn add(&mut self, text: String, least: usize, value: usize) {
        let least = (0..=least.min(text.len()))
            .rev()
            .find(|at| text.is_char_boundary(*at))
            .unwrap_or(0);
        if least >= 8 {
            self.sought.push(Sought { text, least, value });
        }
    }

    /// The search for all values; `None` when none can be told from other words.
    pub(super) fn search(&self) -> Option<Search> {
        Search::new(self.sought.clone())
    }
}

/// Finds values that are known.
pub(super) struct Search {
    automaton: AhoCorasick,
    /// All that begin alike, by the pattern that they begin with.
    sought: Vec<Vec<Sought>>,
}

impl fmt::Debug for Search {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} values", self.sought.len())
    }
}

impl Search {
    fn new(sought: Vec<Sought>) -> Option<Self> {
        let mut groups: BTreeMap<String, Vec<Sought>> = BTreeMap::new();
        for one in sought {
            groups
                .entry(one.text[..one.least].to_owned())
                .or_default()
                .push(one);
        }
        let automaton = AhoCorasick::new(groups.keys())
            .ok()
            .filter(|_| !groups.is_empty())?;
        Some(Self {
            automaton,
            sought: groups.into_values().collect(),
        })
    }

    /// Where known values stand, or their beginnings, in order, with their numbers.
    pub(super) fn find(&self, text: &str) -> Vec<(Range<usize>, usize)> {
        let mut found = Vec::new();
        let mut from = 0;
        while let Some(hit) = self.automaton.find(Input::new(text).range(from..)) {
            let rest = &text.as_bytes()[hit.start()..];
            let best = self.sought[hit.pattern().as_usize()]
                .iter()
                .map(|sought| (common(sought.text.as_bytes(), rest), sought))
                .filter(|(len, sought)| is_it(text, hit.start(), *len, sought))
                .max_by_key(|(len, _)| *len);
            from = hit.start() + 1;
            if let Some((len, sought)) = best {
                let end = floor(text, hit.start() + len);
                found.push((hit.start()..end, sought.value));
                from = end;
            }
            while !text.is_char_boundary(from) {
                from += 1;
            }
        }
        found
    }

    /// The lines of a file in which known values stand, counted from 1, with their numbers. The
    /// file is what a reader reads, so that values stand in it as JSON writes them.
    pub(super) fn lines(&self, bytes: &[u8]) -> Vec<(u64, usize)> {
        let mut lines = Vec::new();
        let (mut line, mut counted) = (1, 0);
        let text = String::from_utf8_lossy(bytes);
        for (span, value) in self.find(&text) {
            line +=
                memchr::memchr_iter(b'\n', &text.as_bytes()[counted..span.start]).count() as u64;
            counted = span.start;
            lines.push((line, value));
        }
        lines
    }
}

/// Whether so many bytes are enough to say that a value stands here.
fn is_it(text: &str, start: usize, len: usize, sought: &Sought) -> bool {
    let is_word = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
    let after = is_word(text.as_bytes().get(start + len));
    let before = start > 0 && is_word(text.as_bytes().get(start - 1));
    if len == sought.text.len() {
        len >= ENOUGH || !(before || after)
    } else {
        // A beginning that goes on differently is another value.
        len >= sought.least && !before && (!after || len >= 20)
    }
}

/// How much of a value must stand: what all of its kind begin with, and some of its own.
fn least(value: &str) -> usize {
    if value.len() < 16 {
        return value.len();
    }
    let literals = rules::all().flat_map(|rule| rule.literals);
    let shared = literals
        .filter(|literal| value.starts_with(**literal))
        .map(|literal| literal.len())
        .max()
        .unwrap_or(0);
    // The head of a web token only says how it is signed.
    let shared = if value.starts_with("eyJ") {
        value.find('.').map_or(value.len(), |at| at + 4)
    } else {
        shared
    };
    (shared + OWN).max(ENOUGH).min(value.len())
}

/// A value without the blanks and written line ends that stand in a block.
fn plain(value: &str) -> String {
    if value.contains(['\n', '\\']) && value.len() > 64 {
        let lines = value.replace("\\n", "\n");
        return lines
            .chars()
            .filter(|c| c.is_ascii_alphanumeric() || "+/=".contains(*c))
            .collect();
    }
    value.to_owned()
}

fn in_json(value: &str) -> String {
    let json = serde_json::to_string(value).unwrap_or_default();
    json.trim_matches('"').to_owned()
}

fn in_address(value: &str) -> String {
    let mut out = String::new();
    for byte in value.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

/// What of a value shows in base64, wherever the value begins in the bytes that were written so.
fn in_base64(value: &str) -> Vec<String> {
    (0..3)
        .filter_map(|shift| {
            let bytes = [&[0; 2][..shift], value.as_bytes()].concat();
            let written = STANDARD_NO_PAD.encode(&bytes);
            // The first and last characters depend on the neighbours as well.
            let core = written.get([0, 2, 3][shift]..bytes.len() / 3 * 4)?;
            (core.len() >= ENOUGH).then(|| core.to_owned())
        })
        .collect()
}

fn in_markup(value: &str) -> String {
    value
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

fn common(a: &[u8], b: &[u8]) -> usize {
    a.iter().zip(b).take_while(|(a, b)| a == b).count()
}

fn floor(text: &str, at: usize) -> usize {
    (0..=at.min(text.len()))
        .rev()
        .find(|at| text.is_char_boundary(*at))
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: &str = "kT9vLq2xPzR4mW8sB6nC";

    #[test]
    fn the_same_value_has_the_same_number() {
        let mut values = Values::default();
        let first = values.number("token", SECRET);
        let second = values.number("token", "another0Value1Here2");
        assert_eq!(values.number("password", SECRET), first);
        assert_eq!(values.markers().marker(first), "[redacted: token #1]");
        assert_eq!(values.markers().marker(second), "[redacted: token #2]");
    }

    #[test]
    fn a_known_value_and_its_beginning_are_found_again() {
        let mut values = Values::default();
        values.number("token", SECRET);
        let search = values.search().expect("something to look for");
        let found = |text: &str| {
            search
                .find(text)
                .into_iter()
                .map(|(span, _)| text[span].to_owned())
                .collect::<Vec<_>>()
        };
        assert_eq!(found(&format!("x{SECRET}y and {SECRET}")), [SECRET, SECRET]);
        assert_eq!(
            found(&format!("I see {}… in it", &SECRET[..12])),
            [&SECRET[..12]]
        );
        assert!(found(&format!("{}Zz9 is another", &SECRET[..13])).is_empty());
        assert!(found(&SECRET[..8]).is_empty());
    }

    #[test]
    fn a_known_value_is_found_in_base64_wherever_it_begins() {
        let mut values = Values::default();
        values.number("password", SECRET);
        let search = values.search().expect("something to look for");
        for before in ["", "a", "ab", "abc:"] {
            let text = STANDARD_NO_PAD.encode(format!("{before}{SECRET}"));
            let found = search.find(&text);
            assert!(found.len() == 1 && found[0].0.len() >= 20, "{text}");
        }
    }

    #[test]
    fn a_short_password_is_found_where_it_stands_alone() {
        let mut values = Values::default();
        let value = values.number("password", "Winter20!");
        let search = values.search().expect("something to look for");
        assert_eq!(search.find("it is Winter20!, I think"), [(6..15, value)]);
        assert!(search.find("xWinter20!").is_empty());
    }

    #[test]
    fn words_that_people_use_are_not_looked_for() {
        let mut values = Values::default();
        for word in ["production", "localhost", "3000", "my-app-name", "hunter"] {
            values.number("setting", word);
        }
        assert!(values.search().is_none());
    }

    #[test]
    fn lines_of_values_are_counted_from_one() {
        let mut values = Values::default();
        let number = values.number("password", "a\"b9kT!vLq2x");
        let search = values.search().expect("something to look for");
        let file = b"{}\n{\"x\":\"a\\\"b9kT!vLq2x\"}\n";
        assert_eq!(search.lines(file), [(2, number)]);
    }

    #[test]
    fn no_debug_output_shows_a_value() {
        let mut values = Values::default();
        values.number("token", SECRET);
        assert!(!format!("{values:?} {:?}", values.search()).contains(SECRET));
    }
}
