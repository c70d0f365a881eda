//! Folders that were listed.

use askama::Template;

use crate::figures::{counted, line_count};
use crate::html::Html;

use super::args::PLACE;
use super::{Act, Badge, Body, Drawing, Glimpse, Label, ToolView, boxes, outcome};

/// Draws the listing of a folder.
pub(crate) struct List;

#[derive(Template)]
#[template(path = "tools/list.html")]
struct ListTemplate {
    fields: Html,
    output: Html,
}

impl ToolView for List {
    fn name(&self) -> &'static str {
        "list"
    }

    fn names(&self) -> &'static [&'static str] {
        &[
            "LS",
            "ls",
            "list_directory",
            "list_files",
            "list_dir",
            "copilot_listDirectory",
            "opencode/list",
        ]
    }

    fn label(&self, _: &Act<'_>) -> Label {
        Label::words("Listed a folder")
    }

    fn activity(&self, _: &Act<'_>) -> String {
        "Listing a folder".to_owned()
    }

    fn glimpse(&self, act: &Act<'_>) -> Glimpse {
        let place = act.args.text(PLACE).filter(|place| !place.is_empty());
        Glimpse::Path(act.short_path(place.unwrap_or(".")), String::new())
    }

    fn badges(&self, act: &Act<'_>) -> Vec<Badge> {
        let recursive = act
            .args
            .flag(&["recursive"])
            .then(|| Badge::plain("recursive"));
        recursive.into_iter().collect()
    }

    fn outcome(&self, act: &Act<'_>) -> Option<String> {
        Some(outcome::with(act, fact(act.output.text)))
    }

    fn body(&self, act: &Act<'_>, drawing: &Drawing<'_>) -> Option<Body> {
        Some(Body::whole(&ListTemplate {
            fields: boxes::rest(&act.args, &[], drawing),
            output: boxes::result(act, "Listing…", drawing),
        }))
    }
}

/// `12 entries`, or that there are none.
fn fact(text: &str) -> String {
    let first = text.lines().next().unwrap_or("");
    if first.starts_with("Directory ") && first.ends_with("is empty.") {
        return "empty folder".to_owned();
    }
    let heads = u64::from(first.starts_with("Directory listing for "));
    // Behind a blank line some programs count what they left out.
    let listed = match text.rsplit_once("\n\n(") {
        Some((listed, rest)) if rest.trim_end().ends_with(" ignored)") => listed,
        _ => text,
    };
    match line_count(listed).saturating_sub(heads) {
        0 => "empty folder".to_owned(),
        entries => counted(entries, "entry", "entries"),
    }
}

#[cfg(test)]
mod tests {
    use crate::tools::testing::{body, call, row};

    #[test]
    fn entries_are_counted() {
        let one = call(
            "LS",
            r#"{"path":"/home/robin/shop/src"}"#,
            Some(Ok("a.rs\n")),
        );
        assert_eq!(row("x", &one), "✓ LS src → 1 entry");
        assert!(body("x", &one).contains("/home/robin/shop/src"));
        let headed = "Directory listing for /w:\na\nb\n\n(3 ignored)";
        let headed = call("list_directory", r#"{"dir_path":"/w"}"#, Some(Ok(headed)));
        assert_eq!(row("x", &headed), "✓ list_directory /w → 2 entries");
    }

    #[test]
    fn the_current_folder_is_meant_by_none() {
        let deep = call("list_files", r#"{"recursive":true}"#, Some(Ok("")));
        assert_eq!(row("x", &deep), "✓ list_files . recursive → empty folder");
        let said = call("ls", "{}", Some(Ok("Directory /w is empty.")));
        assert_eq!(row("x", &said), "✓ ls . → empty folder");
    }
}
