//! Files that were written.

use askama::Template;

use crate::figures::{counted, line_count, size};
use crate::html::Html;
use crate::model::patch::Change;

use super::args::{CONTENT, PATH};
use super::{Act, Badge, Body, Drawing, Glimpse, Label, ToolView, boxes, diagnostics, outcome};

/// Draws a file that was written.
pub(crate) struct Write;

#[derive(Template)]
#[template(path = "tools/write.html")]
struct WriteTemplate {
    path: Html,
    content: Html,
    rest: Html,
    output: Html,
}

impl ToolView for Write {
    fn name(&self) -> &'static str {
        "write"
    }

    fn names(&self) -> &'static [&'static str] {
        &[
            "write_file",
            "Write",
            "write_to_file",
            "create_file",
            "copilot_createFile",
            "create",
            "str_replace_editor:create",
        ]
    }

    fn label(&self, _: &Act<'_>) -> Label {
        Label::words("Wrote a file")
    }

    fn activity(&self, _: &Act<'_>) -> String {
        "Writing a file".to_owned()
    }

    fn glimpse(&self, act: &Act<'_>) -> Glimpse {
        match act.args.text(PATH) {
            Some(path) => Glimpse::Path(act.short_path(path), String::new()),
            None => Glimpse::None,
        }
    }

    fn badges(&self, act: &Act<'_>) -> Vec<Badge> {
        // Once it is written, its size says how much it is.
        if act.is_done() {
            return diagnostics::badge(act).into_iter().collect();
        }
        let content = act.args.text(CONTENT);
        let lines = content.map(|content| counted(line_count(content), "line", "lines"));
        lines.map(Badge::plain).into_iter().collect()
    }

    fn outcome(&self, act: &Act<'_>) -> Option<String> {
        let text = act.output.text;
        let content = act.args.text(CONTENT).map(|content| content.len() as u64);
        let size = said_bytes(text).or(content).map(size);
        let facts: Vec<String> = done(act)
            .map(str::to_owned)
            .into_iter()
            .chain(size)
            .collect();
        let fact = if facts.is_empty() {
            outcome::single_fact(text)
        } else {
            facts.join(" · ")
        };
        Some(outcome::with(act, fact))
    }

    fn body(&self, act: &Act<'_>, drawing: &Drawing<'_>) -> Option<Body> {
        if !act.args.are_text(&[PATH, CONTENT]) {
            return None;
        }
        let path = act.args.text(PATH);
        let content = act.args.text(CONTENT).filter(|content| !content.is_empty());
        let mut output = boxes::result(act, "Writing…", drawing);
        output.push(&diagnostics::body(act, drawing));
        Some(Body::whole(&WriteTemplate {
            path: path.map_or_else(Html::default, boxes::path),
            content: content.map_or_else(Html::default, |content| {
                boxes::code_of(path, content, drawing)
            }),
            rest: boxes::rest(&act.args, &[PATH, CONTENT], drawing),
            output,
        }))
    }
}

/// Whether the file is new, as far as the program says or records it.
fn done(act: &Act<'_>) -> Option<&'static str> {
    let patch = act.details().and_then(|details| details.patches.first());
    if patch.is_some_and(|patch| patch.change == Change::Added) {
        return Some("created");
    }
    let first = act
        .output
        .text
        .lines()
        .next()
        .unwrap_or_default()
        .to_lowercase();
    // The path may hold any word, so only what stands before it counts.
    let said = first
        .split(['/', '\\', '"', '`'])
        .next()
        .unwrap_or_default();
    if said.contains("created") {
        Some("created")
    } else if said.contains("overwrote") || (said.contains("the file") && first.contains("updated"))
    {
        Some("overwrote")
    } else {
        None
    }
}

/// The size that the program tells: `(4198 bytes)`, `wrote 4198 bytes`.
fn said_bytes(text: &str) -> Option<u64> {
    let first = text.lines().next()?;
    let words: Vec<&str> = first.split_whitespace().collect();
    words.windows(2).rev().find_map(|pair| {
        let number = pair[0].trim_start_matches('(');
        let is_unit = pair[1].starts_with("byte");
        is_unit.then(|| number.replace(',', "").parse().ok())?
    })
}

#[cfg(test)]
mod tests {
    use crate::model::patch::{Change, FilePatch};
    use crate::model::{Details, ToolCall};
    use crate::tools::testing::{body, call, row, with_details};

    fn write(result: &str) -> ToolCall {
        let input = r##"{"path":"notes/plan.md","content":"# Plan\n\nGo.\n"}"##;
        call("write_file", input, Some(Ok(result)))
    }

    /// S1-10: the row of a file that was written.
    #[test]
    fn s1_10_a_written_file_has_its_size() {
        assert_eq!(
            row(
                "dispatch",
                &write("Created \"notes/plan.md\" (4198 bytes).")
            ),
            "✓ write_file notes/plan.md → created · 4.1 KB"
        );
        let input = r#"{"path":"notes/plan.md","content":"a\nb"}"#;
        assert_eq!(
            row("dispatch", &call("write_file", input, None)),
            "◌ write_file notes/plan.md 2 lines incomplete"
        );
    }

    /// S1-12: the body names the file, then shows its content.
    #[test]
    fn s1_12_the_body_has_the_path_and_the_content() {
        let body = body("x", &write("Created \"notes/plan.md\" (13 bytes)."));
        assert!(body.starts_with("notes/plan.md"), "{body}");
        assert!(
            body.contains("# Plan\n\nGo.") && body.contains("(13 bytes)"),
            "{body}"
        );
    }

    /// S1-19: created or overwrote, with the size.
    #[test]
    fn s1_19_created_and_overwrote() {
        for (result, fact) in [
            ("Created \"a\" (12 bytes).", "→ created · 12 B"),
            (
                "Overwrote \"created.md\" (2048 bytes).",
                "→ overwrote · 2.0 KB",
            ),
            ("Successfully wrote 1092 bytes to a", "→ 1.1 KB"),
            ("File created successfully at: /w/a", "→ created · 12 B"),
            ("The file /w/a has been updated.", "→ overwrote · 12 B"),
            ("Successfully overwrote file: /w/a.", "→ overwrote · 12 B"),
            ("File written successfully", "→ 12 B"),
        ] {
            let row = row("x", &write(result));
            assert!(row.ends_with(fact), "{row}");
        }
    }

    #[test]
    fn a_recorded_creation_needs_no_words() {
        let details = Details {
            patches: vec![FilePatch {
                change: Change::Added,
                ..FilePatch::default()
            }],
            ..Details::default()
        };
        assert!(row("x", &with_details(write("ok"), details)).ends_with("→ created · 12 B"));
    }

    #[test]
    fn content_that_is_no_text_is_left_to_the_default_body() {
        let call = call(
            "Write",
            r#"{"file_path":"a.json","content":{"k":7}}"#,
            Some(Ok("x")),
        );
        let body = body("x", &call);
        assert!(
            body.contains("Input") && body.contains("\"k\": 7"),
            "{body}"
        );
    }
}
