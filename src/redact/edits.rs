//! What happens to the stretches of a text: markers and other words take their places.

use std::ops::Range;

use super::json::InJson;
use super::scan::{HOME, HOST, USER};
use super::values::{Markers, Values};

/// What happens to a stretch of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Edit {
    pub(super) span: Range<usize>,
    pub(super) to: To,
}

/// What a stretch becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum To {
    /// The marker of a value; between quotes where a number stood.
    Marker { value: usize, quotes: bool },
    /// Other words: `~`, `user`, `host`.
    Words(&'static str),
}

/// The edit for something that was found; a secret gets its number.
pub(super) fn number<'r>(one: InJson<'r>, text: &str, values: &mut Values<'r>) -> Edit {
    let InJson { found, is_number } = one;
    let to = match found.kind {
        HOME => To::Words("~"),
        USER => To::Words("user"),
        HOST => To::Words("host"),
        kind => {
            let value = found.value.as_ref().map(|value| value.0.as_str());
            let value = value.or(text.get(found.span.clone())).unwrap_or("");
            To::Marker {
                value: values.number(kind, value),
                quotes: is_number,
            }
        }
    };
    Edit {
        span: found.span,
        to,
    }
}

/// Edits in order, none over another: of two that overlap, the marker stands for both.
pub(super) fn settled(mut edits: Vec<Edit>) -> Vec<Edit> {
    edits.sort_by_key(|edit| (edit.span.start, std::cmp::Reverse(edit.span.end)));
    let mut settled: Vec<Edit> = Vec::with_capacity(edits.len());
    for edit in edits {
        let Some(last) = settled
            .last_mut()
            .filter(|last| last.span.end > edit.span.start)
        else {
            settled.push(edit);
            continue;
        };
        let end = last.span.end.max(edit.span.end);
        if matches!(last.to, To::Words(_)) {
            last.to = edit.to;
        }
        last.span.end = end;
    }
    settled
}

/// A text with its edits made.
pub(super) fn edited(text: &str, edits: &[Edit], markers: &Markers) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for edit in edits {
        let Some(before) = text.get(at..edit.span.start) else {
            continue;
        };
        out.push_str(before);
        match edit.to {
            To::Words(words) => out.push_str(words),
            To::Marker {
                value,
                quotes: false,
            } => out.push_str(&markers.marker(value)),
            To::Marker {
                value,
                quotes: true,
            } => out.push_str(&format!("\"{}\"", markers.marker(value))),
        }
        at = edit.span.end;
    }
    out.push_str(text.get(at..).unwrap_or(""));
    out
}

/// Whether a stretch of a JSON text can be replaced and leaves JSON: it has no quote of its own,
/// and cuts no escape.
pub(super) fn is_inside_string(text: &str, span: &Range<usize>) -> bool {
    let slashes = |before: &str| {
        before
            .bytes()
            .rev()
            .take_while(|byte| *byte == b'\\')
            .count()
    };
    let value = &text[span.clone()];
    let is_whole = slashes(&text[..span.start]) % 2 == 0 && slashes(value) % 2 == 0;
    let quotes = value.match_indices('"');
    let are_escaped = quotes
        .into_iter()
        .all(|(at, _)| slashes(&value[..at]) % 2 == 1);
    let is_string = text[..span.start].contains('"');
    is_whole && are_escaped && is_string
}
