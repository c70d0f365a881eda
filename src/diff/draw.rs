//! Hunks as HTML: a sign, the line in its colours, and the words that differ.

use std::ops::Range;

use super::words::{self, Marks};
use crate::html::{Class, Html, Runs};
use crate::model::patch::{Hunk, Line, LineKind};

/// Gives the tokens of a text: ordered byte ranges, none over another. It gets the lines of one
/// side of a hunk at once, so that a comment over several lines is known as one.
pub(crate) type Paint<'p> = dyn Fn(&str) -> Vec<(Range<usize>, Class)> + 'p;

/// The hunks, one piece of HTML a line, in the colours that `paint` gives. Each piece is one span
/// of [`Class::Added`], [`Class::Removed`], [`Class::Context`] or, for what stands between the
/// hunks, [`Class::Hunk`].
pub(crate) fn draw(hunks: &[Hunk], paint: &Paint<'_>) -> Vec<Html> {
    let mut drawn = Vec::new();
    // Where in the old text the hunk before ended.
    let mut end = Some(1);
    for (index, hunk) in hunks.iter().enumerate() {
        let start = first_line(hunk);
        let gap = start
            .zip(end)
            .and_then(|(start, end)| start.checked_sub(end));
        let unknown = index > 0 && gap.is_none();
        if unknown || gap > Some(0) || hunk.heading.is_some() {
            drawn.push(head(gap, hunk.heading.as_deref()));
        }
        let old_lines = hunk.lines.iter().filter(|line| is_old(line)).count() as u64;
        end = start.map(|start| start.saturating_add(old_lines));
        draw_hunk(hunk, paint, &mut drawn);
    }
    drawn
}

/// The old line that the hunk begins with or, when it has no old lines, stands before.
fn first_line(hunk: &Hunk) -> Option<u64> {
    let empty = !hunk.lines.iter().any(is_old);
    hunk.old_start
        .map(|start| start.saturating_add(u64::from(empty)))
}

fn is_old(line: &Line) -> bool {
    matches!(line.kind, LineKind::Kept | LineKind::Removed)
}

fn head(gap: Option<u64>, heading: Option<&str>) -> Html {
    let mut words = "⋯".to_owned();
    match gap {
        Some(1) => words.push_str(" 1 unchanged line"),
        Some(gap) if gap > 1 => words.push_str(&format!(" {gap} unchanged lines")),
        _ => {}
    }
    let mut runs = Runs::default();
    runs.open(Class::Hunk);
    runs.text(&words);
    if let Some(heading) = heading {
        runs.text(" · ");
        runs.text(heading);
    }
    runs.finish()
}

fn draw_hunk(hunk: &Hunk, paint: &Paint<'_>, drawn: &mut Vec<Html>) {
    let lines = &hunk.lines;
    let new = Side::of(lines, LineKind::Added, paint);
    let old = Side::of(lines, LineKind::Removed, paint);
    let texts = texts(lines);
    let marks = marks(lines, &texts);
    for (index, line) in lines.iter().enumerate() {
        let (class, sign, side) = match line.kind {
            LineKind::Kept => (Class::Context, " ", &new),
            LineKind::Added => (Class::Added, "+", &new),
            LineKind::Removed => (Class::Removed, "−", &old),
            LineKind::NoNewline => {
                drawn.push(no_newline());
                continue;
            }
        };
        let mut runs = Runs::with_capacity(texts[index].len() + 32);
        runs.open(class);
        runs.text(sign);
        side.line(index)
            .draw(texts[index], &marks[index], &mut runs);
        drawn.push(runs.finish());
    }
}

fn no_newline() -> Html {
    let mut runs = Runs::default();
    runs.open(Class::Context);
    runs.text(" ");
    runs.classed(Class::Remark, "no line feed at the end");
    runs.finish()
}

