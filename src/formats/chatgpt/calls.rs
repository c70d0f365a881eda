//! Calls of tools: messages whose recipient is one. They have no ids; what they are called and
//! given is settled here in the words that views know.

use serde_json::{Map, Value, json};

use super::message::Message;
use crate::formats::records::text;
use crate::model::{Input, ToolCall};

/// The call that a message is.
pub(super) fn call(message: &Message<'_>, recipient: &str) -> ToolCall {
    let text = message.text();
    let (name, input) = named(recipient, &text, message);
    ToolCall {
        id: message.id.clone(),
        name,
        input: Some(input),
        start: message.time,
        ..ToolCall::default()
    }
}

/// The call that a result tells of which has none: what the program asked its browser for stands
/// with the answer as well.
pub(super) fn told(message: &Message<'_>) -> ToolCall {
    let mut call = ToolCall {
        id: message.id.clone(),
        name: shown_name(&message.name, message),
        ..ToolCall::default()
    };
    let Some(function) = message.metadata.words("command") else {
        return call;
    };
    let Some(name) = of_function(&message.name, &function) else {
        return call;
    };
    let arguments = message.metadata.items("args").into_iter().filter_map(text);
    let arguments = arguments.map(|argument| {
        let listed = literal(&argument).filter(|(value, _)| value.is_array());
        let value = listed.map(|(value, _)| value);
        (None, value.unwrap_or_else(|| Value::from(&*argument)))
    });
    let input = arguments_by_name(&function, arguments.collect());
    call.name = name;
    call.input = Some(Input::Json(Value::Object(input).to_string()));
    call
}

/// What a call is called, and what it was given.
fn named(recipient: &str, text: &str, message: &Message<'_>) -> (String, Input) {
    if !matches!(
        message.kind.as_str(),
        "" | "code" | "text" | "multimodal_text"
    ) {
        let raw = message.raw.to_owned();
        return (shown_name(recipient, message), Input::Json(raw));
    }
    let is_python = recipient.starts_with("python");
    if is_python {
        return ("python".to_owned(), Input::Text(text.to_owned()));
    }
    let trimmed = text.trim();
    let is_json = trimmed.starts_with(['{', '['])
        && serde_json::from_str::<serde::de::IgnoredAny>(trimmed).is_ok();
    if is_json {
        return (
            shown_name(recipient, message),
            Input::Json(trimmed.to_owned()),
        );
    }
    // Tools of the first ages were called in words that look like Python.
    if let Some((function, arguments)) = written_call(trimmed)
        && let Some(name) = of_function(recipient, &function)
    {
        let input = arguments_by_name(&function, arguments);
        return (name, Input::Json(Value::Object(input).to_string()));
    }
    let input = match recipient {
        "container.exec" => Input::Json(json!({ "command": text }).to_string()),
        _ => Input::Text(text.to_owned()),
    };
    (shown_name(recipient, message), input)
}

/// The name that a tool is shown under. Internal ones are called by letters and digits that say
/// nothing; what the program told the person of such a call says more.
pub(super) fn shown_name(tool: &str, message: &Message<'_>) -> String {
    if tool == "t2uay3k.sj1i4kz"
        || message.metadata.text("async_task_type").as_deref() == Some("image_gen")
    {
        return "image_gen".to_owned();
    }
    if !is_internal(tool) {
        return tool.to_owned();
    }
    let titles = [
        "reasoning_title",
        "async_task_title",
        "image_gen_title",
        "initial_text",
    ];
    let title = titles.iter().find_map(|key| message.metadata.words(key));
    title.unwrap_or_else(|| tool.to_owned())
}

/// Whether a tool's name is one of those that say nothing: `a8km123`, `q7dr546.x1y2z3a`.
pub(super) fn is_internal(tool: &str) -> bool {
    tool.split('.').all(|word| {
        (6..=8).contains(&word.len())
            && word
                .bytes()
                .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
            && word.bytes().any(|b| b.is_ascii_digit())
            && word.bytes().any(|b| b.is_ascii_lowercase())
    })
}

