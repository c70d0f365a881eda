//! From a file's bytes to UTF-8: byte order marks, UTF-16.

use std::io::{self, Cursor, Read};

use crate::source::File;

/// How the bytes of a file are to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    /// UTF-8, with or without a byte order mark.
    Utf8,
    /// UTF-16, least significant byte first.
    Utf16Le {
        /// Whether a byte order mark says so.
        marked: bool,
    },
    /// UTF-16, most significant byte first.
    Utf16Be {
        /// Whether a byte order mark says so.
        marked: bool,
    },
}

/// Opens a file as UTF-8 without a byte order mark. UTF-16 is decoded on the way; UTF-8 is not
/// checked.
///
/// # Errors
/// What the system says.
pub(crate) fn open(file: &File) -> io::Result<(Encoding, Box<dyn Read + '_>)> {
    let mut reader = file.open()?;
    let mut start = [0; 4];
    let mut seen = 0;
    while seen < start.len() {
        match reader.read(&mut start[seen..]) {
            Ok(0) => break,
            Ok(more) => seen += more,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
    let start = &start[..seen];
    let (encoding, mark) = encoding_of(start);
    let whole = Cursor::new(start[mark..].to_vec()).chain(reader);
    Ok(match encoding {
        Encoding::Utf8 => (encoding, Box::new(whole)),
        Encoding::Utf16Le { .. } => (encoding, Box::new(Utf16::new(whole, u16::from_le_bytes))),
        Encoding::Utf16Be { .. } => (encoding, Box::new(Utf16::new(whole, u16::from_be_bytes))),
    })
}

/// The encoding that the first bytes speak for, and the length of the byte order mark.
fn encoding_of(start: &[u8]) -> (Encoding, usize) {
    match *start {
        [0xef, 0xbb, 0xbf, ..] => (Encoding::Utf8, 3),
        [0xff, 0xfe, ..] => (Encoding::Utf16Le { marked: true }, 2),
        [0xfe, 0xff, ..] => (Encoding::Utf16Be { marked: true }, 2),
        // ASCII in UTF-16 has a zero in every other byte.
        [1..=255, 0, 1..=255, 0] => (Encoding::Utf16Le { marked: false }, 0),
        [0, 1..=255, 0, 1..=255] => (Encoding::Utf16Be { marked: false }, 0),
        _ => (Encoding::Utf8, 0),
    }
}

/// Decodes UTF-16 to UTF-8 as it is read; what is no character becomes U+FFFD.
struct Utf16<R> {
    source: R,
    unit: fn([u8; 2]) -> u16,
    /// Bytes that are read and not decoded: an odd one, or half of a pair.
    raw: Vec<u8>,
    /// UTF-8 that is decoded, from `handed` on not handed out.
    ready: Vec<u8>,
    handed: usize,
    ended: bool,
}

impl<R: Read> Utf16<R> {
    fn new(source: R, unit: fn([u8; 2]) -> u16) -> Self {
        Self {
            source,
            unit,
            raw: Vec::new(),
            ready: Vec::new(),
            handed: 0,
            ended: false,
        }
    }

    fn fill(&mut self) -> io::Result<()> {
        let mut more = [0; 8192];
        let count = self.source.read(&mut more)?;
        self.ended = count == 0;
        self.raw.extend_from_slice(&more[..count]);
        let mut units: Vec<u16> = self
            .raw
            .as_chunks()
            .0
            .iter()
            .map(|pair| (self.unit)(*pair))
            .collect();
        // A high surrogate waits for its second half.
        if !self.ended && units.last().is_some_and(|u| (0xd800..0xdc00).contains(u)) {
            units.pop();
        }
        self.raw.drain(..units.len() * 2);
        self.ready.clear();
        self.handed = 0;
        let text: String = char::decode_utf16(units)
            .map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER))
            .collect();
        self.ready.extend_from_slice(text.as_bytes());
        Ok(())
    }
}

impl<R: Read> Read for Utf16<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        while self.handed == self.ready.len() {
            if self.ended {
                return Ok(0);
            }
            self.fill()?;
        }
        let count = buf.len().min(self.ready.len() - self.handed);
        buf[..count].copy_from_slice(&self.ready[self.handed..self.handed + count]);
        self.handed += count;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: Vec<u8>) -> (Encoding, String) {
        let file = File::in_memory("x".into(), "x".into(), bytes);
        let (encoding, mut reader) = open(&file).expect("memory can be read");
        let mut text = String::new();
        reader.read_to_string(&mut text).expect("it is UTF-8 now");
        (encoding, text)
    }

    #[test]
    fn a_byte_order_mark_is_no_text() {
        assert_eq!(
            read(b"\xef\xbb\xbf{}".to_vec()),
            (Encoding::Utf8, "{}".into())
        );
        assert_eq!(read(b"{".to_vec()).1, "{");
    }

    #[test]
    fn utf_16_is_decoded_across_reads() {
        let long: String = "a😀é".repeat(3_000);
        let text = format!("{{{long}");
        let mut le = vec![0xff, 0xfe];
        le.extend(text.encode_utf16().flat_map(u16::to_le_bytes));
        assert_eq!(read(le), (Encoding::Utf16Le { marked: true }, text.clone()));
        let be: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        // The second unit is half of a pair here, so that only plain ASCII is recognised.
        assert_eq!(read(be).0, Encoding::Utf16Be { marked: false });
        let odd = vec![0xfe, 0xff, 0x00];
        assert_eq!(read(odd).1, "");
    }
}