/// The texts of the lines as they are drawn. Where all lines end as on another system, that is no
/// news, and the carriage returns go.
fn texts(lines: &[Line]) -> Vec<&str> {
    let returns = lines
        .iter()
        .filter(|line| line.kind != LineKind::NoNewline)
        .all(|line| line.text.ends_with('\r'));
    lines
        .iter()
        .map(|line| {
            let bare = line.text.strip_suffix('\r').filter(|_| returns);
            bare.unwrap_or(&line.text)
        })
        .collect()
}

/// The words that differ, for each line. Lines that were removed are compared with those that
/// were added right after them, the first with the first and so on.
fn marks(lines: &[Line], texts: &[&str]) -> Vec<Marks> {
    let mut marks = vec![Marks::new(); lines.len()];
    let mut removed = Vec::new();
    let mut pairs = 0;
    for (index, line) in lines.iter().enumerate() {
        match line.kind {
            LineKind::Removed => {
                if pairs > 0 {
                    removed.clear();
                    pairs = 0;
                }
                removed.push(index);
            }
            LineKind::Added => {
                if let Some(&old) = removed.get(pairs)
                    && let Some(found) = words::differing(texts[old], texts[index])
                {
                    (marks[old], marks[index]) = found;
                }
                pairs += 1;
            }
            LineKind::Kept => {
                removed.clear();
                pairs = 0;
            }
            LineKind::NoNewline => {}
        }
    }
    marks
}

/// The old or the new lines of a hunk, painted as one text.
struct Side {
    /// Where each line of the hunk begins in the text; lines of the other side at a place
    /// without meaning.
    starts: Vec<usize>,
    spans: Vec<(Range<usize>, Class)>,
}

impl Side {
    /// The side of the lines of a kind and of the kept lines.
    fn of(lines: &[Line], kind: LineKind, paint: &Paint<'_>) -> Self {
        let mut text = String::new();
        let mut starts = Vec::with_capacity(lines.len());
        for line in lines {
            starts.push(text.len());
            if line.kind == kind || line.kind == LineKind::Kept {
                text.push_str(&line.text);
                text.push('\n');
            }
        }
        // Kept lines are drawn from the new side.
        let wanted = kind == LineKind::Added || lines.iter().any(|line| line.kind == kind);
        let spans = if wanted { paint(&text) } else { Vec::new() };
        Self { starts, spans }
    }

    fn line(&self, index: usize) -> Painted<'_> {
        let start = self.starts[index];
        let first = self.spans.partition_point(|(range, _)| range.end <= start);
        Painted {
            start,
            spans: &self.spans[first..],
        }
    }
}

/// A line and its tokens.
struct Painted<'s> {
    /// Where the line begins in its side.
    start: usize,
    /// The tokens of the side, from the first that reaches into the line.
    spans: &'s [(Range<usize>, Class)],
}

impl Painted<'_> {
    /// Draws the line with its tokens inside its marks; a token that reaches over the edge of a
    /// mark is drawn in pieces.
    fn draw(&self, text: &str, marks: &[Range<usize>], runs: &mut Runs) {
        let mut at = 0;
        for mark in marks {
            self.piece(text, at..mark.start, runs);
            runs.open(Class::Word);
            self.piece(text, mark.start..mark.end, runs);
            runs.close();
            at = mark.end;
        }
        self.piece(text, at..text.len(), runs);
    }

    fn piece(&self, text: &str, range: Range<usize>, runs: &mut Runs) {
        let mut at = range.start;
        let first = self
            .spans
            .partition_point(|(token, _)| token.end <= self.start + range.start);
        for (token, class) in &self.spans[first..] {
            let start = token.start.saturating_sub(self.start).max(at);
            let end = token.end.saturating_sub(self.start).min(range.end);
            if start >= range.end {
                break;
            }
            // A painter that cuts through a character is not followed.
            let pieces = text.get(at..start).zip(text.get(start..end));
            if let Some((before, token)) = pieces {
                runs.text(before);
                runs.classed(*class, token);
                at = end;
            }
        }
        runs.text(text.get(at..range.end).unwrap_or_default());
    }
}
