//! A line of a source, in the readings that drawing may give it.
//!
//! As it is; without its terminal escapes; as the last state that `\r` left; inside a JSON
//! string; as Markdown, whose markup may become elements; and as a JSON value of its own, whose
//! texts may stand apart.

use memchr::memmem;
use serde_json::{Deserializer, Value};

use super::pages::Pages;
use super::{letters, without_escapes};

/// How far behind the line before a line is looked for first: most lines follow each other.
const NEAR: usize = 1 << 16;

/// Elements that programs wrap around the words that they inject; only the words are drawn.
const WRAPPERS: &[&str] = &[
    "INSTRUCTIONS",
    "bash-input",
    "bash-stderr",
    "bash-stdout",
    "command",
    "command-args",
    "command-message",
    "command-name",
    "environment_context",
    "ide_diagnostics",
    "ide_opened_file",
    "hook_context",
    "ide_selection",
    "local-command-caveat",
    "local-command-stderr",
    "local-command-stdout",
    "permissions",
    "persisted-output",
    "qwen:user-prompt-submit-context",
    "session_context",
    "post-tool-use-hook",
    "result",
    "system-reminder",
    "task-notification",
    "teammate-message",
    "tool_use_error",
    "turn_aborted",
    "user-memory-input",
    "user-prompt-submit-hook",
    "user_instructions",
    "user_shell_command",
];

/// A piece of a reading.
#[derive(Debug)]
enum Bit {
    /// Letters that must be there.
    Text(String),
    /// One of these must be there; the empty one always is.
    OneOf([String; 2]),
    /// The number of a footnote may be there.
    Number,
}

/// A line to be found.
#[derive(Debug)]
pub(super) struct Needle<'a> {
    line: &'a str,
}

impl<'a> Needle<'a> {
    pub(super) fn of(line: &'a str) -> Self {
        Self { line }
    }

    /// Where the line ends in the text of the pages, looked for from `place` on and then from
    /// the start; `None` when no reading of it is there.
    pub(super) fn find(&self, pages: &Pages, place: usize) -> Option<usize> {
        let plain = letters(self.line);
        if let found @ Some(_) = find_text(&plain, pages, place) {
            return found;
        }
        let drawn = without_escapes(self.line);
        if drawn != self.line {
            return Needle::of(&drawn).find(pages, place);
        }
        let mut states = self.line.split('\r').rev();
        if self.line.contains('\r')
            && let Some(last) = states.find(|state| !state.trim().is_empty())
        {
            return Needle::of(last).find(pages, place);
        }
        let in_json = letters(&Value::from(self.line).to_string());
        let in_json = Some(in_json).filter(|in_json| *in_json != plain);
        in_json
            .and_then(|in_json| find_text(&in_json, pages, place))
            .or_else(|| Markdown::of(self.line).find(pages, place))
            .or_else(|| is_aside(self.line, pages).then_some(place))
            .or_else(|| find_json(self.line, pages, place))
    }
}

/// Where letters end in the text of the pages.
fn find_text(letters: &str, pages: &Pages, place: usize) -> Option<usize> {
    let (needle, text) = (letters.as_bytes(), pages.text.as_bytes());
    let near = &text[place..text.len().min(place + NEAR)];
    let at = memmem::find(near, needle)
        .map(|at| place + at)
        .or_else(|| memmem::find(text, needle))?;
    Some(at + needle.len())
}

/// Whether a text is the address of a link, or the language of a code block, or stands in the
/// text after all.
fn is_aside(text: &str, pages: &Pages) -> bool {
    let letters = letters(text);
    let asides = [letters.as_str(), &letters.to_lowercase()];
    letters.is_empty()
        || asides.iter().any(|aside| pages.asides.contains(aside))
        || pages.text.contains(&letters)
}

