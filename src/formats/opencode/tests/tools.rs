//! Tool parts: their states, and what stands beside a result.

use super::*;
use crate::model::patch::{Change, LineKind};
use crate::model::{Details, Input, ReplyStatus, ToolStatus};

fn details(call: &ToolCall) -> &Details {
    let result = call.result.as_ref().expect("there is a result");
    result.details.as_deref().expect("there are details")
}

fn words(call: &ToolCall) -> &str {
    call.result.as_ref().map_or("", |result| &result.text)
}

#[test]
fn every_state_of_a_call_is_told_apart() {
    let status = |state: Value| call(tool("bash", state)).status(ReplyStatus::Complete);
    let time = json!({"start": 1_772_701_201_000_u64, "end": 1_772_701_202_000_u64});
    let error = |words: &str| json!({"status": "error", "input": {}, "error": words, "time": time});
    assert_eq!(
        status(json!({"status": "pending", "input": {}, "raw": "{\"com"})),
        ToolStatus::Incomplete
    );
    assert_eq!(
        status(json!({"status": "completed", "input": {}, "output": ""})),
        ToolStatus::Done
    );
    assert_eq!(
        status(json!({"status": "success", "input": {}, "output": "x"})),
        ToolStatus::Done
    );
    assert_eq!(status(error("Error: no")), ToolStatus::Error);
    let denied = "Error: The user rejected permission to use this specific tool call.";
    assert_eq!(status(error(denied)), ToolStatus::Error);
    assert!(details(&call(tool("bash", error(denied)))).denied);
    assert_eq!(
        status(error("Tool execution aborted")),
        ToolStatus::Incomplete
    );
}

#[test]
fn what_is_still_being_written_is_shown_raw() {
    let call = call(tool(
        "bash",
        json!({"status": "pending", "input": {}, "raw": "{\"com"}),
    ));
    assert_eq!(call.input, Some(Input::Text("{\"com".to_owned())));
}

#[test]
fn a_call_takes_the_time_that_it_says() {
    let call = call(done(
        "bash",
        json!({"command": "ls"}),
        "a",
        json!({"exit": 0}),
    ));
    assert_eq!((call.id.as_str(), call.ms), ("c1", Some(2_500)));
}

#[test]
fn an_exit_code_is_a_failure_though_the_call_was_completed() {
    let failed = call(done(
        "bash",
        json!({"command": "x"}),
        "out",
        json!({"exit": 2}),
    ));
    assert_eq!(details(&failed).exit_code, Some(2));
    assert!(failed.result.is_some_and(|result| result.is_error));
}

#[test]
fn a_command_that_ran_out_of_time_says_so() {
    let output = "half\n\n<bash_metadata>\nbash tool terminated command after exceeding timeout 99 ms\n</bash_metadata>";
    let late = call(done(
        "bash",
        json!({"command": "x"}),
        output,
        json!({"exit": null}),
    ));
    assert!(details(&late).timed_out);
    assert_eq!(
        words(&late),
        "half\n\nbash tool terminated command after exceeding timeout 99 ms"
    );
}

#[test]
fn an_output_that_was_cut_names_its_file() {
    let output =
        "a\n\n...9 bytes truncated...\n\nFull output saved to: /data/tool-output/tool_1\nUse Grep.";
    let cut = call(done(
        "bash",
        json!({}),
        output,
        json!({"exit": 0, "truncated": true}),
    ));
    let result = cut.result.expect("there is a result");
    assert!(result.details.is_some_and(|details| details.truncated));
    assert_eq!(result.full_output.expect("it is named").name, "tool_1");
}

#[test]
fn an_edit_has_its_diff_with_the_margin_that_was_taken_off() {
    let diff = "--- /w/a\n+++ /w/a\n@@ -7,2 +7,2 @@\n if a {\n-  old\n+  new\n";
    let input = json!({"filePath": "/w/a", "oldString": "      old", "newString": "      new"});
    let edit = call(done("edit", input, "ok", json!({"diff": diff})));
    let [patch] = details(&edit).patches.as_slice() else {
        panic!("one file was changed");
    };
    assert_eq!(
        (patch.path.as_str(), &patch.change),
        ("/w/a", &Change::Updated)
    );
    let lines: Vec<_> = patch.hunks[0]
        .lines
        .iter()
        .map(|line| line.text.as_str())
        .collect();
    assert_eq!(lines, ["    if a {", "      old", "      new"]);
    assert_eq!(patch.hunks[0].old_start, Some(7));
    assert_eq!(patch.hunks[0].lines[1].kind, LineKind::Removed);
}

#[test]
fn several_edits_of_a_file_are_one_patch() {
    let diff = |at: u32| json!({"diff": format!("--- a\n+++ a\n@@ -{at} +{at} @@\n-x\n+y\n")});
    let input = json!({"filePath": "/w/a", "edits": []});
    let edits = call(done(
        "multiedit",
        input,
        "ok",
        json!({"results": [diff(1), diff(9)]}),
    ));
    let [patch] = details(&edits).patches.as_slice() else {
        panic!("one file was changed");
    };
    assert_eq!((patch.path.as_str(), patch.hunks.len()), ("/w/a", 2));
}

