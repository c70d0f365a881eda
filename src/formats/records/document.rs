//! Reading one JSON document, or one element of an array of them: what is returned is sound.

use std::io::Read;

use crate::formats::problems::Problems;
use crate::source::{At, File, Part, Source};

use super::decode::open;
use super::scan::Scan;
use super::{DEPTH, accept, describe, mend, too_deep};

/// Reads a file that is one JSON document. What is returned is sound JSON: its encoding is
/// undone, and what could be repaired is, with a warning. Text after the first value is left
/// out, with a warning. `None` when there is no whole value; the problem is then a lost file.
pub(crate) fn document(file: &File, problems: &mut Problems) -> Option<String> {
    read_whole(file, DEPTH, problems)
}

/// The same of a document whose nesting has no bounds, for readers that go into it level by level.
pub(crate) fn deep_document(file: &File, problems: &mut Problems) -> Option<String> {
    read_whole(file, u32::MAX, problems)
}

fn read_whole(file: &File, deepest: u32, problems: &mut Problems) -> Option<String> {
    let bytes = bytes_of(file, problems)?;
    whole_value(bytes, deepest, problems)
}

/// All bytes of a file, as UTF-8 unless they were not in their own encoding.
pub(super) fn bytes_of(file: &File, problems: &mut Problems) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(usize::try_from(file.size).unwrap_or_default());
    let read = open(file).and_then(|(encoding, mut reader)| {
        reader.read_to_end(&mut bytes)?;
        Ok(encoding)
    });
    match read {
        Ok(encoding) => accept(encoding, problems).then_some(bytes),
        Err(e) => {
            problems.lost(None, format!("cannot be read: {e}"));
            None
        }
    }
}

/// The same of a source: of its part of the main file, when it has one. `problems` must be those
/// of the source.
pub(crate) fn document_of(source: &Source, problems: &mut Problems) -> Option<String> {
    let range = match &source.part {
        Some(Part {
            at: At::Bytes(range),
            ..
        }) => range,
        _ => return document(&source.main, problems),
    };
    let mut bytes = Vec::new();
    let read = source.main.open_range(range.clone());
    if let Err(e) = read.and_then(|mut reader| reader.read_to_end(&mut bytes)) {
        problems.lost(None, format!("cannot be read: {e}"));
        return None;
    }
    whole_value(bytes, DEPTH, problems)
}

/// The JSON value in these bytes, sound.
fn whole_value(bytes: Vec<u8>, deepest: u32, problems: &mut Problems) -> Option<String> {
    let whole = sound_value(bytes, deepest, problems)?;
    whole
        .map_err(|fault| problems.lost(fault.line, fault.what))
        .ok()
}

/// Why a value is not sound.
pub(super) struct Fault {
    /// The text from the value on.
    pub(super) text: String,
    /// The line on which the value begins.
    pub(super) first_line: u64,
    /// The line on which it is not sound.
    pub(super) line: u64,
    /// What is wrong there.
    pub(super) what: String,
}

/// The JSON value in these bytes, sound, or what is wrong with it; `None` when there is none, with
/// a warning.
pub(super) fn sound_value(
    bytes: Vec<u8>,
    deepest: u32,
    problems: &mut Problems,
) -> Option<Result<String, Fault>> {
    let mut text = String::from_utf8(bytes).unwrap_or_else(|e| {
        let valid = e.utf8_error().valid_up_to();
        let (line, column) = place(&e.as_bytes()[..valid]);
        problems.warn(line, format!("invalid UTF-8 at byte {column}"));
        String::from_utf8_lossy(e.as_bytes()).into_owned()
    });
    let start = text.len() - text.trim_start().len();
    if start == text.len() {
        problems.warn(None, "no records");
        return None;
    }
    let (first_line, _) = place(&text.as_bytes()[..start]);
    text.drain(..start);
    let mut scan = Scan::default();
    let Some(end) = scan.end(text.as_bytes()) else {
        let (line, column) = place(text.as_bytes());
        return Some(Err(Fault {
            line: line + first_line - 1,
            what: format!("the file ends in the middle of a value, at column {column}"),
            text,
            first_line,
        }));
    };
    if scan.deepest > deepest {
        return Some(Err(Fault {
            line: first_line,
            what: too_deep(),
            text,
            first_line,
        }));
    }
    let after = text[end..].len() - text[end..].trim_start().len();
    if end + after < text.len() {
        let (line, column) = place(&text.as_bytes()[..end + after]);
        let what = format!("trailing characters at column {column}");
        problems.warn(line + first_line - 1, what);
    }
    text.truncate(end);
    if scan.surrogates
        && let Some(mended) = mend::lone_surrogates(&text)
    {
        problems.warn(first_line, "lone surrogate, shown as U+FFFD");
        text = mended;
    }
    let (error, mended) = match sound(&text) {
        Ok(mended) => (None, mended),
        Err(error) => (Some(error), None),
    };
    if let Some(error) = error {
        let (line, what) = describe(&error, first_line, 0);
        return Some(Err(Fault {
            text,
            first_line,
            line,
            what,
        }));
    }
    if mended.is_some() {
        let what = "control characters stand raw in a string";
        problems.warn(first_line, what);
    }
    Some(Ok(mended.unwrap_or(text)))
}

/// Whether a text is sound JSON: the text mended, where it had to be.
///
/// # Errors
/// What the parser says of a text that cannot be mended.
pub(super) fn sound(text: &str) -> Result<Option<String>, serde_json::Error> {
    let check = |text: &str| serde_json::from_str::<serde::de::IgnoredAny>(text);
    let Err(error) = check(text) else {
        return Ok(None);
    };
    let mended = mend::raw_controls(text).filter(|text| check(text).is_ok());
    mended.map(Some).ok_or(error)
}

/// The line and the column after these bytes, both counted from 1.
pub(super) fn place(before: &[u8]) -> (u64, usize) {
    let line = memchr::memchr_iter(b'\n', before).count() as u64 + 1;
    let column = match memchr::memrchr(b'\n', before) {
        Some(last) => before.len() - last,
        None => before.len() + 1,
    };
    (line, column)
}
