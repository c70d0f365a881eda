//! Calls that programs keep in other ways than as calls: documents in a text, searches as what they
//! found.

use serde_json::Value;

use crate::model::{Details, Input, SearchHit, ToolCall, ToolResult};

/// The call that writes a document; its `id`, `title`, `type` and `content` are the input's.
pub(crate) fn document(mut input: Value) -> ToolCall {
    input["command"] = "create".into();
    ToolCall {
        name: "artifacts".to_owned(),
        input: Some(Input::Json(input.to_string())),
        result: Some(ToolResult::default()),
        ..ToolCall::default()
    }
}

/// The search by this tool that found these pages; its input is JSON.
pub(crate) fn search(tool: &str, input: String, hits: Vec<SearchHit>) -> ToolCall {
    ToolCall {
        name: tool.to_owned(),
        input: Some(Input::Json(input)),
        result: Some(ToolResult {
            details: Some(Box::new(Details {
                hits: Some(hits),
                ..Details::default()
            })),
            ..ToolResult::default()
        }),
        ..ToolCall::default()
    }
}
