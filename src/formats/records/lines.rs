//! Lines of a file in one reused buffer, with a limit that an endless line cannot pass.

use std::io::{self, BufRead, BufReader, Read};

use memchr::memchr;

/// The longest line that is read, in bytes.
pub(super) const LONGEST: usize = 64 << 20;

/// The capacity that the buffer keeps from one line to the next.
const KEPT: usize = 1 << 20;

/// A line of a file.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line<'a> {
    /// A line without its line feed.
    Whole {
        /// Its bytes.
        bytes: &'a [u8],
        /// Its number, counted from 1.
        number: u64,
        /// Whether a line feed ended it; only the last line has none.
        ended: bool,
    },
    /// The line of this number is past the limit; it was skipped.
    TooLong(u64),
}

/// Reads lines one at a time.
pub(super) struct Lines<R> {
    reader: BufReader<R>,
    buffer: Vec<u8>,
    longest: usize,
    /// How many lines were read.
    pub(super) count: u64,
}

impl<R: Read> Lines<R> {
    pub(super) fn new(reader: R) -> Self {
        Self::with_longest(reader, LONGEST)
    }

    fn with_longest(reader: R, longest: usize) -> Self {
        Self {
            reader: BufReader::with_capacity(1 << 18, reader),
            buffer: Vec::new(),
            longest,
            count: 0,
        }
    }

    /// Makes room for the next line.
    pub(super) fn reuse(&mut self) {
        self.buffer.clear();
        if self.buffer.capacity() > 8 * KEPT {
            self.buffer.shrink_to(KEPT);
        }
    }

    /// The next line; `None` at the end. [`Lines::reuse`] comes before the one after it.
    pub(super) fn next(&mut self) -> io::Result<Option<Line<'_>>> {
        let mut too_long = false;
        let mut any = false;
        let ended = loop {
            let chunk = match self.reader.fill_buf() {
                Ok(chunk) => chunk,
                Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
                Err(e) => return Err(e),
            };
            if chunk.is_empty() {
                break false;
            }
            any = true;
            let found = memchr(b'\n', chunk);
            let part = &chunk[..found.unwrap_or(chunk.len())];
            if too_long || self.buffer.len() + part.len() > self.longest {
                too_long = true;
                self.buffer = Vec::new();
            } else {
                self.buffer.extend_from_slice(part);
            }
            let used = part.len() + usize::from(found.is_some());
            self.reader.consume(used);
            if found.is_some() {
                break true;
            }
        };
        if !any {
            return Ok(None);
        }
        self.count += 1;
        Ok(Some(if too_long {
            Line::TooLong(self.count)
        } else {
            Line::Whole {
                bytes: &self.buffer,
                number: self.count,
                ended,
            }
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_past_the_limit_is_skipped_and_counted() {
        let mut lines = Lines::with_longest(&b"ab\nabcdef\n\ncd"[..], 4);
        let mut seen = Vec::new();
        while let Some(line) = lines.next().expect("memory can be read") {
            seen.push(match line {
                Line::TooLong(number) => format!("…{number}"),
                Line::Whole { bytes, ended, .. } => {
                    format!(
                        "{}{}",
                        String::from_utf8_lossy(bytes),
                        if ended { "|" } else { "" }
                    )
                }
            });
            lines.reuse();
        }
        assert_eq!(seen, ["ab|", "…2", "|", "cd"]);
        assert_eq!(lines.count, 4);
    }
}
