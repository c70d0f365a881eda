//! Where math stands in a text: its extent and whether it is likely to be math at all.

/// The longest math between single dollars, in bytes. Longer stretches are prices and shell.
const DOLLAR_BYTES: usize = 400;

/// Finds the end of math that begins with `\(` or `\[` at `start`.
///
/// This search and those below stop at the next opening of their own kind, so that a text full
/// of openings is read through once, not once for each.
pub(super) fn bracketed(text: &str, start: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let block = bytes[start + 1] == b'[';
    let closer = if block { b']' } else { b')' };
    let mut at = start + 2;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' if bytes.get(at + 1) == Some(&closer) => {
                let inside = &text[start + 2..at];
                let end = at + 2;
                let fits = !inside.trim().is_empty()
                    && (block || stays_in_its_block(inside))
                    // `\[words\](address)` is a link that was kept from being one.
                    && !(block && bytes.get(end) == Some(&b'('))
                    && (!block || inside.starts_with([' ', '\n', '\r']) || has_operators(inside));
                return fits.then_some(end);
            }
            // Math of one kind does not nest: the inner opening may yet have its end.
            b'\\' if bytes.get(at + 1) == Some(&bytes[start + 1]) => return None,
            b'\\' => at = past_escape(bytes, at),
            b'`' => return None,
            b'\n' if ends_paragraph(bytes, at) => return None,
            _ => at += 1,
        }
    }
    None
}

/// Finds the end of a LaTeX environment that begins with `\begin{` at `start`, or else the place
/// up to which there is none.
pub(super) fn environment(text: &str, start: usize) -> Result<usize, usize> {
    let head = start + "\\begin{".len();
    let bytes = text.as_bytes();
    let name = text[head..].split('}').next().unwrap_or_default();
    if name.is_empty()
        || name.len() > 20
        || !name.bytes().all(|b| b.is_ascii_alphabetic() || b == b'*')
    {
        return Err(head);
    }
    let mut at = head;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' if text[at..].starts_with("\\end{") => {
                let after = &text[at + "\\end{".len()..];
                if let Some(rest) = after.strip_prefix(name)
                    && rest.starts_with('}')
                {
                    return Ok(text.len() - rest.len() + 1);
                }
                at += 1;
            }
            b'`' => return Err(at),
            b'\n' if ends_paragraph(bytes, at) => return Err(at),
            _ => at += 1,
        }
    }
    Err(bytes.len())
}

/// Finds the end of math that begins with `$$` at `start`.
pub(super) fn double_dollar(text: &str, start: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = start + 2;
    while at < bytes.len() {
        match bytes[at] {
            b'$' if bytes.get(at + 1) == Some(&b'$') => {
                let empty = text[start + 2..at].trim().is_empty();
                return (!empty).then_some(at + 2);
            }
            b'\\' => at = past_escape(bytes, at),
            b'`' => return None,
            b'\n' if ends_paragraph(bytes, at) => return None,
            _ => at += 1,
        }
    }
    None
}

/// Finds the end of math between single dollars, the first at `start`. Prices, variables of a
/// shell and the like are no math: `$5 and $6`, `$HOME:$PATH`.
pub(super) fn dollar(text: &str, start: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let word = |at: Option<usize>| {
        at.and_then(|at| bytes.get(at))
            .is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'$')
    };
    if word(start.checked_sub(1)) {
        return None;
    }
    let mut at = start + 1;
    while at < bytes.len() {
        match bytes[at] {
            b'$' => {
                let inside = &text[start + 1..at];
                let fits = inside.len() <= DOLLAR_BYTES
                    && !word(Some(at + 1))
                    && !inside.starts_with(char::is_whitespace)
                    && !inside.ends_with(char::is_whitespace)
                    && stays_in_its_block(inside)
                    && looks_like_math(inside);
                return fits.then_some(at + 1);
            }
            b'\\' => at = past_escape(bytes, at),
            b'`' => return None,
            b'\n' if ends_paragraph(bytes, at) => return None,
            _ => at += 1,
        }
    }
    None
}

/// The place after a backslash and what it escapes. A backtick or a line end is still looked at.
fn past_escape(bytes: &[u8], at: usize) -> usize {
    match bytes.get(at + 1) {
        Some(b'`' | b'\n') => at + 1,
        _ => at + 2,
    }
}

/// Whether the line end at `at` is followed by a blank line; a quote's marks do not count.
fn ends_paragraph(bytes: &[u8], at: usize) -> bool {
    bytes[at + 1..]
        .iter()
        .find(|byte| !matches!(byte, b' ' | b'\t' | b'>' | b'\r'))
        .is_none_or(|byte| *byte == b'\n')
}

/// Whether no line after the first begins something new: a list item, a quote, a heading, a row.
fn stays_in_its_block(inside: &str) -> bool {
    inside.lines().skip(1).all(|line| {
        let line = line.trim_start();
        let number = line.trim_start_matches(|c: char| c.is_ascii_digit());
        let numbered = number.len() < line.len() && number.starts_with(['.', ')']);
        !numbered && !line.starts_with(['-', '*', '+', '>', '#', '|', '~'])
    })
}

fn has_operators(inside: &str) -> bool {
    inside.contains(['\\', '^', '_', '=', '<', '>', '{', '}', '+', '|', '/', '*'])
}

/// Whether what stands between two dollars is a formula: one letter, or signs that formulas have
/// and no run of plain words.
fn looks_like_math(inside: &str) -> bool {
    if inside.is_empty() || inside.contains("**") || inside.contains("://") {
        return false;
    }
    let letters = inside.chars().count() <= 2 && inside.starts_with(char::is_alphabetic);
    let call = inside.contains('(') && !inside.contains(' ');
    (letters || call || has_operators(inside)) && !has_prose(inside)
}

/// Whether two words of three letters or more follow each other outside braces.
fn has_prose(inside: &str) -> bool {
    let mut braces = 0_usize;
    let mut words = 0;
    for word in inside.split(' ') {
        let plain = braces == 0 && word.len() >= 3 && word.chars().all(char::is_alphabetic);
        words = if plain { words + 1 } else { 0 };
        if words == 2 {
            return true;
        }
        braces += word.matches('{').count();
        braces = braces.saturating_sub(word.matches('}').count());
    }
    false
}
