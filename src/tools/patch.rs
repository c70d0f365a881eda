//! Patches that change several files at once.

use std::borrow::Cow;

use askama::Template;

use crate::diff;
use crate::figures::counted;
use crate::html::Html;
use crate::model::ToolStatus;
use crate::model::patch::{Change, FilePatch, LineKind};

use super::args::PATH;
use super::patch_text::{self, Given};
use super::{Act, Badge, Body, Drawing, Glimpse, Label, ToolView, boxes, outcome};

/// Draws a patch file by file, as the lines that it changed.
pub(crate) struct Patch;

/// Names of the argument that lists changed files without their lines.
const CHANGES: &[&str] = &["changes"];

#[derive(Template)]
#[template(path = "tools/patch.html")]
struct PatchTemplate {
    before: Html,
    files: Vec<FileHtml>,
    rest: Html,
    output: Html,
}

struct FileHtml {
    word: &'static str,
    path: Html,
    target: Option<Html>,
    changes: Html,
}

impl ToolView for Patch {
    fn name(&self) -> &'static str {
        "patch"
    }

    fn names(&self) -> &'static [&'static str] {
        &[
            "apply_patch",
            "applypatch",
            "ApplyPatch",
            "copilot_applyPatch",
            "patch",
            "file_change",
        ]
    }

    fn label(&self, act: &Act<'_>) -> Label {
        Label::words(match Asked::of(act).files.len() {
            1 => "Edited a file",
            _ => "Edited files",
        })
    }

    fn activity(&self, act: &Act<'_>) -> String {
        match Asked::of(act).files.len() {
            1 => "Editing a file",
            _ => "Editing files",
        }
        .to_owned()
    }

    fn glimpse(&self, act: &Act<'_>) -> Glimpse {
        match Asked::of(act).files.first() {
            Some(file) => Glimpse::Path(act.short_path(&file.path), String::new()),
            None => act
                .args
                .words(PATH)
                .map_or(Glimpse::None, |path| Glimpse::Code(path.to_owned())),
        }
    }

    fn badges(&self, act: &Act<'_>) -> Vec<Badge> {
        let asked = Asked::of(act);
        let mut badges = Vec::new();
        if asked.files.len() > 1 {
            badges.push(Badge::plain(format!("+{} more", asked.files.len() - 1)));
        }
        // A patch that failed has changed nothing.
        if act.status != ToolStatus::Error {
            let (mut added, mut removed) = (0, 0);
            for file in asked.files.iter() {
                let (plus, minus) = diff::stat(&file.hunks);
                added += plus;
                removed += minus;
            }
            badges.extend(Badge::change(added, removed));
        }
        badges
    }

    fn outcome(&self, act: &Act<'_>) -> Option<String> {
        let files = Asked::of(act).files.len() as u64;
        Some(if files > 0 {
            outcome::with(act, counted(files, "file", "files"))
        } else {
            outcome::single(act)
        })
    }

    fn body(&self, act: &Act<'_>, drawing: &Drawing<'_>) -> Option<Body> {
        let asked = Asked::of(act);
        if asked.files.is_empty() {
            return None;
        }
        let before = asked.given.as_ref().map_or("", |given| given.before);
        let drawn: &[&[&str]] = &[asked.given.as_ref().map_or(CHANGES, |given| given.names)];
        let rest = act.args.rest(drawn);
        Some(Body::whole(&PatchTemplate {
            before: if before.is_empty() {
                Html::default()
            } else {
                boxes::command(before, drawing)
            },
            files: asked
                .files
                .iter()
                .map(|file| FileHtml::of(file, drawing))
                .collect(),
            // Input that is nothing but the patch is drawn above.
            rest: boxes::fields(rest, drawing),
            output: boxes::result(act, "Editing…", drawing),
        }))
    }
}

