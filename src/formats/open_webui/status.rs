//! What the program did before the model answered, as it told it: searches of the web and of
//! collections, which are no calls of the model.

use serde_json::json;

use crate::formats::records::{Object, text};
use crate::model::{Details, Input, Part, SearchHit, ToolCall, ToolResult};

/// The searches among a reply's states, as one card; none where the model searched by itself.
pub(super) fn searches(message: &Object<'_>, parts: &[Part]) -> Option<Part> {
    let by_model = parts.iter().any(|part| match part {
        Part::Tool(call) => call.name.contains("search"),
        _ => false,
    });
    if by_model {
        return None;
    }
    let mut queries: Vec<String> = Vec::new();
    let mut hits: Vec<SearchHit> = Vec::new();
    let mut is_done = false;
    let mut is_search = false;
    for state in message.items("statusHistory") {
        let state = Object::of(state).unwrap_or_default();
        let action = state.string("action");
        if !action.contains("search") {
            continue;
        }
        is_search = true;
        is_done |= state.flag("done");
        let asked = state.items("queries").into_iter().filter_map(text);
        let asked = asked
            .map(|query| query.into_owned())
            .chain(state.words("query"));
        for query in asked {
            if !queries.contains(&query) {
                queries.push(query);
            }
        }
        let mut add = |url: String, title: String| {
            if hits.iter().all(|hit| hit.url != url) {
                hits.push(SearchHit {
                    title,
                    url,
                    snippet: None,
                });
            }
        };
        for item in state.items("items") {
            let item = Object::of(item).unwrap_or_default();
            let url = item.words("link").or_else(|| item.words("url"));
            if let Some(url) = url {
                add(url, item.string("title"));
            }
        }
        for url in state.items("urls").into_iter().filter_map(text) {
            add(url.into_owned(), String::new());
        }
    }
    if !is_search || (queries.is_empty() && hits.is_empty()) {
        return None;
    }
    let input = match queries.as_slice() {
        [query] => json!({ "query": query }),
        queries => json!({ "queries": queries }),
    };
    let result = (is_done || !hits.is_empty()).then(|| ToolResult {
        details: Some(Box::new(Details {
            hits: Some(hits),
            ..Details::default()
        })),
        ..ToolResult::default()
    });
    Some(Part::Tool(Box::new(ToolCall {
        name: "web_search".to_owned(),
        input: Some(Input::Json(input.to_string())),
        result,
        ..ToolCall::default()
    })))
}
