//! What is said in Claude.ai's exports: of every message its blocks, not the copy of them that
//! stands beside.

use serde_json::{Value, json};

use super::records::{Kind, Said, strings};

/// What a document says; `None` when it is none of Claude.ai's.
pub(super) fn said(document: &Value) -> Option<Vec<Said>> {
    let wrapped = document.get("conversations").unwrap_or(document);
    let elements = match wrapped {
        Value::Array(elements) => elements.as_slice(),
        one => std::slice::from_ref(one),
    };
    let mut all = Vec::new();
    let mut is_ours = false;
    for (number, element) in (1..).zip(elements) {
        let mut say = |kind, text: &str| {
            all.push(Said {
                kind,
                record: number,
                text: text.to_owned(),
            });
        };
        if let Some(messages) = element["chat_messages"].as_array() {
            is_ours |= element["uuid"].is_string();
            say(Kind::Injected, words(&element["summary"]));
            messages
                .iter()
                .for_each(|message| of_message(message, &mut say));
        } else if element["docs"].is_array() && element["uuid"].is_string() {
            is_ours = true;
            say(Kind::Injected, words(&element["prompt_template"]));
            strings(&element["docs"], Kind::Injected, &mut |kind, text| {
                // Documents have ids, which nobody reads.
                if !is_id(text) {
                    say(kind, text);
                }
            });
        } else if element["conversations_memory"].is_string() {
            is_ours = true;
            say(Kind::Injected, words(&element["conversations_memory"]));
            strings(&element["project_memories"], Kind::Injected, &mut say);
        }
    }
    is_ours.then_some(all)
}

fn words(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn is_id(text: &str) -> bool {
    text.len() < 40 && !text.contains([' ', '.']) && text.contains(|c: char| c.is_ascii_digit())
}

fn of_message(message: &Value, say: &mut impl FnMut(Kind, &str)) {
    let kind = match message["sender"].as_str() {
        Some("human") => Kind::Prompt,
        _ => Kind::Reply,
    };
    let mut is_said = false;
    for block in message["content"].as_array().into_iter().flatten() {
        is_said |= of_block(block, kind, say);
    }
    if let Some(text) = message["content"].as_str() {
        say(kind, text);
    } else if !is_said {
        say(kind, words(&message["text"]));
    }
    for file in message["attachments"].as_array().into_iter().flatten() {
        say(kind, words(&file["file_name"]));
        say(kind, words(&file["extracted_content"]));
    }
    for file in message["files"].as_array().into_iter().flatten() {
        say(kind, words(&file["file_name"]));
    }
}

/// Says what a block says; whether it says anything.
fn of_block(block: &Value, kind: Kind, say: &mut impl FnMut(Kind, &str)) -> bool {
    match block["type"].as_str() {
        Some("text") => {
            let citations = || block["citations"].as_array().into_iter().flatten();
            // Behind what a page backs stands a link.
            let mut ends: Vec<usize> = citations()
                .filter_map(|citation| usize::try_from(citation["end_index"].as_u64()?).ok())
                .collect();
            ends.sort_unstable();
            let chars: Vec<char> = words(&block["text"]).chars().collect();
            let mut from = 0;
            for end in ends.into_iter().chain([chars.len()]) {
                if (from..=chars.len()).contains(&end) {
                    let piece: String = chars[from..end].iter().collect();
                    say(kind, without_elements(&piece).trim());
                    from = end;
                }
            }
            for citation in citations() {
                say(Kind::Source, words(&citation["details"]["url"]));
            }
            return !words(&block["text"]).trim().is_empty();
        }
        Some("thinking") => {
            say(Kind::Reasoning, words(&block["thinking"]));
            let summaries = block["summaries"].as_array();
            if let Some(last) = summaries.and_then(|all| all.last()) {
                say(Kind::Reasoning, words(&last["summary"]));
            }
        }
        Some("voice_note") => say(kind, words(&block["text"])),
        Some("tool_use") if block["name"] == "artifacts" => {
            for field in ["title", "content", "old_str", "new_str"] {
                say(Kind::Input, words(&block["input"][field]));
            }
        }
        Some("tool_use") => strings(&block["input"], Kind::Input, say),
        Some("tool_result") => match block["content"].as_str() {
            Some(text) => say(Kind::Result, text),
            None => {
                for item in block["content"].as_array().into_iter().flatten() {
                    of_item(item, say);
                }
            }
        },
        Some("token_budget" | "flag") | None => return false,
        // What is not known stands as data.
        Some(_) => strings(block, Kind::Reply, say),
    }
    true
}

fn of_item(item: &Value, say: &mut impl FnMut(Kind, &str)) {
    for field in ["title", "url", "name", "file_path"] {
        say(Kind::Result, words(&item[field]));
    }
    let text = words(&item["text"]);
    match serde_json::from_str::<Value>(text) {
        Ok(wrapped) if wrapped["logs"].is_array() || wrapped["stdout"].is_string() => {
            // How it ended is told by the card.
            for field in ["logs", "stdout", "stderr", "error"] {
                strings(&wrapped[field], Kind::Result, say);
            }
        }
        Ok(wrapped) if wrapped["error_message"].is_string() => {
            strings(&wrapped, Kind::Result, say);
        }
        _ => say(Kind::Result, text),
    }
}

/// The text without the lines on which older conversations open and close documents.
fn without_elements(text: &str) -> String {
    let is_tag = |line: &&str| {
        let line = line.trim();
        line.starts_with("<antArtifact ") || line == "</antArtifact>"
    };
    let lines: Vec<&str> = text.lines().filter(|line| !is_tag(line)).collect();
    let mut text = lines.join("\n");
    for tag in ["<antThinking>", "</antThinking>"] {
        text = text.replace(tag, "");
    }
    text
}

#[test]
fn claude_chats_are_walked() {
    let message = json!({"sender": "assistant", "text": "copy", "content": [
        {"type": "thinking", "thinking": "t", "summaries": [{"summary": "s"}]},
        {"type": "tool_use", "name": "x", "input": {"a": ["i"]}},
        {"type": "tool_result", "content": [{"type": "text", "text": "{\"stdout\":\"o\",\"stderr\":\"\"}"}]},
        {"type": "text", "text": "<antArtifact identifier=\"a\">\nw\n</antArtifact>", "citations": []},
    ], "attachments": [{"file_name": "f", "extracted_content": "c"}]});
    let document = json!([{"uuid": "u", "summary": "", "chat_messages": [message]}]);
    let said = said(&document).expect("it is its own");
    let texts = said.iter().map(|said| said.text.as_str());
    let texts: Vec<&str> = texts.filter(|text| !text.is_empty()).collect();
    assert_eq!(texts, ["t", "s", "i", "o", "w", "f", "c"]);
    assert!(super::claude_chat::said(&json!([{"type": "user"}])).is_none());
}
