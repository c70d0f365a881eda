//! Responses: items, hosted tools and what they were given.

use serde_json::{Value, json};

use super::{of_lines, one};
use crate::formats::outline::{call, outline, replies};
use crate::model::{Conversation, Input, Part, ReplyStatus};

fn response(output: &Value) -> Value {
    json!({"id": "resp_1", "object": "response", "created_at": 1_770_000_000, "status": "completed",
        "model": "m", "output": output, "usage": {"input_tokens": 3, "output_tokens": 4}})
}

fn of_output(output: &Value) -> Conversation {
    one(&response(output))
}

#[test]
fn a_request_and_its_response_are_one_conversation() {
    let request = json!({"model": "m", "instructions": "Be brief.", "input": [
        {"role": "user", "content": [{"type": "input_text", "text": "Weather?"}]},
        {"type": "function_call", "call_id": "1", "name": "weather", "arguments": "{}"},
        {"type": "function_call", "call_id": "2", "name": "tide", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "2", "output": "high"},
        {"type": "function_call_output", "call_id": "1", "output": [{"type": "input_text", "text": "fog"}]}]});
    let output = json!([{"type": "reasoning", "id": "rs", "summary": [], "encrypted_content": "x"},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Fog.", "annotations": []}]}]);
    let told = one(&json!({"request": request, "response": response(&output)}));
    let expected = [
        "<Context Instructions for the assistant>",
        "person: \"Weather?\"",
        "Complete: weather → \"fog\", tide → \"high\", thought, \"Fog.\"",
    ];
    assert_eq!(outline(&told), expected);
    let reply = replies(&told).next().expect("a reply");
    assert!(
        matches!(&reply.parts[2], Part::Reasoning(thought) if thought.hidden == Some("encrypted"))
    );
}

#[test]
fn hosted_searches_are_given_what_their_actions_say() {
    let told = of_output(&json!([
        {"type": "web_search_call", "id": "1", "status": "completed", "action": {"type": "search",
            "query": "tides", "sources": [{"type": "url", "url": "https://example.com/a"}]}},
        {"type": "web_search_call", "id": "2", "status": "completed", "action": {"type": "open_page", "url": "https://example.com/a"}},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "High.",
            "annotations": [{"type": "url_citation", "title": "Tides", "url": "https://example.com/a?utm_source=openai"}]}]}]));
    let first = call(&told, "web_search_call");
    assert_eq!(
        first.input,
        Some(Input::Json("{\"query\":\"tides\"}".into()))
    );
    let details = first
        .result
        .as_ref()
        .and_then(|result| result.details.as_ref());
    let hits = details
        .and_then(|details| details.hits.clone())
        .expect("pages");
    assert_eq!(
        (hits[0].title.as_str(), hits[0].url.as_str()),
        ("Tides", "https://example.com/a")
    );
    let reply = replies(&told).next().expect("a reply");
    assert_eq!(reply.sources.len(), 1);
}

#[test]
fn hosted_tools_hold_their_results() {
    let told = of_output(&json!([
        {"type": "file_search_call", "id": "f", "status": "completed", "queries": ["a"],
            "results": [{"filename": "n.pdf", "score": 0.9, "text": "found"}]},
        {"type": "code_interpreter_call", "id": "c", "status": "completed", "code": "1+1", "outputs": [{"type": "logs", "logs": "2"}]},
        {"type": "image_generation_call", "id": "i", "status": "completed", "revised_prompt": "a bay", "result": "AAAA", "output_format": "png"},
        {"type": "mcp_call", "id": "m", "status": "completed", "server_label": "box", "name": "open", "arguments": "{}", "output": "ok", "error": null},
        {"type": "mcp_call", "id": "n", "status": "failed", "server_label": "box", "name": "shut", "arguments": "{}", "error": {"message": "stuck"}},
        {"type": "code_interpreter_call", "id": "r", "status": "interpreting", "code": "2", "outputs": null}]));
    let expected = "Complete: file_search_call → \"n.pdf (0.9)\\nfound\", code_interpreter_call → \"2\", \
        image_generation_call → \"\", mcp__box__open → \"ok\", mcp__box__shut → !\"stuck\", code_interpreter_call → -";
    assert_eq!(outline(&told), [expected]);
    let image = call(&told, "image_generation_call")
        .result
        .as_ref()
        .expect("a result");
    assert_eq!(image.images.len(), 1);
    let running = replies(&told).flat_map(|reply| &reply.parts).last();
    assert!(matches!(running, Some(Part::Tool(call)) if call.running));
}

