//! Commands that were run in a shell.

use askama::Template;

use crate::figures::one_line;
use crate::html::{Html, Text};

use super::args::{Args, COMMAND};
use super::{Act, Badge, BadgeTone, Body, Drawing, Glimpse, Label, ToolView, boxes, outcome};

/// Draws a command with its output.
pub(crate) struct Shell;

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
    "async",
];
/// What the command is for, in a sentence.
const DESCRIPTION: &[&str] = &["description", "_i", "i"];
/// A task of the project.
const TASK: &[&str] = &["op"];
/// Several commands at once.
const COMMANDS: &[&str] = &["commands"];
/// Characters that a badge shows of an id.
const ID: usize = 16;

#[derive(Template)]
#[template(path = "tools/shell.html")]
struct ShellTemplate<'a> {
    command: Html,
    description: Option<Text<'a>>,
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
            "command_execution",
            "container.exec",
            "exec",
            "unified_exec",
            "run_shell_command",
            "bash_tool",
            "bash_code_execution",
            "execute_command",
            "run_commands",
            "run_in_terminal",
            "run_terminal_cmd",
            "run_terminal_command",
            "execute_bash",
            "cmd_run",
            "openhands/run",
            "developer__shell",
            "terminal",
            "ssh",
            "oh_my_pi/recipe",
        ]
    }

    fn label(&self, _: &Act<'_>) -> Label {
        Label::words("Ran a command")
    }

    fn activity(&self, _: &Act<'_>) -> String {
        "Running a command".to_owned()
    }

    fn glimpse(&self, act: &Act<'_>) -> Glimpse {
        let Some((command, _)) = command(&act.args) else {
            return Glimpse::default();
        };
        // What is done is said before where, which is a badge.
        match entered(&command) {
            Some((_, rest)) => Glimpse::Code(rest.to_owned()),
            None => Glimpse::Code(command),
        }
    }

    fn badges(&self, act: &Act<'_>) -> Vec<Badge> {
        let mut badges = Vec::new();
        // That a command ran in the folder of the work is no news.
        let command = command(&act.args).map(|(command, _)| command);
        let entered = command.as_deref().and_then(entered);
        let folder = entered
            .map(|(folder, _)| folder)
            .or_else(|| act.args.text(FOLDER))
            .map(|folder| act.short_path(folder));
        if let Some(folder) = folder.filter(|folder| folder != ".") {
            badges.push(Badge::plain(format!("cwd={folder}")));
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
        let background = act
            .details()
            .and_then(|details| details.background.as_deref());
        if let Some(id) = background.filter(|id| !id.is_empty()) {
            badges.push(Badge::plain(format!("background {}", one_line(id, ID))));
        } else if act.args.flag(BACKGROUND) || background.is_some() {
            badges.push(Badge::plain("background"));
        }
        badges.extend(exit_badge(act));
        if act.details().is_some_and(|details| details.interrupted) {
            badges.push(Badge {
                text: "interrupted".to_owned(),
                tone: BadgeTone::Warn,
            });
        }
        badges
    }

    fn outcome(&self, act: &Act<'_>) -> Option<String> {
        Some(outcome::lines(act))
    }

    fn body(&self, act: &Act<'_>, drawing: &Drawing<'_>) -> Option<Body> {
        let command = command(&act.args);
        // Without a command the call is something else under a shell's name.
        if !act.args.are_text(&[DESCRIPTION]) || (command.is_none() && !act.args.is_empty()) {
            return None;
        }
        let names = command.as_ref().map_or(COMMAND, |(_, names)| names);
        Some(Body::whole(&ShellTemplate {
            command: command.map_or_else(Html::default, |(command, _)| {
                boxes::command(&command, drawing)
            }),
            description: act
                .args
                .text(DESCRIPTION)
                .filter(|text| !text.is_empty())
                .map(Text),
            rest: boxes::rest(&act.args, &[names, DESCRIPTION], drawing),
            output: boxes::result(act, "Running…", drawing),
        }))
    }
}

/// The command and the names among which its argument is.
fn command(args: &Args) -> Option<(String, &'static [&'static str])> {
    if let Some(command) = args.command() {
        return Some((command, COMMAND));
    }
    // The name of a task with its arguments, for a runner of such.
    if let Some(task) = args.words(TASK) {
        return Some((task.to_owned(), TASK));
    }
    let commands: Option<Vec<_>> = args
        .items(COMMANDS)
        .iter()
        .map(|one| one.as_str())
        .collect();
    let commands = commands.filter(|commands| !commands.is_empty())?;
    Some((commands.join("\n"), COMMANDS))
}

