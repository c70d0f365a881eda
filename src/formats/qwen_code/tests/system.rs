//! What the program did: commands, summaries, rewinds, failures, titles.

use super::*;

#[test]
fn what_was_left_by_going_back_is_another_version() {
    let records = [
        said(1, 0, "One"),
        answer(2, 1, "1"),
        said(3, 2, "Two"),
        answer(4, 3, "2"),
        system(5, 2, "rewind", json!({"truncatedCount": 2})),
        said(6, 5, "Three"),
        answer(7, 6, "3"),
    ];
    assert_eq!(
        outlined(&records),
        [
            "person: \"One\"",
            "Complete: \"1\"",
            "version",
            "  person: \"Two\"",
            "  Unknown: \"2\"",
            "person: \"Three\"",
            "Unknown: \"3\"",
        ]
    );
}

#[test]
fn going_back_at_the_end_leaves_the_branch_as_well() {
    let records = [
        said(1, 0, "One"),
        answer(2, 1, "1"),
        said(3, 2, "Two"),
        system(4, 2, "rewind", json!({"truncatedCount": 1})),
    ];
    assert_eq!(outlined(&records)[2..], ["version", "  person: \"Two\""]);
}

#[test]
fn a_summary_says_what_it_saved() {
    let history = json!([{"role": "user", "parts": [{"text": "All is well."}]},
                         {"role": "model", "parts": [{"text": "Got it."}]}]);
    let info = json!({"originalTokenCount": 48_000, "newTokenCount": 900});
    let payload = json!({"info": info, "compressedHistory": history});
    let records = [
        said(1, 0, "One"),
        system(2, 1, "chat_compression", payload),
        said(3, 2, "Two"),
    ];
    let conversation = conversation(&records);
    assert_eq!(
        outline(&conversation)[1],
        "<Compaction Earlier messages were summarised: 48,000 → 900 tokens>"
    );
    let crate::model::Entry::Notice(notice) = &conversation.entries[1] else {
        panic!("a summary was made");
    };
    let body = notice.body.as_ref().map(crate::model::Body::text);
    assert_eq!(body, Some("All is well."));
}

#[test]
fn a_command_and_what_it_printed_are_one_notice() {
    let typed = |phase: &str| json!({"phase": phase, "rawCommand": "/about"});
    let printed = json!({"outputHistoryItems": [
        {"type": "info", "text": "Fine."},
        {"type": "about", "systemInfo": {"cliVersion": "0.21.0"}},
    ]});
    let records = [
        system(1, 0, "slash_command", typed("invocation")),
        system(2, 1, "slash_command", with(typed("result"), printed)),
        system(
            3,
            2,
            "slash_command",
            json!({"phase": "invocation", "rawCommand": "/quit"}),
        ),
    ];
    let conversation = conversation(&records);
    assert_eq!(
        outline(&conversation),
        ["<Command /about>", "<Command /quit>"]
    );
    let crate::model::Entry::Notice(notice) = &conversation.entries[0] else {
        panic!("a command was typed");
    };
    let body = notice.body.as_ref().map(crate::model::Body::text);
    assert_eq!(body, Some("Fine.\ncliVersion: 0.21.0"));
}

#[test]
fn failures_of_the_server_are_told_and_other_telemetry_is_counted() {
    let failure = json!({"uiEvent": {"event.name": "qwen-code.api_error",
                                     "error_message": "Busy", "status_code": 503}});
    let fine = json!({"uiEvent": {"event.name": "qwen-code.api_response"}});
    let records = [
        said(1, 0, "One"),
        system(2, 1, "ui_telemetry", fine),
        system(3, 2, "ui_telemetry", failure),
    ];
    let conversation = conversation(&records);
    assert_eq!(
        outline(&conversation)[1..],
        ["Error: error API error 503: Busy"]
    );
    assert_eq!(conversation.unshown["telemetry"], 1);
}

#[test]
fn a_turns_result_ends_the_reply() {
    let records = [
        said(1, 0, "One"),
        answer(2, 1, "1"),
        system(3, 2, "turn_result", json!({"promptId": "p"})),
    ];
    assert_eq!(outlined(&records)[1], "Complete: \"1\"");
}

#[test]
fn the_persons_title_goes_before_the_programs() {
    let title = |id: u32, words: &str, source: &str| {
        let payload = json!({"customTitle": words, "titleSource": source});
        system(id, id - 1, "custom_title", payload)
    };
    let records = [
        said(1, 0, "One"),
        title(2, "Mine", "manual"),
        title(3, "Its", "auto"),
    ];
    assert_eq!(conversation(&records).title.as_deref(), Some("Mine"));
    let records = [said(1, 0, "One"), title(2, "Its", "auto")];
    assert_eq!(conversation(&records).title.as_deref(), Some("Its"));
}

#[test]
fn files_that_a_prompt_read_stand_with_it() {
    let files = json!({"filesRead": ["a.txt", "b.txt"], "status": "success"});
    let records = [said(1, 0, "One"), system(2, 1, "at_command", files)];
    assert_eq!(
        outlined(&records),
        ["person: \"One\", <Context Read 2 files>"]
    );
}

#[test]
fn records_that_are_not_shown_are_counted_by_kind() {
    let records = [
        said(1, 0, "One"),
        system(2, 1, "attribution_snapshot", json!({})),
        system(3, 2, "attribution_snapshot", json!({"a": 1})),
        record("new_kind", 4, 3, json!({})),
    ];
    let unshown = conversation(&records).unshown;
    assert_eq!(unshown["attribution snapshot"], 2);
    assert_eq!(unshown["unknown records: new_kind"], 1);
}