#[test]
fn commands_patches_and_programs_are_calls_with_results() {
    let told = of_output(&json!([
        {"type": "shell_call", "call_id": "1", "action": {"commands": ["ls", "pwd"], "timeout_ms": null}},
        {"type": "shell_call_output", "call_id": "1", "output": [
            {"stdout": "a", "stderr": "", "outcome": {"type": "exit", "exit_code": 0}},
            {"stdout": "", "stderr": "no", "outcome": {"type": "exit", "exit_code": 2}}]},
        {"type": "apply_patch_call", "call_id": "2", "operation": {"type": "update_file", "path": "a.txt", "diff": "@@\n-x\n+y\n"}},
        {"type": "apply_patch_call_output", "call_id": "2", "status": "completed", "output": ""},
        {"type": "custom_tool_call", "call_id": "3", "name": "sql", "input": "SELECT 1"},
        {"type": "custom_tool_call_output", "call_id": "3", "output": "1"},
        {"type": "tool_search_call", "call_id": null, "arguments": {"paths": ["x"]}},
        {"type": "tool_search_output", "call_id": null, "tools": [{"name": "weather"}]}]));
    let expected = "Unknown: shell → !\"a\\nno\", apply_patch → \"\", sql → \"1\", tool_search_call → \"weather\"";
    assert_eq!(outline(&told)[0].replace("Complete", "Unknown"), expected);
    let shell = call(&told, "shell");
    assert_eq!(
        shell.input,
        Some(Input::Json("{\"commands\":[\"ls\",\"pwd\"]}".into()))
    );
    let patch = "*** Begin Patch\n*** Update File: a.txt\n@@\n-x\n+y\n*** End Patch";
    assert_eq!(
        call(&told, "apply_patch").input,
        Some(Input::Text(patch.into()))
    );
}

#[test]
fn permission_is_asked_for_and_given() {
    let told = of_output(&json!([
        {"type": "mcp_list_tools", "server_label": "box", "tools": [{"name": "open", "description": "Opens."}]},
        {"type": "mcp_approval_request", "id": "a", "server_label": "box", "name": "open", "arguments": "{}"},
        {"type": "mcp_approval_response", "approval_request_id": "a", "approve": false, "reason": "no"}]));
    let expected = "Complete: <Context The tools of the server box>, \
        <Info Asked for permission to call box · open>, <Info The call was refused>";
    assert_eq!(outline(&told), [expected]);
}

#[test]
fn a_response_that_failed_or_was_cut_says_so() {
    let mut failed = response(&json!([]));
    failed["status"] = json!("failed");
    failed["error"] = json!({"code": "server_error", "message": "Sorry."});
    let reply = replies(&one(&failed)).next().cloned().expect("a reply");
    assert_eq!(
        (reply.status, reply.error.as_deref()),
        (ReplyStatus::Error, Some("server_error: Sorry."))
    );
    let mut cut = response(&json!([]));
    cut["status"] = json!("incomplete");
    cut["incomplete_details"] = json!({"reason": "max_output_tokens"});
    assert_eq!(
        outline(&one(&cut)),
        ["Complete: <Info The reply was cut at its longest>"]
    );
}

#[test]
fn a_request_that_names_the_response_before_goes_on_from_it() {
    let answer = |words: &str| json!([{"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": words}]}]);
    let mut second = response(&answer("Two."));
    second["id"] = json!("resp_2");
    let (told, _) = of_lines(&[
        json!({"request": {"model": "m", "input": "One?"}, "response": response(&answer("One."))}),
        json!({"request": {"model": "m", "input": "Two?", "previous_response_id": "resp_1"}, "response": second}),
    ]);
    assert_eq!(told.len(), 1);
    let expected = [
        "person: \"One?\"",
        "Complete: \"One.\"",
        "person: \"Two?\"",
        "Complete: \"Two.\"",
    ];
    assert_eq!(outline(&told[0]), expected);
}

#[test]
fn items_that_the_api_lists_are_one_conversation() {
    let told = one(&json!({"object": "list", "has_more": false, "data": [
        {"type": "message", "id": "m1", "role": "user", "content": [{"type": "input_text", "text": "Hi."}]},
        {"type": "message", "id": "m2", "role": "assistant", "content": [{"type": "output_text", "text": "Ho."}]}]}));
    assert_eq!(outline(&told), ["person: \"Hi.\"", "Complete: \"Ho.\""]);
}