/// The folder that a command begins by going into, and what it does there: `cd there && make`.
/// `None` where only a shell knows which folder that is.
fn entered(command: &str) -> Option<(&str, &str)> {
    let after = command.trim_start().strip_prefix("cd ")?.trim_start();
    let (folder, rest) = match after.chars().next()? {
        quote @ ('"' | '\'') => after[1..].split_once(quote)?,
        _ => after.split_at(after.find([' ', ';', '&', '\n'])?),
    };
    let rest = rest.trim_start_matches([' ', '\t']);
    let rest = ["&&", ";", "\n"]
        .iter()
        .find_map(|joint| rest.strip_prefix(joint))?
        .trim_start();
    let is_plain = !folder.is_empty() && !folder.starts_with('-');
    let is_plain = is_plain && !folder.contains(['$', '`', '\\', '*', '?', '(', '|', '<', '>']);
    (is_plain && !rest.is_empty()).then_some((folder, rest))
}

/// The badge of an exit code that is not 0.
pub(super) fn exit_badge(act: &Act<'_>) -> Option<Badge> {
    let code = outcome::exit_code(act).filter(|code| *code != 0)?;
    Some(Badge {
        text: format!("exit {code}"),
        tone: BadgeTone::Warn,
    })
}

#[cfg(test)]
mod tests {
    use crate::model::Details;
    use crate::tools::testing::{body, call, html, row, with_details};

    const INPUT: &str = r#"{"command":"sleep 99"}"#;

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
        let call = call("run_shell", r#"{"command":"ls -l"}"#, Some(Ok("a")));
        let text = body("dispatch", &call);
        assert!(text.starts_with("$ ls -l"), "{text}");
        assert!(html("dispatch", &call).contains("<span class=\"ps\">$ </span>"));
    }

    /// S1-17: timed out and truncated outputs say so.
    #[test]
    fn s1_17_trailers_become_facts() {
        let timed_out = call("run_shell", INPUT, Some(Err("a\nb\n\n[Command timed out]")));
        assert!(row("dispatch", &timed_out).ends_with("→ timed out · 2 lines"));
        let cut = call(
            "run_shell",
            INPUT,
            Some(Ok("a\nb\n[Output truncated: 9 lines left out]")),
        );
        assert!(row("dispatch", &cut).ends_with("→ 2 lines · truncated"));
        assert!(html("dispatch", &cut).contains("9 lines left out"));
    }

    #[test]
    fn an_exit_code_is_a_badge_wherever_it_is_written() {
        for output in [
            "Exit code 2\nno such test",
            "Error: Exit code 2\nno such test",
            "no such test\n\n\nCommand exited with code 2",
        ] {
            let failed = row("x", &call("Bash", INPUT, Some(Err(output))));
            assert!(failed.contains("sleep 99 exit 2 → failed"), "{failed}");
        }
        let printed = row("x", &call("Bash", INPUT, Some(Ok("Exit code 2"))));
        assert!(!printed.contains("exit 2"), "{printed}");
        let recorded = Details {
            exit_code: Some(-1),
            ..Details::default()
        };
        let recorded = with_details(call("Bash", INPUT, Some(Ok("a"))), recorded);
        assert!(row("x", &recorded).contains("exit -1 → 1 line"));
    }

    #[test]
    fn what_went_on_or_was_stopped_is_a_badge() {
        let input = r#"{"command":["bash","-lc","make"],"workdir":"/home/robin/shop/a","timeout_ms":120000,"run_in_background":true}"#;
        let running = call("shell", input, Some(Ok("")));
        assert_eq!(
            row("x", &running),
            "✓ shell make cwd=a timeout=120s background → no output"
        );
        let details = Details {
            background: Some("b07".to_owned()),
            interrupted: true,
            ..Details::default()
        };
        let stopped = with_details(call("Bash", INPUT, Some(Ok("(no output)"))), details);
        assert!(row("x", &stopped).ends_with("background b07 interrupted → no output"));
        assert!(body("x", &running).contains("120000"));
    }

    #[test]
    fn a_command_that_enters_a_folder_is_told_by_what_it_does_there() {
        let row = |command: &str| {
            let input = serde_json::json!({ "command": command }).to_string();
            row("x", &call("Bash", &input, None))
        };
        assert_eq!(row("cd /home/robin/shop && make"), "◌ Bash make incomplete");
        assert_eq!(
            row("cd \"/home/robin/shop/my app\" ; make test"),
            "◌ Bash make test cwd=my app incomplete"
        );
        assert_eq!(row("cd web\nmake"), "◌ Bash make cwd=web incomplete");
        for whole in [
            "cd web",
            "cd $DIR && make",
            "cd - && make",
            "cd web || exit",
            "cd web & make",
            "cd web &&",
            "cdrecord a && b",
        ] {
            assert_eq!(row(whole), format!("◌ Bash {whole} incomplete"));
        }
    }

    #[test]
    fn several_commands_are_one_script() {
        let call = call("run_commands", r#"{"commands":["ls","wc a"]}"#, None);
        assert!(row("x", &call).contains("ls wc a"));
        assert!(body("x", &call).starts_with("$ ls\nwc a"));
    }
}
