//! Documents that were written beside the conversation.

use askama::Template;

use crate::highlight::Language;
use crate::html::Html;

use super::{Act, Badge, Body, Drawing, Glimpse, Label, ToolView, boxes, outcome};

const TITLE: &[&str] = &["title", "name", "id", "textdoc_id"];
const CONTENT: &[&str] = &["content", "file_text", "code"];

/// Draws a document as the text it was written as; it is never run or rendered.
pub(crate) struct Artifact;

#[derive(Template)]
#[template(path = "tools/artifact.html")]
struct ArtifactTemplate {
    call: Html,
    content: Option<Html>,
    result: Html,
}

impl ToolView for Artifact {
    fn name(&self) -> &'static str {
        "artifact"
    }

    fn names(&self) -> &'static [&'static str] {
        &[
            "artifacts",
            "create_artifact",
            "record_artifact",
            "Artifact",
            "canmore.create_textdoc",
            "canmore.update_textdoc",
            "canmore.comment_textdoc",
            "canvas",
        ]
    }

    fn label(&self, _: &Act<'_>) -> Label {
        Label::words("Wrote a document")
    }

    fn activity(&self, _: &Act<'_>) -> String {
        "Writing a document".to_owned()
    }

    fn glimpse(&self, act: &Act<'_>) -> Glimpse {
        Glimpse::Words(act.args.words(TITLE).unwrap_or_default().to_owned())
    }

    fn badges(&self, act: &Act<'_>) -> Vec<Badge> {
        let command = act.args.words(&["command"]).or_else(|| {
            let tool = act.call.name.strip_prefix("canmore.")?;
            Some(tool.trim_end_matches("_textdoc"))
        });
        command.map(Badge::plain).into_iter().collect()
    }

    fn outcome(&self, act: &Act<'_>) -> Option<String> {
        Some(outcome::single(act))
    }

    fn body(&self, act: &Act<'_>, drawing: &Drawing<'_>) -> Option<Body> {
        let content = act.args.named(CONTENT);
        let drawn = content.map_or("", |(name, _)| name);
        Some(Body::whole(&ArtifactTemplate {
            call: boxes::rest(&act.args, &[&[drawn]], drawing),
            content: content.map(|(_, content)| boxes::code(content, language(act), drawing)),
            result: boxes::result_or_data(act, drawing),
        }))
    }
}

/// The language of the document: as given, else by its type, such as `code/python`,
/// `text/html` or `image/svg+xml`.
fn language(act: &Act<'_>) -> Option<Language> {
    let given = act.args.words(&["language"]);
    given.and_then(Language::from_name).or_else(|| {
        let (_, kind) = act.args.words(&["type"])?.split_once('/')?;
        let kind = kind.rsplit(['.', '+']).next().unwrap_or(kind);
        Language::from_name(if kind == "react" { "jsx" } else { kind })
    })
}

#[cfg(test)]
mod tests {
    use crate::tools::testing::{call, html, row, text};

    #[test]
    fn a_document_is_shown_as_its_text() {
        let input = r#"{"id":"garden","title":"Garden","command":"create","type":"text/html","content":"<script>dig()</script>"}"#;
        let call = call("artifacts", input, Some(Ok("OK")));
        assert_eq!(row("claude", &call), "✓ artifacts Garden create → OK");
        let html = html("claude", &call);
        assert!(!html.contains("<script"));
        assert!(text(&html).contains("<script>dig()</script>"));
    }

    #[test]
    fn a_change_of_a_document_shows_what_changed() {
        let input = r#"{"id":"garden","command":"update","old_str":"roses","new_str":"beans"}"#;
        let changed = call("artifacts", input, None);
        assert_eq!(
            row("claude", &changed),
            "◌ artifacts garden update incomplete"
        );
        let words = text(&html("claude", &changed));
        assert!(words.contains("roses") && words.contains("beans"));
        let canvas = call("canmore.update_textdoc", r#"{"updates":[]}"#, None);
        assert_eq!(
            row("chatgpt", &canvas),
            "◌ canmore.update_textdoc update incomplete"
        );
    }
}
