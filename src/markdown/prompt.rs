//! What a person typed: shown as typed, with the few marks drawn that cannot be meant otherwise.
//!
//! People paste logs, code and half-finished lists between their sentences. Read as Markdown,
//! `__init__` would turn bold, a line of dashes would make the line above a heading, and indented
//! lines would run together. So a prompt keeps its lines, spaces and marks, and only these are
//! drawn: code fences, tables with a row of dashes, code in backticks, links to the web, words
//! between double stars, and headings of two `#` or more.

use pulldown_cmark::{CowStr, Event, LinkType, Tag, TagEnd};

use super::inline::address_end;
use super::pieces::{Pieces, bare_link, code_pieces};
use super::protect::protect;
use crate::html::{Kept, Piece, from_events};

/// The longest row of backticks that is looked at.
const BACKTICKS: usize = 8;

/// The pieces of a prompt, in order.
pub(super) fn pieces(text: &str) -> Vec<Piece<'_>> {
    let lines: Vec<&str> = text
        .split('\n')
        .map(|line| line.strip_suffix('\r').unwrap_or(line))
        .collect();
    // A fence behind words counts only when a line further down could close it.
    let last_fence = lines.iter().rposition(|line| is_row_of_backticks(line));
    let mut pieces = Vec::new();
    let mut paragraph = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let line = lines[at];
        if let Some(fence) = Fence::at(&lines, at, last_fence > Some(at)) {
            if !fence.before.is_empty() {
                paragraph.push(fence.before);
            }
            close(&mut paragraph, &mut pieces);
            pieces.extend(code_pieces(
                &fence.code,
                CowStr::Borrowed(fence.info.trim()),
            ));
            at = fence.next;
        } else if let Some(rows) = table_rows(&lines[at..]) {
            close(&mut paragraph, &mut pieces);
            let table = lines[at..at + rows].join("\n");
            pieces.push(Piece::Html(from_events(Pieces::new(&protect(&table)), "")));
            at += rows;
        } else {
            if line.trim().is_empty() {
                close(&mut paragraph, &mut pieces);
            } else {
                paragraph.push(line);
            }
            at += 1;
        }
    }
    close(&mut paragraph, &mut pieces);
    pieces
}

/// Makes a paragraph of the lines, and takes them.
fn close<'a>(lines: &mut Vec<&'a str>, pieces: &mut Vec<Piece<'a>>) {
    if lines.is_empty() {
        return;
    }
    let plain = |line: &str| !line.starts_with([' ', '\t']) && !line.contains("  ");
    pieces.push(if is_pasted(lines) {
        Piece::Kept(Kept::Pasted)
    } else if lines.len() == 1 && lines.iter().all(|line| plain(line)) {
        Piece::Event(Event::Start(Tag::Paragraph))
    } else {
        Piece::Kept(Kept::Typed)
    });
    let last = lines.len() - 1;
    for (index, line) in lines.drain(..).enumerate() {
        let heading = is_heading(line);
        if heading {
            pieces.push(Piece::Event(Event::Start(Tag::Strong)));
        }
        Line::new(line, pieces).run(!heading);
        if heading {
            pieces.push(Piece::Event(Event::End(TagEnd::Strong)));
        }
        if index < last {
            push_text(pieces, "\n");
        }
    }
    pieces.push(Piece::Event(Event::End(TagEnd::Paragraph)));
}

fn push_text<'a>(pieces: &mut Vec<Piece<'a>>, text: &'a str) {
    if !text.is_empty() {
        pieces.push(Piece::Event(Event::Text(CowStr::Borrowed(text))));
    }
}

/// Whether the lines are code, a log or a drawing, whose columns matter: half of them indented by
/// four columns, or a third ending as lines of code do, or drawn with box characters.
fn is_pasted(lines: &[&str]) -> bool {
    let share = |test: fn(&str) -> bool| lines.iter().filter(|line| test(line)).count();
    let indented = share(|line| {
        let is_item = line.trim_start().starts_with(['-', '*', '+', '•'])
            || line.trim_start().starts_with(|c: char| c.is_ascii_digit());
        (line.starts_with("    ") || line.starts_with('\t')) && !is_item
    });
    let code = share(|line| line.trim_end().ends_with(['{', '}', ';', '\\']));
    let drawn = share(|line| line.contains(|c| matches!(c, '\u{2500}'..='\u{259f}')));
    if lines.len() == 1 {
        return indented == 1;
    }
    indented * 2 >= lines.len() || code * 3 >= lines.len() || drawn * 3 >= lines.len()
}

