//! Reading JSON Lines and JSON documents so that one bad line, byte or character never takes its
//! neighbours along. Every reader of such files goes through here.

mod decode;
mod document;
mod elements;
mod lines;
mod mend;
mod object;
mod piecewise;
mod scan;
mod spans;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

use crate::model::{Notice, NoticeKind};
use crate::source::File;

use super::problems::Problems;
use lines::{Line, Lines};
use scan::Scan;

pub(crate) use decode::{Encoding, open};
pub(crate) use document::{deep_document, document, document_of};
pub(crate) use elements::{elements, elements_from};
pub(crate) use object::{Json, Object, count, items, text};
pub(crate) use piecewise::kept_document;
pub(crate) use spans::each_line_in;

/// The deepest nesting that is read: what the parser takes, with its limit left on.
const DEPTH: u32 = 127;

/// One JSON value of a file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Record<'a> {
    /// The line on which it begins, counted from 1.
    pub(crate) line: u64,
    /// Its text, without white space around it.
    pub(crate) json: &'a str,
}

/// What [`each_record`] could not hand over.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Extent {
    /// How many records were handed over and taken.
    pub(crate) records: u64,
    /// Lines that could not be read, in order; neighbours are one gap.
    pub(crate) gaps: Vec<Gap>,
    /// The last line, when the file ends in the middle of it.
    pub(crate) cut: Option<u64>,
}

/// Lines that could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Gap {
    /// The first line.
    pub(crate) first: u64,
    /// The last line.
    pub(crate) last: u64,
}

impl Gap {
    /// The notice that stands in the lines' place.
    pub(crate) fn notice(self) -> Notice {
        let title = if self.first == self.last {
            format!("Line {} could not be read", self.first)
        } else {
            format!("Lines {} to {} could not be read", self.first, self.last)
        };
        Notice::new(NoticeKind::Unknown, title)
    }
}

impl Extent {
    /// The notice for the end of a page whose file was cut.
    pub(crate) fn cut_notice(&self) -> Option<Notice> {
        self.cut.map(|line| {
            let title = format!("The file ends in the middle of line {line}");
            Notice::new(NoticeKind::Unknown, title)
        })
    }

    /// The notices for what could not be read, each with the line where it stands; that of a cut
    /// stands behind all else.
    pub(crate) fn notices(&self) -> impl Iterator<Item = (u64, Notice)> {
        let gaps = self.gaps.iter().map(|gap| (gap.first, gap.notice()));
        gaps.chain(self.cut_notice().map(|notice| (u64::MAX, notice)))
    }

    fn gap(&mut self, first: u64, last: u64) {
        match self.gaps.last_mut() {
            Some(gap) if gap.last + 1 >= first => gap.last = gap.last.max(last),
            _ => self.gaps.push(Gap { first, last }),
        }
    }
}

impl Record<'_> {
    /// The record as an object; `None` for what is none, with a warning. A key that stands twice
    /// is told.
    ///
    /// # Errors
    /// When it is no sound JSON.
    pub(crate) fn object(
        &self,
        problems: &mut Problems,
    ) -> Result<Option<Object<'_>>, serde_json::Error> {
        if !self.json.starts_with('{') {
            serde_json::from_str::<serde::de::IgnoredAny>(self.json)?;
            problems.warn(self.line, "expected an object");
            return Ok(None);
        }
        let object = Object::parse(self.json)?;
        if object.has_duplicate_key() {
            problems.warn(self.line, "duplicate key, the last one counts");
        }
        Ok(Some(object))
    }
}

