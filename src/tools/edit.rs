//! Texts that were replaced in files.

use askama::Template;

use crate::diff;
use crate::figures::counted;
use crate::highlight::Language;
use crate::html::Html;
use crate::model::ToolStatus;

use super::args::{NEW, OLD, PATH};
use super::replacements::Replacements;
use super::{
    Act, Badge, BadgeTone, Body, Drawing, Glimpse, Label, ToolView, boxes, diagnostics, outcome,
};

/// Draws an edit as the lines that it changed.
pub(crate) struct Edit;

/// Names of the argument that is a patch in some notation.
const PATCH: &[&str] = &["diff", "patch", "input", "_input"];
/// Names of the argument that is the new code alone, or a sketch of it.
const CODE: &[&str] = &["code_edit", "code", "content"];

#[derive(Template)]
#[template(path = "tools/edit.html")]
struct EditTemplate {
    path: Html,
    changes: Vec<Html>,
    rest: Html,
    output: Html,
}

impl ToolView for Edit {
    fn name(&self) -> &'static str {
        "edit"
    }

    fn names(&self) -> &'static [&'static str] {
        &[
            "edit_file",
            "Edit",
            "MultiEdit",
            "replace",
            "smart_edit",
            "apply_diff",
            "search_and_replace",
            "search_replace",
            "insert_content",
            "replace_in_file",
            "replace_string_in_file",
            "multi_replace_string_in_file",
            "insert_edit_into_file",
            "copilot_replaceString",
            "str_replace",
            "str_replace_editor:str_replace",
            "str_replace_editor:insert",
            "str_replace_editor:undo_edit",
            "cline/editor",
            "ast_edit",
        ]
    }

    fn label(&self, _: &Act<'_>) -> Label {
        Label::words("Edited a file")
    }

    fn activity(&self, _: &Act<'_>) -> String {
        "Editing a file".to_owned()
    }

    fn glimpse(&self, act: &Act<'_>) -> Glimpse {
        match Replacements::of(act).path() {
            Some(path) => Glimpse::Path(act.short_path(path), String::new()),
            None => Glimpse::None,
        }
    }

    fn badges(&self, act: &Act<'_>) -> Vec<Badge> {
        let asked = Replacements::of(act);
        let mut badges = Vec::new();
        // An edit that failed has changed nothing.
        if act.status != ToolStatus::Error {
            let (mut added, mut removed) = (0, 0);
            for change in asked.changes() {
                let (plus, minus) = diff::stat(&change.hunks);
                added += plus;
                removed += minus;
            }
            badges.extend(Badge::change(added, removed));
        }
        if asked.edits.len() > 1 {
            let edits = asked.edits.len() as u64;
            badges.push(Badge::plain(counted(edits, "edit", "edits")));
        }
        if let Some(badge) = diagnostics::badge(act) {
            badges.push(badge);
        } else if has_diagnostics(act.output.text) {
            badges.push(Badge {
                text: "diagnostics".to_owned(),
                tone: BadgeTone::Warn,
            });
        }
        badges
    }

    fn outcome(&self, act: &Act<'_>) -> Option<String> {
        let text = act.output.text;
        let asked = Replacements::of(act);
        // Most programs only say that they have done what was asked.
        let done = || asked.count().filter(|_| says_done(text));
        let fact = match replaced(text).or_else(done) {
            Some(replacements) => counted(replacements, "replacement", "replacements"),
            None => outcome::single_fact(text),
        };
        Some(outcome::with(act, fact))
    }

    fn body(&self, act: &Act<'_>, drawing: &Drawing<'_>) -> Option<Body> {
        if !act.args.are_text(&[PATH, PATCH, CODE]) {
            return None;
        }
        let asked = Replacements::of(act);
        let path = asked.path();
        let mut changes = Vec::new();
        for change in asked.changes() {
            if let Some(other) = change.path.filter(|_| change.path != path) {
                changes.push(boxes::path(other));
            }
            changes.push(boxes::changes(change.path, &change.hunks, drawing));
        }
        changes.extend(asked.rests().map(|rest| boxes::fields(rest, drawing)));
        if let Some(patch) = act.args.text(PATCH) {
            changes.push(boxes::code(patch, Language::from_name("diff"), drawing));
        }
        if let Some(code) = act.args.text(CODE) {
            changes.push(boxes::code_of(path, code, drawing));
        }
        let list = asked.list.as_slice();
        let is_one = asked.list.is_none() && !asked.edits.is_empty();
        let (old, new) = if is_one { (OLD, NEW) } else { (list, list) };
        let mut output = match changes.is_empty() {
            true => boxes::result(act, "Editing…", drawing),
            false => boxes::result_if_any(act, "Editing…", drawing),
        };
        output.push(&diagnostics::body(act, drawing));
        Some(Body::whole(&EditTemplate {
            path: path.map_or_else(Html::default, boxes::path),
            changes,
            rest: boxes::rest(&act.args, &[PATH, PATCH, CODE, old, new], drawing),
            output,
        }))
    }
}