/// Whether a line is a heading. One `#` is more often a comment in a script.
fn is_heading(line: &str) -> bool {
    let rest = line.trim_start_matches('#');
    (2..=6).contains(&(line.len() - rest.len())) && rest.starts_with(' ')
}

/// How many lines from the first on are a table: a row, a row of dashes, and rows.
fn table_rows(lines: &[&str]) -> Option<usize> {
    let [head, dashes, ..] = lines else {
        return None;
    };
    let ruled = dashes.contains('|')
        && dashes.contains('-')
        && dashes
            .chars()
            .all(|c| matches!(c, '|' | '-' | ':' | ' ' | '\t'));
    let indented = head.starts_with("    ") || head.starts_with('\t');
    // A footnote's definition would need an id.
    if !ruled || indented || !head.contains('|') || head.contains("[^") {
        return None;
    }
    Some(lines.iter().take_while(|line| line.contains('|')).count())
}

/// A code fence with what it holds.
struct Fence<'a> {
    /// What stands before the fence on its line.
    before: &'a str,
    info: &'a str,
    code: String,
    /// The index of the line behind it.
    next: usize,
}

impl<'a> Fence<'a> {
    /// The fence that opens in the line at `at`. Where people are not strict, this is not either:
    /// a fence may stand behind words when something closes it, and may be closed at the end of
    /// the last line of code.
    fn at(lines: &[&'a str], at: usize, has_end: bool) -> Option<Self> {
        let line = lines[at];
        let indentation = line.len() - line.trim_start().len();
        let words = line.trim_end_matches('`').len();
        let (start, length) = match line.as_bytes().get(indentation)? {
            b'`' | b'~' if run(line, indentation) >= 3 => (indentation, run(line, indentation)),
            _ if has_end && line.len() - words >= 3 && !line[..words].contains('`') => {
                (words, line.len() - words)
            }
            _ => return None,
        };
        let info = &line[start + length..];
        let byte = line.as_bytes()[start];
        if byte == b'`' && info.contains('`') {
            return None;
        }
        let mut fence = Fence {
            before: line[..start].trim_end(),
            info,
            code: String::new(),
            next: lines.len(),
        };
        for (index, line) in lines.iter().enumerate().skip(at + 1) {
            let end = line.trim_end();
            let code = end.trim_end_matches(char::from(byte));
            let closes = end.len() - code.len() >= length
                && (code.trim().is_empty() || byte == b'`' && !code.contains('`'));
            let content = if closes { code } else { line };
            if !closes || !code.trim().is_empty() {
                fence.code.push_str(without_margin(content, indentation));
                fence.code.push('\n');
            }
            if closes {
                fence.next = index + 1;
                break;
            }
        }
        Some(fence)
    }
}

/// The line without the indentation that the fence has, as far as it has it.
fn without_margin(line: &str, margin: usize) -> &str {
    let blank = line.len() - line.trim_start_matches([' ', '\t']).len();
    &line[blank.min(margin)..]
}

fn is_row_of_backticks(line: &str) -> bool {
    let line = line.trim();
    line.len() >= 3 && line.bytes().all(|byte| byte == b'`')
}

/// How many bytes from `at` on are the same.
fn run(text: &str, at: usize) -> usize {
    let bytes = &text.as_bytes()[at..];
    bytes.iter().take_while(|byte| **byte == bytes[0]).count()
}

/// A line on its way into pieces.
struct Line<'a, 'p> {
    line: &'a str,
    pieces: &'p mut Vec<Piece<'a>>,
    /// Up to where the line has been handed out.
    done: usize,
    /// The lengths of the rows of backticks that have no other of their length behind them.
    single: [bool; BACKTICKS + 1],
}

impl<'a, 'p> Line<'a, 'p> {
    fn new(line: &'a str, pieces: &'p mut Vec<Piece<'a>>) -> Self {
        Self {
            line,
            pieces,
            done: 0,
            single: [false; BACKTICKS + 1],
        }
    }

