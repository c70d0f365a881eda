//! Logs: pairs, batches, examples, and requests that repeat what was said before.

use serde_json::{Value, json};

use super::{of, of_lines};
use crate::formats::api::tests::read_with;
use crate::formats::openai::OpenAi;
use crate::formats::outline::{outline, replies};

fn said(role: &str, words: &str) -> Value {
    json!({"role": role, "content": words})
}

fn pair(messages: &[Value], answer: &Value) -> Value {
    json!({"request": {"model": "m", "messages": messages}, "timestamp": "2026-02-01T10:00:00Z",
        "response": {"object": "chat.completion", "model": "m-1", "usage": {"completion_tokens": 2},
            "choices": [{"message": answer, "finish_reason": "stop"}]}})
}

#[test]
fn requests_that_repeat_the_history_become_one_conversation() {
    let (ask, answer, more) = (
        said("user", "Dig?"),
        said("assistant", "Yes."),
        said("user", "How deep?"),
    );
    let thought = json!({"role": "assistant", "content": "Yes.", "reasoning_content": "hm"});
    let last = said("assistant", "One spade.");
    let first = pair(std::slice::from_ref(&ask), &thought);
    let second = pair(&[ask, answer, more], &last);
    // Another conversation stands between.
    let other = pair(&[said("user", "Tea?")], &said("assistant", "Please."));
    for (told, problems) in [
        of_lines(&[first.clone(), other.clone(), second.clone()]),
        of(&json!([first, other, second])),
    ] {
        let expected = [
            "person: \"Dig?\"",
            "Complete: thought, \"Yes.\"",
            "person: \"How deep?\"",
            "Complete: \"One spade.\"",
        ];
        assert_eq!(outline(&told[0]), expected);
        assert_eq!(replies(&told[0]).count(), 2);
        assert!(replies(&told[0]).all(|reply| reply.usage.is_some_and(|usage| usage.output == 2)));
        assert_eq!(
            outline(&told[1]),
            ["person: \"Tea?\"", "Complete: \"Please.\""]
        );
        assert_eq!((told.len(), problems.len()), (2, 0));
    }
}

#[test]
fn a_history_that_says_something_else_is_another_conversation() {
    let ask = said("user", "Dig?");
    let first = pair(std::slice::from_ref(&ask), &said("assistant", "Yes."));
    let second = pair(
        &[ask, said("assistant", "No."), said("user", "Why?")],
        &said("assistant", "Rain."),
    );
    assert_eq!(of_lines(&[first, second]).0.len(), 2);
}

#[test]
fn examples_that_begin_alike_stay_apart() {
    let (ask, answer) = (said("user", "hello"), said("assistant", "hi"));
    let lines = [
        json!({"messages": [ask, answer]}),
        json!({"messages": [ask, answer, said("user", "c2")]}),
    ];
    let text = format!("{}\n{}\n{{bad\n", lines[0], lines[1]);
    let (told, problems) = read_with(&OpenAi, &text);
    assert_eq!(told.len(), 2);
    assert_eq!(problems, ["x.json: a line: not valid JSON at column 2"]);
}

#[test]
fn an_example_with_two_answers_shows_both() {
    let (told, _) = of(
        &json!({"input": {"messages": [said("user", "Dig?")], "tools": []},
        "preferred_output": [said("assistant", "Yes.")], "non_preferred_output": [said("assistant", "No.")]}),
    );
    let expected = [
        "person: \"Dig?\"",
        "Complete: \"Yes.\"",
        "<Info The answer that was not preferred>",
    ];
    assert_eq!(outline(&told[0]), expected);
}

#[test]
fn a_batch_gives_a_conversation_for_each_line() {
    let body = json!({"model": "m", "messages": [said("user", "Dig?")]});
    let asked =
        json!({"custom_id": "r-1", "method": "POST", "url": "/v1/chat/completions", "body": body});
    let answer = json!({"object": "chat.completion", "choices": [{"message": said("assistant", "Yes."), "finish_reason": "stop"}]});
    let answered = json!({"id": "b", "custom_id": "r-2", "response": {"status_code": 200, "body": answer}, "error": null});
    let failed = json!({"id": "b", "custom_id": "r-3", "response": {"status_code": 400, "body":
        {"error": {"code": "bad_request", "message": "No."}}}, "error": null});
    let (told, _) = of_lines(&[asked, answered, failed]);
    let lines: Vec<String> = told
        .iter()
        .map(|one| format!("{}: {:?}", one.id, outline(one)))
        .collect();
    let expected = [
        r#"r-1: ["person: \"Dig?\""]"#,
        r#"r-2: ["Complete: \"Yes.\""]"#,
        r#"r-3: ["Error: error bad_request: No."]"#,
    ];
    assert_eq!(lines, expected);
}

