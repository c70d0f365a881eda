//! What is said in a record of Codex: of a rollout of any age, or of the stream that it prints.

use serde_json::Value;

use super::records::{Kind, encoded, strings};

/// Kinds of items that say something; the older files have them without an envelope.
const ITEMS: &[&str] = &[
    "message",
    "reasoning",
    "function_call",
    "function_call_output",
    "custom_tool_call",
    "custom_tool_call_output",
    "local_shell_call",
    "web_search_call",
];

/// Whether a record is one of Codex's.
pub(super) fn is_record(record: &Value) -> bool {
    let kind = record["type"].as_str().unwrap_or("");
    record["payload"].is_object()
        || record["item"].is_object()
        || (ITEMS.contains(&kind) && record.get("message").is_none())
}

/// The texts of a record.
pub(super) fn said(record: &Value, say: &mut impl FnMut(Kind, &str)) {
    match record["type"].as_str() {
        Some("response_item") => item(&record["payload"], say),
        Some("event_msg") => event(&record["payload"], say),
        Some("compacted") => text(&record["payload"]["message"], Kind::Injected, say),
        Some("item.completed") => streamed(&record["item"], say),
        Some(_) if record["payload"].is_null() => item(record, say),
        _ => {}
    }
}

fn text(value: &Value, kind: Kind, say: &mut impl FnMut(Kind, &str)) {
    if let Some(text) = value.as_str() {
        say(kind, text);
    }
}

fn item(item: &Value, say: &mut impl FnMut(Kind, &str)) {
    match item["type"].as_str() {
        Some("message") | None => message(item, say),
        Some("reasoning") => {
            for piece in pieces(&item["summary"]).chain(pieces(&item["content"])) {
                text(&piece["text"], Kind::Reasoning, say);
            }
        }
        Some("function_call") => input(&item["arguments"], say),
        Some("custom_tool_call") => input(&item["input"], say),
        Some("local_shell_call") => input(&item["action"]["command"], say),
        Some("web_search_call") => {
            for key in ["query", "queries", "url", "pattern"] {
                strings(&item["action"][key], Kind::Input, say);
            }
        }
        Some("function_call_output" | "custom_tool_call_output") => output(&item["output"], say),
        _ => {}
    }
}

fn pieces(list: &Value) -> impl Iterator<Item = &Value> {
    list.as_array().into_iter().flatten()
}

fn message(item: &Value, say: &mut impl FnMut(Kind, &str)) {
    let kind = match item["role"].as_str() {
        Some("assistant") => Kind::Reply,
        Some("user") => Kind::Prompt,
        _ => Kind::Injected,
    };
    for piece in pieces(&item["content"]) {
        let words = piece["text"].as_str().unwrap_or("");
        if words.starts_with("<image") || words == "</image>" {
            continue;
        }
        // Of an editor's headings the one above the request is not drawn.
        say(kind, &words.replace("## My request for Codex:", ""));
    }
}

fn event(event: &Value, say: &mut impl FnMut(Kind, &str)) {
    // Some files were made fit for others to see: what an event repeats is there in other words.
    if event["message"]
        .as_str()
        .is_some_and(|words| words.starts_with("[REDACTED_MESSAGE "))
    {
        return;
    }
    match event["type"].as_str() {
        Some("agent_message") => text(&event["message"], Kind::Reply, say),
        Some("agent_reasoning") => text(&event["text"], Kind::Reasoning, say),
        Some("error" | "stream_error") => text(&event["message"], Kind::Reply, say),
        Some("user_message") => {
            let words = event["message"].as_str().unwrap_or("");
            say(Kind::Prompt, &words.replace("## My request for Codex:", ""));
        }
        Some("web_search_end") => {
            for hit in pieces(&event["results"]) {
                for key in ["title", "url", "snippet"] {
                    text(&hit[key], Kind::Result, say);
                }
            }
        }
        _ => {}
    }
}

