//! One tool call as its view sees it: the call with its input parsed and its status known.

use crate::model::{Details, ReplyStatus, ToolCall, ToolResult, ToolStatus};

use super::ToolView;
use super::args::Args;
use super::outcome::Output;
use super::registry::Registry;

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
    /// The name of the conversation's format.
    pub(super) format: &'a str,
    /// Its view.
    pub(crate) view: &'a dyn ToolView,
}

impl<'a> Act<'a> {
    /// Looks at a call of a reply that ended so, in a conversation of this project.
    pub(crate) fn new(
        call: &'a ToolCall,
        status: ReplyStatus,
        registry: Registry<'a>,
        project: Option<&'a str>,
    ) -> Self {
        let args = Args::of(call.input.as_ref());
        Act {
            call,
            status: call.status(status),
            view: registry.view_of_call(&call.name, &args),
            format: registry.format(),
            args,
            output: Output::of(call.result.as_ref()),
            project,
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
        if self.call.name.trim().is_empty() {
            "tool result"
        } else {
            &self.call.name
        }
    }

    /// A path as a row shows it: relative to the project's folder, else with `~` for a home.
    pub(super) fn short_path(&self, path: &str) -> String {
        let path = path.strip_prefix("file://").unwrap_or(path);
        match self.project.and_then(|project| inside(project, path)) {
            Some("") => ".".to_owned(),
            Some(inside) => inside.to_owned(),
            None => home_as_tilde(path),
        }
    }
}

/// What of a path lies inside a folder; empty for the folder itself.
fn inside<'a>(folder: &str, path: &'a str) -> Option<&'a str> {
    let folder = folder.trim_end_matches(is_separator);
    // The root of everything would take the beginning off every path.
    if folder.is_empty() || folder.ends_with(':') {
        return None;
    }
    let mut rest = path.chars();
    for expected in folder.chars() {
        let found = rest.next()?;
        let is_same = if is_drive(folder) {
            // Windows knows no case, and either slash.
            found.eq_ignore_ascii_case(&expected) || (is_separator(found) && is_separator(expected))
        } else {
            found == expected
        };
        if !is_same {
            return None;
        }
    }
    let rest = rest.as_str();
    (rest.is_empty() || rest.starts_with(is_separator))
        .then(|| rest.trim_start_matches(is_separator))
}

/// A path with the home folder that it begins with as `~`.
fn home_as_tilde(path: &str) -> String {
    let unix = ["/home/", "/Users/"];
    let unix = unix.iter().find_map(|homes| path.strip_prefix(homes));
    let windows = || {
        let rest = path.get(2..).filter(|_| is_drive(path))?;
        let rest = rest.strip_prefix(is_separator)?.strip_prefix("Users")?;
        rest.strip_prefix(is_separator)
    };
    if let Some(rest) = unix.or_else(windows) {
        let user = rest.find(is_separator).unwrap_or(rest.len());
        return format!("~{}", &rest[user..]);
    }
    match path.strip_prefix("/root") {
        Some(rest) if rest.is_empty() || rest.starts_with('/') => format!("~{rest}"),
        _ => path.to_owned(),
    }
}

fn is_separator(c: char) -> bool {
    matches!(c, '/' | '\\')
}

/// Whether a path begins with a drive's letter: `C:`.
fn is_drive(path: &str) -> bool {
    let bytes = path.as_bytes();
    bytes.len() >= 2 && bytes[0].is_ascii_alphabetic() && bytes[1] == b':'
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::OwnViews;

    fn short(project: &str, path: &str) -> String {
        let call = ToolCall::default();
        let project = Some(project).filter(|project| !project.is_empty());
        let none = OwnViews::default();
        let registry = Registry::new("x", &none);
        Act::new(&call, ReplyStatus::Complete, registry, project).short_path(path)
    }

    #[test]
    fn a_path_in_the_project_is_shown_relative_to_it() {
        for (project, path, shown) in [
            ("/home/robin/shop", "/home/robin/shop/src/a.rs", "src/a.rs"),
            ("/home/robin/shop/", "/home/robin/shop/src/a.rs", "src/a.rs"),
            ("/home/robin/shop", "/home/robin/shop", "."),
            ("/home/robin/shop", "/home/robin/shopping/a", "~/shopping/a"),
            ("/home/robin/shop", "file:///home/robin/shop/a", "a"),
            (r"C:\code\shop", r"c:\Code\shop\src\a.rs", r"src\a.rs"),
            (r"C:\code\shop", "C:/code/shop/src/a.rs", "src/a.rs"),
            ("/", "/etc/hosts", "/etc/hosts"),
            (r"C:\", r"C:\a", r"C:\a"),
            ("/Srv", "/srv/a", "/srv/a"),
        ] {
            assert_eq!(short(project, path), shown, "{path} in {project}");
        }
    }

    #[test]
    fn a_home_is_a_tilde() {
        for (path, shown) in [
            ("/home/robin/a", "~/a"),
            ("/Users/robin", "~"),
            ("/root", "~"),
            ("/rooted/a", "/rooted/a"),
            (r"C:\Users\robin\a", r"~\a"),
            ("d:/Users/robin/a", "~/a"),
            ("src/a.rs", "src/a.rs"),
            ("é:/Users/robin/a", "é:/Users/robin/a"),
        ] {
            assert_eq!(short("", path), shown, "{path}");
        }
    }
}
