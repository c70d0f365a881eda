//! What stands in a file twice, as an item of the history and as an event, is shown once; and how
//! long the assistant thought.

use std::collections::{BTreeMap, VecDeque};

use crate::figures::between;
use crate::model::{NoticeKind, Part, Timestamp};

use super::row::{Row, Voice, What};
use super::wrappers::{self, Piece};

/// How far apart an event and its item may be written when their words differ, in milliseconds.
const TOGETHER: i64 = 10;
/// Stretches that are shorter, in milliseconds, are the time that writing takes.
pub(super) const SHORTEST: u64 = 100;
/// Longer than a model thinks at a stretch, in milliseconds.
const LONGEST: u64 = 3_600_000;

/// Hides the events that repeat an item. Their items learn when they came.
pub(super) fn pair(rows: &mut [Row]) {
    pair_same_words(rows);
    pair_neighbours(rows);
    settle_prompts(rows);
}

/// Pairs the first event with the first item of the same words, and so on.
fn pair_same_words(rows: &mut [Row]) {
    let mut items: BTreeMap<(Voice, u64), VecDeque<usize>> = BTreeMap::new();
    for (at, row) in rows.iter().enumerate() {
        let Some(echo) = row.echo.as_ref().filter(|echo| !echo.is_event) else {
            continue;
        };
        for hash in &echo.hashes {
            items.entry((echo.voice, *hash)).or_default().push_back(at);
        }
    }
    for at in 0..rows.len() {
        let Some(echo) = rows[at].echo.as_ref().filter(|echo| echo.is_event) else {
            continue;
        };
        let voice = echo.voice;
        let found = echo.hashes.iter().find_map(|hash| {
            let waiting = items.get_mut(&(voice, *hash))?;
            loop {
                let item = waiting.pop_front()?;
                // A prompt is one message; of a thought each piece is an event of its own.
                let is_free = voice != Voice::Person
                    || rows[item].echo.as_ref().is_some_and(|echo| !echo.is_paired);
                if is_free {
                    return Some(item);
                }
            }
        });
        if let Some(item) = found {
            join(rows, at, item);
        }
    }
}

/// Pairs an event with the item that was written with it, whose words are not quite the same.
fn pair_neighbours(rows: &mut [Row]) {
    for at in 0..rows.len() {
        let is_open = |row: &Row, is_event| {
            let echo = row.echo.as_ref();
            echo.filter(|echo| echo.is_event == is_event && !echo.is_paired)
                .map(|echo| echo.voice)
        };
        let Some(voice) = is_open(&rows[at], true) else {
            continue;
        };
        let time = rows[at].time;
        let neighbours = [at.checked_sub(1), Some(at + 1)].into_iter().flatten();
        let found = neighbours.filter(|n| *n < rows.len()).find(|n| {
            is_open(&rows[*n], false) == Some(voice) && are_together(time, rows[*n].time)
        });
        if let Some(item) = found {
            join(rows, at, item);
        }
    }
}

fn are_together(one: Option<Timestamp>, other: Option<Timestamp>) -> bool {
    let (Some(one), Some(other)) = (one, other) else {
        return false;
    };
    (one.as_millisecond() - other.as_millisecond()).abs() <= TOGETHER
}

fn join(rows: &mut [Row], event: usize, item: usize) {
    let time = rows[event].time;
    if let Some(echo) = &mut rows[item].echo {
        echo.is_paired = true;
        echo.event_time = time.or(echo.event_time);
    }
    let event = &mut rows[event];
    if let Some(echo) = &mut event.echo {
        echo.is_paired = true;
    }
    // Pictures from the person's disk are named in the event alone, but are in the item.
    event.what = What::Hidden;
}

/// Where a file has events for what a person typed, a message without one was not typed.
fn settle_prompts(rows: &mut [Row]) {
    let is_persons = |row: &Row| {
        row.echo
            .as_ref()
            .is_some_and(|echo| echo.voice == Voice::Person && echo.is_event)
    };
    if !rows.iter().any(is_persons) {
        return;
    }
    for row in rows {
        let is_typed = row
            .echo
            .as_ref()
            .is_none_or(|echo| echo.is_paired || echo.is_event);
        if let What::Said { pieces, .. } = &mut row.what
            && !is_typed
        {
            for piece in pieces {
                if let Piece::Part(Part::Text(words)) = piece {
                    let notice = wrappers::folded("Put in by the program", words);
                    *piece = Piece::Notice(notice);
                }
            }
        }
    }
}

/// Measures how long the assistant thought, from what came before to the thought's event, or to
/// its item when that was not written together with what it led to.
pub(super) fn measure(rows: &mut [Row], from: usize) {
    let mut previous = None;
    for at in 0..rows.len() {
        let row = &rows[at];
        let event_time = row.echo.as_ref().and_then(|echo| echo.event_time);
        let own = row.time.filter(|_| !is_batched(rows, at));
        let end = event_time.or(own);
        let mut took = between(previous, end).filter(|ms| (SHORTEST..=LONGEST).contains(ms));
        took = took.filter(|_| at >= from);
        let is_anchor = match &rows[at].what {
            What::Said { .. }
            | What::Told { .. }
            | What::Wrote { .. }
            | What::Thought(_)
            | What::Call { .. }
            | What::Result { .. }
            | What::Started => true,
            What::Remark(notice) => notice.kind == NoticeKind::Command,
            _ => false,
        };
        if is_anchor {
            previous = end.or(rows[at].time).or(previous);
        }
        if let What::Thought(reasoning) = &mut rows[at].what {
            reasoning.ms = reasoning.ms.or(took);
        }
    }
}

/// Whether an item was written together with the next one, when all that followed was known.
fn is_batched(rows: &[Row], at: usize) -> bool {
    let next = rows[at + 1..].iter().find(|row| {
        let what = &row.what;
        matches!(
            what,
            What::Wrote { .. } | What::Call { .. } | What::Result { .. }
        )
    });
    next.is_some_and(|next| are_together(rows[at].time, next.time))
}
