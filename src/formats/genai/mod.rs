//! What the programs around the Gemini API have in common: messages out of its parts, tools that
//! answer in its function responses, what their terminals showed of it, and the context that they
//! put around a person's words. The formats below are Gemini CLI and Qwen Code, its fork.

mod context;
mod display;
mod flow;
mod parts;
mod results;
mod shell;
mod terminal;
#[cfg(test)]
mod tests;

pub(crate) use context::{spoken, summary};
pub(crate) use flow::{Flow, Message, Row, What};
pub(crate) use parts::{Answer, Content, input};
pub(crate) use results::{Shown, settle};

/// Whether a tool starts a subagent.
pub(crate) fn starts_agent(tool: &str) -> bool {
    matches!(
        tool,
        "invoke_agent"
            | "delegate_to_agent"
            | "codebase_investigator"
            | "cli_help"
            | "generalist"
            | "browser_agent"
            | "task"
            | "agent"
            | "Task"
            | "Agent"
    )
}
