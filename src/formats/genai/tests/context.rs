//! What is told apart in the messages of a person.

use crate::formats::genai::{What, spoken};
use crate::model::{Attachment, Author, NoticeKind, Part, Prompt};

fn said(texts: &[&str]) -> What {
    let parts = texts.iter().map(|text| Part::Text((*text).to_owned()));
    spoken(parts.collect(), None, Author::Person)
}

fn prompt(texts: &[&str]) -> Prompt {
    match said(texts) {
        What::Said(prompt) => *prompt,
        other => panic!("a person spoke: {other:?}"),
    }
}

fn remarks(texts: &[&str]) -> Vec<(NoticeKind, String)> {
    match said(texts) {
        What::Remarks(notices) => notices.into_iter().map(|n| (n.kind, n.title)).collect(),
        other => panic!("nobody spoke: {other:?}"),
    }
}

fn file(name: &str, text: &str) -> Part {
    Part::File(Attachment {
        name: name.to_owned(),
        text: Some(text.to_owned()),
        ..Attachment::default()
    })
}

#[test]
fn files_that_a_prompt_names_are_attachments() {
    let read = prompt(&[
        "Compare @a.txt and @b.txt.",
        "\n--- Content from referenced files ---",
        "\nContent from @a.txt:\n",
        "one\n\ntwo",
        "\nContent from @b.txt:\n",
        "three\n",
        "\n--- End of content ---",
    ]);
    assert_eq!(
        read.parts,
        [
            Part::Text("Compare @a.txt and @b.txt.".into()),
            file("a.txt", "one\n\ntwo"),
            file("b.txt", "three"),
        ]
    );
}

#[test]
fn files_without_their_end_and_without_names_are_kept() {
    let read = prompt(&["Look.\n--- Content from referenced files ---\nstray words"]);
    assert_eq!(
        read.parts,
        [
            Part::Text("Look.".into()),
            file("referenced files", "stray words"),
        ]
    );
}

#[test]
fn words_around_what_was_added_stay_together() {
    let read = prompt(&["Before.\n<system-reminder>\nMind it.\n</system-reminder>\nAfter."]);
    assert_eq!(read.parts, [Part::Text("Before.\n\nAfter.".into())]);
    assert_eq!(read.asides.len(), 1);
    assert_eq!(read.asides[0].kind, NoticeKind::Reminder);
}

#[test]
fn a_mark_in_the_middle_of_a_line_is_the_persons_own() {
    let words = "What does <session_context> mean, and --- End of content ---?";
    assert_eq!(prompt(&[words]).parts, [Part::Text(words.into())]);
}

#[test]
fn context_and_commands_are_no_prompts() {
    let context = "<session_context>\nToday is Monday.\n</session_context>";
    assert_eq!(
        remarks(&[context]),
        [(NoticeKind::Context, "Context of the session".to_owned())]
    );
    assert_eq!(
        remarks(&["/chat save tides"]),
        [(NoticeKind::Command, "/chat save tides".to_owned())]
    );
    assert_eq!(remarks(&["?"]), [(NoticeKind::Command, "?".to_owned())]);
}

#[test]
fn a_path_at_the_start_is_no_command() {
    for words in ["/home/robin/a.txt is empty", "/ is full", "/a/b", "// why?"] {
        assert_eq!(prompt(&[words]).parts, [Part::Text(words.into())]);
    }
}

#[test]
fn the_words_that_were_typed_go_before_those_that_were_sent() {
    let parts = vec![Part::Text("Expanded words".into())];
    let what = spoken(parts, Some("/plan tea".into()), Author::Person);
    let What::Said(prompt) = what else {
        panic!("a person spoke: {what:?}");
    };
    assert_eq!(prompt.parts, [Part::Text("/plan tea".into())]);
}

#[test]
fn a_snapshot_is_a_summary_of_earlier_messages() {
    let snapshot = "<state_snapshot>\nAll is well.\n</state_snapshot>";
    assert!(matches!(
        said(&[snapshot]),
        What::Divider(notice) if notice.kind == NoticeKind::Compaction
    ));
}

#[test]
fn resources_of_servers_are_attachments() {
    let read = prompt(&[
        "Read it.\n--- Content from MCP resource notes://today [a1] ---\nBuy tea.\n\
         --- End of MCP resource notes://today [a1] ---",
    ]);
    assert!(matches!(
        &read.parts[1],
        Part::File(file) if file.name == "notes://today" && file.text.as_deref() == Some("Buy tea.")
    ));
}
