//! What each fact of the records becomes.

use super::*;
use crate::model::{
    Body, ImageData, Input, NoticeKind, Part, Reply, ReplyStatus, ToolCall, ToolStatus,
};

fn read_with(text: &str, blobs: &[(&str, &[u8])]) -> (Conversation, Vec<String>) {
    let file = File::in_memory("a/f.json".into(), "a/f.json".into(), text.into());
    let head = Head::of(&file).expect("memory can be read");
    assert!(ScnChat.recognises(&head), "{head:?}");
    let mut source = Source::single(file);
    source.side_files = blobs
        .iter()
        .map(|(name, bytes)| {
            let name = format!("a/blobs/{name}");
            File::in_memory(name.clone(), name, bytes.to_vec())
        })
        .collect();
    let reading = ScnChat.read(&source);
    let problems = reading.problems.iter().map(ToString::to_string).collect();
    (reading.conversation.expect("a conversation"), problems)
}

fn read(text: &str) -> Conversation {
    read_with(text, &[]).0
}

/// A message; `more` are further fields of its record.
fn message(key: &str, role: &str, second: u32, more: &str, parts: &str) -> String {
    format!(
        r##"{{"key":"{key}","record":{{"$type":"network.sharedcomputer.chat.message","role":"{role}","createdAt":"2026-01-01T00:00:{second:02}Z",{more}"content":{{"$type":"network.sharedcomputer.chat.defs#plainContent","parts":[{parts}]}}}}}}"##
    )
}

