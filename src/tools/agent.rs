//! Agents that were started for a part of the work.

use askama::Template;

use crate::figures::{counted, duration};
use crate::html::{Html, Text};
use crate::markdown;
use crate::model::{AgentRun, ToolStatus};

use super::args::Args;
use super::{Act, Badge, Body, Drawing, Glimpse, Label, ToolView, boxes, card, outcome};

const TITLE: &[&str] = &["title", "description"];
const TASK: &[&str] = &[
    "task",
    "prompt",
    "message",
    "instructions",
    "instruction",
    "objective",
    "command",
    "query",
];
const KIND: &[&str] = &[
    "subagent_type",
    "agent_type",
    "agentType",
    "agent",
    "agent_name",
    "agentName",
    "mode",
];
const BACKGROUND: &[&str] = &["run_in_background", "background", "is_background"];
/// The argument that lists the tasks of several agents, and what they have in common.
const TASKS: &[&str] = &["tasks"];
const COMMON: &[&str] = &["context"];
/// Names of the argument that is one agent's task among several.
const OWN_TASK: &[&str] = &["assignment", "task", "prompt", "description"];
const NAME: &[&str] = &["name", "id", "description"];

/// Draws an agent's task and its report; its conversation follows them in the card.
pub(crate) struct Agent;

#[derive(Template)]
#[template(path = "tools/agent.html")]
struct AgentTemplate<'a> {
    tasks: Vec<Html>,
    call: Html,
    head: Option<&'static str>,
    report: Html,
    facts: Option<Text<'a>>,
}

impl ToolView for Agent {
    fn name(&self) -> &'static str {
        "agent"
    }

    fn names(&self) -> &'static [&'static str] {
        &[
            "summon_agent",
            "Task",
            "Agent",
            "invoke_agent",
            "delegate_to_agent",
            "codebase_investigator",
            "cli_help",
            "generalist",
            "browser_agent",
            "create_sub_session",
            "spawn_agent",
            "runSubagent",
            "execution_subagent",
            "new_task",
            "subagent",
            "delegate",
            "launch_extended_search_task",
            "vibe_spawn",
        ]
    }

    fn label(&self, _: &Act<'_>) -> Label {
        Label::words("Started an agent")
    }

    fn activity(&self, _: &Act<'_>) -> String {
        "Running an agent".to_owned()
    }

    fn glimpse(&self, act: &Act<'_>) -> Glimpse {
        if let Some(title) = act.args.words(TITLE) {
            return Glimpse::Quote(title.to_owned());
        }
        let several = several(act);
        if let Some(first) = several.first() {
            let names = several.iter().filter_map(|one| one.words(NAME));
            let names = names.collect::<Vec<_>>().join(", ");
            let task = first.words(OWN_TASK).unwrap_or_default();
            let words = if names.is_empty() { task } else { &names };
            return Glimpse::Words(markdown::first_line(words, card::GLIMPSE));
        }
        let task = act.args.words_or_free(TASK).unwrap_or_default();
        Glimpse::Words(markdown::first_line(task, card::GLIMPSE))
    }

    fn badges(&self, act: &Act<'_>) -> Vec<Badge> {
        let mut badges = Vec::new();
        badges.extend(act.args.words(KIND).map(Badge::plain));
        let several = several(act).len() as u64;
        if several > 0 {
            badges.push(Badge::plain(counted(several, "agent", "agents")));
        }
        let in_background = act
            .details()
            .is_some_and(|details| details.background.is_some());
        if in_background || act.args.flag(BACKGROUND) {
            badges.push(Badge::plain("background"));
        }
        badges
    }

    fn outcome(&self, act: &Act<'_>) -> Option<String> {
        Some(outcome::single(act))
    }

    fn body(&self, act: &Act<'_>, drawing: &Drawing<'_>) -> Option<Body> {
        let task = act.args.named(TASK);
        let drawn = task.map_or("", |(name, _)| name);
        let task = task.map(|(_, task)| task).or(act.args.free.as_deref());
        let mut tasks: Vec<Html> = task
            .map(|task| boxes::prose(task, drawing))
            .into_iter()
            .collect();
        let mut lists: &[&[&str]] = &[&[drawn]];
        let several = several(act);
        let drawn_all: [&[&str]; 3] = [&[drawn], TASKS, COMMON];
        if !several.is_empty() {
            lists = &drawn_all;
            let common = act.args.words(COMMON);
            tasks.extend(common.map(|common| boxes::prose(common, drawing)));
            for one in &several {
                let own = one.named(OWN_TASK);
                let own_name = own.map_or("", |(name, _)| name);
                tasks.push(boxes::fields(one.rest(&[&[own_name]]), drawing));
                tasks.extend(own.map(|(_, task)| boxes::prose(task, drawing)));
            }
        }
        let facts = act
            .details()
            .and_then(|details| details.agent.as_ref())
            .map(facts);
        Some(Body::whole(&AgentTemplate {
            tasks,
            call: boxes::fields(act.args.rest(lists), drawing),
            head: act.result().map(|_| {
                if act.status == ToolStatus::Error {
                    "Error"
                } else {
                    "Report"
                }
            }),
            report: boxes::result_as_prose(act, drawing),
            facts: facts.as_deref().filter(|facts| !facts.is_empty()).map(Text),
        }))
    }
}

