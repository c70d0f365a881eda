//! Changes of files as events record them: whole contents of new and deleted files, unified
//! diffs of the others.

use crate::formats::records::Object;
use crate::formats::unified_diff;
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
            let patches = unified_diff::read(&change.string("unified_diff"));
            let hunks = patches.into_iter().flat_map(|patch| patch.hunks).collect();
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
