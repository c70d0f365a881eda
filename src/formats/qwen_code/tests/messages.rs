//! What was said: prompts, replies, calls with their results.

use super::*;
use crate::formats::outline::{call as found, replies};
use crate::model::patch::Change;

#[test]
fn thoughts_calls_and_results_are_one_reply() {
    let parts = json!([
        {"text": "Let me see.", "thought": true},
        {"text": "I will look.", "thought": false},
        call("c", "read_file", json!({"file_path": "a"})),
    ]);
    let records = [
        said(1, 0, "Hi"),
        wrote(2, 1, parts),
        result(5, 2, "c", "read_file", "Tea."),
        answer(6, 5, "It says tea."),
        said(7, 6, "Thanks"),
    ];
    let conversation = conversation(&records);
    assert_eq!(
        outline(&conversation),
        [
            "person: \"Hi\"",
            "Complete: thought, \"I will look.\", read_file → \"Tea.\", \"It says tea.\"",
            "person: \"Thanks\"",
        ]
    );
    assert_eq!(found(&conversation, "read_file").ms, None);
    assert_eq!(conversation.project.as_deref(), Some("/home/robin/tea"));
    assert_eq!(conversation.version.as_deref(), Some("0.21.0"));
    assert_eq!(conversation.branch.as_deref(), Some("main"));
    assert_eq!(conversation.id, "s");
}

#[test]
fn objects_that_are_glued_on_one_line_are_both_read() {
    let lines = [said(1, 0, "Hi"), answer(2, 1, "Ho"), said(3, 2, "Ha")];
    let glued = format!("{}{}\n{}\n", lines[0], lines[1], lines[2]);
    let reading = QwenCode.read(&Source::single(file("s.jsonl", glued)));
    let conversation = reading.conversation.expect("there is a conversation");
    assert_eq!(
        outline(&conversation),
        ["person: \"Hi\"", "Complete: \"Ho\"", "person: \"Ha\""]
    );
    assert_eq!(reading.problems.len(), 1);
}

#[test]
fn a_record_of_the_same_id_is_a_further_part_and_a_copy_is_none() {
    let records = [
        said(1, 0, "Hi"),
        answer(2, 1, "One."),
        answer(2, 1, "Two."),
        answer(2, 1, "One."),
    ];
    let reading = read(&records);
    let conversation = reading.conversation.expect("there is a conversation");
    assert_eq!(outline(&conversation)[1], "Unknown: \"One.\", \"Two.\"");
    assert!(reading.problems[0].what.contains("identical"));
}

#[test]
fn the_words_that_were_shown_are_the_prompt_and_hooks_are_asides() {
    let message = json!({"role": "user", "parts": [
        {"text": "Look at @a.txt"},
        {"text": "\n--- Content from referenced files ---\nContent from @a.txt:\nTea.\n\
                  --- End of content ---"},
        {"text": "<qwen:user-prompt-submit-context>\nMind it.\n</qwen:user-prompt-submit-context>"},
    ]});
    let payload = json!({"displayText": "Look at @a.txt", "hookContext": "Mind it."});
    let prompt = json!({"message": message, "systemPayload": payload});
    assert_eq!(
        outlined(&[record("user", 1, 0, prompt)]),
        ["person: \"Look at @a.txt\", file a.txt, <Hook Context that a hook added>"]
    );
}

#[test]
fn messages_that_nobody_typed_are_no_prompts() {
    let subtype = |subtype: &str| json!({"subtype": subtype});
    let shown = json!({"subtype": "notification", "systemPayload": {"displayText": "Built."}});
    let records = [
        said(1, 0, "Hi"),
        answer(2, 1, "Ho"),
        with(said(3, 2, "<task>long</task>"), shown),
        with(said(4, 3, "Water the tea."), subtype("cron")),
        answer(5, 4, "Done."),
        with(said(6, 5, "Quick!"), subtype("mid_turn_user_message")),
    ];
    assert_eq!(
        outlined(&records),
        [
            "person: \"Hi\"",
            "Unknown: \"Ho\", <Task Notification: Built.>, <Task Scheduled prompt: Water the \
             tea.>, \"Done.\"",
            "person (queued): \"Quick!\"",
        ]
    );
}

#[test]
fn the_diff_of_an_edit_has_the_path_that_was_asked_for() {
    let display = json!({"fileDiff": "--- a\n+++ a\n@@ -1 +1 @@\n-x\n+y\n", "fileName": "a",
                         "originalContent": "x", "newContent": "y"});
    let recorded = json!({"callId": "c", "status": "success", "resultDisplay": display});
    let args = json!({"file_path": "/home/robin/tea/a", "old_string": "x",
                      "new_string": "y".repeat(10_000)});
    let records = [
        said(1, 0, "Hi"),
        wrote(2, 1, json!([call("c", "edit", args)])),
        with(
            result(3, 2, "c", "edit", "ok"),
            json!({"toolCallResult": recorded}),
        ),
    ];
    let conversation = conversation(&records);
    let result = found(&conversation, "edit").result.clone();
    let details = result
        .and_then(|result| result.details)
        .expect("there are some");
    let [patch] = details.patches.as_slice() else {
        panic!("one file was changed: {details:?}");
    };
    assert_eq!(patch.path, "/home/robin/tea/a");
    assert_eq!(patch.change, Change::Updated);
}

#[test]
fn a_status_beside_a_result_counts() {
    let status = |status: &str| json!({"toolCallResult": {"callId": "c", "status": status}});
    let of = |word: &str| {
        outlined(&[
            said(1, 0, "Hi"),
            wrote(2, 1, json!([call("c", "x", json!({}))])),
            with(result(3, 2, "c", "x", "no"), status(word)),
        ])
        .remove(1)
    };
    assert_eq!(of("error"), "Unknown: x → !\"no\"");
    assert_eq!(of("cancelled"), "Cancelled: x → ~\"no\"");
    assert_eq!(of("success"), "Unknown: x → \"no\"");
}

#[test]
fn a_result_without_its_call_gets_a_card() {
    let records = [said(1, 0, "Hi"), result(2, 1, "gone", "glob", "a.rs")];
    assert_eq!(outlined(&records)[1], "Unknown: glob → \"a.rs\"");
}

#[test]
fn the_total_tells_whether_thoughts_are_counted_twice() {
    let written = |total: u64| {
        let usage = json!({"promptTokenCount": 100, "candidatesTokenCount": 20,
            "thoughtsTokenCount": 5, "cachedContentTokenCount": 60, "totalTokenCount": total});
        let records = [
            said(1, 0, "Hi"),
            with(answer(2, 1, "Ho"), json!({"usageMetadata": usage})),
        ];
        let conversation = conversation(&records);
        let reply = replies(&conversation).next().expect("there is a reply");
        let usage = reply.usage.expect("it is known");
        assert_eq!(
            (usage.input, usage.cache_read, usage.reasoning),
            (40, 60, 5)
        );
        usage.output
    };
    assert_eq!((written(120), written(125)), (20, 25));
}

#[test]
fn pictures_that_are_kept_apart_are_missed() {
    let payload = json!({"displayText": "Look", "hookContext": "", "attachmentReferences": [
        {"type": "image", "attachmentId": "a1", "mimeType": "image/png", "size": 9}]});
    let records = [with(said(1, 0, "Look"), json!({"systemPayload": payload}))];
    assert_eq!(outlined(&records), ["person: \"Look\", picture"]);
}
