//! Broken records: each costs itself at most.

use proptest::prelude::*;

use super::*;

fn read_lines(text: &str) -> Reading {
    let file = File::in_memory("s.jsonl".into(), "s.jsonl".into(), text.as_bytes().to_vec());
    ClaudeCode.read(&Source::single(file))
}

#[test]
fn a_bad_line_leaves_a_mark_where_it_was() {
    let text = format!(
        "{}\n{{\"type\":\"assistant\",\"mess\n{}\n{{\"type\":\"us",
        said(0, "a"),
        said(1, "b")
    );
    let reading = read_lines(&text);
    assert_eq!(
        outline(&reading.conversation.expect("there is one")),
        [
            "prompt Person",
            "  text a",
            "Unknown: Line 2 could not be read",
            "prompt Person",
            "  text b",
            "Unknown: The file ends in the middle of line 4",
        ]
    );
}

#[test]
fn identical_records_are_shown_once_and_others_under_one_id_twice() {
    let reading = read(&[said(0, "a"), said(0, "a"), said(0, "a")]);
    assert_eq!(
        problems(&reading),
        ["s.jsonl: note: identical records, shown once: 2"]
    );
    assert_eq!(
        outline(&reading.conversation.expect("there is one")).len(),
        2
    );
    let reading = read(&[said(0, "a"), said(0, "b")]);
    assert_eq!(problems(&reading), ["s.jsonl:2: duplicate uuid user-0"]);
    assert_eq!(
        outline(&reading.conversation.expect("there is one")).len(),
        4
    );
}

#[test]
fn of_a_key_that_stands_twice_the_last_counts() {
    let line = r#"{"type":"user","type":"assistant","message":{"content":"one"},"message":{"content":"two"}}"#;
    let reading = read_lines(line);
    assert_eq!(
        problems(&reading),
        ["s.jsonl:1: duplicate key, the last one counts"]
    );
    assert_eq!(
        outline(&reading.conversation.expect("there is one")),
        ["reply Unknown", "  text two"]
    );
}

#[test]
fn values_of_the_wrong_type_are_shown_as_data() {
    let records = [
        json!({"type": 5, "uuid": [], "message": "x"}),
        json!({"type": "user", "message": {"role": "user", "content": 42}}),
        json!({"type": "assistant", "message": {"role": "assistant", "content": {"type": "text", "text": "alone"}}}),
        json!({"type": "assistant", "message": null}),
        json!({"type": "assistant", "message": {"content": [null, "bare", {"type": "text"}, {"text": "no type"}]}}),
        json!({"type": "user", "message": "only words"}),
    ];
    let reading = read(&records);
    assert!(problems(&reading)[0].starts_with("s.jsonl:1: `type` is not a string"));
    assert_eq!(
        outline(&reading.conversation.expect("there is one")),
        [
            "Unknown: A record of no type > {\"type\":5,\"uuid\":[],\"message\":\"x\"}",
            "Unknown: Content that is not as expected > 42",
            "reply Unknown",
            "  text alone",
            "  Unknown: A message without content",
            "  Unknown: Content that is not as expected > null",
            "  text bare",
            "  Unknown: Content that is not as expected > {\"type\":\"text\"}",
            "  text no type",
            "prompt Person",
            "  text only words",
        ]
    );
}

#[test]
fn times_that_cannot_be_are_none() {
    let odd = |at: u32, time: Value| with(said(at, "x"), json!({"timestamp": time}));
    let records = [
        odd(1, json!("yesterday")),
        odd(2, json!(1_767_323_045_123_u64)),
        odd(3, json!(null)),
        odd(4, json!("9999-12-31T23:59:60Z")),
        odd(5, json!("2025-01-01T00:00:00Z")),
    ];
    let reading = read(&records);
    assert_eq!(
        problems(&reading),
        [
            "s.jsonl:1: unreadable timestamp",
            "s.jsonl:4: unreadable timestamp",
            "s.jsonl:5: note: time runs backwards",
        ]
    );
    let conversation = reading.conversation.expect("there is one");
    let known: Vec<bool> = prompts(&conversation)
        .iter()
        .map(|p| p.time.is_some())
        .collect();
    assert_eq!(known, [false, true, false, false, true]);
}

#[test]
fn tokens_that_cannot_be_are_not_known() {
    let line = r#"{"type":"assistant","message":{"content":"x","usage":{"input_tokens":123456789012345678901234567890,"output_tokens":-5}}}"#;
    let reading = read_lines(line);
    assert_eq!(
        problems(&reading),
        ["s.jsonl:1: number out of range, tokens are not known"]
    );
    assert_eq!(
        replies(&reading.conversation.expect("there is one"))[0].usage,
        None
    );
}

#[test]
fn a_file_without_one_sound_record_gives_no_page() {
    let reading = read_lines("this is a log\nand more\n");
    assert!(reading.conversation.is_none());
    assert!(
        problems(&reading)
            .iter()
            .any(|p| p == "s.jsonl: no page: no record could be read")
    );
}

/// Keys and values that the reader looks at, put together at random.
fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(json!(null)),
        Just(json!(true)),
        Just(json!(-1.5e300)),
        Just(json!("2026-01-02T03:04:05Z")),
        prop::sample::select(vec![
            "user",
            "assistant",
            "system",
            "attachment",
            "progress",
            "queue-operation",
            "text",
            "tool_use",
            "tool_result",
            "thinking",
            "image",
            "a",
            "b",
            "Task",
            "agent_progress",
            "compact_boundary",
            "enqueue",
            "remove",
            "<command-name>/x</command-name>",
            "<teammate-message>",
            "[Request interrupted by user]",
            "<synthetic>",
            "summary",
        ])
        .prop_map(|word| json!(word)),
    ];
    let key = prop::sample::select(vec![
        "type",
        "uuid",
        "parentUuid",
        "message",
        "content",
        "role",
        "id",
        "tool_use_id",
        "text",
        "input",
        "name",
        "isSidechain",
        "isMeta",
        "agentId",
        "timestamp",
        "toolUseResult",
        "data",
        "attachment",
        "operation",
        "subtype",
        "usage",
        "parent_tool_use_id",
        "loglines",
        "model",
        "isCompactSummary",
        "sourceToolUseID",
        "structuredPatch",
        "filePath",
        "prompt",
        "thinking",
    ]);
    leaf.prop_recursive(5, 60, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::Array),
            prop::collection::vec((key.clone(), inner), 0..8).prop_map(|entries| {
                Value::Object(
                    entries
                        .into_iter()
                        .map(|(k, v)| (k.to_owned(), v))
                        .collect(),
                )
            }),
        ]
    })
}

proptest! {
    #[test]
    fn any_bytes_are_read(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let file = File::in_memory("s.jsonl".into(), "s.jsonl".into(), bytes);
        ClaudeCode.read(&Source::single(file));
    }

    #[test]
    fn any_records_are_read(records in prop::collection::vec(any_value(), 0..8)) {
        let mut source = Source::single(file("s.jsonl", &records));
        source.members = vec![file("agent-a.jsonl", &records)];
        ClaudeCode.read(&source);
    }
}
