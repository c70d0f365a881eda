//! The conversation itself: goals that were set, places to go back to, fresh starts.

use askama::Template;

use crate::html::Html;

use super::{Act, Body, Drawing, Glimpse, Label, ToolView, boxes, outcome};

const WHAT: &[&str] = &[
    "goal",
    "objective",
    "report",
    "summary",
    "title",
    "text",
    "reason",
    "op",
];

/// Draws what was done to the conversation.
pub(crate) struct Session;

#[derive(Template)]
#[template(path = "tools/session.html")]
struct SessionTemplate {
    call: Html,
    result: Html,
}

impl ToolView for Session {
    fn name(&self) -> &'static str {
        "session"
    }

    fn names(&self) -> &'static [&'static str] {
        &[
            "checkpoint",
            "rewind",
            "goal",
            "create_goal",
            "update_goal",
            "get_goal",
            "new_context",
            "compact",
        ]
    }

    fn label(&self, act: &Act<'_>) -> Label {
        Label::words(words(act).0)
    }

    fn activity(&self, act: &Act<'_>) -> String {
        words(act).1.to_owned()
    }

    fn glimpse(&self, act: &Act<'_>) -> Glimpse {
        Glimpse::Words(act.args.words_or_free(WHAT).unwrap_or_default().to_owned())
    }

    fn outcome(&self, act: &Act<'_>) -> Option<String> {
        Some(outcome::single(act))
    }

    fn body(&self, act: &Act<'_>, drawing: &Drawing<'_>) -> Option<Body> {
        Some(Body::whole(&SessionTemplate {
            call: boxes::rest(&act.args, &[], drawing),
            result: boxes::result_or_data(act, drawing),
        }))
    }
}

/// What was done, and what is being done.
fn words(act: &Act<'_>) -> (&'static str, &'static str) {
    match act.call.name.as_str() {
        "checkpoint" => ("Marked a place", "Marking a place"),
        "rewind" => ("Went back", "Going back"),
        "new_context" | "compact" => ("Started afresh", "Starting afresh"),
        _ => ("Set a goal", "Setting a goal"),
    }
}

#[cfg(test)]
mod tests {
    use crate::tools::testing::{call, html, row};

    #[test]
    fn the_row_says_what_was_done() {
        for (tool, input, label, glimpse) in [
            (
                "checkpoint",
                r#"{"goal":"find the leak"}"#,
                "Marked a place",
                "find the leak",
            ),
            (
                "rewind",
                r#"{"report":"it was the hatch"}"#,
                "Went back",
                "it was the hatch",
            ),
            (
                "goal",
                r#"{"op":"create","objective":"a dry hull"}"#,
                "Set a goal",
                "a dry hull",
            ),
            (
                "new_context",
                r#"{"summary":"so far"}"#,
                "Started afresh",
                "so far",
            ),
        ] {
            let call = call(tool, input, Some(Ok("ok")));
            assert_eq!(row("oh_my_pi", &call), format!("✓ {tool} {glimpse} → ok"));
            assert!(html("oh_my_pi", &call).contains(label), "{label}");
        }
    }
}
