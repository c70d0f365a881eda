//! Files that were read.

use askama::Template;

use crate::figures::{count, counted, line_count};
use crate::highlight;
use crate::html::Html;

use super::args::{Args, PATH};
use super::range::range;
use super::{Act, Body, Drawing, Glimpse, Label, ToolView, boxes, outcome};

/// Draws a file that was read.
pub(crate) struct Read;

#[derive(Template)]
#[template(path = "tools/read.html")]
struct ReadTemplate {
    path: Html,
    rest: Html,
    output: Html,
}

impl ToolView for Read {
    fn name(&self) -> &'static str {
        "read"
    }

    fn names(&self) -> &'static [&'static str] {
        &[
            "read_file",
            "Read",
            "copilot_readFile",
            "view",
            "view_file",
            "view_knowledge_file",
            "view_note",
            "str_replace_editor:view",
            "swe_agent/open",
        ]
    }

    fn label(&self, act: &Act<'_>) -> Label {
        Label::words(match entries(act) {
            Some(_) => "Listed a folder",
            None => "Read a file",
        })
    }

    fn activity(&self, act: &Act<'_>) -> String {
        match entries(act) {
            Some(_) => "Listing a folder".to_owned(),
            None => "Reading a file".to_owned(),
        }
    }

    fn glimpse(&self, act: &Act<'_>) -> Glimpse {
        if let Some(path) = act.args.text(PATH) {
            return Glimpse::Path(act.short_path(path), range(&act.args));
        }
        // Some vendors read several files with the tool that reads one.
        let files = act.args.items(&["files", "paths"]);
        let first = files.first().and_then(|file| match file.as_str() {
            Some(path) => Some((path.to_owned(), String::new())),
            None => {
                let file = Args::of_object(file)?;
                Some((file.text(PATH)?.to_owned(), range(&file)))
            }
        });
        first.map_or_else(Glimpse::default, |(path, lines)| {
            let more = match files.len() - 1 {
                0 => lines,
                more => format!("{lines} +{more}"),
            };
            Glimpse::Path(act.short_path(&path), more)
        })
    }

    fn outcome(&self, act: &Act<'_>) -> Option<String> {
        Some(outcome::with(act, fact(act)))
    }

    fn body(&self, act: &Act<'_>, drawing: &Drawing<'_>) -> Option<Body> {
        if !act.args.are_text(&[PATH]) {
            return None;
        }
        let path = act.args.text(PATH);
        let file = act.details().and_then(|details| details.file.as_ref());
        let first = file.and_then(|file| file.start_line);
        Some(Body::whole(&ReadTemplate {
            path: path.map_or_else(Html::default, boxes::path),
            rest: boxes::rest(&act.args, &[PATH], drawing),
            output: boxes::result_as(act, "Reading…", drawing, &|text| {
                let text = FileText::of(text);
                let mut html = remark(text.head);
                html.push(&boxes::code_from(path, text.code, first, drawing));
                html.push(&remark(text.tail));
                html
            }),
        }))
    }
}

/// What was read: pictures, all lines of the file, or `80 of 412 lines`.
fn fact(act: &Act<'_>) -> String {
    let (text, images) = act.result().map_or(("", &[][..]), |result| {
        (result.text.as_str(), &result.images[..])
    });
    if let Some(fact) = boxes::image_fact(images) {
        return fact;
    }
    if let Some(entries) = entries(act) {
        return match entries {
            0 => "empty folder".to_owned(),
            entries => counted(entries, "entry", "entries"),
        };
    }
    let output = act.output.text.trim_start();
    let is_empty = output.is_empty() && text.contains("contents are empty");
    if is_empty || output.starts_with("(empty file") {
        return "empty file".to_owned();
    }
    let file = act.details().and_then(|details| details.file.as_ref());
    let Some(file) = file else {
        return FileText::of(act.output.text).fact();
    };
    match (file.lines, file.total_lines) {
        (Some(0), Some(0)) => "empty file".to_owned(),
        (Some(lines), Some(total)) if total > lines => {
            format!("{} of {}", count(lines), counted(total, "line", "lines"))
        }
        (Some(lines), _) => counted(lines, "line", "lines"),
        (None, _) => FileText::of(act.output.text).fact(),
    }
}

/// How much is in what was read, when it is a folder.
fn entries(act: &Act<'_>) -> Option<u64> {
    act.details().and_then(|details| details.files)
}

