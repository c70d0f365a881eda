//! Calls and what came of them.

use super::*;
use crate::model::patch::{Change, LineKind};
use crate::model::{Details, ImageData, Input, ToolResult};

fn only(conversation: &Conversation) -> &ToolResult {
    let call = calls(conversation)[0];
    call.result.as_ref().expect("there is a result")
}

fn details(records: &[Value]) -> Details {
    let conversation = conversation(records);
    let details = only(&conversation).details.as_deref();
    details.cloned().expect("there are details")
}

/// A call of a tool with a result and what the program recorded beside it.
fn reported(tool: &str, content: impl Into<Value>, report: Value) -> [Value; 2] {
    [
        call(0, "c", tool, json!({})),
        with(result(5, "c", content), json!({"toolUseResult": report})),
    ]
}

#[test]
fn results_find_their_calls_over_any_distance_and_order() {
    let records = [
        result(0, "c2", "early"),
        call(1, "c1", "Bash", json!({"command": "one"})),
        call(2, "c2", "Bash", json!({"command": "two"})),
        text(3, "meanwhile"),
        result(9, "c1", "late"),
    ];
    let reading = read(&records);
    assert_eq!(problems(&reading), ["s.jsonl:1: result before its call c2"]);
    let conversation = reading.conversation.expect("there is one");
    let found: Vec<_> = calls(&conversation)
        .iter()
        .map(|call| (call.result.as_ref().map(|r| r.text.as_str()), call.ms))
        .collect();
    assert_eq!(found, [(Some("late"), Some(8_000)), (Some("early"), None)]);
}

