//! Finds where a JSON value ends without reading it: how deep it goes, whether a string is still
//! open. Whether it is sound is for the parser to say.

use memchr::memchr2;

/// A look for the end of one value, which can go on when more text has come.
#[derive(Clone, Debug, Default)]
pub(super) struct Scan {
    at: usize,
    depth: u32,
    started: bool,
    /// The deepest nesting so far.
    pub(super) deepest: u32,
    /// Whether the text so far ends inside a string.
    pub(super) in_string: bool,
    /// Whether a `\ud…` escape was seen, which may be half of a pair.
    pub(super) surrogates: bool,
}

impl Scan {
    /// The end of the first value in `text`, or `None` when it is not complete. `text` must
    /// begin with the value, and with all that was given to earlier calls.
    pub(super) fn end(&mut self, text: &[u8]) -> Option<usize> {
        loop {
            if self.in_string && !self.close_string(text) {
                return None;
            }
            if self.started && self.depth == 0 {
                return Some(self.at);
            }
            let c = *text.get(self.at)?;
            match c {
                b'"' => self.in_string = true,
                b'{' | b'[' => {
                    self.depth += 1;
                    self.deepest = self.deepest.max(self.depth);
                }
                b'}' | b']' => self.depth = self.depth.saturating_sub(1),
                _ if self.depth == 0 => {
                    // A number or a word, or what is no JSON at all: up to the next delimiter.
                    let rest = &text[self.at..];
                    let stop = |b: &u8| b.is_ascii_whitespace() || b"{}[],:\"".contains(b);
                    return Some(self.at + rest.iter().position(stop).unwrap_or(rest.len()).max(1));
                }
                _ => {}
            }
            self.started = true;
            self.at += 1;
        }
    }

    /// Goes to the end of the string that is open; false when it does not end here.
    fn close_string(&mut self, text: &[u8]) -> bool {
        while let Some(found) = quote_or_backslash(&text[self.at..]) {
            self.at += found;
            if text[self.at] == b'"' {
                self.at += 1;
                self.in_string = false;
                return true;
            }
            if text.len() < self.at + 2 {
                return false;
            }
            self.surrogates |=
                text[self.at + 1] == b'u' && matches!(text.get(self.at + 2), Some(b'd' | b'D'));
            self.at += 2;
        }
        self.at = text.len();
        false
    }
}

/// Where the next quote or backslash is.
fn quote_or_backslash(text: &[u8]) -> Option<usize> {
    /// How many words are looked at before the vectored search is called: most keys and values
    /// end within them, and the next escape is mostly not far.
    const NEAR: usize = 4;
    let words = text.as_chunks::<8>().0;
    for (at, word) in words.iter().take(NEAR).enumerate() {
        let word = u64::from_le_bytes(*word);
        let found = zero_bytes(word ^ repeated(b'"')) | zero_bytes(word ^ repeated(b'\\'));
        if found != 0 {
            // The lowest mark is exact; those above it may not be.
            return Some(at * 8 + found.trailing_zeros() as usize / 8);
        }
    }
    let near = words.len().min(NEAR) * 8;
    Some(near + memchr2(b'"', b'\\', &text[near..])?)
}

/// A byte in all eight places of a word.
const fn repeated(byte: u8) -> u64 {
    u64::from_ne_bytes([byte; 8])
}

/// Marks the highest bit of the lowest byte that is zero, and perhaps of bytes above it.
const fn zero_bytes(word: u64) -> u64 {
    word.wrapping_sub(repeated(1)) & !word & repeated(0x80)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn end(text: &str) -> Option<usize> {
        Scan::default().end(text.as_bytes())
    }

    #[test]
    fn a_value_ends_where_its_brackets_close() {
        assert_eq!(end(r#"{"a":"}\"","b":[1]}{"#), Some(19));
        assert_eq!(end("42 "), Some(2));
        assert_eq!(end(r#""a\\"b"#), Some(5));
        assert_eq!(end("}"), Some(1));
        assert_eq!(end(r#"{"a":"#), None);
        assert_eq!(end(""), None);
    }

    #[test]
    fn quotes_and_backslashes_are_found_wherever_they_are() {
        for length in 0..100 {
            for found in [b'"', b'\\'] {
                let mut text = vec![b'#'; length];
                text.extend([found, b'!', b'"', b'\\', 0xff, 0xa2]);
                assert_eq!(quote_or_backslash(&text), Some(length));
            }
            assert_eq!(quote_or_backslash(&vec![0xa2; length]), None);
        }
    }

    #[test]
    fn a_look_goes_on_where_it_stopped() {
        let whole = r#"{"a": [1, "x"], "b": {}} 1"#;
        let mut scan = Scan::default();
        let cut = whole.find(',').expect("there is one");
        assert_eq!(scan.end(&whole.as_bytes()[..cut]), None);
        assert!(!scan.in_string);
        assert_eq!(scan.end(whole.as_bytes()), Some(24));
        assert_eq!(scan.deepest, 2);
    }

    #[test]
    fn surrogate_escapes_are_told_from_escaped_backslashes() {
        let seen = |text: &str| {
            let mut scan = Scan::default();
            scan.end(text.as_bytes());
            scan.surrogates
        };
        assert!(seen(r#"{"a":"\ud83d"}"#));
        assert!(!seen(r#"{"a":"\\ud83d"}"#));
    }
}
