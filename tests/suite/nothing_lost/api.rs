//! What is said in logs of APIs and in the messages of libraries around them: strings under the
//! keys that vendors use for words, and all strings of what tools were given.

use serde_json::{Map, Value, json};

use super::records::{Kind, Said, encoded};

/// Keys whose strings are words.
const WORDS: [&str; 32] = [
    "text",
    "content",
    "value",
    "thinking",
    "reasoning",
    "reasoning_content",
    "refusal",
    "errorText",
    "errorMessage",
    "instructions",
    "system",
    "prompt",
    "summary",
    "logs",
    "stdout",
    "stderr",
    "code",
    "message",
    "query",
    "queries",
    "pattern",
    "revised_prompt",
    "explanation",
    "transcript",
    "file_text",
    "output",
    "result",
    "response",
    "reason",
    "commands",
    "webSearchQueries",
    "reasoningContent",
];

/// Keys of what tools were given: a value, or JSON that is written as text.
const GIVEN: [&str; 6] = [
    "arguments",
    "args",
    "input",
    "parameters",
    "rawInput",
    "tool_call",
];

/// Keys under which nothing is said.
const SILENT: [&str; 22] = [
    "tools",
    "tool_definitions",
    "metadata",
    "providerMetadata",
    "callProviderMetadata",
    "providerOptions",
    "usage",
    "logprobs",
    "encrypted_content",
    "encryptedContent",
    "signature",
    "data",
    "inlineData",
    "image_url",
    "image",
    "search_suggestions",
    "searchEntryPoint",
    "generationConfig",
    "groundingSupports",
    "grounding",
    "runSettings",
    "options_json",
];

/// What a document or a line says; `None` when it is none of these.
pub(super) fn said(value: &Value) -> Option<Vec<Said>> {
    let is_ours = match value {
        Value::Array(list) => list
            .first()
            .is_some_and(|one| is_one(one) || is_message(one)),
        one => is_one(one) || is_message(one),
    };
    if !is_ours {
        return None;
    }
    let mut all = Vec::new();
    walk(value, &mut |kind, text| {
        // The bytes of a picture are no words, nor are marks that stand for one.
        if !text.starts_with("data:") && !is_data(text) {
            all.push(Said {
                kind,
                record: 1,
                text: text.replace("<think>", "").replace("</think>", ""),
            });
        }
    });
    Some(all)
}

/// Whether a text begins as base64 does, of which the end may have been left out.
fn is_data(text: &str) -> bool {
    let start: Vec<char> = text.chars().take(60).collect();
    let is_digit = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '=');
    start.len() == 60 && start.iter().all(is_digit)
}

fn is_message(one: &Value) -> bool {
    let parts = one["parts"].as_array().and_then(|parts| parts.first());
    let is_typed = parts.is_none_or(|part| part["type"].is_string() && part.get("$type").is_none());
    let content = one["content"].is_string() || one["content"].is_array() || parts.is_some();
    let foreign = ["uuid", "messageId", "chatId", "seq", "timestamp"];
    one["role"].is_string()
        && content
        && is_typed
        && foreign.iter().all(|key| one.get(*key).is_none())
}

fn is_one(one: &Value) -> bool {
    let messages = one["messages"]
        .as_array()
        .and_then(|messages| messages.first());
    let is_body = |body: &Value| {
        body["messages"].is_array() || body["contents"].is_array() || body["input"].is_array()
    };
    let attributes = &one["attributes"];
    let has_gen_ai = attributes
        .as_object()
        .is_some_and(|fields| fields.keys().any(|key| key.starts_with("gen_ai.")));
    messages.is_some_and(is_message)
        || is_body(&one["request"])
        || is_body(&one["input"])
        || (one["input"].is_array() && one["model"].is_string())
        || one["custom_id"].is_string()
        || one["choices"].is_array()
        || one["object"] == "response"
        || one["object"] == "interaction"
        || one["stop_reason"].is_string() && one["type"] == "message"
        || one["contents"].is_array()
        || one["candidates"].is_array()
        || one["chunkedPrompt"].is_object()
        || one["prompt"]["chunkedPrompt"].is_object()
        || one["conversations"][0]["from"].is_string()
        || one["resourceSpans"].is_array()
        || one["datetime_utc"].is_string()
        || has_gen_ai
}

