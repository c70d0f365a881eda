//! Where the elements of a JSON array stand in a file, found without reading any of them: an
//! export holds thousands of conversations in one array, and each is read by itself.

use std::io::{self, Read};
use std::ops::{ControlFlow, Range};

use memchr::memchr2;

use crate::source::File;

use super::decode::{Encoding, open};

/// How many bytes are looked at at a time.
const CHUNK: usize = 256 << 10;
/// How many elements are told apart.
const MOST: usize = 1 << 20;

/// The elements of an array.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Elements {
    /// Their bytes, in order.
    pub(crate) ranges: Vec<Range<u64>>,
    /// Whether the file ends before the array does; the last element is then a part of one.
    pub(crate) is_cut: bool,
}

/// The elements of the array that a file is, or, with a key, of the array under this key of the
/// object that it is. `None` when there is no such array, or the file is not UTF-8.
///
/// # Errors
/// What the system says.
pub(crate) fn elements(file: &File, key: Option<&str>) -> io::Result<Option<Elements>> {
    if !matches!(open(file)?.0, Encoding::Utf8) {
        return Ok(None);
    }
    look_through(file, 0, Look::new(key))
}

/// The elements of the array that begins at this byte of a file, whatever stands before it.
/// `None` when none begins there.
///
/// # Errors
/// What the system says.
pub(crate) fn elements_from(file: &File, start: u64) -> io::Result<Option<Elements>> {
    let mut first = [0];
    let begins = file.open_range(start..file.size)?.read(&mut first)? == 1 && first == *b"[";
    if !begins {
        return Ok(None);
    }
    let look = Look {
        at: start,
        ..Look::new(None)
    };
    look_through(file, start, look)
}

fn look_through(file: &File, start: u64, mut look: Look<'_>) -> io::Result<Option<Elements>> {
    let mut reader = file.open_range(start..file.size)?;
    let mut chunk = vec![0; CHUNK];
    loop {
        let got = reader.read(&mut chunk)?;
        if got == 0 {
            break;
        }
        if look.go(&chunk[..got]).is_break() {
            break;
        }
    }
    Ok(look.end())
}

/// The way through a file, byte by byte, strings in leaps.
struct Look<'k> {
    key: Option<&'k str>,
    /// Where in the file the next byte is.
    at: u64,
    depth: u32,
    in_string: bool,
    is_escaped: bool,
    /// The last string at the object's own depth, as it stands, as long as it may be the key.
    name: Vec<u8>,
    is_name: bool,
    /// The depth inside the array, once it is found.
    inside: Option<u32>,
    /// Where the element begins that is being gone through.
    began: Option<u64>,
    is_closed: bool,
    ranges: Vec<Range<u64>>,
}

impl<'k> Look<'k> {
    fn new(key: Option<&'k str>) -> Self {
        Self {
            key,
            at: 0,
            depth: 0,
            in_string: false,
            is_escaped: false,
            name: Vec::new(),
            is_name: false,
            inside: None,
            began: None,
            is_closed: false,
            ranges: Vec::new(),
        }
    }

    fn go(&mut self, bytes: &[u8]) -> ControlFlow<()> {
        let start = self.at;
        let mut at = 0;
        while at < bytes.len() {
            self.at = start + at as u64;
            if self.in_string {
                at += self.string(&bytes[at..]);
                continue;
            }
            let byte = bytes[at];
            at += 1;
            if byte.is_ascii_whitespace() {
                continue;
            }
            self.byte(byte)?;
        }
        self.at = start + bytes.len() as u64;
        ControlFlow::Continue(())
    }

    /// Goes on inside a string; returns how many bytes were gone through.
    fn string(&mut self, bytes: &[u8]) -> usize {
        if self.is_escaped {
            self.is_escaped = false;
            self.keep(&bytes[..1]);
            return 1;
        }
        let Some(len) = memchr2(b'"', b'\\', bytes) else {
            self.keep(bytes);
            return bytes.len();
        };
        self.keep(&bytes[..len]);
        if bytes[len] == b'\\' {
            self.is_escaped = true;
            self.keep(b"\\");
        } else {
            self.in_string = false;
            self.is_name = false;
        }
        len + 1
    }

    /// Keeps what may be the key.
    fn keep(&mut self, bytes: &[u8]) {
        let longest = self.key.map_or(0, str::len) + 1;
        if self.is_name && self.name.len() < longest {
            let len = bytes.len().min(longest - self.name.len());
            self.name.extend_from_slice(&bytes[..len]);
        }
    }

