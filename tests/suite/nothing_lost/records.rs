//! What is said in a source: every string that a person could see, found in the raw JSON.

use serde_json::{Deserializer, Map, Value};

use super::api;
use super::chatgpt;
use super::chats;
use super::claude_chat;
use super::codex;
use super::gemini;
use super::librechat;
use super::open_webui;
use super::opencode;

/// What a text belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// What a person wrote.
    Prompt,
    /// What the program put into the person's mouth: reminders, summaries, command echoes.
    Injected,
    /// What the assistant wrote.
    Reply,
    /// What the assistant thought.
    Reasoning,
    /// A string of a tool call's input.
    Input,
    /// What a tool answered.
    Result,
    /// A source that a reply names.
    Source,
}

/// A text of a source.
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) kind: Kind,
    /// The record that it stands in, from 1.
    pub(crate) record: usize,
    pub(crate) text: String,
}

/// Every text of a source, in the order of its records. A line that is no JSON is passed over
/// as far as it is none.
pub(crate) fn said(source: &str) -> Vec<Said> {
    let source = source.trim_start_matches('\u{feff}');
    if let Ok(document) = serde_json::from_str::<Value>(source)
        && let Some(said) = one_of(&document)
    {
        return said;
    }
    let records = records(source);
    if let Some(said) = opencode::said(&records) {
        return said;
    }
    let mut all = Vec::new();
    for (number, record) in records {
        let mut say = |kind, text: &str| {
            all.push(Said {
                kind,
                record: number,
                text: text.to_owned(),
            });
        };
        if let Some(said) = librechat::said(&record).or_else(|| api::said(&record)) {
            said.into_iter().for_each(|said| say(said.kind, &said.text));
        } else if record.get("seq").is_some() && record.get("chunk").is_some() {
            dispatch(&record, &mut say);
        } else if codex::is_record(&record) {
            codex::said(&record, &mut say);
        } else if gemini::is_one(&record) {
            gemini::said(&record, &mut say);
        } else if record.get("parts").is_some() || record.get("createdAt").is_some() {
            scn(&record, &mut say);
        } else if record.get("uuid").is_none() && is_entry(&record) {
            entry(&record, &mut say);
        } else {
            claude(&record, &mut say);
        }
    }
    all
}

/// What a document of a chat program says.
fn one_of(document: &Value) -> Option<Vec<Said>> {
    chatgpt::said(document)
        .or_else(|| claude_chat::said(document))
        .or_else(|| librechat::said(document))
        .or_else(|| open_webui::said(document))
        .or_else(|| chats::said(document))
        .or_else(|| api::said(document))
}

/// The records of a source: of the list that a document holds, or the lines of a JSONL file.
fn records(source: &str) -> Vec<(usize, Value)> {
    match serde_json::from_str::<Value>(source) {
        Ok(Value::Array(list)) => numbered(list),
        Ok(Value::Object(mut document)) => match list_of(&mut document) {
            Some(list) => numbered(list),
            None => vec![(1, Value::Object(document))],
        },
        _ => {
            let lines = source.split('\n').zip(1..);
            lines
                .flat_map(|(line, number)| {
                    // Two records may share a line.
                    let values = Deserializer::from_str(line).into_iter::<Value>();
                    values
                        .map_while(Result::ok)
                        .map(move |value| (number, value))
                })
                .collect()
        }
    }
}

/// The list of a document that is one conversation: Dispatch, SCN Chat, Claude Code on the web,
/// the first of Codex's programs.
fn list_of(document: &mut Map<String, Value>) -> Option<Vec<Value>> {
    for key in ["chunks", "messages", "loglines", "items"] {
        if let Some(Value::Array(list)) = document.get_mut(key) {
            return Some(std::mem::take(list));
        }
    }
    None
}

fn numbered(list: Vec<Value>) -> Vec<(usize, Value)> {
    let records = list
        .into_iter()
        .map(|mut item| match item.get_mut("record") {
            Some(record) => record.take(),
            None => item,
        });
    (1..).zip(records).collect()
}

