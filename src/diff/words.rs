//! Which words of a replaced line differ.

use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};

use crate::model::marker;

/// The words of the old line times those of the new, up to which they are compared: 300 words
/// each. In longer lines nobody would see the marks.
const MOST_PAIRS: usize = 90_000;

/// Places in a line, as ordered byte ranges.
pub(super) type Marks = Vec<Range<usize>>;

/// What differs in the old and in the new line. `None` when the lines are not alike: when no more
/// than half of what is in them is in both.
pub(super) fn differing<'l>(old: &'l str, new: &'l str) -> Option<(Marks, Marks)> {
    let (old_words, new_words) = (words(old), words(new));
    if old_words.len().saturating_mul(new_words.len()) > MOST_PAIRS {
        return None;
    }
    let text = |line: &'l str, words: &[Range<usize>]| -> Vec<&'l str> {
        words.iter().map(|word| &line[word.clone()]).collect()
    };
    let changes = capture_diff_slices(
        Algorithm::Myers,
        &text(old, &old_words),
        &text(new, &new_words),
    );
    let mut same = 0;
    let (mut in_old, mut in_new) = (Marks::new(), Marks::new());
    for change in &changes {
        if let DiffOp::Equal { .. } = change {
            let words = &old_words[change.old_range()];
            same += words
                .iter()
                .map(|word| weight(&old[word.clone()]))
                .sum::<usize>();
        } else {
            mark(&mut in_old, old, &old_words[change.old_range()]);
            mark(&mut in_new, new, &new_words[change.new_range()]);
        }
    }
    (same * 4 > weight(old) + weight(new)).then(|| (trimmed(in_old, old), trimmed(in_new, new)))
}

/// Words, runs of white space, and signs one by one. Everything beyond ASCII is part of a word:
/// so no mark cuts through what is drawn as one.
fn words(line: &str) -> Vec<Range<usize>> {
    let bytes = line.as_bytes();
    let kind = |byte: u8| match byte {
        b' ' | b'\t' => 1,
        b'_' => 2,
        _ if byte.is_ascii_alphanumeric() || !byte.is_ascii() => 2,
        _ => 0,
    };
    let mut words: Vec<Range<usize>> = Vec::new();
    for (at, byte) in bytes.iter().enumerate() {
        if words.last().is_some_and(|word| at < word.end) {
            continue;
        }
        // Where a secret was, the marker is one word.
        if let Some(len) = (*byte == b'[')
            .then(|| marker::length(&line[at..]))
            .flatten()
        {
            words.push(at..at + len);
            continue;
        }
        match words.last_mut() {
            Some(word) if kind(*byte) > 0 && kind(*byte) == kind(bytes[at - 1]) => {
                word.end = at + 1;
            }
            _ => words.push(at..at + 1),
        }
    }
    words
}

/// Bytes that are no white space.
fn weight(text: &str) -> usize {
    text.bytes()
        .filter(|byte| !byte.is_ascii_whitespace())
        .count()
}

/// Adds a mark, joined to the one before when only white space is between.
fn mark(marks: &mut Marks, line: &str, words: &[Range<usize>]) {
    let (Some(first), Some(last)) = (words.first(), words.last()) else {
        return;
    };
    match marks.last_mut() {
        Some(mark) if line[mark.end..first.start].trim().is_empty() => mark.end = last.end,
        _ => marks.push(first.start..last.end),
    }
}

/// The marks without the white space at their edges; a mark of nothing else stays.
fn trimmed(mut marks: Marks, line: &str) -> Marks {
    for mark in &mut marks {
        let text = &line[mark.clone()];
        let (start, end) = (text.trim_start(), text.trim_end());
        if !start.is_empty() {
            *mark = mark.end - start.len()..mark.start + end.len();
        }
    }
    marks
}