/// The tool that a function of one of the browsing tools is; `None` of one that is not known.
fn of_function(recipient: &str, function: &str) -> Option<String> {
    let base = recipient.split('.').next().unwrap_or(recipient);
    match (base, function) {
        ("browser" | "web", "search") => Some(format!("{base}.search")),
        ("browser" | "web", "open_url" | "open") => Some(format!("{base}.open_url")),
        (
            "browser" | "web",
            "mclick" | "click" | "scroll" | "quote" | "quote_lines" | "back" | "find"
            | "find_in_page",
        ) => Some("browser".to_owned()),
        ("myfiles_browser" | "file_search", _) => Some("myfiles_browser".to_owned()),
        _ => None,
    }
}

/// An argument of a call that looks like code, with its name, if it has one.
type Argument = (Option<String>, Value);

/// The function and the arguments of `search("a query", recency_days=7)`. `None` when the text is no
/// such call.
fn written_call(text: &str) -> Option<(String, Vec<Argument>)> {
    let (function, rest) = text.split_once('(')?;
    let is_name = |name: &str| {
        !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
    };
    if !is_name(function) {
        return None;
    }
    let inner = rest.strip_suffix(')')?;
    let mut arguments = Vec::new();
    let mut rest = inner.trim_start();
    while !rest.is_empty() {
        let named = rest
            .split_once('=')
            .filter(|(name, _)| is_name(name.trim()));
        let (name, value) = match named {
            Some((name, value)) => (Some(name.trim().to_owned()), value.trim_start()),
            None => (None, rest),
        };
        let (value, after) = literal(value)?;
        arguments.push((name, value));
        rest = after.trim_start();
        if !rest.is_empty() {
            rest = rest.strip_prefix(',')?.trim_start();
        }
    }
    Some((function.to_owned(), arguments))
}

/// The literal that a text begins with, and what follows: a string, a number, a list of them.
fn literal(text: &str) -> Option<(Value, &str)> {
    if let Some(inner) = text.strip_prefix('\'') {
        let (inner, after) = inner.split_once('\'')?;
        return Some((Value::from(inner), after));
    }
    for word in ["None", "True", "False"] {
        if let Some(after) = text.strip_prefix(word) {
            let value = match word {
                "None" => Value::Null,
                word => Value::Bool(word == "True"),
            };
            return Some((value, after));
        }
    }
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    let value = values.next()?.ok()?;
    Some((value, &text[values.byte_offset()..]))
}

/// The arguments under the names that views know.
fn arguments_by_name(function: &str, arguments: Vec<Argument>) -> Map<String, Value> {
    let names: &[&str] = match function {
        "search" | "msearch" => &["query"],
        "open_url" | "open" => &["url"],
        "mclick" | "click" => &["id"],
        "scroll" => &["amount"],
        "quote" => &["text", "to"],
        "quote_lines" => &["start", "end"],
        "find" | "find_in_page" => &["pattern"],
        _ => &[],
    };
    let mut map = Map::new();
    if !matches!(function, "search" | "msearch" | "open_url" | "open") {
        map.insert("action".to_owned(), json!(function));
    }
    for (place, (name, value)) in arguments.into_iter().enumerate() {
        let known = names.get(place).map(|name| (*name).to_owned());
        let name = name
            .or(known)
            .unwrap_or_else(|| format!("argument {}", place + 1));
        let (name, value) = match (name.as_str(), value) {
            ("query", Value::Array(queries)) => ("queries".to_owned(), Value::Array(queries)),
            ("id", Value::Array(ids)) => (name, Value::String(in_line(&ids))),
            (_, value) => (name, value),
        };
        map.insert(name, value);
    }
    map
}

/// The numbers of what was opened, in one line.
fn in_line(ids: &[Value]) -> String {
    let words = ids.iter().map(|id| match id {
        Value::String(word) => word.clone(),
        other => other.to_string(),
    });
    words.collect::<Vec<_>>().join(", ")
}

/// Whether a result that this tool gave may be that of a call of this name: the same tool, or of
/// the same family.
pub(super) fn is_of(call: &str, tool: &str) -> Kin {
    let base = |name: &str| name.split('.').next().unwrap_or(name).to_owned();
    if call == tool {
        Kin::Same
    } else if base(call) == base(tool) || base(call) == "web" && tool == "browser" {
        Kin::Family
    } else {
        Kin::None
    }
}

/// How near a call is to the tool that gave a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kin {
    None,
    Family,
    Same,
}
