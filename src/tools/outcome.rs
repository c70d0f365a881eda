//! Short facts about results: what stands behind the arrow of a row.

use std::collections::BTreeMap;

use serde::de::IgnoredAny;

use crate::figures::{counted, line_count, lines as lines_of, one_line};
use crate::model::{ToolResult, ToolStatus};

use super::Act;

/// How many characters of a single line or of an error a row shows.
const SINGLE: usize = 60;
const FAILURE: usize = 80;

/// A result's text without the trailers that programs put behind an output.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Output<'a> {
    /// The text; what the model was given, but for the trailers.
    pub(super) text: &'a str,
    /// The command ran out of time.
    pub(super) timed_out: bool,
    /// The program cut the output.
    pub(super) truncated: bool,
    /// The trailers that were taken off, as they were written.
    pub(super) trailer: &'a str,
}

impl<'a> Output<'a> {
    /// Takes the trailers off a result's text.
    pub(super) fn of(result: Option<&'a ToolResult>) -> Self {
        let Some(result) = result else {
            return Output::default();
        };
        let details = result.details.as_deref();
        let mut output = Output {
            text: &result.text,
            timed_out: details.is_some_and(|details| details.timed_out),
            truncated: details.is_some_and(|details| details.truncated),
            trailer: "",
        };
        // A program may put several, one behind the other.
        while let Some((body, last)) = last_line(output.text) {
            if last.ends_with("</system-reminder>") {
                let Some(start) = output.text.rfind("<system-reminder>") else {
                    break;
                };
                output.text = output.text[..start].trim_end_matches(['\n', '\r']);
                continue;
            }
            if last == "[Command timed out]" {
                output.timed_out = true;
            } else if last.starts_with("[Output truncated")
                || last == "Output truncated"
                || last == "<response clipped>"
            {
                output.truncated = true;
            } else {
                break;
            }
            output.text = body;
        }
        output.trailer = result.text[output.text.len()..].trim();
        output
    }
}

/// The text before the last line that has words, and that line.
pub(super) fn last_line(text: &str) -> Option<(&str, &str)> {
    let end = text.trim_end();
    let start = end.rfind('\n').map_or(0, |at| at + 1);
    let last = end[start..].trim();
    // What separated the trailer from the output goes with it.
    (!last.is_empty()).then(|| (text[..start].trim_end_matches(['\n', '\r']), last))
}

/// What programs write where there is nothing to write.
const NOTHING: [&str; 3] = [
    "(no output)",
    "(Bash completed with no output)",
    "Tool ran without output or errors",
];

/// `42 lines`, `1 line`, `no output`.
pub(super) fn line_fact(text: &str) -> String {
    match line_count(&crate::ansi::plain(text)) {
        0 => "no output".to_owned(),
        1 if NOTHING.contains(&text.trim()) => "no output".to_owned(),
        n => counted(n, "line", "lines"),
    }
}

/// The number and the noun of a text that begins with `Found 3 files` or `Found 3 file(s)`.
pub(super) fn found(text: &str) -> Option<(u64, &str)> {
    let (number, rest) = text.trim_start().strip_prefix("Found ")?.split_once(' ')?;
    let end = rest.find(|c: char| !c.is_ascii_alphabetic());
    Some((
        number.replace(',', "").parse().ok()?,
        &rest[..end.unwrap_or(rest.len())],
    ))
}

/// The exit code that programs write into the first or the last line of a failed command's
/// output.
pub(super) fn exit_code(act: &Act<'_>) -> Option<i64> {
    if let Some(code) = act.details().and_then(|details| details.exit_code) {
        return Some(code);
    }
    if act.status != ToolStatus::Error {
        return None;
    }
    let lines = || {
        lines_of(act.output.text)
            .map(str::trim)
            .filter(|line| !line.is_empty())
    };
    let first = lines().next()?;
    let first = first.strip_prefix("Error: ").unwrap_or(first);
    let last = lines().last()?;
    let code = first
        .strip_prefix("Exit code ")
        .or_else(|| last.strip_prefix("Command exited with code "))?;
    code.parse().ok()
}

/// The fact of a view that counts lines, errors too: `failed · 12 lines`.
pub(super) fn lines(act: &Act<'_>) -> String {
    join(act, line_fact(act.output.text), line_fact(act.output.text))
}

/// The fact of a view that counts lines, and names the first line of an error.
pub(super) fn lines_or_failure(act: &Act<'_>) -> String {
    with(act, line_fact(act.output.text))
}

/// The line itself when there is exactly one short one, else the number of lines.
pub(super) fn single(act: &Act<'_>) -> String {
    with(act, single_fact(act.output.text))
}

/// The line itself when the text is exactly one short one, else the number of lines.
pub(super) fn single_fact(text: &str) -> String {
    let plain = crate::ansi::plain(text);
    let mut lines = lines_of(&plain);
    match (lines.next(), lines.next()) {
        (Some(line), None) if line.trim().chars().count() <= SINGLE => line.trim().to_owned(),
        _ => line_fact(text),
    }
}

/// What is in a text that is JSON and too long for a row, else as [`single_fact`]: the lines of
/// JSON say how it was written down, not how much it is.
pub(super) fn data_fact(text: &str) -> String {
    let text = text.trim();
    let is_short = text.lines().count() <= 1 && text.chars().count() <= SINGLE;
    let counted = match text.chars().next().filter(|_| !is_short) {
        Some('[') => serde_json::from_str::<Vec<IgnoredAny>>(text)
            .ok()
            .map(|items| counted(items.len() as u64, "item", "items")),
        Some('{') => serde_json::from_str::<BTreeMap<String, IgnoredAny>>(text)
            .ok()
            .map(|fields| counted(fields.len() as u64, "field", "fields")),
        _ => None,
    };
    counted.unwrap_or_else(|| single_fact(text))
}

/// The same of the default view, of a text that was taken out of the result.
pub(super) fn with_text(act: &Act<'_>, text: &str) -> String {
    named_by(act, data_fact(text), text)
}

/// A fact of a view's own for a result that is no error; an error is named by its first line.
pub(super) fn with(act: &Act<'_>, fact: String) -> String {
    named_by(act, fact, act.output.text)
}

/// A fact of a view's own; an error is named by the first line of this text.
pub(super) fn named_by(act: &Act<'_>, fact: String, text: &str) -> String {
    let text = crate::ansi::plain(text);
    let first = lines_of(&text).map(str::trim).find(|line| !line.is_empty());
    let failure = first.map_or_else(|| "no output".to_owned(), |line| one_line(line, FAILURE));
    join(act, fact, failure)
}

/// Joins the facts in their order: `failed`, `denied` or `timed out`, the main fact, `truncated`.
fn join(act: &Act<'_>, fact: String, failure: String) -> String {
    let mut facts = Vec::new();
    if act.output.timed_out {
        facts.push("timed out".to_owned());
        if !act.output.text.trim().is_empty() {
            facts.push(line_fact(act.output.text));
        }
    } else if act.status == ToolStatus::Error && act.details().is_some_and(|d| d.denied) {
        facts.push("denied".to_owned());
    } else if act.status == ToolStatus::Error {
        facts.push("failed".to_owned());
        facts.push(failure);
    } else {
        facts.push(fact);
    }
    if act.output.truncated {
        facts.push("truncated".to_owned());
    }
    facts.join(" · ")
}
