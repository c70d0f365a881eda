//! Takes out of a text what Markdown would break: math, and bare web addresses.
//!
//! CommonMark drops the backslash of `\(`, and reads stresses into formulas and addresses. So
//! before the parser sees a text, each of these spans is replaced by a token: its number between
//! two marks, a character of a private use area that the text does not have. The parser takes a
//! token for a word. Wherever it comes out again, it is turned back into what was written, so a
//! wrong guess (math inside code, an address inside a link) changes nothing.

use std::borrow::Cow;

use memchr::{memchr, memchr3};
use pulldown_cmark::CowStr;

use super::inline::address_end;
use super::math;

/// What a token stands for.
pub(super) enum Span<'a> {
    /// Math with its delimiters, and whether it stands on lines of its own.
    Math(Cow<'a, str>, bool),
    /// A web address.
    Address(&'a str),
    /// Text that would begin an HTML block without end.
    Text(&'a str),
}

impl Span<'_> {
    /// What was written.
    pub(super) fn source(&self) -> &str {
        match self {
            Span::Math(source, _) => source,
            Span::Address(source) | Span::Text(source) => source,
        }
    }
}

/// A text with tokens, and what they stand for.
pub(super) struct Protected<'a> {
    /// What the parser reads.
    pub(super) text: Cow<'a, str>,
    spans: Vec<Span<'a>>,
    /// The character on both sides of a token's number; `None` when there are no tokens.
    mark: Option<char>,
}

impl<'a> Protected<'a> {
    /// Cuts text at its first token: what stands before it, the span, and what stands after.
    pub(super) fn split<'t>(&self, text: &'t str) -> Option<(&'t str, &Span<'a>, &'t str)> {
        let mark = self.mark?;
        let (before, rest) = text.split_once(mark)?;
        let (number, after) = rest.split_once(mark)?;
        let span = self.spans.get(number.parse::<usize>().ok()?)?;
        Some((before, span, after))
    }

    /// Turns the tokens of a text back into what was written.
    pub(super) fn restore<'t>(&self, text: CowStr<'t>) -> CowStr<'t> {
        if self.split(&text).is_none() {
            return text;
        }
        let mut restored = String::with_capacity(text.len());
        let mut rest: &str = &text;
        while let Some((before, span, after)) = self.split(rest) {
            restored.push_str(before);
            restored.push_str(span.source());
            rest = after;
        }
        restored.push_str(rest);
        restored.into()
    }
}

/// Replaces math and bare addresses outside fenced code by tokens.
pub(super) fn protect(text: &str) -> Protected<'_> {
    let mut scan = Scan {
        text,
        found: Vec::new(),
        no_environment_before: 0,
        html_ends: [None; HTML_BLOCKS.len()],
    };
    scan.run();
    let unused = || ('\u{f300}'..='\u{f8ff}').find(|mark| !text.contains(*mark));
    let (false, Some(mark)) = (scan.found.is_empty(), unused()) else {
        return Protected {
            text: Cow::Borrowed(text),
            spans: Vec::new(),
            mark: None,
        };
    };
    let mut replaced = String::with_capacity(text.len());
    let mut spans = Vec::with_capacity(scan.found.len());
    let mut copied = 0;
    for (start, end, span) in scan.found {
        replaced.push_str(&text[copied..start]);
        replaced.push(mark);
        replaced.push_str(&spans.len().to_string());
        replaced.push(mark);
        spans.push(span);
        copied = end;
    }
    replaced.push_str(&text[copied..]);
    Protected {
        text: Cow::Owned(replaced),
        spans,
        mark: Some(mark),
    }
}

/// How the HTML blocks begin that do not end at a blank line, and what ends them.
const HTML_BLOCKS: [(&str, &str); 8] = [
    ("<!--", "-->"),
    ("<?", "?>"),
    ("<![cdata[", "]]>"),
    ("<!", ">"),
    ("<script", "</script>"),
    ("<pre", "</pre>"),
    ("<style", "</style>"),
    ("<textarea", "</textarea>"),
];

/// A walk over a text that notes down what is to be replaced.
struct Scan<'a> {
    text: &'a str,
    found: Vec<(usize, usize, Span<'a>)>,
    /// No LaTeX environment that begins before this place has an end.
    no_environment_before: usize,
    /// For each of [`HTML_BLOCKS`], where its next end is, as found by the last search.
    html_ends: [Option<usize>; HTML_BLOCKS.len()],
}

