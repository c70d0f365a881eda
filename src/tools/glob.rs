//! Files that were looked for by their names.

use askama::Template;

use crate::figures::{counted, line_count};
use crate::html::Html;

use super::args::PLACE;
use super::{Act, Body, Drawing, Glimpse, Label, ToolView, boxes, outcome};

/// Draws a search for files by name.
pub(crate) struct Glob;

const PATTERN: &[&str] = &[
    "pattern",
    "glob_pattern",
    "glob",
    "query",
    "file_name",
    "name",
];

#[derive(Template)]
#[template(path = "tools/glob.html")]
struct GlobTemplate {
    fields: Html,
    output: Html,
}

impl ToolView for Glob {
    fn name(&self) -> &'static str {
        "glob"
    }

    fn names(&self) -> &'static [&'static str] {
        &[
            "Glob",
            "glob",
            "pi/find",
            "oh_my_pi/find",
            "cursor/file_search",
            "copilot/file_search",
            "copilot_vscode/file_search",
            "copilot_cli/file_search",
            "glob_file_search",
            "copilot_findFiles",
            "search_file_by_name",
            "find_file",
        ]
    }

    fn label(&self, _: &Act<'_>) -> Label {
        Label::words("Found files")
    }

    fn activity(&self, _: &Act<'_>) -> String {
        "Finding files".to_owned()
    }

    fn glimpse(&self, act: &Act<'_>) -> Glimpse {
        let Some(pattern) = act.args.text(PATTERN) else {
            // Some programs write the pattern into the path.
            let places = act.args.told(&["path", "paths"]);
            return places.map_or(Glimpse::None, Glimpse::Code);
        };
        Glimpse::Code(
            match act.args.text(PLACE).filter(|place| !place.is_empty()) {
                Some(place) => format!("{pattern} in {}", act.short_path(place)),
                None => pattern.to_owned(),
            },
        )
    }

    fn outcome(&self, act: &Act<'_>) -> Option<String> {
        Some(outcome::with(act, fact(act)))
    }

    fn body(&self, act: &Act<'_>, drawing: &Drawing<'_>) -> Option<Body> {
        Some(Body::whole(&GlobTemplate {
            fields: boxes::rest(&act.args, &[], drawing),
            output: boxes::result(act, "Finding…", drawing),
        }))
    }
}

/// `12 files`, or that there are none.
fn fact(act: &Act<'_>) -> String {
    let text = act.output.text;
    let recorded = act.details().and_then(|details| details.files);
    let said = outcome::found(text).map(|(files, _)| files);
    match recorded.or(said) {
        Some(0) => "no files".to_owned(),
        Some(files) => counted(files, "file", "files"),
        None if says_none(text) => "no files".to_owned(),
        None => counted(line_count(text), "file", "files"),
    }
}

/// Whether the text says that there is nothing, in one of the ways that programs have for it.
pub(super) fn says_none(text: &str) -> bool {
    let text = text.trim();
    text.is_empty()
        || ["No files found", "No matches", "No match", "No results"]
            .iter()
            .any(|none| text.starts_with(none))
}

#[cfg(test)]
mod tests {
    use crate::model::Details;
    use crate::tools::testing::{call, row, with_details};

    #[test]
    fn files_are_counted() {
        let find = |result| {
            row(
                "x",
                &call("Glob", r#"{"pattern":"**/*.rs"}"#, Some(Ok(result))),
            )
        };
        assert_eq!(find("a.rs\nb.rs\n"), "✓ Glob **/*.rs → 2 files");
        assert_eq!(find("a.rs"), "✓ Glob **/*.rs → 1 file");
        assert_eq!(find("No files found"), "✓ Glob **/*.rs → no files");
        assert_eq!(
            find("Found 3 file(s) matching:\na\nb\nc"),
            "✓ Glob **/*.rs → 3 files"
        );
        let placed = call(
            "glob",
            r#"{"pattern":"*","path":"/home/robin/shop/src"}"#,
            None,
        );
        assert_eq!(row("x", &placed), "◌ glob * in src incomplete");
    }

    #[test]
    fn a_recorded_number_goes_before_the_lines() {
        let details = Details {
            files: Some(1_300),
            truncated: true,
            ..Details::default()
        };
        let call = call("Glob", r#"{"pattern":"*"}"#, Some(Ok("a\nb")));
        assert_eq!(
            row("x", &with_details(call, details)),
            "✓ Glob * → 1,300 files · truncated"
        );
    }
}