/// How many replacements the program says it made: `Replaced 3 occurrence(s)`, `(3 replacements)`.
fn replaced(text: &str) -> Option<u64> {
    let first = text.lines().next()?;
    let words: Vec<&str> = first.split_whitespace().collect();
    words.windows(2).find_map(|pair| {
        let is_noun = pair[1].starts_with("occurrence") || pair[1].starts_with("replacement");
        let number = pair[0].trim_start_matches('(');
        is_noun.then(|| number.parse().ok())?
    })
}

/// Whether the program says that it has done what was asked, or says nothing at all.
fn says_done(text: &str) -> bool {
    let first = text.lines().next().unwrap_or_default().to_lowercase();
    first.is_empty()
        || [
            "replaced", "updated", "edited", "applied", "modified", "success",
        ]
        .iter()
        .any(|word| first.contains(word))
}

/// Whether the findings of a language server stand behind the program's sentence: in elements
/// named for them, or as all that follows `Replaced 1 occurrence in "…".`
fn has_diagnostics(text: &str) -> bool {
    let mut is_inside = false;
    for line in text.lines().map(str::trim) {
        if line.starts_with("</") {
            is_inside = false;
        } else if line.starts_with('<') && line.ends_with('>') && line.contains("diagnostics") {
            is_inside = true;
        } else if is_inside && !line.is_empty() {
            return true;
        }
    }
    let (sentence, rest) = text.split_once('\n').unwrap_or((text, ""));
    let is_sentence = sentence.starts_with("Replaced ") && replaced(sentence).is_some();
    let same_line = sentence.split_once("\".").map_or("", |(_, behind)| behind);
    is_sentence
        && [same_line, rest]
            .iter()
            .map(|behind| behind.trim())
            .any(|behind| !behind.is_empty() && !behind.starts_with("No "))
}

#[cfg(test)]
mod tests {
    use crate::model::patch::{Change, FilePatch, Hunk, Line, LineKind};
    use crate::model::{Details, ToolCall};
    use crate::tools::testing::{body, call, html, row, with_details};

    const SVELTE: &str = r#"{"path":"src/features/chat/ui/ChatView.svelte","oldString":"a\nold\nz","newString":"a\none\ntwo\nthree\nz"}"#;

    fn edit(input: &str, result: &str) -> ToolCall {
        call("edit_file", input, Some(Ok(result)))
    }

    fn patched(call: ToolCall, lines: &[(LineKind, &str)]) -> ToolCall {
        let lines = lines.iter().map(|(kind, text)| Line {
            kind: *kind,
            text: (*text).to_owned(),
        });
        let details = Details {
            patches: vec![FilePatch {
                path: "a.rs".to_owned(),
                change: Change::Updated,
                hunks: vec![Hunk {
                    lines: lines.collect(),
                    ..Hunk::default()
                }],
            }],
            ..Details::default()
        };
        with_details(call, details)
    }

