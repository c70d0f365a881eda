//! Plans, and the ways into and out of planning.

use askama::Template;

use crate::html::Html;
use crate::markdown;

use super::{Act, Body, Drawing, Glimpse, Label, ToolView, boxes, card, outcome};

const PLAN: &[&str] = &["plan", "response", "content", "text"];
/// What says most where there is no plan: the mode that was entered, and why.
const MODE: &[&str] = &[
    "mode",
    "mode_slug",
    "agent",
    "name",
    "reason",
    "plan_filename",
    "plan_path",
];

/// Draws a plan as prose.
pub(crate) struct Plan;

#[derive(Template)]
#[template(path = "tools/plan.html")]
struct PlanTemplate {
    plan: Option<Html>,
    call: Html,
    result: Html,
}

impl ToolView for Plan {
    fn name(&self) -> &'static str {
        "plan"
    }

    fn names(&self) -> &'static [&'static str] {
        &[
            "ExitPlanMode",
            "EnterPlanMode",
            "plan_exit",
            "plan_enter",
            "plan_mode_respond",
            "switch_mode",
            "switch_agent",
        ]
    }

    fn label(&self, _: &Act<'_>) -> Label {
        Label::words("Made a plan")
    }

    fn activity(&self, _: &Act<'_>) -> String {
        "Making a plan".to_owned()
    }

    fn glimpse(&self, act: &Act<'_>) -> Glimpse {
        let plan = act.args.words_or_free(PLAN).or(act.args.words(MODE));
        let line = markdown::first_line(plan.unwrap_or_default(), card::GLIMPSE);
        Glimpse::Words(line)
    }

    fn outcome(&self, act: &Act<'_>) -> Option<String> {
        Some(outcome::single(act))
    }

    fn body(&self, act: &Act<'_>, drawing: &Drawing<'_>) -> Option<Body> {
        let plan = act.args.named(PLAN);
        let drawn = plan.map_or("", |(name, _)| name);
        let plan = plan.map(|(_, plan)| plan).or(act.args.free.as_deref());
        Some(Body::whole(&PlanTemplate {
            plan: plan.map(|plan| boxes::prose(plan, drawing)),
            call: boxes::fields(act.args.rest(&[&[drawn]]), drawing),
            result: boxes::result(act, "Waiting for an answer…", drawing),
        }))
    }
}

#[cfg(test)]
mod tests {
    use crate::tools::testing::{call, html, row, text};

    #[test]
    fn a_plan_is_prose_under_its_first_line() {
        let input = r#"{"plan":"Two steps\n\n1. Dig\n2. Plant","isAgent":false}"#;
        let call = call("exit_plan_mode", input, Some(Ok("Approved.")));
        assert_eq!(
            row("claude_code", &call),
            "✓ exit_plan_mode Two steps → Approved."
        );
        let html = html("claude_code", &call);
        assert!(html.contains("class=\"text prose\""));
        let body = text(&html);
        assert!(body.contains("Plant") && body.contains("isAgent") && body.contains("Approved."));
    }

    #[test]
    fn a_change_of_mode_says_which() {
        let call = call(
            "switch_mode",
            r#"{"mode_slug":"code","reason":"Ready."}"#,
            None,
        );
        assert_eq!(row("roo", &call), "◌ switch_mode code incomplete");
        assert!(text(&html("roo", &call)).contains("Ready."));
    }
}
