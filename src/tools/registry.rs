//! Which view draws a tool: names as vendors write them, resolved over [`TOOL_VIEWS`].

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::model::ToolCall;

use super::args::Args;
use super::patch_text::Given;
use super::{TOOL_VIEWS, ToolView, default, patch};

/// Prefixes that programs put before a tool's own name.
const PREFIXES: [&str; 5] = [
    "functions.",
    "default_api.",
    "tools.",
    "multi_tool_use.",
    "container.",
];

/// How the name of an MCP tool begins that no view may claim.
const MCP: &str = "mcp_";

/// Tools that do several acts, the argument that says which, and the name before the colon under
/// which views list the acts: `str_replace_editor:view`.
const MANY_ACTS: [(&str, &str, &str); 4] = [
    ("str_replace_editor", "command", "str_replace_editor"),
    (
        "str_replace_based_edit_tool",
        "command",
        "str_replace_editor",
    ),
    ("text_editor", "command", "str_replace_editor"),
    (
        "text_editor_code_execution",
        "command",
        "str_replace_editor",
    ),
];

/// The view of a tool of a format: by its exact name for that format, by its exact name, by its
/// name without case and separators, else the default. A tool of an MCP server has the default
/// view whatever its name: servers are free to call anything `search`.
pub(super) fn view_of(format: &str, tool: &str) -> &'static dyn ToolView {
    let default: &'static dyn ToolView = &default::Default;
    if tool.starts_with(MCP) && server_and_tool(tool).is_some() {
        return default;
    }
    let bare = PREFIXES
        .iter()
        .find_map(|prefix| tool.strip_prefix(prefix))
        .unwrap_or(tool);
    // The prefix is part of some names: `container.exec` is no `exec`.
    let exact = [tool, bare].iter().find_map(|name| {
        let bound = format!("{format}/{name}");
        INDEX.get(bound.as_str()).or_else(|| INDEX.get(name))
    });
    exact
        .or_else(|| {
            FOLDED
                .get(&fold(bare))
                .filter(|_| server_and_tool(bare).is_none())
        })
        .copied()
        .unwrap_or(default)
}

/// The view of a call: as [`view_of`], but a tool that does several acts has the view of the act
/// that its input asks for.
pub(super) fn view_of_call(format: &str, tool: &str, args: &Args) -> &'static dyn ToolView {
    let act = MANY_ACTS
        .iter()
        .find(|(name, _, _)| *name == tool)
        .and_then(|(_, argument, listed)| {
            let word = args.text(&[argument])?;
            INDEX.get(format!("{listed}:{word}").as_str())
        });
    let view = act.copied().unwrap_or_else(|| view_of(format, tool));
    // A shell that is only there to apply a patch edits files.
    if view.name() == "shell" && Given::of_command(args).is_some() {
        return &patch::Patch;
    }
    view
}

/// The name of the view that draws a call.
pub(crate) fn view_name(format: &str, call: &ToolCall) -> &'static str {
    view_of_call(format, &call.name, &Args::of(call.input.as_ref())).name()
}

/// The server and the tool in the name of an MCP tool: `mcp__server__tool`, as most programs
/// write it, `mcp_server_tool`, of programs whose servers have no `_` in their names,
/// `tool_mcp_server` or `server__tool`.
pub(crate) fn server_and_tool(name: &str) -> Option<(&str, &str)> {
    let pair = match name.strip_prefix(MCP) {
        Some(rest) => match rest.strip_prefix('_') {
            Some(rest) => rest.split_once("__"),
            None => rest.split_once('_'),
        },
        None => {
            let turned = name.rsplit_once("_mcp_");
            let turned = turned.map(|(tool, server)| (server, tool));
            turned.or_else(|| name.split_once("__"))
        }
    };
    pair.filter(|(server, tool)| !server.is_empty() && !tool.is_empty())
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
        .filter(|(name, _)| !name.contains(['/', ':']))
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
    use crate::model::Input;

    #[test]
    fn names_are_found_exactly_then_without_case_and_separators() {
        assert_eq!(view_of("dispatch", "run_shell").name(), "shell");
        assert_eq!(view_of("claude_code", "Bash").name(), "shell");
        assert_eq!(view_of("codex", "functions.shell").name(), "shell");
        assert_eq!(view_of("x", "Run-Shell").name(), "shell");
        assert_eq!(view_of("codex", "container.exec").name(), "shell");
        assert_eq!(view_of("codex", "exec").name(), "code");
        assert_eq!(view_of("x", "nobody_knows").name(), "default");
    }

    #[test]
    fn a_tool_of_many_acts_is_told_by_its_argument() {
        let view = |command: &str| {
            let input = Input::Json(format!(r#"{{"command":"{command}","path":"a"}}"#));
            view_of_call("x", "text_editor", &Args::of(Some(&input))).name()
        };
        assert_eq!(view("view"), "read");
        assert_eq!(view("create"), "write");
        assert_eq!(view("str_replace"), "edit");
        assert_eq!(view("dance"), "default");
    }

    #[test]
    fn a_tool_of_an_mcp_server_has_the_default_view() {
        assert_eq!(view_of("claude_code", "mcp__box__Bash").name(), "default");
        assert_eq!(view_of("x", "box__Run-Shell").name(), "default");
        for name in ["mcp__box__open_lid", "open_lid_mcp_box", "box__open_lid"] {
            assert_eq!(server_and_tool(name), Some(("box", "open_lid")), "{name}");
        }
        assert_eq!(server_and_tool("__init__"), None);
        assert_eq!(view_of("gemini_cli", "mcp_box_Bash").name(), "default");
        assert_eq!(
            server_and_tool("mcp_box_make_tea"),
            Some(("box", "make_tea"))
        );
        assert_eq!(server_and_tool("mcp__box_x__tea"), Some(("box_x", "tea")));
        assert_eq!(server_and_tool("mcp_box"), None);
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
            for name in view
                .names()
                .iter()
                .filter(|name| !name.contains(['/', ':']))
            {
                assert_eq!(FOLDED[&fold(name)].name(), view.name(), "{name}");
            }
        }
    }
}
