//! The view of every tool that has none: its name, its input and its output as they are.

use askama::Template;

use crate::figures::{counted, one_line};
use crate::html::{Html, Text};
use crate::model::ToolStatus;

use super::args::Args;
use super::blocks::{Block, Blocks};
use super::registry::server_and_tool;
use super::{Act, Body, Drawing, Glimpse, Label, ToolView, boxes, card, outcome};

/// The arguments that say most, most telling first.
const TELLING: &[&str] = &[
    "command",
    "path",
    "file_path",
    "query",
    "url",
    "pattern",
    "name",
    "question",
    "title",
    "task",
    "message",
    "conversationId",
];

/// Draws tools that no other view names, tools of MCP servers, and results without a name.
pub(crate) struct Default;

#[derive(Template)]
#[template(path = "tools/default.html")]
struct DefaultTemplate<'a> {
    /// The whole name, where the row has it in two.
    name: Option<Text<'a>>,
    is_orphan: bool,
    input: Html,
    is_error: bool,
    output: Html,
}

impl ToolView for Default {
    fn name(&self) -> &'static str {
        "default"
    }

    fn names(&self) -> &'static [&'static str] {
        &[]
    }

    fn label(&self, act: &Act<'_>) -> Label {
        card::code_label(&shown_name(act))
    }

    fn activity(&self, act: &Act<'_>) -> String {
        format!("Running {}", shown_name(act))
    }

    fn glimpse(&self, act: &Act<'_>) -> Glimpse {
        Glimpse::Code(input_glimpse(&act.args))
    }

    fn outcome(&self, act: &Act<'_>) -> Option<String> {
        Some(outcome_of(act))
    }

    fn body(&self, act: &Act<'_>, drawing: &Drawing<'_>) -> Option<Body> {
        Some(body(act, drawing))
    }

    fn hides_glimpse(&self) -> bool {
        true
    }
}

/// The body that shows a call as it is, which every view falls back on.
pub(super) fn body(act: &Act<'_>, drawing: &Drawing<'_>) -> Body {
    let name = server_and_tool(act.format, &act.call.name).map(|_| Text(&act.call.name));
    boxes::result_as_data(act, drawing).into_body(|output| {
        Html::render(&DefaultTemplate {
            name,
            is_orphan: act.call.input.is_none(),
            input: boxes::rest(&act.args, &[], drawing),
            is_error: act.status == ToolStatus::Error,
            output,
        })
    })
}

/// The tool's name; of an MCP server's tool the server and the tool apart.
fn shown_name(act: &Act<'_>) -> String {
    match server_and_tool(act.format, &act.call.name) {
        Some((server, tool)) => format!("{server} · {tool}"),
        None => act.tool().to_owned(),
    }
}

/// What came back, out of the envelope that it may have come in: a short line itself, the number
/// of records, else the number of lines.
pub(super) fn outcome_of(act: &Act<'_>) -> String {
    let Some(blocks) = Blocks::of(act.output.text) else {
        return match boxes::records(act.output.text) {
            Some(records) => outcome::with(act, counted(records.len() as u64, "row", "rows")),
            None => outcome::with(act, outcome::data_fact(act.output.text)),
        };
    };
    let text = blocks.text();
    let images = blocks.blocks.iter();
    let images = images
        .filter(|block| matches!(block, Block::Image(_)))
        .count() as u64;
    if act.status != ToolStatus::Error && text.trim().is_empty() && images > 0 {
        return counted(images, "image", "images");
    }
    outcome::with_text(act, &text)
}

/// The most telling argument, else the input as one line of JSON.
pub(super) fn input_glimpse(args: &Args) -> String {
    let telling = TELLING.iter().find_map(|name| match args.map.get(*name)? {
        serde_json::Value::String(text) if !text.trim().is_empty() => Some(text.clone()),
        serde_json::Value::Number(number) => Some(number.to_string()),
        _ => None,
    });
    if let Some(text) = telling {
        return text;
    }
    if let Some(free) = &args.free {
        return one_line(free, card::GLIMPSE);
    }
    if args.is_empty() {
        String::new()
    } else {
        serde_json::Value::Object(args.map.clone()).to_string()
    }
}
