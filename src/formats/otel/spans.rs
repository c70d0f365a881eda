//! Spans and events out of what exporters write, in one shape: a request with its response.
//!
//! Three ages of the conventions are read: messages in attributes (as values, or as JSON that is
//! written as text once or twice), an event for each message, and attributes with numbers in
//! their names.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

/// How often a text is taken for JSON that was written as text.
const ENCODED: usize = 3;

type Attributes = BTreeMap<String, Value>;

/// What was found so far, by when it began.
#[derive(Default)]
pub(super) struct Found {
    all: Vec<(f64, Value)>,
}

impl Found {
    /// Looks for spans, and records of logs, in a value of any envelope.
    pub(super) fn look(&mut self, value: &Value) {
        match value {
            Value::Array(list) => list.iter().for_each(|one| self.look(one)),
            Value::Object(fields) if fields.contains_key("attributes") && !is_envelope(fields) => {
                self.span(value);
            }
            Value::Object(fields) => {
                const INNER: [&str; 9] = [
                    "resourceSpans",
                    "scopeSpans",
                    "instrumentationLibrarySpans",
                    "spans",
                    "resourceLogs",
                    "scopeLogs",
                    "logRecords",
                    "data",
                    "batches",
                ];
                INNER
                    .iter()
                    .filter_map(|key| fields.get(*key))
                    .for_each(|one| self.look(one));
            }
            _ => {}
        }
    }

    /// What was found, as JSON, in the order of time; what has none stays where it was.
    pub(super) fn exchanges(mut self) -> Vec<String> {
        self.all
            .sort_by(|(one, _), (other, _)| one.total_cmp(other));
        self.all
            .into_iter()
            .map(|(_, one)| one.to_string())
            .collect()
    }

    fn span(&mut self, span: &Value) {
        let attributes = attributes(&span["attributes"]);
        let time = millis(
            span,
            &[
                "startTimeUnixNano",
                "start_time_unix_nano",
                "timeUnixNano",
                "start_time",
                "startTime",
                "timestamp",
            ],
        );
        let end = millis(
            span,
            &[
                "endTimeUnixNano",
                "end_time_unix_nano",
                "end_time",
                "endTime",
            ],
        );
        let order = time.unwrap_or_default();
        if text(&attributes, "gen_ai.operation.name") == Some("execute_tool") {
            self.all.push((order, executed(span, &attributes)));
            return;
        }
        let mut messages = Messages::of(&attributes);
        for event in span["events"].as_array().into_iter().flatten() {
            let mut inner = self::attributes(&event["attributes"]);
            inner.extend(self::attributes(&event["body"]));
            let name = event["name"]
                .as_str()
                .or_else(|| event["eventName"].as_str());
            messages.event(name.unwrap_or_default(), inner);
        }
        if let Some(name) = span["eventName"]
            .as_str()
            .or_else(|| text(&attributes, "event.name"))
        {
            let mut inner = attributes.clone();
            inner.extend(self::attributes(&span["body"]));
            messages.event(name, inner);
        }
        if messages.asked.is_empty() && messages.answered.is_empty() {
            return;
        }
        let get = |key: &str| attributes.get(key).cloned().unwrap_or_default();
        let conversation = get("gen_ai.conversation.id");
        let ms = time
            .zip(end)
            .map(|(start, end)| (end - start).max(0.0).round());
        let error = text(&attributes, "error.type").map(|kind| {
            let told = span["status"]["message"]
                .as_str()
                .or_else(|| span["status"]["description"].as_str());
            told.map_or_else(|| kind.to_owned(), |told| format!("{kind}: {told}"))
        });
        let finish = match attributes.get("gen_ai.response.finish_reasons") {
            Some(Value::Array(list)) => list.first().cloned().unwrap_or_default(),
            other => other.cloned().unwrap_or_default(),
        };
        let model = match get("gen_ai.response.model") {
            Value::Null => get("gen_ai.request.model"),
            model => model,
        };
        let count = |new: &str, old: &str| match get(new) {
            Value::Null => get(old),
            count => count,
        };
        let exchange = json!({
            "timestamp": time,
            "duration_ms": ms.map(|ms| ms as u64),
            "request": {
                "model": get("gen_ai.request.model"),
                "messages": messages.asked,
                "system": messages.system,
                "tools": get("gen_ai.tool.definitions"),
                "conversation": conversation,
                "previous_response_id": conversation,
            },
            "response": {
                "id": conversation,
                "response_id": get("gen_ai.response.id"),
                "messages": messages.answered,
                "model": model,
                "finish": finish,
                "error": error,
                "usage": {
                    "input_tokens": count("gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens"),
                    "output_tokens": count("gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens"),
                },
            },
        });
        self.all.push((order, exchange));
    }
}

