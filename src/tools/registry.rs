//! Which view draws a tool: names as vendors write them, resolved over [`TOOL_VIEWS`].

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::model::ToolCall;

use super::args::Args;
use super::own::OwnViews;
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

/// Tools whose act is told by which argument is there, the arguments that leave the tool its own
/// view, and the name before the colon under which views list the others: `web.run:weather`.
const ACTS_BY_ARGUMENT: [(&str, &[&str], &str); 2] = [
    ("web.run", SEARCHES, "web.run"),
    ("chatgpt/web", SEARCHES, "web.run"),
];

const SEARCHES: &[&str] = &["search_query", "image_query", "open", "click", "find"];

/// Which view draws a tool in the conversations of one format, for one user.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Registry<'a> {
    format: &'a str,
    own: &'a OwnViews,
}

impl<'a> Registry<'a> {
    /// The views of a format, after those that the user made.
    pub(crate) fn new(format: &'a str, own: &'a OwnViews) -> Self {
        Self { format, own }
    }

    /// The name of the format.
    pub(super) fn format(self) -> &'a str {
        self.format
    }

    /// The name of the view that draws a call.
    pub(crate) fn view_name(self, call: &ToolCall) -> &'static str {
        self.view_of_call(&call.name, &Args::of(call.input.as_ref()))
            .name()
    }

    /// The view of a call: the user's own, else that of its tool; a tool that does several acts
    /// has the view of the act that its input asks for.
    pub(super) fn view_of_call(self, tool: &str, args: &Args) -> &'a dyn ToolView {
        if let Some(own) = self.own.view_of(self.format, tool, bare(tool)) {
            return own;
        }
        let act = MANY_ACTS
            .iter()
            .find(|(name, _, _)| *name == tool)
            .and_then(|(_, argument, listed)| {
                let word = args.text(&[argument])?;
                act_of(listed, word)
            })
            .or_else(|| self.act_by_argument(bare(tool), args));
        let view = act.unwrap_or_else(|| view_of(self.format, tool));
        // A shell that is only there to apply a patch edits files.
        if view.name() == "shell" && Given::of_command(args).is_some() {
            return &patch::Patch;
        }
        view
    }

    /// The act that an argument's being there tells of, unless the tool's own view is meant.
    fn act_by_argument(self, tool: &str, args: &Args) -> Option<&'static dyn ToolView> {
        let bound = format!("{}/{tool}", self.format);
        let (_, own, listed) = ACTS_BY_ARGUMENT
            .iter()
            .find(|(name, ..)| *name == tool || *name == bound)?;
        if own.iter().any(|name| !args.items(&[name]).is_empty()) {
            return None;
        }
        args.map.keys().find_map(|name| act_of(listed, name))
    }
}

/// The view that lists one act of a tool that does several.
fn act_of(tool: &str, act: &str) -> Option<&'static dyn ToolView> {
    INDEX.get(format!("{tool}:{act}").as_str()).copied()
}

/// The view of a tool of a format: by its exact name for that format, by its exact name, by its
/// name without case and separators, else the default. A tool of an MCP server has the default
/// view whatever its name: servers are free to call anything `search`.
pub(super) fn view_of(format: &str, tool: &str) -> &'static dyn ToolView {
    let default: &'static dyn ToolView = &default::Default;
    if tool.starts_with(MCP) && in_two(tool).is_some() {
        return default;
    }
    let bare = bare(tool);
    // The prefix is part of some names: `container.exec` is no `exec`.
    let exact = [tool, bare].iter().find_map(|name| {
        let bound = format!("{format}/{name}");
        INDEX.get(bound.as_str()).or_else(|| INDEX.get(name))
    });
    exact
        .or_else(|| FOLDED.get(&fold(bare)).filter(|_| in_two(bare).is_none()))
        .copied()
        .unwrap_or(default)
}

/// A tool's name without the prefix that its program put before it.
fn bare(tool: &str) -> &str {
    PREFIXES
        .iter()
        .find_map(|prefix| tool.strip_prefix(prefix))
        .unwrap_or(tool)
}

/// The server and the tool in the name of an MCP tool, as a format writes it; only to be asked of
/// tools that have no view.
pub(super) fn server_and_tool<'a>(format: &str, name: &'a str) -> Option<(&'a str, &'a str)> {
    let pair = in_two(name);
    // OpenCode joins the two with a single `_`, which its own tools do not have.
    pair.or_else(|| name.split_once('_').filter(|_| format == "opencode"))
        // A connector of Claude's app stands before a colon.
        .or_else(|| name.split_once(':').filter(|_| format == "claude"))
        .filter(|(server, tool)| !server.is_empty() && !tool.is_empty())
}

/// A name that says by itself that it is of an MCP tool: `mcp__server__tool`, as most programs
/// write it, `mcp_server_tool`, of programs whose servers have no `_` in their names,
/// `tool_mcp_server` or `server__tool`.
fn in_two(name: &str) -> Option<(&str, &str)> {
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
            let none = OwnViews::default();
            let registry = Registry::new("x", &none);
            registry
                .view_of_call("text_editor", &Args::of(Some(&input)))
                .name()
        };
        assert_eq!(view("view"), "read");
        assert_eq!(view("create"), "write");
        assert_eq!(view("str_replace"), "edit");
        assert_eq!(view("dance"), "default");
    }

    #[test]
    fn a_tool_whose_argument_says_what_it_does() {
        let view = |format: &str, tool: &str, input: &str| {
            let none = OwnViews::default();
            let registry = Registry::new(format, &none);
            let args = Args::of(Some(&Input::Json(input.to_owned())));
            registry.view_of_call(tool, &args).name()
        };
        for (input, name) in [
            (r#"{"weather":[{"location":"Pier"}]}"#, "lookup"),
            (r#"{"response_length":"short","time":[{}]}"#, "lookup"),
            (r#"{"search_query":[],"finance":[{}]}"#, "lookup"),
            (r#"{"screenshot":[{"ref_id":"a"}]}"#, "browser"),
            (r#"{"search_query":[{"q":"a"}],"time":[{}]}"#, "web_search"),
            (r#"{"open":[{"ref_id":"a"}]}"#, "web_search"),
            ("{}", "web_search"),
        ] {
            assert_eq!(view("chatgpt", "web.run", input), name, "{input}");
            assert_eq!(view("chatgpt", "web", input), name, "{input}");
            assert_eq!(view("x", "functions.web.run", input), name, "{input}");
        }
        assert_eq!(view("x", "web", r#"{"time":[{}]}"#), "default");
    }

    #[test]
    fn a_tool_of_an_mcp_server_has_the_default_view() {
        assert_eq!(view_of("claude_code", "mcp__box__Bash").name(), "default");
        assert_eq!(view_of("x", "box__Run-Shell").name(), "default");
        for name in ["mcp__box__open_lid", "open_lid_mcp_box", "box__open_lid"] {
            assert_eq!(in_two(name), Some(("box", "open_lid")), "{name}");
        }
        assert_eq!(in_two("__init__"), None);
        assert_eq!(view_of("gemini_cli", "mcp_box_Bash").name(), "default");
        assert_eq!(in_two("mcp_box_make_tea"), Some(("box", "make_tea")));
        assert_eq!(in_two("mcp__box_x__tea"), Some(("box_x", "tea")));
        assert_eq!(in_two("mcp_box"), None);
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
