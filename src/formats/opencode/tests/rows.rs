//! What rows and headers are made from: titles, contexts, folders, and figures that fit together.

use super::*;
use crate::model::Facts;

#[test]
fn an_act_that_was_given_nothing_has_the_programs_title() {
    let task = |input: Value| {
        let state = json!({"status": "completed", "input": input, "title": "Sleep", "output": ""});
        call(tool("task", state)).title
    };
    assert_eq!(task(json!({})).as_deref(), Some("Sleep"));
    assert_eq!(task(json!({"prompt": "sleep"})), None);
}

#[test]
fn a_context_of_data_is_named_by_what_it_is_about() {
    let data = json!({"content": [{"lnum": 130}, {"lnum": 131}], "context_type": "diagnostics",
        "more": "words that make it longer than what a title may hold of it"});
    let data = data.to_string();
    let prompt = message(
        0,
        "user",
        json!({}),
        json!([text("fix it"), synthetic(&data)]),
    );
    let conversation = conversation(&[prompt]);
    assert_eq!(
        outline(&conversation)[2..],
        [format!("  aside Context: Context: diagnostics > {data}")]
    );
}

#[test]
fn a_folder_that_was_read_has_its_entries_counted() {
    let output =
        "<path>/w</path>\n<type>directory</type>\n<entries>\na/\nb.rs\n\n(2 entries)\n</entries>";
    let read = call(done("read", json!({"filePath": "/w"}), output, json!({})));
    let result = read.result.expect("it ended");
    let details = result.details.expect("it is a folder");
    assert_eq!((details.files, details.file), (Some(2), None));
}

#[test]
fn tokens_and_cost_are_of_the_same_messages() {
    let paid = |more: Value| {
        let mut paid = json!({"cost": 0.01, "tokens": {"input": 10, "output": 10}});
        extend(&mut paid, more);
        paid
    };
    let wrote = |at, more| message(at, "assistant", paid(more), json!([text("x")]));
    let messages = [
        said(0, "a"),
        wrote(1, json!({})),
        message(
            2,
            "user",
            json!({}),
            json!([{"type": "compaction", "auto": true}]),
        ),
        wrote(3, json!({"summary": true})),
        said(4, "b"),
        wrote(5, json!({})),
        said(6, "c"),
        wrote(7, json!({})),
    ];
    // The last prompt and its reply were undone.
    let info = session(json!({"revert": {"messageID": "msg_0006"}}));
    let conversation = conversation_of(info, &messages);
    let facts = Facts::of(&conversation);
    assert_eq!(facts.usage.map(|usage| usage.total()), Some(80));
    let cents = conversation.cost_usd.map(|cost| (cost * 100.0).round());
    assert_eq!(cents, Some(4.0));
}

#[test]
fn the_programs_last_line_about_a_file_is_a_note() {
    let parts = json!([
        text("look"),
        synthetic("Called the Read tool with the following input: {\"filePath\":\"/w/a.rs\"}"),
        synthetic("<content>\n1: fn a() {}\n\n(End of file - total 1 lines)\n</content>"),
        {"type": "file", "mime": "text/plain", "filename": "a.rs", "url": "file:///w/a.rs"},
    ]);
    let conversation = conversation(&[message(0, "user", json!({}), parts)]);
    let Part::File(file) = &prompts(&conversation)[0].parts[1] else {
        panic!("it is a file");
    };
    assert_eq!(file.text.as_deref(), Some("1: fn a() {}"));
    assert_eq!(file.note.as_deref(), Some("End of file - total 1 lines"));
}
