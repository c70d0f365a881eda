//! How far an escape sequence reaches. What is not finished on its line takes nothing with it
//! but its own opening and parameters.

use super::{C1_LEAD, ESCAPE, is_c1};

/// A sequence at the start of some bytes.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Sequence<'b> {
    /// Its length in bytes, at least 1; it ends between characters.
    pub(super) length: usize,
    pub(super) kind: Kind<'b>,
}

/// What a sequence asks for, so far as anything comes of it.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Kind<'b> {
    /// Another style, with these parameters.
    Style(&'b [u8]),
    /// The cursor at the start of the line: the same as a carriage return.
    LineStart,
    Other,
}

/// Reads the sequence that `bytes`, the rest of a line, begins with: at an escape or a C1
/// control.
pub(super) fn read(bytes: &[u8]) -> Sequence<'_> {
    let (opening, function) = match bytes {
        // A C1 control is the same as an escape and the letter 64 places before it.
        [C1_LEAD, control, ..] => (2, control - 0x40),
        [_, b'\\', ..] => return other(2),
        [_, function, ..] => (2, *function),
        _ => return other(1),
    };
    match function {
        b'[' => control_sequence(bytes, opening),
        b'P' | b'X' | b']' | b'^' | b'_' => other(string_length(bytes, opening)),
        _ if bytes[0] == ESCAPE => other(escape_length(bytes)),
        _ => other(opening),
    }
}

fn other(length: usize) -> Sequence<'static> {
    Sequence {
        length,
        kind: Kind::Other,
    }
}

/// `ESC [`, parameters, a final letter.
fn control_sequence(bytes: &[u8], opening: usize) -> Sequence<'_> {
    let end = skip(bytes, opening, |byte| matches!(byte, 0x20..=0x3f));
    let parameters = &bytes[opening..end];
    let kind = match bytes.get(end) {
        Some(b'm') => Kind::Style(parameters),
        Some(b'G') if matches!(parameters, b"" | b"0" | b"1") => Kind::LineStart,
        Some(0x40..=0x7e) => Kind::Other,
        _ => return other(end),
    };
    Sequence {
        length: end + 1,
        kind,
    }
}

/// `ESC`, signs, a final letter.
fn escape_length(bytes: &[u8]) -> usize {
    let end = skip(bytes, 1, |byte| matches!(byte, 0x20..=0x2f));
    end + usize::from(matches!(bytes.get(end), Some(0x30..=0x7e)))
}

/// A string for the terminal, such as a title or a link's address, up to BEL or ST. One that has
/// no end on this line is only its opening, so that the text after it is not lost.
fn string_length(bytes: &[u8], opening: usize) -> usize {
    let stops = |byte| !matches!(byte, 0x07 | ESCAPE | C1_LEAD);
    let mut end = skip(bytes, opening, stops);
    loop {
        match &bytes[end..] {
            [0x07, ..] => return end + 1,
            [ESCAPE, b'\\', ..] | [C1_LEAD, 0x9c, ..] => return end + 2,
            // Another control breaks it off; the printable neighbours of C1 do not.
            [C1_LEAD, ..] if !is_c1(&bytes[end..]) => end = skip(bytes, end + 1, stops),
            _ => return opening,
        }
    }
}

fn skip(bytes: &[u8], from: usize, belongs: impl Fn(u8) -> bool) -> usize {
    let rest = &bytes[from..];
    from + rest
        .iter()
        .position(|byte| !belongs(*byte))
        .unwrap_or(rest.len())
}
