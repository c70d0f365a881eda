//! Looks through the strings of a JSON text without rebuilding it: what is found is a stretch of
//! the text as it stands, inside a string or a whole number, so that the text stays JSON.

use std::ops::Range;

use super::files::Holding;
use super::scan::{Found, Mapped, Rank, Scanner, Wants, is_told};

/// What was found in a JSON text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct InJson<'r> {
    /// The stretch of the text, between quotes if it is a string.
    pub(super) found: Found<'r>,
    /// Whether it is a number, so that what takes its place needs quotes.
    pub(super) is_number: bool,
}

/// A string or number of a JSON text, as it stands.
struct Token<'t> {
    /// Without the quotes.
    span: Range<usize>,
    raw: &'t str,
    is_number: bool,
    is_key: bool,
}

/// What is found in the strings of a JSON text and under its telling keys. Where the call that it
/// belongs to writes a file of credentials, their values are found as well.
pub(super) fn look<'r>(
    scanner: &'r Scanner,
    text: &str,
    wants: Wants,
    held: Option<Holding>,
) -> Vec<InJson<'r>> {
    let mut all = Vec::new();
    let mut key = String::new();
    // What the last value was, which may name the next: `"name": "TOKEN", "value": "…"`,
    // `["--password", "…"]`.
    let mut before = Before::default();
    each_token(text, |token| {
        let copy = decoded(token.raw, token.span.start);
        let value = copy.as_ref().map_or(token.raw, |copy| &copy.text);
        let origin = |span: &Range<usize>| match &copy {
            Some(copy) => copy.origin(span),
            None => token.span.start + span.start..token.span.start + span.end,
        };
        let told = (wants.secrets && !token.is_key)
            .then(|| is_told(&key, value).or_else(|| before.tells(&key, value)))
            .flatten();
        if let Some(kind) = told {
            let found = Found {
                span: token.span.clone(),
                kind: kind_of(scanner, value, kind),
                rank: Rank::Named,
                value: copy
                    .as_ref()
                    .map(|copy| super::scan::Hidden(copy.text.clone())),
            };
            all.push(InJson {
                found,
                is_number: token.is_number,
            });
        } else if !token.is_number {
            let mut found = scanner.look(value, wants);
            if let Some(held) = held.filter(|_| wants.secrets && !token.is_key && is_content(&key))
            {
                found = super::scan::merged(value, found, held.values(value));
            }
            all.extend(found.into_iter().map(|one| {
                let hidden = one.value.clone().or_else(|| {
                    copy.as_ref()
                        .map(|copy| super::scan::Hidden(copy.text[one.span.clone()].to_owned()))
                });
                InJson {
                    found: Found {
                        span: origin(&one.span),
                        value: hidden,
                        ..one
                    },
                    is_number: false,
                }
            }));
        }
        if token.is_key {
            key.clear();
            key.push_str(value);
        } else {
            before.set(&key, value);
        }
    });
    all
}

/// A value that may be the name of the next one.
#[derive(Default)]
struct Before {
    name: String,
    /// Whether it stands under a key that says that it is a name.
    is_name: bool,
}

impl Before {
    /// How long a name can be.
    const LONGEST: usize = 80;

    fn set(&mut self, key: &str, value: &str) {
        self.name.clear();
        if value.len() <= Self::LONGEST {
            self.name.push_str(value);
        }
        let names = ["name", "key", "variable", "env", "k", "field", "id"];
        self.is_name = names.contains(&key.to_ascii_lowercase().as_str());
    }

    /// What it tells of the next value, which stands under this key.
    fn tells(&self, key: &str, value: &str) -> Option<&'static str> {
        let is_value =
            ["value", "val", "v", "content"].contains(&key.to_ascii_lowercase().as_str());
        let is_flag = self.name.starts_with("--")
            && !self.name.contains([' ', '='])
            && !value.starts_with('-');
        ((self.is_name && is_value) || is_flag)
            .then(|| is_told(&self.name, value))
            .flatten()
    }
}

/// A value under a telling key is named by its shape, if it is all of it.
fn kind_of<'r>(scanner: &'r Scanner, value: &str, told: &'static str) -> &'r str {
    match &scanner.secrets(value)[..] {
        [one] if one.span == (0..value.len()) => one.kind,
        _ => told,
    }
}

