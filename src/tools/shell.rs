//! Commands that were run in a shell.

use askama::Template;

use crate::html::{Html, Text};

use super::args::COMMAND;
use super::{Act, Badge, Body, Drawing, Glimpse, Label, ToolView, boxes, outcome};

/// Draws a command with its output.
pub(crate) struct Shell;

/// Arguments that the row's badges show.
const FOLDER: &[&str] = &[
    "cwd",
    "workdir",
    "working_directory",
    "working_dir",
    "dir_path",
    "directory",
];
const TIMEOUT: &[&str] = &["timeout", "timeout_ms", "timeoutMs"];
const BACKGROUND: &[&str] = &[
    "run_in_background",
    "isBackground",
    "is_background",
    "background",
];

#[derive(Template)]
#[template(path = "tools/shell.html")]
struct ShellTemplate<'a> {
    description: Option<Text<'a>>,
    command: Option<Text<'a>>,
    rest: Html,
    output: Html,
}

impl ToolView for Shell {
    fn name(&self) -> &'static str {
        "shell"
    }

    fn names(&self) -> &'static [&'static str] {
        &[
            "run_shell",
            "Bash",
            "PowerShell",
            "shell",
            "shell_command",
            "exec_command",
            "local_shell",
            "container.exec",
            "exec",
            "unified_exec",
            "run_shell_command",
            "bash_tool",
            "execute_command",
            "run_in_terminal",
            "run_terminal_cmd",
            "execute_bash",
            "cmd_run",
            "developer__shell",
            "terminal",
            "ssh",
        ]
    }

    fn label(&self, _: &Act<'_>) -> Label {
        Label::words("Ran a command")
    }

    fn activity(&self, _: &Act<'_>) -> String {
        "Running a command".to_owned()
    }

    fn glimpse(&self, act: &Act<'_>) -> Glimpse {
        act.args
            .command()
            .map_or_else(Glimpse::default, Glimpse::Code)
    }

    fn badges(&self, act: &Act<'_>) -> Vec<Badge> {
        let mut badges = Vec::new();
        if let Some(folder) = act.args.text(FOLDER) {
            badges.push(Badge::plain(format!("cwd={}", act.short_path(folder))));
        }
        if let Some(timeout) = act.args.number(TIMEOUT).filter(|timeout| *timeout > 0) {
            // Every vendor counts in milliseconds but for small numbers, which can only be seconds.
            let seconds = if timeout >= 1_000 {
                timeout / 1_000
            } else {
                timeout
            };
            badges.push(Badge::plain(format!("timeout={seconds}s")));
        }
        if act.args.flag(BACKGROUND)
            || act
                .details()
                .is_some_and(|details| details.background.is_some())
        {
            badges.push(Badge::plain("background"));
        }
        if let Some(code) = act
            .details()
            .and_then(|details| details.exit_code)
            .filter(|code| *code != 0)
        {
            badges.push(Badge::plain(format!("exit {code}")));
        }
        badges
    }

    fn outcome(&self, act: &Act<'_>) -> Option<String> {
        Some(outcome::lines(act))
    }

    fn body(&self, act: &Act<'_>, drawing: &Drawing<'_>) -> Option<Body> {
        let command = act.args.command();
        // Without a command the call is something else under a shell's name.
        command
            .as_ref()
            .or(act.args.is_empty().then_some(&String::new()))?;
        Some(Body::whole(&ShellTemplate {
            description: act.args.text(&["description"]).map(Text),
            command: command.as_deref().map(Text),
            rest: boxes::rest(&act.args, &[COMMAND, &["description"]], drawing),
            output: boxes::result(act, "Running…", drawing),
        }))
    }
}

#[cfg(test)]
mod tests {
    use crate::tools::testing::{call, html, row};

    /// S1-10: the row of a command, done and failed.
    #[test]
    fn s1_10_a_command_is_followed_by_its_lines() {
        let lines = "x\n".repeat(42);
        let done = call(
            "run_shell",
            r#"{"command":"bun run test"}"#,
            Some(Ok(&lines)),
        );
        assert_eq!(
            row("dispatch", &done),
            "✓ run_shell bun run test → 42 lines"
        );
        let lines = "x\n".repeat(12);
        let failed = call(
            "run_shell",
            r#"{"command":"bun run typecheck"}"#,
            Some(Err(&lines)),
        );
        assert_eq!(
            row("dispatch", &failed),
            "✗ run_shell bun run typecheck → failed · 12 lines"
        );
    }

    /// S1-11: the body begins with the command behind a `$` that cannot be selected.
    #[test]
    fn s1_11_the_body_begins_with_the_command() {
        let html = html(
            "dispatch",
            &call("run_shell", r#"{"command":"ls -l"}"#, Some(Ok("a"))),
        );
        let body = &html[html.find("class=\"body\"").expect("a body")..];
        let text = crate::tools::testing::text(body);
        assert!(
            text.split_once('>')
                .expect("the tag's end")
                .1
                .trim_start()
                .starts_with("$ ls -l"),
            "{text}"
        );
        assert!(body.contains("<span class=\"ps\">$ </span>"));
    }

    /// S1-17: timed out and truncated outputs say so.
    #[test]
    fn s1_17_trailers_become_facts() {
        let input = r#"{"command":"sleep 99"}"#;
        let timed_out = call("run_shell", input, Some(Err("a\nb\n\n[Command timed out]")));
        assert!(row("dispatch", &timed_out).ends_with("→ timed out · 2 lines"));
        let cut = call(
            "run_shell",
            input,
            Some(Ok("a\nb\n[Output truncated: 9 lines left out]")),
        );
        assert!(row("dispatch", &cut).ends_with("→ 2 lines · truncated"));
        assert!(html("dispatch", &cut).contains("9 lines left out"));
    }
}
