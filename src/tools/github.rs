//! Uses of GitHub.

use askama::Template;

use crate::html::Html;

use super::{Act, Body, Drawing, Glimpse, Label, ToolView, boxes, outcome};

const ACT: &[&str] = &["op", "operation", "action", "method", "query"];
const PLACE: &[&str] = &["repo", "repository", "repositoryPath", "url"];
const NUMBER: &[&str] = &["number", "pr", "issue", "issue_number", "pull_number"];

/// Draws what was asked of GitHub and what came back.
pub(crate) struct Github;

#[derive(Template)]
#[template(path = "tools/github.html")]
struct GithubTemplate {
    call: Html,
    result: Html,
}

impl ToolView for Github {
    fn name(&self) -> &'static str {
        "github"
    }

    fn names(&self) -> &'static [&'static str] {
        &[
            "github",
            "github_repo",
            "get_changed_files",
            "copilot_getChangedFiles",
        ]
    }

    fn label(&self, _: &Act<'_>) -> Label {
        Label::words("Used GitHub")
    }

    fn activity(&self, _: &Act<'_>) -> String {
        "Using GitHub".to_owned()
    }

    fn glimpse(&self, act: &Act<'_>) -> Glimpse {
        let number = act.args.told(NUMBER).map(|number| format!("#{number}"));
        let parts = [act.args.told(ACT), act.args.told(PLACE), number];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        Glimpse::Code(parts.join(" "))
    }

    fn outcome(&self, act: &Act<'_>) -> Option<String> {
        Some(outcome::lines_or_failure(act))
    }

    fn body(&self, act: &Act<'_>, drawing: &Drawing<'_>) -> Option<Body> {
        Some(Body::whole(&GithubTemplate {
            call: boxes::rest(&act.args, &[], drawing),
            result: boxes::result_or_data(act, drawing),
        }))
    }
}

#[cfg(test)]
mod tests {
    use crate::tools::testing::{call, row};

    #[test]
    fn the_row_has_what_was_done_and_where() {
        let input = r#"{"op":"pr_view","repo":"robin/garden","pr":7}"#;
        let call = call("github", input, Some(Ok("a\nb")));
        assert_eq!(
            row("oh_my_pi", &call),
            "✓ github pr_view robin/garden #7 → 2 lines"
        );
    }
}
