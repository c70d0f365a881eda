//! The lexer for shells: commands by their place, options, variables, quoting, here-documents;
//! and for terminal sessions, in which only the lines after a prompt are commands.

use std::ops::Range;

use super::heredoc::{self, Heredoc};
use super::paint::Painter;
use crate::html::Class;

/// Words after which another command stands.
const BEFORE_COMMANDS: &[&[u8]] = &[
    b"if", b"then", b"elif", b"else", b"while", b"until", b"do", b"!", b"time", b"{",
];

/// The other words of the language.
const KEYWORDS: &[&[u8]] = &[
    b"fi",
    b"done",
    b"esac",
    b"case",
    b"for",
    b"select",
    b"function",
    b"in",
    b"[[",
    b"]]",
    b"}",
    b"return",
    b"break",
    b"continue",
    b"export",
    b"local",
    b"readonly",
    b"declare",
    b"typeset",
    b"unset",
    b"set",
    b"shift",
    b"source",
    b"exit",
    b"trap",
    b"eval",
    b"alias",
];

/// Commands whose argument is a command.
const WRAPPERS: &[&[u8]] = &[
    b"sudo", b"exec", b"nohup", b"xargs", b"env", b"command", b"builtin", b"nice",
];

/// Paints `range` of the painter's text as a script.
pub(super) fn lex(range: Range<usize>, painter: &mut Painter<'_>) {
    let mut shell = Shell {
        bytes: &painter.words().as_bytes()[..range.end],
        at: range.start,
        painter,
        command: true,
        assigning: false,
        holes: Vec::new(),
        heredocs: Vec::new(),
    };
    shell.run();
}

/// Paints `range` as a terminal session: what follows a prompt is a command, the rest is output.
/// Where no line has a prompt, everything is a command.
pub(super) fn lex_session(range: Range<usize>, painter: &mut Painter<'_>) {
    let bytes = &painter.words().as_bytes()[range.clone()];
    let mut prompts = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let length = memchr::memchr(b'\n', &bytes[at..]).unwrap_or(bytes.len() - at);
        if matches!(&bytes[at..at + length], [b'$' | b'%' | b'>', b' ', ..]) {
            prompts.push(range.start + at..range.start + at + length);
        }
        at += length + 1;
    }
    if prompts.is_empty() {
        return lex(range, painter);
    }
    for line in prompts {
        painter.token(line.start..line.start + 1, Class::Gutter);
        lex(line.start + 2..line.end, painter);
    }
}

struct Shell<'a, 't> {
    bytes: &'t [u8],
    at: usize,
    painter: &'a mut Painter<'t>,
    /// Whether the next word is a command.
    command: bool,
    /// Whether the value of an assignment is being read, after which a command may still come.
    assigning: bool,
    /// The `$(` that are being read.
    holes: Vec<Hole>,
    heredocs: Vec<Heredoc>,
}

/// A `$(` and what is known of it.
struct Hole {
    in_string: bool,
    /// Whether it is the value of an assignment.
    assigning: bool,
    /// The brackets open inside.
    open: usize,
}

impl Shell<'_, '_> {
    fn run(&mut self) {
        while let Some(&byte) = self.bytes.get(self.at) {
            match byte {
                b' ' | b'\t' | b'\r' => {
                    self.command |= self.assigning;
                    self.assigning = false;
                    self.at += 1;
                }
                b'\n' => self.line_end(),
                b'#' => self.comment(),
                b'\'' => self.single_quoted(),
                b'"' => self.double_quoted(self.at, self.at + 1),
                b'$' => self.dollar(),
                b'<' if self.bytes[self.at..].starts_with(b"<<") => self.heredoc(),
                b'|' | b'&' | b';' | b'`' => {
                    self.command = true;
                    self.at += 1;
                }
                b'(' | b')' => self.bracket(byte),
                b'<' | b'>' => {
                    self.command = false;
                    self.at += 1 + usize::from(self.bytes.get(self.at + 1) == Some(&b'&'));
                }
                _ => self.word(),
            }
        }
    }

    fn token(&mut self, start: usize, end: usize, class: Class) {
        self.painter.token(start..end, class);
        self.at = end;
    }

    fn line_end(&mut self) {
        self.at += 1;
        self.command = true;
        self.assigning = false;
        for heredoc in std::mem::take(&mut self.heredocs) {
            let end = heredoc.end(self.bytes, self.at);
            self.token(self.at, end, Class::Str);
        }
    }

    fn comment(&mut self) {
        let rest = &self.bytes[self.at..];
        let length = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        self.token(self.at, self.at + length, Class::Comment);
    }

    fn single_quoted(&mut self) {
        let rest = &self.bytes[self.at + 1..];
        let length = memchr::memchr(b'\'', rest).map_or(rest.len(), |length| length + 1);
        self.command = false;
        self.token(self.at, self.at + 1 + length, Class::Str);
    }

