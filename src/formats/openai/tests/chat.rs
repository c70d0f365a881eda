//! Chat Completions: messages, calls and the dialects of vendors who speak the same.

use serde_json::{Value, json};

use super::{of, of_lines, one};
use crate::formats::outline::{call, outline, replies};
use crate::model::{Entry, Input, Part, ReplyStatus};

#[test]
fn results_are_paired_by_id_whatever_their_order() {
    let call_of = |id: &str, city: &str| {
        let arguments = json!({"city": city}).to_string();
        json!({"id": id, "type": "function", "function": {"name": "weather", "arguments": arguments}})
    };
    let told = one(&json!({"model": "m", "messages": [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": [{"type": "text", "text": "Weather?"},
            {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}]},
        {"role": "assistant", "content": null, "tool_calls": [call_of("1", "Port"), call_of("2", "Isle")]},
        {"role": "tool", "tool_call_id": "2", "content": "fog"},
        {"role": "tool", "tool_call_id": "1", "content": [{"type": "text", "text": "sun"}]},
        {"role": "assistant", "content": "Sun and fog."},
        {"role": "user", "content": "Again."}]}));
    let expected = [
        "<Context Instructions for the assistant>",
        "person: \"Weather?\", picture",
        "Complete: weather → \"sun\", weather → \"fog\", \"Sun and fog.\"",
        "person: \"Again.\"",
    ];
    assert_eq!(outline(&told), expected);
}

#[test]
fn arguments_come_in_four_forms_and_odd_ones_are_shown_as_they_are() {
    let forms = [
        json!("{\"x\": 1,"),
        json!("{\"x\":1}"),
        json!({"x": 1}),
        Value::Null,
    ];
    let calls: Vec<Value> = (1..)
        .zip(forms)
        .map(|(n, form)| json!({"id": format!("c{n}"), "function": {"name": format!("f{n}"), "arguments": form}}))
        .collect();
    let (told, problems) = of(&json!({"messages": [
        {"role": "user", "content": "Go."}, {"role": "assistant", "tool_calls": calls}]}));
    let input = |name: &str| call(&told[0], name).input.clone();
    assert_eq!(input("f1"), Some(Input::Text("{\"x\": 1,".into())));
    assert_eq!(input("f2"), Some(Input::Json("{\"x\":1}".into())));
    assert_eq!(input("f3"), Some(Input::Json("{\"x\":1}".into())));
    assert_eq!(input("f4"), Some(Input::Json("null".into())));
    assert_eq!(problems, ["x.json: note: arguments are not JSON (c1)"]);
}

#[test]
fn a_legacy_call_is_paired_by_its_name() {
    let told = one(&json!({"messages": [
        {"role": "user", "content": "Go."},
        {"role": "assistant", "content": null, "function_call": {"name": "f", "arguments": "{}"}},
        {"role": "function", "name": "f", "content": "done"}]}));
    assert_eq!(outline(&told)[1], "Unknown: f → \"done\"");
}

#[test]
fn a_result_before_its_call_and_a_second_one_are_both_shown_and_told() {
    let calls = json!([{"id": "c", "function": {"name": "f", "arguments": "{}"}}]);
    let (told, problems) = of(&json!({"messages": [
        {"role": "tool", "tool_call_id": "c", "content": "one"},
        {"role": "assistant", "tool_calls": calls},
        {"role": "tool", "tool_call_id": "c", "content": "two"},
        {"role": "tool", "content": "stray"}]}));
    assert_eq!(outline(&told[0]), ["Unknown: f → \"one\",  → \"stray\""]);
    assert_eq!(call(&told[0], "f").more_results[0].text, "two");
    assert_eq!(problems[0], "x.json: result before its call c");
    assert_eq!(problems.len(), 2, "{problems:?}");
}

#[test]
fn what_was_thought_stands_under_many_keys() {
    let dialects = [
        json!({"role": "assistant", "reasoning_content": "hm", "content": "So."}),
        json!({"role": "assistant", "reasoning": "hm", "content": "So."}),
        json!({"role": "assistant", "content": "<think>\nhm\n</think>\n\nSo."}),
        json!({"role": "assistant", "reasoning_details": [{"type": "reasoning.text", "text": "hm"}], "content": "So."}),
        json!({"role": "assistant", "content": [
            {"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}, {"type": "text", "text": "So."}]}),
    ];
    for message in dialects {
        let told = one(
            &json!({"object": "chat.completion", "model": "m", "created": 1_770_000_000,
            "choices": [{"message": message, "finish_reason": "stop"}]}),
        );
        let reply = replies(&told).next().expect("a reply");
        assert!(
            matches!(&reply.parts[..], [Part::Reasoning(thought), Part::Text(said)]
                if thought.text == "hm" && said == "So."),
            "{message}: {:?}",
            reply.parts
        );
        assert_eq!(
            (reply.status, reply.models.as_slice()),
            (ReplyStatus::Complete, &["m".to_owned()][..])
        );
    }
}

#[test]
fn text_that_looks_like_a_call_stays_text() {
    let words = "<tool_call>{\"name\":\"f\"}</tool_call><details>x</details>";
    let told = one(&json!({"messages": [{"role": "assistant", "content": words}]}));
    assert_eq!(outline(&told), [format!("Complete: {words:?}")]);
}

#[test]
fn an_unknown_role_is_told_and_shown() {
    let (told, problems) = of(&json!({"messages": [
        {"role": "narrator", "content": "y"}, {"content": "no role"}, {"role": "user", "content": "x"}]}));
    let expected = [
        "<Unknown A message of an unknown role: narrator>",
        "<Unknown A message of an unknown role: none>",
        "person: \"x\"",
    ];
    assert_eq!(outline(&told[0]), expected);
    assert_eq!(
        problems,
        ["x.json: note: 2 unknown role types: narrator, none"]
    );
}

#[test]
fn a_response_has_its_cost_its_pages_and_its_end() {
    let told = one(
        &json!({"object": "chat.completion", "model": "m", "citations": ["https://example.com/a"],
        "usage": {"prompt_tokens": 10, "completion_tokens": 5, "prompt_tokens_details": {"cached_tokens": 4}},
        "choices": [{"message": {"role": "assistant", "content": "So", "refusal": null}, "finish_reason": "length"},
            {"message": {"role": "assistant", "content": "Or"}, "finish_reason": "stop"}]}),
    );
    let reply = replies(&told).next().expect("a reply");
    let usage = reply.usage.expect("it is counted");
    assert_eq!((usage.input, usage.cache_read, usage.output), (6, 4, 5));
    assert_eq!(reply.sources[0].url, "https://example.com/a");
    let expected = "Complete: \"So\", <Info The reply was cut at its longest>, <Info Another answer to the same>";
    assert_eq!(outline(&told), [expected]);
}

#[test]
fn lines_that_are_messages_are_one_conversation() {
    let lines = [
        json!({"role": "user", "content": "hello"}),
        json!({"role": "assistant", "content": "hi"}),
    ];
    let (told, problems) = of_lines(&lines);
    assert_eq!(outline(&told[0]), ["person: \"hello\"", "Complete: \"hi\""]);
    assert_eq!(of(&json!(lines)).0, told);
    assert!(problems.is_empty());
}

#[test]
fn an_answer_without_content_is_a_reply_all_the_same() {
    let (told, _) = of(
        &json!({"messages": [{"role": "user", "content": "x"}, {"role": "assistant", "content": null}]}),
    );
    assert!(matches!(
        &told[0].entries[..],
        [Entry::Prompt(_), Entry::Reply(_)]
    ));
}
