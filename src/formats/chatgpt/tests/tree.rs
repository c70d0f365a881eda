//! Branches, circles, and what is missing.

use super::*;

/// A conversation out of `id parent role` rows; the text of a message is its id.
fn tree(rows: &[&str], current: Option<&str>) -> (Vec<String>, Vec<String>) {
    let mut mapping = serde_json::Map::new();
    for (at, row) in rows.iter().enumerate() {
        let words: Vec<&str> = row.split(' ').collect();
        let [id, parent, role] = words[..] else {
            panic!("a row is `id parent role`");
        };
        let message = match role {
            "-" => Value::Null,
            role => json!({"id": id, "author": {"role": role}, "create_time": 1_700_000_000 + at,
                "content": text(id)}),
        };
        let parent = if parent == "-" {
            Value::Null
        } else {
            json!(parent)
        };
        mapping.insert(
            id.into(),
            json!({"id": id, "parent": parent, "children": [], "message": message}),
        );
    }
    let whole = json!({"title": "T", "id": "c", "current_node": current, "mapping": mapping});
    let (conversation, problems) = read_with(&whole.to_string(), &[]);
    (outline(&conversation.expect("a conversation")), problems)
}

const EDITED: [&str; 6] = [
    "r - -",
    "u1 r user",
    "a1 u1 assistant",
    "u2 a1 user",
    "a2 u2 assistant",
    "u3 a1 user",
];

#[test]
fn the_branch_of_the_current_node_is_read_and_the_others_are_folded_at_the_fork() {
    let shown = tree(&EDITED, Some("a2")).0;
    let lines = [
        "person: \"u1\"",
        "Unknown: \"a1\"",
        "version",
        "  person: \"u3\"",
        "person: \"u2\"",
        "Unknown: \"a2\"",
    ];
    assert_eq!(shown, lines);
}

#[test]
fn without_a_current_node_the_newest_leaf_is_read() {
    for current in [None, Some("gone")] {
        let shown = tree(&EDITED, current).0;
        assert_eq!(shown.last().map(String::as_str), Some("person: \"u3\""));
        assert_eq!(shown[2], "version");
    }
}

#[test]
fn a_reply_made_again_is_a_version_of_it() {
    let rows = ["u - user", "old u assistant", "new u assistant"];
    let shown = tree(&rows, Some("new")).0;
    assert_eq!(
        shown,
        [
            "person: \"u\"",
            "version",
            "  Unknown: \"old\"",
            "Unknown: \"new\""
        ]
    );
}

#[test]
fn the_order_of_the_children_is_that_of_the_versions() {
    let message =
        |id: &str, role: &str| json!({"id": id, "author": {"role": role}, "content": text(id)});
    let node = |id: &str, role: &str, children: Value| {
        json!({"id": id, "parent": if id == "u" { Value::Null } else { json!("u") },
            "children": children, "message": message(id, role)})
    };
    let whole = json!({"id": "c", "current_node": "c", "mapping": {
        "c": node("c", "assistant", json!([])),
        "b": node("b", "assistant", json!([])),
        "u": node("u", "user", json!(["a", "b", "c"])),
        "a": node("a", "assistant", json!([])),
    }});
    let conversation = read_with(&whole.to_string(), &[])
        .0
        .expect("a conversation");
    let shown = outline(&conversation).join(" ");
    let place = |id: &str| shown.find(&format!("{id:?}")).expect("it is shown");
    assert!(
        place("a") < place("b") && place("b") < place("c"),
        "{shown}"
    );
}

#[test]
fn circles_and_missing_roots_end_and_lose_nothing() {
    let (shown, problems) = tree(&["a b user", "b a assistant"], Some("b"));
    assert_eq!(shown, ["person: \"a\"", "Unknown: \"b\""]);
    assert!(problems[0].contains("circle"), "{problems:?}");
    let (shown, problems) = tree(&["a1 gone assistant"], Some("a1"));
    assert_eq!(shown, ["Unknown: \"a1\""]);
    assert!(problems[0].contains("parent not in this file"));
    assert_eq!(tree(&["a a user"], None).0, ["person: \"a\""]);
}

#[test]
fn nodes_that_do_not_hang_together_are_read_in_their_order() {
    let (shown, _) = tree(&["u - user", "a - assistant", "v - user"], Some("a"));
    assert_eq!(shown, ["person: \"u\"", "Unknown: \"a\"", "person: \"v\""]);
}

#[test]
fn a_branch_of_nothing_that_is_shown_is_none() {
    let rows = ["u - user", "s u system", "a u assistant"];
    let shown = tree(&rows, Some("a")).0;
    assert!(!shown.iter().any(|line| line == "version"), "{shown:?}");
}
