//! The shapes of exports: which files are ChatGPT's, and which conversations are in them.

use super::*;
use crate::formats::{apart, group};
use crate::source::SideFiles;

fn file(name: &str, text: &str) -> File {
    File::in_memory(name.into(), name.into(), text.into())
}

fn is_taken(text: &str) -> bool {
    ChatGpt.recognises(&Head::of(&file("x", text)).expect("memory can be read"))
}

/// The titles of the conversations in these files.
fn titles(files: &[(&str, &str)]) -> Vec<String> {
    let looked = files.iter().map(|(name, text)| {
        let file = file(name, text);
        let head = Head::of(&file).expect("memory can be read");
        (file, head)
    });
    let mut titles = Vec::new();
    for (source, format) in group(looked.collect(), None).sources {
        assert_eq!(format.name(), "chatgpt");
        for part in apart(source, format).0 {
            let title = format.read(&part).conversation.and_then(|one| one.title);
            titles.push(title.unwrap_or_else(|| "-".to_owned()));
        }
    }
    titles
}

fn one(title: &str) -> String {
    with(chain(&[user(title)]), json!({"title": title})).to_string()
}

#[test]
fn conversations_are_known_alone_in_lists_and_among_strangers() {
    let one = one("a");
    assert!(is_taken(&one));
    assert!(is_taken(&format!("[{one}]")));
    assert!(is_taken(&format!("[{{\"id\":\"folder\"}}, {one}]")));
    assert!(is_taken(&format!("{{\"conversations\": [{one}]}}")));
    assert!(is_taken(&format!("[{one}, {{\"cut\": ")));
    assert!(!is_taken(
        "{\"mapping\": {\"a\": {\"x\": 1}}, \"title\": \"t\"}"
    ));
    assert!(!is_taken("{\"mapping\": 7, \"title\": \"t\"}"));
    let other = json!([{"title": "t", "mapping": {"root": {"id": "root", "parent": null,
        "children": ["1"], "message": null}, "1": {"id": "1", "parent": "root", "children": [],
        "message": {"inserted_at": "2026-01-01T00:00:00Z", "fragments": []}}}}]);
    assert!(!is_taken(&other.to_string()));
}

#[test]
fn each_conversation_of_an_export_is_one_and_entries_without_messages_are_none() {
    let (a, b) = (one("a"), one("b"));
    let list = format!("[{a}, {{\"id\": \"folder\", \"title\": \"f\"}}, {b}]");
    assert_eq!(titles(&[("x.json", &list)]), ["a", "b"]);
    let lines = format!("{a}\n{b}\n");
    assert_eq!(titles(&[("x.jsonl", &lines)]), ["a", "b"]);
    let wrapped = format!("{{\"conversations\": [{a}, {b}]}}");
    assert_eq!(titles(&[("x.json", &wrapped)]), ["a", "b"]);
}

#[test]
fn shards_are_read_together_and_the_page_only_where_it_is_alone() {
    let (a, b) = (one("a"), one("b"));
    let page = format!(
        "<html>\n<body>\n<script>\nvar jsonData = [{a},{b}];\nvar assetsJson = {{}};</script></html>"
    );
    let (first, second) = (format!("[{a}]"), format!("[{b}]"));
    let shards = [
        ("e/conversations-000.json", first.as_str()),
        ("e/conversations-001.json", second.as_str()),
        ("e/chat.html", page.as_str()),
        ("e/user.json", "{\"id\": \"user-x\"}"),
    ];
    assert_eq!(titles(&shards), ["a", "b"]);
    assert_eq!(titles(&[("e/chat.html", &page)]), ["a", "b"]);
    assert!(!is_taken("<html><script>var jsonData = 7;</script></html>"));
    assert!(!is_taken(
        "<html><p>jsonData = [ {mapping} ] is what I said"
    ));
}

#[test]
fn files_beside_the_conversations_belong_to_them() {
    let list = format!("[{}]", one("a"));
    let files = [
        ("e/conversations.json", list.as_str()),
        ("e/dalle-generations/file-1.webp", "x"),
        ("e/user.json", "{\"id\": 1}"),
    ];
    let looked = files.iter().map(|(name, text)| {
        let file = file(name, text);
        let head = Head::of(&file).expect("memory can be read");
        (file, head)
    });
    let grouped = group(looked.collect(), None);
    assert!(grouped.unknown.is_empty());
    let side: &SideFiles = &grouped.sources[0].0.side_files;
    assert_eq!(side.iter().count(), 2);
}

#[test]
fn a_lone_surrogate_and_a_cut_end_cost_nothing_but_themselves() {
    let surrogate = one("a").replace("\"title\":\"a\"", "\"title\":\"a\\ud83d\"");
    let cut = one("b");
    let list = format!("[{surrogate}, {}", &cut[..cut.len() - 9]);
    assert_eq!(titles(&[("x.json", &list)]), ["a\u{fffd}", "-"]);
}

#[test]
fn a_conversation_in_which_nobody_said_anything_is_none() {
    let whole = chain(&[with(user(""), json!({"author": {"role": "system"}}))]);
    let (conversation, problems) = read_with(&whole.to_string(), &[]);
    assert!(conversation.is_none());
    assert!(problems[0].ends_with("note: no messages"), "{problems:?}");
}

#[test]
fn a_picture_may_lie_in_another_export() {
    let name = format!("file_{}.png", "0a1b".repeat(8));
    let id = name.trim_end_matches(".png");
    let content = json!({"content_type": "multimodal_text", "parts": [
        {"content_type": "image_asset_pointer", "asset_pointer": format!("sediment://{id}")}]});
    let whole = chain(&[with(user(""), json!({"content": content}))]).to_string();
    let named = |path: &str| {
        let files = [("new/conversations.json", whole.as_str()), (path, "png")];
        let looked = files.iter().map(|(name, text)| {
            let file = file(name, text);
            let head = Head::of(&file).expect("memory can be read");
            (file, head)
        });
        let grouped = group(looked.collect(), None);
        let (source, format) = &grouped.sources[0];
        let entries = format.read(source).conversation.expect("one").entries;
        let Some(Entry::Prompt(prompt)) = entries.into_iter().next() else {
            panic!("a prompt");
        };
        matches!(&prompt.parts[..], [Piece::Image(image)]
            if image.data == crate::model::ImageData::Bytes(b"png".to_vec()))
    };
    assert!(named(&format!("new/{name}")));
    assert!(named(&format!("old/{name}")));
    assert!(!named("old/file_other.png"));
}
