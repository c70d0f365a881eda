//! Calls of an MCP server's tools through one tool that passes them on.

use askama::Template;
use serde_json::Value;

use crate::html::Html;
use crate::model::{Input, ToolStatus};

use super::args::Args;
use super::{Act, Body, Drawing, Glimpse, Label, ToolView, boxes, card, default};

const SERVER: &[&str] = &["server_name", "server", "serverName"];
const TOOL: &[&str] = &["tool_name", "tool", "toolName", "path"];
const ARGUMENTS: &[&str] = &["arguments", "args", "input"];

/// Draws the call that is passed on as the default view would draw it.
pub(crate) struct McpCall;

#[derive(Template)]
#[template(path = "tools/mcp_call.html")]
struct McpCallTemplate {
    input: Html,
    rest: Html,
    is_error: bool,
    output: Html,
}

impl ToolView for McpCall {
    fn name(&self) -> &'static str {
        "mcp_call"
    }

    fn names(&self) -> &'static [&'static str] {
        &["use_mcp_tool", "call_tool_mcp", "api_tool.call_tool"]
    }

    fn label(&self, act: &Act<'_>) -> Label {
        card::code_label(&inner_name(act))
    }

    fn activity(&self, act: &Act<'_>) -> String {
        format!("Running {}", inner_name(act))
    }

    fn glimpse(&self, act: &Act<'_>) -> Glimpse {
        Glimpse::Code(default::input_glimpse(&inner(act).1))
    }

    fn outcome(&self, act: &Act<'_>) -> Option<String> {
        Some(default::outcome_of(act))
    }

    fn body(&self, act: &Act<'_>, drawing: &Drawing<'_>) -> Option<Body> {
        act.args.words(TOOL)?;
        let (name, inner) = inner(act);
        Some(boxes::result_as_data(act, drawing).into_body(|output| {
            Html::render(&McpCallTemplate {
                input: boxes::rest(&inner, &[], drawing),
                rest: boxes::rest(&act.args, &[&[name]], drawing),
                is_error: act.status == ToolStatus::Error,
                output,
            })
        }))
    }

    fn hides_glimpse(&self) -> bool {
        true
    }
}

/// The server and the tool that the call is passed on to, else the tool that passes it on.
fn inner_name(act: &Act<'_>) -> String {
    match (act.args.words(SERVER), act.args.words(TOOL)) {
        (Some(server), Some(tool)) => format!("{server} · {tool}"),
        (None, Some(tool)) => tool.to_owned(),
        _ => act.tool().to_owned(),
    }
}

/// What is passed on, and the argument that holds it; an object or a text of one.
fn inner(act: &Act<'_>) -> (&'static str, Args) {
    let given = ARGUMENTS
        .iter()
        .copied()
        .find_map(|name| Some((name, act.args.map.get(name)?)));
    let Some((name, value)) = given else {
        return ("", Args::default());
    };
    let input = match value {
        Value::String(text) => Input::Text(text.clone()),
        value => Input::Json(value.to_string()),
    };
    (name, Args::of(Some(&input)))
}

#[cfg(test)]
mod tests {
    use crate::tools::testing::{call, html, row_of, text};

    #[test]
    fn a_connector_is_named_by_its_path() {
        let input = r#"{"path":"/Harbour/link_1/search","args":{"query":"tide"}}"#;
        let html = html(
            "chatgpt",
            &call("api_tool.call_tool", input, Some(Ok("one"))),
        );
        assert_eq!(row_of(&html), "✓ /Harbour/link_1/search tide → one");
    }

    #[test]
    fn the_call_that_is_passed_on_is_the_card() {
        for arguments in [r#"{"a":1,"b":"x"}"#, r#""{\"a\":1,\"b\":\"x\"}""#] {
            let input =
                format!(r#"{{"server_name":"garden","tool_name":"dig","arguments":{arguments}}}"#);
            let html = html("cline", &call("use_mcp_tool", &input, Some(Ok("deep"))));
            assert_eq!(row_of(&html), r#"✓ garden · dig {"a":1,"b":"x"} → deep"#);
            assert!(
                html.contains("<code class=\"label\">garden · dig</code>"),
                "{html}"
            );
            let body = text(&html);
            assert!(body.contains("Input") && body.contains("tool_name"));
        }
    }

    #[test]
    fn without_a_tool_the_body_is_the_default_one() {
        let html = html("cline", &call("use_mcp_tool", "{}", Some(Ok("x"))));
        assert!(html.contains("<code class=\"label\">use_mcp_tool</code>"));
        assert!(html.contains("<p class=\"head\">Output</p>"));
    }
}
