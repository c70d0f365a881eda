//! Files that were searched for a pattern.

use askama::Template;

use crate::figures::counted;
use crate::html::Html;

use super::args::PLACE;
use super::glob::says_none;
use super::{Act, Badge, Body, Drawing, Glimpse, Label, ToolView, boxes, outcome};

/// Draws a search in files.
pub(crate) struct Grep;

const PATTERN: &[&str] = &[
    "pattern",
    "regex",
    "query",
    "search_pattern",
    "search_term",
    "pat",
];
/// Names of the argument that lists several places.
const PLACES: &[&str] = &["paths", "path"];
const FILES: &[&str] = &[
    "glob",
    "include",
    "include_pattern",
    "includePattern",
    "file_pattern",
    "filePattern",
];
const TYPE: &[&str] = &["type"];
const ANY_CASE: &[&str] = &["-i", "i", "ignoreCase", "ignore_case", "case_insensitive"];

#[derive(Template)]
#[template(path = "tools/grep.html")]
struct GrepTemplate {
    fields: Html,
    output: Html,
}

impl ToolView for Grep {
    fn name(&self) -> &'static str {
        "grep"
    }

    fn names(&self) -> &'static [&'static str] {
        &[
            "Grep",
            "grep",
            "search_file_content",
            "grep_search",
            "pi/search",
            "oh_my_pi/search",
            "search_files",
            "grep_files",
            "copilot_findTextInFiles",
            "ast_grep",
            "list_code_definition_names",
        ]
    }

    fn label(&self, _: &Act<'_>) -> Label {
        Label::words("Searched files")
    }

    fn activity(&self, _: &Act<'_>) -> String {
        "Searching files".to_owned()
    }

    fn glimpse(&self, act: &Act<'_>) -> Glimpse {
        let place = act.args.text(PLACE).filter(|place| !place.is_empty());
        let place = place.map(|place| act.short_path(place));
        let place = place.or_else(|| act.args.told(PLACES));
        match (act.args.text(PATTERN), place) {
            (Some(pattern), place) => {
                Glimpse::Pattern(pattern.to_owned(), place.unwrap_or_default())
            }
            (None, Some(place)) => Glimpse::Path(place, String::new()),
            (None, None) => Glimpse::None,
        }
    }

    fn badges(&self, act: &Act<'_>) -> Vec<Badge> {
        let mut badges = Vec::new();
        if let Some(files) = act.args.text(FILES) {
            badges.push(Badge::plain(format!("glob={files}")));
        }
        if let Some(kind) = act.args.text(TYPE) {
            badges.push(Badge::plain(format!("type={kind}")));
        }
        if act.args.flag(ANY_CASE) {
            badges.push(Badge::plain("i"));
        }
        if act.args.flag(&["multiline"]) {
            badges.push(Badge::plain("multiline"));
        }
        badges
    }

    fn outcome(&self, act: &Act<'_>) -> Option<String> {
        Some(outcome::with(act, fact(act)))
    }

    fn body(&self, act: &Act<'_>, drawing: &Drawing<'_>) -> Option<Body> {
        Some(Body::whole(&GrepTemplate {
            fields: boxes::rest(&act.args, &[], drawing),
            output: boxes::result(act, "Searching…", drawing),
        }))
    }
}

/// `12 matches`, `3 files`, or the number of lines where the program counted neither.
fn fact(act: &Act<'_>) -> String {
    let text = act.output.text;
    if says_none(text) {
        return "no matches".to_owned();
    }
    // A search for lines records that it found no files, which says nothing.
    let recorded = |number: Option<u64>| number.filter(|number| *number > 0);
    let details = act.details();
    if let Some(matches) = recorded(details.and_then(|details| details.matches)) {
        return counted(matches, "match", "matches");
    }
    if let Some(files) = recorded(details.and_then(|details| details.files)) {
        return counted(files, "file", "files");
    }
    match outcome::found(text) {
        Some((0, _)) => "no matches".to_owned(),
        Some((files, "file" | "files")) => counted(files, "file", "files"),
        Some((matches, _)) => counted(matches, "match", "matches"),
        None => outcome::line_fact(text),
    }
}

#[cfg(test)]
mod tests {
    use crate::model::Details;
    use crate::tools::testing::{body, call, html, row, with_details};

    const INPUT: &str = r#"{"pattern":"fn \\w+","path":"/home/robin/shop/src","glob":"*.rs","-i":true,"type":"rust","multiline":true,"head_limit":7}"#;

    #[test]
    fn the_row_has_the_pattern_its_place_and_its_options() {
        let call = call("Grep", INPUT, Some(Ok("a:1\nb:2\nc:3")));
        assert_eq!(
            row("x", &call),
            r"✓ Grep /fn \w+/ in src glob=*.rs type=rust i multiline → 3 lines"
        );
        assert!(html("x", &call).contains(r#"<span class="ss">/fn \w+/</span>"#));
        assert!(body("x", &call).contains("head_limit7"));
    }

    #[test]
    fn matches_and_files_are_counted_as_the_program_says() {
        let fact = |text| {
            let row = row("x", &call("grep", r#"{"pattern":"a"}"#, Some(Ok(text))));
            row.split_once("→ ").map(|(_, fact)| fact.to_owned())
        };
        for (text, told) in [
            ("No matches found", "no matches"),
            ("No files found", "no matches"),
            ("", "no matches"),
            ("Found 2 files\na\nb", "2 files"),
            ("Found 1 file\na", "1 file"),
            ("Found 227 matches (showing first 100)\na", "227 matches"),
            ("Found 1,204 matches\na", "1,204 matches"),
            ("a\nb", "2 lines"),
            ("Found it", "1 line"),
        ] {
            assert_eq!(fact(text).as_deref(), Some(told), "{text}");
        }
    }

    #[test]
    fn a_recorded_number_goes_before_the_text() {
        let told = |files, matches| {
            let details = Details {
                files,
                matches,
                ..Details::default()
            };
            let call = call("Grep", r#"{"pattern":"a"}"#, Some(Ok("a\nb")));
            row("x", &with_details(call, details))
        };
        assert!(told(Some(0), None).ends_with("→ 2 lines"));
        assert!(told(Some(1), None).ends_with("→ 1 file"));
        assert!(told(Some(3), Some(9)).ends_with("→ 9 matches"));
    }

    #[test]
    fn a_search_without_a_pattern_names_its_place() {
        let input = r#"{"path":"src"}"#;
        let call = call("list_code_definition_names", input, None);
        assert_eq!(
            row("x", &call),
            "◌ list_code_definition_names src incomplete"
        );
    }
}
