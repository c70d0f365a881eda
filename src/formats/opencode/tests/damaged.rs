//! Files that are damaged: what is left of a session is read, and its page says what is not.

use super::*;

/// The files of a session in the folder of small files, its record with this text.
fn storage(record: &str) -> Vec<File> {
    let messages = [
        said(0, "fly it"),
        wrote(1, json!([text("It flies.")])),
        said(2, "again"),
    ];
    let mut files = kept("storage/", &session(json!({})), &messages);
    files[0] = file("storage/session/p/ses_1.json", record);
    files
}

fn read_all(files: Vec<File>) -> Reading {
    let mut sources = grouped(files).sources;
    assert_eq!(sources.len(), 1);
    let (source, format) = sources.remove(0);
    format.read(&source)
}

#[test]
fn a_session_without_its_record_has_all_its_messages() {
    for record in ["{\"id\":\"ses_1\",", "", "[]", "{\"id\":7}", "garbage"] {
        let reading = read_all(storage(record));
        let conversation = reading.conversation.expect("its messages are there");
        assert_eq!(conversation.id, "ses_1");
        let outline = outline(&conversation);
        assert!(outline.join("\n").contains("text It flies."), "{outline:?}");
    }
    let reading = read_all(storage("{\"id\":\"ses_1\","));
    assert_eq!(reading.problems.len(), 1, "{:?}", reading.problems);
    let conversation = reading.conversation.expect("its messages are there");
    let last = outline(&conversation).pop();
    let rest = "Unknown: The rest of the file could not be read";
    assert_eq!(last.as_deref(), Some(rest));
}

#[test]
fn parts_of_a_damaged_message_stand_in_its_place() {
    let record = session(json!({})).to_string();
    let mut files = storage(&record);
    for damaged in &mut files {
        if damaged.name.ends_with("message/ses_1/msg_0001.json") {
            *damaged = file(&damaged.name.clone(), "{\"id\":\"msg_0001\",");
        }
    }
    let reading = read_all(files);
    assert_eq!(reading.problems.len(), 1, "{:?}", reading.problems);
    let conversation = reading.conversation.expect("the rest is there");
    let lines = outline(&conversation).into_iter();
    let told = lines.filter(|line| line.contains("text ") || line.starts_with("Unknown"));
    assert_eq!(
        told.collect::<Vec<_>>(),
        [
            "  text fly it",
            "  text It flies.",
            "  text again",
            "Unknown: 1 file of this session could not be read"
        ]
    );
}

#[test]
fn a_cut_export_says_so_on_its_page() {
    let export = json!({"info": session(json!({})), "messages": [said(0, "a"), said(1, "b")]});
    let export = export.to_string();
    let reading = read_file(file("x.json", &export[..export.len() - 40]));
    let conversation = reading.conversation.expect("the first message is whole");
    let last = outline(&conversation).pop();
    let rest = "Unknown: The rest of the file could not be read";
    assert_eq!(last.as_deref(), Some(rest));
}

#[test]
fn a_session_whose_record_is_missing_is_read_from_its_messages() {
    let mut files = storage("{}");
    files.remove(0);
    // Another session has its record beside its messages.
    let other = json!({"id": "ses_2", "title": "Other"});
    files.extend(kept("storage/", &session(other), &[said(9, "there")]));
    let mut sources = grouped(files).sources;
    assert_eq!(sources.len(), 2);
    let (source, format) = sources.remove(0);
    let reading = format.read(&source);
    assert_eq!(
        problems(&reading),
        ["storage/message/ses_1/msg_0000.json: the record of its session, ses_1, is missing"]
    );
    let conversation = reading.conversation.expect("its messages are there");
    assert_eq!(conversation.id, "ses_1");
    let lines = outline(&conversation);
    assert_eq!(
        lines,
        [
            "prompt",
            "  text fly it",
            "reply Complete",
            "  text It flies.",
            "prompt",
            "  text again",
            "Unknown: What was recorded of the session is missing"
        ]
    );
}

#[test]
fn a_damaged_record_is_named_with_its_line() {
    let told = |record| problems(&read_all(storage(record)));
    let path = "storage/session/p/ses_1.json:1";
    assert_eq!(
        told("{\"id\":7}"),
        [format!("{path}: expected a session's record")]
    );
    assert_eq!(
        told("{\"id\":\"ses_1\","),
        [format!(
            "{path}: reading stopped: a value that does not end, at column 14"
        )]
    );
}

#[test]
fn a_session_file_that_is_named_alone_says_what_to_name_instead() {
    let text = session(json!({})).to_string();
    let path = "store/session/p/ses_1.json";
    let alone = |path: &str| {
        let file = File::in_memory(
            path.to_owned(),
            "ses_1.json".to_owned(),
            text.clone().into(),
        );
        problems(&read_file(file))
    };
    assert_eq!(
        alone(path),
        [format!(
            "{path}: note: its messages are in other folders: name store instead"
        )]
    );
    assert_eq!(
        alone("ses_1.json"),
        ["ses_1.json: note: its messages are not beside it"]
    );
}
