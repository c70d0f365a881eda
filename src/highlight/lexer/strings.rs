//! Strings and comments over lines: where they end.

use memchr::memmem;

use super::Lexer;
use crate::highlight::grammar::{Close, Escape, Quote};
use crate::html::Class;

impl Lexer<'_, '_> {
    pub(super) fn block_comment(&mut self, open: &str, close: &str) {
        let body = self.at + open.len();
        let end = if self.code.nested_comments {
            nested_end(self.bytes, body, open.as_bytes(), close.as_bytes())
        } else {
            memmem::find(&self.bytes[body..], close.as_bytes())
                .map_or(self.bytes.len(), |length| body + length + close.len())
        };
        self.token(self.at, end, Class::Comment);
    }

    pub(super) fn quote(&mut self, quote: &'static Quote) -> bool {
        let start = self.at;
        match quote.close {
            Close::Text(_) => {
                self.string(start, start + quote.open.len(), quote);
                return true;
            }
            Close::Character => {
                let Some(end) = character_end(self.bytes, start) else {
                    let end = self.word_end(start + 1);
                    self.token(start, end, Class::Attribute);
                    return true;
                };
                self.token(start, end, Class::Str);
            }
            Close::Hashes | Close::Brackets => {
                let Some(end) = fenced_end(self.bytes, start, quote) else {
                    return false;
                };
                self.token(start, end, Class::Str);
            }
        }
        self.after_value = true;
        true
    }

    /// Reads a string that began at `start` from `from` on, up to its end or to a piece of code.
    pub(super) fn string(&mut self, start: usize, from: usize, quote: &'static Quote) {
        let Close::Text(close) = quote.close else {
            return self.token(start, from, Class::Str);
        };
        let (close, code) = (close.as_bytes(), quote.code.as_bytes());
        let mut at = from;
        let mut closed = false;
        while let Some(&byte) = self.bytes.get(at) {
            let rest = &self.bytes[at..];
            if rest.starts_with(close) {
                if quote.escape == Escape::Doubled && rest[close.len()..].starts_with(close) {
                    at += 2 * close.len();
                    continue;
                }
                at += close.len();
                closed = true;
                break;
            }
            if quote.escape == Escape::Byte(byte) {
                at += if rest.get(1).is_some_and(u8::is_ascii) {
                    2
                } else {
                    1
                };
                continue;
            }
            if byte == b'\n' && !quote.lines {
                break;
            }
            if !code.is_empty() && rest.starts_with(code) {
                self.holes.push((quote, 0));
                self.after_value = false;
                return self.token(start, at + code.len(), Class::Str);
            }
            at += 1;
        }
        let key = self.code.string_keys && closed && self.before_colon(at);
        self.expected = None;
        self.after_value = true;
        self.token(start, at, if key { Class::Attribute } else { Class::Str });
    }

    fn before_colon(&self, at: usize) -> bool {
        let after = self.bytes[at..]
            .iter()
            .find(|byte| !matches!(byte, b' ' | b'\t'));
        after == Some(&b':')
    }
}

/// Where a block comment ends that may hold others.
fn nested_end(bytes: &[u8], from: usize, open: &[u8], close: &[u8]) -> usize {
    let mut depth = 1_usize;
    let mut at = from;
    while at < bytes.len() {
        let rest = &bytes[at..];
        if rest.starts_with(close) {
            depth -= 1;
            at += close.len();
            if depth == 0 {
                return at;
            }
        } else if rest.starts_with(open) {
            depth += 1;
            at += open.len();
        } else {
            at += 1;
        }
    }
    bytes.len()
}

/// Where a character literal ends, if there is one.
fn character_end(bytes: &[u8], start: usize) -> Option<usize> {
    let quote = bytes[start];
    let first = *bytes.get(start + 1)?;
    if first == b'\\' {
        // The longest escape is `\u{10ffff}`.
        let from = start + 3;
        let tail = bytes.get(from..)?;
        let tail = &tail[..tail.len().min(12)];
        let length = tail
            .iter()
            .position(|byte| *byte == quote || *byte == b'\n')?;
        return (tail[length] == quote).then_some(from + length + 1);
    }
    let width = match first {
        b'\n' => return None,
        0..=0x7f => 1,
        0x80..=0xdf => 2,
        0xe0..=0xef => 3,
        _ => 4,
    };
    (first != quote && bytes.get(start + 1 + width) == Some(&quote)).then_some(start + width + 2)
}

/// Where a raw string ends whose two ends are equally long, if there is one.
fn fenced_end(bytes: &[u8], start: usize, quote: &Quote) -> Option<usize> {
    let brackets = quote.close == Close::Brackets;
    let (fence, opening, closing) = if brackets {
        (b'=', b'[', b']')
    } else {
        (b'#', b'"', b'"')
    };
    let from = if brackets {
        start + 1
    } else {
        let letters = bytes[start..]
            .iter()
            .position(|byte| !byte.is_ascii_alphabetic())?;
        start + letters
    };
    let count = bytes[from..].iter().position(|byte| *byte != fence)?;
    if bytes[from + count] != opening {
        return None;
    }
    let mut at = from + count + 1;
    while let Some(length) = memchr::memchr(closing, &bytes[at..]) {
        at += length + 1;
        let fences = bytes[at..]
            .iter()
            .take(count)
            .take_while(|byte| **byte == fence);
        let closed = fences.count() == count;
        if closed && !brackets {
            return Some(at + count);
        }
        if closed && bytes.get(at + count) == Some(&closing) {
            return Some(at + count + 1);
        }
    }
    Some(bytes.len())
}
