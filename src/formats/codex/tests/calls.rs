//! Calls of all kinds, and what events say of them.

use serde_json::json;

use super::*;
use crate::model::patch::Change;
use crate::model::{ImageData, Input, ReplyStatus, ToolStatus};

fn input(call: &ToolCall) -> &str {
    match &call.input {
        Some(Input::Json(text) | Input::Text(text)) => text,
        None => "",
    }
}

#[test]
fn a_call_and_its_events_are_one_card() {
    let conversation = read(&[
        call("c", "exec_command", json!({"cmd": "make"})),
        event(
            json!({"type": "exec_command_begin", "call_id": "c", "command": ["make"], "cwd": "/w"}),
        ),
        event(
            json!({"type": "exec_command_end", "call_id": "c", "command": ["make"], "aggregated_output": "no", "exit_code": 2, "duration": {"secs": 3, "nanos": 5_000_000}, "status": "failed"}),
        ),
        output("c", json!("no")),
    ]);
    let calls = calls(&conversation);
    assert_eq!(calls.len(), 1);
    let result = calls[0].result.as_ref().expect("it has one");
    assert!(result.is_error && calls[0].more_results.is_empty());
    assert_eq!(calls[0].ms, Some(3_005));
    assert_eq!(result.details.as_ref().and_then(|d| d.exit_code), Some(2));
}

