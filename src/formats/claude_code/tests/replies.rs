//! Replies: blocks, tokens, times, how they end.

use super::*;
use crate::model::{NoticeKind, ReplyStatus, Usage};

#[test]
fn blocks_on_many_lines_are_one_reply_until_the_next_prompt() {
    let records = [
        said(0, "hello"),
        wrote(
            2,
            json!([{"type": "thinking", "thinking": "hm", "signature": "x"}]),
        ),
        text(3, "let me look"),
        call(4, "c1", "Bash", json!({"command": "ls"})),
        result(6, "c1", "a b"),
        text(7, "done"),
        said(20, "thanks"),
    ];
    let conversation = conversation(&records);
    assert_eq!(
        outline(&conversation),
        [
            "prompt Person",
            "  text hello",
            "reply Unknown",
            "  thought hm",
            "  text let me look",
            "  call Bash Some(\"a b\")",
            "  text done",
            "prompt Person",
            "  text thanks",
        ]
    );
    let reply = replies(&conversation)[0];
    assert_eq!(reply.id, "assistant-2");
    assert_eq!(reply.models, ["model-1"]);
    let Part::Reasoning(reasoning) = &reply.parts[0] else {
        panic!("it thought first");
    };
    assert_eq!(reasoning.ms, Some(2_000));
    assert_eq!(calls(&conversation)[0].ms, Some(2_000));
}

#[test]
fn hidden_reasoning_is_a_thought_without_words() {
    let blocks = json!([
        {"type": "thinking", "thinking": "", "signature": "abc"},
        {"type": "redacted_thinking", "data": "xyz"},
    ]);
    let conversation = conversation(&[wrote(0, blocks)]);
    let hidden: Vec<_> = replies(&conversation)[0]
        .parts
        .iter()
        .map(|part| match part {
            Part::Reasoning(reasoning) => (reasoning.hidden, reasoning.ms),
            _ => panic!("there are only thoughts"),
        })
        .collect();
    assert_eq!(hidden, [(Some("hidden"), None), (Some("redacted"), None)]);
}

#[test]
fn tokens_are_counted_once_a_message_at_their_fullest() {
    let usage = |input: u64, output: u64| {
        json!({"message": {
            "id": "m", "role": "assistant", "model": "model-1",
            "content": [{"type": "text", "text": "x"}],
            "usage": {"input_tokens": input, "output_tokens": output,
                "cache_read_input_tokens": 7, "cache_creation_input_tokens": 3},
        }})
    };
    let records = [
        with(text(1, ""), usage(10, 1)),
        with(text(2, ""), usage(10, 8)),
        with(text(3, ""), usage(10, 5)),
    ];
    let conversation = conversation(&records);
    let expected = Usage {
        input: 10,
        output: 8,
        cache_read: 7,
        cache_write: 3,
        reasoning: 0,
    };
    assert_eq!(replies(&conversation)[0].usage, Some(expected));
}

#[test]
fn the_program_says_how_long_a_turn_took_and_that_it_ended() {
    let turn =
        json!({"type": "system", "subtype": "turn_duration", "durationMs": 4_321, "uuid": "t"});
    let conversation = conversation(&[said(0, "hi"), text(1, "yes"), turn]);
    let reply = replies(&conversation)[0];
    assert_eq!(
        (reply.ms, reply.status),
        (Some(4_321), ReplyStatus::Complete)
    );
}

#[test]
fn a_stop_reason_completes_a_reply_and_its_absence_leaves_it_open() {
    let ended = with(
        text(1, ""),
        json!({"message": {"role": "assistant", "stop_reason": "end_turn",
            "content": [{"type": "text", "text": "x"}]}}),
    );
    assert_eq!(
        replies(&conversation(&[ended]))[0].status,
        ReplyStatus::Complete
    );
    let open = conversation(&[call(1, "c", "Bash", json!({}))]);
    assert_eq!(replies(&open)[0].status, ReplyStatus::Unknown);
    assert!(calls(&open)[0].result.is_none());
}

