//! Files of all ages, and what is none of Codex's.

use serde_json::json;

use super::*;
use crate::model::{Input, NoticeKind, ReplyStatus, ToolStatus};

fn recognised(text: &str) -> bool {
    let head = Head::of(&file("x", text.to_owned())).expect("memory can be read");
    Codex.recognises(&head)
}

#[test]
fn files_of_all_ages_are_recognised() {
    for text in [
        "{\"type\":\"session_meta\",\"payload\":{\"id\":\"a\"}}\n",
        "{\"type\":\"session_meta\",\n{\"type\":\"event_msg\",\"payload\":{\"type\":\"x\"}}\n",
        "{\"id\":\"0f0e0d0c-1111-4222-8333-444455556666\",\"timestamp\":\"2025-07-09T14:20:00Z\",\"instructions\":null}\n",
        "{\"id\":\n{\"type\":\"message\",\"role\":\"user\",\"content\":[{\"type\":\"input_text\",\"text\":\"a\"}]}\n",
        "{\"session\":{\"id\":\"a\"},\"items\":[]}",
        "{\n\"session\":{\"id\":\"a\"},\n\"items\":[\n",
        "{\"type\":\"thread.started\",\"thread_id\":\"a\"}\n",
    ] {
        assert!(recognised(text), "{text}");
    }
    for text in [
        "{\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":\"hi\"}}\n",
        "{\"type\":\"message\",\"id\":\"a\",\"message\":{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"a\"}]}}\n",
        "{\"session\":\"a\",\"items\":[]}",
        "{\"id\":\"0\",\"timestamp\":\"x\",\"messages\":[]}\n",
        "{\"ts\":\"x\",\"dir\":\"to_tui\",\"kind\":\"codex_event\",\"payload\":{\"id\":\"0\",\"msg\":{}}}\n",
        "{\"type\":\"turn.started\"}\n",
    ] {
        assert!(!recognised(text), "{text}");
    }
}

#[test]
fn bare_lines_of_2025_are_read() {
    let conversation = read(&[
        json!({"id": "0f0e0d0c-1111-4222-8333-444455556666", "timestamp": "2025-07-09T14:20:00Z", "instructions": "Be short.", "git": {"branch": "main"}}),
        json!({"record_type": "state"}),
        json!({"type": "message", "role": "user", "content": [{"type": "input_text", "text": "hi"}]}),
        json!({"type": "function_call", "name": "shell", "arguments": "{\"command\":[\"ls\"]}", "call_id": "c"}),
        json!({"type": "function_call_output", "call_id": "c", "output": "a"}),
        json!({"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "ho"}]}),
    ]);
    assert_eq!(conversation.branch.as_deref(), Some("main"));
    assert_eq!(titles(&conversation), ["Instructions"]);
    assert_eq!(
        (prompts(&conversation).len(), parts(&conversation).len()),
        (1, 2)
    );
    assert!(conversation.start().is_some());
}

#[test]
fn the_document_of_the_first_program_is_read() {
    let document = json!({"session": {"id": "s", "timestamp": "2025-04-22T09:00:00Z", "instructions": ""}, "items": [
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "hi"}]},
        {"type": "reasoning", "summary": [], "duration_ms": 2400},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "ho"}]},
    ]});
    let source = Source::single(file("r.json", format!("{document:#}\n")));
    let conversation = Codex.read(&source).conversation.expect("it is there");
    assert_eq!(conversation.id, "s");
    assert_eq!(thoughts(&conversation)[0].ms, Some(2_400));
    assert_eq!(texts(&replies(&conversation)[0].parts), ["ho"]);
}

#[test]
fn a_cut_document_of_the_first_program_keeps_its_items() {
    let session = json!({"id": "s", "timestamp": "2025-04-22T09:00:00Z", "instructions": ""});
    let message = |role: &str, kind: &str, text: &str| {
        let content = json!([{"type": kind, "text": text}]);
        json!({"type": "message", "role": role, "content": content})
    };
    let items = json!([
        message("user", "input_text", "hi"),
        message("assistant", "output_text", "ho"),
        message("user", "input_text", "CUT"),
    ]);
    let mut text = format!("{{\"session\": {session},\n \"items\": {items:#}}}\n");
    text.truncate(text.find("CUT").expect("it is there"));
    let source = Source::single(file("r.json", text));
    let conversation = Codex.read(&source).conversation.expect("it is there");
    assert_eq!(prompts(&conversation).len(), 1);
    assert_eq!(texts(&replies(&conversation)[0].parts), ["ho"]);
    let Some(crate::model::Entry::Notice(notice)) = conversation.entries.last() else {
        panic!("the cut is told");
    };
    assert!(notice.title.starts_with("The file ends in the middle"));
}

