//! The lexer for style sheets: selectors, properties and values.

use std::ops::Range;

use memchr::memmem;

use super::paint::Painter;
use crate::html::Class;

/// Paints `range` of the painter's text.
pub(super) fn lex(range: Range<usize>, painter: &mut Painter<'_>) {
    let mut sheet = Sheet {
        bytes: &painter.words().as_bytes()[..range.end],
        at: range.start,
        painter,
        place: Place::Start,
    };
    sheet.run();
}

/// Where in the sheet the lexer is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// At the start of a rule or declaration.
    Start,
    Selector,
    Value,
}

struct Sheet<'a, 't> {
    bytes: &'t [u8],
    at: usize,
    painter: &'a mut Painter<'t>,
    place: Place,
}

impl Sheet<'_, '_> {
    fn run(&mut self) {
        while let Some(&byte) = self.bytes.get(self.at) {
            let rest = &self.bytes[self.at..];
            match byte {
                b' ' | b'\t' | b'\r' | b'\n' => self.at += 1,
                b'{' | b'}' | b';' => {
                    self.place = Place::Start;
                    self.at += 1;
                }
                b'/' if rest.starts_with(b"/*") => self.until(b"*/", 2, Class::Comment),
                // The comments of SCSS; in a value two slashes are part of an address.
                b'/' if rest.starts_with(b"//") && self.place != Place::Value => {
                    self.line_comment()
                }
                b'"' | b'\'' => self.string(byte),
                b'@' | b'$' => {
                    self.place = Place::Value;
                    let class = if byte == b'@' {
                        Class::Keyword
                    } else {
                        Class::Attribute
                    };
                    self.named(class);
                }
                _ if self.place == Place::Start => self.place = self.what_begins(),
                b'.' | b'#' if self.place == Place::Selector => self.named(Class::Type),
                b':' if self.place == Place::Selector => self.named(Class::Function),
                b'#' | b'!' => {
                    let class = if byte == b'#' {
                        Class::Number
                    } else {
                        Class::Keyword
                    };
                    self.named(class);
                }
                b'0'..=b'9' => self.number(),
                _ if is_name(byte) => self.name(),
                _ => self.at += 1,
            }
        }
    }

    fn token(&mut self, end: usize, class: Class) {
        self.painter.token(self.at..end, class);
        self.at = end;
    }

    fn until(&mut self, close: &[u8], open: usize, class: Class) {
        let end = memmem::find(&self.bytes[self.at + open..], close)
            .map_or(self.bytes.len(), |length| {
                self.at + open + length + close.len()
            });
        self.token(end, class);
    }

    fn line_comment(&mut self) {
        let rest = &self.bytes[self.at..];
        let length = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        self.token(self.at + length, Class::Comment);
    }

    fn string(&mut self, quote: u8) {
        let mut at = self.at + 1;
        while let Some(&byte) = self.bytes.get(at) {
            match byte {
                b'\n' => break,
                b'\\' if self.bytes.get(at + 1).is_some_and(u8::is_ascii) => at += 2,
                _ if byte == quote => {
                    at += 1;
                    break;
                }
                _ => at += 1,
            }
        }
        self.token(at, Class::Str);
    }

    /// Looks ahead whether a declaration or a rule begins, and paints a declaration's name. What
    /// is looked through is not looked through again before it has been painted.
    fn what_begins(&mut self) -> Place {
        let rest = &self.bytes[self.at..];
        let stop = rest
            .iter()
            .position(|byte| matches!(byte, b'{' | b'}' | b';'))
            .unwrap_or(rest.len());
        let colon = memchr::memchr(b':', &rest[..stop]);
        match colon {
            Some(colon) if rest.get(stop) != Some(&b'{') => {
                let name = rest[..colon].trim_ascii_end().len();
                if rest[..name].iter().copied().all(is_name) {
                    self.token(self.at + name, Class::Attribute);
                }
                Place::Value
            }
            _ => Place::Selector,
        }
    }

    /// A sign and the name after it.
    fn named(&mut self, class: Class) {
        let mut end = self.at + 1;
        if self.bytes[self.at] == b':' && self.bytes.get(end) == Some(&b':') {
            end += 1;
        }
        let name_end = self.name_end(end);
        if name_end == end {
            self.at = end;
        } else {
            self.token(name_end, class);
        }
    }

    fn number(&mut self) {
        let mut end = self.name_end(self.at + 1);
        if self.bytes.get(end) == Some(&b'.')
            && self.bytes.get(end + 1).is_some_and(u8::is_ascii_digit)
        {
            end = self.name_end(end + 1);
        }
        if self.bytes.get(end) == Some(&b'%') {
            end += 1;
        }
        self.token(end, Class::Number);
    }

    fn name(&mut self) {
        let end = self.name_end(self.at);
        if self.bytes.get(end) == Some(&b'(') {
            self.token(end, Class::Function);
        } else if self.place == Place::Selector {
            self.token(end, Class::Keyword);
        } else if self.bytes[self.at..end].starts_with(b"--") {
            self.token(end, Class::Attribute);
        } else {
            self.at = end;
        }
    }

    fn name_end(&self, from: usize) -> usize {
        let rest = &self.bytes[from..];
        let length = rest.iter().position(|byte| !is_name(*byte));
        from + length.unwrap_or(rest.len())
    }
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_') || !byte.is_ascii()
}