/// A record of Claude Code, or of a program that writes the same.
fn claude(record: &Value, say: &mut impl FnMut(Kind, &str)) {
    let is_injected = ["isMeta", "isCompactSummary"]
        .iter()
        .any(|flag| record[*flag] == true);
    let kind = match record["type"].as_str() {
        Some("user") if is_injected => Kind::Injected,
        Some("user") => Kind::Prompt,
        Some("assistant") => Kind::Reply,
        Some("attachment") if record["attachment"]["type"] == "queued_command" => {
            return texts(&record["attachment"]["prompt"], Kind::Prompt, say);
        }
        _ => return,
    };
    texts(&record["message"]["content"], kind, say);
}

/// The texts of a Claude message: a string, or blocks.
fn texts(content: &Value, kind: Kind, say: &mut impl FnMut(Kind, &str)) {
    if let Some(text) = content.as_str() {
        return say(kind, text);
    }
    for block in content.as_array().into_iter().flatten() {
        let text = |field: &str| block[field].as_str().unwrap_or("");
        match text("type") {
            "text" => say(kind, text("text")),
            "thinking" => say(Kind::Reasoning, text("thinking")),
            "tool_use" | "server_tool_use" => strings(&block["input"], Kind::Input, say),
            "tool_result" => texts(&block["content"], Kind::Result, say),
            "web_search_tool_result" => {
                for hit in block["content"].as_array().into_iter().flatten() {
                    strings(&hit["title"], Kind::Result, say);
                    strings(&hit["url"], Kind::Result, say);
                }
            }
            _ => {}
        }
    }
}

/// Whether a record is an entry of pi, or of a program made from it.
fn is_entry(record: &Value) -> bool {
    let kinds = ["message", "custom_message", "compaction", "branch_summary"];
    record["type"]
        .as_str()
        .is_some_and(|kind| kinds.contains(&kind))
}

/// An entry of pi, or of a program made from it. What is only for the model is no text.
fn entry(record: &Value, say: &mut impl FnMut(Kind, &str)) {
    let message = match record["type"].as_str() {
        Some("message") => &record["message"],
        Some("custom_message") => record,
        _ => return say(Kind::Injected, record["summary"].as_str().unwrap_or("")),
    };
    let text = |field: &str| message[field].as_str().unwrap_or("");
    let kind = match text("role") {
        "user" if message["synthetic"] == true => Kind::Injected,
        "user" => Kind::Prompt,
        "assistant" => Kind::Reply,
        "toolResult" => Kind::Result,
        "bashExecution" | "pythonExecution" => {
            say(Kind::Input, text("command"));
            say(Kind::Input, text("code"));
            return say(Kind::Result, text("output"));
        }
        "fileMention" => {
            for file in message["files"].as_array().into_iter().flatten() {
                say(Kind::Injected, file["path"].as_str().unwrap_or(""));
                say(Kind::Injected, file["content"].as_str().unwrap_or(""));
            }
            return;
        }
        "" | "custom" | "hookMessage" if message["display"] != true => return,
        _ => Kind::Injected,
    };
    if let Some(error) = message["errorMessage"].as_str()
        && message["stopReason"] == "error"
    {
        say(Kind::Reply, error);
    }
    if let Some(words) = message["content"].as_str() {
        return say(kind, words);
    }
    for block in message["content"].as_array().into_iter().flatten() {
        let text = |field: &str| block[field].as_str().unwrap_or("");
        match text("type") {
            "text" => without_elements(text("text"), |words| say(kind, words)),
            "thinking" => say(Kind::Reasoning, text("thinking")),
            "toolCall" => strings(&block["arguments"], Kind::Input, say),
            _ => {}
        }
    }
}

/// The words of a message without the elements in which skills and files are put before them, of
/// which only the names are to be seen.
fn without_elements(text: &str, mut say: impl FnMut(&str)) {
    let opens = |line: &&str| line.starts_with("<skill name=") || line.starts_with("<file name=");
    for line in text.lines().filter(opens) {
        line.split('"').skip(1).step_by(2).for_each(&mut say);
    }
    let rest: Vec<&str> = text.lines().filter(|line| !opens(line)).collect();
    say(&rest.join("\n"));
}

/// A stored chunk of Dispatch.
fn dispatch(row: &Value, say: &mut impl FnMut(Kind, &str)) {
    let chunk = &row["chunk"];
    let text = |field: &str| chunk[field].as_str().unwrap_or("");
    let words = match row["role"].as_str() {
        Some("user") => Kind::Prompt,
        _ => Kind::Reply,
    };
    match text("type") {
        "text" => say(words, text("text")),
        "thinking" => say(Kind::Reasoning, text("text")),
        "tool-call" => encoded(&chunk["input"], Kind::Input, say),
        "tool-result" => say(Kind::Result, text("content")),
        "error" => say(Kind::Reply, text("message")),
        "system" => say(Kind::Injected, text("text")),
        _ => {}
    }
}

