//! The lexer for languages of words, strings and comments. One pass over bytes; whatever it
//! does not know stays plain.
//!
//! Every token ends next to an ASCII byte: bytes beyond ASCII are parts of words, so no token
//! cuts through a character, a cluster of combining marks or a joined emoji.

use std::ops::Range;

use memchr::memmem;

use super::grammar::{Capitals, Close, Code, Escape, LineStarts, Opener, Quote, Start, Tables};
use super::heredoc::{self, Heredoc};
use super::line_starts::{LineStart, line_start};
use super::paint::Painter;
use crate::html::Class;

/// Paints `range` of the painter's text.
pub(super) fn lex(
    code: &'static Code,
    tables: &Tables,
    range: Range<usize>,
    painter: &mut Painter<'_>,
) {
    let mut lexer = Lexer {
        code,
        tables,
        bytes: &painter.text().as_bytes()[..range.end],
        at: range.start,
        painter,
        expected: None,
        after_value: false,
        no_regex_before: 0,
        holes: Vec::new(),
        heredocs: Vec::new(),
        block_scalar: None,
    };
    lexer.run();
}

struct Lexer<'a, 't> {
    code: &'static Code,
    tables: &'a Tables,
    bytes: &'t [u8],
    at: usize,
    painter: &'a mut Painter<'t>,
    /// What the next word is, because of the keyword before it.
    expected: Option<Class>,
    /// Whether the last token was a value, after which `/` divides.
    after_value: bool,
    /// Where the line ends on which a `/` was found to open nothing, so that it is not searched
    /// again and again.
    no_regex_before: usize,
    /// The strings whose `${…}` is being read, each with the curly brackets open inside.
    holes: Vec<(&'static Quote, usize)>,
    /// The here-documents that begin after this line.
    heredocs: Vec<Heredoc>,
    /// The indentation of the key whose block scalar may begin on the next line.
    block_scalar: Option<usize>,
}

impl Lexer<'_, '_> {
    fn run(&mut self) {
        self.begin_line();
        while let Some(&byte) = self.bytes.get(self.at) {
            match self.tables.start[usize::from(byte)] {
                Start::Plain => self.plain(byte),
                Start::Word => self.word(),
                Start::Digit => self.number(),
                Start::Curly => self.curly(byte),
                Start::Newline => {
                    self.at += 1;
                    self.end_line();
                    self.begin_line();
                }
                Start::Opener => {
                    if !self.opener() {
                        self.not_opened(byte);
                    }
                }
            }
        }
    }

    fn token(&mut self, start: usize, end: usize, class: Class) {
        self.painter.token(start..end, class);
        self.at = end;
    }

    fn plain(&mut self, byte: u8) {
        if byte > b' ' {
            self.after_value = matches!(byte, b')' | b']');
            self.expected = None;
        }
        self.at += 1;
        // Indentation is long.
        if byte == b' ' {
            let rest = &self.bytes[self.at..];
            self.at += rest.iter().take_while(|byte| **byte == b' ').count();
        }
    }

    fn not_opened(&mut self, byte: u8) {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' => self.word(),
            b'{' | b'}' => self.curly(byte),
            _ => self.plain(byte),
        }
    }

    fn curly(&mut self, byte: u8) {
        self.plain(byte);
        let Some((quote, open)) = self.holes.last_mut() else {
            return;
        };
        if byte == b'{' {
            *open += 1;
        } else if *open > 0 {
            *open -= 1;
        } else {
            let quote = *quote;
            self.holes.pop();
            self.string(self.at - 1, self.at, quote);
        }
    }

    /// Reads the here-documents that were announced on the line that just ended.
    fn end_line(&mut self) {
        for heredoc in std::mem::take(&mut self.heredocs) {
            let end = heredoc.end(self.bytes, self.at);
            self.token(self.at, end, Class::Str);
        }
    }

    fn begin_line(&mut self) {
        if self.code.line_starts == LineStarts::Nothing {
            return;
        }
        let LineStart {
            tokens,
            end,
            block_scalar,
        } = line_start(
            self.code.line_starts,
            self.bytes,
            self.at,
            self.block_scalar,
        );
        for (range, class) in tokens.into_iter().flatten() {
            self.painter.token(range, class);
        }
        self.at = end;
        self.block_scalar = block_scalar;
    }

