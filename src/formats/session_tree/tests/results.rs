//! What came of calls, and what tools stored beside it.

use serde_json::json;

use super::*;
use crate::model::{Details, FileRead, Input, ReplyStatus, SearchHit, TodoState, ToolStatus};

/// The one call of a reply, answered so.
fn answered(name: &str, arguments: Value, words: &str, more: Value) -> ToolCall {
    let calls = json!([call("c1", name, arguments)]);
    let records = [
        said("u1", "", 1, "ask"),
        wrote("a1", "u1", 2, calls, "toolUse"),
        result("r1", "a1", 9, ("c1", name), words, more),
    ];
    calls_of(&records).remove(0)
}

fn calls_of(records: &[Value]) -> Vec<ToolCall> {
    calls(&conversation(records)).into_iter().cloned().collect()
}

fn details(call: &ToolCall) -> Details {
    let details = call
        .result
        .as_ref()
        .and_then(|result| result.details.clone());
    details.map(|details| *details).unwrap_or_default()
}

#[test]
fn a_lone_call_took_the_time_from_its_message_to_its_result() {
    let call = answered("bash", json!({"command": "ls"}), "a", json!({}));
    // The message was whole at second 5; the result came at second 9.
    assert_eq!(call.ms, Some(4_000));
    let recorded = json!({"details": {"wallTimeMs": 1234}});
    assert_eq!(answered("bash", json!({}), "a", recorded).ms, Some(1_234));
    let two = json!([call_of("c1"), call_of("c2")]);
    let records = [
        wrote("a1", "", 2, two, "toolUse"),
        result("r1", "a1", 9, ("c1", "bash"), "x", json!({})),
        result("r2", "r1", 10, ("c2", "bash"), "y", json!({})),
    ];
    assert!(calls_of(&records).iter().all(|call| call.ms.is_none()));
}

fn call_of(id: &str) -> Value {
    call(id, "bash", json!({"command": "ls"}))
}

#[test]
fn a_command_that_failed_has_its_exit_code() {
    let text = "boom\n\n\nCommand exited with code 3";
    let call = answered(
        "bash",
        json!({"command": "x"}),
        text,
        json!({"isError": true}),
    );
    assert_eq!(details(&call).exit_code, Some(3));
    assert_eq!(call.status(ReplyStatus::Complete), ToolStatus::Error);
    let recorded = json!({"isError": true, "details": {"exitCode": 137}});
    assert_eq!(
        details(&answered("bash", json!({}), "x", recorded)).exit_code,
        Some(137)
    );
    let late = "half\n\nCommand timed out after 5 seconds";
    let late = answered("bash", json!({}), late, json!({"isError": true}));
    assert!(details(&late).timed_out);
}

#[test]
fn a_call_that_was_stopped_or_passed_over_is_no_failure() {
    for text in [
        "a\n\nCommand aborted",
        "Operation aborted",
        "Skipped due to queued user message.",
    ] {
        let call = answered("bash", json!({}), text, json!({"isError": true}));
        assert_eq!(
            call.status(ReplyStatus::Complete),
            ToolStatus::Incomplete,
            "{text}"
        );
    }
}

#[test]
fn a_cut_output_says_so_and_where_the_whole_was() {
    let cut = json!({"details": {"truncation": {"truncated": true, "content": "copy", "totalLines": 9},
        "fullOutputPath": "/tmp/pi-bash-1.log"}});
    let call = answered("bash", json!({}), "end", cut);
    assert!(details(&call).truncated);
    let full = call
        .result
        .and_then(|result| result.full_output)
        .expect("it is named");
    assert_eq!((full.name.as_str(), full.text), ("pi-bash-1.log", None));
}

#[test]
fn a_part_of_a_file_is_told_by_the_texts_end() {
    let text = "x\n\n[Showing lines 11-90 of 2377 (50.0KB limit). Use offset=91 to continue]";
    let cut = json!({"details": {"truncation": {"truncated": true, "totalLines": 400, "outputLines": 80}}});
    let expected = FileRead {
        start_line: Some(11),
        lines: Some(80),
        total_lines: Some(2377),
    };
    let call = answered("read", json!({"path": "a"}), text, cut);
    assert_eq!(details(&call).file, Some(expected));
    assert!(!details(&call).truncated);
}

#[test]
fn an_edit_has_its_lines_and_its_file() {
    let diff = json!({"details": {"diff": " 1 a\n-2 b\n+2 c", "firstChangedLine": 2}});
    let call = answered("edit", json!({"path": "src/a.rs"}), "Done.", diff);
    let patches = details(&call).patches;
    assert_eq!((patches.len(), patches[0].path.as_str()), (1, "src/a.rs"));
    assert_eq!(patches[0].hunks[0].lines.len(), 3);
    let several = json!({"details": {"diff": "all", "perFileResults": [
        {"path": "x", "diff": "+1|a", "op": "create"},
        {"path": "y", "diff": "-1|a", "move": "z"},
    ]}});
    let patches = details(&answered("edit", json!({"input": "p"}), "Done.", several)).patches;
    let changes: Vec<String> = patches
        .iter()
        .map(|p| format!("{} {:?}", p.path, p.change))
        .collect();
    assert_eq!(changes, ["x Added", "y Moved(\"z\")"]);
}