    /// Hands out the whole line; `strong` says whether double stars are drawn.
    fn run(mut self, strong: bool) {
        let bytes = self.line.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            let next = match bytes[at] {
                b'`' => self.code(at),
                b'*' if strong => self.strong(at),
                b'[' => self.link(at),
                b':' => self.address(at),
                _ => None,
            };
            at = match next {
                Some(next) => next,
                None if bytes[at] == b'`' || bytes[at] == b'*' => at + run(self.line, at),
                None => at + 1,
            };
        }
        push_text(self.pieces, &self.line[self.done..]);
    }

    /// Hands out what stands before `start`, and goes on behind `end`.
    fn cut(&mut self, start: usize, end: usize) {
        push_text(self.pieces, &self.line[self.done..start]);
        self.done = end;
    }

    fn code(&mut self, at: usize) -> Option<usize> {
        let length = run(self.line, at);
        if length > BACKTICKS || self.single[length] {
            return None;
        }
        let start = at + length;
        let mut end = start;
        loop {
            let Some(gap) = self.line[end..].find('`') else {
                self.single[length] = true;
                return None;
            };
            end += gap;
            let other = run(self.line, end);
            if other == length {
                break;
            }
            end += other;
        }
        let code = &self.line[start..end];
        self.cut(at, end + length);
        let spaced = code
            .strip_prefix(' ')
            .and_then(|code| code.strip_suffix(' '))
            .filter(|code| code.starts_with('`') || code.ends_with('`'));
        self.pieces.push(Piece::Event(Event::Code(CowStr::Borrowed(
            spaced.unwrap_or(code),
        ))));
        Some(end + length)
    }

    /// Words between double stars, such as stand between spaces or brackets. Powers, globs and
    /// argument lists are left alone.
    fn strong(&mut self, at: usize) -> Option<usize> {
        if run(self.line, at) != 2 {
            return None;
        }
        let start = at + 2;
        let opens = !self.line[..at].ends_with(|c: char| c.is_alphanumeric() || "*/_".contains(c))
            && self.line[start..]
                .starts_with(|c: char| c.is_alphanumeric() || "`\"'([“".contains(c));
        let end = start + self.line[start..].find("**")?;
        let closes = !self.line[..end].ends_with(|c: char| c.is_whitespace() || "/*".contains(c))
            && run(self.line, end) == 2
            && !self.line[end + 2..].starts_with(|c: char| c.is_alphanumeric() || c == '/');
        if !opens || !closes {
            return None;
        }
        self.cut(at, end + 2);
        self.pieces.push(Piece::Event(Event::Start(Tag::Strong)));
        Line::new(&self.line[start..end], self.pieces).run(false);
        self.pieces.push(Piece::Event(Event::End(TagEnd::Strong)));
        Some(end + 2)
    }

    /// `[words](address)`, when the address is one of the web.
    fn link(&mut self, at: usize) -> Option<usize> {
        let close = at + 1 + self.line[at + 1..].find(['[', ']'])?;
        let rest = self.line[close..].strip_prefix("](")?;
        let words = &self.line[at + 1..close];
        if words.trim().is_empty() || words.contains("://") {
            return None;
        }
        let start = close + 2;
        let scheme = rest.bytes().take(6).position(|byte| byte == b':')?;
        let (from, end) = address_end(self.line, start + scheme)?;
        if from != start || !self.line[end..].starts_with(')') {
            return None;
        }
        self.cut(at, end + 1);
        let link = Tag::Link {
            link_type: LinkType::Inline,
            dest_url: CowStr::Borrowed(&self.line[start..end]),
            title: CowStr::Borrowed(""),
            id: CowStr::Borrowed(""),
        };
        self.pieces.push(Piece::Event(Event::Start(link)));
        Line::new(words, self.pieces).run(true);
        self.pieces.push(Piece::Event(Event::End(TagEnd::Link)));
        Some(end + 1)
    }

    fn address(&mut self, at: usize) -> Option<usize> {
        let (start, end) = address_end(self.line, at)?;
        self.cut(start, end);
        self.pieces
            .extend(bare_link(CowStr::Borrowed(&self.line[start..end])));
        Some(end)
    }
}
