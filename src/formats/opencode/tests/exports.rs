//! Exports beside each other: that of a session which a call started belongs into that call.

use super::*;

fn parent() -> String {
    let task = done(
        "task",
        json!({"prompt": "find it", "description": "Find", "subagent_type": "explore"}),
        "found",
        json!({"sessionId": "ses_2"}),
    );
    export(
        session(json!({})),
        &[said(0, "go"), wrote(1, json!([task]))],
    )
}

fn child() -> String {
    let of_child = |message: Value| {
        let text = message.to_string().replace("ses_1", "ses_2");
        serde_json::from_str::<Value>(&text).expect("it is JSON")
    };
    let messages = [said(2, "find it"), wrote(3, json!([text("Here.")]))];
    export(
        session(json!({"id": "ses_2", "parentID": "ses_1", "title": "Find (@explore subagent)"})),
        &messages.map(of_child),
    )
}

#[test]
fn the_export_of_a_child_stands_in_its_call() {
    let files = vec![file("a.json", &child()), file("b.json", &parent())];
    let mut sources = grouped(files).sources;
    assert_eq!(sources.len(), 1);
    let (source, format) = sources.remove(0);
    assert_eq!(source.main.name, "b.json");
    let reading = format.read(&source);
    assert_eq!(problems(&reading), [""; 0]);
    let conversation = reading.conversation.expect("there is a conversation");
    assert_eq!(conversation.id, "ses_1");
    assert_eq!(
        outline(&conversation),
        [
            "prompt",
            "  text go",
            "reply Complete",
            "  call task Some(\"found\")",
            "    reply Complete",
            "      text Here."
        ]
    );
}

#[test]
fn the_export_of_a_child_stands_alone_without_its_parent() {
    let mut sources = grouped(vec![file("a.json", &child())]).sources;
    let (source, format) = sources.remove(0);
    let reading = format.read(&source);
    let conversation = reading.conversation.expect("there is a conversation");
    assert_eq!(conversation.id, "ses_2");
    assert_eq!(prompts(&conversation).len(), 1);
}

#[test]
fn a_damaged_child_leaves_its_parent_as_it_is() {
    let child = child();
    let files = vec![
        file("a.json", &child[..child.len() - 9]),
        file("b.json", &parent()),
    ];
    let mut sources = grouped(files).sources;
    let (source, format) = sources.remove(0);
    let reading = format.read(&source);
    let told = problems(&reading).join("\n");
    assert!(told.starts_with("a.json:1: reading stopped"), "{told}");
    let conversation = reading.conversation.expect("there is a conversation");
    let lines = outline(&conversation).join("\n");
    assert!(lines.contains("call task"), "{lines}");
    let rest = "Unknown: The rest of the file could not be read";
    assert!(lines.ends_with(rest), "{lines}");
}
