//! Parts of contents, and what an answer was grounded in. Offsets of grounding are in bytes of
//! the text; the pages are listed, so that none is needed.

use serde_json::json;

use crate::formats::api::{Flow, data_part, file_part, said, settled};
use crate::formats::chat::{self, cite};
use crate::formats::pairs::input;
use crate::formats::records::{Json, Object, items, text};
use crate::model::{Details, Input, Part, Reasoning, SearchHit, SourceLink, ToolCall, ToolResult};

use super::either;

/// The name under which code that the model ran is called.
const CODE: &str = "code_execution";

/// Reads a part: what is to be shown where it stands. Calls and results go to the flow.
pub(crate) fn part(value: Json<'_>, flow: &mut Flow) -> Option<Part> {
    if let Some(words) = text(value) {
        return said(words);
    }
    let part = Object::of(value)?;
    let inner = |camel: &str, snake: &str| either(&part, camel, snake).and_then(Object::of);
    if let Some(call) = inner("functionCall", "function_call") {
        flow.call(ToolCall {
            id: call.string("id"),
            name: call.string("name"),
            input: Some(match call.has("args") {
                true => input(&call, "args"),
                false => Input::Json("{}".to_owned()),
            }),
            ..ToolCall::default()
        });
    } else if let Some(response) = inner("functionResponse", "function_response") {
        let (id, name) = (response.string("id"), response.string("name"));
        flow.result(&id, &name, answered(&response));
    } else if let Some(code) = inner("executableCode", "executable_code") {
        let language = code.string("language").to_lowercase();
        let given = json!({"language": language, "code": code.string("code")});
        flow.call(ToolCall {
            name: CODE.to_owned(),
            input: Some(Input::Json(given.to_string())),
            ..ToolCall::default()
        });
    } else if let Some(outcome) = inner("codeExecutionResult", "code_execution_result") {
        let state = outcome.string("outcome");
        let mut result = ToolResult {
            text: outcome.string("output"),
            is_error: !state.is_empty() && state != "OUTCOME_OK",
            ..ToolResult::default()
        };
        if state == "OUTCOME_DEADLINE_EXCEEDED" {
            result.details = Some(Box::new(Details {
                timed_out: true,
                ..Details::default()
            }));
        }
        flow.result("", CODE, result);
    } else if let Some(data) = inner("inlineData", "inline_data") {
        let kind = either(&data, "mimeType", "mime_type")
            .and_then(text)
            .unwrap_or_default();
        let name = either(&data, "displayName", "display_name").and_then(text);
        let name = name.map(|name| name.into_owned());
        return Some(data_part(&kind, data.string("data"), name));
    } else if let Some(file) = inner("fileData", "file_data") {
        let kind = either(&file, "mimeType", "mime_type").and_then(text);
        let at = either(&file, "fileUri", "file_uri")
            .and_then(text)
            .unwrap_or_default();
        let name = either(&file, "displayName", "display_name").and_then(text);
        let name = name.map(|name| name.into_owned());
        return Some(file_part(name, kind.map(|kind| kind.into_owned()), &at));
    } else if part.flag("thought") {
        return Some(Part::Reasoning(Reasoning {
            text: part.string("text"),
            ..Reasoning::default()
        }));
    } else if part.has("text") {
        return said(part.string("text"));
    } else if either(&part, "thoughtSignature", "thought_signature").is_some() {
        return Some(Part::Reasoning(Reasoning {
            hidden: Some("hidden"),
            ..Reasoning::default()
        }));
    } else {
        return Some(chat::unknown("A part of a kind that is not known", value));
    }
    None
}

/// What a function gave back. Libraries wrap it under a key of their own.
fn answered(response: &Object<'_>) -> ToolResult {
    let Some(value) = response.get("response") else {
        return ToolResult::default();
    };
    let object = Object::of(value).unwrap_or_default();
    let is_wrapper = |key: &str| ["output", "result", "content", "error", "name"].contains(&key);
    if object.entries().next().is_none() || !object.entries().all(|(key, _)| is_wrapper(key)) {
        return settled(Some(value));
    }
    let inner = ["output", "result", "content"]
        .iter()
        .find_map(|key| object.get(key));
    match (inner, object.get("error")) {
        (_, Some(error)) => ToolResult {
            is_error: true,
            ..settled(Some(error))
        },
        (Some(inner), None) => settled(Some(inner)),
        (None, None) => settled(Some(value)),
    }
}

