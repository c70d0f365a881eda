//! What is said in ChatGPT's exports: of every message in the tree its content, but for the marks
//! that references leave in the text.

use serde_json::{Value, json};

use super::records::{Kind, Said, strings};

/// What a document says; `None` when it is none of ChatGPT's.
pub(super) fn said(document: &Value) -> Option<Vec<Said>> {
    let wrapped = document.get("conversations").unwrap_or(document);
    let elements = match wrapped {
        Value::Array(elements) => elements.as_slice(),
        one => std::slice::from_ref(one),
    };
    let is_node = |node: &Value| node.get("message").is_some();
    let is_ours = |element: &Value| {
        let mut nodes = element["mapping"].as_object().into_iter().flatten();
        nodes.any(|(_, node)| is_node(node))
    };
    if !elements.iter().any(is_ours) {
        return None;
    }
    let mut all = Vec::new();
    for (record, element) in (1..).zip(elements) {
        let mut say = |kind, text: &str| {
            all.push(Said {
                kind,
                record,
                text: text.to_owned(),
            });
        };
        let nodes = element["mapping"].as_object();
        for node in nodes.into_iter().flat_map(|nodes| nodes.values()) {
            of_message(&node["message"], &mut say);
        }
    }
    Some(all)
}

fn words(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn of_message(message: &Value, say: &mut impl FnMut(Kind, &str)) {
    let content = &message["content"];
    let metadata = &message["metadata"];
    let role = words(&message["author"]["role"]);
    let recipient = message["recipient"].as_str().unwrap_or("all");
    let is_call = role == "assistant" && !matches!(recipient, "all" | "user" | "assistant");
    let kind = match role {
        "user" => Kind::Prompt,
        "tool" => Kind::Result,
        "assistant" if is_call => Kind::Input,
        "assistant" => Kind::Reply,
        _ => Kind::Injected,
    };
    let text = words(&content["text"]);
    match words(&content["content_type"]) {
        "code" if is_call => call(text, say),
        "thoughts" => {
            strings(&content["parts"], Kind::Reasoning, say);
            for thought in list(&content["thoughts"]) {
                say(Kind::Reasoning, words(&thought["summary"]));
                say(Kind::Reasoning, words(&thought["content"]));
            }
        }
        // How long was thought is told in other words.
        "reasoning_recap" if metadata["finished_duration_sec"].is_number() => {
            strings(&content["parts"], Kind::Reasoning, say);
        }
        "reasoning_recap" => say(Kind::Reasoning, words(&content["content"])),
        "tether_quote" => {
            say(kind, words(&content["title"]));
            say(kind, text);
        }
        "tether_browsing_display" => display(words(&content["result"]), say),
        "text" | "multimodal_text" | "" if is_call => {
            list(&content["parts"])
                .iter()
                .for_each(|part| call(words(part), say));
        }
        "text" | "multimodal_text" | "" => {
            for part in list(&content["parts"]) {
                let text = part.as_str().unwrap_or_else(|| words(&part["text"]));
                say(kind, &without_marks(text, metadata));
            }
        }
        // Whatever else there is, all of its words; but for ids and types, which are no words.
        _ => strings(content, kind, &mut |kind, text| {
            if text.contains(' ') {
                say(kind, text);
            }
        }),
    }
    for group in list(&metadata["search_result_groups"]) {
        for entry in list(&group["entries"]) {
            say(Kind::Source, words(&entry["title"]));
            say(Kind::Source, words(&entry["snippet"]));
        }
    }
    for citation in list(&metadata["citations"]) {
        say(Kind::Source, words(&citation["metadata"]["title"]));
    }
    for file in list(&metadata["attachments"]) {
        let media_type = file.get("mime_type").unwrap_or(&file["mimeType"]);
        if !words(media_type).starts_with("image/") {
            say(Kind::Prompt, words(&file["name"]));
        }
    }
}

/// What a tool was given: the strings of JSON, or of what looks like a call in code, else the
/// code.
fn call(text: &str, say: &mut impl FnMut(Kind, &str)) {
    if let Ok(value) = serde_json::from_str::<Value>(text) {
        return strings(&value, Kind::Input, say);
    }
    let is_written = text.ends_with(')')
        && [
            "search(",
            "msearch(",
            "mclick(",
            "open_url(",
            "quote(",
            "scroll(",
            "back(",
        ]
        .iter()
        .any(|start| text.starts_with(start));
    if is_written {
        text.split('"')
            .skip(1)
            .step_by(2)
            .for_each(|word| say(Kind::Input, word));
    } else {
        say(Kind::Input, text);
    }
}

/// The list of pages of the first browsers: titles, and what is said of each.
fn display(result: &str, say: &mut impl FnMut(Kind, &str)) {
    for part in result.split("# 【") {
        match part.split_once('】') {
            Some((heading, rest)) => {
                say(Kind::Result, heading.split('†').nth(1).unwrap_or_default());
                say(Kind::Result, rest);
            }
            None => say(Kind::Result, part),
        }
    }
}

/// The text in lines that end where a reference stands.
fn without_marks(text: &str, metadata: &Value) -> String {
    let mut text = text.to_owned();
    for reference in list(&metadata["content_references"]) {
        let matched = words(&reference["matched_text"]);
        if !matched.trim().is_empty() {
            text = text.replace(matched, "\n");
        }
    }
    let mut out = String::new();
    let mut depth = 0;
    for c in text.chars() {
        match c {
            '\u{e200}' | '【' => {
                depth += 1;
                out.push('\n');
            }
            '\u{e201}' | '】' => depth = 0,
            '\u{e202}'..='\u{e2ff}' => {}
            c if depth == 0 => out.push(c),
            _ => {}
        }
    }
    out
}

#[test]
fn chat_gpt_is_walked() {
    let message = |role: &str, recipient: &str, content: Value, metadata: Value| {
        json!({"message": {"author": {"role": role}, "recipient": recipient, "content": content,
            "metadata": metadata}})
    };
    let whole = json!([{"id": "folder"}, {"mapping": {
        "a": {"message": null},
        "b": message("user", "all", json!({"content_type": "text", "parts": ["p"]}),
            json!({"attachments": [{"name": "f.txt"}]})),
        "c": message("assistant", "browser",
            json!({"content_type": "code", "text": "search(\"q\", recency_days=1)"}), json!({})),
        "d": message("assistant", "all",
            json!({"content_type": "text", "parts": ["one\u{e200}cite\u{e201}two【1†s】REF"]}),
            json!({"content_references": [{"matched_text": "REF"}]})),
        "e": message("assistant", "all",
            json!({"content_type": "reasoning_recap", "content": "Thought for 1s"}),
            json!({"finished_duration_sec": 1})),
    }}]);
    let said = said(&whole).expect("it is its own");
    let texts: Vec<_> = said.iter().map(|said| said.text.as_str()).collect();
    assert_eq!(texts, ["p", "f.txt", "q", "one\ntwo\n\n"]);
    assert!(super::chatgpt::said(&json!({"messages": []})).is_none());
}
