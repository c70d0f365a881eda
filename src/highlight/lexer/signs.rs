//! What a sign begins: variables and decorators, symbols, regular expressions.

use super::Lexer;
use crate::html::Class;

impl Lexer<'_, '_> {
    /// `$name`, `${…}`, `$(name)`, `$@`; `@name` with its dots.
    pub(super) fn sigil(&mut self) -> bool {
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

    pub(super) fn symbol(&mut self) -> bool {
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

    pub(super) fn regex(&mut self) -> bool {
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
