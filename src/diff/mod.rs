//! What changed between two texts, line by line, and how it is drawn.
//!
//! [`between`] finds the hunks, [`stat`] counts them, [`draw`] makes them HTML. The work is bounded
//! by the size of the texts alone and never by a clock, so that a page is the same on every
//! machine.

mod draw;
#[cfg(test)]
mod tests;
mod words;

use similar::{Algorithm, DiffOp, capture_diff_slices, group_diff_ops};

pub(crate) use draw::draw;

use crate::model::patch::{Hunk, Line, LineKind};

/// The lines of both texts together, between their common start and end, up to which they are
/// compared line by line. Beyond, all of the old ones are taken as replaced by all of the new
/// ones.
const MOST_LINES: usize = 20_000;

/// The hunks that lead from `old` to `new`, each with up to `context` lines that stayed around
/// its changes; a number as large as the texts keeps every line. None when the texts are equal.
///
/// The positions are those in the texts given. Lines end at line feeds; a carriage return is part
/// of its line, so that a change of line ends is a change.
pub(crate) fn between(old: &str, new: &str, context: usize) -> Vec<Hunk> {
    if old == new {
        return Vec::new();
    }
    let texts = Texts {
        old: old.split_inclusive('\n').collect(),
        new: new.split_inclusive('\n').collect(),
        ends_change: !old.is_empty()
            && !new.is_empty()
            && old.ends_with('\n') != new.ends_with('\n'),
    };
    let changes = changes(&texts.old, &texts.new);
    let context = context.min(texts.old.len() + texts.new.len());
    group_diff_ops(changes, context)
        .iter()
        .map(|changes| texts.hunk(changes))
        .collect()
}

/// How many lines the hunks add and how many they remove.
pub(crate) fn stat(hunks: &[Hunk]) -> (u64, u64) {
    let count = |kind| {
        let lines = hunks.iter().flat_map(|hunk| &hunk.lines);
        lines.filter(|line| line.kind == kind).count() as u64
    };
    (count(LineKind::Added), count(LineKind::Removed))
}

/// What happens to the lines, from the first to the last.
fn changes(old: &[&str], new: &[&str]) -> Vec<DiffOp> {
    let start = common(old.iter(), new.iter());
    let (old_rest, new_rest) = (&old[start..], &new[start..]);
    let end = common(old_rest.iter().rev(), new_rest.iter().rev());
    let (old_len, new_len) = (old_rest.len() - end, new_rest.len() - end);
    if old_len + new_len <= MOST_LINES {
        return capture_diff_slices(Algorithm::Myers, old, new);
    }
    let equal = |old_index, new_index, len| DiffOp::Equal {
        old_index,
        new_index,
        len,
    };
    let replaced = DiffOp::Replace {
        old_index: start,
        old_len,
        new_index: start,
        new_len,
    };
    [
        equal(0, 0, start),
        replaced,
        equal(start + old_len, start + new_len, end),
    ]
    .into_iter()
    .filter(|change| !(change.old_range().is_empty() && change.new_range().is_empty()))
    .collect()
}

/// How many lines are the same from the start on.
fn common<'l>(
    old: impl Iterator<Item = &'l &'l str>,
    new: impl Iterator<Item = &'l &'l str>,
) -> usize {
    old.zip(new).take_while(|(old, new)| old == new).count()
}

/// Two texts as lines, line feeds included.
struct Texts<'t> {
    old: Vec<&'t str>,
    new: Vec<&'t str>,
    /// Whether just one of them ends with a line feed.
    ends_change: bool,
}

impl Texts<'_> {
    fn hunk(&self, changes: &[DiffOp]) -> Hunk {
        let mut lines = Vec::new();
        for change in changes {
            let (old, new) = (change.old_range(), change.new_range());
            if let DiffOp::Equal { .. } = change {
                self.take(LineKind::Kept, &self.new[new], &mut lines);
            } else {
                self.take(LineKind::Removed, &self.old[old], &mut lines);
                self.take(LineKind::Added, &self.new[new], &mut lines);
            }
        }
        let start = |lines: usize, first: Option<usize>| {
            let first = first.unwrap_or_default() as u64;
            Some(first + u64::from(lines > 0))
        };
        let old_lines = changes.iter().map(|change| change.old_range().len()).sum();
        let new_lines = changes.iter().map(|change| change.new_range().len()).sum();
        Hunk {
            old_start: start(old_lines, changes.first().map(|op| op.old_range().start)),
            new_start: start(new_lines, changes.first().map(|op| op.new_range().start)),
            heading: None,
            lines,
        }
    }

    fn take(&self, kind: LineKind, from: &[&str], lines: &mut Vec<Line>) {
        for line in from {
            let text = line.strip_suffix('\n');
            lines.push(Line {
                kind,
                text: text.unwrap_or(line).to_owned(),
            });
            if text.is_none() && self.ends_change {
                lines.push(Line {
                    kind: LineKind::NoNewline,
                    text: String::new(),
                });
            }
        }
    }
}
