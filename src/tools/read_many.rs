//! Several files that were read at once.

use askama::Template;
use serde_json::Value;

use crate::figures::counted;
use crate::html::{Html, Text};

use super::args::{Args, PATH};
use super::range::range;
use super::{Act, Body, Drawing, Glimpse, Label, ToolView, boxes, outcome};

/// Draws a reading of several files.
pub(crate) struct ReadMany;

/// Names of the argument that lists the files.
const FILES: [&str; 6] = [
    "files",
    "paths",
    "include",
    "globs",
    "filePaths",
    "patterns",
];

#[derive(Template)]
#[template(path = "tools/read_many.html")]
struct ReadManyTemplate<'a> {
    paths: Vec<Text<'a>>,
    rest: Html,
    output: Html,
}

impl ToolView for ReadMany {
    fn name(&self) -> &'static str {
        "read_many"
    }

    fn names(&self) -> &'static [&'static str] {
        &["read_many_files", "read_files", "read_project_structure"]
    }

    fn label(&self, _: &Act<'_>) -> Label {
        Label::words("Read files")
    }

    fn activity(&self, _: &Act<'_>) -> String {
        "Reading files".to_owned()
    }

    fn glimpse(&self, act: &Act<'_>) -> Glimpse {
        match listed(&act.args) {
            Some((_, files)) => Glimpse::Code(
                files
                    .iter()
                    .map(|file| act.short_path(file))
                    .collect::<Vec<_>>()
                    .join(", "),
            ),
            None => act.args.text(PATH).map_or_else(Glimpse::default, |path| {
                Glimpse::Path(act.short_path(path), range(&act.args))
            }),
        }
    }

    fn outcome(&self, act: &Act<'_>) -> Option<String> {
        let files = act.details().and_then(|details| details.files);
        Some(match files {
            Some(files) => outcome::with(act, counted(files, "file", "files")),
            None => outcome::lines_or_failure(act),
        })
    }

    fn body(&self, act: &Act<'_>, drawing: &Drawing<'_>) -> Option<Body> {
        let (name, files) = listed(&act.args).unzip();
        let files = files.unwrap_or_default();
        let names: &[&str] = name.as_slice();
        Some(Body::whole(&ReadManyTemplate {
            paths: files.iter().map(|file| Text(file)).collect(),
            rest: boxes::rest(&act.args, &[names], drawing),
            output: boxes::result(act, "Reading…", drawing),
        }))
    }
}

/// The argument that lists the files, and the files, each with its lines: `src/a.rs:1-80`. `None`
/// when there is no list, or one that says more than this of a file.
fn listed(args: &Args) -> Option<(&'static str, Vec<String>)> {
    let name = FILES
        .into_iter()
        .find(|name| !args.items(&[name]).is_empty())?;
    let files: Option<Vec<String>> = args.items(&[name]).iter().map(file).collect();
    Some((name, files?))
}

fn file(value: &Value) -> Option<String> {
    if let Some(path) = value.as_str() {
        return Some(path.to_owned());
    }
    let file = Args::of_object(value)?;
    let path = file.text(PATH)?;
    let lines = range(&file);
    // Only a path with its first and last line is told whole by one word.
    let known = ["start_line", "end_line", "startLine", "endLine"];
    let rest = file.rest(&[PATH]);
    let is_whole = rest.iter().all(|(name, value)| {
        known.contains(name)
            && value
                .as_i64()
                .is_some_and(|n| lines.contains(&n.to_string()))
    });
    is_whole.then(|| format!("{path}{lines}"))
}

#[cfg(test)]
mod tests {
    use crate::tools::testing::{body, call, row};

    #[test]
    fn the_files_are_listed() {
        let input = r#"{"paths":["src/**/*.rs","/home/robin/shop/README.md"],"recursive":true}"#;
        let call = call("read_many_files", input, Some(Ok("a\nb")));
        assert_eq!(
            row("x", &call),
            "✓ read_many_files src/**/*.rs, README.md → 2 lines"
        );
        let body = body("x", &call);
        assert!(body.contains("/home/robin/shop/README.md"), "{body}");
        assert!(body.contains("recursivetrue"), "{body}");
    }

    #[test]
    fn a_file_may_have_a_range() {
        let input = r#"{"files":[{"path":"a.rs","start_line":4,"end_line":9},{"path":"b.rs"}]}"#;
        let call = call("read_files", input, None);
        assert_eq!(row("x", &call), "◌ read_files a.rs:4-9, b.rs incomplete");
    }

    #[test]
    fn a_list_that_says_more_is_shown_as_it_is() {
        let input = r#"{"files":[{"path":"a.rs","encoding":"latin-1"}]}"#;
        let call = call("read_files", input, Some(Ok("")));
        assert_eq!(row("x", &call), "✓ read_files → no output");
        assert!(body("x", &call).contains("latin-1"));
    }
}
