//! Resources of MCP servers.

use askama::Template;

use crate::html::Html;

use super::{Act, Body, Drawing, Glimpse, Label, ToolView, boxes, outcome};

const SERVER: &[&str] = &["server", "server_name", "serverName"];

/// Draws what a server had under an address.
pub(crate) struct McpRes;

#[derive(Template)]
#[template(path = "tools/mcp_res.html")]
struct McpResTemplate {
    call: Html,
    result: Html,
}

impl ToolView for McpRes {
    fn name(&self) -> &'static str {
        "mcp_res"
    }

    fn names(&self) -> &'static [&'static str] {
        &[
            "ListMcpResourcesTool",
            "ReadMcpResourceTool",
            "list_mcp_resources",
            "list_mcp_resource_templates",
            "read_mcp_resource",
            "access_mcp_resource",
        ]
    }

    fn label(&self, _: &Act<'_>) -> Label {
        Label::words("Read a resource")
    }

    fn activity(&self, _: &Act<'_>) -> String {
        "Reading a resource".to_owned()
    }

    fn glimpse(&self, act: &Act<'_>) -> Glimpse {
        let server = act.args.words(SERVER);
        let address = act.args.words(&["uri", "url"]);
        let parts: Vec<&str> = server.into_iter().chain(address).collect();
        Glimpse::Code(parts.join(" "))
    }

    fn outcome(&self, act: &Act<'_>) -> Option<String> {
        Some(outcome::lines_or_failure(act))
    }

    fn body(&self, act: &Act<'_>, drawing: &Drawing<'_>) -> Option<Body> {
        Some(Body::whole(&McpResTemplate {
            call: boxes::rest(&act.args, &[], drawing),
            result: boxes::result_or_data(act, drawing),
        }))
    }
}

#[cfg(test)]
mod tests {
    use crate::tools::testing::{call, row};

    #[test]
    fn the_row_has_the_server_and_the_address() {
        let input = r#"{"server":"garden","uri":"plants://roses"}"#;
        let call_ = call("ReadMcpResourceTool", input, Some(Ok(r#"{"a":1}"#)));
        assert_eq!(
            row("claude_code", &call_),
            "✓ ReadMcpResourceTool garden plants://roses → 1 line"
        );
        let all = call("list_mcp_resources", "{}", None);
        assert_eq!(row("codex", &all), "◌ list_mcp_resources incomplete");
    }
}
