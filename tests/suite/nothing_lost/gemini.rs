//! What is said in the sessions of Gemini CLI and of Qwen Code.

use serde_json::Value;

use super::records::{Kind, strings};

/// Lines that the programs wrap around what a tool gave back, or a person said; they are facts on
/// the page, or nothing.
const WRAPPERS: [&str; 17] = [
    "Command: ",
    "Directory: ",
    "Stderr: (empty)",
    "Error: (none)",
    "Exit Code: ",
    "Signal: ",
    "Background PIDs: ",
    "Process Group PGID: ",
    "Web search results for ",
    "Sources:",
    "Showing lines ",
    "--- Content from referenced files ---",
    "Content from ",
    "--- End of content ---",
    "<untrusted_context>",
    "</untrusted_context>",
    "(empty)",
];

/// How a line begins whose rest is said.
const HEADS: [&str; 2] = ["Output: ", "Stdout: "];

/// What the model is made to say after a context.
const THANKS: &str = "Got it. Thanks for the";

/// Whether a record is of one of these programs.
pub(super) fn is_one(record: &Value) -> bool {
    let is_message = ["uuid", "parentId"]
        .iter()
        .all(|key| record.get(key).is_none())
        && record.get("content").is_some();
    record["message"]["parts"].is_array()
        || record.get("systemPayload").is_some()
        || record["$set"]["messages"].is_array()
        || record.get("parts").is_some() && record.get("role").is_some()
        || is_message && record["type"].is_string() && record.get("timestamp").is_some()
}

/// The texts of a record.
pub(super) fn said(record: &Value, say: &mut impl FnMut(Kind, &str)) {
    for message in record["$set"]["messages"].as_array().into_iter().flatten() {
        said(message, say);
    }
    let payload = &record["systemPayload"];
    for key in ["displayText", "customTitle", "rawCommand"] {
        strings(&payload[key], Kind::Injected, say);
    }
    if let Some(summary) = payload["compressedHistory"].get(0) {
        parts(&summary["parts"], Kind::Injected, say);
    }
    let kind = match record["type"].as_str().or(record["role"].as_str()) {
        Some("user") => Kind::Prompt,
        Some("info" | "error" | "warning" | "system") => Kind::Injected,
        _ => Kind::Reply,
    };
    for key in ["content", "parts"] {
        parts(&record[key], kind, say);
    }
    parts(&record["message"]["parts"], kind, say);
    for thought in record["thoughts"].as_array().into_iter().flatten() {
        strings(&thought["subject"], Kind::Reasoning, say);
        strings(&thought["description"], Kind::Reasoning, say);
    }
    for call in record["toolCalls"].as_array().into_iter().flatten() {
        strings(&call["args"], Kind::Input, say);
        parts(&call["result"], Kind::Result, say);
    }
}

/// The texts of a string, a part, or a list of them.
fn parts(value: &Value, kind: Kind, say: &mut impl FnMut(Kind, &str)) {
    match value {
        Value::String(text) => unwrapped(text, kind, say),
        Value::Array(list) => list.iter().for_each(|part| parts(part, kind, say)),
        Value::Object(part) => {
            let is_thought = part.get("thought").is_some_and(|thought| thought == true);
            let kind = if is_thought { Kind::Reasoning } else { kind };
            if let Some(text) = part.get("text").and_then(Value::as_str) {
                unwrapped(text, kind, say);
            }
            if let Some(call) = part.get("functionCall") {
                strings(&call["args"], Kind::Input, say);
            }
            if let Some(response) = part.get("functionResponse") {
                let response = &response["response"];
                for key in ["output", "error"] {
                    parts(&response[key], Kind::Result, say);
                }
            }
        }
        _ => {}
    }
}

/// A text without the lines that the programs wrap around it.
fn unwrapped(text: &str, kind: Kind, say: &mut impl FnMut(Kind, &str)) {
    if text.starts_with(THANKS) || text == "(none)" {
        return;
    }
    for line in text.lines() {
        let line = HEADS
            .iter()
            .find_map(|head| line.strip_prefix(head))
            .unwrap_or(line);
        if WRAPPERS.iter().any(|wrapper| line.starts_with(wrapper)) {
            continue;
        }
        // A numbered page of a search is a title and a link.
        let page = line
            .strip_suffix(')')
            .and_then(|line| line.split_once(" ("));
        match page.filter(|(title, url)| title.starts_with('[') && url.starts_with("http")) {
            Some((title, url)) => {
                let title = title.split_once("] ").map_or(title, |(_, title)| title);
                say(Kind::Source, title);
                say(Kind::Source, url);
            }
            None => say(kind, line),
        }
    }
}

#[test]
fn messages_thoughts_calls_and_results_are_walked() {
    let record = serde_json::json!({
        "id": "no", "timestamp": "no", "type": "gemini", "content": [{"text": "r"}],
        "thoughts": [{"subject": "t1", "description": "t2", "timestamp": "no"}],
        "toolCalls": [{
            "id": "no", "name": "no", "args": {"a": "i"}, "status": "no",
            "result": [{"functionResponse": {"response": {"output": "Output: o\nExit Code: 1"}}}],
        }],
    });
    assert!(is_one(&record));
    let mut told = Vec::new();
    said(&record, &mut |kind, text| {
        told.push((kind, text.to_owned()))
    });
    let expected = [
        (Kind::Reply, "r"),
        (Kind::Reasoning, "t1"),
        (Kind::Reasoning, "t2"),
        (Kind::Input, "i"),
        (Kind::Result, "o"),
    ];
    assert_eq!(told, expected.map(|(kind, text)| (kind, text.to_owned())));
}