#[test]
fn an_interruption_stops_the_reply() {
    let records = [
        said(0, "go"),
        text(1, "going"),
        said(
            2,
            json!([{"type": "text", "text": "[Request interrupted by user]"}]),
        ),
        said(3, "no, that way"),
    ];
    assert_eq!(
        outline(&conversation(&records)),
        [
            "prompt Person",
            "  text go",
            "reply Cancelled",
            "  text going",
            "  Interruption: Request interrupted by user",
            "prompt Person",
            "  text no, that way",
        ]
    );
}

#[test]
fn an_error_of_the_server_ends_a_reply_or_stands_in_it() {
    let failure = |at| {
        let message = json!({"role": "assistant", "model": "<synthetic>", "content": [
            {"type": "text", "text": "API Error: overloaded"}]});
        with(
            record("assistant", at, message),
            json!({"isApiErrorMessage": true}),
        )
    };
    let ended = conversation(&[said(0, "go"), failure(1)]);
    assert_eq!(
        outline(&ended)[2..],
        ["reply Error", "  error API Error: overloaded"]
    );
    assert!(replies(&ended)[0].models.is_empty());
    let went_on = conversation(&[said(0, "go"), failure(1), text(2, "here")]);
    assert_eq!(
        outline(&went_on)[2..],
        [
            "reply Unknown",
            "  Error: API Error: overloaded",
            "  text here"
        ]
    );
}

#[test]
fn another_model_is_announced_where_it_takes_over() {
    let other = |at: u32, model: &str| {
        let message = json!({"role": "assistant", "model": model, "content": [
            {"type": "text", "text": model}]});
        record("assistant", at, message)
    };
    let conversation = conversation(&[other(1, "a"), other(2, "b"), said(3, "x"), other(4, "a")]);
    assert_eq!(
        outline(&conversation),
        [
            "reply Unknown",
            "  text a",
            "  ModelChange: Model changed to b",
            "  text b",
            "prompt Person",
            "  text x",
            "ModelChange: Model changed to a",
            "reply Unknown",
            "  text a",
        ]
    );
    assert_eq!(replies(&conversation)[0].models, ["a", "b"]);
}

#[test]
fn pages_that_a_text_cites_are_listed_once() {
    let cited = json!([{"type": "text", "text": "so", "citations": [
        {"type": "web_search_result_location", "url": "https://example.com/a", "title": "A"},
        {"type": "web_search_result_location", "url": "https://example.com/a", "title": "A"},
    ]}]);
    let conversation = conversation(&[wrote(1, cited.clone()), wrote(2, cited)]);
    assert_eq!(replies(&conversation)[0].sources.len(), 1);
}

#[test]
fn the_first_words_after_a_rewind_stand_before_the_newest() {
    let on = |record: Value, parent: &str| with(record, json!({"parentUuid": parent}));
    let records = [
        said(0, "start"),
        on(text(1, "ready"), "user-0"),
        on(said(2, "this way"), "assistant-1"),
        on(text(3, "went this way"), "user-2"),
        on(said(4, "that way"), "assistant-1"),
        on(text(5, "went that way"), "user-4"),
    ];
    assert_eq!(
        outline(&conversation(&records))[4..],
        [
            "version",
            "  prompt Person",
            "    text this way",
            "  reply Unknown",
            "    text went this way",
            "prompt Person",
            "  text that way",
            "reply Unknown",
            "  text went that way",
        ]
    );
}

#[test]
fn a_block_of_an_unknown_kind_is_shown_as_data() {
    let blocks = json!([{"type": "hologram", "shape": "cube"}, {"type": "text", "text": "known"}]);
    let reading = read(&[wrote(1, blocks)]);
    assert_eq!(
        problems(&reading),
        ["s.jsonl: note: 1 unknown block type: hologram"]
    );
    let conversation = reading.conversation.expect("there is one");
    let Part::Notice(notice) = &replies(&conversation)[0].parts[0] else {
        panic!("it is a notice");
    };
    assert_eq!(notice.kind, NoticeKind::Unknown);
    assert_eq!(body(notice), r#"{"type":"hologram","shape":"cube"}"#);
}