impl FileHtml {
    fn of(file: &FilePatch, drawing: &Drawing<'_>) -> Self {
        let (word, target) = match &file.change {
            Change::Added => ("Added", None),
            Change::Updated => ("Updated", None),
            Change::Deleted => ("Deleted", None),
            Change::Moved(path) => ("Moved", Some(path)),
        };
        FileHtml {
            word,
            path: boxes::path(&file.path),
            target: target.map(|path| boxes::path(path)),
            changes: if file.hunks.iter().all(|hunk| hunk.lines.is_empty()) {
                Html::default()
            } else {
                boxes::changes(Some(&file.path), &file.hunks, drawing)
            },
        }
    }
}

/// The changes that a call asks for.
struct Asked<'a> {
    given: Option<Given<'a>>,
    files: Cow<'a, [FilePatch]>,
}

impl<'a> Asked<'a> {
    /// The changes as the program recorded them, which knows the places in the files; but where
    /// it leaves out some of what was asked for, what was asked for.
    fn of(act: &'a Act<'a>) -> Self {
        let recorded = act
            .details()
            .map_or(&[][..], |details| details.patches.as_slice());
        let given = Given::of(&act.args);
        let Some(patch) = &given else {
            let listed = listed(act).filter(|listed| listed.len() >= recorded.len());
            let is_bare = act.args.free.is_none();
            let files = match listed {
                Some(listed) if !has_all_files(recorded, &listed) => Cow::Owned(listed),
                _ if is_bare => Cow::Borrowed(recorded),
                _ => Cow::Borrowed(&[][..]),
            };
            return Asked { given, files };
        };
        let asked = patch_text::parse(patch.text).unwrap_or_default();
        let files = if !asked.is_empty() && covers(recorded, &asked) {
            Cow::Borrowed(recorded)
        } else {
            Cow::Owned(asked)
        };
        Asked { given, files }
    }
}

/// The files of a list that says no more of each than what happened to it.
fn listed(act: &Act<'_>) -> Option<Vec<FilePatch>> {
    let files = act.args.items(CHANGES).iter();
    let files: Option<Vec<FilePatch>> = files
        .map(|change| {
            let text = |key: &str| change.get(key)?.as_str();
            let is_plain = change.as_object()?.len() == 2;
            let change = match text("kind")? {
                "add" => Change::Added,
                "delete" => Change::Deleted,
                "update" => Change::Updated,
                _ => return None,
            };
            is_plain.then_some(FilePatch {
                path: text("path")?.to_owned(),
                change,
                hunks: Vec::new(),
            })
        })
        .collect();
    files.filter(|files| !files.is_empty())
}

fn has_all_files(recorded: &[FilePatch], listed: &[FilePatch]) -> bool {
    listed.iter().all(|file| {
        let known = recorded.iter().find(|known| known.path == file.path);
        known.is_some_and(|known| !known.hunks.is_empty())
    })
}

