//! The replacements that an edit asks for, and the changed lines that show them.

use std::borrow::Cow;

use serde_json::Value;

use crate::diff;
use crate::model::patch::{FilePatch, Hunk, Line, LineKind};

use super::args::{ALL, Args, NEW, OLD, PATH};
use super::{Act, patch_text};

/// Names of the argument that lists several replacements.
const LISTS: [&str; 2] = ["edits", "replacements"];
/// Of an edit in a list that is a patch: the patch, what it does with the file (`create`, `update`,
/// `delete`), and the file's new name (oh-my-pi's way).
const DIFF: &[&str] = &["diff"];
const OPERATION: &[&str] = &["op"];
const RENAME: &[&str] = &["rename"];

/// What a call asks to replace, and what is recorded of it.
pub(super) struct Replacements<'a> {
    /// The argument that lists the replacements; `None` when the call is one replacement itself,
    /// or says in another way what it changes.
    pub(super) list: Option<&'static str>,
    /// The arguments of each.
    pub(super) edits: Cow<'a, [Args]>,
    act: &'a Act<'a>,
}

/// The changed stretches of one file.
pub(super) struct Change<'a> {
    pub(super) path: Option<&'a str>,
    pub(super) hunks: Cow<'a, [Hunk]>,
}

impl<'a> Replacements<'a> {
    /// Finds what a call asks for. A list with an element of another shape is left to the list
    /// of arguments.
    pub(super) fn of(act: &'a Act<'a>) -> Self {
        let list = LISTS.into_iter().find_map(|name| {
            let edits = act.args.items(&[name]).iter();
            let edits: Option<Vec<Args>> = edits
                .map(|edit| {
                    Args::of_object(edit).filter(|edit| is_replacement(edit) || is_patch(edit))
                })
                .collect();
            Some((name, edits.filter(|edits| !edits.is_empty())?))
        });
        let (list, edits) = match list {
            Some((name, edits)) => (Some(name), Cow::Owned(edits)),
            None if is_replacement(&act.args) => {
                (None, Cow::Borrowed(std::slice::from_ref(&act.args)))
            }
            None => (None, Cow::Borrowed(&[][..])),
        };
        Replacements { list, edits, act }
    }

    /// The file, or the first of them.
    pub(super) fn path(&self) -> Option<&str> {
        let first = || self.edits.first().and_then(|edit| edit.text(PATH));
        let patch = || self.patches().first().map(|patch| patch.path.as_str());
        let path = self.act.args.text(PATH).or_else(first).or_else(patch);
        path.filter(|path| !path.is_empty())
    }

    /// Whether every occurrence is to be replaced, so that nobody knows how many there were.
    pub(super) fn are_many(&self) -> bool {
        self.act.args.flag(ALL) || self.edits.iter().any(|edit| edit.flag(ALL))
    }

    /// The lines to show: the recorded patch, which knows the places and what stands around
    /// them; but where it leaves out some of the texts that were given, the texts themselves.
    pub(super) fn changes(&self) -> Vec<Change<'_>> {
        let patches = self.patches();
        let is_covered = self
            .edits
            .iter()
            .all(|edit| patches.iter().any(|patch| covers(&patch.hunks, edit)));
        if is_covered {
            return patches
                .iter()
                .filter(|patch| !patch.hunks.is_empty())
                .map(|patch| Change {
                    path: Some(patch.path.as_str()).filter(|path| !path.is_empty()),
                    hunks: Cow::Borrowed(&patch.hunks[..]),
                })
                .collect();
        }
        let mut changes: Vec<Change<'_>> = Vec::new();
        for edit in self.edits.iter() {
            let path = edit.text(PATH).or_else(|| self.path());
            let hunks = hunks(edit);
            match changes.last_mut() {
                Some(last) if last.path == path => last.hunks.to_mut().extend(hunks),
                _ => changes.push(Change {
                    path,
                    hunks: Cow::Owned(hunks),
                }),
            }
        }
        changes
    }

    /// How many texts the call replaces; `None` when it is not only such.
    pub(super) fn count(&self) -> Option<u64> {
        let are_texts = !self.edits.is_empty() && self.edits.iter().all(is_replacement);
        (are_texts && !self.are_many()).then_some(self.edits.len() as u64)
    }

    /// What each edit of a list says beside its place and its texts.
    pub(super) fn rests(&self) -> impl Iterator<Item = Vec<(&str, &Value)>> {
        let listed = self.edits.iter().filter(|_| self.list.is_some());
        listed.map(|edit| match is_replacement(edit) {
            true => edit.rest(&[PATH, OLD, NEW]),
            false => edit.rest(&[PATH, DIFF]),
        })
    }

    fn patches(&self) -> &[FilePatch] {
        self.act
            .details()
            .map_or(&[], |details| details.patches.as_slice())
    }
}

