//! The lexer for HTML, XML and the component files built on them: tags, attributes, comments,
//! and the scripts and styles inside.

use std::ops::Range;

use memchr::memmem;

use super::language::Language;
use super::paint::Painter;
use crate::html::Class;

/// Paints `range` of the painter's text.
pub(super) fn lex(range: Range<usize>, painter: &mut Painter<'_>) {
    let mut markup = Markup {
        bytes: &painter.words().as_bytes()[..range.end],
        at: range.start,
        painter,
    };
    markup.run();
}

struct Markup<'a, 't> {
    bytes: &'t [u8],
    at: usize,
    painter: &'a mut Painter<'t>,
}

impl Markup<'_, '_> {
    fn run(&mut self) {
        while let Some(length) = memchr::memchr2(b'<', b'&', &self.bytes[self.at..]) {
            self.at += length;
            let rest = &self.bytes[self.at..];
            match rest {
                [b'&', ..] => self.entity(),
                [b'<', b'!', b'-', b'-', ..] => self.until(b"-->", Class::Comment),
                [b'<', b'!', b'[', b'C', ..] => self.until(b"]]>", Class::Str),
                [b'<', b'!' | b'?', ..] => self.until(b">", Class::Comment),
                [b'<', b'/', name, ..] if name.is_ascii_alphabetic() => self.tag(2),
                [b'<', name, ..] if name.is_ascii_alphabetic() => self.tag(1),
                _ => self.at += 1,
            }
        }
    }

    fn token(&mut self, end: usize, class: Class) {
        self.painter.token(self.at..end, class);
        self.at = end;
    }

    fn until(&mut self, close: &[u8], class: Class) {
        let rest = &self.bytes[self.at..];
        let length = memmem::find(rest, close).map_or(rest.len(), |length| length + close.len());
        self.token(self.at + length, class);
    }

    fn entity(&mut self) {
        let rest = &self.bytes[self.at + 1..];
        let length = rest
            .iter()
            .take(32)
            .position(|byte| !byte.is_ascii_alphanumeric() && *byte != b'#');
        match length {
            Some(length) if length > 0 && rest[length] == b';' => {
                self.token(self.at + length + 2, Class::Number);
            }
            _ => self.at += 1,
        }
    }

    fn tag(&mut self, signs: usize) {
        let name_start = self.at + signs;
        let name_end = self.name_end(name_start);
        let name = &self.bytes[name_start..name_end];
        self.token(name_end, Class::Keyword);
        let mut language = None;
        if signs == 1 && name.eq_ignore_ascii_case(b"script") {
            language = Language::from_name("js");
        } else if signs == 1 && name.eq_ignore_ascii_case(b"style") {
            language = Language::from_name("css");
        }
        let attributes = self.attributes();
        let Some(mut language) = language else {
            return;
        };
        if let Some(named) = self.named_language(attributes) {
            language = named;
        }
        let end = self.end_of_raw_text(name);
        language.lex(self.at..end, self.painter);
        self.at = end;
    }

    /// Paints attributes up to the tag's `>`; gives where they stand.
    fn attributes(&mut self) -> Range<usize> {
        let start = self.at;
        while let Some(&byte) = self.bytes.get(self.at) {
            match byte {
                b'>' => {
                    self.painter.token(self.at..self.at + 1, Class::Keyword);
                    self.at += 1;
                    break;
                }
                b'<' => break,
                b'/' if self.bytes.get(self.at + 1) == Some(&b'>') => {
                    self.token(self.at + 2, Class::Keyword);
                    break;
                }
                b'"' | b'\'' => {
                    let rest = &self.bytes[self.at + 1..];
                    let length = memchr::memchr(byte, rest).map_or(rest.len(), |length| length + 1);
                    self.token(self.at + 1 + length, Class::Str);
                }
                // The expression of a component: its strings and arrows must not end the tag.
                b'{' => self.at = self.expression_end(),
                _ if is_name(byte) => {
                    let end = self.name_end(self.at);
                    self.token(end, Class::Attribute);
                }
                _ => self.at += 1,
            }
        }
        start..self.at
    }

    fn expression_end(&self) -> usize {
        let mut depth = 0_usize;
        for (index, byte) in self.bytes[self.at..].iter().enumerate() {
            match byte {
                b'{' => depth += 1,
                b'}' if depth == 1 => return self.at + index + 1,
                b'}' => depth -= 1,
                _ => {}
            }
        }
        self.bytes.len()
    }

    /// The language that `lang="ts"` or `type="application/json"` names.
    fn named_language(&self, attributes: Range<usize>) -> Option<Language> {
        let attributes = self.painter.words().get(attributes)?;
        if attributes.contains("json") {
            return Language::from_name("json");
        }
        let (_, value) = attributes.split_once("lang=")?;
        let value = value.trim_start_matches(['"', '\'']);
        Language::from_name(value.split(['"', '\'', '>', ' ']).next()?)
    }

    fn end_of_raw_text(&self, name: &[u8]) -> usize {
        let mut at = self.at;
        while let Some(length) = memmem::find(&self.bytes[at..], b"</") {
            at += length;
            let rest = &self.bytes[at + 2..];
            if rest.len() >= name.len() && rest[..name.len()].eq_ignore_ascii_case(name) {
                return at;
            }
            at += 2;
        }
        self.bytes.len()
    }

    fn name_end(&self, from: usize) -> usize {
        let rest = &self.bytes[from..];
        let length = rest.iter().position(|byte| !is_name(*byte));
        from + length.unwrap_or(rest.len())
    }
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(byte, b'-' | b'_' | b':' | b'.' | b'@' | b'#')
        || !byte.is_ascii()
}
