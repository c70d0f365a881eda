//! What each fact of the format becomes.

use serde_json::{Value, json};

use super::LibreChat;
use crate::formats::outline::{call, outline, replies};
use crate::formats::{Format, Head, apart};
use crate::model::{Conversation, Input, Part, ReplyStatus};
use crate::source::{File, Source};

const ROOT: &str = "00000000-0000-0000-0000-000000000000";

fn all(text: String) -> Vec<Conversation> {
    let file = File::in_memory("l.json".into(), "l.json".into(), text.into_bytes());
    let head = Head::of(&file).expect("memory can be read");
    assert!(LibreChat.recognises(&head), "it is recognised");
    let (sources, problem) = apart(Source::single(file), &LibreChat);
    assert!(problem.is_none());
    let readings = sources.iter().map(|source| LibreChat.read(source));
    readings
        .filter_map(|reading| reading.conversation)
        .collect()
}

fn one(document: &Value) -> Conversation {
    let mut all = all(document.to_string());
    assert_eq!(all.len(), 1);
    all.remove(0)
}

fn message(id: &str, parent: &str, minute: u64, words: &str) -> Value {
    json!({
        "messageId": id, "parentMessageId": parent, "conversationId": "c",
        "isCreatedByUser": id.starts_with('u'), "sender": "GPT", "model": "sonata", "text": words,
        "error": false, "unfinished": false, "createdAt": format!("2026-03-01T10:{minute:02}:00.000Z"),
    })
}

fn export(messages: Value) -> Value {
    json!({"conversationId": "c", "title": "Beds", "messages": messages})
}

/// The conversation of one reply with these parts, and more fields.
fn reply(content: Value, more: Value) -> Conversation {
    let mut reply = message("a1", "u1", 2, "a copy");
    reply["content"] = content;
    for (key, value) in more.as_object().expect("an object") {
        reply[key] = value.clone();
    }
    one(&export(json!([message("u1", ROOT, 1, "Dig."), reply])))
}

fn tool(inner: Value) -> Value {
    json!({"type": "tool_call", "tool_call": inner})
}

#[test]
fn the_last_of_siblings_is_read_by_their_times() {
    let read = one(&export(json!([
        message("u1", ROOT, 1, "One."),
        message("a2", "u1", 5, "new"),
        message("a1", "u1", 2, "old"),
    ])));
    assert_eq!(
        outline(&read),
        [
            "person: \"One.\"",
            "version",
            "  Complete: \"old\"",
            "Complete: \"new\""
        ]
    );
}

#[test]
fn nested_messages_are_read_to_any_depth() {
    let mut inner = json!([]);
    for n in (0..300).rev() {
        let id = format!("{}{n}", if n % 2 == 0 { "u" } else { "a" });
        let mut message = message(&id, "", 0, &format!("words {n}"));
        message
            .as_object_mut()
            .expect("an object")
            .remove("parentMessageId");
        message["children"] = inner;
        inner = json!([message]);
    }
    let read = one(&json!({"conversationId": "c", "recursive": true, "messagesTree": inner}));
    assert_eq!(read.entries.len(), 300);
    assert_eq!(outline(&read)[299], "Complete: \"words 299\"");
}

#[test]
fn a_database_gives_each_conversation_by_itself() {
    let mut first = message("u1", ROOT, 1, "One.");
    first["createdAt"] = json!({"$date": "2026-03-01T10:00:00.000Z"});
    first["isCreatedByUser"] = "true".into();
    let mut second = message("u9", ROOT, 1, "Nine.");
    second["conversationId"] = "d".into();
    second["createdAt"] = json!({"$date": {"$numberLong": "1772359200000"}});
    let lines = format!("{first}\n{second}\n{}\n", message("a1", "u1", 2, "Two."));
    let told = all(lines);
    let told: Vec<_> = told
        .iter()
        .map(|one| (one.id.as_str(), outline(one)))
        .collect();
    assert_eq!(
        told[0],
        (
            "c",
            vec![
                "person: \"One.\"".to_owned(),
                "Complete: \"Two.\"".to_owned()
            ]
        )
    );
    assert_eq!(told[1], ("d", vec!["person: \"Nine.\"".to_owned()]));
}

