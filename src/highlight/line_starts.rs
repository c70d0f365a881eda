//! What a line's start says in languages that are written in lines: directives, keys, targets.

use std::ops::Range;

use super::grammar::LineStarts;
use crate::html::Class;

/// What was read at a line's start.
#[derive(Debug, Default)]
pub(super) struct LineStart {
    /// Tokens in their order.
    pub(super) tokens: [Option<(Range<usize>, Class)>; 2],
    /// Where the lexer goes on.
    pub(super) end: usize,
    /// Where the key stands in its line whose block scalar goes on in the next line.
    pub(super) block_scalar: Option<usize>,
}

impl LineStart {
    fn nothing(at: usize) -> Self {
        Self {
            end: at,
            ..Self::default()
        }
    }

    fn one(range: Range<usize>, class: Class) -> Self {
        Self {
            end: range.end,
            tokens: [Some((range, class)), None],
            block_scalar: None,
        }
    }
}

/// Reads the start of the line that begins at `at`. Looks no further than the line's end.
pub(super) fn line_start(
    kind: LineStarts,
    bytes: &[u8],
    at: usize,
    block_scalar: Option<usize>,
) -> LineStart {
    if kind == LineStarts::Nothing || at >= bytes.len() {
        return LineStart::nothing(at);
    }
    let length = memchr::memchr(b'\n', &bytes[at..]).unwrap_or(bytes.len() - at);
    let line = bytes[at..at + length].trim_ascii_end();
    match kind {
        LineStarts::Nothing => LineStart::nothing(at),
        LineStarts::Directives => directive(line, at),
        LineStarts::Keys => key(line, at),
        LineStarts::Yaml => yaml(line, at, block_scalar),
        LineStarts::Targets => target(line, at),
    }
}

fn directive(line: &[u8], at: usize) -> LineStart {
    let indent = indentation(line);
    if line.get(indent) != Some(&b'#') {
        return LineStart::nothing(at);
    }
    let gap = indentation(&line[indent + 1..]);
    let start = indent + 1 + gap;
    let length = word_length(&line[start..]);
    let mut read = LineStart::one(at + indent..at + start + length, Class::Keyword);
    if matches!(&line[start..start + length], b"include" | b"import") {
        let from = start + length + indentation(&line[start + length..]);
        let close = memchr::memchr(b'>', &line[from..]);
        if let (Some(b'<'), Some(close)) = (line.get(from), close) {
            read.end = at + from + close + 1;
            read.tokens[1] = Some((at + from..read.end, Class::Str));
        }
    }
    read
}

fn key(line: &[u8], at: usize) -> LineStart {
    if line.first() == Some(&b'[') {
        let close = memchr::memchr(b']', line).map(|close| {
            let double = line.get(close + 1) == Some(&b']');
            close + 1 + usize::from(double)
        });
        return close.map_or_else(
            || LineStart::nothing(at),
            |close| LineStart::one(at..at + close, Class::Type),
        );
    }
    let indent = indentation(line);
    let stop = line.iter().position(|byte| {
        matches!(
            byte,
            b'=' | b'#' | b';' | b'{' | b'}' | b'[' | b']' | b',' | b'('
        )
    });
    match stop {
        Some(equals) if line[equals] == b'=' => named(line, at, indent..equals, Class::Attribute),
        _ => LineStart::nothing(at),
    }
}

fn yaml(line: &[u8], at: usize, block_scalar: Option<usize>) -> LineStart {
    let indent = indentation(line);
    if let Some(outer) = block_scalar
        && (indent > outer || line.len() == indent)
    {
        return LineStart {
            block_scalar,
            ..LineStart::one(at..at + line.len(), Class::Str)
        };
    }
    let mut start = indent;
    let mut column = indent;
    while line[start..].starts_with(b"- ") {
        column = start;
        start += 2 + indentation(&line[start + 2..]);
    }
    let Some(colon) = yaml_colon(line, start) else {
        let mut read = LineStart::nothing(at);
        read.block_scalar = begins_block_scalar(&line[start..]).then_some(column);
        return read;
    };
    let mut read = named(line, at, start..colon, Class::Attribute);
    read.block_scalar = begins_block_scalar(&line[colon + 1..]).then_some(start);
    read
}

/// Where the colon stands that ends the line's key.
fn yaml_colon(line: &[u8], start: usize) -> Option<usize> {
    let first = *line.get(start)?;
    let mut at = start;
    if matches!(first, b'"' | b'\'') {
        at = start + 2 + memchr::memchr(first, &line[start + 1..])?;
        return (line.get(at) == Some(&b':')).then_some(at);
    }
    if matches!(first, b'#' | b'{' | b'[' | b'|' | b'>') {
        return None;
    }
    while at < line.len() {
        let next = line.get(at + 1).copied().unwrap_or(b' ');
        match line[at] {
            b':' if matches!(next, b' ' | b'\t') => return Some(at),
            b'#' if line[at - 1] == b' ' => return None,
            _ => at += 1,
        }
    }
    None
}

/// Whether the value is `|` or `>`, perhaps with signs, and so stands on the lines that follow.
fn begins_block_scalar(value: &[u8]) -> bool {
    let value = value.trim_ascii_start();
    let sign = value
        .iter()
        .position(|byte| *byte == b' ')
        .map_or(value, |end| &value[..end]);
    matches!(sign, [b'|' | b'>', signs @ ..]
        if signs.len() <= 2 && signs.iter().all(|byte| matches!(byte, b'+' | b'-' | b'0'..=b'9')))
}

fn target(line: &[u8], at: usize) -> LineStart {
    if matches!(line.first(), None | Some(b'\t' | b'#' | b' ')) {
        return LineStart::nothing(at);
    }
    let Some(sign) = line.iter().position(|byte| matches!(byte, b':' | b'=')) else {
        return LineStart::nothing(at);
    };
    let assigns = line[sign] == b'=' || line[sign + 1..].starts_with(b"=");
    let signs = line[..sign]
        .iter()
        .rev()
        .take_while(|byte| matches!(byte, b'+' | b'?' | b'!'))
        .count();
    let name = 0..sign - signs;
    if assigns && line[name.clone()].contains(&b'(') {
        return LineStart::nothing(at);
    }
    let class = if assigns {
        Class::Attribute
    } else {
        Class::Function
    };
    named(line, at, name, class)
}

/// A name in the line, without the white space after it.
fn named(line: &[u8], at: usize, name: Range<usize>, class: Class) -> LineStart {
    let length = line[name.clone()].trim_ascii_end().len();
    if length == 0 {
        return LineStart::nothing(at);
    }
    LineStart::one(at + name.start..at + name.start + length, class)
}

fn indentation(line: &[u8]) -> usize {
    line.iter()
        .position(|byte| !matches!(byte, b' ' | b'\t'))
        .unwrap_or(line.len())
}

fn word_length(line: &[u8]) -> usize {
    line.iter()
        .position(|byte| !byte.is_ascii_alphabetic())
        .unwrap_or(line.len())
}
