//! The lexer for languages of words, strings and comments. One pass over bytes; whatever it
//! does not know stays plain.
//!
//! Every token ends next to an ASCII byte: bytes beyond ASCII are parts of words, so no token
//! cuts through a character, a cluster of combining marks or a joined emoji.

mod signs;
mod strings;

use std::ops::Range;

use crate::highlight::grammar::{Capitals, Close, Code, LineStarts, Opener, Quote, Start, Tables};
use crate::highlight::heredoc::{self, Heredoc};
use crate::highlight::line_starts::{LineStart, line_start};
use crate::highlight::paint::Painter;
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
        bytes: &painter.words().as_bytes()[..range.end],
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
}

fn has_prefix(prefixes: &str, word: &[u8]) -> bool {
    word.len() <= 3
        && prefixes
            .split_ascii_whitespace()
            .any(|prefix| prefix.as_bytes().eq_ignore_ascii_case(word))
}
