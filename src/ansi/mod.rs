//! Terminal output: escapes become classes of a closed list, or nothing.
//!
//! Styles and the sixteen colours are kept. Everything else that steers a terminal (cursor moves,
//! titles, links, modes) is dropped, without the text around it; concealed text is shown. Where a
//! line was overwritten, as progress bars do, its last state stands, with a count of the others.

mod sequence;
mod state;
mod style;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

use anstyle_parse::Parser;

use crate::html::{Html, Runs};
use sequence::{Kind, Sequence};
use state::State;
use style::Style;

/// The text as it reads on the terminal in the end: without escapes, each line in its last
/// state. Borrowed when there is nothing to do. It has as many lines as [`lines`] gives.
pub(crate) fn plain(text: &str) -> Cow<'_, str> {
    if !has_escapes(text) {
        return Cow::Borrowed(text);
    }
    let mut terminal = Terminal::default();
    let mut plain = String::with_capacity(text.len());
    for (index, line) in text.lines().enumerate() {
        if index > 0 {
            plain.push('\n');
        }
        plain.push_str(terminal.line(line).text());
    }
    if text.ends_with('\n') {
        plain.push('\n');
    }
    Cow::Owned(plain)
}

/// Whether anything in the text steers a terminal. Cheap: most output has nothing of the kind.
pub(crate) fn has_escapes(text: &str) -> bool {
    let bytes = text.as_bytes();
    let controls = memchr::memchr3_iter(ESCAPE, BACKSPACE, b'\r', bytes)
        // A carriage return before a line feed is only the other system's line end.
        .any(|at| bytes[at] != b'\r' || bytes.get(at + 1) != Some(&b'\n'));
    controls || memchr::memchr_iter(C1_LEAD, bytes).any(|at| is_c1(&bytes[at..]))
}

/// The text in its colours, one piece a line (as [`str::lines`] counts lines; a last line of
/// escapes alone is none). A style lasts over line ends; a span does not.
pub(crate) fn lines(text: &str) -> Vec<Html> {
    if !has_escapes(text) {
        return text.lines().map(plain_line).collect();
    }
    let mut terminal = Terminal::default();
    let mut lines: Vec<Html> = text
        .lines()
        .map(|line| terminal.line(line).html())
        .collect();
    // Much output ends with a reset behind its last line feed.
    if !text.ends_with('\n') {
        lines.pop_if(|line| line.is_empty());
    }
    lines
}

const ESCAPE: u8 = 0x1b;
const BACKSPACE: u8 = 0x08;
/// The first byte of every C1 control in UTF-8, and of 32 printable characters.
const C1_LEAD: u8 = 0xc2;

fn is_c1(bytes: &[u8]) -> bool {
    matches!(bytes, [C1_LEAD, 0x80..=0x9f, ..])
}

fn plain_line(line: &str) -> Html {
    let mut runs = Runs::with_capacity(line.len());
    runs.text(line);
    runs.finish()
}

/// What lasts from line to line.
#[derive(Default)]
struct Terminal {
    parser: Parser,
    style: Style,
}

impl Terminal {
    /// Reads one line, up to the state it is left in.
    fn line(&mut self, line: &str) -> State {
        let line = line.trim_end_matches('\r');
        let bytes = line.as_bytes();
        let mut state = State::default();
        let mut at = 0;
        while at < bytes.len() {
            let text = bytes[at..]
                .iter()
                .position(|byte| matches!(*byte, ESCAPE | BACKSPACE | C1_LEAD | b'\r'))
                .unwrap_or(bytes.len() - at);
            state.print(&line[at..at + text], self.style);
            at += text;
            match bytes.get(at) {
                None => break,
                Some(b'\r') => {
                    state.return_carriage();
                    at += 1;
                }
                Some(&BACKSPACE) => {
                    state.step_back();
                    at += 1;
                }
                Some(&C1_LEAD) if !is_c1(&bytes[at..]) => {
                    state.print(&line[at..at + 2], self.style);
                    at += 2;
                }
                Some(_) => {
                    let Sequence { length, kind } = sequence::read(&bytes[at..]);
                    match kind {
                        Kind::Style(parameters) => {
                            self.style.select(&mut self.parser, parameters);
                        }
                        Kind::LineStart => state.return_carriage(),
                        Kind::Other => {}
                    }
                    at += length;
                }
            }
        }
        state.finish();
        state
    }
}