/// Whether attributes are those of a resource or a scope, around what is looked for.
fn is_envelope(fields: &Map<String, Value>) -> bool {
    let inner = [
        "scopeSpans",
        "scopeLogs",
        "spans",
        "logRecords",
        "resourceSpans",
    ];
    inner.iter().any(|key| fields.contains_key(*key))
}

fn executed(span: &Value, attributes: &Attributes) -> Value {
    let get = |key: &str| attributes.get(key).cloned().unwrap_or_default();
    let is_error = attributes.contains_key("error.type");
    let result = match get("gen_ai.tool.call.result") {
        Value::Null if is_error => span["status"]["message"].clone(),
        result => result,
    };
    json!({
        "executed": get("gen_ai.tool.call.id"),
        "name": get("gen_ai.tool.name"),
        "result": result,
        "is_error": is_error,
    })
}

/// A moment in milliseconds. Exporters write nanoseconds as text, or a moment as people do.
fn millis(span: &Value, keys: &[&str]) -> Option<f64> {
    let value = keys
        .iter()
        .map(|key| &span[*key])
        .find(|value| !value.is_null())?;
    let number = value.as_f64().or_else(|| value.as_str()?.parse().ok());
    match number {
        // Seconds, milliseconds, microseconds or nanoseconds, by size.
        Some(number) if number > 1e17 => Some((number / 1e6).round()),
        Some(number) if number > 1e14 => Some((number / 1e3).round()),
        Some(number) if number > 1e11 => Some(number),
        Some(number) => Some(number * 1e3),
        None => {
            let time = crate::formats::times::parse(value.as_str()?)?;
            Some(time.as_millisecond() as f64)
        }
    }
}

fn text<'a>(attributes: &'a Attributes, key: &str) -> Option<&'a str> {
    attributes.get(key).and_then(Value::as_str)
}

/// Attributes by name: an object, or the list of pairs that OTLP writes.
fn attributes(value: &Value) -> Attributes {
    match value {
        Value::Object(fields) if is_any(fields) => match plain(value) {
            Value::Object(fields) => fields.into_iter().collect(),
            _ => Attributes::new(),
        },
        Value::Object(fields) => {
            let pairs = fields
                .iter()
                .map(|(key, value)| (key.clone(), value.clone()));
            pairs.collect()
        }
        Value::Array(list) => {
            let pairs = list
                .iter()
                .filter_map(|pair| Some((pair["key"].as_str()?.to_owned(), plain(&pair["value"]))));
            pairs.collect()
        }
        _ => Attributes::new(),
    }
}

fn is_any(fields: &Map<String, Value>) -> bool {
    fields.len() == 1 && fields.keys().all(|key| key.ends_with("Value"))
}

/// A value without the wrapper that says its type.
fn plain(value: &Value) -> Value {
    let Some(fields) = value.as_object().filter(|fields| is_any(fields)) else {
        return value.clone();
    };
    match fields.iter().next() {
        Some((key, list)) if key == "arrayValue" => {
            let values = list["values"].as_array();
            Value::Array(values.into_iter().flatten().map(plain).collect())
        }
        Some((key, list)) if key == "kvlistValue" => {
            let pairs = attributes(&list["values"]);
            Value::Object(pairs.into_iter().collect())
        }
        Some((key, value)) if key == "intValue" => {
            let number = value.as_str().and_then(|text| text.parse::<i64>().ok());
            number.map_or_else(|| value.clone(), |number| json!(number))
        }
        Some((_, value)) => value.clone(),
        None => Value::Null,
    }
}

/// A value that may be written as text, once or twice.
fn decoded(value: &Value) -> Value {
    let mut value = value.clone();
    for _ in 0..ENCODED {
        let inner = value
            .as_str()
            .and_then(|text| serde_json::from_str::<Value>(text).ok());
        match inner {
            Some(inner @ (Value::Array(_) | Value::Object(_) | Value::String(_))) => value = inner,
            _ => break,
        }
    }
    value
}

/// The messages of a request and its response.
#[derive(Default)]
struct Messages {
    asked: Vec<Value>,
    answered: Vec<Value>,
    system: Value,
}

