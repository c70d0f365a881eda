//! Here-documents: text over lines that ends at a line of the writer's choice.

use std::ops::Range;

/// A here-document that begins after the line that announces it.
#[derive(Debug)]
pub(super) struct Heredoc {
    /// Where in the text its last line is named.
    delimiter: Range<usize>,
}

/// Reads what follows `<<`: signs for indentation, then a name, quoted or not. Gives the
/// document and where its announcement ends.
pub(super) fn announced(bytes: &[u8], from: usize) -> Option<(Heredoc, usize)> {
    let mut at = from;
    while matches!(bytes.get(at), Some(b'-' | b'~')) {
        at += 1;
    }
    while bytes.get(at) == Some(&b' ') {
        at += 1;
    }
    let quote = bytes
        .get(at)
        .copied()
        .filter(|byte| matches!(byte, b'\'' | b'"'));
    let start = at + usize::from(quote.is_some());
    let name = bytes.get(start..)?;
    if !name.first()?.is_ascii_alphabetic() && name[0] != b'_' {
        return None;
    }
    let length = name
        .iter()
        .position(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_')
        .unwrap_or(name.len());
    let end = start + length;
    if quote.is_some() && bytes.get(end).copied() != quote {
        return None;
    }
    let heredoc = Heredoc {
        delimiter: start..end,
    };
    Some((heredoc, end + usize::from(quote.is_some())))
}

impl Heredoc {
    /// Where the text that begins at `from` ends, its last line included: after the delimiter,
    /// or where the bytes end.
    pub(super) fn end(&self, bytes: &[u8], from: usize) -> usize {
        let delimiter = &bytes[self.delimiter.clone()];
        let mut at = from;
        while at < bytes.len() {
            let length = memchr::memchr(b'\n', &bytes[at..]).unwrap_or(bytes.len() - at);
            let line = &bytes[at..at + length];
            let inside = line.trim_ascii_start();
            let rest = inside.strip_prefix(delimiter).map(<[u8]>::trim_ascii_end);
            if let Some([] | [b';' | b')' | b',' | b'.' | b']', ..]) = rest {
                return at + (line.len() - inside.len()) + delimiter.len();
            }
            at += length + 1;
        }
        bytes.len()
    }
}