fn streamed(state: &str, item: Value) -> Value {
    json!({"type": format!("item.{state}"), "item": item})
}

#[test]
fn of_an_item_in_the_stream_the_last_state_counts() {
    let conversation = read(&[
        json!({"type": "thread.started", "thread_id": "t"}),
        json!({"type": "turn.started"}),
        streamed(
            "started",
            json!({"id": "item_0", "type": "todo_list", "items": [{"text": "a", "completed": false}]}),
        ),
        streamed(
            "started",
            json!({"id": "item_1", "type": "command_execution", "command": "bash -lc 'echo '\"'\"'x'\"'\"''", "aggregated_output": "", "status": "in_progress"}),
        ),
        streamed(
            "updated",
            json!({"id": "item_0", "type": "todo_list", "items": [{"text": "a", "completed": true}]}),
        ),
        streamed(
            "completed",
            json!({"id": "item_1", "type": "command_execution", "command": "bash -lc 'echo '\"'\"'x'\"'\"''", "aggregated_output": "x\n", "exit_code": 1, "status": "failed"}),
        ),
        streamed(
            "completed",
            json!({"id": "item_2", "type": "agent_message", "text": "done"}),
        ),
        json!({"type": "turn.completed", "usage": {"input_tokens": 10, "cached_input_tokens": 4, "output_tokens": 3}}),
        json!({"type": "turn.started"}),
        streamed(
            "completed",
            json!({"id": "item_3", "type": "agent_message", "text": "more"}),
        ),
        json!({"type": "turn.completed", "usage": {"input_tokens": 30, "cached_input_tokens": 14, "output_tokens": 5}}),
    ]);
    assert_eq!(conversation.id, "t");
    let calls = calls(&conversation);
    assert!(calls.iter().all(|call| call.more_results.is_empty()));
    assert_eq!(
        calls[0].input,
        Some(Input::Json(
            r#"{"plan":[{"step":"a","status":"completed"}]}"#.into()
        ))
    );
    assert_eq!(
        calls[1].input,
        Some(Input::Json(r#"{"command":"echo 'x'"}"#.into()))
    );
    assert_eq!(calls[1].status(ReplyStatus::Complete), ToolStatus::Error);
    let replies = replies(&conversation);
    assert_eq!(
        (replies.len(), replies[0].status),
        (2, ReplyStatus::Complete)
    );
    let tokens: Vec<_> = replies
        .iter()
        .filter_map(|reply| reply.usage)
        .map(|u| (u.input, u.cache_read, u.output))
        .collect();
    assert_eq!(tokens, [(6, 4, 3), (10, 10, 2)]);
}

#[test]
fn a_stream_that_goes_on_has_a_running_call() {
    let conversation = read(&[
        json!({"type": "thread.started", "thread_id": "t"}),
        streamed(
            "started",
            json!({"id": "item_0", "type": "command_execution", "command": "make", "aggregated_output": "a", "status": "in_progress"}),
        ),
    ]);
    let call = calls(&conversation)[0];
    assert!(call.running && call.result.is_none());
    assert_eq!(call.notices[0].title, "Output so far");
}

#[test]
fn a_stream_that_was_continued_counts_its_items_anew() {
    let run = |text: &str| {
        [
            json!({"type": "thread.started", "thread_id": "t"}),
            streamed(
                "completed",
                json!({"id": "item_0", "type": "agent_message", "text": text}),
            ),
            json!({"type": "turn.failed", "error": {"message": "gone"}}),
        ]
    };
    let conversation = read(&[run("a"), run("b")].concat());
    let replies = replies(&conversation);
    let texts: Vec<_> = replies
        .iter()
        .flat_map(|reply| texts(&reply.parts))
        .collect();
    assert_eq!(texts, ["a", "b"]);
    assert!(
        replies
            .iter()
            .any(|reply| reply.status == ReplyStatus::Error)
    );
}

#[test]
fn a_bad_line_keeps_the_rest() {
    let text = format!(
        "{}\n{{\"type\":\"response_item\",\n{}\n[1]\n{{\"type\":\"event",
        user("a"),
        assistant("b")
    );
    let reading = Codex.read(&Source::single(file("r.jsonl", text)));
    let conversation = reading.conversation.expect("it is there");
    assert_eq!(
        (prompts(&conversation).len(), replies(&conversation).len()),
        (1, 1)
    );
    assert_eq!(reading.problems.len(), 3);
    let gaps = notices(&conversation)
        .into_iter()
        .filter(|n| n.kind == NoticeKind::Unknown);
    assert_eq!(gaps.count(), 3);
}

#[test]
fn an_item_of_an_unknown_kind_is_shown_as_it_is() {
    let reading = read_all(&[
        user("a"),
        item(json!({"type": "mystery_item", "foo": "bar"})),
        event(json!({"type": "mystery_event"})),
        at(0, "mystery", json!({})),
    ]);
    let conversation = reading.conversation.expect("it is there");
    let notice = notices(&conversation)[0];
    assert!(
        notice
            .body
            .as_ref()
            .is_some_and(|body| body.text().contains("bar"))
    );
    assert_eq!(conversation.unshown.len(), 2);
    assert_eq!(reading.problems.len(), 1);
}

#[test]
fn no_shape_of_a_record_is_too_odd() {
    for odd in [
        json!(null),
        json!(7),
        json!("x"),
        json!([]),
        json!([{}]),
        json!({}),
        json!({"type": {}}),
        json!({"a": [1]}),
    ] {
        for kind in [
            "message",
            "reasoning",
            "function_call",
            "function_call_output",
            "local_shell_call",
            "web_search_call",
            "tool_search_output",
            "image_generation_call",
            "agent_message",
            "custom_tool_call",
        ] {
            let mut payload = json!({"type": kind});
            for key in [
                "role",
                "content",
                "summary",
                "arguments",
                "call_id",
                "output",
                "action",
                "tools",
                "result",
                "name",
                "input",
            ] {
                payload[key] = odd.clone();
                read_all(&[item(payload.clone())]);
            }
        }
        for kind in [
            "user_message",
            "exec_command_end",
            "patch_apply_end",
            "mcp_tool_call_end",
            "token_count",
            "item_completed",
            "error",
            "exited_review_mode",
            "collab_waiting_end",
            "task_complete",
            "guardian_assessment",
        ] {
            let mut payload = json!({"type": kind});
            for key in [
                "message",
                "call_id",
                "command",
                "changes",
                "invocation",
                "result",
                "info",
                "item",
                "error",
                "review_output",
                "statuses",
                "images",
                "duration",
            ] {
                payload[key] = odd.clone();
                read_all(&[event(payload.clone())]);
            }
        }
        for kind in ["session_meta", "turn_context", "compacted", "world_state"] {
            read_all(&[at(0, kind, odd.clone())]);
            read_all(&[at(
                0,
                kind,
                json!({"id": odd, "source": odd, "git": odd, "model": odd, "message": odd, "replacement_history": odd}),
            )]);
        }
        for kind in [
            "command_execution",
            "file_change",
            "mcp_tool_call",
            "collab_tool_call",
            "web_search",
            "todo_list",
        ] {
            read_all(&[streamed(
                "completed",
                json!({"id": odd, "type": kind, "command": odd, "changes": odd, "items": odd, "result": odd, "action": odd, "agents_states": odd}),
            )]);
        }
    }
}

#[test]
fn nothing_of_the_stream_runs_on_when_its_turn_is_over() {
    let running = json!({"id": "item_1", "type": "command_execution", "command": "sleep 9", "aggregated_output": "", "status": "in_progress"});
    let lines = |last: Value| {
        [
            json!({"type": "thread.started", "thread_id": "t"}),
            json!({"type": "turn.started"}),
            streamed("started", running.clone()),
            last,
        ]
    };
    let usage = json!({"input_tokens": 1, "cached_input_tokens": 0, "output_tokens": 1});
    for (last, status) in [
        (
            streamed(
                "updated",
                json!({"id": "item_2", "type": "todo_list", "items": []}),
            ),
            ToolStatus::Running,
        ),
        (
            json!({"type": "turn.completed", "usage": usage}),
            ToolStatus::Incomplete,
        ),
        (
            json!({"type": "turn.failed", "error": {"message": "gone"}}),
            ToolStatus::Incomplete,
        ),
    ] {
        let conversation = read(&lines(last));
        let reply = replies(&conversation)[0];
        assert_eq!(calls(&conversation)[0].status(reply.status), status);
    }
}
