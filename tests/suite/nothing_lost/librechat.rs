//! What is said in LibreChat's exports: of each message its parts, else its text.

use serde_json::{Value, json};

use super::records::{Kind, Said, strings};

/// What a document says; `None` when it is none of LibreChat's.
pub(super) fn said(document: &Value) -> Option<Vec<Said>> {
    if document["messageId"].is_string() && document.get("isCreatedByUser").is_some() {
        let mut all = Vec::new();
        of_message(document, &mut all);
        return Some(all);
    }
    let messages = document
        .get("messagesTree")
        .unwrap_or(&document["messages"]);
    let messages = messages.as_array()?;
    if !messages.iter().any(|one| one["messageId"].is_string()) {
        return None;
    }
    let mut all = vec![Said {
        kind: Kind::Injected,
        record: 1,
        text: words(&document["options"]["promptPrefix"]).to_owned(),
    }];
    messages
        .iter()
        .for_each(|message| of_message(message, &mut all));
    Some(all)
}

fn words(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn of_message(message: &Value, all: &mut Vec<Said>) {
    let record = all.len() + 1;
    let mut say = |kind, text: &str| {
        all.push(Said {
            kind,
            record,
            text: without_marks(text),
        });
    };
    let kind = match &message["isCreatedByUser"] {
        Value::Bool(true) => Kind::Prompt,
        Value::String(text) if text == "true" => Kind::Prompt,
        _ => Kind::Reply,
    };
    let parts = message["content"].as_array();
    if parts.is_none_or(Vec::is_empty) {
        say(kind, words(&message["text"]));
    }
    parts
        .into_iter()
        .flatten()
        .for_each(|part| of_part(part, kind, &mut say));
    for file in message["files"].as_array().into_iter().flatten() {
        say(kind, words(&file["filename"]));
    }
    for attachment in message["attachments"].as_array().into_iter().flatten() {
        for page in attachment["web_search"]["organic"]
            .as_array()
            .into_iter()
            .flatten()
        {
            for field in ["title", "link", "snippet"] {
                say(Kind::Source, words(&page[field]));
            }
        }
    }
    let below = message["children"].as_array().into_iter().flatten();
    below.for_each(|message| of_message(message, all));
}

fn of_part(part: &Value, kind: Kind, say: &mut impl FnMut(Kind, &str)) {
    match part["type"].as_str() {
        Some("think") => strings(&part["think"], Kind::Reasoning, say),
        Some("tool_call") => {
            let call = &part["tool_call"];
            let args = &call["args"];
            match args.as_str().map(serde_json::from_str::<Value>) {
                Some(Ok(args)) => strings(&args, Kind::Input, say),
                _ => strings(args, Kind::Input, say),
            }
            // Of a search the pages stand beside.
            if call["name"] != "web_search" {
                say(Kind::Result, words(&call["output"]));
            }
            for inner in call["subagent_content"].as_array().into_iter().flatten() {
                of_part(inner, Kind::Reply, say);
            }
        }
        Some(name) => strings(&part[name], kind, say),
        None => strings(part, kind, say),
    }
}

/// The text without the marks of citations.
fn without_marks(text: &str) -> String {
    let mut text = text.replace("\\ue202", "\u{e202}");
    while let Some(at) = text.find("\u{e202}turn") {
        let is_over = |c: char| c != '\u{e202}' && !c.is_ascii_alphanumeric();
        let end = text[at..].find(is_over).map_or(text.len(), |end| at + end);
        text.replace_range(at..end, "\n");
    }
    text
}

#[test]
fn libre_chats_are_walked() {
    let below = json!({"messageId": "b", "isCreatedByUser": false, "text": "copy", "content": [
        {"type": "text", "text": "a\u{e202}turn0search1 b"},
        {"type": "tool_call", "tool_call": {"name": "x", "args": "{\"q\":\"i\"}", "output": "o"}},
    ]});
    let message =
        json!({"messageId": "a", "isCreatedByUser": true, "text": "p", "children": [below]});
    let document = json!({"conversationId": "c", "messagesTree": [message]});
    let said = said(&document).expect("it is its own");
    let texts: Vec<_> = said.iter().map(|said| said.text.as_str()).collect();
    assert_eq!(texts, ["", "p", "a\n b", "i", "o"]);
    assert!(super::librechat::said(&json!({"messages": [{"role": "user"}]})).is_none());
}
