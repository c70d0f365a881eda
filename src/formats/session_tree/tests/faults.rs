//! Files that are not as they should be.

use serde_json::json;

use super::*;

#[test]
fn a_bad_line_keeps_the_rest_on_its_branch() {
    let lines = [
        json!({"type": "session", "id": "s", "timestamp": time(0), "cwd": "/w"}).to_string(),
        said("u1", "", 1, "one").to_string(),
        "{\"type\":\"message\",\"id\":\"a1\",".to_owned(),
        said("u2", "a1", 9, "two").to_string(),
    ];
    let reading = read_text(&lines.join("\n"));
    let conversation = reading.conversation.expect("there is a conversation");
    let expected = [
        "prompt Person",
        "  text one",
        "Unknown Line 3 could not be read",
        "prompt Person",
        "  text two",
    ];
    assert_eq!(outline(&conversation), expected);
}

#[test]
fn a_truncated_tail_says_where_the_file_ends() {
    let whole = said("u1", "", 1, "one").to_string();
    let cut = text("a1", "u1", 2, "an answer").to_string();
    let reading = read_text(&format!("{whole}\n{}", &cut[..cut.len() / 2]));
    let conversation = reading.conversation.expect("there is a conversation");
    assert_eq!(
        outline(&conversation)[2..],
        ["Unknown The file ends in the middle of line 2"]
    );
}

#[test]
fn two_objects_on_one_line_are_two_entries() {
    let line = format!(
        "{}{}\n",
        said("u1", "", 1, "one"),
        text("a1", "u1", 2, "two")
    );
    let conversation = read_text(&line)
        .conversation
        .expect("there is a conversation");
    assert_eq!(outline(&conversation).len(), 4);
}

#[test]
fn identical_entries_are_shown_once() {
    let record = said("u1", "", 1, "one");
    let reading = read(&[record.clone(), record]);
    assert_eq!(
        problems(&reading),
        ["s.jsonl: note: identical records, shown once: 1"]
    );
    let conversation = reading.conversation.expect("there is a conversation");
    assert_eq!(outline(&conversation).len(), 2);
}

#[test]
fn unknown_entries_stay_in_the_chain() {
    let records = [
        said("u1", "", 1, "one"),
        entry("from_the_future", "f1", "u1", 2, json!({})),
        text("a1", "f1", 3, "two"),
    ];
    let reading = read(&records);
    assert_eq!(
        problems(&reading),
        ["s.jsonl: note: 1 unknown record type: from_the_future"]
    );
    let conversation = reading.conversation.expect("there is a conversation");
    assert_eq!(
        outline(&conversation)[2..],
        ["reply Complete", "  text two"]
    );
    assert_eq!(conversation.unshown["unknown records: from_the_future"], 1);
}

#[test]
fn values_of_the_wrong_kind_cost_nothing_but_themselves() {
    let records = [
        json!({"type": "message", "id": 7, "parentId": [], "timestamp": {}, "message": 3}),
        json!({"type": ["x"]}),
        json!({"type": "message", "message": {"role": 1, "content": 2}}),
        json!({"type": "message", "message": {"role": "assistant", "content": [1, {"type": "toolCall"}], "usage": []}}),
        json!({"type": "message", "message": {"role": "toolResult", "content": {"a": 1}, "details": 4}}),
        json!({"type": "compaction", "summary": 1, "firstKeptEntryId": {}, "tokensBefore": "x"}),
        json!({"type": "label", "targetId": 1}),
        json!([1]),
        said("u9", "", 9, "still here"),
    ];
    let conversation = conversation(&records);
    assert!(outline(&conversation).contains(&"  text still here".to_owned()));
}

#[test]
fn parents_in_a_circle_end() {
    let records = [
        said("u1", "u2", 1, "one"),
        said("u2", "u1", 2, "two"),
        said("u3", "u3", 3, "three"),
    ];
    assert_eq!(outline(&conversation(&records)).len(), 6);
}

#[test]
fn a_file_without_a_word_is_no_conversation() {
    let reading = read(&[entry(
        "model_change",
        "m1",
        "",
        1,
        json!({"provider": "p", "modelId": "m"}),
    )]);
    assert!(reading.conversation.is_none());
    assert_eq!(problems(&reading), ["s.jsonl: note: no messages"]);
}
