//! The word that a task is done.

use askama::Template;

use crate::html::Html;
use crate::markdown;
use crate::model::ToolStatus;

use super::{Act, Body, Drawing, Glimpse, Label, ToolView, boxes, card};

const WORDS: &[&str] = &[
    "result",
    "message",
    "summary",
    "answer",
    "final_thought",
    "thought",
    "text",
    "content",
];

/// Draws what an agent says at the end of its work.
pub(crate) struct Finish;

#[derive(Template)]
#[template(path = "tools/finish.html")]
struct FinishTemplate {
    words: Option<Html>,
    call: Html,
    result: Html,
}

impl ToolView for Finish {
    fn name(&self) -> &'static str {
        "finish"
    }

    fn names(&self) -> &'static [&'static str] {
        &[
            "attempt_completion",
            "finish",
            "submit",
            "complete_task",
            "structured_output",
            "task_complete",
            "yield",
        ]
    }

    fn label(&self, _: &Act<'_>) -> Label {
        Label::words("Finished")
    }

    fn activity(&self, _: &Act<'_>) -> String {
        "Finishing".to_owned()
    }

    fn glimpse(&self, act: &Act<'_>) -> Glimpse {
        let words = act.args.words_or_free(WORDS).or_else(|| data(act));
        let words = words.unwrap_or_default();
        Glimpse::Words(markdown::first_line(words, card::GLIMPSE))
    }

    fn outcome(&self, _: &Act<'_>) -> Option<String> {
        None
    }

    fn body(&self, act: &Act<'_>, drawing: &Drawing<'_>) -> Option<Body> {
        let words = act.args.named(WORDS);
        let words = words.or_else(|| Some(("result", data(act)?)));
        let drawn = words.map_or("", |(name, _)| name);
        let words = words.map(|(_, words)| words).or(act.args.free.as_deref());
        // Such a call often has no result, and nothing is missing then.
        let says_nothing = act.output.text.trim().is_empty() && act.output.trailer.is_empty();
        let result = if says_nothing && act.status != ToolStatus::Running {
            Html::default()
        } else {
            boxes::result_or_data(act, drawing)
        };
        Some(Body::whole(&FinishTemplate {
            words: words.map(|words| boxes::prose(words, drawing)),
            call: boxes::fields(act.args.rest(&[&[drawn]]), drawing),
            result,
        }))
    }
}

/// The words of a result that holds nothing but them.
fn data<'a>(act: &'a Act<'_>) -> Option<&'a str> {
    let result = act.args.get(&["result"])?.as_object()?;
    let data = result.get("data")?.as_str()?;
    (result.len() == 1).then_some(data)
}

#[cfg(test)]
mod tests {
    use crate::tools::testing::{call, html, row, text};

    #[test]
    fn the_last_words_are_prose() {
        let input = r#"{"result":"All done.\n\nReally.","command":"open garden.html"}"#;
        let ended = call("attempt_completion", input, Some(Ok("")));
        assert_eq!(row("cline", &ended), "✓ attempt_completion All done.");
        let words = text(&html("cline", &ended));
        assert!(words.contains("Really.") && words.contains("open garden.html"));
        assert!(!words.contains("No output."));
    }

    #[test]
    fn what_the_tool_answered_is_there() {
        let call = call("submit", "{}", Some(Ok("diff --git")));
        assert!(text(&html("swe_agent", &call)).contains("diff --git"));
    }
}