/// Keys under which calls that write files have the text.
fn is_content(key: &str) -> bool {
    const KEYS: &[&str] = &[
        "content",
        "contents",
        "text",
        "file_text",
        "new_string",
        "old_string",
        "new_str",
        "old_str",
        "patch",
        "data",
        "insert_text",
        "diff",
        "code_edit",
    ];
    KEYS.contains(&key)
}

/// The strings of a JSON text that are values and have at most so many bytes, decoded.
pub(super) fn strings(text: &str, longest: usize) -> Vec<String> {
    let mut all = Vec::new();
    each_token(text, |token| {
        if !token.is_key && !token.is_number && token.raw.len() <= longest {
            let copy = decoded(token.raw, 0);
            all.push(copy.map_or_else(|| token.raw.to_owned(), |copy| copy.text));
        }
    });
    all
}

/// Sees every string and number of a JSON text, in order. A text that is no JSON gives no more
/// than its stretches between quotes.
fn each_token<'t>(text: &'t str, mut see: impl FnMut(Token<'t>)) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'"' => {
                let start = at + 1;
                let end = string_end(bytes, start);
                let after = end + 1;
                let next = bytes
                    .get(after..)
                    .unwrap_or_default()
                    .iter()
                    .find(|byte| !byte.is_ascii_whitespace());
                see(Token {
                    span: start..end,
                    raw: &text[start..end],
                    is_number: false,
                    is_key: next == Some(&b':'),
                });
                at = after;
            }
            b'-' | b'0'..=b'9' => {
                let len = bytes[at..]
                    .iter()
                    .take_while(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(byte))
                    .count();
                see(Token {
                    span: at..at + len,
                    raw: &text[at..at + len],
                    is_number: true,
                    is_key: false,
                });
                at += len;
            }
            _ => at += 1,
        }
    }
}

/// Where the string that begins at `from` ends: at its closing quote, else at the text's end.
fn string_end(bytes: &[u8], from: usize) -> usize {
    let mut at = from;
    while let Some(step) = memchr::memchr2(b'"', b'\\', bytes.get(at..).unwrap_or_default()) {
        if bytes[at + step] == b'"' {
            return at + step;
        }
        at += step + 2;
    }
    bytes.len()
}

/// A string with its escapes undone; `None` when it has none.
fn decoded(raw: &str, from: usize) -> Option<Mapped> {
    let bytes = raw.as_bytes();
    let mut next = memchr::memchr(b'\\', bytes)?;
    let mut copy = Mapped::with_capacity(raw.len());
    let mut at = 0;
    loop {
        copy.keep(&raw[at..next], from + at);
        let (len, meaning) = escape(&bytes[next..]);
        match meaning {
            Some(c) => copy.replace(c, from + next, len),
            None => copy.keep(&raw[next..next + len], from + next),
        }
        at = next + len;
        match memchr::memchr(b'\\', &bytes[at..]) {
            Some(step) => next = at + step,
            None => break,
        }
    }
    copy.keep(&raw[at..], from + at);
    Some(copy)
}

/// The length of an escape, and what it means, if it means anything.
fn escape(bytes: &[u8]) -> (usize, Option<char>) {
    let meaning = match bytes.get(1) {
        Some(b'n') => '\n',
        Some(b't') => '\t',
        Some(b'r') => '\r',
        Some(b'b') => '\u{8}',
        Some(b'f') => '\u{c}',
        Some(c @ (b'"' | b'\\' | b'/')) => char::from(*c),
        Some(b'u') => return unicode(bytes),
        _ => return (1, None),
    };
    (2, Some(meaning))
}

fn unicode(bytes: &[u8]) -> (usize, Option<char>) {
    let unit = |at: usize| {
        let digits = std::str::from_utf8(bytes.get(at..at + 4)?).ok()?;
        u32::from_str_radix(digits, 16).ok()
    };
    let Some(first) = unit(2) else {
        return (1, None);
    };
    if let Some(c) = char::from_u32(first) {
        return (6, Some(c));
    }
    let second = (bytes.get(6..8) == Some(b"\\u")).then(|| unit(8)).flatten();
    match second {
        Some(second @ 0xdc00..=0xdfff) if first < 0xdc00 => {
            let code = 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00);
            (12, char::from_u32(code))
        }
        _ => (6, None),
    }
}