    /// S1-10: the row of an edit.
    #[test]
    fn s1_10_an_edit_counts_its_lines() {
        let call = edit(SVELTE, "Replaced 1 occurrence in \"ChatView.svelte\".");
        assert_eq!(
            row("dispatch", &call),
            "✓ edit_file src/features/chat/ui/ChatView.svelte +3 −1 → 1 replacement"
        );
    }

    /// S1-12: the body names the file, then shows the lines with their signs.
    #[test]
    fn s1_12_the_body_has_the_path_and_the_changed_lines() {
        let body = body("dispatch", &edit(SVELTE, "Replaced 1 occurrence in \"x\"."));
        assert!(
            body.starts_with("src/features/chat/ui/ChatView.svelte"),
            "{body}"
        );
        for line in ["−old", "+one", "+two", "+three", "Replaced 1 occurrence"] {
            assert!(body.contains(line), "{line} in {body}");
        }
    }

    /// S1-18: the number of replacements, and whether diagnostics came with them.
    #[test]
    fn s1_18_replacements_and_diagnostics() {
        let told = |result: &str| {
            let row = row("dispatch", &edit(SVELTE, result));
            row.split_once("−1 ").map(|(_, told)| told.to_owned())
        };
        for (result, fact) in [
            ("Replaced 3 occurrence(s) in \"a\".", "→ 3 replacements"),
            ("Replaced 3 occurrences in \"a\".", "→ 3 replacements"),
            (
                "Replaced 1 occurrence in \"a\".\n\nError TS2304 [3:4]",
                "diagnostics → 1 replacement",
            ),
            (
                "Replaced 1 occurrence in \"a\". 2 errors in it",
                "diagnostics → 1 replacement",
            ),
            (
                "Replaced 1 occurrence in \"diagnostics.ts\".\n\n",
                "→ 1 replacement",
            ),
            (
                "Replaced 1 occurrence in \"a\".\nNo diagnostics.",
                "→ 1 replacement",
            ),
            (
                "Edited\n<file_diagnostics>\n\n</file_diagnostics>",
                "→ 1 replacement",
            ),
            (
                "Edited\n<file_diagnostics>\nERROR [3:4]\n</file_diagnostics>",
                "diagnostics → 1 replacement",
            ),
            (
                "Successfully modified file: a (2 replacements).",
                "→ 2 replacements",
            ),
            (
                "The file a has been updated.\n    46→<diagnostics>\n",
                "→ 1 replacement",
            ),
            (
                "ERROR: No replacement was performed, the text is not in a.\nx",
                "→ 2 lines",
            ),
        ] {
            assert_eq!(told(result).as_deref(), Some(fact), "{result}");
        }
    }

    #[test]
    fn a_failed_edit_has_no_change_to_count() {
        let call = call(
            "Edit",
            SVELTE,
            Some(Err("String to replace not found in file.")),
        );
        assert!(
            row("x", &call)
                .ends_with("ChatView.svelte → failed · String to replace not found in file.")
        );
        assert!(body("x", &call).contains("+three"));
    }

    #[test]
    fn a_patch_goes_before_the_texts_if_it_has_them_whole() {
        use LineKind::{Added, Kept, Removed};
        let input = r#"{"file_path":"a.rs","old_string":"x = 1","new_string":"x = 2"}"#;
        let whole = patched(
            edit(input, "Edited"),
            &[(Kept, "before"), (Removed, "  x = 1;"), (Added, "  x = 2;")],
        );
        assert!(body("x", &whole).contains("before"));
        assert!(row("x", &whole).contains("+1 −1"));
        let partial = patched(edit(input, "Edited"), &[(Kept, "before"), (Added, "y")]);
        assert!(!body("x", &partial).contains("before"));
        assert!(body("x", &partial).contains("+x = 2"));
    }