fn walk(value: &Value, say: &mut impl FnMut(Kind, &str)) {
    match value {
        Value::Array(list) => list.iter().for_each(|one| walk(one, say)),
        Value::Object(fields) => object(fields, say),
        _ => {}
    }
}

fn object(fields: &Map<String, Value>, say: &mut impl FnMut(Kind, &str)) {
    // Attributes of spans hold messages as text; a list of them has pairs.
    if let Some(Value::String(key)) = fields.get("key") {
        if key.ends_with(".messages")
            || key.ends_with("_instructions")
            || key.ends_with("call.result")
        {
            inside(&fields["value"]["stringValue"], say);
        }
        return;
    }
    let is_hit = fields.get("type") == Some(&json!("web_search_result"));
    for (key, value) in fields {
        let name = key.as_str();
        // The pieces of a text stand beside it.
        let is_copy = name == "parts" && fields.get("text").is_some_and(|text| text != "");
        // How hard to think was asked for, which is no thought.
        let is_copy = is_copy || (name == "reasoning" && value.get("effort").is_some());
        if SILENT.contains(&name) || is_copy {
            continue;
        }
        let is_numbered =
            name.starts_with("gen_ai.prompt") || name.starts_with("gen_ai.completion");
        if name.ends_with(".messages") || name.ends_with("_instructions") {
            inside(value, say);
        } else if is_numbered && (name.ends_with("content") || name.ends_with("arguments")) {
            encoded(value, Kind::Result, say);
        } else if GIVEN.contains(&name) && !holds_messages(value) {
            encoded(value, Kind::Input, say);
        } else if WORDS.contains(&name) || (is_hit && (name == "title" || name == "url")) {
            words(value, say);
        } else {
            walk(value, say);
        }
    }
}

/// Whether what stands under the key of an input is a conversation.
fn holds_messages(value: &Value) -> bool {
    let first = &value[0];
    value["messages"].is_array() || first["role"].is_string() || first["type"].is_string()
}

fn words(value: &Value, say: &mut impl FnMut(Kind, &str)) {
    match value {
        // JSON that is written as text is drawn as it is written, escapes of letters included.
        Value::String(text) => encoded(&json!(text.replace("\\u", "\\\\u")), Kind::Result, say),
        Value::Array(list) => list.iter().for_each(|one| match one {
            Value::String(_) => words(one, say),
            one => walk(one, say),
        }),
        other => walk(other, say),
    }
}

/// Messages that are written as text, once or twice.
fn inside(value: &Value, say: &mut impl FnMut(Kind, &str)) {
    match value.as_str().map(serde_json::from_str::<Value>) {
        Some(Ok(inner @ Value::String(_))) => inside(&inner, say),
        Some(Ok(inner)) => walk(&inner, say),
        _ => walk(value, say),
    }
}

#[test]
fn logs_of_apis_are_walked() {
    let document = json!({"request": {"model": "no", "messages": [{"role": "user", "content": "a"}]},
        "response": {"choices": [{"message": {"role": "assistant", "content": [{"type": "text", "text": "b"}],
            "tool_calls": [{"id": "no", "function": {"name": "no", "arguments": "{\"x\":\"c\"}"}}]}}]}});
    let said = said(&document).expect("it is one");
    let mut texts: Vec<&str> = said.iter().map(|said| said.text.as_str()).collect();
    texts.sort_unstable();
    assert_eq!(texts, ["a", "b", "c"]);
    assert!(
        super::api::said(&json!({"type": "user", "message": {"role": "user", "content": "x"}}))
            .is_none()
    );
}