/// Reads what a candidate was grounded in: a search with what it found, and pages that were read.
/// What it cites is handed back.
pub(crate) fn grounded(candidate: &Object<'_>, flow: &mut Flow) -> Vec<SourceLink> {
    let mut sources = Vec::new();
    let grounding = either(candidate, "groundingMetadata", "grounding_metadata");
    if let Some(grounding) = grounding.and_then(Object::of) {
        let chunks = either(&grounding, "groundingChunks", "grounding_chunks");
        let chunks = chunks.map(items).unwrap_or_default();
        let pages: Vec<(String, Option<String>)> = chunks
            .into_iter()
            .filter_map(|chunk| {
                let chunk = Object::of(chunk)?;
                let kinds = ["web", "retrievedContext", "retrieved_context", "maps"];
                let page = kinds.iter().find_map(|kind| chunk.object(kind))?;
                Some((page.words("uri")?, page.words("title")))
            })
            .collect();
        let queries = either(&grounding, "webSearchQueries", "web_search_queries");
        searched(queries, &pages, flow);
        for (url, title) in pages {
            cite(&mut sources, &url, title);
        }
    }
    let context = either(candidate, "urlContextMetadata", "url_context_metadata");
    if let Some(context) = context.and_then(Object::of) {
        let pages = either(&context, "urlMetadata", "url_metadata").map(items);
        for page in pages.unwrap_or_default().into_iter().filter_map(Object::of) {
            fetched(&page, flow);
        }
    }
    let cited = either(candidate, "citationMetadata", "citation_metadata").and_then(Object::of);
    let cited = cited.map(|cited| {
        let keys = ["citations", "citationSources", "citation_sources"];
        keys.iter()
            .flat_map(|key| cited.items(key))
            .collect::<Vec<_>>()
    });
    for citation in cited.unwrap_or_default().into_iter().filter_map(Object::of) {
        cite(
            &mut sources,
            &citation.string("uri"),
            citation.words("title"),
        );
    }
    sources
}

/// A search that the vendor made, with the pages that it found.
pub(crate) fn searched(
    queries: Option<Json<'_>>,
    pages: &[(String, Option<String>)],
    flow: &mut Flow,
) {
    let Some(queries) = queries.filter(|queries| !items(*queries).is_empty()) else {
        return;
    };
    let hits = pages.iter().map(|(url, title)| SearchHit {
        title: title.clone().unwrap_or_default(),
        url: url.clone(),
        snippet: None,
    });
    let details = Details {
        hits: Some(hits.collect()),
        ..Details::default()
    };
    flow.call(ToolCall {
        name: "google_search".to_owned(),
        input: Some(Input::Json(format!("{{\"queries\":{}}}", queries.get()))),
        result: Some(ToolResult {
            details: (!pages.is_empty()).then(|| Box::new(details)),
            ..ToolResult::default()
        }),
        ..ToolCall::default()
    });
}

fn fetched(page: &Object<'_>, flow: &mut Flow) {
    let url = either(page, "retrievedUrl", "retrieved_url")
        .and_then(text)
        .unwrap_or_default();
    let state = either(page, "urlRetrievalStatus", "url_retrieval_status").and_then(text);
    let state = state.unwrap_or_default();
    let is_error = !state.is_empty() && !state.ends_with("SUCCESS");
    flow.call(ToolCall {
        name: "url_context".to_owned(),
        input: Some(Input::Json(json!({"url": url}).to_string())),
        result: Some(ToolResult {
            text: if is_error {
                state.into_owned()
            } else {
                String::new()
            },
            is_error,
            ..ToolResult::default()
        }),
        ..ToolCall::default()
    });
}