impl Messages {
    fn of(attributes: &Attributes) -> Self {
        let list = |key: &str| match attributes.get(key).map(decoded) {
            Some(Value::Array(list)) => list.iter().map(in_parts).collect(),
            _ => Vec::new(),
        };
        let system = attributes.get("gen_ai.system_instructions").map(decoded);
        let mut messages = Messages {
            asked: list("gen_ai.input.messages"),
            answered: list("gen_ai.output.messages"),
            system: match system {
                Some(Value::String(words)) => json!([{"type": "text", "content": words}]),
                other => other.unwrap_or_default(),
            },
        };
        if messages.asked.is_empty() && messages.answered.is_empty() {
            messages.asked = numbered(attributes, "gen_ai.prompt.");
            messages.answered = numbered(attributes, "gen_ai.completion.");
        }
        messages
    }

    /// Adds what an event says: one message, or all of them.
    fn event(&mut self, name: &str, attributes: Attributes) {
        let role = name
            .strip_prefix("gen_ai.")
            .and_then(|rest| rest.strip_suffix(".message"));
        if name.ends_with("operation.details") {
            let inner = Messages::of(&attributes);
            *self = inner;
        } else if name == "gen_ai.choice" {
            let message = attributes.get("message").map(decoded);
            let mut message = message.unwrap_or_else(|| json!(attributes));
            if let Value::Object(fields) = &mut message {
                fields.insert("role".to_owned(), json!("assistant"));
                if let Some(reason) = attributes.get("finish_reason") {
                    fields.insert("finish_reason".to_owned(), reason.clone());
                }
            }
            self.answered.push(in_parts(&message));
        } else if let Some(role) = role {
            let mut message: Map<String, Value> = attributes.into_iter().collect();
            message.entry("role").or_insert_with(|| json!(role));
            self.asked.push(in_parts(&Value::Object(message)));
        }
    }
}

/// A message in parts: older ones have a content and calls beside it.
fn in_parts(message: &Value) -> Value {
    if message["parts"].is_array() {
        return message.clone();
    }
    let role = message["role"].as_str().unwrap_or("user");
    let mut parts: Vec<Value> = Vec::new();
    let content = decoded(&message["content"]);
    if role == "tool" {
        let id = [&message["id"], &message["tool_call_id"]];
        let id = id.into_iter().find(|id| id.is_string());
        parts.push(json!({"type": "tool_call_response", "id": id, "name": message["name"], "response": content}));
    } else {
        match content {
            Value::String(words) => parts.push(json!({"type": "text", "content": words})),
            Value::Array(list) => parts.extend(list.into_iter().map(|mut part| {
                if part["content"].is_null() && part["text"].is_string() {
                    part["content"] = part["text"].take();
                }
                part
            })),
            Value::Null => {}
            other => parts.push(json!({"type": "text", "content": other.to_string()})),
        }
        for call in decoded(&message["tool_calls"])
            .as_array()
            .into_iter()
            .flatten()
        {
            let function = match call["function"].is_object() {
                true => &call["function"],
                false => call,
            };
            parts.push(
                json!({"type": "tool_call", "id": call["id"], "name": function["name"],
                "arguments": decoded(&function["arguments"])}),
            );
        }
    }
    json!({"role": role, "parts": parts, "finish_reason": message["finish_reason"]})
}

/// Messages whose fields are attributes with numbers in their names:
/// `gen_ai.prompt.0.tool_calls.1.name`.
fn numbered(attributes: &Attributes, prefix: &str) -> Vec<Value> {
    let mut messages: BTreeMap<usize, Map<String, Value>> = BTreeMap::new();
    let mut calls: BTreeMap<(usize, usize), Map<String, Value>> = BTreeMap::new();
    for (key, value) in attributes {
        let Some((nth, field)) = key
            .strip_prefix(prefix)
            .and_then(|rest| rest.split_once('.'))
        else {
            continue;
        };
        let Ok(nth) = nth.parse::<usize>() else {
            continue;
        };
        let message = messages.entry(nth).or_default();
        match field
            .strip_prefix("tool_calls.")
            .and_then(|rest| rest.split_once('.'))
        {
            Some((call, field)) => {
                let Ok(call) = call.parse::<usize>() else {
                    continue;
                };
                let call = calls.entry((nth, call)).or_default();
                call.insert(field.to_owned(), value.clone());
            }
            None => {
                message.insert(field.to_owned(), value.clone());
            }
        }
    }
    for ((nth, _), call) in calls {
        let message = messages.entry(nth).or_default();
        let list = message.entry("tool_calls").or_insert_with(|| json!([]));
        if let Value::Array(list) = list {
            list.push(Value::Object(call));
        }
    }
    messages
        .into_values()
        .map(|message| in_parts(&Value::Object(message)))
        .collect()
}
