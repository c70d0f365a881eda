//! One tool call as its view sees it: the call with its input parsed and its status known.

use crate::model::{Details, ReplyStatus, ToolCall, ToolResult, ToolStatus};

use super::args::Args;
use super::outcome::Output;
use super::{ToolView, view_of};

/// One tool call, ready to be drawn.
pub(crate) struct Act<'a> {
    /// The call.
    pub(crate) call: &'a ToolCall,
    /// How it stands.
    pub(crate) status: ToolStatus,
    /// Its input.
    pub(crate) args: Args,
    /// Its result's text, with the trailers that programs put behind an output taken off.
    pub(crate) output: Output<'a>,
    /// The folder of the work, to which paths are shown relative.
    pub(crate) project: Option<&'a str>,
    /// Its view.
    pub(crate) view: &'static dyn ToolView,
}

impl<'a> Act<'a> {
    /// Looks at a call of a reply that ended so, in a conversation of this format and project.
    pub(crate) fn new(
        call: &'a ToolCall,
        status: ReplyStatus,
        format: &str,
        project: Option<&'a str>,
    ) -> Self {
        Act {
            call,
            status: call.status(status),
            args: Args::of(call.input.as_ref()),
            output: Output::of(call.result.as_ref()),
            project,
            view: view_of(format, &call.name),
        }
    }

    /// The call's result.
    pub(crate) fn result(&self) -> Option<&'a ToolResult> {
        self.call.result.as_ref()
    }

    /// What the program recorded about the result beyond its text.
    pub(crate) fn details(&self) -> Option<&'a Details> {
        self.result()?.details.as_deref()
    }

    /// Whether the result is there and no error: what a view needs to draw it its own way.
    pub(crate) fn is_done(&self) -> bool {
        self.status == ToolStatus::Done
    }

    /// The tool's name as it is shown; a nameless result is called one.
    pub(crate) fn tool(&self) -> &'a str {
        if self.call.name.is_empty() {
            "tool result"
        } else {
            &self.call.name
        }
    }

    /// A path as a row shows it: relative to the project's folder, else with `~` for a home.
    pub(crate) fn short_path(&self, path: &str) -> String {
        let inside = self
            .project
            .filter(|project| project.len() > 1)
            .and_then(|project| {
                path.strip_prefix(project.trim_end_matches(['/', '\\']))?
                    .strip_prefix(['/', '\\'])
            });
        match inside {
            Some(inside) if !inside.is_empty() => inside.to_owned(),
            _ => home_as_tilde(path),
        }
    }
}

/// A path with the home folder that it begins with as `~`.
fn home_as_tilde(path: &str) -> String {
    for homes in ["/home/", "/Users/", "C:\\Users\\"] {
        let Some(rest) = path.strip_prefix(homes) else {
            continue;
        };
        let user = rest.find(['/', '\\']).unwrap_or(rest.len());
        return format!("~{}", &rest[user..]);
    }
    match path.strip_prefix("/root") {
        Some(rest) if rest.is_empty() || rest.starts_with('/') => format!("~{rest}"),
        _ => path.to_owned(),
    }
}
