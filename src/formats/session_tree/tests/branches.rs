//! The tree: what stays in the flow, and what stands beside it.

use serde_json::json;

use super::*;

#[test]
fn the_last_entry_of_the_file_is_where_the_conversation_stands() {
    let records = [
        said("u1", "", 1, "one"),
        text("a1", "u1", 2, "first"),
        said("u2", "a1", 10, "left"),
        text("a2", "u2", 11, "left too"),
        said("u3", "a1", 20, "kept"),
        text("a3", "u3", 21, "last"),
    ];
    let expected = [
        "prompt Person",
        "  text one",
        "reply Complete",
        "  text first",
        "version",
        "  prompt Person",
        "    text left",
        "  reply Complete",
        "    text left too",
        "prompt Person",
        "  text kept",
        "reply Complete",
        "  text last",
    ];
    assert_eq!(outline(&conversation(&records)), expected);
}

#[test]
fn going_back_to_the_older_branch_makes_it_the_flow() {
    let records = [
        said("u1", "", 1, "one"),
        said("u2", "u1", 2, "older"),
        said("u3", "u1", 3, "newer"),
        text("a2", "u2", 4, "older again"),
    ];
    let outline = outline(&conversation(&records));
    assert_eq!(
        outline[2..5],
        ["version", "  prompt Person", "    text newer"]
    );
    assert!(outline[5..].contains(&"  text older again".to_owned()));
}

#[test]
fn a_conversation_that_was_begun_anew_has_the_first_beginning_beside_it() {
    let records = [
        said("u1", "", 1, "first beginning"),
        text("a1", "u1", 2, "x"),
        said("u2", "", 9, "second beginning"),
    ];
    let outline = outline(&conversation(&records));
    assert_eq!(
        outline[..3],
        ["version", "  prompt Person", "    text first beginning"]
    );
    assert_eq!(
        outline.last().map(String::as_str),
        Some("  text second beginning")
    );
}

#[test]
fn an_answer_made_again_is_a_version_too() {
    let records = [
        said("u1", "", 1, "ask"),
        text("a1", "u1", 2, "no"),
        text("a2", "u1", 9, "yes"),
    ];
    let outline = outline(&conversation(&records));
    assert_eq!(
        outline[2..5],
        ["version", "  reply Complete", "    text no"]
    );
    assert_eq!(outline[5..], ["reply Complete", "  text yes"]);
}

#[test]
fn parallel_results_stand_one_behind_the_other_and_are_no_branches() {
    let calls = json!([
        call("c1", "read", json!({"path": "a"})),
        call("c2", "read", json!({"path": "b"})),
    ]);
    let records = [
        said("u1", "", 1, "ask"),
        wrote("a1", "u1", 2, calls, "toolUse"),
        result("r2", "a1", 6, ("c2", "read"), "of b", json!({})),
        result("r1", "r2", 7, ("c1", "read"), "of a", json!({})),
    ];
    let expected = [
        "reply Unknown",
        "  call c1 read -> of a",
        "  call c2 read -> of b",
    ];
    assert_eq!(outline(&conversation(&records))[2..], expected);
}

#[test]
fn a_branch_of_nothing_but_hidden_entries_is_none() {
    let records = [
        said("u1", "", 1, "ask"),
        entry(
            "custom",
            "x1",
            "u1",
            2,
            json!({"customType": "t", "data": 1}),
        ),
        text("a1", "u1", 3, "answer"),
    ];
    assert!(!outline(&conversation(&records)).contains(&"version".to_owned()));
}

#[test]
fn entries_without_ids_follow_each_other() {
    let bare = |mut record: Value| {
        let fields = record.as_object_mut().expect("an object");
        fields.remove("id");
        fields.remove("parentId");
        record
    };
    let records = [
        bare(said("", "", 1, "one")),
        bare(text("", "", 2, "two")),
        bare(said("", "", 9, "three")),
    ];
    let lines = [
        "prompt Person",
        "  text one",
        "reply Complete",
        "  text two",
        "prompt Person",
        "  text three",
    ];
    assert_eq!(outline(&conversation(&records)), lines);
    // Some programs give ids, but no parents.
    let mut given = records.to_vec();
    for (at, record) in given.iter_mut().enumerate() {
        record["id"] = json!(format!("m{at}"));
    }
    assert_eq!(outline(&conversation(&given)), lines);
}

#[test]
fn an_entry_whose_parent_is_missing_stays_where_it_stands() {
    let records = [
        said("u1", "", 1, "one"),
        said("u2", "u1", 2, "left"),
        text("a2", "gone", 3, "left too"),
        said("u3", "u1", 9, "kept"),
    ];
    let reading = read(&records);
    assert_eq!(
        problems(&reading),
        ["s.jsonl: note: 1 parent not in this file"]
    );
    let conversation = reading.conversation.expect("there is a conversation");
    assert_eq!(outline(&conversation)[5], "  reply Complete");
}

#[test]
fn a_fork_says_where_it_came_from() {
    for key in ["parentSession", "branchedFrom"] {
        let header = json!({
            "type": "session", "id": "s", "timestamp": time(0), "cwd": "/w",
            key: "/home/robin/.pi/agent/sessions/--w--/2026_x.jsonl",
        });
        let text = format!("{header}\n{}\n", said("u1", "", 1, "go on"));
        let conversation = read_text(&text)
            .conversation
            .expect("there is a conversation");
        assert_eq!(outline(&conversation)[0], "Info Forked from 2026_x.jsonl");
    }
}
