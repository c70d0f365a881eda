//! What is said in OpenCode's sessions: of every part the last state, with the wrappers taken off
//! that only the model needs.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::records::{Kind, Said, strings};

/// What the records of a source say; `None` when they are not OpenCode's.
pub(super) fn said(records: &[(usize, Value)]) -> Option<Vec<Said>> {
    let mut parts: Vec<(usize, Value)> = Vec::new();
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    let mut take = |number: usize, part: &Value| {
        let id = part["id"].as_str().unwrap_or_default();
        match places.get(id) {
            Some(at) if !id.is_empty() => parts[*at].1 = part.clone(),
            _ => {
                places.insert(id.to_owned(), parts.len());
                parts.push((number, part.clone()));
            }
        }
    };
    let mut is_ours = false;
    for (number, record) in records {
        let event = record.get("event").unwrap_or(record);
        let inner = event.get("properties").unwrap_or(record);
        if record["info"]["sessionID"].is_string() {
            let parts = record["parts"].as_array();
            parts
                .into_iter()
                .flatten()
                .for_each(|part| take(*number, part));
        } else if inner["part"]["messageID"].is_string() {
            take(*number, &inner["part"]);
        } else if record["messageID"].is_string() && record["type"].is_string() {
            take(*number, record);
        } else {
            is_ours |= event.get("properties").is_some();
            continue;
        }
        is_ours = true;
    }
    is_ours.then(|| {
        parts
            .iter()
            .flat_map(|(number, part)| of_part(*number, part))
            .collect()
    })
}

fn of_part(number: usize, part: &Value) -> Vec<Said> {
    let mut all = Vec::new();
    let mut say = |kind, text: &str| {
        all.push(Said {
            kind,
            record: number,
            text: text.to_owned(),
        });
    };
    let text = part["text"].as_str().unwrap_or_default();
    match part["type"].as_str() {
        Some("text") if text.starts_with("Called the Read tool") => {}
        Some("text") if part["synthetic"] == true => say(Kind::Injected, &without_tags(text)),
        Some("text") => say(Kind::Reply, text),
        Some("reasoning") => say(Kind::Reasoning, text),
        // Of a picture the name is no text of the page.
        Some("file")
            if part["mime"]
                .as_str()
                .is_some_and(|kind| kind.starts_with("image/")) => {}
        Some("file") => say(Kind::Input, part["filename"].as_str().unwrap_or_default()),
        Some("tool") => tool(part, &mut say),
        Some("subtask") => say(Kind::Prompt, part["prompt"].as_str().unwrap_or_default()),
        _ => {}
    }
    all
}

fn tool(part: &Value, say: &mut impl FnMut(Kind, &str)) {
    let state = &part["state"];
    strings(&state["input"], Kind::Input, say);
    let words = |field: &str| without_tags(state[field].as_str().unwrap_or_default());
    // The list that the tool was given is all that it says.
    if part["tool"] != "todowrite" {
        say(Kind::Result, &words("output"));
    }
    say(Kind::Result, &words("error"));
    let found = state["metadata"]["diagnostics"].as_object();
    let found = found.into_iter().flat_map(|found| found.values());
    let errors = found.filter_map(Value::as_array).flatten();
    for error in errors.filter(|one| one["severity"] == 1) {
        say(Kind::Result, error["message"].as_str().unwrap_or_default());
    }
}

/// Elements that stand around words for the model.
const TAGS: &[&str] = &[
    "bash_metadata",
    "content",
    "entries",
    "file",
    "file_diagnostics",
    "path",
    "system-reminder",
    "task_result",
    "type",
];

/// The words without lines that are nothing but tags, or an address for the model.
fn without_tags(text: &str) -> String {
    let is_tag = |line: &str| {
        let line = line.trim();
        let is = |tag: &&str| line.starts_with(&format!("<{tag}>")) || line == format!("</{tag}>");
        // A badge says that there are errors.
        let is_for_model =
            line.starts_with("task_id: ") || line == "This file has errors, please fix";
        TAGS.iter().any(is) || is_for_model
    };
    let lines = text.lines().filter(|line| !is_tag(line));
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn open_code_is_walked() {
    let part = |id: &str, more: Value| {
        let mut part = json!({"id": id, "messageID": "m"});
        part.as_object_mut()
            .expect("it is an object")
            .extend(more.as_object().expect("it is one").clone());
        part
    };
    let tool = json!({"type": "tool", "tool": "read", "state": {"input": {"a": ["i"]},
        "output": "<file>\no\n</file>", "error": "e"}});
    let parts = [
        part("1", json!({"type": "text", "text": "old"})),
        part("1", json!({"type": "text", "text": "new"})),
        part(
            "2",
            json!({"type": "text", "synthetic": true, "text": "Called the Read tool"}),
        ),
        part("3", json!({"type": "reasoning", "text": "t"})),
        part("4", tool),
    ];
    let expected = ["new", "t", "i", "o", "e"];
    let told = |records: Vec<Value>| {
        let records: Vec<_> = (1..).zip(records).collect();
        let said = said(&records).expect("they are its own");
        said.into_iter().map(|said| said.text).collect::<Vec<_>>()
    };
    let events = parts
        .iter()
        .map(|part| json!({"type": "message.part.updated", "properties": {"part": part}}));
    assert_eq!(told(events.collect()), expected);
    assert_eq!(
        told(vec![json!({"info": {"sessionID": "s"}, "parts": parts})]),
        expected
    );
    assert_eq!(told(parts.to_vec()), expected);
    assert!(said(&[(1, json!({"type": "user", "message": {}}))]).is_none());
}
