//! What the assistant wrote: cards that stand for citations, and the elements in which Grok keeps
//! documents and calls in its text.

use serde_json::{Value, json};

use crate::formats::chat::{self, Block, blocks, cite};
use crate::formats::records::{Object, text};
use crate::model::{Input, Part, SourceLink, ToolCall};

use super::parts::hit;

/// How a citation in the text begins and ends.
const CITATION: (&str, &str) = ("<grok:render", "</grok:render>");
/// How a call does.
const CALL: (&str, &str) = ("<xai:tool_usage_card>", "</xai:tool_usage_card>");

/// The text with the cards in it made links where they name a page, and left out else.
pub(super) fn cited(words: &str, response: &Object<'_>, sources: &mut Vec<SourceLink>) -> String {
    if !words.contains(CITATION.0) {
        return words.to_owned();
    }
    let cards: Vec<String> = response
        .items("card_attachments_json")
        .into_iter()
        .map(|card| text(card).map_or_else(|| card.get().to_owned(), |text| text.into_owned()))
        .collect();
    let cards: Vec<Object<'_>> = cards
        .iter()
        .filter_map(|card| Object::parse(card).ok())
        .collect();
    let mut out = String::with_capacity(words.len());
    let mut rest = words;
    while let Some((before, after)) = rest.split_once(CITATION.0) {
        let Some((element, behind)) = after.split_once(CITATION.1) else {
            break;
        };
        out.push_str(before);
        rest = behind;
        let id = element
            .split_once("card_id=\"")
            .and_then(|(_, id)| id.split_once('"'));
        let card = id.and_then(|(id, _)| cards.iter().find(|card| card.string("id") == id));
        let Some(url) = card.and_then(|card| card.words("url")) else {
            continue;
        };
        let own = card.and_then(|card| card.words("title"));
        let found = || {
            let mut hits = response.items("web_search_results").into_iter().map(hit);
            let title = hits.find(|hit| hit.url == url)?.title;
            Some(title).filter(|title| !title.is_empty())
        };
        cite(sources, &url, own.or_else(found));
        let number = sources.iter().position(|source| source.url == url);
        if let Some(number) = number.filter(|_| !url.contains(['<', '>', ' ', '\n'])) {
            out += &format!(" [\\[{}\\]](<{url}>)", number + 1);
        }
    }
    out.push_str(rest);
    out
}

/// The parts that a text is: words, documents and calls.
pub(super) fn with_elements(words: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    for block in blocks(words, "xaiArtifact") {
        match block {
            Block::Text(text) => with_calls(text, &mut parts),
            Block::Element {
                attributes,
                inner,
                whole,
            } => parts.push(match document(&attributes, inner) {
                Some(call) => Part::Tool(Box::new(call)),
                None => Part::Text(whole.to_owned()),
            }),
        }
    }
    parts
}

/// A document that was written; one without an id is none.
fn document(attributes: &[(&str, &str)], content: &str) -> Option<ToolCall> {
    let value = |name: &str| {
        let found = attributes.iter().find(|(key, _)| *key == name);
        found.map(|(_, value)| *value)
    };
    let mut input = json!({"id": value("artifact_id")?});
    for (name, key) in [("title", "title"), ("contentType", "type")] {
        if let Some(value) = value(name) {
            input[key] = value.into();
        }
    }
    input["content"] = content.trim_matches('\n').into();
    Some(chat::document(input))
}

/// Words with calls among them. What is no whole call stays as it is.
fn with_calls(text: &str, parts: &mut Vec<Part>) {
    let mut words = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(CALL.0) {
        words += before;
        let whole = after.split_once(CALL.1);
        match whole.and_then(|(inner, behind)| Some((call(inner)?, behind))) {
            Some((call, behind)) => {
                parts.extend(said(&words));
                words.clear();
                parts.push(Part::Tool(Box::new(call)));
                rest = behind;
            }
            None => {
                words += CALL.0;
                rest = after;
            }
        }
    }
    words += rest;
    parts.extend(said(&words));
}

fn said(words: &str) -> Option<Part> {
    let is_blank = words.trim().is_empty();
    (!is_blank).then(|| Part::Text(words.trim_matches('\n').to_owned()))
}

/// The call that stands in an element: a name, and what was given as JSON.
fn call(inner: &str) -> Option<ToolCall> {
    let within = |name: &str| {
        let (_, rest) = inner.split_once(&format!("<{name}>"))?;
        Some(rest.split_once(&format!("</{name}>"))?.0.trim())
    };
    let name = within("xai:tool_name").filter(|name| !name.is_empty())?;
    let given = within("xai:tool_args").unwrap_or_default();
    let given = given.strip_prefix("<![CDATA[").unwrap_or(given);
    let given = given.strip_suffix("]]>").unwrap_or(given);
    let input = match serde_json::from_str::<Value>(given) {
        Ok(_) => Input::Json(given.to_owned()),
        Err(_) => Input::Text(given.to_owned()),
    };
    Some(ToolCall {
        id: within("xai:tool_usage_card_id")
            .unwrap_or_default()
            .to_owned(),
        name: name.to_owned(),
        input: Some(input),
        ..ToolCall::default()
    })
}