/// Whether every line that the patch adds or removes, and every heading of it, is in what was
/// recorded.
fn covers(recorded: &[FilePatch], asked: &[FilePatch]) -> bool {
    fn lines(files: &[FilePatch]) -> impl Iterator<Item = (LineKind, &str)> {
        let hunks = files.iter().flat_map(|file| &file.hunks);
        let lines = hunks.flat_map(|hunk| &hunk.lines);
        lines.map(|line| (line.kind, line.text.trim_end()))
    }
    if recorded.len() < asked.len() {
        return false;
    }
    let known: std::collections::BTreeSet<_> = lines(recorded).collect();
    lines(asked).all(|(kind, text)| text.is_empty() || known.contains(&(kind, text)))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::model::patch::{Hunk, Line};
    use crate::model::{Details, Input, ToolCall};
    use crate::tools::testing::{body, call, html, row, with_details};

    const PATCH: &str = "*** Begin Patch\n*** Update File: /home/robin/shop/src/a.rs\n@@ fn main\n\
        -old\n+new\n+more\n*** Add File: b.txt\n+words\n*** End Patch";
    const DONE: &str = "Success. Updated the following files:\nM src/a.rs\nA b.txt\n";

    fn patched(result: Option<Result<&str, &str>>) -> ToolCall {
        let mut call = call("apply_patch", "", result);
        call.input = Some(Input::Text(PATCH.into()));
        call
    }

    #[test]
    fn the_row_names_the_first_file_and_counts_the_lines() {
        assert_eq!(
            row("codex", &patched(Some(Ok(DONE)))),
            "✓ apply_patch src/a.rs +1 more +3 −1 → 2 files"
        );
        let failed = patched(Some(Err("verification failed: no such line")));
        assert_eq!(
            row("codex", &failed),
            "✗ apply_patch src/a.rs +1 more → failed · verification failed: no such line"
        );
    }

    #[test]
    fn the_body_has_each_file_with_its_lines() {
        let body = body("codex", &patched(Some(Ok(DONE))));
        let mut from = 0;
        for part in [
            "Updated", "src/a.rs", "fn main", "−old", "+new", "Added", "b.txt", "+words",
            "Success.",
        ] {
            from += body[from..]
                .find(part)
                .unwrap_or_else(|| panic!("{part} in {body}"));
        }
        assert!(!body.contains("*** Begin Patch"), "{body}");
    }

    #[test]
    fn a_shell_that_only_applies_a_patch_edits_files() {
        let script = format!("cd web && apply_patch <<'EOF'\n{PATCH}\nEOF\n");
        let input = json!({"command": ["bash", "-lc", script], "workdir": "/home/robin/shop"});
        let shell = call("shell", &input.to_string(), Some(Ok("Success.")));
        assert!(row("codex", &shell).starts_with("✓ shell src/a.rs +1 more +3 −1"));
        let body = body("codex", &shell);
        assert!(body.starts_with("$ cd web"), "{body}");
        assert!(body.contains("workdir/home/robin/shop"), "{body}");
        let more = json!({"command": ["bash", "-lc", script + "make test"]});
        let more = call("shell", &more.to_string(), None);
        assert!(html("codex", &more).contains("Ran a command"));
    }

    #[test]
    fn what_was_recorded_goes_before_what_was_asked_if_it_has_it_whole() {
        let line = |kind, text: &str| Line {
            kind,
            text: text.to_owned(),
        };
        let recorded = |lines: Vec<Line>| Details {
            patches: vec![
                FilePatch {
                    path: "src/a.rs".into(),
                    hunks: vec![Hunk {
                        old_start: Some(41),
                        new_start: Some(41),
                        lines,
                        ..Hunk::default()
                    }],
                    ..FilePatch::default()
                },
                FilePatch::default(),
            ],
            ..Details::default()
        };
        use LineKind::{Added, Kept, Removed};
        let whole = vec![
            line(Kept, "around"),
            line(Removed, "old"),
            line(Added, "new"),
            line(Added, "more"),
            line(Added, "words"),
        ];
        let partial = whole[..2].to_vec();
        let shown = |lines| {
            let call = with_details(patched(Some(Ok(DONE))), recorded(lines));
            body("codex", &call)
        };
        assert!(shown(whole).contains("40 unchanged lines"));
        assert!(shown(partial).contains("fn main"));
    }

    #[test]
    fn a_list_of_files_without_lines_names_them() {
        let input = json!({"changes": [{"path": "a.rs", "kind": "update"}, {"path": "b.rs", "kind": "add"}]});
        let call = call("file_change", &input.to_string(), Some(Ok("")));
        assert_eq!(row("codex", &call), "✓ file_change a.rs +1 more → 2 files");
        assert!(body("codex", &call).contains("b.rs"));
    }

    #[test]
    fn what_is_no_patch_is_shown_as_it_is() {
        let mut odd = patched(None);
        odd.input = Some(Input::Text("*** Begin Patch\nwords".into()));
        assert!(body("codex", &odd).contains("*** Begin Patch"));
        let empty = call("apply_patch", "{}", Some(Ok("nothing")));
        assert!(body("codex", &empty).contains("nothing"));
    }
}
