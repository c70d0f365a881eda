//! JSON with halves of characters in it, or bytes that are no characters, which the parser refuses:
//! for a first look they are put aside on the way.

use std::io::{self, Read};

/// Whether the parser stopped at half a character, or at bytes that are none.
pub(super) fn is_of_one(error: &serde_json::Error) -> bool {
    let words = error.to_string();
    words.contains("hex escape") || words.contains("unicode code point")
}

/// Reads on, with the escapes of halves of characters replaced and all bytes that are not ASCII,
/// those of whole characters too: nothing that a first look asks for is told by them.
pub(super) struct Halves<R> {
    inner: R,
    state: State,
}

/// How much of an escape has been seen.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Plain,
    /// A backslash.
    Escape,
    /// `\u`.
    Unicode,
    /// `\ud`.
    Half,
}

impl<R> Halves<R> {
    pub(super) fn of(inner: R) -> Self {
        Self {
            inner,
            state: State::Plain,
        }
    }
}

impl<R: Read> Read for Halves<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let got = self.inner.read(buffer)?;
        for byte in &mut buffer[..got] {
            if !byte.is_ascii() {
                *byte = b'?';
            }
            self.state = match (self.state, *byte) {
                (State::Plain, b'\\') => State::Escape,
                (State::Escape, b'u') => State::Unicode,
                (State::Unicode, b'd' | b'D') => State::Half,
                (State::Half, b'8'..=b'9' | b'a'..=b'f' | b'A'..=b'F') => {
                    // From `d800` it becomes `d700`, which is a whole character.
                    *byte = b'7';
                    State::Plain
                }
                _ => State::Plain,
            };
        }
        Ok(got)
    }
}