    fn word(&mut self) {
        let start = self.at;
        let end = self.word_end(start + 1);
        let word = &self.bytes[start..end];
        let next = self.bytes.get(end).copied().unwrap_or(b'\n');
        if matches!(next, b'"' | b'\'') && has_prefix(self.code.prefixes, word) {
            for (open, opener) in self.tables.openers(&self.bytes[end..]) {
                if let Opener::Quote(quote) = opener
                    && matches!(quote.close, Close::Text(_))
                {
                    self.string(start, end + open.len(), quote);
                    return;
                }
            }
        }
        let expected = self.expected.take();
        self.after_value = true;
        // What follows a dot is a member, whatever it is called; `await` is the one exception.
        let member = start > 0
            && self.bytes[start - 1] == b'.'
            && !self.bytes[..start].ends_with(b"..")
            && word != b"await";
        if !member && let Some(meaning) = self.tables.meaning(word) {
            self.expected = meaning.then;
            self.after_value = meaning.class != Class::Keyword;
            self.token(start, end, meaning.class);
            return;
        }
        let is_macro = self.code.macros
            && next == b'!'
            && self.bytes.get(end + 1).is_some_and(|byte| *byte != b'=');
        let called = is_macro || (self.code.calls && next == b'(');
        let class = expected
            .or_else(|| self.capital(word, called))
            .or(called.then_some(Class::Function));
        match class {
            Some(class) => self.token(start, end + usize::from(is_macro), class),
            None => self.at = end,
        }
    }

    /// What a word is because of the capital letter it begins with.
    fn capital(&self, word: &[u8], called: bool) -> Option<Class> {
        if !word[0].is_ascii_uppercase()
            || (word.len() > 1 && !word.iter().any(u8::is_ascii_lowercase))
        {
            return None;
        }
        match self.code.capitals {
            Capitals::Nothing => None,
            Capitals::TypeUnlessCalled if called => None,
            Capitals::Type | Capitals::TypeUnlessCalled => Some(Class::Type),
            Capitals::VerbNoun => word.contains(&b'-').then_some(Class::Function),
        }
    }

    fn word_end(&self, from: usize) -> usize {
        let rest = &self.bytes[from..];
        let length = rest
            .iter()
            .position(|byte| !self.tables.word[usize::from(*byte)]);
        from + length.unwrap_or(rest.len())
    }

    fn number(&mut self) {
        let start = self.at;
        let mut end = start + 1;
        while let Some(&byte) = self.bytes.get(end) {
            let last = self.bytes[end - 1];
            let next_is_digit = self.bytes.get(end + 1).is_some_and(u8::is_ascii_digit);
            let goes_on = match byte {
                b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' | b'_' => true,
                b'.' => next_is_digit && last != b'.',
                b'+' | b'-' => {
                    matches!(last, b'e' | b'E')
                        && next_is_digit
                        && !self.bytes[start..].starts_with(b"0x")
                }
                _ => false,
            };
            if !goes_on {
                break;
            }
            end += 1;
        }
        self.expected = None;
        self.after_value = true;
        self.token(start, end, Class::Number);
    }

    /// Tries what may be opened here; whether something was.
    fn opener(&mut self) -> bool {
        let rest = &self.bytes[self.at..];
        let tables = self.tables;
        tables.openers(rest).any(|(open, opener)| match opener {
            Opener::LineComment => self.line_comment(),
            Opener::BlockComment(index) => {
                let (open, close) = self.code.block_comments[index];
                self.block_comment(open, close);
                true
            }
            Opener::Quote(quote) => self.quote(quote),
            Opener::Sigil => self.sigil(),
            Opener::HashAttribute => {
                let mut end = self.at + open.len();
                while self
                    .bytes
                    .get(end)
                    .is_some_and(|byte| *byte == b':' || self.tables.word[usize::from(*byte)])
                {
                    end += 1;
                }
                self.token(self.at, end, Class::Attribute);
                true
            }
            Opener::Regex => self.regex(),
            Opener::Symbol => self.symbol(),
            Opener::Heredoc => {
                if let Some((heredoc, end)) = heredoc::announced(self.bytes, self.at + open.len()) {
                    self.heredocs.push(heredoc);
                    self.token(self.at, end, Class::Str);
                    true
                } else {
                    false
                }
            }
        })
    }

