//! The view of every tool that has none: its name, its input and its output as they are.

use askama::Template;

use crate::figures::one_line;
use crate::html::{Html, Text};
use crate::model::ToolStatus;

use super::args::Args;
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
    server: Option<Text<'a>>,
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
        card::code_label(act.tool())
    }

    fn activity(&self, act: &Act<'_>) -> String {
        format!("Running {}", act.tool())
    }

    fn glimpse(&self, act: &Act<'_>) -> Glimpse {
        Glimpse::Code(input_glimpse(&act.args))
    }

    fn outcome(&self, act: &Act<'_>) -> Option<String> {
        Some(outcome::single(act))
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
    let server = server_and_tool(&act.call.name).map(|(server, tool)| format!("{server} · {tool}"));
    Body::whole(&DefaultTemplate {
        server: server.as_deref().map(Text),
        is_orphan: act.call.input.is_none(),
        input: boxes::rest(&act.args, &[], drawing),
        is_error: act.status == ToolStatus::Error,
        output: boxes::result_or_data(act, drawing),
    })
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