#[test]
fn searches_pages_questions_and_lists_are_told_in_the_models_words() {
    let of = |tool: &str, stored: Value| {
        details(&answered(
            tool,
            json!({}),
            "text",
            json!({"details": stored}),
        ))
    };
    let grep = of(
        "grep",
        json!({"matchCount": 12, "fileCount": 3, "matchLimitReached": 100}),
    );
    assert_eq!(
        (grep.matches, grep.files, grep.truncated),
        (Some(12), None, true)
    );
    assert_eq!(of("glob", json!({"fileCount": 3})).files, Some(3));
    let web = of(
        "web_search",
        json!({"response": {"sources": [{"title": "T", "url": "https://example.com/"}]}}),
    );
    let hit = SearchHit {
        title: "T".into(),
        url: "https://example.com/".into(),
        snippet: None,
    };
    assert_eq!(web.hits, Some(vec![hit]));
    let page = of(
        "read",
        json!({"kind": "url", "url": "u", "finalUrl": "https://example.com/a"}),
    );
    assert_eq!(
        page.page.map(|page| page.url).as_deref(),
        Some("https://example.com/a")
    );
    let asked = of(
        "ask",
        json!({"results": [
        {"id": "a", "question": "Which?", "selectedOptions": ["x", "y"], "customInput": "and z"}]}),
    );
    assert_eq!(
        asked.answers,
        [("Which?".to_owned(), "x, y, and z".to_owned())]
    );
    let todo = of(
        "todo",
        json!({"phases": [{"name": "P", "tasks": [
        {"content": "a", "status": "abandoned"}, {"content": "b", "status": "blocked", "blocker": "a"}]}]}),
    );
    let todos = todo.todos.expect("there is a list");
    assert_eq!(todos[0].state, TodoState::Dropped);
    assert_eq!(
        (todos[1].note.as_deref(), todos[1].group.as_deref()),
        (Some("waits for a"), Some("P"))
    );
    let job = of(
        "bash",
        json!({"async": {"state": "running", "jobId": "j1"}}),
    );
    assert_eq!(job.background.as_deref(), Some("j1"));
}

#[test]
fn a_tool_that_was_called_through_another_is_shown() {
    let arguments = json!({"path": "xd://browser", "content": "{\"action\":\"open\"}"});
    let stored = json!({"details": {"xdev": {"tool": "browser", "mode": "execute", "args": {"action": "open"}}}});
    let call = answered("write", arguments.clone(), "Opened", stored);
    assert_eq!(call.name, "browser");
    assert_eq!(
        call.input,
        Some(Input::Json("{\"action\":\"open\"}".into()))
    );
    assert_eq!(call.notices[0].title, "Called through write: xd://browser");
    let help = json!({"details": {"xdev": {"tool": "browser", "mode": "help"}}});
    assert_eq!(
        answered("write", arguments.clone(), "Usage", help).name,
        "write"
    );
    let calls = json!([super::call("c1", "write", arguments)]);
    let running = [
        said("u1", "", 1, "ask"),
        wrote("a1", "u1", 2, calls, "toolUse"),
    ];
    assert_eq!(calls_of(&running)[0].name, "browser");
    let file = answered(
        "write",
        json!({"path": "a.txt", "content": "{}"}),
        "Wrote",
        json!({}),
    );
    assert_eq!(file.name, "write");
}

#[test]
fn a_result_without_its_call_has_a_card_of_its_own() {
    let reading = read(&[
        said("u1", "", 1, "ask"),
        result("r1", "u1", 2, ("gone", "bash"), "left over", json!({})),
    ]);
    assert_eq!(
        problems(&reading),
        ["s.jsonl:3: result for unknown call gone"]
    );
    let conversation = reading.conversation.expect("there is a conversation");
    assert_eq!(
        outline(&conversation)[3..],
        ["  call gone bash -> left over"]
    );
}

#[test]
fn a_second_result_stands_with_the_first() {
    let records = [
        wrote("a1", "", 2, json!([call_of("c1")]), "toolUse"),
        result("r1", "a1", 9, ("c1", "bash"), "first", json!({})),
        result("r2", "r1", 10, ("c1", "bash"), "second", json!({})),
    ];
    let call = &calls_of(&records)[0];
    assert_eq!(call.more_results[0].text, "second");
}
