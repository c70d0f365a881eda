//! What stands between messages.

use serde_json::json;

use super::*;

#[test]
fn a_summary_stands_where_it_was_made_and_says_what_was_kept() {
    let summary = json!({"summary": "We talked.", "firstKeptEntryId": "u2", "tokensBefore": 9000});
    let records = [
        said("u1", "", 1, "one"),
        text("a1", "u1", 2, "two"),
        said("u2", "a1", 9, "three"),
        text("a2", "u2", 10, "four"),
        entry("compaction", "k1", "a2", 20, summary),
        said("u3", "k1", 30, "five"),
    ];
    let outline = outline(&conversation(&records));
    assert_eq!(
        outline[8],
        "Compaction Earlier messages were summarised \
        (9,000 tokens before, the last 2 messages kept) [We talked.]"
    );
    assert_eq!(outline[9..], ["prompt Person", "  text five"]);
    assert_eq!(outline[1], "  text one");
}

#[test]
fn the_oldest_files_count_what_was_kept_by_lines() {
    let kept = |index: u64| {
        let text = format!(
            "{}\n{}\n{}\n{}\n",
            json!({"type": "session", "id": "s", "timestamp": time(0), "cwd": "/w"}),
            json!({"type": "message", "timestamp": time(1), "message": {"role": "user", "content": "a"}}),
            json!({"type": "message", "timestamp": time(2), "message": {"role": "user", "content": "b"}}),
            json!({"type": "compaction", "timestamp": time(3), "summary": "S", "firstKeptEntryIndex": index, "tokensBefore": 5}),
        );
        let conversation = read_text(&text)
            .conversation
            .expect("there is a conversation");
        outline(&conversation)[4].clone()
    };
    assert!(
        kept(2).contains("(5 tokens before, the last message kept)"),
        "{}",
        kept(2)
    );
    assert!(kept(0).contains("(5 tokens before)"), "{}", kept(0));
}

#[test]
fn a_cut_reply_goes_on_behind_a_summary() {
    let records = [
        said("u1", "", 1, "one"),
        text("a1", "u1", 2, "two"),
        entry(
            "compaction",
            "k1",
            "a1",
            9,
            json!({"summary": "S", "tokensBefore": 1}),
        ),
        text("a2", "k1", 10, "three"),
    ];
    let outline = outline(&conversation(&records));
    assert_eq!(outline[5..], ["reply Complete", "  text three"]);
}

#[test]
fn settings_are_told_once_when_they_have_an_effect() {
    let level = |id: &str, parent: &str, level: &str| {
        entry(
            "thinking_level_change",
            id,
            parent,
            5,
            json!({"thinkingLevel": level}),
        )
    };
    let model = |id: &str, parent: &str, model: &str| {
        entry(
            "model_change",
            id,
            parent,
            5,
            json!({"provider": "p", "modelId": model}),
        )
    };
    let records = [
        model("m0", "", "m1"),
        level("l0", "m0", "off"),
        said("u1", "l0", 6, "one"),
        text("a1", "u1", 7, "two"),
        level("l1", "a1", "low"),
        level("l2", "l1", "high"),
        level("l3", "l2", "off"),
        model("m2", "l3", "m9"),
        level("l4", "m2", "high"),
        said("u2", "l4", 20, "three"),
        model("m3", "u2", "m1"),
        text("a2", "m3", 21, "four"),
    ];
    let outline = outline(&conversation(&records));
    assert_eq!(outline[0], "prompt Person");
    let expected = [
        "ModelChange Model changed to m9",
        "Info Thinking level: high",
        "prompt Person",
        "  text three",
        "ModelChange Model changed to m1",
    ];
    assert_eq!(outline[4..9], expected);
}

#[test]
fn a_model_that_takes_over_unsaid_is_told() {
    let mut other = text("a2", "a1", 9, "b");
    other["message"]["model"] = json!("m2");
    let records = [said("u1", "", 1, "ask"), text("a1", "u1", 2, "a"), other];
    let outline = outline(&conversation(&records));
    assert_eq!(outline[4], "  ModelChange Model changed to m2");
}

#[test]
fn labels_stand_at_what_they_were_put_on() {
    let label = |id: &str, parent: &str, target: &str, label: Value| {
        entry(
            "label",
            id,
            parent,
            9,
            json!({"targetId": target, "label": label}),
        )
    };
    let records = [
        said("u1", "", 1, "one"),
        text("a1", "u1", 2, "two"),
        said("u2", "a1", 8, "three"),
        label("x1", "u2", "u2", json!("here")),
        label("x2", "x1", "u1", json!("gone again")),
        label("x3", "x2", "u1", Value::Null),
    ];
    let outline = outline(&conversation(&records));
    assert_eq!(outline[4..6], ["Info Label: here", "prompt Person"]);
    assert_eq!(outline[0], "prompt Person");
}

#[test]
fn messages_of_extensions_are_shown_when_they_were() {
    let custom = |id: &str, parent: &str, display: bool| {
        let fields =
            json!({"customType": "plan-mode", "content": "Plan first.", "display": display});
        entry("custom_message", id, parent, 2, fields)
    };
    let records = [
        said("u1", "", 1, "ask"),
        custom("c1", "u1", true),
        custom("c2", "c1", false),
    ];
    let conversation = conversation(&records);
    assert_eq!(outline(&conversation)[2..], ["Info plan mode: Plan first."]);
    assert_eq!(conversation.unshown["hidden context: plan-mode"], 1);
}

#[test]
fn the_second_version_called_such_messages_hooks() {
    let hook = json!({"message": {"role": "hookMessage", "customType": "lint", "display": true,
        "content": [{"type": "text", "text": "Two findings."}], "timestamp": ms(2)}});
    let records = [
        said("u1", "", 1, "ask"),
        entry("message", "h1", "u1", 2, hook),
    ];
    assert_eq!(
        outline(&conversation(&records))[2..],
        ["Info lint: Two findings."]
    );
}

#[test]
fn the_last_name_is_the_title_and_an_empty_one_takes_it_away() {
    let name = |id: &str, parent: &str, name: &str| {
        entry("session_info", id, parent, 2, json!({"name": name}))
    };
    let named = [
        said("u1", "", 1, "ask"),
        name("n1", "u1", "First"),
        name("n2", "n1", "Second"),
    ];
    assert_eq!(conversation(&named).title.as_deref(), Some("Second"));
    let unnamed = [
        said("u1", "", 1, "ask"),
        name("n1", "u1", "First"),
        name("n2", "n1", ""),
    ];
    assert_eq!(conversation(&unnamed).title, None);
}