    #[test]
    fn several_edits_are_summed_and_all_of_their_arguments_shown() {
        let input = r#"{"file_path":"a.rs","edits":[{"old_string":"a","new_string":"b"},{"old_string":"c\nd","new_string":"","replace_all":true}]}"#;
        let call = call("MultiEdit", input, Some(Ok("Applied 2 edits to a.rs:")));
        assert_eq!(
            row("x", &call),
            "✓ MultiEdit a.rs +1 −3 2 edits → Applied 2 edits to a.rs:"
        );
        let body = body("x", &call);
        assert!(body.contains("replace_alltrue"), "{body}");
        for line in ["−a", "+b", "−c", "−d"] {
            assert!(body.contains(line), "{line} in {body}");
        }
    }

    #[test]
    fn edits_of_several_files_name_each() {
        let input = r#"{"explanation":"rename","replacements":[{"filePath":"a.ts","oldString":"a","newString":"b"},{"filePath":"b.ts","oldString":"a","newString":"c"}]}"#;
        let call = call("multi_replace_string_in_file", input, None);
        assert_eq!(
            row("x", &call),
            "◌ multi_replace_string_in_file a.ts +2 −2 2 edits incomplete"
        );
        let body = body("x", &call);
        assert!(body.contains("b.ts") && body.contains("rename"), "{body}");
    }

    #[test]
    fn what_is_told_in_another_notation_is_shown_as_it_is() {
        let patch = call("apply_diff", r#"{"path":"a.rs","diff":"-old\n+new"}"#, None);
        assert!(body("x", &patch).contains("-old\n+new"));
        let sketch = r#"{"target_file":"a.rs","instructions":"do it","code_edit":"// ... existing code ..."}"#;
        let sketch = body("x", &call("edit_file", sketch, None));
        assert!(
            sketch.contains("do it") && sketch.contains("existing code"),
            "{sketch}"
        );
        let undo = r#"{"command":"undo_edit","path":"a.rs"}"#;
        let undo = call("str_replace_editor", undo, Some(Ok("Last edit undone")));
        assert_eq!(
            row("x", &undo),
            "✓ str_replace_editor a.rs → Last edit undone"
        );
        assert!(body("x", &undo).contains("undo_edit"));
        let odd = call(
            "edit",
            r#"{"path":"a.rs","edits":[{"op":"cut","at":"7f"}]}"#,
            None,
        );
        assert!(body("x", &odd).contains("7f"));
        assert!(!html("x", &odd).contains("diff\""));
    }

    /// The patches of oh-my-pi's `edit`, and the patch that it recorded of them.
    #[test]
    fn a_list_of_patches_is_shown_as_changed_lines_and_once() {
        use LineKind::{Added, Kept, Removed};
        let input = r#"{"path":"a.rs","edits":[{"op":"update","diff":"@@ fn main\n a\n-old\n+new"},{"rename":"b.rs","diff":"@@\n-x"}]}"#;
        let asked = call("edit", input, None);
        assert_eq!(
            row("oh_my_pi", &asked),
            "◌ edit a.rs +1 −2 2 edits incomplete"
        );
        let text = body("oh_my_pi", &asked);
        assert!(
            text.contains("−old") && text.contains("+new") && text.contains("b.rs"),
            "{text}"
        );
        assert!(
            !text.contains("@@ fn") && !text.contains("\"diff\""),
            "{text}"
        );
        let lines = [
            (Kept, "a"),
            (Removed, "old"),
            (Added, "new"),
            (Removed, "x"),
        ];
        let done = patched(call("edit", input, Some(Ok("Updated a.rs"))), &lines);
        let text = body("oh_my_pi", &done);
        assert_eq!(text.matches("+new").count(), 1, "{text}");
        let new = r#"{"path":"a.rs","edits":[{"op":"create","diff":"one\ntwo"}]}"#;
        let row = row("oh_my_pi", &call("edit", new, Some(Ok("Created a.rs"))));
        assert_eq!(row, "✓ edit a.rs +2 −0 → Created a.rs");
    }

    #[test]
    fn a_replacement_by_the_same_text_shows_the_text() {
        let input = r#"{"path":"a.rs","oldText":"same words","newText":"same words"}"#;
        assert!(body("x", &edit(input, "")).contains("same words"));
    }
}