    /// Reads a string that began at `start` from `from` on, up to its end or to a `$(`.
    fn double_quoted(&mut self, start: usize, from: usize) {
        let (mut start, mut at) = (start, from);
        self.command = false;
        loop {
            match self.bytes.get(at) {
                None => return self.token(start, at, Class::Str),
                Some(b'"') => return self.token(start, at + 1, Class::Str),
                Some(b'\\') => at += 1 + usize::from(self.is_ascii(at + 1)),
                Some(b'$') => {
                    if self.bytes[at..].starts_with(b"$(") {
                        self.token(start, at, Class::Str);
                        return self.hole(true);
                    }
                    if let Some(end) = self.variable_end(at) {
                        self.token(start, at, Class::Str);
                        self.token(at, end, Class::Attribute);
                        (start, at) = (end, end);
                    } else {
                        at += 1;
                    }
                }
                Some(_) => at += 1,
            }
        }
    }

    /// Begins to read the `$(` that stands here.
    fn hole(&mut self, in_string: bool) {
        self.at += 2;
        self.holes.push(Hole {
            in_string,
            assigning: std::mem::take(&mut self.assigning),
            open: 0,
        });
        // Two brackets are arithmetic.
        self.command = self.bytes.get(self.at) != Some(&b'(');
    }

    fn is_ascii(&self, at: usize) -> bool {
        self.bytes.get(at).is_some_and(u8::is_ascii)
    }

    fn dollar(&mut self) {
        if self.bytes[self.at..].starts_with(b"$'") {
            self.at += 1;
            return self.single_quoted();
        }
        if self.bytes[self.at..].starts_with(b"$(") {
            return self.hole(false);
        }
        match self.variable_end(self.at) {
            Some(end) => {
                self.command = false;
                self.token(self.at, end, Class::Attribute);
            }
            None => self.at += 1,
        }
    }

    /// Where the variable ends whose `$` is at `at`.
    fn variable_end(&self, at: usize) -> Option<usize> {
        let rest = &self.bytes[at + 1..];
        let length = match *rest.first()? {
            b'{' => {
                let close = rest
                    .iter()
                    .take(120)
                    .position(|byte| matches!(byte, b'}' | b'\n' | b'"'))?;
                if rest[close] != b'}' {
                    return None;
                }
                close + 1
            }
            b'@' | b'*' | b'#' | b'?' | b'!' | b'$' | b'-' | b'0'..=b'9' => 1,
            byte if byte.is_ascii_alphabetic() || byte == b'_' => rest
                .iter()
                .position(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_')
                .unwrap_or(rest.len()),
            _ => return None,
        };
        Some(at + 1 + length)
    }

    fn heredoc(&mut self) {
        let announced = heredoc::announced(self.bytes, self.at + 2);
        self.command = false;
        match announced {
            Some((heredoc, end)) if !self.bytes[self.at..].starts_with(b"<<<") => {
                self.heredocs.push(heredoc);
                self.token(self.at, end, Class::Str);
            }
            _ => self.at += 2,
        }
    }

    fn bracket(&mut self, byte: u8) {
        self.at += 1;
        // A bracket right after `=` opens a list, one inside `$((…))` groups numbers.
        let arithmetic = self.bytes[..self.at].ends_with(b"$((");
        self.command = !(std::mem::take(&mut self.assigning) || arithmetic);
        let Some(hole) = self.holes.last_mut() else {
            return;
        };
        if byte == b'(' {
            hole.open += 1;
        } else if hole.open > 0 {
            hole.open -= 1;
        } else if let Some(hole) = self.holes.pop() {
            self.command = false;
            self.assigning = hole.assigning;
            if hole.in_string {
                self.double_quoted(self.at, self.at);
            }
        }
    }

    fn word(&mut self) {
        let start = self.at;
        let end = self.word_end(start);
        let word = &self.bytes[start..end];
        self.at = end;
        if word[0] == b'-' {
            let name = memchr::memchr(b'=', word).unwrap_or(word.len());
            return self.option(start, name, end);
        }
        if !self.command {
            if word.iter().all(u8::is_ascii_digit) {
                self.token(start, end, Class::Number);
            } else if matches!(word, b"in" | b"]]") {
                self.token(start, end, Class::Keyword);
            }
            return;
        }
        if BEFORE_COMMANDS.contains(&word) {
            return self.token(start, end, Class::Keyword);
        }
        if let Some(equals) = memchr::memchr(b'=', word)
            && is_name(&word[..equals])
        {
            self.token(start, start + equals, Class::Attribute);
            self.at = end;
            self.command = false;
            self.assigning = true;
            return;
        }
        self.command = WRAPPERS.contains(&word);
        let class = if KEYWORDS.contains(&word) {
            Class::Keyword
        } else {
            Class::Function
        };
        self.token(start, end, class);
    }

    fn option(&mut self, start: usize, name: usize, end: usize) {
        self.token(start, start + name, Class::Attribute);
        self.at = end;
    }

    fn word_end(&self, start: usize) -> usize {
        let mut at = start;
        while let Some(&byte) = self.bytes.get(at) {
            match byte {
                b'\\' => at += 1 + usize::from(self.is_ascii(at + 1)),
                b' ' | b'\t' | b'\r' | b'\n' | b'|' | b'&' | b';' | b'(' | b')' | b'<' | b'>'
                | b'"' | b'\'' | b'$' | b'`' => break,
                _ => at += 1,
            }
        }
        at
    }
}

fn is_name(name: &[u8]) -> bool {
    let name = name.strip_suffix(b"+").unwrap_or(name);
    !name.is_empty()
        && !name[0].is_ascii_digit()
        && name
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
}
