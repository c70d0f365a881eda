//! Questions about pictures, put to another model.

use askama::Template;

use crate::html::Html;

use super::{Act, Body, Drawing, Glimpse, Label, ToolView, boxes, outcome};

/// Draws a question about a picture with its answer.
pub(crate) struct Vision;

#[derive(Template)]
#[template(path = "tools/vision.html")]
struct VisionTemplate {
    call: Html,
    result: Html,
}

impl ToolView for Vision {
    fn name(&self) -> &'static str {
        "vision"
    }

    fn names(&self) -> &'static [&'static str] {
        &["consult_vision"]
    }

    fn label(&self, _: &Act<'_>) -> Label {
        Label::words("Asked about an image")
    }

    fn activity(&self, _: &Act<'_>) -> String {
        "Asking about an image".to_owned()
    }

    fn glimpse(&self, act: &Act<'_>) -> Glimpse {
        let question = act.args.words_or_free(&["question", "prompt", "query"]);
        Glimpse::Words(question.unwrap_or_default().to_owned())
    }

    fn outcome(&self, act: &Act<'_>) -> Option<String> {
        Some(outcome::lines_or_failure(act))
    }

    fn body(&self, act: &Act<'_>, drawing: &Drawing<'_>) -> Option<Body> {
        Some(Body::whole(&VisionTemplate {
            call: boxes::rest(&act.args, &[], drawing),
            result: boxes::result(act, "Asking…", drawing),
        }))
    }
}

#[cfg(test)]
mod tests {
    use crate::tools::testing::{call, html, row, text};

    #[test]
    fn the_row_has_the_question() {
        let input = r#"{"question":"Is it red?","imageIds":["i1","i2"]}"#;
        let call = call("consult_vision", input, Some(Ok("c1\nYes.")));
        assert_eq!(
            row("dispatch", &call),
            "✓ consult_vision Is it red? → 2 lines"
        );
        assert!(text(&html("dispatch", &call)).contains("\"i2\""));
    }
}