fn remark(text: &str) -> Html {
    if text.is_empty() {
        Html::default()
    } else {
        boxes::remark(text)
    }
}

/// A result's text: the file, and what the program wrote around it.
#[derive(Debug, PartialEq, Eq)]
struct FileText<'a> {
    head: &'a str,
    code: &'a str,
    tail: &'a str,
}

impl<'a> FileText<'a> {
    fn of(text: &'a str) -> Self {
        let (head, rest) = text.split_at(head_length(text));
        let mut code = rest;
        while let Some((body, last)) = outcome::last_line(code) {
            let closes = matches!(last, "</file>" | "</content>" | "</entries>");
            if !(closes && !head.is_empty() || is_note(last)) {
                break;
            }
            code = body;
        }
        FileText {
            head: head.trim(),
            code,
            tail: rest[code.len()..].trim(),
        }
    }

    fn fact(&self) -> String {
        let numbered = highlight::numbered_lines(self.code);
        let lines = numbered.map_or_else(
            || line_count(self.code),
            |lines| {
                lines
                    .iter()
                    .filter(|(gutter, _)| !gutter.is_empty())
                    .count() as u64
            },
        );
        match lines {
            0 => "no output".to_owned(),
            lines => counted(lines, "line", "lines"),
        }
    }
}

/// How many bytes programs have put before the file.
fn head_length(text: &str) -> usize {
    if text.starts_with("<path>") {
        let openings = ["<content>", "<entries>"];
        let opening = openings
            .iter()
            .filter_map(|opening| Some(text.find(opening)? + opening.len()))
            .min();
        let end = opening.unwrap_or(0);
        return end + usize::from(end > 0 && text[end..].starts_with('\n'));
    }
    let first = text.find('\n').map_or(0, |end| end + 1);
    let line = text[..first].trim_end();
    if line == "<file>" || line.starts_with("Here's the result of running `cat -n`") {
        first
    } else {
        0
    }
}

/// Whether a last line is the program's word about what follows in the file.
fn is_note(line: &str) -> bool {
    (line.starts_with("... (") && line.contains("more lines"))
        || (line.starts_with('[') && line.contains("more lines in file"))
        || [
            "[Showing lines ",
            "(Showing lines ",
            "(File has more lines",
            "(End of file",
        ]
        .iter()
        .any(|note| line.starts_with(note))
}

#[cfg(test)]
mod tests {
    use super::FileText;
    use crate::model::{Details, FileRead, Image, ImageData};
    use crate::tools::testing::{body, call, html, row, with_details};