    fn line_comment(&mut self) -> bool {
        if self.code.spaced_comments
            && self.at > 0
            && !self.bytes[self.at - 1].is_ascii_whitespace()
        {
            return false;
        }
        let rest = &self.bytes[self.at..];
        let length = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        self.token(self.at, self.at + length, Class::Comment);
        true
    }

    fn block_comment(&mut self, open: &str, close: &str) {
        let body = self.at + open.len();
        let end = if self.code.nested_comments {
            nested_end(self.bytes, body, open.as_bytes(), close.as_bytes())
        } else {
            memmem::find(&self.bytes[body..], close.as_bytes())
                .map_or(self.bytes.len(), |length| body + length + close.len())
        };
        self.token(self.at, end, Class::Comment);
    }

    fn quote(&mut self, quote: &'static Quote) -> bool {
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
    fn string(&mut self, start: usize, from: usize, quote: &'static Quote) {
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

    /// `$name`, `${…}`, `$(name)`, `$@`; `@name` with its dots.
    fn sigil(&mut self) -> bool {
        let start = self.at;
        let sigil = self.bytes[start];
        if start > 0 && self.bytes[start - 1].is_ascii_alphanumeric() {
            return false;
        }
        let mut end = self.word_end(start + 1);
        if sigil == b'@' && self.bytes.get(start + 1) == Some(&b'@') {
            end = self.word_end(start + 2);
        }
        while sigil == b'@'
            && self.bytes.get(end) == Some(&b'.')
            && self.bytes.get(end + 1).is_some_and(u8::is_ascii_alphabetic)
        {
            end = self.word_end(end + 1);
        }
        if end == start + 1 && sigil == b'$' {
            end = match self.bytes.get(end) {
                Some(b'{') => self.closed_name(end + 1, b'}').unwrap_or(end),
                Some(b'(') => self.closed_name(end + 1, b')').unwrap_or(end),
                Some(b'@' | b'<' | b'^' | b'*' | b'?' | b'!' | b'#') => end + 1,
                _ => end,
            };
        }
        if end == start + 1 {
            return false;
        }
        self.expected = None;
        self.after_value = true;
        self.token(start, end, Class::Attribute);
        true
    }

    /// The end of a name, with what may qualify it, that `close` ends.
    fn closed_name(&self, from: usize, close: u8) -> Option<usize> {
        let name_end = self.word_end(from);
        if self.bytes.get(name_end) == Some(&close) {
            return (name_end > from).then_some(name_end + 1);
        }
        // `${NAME:-default}` and the like: short, and without anything that nests.
        let tail = self.bytes.get(name_end..)?;
        let tail = &tail[..tail.len().min(80)];
        let length = tail
            .iter()
            .position(|byte| matches!(*byte, b'}' | b'{' | b'(' | b')' | b'\n' | b'"'))?;
        (close == b'}' && tail[length] == close && name_end > from).then_some(name_end + length + 1)
    }

    fn symbol(&mut self) -> bool {
        let start = self.at;
        let apart = start == 0
            || !matches!(self.bytes[start - 1], b':' | b'?' | b'"' | b'\'')
                && !self.tables.word[usize::from(self.bytes[start - 1])];
        let named = self
            .bytes
            .get(start + 1)
            .is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'_');
        if apart && named {
            let end = self.word_end(start + 1);
            self.token(start, end, Class::Number);
        }
        apart && named
    }

    fn regex(&mut self) -> bool {
        if self.after_value || self.at < self.no_regex_before {
            return false;
        }
        let mut in_set = false;
        let mut at = self.at + 1;
        while let Some(&byte) = self.bytes.get(at) {
            match byte {
                b'\n' => break,
                b'\\' if self.bytes.get(at + 1).is_some_and(|next| *next != b'\n') => at += 1,
                b'[' => in_set = true,
                b']' => in_set = false,
                b'/' if !in_set && at > self.at + 1 => {
                    let end = self.word_end(at + 1);
                    self.token(self.at, end, Class::Str);
                    self.after_value = true;
                    return true;
                }
                _ => {}
            }
            at += 1;
        }
        self.no_regex_before = at;
        false
    }
}

fn has_prefix(prefixes: &str, word: &[u8]) -> bool {
    word.len() <= 3
        && prefixes
            .split_ascii_whitespace()
            .any(|prefix| prefix.as_bytes().eq_ignore_ascii_case(word))
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
