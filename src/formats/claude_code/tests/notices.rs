//! What neither person nor assistant said.

use super::*;

fn system(subtype: &str, more: Value) -> Value {
    with(
        json!({"type": "system", "subtype": subtype, "sessionId": "s"}),
        more,
    )
}

fn attached(attachment: Value) -> Value {
    json!({"type": "attachment", "sessionId": "s", "attachment": attachment})
}

#[test]
fn a_compaction_is_one_divider_with_its_summary() {
    let records = [
        said(0, "long ago"),
        text(1, "yes"),
        system(
            "compact_boundary",
            json!({"content": "Conversation compacted", "uuid": "b",
            "compactMetadata": {"trigger": "auto", "preTokens": 155_000}}),
        ),
        with(
            said(
                2,
                "This session is being continued from a previous conversation. Sum.",
            ),
            json!({"isCompactSummary": true, "parentUuid": "b"}),
        ),
        said(3, "go on"),
    ];
    assert_eq!(
        outline(&conversation(&records))[4..],
        [
            "Compaction: Earlier messages were summarised (by the program, 155,000 tokens before) \
             > This session is being continued from a previous conversation. Sum.",
            "prompt Person",
            "  text go on",
        ]
    );
    // Old files mark neither the place nor the summary.
    let old = said(
        0,
        "This session is being continued from a previous conversation. Sum.",
    );
    let lines = outline(&conversation(&[old]));
    assert!(lines[0].starts_with("Compaction: Earlier messages were summarised > This session"));
}

#[test]
fn notices_stand_in_a_reply_that_goes_on_and_after_one_that_does_not() {
    let event = "<task-notification><summary>Tests ended</summary></task-notification>";
    let records = [
        said(0, "go"),
        text(1, "a"),
        said(2, event),
        text(3, "b"),
        said(4, event),
    ];
    assert_eq!(
        outline(&conversation(&records))[2..],
        [
            "reply Unknown",
            "  text a",
            "  Task: Tests ended > <summary>Tests ended</summary>",
            "  text b",
            "Task: Tests ended > <summary>Tests ended</summary>"
        ]
    );
}

#[test]
fn records_of_the_system_are_notices() {
    let records = [
        system("away_summary", json!({"content": "It is half done."})),
        system(
            "api_error",
            json!({"error": {"status": 529, "message": "Overloaded"},
            "retryAttempt": 2, "maxRetries": 10}),
        ),
        system(
            "api_refusal",
            json!({"content": "no", "apiRefusalExplanation": "Not allowed."}),
        ),
        system(
            "model_refusal_fallback",
            json!({"content": "x", "originalModel": "a", "fallbackModel": "b"}),
        ),
        system(
            "local_command",
            json!({"content": "<command-name>/cost</command-name>"}),
        ),
        system(
            "local_command",
            json!({"content": "<local-command-stdout>1 USD</local-command-stdout>"}),
        ),
        json!({"type": "system", "content": "Running \u{1b}[1mHook\u{1b}[22m...", "sessionId": "s"}),
        system("informational", json!({"content": "first\nsecond"})),
        json!({"type": "pr-link", "prNumber": 7, "prRepository": "o/r", "sessionId": "s",
            "prUrl": "https://example.com/o/r/pull/7"}),
    ];
    assert_eq!(
        outline(&conversation(&records)),
        [
            "Info: While the person was away > It is half done.",
            "Error: The request failed (529), attempt 2 of 10 > Overloaded",
            "Error: The request was refused. Not allowed. > no\n\nNot allowed.",
            "ModelChange: Model changed from a to b, as a request was refused > x",
            "Command: /cost > 1 USD",
            "Info: Running Hook...",
            "Info: first second > first\nsecond",
            "Info: Pull request o/r#7 > https://example.com/o/r/pull/7",
        ]
    );
}

#[test]
fn hooks_that_said_something_are_shown_where_they_ran() {
    let records = [
        said(0, "go"),
        attached(
            json!({"type": "hook_additional_context", "hookName": "UserPromptSubmit",
            "content": ["mind the tests"]}),
        ),
        call(1, "c", "Edit", json!({})),
        result(2, "c", "ok"),
        attached(
            json!({"type": "hook_success", "hookName": "PostToolUse:Edit", "toolUseID": "c",
            "content": "formatted", "stdout": "formatted\n", "stderr": ""}),
        ),
        attached(json!({"type": "hook_success", "hookName": "Quiet", "content": "", "stdout": ""})),
        system(
            "stop_hook_summary",
            json!({"hookErrors": ["lint failed"], "preventedContinuation": true}),
        ),
        system("stop_hook_summary", json!({"hookErrors": []})),
    ];
    let conversation = conversation(&records);
    assert_eq!(
        outline(&conversation),
        [
            "prompt Person",
            "  text go",
            "  aside Hook: Hook UserPromptSubmit added context > mind the tests",
            "reply Complete",
            "  call Edit Some(\"ok\")",
            "Hook: A hook kept the assistant from going on > lint failed",
        ]
    );
    let notes: Vec<_> = calls(&conversation)[0].notices.iter().map(line).collect();
    assert_eq!(notes, ["Hook: Hook PostToolUse:Edit ran > formatted"]);
    assert_eq!(conversation.unshown["hook runs"], 2);
}

#[test]
fn a_skills_text_stands_with_the_call_that_asked_for_it() {
    let skill = with(
        said(
            2,
            json!([{"type": "text", "text": "Base directory for this skill: /s/tidy\n\n# Tidy"}]),
        ),
        json!({"isMeta": true, "sourceToolUseID": "c"}),
    );
    let records = [
        call(0, "c", "Skill", json!({})),
        result(1, "c", "Launching skill"),
        skill,
    ];
    let conversation = conversation(&records);
    assert_eq!(outline(&conversation).len(), 2);
    let notes: Vec<_> = calls(&conversation)[0].notices.iter().map(line).collect();
    assert_eq!(
        notes,
        ["Context: Skill tidy > Base directory for this skill: /s/tidy\n\n# Tidy"]
    );
}

#[test]
fn context_of_the_program_is_folded_or_counted() {
    let records = [
        said(0, "go"),
        attached(
            json!({"type": "nested_memory", "displayPath": "NOTES.md", "content": {"content": "be brief"}}),
        ),
        attached(json!({"type": "edited_text_file", "filename": "a.rs", "snippet": "1 fn a()"})),
        attached(json!({"type": "skill_listing", "content": "…"})),
        json!({"type": "file-history-snapshot", "messageId": "m", "snapshot": {}}),
        json!({"type": "mode", "mode": "normal", "sessionId": "s"}),
        json!({"type": "progress", "data": {"type": "bash_progress"}, "sessionId": "s"}),
        json!({"type": "future-record", "sessionId": "s"}),
    ];
    let reading = read(&records);
    assert_eq!(
        problems(&reading),
        ["s.jsonl: note: 1 unknown record type: future-record"]
    );
    let conversation = reading.conversation.expect("there is one");
    assert_eq!(
        outline(&conversation)[2..],
        [
            "  aside Context: Instructions of NOTES.md > be brief",
            "  aside Context: File changed meanwhile: a.rs > 1 fn a()",
        ]
    );
    let counted: Vec<_> = conversation.unshown.iter().collect();
    assert_eq!(
        counted
            .iter()
            .map(|(kind, count)| format!("{kind} {count}"))
            .collect::<Vec<_>>(),
        [
            "context: skill listing 1",
            "file snapshots 1",
            "progress reports 1",
            "session metadata 1",
            "unknown records: future-record 1",
        ]
    );
}
