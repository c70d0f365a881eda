//! What is said, and where: results on stdout, all else on stderr.

use std::io::Write;
use std::process::ExitCode;

use foldout::error::{Error, Problem, Severity};

use super::reading::Reading;

/// How many problems of one file are printed unless `-v` is given.
const LINES: usize = 20;

/// Prints the problems that are asked for.
pub(super) fn print_problems(problems: &[Problem], reading: &Reading) {
    let least = match (reading.quiet, reading.verbose) {
        (true, _) => Severity::Lost,
        (false, true) => Severity::Note,
        (false, false) => Severity::Warning,
    };
    let mut stderr = std::io::stderr().lock();
    let mut of_file: Option<(&str, usize)> = None;
    for problem in problems.iter().filter(|problem| problem.severity >= least) {
        let count = of_file
            .filter(|(path, _)| *path == problem.path)
            .map_or(0, |(_, count)| count);
        of_file = Some((&problem.path, count + 1));
        if count < LINES || reading.verbose {
            let _ = writeln!(stderr, "{}", shown(&problem.to_string()));
        } else if count == LINES {
            let _ = writeln!(
                stderr,
                "{}: more problems; -v prints them all",
                shown(&problem.path)
            );
        }
    }
    let notes = problems
        .iter()
        .filter(|problem| problem.severity == Severity::Note)
        .count();
    if notes > 0 && !reading.quiet && !reading.verbose {
        let _ = writeln!(
            stderr,
            "{notes} {}; -v prints them",
            if notes == 1 { "note" } else { "notes" }
        );
    }
}

pub(super) fn conversations(count: usize) -> String {
    counted(count as u64, "conversation", "conversations")
}

pub(super) fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

pub(super) fn usage_error(message: &str) -> ExitCode {
    tell(&format!("error: {message}"));
    ExitCode::from(2)
}

pub(super) fn output_error(error: &Error) -> ExitCode {
    tell(&format!("error: {}", shown(&error.to_string())));
    ExitCode::from(2)
}

/// Writes a line to stdout. A reader that has gone is no error: it had what it wanted.
pub(super) fn print_line(line: &str) {
    let _ = writeln!(std::io::stdout(), "{line}");
}

/// Writes a line to stderr, if there still is one.
pub(super) fn tell(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// Foreign text on a terminal: controls, bidi and invisible characters are written out, so that a
/// file's name can neither colour nor forge a line.
pub(super) fn shown(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if foldout::html::is_hidden(c) || matches!(c, '\n' | '\t') {
            out.extend(c.escape_unicode());
        } else {
            out.push(c);
        }
    }
    out
}
