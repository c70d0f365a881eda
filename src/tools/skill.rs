//! Skills and commands that were loaded.

use askama::Template;

use crate::html::Html;

use super::{Act, Body, Drawing, Glimpse, Label, ToolView, boxes, outcome};

/// Draws a skill with what it told the model.
pub(crate) struct Skill;

#[derive(Template)]
#[template(path = "tools/skill.html")]
struct SkillTemplate {
    call: Html,
    result: Html,
}

impl ToolView for Skill {
    fn name(&self) -> &'static str {
        "skill"
    }

    fn names(&self) -> &'static [&'static str] {
        &[
            "load_skill",
            "Skill",
            "SlashCommand",
            "activate_skill",
            "run_slash_command",
            "fetch_instructions",
            "manage_skill",
        ]
    }

    fn label(&self, _: &Act<'_>) -> Label {
        Label::words("Loaded a skill")
    }

    fn activity(&self, _: &Act<'_>) -> String {
        "Loading a skill".to_owned()
    }

    fn glimpse(&self, act: &Act<'_>) -> Glimpse {
        let name = act
            .args
            .words_or_free(&["name", "skill", "command", "task"]);
        Glimpse::Code(name.unwrap_or_default().to_owned())
    }

    fn outcome(&self, act: &Act<'_>) -> Option<String> {
        Some(outcome::lines_or_failure(act))
    }

    fn body(&self, act: &Act<'_>, drawing: &Drawing<'_>) -> Option<Body> {
        Some(Body::whole(&SkillTemplate {
            call: boxes::rest(&act.args, &[], drawing),
            result: boxes::result(act, "Loading…", drawing),
        }))
    }
}

#[cfg(test)]
mod tests {
    use crate::tools::testing::{call, html, row, text};

    #[test]
    fn a_skill_goes_by_its_name() {
        let call = call(
            "Skill",
            r#"{"skill":"gardening","args":"roses"}"#,
            Some(Ok("Dig.")),
        );
        assert_eq!(row("claude_code", &call), "✓ Skill gardening → 1 line");
        let body = text(&html("claude_code", &call));
        assert!(body.contains("roses") && body.contains("Dig."));
    }
}
