//! What stands in a file twice is shown once; how long the assistant thought.

use serde_json::json;

use super::*;

fn reasoning(text: &str) -> Value {
    json!({"type": "reasoning", "summary": [{"type": "summary_text", "text": text}], "encrypted_content": "x"})
}

#[test]
fn an_event_that_repeats_an_item_is_not_shown_again() {
    let conversation = read(&[
        user("fix it"),
        event(json!({"type": "user_message", "message": "fix it\n"})),
        event(json!({"type": "agent_reasoning", "text": "**A**"})),
        event(json!({"type": "agent_reasoning", "text": "**B**"})),
        item(
            json!({"type": "reasoning", "summary": [{"type": "summary_text", "text": "**A**"}, {"type": "summary_text", "text": "**B**"}]}),
        ),
        event(json!({"type": "agent_message", "message": "done"})),
        assistant("done"),
    ]);
    assert_eq!(prompts(&conversation).len(), 1);
    assert_eq!(parts(&conversation).len(), 2);
    assert_eq!(thoughts(&conversation)[0].text, "**A**\n\n**B**");
}

#[test]
fn words_that_were_said_twice_stay_twice() {
    let said = event(json!({"type": "agent_message", "message": "done"}));
    let conversation = read(&[
        user("a"),
        said.clone(),
        assistant("done"),
        user("a"),
        assistant("done"),
        said,
    ]);
    assert_eq!(prompts(&conversation).len(), 2);
    assert_eq!(parts(&conversation).len(), 2);
}

#[test]
fn a_file_of_events_alone_has_its_words_from_them() {
    let conversation = read(&[
        event(
            json!({"type": "user_message", "message": "hello", "images": ["https://example.com/a.png"], "local_images": ["/home/robin/b.png"]}),
        ),
        event(json!({"type": "agent_reasoning", "text": "hm"})),
        event(json!({"type": "agent_message", "message": "hi"})),
    ]);
    assert_eq!(texts(&prompts(&conversation)[0].parts), ["hello"]);
    assert_eq!(prompts(&conversation)[0].parts.len(), 3);
    assert_eq!(parts(&conversation).len(), 2);
}

#[test]
fn an_event_and_its_item_may_differ_where_they_were_written_together() {
    let conversation = read(&[
        at(
            0,
            "response_item",
            json!({"type": "message", "role": "user", "content": [{"type": "input_text", "text": "[REDACTED_TEXT]"}]}),
        ),
        at(
            1,
            "event_msg",
            json!({"type": "user_message", "message": "[REDACTED_MESSAGE]"}),
        ),
        at(
            5_000,
            "event_msg",
            json!({"type": "agent_message", "message": "apart"}),
        ),
        at(
            9_000,
            "response_item",
            json!({"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "other"}]}),
        ),
    ]);
    assert_eq!(prompts(&conversation).len(), 1);
    assert_eq!(replies(&conversation)[0].parts.len(), 2);
}

#[test]
fn what_no_event_says_that_a_person_typed_is_a_note() {
    let conversation = read(&[
        user("You are in a house of mirrors."),
        user("hello"),
        event(json!({"type": "user_message", "message": "hello"})),
        assistant("hi"),
    ]);
    assert_eq!(prompts(&conversation).len(), 1);
    assert_eq!(titles(&conversation), ["Put in by the program"]);
}

#[test]
fn thinking_is_timed_by_its_event() {
    let conversation = read(&[
        at(
            0,
            "event_msg",
            json!({"type": "user_message", "message": "a"}),
        ),
        at(
            4_600,
            "event_msg",
            json!({"type": "agent_reasoning", "text": "b"}),
        ),
        at(9_000, "response_item", reasoning("b")),
        at(
            9_000,
            "response_item",
            json!({"type": "function_call", "name": "shell", "arguments": "{}", "call_id": "c"}),
        ),
        at(
            9_000,
            "response_item",
            json!({"type": "function_call_output", "call_id": "c", "output": "d"}),
        ),
    ]);
    assert_eq!(thoughts(&conversation)[0].ms, Some(4_600));
    assert_eq!(calls(&conversation)[0].ms, None);
}

#[test]
fn items_that_were_written_together_give_no_time_of_thinking() {
    let conversation = read(&[
        at(
            0,
            "event_msg",
            json!({"type": "user_message", "message": "a"}),
        ),
        at(90_000, "response_item", reasoning("b")),
        at(
            90_001,
            "response_item",
            json!({"type": "function_call", "name": "shell", "arguments": "{}", "call_id": "c"}),
        ),
        at(
            90_001,
            "response_item",
            json!({"type": "function_call_output", "call_id": "c", "output": "d"}),
        ),
        at(95_000, "response_item", reasoning("e")),
        at(
            97_000,
            "response_item",
            json!({"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "f"}]}),
        ),
    ]);
    let times: Vec<_> = thoughts(&conversation)
        .iter()
        .map(|thought| thought.ms)
        .collect();
    assert_eq!(times, [None, Some(4_999)]);
}

#[test]
fn encrypted_reasoning_is_counted_as_hidden() {
    let conversation = read(&[
        user("a"),
        item(
            json!({"type": "reasoning", "summary": [], "content": null, "encrypted_content": "gAAA"}),
        ),
        item(json!({"type": "reasoning", "summary": []})),
        item(
            json!({"type": "reasoning", "summary": [], "content": [{"type": "reasoning_text", "text": "raw"}]}),
        ),
    ]);
    let hidden: Vec<_> = thoughts(&conversation)
        .iter()
        .map(|thought| thought.hidden)
        .collect();
    assert_eq!(hidden, [Some("encrypted"), Some("hidden"), None]);
}
