//! Results: wrappers that are undone, and what the terminal showed beside them.

use serde_json::{Value, json};

use crate::formats::genai::{Content, Shown, settle};
use crate::formats::records::Json;
use crate::model::patch::{Change, LineKind};
use crate::model::{AgentRun, Details, FileRead, Input, SearchHit, ToolCall, ToolResult};

/// The result of a call, settled.
fn result(tool: &str, args: Value, response: Value, status: &str, display: Value) -> ToolResult {
    let part = json!([{"functionResponse": {"id": "c", "name": tool, "response": response}}]);
    let (part, display) = (part.to_string(), display.to_string());
    let part = Json::parse(&part).expect("it is JSON");
    let display = Json::parse(&display).expect("it is JSON");
    let mut answers = Content::read(Some(part)).answers;
    let mut result = answers.remove(0).result;
    let call = ToolCall {
        name: tool.to_owned(),
        input: Some(Input::Json(args.to_string())),
        ..ToolCall::default()
    };
    let display = Some(display).filter(|display| display.get() != "null");
    settle(&call, &mut result, Shown { status, display });
    result
}

fn shell(output: &str, display: Value) -> ToolResult {
    let response = json!({"output": output});
    result("run_shell_command", json!({}), response, "success", display)
}

fn details(result: &ToolResult) -> Details {
    result.details.as_deref().cloned().unwrap_or_default()
}

#[test]
fn the_output_of_a_command_stands_without_its_wrapper() {
    let old = "Command: printf 'a\nb'\nDirectory: (root)\nStdout: a\nb\nStderr: oops\n\
               Error: (none)\nExit Code: 3\nSignal: (none)\nBackground PIDs: (none)\n\
               Process Group PGID: 7";
    let read = shell(old, Value::Null);
    assert_eq!(read.text, "a\nb\noops");
    assert_eq!(details(&read).exit_code, Some(3));
    let new = "Output: a\nError: no such file\nExit Code: 1\nProcess Group PGID: 7";
    let read = shell(new, Value::Null);
    // The error is the command's own line: the wrapper tells of none.
    assert_eq!(read.text, "a\nError: no such file");
    assert_eq!(details(&read).exit_code, Some(1));
    let empty = "Output: (empty)\nProcess Group PGID: 7";
    assert_eq!(shell(empty, Value::Null).text, "");
    let killed = "Output: a\nSignal: 9\nProcess Group PGID: 7";
    assert_eq!(shell(killed, Value::Null).text, "a\nSignal: 9");
    let untrusted = "<untrusted_context>\nOutput: a\nProcess Group PGID: 7\n</untrusted_context>";
    assert_eq!(shell(untrusted, Value::Null).text, "a");
}

#[test]
fn an_output_that_only_looks_wrapped_stays_as_it_is() {
    for output in [
        "Output: all good",
        "Command: ls",
        "Directory: x\nOutput",
        "",
    ] {
        let read = shell(output, Value::Null);
        assert_eq!((read.text.as_str(), read.details), (output, None));
    }
}

#[test]
fn commands_that_went_on_or_were_stopped_say_so() {
    let moved = "Command moved to background (PID: 4821). Output hidden.";
    assert_eq!(
        details(&shell(moved, Value::Null)).background.as_deref(),
        Some("4821")
    );
    let pids = "Output: a\nBackground PIDs: 12, 13\nProcess Group PGID: 7";
    assert_eq!(
        details(&shell(pids, Value::Null)).background.as_deref(),
        Some("12, 13")
    );
    let late = "Command was automatically cancelled because it exceeded the timeout of 5.0 minutes";
    assert!(details(&shell(late, Value::Null)).timed_out);
    let stopped = "Command was cancelled by user before it could complete. There was no output";
    assert!(details(&shell(stopped, Value::Null)).interrupted);
}

#[test]
fn a_screen_gives_the_same_text_its_colours() {
    let screen = json!([
        [{"text": "ok  ", "fg": "#00ff00", "bg": "", "bold": true}],
        [{"text": "plain   ", "fg": "", "bg": ""}],
    ]);
    let output = "Output: ok\nplain\nProcess Group PGID: 7";
    let coloured = "\u{1b}[1;38;2;0;255;0mok  \u{1b}[0m\nplain";
    assert_eq!(shell(output, screen.clone()).text, coloured);
    assert_eq!(
        shell(output, json!({"ansiOutput": screen.clone()})).text,
        coloured
    );
    // The end of a longer text is no reason to lose its start.
    let longer = "Output: first\nok\nplain\nProcess Group PGID: 7";
    assert_eq!(shell(longer, screen).text, "first\nok\nplain");
}

