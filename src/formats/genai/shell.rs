//! The output of a command, which the programs wrap into what else they know of it.

use crate::model::ToolResult;

use super::results::{add_line, details};

/// What stands before the output, in the order of the program.
const OUTPUT: [&str; 2] = ["Output: ", "Stdout: "];

/// What may stand behind the output, the last first.
const TRAILERS: [&str; 6] = [
    "Process Group PGID: ",
    "Background PIDs: ",
    "Signal: ",
    "Exit Code: ",
    "Error: ",
    "Stderr: ",
];

/// How a command's text begins that was moved to the background.
const MOVED: [&str; 2] = [
    "Command moved to background (PID: ",
    "Command is running in background. PID: ",
];

/// How a command's text begins that the person stopped.
const STOPPED: &str = "Command was cancelled by user before it could complete.";

/// Takes the output out of its wrapper and turns the rest into facts.
pub(super) fn settle(result: &mut ToolResult) {
    if let Some(rest) = MOVED.iter().find_map(|m| result.text.strip_prefix(m)) {
        let pid: String = rest.chars().take_while(char::is_ascii_digit).collect();
        details(result).background = Some(pid);
        return;
    }
    if result
        .text
        .starts_with("Command was automatically cancelled")
    {
        details(result).timed_out = true;
        return;
    }
    if result.text.starts_with(STOPPED) {
        details(result).interrupted = true;
        return;
    }
    let Some((start, is_whole)) = output_start(&result.text) else {
        return;
    };
    let told = Told::of(&result.text[start..], is_whole);
    let mut text = told.output.to_owned();
    add_line(&mut text, told.stderr);
    if !told.error.is_empty() {
        add_line(&mut text, &format!("Error: {}", told.error));
    }
    let signal = told.signal.map(|signal| format!("Signal: {signal}"));
    add_line(&mut text, signal.as_deref().unwrap_or_default());
    let exit_code = told.exit_code;
    let background = told.background.map(str::to_owned);
    result.text = text;
    if exit_code.is_some() || background.is_some() {
        let details = details(result);
        details.exit_code = exit_code.or(details.exit_code);
        details.background = background;
    }
    // The program calls a call a success whatever its command came to.
    result.is_error |= exit_code.is_some_and(|code| code != 0);
}

/// Where the output begins, and whether the wrapper is the one that names every fact, be it
/// there or not: behind the command and its folder, else at once.
fn output_start(text: &str) -> Option<(usize, bool)> {
    if let Some(mark) = OUTPUT.iter().find(|mark| text.starts_with(**mark)) {
        // Without a trailer it is a text that happens to begin so.
        let has_trailer = TRAILERS
            .iter()
            .any(|trailer| text.contains(&format!("\n{trailer}")));
        return has_trailer.then_some((mark.len(), false));
    }
    let folder = if text.starts_with("Directory: ") {
        0
    } else if text.starts_with("Command: ") {
        text.find("\nDirectory: ")? + 1
    } else {
        return None;
    };
    let end = folder + text[folder..].find('\n')? + 1;
    let mark = OUTPUT.iter().find(|mark| text[end..].starts_with(**mark))?;
    Some((end + mark.len(), true))
}

/// What is told behind an output.
#[derive(Debug, Default)]
struct Told<'a> {
    output: &'a str,
    stderr: &'a str,
    error: &'a str,
    exit_code: Option<i64>,
    signal: Option<&'a str>,
    background: Option<&'a str>,
}

impl<'a> Told<'a> {
    fn of(text: &'a str, is_whole: bool) -> Self {
        let mut told = Told {
            output: text,
            ..Told::default()
        };
        for trailer in TRAILERS {
            let Some((before, value)) = last(told.output, trailer) else {
                continue;
            };
            // Only an error and what went to it can have several lines; the rest stands last.
            // Where the wrapper names no error, such a line is the command's own.
            let is_error = matches!(trailer, "Error: " | "Stderr: ");
            if is_error && !is_whole || !is_error && value.contains('\n') {
                continue;
            }
            told.output = before;
            let value = value.trim();
            let there = Some(value).filter(|value| !matches!(*value, "" | "(none)" | "(empty)"));
            match trailer {
                "Background PIDs: " => told.background = there,
                "Signal: " => told.signal = there.filter(|signal| *signal != "0"),
                "Exit Code: " => told.exit_code = there.and_then(|code| code.parse().ok()),
                "Error: " => told.error = there.unwrap_or_default(),
                "Stderr: " => told.stderr = there.unwrap_or_default(),
                _ => {}
            }
        }
        if told.output.trim() == "(empty)" {
            told.output = "";
        }
        told
    }
}

/// The text before the last line that begins so, and what follows on it.
fn last<'a>(text: &'a str, trailer: &str) -> Option<(&'a str, &'a str)> {
    let found = text.rfind(&format!("\n{trailer}"))?;
    Some((&text[..found], &text[found + 1 + trailer.len()..]))
}