/// A message of SCN Chat.
fn scn(message: &Value, say: &mut impl FnMut(Kind, &str)) {
    let words = match message["role"].as_str() {
        Some("user") => Kind::Prompt,
        _ => Kind::Reply,
    };
    let parts = [&message["content"]["parts"], &message["parts"]];
    for part in parts.into_iter().filter_map(Value::as_array).flatten() {
        let text = |field: &str| part[field].as_str().unwrap_or("");
        let kind = text("$type");
        match kind.rsplit_once('#').map_or(kind, |(_, kind)| kind) {
            "textPart" => say(words, text("text")),
            "reasoningPart" => say(Kind::Reasoning, text("text")),
            "toolCallPart" => encoded(&part["input"], Kind::Input, say),
            "toolResultPart" => encoded(&part["output"], Kind::Result, say),
            "sourcePart" => {
                say(Kind::Source, text("title"));
                say(Kind::Source, text("url"));
            }
            _ => {}
        }
    }
    if let Some(error) = message["error"].as_str() {
        say(Kind::Reply, error);
    }
}

/// The strings of a value that may be JSON in a string.
pub(super) fn encoded(value: &Value, kind: Kind, say: &mut impl FnMut(Kind, &str)) {
    match value.as_str().map(serde_json::from_str::<Value>) {
        Some(Ok(inner @ (Value::Object(_) | Value::Array(_)))) => strings(&inner, kind, say),
        _ => strings(value, kind, say),
    }
}

/// Every string in a value, however deep. The data of a picture is no text.
pub(super) fn strings(value: &Value, kind: Kind, say: &mut impl FnMut(Kind, &str)) {
    match value {
        Value::String(text) if text.starts_with("data:image/") => {}
        Value::String(text) if kind == Kind::Input && text.contains("*** Begin Patch") => {
            codex::patch(text, &mut |line| say(kind, line));
        }
        Value::String(text) => say(kind, text),
        Value::Array(list) => list.iter().for_each(|item| strings(item, kind, say)),
        Value::Object(fields) => {
            // A list of things to do draws their states as signs.
            let is_sign = |key: &str| key == "status" && fields.contains_key("content");
            let said = fields.iter().filter(|(key, _)| !is_sign(key));
            said.for_each(|(_, item)| strings(item, kind, say));
        }
        _ => {}
    }
}

/// The kinds and texts of a source.
fn told(source: &str) -> Vec<(Kind, String)> {
    let all = said(source).into_iter();
    all.map(|said| (said.kind, said.text)).collect()
}

#[test]
fn claude_code_is_walked() {
    let lines = r#"{"type":"summary","summary":"no"}
{"type":"user","message":{"content":"p1"}}{"type":"user","isMeta":true,"message":{"content":[{"type":"text","text":"i"}]}}
{"type":"assistant","message":{"content":[{"type":"thinking","thinking":"t","signature":"no"},{"type":"text","text":"r"}]}}
{"type":"assistant","message":{"content":[{"type":"tool_use","id":"no","name":"no","input":{"a":"i1","b":[{"c":"i2","d":3}]}}]}}
{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"no","content":[{"type":"text","text":"o1"},{"type":"image","source":{"data":"no"}}]}]},"toolUseResult":"no"}
{"type":"user","message":{"content":[{"type":"tool_result","content":"o2"}]}}
{"type":"attachment","attachment":{"type":"queued_command","prompt":"p2"}}
{"broken"#;
    let expected = [
        (Kind::Prompt, "p1"),
        (Kind::Injected, "i"),
        (Kind::Reasoning, "t"),
        (Kind::Reply, "r"),
        (Kind::Input, "i1"),
        (Kind::Input, "i2"),
        (Kind::Result, "o1"),
        (Kind::Result, "o2"),
        (Kind::Prompt, "p2"),
    ]
    .map(|(kind, text)| (kind, text.to_owned()));
    assert_eq!(told(lines), expected);
    assert_eq!(said(lines)[1].record, 2);
    let web = r#"{"loglines":[{"type":"user","message":{"content":"p"}}]}"#;
    assert_eq!(told(web), [(Kind::Prompt, "p".to_owned())]);
}