#[test]
fn bodies_may_be_written_as_text() {
    let request = json!({"model": "m", "messages": [said("user", "Dig?")]}).to_string();
    let answer =
        json!({"choices": [{"message": said("assistant", "Yes."), "finish_reason": "stop"}]});
    let (told, _) = of(
        &json!({"request": {"url": "https://api.example.com", "body": request},
        "response": {"status": 200, "body": answer}}),
    );
    assert_eq!(
        outline(&told[0]),
        ["person: \"Dig?\"", "Complete: \"Yes.\""]
    );
}

#[test]
fn what_is_no_list_of_messages_is_said() {
    let (told, problems) = of(&json!({"messages": {"0": said("user", "x")}}));
    assert!(told.is_empty());
    assert_eq!(problems, ["x.json: no page: `messages` is not an array"]);
    let (told, problems) = of(&json!({"messages": []}));
    assert!(told.is_empty());
    assert_eq!(problems, ["x.json: note: no messages"]);
}

/// Values as server-sent events.
fn sent(events: &[Value]) -> String {
    let events = events.iter().map(|event| format!("data: {event}\n\n"));
    events.collect::<String>() + "data: [DONE]\n\n"
}

#[test]
fn chunks_are_put_together() {
    let chunk = |delta: Value, reason: Value| {
        json!({"id": "c1", "object": "chat.completion.chunk", "model": "m-1",
            "choices": [{"index": 0, "delta": delta, "finish_reason": reason}], "usage": null})
    };
    let called = |id: Value, name: Value, arguments: &str| {
        json!({"tool_calls": [{"index": 0, "id": id, "type": "function",
            "function": {"name": name, "arguments": arguments}}]})
    };
    let chunks = [
        chunk(json!({"role": "assistant", "content": ""}), Value::Null),
        chunk(json!({"reasoning_content": "Hm"}), Value::Null),
        chunk(json!({"reasoning_content": "m."}), Value::Null),
        chunk(json!({"content": "High "}), Value::Null),
        chunk(json!({"content": "tide."}), Value::Null),
        chunk(
            called("t".into(), "tides".into(), "{\"port\":"),
            Value::Null,
        ),
        chunk(called(Value::Null, Value::Null, "\"Isle\"}"), Value::Null),
        chunk(json!({}), "tool_calls".into()),
        json!({"id": "c1", "object": "chat.completion.chunk", "choices": [],
            "usage": {"prompt_tokens": 3, "completion_tokens": 9}}),
    ];
    let (told, problems) = read_with(&OpenAi, &sent(&chunks));
    assert_eq!(problems, [""; 0]);
    assert_eq!(
        outline(&told[0]),
        ["Unknown: thought, \"High tide.\", tides → -"]
    );
    let written = format!("{:?}", told[0]);
    assert!(
        written.contains("Hmm.") && written.contains("Isle"),
        "{written}"
    );
    let reply = replies(&told[0]).next().expect("a reply");
    assert_eq!(reply.usage.as_ref().map(|usage| usage.output), Some(9));
    // Chunks in lines, and two answers behind each other.
    let mut other = chunk(json!({"content": "Low."}), "stop".into());
    other["id"] = "c2".into();
    let lines = chunks.iter().chain([&other]).map(Value::to_string);
    let (told, _) = of_lines(
        &lines
            .map(|line| serde_json::from_str(&line).expect("JSON"))
            .collect::<Vec<_>>(),
    );
    assert_eq!(outline(&told[0]).len(), 1);
    assert!(outline(&told[0])[0].ends_with("\"Low.\""));
    // A log of pairs goes on from what was streamed.
    let ask = said("user", "Dig?");
    let streamed = chunk(said("assistant", "Yes."), "stop".into());
    let first =
        json!({"request": {"model": "m", "messages": [ask]}, "response": sent(&[streamed])});
    let second = pair(
        &[ask, said("assistant", "Yes."), said("user", "How deep?")],
        &said("assistant", "One spade."),
    );
    let (told, _) = of_lines(&[first, second]);
    assert_eq!(told.len(), 1);
    assert_eq!(outline(&told[0]).len(), 4);
}

#[test]
fn events_of_responses_are_put_together() {
    let item = json!({"type": "message", "id": "m1", "role": "assistant", "status": "completed",
        "content": [{"type": "output_text", "text": "High tide.", "annotations": []}]});
    let response = |status: &str, output: &[Value]| json!({"id": "resp_1", "object": "response", "model": "m-1", "status": status, "output": output});
    let mut events = vec![
        json!({"type": "response.created", "response": response("in_progress", &[])}),
        json!({"type": "response.output_text.delta", "delta": "High "}),
        json!({"type": "response.output_item.done", "output_index": 0, "item": item}),
    ];
    let cut = read_with(&OpenAi, &sent(&events)).0;
    assert!(outline(&cut[0])[0].contains("High tide."));
    events.push(json!({"type": "response.completed", "response": response("completed", &[item])}));
    let whole = read_with(&OpenAi, &sent(&events)).0;
    assert_eq!(outline(&whole[0]), ["Complete: \"High tide.\""]);
}
