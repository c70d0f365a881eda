//! Thoughts that were written down by a tool.

use askama::Template;

use crate::html::Html;
use crate::markdown;

use super::{Act, Body, Drawing, Glimpse, Label, ToolView, boxes, card};

const THOUGHT: &[&str] = &[
    "thought", "thoughts", "intent", "title", "content", "text", "summary",
];

/// Draws a thought as prose.
pub(crate) struct Think;

#[derive(Template)]
#[template(path = "tools/think.html")]
struct ThinkTemplate {
    thought: Html,
    call: Html,
}

impl ToolView for Think {
    fn name(&self) -> &'static str {
        "think"
    }

    fn names(&self) -> &'static [&'static str] {
        &[
            "think",
            "copilot_think",
            "sequentialthinking",
            "update_topic",
            "report_intent",
        ]
    }

    fn label(&self, _: &Act<'_>) -> Label {
        Label::words("Thought")
    }

    fn activity(&self, _: &Act<'_>) -> String {
        "Thinking".to_owned()
    }

    fn glimpse(&self, act: &Act<'_>) -> Glimpse {
        let thought = act.args.words_or_free(THOUGHT).unwrap_or_default();
        Glimpse::Words(markdown::first_line(thought, card::GLIMPSE))
    }

    fn outcome(&self, _: &Act<'_>) -> Option<String> {
        None
    }

    fn body(&self, act: &Act<'_>, drawing: &Drawing<'_>) -> Option<Body> {
        let thought = act.args.named(THOUGHT);
        let drawn = thought.map_or("", |(name, _)| name);
        let thought = thought
            .map(|(_, thought)| thought)
            .or(act.args.free.as_deref())?;
        // What such a tool answers says nothing, so it stands folded, as recorded.
        Some(Body::derived(&ThinkTemplate {
            thought: boxes::prose(thought, drawing),
            call: boxes::fields(act.args.rest(&[&[drawn]]), drawing),
        }))
    }

    fn is_thought(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use crate::tools::testing::{call, html, row, text};

    #[test]
    fn a_thought_is_prose_and_has_no_result_on_its_row() {
        let input = r#"{"thought":"First.\nThen.","nextThoughtNeeded":true}"#;
        let call = call("think", input, Some(Ok("Your thought has been logged.")));
        assert_eq!(row("openhands", &call), "✓ think First.");
        let text = text(&html("openhands", &call));
        for part in [
            "Then.",
            "nextThoughtNeeded",
            "Result as recorded",
            "has been logged",
        ] {
            assert!(text.contains(part), "{part}");
        }
    }

    #[test]
    fn without_a_thought_the_body_is_the_default_one() {
        let html = html("x", &call("think", r#"{"a":1}"#, Some(Ok("b"))));
        assert!(html.contains("<p class=\"head\">Input</p>"));
    }
}
