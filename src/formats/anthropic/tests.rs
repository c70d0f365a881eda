//! What the reader makes of logs of Anthropic's API.

use serde_json::{Value, json};

use super::Anthropic;
use crate::formats::api::tests::read_with;
use crate::formats::outline::{call, outline, replies};
use crate::model::{Conversation, ReplyStatus};

fn of(document: &Value) -> Vec<Conversation> {
    read_with(&Anthropic, &document.to_string()).0
}

fn response(content: &Value) -> Value {
    json!({"type": "message", "id": "msg_1", "role": "assistant", "model": "claude-x", "content": content,
        "stop_reason": "end_turn", "usage": {"input_tokens": 3, "cache_read_input_tokens": 2,
            "cache_creation_input_tokens": 1, "output_tokens": 4}})
}

#[test]
fn results_in_the_next_message_are_nobodys_words() {
    let told = of(
        &json!({"model": "claude-x", "max_tokens": 9, "system": [{"type": "text", "text": "Be brief."}],
        "messages": [
            {"role": "user", "content": [{"type": "text", "text": "Weather?"},
                {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AAAA"}}]},
            {"role": "assistant", "content": [
                {"type": "tool_use", "id": "1", "name": "weather", "input": {"city": "Port"}},
                {"type": "tool_use", "id": "2", "name": "weather", "input": {"city": "Isle"}}]},
            {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "2", "content": [{"type": "text", "text": "fog"}]},
                {"type": "tool_result", "tool_use_id": "1", "content": "down", "is_error": true},
                {"type": "text", "text": "Go on."}]},
            {"role": "assistant", "content": "Fog."}]}),
    );
    let expected = [
        "<Context Instructions for the assistant>",
        "person: \"Weather?\", picture",
        "Complete: weather → !\"down\", weather → \"fog\"",
        "person: \"Go on.\"",
        "Complete: \"Fog.\"",
    ];
    assert_eq!(outline(&told[0]), expected);
}

#[test]
fn tools_at_the_vendors_side_have_their_results_in_the_answer() {
    let told = of(&response(&json!([
        {"type": "server_tool_use", "id": "w", "name": "web_search", "input": {"query": "tides"}},
        {"type": "web_search_tool_result", "tool_use_id": "w", "content": [{"type": "web_search_result",
            "title": "Tides", "url": "https://example.com/t", "page_age": "2 days", "encrypted_content": "zzz"}]},
        {"type": "server_tool_use", "id": "f", "name": "web_fetch", "input": {"url": "https://example.com/t"}},
        {"type": "web_fetch_tool_result", "tool_use_id": "f", "content": {"type": "web_fetch_tool_result_error", "error_code": "url_not_accessible"}},
        {"type": "server_tool_use", "id": "b", "name": "bash_code_execution", "input": {"command": "ls"}},
        {"type": "bash_code_execution_tool_result", "tool_use_id": "b", "content": {"type": "bash_code_execution_result",
            "stdout": "a\n", "stderr": "no", "return_code": 2, "content": [{"file_id": "file_1"}]}},
        {"type": "mcp_tool_use", "id": "m", "name": "open", "server_name": "box", "input": {}},
        {"type": "mcp_tool_result", "tool_use_id": "m", "is_error": false, "content": [{"type": "text", "text": "ok"}]}])));
    let lines = outline(&told[0]);
    let hits = "[{\\\"snippet\\\":\\\"2 days\\\",\\\"title\\\":\\\"Tides\\\",\\\"url\\\":\\\"https://example.com/t\\\"}]";
    let search = lines[0].replace("[{\\\"title\\\":\\\"Tides\\\",\\\"url\\\":\\\"https://example.com/t\\\",\\\"snippet\\\":\\\"2 days\\\"}]", hits);
    let expected = format!(
        "Complete: web_search → \"{hits}\", web_fetch → !\"url_not_accessible\", \
        bash_code_execution → !\"a\\nno\\nFile: file_1\", mcp__box__open → \"ok\""
    );
    assert_eq!(search, expected);
    let details = call(&told[0], "bash_code_execution")
        .result
        .as_ref()
        .and_then(|one| one.details.clone());
    assert_eq!(details.and_then(|details| details.exit_code), Some(2));
}

#[test]
fn a_sentence_in_pieces_is_whole_again_and_its_pages_are_named_once() {
    let cite = json!([{"type": "web_search_result_location", "url": "https://example.com/t", "title": "Tides"}]);
    let told = of(&response(&json!([
        {"type": "thinking", "thinking": "hm", "signature": "x"}, {"type": "redacted_thinking", "data": "x"},
        {"type": "text", "text": "The tide ", "citations": null}, {"type": "text", "text": "is high", "citations": cite},
        {"type": "text", "text": "."}])));
    let expected = ["Complete: thought, thought, \"The tide is high.\""];
    assert_eq!(outline(&told[0]), expected);
    let reply = replies(&told[0]).next().expect("a reply");
    assert_eq!(reply.sources.len(), 1);
    let usage = reply.usage.expect("it is counted");
    assert_eq!(
        (usage.input, usage.cache_read, usage.cache_write),
        (3, 2, 1)
    );
}

#[test]
fn how_a_response_ended_is_said() {
    let ended = |reason: &str| {
        let mut response = response(&json!([]));
        response["stop_reason"] = json!(reason);
        response["stop_details"] = json!({"explanation": "Not this."});
        of(&response)
    };
    assert_eq!(
        outline(&ended("max_tokens")[0]),
        ["Complete: <Info The reply was cut at its longest>"]
    );
    let refused = ended("refusal");
    assert_eq!(outline(&refused[0]), ["Error: error Not this."]);
    assert_eq!(
        replies(&refused[0]).next().map(|reply| reply.status),
        Some(ReplyStatus::Error)
    );
}

#[test]
fn marks_of_the_cache_do_not_make_another_conversation() {
    let block = |cached: bool| {
        let mut block = json!({"type": "text", "text": "Dig?"});
        if cached {
            block["cache_control"] = json!({"type": "ephemeral"});
        }
        json!({"role": "user", "content": [block]})
    };
    let answer = json!([{"type": "text", "text": "Yes."}]);
    let lines = [
        json!({"request": {"model": "claude-x", "system": "s", "messages": [block(true)]}, "response": response(&answer)}),
        json!({"request": {"model": "claude-x", "system": "s", "messages": [block(false), {"role": "assistant", "content": answer},
            {"role": "user", "content": "Deep?"}]}, "response": response(&json!([{"type": "text", "text": "Two spades."}]))}),
    ];
    let (told, _) = read_with(&Anthropic, &format!("{}\n{}\n", lines[0], lines[1]));
    let expected = [
        "<Context Instructions for the assistant>",
        "person: \"Dig?\"",
        "Complete: \"Yes.\"",
        "person: \"Deep?\"",
        "Complete: \"Two spades.\"",
    ];
    assert_eq!(
        (told.len(), outline(&told[0])),
        (1, expected.map(str::to_owned).to_vec())
    );
}

#[test]
fn a_batch_gives_a_conversation_for_each_line() {
    let lines = [
        json!({"custom_id": "a", "params": {"model": "claude-x", "max_tokens": 9, "messages": [{"role": "user", "content": "Dig?"}]}}),
        json!({"custom_id": "b", "result": {"type": "succeeded", "message": response(&json!([{"type": "text", "text": "Yes."}]))}}),
        json!({"custom_id": "c", "result": {"type": "errored", "error": {"type": "error", "error": {"type": "overloaded_error", "message": "Later."}}}}),
        json!({"custom_id": "d", "result": {"type": "expired"}}),
    ];
    let text: Vec<String> = lines.iter().map(Value::to_string).collect();
    let (told, _) = read_with(&Anthropic, &text.join("\n"));
    let lines: Vec<String> = told.iter().map(|one| outline(one).join(" ")).collect();
    let expected = [
        "person: \"Dig?\"",
        "Complete: \"Yes.\"",
        "Error: error overloaded_error: Later.",
        "Error: error The request was expired.",
    ];
    assert_eq!(lines, expected);
    assert_eq!(told[1].id, "b");
}

/// The events of a streamed answer with thoughts, words and a call.
fn events() -> Vec<Value> {
    let delta = |index: u64, delta: Value| json!({"type": "content_block_delta", "index": index, "delta": delta});
    vec![
        json!({"type": "message_start", "message": {"type": "message", "id": "msg_1",
            "role": "assistant", "model": "claude-x", "content": [], "stop_reason": null,
            "usage": {"input_tokens": 3, "output_tokens": 1}}}),
        json!({"type": "content_block_start", "index": 0, "content_block": {"type": "thinking", "thinking": ""}}),
        delta(0, json!({"type": "thinking_delta", "thinking": "Hm"})),
        delta(0, json!({"type": "thinking_delta", "thinking": "m."})),
        json!({"type": "content_block_start", "index": 1, "content_block": {"type": "text", "text": ""}}),
        delta(1, json!({"type": "text_delta", "text": "High "})),
        json!({"type": "ping"}),
        delta(1, json!({"type": "text_delta", "text": "tide."})),
        json!({"type": "content_block_start", "index": 2, "content_block":
            {"type": "tool_use", "id": "t", "name": "tides", "input": {}}}),
        delta(
            2,
            json!({"type": "input_json_delta", "partial_json": "{\"port\":"}),
        ),
        delta(
            2,
            json!({"type": "input_json_delta", "partial_json": "\"Isle\"}"}),
        ),
        json!({"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {"output_tokens": 9}}),
        json!({"type": "message_stop"}),
    ]
}

#[test]
fn what_was_kept_as_it_came_is_put_together() {
    let sse = |events: &[Value]| {
        let events = events.iter().map(|event| {
            let kind = event["type"].as_str().expect("a kind");
            format!("event: {kind}\ndata: {event}\n\n")
        });
        events.collect::<String>()
    };
    let lines = |events: &[Value]| {
        let lines = events.iter().map(|event| format!("{event}\n"));
        lines.collect::<String>()
    };
    let answer = "Unknown: thought, \"High tide.\", tides → -";
    for file in [sse(&events()), lines(&events())] {
        let (told, problems) = read_with(&Anthropic, &file);
        assert_eq!(problems, [""; 0]);
        assert_eq!(told.len(), 1);
        assert_eq!(outline(&told[0]), [answer]);
        let written = format!("{:?}", told[0]);
        assert!(written.contains("Hmm.") && written.contains(r#"{\"port\":\"Isle\"}"#));
        let reply = replies(&told[0]).next().expect("a reply");
        assert_eq!(reply.usage.as_ref().map(|usage| usage.output), Some(9));
    }
    // In a pair with its request, as text and as a list.
    let request = json!({"model": "claude-x", "max_tokens": 9, "messages": [{"role": "user", "content": "When?"}]});
    for response in [Value::String(sse(&events())), events().into()] {
        let told = of(&json!({"request": request, "response": response}));
        assert_eq!(outline(&told[0])[0], "person: \"When?\"");
        assert!(outline(&told[0])[1].contains("High tide."));
    }
    // One that was cut has what had come.
    let cut = events()[..8].to_vec();
    let told = read_with(&Anthropic, &(sse(&cut) + "data: {\"type\":")).0;
    assert!(outline(&told[0])[0].contains("High tide."));
}
