//! Searches for tools and for what they can do.

use askama::Template;

use crate::html::Html;

use super::{Act, Body, Drawing, Glimpse, Label, ToolView, boxes, outcome};

/// Draws a search for tools with those that were found.
pub(crate) struct ToolSearch;

#[derive(Template)]
#[template(path = "tools/tool_search.html")]
struct ToolSearchTemplate {
    call: Html,
    result: Html,
}

impl ToolView for ToolSearch {
    fn name(&self) -> &'static str {
        "tool_search"
    }

    fn names(&self) -> &'static [&'static str] {
        &[
            "tool_search",
            "ToolSearch",
            "tool_search_call",
            "tool_search_tool_bm25",
            "tool_search_tool_regex",
            "get_internal_docs",
            "api_tool.search_tools",
            "api_tool.list_resources",
        ]
    }

    fn label(&self, _: &Act<'_>) -> Label {
        Label::words("Looked for tools")
    }

    fn activity(&self, _: &Act<'_>) -> String {
        "Looking for tools".to_owned()
    }

    fn glimpse(&self, act: &Act<'_>) -> Glimpse {
        let query = act.args.words_or_free(&["query", "pattern", "path"]);
        Glimpse::Words(query.unwrap_or_default().to_owned())
    }

    fn outcome(&self, act: &Act<'_>) -> Option<String> {
        Some(outcome::lines_or_failure(act))
    }

    fn body(&self, act: &Act<'_>, drawing: &Drawing<'_>) -> Option<Body> {
        Some(Body::whole(&ToolSearchTemplate {
            call: boxes::rest(&act.args, &[], drawing),
            result: boxes::result(act, "Looking…", drawing),
        }))
    }
}

#[cfg(test)]
mod tests {
    use crate::tools::testing::{call, html, row, text};

    #[test]
    fn the_row_has_the_query() {
        let input = r#"{"query":"select:Dig,Plant","max_results":4}"#;
        let call = call("ToolSearch", input, Some(Ok("Dig\nPlant")));
        assert_eq!(
            row("claude_code", &call),
            "✓ ToolSearch select:Dig,Plant → 2 lines"
        );
        assert!(text(&html("claude_code", &call)).contains("max_results"));
    }
}