impl Scan<'_> {
    fn run(&mut self) {
        let bytes = self.text.as_bytes();
        let mut fence: Option<Fence> = None;
        let mut at = 0;
        while at < bytes.len() {
            let end = memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |length| at + length);
            let line = &self.text[at..end];
            if let Some(open) = &fence {
                if open.is_closed_by(line) {
                    fence = None;
                }
            } else if let Some(open) = Fence::opened_by(line) {
                fence = Some(open);
            } else {
                self.html_block(at, line);
                at = self.line(at, end);
                continue;
            }
            at = end + 1;
        }
    }

    /// Scans one line, and returns where to go on: math may reach past the line's end.
    fn line(&mut self, mut at: usize, end: usize) -> usize {
        let bytes = self.text.as_bytes();
        while at < end {
            let Some(gap) = memchr3(b'\\', b'$', b':', &bytes[at..end]) else {
                break;
            };
            at += gap;
            at = match bytes[at] {
                b'\\' => self.backslash(at),
                b'$' => self.dollar(at),
                _ => self.colon(at),
            };
        }
        // Past the end only when a span was, which then stands inside another line.
        if at > end + 1 { at } else { end + 1 }
    }

    fn backslash(&mut self, at: usize) -> usize {
        let bytes = self.text.as_bytes();
        match bytes.get(at + 1) {
            Some(b'(') => self.math(at, math::bracketed(self.text, at), false, 2),
            Some(b'[') => self.math(at, math::bracketed(self.text, at), true, 2),
            Some(b'b')
                if at >= self.no_environment_before && self.text[at..].starts_with("\\begin{") =>
            {
                let end = math::environment(self.text, at);
                if let Err(before) = end {
                    self.no_environment_before = before;
                }
                self.math(at, end.ok(), true, 2)
            }
            Some(b'\n') => at + 1,
            _ => at + 2,
        }
    }

    fn dollar(&mut self, at: usize) -> usize {
        let run = self.text.as_bytes()[at..]
            .iter()
            .take_while(|byte| **byte == b'$')
            .count();
        match run {
            1 => self.math(at, math::dollar(self.text, at), false, 1),
            2 => self.math(at, math::double_dollar(self.text, at), true, 2),
            _ => at + run,
        }
    }

    /// Notes down math, or steps over its opening when it has no end.
    fn math(&mut self, start: usize, end: Option<usize>, block: bool, opening: usize) -> usize {
        let Some(end) = end else {
            return start + opening;
        };
        let source = without_margin(self.text, start, end);
        self.found.push((start, end, Span::Math(source, block)));
        end
    }

    /// Notes down a web address whose `://` begins here.
    fn colon(&mut self, at: usize) -> usize {
        let Some((start, end)) = address_end(self.text, at) else {
            return at + 1;
        };
        // The parser knows `<address>` and `](address)` itself.
        let before = &self.text[..start];
        if !before.ends_with('<') && !before.ends_with("](") {
            let address = Span::Address(&self.text[start..end]);
            self.found.push((start, end, address));
        }
        end
    }

    /// Notes down the `<` of a line that would begin an HTML block without end, which would take
    /// the rest of the text with it.
    fn html_block(&mut self, at: usize, line: &str) {
        let markup = line.trim_start_matches([' ', '>']);
        if !markup.starts_with('<') {
            return;
        }
        let begins = |name: &str| {
            markup
                .get(..name.len())
                .is_some_and(|head| head.eq_ignore_ascii_case(name))
        };
        let Some(kind) = HTML_BLOCKS.iter().position(|(start, _)| begins(start)) else {
            return;
        };
        let start = at + line.len() - markup.len();
        if self.html_ends[kind].is_none_or(|end| end < start) {
            let rest = &self.text.as_bytes()[start..];
            let closer = HTML_BLOCKS[kind].1.as_bytes();
            let length = rest
                .windows(closer.len())
                .position(|bytes| bytes.eq_ignore_ascii_case(closer));
            self.html_ends[kind] = Some(length.map_or(usize::MAX, |length| start + length));
        }
        if self.html_ends[kind] == Some(usize::MAX) {
            let angle = Span::Text(&self.text[start..start + 1]);
            self.found.push((start, start + 1, angle));
        }
    }
}

/// The span as written, but without what its later lines only have because of the block that
/// they stand in: a quote's marks, and the indentation of the first line.
fn without_margin(text: &str, start: usize, end: usize) -> Cow<'_, str> {
    let span = &text[start..end];
    if !span.contains('\n') {
        return Cow::Borrowed(span);
    }
    let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let margin = &text[line_start..start];
    let quotes = margin.matches('>').count();
    let spaces = if margin.trim_start_matches([' ', '>']).is_empty() {
        margin.len() - margin.trim_end_matches(' ').len()
    } else {
        0
    };
    let mut whole = String::with_capacity(span.len());
    for (index, mut line) in span.split('\n').enumerate() {
        if index > 0 {
            whole.push('\n');
            for _ in 0..quotes {
                line = line.trim_start_matches(' ');
                line = line.strip_prefix('>').unwrap_or(line);
            }
            for _ in 0..spaces {
                line = line.strip_prefix(' ').unwrap_or(line);
            }
        }
        whole.push_str(line);
    }
    Cow::Owned(whole)
}

/// An open code fence.
struct Fence {
    byte: u8,
    length: usize,
}

impl Fence {
    /// Whether the line opens a fence, possibly as the first line of a quote or a list item.
    fn opened_by(line: &str) -> Option<Self> {
        let mut rest = line;
        loop {
            rest = rest.trim_start_matches([' ', '\t', '>']);
            let item = rest.trim_start_matches(|c: char| c.is_ascii_digit());
            let item = match item.len() < rest.len() {
                true => item.strip_prefix(['.', ')']),
                false => item.strip_prefix(['-', '*', '+']),
            };
            match item {
                Some(item) if item.starts_with(' ') => rest = item,
                _ => break,
            }
        }
        let byte = *rest.as_bytes().first()?;
        let length = rest.bytes().take_while(|other| *other == byte).count();
        let opens = matches!(byte, b'`' | b'~')
            && length >= 3
            && !(byte == b'`' && rest[length..].contains('`'));
        opens.then_some(Self { byte, length })
    }

    fn is_closed_by(&self, line: &str) -> bool {
        let rest = line.trim_start_matches([' ', '\t', '>']).trim_end();
        rest.len() >= self.length && rest.bytes().all(|byte| byte == self.byte)
    }
}
