//! Changes of files as events record them: whole contents of new and deleted files, unified
//! diffs of the others.

use crate::formats::records::Object;
use crate::model::patch::{Change, FilePatch, Hunk, Line, LineKind};

/// The changes by file.
pub(super) fn read(changes: &Object<'_>) -> Vec<FilePatch> {
    let read = |(path, change): (&str, _)| {
        let change = Object::of(change)?;
        // The oldest events name the kind by the key of what it holds.
        let kind = change.text("type").map(|kind| kind.into_owned());
        let inner = || {
            let (kind, inner) = change.entries().next()?;
            Some((kind.to_owned(), Object::of(inner)?))
        };
        let (kind, change) = match kind {
            Some(kind) => (kind, change),
            None => inner()?,
        };
        file(path, &kind, &change)
    };
    changes.entries().filter_map(read).collect()
}

fn file(path: &str, kind: &str, change: &Object<'_>) -> Option<FilePatch> {
    let (change, hunks) = match kind {
        "add" => (Change::Added, whole(change, LineKind::Added)),
        "delete" => (Change::Deleted, whole(change, LineKind::Removed)),
        "update" => {
            let moved = change.words("move_path").map(Change::Moved);
            let hunks = hunks(&change.string("unified_diff"));
            (moved.unwrap_or(Change::Updated), hunks)
        }
        _ => return None,
    };
    Some(FilePatch {
        path: path.to_owned(),
        change,
        hunks,
    })
}

/// All lines of a file as one hunk.
fn whole(change: &Object<'_>, kind: LineKind) -> Vec<Hunk> {
    let content = change.string("content");
    let lines: Vec<Line> = content
        .lines()
        .map(|text| Line {
            kind,
            text: text.to_owned(),
        })
        .collect();
    if lines.is_empty() {
        return Vec::new();
    }
    let first = Some(1);
    vec![Hunk {
        old_start: if kind == LineKind::Added {
            Some(0)
        } else {
            first
        },
        new_start: if kind == LineKind::Added {
            first
        } else {
            Some(0)
        },
        heading: None,
        lines,
    }]
}

/// The hunks of a unified diff.
fn hunks(diff: &str) -> Vec<Hunk> {
    let mut hunks: Vec<Hunk> = Vec::new();
    for line in diff.lines() {
        if let Some(rest) = line.strip_prefix("@@ ") {
            hunks.push(begun(rest));
            continue;
        }
        // Above the first hunk stand the names of the files.
        let Some(hunk) = hunks.last_mut() else {
            continue;
        };
        let (kind, text) = match line.as_bytes().first() {
            Some(b'+') => (LineKind::Added, &line[1..]),
            Some(b'-') => (LineKind::Removed, &line[1..]),
            Some(b'\\') => (LineKind::NoNewline, ""),
            Some(b' ') => (LineKind::Kept, &line[1..]),
            _ => (LineKind::Kept, line),
        };
        hunk.lines.push(Line {
            kind,
            text: text.to_owned(),
        });
    }
    hunks
}

/// The hunk that `-1,2 +3,4 @@ heading` begins.
fn begun(rest: &str) -> Hunk {
    let (places, heading) = rest.split_once("@@").unwrap_or((rest, ""));
    let start = |sign: char| {
        let place = places
            .split(' ')
            .find_map(|place| place.strip_prefix(sign))?;
        let first = place.split_once(',').map_or(place, |(first, _)| first);
        first.parse().ok()
    };
    let heading = heading.trim();
    Hunk {
        old_start: start('-'),
        new_start: start('+'),
        heading: (!heading.is_empty()).then(|| heading.to_owned()),
        lines: Vec::new(),
    }
}
