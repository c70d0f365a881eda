//! The blocks of messages. Results stand in the next message by the person, who did not say them,
//! or with the tools at the vendor's side in the answer itself; their calls are found by id.

use crate::formats::api::{Flow, data_part, file_part, image_of, said, settled};
use crate::formats::chat::{self, cite};
use crate::formats::pairs::input;
use crate::formats::records::{Json, Object, items, text};
use crate::model::{
    Attachment, Body, Notice, NoticeKind, Part, Reasoning, Reply, SourceLink, ToolCall,
};

/// Reads what the assistant said.
pub(super) fn answer(content: Option<Json<'_>>, flow: &mut Flow) {
    let mut sources = Vec::new();
    let mut cited: Option<String> = None;
    let Some(content) = content else {
        return;
    };
    if let Some(words) = text(content) {
        return flow.parts(said(words));
    }
    for value in items(content) {
        let block = Object::of(value).unwrap_or_default();
        if block.text("type").as_deref() == Some("text") {
            // A sentence with citations is in pieces, of which those that cite are blocks.
            let words = block.string("text");
            let cites = !block.items("citations").is_empty();
            citations(&block, &mut sources);
            match &mut cited {
                Some(whole) => whole.push_str(&words),
                None if cites || block.has("citations") => cited = Some(words),
                None => flow.parts(said(words)),
            }
            continue;
        }
        flow.parts(cited.take().and_then(said));
        if let Some(part) = one(&block, value, flow) {
            flow.part(part);
        }
    }
    flow.parts(cited.and_then(said));
    if !sources.is_empty() {
        flow.facts(Reply {
            sources,
            ..Reply::default()
        });
    }
}

/// Reads what a person said; results go to their calls.
pub(super) fn read(content: Option<Json<'_>>, flow: &mut Flow) -> Vec<Part> {
    let Some(content) = content else {
        return Vec::new();
    };
    if let Some(words) = text(content) {
        return said(words).into_iter().collect();
    }
    let values = items(content).into_iter();
    let parts = values.filter_map(|value| {
        let block = Object::of(value).unwrap_or_default();
        match block.text("type").as_deref() {
            Some("text") => said(block.string("text")),
            _ => one(&block, value, flow),
        }
    });
    parts.collect()
}

/// A block that is no words: what is to be shown where it stands.
fn one(block: &Object<'_>, value: Json<'_>, flow: &mut Flow) -> Option<Part> {
    let kind = block.string("type");
    match kind.as_str() {
        "thinking" => {
            let words = block.string("thinking");
            Some(Part::Reasoning(Reasoning {
                hidden: words.trim().is_empty().then_some("hidden"),
                text: words,
                ms: None,
            }))
        }
        "redacted_thinking" => Some(Part::Reasoning(Reasoning {
            hidden: Some("redacted"),
            ..Reasoning::default()
        })),
        "image" => Some(picture(block)),
        "document" => Some(document(block)),
        "search_result" => Some(Part::File(Attachment {
            name: block
                .words("title")
                .unwrap_or_else(|| "Search result".to_owned()),
            media_type: None,
            text: Some(settled(block.get("content")).text),
            note: block.words("source"),
        })),
        "container_upload" => Some(file_part(block.words("file_id"), None, "")),
        "compaction" => {
            let notice = Notice::new(NoticeKind::Compaction, "Earlier messages were summarised");
            Some(Part::Notice(
                notice.with_body(Body::Prose(block.string("content"))),
            ))
        }
        "fallback" => {
            let to = block
                .object("to")
                .map(|to| to.string("model"))
                .unwrap_or_default();
            let notice = Notice::new(
                NoticeKind::ModelChange,
                format!("Another model took over: {to}"),
            );
            Some(Part::Notice(notice))
        }
        _ if kind.ends_with("tool_result") => {
            let mut result = settled(block.get("content"));
            result.is_error |= block.flag("is_error");
            flow.result(&block.string("tool_use_id"), "", result);
            None
        }
        _ if kind.ends_with("tool_use") => {
            called(block, flow);
            None
        }
        other => {
            let title = format!("A block of an unknown kind: {other}");
            Some(chat::unknown(title, value))
        }
    }
}

fn called(block: &Object<'_>, flow: &mut Flow) {
    let name = block.string("name");
    let caller = block
        .object("caller")
        .and_then(|caller| caller.words("type"));
    let caller = caller
        .filter(|kind| kind != "direct")
        .map(|_| Notice::new(NoticeKind::Info, "Called by the code that the model ran"));
    flow.call(ToolCall {
        id: block.string("id"),
        name: match block.words("server_name") {
            Some(server) => format!("mcp__{server}__{name}"),
            None => name,
        },
        input: Some(input(block, "input")),
        notices: caller.into_iter().collect(),
        ..ToolCall::default()
    });
}

fn picture(block: &Object<'_>) -> Part {
    let source = block.object("source").unwrap_or_default();
    match source.words("data") {
        Some(data) => data_part(&source.string("media_type"), data, None),
        None => {
            let url = source.words("url").or_else(|| source.words("file_id"));
            image_of(&url.unwrap_or_default(), None)
        }
    }
}

fn document(block: &Object<'_>) -> Part {
    let source = block.object("source").unwrap_or_default();
    let title = block.words("title");
    let media_type = source.words("media_type");
    match source.string("type").as_str() {
        "base64" => data_part(
            &media_type.unwrap_or_default(),
            source.string("data"),
            title,
        ),
        "text" | "content" => {
            let told = source.get("data").or_else(|| source.get("content"));
            Part::File(Attachment {
                name: title.unwrap_or_else(|| "Document".to_owned()),
                media_type,
                text: Some(settled(told).text),
                note: block.words("context"),
            })
        }
        _ => {
            let at = source.words("url").or_else(|| source.words("file_id"));
            file_part(title, media_type, &at.unwrap_or_default())
        }
    }
}

/// Pages and documents that a block cites; a document has no address, but its title.
fn citations(block: &Object<'_>, sources: &mut Vec<SourceLink>) {
    for citation in block.items("citations").into_iter().filter_map(Object::of) {
        let url = citation.words("url").or_else(|| citation.words("source"));
        let title = citation.words("title");
        if let Some(url) = url {
            cite(sources, &url, title);
        }
    }
}