/// Finds a line that holds a JSON value by the texts in it and the words around it.
fn find_json(line: &str, pages: &Pages, place: usize) -> Option<usize> {
    let (at, _) = line.match_indices(['[', '{']).next()?;
    let mut values = Deserializer::from_str(&line[at..]).into_iter::<Value>();
    let value = values.next()?.ok()?;
    let after = &line[at + values.byte_offset()..];
    let mut texts = vec![line[..at].to_owned(), after.to_owned()];
    gather(value, &mut texts);
    let mut lines = texts.iter().flat_map(|text| text.lines());
    lines.try_fold(place, |place, line| Needle::of(line).find(pages, place))
}

fn gather(value: Value, texts: &mut Vec<String>) {
    match value {
        Value::String(text) => texts.push(text),
        Value::Array(list) => list.into_iter().for_each(|item| gather(item, texts)),
        Value::Object(fields) => fields.into_iter().for_each(|(_, item)| gather(item, texts)),
        Value::Number(number) => texts.push(number.to_string()),
        Value::Bool(_) | Value::Null => {}
    }
}

/// A line read as Markdown.
#[derive(Debug, Default)]
struct Markdown {
    bits: Vec<Bit>,
    /// What must be there, but may be elsewhere: addresses and languages.
    asides: Vec<String>,
}

impl Markdown {
    fn of(line: &str) -> Self {
        let mut markdown = Self::default();
        let line = line.trim_start_matches(|c: char| c.is_whitespace() || c == '>');
        let info = line.trim_start_matches(['`', '~']);
        if line.len() - info.len() >= 3 {
            markdown
                .asides
                .extend(info.split_whitespace().map(str::to_owned));
            return markdown;
        }
        let line = markdown.list_marker(line);
        if let Some((label, rest)) = line.strip_prefix('[').and_then(|l| l.split_once("]:")) {
            if !label.starts_with('^') {
                markdown.address(rest);
                return markdown;
            }
            markdown
                .bits
                .push(Bit::OneOf([letters(label), String::new()]));
            markdown.bits.push(Bit::Number);
            markdown.inline(rest);
        } else {
            markdown.inline(line);
        }
        markdown
    }

    /// Takes the number of a list item and the box of a task.
    fn list_marker<'a>(&mut self, line: &'a str) -> &'a str {
        let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
        let number = &line[..line.len() - rest.len()];
        let mut line = line;
        if let Some(rest) = rest.strip_prefix(['.', ')']).filter(|_| !number.is_empty()) {
            self.bits
                .push(Bit::OneOf([number.to_owned(), String::new()]));
            line = rest.trim_start();
        }
        let task = line.trim_start_matches(['-', '*', '+', ' ']);
        if let Some(rest) = task.strip_prefix("[x]").or(task.strip_prefix("[X]")) {
            self.bits
                .push(Bit::OneOf([letters(&task[..3]), String::new()]));
            line = rest;
        }
        line
    }

    fn inline(&mut self, text: &str) {
        let mut rest = text;
        while let Some(c) = rest.chars().next() {
            let taken = match c {
                '[' => self.link(rest),
                '<' => self.wrapper(rest),
                '&' => self.entity(rest),
                _ => None,
            };
            let taken = taken.unwrap_or_else(|| {
                self.text(&letters(&rest[..c.len_utf8()]));
                c.len_utf8()
            });
            rest = &rest[taken..];
        }
    }

    fn text(&mut self, letters: &str) {
        if let Some(Bit::Text(text)) = self.bits.last_mut() {
            text.push_str(letters);
        } else if !letters.is_empty() {
            self.bits.push(Bit::Text(letters.to_owned()));
        }
    }

    /// Takes a link or a footnote's mark; answers how long it is.
    fn link(&mut self, text: &str) -> Option<usize> {
        let close = matching(text, '[', ']')?;
        let (label, after) = (&text[1..close], &text[close + 1..]);
        if label.starts_with('^') {
            self.bits.push(Bit::OneOf([letters(label), String::new()]));
            self.bits.push(Bit::Number);
            return Some(close + 1);
        }
        let (open, end) = match after.chars().next()? {
            '(' => ('(', matching(after, '(', ')')?),
            '[' => ('[', matching(after, '[', ']')?),
            _ => return None,
        };
        let target = &after[1..end];
        self.inline(label);
        self.bits.push(Bit::OneOf([letters(target), String::new()]));
        if open == '(' {
            self.address(target);
        }
        Some(close + 1 + end + 1)
    }

    /// Notes the address of a link, whose title may go.
    fn address(&mut self, target: &str) {
        let target = target.trim().trim_start_matches('<');
        let end = target.find(|c: char| c.is_whitespace() || c == '>');
        self.asides
            .push(target[..end.unwrap_or(target.len())].to_owned());
    }

    /// Takes the tag of a wrapper.
    fn wrapper(&mut self, text: &str) -> Option<usize> {
        let end = text.find('>')? + 1;
        let name = text[1..end - 1].trim_start_matches('/');
        let name = name.split(' ').next().unwrap_or(name);
        WRAPPERS.contains(&name).then(|| {
            self.bits
                .push(Bit::OneOf([letters(&text[..end]), String::new()]));
            end
        })
    }

    /// Takes a character reference, which may stand as written.
    fn entity(&mut self, text: &str) -> Option<usize> {
        let end = text.find(';').filter(|end| *end < 34)? + 1;
        let (raw, drawn) = (letters(&text[..end]), Pages::of_html(&text[..end]).text);
        (raw != drawn).then(|| {
            self.bits.push(Bit::OneOf([raw, drawn]));
            end
        })
    }

    fn find(&self, pages: &Pages, place: usize) -> Option<usize> {
        if !self.asides.iter().all(|aside| is_aside(aside, pages)) {
            return None;
        }
        let texts = self
            .bits
            .iter()
            .enumerate()
            .filter_map(|(at, bit)| match bit {
                Bit::Text(text) => Some((at, text)),
                _ => None,
            });
        let Some((at, text)) = texts.max_by_key(|(_, text)| text.len()) else {
            return Some(place);
        };
        let (before, after) = (&self.bits[..at], &self.bits[at + 1..]);
        memmem::find_iter(pages.text.as_bytes(), text).find_map(|at| {
            let end = fit_after(after, &pages.text, at + text.len())?;
            fits_before(before, &pages.text[..at]).then_some(end)
        })
    }
}

