//! Looks at what agents are doing.

use askama::Template;

use crate::html::Html;

use super::{Act, Body, Drawing, Glimpse, Label, ToolView, boxes, outcome};

const AGENT: &[&str] = &[
    "conversationId",
    "agentId",
    "agent_id",
    "id",
    "ids",
    "targets",
    "taskId",
    "task_id",
    "agent",
];

/// Draws what was learned of agents.
pub(crate) struct AgentRead;

#[derive(Template)]
#[template(path = "tools/agent_read.html")]
struct AgentReadTemplate {
    call: Html,
    result: Html,
}

impl ToolView for AgentRead {
    fn name(&self) -> &'static str {
        "agent_read"
    }

    fn names(&self) -> &'static [&'static str] {
        &[
            "read_agent",
            "list_agents",
            "codex/wait",
            "wait_agent",
            "close_agent",
            "TaskGet",
            "TaskList",
            "hub",
            "vibe_wait",
            "vibe_list",
        ]
    }

    fn label(&self, _: &Act<'_>) -> Label {
        Label::words("Checked on agents")
    }

    fn activity(&self, _: &Act<'_>) -> String {
        "Checking on agents".to_owned()
    }

    fn glimpse(&self, act: &Act<'_>) -> Glimpse {
        Glimpse::Code(act.args.told(AGENT).unwrap_or_default())
    }

    fn outcome(&self, act: &Act<'_>) -> Option<String> {
        Some(outcome::lines_or_failure(act))
    }

    fn body(&self, act: &Act<'_>, drawing: &Drawing<'_>) -> Option<Body> {
        Some(Body::whole(&AgentReadTemplate {
            call: boxes::rest(&act.args, &[], drawing),
            result: boxes::result_or_data(act, drawing),
        }))
    }
}

#[cfg(test)]
mod tests {
    use crate::tools::testing::{call, row};

    #[test]
    fn the_row_has_the_agents_ids_if_there_are_any() {
        let one = call("read_agent", r#"{"conversationId":"a1"}"#, Some(Ok("x\ny")));
        assert_eq!(row("dispatch", &one), "✓ read_agent a1 → 2 lines");
        let all = call("list_agents", "{}", Some(Ok("")));
        assert_eq!(row("dispatch", &all), "✓ list_agents → no output");
        let two = call("wait_agent", r#"{"targets":["a1","a2"]}"#, None);
        assert_eq!(row("codex", &two), "◌ wait_agent a1, a2 incomplete");
    }
}