#[test]
fn arguments_are_read_in_each_of_their_forms() {
    let input = |args: Value| {
        let read = reply(
            json!([tool(
                json!({"id": "t", "name": "x", "args": args, "output": "o"})
            )]),
            json!({}),
        );
        call(&read, "x").input.clone()
    };
    assert_eq!(
        input(json!({"a": 1})),
        Some(Input::Json("{\"a\":1}".into()))
    );
    assert_eq!(
        input(json!("{\"a\":1}")),
        Some(Input::Json("{\"a\":1}".into()))
    );
    assert_eq!(input(json!("{\"a\":")), Some(Input::Text("{\"a\":".into())));
    assert_eq!(input(json!("")), Some(Input::Text(String::new())));
}

#[test]
fn a_call_without_an_output_was_not_ended() {
    let status = |inner: Value| {
        let read = reply(json!([tool(inner)]), json!({}));
        let result = call(&read, "x").result.clone();
        result.map(|result| (result.is_error, result.cancelled))
    };
    assert_eq!(
        status(json!({"id": "t", "name": "x", "args": "{", "progress": 0.1})),
        None
    );
    assert_eq!(
        status(json!({"name": "x", "output": "", "progress": 1})),
        Some((false, false))
    );
    assert_eq!(
        status(json!({"name": "x", "output": "Error: no"})),
        Some((true, false))
    );
    assert_eq!(
        status(json!({"name": "x", "runStepStatus": "cancelled"})),
        Some((false, true))
    );
}

#[test]
fn citations_become_links_and_no_private_character_is_left() {
    let pages = json!([{"type": "web_search", "toolCallId": "t", "web_search": {"turn": 0,
        "organic": [{"title": "A", "link": "https://example.com/a"}],
        "topStories": [{"title": "B", "link": "https://example.com/b"}]}}]);
    let words = "Dig\u{e202}turn0search0. \u{e203}Not\u{e204} \\ue202turn0news0 now\u{e200}\u{e202}turn7search0\u{e201}.";
    let read = reply(
        json!([tool(json!({"id": "t", "name": "web_search", "output": "{}"})), {"type": "text", "text": {"value": words}}]),
        json!({"attachments": pages}),
    );
    let reply = replies(&read).next().expect("a reply");
    let Some(Part::Text(text)) = reply.parts.last() else {
        panic!("words are read");
    };
    assert_eq!(
        text,
        "Dig [\\[1\\]](<https://example.com/a>). Not  [\\[2\\]](<https://example.com/b>) now."
    );
    assert_eq!(reply.sources.len(), 2);
    let details = call(&read, "web_search")
        .result
        .as_ref()
        .and_then(|result| result.details.as_ref());
    assert_eq!(
        details
            .and_then(|details| details.hits.as_ref())
            .map(Vec::len),
        Some(2)
    );
}

#[test]
fn errors_and_stops_are_told() {
    let told = |content: Value, more: Value| {
        let read = reply(content, more);
        let reply = replies(&read).next().expect("a reply");
        (reply.status, reply.error.clone(), reply.parts.len())
    };
    let by_part = told(
        json!([{"type": "error", "error": "no money"}]),
        json!({"error": true}),
    );
    assert_eq!(by_part, (ReplyStatus::Error, Some("no money".into()), 0));
    let by_text = told(json!([]), json!({"error": true}));
    assert_eq!(by_text, (ReplyStatus::Error, Some("a copy".into()), 0));
    let stopped = told(
        json!([{"type": "text", "text": "half"}]),
        json!({"unfinished": true}),
    );
    assert_eq!(stopped, (ReplyStatus::Cancelled, None, 1));
}