/// Where the bracket that `text` begins with is closed.
fn matching(text: &str, open: char, close: char) -> Option<usize> {
    let mut depth = 0usize;
    for (at, c) in text.char_indices() {
        if c == open {
            depth += 1;
        } else if c == close {
            depth = depth.checked_sub(1)?;
            if depth == 0 {
                return Some(at);
            }
        }
    }
    None
}

/// Where the bits end that begin at `at`; `None` when they do not.
fn fit_after(bits: &[Bit], text: &str, at: usize) -> Option<usize> {
    let Some((bit, rest)) = bits.split_first() else {
        return Some(at);
    };
    let here = &text[at..];
    match bit {
        Bit::Text(one) => here
            .starts_with(one.as_str())
            .then(|| fit_after(rest, text, at + one.len()))
            .flatten(),
        Bit::OneOf(some) => some
            .iter()
            .filter(|one| here.starts_with(one.as_str()))
            .find_map(|one| fit_after(rest, text, at + one.len())),
        Bit::Number => {
            let digits = here.bytes().take(3).take_while(u8::is_ascii_digit).count();
            (0..=digits).find_map(|count| fit_after(rest, text, at + count))
        }
    }
}

/// Whether the bits end where the text does.
fn fits_before(bits: &[Bit], text: &str) -> bool {
    let Some((bit, rest)) = bits.split_last() else {
        return true;
    };
    let fits = |one: &str| {
        text.strip_suffix(one)
            .is_some_and(|text| fits_before(rest, text))
    };
    match bit {
        Bit::Text(one) => fits(one),
        Bit::OneOf(some) => some.iter().any(|one| fits(one)),
        Bit::Number => {
            let digits = text
                .bytes()
                .rev()
                .take(3)
                .take_while(u8::is_ascii_digit)
                .count();
            (0..=digits).any(|count| fits_before(rest, &text[..text.len() - count]))
        }
    }
}