fn streamed(item: &Value, say: &mut impl FnMut(Kind, &str)) {
    text(&item["text"], Kind::Reply, say);
    text(&item["message"], Kind::Reply, say);
    text(&item["aggregated_output"], Kind::Result, say);
    text(&item["error"]["message"], Kind::Result, say);
    for key in ["arguments", "query", "tool", "server"] {
        strings(&item[key], Kind::Input, say);
    }
    for change in pieces(&item["changes"]) {
        text(&change["path"], Kind::Input, say);
    }
    if let Some(command) = item["command"].as_str() {
        let bare = command.split_once("-lc '");
        let bare = bare.and_then(|(_, line)| line.strip_suffix('\''));
        say(Kind::Input, bare.unwrap_or(command));
    }
}

/// What a call was given. The shell that runs a line is not drawn.
fn input(value: &Value, say: &mut impl FnMut(Kind, &str)) {
    encoded(value, Kind::Input, &mut |kind, words| {
        let is_no_word = matches!(words, "-lc" | "bash" | "zsh" | "sh" | "apply_patch");
        // How a step of a plan stands is a sign.
        let is_no_word = is_no_word || matches!(words, "pending" | "in_progress" | "completed");
        if !is_no_word {
            say(kind, words);
        }
    });
}

/// The lines of a patch, and of the script around it. Its marks are not drawn.
pub(super) fn patch(words: &str, say: &mut impl FnMut(&str)) {
    let mut has_ended = false;
    for line in words.lines() {
        if let Some(mark) = line.strip_prefix("*** ") {
            has_ended |= mark.starts_with("End Patch");
            say(mark.split_once(": ").map_or("", |(_, path)| path));
        } else if let Some(heading) = line.strip_prefix("@@") {
            say(heading.trim_end_matches("@@"));
        } else if let Some((before, _)) = line.split_once("apply_patch <<") {
            say(before);
        } else if !has_ended {
            say(line);
        }
    }
}

/// An output without its header and without the JSON around it.
fn output(value: &Value, say: &mut impl FnMut(Kind, &str)) {
    if let Some(Value::String(inner)) = value.get("output") {
        return say(Kind::Result, inner);
    }
    let Some(words) = value.as_str() else {
        for piece in pieces(value) {
            text(&piece["text"], Kind::Result, say);
        }
        return;
    };
    match serde_json::from_str::<Value>(words) {
        Ok(inner) if inner["output"].is_string() => output(&inner, say),
        Ok(inner @ (Value::Object(_) | Value::Array(_))) => strings(&inner, Kind::Result, say),
        _ => say(Kind::Result, below_header(words)),
    }
}

fn below_header(words: &str) -> &str {
    let starts = ["Exit code: ", "Wall time: ", "Chunk ID: "];
    let has_header = starts.iter().any(|start| words.starts_with(start));
    let below = words.split_once("\nOutput:\n").filter(|_| has_header);
    below.map_or(words, |(_, below)| below)
}

#[test]
fn a_rollout_is_walked() {
    let lines = [
        r#"{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"p"}]}}"#,
        r#"{"type":"response_item","payload":{"type":"reasoning","summary":[{"type":"summary_text","text":"t"}]}}"#,
        r#"{"type":"response_item","payload":{"type":"function_call","arguments":"{\"command\":[\"bash\",\"-lc\",\"cd a && apply_patch <<'X'\\n*** Begin Patch\\n*** Add File: b\\n+c\\n*** End Patch\\nX\"]}"}}"#,
        r#"{"type":"response_item","payload":{"type":"function_call_output","output":"Exit code: 0\nWall time: 1 seconds\nOutput:\no"}}"#,
        r#"{"type":"message","role":"assistant","content":[{"type":"output_text","text":"r"}]}"#,
        r#"{"type":"item.completed","item":{"type":"command_execution","command":"bash -lc 'ls'","aggregated_output":"o2"}}"#,
    ];
    let mut all = Vec::new();
    for line in lines {
        let record: Value = serde_json::from_str(line).expect("it is JSON");
        assert!(is_record(&record), "{line}");
        said(&record, &mut |_, words| all.push(words.to_owned()));
    }
    all.retain(|words| !words.is_empty());
    assert_eq!(all, ["p", "t", "cd a && ", "b", "+c", "o", "r", "o2", "ls"]);
}
