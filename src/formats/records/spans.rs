//! The lines of a stretch of a file, each with the bytes that it stands in: of files whose lines
//! are conversations, or belong to several.

use std::io::{self, BufRead, BufReader, Read};
use std::ops::Range;

use crate::source::File;

use super::lines::LONGEST;
use super::scan::Scan;
use super::{DEPTH, describe, mend, too_deep};

/// What takes the lines: the bytes of each and its value, or what is wrong with it.
pub(crate) type EachLine<'a> = dyn FnMut(Range<u64>, Result<&str, String>) + 'a;

/// Hands over each line of these bytes of a file that has anything on it: one sound JSON value, or
/// what is wrong with it, in words. One line is in memory at a time.
///
/// # Errors
/// What the system says.
pub(crate) fn each_line_in(
    file: &File,
    range: Range<u64>,
    each: &mut EachLine<'_>,
) -> io::Result<()> {
    let mut reader = BufReader::with_capacity(1 << 18, file.open_range(range.clone())?);
    let mut at = range.start;
    let mut line = Vec::new();
    loop {
        line.clear();
        let limit = LONGEST as u64;
        let got = (&mut reader).take(limit).read_until(b'\n', &mut line)? as u64;
        if got == 0 {
            return Ok(());
        }
        let span = at..at + got;
        at += got;
        if got == limit && line.last() != Some(&b'\n') {
            at += past(&mut reader)?;
            each(span.start..at, Err("line too long, skipped".to_owned()));
            continue;
        }
        let bytes = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&line);
        let text = String::from_utf8_lossy(bytes);
        let text = text.trim();
        if !text.is_empty() {
            match sound(text) {
                Ok(None) => each(span, Ok(text)),
                Ok(Some(mended)) => each(span, Ok(&mended)),
                Err(what) => each(span, Err(what)),
            }
        }
    }
}

/// Goes to the end of a line; how many bytes that took.
fn past(reader: &mut impl BufRead) -> io::Result<u64> {
    let mut gone = 0;
    loop {
        let buffer = reader.fill_buf()?;
        if buffer.is_empty() {
            return Ok(gone);
        }
        let end = memchr::memchr(b'\n', buffer);
        let count = end.map_or(buffer.len(), |end| end + 1);
        reader.consume(count);
        gone += count as u64;
        if end.is_some() {
            return Ok(gone);
        }
    }
}

/// Whether a text is one sound value: the value mended, where it had to be.
fn sound(text: &str) -> Result<Option<String>, String> {
    let mut scan = Scan::default();
    let end = scan.end(text.as_bytes());
    if scan.deepest > DEPTH {
        return Err(too_deep());
    }
    let check = |text: &str| serde_json::from_str::<serde::de::IgnoredAny>(text);
    if end.is_some() && scan.surrogates {
        return Ok(mend::lone_surrogates(text).filter(|text| check(text).is_ok()));
    }
    match check(text) {
        Ok(_) => Ok(None),
        Err(error) => {
            let mended = mend::raw_controls(text).filter(|text| check(text).is_ok());
            mended.map(Some).ok_or_else(|| describe(&error, 1, 0).1)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_line_has_its_bytes_and_a_bad_one_says_what_is_wrong() {
        let text = "\u{feff}{\"a\":1}\r\n\n{bad\n[\"\\ud83d\"]\n{\"b\":2}";
        let file = File::in_memory("x".into(), "x".into(), text.as_bytes().to_vec());
        let mut seen = Vec::new();
        each_line_in(&file, 0..file.size, &mut |span, value| {
            seen.push((span, value.map_or_else(|what| what, str::to_owned)));
        })
        .expect("memory can be read");
        let values: Vec<&str> = seen.iter().map(|(_, value)| value.as_str()).collect();
        let bad = "not valid JSON at column 2";
        assert_eq!(values, ["{\"a\":1}", bad, r#"["\ufffd"]"#, "{\"b\":2}"]);
        let last = &seen[3].0;
        assert_eq!(&text[last.start as usize..last.end as usize], "{\"b\":2}");
    }
}
