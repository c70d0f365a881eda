//! Looks at commands that run in the background, and what was typed into them.

use askama::Template;

use crate::html::Html;

use super::args::COMMAND;
use super::shell::exit_badge;
use super::{Act, Badge, Body, Drawing, Glimpse, Label, ToolView, boxes, outcome};

/// Draws a look at a running command.
pub(crate) struct ShellIo;

/// Names of the argument that says which command is meant.
pub(super) const ID: &[&str] = &[
    "bash_id",
    "shell_id",
    "task_id",
    "session_id",
    "job_id",
    "terminal_id",
    "process_id",
    "artifact_id",
    "shellId",
    "sessionId",
    "terminalId",
    "id",
];
const TYPED: &[&str] = &["chars", "input", "data"];
const DESCRIPTION: &[&str] = &["description"];

#[derive(Template)]
#[template(path = "tools/shell_io.html")]
struct ShellIoTemplate {
    fields: Html,
    output: Html,
}

impl ToolView for ShellIo {
    fn name(&self) -> &'static str {
        "shell_io"
    }

    fn names(&self) -> &'static [&'static str] {
        &[
            "write_stdin",
            "BashOutput",
            "TaskOutput",
            "AgentOutputTool",
            "get_terminal_output",
            "terminal_last_command",
            "get_task_output",
            "read_command_output",
            "read_bash",
            "read_background_output",
            "list_background_processes",
            "write_bash",
            "oh_my_pi/job",
            "oh_my_pi/poll",
            "oh_my_pi/await",
            "oh_my_pi/wait",
            "Monitor",
        ]
    }

    fn label(&self, act: &Act<'_>) -> Label {
        match typed(act) {
            Some(_) => Label::words("Typed into a command"),
            None => Label::words("Checked a command"),
        }
    }

    fn activity(&self, act: &Act<'_>) -> String {
        let doing = match typed(act) {
            Some(_) => "Typing into a command",
            None => "Checking a command",
        };
        doing.to_owned()
    }

    fn glimpse(&self, act: &Act<'_>) -> Glimpse {
        if let Some(typed) = typed(act) {
            return Glimpse::Code(keys(typed));
        }
        if let Some(id) = act.args.word(ID) {
            return Glimpse::Code(id);
        }
        match act.args.text(DESCRIPTION) {
            Some(description) => Glimpse::Words(description.to_owned()),
            None => act
                .args
                .command()
                .map_or_else(Glimpse::default, Glimpse::Code),
        }
    }

    fn badges(&self, act: &Act<'_>) -> Vec<Badge> {
        let status = status(act.output.text).map(Badge::plain);
        status.into_iter().chain(exit_badge(act)).collect()
    }

    fn outcome(&self, act: &Act<'_>) -> Option<String> {
        Some(outcome::lines(act))
    }

    fn body(&self, act: &Act<'_>, drawing: &Drawing<'_>) -> Option<Body> {
        let command = act.args.command().filter(|_| act.args.free.is_none());
        let mut fields = command
            .as_deref()
            .map_or_else(Html::default, |command| boxes::command(command, drawing));
        let drawn: &[&[&str]] = if command.is_some() { &[COMMAND] } else { &[] };
        fields.push(&boxes::rest(&act.args, drawn, drawing));
        Some(Body::whole(&ShellIoTemplate {
            fields,
            output: boxes::result(act, "Checking…", drawing),
        }))
    }
}

/// What was typed; looking alone is to type nothing.
fn typed<'a>(act: &'a Act<'_>) -> Option<&'a str> {
    act.args.text(TYPED).filter(|typed| !typed.is_empty())
}

/// What was typed as it reads: keys that write nothing by their usual names (`^C`), the last Enter
/// only where there is nothing else.
fn keys(typed: &str) -> String {
    let text = typed.trim_end_matches(['\r', '\n']);
    if text.is_empty() {
        return "⏎".to_owned();
    }
    let mut keys = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\r' | '\n' | '\t' => keys.push(' '),
            '\0'..='\u{1f}' => keys.extend(['^', char::from(c as u8 + b'@')]),
            '\u{7f}' => keys.push_str("^?"),
            _ => keys.push(c),
        }
    }
    keys
}

/// The word in the `<status>` that begins a report.
fn status(text: &str) -> Option<&str> {
    let (_, rest) = text.split_once("<status>")?;
    let (status, _) = rest.split_once("</status>")?;
    let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | ' ');
    (!status.is_empty() && status.len() <= 20 && status.chars().all(is_word)).then_some(status)
}

#[cfg(test)]
mod tests {
    use crate::tools::testing::{body, call, html, row};

    #[test]
    fn the_row_names_the_command_and_how_it_stands() {
        let report = "<status>running</status>\n\n<stdout>\nready\n</stdout>";
        let call = call("BashOutput", r#"{"bash_id":"7d95c5"}"#, Some(Ok(report)));
        assert_eq!(row("x", &call), "✓ BashOutput 7d95c5 running → 5 lines");
        assert!(body("x", &call).contains("ready"));
    }

    #[test]
    fn what_was_typed_goes_before_the_id() {
        let typed = call(
            "write_stdin",
            r#"{"session_id":7,"chars":"yes\n"}"#,
            Some(Ok("")),
        );
        assert_eq!(row("x", &typed), "✓ write_stdin yes → no output");
        let polled = call("write_stdin", r#"{"session_id":7,"chars":""}"#, None);
        assert_eq!(row("x", &polled), "◌ write_stdin 7 incomplete");
        assert!(body("x", &typed).contains("session_id7"));
        assert!(html("x", &typed).contains("Typed into a command"));
        assert!(html("x", &polled).contains("Checked a command"));
    }

    #[test]
    fn keys_that_write_nothing_have_names() {
        let row = |chars: &str| {
            let input = serde_json::json!({ "session_id": 7, "chars": chars }).to_string();
            row("x", &call("write_stdin", &input, None))
        };
        assert_eq!(row("\u{3}"), "◌ write_stdin ^C incomplete");
        assert_eq!(row("\n"), "◌ write_stdin ⏎ incomplete");
        assert_eq!(row("\u{1b}[A\r"), "◌ write_stdin ^[[A incomplete");
    }

    #[test]
    fn a_watch_shows_its_command() {
        let input =
            r#"{"description":"CI of the shop","command":"gh pr checks","persistent":false}"#;
        let call = call("Monitor", input, Some(Ok("started")));
        assert_eq!(row("x", &call), "✓ Monitor CI of the shop → 1 line");
        let body = body("x", &call);
        assert!(body.starts_with("$ gh pr checks"), "{body}");
        assert!(body.contains("CI of the shop"));
    }
}
