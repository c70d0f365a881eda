//! The shapes that files come in, and the facts that are not of one line.

use super::*;
use crate::formats::Head;

fn recognised(text: &str) -> bool {
    let file = File::in_memory("f".into(), "f".into(), text.as_bytes().to_vec());
    ClaudeCode.recognises(&Head::of(&file).expect("memory can be read"))
}

#[test]
fn files_are_told_by_what_is_in_them() {
    for ours in [
        r#"{"type":"user","message":{"role":"user","content":"hi"}}"#,
        r#"{"type":"summary","summary":"x","leafUuid":"y"}"#,
        r#"{"type":"file-history-snapshot","messageId":"m","snapshot":{}}"#,
        r#"{"type":"permission-mode","permissionMode":"default","sessionId":"s"}"#,
        r#"{"type":"system","subtype":"init","session_id":"s","tools":[]}"#,
        r#"{"uuid":"u","type":"message","message":{"role":"user","content":"hi"}}"#,
        r#"{"type":"user","agent":"claude_code","message":{"role":"user","content":"hi"}}"#,
        "{\"loglines\":[\n{\"type\":\"user\"}]}",
    ] {
        assert!(recognised(ours), "{ours}");
    }
    for others in [
        r#"{"type":"user","uuid":"u","sessionId":"s","message":{"role":"user","parts":[]}}"#,
        r#"{"type":"system","subtype":"ui_telemetry","uuid":"u","sessionId":"s","systemPayload":{}}"#,
        r#"{"type":"user","sessionId":"s","workspace":"/w","agent":"gemini","message":{"role":"user","content":"hi"}}"#,
        r#"{"type":"session_meta","timestamp":"t","payload":{}}"#,
        r#"{"type":"session","id":"x","cwd":"/"}"#,
        r#"{"type":"message","id":"x","message":{"role":"user","content":[]}}"#,
        r#"{"type":"thread.started","thread_id":"x"}"#,
        r#"{"type":"session.start","data":{}}"#,
        r#"{"role":"user","message":{"content":[]}}"#,
        r#"{"messages":[{"role":"user","content":"hi"}]}"#,
        r#"{"display":"hi","timestamp":1,"project":"/p"}"#,
        "this is a log",
        "",
    ] {
        assert!(!recognised(others), "{others}");
    }
}

#[test]
fn a_web_session_is_one_document() {
    let document = json!({"title": "On the web", "loglines": [
        {"type": "user", "timestamp": "2026-01-02T03:04:05Z", "message": {"role": "user", "content": "hi"}},
        {"type": "assistant", "message": {"role": "assistant", "content": [{"type": "text", "text": "yes"}]}},
        7,
    ]});
    let pretty = format!("{document:#}");
    for text in [document.to_string(), pretty.clone()] {
        let file = File::in_memory("w.json".into(), "w.json".into(), text.into_bytes());
        let reading = ClaudeCode.read(&Source::single(file));
        let conversation = reading.conversation.expect("there is one");
        assert_eq!(conversation.title.as_deref(), Some("On the web"));
        assert_eq!(
            outline(&conversation)[..4],
            ["prompt Person", "  text hi", "reply Unknown", "  text yes"]
        );
    }
    let line = pretty
        .lines()
        .position(|line| line.trim() == "7")
        .expect("it is there")
        + 1;
    let file = File::in_memory("w.json".into(), "w.json".into(), pretty.into_bytes());
    let reading = ClaudeCode.read(&Source::single(file));
    assert_eq!(
        problems(&reading),
        [format!("w.json:{line}: expected an object")]
    );
}

#[test]
fn a_stream_ends_with_what_it_cost() {
    let records = [
        json!({"type": "system", "subtype": "init", "session_id": "s1", "cwd": "/w", "tools": [],
            "claude_code_version": "2.1.0"}),
        json!({"type": "assistant", "session_id": "s1", "parent_tool_use_id": null,
            "message": {"id": "m", "role": "assistant", "content": [{"type": "text", "text": "yes"}]}}),
        json!({"type": "result", "subtype": "success", "result": "yes", "total_cost_usd": 0.25,
            "duration_ms": 900, "session_id": "s1"}),
    ];
    let ended = conversation(&records);
    assert_eq!(outline(&ended), ["reply Complete", "  text yes"]);
    assert_eq!(replies(&ended)[0].ms, Some(900));
    assert_eq!(ended.cost_usd, Some(0.25));
    assert_eq!(
        (ended.id.as_str(), ended.project.as_deref()),
        ("s1", Some("/w"))
    );
    assert_eq!(ended.version.as_deref(), Some("2.1.0"));
    let failed = json!({"type": "result", "subtype": "error_max_turns", "is_error": true});
    let lines = outline(&conversation(&[text(0, "x"), failed]));
    assert_eq!(lines[2], "Error: The run ended: error max turns");
}

#[test]
fn records_without_ids_are_read_in_their_order() {
    let records = [
        json!({"type": "user", "message": {"content": "one"}}),
        json!({"type": "assistant", "message": {"content": "two"}}),
        json!({"type": "message", "uuid": "x", "message": {"role": "user", "content": "three"}}),
        json!({"message": {"role": "assistant", "content": "four"}}),
    ];
    assert_eq!(
        outline(&conversation(&records)),
        [
            "prompt Person",
            "  text one",
            "reply Unknown",
            "  text two",
            "prompt Person",
            "  text three",
            "reply Unknown",
            "  text four",
        ]
    );
}

#[test]
fn titles_come_from_the_person_then_the_program_then_a_summary_of_this_file() {
    let own = json!({"type": "custom-title", "customTitle": "Mine", "sessionId": "s"});
    let generated = json!({"type": "ai-title", "aiTitle": "Its", "sessionId": "s"});
    let here = json!({"type": "summary", "summary": "Here", "leafUuid": "user-0"});
    let elsewhere = json!({"type": "summary", "summary": "Elsewhere", "leafUuid": "gone"});
    let title = |more: &[&Value]| {
        let mut records: Vec<Value> = more.iter().map(|record| (*record).clone()).collect();
        records.push(said(0, "hi"));
        conversation(&records).title
    };
    assert_eq!(title(&[&here, &generated, &own]).as_deref(), Some("Mine"));
    assert_eq!(title(&[&generated, &here]).as_deref(), Some("Its"));
    assert_eq!(title(&[&here, &elsewhere]).as_deref(), Some("Here"));
    assert_eq!(title(&[&elsewhere]), None);
}

#[test]
fn the_id_is_the_files_name_when_that_is_one() {
    let uuid = "11111111-2222-4333-8444-555555555555";
    let id = |name: &str| {
        let records = [
            said(0, "a"),
            text(1, "b"),
            with(said(2, "c"), json!({"sessionId": "t"})),
        ];
        let reading = ClaudeCode.read(&Source::single(file(name, &records)));
        (
            reading.conversation.expect("there is one").id,
            reading.problems.len(),
        )
    };
    assert_eq!(id(&format!("p/{uuid}.jsonl")), (uuid.to_owned(), 1));
    assert_eq!(id("p/notes.jsonl"), ("s".to_owned(), 1));
}

#[test]
fn a_file_without_messages_gives_no_page() {
    let snapshot = json!({"type": "file-history-snapshot", "messageId": "m", "snapshot": {}});
    let reading = read(&[snapshot]);
    assert!(reading.conversation.is_none());
    assert_eq!(problems(&reading), ["s.jsonl: note: no messages"]);
}
