//! What is said in Open WebUI's chats: of a reply its items, else its text, whose elements hold
//! what tools were given and gave.

use serde_json::{Value, json};

use super::records::{Kind, Said, strings};

/// What a document says; `None` when it is none of Open WebUI's.
pub(super) fn said(document: &Value) -> Option<Vec<Said>> {
    let rows = match document {
        Value::Array(rows) => rows.as_slice(),
        one => std::slice::from_ref(one),
    };
    let mut all = Vec::new();
    let mut is_ours = false;
    for (record, row) in (1..).zip(rows) {
        let chat = row.get("chat").unwrap_or(row);
        let Some(messages) = chat["history"]["messages"].as_object() else {
            continue;
        };
        is_ours = true;
        let mut say = |kind, text: &str| {
            all.push(Said {
                kind,
                record,
                text: text.to_owned(),
            });
        };
        say(Kind::Injected, words(&chat["params"]["system"]));
        messages
            .values()
            .for_each(|message| of_message(message, &mut say));
    }
    is_ours.then_some(all)
}

fn words(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn of_message(message: &Value, say: &mut impl FnMut(Kind, &str)) {
    for file in message["files"].as_array().into_iter().flatten() {
        if file["type"] != "image" {
            say(Kind::Prompt, words(&file["name"]));
            say(Kind::Prompt, words(&file["file"]["data"]["content"]));
        }
    }
    if message["role"] == "user" {
        return say(Kind::Prompt, words(&message["content"]));
    }
    say(Kind::Reply, words(&message["error"]["content"]));
    for run in message["code_executions"].as_array().into_iter().flatten() {
        say(Kind::Input, words(&run["code"]));
        say(Kind::Result, words(&run["result"]["output"]));
    }
    let items = message["output"]
        .as_array()
        .filter(|items| !items.is_empty());
    match items {
        Some(items) => items.iter().for_each(|item| of_item(item, say)),
        None => of_text(words(&message["content"]), say),
    }
}

fn of_item(item: &Value, say: &mut impl FnMut(Kind, &str)) {
    let texts = |list: &Value, kind, say: &mut dyn FnMut(Kind, &str)| {
        for part in list.as_array().into_iter().flatten() {
            say(kind, words(&part["text"]));
        }
    };
    match item["type"].as_str() {
        Some("reasoning") => texts(&item["content"], Kind::Reasoning, say),
        Some("message") => texts(&item["content"], Kind::Reply, say),
        Some("function_call") => inner(words(&item["arguments"]), Kind::Input, say),
        Some("function_call_output") => texts(&item["output"], Kind::Result, say),
        Some("open_webui:code_interpreter") => {
            say(Kind::Input, words(&item["code"]));
            strings(&item["output"], Kind::Result, say);
        }
        _ => {}
    }
}

/// The strings of JSON, or the text that is none.
fn inner(text: &str, kind: Kind, say: &mut impl FnMut(Kind, &str)) {
    match serde_json::from_str::<Value>(text) {
        Ok(Value::String(text)) => inner(&text, kind, say),
        Ok(value) => strings(&value, kind, say),
        Err(_) => say(kind, text),
    }
}

/// The lines of a reply's text, the elements among them opened.
fn of_text(content: &str, say: &mut impl FnMut(Kind, &str)) {
    for line in content.lines() {
        let Some(element) = line.strip_prefix("<details type=\"") else {
            let quoted = line
                .strip_prefix("> ")
                .or_else(|| line.strip_prefix("&gt; "));
            let bare = quoted.unwrap_or(line);
            let is_tag = bare == "</details>" || bare.starts_with("<summary>");
            if !is_tag {
                say(Kind::Reply, &unescaped(bare));
            }
            continue;
        };
        for (name, kind) in [
            ("arguments", Kind::Input),
            ("result", Kind::Result),
            ("output", Kind::Result),
        ] {
            let value = element.split_once(&format!(" {name}=\""));
            let value = value.and_then(|(_, rest)| rest.split_once('"'));
            if let Some((value, _)) = value {
                inner(&unescaped(value), kind, say);
            }
        }
    }
}

fn unescaped(text: &str) -> String {
    let pairs = [
        ("&quot;", "\""),
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&#x27;", "'"),
        ("&amp;", "&"),
    ];
    pairs
        .iter()
        .fold(text.to_owned(), |text, (from, to)| text.replace(from, to))
}

#[test]
fn open_web_uis_chats_are_walked() {
    let content = "<details type=\"reasoning\" done=\"true\">\n<summary>Thought</summary>\n> t\n</details>\n\
        <details type=\"tool_calls\" name=\"x\" arguments=\"&quot;{\\&quot;a\\&quot;:\\&quot;i\\&quot;}&quot;\" result=\"&quot;o&quot;\">\n</details>\nr";
    let messages = json!({"u": {"role": "user", "content": "p"}, "a": {"role": "assistant", "content": content}});
    let document = json!([{"chat": {"history": {"messages": messages, "currentId": "a"}}}]);
    let said = said(&document).expect("it is its own");
    let texts = said.iter().map(|said| said.text.as_str());
    let mut texts: Vec<&str> = texts.filter(|text| !text.is_empty()).collect();
    texts.sort_unstable();
    assert_eq!(texts, ["i", "o", "p", "r", "t"]);
    assert!(super::open_webui::said(&json!({"messages": []})).is_none());
}