/// Whether the arguments are an old and a new text, of which one may be missing.
fn is_replacement(args: &Args) -> bool {
    args.are_text(&[PATH, OLD, NEW]) && (args.text(OLD).is_some() || args.text(NEW).is_some())
}

/// Whether the arguments are a patch of one file, or what else is done with it.
fn is_patch(args: &Args) -> bool {
    let is_known = |operation| matches!(operation, "create" | "update" | "delete");
    (args.text(DIFF).is_some() || args.text(OPERATION).is_some_and(is_known))
        && args.are_text(&[PATH, DIFF, OPERATION, RENAME])
        && args
            .text(DIFF)
            .is_none_or(|diff| is_new(args) || patch_text::hunks(diff).is_some())
}

/// Whether a patch is of a file that was not there.
fn is_new(patch: &Args) -> bool {
    patch.text(OPERATION) == Some("create")
}

/// The changed stretches of a patch; a new file may be written as it is, without signs.
fn patched(patch: &Args) -> Vec<Hunk> {
    let diff = patch.text(DIFF).unwrap_or_default();
    let has_signs = !is_new(patch) || diff.lines().all(|line| line.starts_with('+'));
    match patch_text::hunks(diff).filter(|_| has_signs) {
        Some(hunks) => hunks,
        None => diff::between("", diff, 0),
    }
}

fn texts(edit: &Args) -> (&str, &str) {
    (
        edit.text(OLD).unwrap_or_default(),
        edit.text(NEW).unwrap_or_default(),
    )
}

/// The difference of the two texts, with every line of both; or what a patch says itself.
fn hunks(edit: &Args) -> Vec<Hunk> {
    if !is_replacement(edit) {
        return patched(edit);
    }
    let (old, new) = texts(edit);
    let mut hunks = diff::between(old, new, usize::MAX);
    if hunks.is_empty() && !old.is_empty() {
        hunks.push(Hunk {
            lines: old.lines().map(kept).collect(),
            ..Hunk::default()
        });
    }
    // Nobody knows where in the file the texts stand.
    for hunk in &mut hunks {
        hunk.old_start = None;
        hunk.new_start = None;
    }
    hunks
}

fn kept(line: &str) -> Line {
    Line {
        kind: LineKind::Kept,
        text: line.to_owned(),
    }
}

/// Whether both texts of a replacement stand whole in the hunks, or each changed line of a patch.
fn covers(hunks: &[Hunk], edit: &Args) -> bool {
    if !is_replacement(edit) {
        return patched(edit)
            .iter()
            .flat_map(|hunk| &hunk.lines)
            .all(|line| {
                let mut recorded = hunks.iter().flat_map(|hunk| &hunk.lines);
                line.kind == LineKind::Kept || recorded.any(|one| one == line)
            });
    }
    let (old, new) = texts(edit);
    has_text(hunks, old, LineKind::Removed) && has_text(hunks, new, LineKind::Added)
}

/// Whether a text stands in the kept lines of one of the hunks and those of one other kind.
fn has_text(hunks: &[Hunk], text: &str, kind: LineKind) -> bool {
    let text = text.trim_end_matches(['\n', '\r']);
    let text = if text.contains('\r') {
        Cow::Owned(text.replace("\r\n", "\n"))
    } else {
        Cow::Borrowed(text)
    };
    text.is_empty()
        || hunks.iter().any(|hunk| {
            let lines = hunk.lines.iter();
            let side: Vec<&str> = lines
                .filter(|line| line.kind == LineKind::Kept || line.kind == kind)
                .map(|line| line.text.strip_suffix('\r').unwrap_or(&line.text))
                .collect();
            side.join("\n").contains(text.as_ref())
        })
}