#[test]
fn what_the_person_says_in_between_parts_the_reply() {
    let read = reply(
        json!([{"type": "text", "text": "One."}, {"type": "steer", "steer": "Deeper!"},
        {"type": "text", "text": "Two."}]),
        json!({}),
    );
    assert_eq!(
        outline(&read)[1..],
        [
            "Complete: \"One.\"",
            "person (queued): \"Deeper!\"",
            "Complete: \"Two.\""
        ]
    );
}

#[test]
fn an_agent_is_called_by_its_name_and_its_subagents_are_within() {
    let inner = json!({"id": "t", "name": "subagent", "args": "{}", "output": "done",
        "subagent_content": [{"type": "think", "think": "hm"}, {"type": "text", "text": "Found."}]});
    let read = reply(json!([tool(inner)]), json!({"model": "agent_abc"}));
    let reply = replies(&read).next().expect("a reply");
    assert_eq!(reply.models, ["GPT"]);
    let child = call(&read, "subagent").child.as_ref().expect("an agent");
    assert_eq!(outline(child), ["Complete: thought, \"Found.\""]);
}

#[test]
fn thoughts_and_documents_in_the_text_of_a_reply_are_what_they_say() {
    let text = ":::thinking\nHm.\n:::\nHere:\n:::artifact{identifier=\"x\" type=\"text/html\" title=\"Beds\"}\n```html\n<b>1</b>\n```\n:::\nDone.";
    let mut answer = message("a1", "u1", 2, text);
    answer["content"] = json!([]);
    let asked = message("u1", ROOT, 1, text);
    let read = one(&export(json!([asked, answer])));
    let lines = outline(&read);
    assert!(lines[0].contains(":::thinking"), "{lines:?}");
    assert_eq!(
        lines[1],
        "Complete: thought, \"Here:\", artifacts → \"\", \"Done.\""
    );
    let document = call(&read, "artifacts");
    let Some(Input::Json(input)) = &document.input else {
        panic!("an input");
    };
    assert!(
        input.contains("<b>1</b>\"") && input.contains("Beds"),
        "{input}"
    );
}

#[test]
fn files_that_were_found_and_memories_stand_with_their_calls() {
    let mark = "\u{e202}turn0file0";
    let content = json!([
        tool(json!({"id": "f", "name": "file_search", "args": "{}", "output": ""})),
        tool(json!({"id": "m", "name": "set_memory", "args": "{}", "output": "Saved."})),
        {"type": "text", "text": format!("Deep{mark}.")},
    ]);
    let file = json!({"fileName": "beds.pdf", "content": "One spade.", "relevance": 0.9});
    let more = json!({"attachments": [
        {"type": "file_search", "toolCallId": "f", "file_search": {"sources": [file]}},
        {"type": "memory", "toolCallId": "m", "memory": {"key": "soil", "value": "clay"}},
        {"type": "memory", "toolCallId": "gone", "memory": {"key": "k", "value": "v"}},
    ]});
    let read = reply(content, more);
    let text = |name: &str| {
        call(&read, name)
            .result
            .as_ref()
            .map(|result| result.text.clone())
    };
    assert_eq!(text("file_search").as_deref(), Some("beds.pdf\nOne spade."));
    assert_eq!(text("set_memory").as_deref(), Some("Saved.\nsoil: clay"));
    assert!(
        outline(&read)[1].ends_with("\"Deep (beds.pdf).\""),
        "{:?}",
        outline(&read)
    );
    assert_eq!(read.unshown.values().sum::<u64>(), 1);
}

#[test]
fn an_error_that_more_came_after_stands_in_its_place() {
    let content = json!([
        {"type": "error", "error": "busy"},
        {"type": "text", "text": "Again."},
        {"type": "error", "error": "gone"},
    ]);
    let read = reply(content, json!({}));
    let reply = replies(&read).next().expect("a reply");
    assert!(matches!(&reply.parts[0], Part::Error { message, .. } if message == "busy"));
    assert_eq!(reply.error.as_deref(), Some("gone"));
}