/// What takes the records: it parses first, so that a record which fails has had no effect, and
/// hands back the parser's error, which becomes the diagnostic.
pub(crate) type Each<'a> =
    dyn FnMut(Record<'_>, &mut Problems) -> Result<(), serde_json::Error> + 'a;

/// Hands over every JSON value of a file of JSON Lines, in order, one line in memory at a time.
/// Values glued on one line and values over several lines are handed over too, with a warning.
pub(crate) fn each_record(file: &File, problems: &mut Problems, each: &mut Each<'_>) -> Extent {
    let mut extent = Extent::default();
    let mut lines = match open(file) {
        Ok((encoding, reader)) => {
            if !accept(encoding, problems) {
                return extent;
            }
            Lines::new(reader)
        }
        Err(e) => {
            problems.lost(None, format!("cannot be read: {e}"));
            return extent;
        }
    };
    let mut reading = Reading {
        problems,
        each,
        extent: &mut extent,
        spread: false,
        pending: None,
    };
    loop {
        match lines.next() {
            Ok(None) => break,
            Ok(Some(Line::Whole {
                bytes,
                number,
                ended,
            })) => reading.line(number, bytes, ended),
            Ok(Some(Line::TooLong(number))) => {
                reading.give_up_pending();
                let what = format!("line longer than {} MiB, not read", lines::LONGEST >> 20);
                reading.bad(number, number, what);
            }
            Err(e) => {
                let what = format!("reading stopped here: {e}");
                reading.bad(lines.count + 1, lines.count + 1, what);
                break;
            }
        }
        lines.reuse();
    }
    reading.give_up_pending();
    extent
}

/// Says what an encoding costs; false when the file is not read for it.
fn accept(encoding: Encoding, problems: &mut Problems) -> bool {
    match encoding {
        Encoding::Utf8 => true,
        Encoding::Utf16Le { marked: true } => {
            problems.warn(1, "UTF-16LE, read as such");
            true
        }
        Encoding::Utf16Be { marked: true } => {
            problems.warn(1, "UTF-16BE, read as such");
            true
        }
        Encoding::Utf16Le { marked: false } | Encoding::Utf16Be { marked: false } => {
            problems.lost(1, "not UTF-8 (looks like UTF-16 without a byte order mark)");
            false
        }
    }
}

/// A value that was not complete at the end of its line, though no string was open.
struct Pending {
    first: u64,
    text: String,
    scan: Scan,
}

struct Reading<'a, 'b> {
    problems: &'a mut Problems,
    each: &'a mut Each<'b>,
    extent: &'a mut Extent,
    /// Whether it was said that values go over several lines.
    spread: bool,
    pending: Option<Pending>,
}

impl Reading<'_, '_> {
    fn line(&mut self, number: u64, bytes: &[u8], ended: bool) {
        let Some(bytes) = self.without_nuls(number, bytes) else {
            return;
        };
        let text = match std::str::from_utf8(bytes) {
            Ok(text) => Cow::Borrowed(text),
            Err(e) => {
                // A last line that ends within a character is cut, not mis-encoded.
                if ended || e.error_len().is_some() {
                    let what = format!("invalid UTF-8 at byte {}", e.valid_up_to() + 1);
                    self.problems.warn(number, what);
                }
                String::from_utf8_lossy(bytes)
            }
        };
        if let Some(pending) = self.pending.take() {
            self.go_on(pending, number, &text, ended);
        } else {
            self.values(number, &text, 0, ended);
        }
    }

    /// The line without zero bytes at its ends, which a crash leaves; `None` when there is
    /// nothing else in it.
    fn without_nuls<'t>(&mut self, number: u64, bytes: &'t [u8]) -> Option<&'t [u8]> {
        let outer = |b: &u8| *b == 0 || b.is_ascii_whitespace();
        if bytes.first() != Some(&0) && bytes.last() != Some(&0) {
            return Some(bytes);
        }
        let what = "NUL bytes (hole left by a crash?)";
        let Some(start) = bytes.iter().position(|b| !outer(b)) else {
            self.give_up_pending();
            self.bad(number, number, what);
            return None;
        };
        self.problems.warn(number, what);
        let end = bytes.iter().rposition(|b| !outer(b)).unwrap_or(start);
        Some(&bytes[start..=end])
    }

    /// Hands over the values of `text` from `from` on, which stands on this line.
    fn values(&mut self, number: u64, text: &str, from: usize, ended: bool) {
        if from == 0 && self.is_taken_as_it_is(number, text.trim_ascii()) {
            return;
        }
        let mut at = from;
        let mut before = from > 0;
        loop {
            let Some(gap) = text.as_bytes()[at..]
                .iter()
                .position(|b| !b.is_ascii_whitespace())
            else {
                return;
            };
            at += gap;
            let mut scan = Scan::default();
            let Some(length) = scan.end(&text.as_bytes()[at..]) else {
                self.incomplete(number, &text[at..], scan, ended);
                return;
            };
            if before {
                let what = format!("trailing data after the JSON value at column {}", at + 1);
                self.problems.warn(number, what);
            }
            if !self.hand_over(number, &text[at..at + length], at, &scan) {
                self.extent.gap(number, number);
                return;
            }
            before = true;
            at += length;
        }
    }

    /// Hands over a line that is one sound value, as nearly all are; false when it must be looked
    /// at more closely. So the parser alone goes over it.
    fn is_taken_as_it_is(&mut self, line: u64, json: &str) -> bool {
        let bytes = json.as_bytes();
        let mut opened = memchr::memchr2_iter(b'{', b'[', bytes);
        // The parser passes over nesting and half pairs in what is not decoded yet.
        let may_be_deep = opened.nth(DEPTH as usize).is_some();
        let has_surrogate = |escape: &[u8]| memchr::memmem::find(bytes, escape).is_some();
        if may_be_deep || has_surrogate(b"\\ud") || has_surrogate(b"\\uD") {
            return false;
        }
        let taken = (self.each)(Record { line, json }, self.problems).is_ok();
        self.extent.records += u64::from(taken);
        taken
    }

    /// A value whose end is not on its line.
    fn incomplete(&mut self, number: u64, rest: &str, scan: Scan, ended: bool) {
        if !ended {
            self.cut(number);
        } else if scan.deepest > DEPTH {
            self.bad(number, number, too_deep());
        } else if scan.in_string {
            let what = format!("a string that does not end, at column {}", rest.len());
            self.bad(number, number, what);
        } else {
            self.pending = Some(Pending {
                first: number,
                text: rest.to_owned(),
                scan,
            });
        }
    }

    /// Adds a line to a value over several lines.
    fn go_on(&mut self, mut pending: Pending, number: u64, text: &str, ended: bool) {
        // The records of JSON Lines begin in the first column; within a value that is printed
        // over lines nothing but its end does.
        let new_record = text.starts_with(['{', '[']);
        let too_long = pending.text.len() + text.len() > lines::LONGEST;
        if new_record || too_long {
            self.pending = Some(pending);
            self.give_up_pending();
            return self.values(number, text, 0, ended);
        }
        pending.text.push('\n');
        let start = pending.text.len();
        pending.text.push_str(text);
        match pending.scan.end(pending.text.as_bytes()) {
            Some(end) => {
                if !self.spread {
                    self.spread = true;
                    let what = "incomplete JSON on the line; read on over the next ones";
                    self.problems.warn(pending.first, what);
                }
                if !self.hand_over(pending.first, &pending.text[..end], 0, &pending.scan) {
                    self.extent.gap(pending.first, number);
                    return;
                }
                self.values(number, text, end - start, ended);
            }
            None if !ended => self.cut(number),
            None if pending.scan.in_string => {
                let what = format!("a string that does not end, at column {}", text.len());
                self.bad(pending.first, number, what);
            }
            None => self.pending = Some(pending),
        }
    }

    /// Reports a value that never ended.
    fn give_up_pending(&mut self) {
        let Some(pending) = self.pending.take() else {
            return;
        };
        let last = pending.first + pending.text.matches('\n').count() as u64;
        let what = if pending.scan.deepest > DEPTH {
            too_deep()
        } else {
            let width = pending.text.lines().next().map_or(0, str::len);
            format!("a value that does not end, at column {width}")
        };
        self.bad(pending.first, last, what);
    }

    /// Hands over one value, repaired when it must be; false when it could not be taken.
    /// `before` is the number of bytes before it on its line.
    fn hand_over(&mut self, line: u64, json: &str, before: usize, scan: &Scan) -> bool {
        if scan.deepest > DEPTH {
            self.problems.warn(line, too_deep());
            return false;
        }
        let paired = scan.surrogates.then(|| mend::lone_surrogates(json));
        let paired = paired.flatten();
        if paired.is_some() {
            self.problems.warn(line, "lone surrogate, shown as U+FFFD");
        }
        let json = paired.as_deref().unwrap_or(json);
        let Err(error) = (self.each)(Record { line, json }, self.problems) else {
            self.extent.records += 1;
            return true;
        };
        if error.is_syntax()
            && let Some(json) = mend::raw_controls(json)
            && (self.each)(Record { line, json: &json }, self.problems).is_ok()
        {
            let what = "control characters stand raw in a string";
            self.problems.warn(line, what);
            self.extent.records += 1;
            return true;
        }
        let (at, what) = describe(&error, line, before);
        self.problems.warn(at, what);
        false
    }

    fn bad(&mut self, first: u64, last: u64, what: impl Into<String>) {
        self.problems.warn(first, what);
        self.extent.gap(first, last);
    }

    fn cut(&mut self, number: u64) {
        let what = "truncated last line (still being written?)";
        self.problems.warn(number, what);
        self.extent.cut = Some(number);
    }
}

fn too_deep() -> String {
    format!("nesting deeper than {}", DEPTH + 1)
}

/// What the parser says of a value that begins on `line` after `before` bytes: the line it means
/// and the words, without anything that stands in the file.
pub(crate) fn describe(error: &serde_json::Error, line: u64, before: usize) -> (u64, String) {
    let at = line + (error.line() as u64).saturating_sub(1);
    let column = if error.line() <= 1 {
        error.column() + before
    } else {
        error.column()
    };
    if error.is_data() {
        return (at, format!("unexpected kind of value at column {column}"));
    }
    // The parser's own words are for those who know its insides.
    let what = match error.is_eof() {
        true => format!("a value that does not end, at column {column}"),
        false => format!("not valid JSON at column {column}"),
    };
    (at, what)
}