fn part(kind: &str, fields: &str) -> String {
    format!(r##"{{"$type":"network.sharedcomputer.chat.defs#{kind}",{fields}}}"##)
}

fn text(text: &str) -> String {
    part("textPart", &format!(r#""text":"{text}""#))
}

fn call(id: &str, fields: &str) -> String {
    part(
        "toolCallPart",
        &format!(r#""callId":"{id}","tool":"t",{fields}"#),
    )
}

fn result(id: &str, fields: &str) -> String {
    part("toolResultPart", &format!(r#""callId":"{id}",{fields}"#))
}

fn document(messages: &[String]) -> String {
    format!(
        r#"{{"conversation":{{"title":"T","uri":"at://x/y/z"}},"messages":[{}]}}"#,
        messages.join(",")
    )
}

/// One reply with these parts.
fn reply(status: &str, parts: &[String]) -> Reply {
    let status = format!(r#""status":"{status}","#);
    let whole = read(&document(&[message(
        "k",
        "assistant",
        0,
        &status,
        &parts.join(","),
    )]));
    match whole.entries.into_iter().next() {
        Some(Entry::Reply(reply)) => reply,
        other => panic!("no reply: {other:?}"),
    }
}

fn calls(reply: &Reply) -> Vec<&ToolCall> {
    let calls = reply.parts.iter().filter_map(|part| match part {
        Part::Tool(call) => Some(call.as_ref()),
        _ => None,
    });
    calls.collect()
}

/// The texts of prompts and replies in the order of the page; versions stand in brackets.
fn said(entries: &[Entry]) -> String {
    let words = entries.iter().map(|entry| match entry {
        Entry::Prompt(prompt) => words(&prompt.parts),
        Entry::Reply(reply) => words(&reply.parts),
        Entry::Notice(notice) => format!("<{}>", notice.title),
        Entry::Versions(versions) => {
            let versions: Vec<_> = versions.iter().map(|version| said(version)).collect();
            format!("[{}]", versions.join(" | "))
        }
    });
    words.collect::<Vec<_>>().join(" ")
}

fn words(parts: &[Part]) -> String {
    match parts {
        [Part::Text(text)] => text.clone(),
        other => format!("{other:?}"),
    }
}

fn child(key: &str, role: &str, second: u32, parent: &str) -> String {
    message(
        key,
        role,
        second,
        &format!(r#""parent":"{parent}","#),
        &text(key),
    )
}

#[test]
fn the_status_of_the_record_is_that_of_its_calls() {
    let two = [call("a", r#""input":"{}""#), call("b", r#""input":"{}""#)];
    for (word, status, of_call) in [
        ("pending", ReplyStatus::Pending, ToolStatus::Running),
        ("cancelled", ReplyStatus::Cancelled, ToolStatus::Incomplete),
        ("error", ReplyStatus::Error, ToolStatus::Incomplete),
        ("complete", ReplyStatus::Complete, ToolStatus::Incomplete),
        ("paused", ReplyStatus::Unknown, ToolStatus::Incomplete),
    ] {
        let reply = reply(word, &two);
        assert_eq!(reply.status, status);
        let statuses: Vec<_> = calls(&reply)
            .iter()
            .map(|c| c.status(reply.status))
            .collect();
        assert_eq!(statuses, [of_call, of_call], "{word}");
    }
}

#[test]
fn a_call_and_its_result_are_one_card_within_their_message() {
    let parts = [
        call("a", r#""input":"{\"q\":1}""#),
        call("b", r#""input":"not json""#),
        result("b", r#""output":"two","isError":true"#),
        result("a", r#""output":"one""#),
        result("a", r#""output":"later""#),
        result("gone", r#""output":"orphan""#),
    ];
    let reply = reply("complete", &parts);
    let calls = calls(&reply);
    assert_eq!(calls.len(), 3);
    assert_eq!(calls[0].input, Some(Input::Json(r#"{"q":1}"#.into())));
    assert_eq!(calls[0].more_results.len(), 1);
    assert_eq!(calls[1].input, Some(Input::Text("not json".into())));
    assert_eq!(calls[1].status(reply.status), ToolStatus::Error);
    assert_eq!((calls[2].name.as_str(), &calls[2].input), ("", &None));
    let again = document(&[
        message("p.r1", "assistant", 0, "", &call("a", r#""input":"1""#)),
        message("p.r2", "assistant", 1, "", &call("a", r#""input":"2""#)),
    ]);
    assert_eq!(
        read(&again).entries.len(),
        2,
        "ids begin anew in each message"
    );
}

#[test]
fn sources_stand_once_at_the_end_and_unknown_parts_are_counted() {
    let source = part("sourcePart", r#""url":"https://example.com","title":"E""#);
    let parts = [
        source.clone(),
        text("x"),
        source,
        part("videoPart", r#""x":1"#),
    ];
    let whole = read(&document(&[message(
        "k",
        "assistant",
        0,
        "",
        &parts.join(","),
    )]));
    let Entry::Reply(reply) = &whole.entries[0] else {
        panic!("{whole:?}");
    };
    assert_eq!((reply.parts.len(), reply.sources.len()), (1, 1));
    assert_eq!(whole.unshown.get("videoPart"), Some(&1));
    assert_eq!(
        (whole.heading(), whole.id.as_str()),
        (Some("T"), "at://x/y/z")
    );
}

#[test]
fn durations_are_read_where_they_stand() {
    let ms = |call_fields: &str, result_fields: &str| {
        let parts = [
            call("a", &format!(r#""input":"{{}}"{call_fields}"#)),
            result("a", &format!(r#""output":""{result_fields}"#)),
        ];
        calls(&reply("complete", &parts))[0].ms
    };
    let at = |key: &str, second: u32| format!(r#","{key}":"2026-01-01T00:00:{second:02}Z""#);
    assert_eq!(ms("", ""), None);
    assert_eq!(ms("", r#","durationMs":1500"#), Some(1500));
    assert_eq!(ms(&at("startedAt", 1), &at("startedAt", 4)), Some(3000));
    let both = format!(r#"{},"durationMs":7"#, at("startedAt", 4));
    assert_eq!(ms(&at("startedAt", 1), &both), Some(7));
    assert_eq!(
        ms(r#","startedAt":1767225600000,"endedAt":1767225600250"#, ""),
        Some(250)
    );
    assert_eq!(ms(&at("startedAt", 9), &at("startedAt", 4)), None);
    let thought = part("reasoningPart", r#""text":"","durationMs":12000"#);
    assert!(matches!(&reply("complete", &[thought]).parts[0],
        Part::Reasoning(reasoning) if reasoning.ms == Some(12_000)));
}

#[test]
fn a_record_gives_model_effort_usage_and_error() {
    let more = r#""status":"error","error":"rate limited","effort":"high","model":{"provider":"p","id":"m-1"},"usage":{"inputTokens":10,"outputTokens":5,"reasoningTokens":2},"#;
    let whole = read(&document(&[message("k", "assistant", 0, more, "")]));
    let Entry::Reply(reply) = &whole.entries[0] else {
        panic!("{whole:?}");
    };
    assert_eq!(reply.models, ["m-1 (high effort)"]);
    assert_eq!(reply.error.as_deref(), Some("rate limited"));
    assert_eq!(reply.usage.map(|u| (u.total(), u.reasoning)), Some((15, 2)));
    assert_eq!(whole.start(), reply.start);
}

#[test]
fn an_encrypted_message_says_so() {
    let text = r##"[{"role":"user","createdAt":"2026-01-01T00:00:00Z","content":{"$type":"network.sharedcomputer.chat.defs#encryptedContent","scheme":"s","keyId":"k","nonce":"n","ciphertext":"c"}}]"##;
    let whole = read(text);
    let Entry::Prompt(prompt) = &whole.entries[0] else {
        panic!("{whole:?}");
    };
    assert!(matches!(&prompt.parts[..], [Part::Notice(notice)]
        if notice.title == "This message is encrypted."));
}

#[test]
fn blobs_are_read_beside_the_file_or_said_to_be_missing() {
    let blob = |cid: &str, mime: &str| {
        format!(r#"{{"$type":"blob","ref":{{"$link":"{cid}"}},"mimeType":"{mime}","size":9}}"#)
    };
    let parts = [
        part(
            "imagePart",
            &format!(r#""image":{},"alt":"A""#, blob("pic", "image/png")),
        ),
        part(
            "imagePart",
            &format!(r#""image":{}"#, blob("nopic", "image/png")),
        ),
        part(
            "filePart",
            &format!(
                r#""name":"scan.pdf","file":{},"extracted":{{"method":"ocr","text":{}}}"#,
                blob("pdf", "application/pdf"),
                blob("words", "text/plain")
            ),
        ),
        part(
            "filePart",
            &format!(r#""file":{}"#, blob("zip", "application/zip")),
        ),
        call("a", r#""input":"{}""#),
        result(
            "a",
            &format!(
                r#""output":"a summary","outputBlob":{}"#,
                blob("long", "text/plain")
            ),
        ),
        call("b", r#""input":"{}""#),
        result(
            "b",
            &format!(
                r#""output":"a summary","outputBlob":{}"#,
                blob("gone", "text/plain")
            ),
        ),
    ];
    let text = document(&[message("k", "assistant", 0, "", &parts.join(","))]);
    let (whole, problems) = read_with(
        &text,
        &[
            ("pic.png", b"PNG"),
            ("words", b"read"),
            ("long.txt", b"the whole"),
        ],
    );
    let Entry::Reply(reply) = &whole.entries[0] else {
        panic!("{whole:?}");
    };
    assert!(matches!(&reply.parts[0], Part::Image(image)
        if image.data == ImageData::Bytes(b"PNG".to_vec()) && image.alt.as_deref() == Some("A")));
    assert!(matches!(&reply.parts[1], Part::Image(image)
        if image.data == ImageData::Missing("nopic was not saved".into())));
    assert!(
        matches!(&reply.parts[2], Part::File(file) if file.name == "scan.pdf"
        && file.text.as_deref() == Some("read") && file.note.as_deref() == Some("text read by OCR"))
    );
    assert!(
        matches!(&reply.parts[3], Part::File(file) if file.name == "zip"
        && file.note.as_deref() == Some("not saved"))
    );
    let full = |index: usize| {
        let result = calls(reply)[index].result.as_ref().expect("a result");
        result.full_output.clone().expect("a blob")
    };
    assert_eq!(full(0).text.as_deref(), Some("the whole"));
    assert_eq!(
        (full(0).name.as_str(), full(0).bytes),
        ("long.txt", Some(9))
    );
    assert_eq!((full(1).text, full(1).bytes), (None, Some(9)));
    assert_eq!(
        problems,
        [
            "a/f.json: no file blobs/gone",
            "a/f.json: no file blobs/nopic"
        ]
    );
}

#[test]
fn unreadable_moments_and_bytes_are_said() {
    let blob = r#""file":{"ref":{"$link":"words"},"mimeType":"text/plain"},"startedAt":"noon""#;
    let odd = |key| {
        message(
            key,
            "user",
            0,
            r#""endedAt":"now","#,
            &part("filePart", blob),
        )
    };
    let lines = format!("{}\n{}\n", odd("k"), odd("l"));
    let (_, problems) = read_with(&lines, &[("words", b"a\xff")]);
    assert_eq!(
        problems,
        [
            "a/f.json:1: unreadable timestamp",
            "a/f.json:2: unreadable timestamp",
            "a/f.json: blobs/words: invalid UTF-8 at byte 2"
        ]
    );
    let (_, problems) = read_with(&document(&[odd("k")]), &[("words", b"a")]);
    assert_eq!(problems, ["a/f.json: unreadable timestamps: 2"]);
}

#[test]
fn the_newest_sibling_is_followed_and_the_others_are_versions() {
    let tree = [
        message("p1", "user", 1, "", &text("p1")),
        child("p1.r1", "assistant", 2, "p1"),
        child("p1.r2", "assistant", 3, "p1"),
        child("p2", "user", 4, "p1.r1"),
        child("p3", "user", 5, "p1.r2"),
        child("p4", "user", 6, "p1.r2"),
    ];
    let expected = "p1 [p1.r1 p2] p1.r2 [p3] p4";
    assert_eq!(said(&read(&document(&tree)).entries), expected);
    let mut shuffled = tree.to_vec();
    shuffled.reverse();
    assert_eq!(said(&read(&document(&shuffled)).entries), expected);
    let edited = [
        tree[0].clone(),
        message("p0", "user", 9, "", &text("p0")),
        tree[1].clone(),
    ];
    assert_eq!(said(&read(&document(&edited)).entries), "[p1 p1.r1] p0");
}

#[test]
fn the_key_of_a_reply_tells_its_prompt_and_attempt() {
    let whole = read(&document(&[
        message("p1", "user", 1, "", &text("p1")),
        message("p1.r10", "assistant", 2, "", &text("ten")),
        message("p1.r9", "assistant", 2, "", &text("nine")),
        message("p2", "user", 3, "", &text("p2")),
    ]));
    assert_eq!(said(&whole.entries), "p1 [nine] ten p2");
}

#[test]
fn messages_without_links_are_in_the_order_of_their_times() {
    let whole = read(&document(&[
        message("b", "assistant", 2, "", &text("b")),
        message("a", "user", 1, "", &text("a")),
    ]));
    assert_eq!(said(&whole.entries), "a b");
}

#[test]
fn no_message_is_lost_to_a_missing_parent_or_a_circle() {
    let whole = read(&document(&[
        child("a", "user", 1, "gone"),
        child("b", "assistant", 2, "a"),
        child("x", "user", 3, "y"),
        child("y", "assistant", 4, "x"),
        child("self", "user", 5, "self"),
        child("a", "user", 1, "gone"),
    ]));
    assert_eq!(said(&whole.entries), "a b self x y");
}

#[test]
fn branches_within_branches_do_not_nest_without_end() {
    let mut messages = vec![message("k0", "user", 0, "", &text("k0"))];
    for n in 1..3_000 {
        // The older of two goes on, so that each level is a branch of the one before.
        let parent = format!("k{}", n - 1);
        messages.push(child(&format!("k{n}"), "user", 1, &parent));
        messages.push(child(&format!("leaf{n}"), "user", 2, &parent));
    }
    let whole = read(&document(&messages));
    let text = said(&whole.entries);
    assert_eq!(
        text.split_whitespace()
            .filter(|w| w.contains("leaf"))
            .count(),
        2_999
    );
    assert_eq!(text.chars().filter(|c| *c == '[').count(), DEPTH_SEEN);
}

/// The folds of a chain in which each level has one.
const DEPTH_SEEN: usize = 25;

#[test]
fn lines_of_records_are_read_as_the_protocol_lists_them() {
    let wrapped = message("k", "user", 1, "", &text("one"));
    let record = wrapped
        .strip_prefix(r#"{"key":"k","record":"#)
        .and_then(|rest| rest.strip_suffix('}'))
        .expect("the record");
    let listed = format!(r#"{{"uri":"at://did/x/k","cid":"c","value":{record}}}"#);
    for text in [
        format!("{listed}\n"),
        format!("[{record}]"),
        format!("{record}\n"),
    ] {
        assert_eq!(said(&read(&text).entries), "one");
    }
    let reply = message("k.r1", "assistant", 2, "", &text("two"));
    let (whole, problems) = read_with(&format!("{listed}\n{{bad\n{reply}\n"), &[]);
    assert_eq!(said(&whole.entries), "one two <Line 2 could not be read>");
    assert_eq!(problems.len(), 1);
}

#[test]
fn an_unknown_role_is_kept_as_a_notice() {
    let whole = read(&document(&[message("k", "moderator", 1, "", &text("one"))]));
    assert!(matches!(&whole.entries[0], Entry::Notice(notice)
        if notice.kind == NoticeKind::Unknown && matches!(&notice.body, Some(Body::Data(json)) if json.contains("one"))));
}

#[test]
fn other_files_are_not_recognised() {
    for other in [
        r#"{"messages":[{"role":"user","content":"x","createdAt":"t"}]}"#,
        r#"{"messages":[{"role":"user","content":[{"parts":1}]}]}"#,
        r#"{"messages":[{"key":"k","record":{"role":"user"}}]}"#,
        r#"[{"role":"user","content":null,"createdAt":"t"}]"#,
    ] {
        let file = File::in_memory("f".into(), "f".into(), other.into());
        let head = Head::of(&file).expect("memory can be read");
        assert!(!ScnChat.recognises(&head), "{other}");
    }
}