#[test]
fn a_status_says_how_a_call_ended() {
    let of = |response: Value, status: &str| {
        let read = result("glob", json!({}), response, status, Value::Null);
        (read.text, read.is_error, read.cancelled)
    };
    let error = json!({"error": "Path must be absolute: ."});
    assert_eq!(
        of(error, "error"),
        ("Path must be absolute: .".into(), true, false)
    );
    let stopped = json!({"error": "[Operation Cancelled] Reason: x"});
    assert_eq!(
        of(stopped, "cancelled"),
        ("[Operation Cancelled] Reason: x".into(), false, true)
    );
    let fine = json!({"output": "a", "error": "(none)", "exitCode": 0, "signal": 0});
    assert_eq!(of(fine, "success"), ("a".into(), false, false));
    let both = json!({"output": "a", "error": "b", "exitCode": 1});
    assert_eq!(of(both, "error"), ("a\nb".into(), true, false));
}

#[test]
fn a_response_of_any_shape_is_kept() {
    let of = |response: Value| result("x", json!({}), response, "success", Value::Null).text;
    assert_eq!(of(json!("words")), "words");
    assert_eq!(of(json!({"answer": 42})), "{\"answer\":42}");
    assert_eq!(of(json!({"output": ["a", {"text": "b"}, 3]})), "a\nb\n3");
    assert_eq!(of(json!({"output": "a", "more": "b"})), "a\nmore: b");
    assert_eq!(of(json!(null)), "");
    let blocks = json!({"content": [
        {"type": "text", "text": "a"},
        {"type": "image", "data": "AAAA", "mimeType": "image/png"},
    ]});
    let read = result("x", json!({}), blocks, "success", Value::Null);
    assert_eq!((read.text.as_str(), read.images.len()), ("a", 1));
}

#[test]
fn the_diff_that_was_shown_is_the_change() {
    let diff = "--- a.rs\tCurrent\n+++ a.rs\tProposed\n@@ -2,2 +2,2 @@\n kept\n-old\n+new\n";
    let shown = |more: Value| {
        let mut display = json!({"fileDiff": diff, "fileName": "a.rs", "newContent": "kept\nnew"});
        let fields = display.as_object_mut().expect("it is one");
        fields.extend(more.as_object().expect("it is one").clone());
        let args = json!({"file_path": "/w/src/a.rs"});
        details(&result(
            "edit",
            args,
            json!({"output": "ok"}),
            "success",
            display,
        ))
        .patches
    };
    let [patch] = shown(json!({"originalContent": "kept\nold"}))
        .try_into()
        .expect("one file was changed");
    assert_eq!(
        (patch.path.as_str(), patch.change),
        ("/w/src/a.rs", Change::Updated)
    );
    let kinds: Vec<_> = patch.hunks[0].lines.iter().map(|line| line.kind).collect();
    assert_eq!(kinds, [LineKind::Kept, LineKind::Removed, LineKind::Added]);
    assert_eq!(
        shown(json!({"originalContent": null}))[0].change,
        Change::Added
    );
    let told = shown(json!({"originalContent": "", "filePath": "/w/b.rs", "isNewFile": true}));
    assert_eq!(
        (told[0].path.as_str(), &told[0].change),
        ("/w/b.rs", &Change::Added)
    );
    // Of a long change the program keeps only a remark in the diff's place.
    assert!(shown(json!({"originalContent": "", "fileDiffTruncated": true})).is_empty());
}

#[test]
fn what_was_found_is_counted() {
    let matches = json!({"summary": "Found 3 matches (limited)", "matches": [
        {"filePath": "a.rs", "lineNumber": 1, "line": "x"},
        {"filePath": "a.rs", "lineNumber": 2, "line": "x"},
        {"filePath": "b.rs", "lineNumber": 1, "line": "x"},
    ]});
    let output = json!({"output": "Found 3 matches"});
    let found = details(&result(
        "grep_search",
        json!({}),
        output,
        "success",
        matches,
    ));
    assert_eq!(
        (found.matches, found.files, found.truncated),
        (Some(3), Some(2), true)
    );
    let listed = json!({"summary": "Found 2 item(s).", "files": ["a", "[DIR] b"]});
    let listed = result(
        "list_directory",
        json!({}),
        json!({"output": "x"}),
        "success",
        listed,
    );
    assert_eq!(details(&listed).files, Some(2));
}

#[test]
fn pages_of_a_search_are_hits_beside_the_answer() {
    let output = "Web search results for \"tea\":\n\nGreen.[1]\n\nSources:\n\
                  [1] example.com (https://example.com/tea)\n[2] Tea (a, b) (https://example.com/b)";
    let read = |text: &str| {
        let response = json!({"output": text});
        result(
            "google_web_search",
            json!({"query": "tea"}),
            response,
            "success",
            Value::Null,
        )
    };
    let found = read(output);
    assert_eq!(found.text, "Green.[1]");
    let hit = |title: &str, url: &str| SearchHit {
        title: title.into(),
        url: url.into(),
        snippet: None,
    };
    assert_eq!(
        details(&found).hits,
        Some(vec![
            hit("example.com", "https://example.com/tea"),
            hit("Tea (a, b)", "https://example.com/b"),
        ])
    );
    let odd = "Web search results for \"tea\":\n\nGreen.\n\nSources:\nmy own";
    assert_eq!(read(odd).text, odd);
}

