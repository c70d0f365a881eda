//! Reads a deflated stream from places in its middle: on the way through it once, the state of the
//! decoder is kept every so many bytes, and a reader begins at the last one before its place.
//!
//! An archive holds thousands of conversations in one member. Each is read by itself, twice, in
//! any order; without these marks each reading would decode the stream from its start.

use std::io::{self, Read};

use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::inflate_flags::TINFL_FLAG_HAS_MORE_INPUT;
use miniz_oxide::inflate::core::{DecompressorOxide, decompress};

/// How far back a stream refers to itself at most, in bytes; a power of two, as the decoder asks.
const WINDOW: usize = 32 << 10;
/// How many bytes are given to the decoder at a time.
const CHUNK: usize = 32 << 10;

/// The decoder on its way through a stream.
#[derive(Clone)]
struct State {
    decoder: Box<DecompressorOxide>,
    /// The last bytes that came out, in a ring.
    window: Box<[u8]>,
    /// How many bytes went in, and came out.
    read: u64,
    written: u64,
    is_done: bool,
}

/// A place from which a stream can be read.
pub(super) struct Mark(State);

impl Mark {
    /// The start of a stream.
    pub(super) fn start() -> Self {
        Mark(State {
            decoder: Box::default(),
            window: vec![0; WINDOW].into(),
            read: 0,
            written: 0,
            is_done: false,
        })
    }

    /// How many bytes of the stream are before it, and how many came out of them.
    pub(super) fn place(&self) -> (u64, u64) {
        (self.0.read, self.0.written)
    }
}

/// A reader of a deflated stream.
pub(super) struct Inflate<R> {
    input: R,
    state: State,
    chunk: Vec<u8>,
    /// The part of the chunk that the decoder has not seen.
    from: usize,
    /// Where in the window bytes stand that nobody has read, and how many.
    unread: (usize, usize),
}

impl<R: Read> Inflate<R> {
    /// Reads on from a mark; `input` gives what of the stream stands behind it.
    pub(super) fn from(mark: &Mark, input: R) -> Self {
        Self {
            input,
            state: mark.0.clone(),
            chunk: Vec::new(),
            from: 0,
            unread: (0, 0),
        }
    }

    /// A mark at the place that was read up to, when the decoder is just there.
    pub(super) fn mark(&self) -> Option<Mark> {
        (self.unread.1 == 0).then(|| {
            let mut state = self.state.clone();
            // What the decoder has not seen of the chunk is read again.
            state.read -= (self.chunk.len() - self.from) as u64;
            Mark(state)
        })
    }

    /// Decodes until something came out, or the stream ended.
    fn decode(&mut self) -> io::Result<()> {
        while self.unread.1 == 0 && !self.state.is_done {
            if self.from == self.chunk.len() {
                self.chunk.resize(CHUNK, 0);
                let got = self.input.read(&mut self.chunk)?;
                self.chunk.truncate(got);
                self.state.read += got as u64;
                self.from = 0;
            }
            let is_last = self.chunk.is_empty();
            let at = (self.state.written % WINDOW as u64) as usize;
            let (status, seen, out) = decompress(
                &mut self.state.decoder,
                &self.chunk[self.from..],
                &mut self.state.window,
                at,
                if is_last {
                    0
                } else {
                    TINFL_FLAG_HAS_MORE_INPUT
                },
            );
            self.from += seen;
            self.state.written += out as u64;
            self.unread = (at, out);
            match status {
                TINFLStatus::Done => self.state.is_done = true,
                TINFLStatus::NeedsMoreInput if !is_last => {}
                TINFLStatus::HasMoreOutput => {}
                _ => return Err(io::Error::new(io::ErrorKind::InvalidData, "damaged data")),
            }
        }
        Ok(())
    }
}

impl<R: Read> Read for Inflate<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.decode()?;
        let (at, len) = self.unread;
        let len = len.min(buffer.len());
        buffer[..len].copy_from_slice(&self.state.window[at..at + len]);
        self.unread = (at + len, self.unread.1 - len);
        Ok(len)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text() -> Vec<u8> {
        let lines = (0..40_000).map(|n| format!("line {n} of {}, {}\n", n * n, n % 7));
        lines.collect::<String>().into_bytes()
    }

    #[test]
    fn a_stream_is_read_from_its_start_and_from_every_mark() {
        let text = text();
        let packed = miniz_oxide::deflate::compress_to_vec(&text, 6);
        let mut reader = Inflate::from(&Mark::start(), &packed[..]);
        let mut marks = Vec::new();
        let mut all = Vec::new();
        let mut buffer = [0; 4_000];
        loop {
            let got = reader.read(&mut buffer).expect("sound");
            if got == 0 {
                break;
            }
            all.extend_from_slice(&buffer[..got]);
            marks.extend(reader.mark());
        }
        assert!(all == text);
        assert!(marks.len() > 10, "{}", marks.len());
        for mark in marks.iter().step_by(7) {
            let (read, written) = mark.place();
            let input = &packed[usize::try_from(read).expect("small")..];
            let mut rest = Vec::new();
            Inflate::from(mark, input)
                .read_to_end(&mut rest)
                .expect("sound");
            assert!(rest == text[usize::try_from(written).expect("small")..]);
        }
    }

    #[test]
    fn damaged_and_cut_streams_are_errors() {
        let packed = miniz_oxide::deflate::compress_to_vec(&text(), 6);
        let mut all = Vec::new();
        let cut = &packed[..packed.len() / 2];
        assert!(
            Inflate::from(&Mark::start(), cut)
                .read_to_end(&mut all)
                .is_err()
        );
        let mut damaged = packed.clone();
        damaged[packed.len() / 2] ^= 0x55;
        damaged[packed.len() / 2 + 1] ^= 0x55;
        let mut all = Vec::new();
        let read = Inflate::from(&Mark::start(), &damaged[..]).read_to_end(&mut all);
        assert!(read.is_err() || all != text());
    }
}