#[test]
fn the_input_stays_as_it_stands_in_the_file() {
    let line = r#"{"type":"assistant","uuid":"a","message":{"role":"assistant","content":[{"type":"tool_use","id":"c","name":"X","input":{"b": 1.50,"a":"\u00e9"}}]}}"#;
    let file = File::in_memory("s.jsonl".into(), "s.jsonl".into(), line.into());
    let reading = ClaudeCode.read(&Source::single(file));
    let conversation = reading.conversation.expect("there is one");
    let expected = Input::Json(r#"{"b": 1.50,"a":"\u00e9"}"#.to_owned());
    assert_eq!(calls(&conversation)[0].input, Some(expected));
}

#[test]
fn second_results_are_kept_and_equal_ones_are_not() {
    let records = [
        call(0, "c", "Bash", json!({})),
        result(1, "c", "first"),
        result(2, "c", "first"),
        result(3, "c", "second"),
    ];
    let reading = read(&records);
    assert_eq!(problems(&reading), ["s.jsonl:4: second result for c"]);
    let conversation = reading.conversation.expect("there is one");
    let call = calls(&conversation)[0];
    assert_eq!(call.more_results.len(), 1);
    assert_eq!(call.more_results[0].text, "second");
}

#[test]
fn a_result_without_its_call_stands_where_it_is() {
    let reading = read(&[text(0, "a"), result(1, "gone", "orphan"), text(2, "b")]);
    assert_eq!(
        problems(&reading),
        ["s.jsonl:2: result for unknown call gone"]
    );
    let conversation = reading.conversation.expect("there is one");
    assert_eq!(
        outline(&conversation),
        [
            "reply Unknown",
            "  text a",
            "  call  Some(\"orphan\")",
            "  text b"
        ]
    );
    assert_eq!(calls(&conversation)[0].input, None);
}

#[test]
fn a_call_that_is_written_twice_is_one_and_one_id_for_two_is_said() {
    let twice = [
        call(0, "c", "Bash", json!({"command": "ls"})),
        call(1, "c", "Bash", json!({"command": "ls"})),
        result(2, "c", "out"),
    ];
    assert_eq!(calls(&conversation(&twice)).len(), 1);
    let shared = [
        call(0, "c", "Bash", json!({"command": "ls"})),
        call(1, "c", "Bash", json!({"command": "pwd"})),
        result(2, "c", "out"),
    ];
    let reading = read(&shared);
    assert_eq!(problems(&reading), ["s.jsonl:2: tool id c used twice"]);
    let conversation = reading.conversation.expect("there is one");
    let has_result: Vec<_> = calls(&conversation)
        .iter()
        .map(|c| c.result.is_some())
        .collect();
    assert_eq!(has_result, [true, false]);
}

#[test]
fn calls_and_results_without_ids_pair_in_order() {
    let nameless = json!([{"type": "tool_use", "name": "a", "input": {}}]);
    let records = [
        wrote(0, nameless.clone()),
        wrote(1, nameless),
        said(2, json!([{"type": "tool_result", "content": "one"}])),
        said(3, json!([{"type": "tool_result", "content": "two"}])),
    ];
    let conversation = conversation(&records);
    let found: Vec<_> = calls(&conversation)
        .iter()
        .map(|c| (c.id.as_str(), c.ms))
        .collect();
    assert_eq!(found, [("", Some(2_000)), ("", Some(2_000))]);
}

#[test]
fn wrappers_of_errors_are_undone() {
    let records = [
        call(0, "c", "X", json!({})),
        result(1, "c", "<tool_use_error>No such file</tool_use_error>"),
    ];
    let conversation = conversation(&records);
    let result = only(&conversation);
    assert_eq!(
        (result.text.as_str(), result.is_error),
        ("No such file", true)
    );
}

#[test]
fn denied_calls_are_errors_and_cancelled_ones_are_not_ended() {
    let read = |words: &str| {
        let conversation = conversation(&[call(0, "c", "X", json!({})), result(1, "c", words)]);
        let result = only(&conversation);
        (result.is_error, result.cancelled)
    };
    let denied = "The user doesn't want to proceed with this tool use. The tool use was rejected.";
    assert_eq!(read(denied), (true, false));
    assert_eq!(
        read("[Request interrupted by user for tool use]"),
        (true, false)
    );
    let cancelled = "<tool_use_error>Cancelled: parallel tool call Bash errored</tool_use_error>";
    assert_eq!(read(cancelled), (true, true));
}

#[test]
fn commands_tell_their_exit_code_and_how_they_were_cut() {
    let failed = json!([{"type": "tool_result", "tool_use_id": "c", "is_error": true,
        "content": "Exit code 143\nCommand timed out after 2m 0s\nfoo"}]);
    let found = details(&[call(0, "c", "Bash", json!({})), said(1, failed)]);
    assert_eq!((found.exit_code, found.timed_out), (Some(143), true));
    let report =
        json!({"stdout": "x", "stderr": "", "interrupted": true, "backgroundTaskId": "b1"});
    let found = details(&reported("Bash", "x", report));
    assert!(found.interrupted);
    assert_eq!(found.background.as_deref(), Some("b1"));
}

#[test]
fn an_edit_has_its_line_changes() {
    let report = json!({"filePath": "/p/a.rs", "oldString": "a", "newString": "b", "originalFile": "…",
        "structuredPatch": [{"oldStart": 3, "oldLines": 2, "newStart": 3, "newLines": 2,
            "lines": [" k", "-a", "+b", "\\ No newline at end of file"]}]});
    let found = details(&reported("Edit", "ok", report));
    let patch = &found.patches[0];
    assert_eq!(
        (patch.path.as_str(), &patch.change),
        ("/p/a.rs", &Change::Updated)
    );
    assert_eq!(patch.hunks[0].old_start, Some(3));
    let kinds: Vec<_> = patch.hunks[0].lines.iter().map(|line| line.kind).collect();
    assert_eq!(
        kinds,
        [
            LineKind::Kept,
            LineKind::Removed,
            LineKind::Added,
            LineKind::NoNewline
        ]
    );
    let created =
        json!({"type": "create", "filePath": "/p/b.rs", "content": "…", "structuredPatch": []});
    let found = details(&reported("Write", "ok", created));
    assert_eq!(found.patches[0].change, Change::Added);
}

#[test]
fn other_tools_have_their_facts() {
    let file = json!({"type": "text", "file": {"filePath": "a", "content": "…", "numLines": 15,
        "startLine": 95, "totalLines": 148}});
    let found = details(&reported("Read", "…", file)).file.expect("a range");
    assert_eq!(
        (found.start_line, found.lines, found.total_lines),
        (Some(95), Some(15), Some(148))
    );

    let report = json!({"mode": "count", "numFiles": 2, "filenames": [], "numMatches": 7});
    let found = details(&reported("Grep", "…", report));
    assert_eq!((found.files, found.matches), (Some(2), Some(7)));

    let report = json!({"bytes": 44, "code": 200, "codeText": "OK", "result": "…", "durationMs": 518,
        "url": "https://example.com/"});
    let records = reported("WebFetch", "…", report);
    let page = details(&records).page.expect("a page");
    assert_eq!((page.status, page.bytes), (Some(200), Some(44)));
    assert_eq!(calls(&conversation(&records))[0].ms, Some(518));

    let report = json!({"query": "q", "results": [
        {"tool_use_id": "s", "content": [{"title": "T", "url": "https://example.com/t"}]}, "prose"]});
    let hits = details(&reported("WebSearch", "…", report))
        .hits
        .expect("hits");
    assert_eq!((hits.len(), hits[0].title.as_str()), (1, "T"));

    let report = json!({"questions": [], "answers": {"Which?": "This"}});
    let found = details(&reported("AskUserQuestion", "…", report));
    assert_eq!(found.answers, [("Which?".to_owned(), "This".to_owned())]);
}

#[test]
fn a_report_beside_several_results_goes_to_the_one_that_it_fits() {
    let both = said(
        2,
        json!([
            {"type": "tool_result", "tool_use_id": "c1", "content": "one"},
            {"type": "tool_result", "tool_use_id": "c2", "content": "two"},
        ]),
    );
    let report = json!({"toolUseResult": {"type": "text", "file": {"numLines": 3}}});
    let records = |other: &str| {
        let records = [
            call(0, "c1", other, json!({})),
            call(1, "c2", "Read", json!({"n": 2})),
            with(both.clone(), report.clone()),
        ];
        let conversation = conversation(&records);
        let found = calls(&conversation).into_iter();
        let has = found.map(|call| call.result.as_ref().is_some_and(|r| r.details.is_some()));
        has.collect::<Vec<_>>()
    };
    assert_eq!(records("Bash"), [false, true]);
    assert_eq!(records("Read"), [false, false]);
}

#[test]
fn the_whole_of_a_long_output_comes_from_its_own_file() {
    let words = "<persisted-output>\nOutput too large (9 KB). Full output saved to: \
        /home/x/.claude/projects/p/s/tool-results/b1.txt\n\nPreview\n</persisted-output>";
    let records = [call(0, "c", "Bash", json!({})), result(1, "c", words)];
    let mut source = Source::single(file("p/s.jsonl", &records));
    let name = "p/s/tool-results/b1.txt".to_owned();
    source.side_files = vec![File::in_memory(name.clone(), name, b"all of it".to_vec())].into();
    let read = |source: &Source| {
        let conversation = ClaudeCode.read(source).conversation.expect("there is one");
        only(&conversation)
            .full_output
            .clone()
            .expect("it is named")
    };
    let output = read(&source);
    assert_eq!(
        (output.name.as_str(), output.text.as_deref()),
        ("b1.txt", Some("all of it"))
    );
    source.side_files = Vec::new().into();
    assert_eq!(read(&source).text, None);
    // What is not shown as it was saved is said.
    let name = "p/s/tool-results/b1.txt".to_owned();
    source.side_files = vec![File::in_memory(
        name.clone(),
        name.clone(),
        b"a\xffb".to_vec(),
    )]
    .into();
    assert_eq!(read(&source).text.as_deref(), Some("a\u{fffd}b"));
    assert_eq!(
        problems(&ClaudeCode.read(&source)),
        [format!("p/s.jsonl: {name}: invalid UTF-8 at byte 2")]
    );
    let gone = File::on_disk("/nowhere/b1.txt".into(), name.clone(), name.clone(), 9);
    source.side_files = vec![gone].into();
    assert_eq!(read(&source).text, None);
    let said = problems(&ClaudeCode.read(&source));
    assert!(said[0].starts_with(&format!("p/s.jsonl: {name}: cannot be read")));
}

#[test]
fn results_hold_text_pictures_and_references() {
    let content = json!([
        {"type": "text", "text": "one"},
        {"type": "tool_reference", "tool_name": "Other"},
        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AAAA"}},
        {"type": "image", "source": {"type": "base64", "media_type": "image/svg+xml", "data": "AA"}},
        {"type": "image", "source": {"type": "url", "url": "https://example.com/x.png"}},
        {"type": "novel", "x": 1},
    ]);
    let reading = read(&[call(0, "c", "X", json!({})), result(1, "c", content)]);
    assert_eq!(
        problems(&reading),
        ["s.jsonl:2: image media type image/svg+xml not shown"]
    );
    let conversation = reading.conversation.expect("there is one");
    let result = only(&conversation);
    assert_eq!(result.text, "one\nOther\n{\"type\":\"novel\",\"x\":1}");
    let data: Vec<_> = result.images.iter().map(|image| &image.data).collect();
    assert!(matches!(data[0], ImageData::Base64 { .. }));
    assert!(matches!(data[1], ImageData::Missing(_)));
    assert!(matches!(data[2], ImageData::Remote(_)));
}

#[test]
fn tools_of_the_vendors_server_have_their_results_in_the_same_message() {
    let blocks = json!([
        {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {"query": "q"}},
        {"type": "web_search_tool_result", "tool_use_id": "s1", "content": [
            {"type": "web_search_result", "title": "T", "url": "https://example.com/", "encrypted_content": "x"}]},
        {"type": "text", "text": "so"},
    ]);
    let conversation = conversation(&[wrote(0, blocks)]);
    assert_eq!(outline(&conversation).len(), 3);
    let hits = only(&conversation)
        .details
        .as_ref()
        .and_then(|d| d.hits.as_ref());
    assert_eq!(hits.map(Vec::len), Some(1));
}

#[test]
fn durations_that_cannot_be_are_not_shown() {
    let report = json!({"stdout": "x", "durationMs": -1_500, "totalDurationMs": 1e18});
    let records = [
        call(5, "c", "Bash", json!({})),
        with(result(1, "c", "x"), json!({"toolUseResult": report})),
    ];
    assert_eq!(calls(&conversation(&records))[0].ms, None);
}