#[test]
fn pi_is_walked() {
    let lines = r#"{"type":"session","id":"no","cwd":"no"}
{"type":"message","message":{"role":"user","content":[{"type":"text","text":"p"},{"type":"image","data":"no"}]}}
{"type":"message","message":{"role":"assistant","stopReason":"error","errorMessage":"e","content":[{"type":"thinking","thinking":"t","thinkingSignature":"no"},{"type":"text","text":"r"},{"type":"toolCall","name":"no","arguments":{"a":"i"}}]}}
{"type":"message","message":{"role":"toolResult","toolName":"no","content":[{"type":"text","text":"o"}],"details":{"x":"no"}}}
{"type":"message","message":{"role":"bashExecution","command":"c","output":"b"}}
{"type":"custom_message","customType":"no","content":"shown","display":true}
{"type":"custom_message","customType":"no","content":"no","display":false}
{"type":"compaction","summary":"s"}"#;
    let told = told(lines).into_iter().filter(|(_, text)| !text.is_empty());
    let expected = [
        (Kind::Prompt, "p"),
        (Kind::Reply, "e"),
        (Kind::Reasoning, "t"),
        (Kind::Reply, "r"),
        (Kind::Input, "i"),
        (Kind::Result, "o"),
        (Kind::Input, "c"),
        (Kind::Result, "b"),
        (Kind::Injected, "shown"),
        (Kind::Injected, "s"),
    ]
    .map(|(kind, text)| (kind, text.to_owned()));
    assert_eq!(told.collect::<Vec<_>>(), expected);
}

#[test]
fn dispatch_is_walked() {
    let rows = r#"[{"seq":1,"role":"user","chunk":{"type":"text","text":"p"}},
{"seq":2,"role":"assistant","chunk":{"type":"thinking","text":"t"}},
{"seq":3,"role":"assistant","chunk":{"type":"tool-call","toolCallId":"no","toolName":"no","input":{"a":"i1"}}},
{"seq":4,"role":"assistant","chunk":{"type":"tool-call","input":"{\"a\":\"i2\"}"}},
{"seq":5,"role":"tool","chunk":{"type":"tool-result","content":"o"}},
{"seq":6,"role":"assistant","chunk":{"type":"error","message":"e"}}]"#;
    let expected = [
        (Kind::Prompt, "p"),
        (Kind::Reasoning, "t"),
        (Kind::Input, "i1"),
        (Kind::Input, "i2"),
        (Kind::Result, "o"),
        (Kind::Reply, "e"),
    ]
    .map(|(kind, text)| (kind, text.to_owned()));
    assert_eq!(told(rows), expected);
    let document = format!("{{\"conversationId\":\"no\",\"chunks\":{rows}}}");
    assert_eq!(told(&document), expected);
    let lines = rows.trim_matches(['[', ']']).replace("},\n", "}\n");
    assert_eq!(told(&lines), expected);
}

#[test]
fn scn_chat_is_walked() {
    let record = r##"{"role":"assistant","createdAt":"no","error":"e","content":{"$type":"no","parts":[
{"$type":"network.sharedcomputer.chat.defs#textPart","text":"r"},
{"$type":"network.sharedcomputer.chat.defs#reasoningPart","text":"t"},
{"$type":"network.sharedcomputer.chat.defs#toolCallPart","callId":"no","tool":"no","input":"{\"query\":\"i\"}"},
{"$type":"network.sharedcomputer.chat.defs#toolResultPart","output":"{\"results\":[{\"title\":\"o\",\"n\":1}]}"},
{"$type":"network.sharedcomputer.chat.defs#sourcePart","url":"u","title":"s"},
{"$type":"network.sharedcomputer.chat.defs#newPart","text":"no"}]}}"##;
    let expected = [
        (Kind::Reply, "r"),
        (Kind::Reasoning, "t"),
        (Kind::Input, "i"),
        (Kind::Result, "o"),
        (Kind::Source, "s"),
        (Kind::Source, "u"),
        (Kind::Reply, "e"),
    ]
    .map(|(kind, text)| (kind, text.to_owned()));
    assert_eq!(told(&format!("[{record}]")), expected);
    let document =
        format!(r#"{{"conversation":{{}},"messages":[{{"key":"no","record":{record}}}]}}"#);
    assert_eq!(told(&document), expected);
}
