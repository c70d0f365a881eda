//! The table's rows as a conversation of SCN Chat, in which a reply can be done, running and
//! stopped.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Value, json};

/// An output that no view can expect: controls, colours, markup, characters that turn the order.
const ODD: &str = "\u{0}\u{7}\u{1b}[31mred\u{1b}[0m \u{1b}]0;title\u{7}\r\n\t<b onclick=x>&amp;</b>\n\u{202e}turned\u{202c}\u{200b}\n\n   \n";

/// One call of the table.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Row {
    pub(super) view: String,
    pub(super) shape: String,
    pub(super) tool: String,
    input: Option<Value>,
    result: Option<String>,
    error: Option<String>,
    ms: Option<u64>,
    #[serde(default)]
    is_running: bool,
}

/// A conversation with a prompt for each view and a line over each of its cards, so that no two
/// calls make a run.
pub(super) fn conversation(rows: &[Row]) -> Value {
    let mut views: BTreeMap<&str, Vec<Row>> = BTreeMap::new();
    for row in rows {
        let shapes = views.entry(&row.view).or_default();
        if shapes.is_empty() {
            shapes.extend(odd_shapes(row));
        }
        shapes.push(row.clone());
    }
    let mut messages: Vec<Value> = Vec::new();
    let mut number = 0;
    for (view, mut rows) in views {
        // What the table says comes first; a reply is either still running or not.
        rows.rotate_left(5);
        add(&mut messages, "user", "complete", vec![text(view)]);
        for (is_running, status) in [(false, "complete"), (true, "pending")] {
            let mut parts = Vec::new();
            for row in rows.iter().filter(|row| row.is_running == is_running) {
                number += 1;
                parts.extend(row.parts(number));
            }
            add(&mut messages, "assistant", status, parts);
        }
    }
    json!({"conversation": {"title": "Every view"}, "messages": messages})
}

/// The shapes that every view is drawn in.
fn odd_shapes(row: &Row) -> [Row; 5] {
    let shape = |shape: &str| Row {
        shape: shape.to_owned(),
        result: None,
        error: None,
        ms: None,
        ..row.clone()
    };
    [
        Row {
            error: Some("It did not work.\nNobody knows why.".to_owned()),
            ..shape("failed")
        },
        Row {
            is_running: true,
            ..shape("running")
        },
        shape("without a result"),
        Row {
            input: Some(json!([1, null, {"path": ["<i>"]}])),
            result: row.result.clone(),
            ..shape("odd input")
        },
        Row {
            result: Some(ODD.to_owned()),
            ..shape("odd output")
        },
    ]
}

impl Row {
    /// Its shape as a line of text, its call and its result.
    fn parts(&self, number: usize) -> Vec<Value> {
        let id = format!("call-{number}");
        let mut parts = vec![text(&self.shape)];
        parts.push(json!({
            "$type": "network.sharedcomputer.chat.defs#toolCallPart",
            "callId": id,
            "tool": self.tool,
            "input": self.input.as_ref().map(Value::to_string).unwrap_or_default(),
        }));
        if let Some(output) = self.error.as_ref().or(self.result.as_ref()) {
            let mut result = json!({
                "$type": "network.sharedcomputer.chat.defs#toolResultPart",
                "callId": id,
                "output": output,
                "isError": self.error.is_some(),
            });
            if let Some(ms) = self.ms {
                result["durationMs"] = json!(ms);
            }
            parts.push(result);
        }
        parts
    }
}

fn text(words: &str) -> Value {
    json!({"$type": "network.sharedcomputer.chat.defs#textPart", "text": words})
}

/// Adds a message that follows the one before it.
fn add(messages: &mut Vec<Value>, role: &str, status: &str, parts: Vec<Value>) {
    let at = messages.len();
    messages.push(json!({"key": format!("m{at}"), "record": {
        "$type": "network.sharedcomputer.chat.message",
        "role": role,
        "createdAt": "2026-03-17T09:00:00.000Z",
        "parent": at.checked_sub(1).map(|before| format!("m{before}")),
        "status": status,
        "content": {"$type": "network.sharedcomputer.chat.defs#plainContent", "parts": parts},
    }}));
}
