//! Forks: a session that was begun from another one repeats that one's history, written anew at
//! one moment.

use std::collections::BTreeSet;

use crate::model::{Notice, NoticeKind};

use super::row::{Row, What};

/// How long copying a history takes at most, in milliseconds.
const COPYING: i64 = 2_000;

/// What is known of where a session came from.
#[derive(Debug, Default)]
pub(super) struct Origin {
    /// The id of the session that it says it was forked from.
    pub(super) id: Option<String>,
    /// Hashes of that session's items; `None` when it is not there.
    pub(super) items: Option<BTreeSet<u64>>,
    /// When the fork was made, in milliseconds since 1970.
    pub(super) made: Option<i64>,
}

/// The hashes of the items that a fork would copy.
pub(super) fn items(rows: &[Row]) -> BTreeSet<u64> {
    rows.iter().filter_map(|row| row.copied).collect()
}

/// Takes the copied history out when the other session has it, else marks where it begins and
/// ends. Gives the number of copied rows that are left.
pub(super) fn settle(rows: &mut Vec<Row>, origin: &Origin) -> usize {
    if rows.is_empty() {
        return 0;
    }
    let known = origin.items.as_ref().map(|items| shared(rows, items));
    if let Some(count) = known.filter(|count| *count > 0) {
        let prompts = rows[..count].iter().filter(|row| is_prompt(row)).count() as u64;
        let title = format!(
            "Begun from {}, with {} of it, which is shown there",
            name(origin.id.as_deref()),
            crate::figures::counted(prompts, "prompt", "prompts")
        );
        // What a model was does not change by a fork.
        let model = rows[..count].iter().rev().find_map(|row| match &row.what {
            What::Model(model) => Some(model.clone()),
            _ => None,
        });
        let first = remark(&rows[0], title);
        let model = model.map(|model| Row {
            what: What::Model(model),
            ..Row::default()
        });
        rows.splice(..count, [first].into_iter().chain(model));
        return 0;
    }
    // An agent mostly begins without a history.
    let Some(id) = &origin.id else {
        return 0;
    };
    let count = copied(rows, origin.made);
    if count == 0 || !rows[..count].iter().any(is_telling) {
        return 0;
    }
    let title = format!("Begun from {}, whose history follows", name(Some(id)));
    let first = remark(&rows[0], title);
    let end = remark(
        &rows[count.min(rows.len() - 1)],
        "What follows is new".to_owned(),
    );
    if count < rows.len() {
        rows.insert(count, end);
    }
    rows.insert(0, first);
    count + 1
}

fn name(id: Option<&str>) -> String {
    match id.filter(|id| !id.is_empty()) {
        Some(id) => format!("session {id}"),
        None => "the session that started it".to_owned(),
    }
}

fn remark(at: &Row, title: String) -> Row {
    Row {
        line: at.line,
        time: at.time,
        what: What::Compacted(Notice::new(NoticeKind::Info, title)),
        ..Row::default()
    }
}

fn is_prompt(row: &Row) -> bool {
    let What::Said {
        pieces,
        is_injected,
    } = &row.what
    else {
        return false;
    };
    let is_part = |piece: &_| matches!(piece, super::wrappers::Piece::Part(_));
    !is_injected && pieces.iter().any(is_part)
}

/// Whether a row is more than context that every session begins with.
pub(super) fn is_telling(row: &Row) -> bool {
    is_prompt(row) || matches!(row.what, What::Wrote { .. } | What::Call { .. })
}

/// How many rows at the start are copies of items in the other session, with what belongs to
/// them.
fn shared(rows: &[Row], items: &BTreeSet<u64>) -> usize {
    let mut end = 0;
    for (at, row) in rows.iter().enumerate() {
        match row.copied {
            Some(hash) if items.contains(&hash) => end = at + 1,
            Some(_) => break,
            None => {}
        }
    }
    if !rows[..end].iter().any(is_telling) {
        return 0;
    }
    // Events have no hash; those behind the last item belong to it until something begins.
    let trails = |row: &&Row| {
        row.copied.is_none()
            && matches!(
                row.what,
                What::Hidden
                    | What::Ended { .. }
                    | What::Stopped { .. }
                    | What::Tokens(_)
                    | What::Remark(_)
                    | What::Compacted(_)
                    | What::Failed { .. }
                    | What::Report { .. }
            )
    };
    end + rows[end..].iter().take_while(trails).count()
}

/// How many rows at the start were copied, by when their turns began, else by when they were
/// written.
fn copied(rows: &[Row], made: Option<i64>) -> usize {
    let made = made.or_else(|| Some(rows.first()?.time?.as_millisecond()));
    let Some(made) = made else {
        return 0;
    };
    if rows
        .iter()
        .any(|row| row.turn.is_some_and(|turn| turn < made))
    {
        let new = rows
            .iter()
            .position(|row| row.turn.is_some_and(|turn| turn >= made));
        let mut end = new.unwrap_or(rows.len());
        // The messages that begin a turn may stand above its own beginning.
        while end > 0 && matches!(rows[end - 1].what, What::Said { .. } | What::Hidden) {
            end -= 1;
        }
        return end;
    }
    let Some(first) = rows.iter().find_map(|row| row.time) else {
        return 0;
    };
    let late = |row: &Row| {
        let time = row.time.map(|time| time.as_millisecond());
        time.is_some_and(|time| time > first.as_millisecond() + COPYING)
    };
    rows.iter().position(late).unwrap_or(rows.len())
}
