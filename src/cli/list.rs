//! `foldout list`: what would be read, without a site.

use std::process::ExitCode;

use clap::Args;
use serde_json::{Value, json};

use foldout::error::{Problem, Severity};
use foldout::pipeline::{Listed, Listing, ToolUse, list};

use super::print::{
    conversations, counted, output_error, print_line, print_problems, shown, tell, usage_error,
};
use super::reading::Reading;

#[derive(Args)]
pub(super) struct List {
    #[command(flatten)]
    reading: Reading,
    /// Print JSON.
    #[arg(long)]
    json: bool,
    /// List the tools that were called, each with its view, instead of the conversations.
    #[arg(long)]
    tools: bool,
}

/// Lists, and returns the exit code: 1 when a file of a known format cannot be shown.
pub(super) fn run(arguments: &List) -> ExitCode {
    let reading = &arguments.reading;
    let options = match reading.options() {
        Ok(options) => options,
        Err(message) => return usage_error(&message),
    };
    let listing = match reading.with_bar(|progress| list(&options, progress)) {
        Ok(listing) => listing,
        Err(error) => return output_error(&error),
    };
    print_problems(&listing.problems, reading);
    match (arguments.json, arguments.tools) {
        (true, true) => print_line(&tools_json(&listing.tools).to_string()),
        (true, false) => print_line(&conversations_json(&listing).to_string()),
        (false, true) => print_table(
            &["calls", "format", "tool", "view"],
            listing.tools.iter().map(tool_row),
        ),
        (false, false) => {
            let head = [
                "date", "format", "project", "prompts", "calls", "file", "title",
            ];
            print_table(&head, listing.conversations.iter().map(row));
        }
    }
    if !reading.quiet && !arguments.json {
        let tools = counted(listing.tools.len() as u64, "tool", "tools");
        let all = conversations(listing.conversations.len());
        tell(&if arguments.tools {
            format!("{tools} in {all}")
        } else {
            all
        });
    }
    let is_lost = |problem: &Problem| problem.severity == Severity::Lost;
    ExitCode::from(u8::from(listing.problems.iter().any(is_lost)))
}

fn row(listed: &Listed) -> Vec<String> {
    let facts = &listed.facts;
    vec![
        listed.start.map_or("undated".to_owned(), |start| {
            start.to_string()[..10].to_owned()
        }),
        listed.format.to_owned(),
        shown(listed.project.as_deref().unwrap_or("-")),
        facts.prompts.to_string(),
        facts.calls.to_string(),
        shown(&listed.path),
        shown(&listed.title),
    ]
}

fn tool_row(tool: &ToolUse) -> Vec<String> {
    vec![
        tool.count.to_string(),
        tool.format.to_owned(),
        shown(&tool.name),
        tool.view.to_owned(),
    ]
}

/// Prints rows in columns; the last is as wide as it is. Numbers stand at the right.
fn print_table(head: &[&str], rows: impl Iterator<Item = Vec<String>>) {
    let mut lines = vec![head.iter().map(|cell| (*cell).to_owned()).collect()];
    lines.extend(rows);
    let width = |column: usize| {
        let cells = lines
            .iter()
            .filter_map(|line: &Vec<String>| line.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..head.len()).map(width).collect();
    let is_number = |column: usize| {
        lines
            .iter()
            .skip(1)
            .all(|line| line[column].bytes().all(|byte| byte.is_ascii_digit()))
    };
    let numbers: Vec<bool> = (0..head.len()).map(is_number).collect();
    for line in &lines {
        let cells = line.iter().zip(&widths).zip(&numbers);
        let cells: Vec<String> = cells
            .map(|((cell, width), is_number)| match is_number {
                true => format!("{cell:>width$}"),
                false => format!("{cell:<width$}"),
            })
            .collect();
        print_line(cells.join("  ").trim_end());
    }
}

fn conversations_json(listing: &Listing) -> Value {
    let conversations = listing.conversations.iter().map(|listed| {
        let facts = &listed.facts;
        json!({
            "format": listed.format,
            "path": listed.path,
            "id": listed.id,
            "title": listed.title,
            "project": listed.project,
            "start": listed.start.map(|start| start.to_string()),
            "prompts": facts.prompts,
            "replies": facts.replies,
            "calls": facts.calls,
            "failed": facts.failed,
            "subagents": facts.agents,
            "models": facts.models,
            "tokens": facts.usage.as_ref().map(|usage| usage.total()),
            "redactions": listed.redactions,
            "problems": listed.problems,
        })
    });
    let problems = listing.problems.iter().map(|problem| {
        json!({
            "severity": problem.severity.name(),
            "path": problem.path,
            "line": problem.line,
            "what": problem.what,
        })
    });
    json!({
        "conversations": conversations.collect::<Vec<_>>(),
        "problems": problems.collect::<Vec<_>>(),
    })
}

fn tools_json(tools: &[ToolUse]) -> Value {
    let tools = tools.iter().map(|tool| {
        json!({"format": tool.format, "tool": tool.name, "view": tool.view, "calls": tool.count})
    });
    tools.collect::<Vec<_>>().into()
}