    fn byte(&mut self, byte: u8) -> ControlFlow<()> {
        let is_own = self.inside == Some(self.depth);
        match byte {
            b'"' => {
                self.in_string = true;
                if self.inside.is_none() && self.depth == 1 && self.key.is_some() {
                    self.name.clear();
                    self.is_name = true;
                }
                self.begin(is_own);
            }
            b'{' | b'[' => {
                self.begin(is_own);
                let is_wanted = match self.key {
                    None => self.depth == 0,
                    Some(key) => self.depth == 1 && self.name == key.as_bytes(),
                };
                self.depth += 1;
                if self.inside.is_none() && byte == b'[' && is_wanted {
                    self.inside = Some(self.depth);
                } else if self.key.is_none() && self.inside.is_none() {
                    // No array at all.
                    return ControlFlow::Break(());
                }
            }
            b'}' | b']' => {
                if is_own {
                    self.finish();
                    self.is_closed = true;
                    return ControlFlow::Break(());
                }
                self.depth = self.depth.saturating_sub(1);
                if self.depth == 0 {
                    return ControlFlow::Break(());
                }
                if self.inside == Some(self.depth) {
                    self.at += 1;
                    self.finish();
                }
            }
            b',' if is_own => self.finish(),
            _ => self.begin(is_own),
        }
        match self.ranges.len() < MOST {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    }

    fn begin(&mut self, is_own: bool) {
        if is_own && self.began.is_none() {
            self.began = Some(self.at);
        }
    }

    fn finish(&mut self) {
        if let Some(began) = self.began.take() {
            self.ranges.push(began..self.at);
        }
    }

    fn end(mut self) -> Option<Elements> {
        self.inside?;
        let is_cut = !self.is_closed;
        if is_cut {
            self.finish();
        }
        Some(Elements {
            ranges: self.ranges,
            is_cut,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str, key: Option<&str>) -> Option<(Vec<String>, bool)> {
        let file = File::in_memory("x".into(), "x".into(), text.as_bytes().to_vec());
        let elements = elements(&file, key).expect("memory can be read")?;
        let ranges = elements.ranges.iter();
        let texts = ranges.map(|range| {
            let range = usize::try_from(range.start).expect("small")
                ..usize::try_from(range.end).expect("small");
            text[range].trim_end().to_owned()
        });
        Some((texts.collect(), elements.is_cut))
    }

    #[test]
    fn the_elements_of_an_array_are_told_apart() {
        let text = "\u{feff} [ {\"a\": \"],{\\\"\"} , [1,[2]],\n\"x,y\", 7 , null]  ";
        let all = ["{\"a\": \"],{\\\"\"}", "[1,[2]]", "\"x,y\"", "7", "null"];
        assert_eq!(
            found(text, None),
            Some((all.map(str::to_owned).to_vec(), false))
        );
        assert_eq!(found("[]", None), Some((vec![], false)));
        assert_eq!(found("{\"a\":[1]}", None), None);
        assert_eq!(found("7", None), None);
    }

    #[test]
    fn the_array_under_a_key_is_found_at_its_own_depth_only() {
        let text = "{\"x\":{\"all\":[0]},\"y\":\"all\",\"all\":[{\"all\":[1]},2],\"z\":[3]}";
        let found = found(text, Some("all"));
        assert_eq!(
            found,
            Some((vec!["{\"all\":[1]}".to_owned(), "2".to_owned()], false))
        );
    }

    #[test]
    fn an_array_in_the_middle_of_a_file_is_found_from_its_start() {
        let text = b"var a = [{\"b\":1}, 2];]".to_vec();
        let file = File::in_memory("x".into(), "x".into(), text);
        let found = elements_from(&file, 8).expect("memory can be read");
        let expected = Elements {
            ranges: vec![9..16, 18..19],
            is_cut: false,
        };
        assert_eq!(found, Some(expected));
        let found = elements_from(&file, 0).expect("memory can be read");
        assert_eq!(found, None);
    }

    #[test]
    fn a_cut_array_gives_what_there_is_of_it() {
        let found = found("[{\"a\":1},{\"b\":\"c", None);
        let parts = vec!["{\"a\":1}".to_owned(), "{\"b\":\"c".to_owned()];
        assert_eq!(found, Some((parts, true)));
    }

    #[test]
    fn chunks_may_end_anywhere() {
        let element = "{\"text\":\"a \\\\ \\\" ] \",\"n\":[1,{}]}";
        let text = format!("[{}]", [element; 9].join(" ,\n"));
        for size in 1..40 {
            let mut look = Look::new(None);
            for chunk in text.as_bytes().chunks(size) {
                let _ = look.go(chunk);
            }
            let elements = look.end().expect("an array");
            assert!(!elements.is_cut);
            for range in &elements.ranges {
                let range = usize::try_from(range.start).expect("small")
                    ..usize::try_from(range.end).expect("small");
                assert_eq!(&text[range], element);
            }
            assert_eq!(elements.ranges.len(), 9);
        }
    }
}
