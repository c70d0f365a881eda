//! `chat.html`: the page that an export holds, with all conversations in its script. Only the JSON
//! in it is read; the script is never looked at as one.

use std::io::{self, Read};

use crate::source::File;

/// What stands before the array.
const NAME: &[u8] = b"jsonData";
/// How far into a page the array may begin, in bytes.
const FAR: u64 = 8 << 20;
/// How much may stand between the name and the array.
const BETWEEN: usize = 64;

/// Whether the start of a page shows the array, and conversations in it.
pub(super) fn is_page(start: &str) -> bool {
    let Some(at) = array_at(start.as_bytes()) else {
        return false;
    };
    let rest = &start[at..];
    rest.contains("\"mapping\"") && rest.contains("\"title\"")
}

/// Where the array of conversations begins in a page; `None` in a file that is none.
///
/// # Errors
/// What the system says.
pub(super) fn array_in_page(file: &File) -> io::Result<Option<u64>> {
    let mut start = Vec::new();
    file.open()?.take(4 << 10).read_to_end(&mut start)?;
    let begun = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&start);
    if !begun.trim_ascii_start().starts_with(b"<") {
        return Ok(None);
    }
    let mut bytes = Vec::new();
    file.open()?.take(FAR).read_to_end(&mut bytes)?;
    Ok(array_at(&bytes).map(|at| at as u64))
}

/// The place of the bracket behind `jsonData =`.
fn array_at(bytes: &[u8]) -> Option<usize> {
    let mut names = memchr::memmem::find_iter(bytes, NAME);
    names.find_map(|at| {
        let after = at + NAME.len();
        let rest = &bytes[after..bytes.len().min(after + BETWEEN)];
        let open = rest.iter().position(|b| *b == b'[')?;
        let between = rest[..open].trim_ascii();
        let inner = bytes[after + open + 1..].trim_ascii_start();
        (between == b"=" && inner.starts_with(b"{")).then_some(after + open)
    })
}