#[test]
fn a_patch_of_several_files_says_what_happened_to_each() {
    let file = |path: &str, kind: &str| {
        json!({"filePath": path, "type": kind, "movePath": "/w/z",
            "patch": "--- a\n+++ a\n@@ -1 +1 @@\n-x\n+y\n"})
    };
    let files = json!({"files": [file("/w/a", "add"), file("/w/b", "delete"), file("/w/c", "move"), file("/w/d", "update")]});
    let patch = call(done(
        "apply_patch",
        json!({"patchText": "*** Begin Patch"}),
        "ok",
        files,
    ));
    let changes: Vec<_> = details(&patch)
        .patches
        .iter()
        .map(|patch| &patch.change)
        .collect();
    let moved = Change::Moved("/w/z".to_owned());
    assert_eq!(
        changes,
        [&Change::Added, &Change::Deleted, &moved, &Change::Updated]
    );
}

#[test]
fn a_new_file_is_added() {
    let meta = json!({"exists": false, "diff": "--- a\n+++ a\n@@ -0,0 +1 @@\n+x\n"});
    let write = call(done(
        "write",
        json!({"filePath": "/w/a", "content": "x"}),
        "ok",
        meta,
    ));
    assert_eq!(details(&write).patches[0].change, Change::Added);
}

#[test]
fn a_file_is_read_without_its_tags() {
    let output = "<path>/w/a</path>\n<type>file</type>\n<content>\n3: a\n4: b\n\n(End of file - total 4 lines)\n</content>";
    let read = call(done(
        "read",
        json!({"filePath": "/w/a", "offset": 3}),
        output,
        json!({}),
    ));
    assert_eq!(words(&read), "3: a\n4: b\n\n(End of file - total 4 lines)");
    let file = details(&read).file.clone().expect("it was read");
    assert_eq!(
        (file.start_line, file.lines, file.total_lines),
        (Some(3), Some(2), Some(4))
    );
    let older = call(done(
        "read",
        json!({}),
        "<file>\n00001| a\n</file>",
        json!({}),
    ));
    assert_eq!(words(&older), "00001| a");
}

#[test]
fn searches_and_lists_are_counted() {
    let grep = call(done(
        "grep",
        json!({"pattern": "x"}),
        "Found 4 matches",
        json!({"matches": 4, "truncated": true}),
    ));
    assert_eq!(
        (details(&grep).matches, details(&grep).truncated),
        (Some(4), true)
    );
    let glob = call(done(
        "glob",
        json!({"pattern": "*"}),
        "a\nb",
        json!({"count": 2}),
    ));
    assert_eq!(details(&glob).files, Some(2));
}

#[test]
fn a_web_search_has_its_pages() {
    let output = "Title: One\nURL: https://example.com/1\nText: a\nb\n\nTitle: Two\nURL: https://example.com/2\n";
    let search = call(done("websearch", json!({"query": "x"}), output, json!({})));
    let hits = details(&search).hits.clone().expect("pages were found");
    let found: Vec<_> = hits
        .iter()
        .map(|hit| (hit.title.as_str(), hit.url.as_str()))
        .collect();
    assert_eq!(
        found,
        [
            ("One", "https://example.com/1"),
            ("Two", "https://example.com/2")
        ]
    );
    let other = call(done(
        "websearch",
        json!({"query": "x"}),
        "No search results found.",
        json!({}),
    ));
    assert!(other.result.is_some_and(|result| result.details.is_none()));
}

#[test]
fn questions_have_their_answers() {
    let input = json!({"questions": [{"question": "Which?"}, {"question": "Why?"}]});
    let ask = call(done(
        "question",
        input,
        "User has answered",
        json!({"answers": [["A", "B"], []]}),
    ));
    assert_eq!(
        details(&ask).answers,
        [("Which?".to_owned(), "A, B".to_owned())]
    );
}

#[test]
fn a_list_that_is_only_said_again_is_not_shown_twice() {
    let todos = json!([{"content": "a", "status": "pending", "priority": "high", "id": "1"}]);
    let same = call(done(
        "todowrite",
        json!({"todos": todos}),
        &todos.to_string(),
        json!({"todos": todos}),
    ));
    assert_eq!(words(&same), "");
    let other = call(done("todowrite", json!({"todos": todos}), "[]", json!({})));
    assert_eq!(words(&other), "[]");
}

#[test]
fn a_task_names_its_session_and_reports_in_its_own_words() {
    let output = "task_id: ses_9 (for resuming to continue this task if needed)\n\n<task_result>\nfound it\n</task_result>";
    let task = call(done("task", json!({"prompt": "find"}), output, json!({})));
    assert_eq!(words(&task), "found it");
    assert_eq!(
        details(&task).agent.as_ref().map(|run| run.id.as_str()),
        Some("ses_9")
    );
    let older = "found it\n\n<task_metadata>\nsession_id: ses_8\n</task_metadata>";
    let task = call(done("task", json!({}), older, json!({})));
    assert_eq!(words(&task), "found it");
    assert_eq!(
        details(&task).agent.as_ref().map(|run| run.id.as_str()),
        Some("ses_8")
    );
}

#[test]
fn pictures_of_a_result_are_kept() {
    let state = json!({"status": "completed", "input": {}, "output": "Image read successfully",
        "attachments": [{"type": "file", "mime": "image/png", "url": "data:image/png;base64,AAAA"}]});
    let read = call(tool("read", state));
    assert_eq!(read.result.map(|result| result.images.len()), Some(1));
}

#[test]
fn calls_as_the_oldest_versions_wrote_them_are_read() {
    let part = json!({"type": "tool-invocation", "toolInvocation": {"state": "result",
        "toolCallId": "t1", "toolName": "bash", "args": {"command": "ls"}, "result": "a"}});
    let old = call(part);
    assert_eq!(
        (old.id.as_str(), old.name.as_str(), words(&old)),
        ("t1", "bash", "a")
    );
}
