//! Searches of a project by meaning.

use askama::Template;

use serde_json::Value;

use crate::figures::counted;
use crate::html::Html;

use super::{Act, Body, Drawing, Glimpse, Label, ToolView, boxes, card, outcome};

const QUERIES: &[&str] = &["query", "queries", "q", "information_request", "symbolName"];

/// Draws a search of files and documents with what was found.
pub(crate) struct CodeSearch;

#[derive(Template)]
#[template(path = "tools/code_search.html")]
struct CodeSearchTemplate {
    call: Html,
    result: Html,
}

impl ToolView for CodeSearch {
    fn name(&self) -> &'static str {
        "code_search"
    }

    fn names(&self) -> &'static [&'static str] {
        &[
            "codebase_search",
            "codesearch",
            "semantic_search",
            "copilot_searchCodebase",
            "search_workspace_symbols",
            "search_subagent",
            "file_search_call",
            "file_search.msearch",
            "file_search.mclick",
            "file_search.search",
            "chatgpt/file_search",
            "openai/file_search",
            "ai_sdk/file_search",
            "ai_sdk/fileSearch",
            "otel/file_search",
            "librechat/file_search",
            "claude/file_search",
            "retrieval",
            "file_citation",
            "library_search",
            "myfiles_browser",
            "project_knowledge_search",
            "query_knowledge_files",
            "query_knowledge_bases",
            "search_knowledge_files",
            "search_knowledge_bases",
            "google_drive_search",
        ]
    }

    fn label(&self, act: &Act<'_>) -> Label {
        Label::words(match is_of_files(act) {
            true => "Searched the files",
            false => "Searched the project",
        })
    }

    fn activity(&self, act: &Act<'_>) -> String {
        match is_of_files(act) {
            true => "Searching the files".to_owned(),
            false => "Searching the project".to_owned(),
        }
    }

    fn glimpse(&self, act: &Act<'_>) -> Glimpse {
        let query = act.args.told(QUERIES).or_else(|| act.args.free.clone());
        Glimpse::Words(query.unwrap_or_default())
    }

    fn outcome(&self, act: &Act<'_>) -> Option<String> {
        let found = serde_json::from_str::<Value>(act.output.text.trim()).ok();
        let found = found.as_ref().and_then(|found| {
            let list = found.get("results").or_else(|| found.get("search_results"));
            list.unwrap_or(found).as_array()
        });
        let recorded = act.details().and_then(|details| details.matches);
        let found = found.map(|list| list.len() as u64).or(recorded);
        Some(match found {
            Some(count) => outcome::with(act, counted(count, "result", "results")),
            None => outcome::lines_or_failure(act),
        })
    }

    fn body(&self, act: &Act<'_>, drawing: &Drawing<'_>) -> Option<Body> {
        Some(Body::whole(&CodeSearchTemplate {
            call: call(act, drawing),
            result: boxes::result_or_data(act, drawing),
        }))
    }
}

/// What the row does not show of the call.
fn call(act: &Act<'_>, drawing: &Drawing<'_>) -> Html {
    let Some((name, lines)) = act.args.query_lines(QUERIES) else {
        return boxes::rest(&act.args, &[], drawing);
    };
    let mut html = match card::fits_glimpse(&lines.join(", ")) {
        true => Html::default(),
        false => boxes::words("Searched for", &lines.join("\n"), drawing),
    };
    html.push(&boxes::rest(&act.args, &[&[name]], drawing));
    html
}

/// Whether it is the files that were handed over to a chat that are searched.
fn is_of_files(act: &Act<'_>) -> bool {
    let tool = act.tool();
    let starts = [
        "file_search",
        "fileSearch",
        "myfiles_browser",
        "google_drive_search",
    ];
    starts.iter().any(|start| tool.starts_with(start))
}

#[cfg(test)]
mod tests {
    use crate::tools::testing::{call, row};

    #[test]
    fn results_are_counted_when_they_are_a_list() {
        let input = r#"{"query":"where roses grow"}"#;
        let list = call("codebase_search", input, Some(Ok(r#"{"results":[{},{}]}"#)));
        assert_eq!(
            row("cursor", &list),
            "✓ codebase_search where roses grow → 2 results"
        );
        let lines = call("codebase_search", input, Some(Ok("a\nb\nc")));
        assert!(row("cursor", &lines).ends_with("→ 3 lines"));
    }

    #[test]
    fn a_name_that_others_use_for_something_else_is_bound_to_its_format() {
        let input = r#"{"queries":["roses","beans"]}"#;
        let call = call("file_search", input, None);
        assert_eq!(
            row("chatgpt", &call),
            "◌ file_search roses, beans incomplete"
        );
    }
}
