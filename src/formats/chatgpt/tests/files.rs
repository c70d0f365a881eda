//! Pictures and files out of the export.

use super::*;
use crate::model::ImageData;

fn pictured(pointer: &str, files: &[(&str, &[u8])]) -> ImageData {
    let content = json!({"content_type": "multimodal_text", "parts": [
        {"content_type": "image_asset_pointer", "asset_pointer": pointer}]});
    let whole = chain(&[with(user(""), json!({"content": content}))]);
    let conversation = read_with(&whole.to_string(), files)
        .0
        .expect("a conversation");
    match conversation.entries.into_iter().next() {
        Some(Entry::Prompt(prompt)) => match prompt.parts.into_iter().next() {
            Some(Piece::Image(image)) => image.data,
            other => panic!("no picture: {other:?}"),
        },
        other => panic!("no prompt: {other:?}"),
    }
}

#[test]
fn a_picture_is_the_file_whose_name_begins_with_its_id() {
    let bytes: &[u8] = b"png";
    for (pointer, file) in [
        ("file-service://file-1", "file-1-a map.png"),
        ("sediment://file_1#page=2", "file_1-sanitized.png"),
        ("sediment://file_1?x", "user-u/file_1-1234.png"),
        (
            "file-service://file-1",
            "dalle-generations/file-1-1234.webp",
        ),
        ("sediment://file_1", "file_1.dat"),
    ] {
        let found = pictured(pointer, &[(file, bytes), ("file_11.png", b"no")]);
        assert_eq!(found, ImageData::Bytes(b"png".to_vec()), "{pointer}");
    }
}

#[test]
fn a_picture_that_is_not_there_is_named() {
    let missing = |why: &str| ImageData::Missing(why.to_owned());
    assert_eq!(
        pictured("sediment://file_1", &[("file_12.png", b"no")]),
        missing("file_1 is not in the export")
    );
    assert_eq!(pictured("", &[]), missing("it is not in the export"));
    // What it was made from says more than its id.
    let made = json!({"content_type": "multimodal_text", "parts": [
        {"content_type": "image_asset_pointer", "asset_pointer": "sediment://file_1",
            "metadata": {"dalle": {"prompt": "a tide"}}}]});
    let whole = chain(&[with(user(""), json!({"content": made}))]);
    let read = read_with(&whole.to_string(), &[])
        .0
        .expect("a conversation");
    assert!(format!("{read:?}").contains("a tide is not in the export"));
    assert!(matches!(
        pictured("data:image/png;base64,AAAA", &[]),
        ImageData::Base64 { .. }
    ));
}

fn attached(attachments: Value, parts: Value, files: &[(&str, &[u8])]) -> String {
    let content = json!({"content_type": "multimodal_text", "parts": parts});
    let whole = chain(&[with(
        user(""),
        json!({"content": content, "metadata": {"attachments": attachments}}),
    )]);
    let conversation = read_with(&whole.to_string(), files)
        .0
        .expect("a conversation");
    let Some(Entry::Prompt(prompt)) = conversation.entries.first() else {
        panic!("no prompt");
    };
    let said = prompt.parts.iter().map(|part| match part {
        Piece::File(file) => format!(
            "{} {} [{}]",
            file.name,
            file.note.as_deref().unwrap_or("-"),
            file.text.as_deref().unwrap_or_default()
        ),
        Piece::Image(image) => format!("picture {}", image.alt.as_deref().unwrap_or("-")),
        other => format!("{other:?}"),
    });
    said.collect::<Vec<_>>().join("; ")
}

#[test]
fn files_have_their_names_and_texts_and_each_stands_once() {
    let both = json!([
        {"id": "file_1", "name": "map.png", "mime_type": "image/png"},
        {"id": "file-2", "name": "notes.txt", "mimeType": "text/plain", "size": 5},
        {"id": "file-3", "name": "tides.pdf", "mime_type": "application/pdf", "size": 2048},
    ]);
    let pointer =
        json!([{"content_type": "image_asset_pointer", "asset_pointer": "sediment://file_1"}]);
    let files: &[(&str, &[u8])] = &[("file-2-notes.txt", b"hello"), ("file_1.png", b"x")];
    assert_eq!(
        attached(both.clone(), pointer, files),
        "picture map.png; notes.txt 5 B [hello]; tides.pdf 2.0 KB · not in the export []"
    );
    assert!(attached(both, json!([]), files).starts_with("picture map.png; notes.txt"));
}

#[test]
fn names_that_the_export_keeps_apart_are_found() {
    let names: &[u8] = br#"{"file_9.dat":"plan of the harbour.pdf"}"#;
    let library: &[u8] = br#"[{"file_id":"file_8","file_name":"tides.csv"}]"#;
    let files: &[(&str, &[u8])] = &[
        ("conversation_asset_file_names.json", names),
        ("library_files.json", library),
        ("file_9.dat", b"x"),
    ];
    let parts = json!([
        {"content_type": "file_asset_pointer", "asset_pointer": "sediment://file_9"},
        {"content_type": "file_asset_pointer", "asset_pointer": "sediment://file_8"},
    ]);
    assert_eq!(
        attached(json!([]), parts, files),
        "plan of the harbour.pdf 1 B · in the export []; tides.csv not in the export []"
    );
}
