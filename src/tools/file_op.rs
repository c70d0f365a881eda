//! Files that were moved, deleted, handed over; folders that were made.

use askama::Template;
use serde_json::Value;

use crate::html::Html;

use super::args::PATH;
use super::{Act, Body, Drawing, Glimpse, Label, ToolView, boxes, outcome};

/// Draws what was done to files as wholes.
pub(crate) struct FileOp;

const FROM: &[&str] = &["source", "source_path", "from", "old_path", "oldPath"];
const TO: &[&str] = &[
    "destination",
    "destination_path",
    "to",
    "new_path",
    "newPath",
];
const FILES: &[&str] = &["paths", "files", "filepaths", "filePaths"];

#[derive(Template)]
#[template(path = "tools/file_op.html")]
struct FileOpTemplate {
    fields: Html,
    output: Html,
}

impl ToolView for FileOp {
    fn name(&self) -> &'static str {
        "file_op"
    }

    fn names(&self) -> &'static [&'static str] {
        &[
            "delete_file",
            "create_directory",
            "copilot_createDirectory",
            "move_file",
            "rename_file",
            "present_files",
        ]
    }

    fn label(&self, act: &Act<'_>) -> Label {
        Label::words(match is_handed_over(act) {
            true => "Handed over files",
            false => "Changed files",
        })
    }

    fn activity(&self, act: &Act<'_>) -> String {
        match is_handed_over(act) {
            true => "Handing over files".to_owned(),
            false => "Changing files".to_owned(),
        }
    }

    fn glimpse(&self, act: &Act<'_>) -> Glimpse {
        let files: Vec<String> = act
            .args
            .items(FILES)
            .iter()
            .filter_map(Value::as_str)
            .map(|file| act.short_path(file))
            .collect();
        if !files.is_empty() {
            return Glimpse::Code(files.join(", "));
        }
        let from = act.args.text(FROM).or_else(|| act.args.text(PATH));
        let from = from.map(|from| act.short_path(from));
        let to = act.args.text(TO).map(|to| act.short_path(to));
        match (from, to) {
            (Some(from), Some(to)) => Glimpse::Code(format!("{from} → {to}")),
            (Some(path), None) | (None, Some(path)) => Glimpse::Path(path, String::new()),
            (None, None) => Glimpse::None,
        }
    }

    fn outcome(&self, act: &Act<'_>) -> Option<String> {
        Some(outcome::single(act))
    }

    fn body(&self, act: &Act<'_>, drawing: &Drawing<'_>) -> Option<Body> {
        Some(Body::whole(&FileOpTemplate {
            fields: boxes::rest(&act.args, &[], drawing),
            output: boxes::result(act, "Changing…", drawing),
        }))
    }
}

/// Whether files are only offered to the person, as they are.
fn is_handed_over(act: &Act<'_>) -> bool {
    act.tool() == "present_files"
}

#[cfg(test)]
mod tests {
    use crate::tools::testing::{body, call, html, row};

    #[test]
    fn the_row_names_the_files() {
        let deleted = r#"{"target_file":"/home/robin/shop/old.rs","explanation":"unused"}"#;
        let deleted = call("delete_file", deleted, Some(Ok("Deleted")));
        assert_eq!(row("x", &deleted), "✓ delete_file old.rs → Deleted");
        assert!(body("x", &deleted).contains("/home/robin/shop/old.rs"));
        assert!(body("x", &deleted).contains("unused"));
        let moved = call("move_file", r#"{"source":"a","destination":"b/a"}"#, None);
        assert_eq!(row("x", &moved), "◌ move_file a → b/a incomplete");
        let shown = call("present_files", r#"{"filepaths":["a","b"]}"#, None);
        assert_eq!(row("x", &shown), "◌ present_files a, b incomplete");
        assert!(html("x", &shown).contains("Handed over files"));
        assert!(html("x", &deleted).contains("Changed files"));
    }
}