/// The tasks of a call that starts several agents; none when it starts one.
fn several(act: &Act<'_>) -> Vec<Args> {
    let tasks = act.args.items(TASKS).iter().map(Args::of_object);
    let tasks: Option<Vec<Args>> = tasks.collect();
    // What they have in common must be words, or nothing.
    tasks
        .filter(|_| act.args.are_text(&[COMMON]))
        .unwrap_or_default()
}

/// What the run came to: `completed · 1m 5s · 32,100 tokens · 8 tool calls`.
fn facts(run: &AgentRun) -> String {
    let status = run.status.clone().filter(|status| !status.is_empty());
    let mut facts: Vec<String> = status.into_iter().collect();
    facts.extend(run.ms.map(duration));
    facts.extend(run.tokens.map(|n| counted(n, "token", "tokens")));
    facts.extend(
        run.tool_calls
            .map(|n| counted(n, "tool call", "tool calls")),
    );
    facts.join(" · ")
}

#[cfg(test)]
mod tests {
    use crate::model::{Details, ReplyStatus};
    use crate::tools::testing::{call, draw, html, row, row_of, text};

    use super::*;

    /// S1-10: an agent that still runs.
    #[test]
    fn s1_10_a_running_agent_has_its_title_and_no_result() {
        let input = r#"{"agent":"scout","title":"tool-call-display: research","task":"Look."}"#;
        let call = call("summon_agent", input, None);
        let html = draw("dispatch", &call, ReplyStatus::Pending)
            .0
            .into_string();
        assert_eq!(
            row_of(&html),
            "summon_agent “tool-call-display: research” scout running"
        );
        assert!(text(&html).contains("Running…"));
    }

    #[test]
    fn without_a_title_the_task_begins_the_row() {
        let call = call(
            "spawn_agent",
            r#"{"message":"\nFind it.\nThen stop."}"#,
            None,
        );
        assert_eq!(row("codex", &call), "◌ spawn_agent Find it. incomplete");
    }

    #[test]
    fn the_body_has_the_task_the_report_and_what_the_run_came_to() {
        let input = r#"{"description":"Look","prompt":"Look around.","subagent_type":"Explore","model":"small"}"#;
        let mut call = call("Task", input, Some(Ok("All *well*.\nReally.")));
        call.result.as_mut().expect("a result").details = Some(Box::new(Details {
            agent: Some(AgentRun {
                status: Some("completed".into()),
                ms: Some(65_000),
                tokens: Some(32_100),
                tool_calls: Some(1),
                ..AgentRun::default()
            }),
            ..Details::default()
        }));
        assert_eq!(row("claude_code", &call), "✓ Task “Look” Explore → 2 lines");
        let html = html("claude_code", &call);
        let body = text(&html[html.find("class=\"body\"").expect("a body")..]);
        let parts = [
            "Task",
            "Look around.",
            "Look",
            "Explore",
            "small",
            "Report",
            "Really.",
            "completed · 1m 5s · 32,100 tokens · 1 tool call",
        ];
        let mut from = 0;
        for part in parts {
            from += body[from..]
                .find(part)
                .unwrap_or_else(|| panic!("{part} in {body}"));
        }
        assert!(html.contains("class=\"text prose\""));
    }

    #[test]
    fn an_agent_that_was_given_nothing_has_the_programs_title() {
        let mut silent = call("task", "{}", Some(Ok("Slept.")));
        assert_eq!(row("opencode", &silent), "✓ task → Slept.");
        silent.title = Some("Sleep".to_owned());
        assert_eq!(row("opencode", &silent), "✓ task Sleep → Slept.");
    }
}
