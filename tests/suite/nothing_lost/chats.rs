//! What is said in the smaller exports of chats, whose words stand under a few keys each.

use serde_json::{Value, json};

use super::records::{Kind, Said};

/// A format: what a document of it has, and the keys whose strings are words.
struct Keys {
    is_one: fn(&Value) -> bool,
    words: &'static [&'static str],
}

const FORMATS: [Keys; 6] = [
    Keys {
        is_one: |document| document["conversations"][0]["responses"].is_array(),
        words: &["message", "thinking_trace", "preview", "url", "error"],
    },
    Keys {
        is_one: |document| document[0]["inserted_at"].is_string(),
        words: &[
            "content",
            "reasoning_content",
            "url",
            "snippet",
            "file_name",
        ],
    },
    Keys {
        is_one: |document| document[0]["chatId"].is_string(),
        words: &["text", "publicArguments", "url", "name"],
    },
    Keys {
        is_one: |document| document["messages"][0]["versions"].is_array(),
        words: &["text", "content", "systemPrompt", "fileIdentifier", "error"],
    },
    Keys {
        is_one: |document| document[0]["safeHtmlItem"].is_array(),
        words: &["html", "attachedFiles"],
    },
    Keys {
        is_one: |document| document["history"][0]["messages"].is_array(),
        words: &["content", "prompt"],
    },
];

/// What a document says; `None` when it is none of these.
pub(super) fn said(document: &Value) -> Option<Vec<Said>> {
    let format = FORMATS.iter().find(|format| (format.is_one)(document))?;
    let mut all = Vec::new();
    walk(document, false, format.words, &mut all);
    Some(all)
}

fn walk(value: &Value, is_said: bool, words: &[&str], all: &mut Vec<Said>) {
    match value {
        Value::String(text) if is_said => {
            let record = all.len() + 1;
            for text in pieces(text) {
                all.push(Said {
                    kind: Kind::Reply,
                    record,
                    text,
                });
            }
        }
        Value::Array(items) => items
            .iter()
            .for_each(|item| walk(item, is_said, words, all)),
        // What the program tells of its own is counted, not shown.
        Value::Object(fields) if fields.get("type") != Some(&json!("TIP")) => {
            for (key, value) in fields {
                walk(value, words.contains(&key.as_str()), words, all);
            }
        }
        _ => {}
    }
}

/// The stretches of a text between marks: elements of HTML, and citations.
fn pieces(text: &str) -> Vec<String> {
    if let Ok(Value::Object(fields)) = serde_json::from_str::<Value>(text) {
        let texts = fields.values().filter_map(Value::as_str);
        return texts.map(str::to_owned).collect();
    }
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(at) = rest
        .find("<")
        .into_iter()
        .chain(rest.find("[citation:"))
        .min()
    {
        pieces.push(unescaped(&rest[..at]));
        // What stands in a card names it.
        let end = match &rest[at..] {
            card if card.starts_with("<grok:render") => "</grok:render>",
            mark if mark.starts_with('[') => "]",
            _ => ">",
        };
        let end = rest[at..].find(end).map(|found| at + found + end.len());
        rest = end.map_or("", |end| &rest[end..]);
    }
    pieces.push(unescaped(rest));
    pieces
}

fn unescaped(text: &str) -> String {
    text.replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&amp;", "&")
}

#[test]
fn smaller_exports_are_walked() {
    let document = json!([{"inserted_at": "x", "title": "not", "mapping": {"1": {"message": {"fragments": [
        {"type": "TIP", "content": "not"}, {"type": "RESPONSE", "content": "a [citation:1] b <p>c"}]}}}}]);
    let said = said(&document).expect("it is one");
    let texts: Vec<&str> = said.iter().map(|said| said.text.as_str()).collect();
    assert_eq!(texts, ["a ", " b ", "c"]);
    assert!(super::chats::said(&json!({"messages": []})).is_none());
}
