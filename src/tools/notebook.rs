//! Cells of notebooks that were changed, read or run.

use askama::Template;

use crate::highlight::Language;
use crate::html::Html;

use super::args::PATH;
use super::{Act, Badge, Body, Drawing, Glimpse, Label, ToolView, boxes, outcome};

/// Draws work on a notebook.
pub(crate) struct Notebook;

const CELL: &[&str] = &["cell_id", "cellId", "cell_number", "cell_index"];
const SOURCE: &[&str] = &["new_source", "newCode", "source"];
const MODE: &[&str] = &["edit_mode", "editType"];
const KIND: &[&str] = &["language", "cell_type", "cellType"];

#[derive(Template)]
#[template(path = "tools/notebook.html")]
struct NotebookTemplate {
    path: Html,
    source: Html,
    rest: Html,
    output: Html,
}

impl ToolView for Notebook {
    fn name(&self) -> &'static str {
        "notebook"
    }

    fn names(&self) -> &'static [&'static str] {
        &[
            "NotebookEdit",
            "NotebookRead",
            "edit_notebook_file",
            "run_notebook_cell",
            "create_new_jupyter_notebook",
            "oh_my_pi/notebook",
        ]
    }

    fn label(&self, act: &Act<'_>) -> Label {
        Label::words(match act.call.name.as_str() {
            "NotebookRead" => "Read a notebook",
            "run_notebook_cell" => "Ran a notebook",
            _ => "Edited a notebook",
        })
    }

    fn activity(&self, act: &Act<'_>) -> String {
        let activity = match act.call.name.as_str() {
            "NotebookRead" => "Reading a notebook",
            "run_notebook_cell" => "Running a notebook",
            _ => "Editing a notebook",
        };
        activity.to_owned()
    }

    fn glimpse(&self, act: &Act<'_>) -> Glimpse {
        let cell = act.args.word(CELL);
        let cell = cell.map_or_else(String::new, |cell| format!("#{cell}"));
        match act.args.text(PATH) {
            Some(path) => Glimpse::Path(act.short_path(path), cell),
            None => Glimpse::Words(act.args.text(&["query"]).unwrap_or(&cell).to_owned()),
        }
    }

    fn badges(&self, act: &Act<'_>) -> Vec<Badge> {
        act.args.text(MODE).map(Badge::plain).into_iter().collect()
    }

    fn outcome(&self, act: &Act<'_>) -> Option<String> {
        Some(outcome::single(act))
    }

    fn body(&self, act: &Act<'_>, drawing: &Drawing<'_>) -> Option<Body> {
        if !act.args.are_text(&[PATH, SOURCE]) {
            return None;
        }
        let source = act.args.text(SOURCE).map(|source| {
            let kind = match act.args.text(KIND) {
                Some("code") | None => "python",
                Some(kind) => kind,
            };
            boxes::code(source, Language::from_name(kind), drawing)
        });
        Some(Body::whole(&NotebookTemplate {
            path: act.args.text(PATH).map_or_else(Html::default, boxes::path),
            source: source.unwrap_or_default(),
            rest: boxes::rest(&act.args, &[PATH, SOURCE], drawing),
            output: boxes::result(act, "Working…", drawing),
        }))
    }
}

#[cfg(test)]
mod tests {
    use crate::tools::testing::{body, call, html, row};

    #[test]
    fn the_row_has_the_cell_and_the_mode() {
        let input = r#"{"notebook_path":"/home/robin/shop/a.ipynb","cell_id":"c4","new_source":"x = 1\ny = 2","cell_type":"code","edit_mode":"insert"}"#;
        let call = call("NotebookEdit", input, Some(Ok("Inserted cell")));
        assert_eq!(
            row("x", &call),
            "✓ NotebookEdit a.ipynb#c4 insert → Inserted cell"
        );
        let body = body("x", &call);
        assert!(body.starts_with("/home/robin/shop/a.ipynb"), "{body}");
        assert!(
            body.contains("x = 1\ny = 2") && body.contains("cell_typecode"),
            "{body}"
        );
    }

    #[test]
    fn reading_one_is_not_called_editing() {
        let read = call("NotebookRead", r#"{"notebook_path":"a.ipynb"}"#, None);
        assert!(html("x", &read).contains(">Read a notebook<"));
    }
}