    /// S1-10: the row of a file that was read.
    #[test]
    fn s1_10_the_range_is_glued_to_the_path() {
        let lines = "x\n".repeat(80);
        let input = r#"{"path":"src/core/chunks/groups.ts","offset":1,"limit":80}"#;
        assert_eq!(
            row("dispatch", &call("read_file", input, Some(Ok(&lines)))),
            "✓ read_file src/core/chunks/groups.ts:1-80 → 80 lines"
        );
        let from = call("read_file", r#"{"path":"a.ts","offset":40}"#, None);
        assert_eq!(row("dispatch", &from), "◌ read_file a.ts:40 incomplete");
    }

    /// S1-12: the body names the file as recorded, then shows it.
    #[test]
    fn s1_12_the_body_begins_with_the_whole_path() {
        let input = r#"{"file_path":"/home/robin/shop/src/a.rs","offset":9}"#;
        let call = call("Read", input, Some(Ok("     9→fn main() {}\n    10→\n")));
        assert_eq!(row("x", &call), "✓ Read src/a.rs:9 → 2 lines");
        let body = body("x", &call);
        assert!(body.starts_with("/home/robin/shop/src/a.rs"), "{body}");
        assert!(
            body.contains("offset9") && body.contains("9→fn main() {}"),
            "{body}"
        );
        assert!(html("x", &call).contains("<p class=\"path mono\" dir=\"ltr\">"));
    }

    /// S1-19: an empty file is called one.
    #[test]
    fn s1_19_an_empty_file_says_so() {
        for text in [
            "(empty file: src/a.ts)",
            "<system-reminder>Warning: the file exists but the contents are empty.</system-reminder>",
        ] {
            let call = call("read_file", r#"{"path":"src/a.ts"}"#, Some(Ok(text)));
            assert!(
                row("x", &call).ends_with("→ empty file"),
                "{}",
                row("x", &call)
            );
        }
    }

    #[test]
    fn a_part_of_a_file_is_told_by_both_numbers() {
        let of = |lines, total_lines| {
            let details = Details {
                file: Some(FileRead {
                    start_line: Some(1),
                    lines: Some(lines),
                    total_lines: Some(total_lines),
                }),
                ..Details::default()
            };
            let call = call("Read", r#"{"file_path":"a"}"#, Some(Ok("x")));
            row("x", &with_details(call, details))
        };
        assert!(of(80, 1412).ends_with("→ 80 of 1,412 lines"));
        assert!(of(80, 80).ends_with("→ 80 lines"));
        assert!(of(0, 0).ends_with("→ empty file"));
    }

    #[test]
    fn a_folder_that_was_read_is_called_one() {
        let entries = |files| Details {
            files: Some(files),
            ..Details::default()
        };
        let folder = || call("read", r#"{"filePath":"src"}"#, Some(Ok("a.rs\nb/")));
        let two = with_details(folder(), entries(2));
        assert!(html("opencode", &two).contains("Listed a folder"));
        assert_eq!(row("opencode", &two), "✓ read src → 2 entries");
        let none = with_details(folder(), entries(0));
        assert!(row("opencode", &none).ends_with("→ empty folder"));
    }

    #[test]
    fn the_numbers_of_a_short_file_are_no_code() {
        let details = Details {
            file: Some(FileRead {
                start_line: Some(1),
                ..FileRead::default()
            }),
            ..Details::default()
        };
        let call = call("read", r#"{"filePath":"a.rs"}"#, Some(Ok("1: fn a() {}")));
        let html = html("opencode", &with_details(call, details));
        assert!(html.contains("<span class=\"g\">1: </span>"), "{html}");
    }

    #[test]
    fn pictures_are_counted() {
        let mut call = call("Read", r#"{"file_path":"a.png"}"#, Some(Ok("")));
        if let Some(result) = &mut call.result {
            result.images = vec![Image {
                data: ImageData::Missing("left out".to_owned()),
                alt: None,
            }];
        }
        assert!(row("x", &call).ends_with("→ 1 image"));
        assert!(!body("x", &call).contains("No output"));
    }

    #[test]
    fn what_programs_write_around_a_file_is_not_counted() {
        for (text, parts) in [
            (
                "<file>\n00001| a\n00002| b\n</file>\n",
                ("<file>", "00001| a\n00002| b", "</file>"),
            ),
            (
                "<path>/a</path>\n<type>file</type>\n<content>1: a\n2: b\n\n(End of file - total 2 lines)\n</content>",
                (
                    "<path>/a</path>\n<type>file</type>\n<content>",
                    "1: a\n2: b",
                    "(End of file - total 2 lines)\n</content>",
                ),
            ),
            (
                "Here's the result of running `cat -n` on /a:\n     1\tx\n",
                (
                    "Here's the result of running `cat -n` on /a:",
                    "     1\tx\n",
                    "",
                ),
            ),
            (
                "a\nb\n\n... (620 more lines not shown. Use offset=3 to continue reading)",
                (
                    "",
                    "a\nb",
                    "... (620 more lines not shown. Use offset=3 to continue reading)",
                ),
            ),
            ("<a>\n</file>", ("", "<a>\n</file>", "")),
            ("", ("", "", "")),
        ] {
            let (head, code, tail) = parts;
            assert_eq!(FileText::of(text), FileText { head, code, tail });
        }
        let noted = call(
            "read",
            r#"{"path":"a"}"#,
            Some(Ok("a\nb\n\n[Showing lines 1-2 of 9]")),
        );
        assert!(row("x", &noted).ends_with("→ 2 lines"));
        assert!(body("x", &noted).contains("[Showing lines 1-2 of 9]"));
    }

    #[test]
    fn several_files_are_named_by_the_first() {
        let input = r#"{"files":[{"path":"a.rs","start_line":1,"end_line":9},{"path":"b.rs"}]}"#;
        let call = call("read_file", input, Some(Ok("x")));
        assert_eq!(row("x", &call), "✓ read_file a.rs:1-9 +1 → 1 line");
        assert!(body("x", &call).contains("b.rs"));
    }
}