#[test]
fn a_page_that_was_read_is_named() {
    let args = json!({"prompt": "What is on https://example.com/tea?"});
    let page = result(
        "web_fetch",
        args,
        json!({"output": "Tea."}),
        "success",
        Value::Null,
    );
    let page = details(&page).page.expect("there is one");
    assert_eq!(page.url, "https://example.com/tea");
    let args = json!({"prompt": "https://example.com/a or https://example.com/b"});
    let two = result(
        "web_fetch",
        args,
        json!({"output": "Tea."}),
        "success",
        Value::Null,
    );
    assert_eq!(details(&two).page, None);
}

#[test]
fn a_part_of_a_file_says_which() {
    let expected = FileRead {
        start_line: Some(11),
        lines: Some(2),
        total_lines: Some(50),
    };
    for head in [
        "\nIMPORTANT: The file content has been truncated.\nStatus: Showing lines 11-12 of 50 total \
         lines.\nAction: Read on.\n\n--- FILE CONTENT (truncated) ---\n",
        "Showing lines 11-12 of 50 total lines.\n\n---\n\n",
    ] {
        let output = json!({"output": format!("{head}one\ntwo")});
        let read = result("read_file", json!({}), output, "success", Value::Null);
        assert_eq!(read.text, "one\ntwo");
        assert_eq!(details(&read).file, Some(expected.clone()));
        assert!(details(&read).truncated);
    }
    let own = "Showing lines 1-2 of my poem";
    let read = result(
        "read_file",
        json!({}),
        json!({"output": own}),
        "success",
        Value::Null,
    );
    assert_eq!((read.text.as_str(), read.details), (own, None));
}

#[test]
fn answers_find_their_questions() {
    let args = json!({"questions": [{"question": "Tea?"}, {"question": "When?"}]});
    let output = json!({"output": "{\"answers\":{\"0\":\"Yes\",\"1\":\"Now\",\"7\":\"?\"}}"});
    let read = result("ask_user", args, output, "success", Value::Null);
    let pair = |question: &str, answer: &str| (question.to_owned(), answer.to_owned());
    assert_eq!(
        details(&read).answers,
        [pair("Tea?", "Yes"), pair("When?", "Now")]
    );
}

#[test]
fn a_subagents_run_is_told() {
    let display = json!({"type": "task_execution", "subagentName": "x", "status": "completed",
        "executionSummary": {"totalDurationMs": 1200, "totalTokens": 34, "totalToolCalls": 5}});
    let read = result(
        "agent",
        json!({}),
        json!({"output": "Done."}),
        "success",
        display,
    );
    assert_eq!(
        details(&read).agent,
        Some(AgentRun {
            id: String::new(),
            status: Some("completed".into()),
            ms: Some(1200),
            tokens: Some(34),
            tool_calls: Some(5),
        })
    );
    let failed = json!({"isSubagentProgress": true, "agentName": "x", "state": "error",
        "recentActivity": []});
    let failed = result(
        "invoke_agent",
        json!({}),
        json!({"output": "No."}),
        "success",
        failed,
    );
    assert!(failed.is_error);
}

#[test]
fn what_was_shown_stands_in_for_a_result_that_was_not_kept() {
    let shown = |display: Value| result("x", json!({}), json!({}), "success", display).text;
    assert_eq!(shown(json!("Shown.\n")), "Shown.");
    assert_eq!(shown(json!({"summary": "In short."})), "In short.");
}

#[test]
fn a_command_that_ended_with_another_code_than_0_has_failed() {
    let code = |code: u8| {
        let output = format!("Output: x\nExit Code: {code}\nProcess Group PGID: 7");
        shell(&output, Value::Null).is_error
    };
    assert!(code(1) && !code(0));
}

#[test]
fn a_call_that_the_person_did_not_allow_was_denied_not_stopped() {
    let of = |words: &str, status: &str| {
        let response = json!({"error": words});
        let read = result("write_file", json!({}), response, status, Value::Null);
        (read.is_error, read.cancelled, details(&read).denied)
    };
    let denied = "[Operation Cancelled] Reason: User denied execution.";
    assert_eq!(of(denied, "cancelled"), (true, false, true));
    let older = "[Operation Cancelled] Reason: User did not allow tool call";
    assert_eq!(of(older, "cancelled"), (true, false, true));
    let stopped = "[Operation Cancelled] Reason: Operation cancelled by user";
    assert_eq!(of(stopped, "cancelled"), (false, true, false));
}
