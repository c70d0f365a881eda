//! Commands that were stopped.

use askama::Template;

use crate::html::Html;

use super::shell_io::ID;
use super::{Act, Body, Drawing, Glimpse, Label, ToolView, boxes, outcome};

/// Draws the end of a command in the background.
pub(crate) struct ShellKill;

#[derive(Template)]
#[template(path = "tools/shell_kill.html")]
struct ShellKillTemplate {
    fields: Html,
    output: Html,
}

impl ToolView for ShellKill {
    fn name(&self) -> &'static str {
        "shell_kill"
    }

    fn names(&self) -> &'static [&'static str] {
        &[
            "KillShell",
            "KillBash",
            "TaskStop",
            "cancel_job",
            "kill_terminal",
            "stop_bash",
            "vibe_kill",
        ]
    }

    fn label(&self, _: &Act<'_>) -> Label {
        Label::words("Stopped a command")
    }

    fn activity(&self, _: &Act<'_>) -> String {
        "Stopping a command".to_owned()
    }

    fn glimpse(&self, act: &Act<'_>) -> Glimpse {
        act.args
            .word(ID)
            .map_or_else(Glimpse::default, Glimpse::Code)
    }

    fn outcome(&self, act: &Act<'_>) -> Option<String> {
        Some(outcome::single(act))
    }

    fn body(&self, act: &Act<'_>, drawing: &Drawing<'_>) -> Option<Body> {
        Some(Body::whole(&ShellKillTemplate {
            fields: boxes::rest(&act.args, &[], drawing),
            output: boxes::result(act, "Stopping…", drawing),
        }))
    }
}

#[cfg(test)]
mod tests {
    use crate::tools::testing::{body, call, row};

    #[test]
    fn the_row_names_the_command_that_was_stopped() {
        let call = call(
            "KillShell",
            r#"{"shell_id":"dce0af"}"#,
            Some(Ok("Killed dce0af")),
        );
        assert_eq!(row("x", &call), "✓ KillShell dce0af → Killed dce0af");
        assert!(body("x", &call).contains("shell_iddce0af"));
    }
}
