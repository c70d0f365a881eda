//! What the reader makes of spans of requests to models.

use serde_json::{Value, json};

use super::Otel;
use crate::formats::api::tests::read_with;
use crate::formats::outline::{call, outline, replies};
use crate::model::Input;

fn of(document: &Value) -> Vec<crate::model::Conversation> {
    let (told, problems) = read_with(&Otel, &document.to_string());
    assert!(problems.is_empty(), "{problems:?}");
    told
}

#[test]
fn attributes_may_be_values_or_text_once_or_twice() {
    let asked = json!([{"role": "user", "parts": [{"type": "text", "content": "Weather?"}]},
        {"role": "assistant", "parts": [{"type": "tool_call", "id": "1", "name": "weather", "arguments": "{\"city\":\"Port\"}"}]},
        {"role": "tool", "parts": [{"type": "tool_call_response", "id": "1", "response": "fog"}]}]);
    let answered = json!([{"role": "assistant", "parts": [{"type": "reasoning", "content": "hm"}, {"type": "text", "content": "Fog."}], "finish_reason": "stop"}]);
    let once = |value: &Value| json!(value.to_string());
    let twice = |value: &Value| json!(once(value).to_string());
    for (asked, answered) in [
        (asked.clone(), answered.clone()),
        (once(&asked), once(&answered)),
        (twice(&asked), twice(&answered)),
    ] {
        let told = of(
            &json!({"name": "chat m", "start_time": "2026-02-01T10:00:00Z", "end_time": "2026-02-01T10:00:02Z", "attributes": {
            "gen_ai.operation.name": "chat", "gen_ai.request.model": "m", "gen_ai.response.model": "m-1",
            "gen_ai.system_instructions": "[{\"type\":\"text\",\"content\":\"Be brief.\"}]",
            "gen_ai.input.messages": asked, "gen_ai.output.messages": answered,
            "gen_ai.usage.input_tokens": 3, "gen_ai.usage.output_tokens": 4}}),
        );
        let expected = [
            "<Context Instructions for the assistant>",
            "person: \"Weather?\"",
            "Complete: weather → \"fog\", thought, \"Fog.\"",
        ];
        assert_eq!(outline(&told[0]), expected);
        assert_eq!(
            call(&told[0], "weather").input,
            Some(Input::Json("{\"city\":\"Port\"}".into()))
        );
        let reply = replies(&told[0]).next().expect("a reply");
        assert_eq!(
            (reply.ms, reply.models.as_slice()),
            (Some(2_000), &["m-1".to_owned()][..])
        );
        assert_eq!(reply.usage.map(|usage| usage.output), Some(4));
    }
}

/// A span of OTLP.
fn span(start: u64, pairs: &[(&str, Value)]) -> Value {
    let pairs: Vec<Value> = pairs
        .iter()
        .map(|(key, value)| {
            json!({"key": key, "value": {"stringValue": match value {
                Value::String(text) => text.clone(),
                other => other.to_string(),
            }}})
        })
        .collect();
    json!({"startTimeUnixNano": format!("{start}000000000"), "attributes": pairs})
}

fn otlp(spans: &[Value]) -> Value {
    json!({"resourceSpans": [{"resource": {"attributes": []}, "scopeSpans": [{"scope": {}, "spans": spans}]}]})
}

fn message(role: &str, words: &str) -> Value {
    json!({"role": role, "parts": [{"type": "text", "content": words}]})
}

#[test]
fn spans_that_repeat_the_history_are_one_conversation_and_others_are_their_own() {
    let first = span(
        1_770_000_000,
        &[
            ("gen_ai.request.model", json!("m")),
            ("gen_ai.input.messages", json!([message("user", "Dig?")])),
            (
                "gen_ai.output.messages",
                json!([message("assistant", "Yes.")]),
            ),
        ],
    );
    let second = span(
        1_770_000_010,
        &[
            ("gen_ai.request.model", json!("m")),
            (
                "gen_ai.input.messages",
                json!([
                    message("user", "Dig?"),
                    message("assistant", "Yes."),
                    message("user", "Deep?")
                ]),
            ),
            (
                "gen_ai.output.messages",
                json!([message("assistant", "Two.")]),
            ),
        ],
    );
    let other = span(
        1_770_000_005,
        &[
            ("gen_ai.input.messages", json!([message("user", "Tea?")])),
            (
                "gen_ai.output.messages",
                json!([message("assistant", "Please.")]),
            ),
        ],
    );
    let other_program = span(1_770_000_006, &[("http.method", json!("GET"))]);
    // Exporters write them in the order in which they ended.
    let told = of(&otlp(&[second, other_program, first, other]));
    let expected = [
        "person: \"Dig?\"",
        "Complete: \"Yes.\"",
        "person: \"Deep?\"",
        "Complete: \"Two.\"",
    ];
    assert_eq!(outline(&told[0]), expected);
    assert_eq!(
        (told.len(), outline(&told[1])[0].as_str()),
        (2, "person: \"Tea?\"")
    );
}

#[test]
fn what_a_tool_gave_back_is_found_in_its_own_span() {
    let answer = json!([{"role": "assistant", "parts": [{"type": "tool_call", "id": "t", "name": "tide", "arguments": {}}]}]);
    let told = of(&otlp(&[
        span(
            1_770_000_000,
            &[
                ("gen_ai.input.messages", json!([message("user", "High?")])),
                ("gen_ai.output.messages", answer),
            ],
        ),
        span(
            1_770_000_001,
            &[
                ("gen_ai.operation.name", json!("execute_tool")),
                ("gen_ai.tool.name", json!("tide")),
                ("gen_ai.tool.call.id", json!("t")),
                ("gen_ai.tool.call.result", json!("2 m")),
            ],
        ),
    ]));
    assert_eq!(outline(&told[0])[1], "Unknown: tide → \"2 m\"");
}

#[test]
fn messages_may_be_events_or_have_numbers_in_their_names() {
    let event = |name: &str, attributes: Value| json!({"name": name, "attributes": attributes});
    let told = of(
        &json!({"attributes": {"gen_ai.system": "x", "gen_ai.request.model": "m"}, "events": [
        event("gen_ai.system.message", json!({"content": "Be brief."})),
        event("gen_ai.user.message", json!({"content": "Weather?"})),
        event("gen_ai.assistant.message", json!({"tool_calls": [{"id": "1", "function": {"name": "weather", "arguments": "{}"}}]})),
        event("gen_ai.tool.message", json!({"id": "1", "content": "fog"})),
        event("gen_ai.choice", json!({"index": 0, "finish_reason": "stop", "message": {"content": "Fog."}}))]}),
    );
    let expected = [
        "<Context Instructions for the assistant>",
        "person: \"Weather?\"",
        "Complete: weather → \"fog\", \"Fog.\"",
    ];
    assert_eq!(outline(&told[0]), expected);
    let told = of(
        &json!({"attributes": {"gen_ai.prompt.0.role": "user", "gen_ai.prompt.0.content": "Weather?",
        "gen_ai.completion.0.role": "assistant", "gen_ai.completion.0.content": "Wait.",
        "gen_ai.completion.0.tool_calls.0.id": "1", "gen_ai.completion.0.tool_calls.0.name": "weather",
        "gen_ai.completion.0.tool_calls.0.arguments": "{\"a\":1}", "gen_ai.completion.0.finish_reason": "tool_calls"}}),
    );
    assert_eq!(
        outline(&told[0]),
        ["person: \"Weather?\"", "Unknown: \"Wait.\", weather → -"]
    );
}
