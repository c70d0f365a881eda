//! The lexers for texts made of lines: Markdown and patches.

use std::ops::Range;

use super::language::Language;
use super::paint::Painter;
use crate::html::Class;

/// Paints `range` of the painter's text as Markdown source: headings, fences with the language
/// they name, quotes, list signs, code, strong and stressed words.
pub(super) fn lex_markdown(range: Range<usize>, painter: &mut Painter<'_>) {
    let text = painter.words();
    let bytes = &text.as_bytes()[..range.end];
    let mut at = range.start;
    while at < range.end {
        let end = line_end(bytes, at);
        let indent = bytes[at..end]
            .iter()
            .take_while(|byte| **byte == b' ')
            .count();
        let start = at + indent;
        let line = &bytes[start..end];
        at = end + 1;
        if line.starts_with(b"```") || line.starts_with(b"~~~") {
            at = fence(start..end, bytes, painter);
        } else if line.starts_with(b"#") && indent < 4 {
            painter.token(start..end, Class::Keyword);
        } else if line.starts_with(b">") {
            painter.token(start..end, Class::Comment);
        } else {
            let sign = list_sign(line);
            painter.token(start..start + sign, Class::Number);
            inline(bytes, start + sign..end, painter);
        }
    }
}

/// Paints a fence and what it holds; gives where the line after it begins.
fn fence(opening: Range<usize>, bytes: &[u8], painter: &mut Painter<'_>) -> usize {
    let text = painter.words();
    let sign = bytes[opening.start];
    let count = bytes[opening.clone()]
        .iter()
        .take_while(|byte| **byte == sign)
        .count();
    let language = Language::from_name(&text[opening.start + count..opening.end]);
    painter.token(opening.clone(), Class::Attribute);
    let body = (opening.end + 1).min(bytes.len());
    let mut at = body;
    while at < bytes.len() {
        let end = line_end(bytes, at);
        let line = bytes[at..end].trim_ascii();
        if line.len() >= count && line.iter().all(|byte| *byte == sign) {
            break;
        }
        at = end + 1;
    }
    let close = at.min(bytes.len());
    // A fence of Markdown in Markdown is left plain, so that the depth of calls stays at one.
    if let Some(language) = language.filter(|language| !language.is_markdown()) {
        language.lex(body..close, painter);
    }
    if close == bytes.len() {
        return close;
    }
    let end = line_end(bytes, close);
    painter.token(close..end, Class::Attribute);
    end + 1
}

/// Bytes of a list's sign with the spaces after it, or 0.
fn list_sign(line: &[u8]) -> usize {
    let digits = line.iter().take_while(|byte| byte.is_ascii_digit()).count();
    match line.get(digits..).unwrap_or_default() {
        [b'-' | b'*' | b'+', b' ', ..] if digits == 0 => 1,
        [b'.' | b')', b' ', ..] if digits > 0 => digits + 1,
        _ => 0,
    }
}

/// Paints code and stress inside a line.
fn inline(bytes: &[u8], range: Range<usize>, painter: &mut Painter<'_>) {
    let mut at = range.start;
    // Signs that were searched in vain in this line are not searched again.
    let mut open = [true; 3];
    while at < range.end {
        let rest = &bytes[at..range.end];
        let (which, sign, class): (usize, &[u8], Class) = match rest {
            [b'\\', next, ..] if next.is_ascii() => {
                at += 2;
                continue;
            }
            [b'`', ..] => (0, b"`", Class::Str),
            [b'*', b'*', next, ..] if !next.is_ascii_whitespace() => (1, b"**", Class::Bold),
            [b'*', next, ..] if !next.is_ascii_whitespace() && *next != b'*' => {
                (2, b"*", Class::Italic)
            }
            _ => {
                at += 1;
                continue;
            }
        };
        let body = sign.len();
        let close = open[which]
            .then(|| memchr::memmem::find(&rest[body..], sign))
            .flatten()
            .filter(|length| *length > 0);
        if let Some(length) = close {
            let end = at + body + length + sign.len();
            painter.token(at..end, class);
            at = end;
        } else {
            open[which] = false;
            at += body;
        }
    }
}

/// Paints `range` as a patch: unified diffs and the `*** Update File:` form.
pub(super) fn lex_patch(range: Range<usize>, painter: &mut Painter<'_>) {
    let text = painter.words();
    let bytes = &text.as_bytes()[..range.end];
    let mut at = range.start;
    let mut after_old_name = false;
    while at < range.end {
        let end = line_end(bytes, at);
        let line = &bytes[at..end];
        let next = bytes.get(end + 1..).unwrap_or_default();
        let old_name = line.starts_with(b"--- ") && next.starts_with(b"+++ ");
        let class = if old_name || (after_old_name && line.starts_with(b"+++ ")) {
            Some(Class::Attribute)
        } else {
            patch_line(line)
        };
        if let Some(class) = class {
            painter.token(at..end, class);
        }
        after_old_name = old_name;
        at = end + 1;
    }
}

fn patch_line(line: &[u8]) -> Option<Class> {
    const HEADS: [&[u8]; 9] = [
        b"diff ",
        b"index ",
        b"new file ",
        b"deleted file ",
        b"old mode ",
        b"new mode ",
        b"similarity ",
        b"rename ",
        b"\\ No newline",
    ];
    match line {
        [b'@', b'@', ..] => Some(Class::Hunk),
        [b'*', b'*', b'*', b' ', ..] => Some(Class::Attribute),
        [b'+', ..] => Some(Class::Added),
        [b'-', ..] => Some(Class::Removed),
        _ if HEADS.iter().any(|head| line.starts_with(head)) => Some(Class::Comment),
        _ => None,
    }
}

/// Where the line that begins at `at` ends: at its line feed or the end.
fn line_end(bytes: &[u8], at: usize) -> usize {
    let rest = &bytes[at..];
    at + memchr::memchr(b'\n', rest).unwrap_or(rest.len())
}