#[test]
fn an_event_stands_in_for_a_call_that_no_item_has() {
    let conversation = read(&[
        event(
            json!({"type": "mcp_tool_call_end", "call_id": "m", "invocation": {"server": "box", "tool": "open", "arguments": {"lid": 1}}, "duration": {"secs": 1, "nanos": 0}, "result": {"Ok": {"content": [{"type": "text", "text": "ok"}]}}}),
        ),
        event(
            json!({"type": "mcp_tool_call_end", "call_id": "n", "invocation": {"server": "box", "tool": "open"}, "result": {"Err": "shut"}}),
        ),
        event(
            json!({"type": "exec_command_begin", "call_id": "e", "command": ["ls"], "cwd": "/w"}),
        ),
        event(
            json!({"type": "exec_command_end", "call_id": "u", "source": "user_shell", "command": ["pwd"], "exit_code": 0}),
        ),
    ]);
    let calls = calls(&conversation);
    let names: Vec<_> = calls.iter().map(|call| call.name.as_str()).collect();
    assert_eq!(names, ["mcp__box__open", "mcp__box__open", "exec_command"]);
    assert_eq!((input(calls[0]), input(calls[1])), (r#"{"lid":1}"#, "{}"));
    assert_eq!(
        calls[0].result.as_ref().map(|r| r.text.as_str()),
        Some("ok")
    );
    assert_eq!(calls[1].status(ReplyStatus::Unknown), ToolStatus::Error);
    assert_eq!(
        calls[2].status(ReplyStatus::Unknown),
        ToolStatus::Incomplete
    );
}

#[test]
fn a_patchs_changes_are_lines_with_their_places() {
    let conversation = read(&[
        item(
            json!({"type": "custom_tool_call", "call_id": "p", "name": "apply_patch", "input": "*** Begin Patch\n*** End Patch", "status": "completed"}),
        ),
        event(
            json!({"type": "patch_apply_end", "call_id": "p", "success": true, "stdout": "ok", "stderr": "", "changes": {
                "a.rs": {"type": "update", "unified_diff": "--- a\n+++ b\n@@ -4,2 +4,2 @@ fn x\n kept\n-old\n+new\n\\ No newline at end of file", "move_path": "b.rs"},
                "c.rs": {"add": {"content": "one\ntwo\n"}},
                "d.rs": {"type": "delete", "content": "gone"},
            }}),
        ),
        item(json!({"type": "custom_tool_call_output", "call_id": "p", "output": "ok"})),
    ]);
    let call = calls(&conversation)[0];
    assert_eq!(
        call.input,
        Some(Input::Text("*** Begin Patch\n*** End Patch".into()))
    );
    let details = call
        .result
        .as_ref()
        .and_then(|r| r.details.as_ref())
        .expect("they are there");
    let changes: Vec<_> = details
        .patches
        .iter()
        .map(|p| (&p.change, p.hunks[0].lines.len()))
        .collect();
    let moved = Change::Moved("b.rs".into());
    assert_eq!(
        changes,
        [(&moved, 4), (&Change::Added, 2), (&Change::Deleted, 1)]
    );
    let hunk = &details.patches[0].hunks[0];
    assert_eq!(
        (hunk.old_start, hunk.heading.as_deref()),
        (Some(4), Some("fn x"))
    );
}

#[test]
fn a_search_of_the_web_is_done_though_its_output_is_nowhere() {
    let conversation = read(&[
        item(
            json!({"type": "web_search_call", "status": "completed", "action": {"type": "search", "query": "gulls", "queries": ["gulls"]}}),
        ),
        item(
            json!({"type": "web_search_call", "status": "completed", "action": {"type": "open_page", "url": "https://example.com/"}}),
        ),
        item(
            json!({"type": "web_search_call", "status": "completed", "action": {"type": "find_in_page", "url": "https://example.com/", "pattern": "tern"}}),
        ),
        item(json!({"type": "web_search_call", "status": "completed"})),
        item(
            json!({"type": "web_search_call", "status": "in_progress", "action": {"type": "search", "query": "terns"}}),
        ),
    ]);
    let calls = calls(&conversation);
    let inputs: Vec<_> = calls.iter().map(|call| input(call)).collect();
    assert_eq!(
        inputs,
        [
            r#"{"query":"gulls"}"#,
            r#"{"url":"https://example.com/"}"#,
            r#"{"url":"https://example.com/","pattern":"tern"}"#,
            "{}",
            r#"{"query":"terns"}"#,
        ]
    );
    let done = calls.iter().filter(|call| call.result.is_some());
    assert_eq!(done.count(), 4);
}

#[test]
fn what_a_search_found_comes_from_its_event() {
    let conversation = read(&[
        item(
            json!({"type": "web_search_call", "id": "w", "status": "completed", "action": {"type": "search", "query": "gulls"}}),
        ),
        event(
            json!({"type": "web_search_end", "call_id": "w", "query": "gulls", "results": [{"title": "A", "url": "https://example.com/", "snippet": "b"}]}),
        ),
    ]);
    let call = calls(&conversation)[0];
    let details = call
        .result
        .as_ref()
        .and_then(|r| r.details.as_ref())
        .expect("they are there");
    assert_eq!(details.hits.as_ref().map(Vec::len), Some(1));
}

#[test]
fn calls_of_every_kind_have_a_card() {
    let conversation = read(&[
        item(
            json!({"type": "local_shell_call", "call_id": "l", "status": "completed", "action": {"type": "exec", "command": ["ls"], "timeout_ms": null, "working_directory": "/w"}}),
        ),
        output("l", json!("a")),
        item(
            json!({"type": "tool_search_call", "call_id": "t", "execution": "client", "arguments": {"query": "rings"}}),
        ),
        item(
            json!({"type": "tool_search_output", "call_id": "t", "tools": [{"name": "group", "tools": [{"name": "count", "description": "Counts."}]}]}),
        ),
        item(
            json!({"type": "image_generation_call", "id": "i", "status": "completed", "revised_prompt": "a gull", "result": "QUJD"}),
        ),
        event(
            json!({"type": "image_generation_end", "call_id": "i", "status": "completed", "revised_prompt": "a gull", "result": "QUJD"}),
        ),
        item(
            json!({"type": "function_call", "name": "count", "namespace": "mcp__box__", "arguments": "{}", "call_id": "n"}),
        ),
        item(
            json!({"type": "function_call", "name": "shell", "arguments": "{broken", "call_id": "b"}),
        ),
        event(json!({"type": "view_image_tool_call", "call_id": "v", "path": "/w/a.png"})),
    ]);
    let calls = calls(&conversation);
    let names: Vec<_> = calls.iter().map(|call| call.name.as_str()).collect();
    assert_eq!(
        names,
        [
            "local_shell",
            "tool_search",
            "image_generation_call",
            "mcp__box__count",
            "shell",
            "view_image"
        ]
    );
    assert_eq!(
        input(calls[0]),
        r#"{"command":["ls"],"working_directory":"/w"}"#
    );
    assert_eq!(
        calls[1].result.as_ref().map(|r| r.text.as_str()),
        Some("group\n  count: Counts.")
    );
    let images = &calls[2].result.as_ref().expect("it has one").images;
    assert!(matches!(&images[..], [image] if matches!(image.data, ImageData::Base64 { .. })));
    assert_eq!(calls[4].input, Some(Input::Text("{broken".into())));
}

#[test]
fn a_result_without_its_call_has_a_card_of_its_own() {
    let reading = read_all(&[output("gone", json!("here")), output("", json!("nameless"))]);
    let conversation = reading.conversation.expect("there is something");
    let texts: Vec<_> = calls(&conversation)
        .iter()
        .map(|call| call.result.as_ref().map(|r| r.text.clone()))
        .collect();
    assert_eq!(
        texts,
        [Some("here".to_owned()), Some("nameless".to_owned())]
    );
    assert_eq!(reading.problems.len(), 1);
}

#[test]
fn what_was_thought_of_a_call_beforehand_is_told_in_its_card() {
    let conversation = read(&[
        call("c", "exec_command", json!({"cmd": "rm -r build"})),
        event(
            json!({"type": "guardian_assessment", "id": "g", "target_item_id": "c", "status": "in_progress"}),
        ),
        event(
            json!({"type": "guardian_assessment", "id": "g", "target_item_id": "c", "status": "denied", "risk_level": "high", "rationale": "It deletes."}),
        ),
        event(json!({"type": "exec_approval_request", "call_id": "c", "reason": "outside"})),
        output("c", json!("exec command rejected by user")),
    ]);
    let notices = &calls(&conversation)[0].notices;
    let titles: Vec<_> = notices.iter().map(|notice| notice.title.as_str()).collect();
    assert_eq!(
        titles,
        [
            "Checked before it was run: denied, high risk",
            "The person was asked for approval"
        ]
    );
}

#[test]
fn outputs_about_agents_are_words() {
    let conversation = read(&[
        call(
            "s",
            "spawn_agent",
            json!({"message": "look", "agent_type": "explorer"}),
        ),
        output(
            "s",
            json!(json!({"agent_id": "019d-1", "nickname": "Tern"}).to_string()),
        ),
        call("w", "wait_agent", json!({"targets": ["019d-1"]})),
        output(
            "w",
            json!(
                json!({"status": {"019d-1": {"completed": "All done"}}, "timed_out": false})
                    .to_string()
            ),
        ),
    ]);
    let calls = calls(&conversation);
    let text = |at: usize| calls[at].result.as_ref().map(|r| r.text.as_str());
    assert_eq!(text(0), Some("agent_id: 019d-1 · nickname: Tern"));
    assert_eq!(text(1), Some("019d-1: completed\nAll done\n"));
}
