//! Which view draws a tool: names as vendors write them, resolved over [`TOOL_VIEWS`].

use std::collections::HashMap;
use std::sync::LazyLock;

use super::{TOOL_VIEWS, ToolView, default};

/// Prefixes that programs put before a tool's own name.
const PREFIXES: [&str; 5] = [
    "functions.",
    "default_api.",
    "tools.",
    "multi_tool_use.",
    "container.",
];

/// Every view, for lists and tests.
pub(crate) fn views() -> &'static [&'static dyn ToolView] {
    TOOL_VIEWS
}

/// The view of a tool of a format: by its exact name for that format, by its exact name, by its
/// name without case and separators, else the default. A tool of an MCP server has the default
/// view whatever its name: servers are free to call anything `search`.
pub(crate) fn view_of(format: &str, tool: &str) -> &'static dyn ToolView {
    let default: &'static dyn ToolView = &default::Default;
    if server_and_tool(tool).is_some() {
        return default;
    }
    let bare = PREFIXES
        .iter()
        .find_map(|prefix| tool.strip_prefix(prefix))
        .unwrap_or(tool);
    let bound = format!("{format}/{bare}");
    let exact = INDEX.get(bound.as_str()).or_else(|| INDEX.get(bare));
    exact
        .or_else(|| FOLDED.get(&fold(bare)))
        .copied()
        .unwrap_or(default)
}

/// The server and the tool in the name of an MCP tool: `mcp__server__tool`.
pub(crate) fn server_and_tool(name: &str) -> Option<(&str, &str)> {
    name.strip_prefix("mcp__")?.split_once("__")
}

static INDEX: LazyLock<HashMap<&'static str, &'static dyn ToolView>> = LazyLock::new(|| {
    let names = TOOL_VIEWS
        .iter()
        .flat_map(|view| view.names().iter().map(|name| (*name, *view)));
    names.collect()
});

static FOLDED: LazyLock<HashMap<String, &'static dyn ToolView>> = LazyLock::new(|| {
    let names = TOOL_VIEWS
        .iter()
        .flat_map(|view| view.names().iter().map(|name| (*name, *view)));
    names
        .filter(|(name, _)| !name.contains('/'))
        .map(|(name, view)| (fold(name), view))
        .collect()
});

/// A name without case, `-`, `_` and spaces.
fn fold(name: &str) -> String {
    name.chars()
        .filter(|c| !matches!(c, '-' | '_' | ' '))
        .flat_map(char::to_lowercase)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_exactly_then_without_case_and_separators() {
        assert_eq!(view_of("dispatch", "run_shell").name(), "shell");
        assert_eq!(view_of("claude_code", "Bash").name(), "shell");
        assert_eq!(view_of("codex", "functions.shell").name(), "shell");
        assert_eq!(view_of("x", "Run-Shell").name(), "shell");
        assert_eq!(view_of("x", "nobody_knows").name(), "default");
    }

    #[test]
    fn a_tool_of_an_mcp_server_has_the_default_view() {
        assert_eq!(view_of("claude_code", "mcp__box__Bash").name(), "default");
    }

    #[test]
    fn no_name_is_claimed_twice() {
        let mut names: Vec<_> = TOOL_VIEWS.iter().flat_map(|view| view.names()).collect();
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all);
    }

    #[test]
    fn names_that_differ_only_in_case_and_separators_have_one_view() {
        for view in TOOL_VIEWS {
            for name in view.names().iter().filter(|name| !name.contains('/')) {
                assert_eq!(FOLDED[&fold(name)].name(), view.name(), "{name}");
            }
        }
    }
}
