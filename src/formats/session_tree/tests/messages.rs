//! What is said, thought and shown.

use serde_json::json;

use super::*;
use crate::model::{ImageData, Usage};

#[test]
fn times_are_those_of_asking_and_of_being_whole() {
    let records = [said("u1", "", 1, "ask"), text("a1", "u1", 10, "answer")];
    let conversation = conversation(&records);
    let reply = replies(&conversation)[0];
    let seconds = |time: Option<crate::model::Timestamp>| time.map(|time| time.as_second() % 60);
    assert_eq!(
        (seconds(reply.start), seconds(reply.end)),
        (Some(10), Some(13))
    );
    assert_eq!(reply.ms, None);
}

#[test]
fn no_thought_has_a_duration_that_nobody_recorded() {
    let content = json!([{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "x"}]);
    let records = [
        said("u1", "", 1, "ask"),
        wrote("a1", "u1", 10, content, "stop"),
    ];
    let conversation = conversation(&records);
    let Part::Reasoning(thought) = &replies(&conversation)[0].parts[0] else {
        panic!("it thought");
    };
    assert_eq!((thought.text.as_str(), thought.ms), ("hm", None));
}

#[test]
fn hidden_thoughts_are_thoughts_and_empty_ones_are_not() {
    let content = json!([
        {"type": "thinking", "thinking": "", "thinkingSignature": "sig"},
        {"type": "thinking", "thinking": "", "redacted": true, "thinkingSignature": "x"},
        {"type": "thinking", "thinking": "words", "redacted": false},
        {"type": "thinking", "thinking": "", "thinkingSignature": ""},
        {"type": "redactedThinking", "data": "opaque"},
    ]);
    let records = [
        said("u1", "", 1, "ask"),
        wrote("a1", "u1", 2, content, "stop"),
    ];
    let expected = [
        "  thought  Some(\"hidden\")",
        "  thought  Some(\"redacted\")",
        "  thought words None",
        "  thought  Some(\"redacted\")",
    ];
    assert_eq!(outline(&conversation(&records))[3..], expected);
}

#[test]
fn tokens_and_costs_are_summed() {
    let usage = |input: u64, cost: f64| {
        json!({"usage": {"input": input, "output": 2, "cacheRead": 3, "cacheWrite": 4,
            "reasoningTokens": 1, "totalTokens": 9, "cost": {"input": 0.1, "total": cost}}})
    };
    let mut one = text("a1", "u1", 2, "a");
    one["message"] = with(one["message"].clone(), usage(10, 0.25));
    let mut two = text("a2", "a1", 6, "b");
    two["message"] = with(two["message"].clone(), usage(20, 0.5));
    let conversation = conversation(&[said("u1", "", 1, "ask"), one, two]);
    assert_eq!(conversation.cost_usd, Some(0.75));
    let expected = Usage {
        input: 30,
        output: 4,
        cache_read: 6,
        cache_write: 8,
        reasoning: 2,
    };
    assert_eq!(replies(&conversation)[0].usage, Some(expected));
    assert_eq!(replies(&conversation)[0].models, ["m1"]);
}

#[test]
fn a_stopped_reply_says_so_and_an_unbegun_one_too() {
    let stopped = |id: &str, content: Value| {
        let mut record = wrote(id, "u1", 2, content, "aborted");
        record["message"]["errorMessage"] = json!("Request was aborted.");
        record
    };
    let begun = [
        said("u1", "", 1, "ask"),
        stopped("a1", json!([{"type": "text", "text": "I"}])),
    ];
    assert_eq!(
        outline(&conversation(&begun))[2..],
        ["reply Cancelled", "  text I"]
    );
    let unbegun = [said("u1", "", 1, "ask"), stopped("a1", json!([]))];
    let expected = ["Interruption Stopped before there was an answer"];
    assert_eq!(outline(&conversation(&unbegun))[2..], expected);
}

#[test]
fn an_error_at_the_end_is_the_replys_and_one_on_the_way_a_notice() {
    let failed = |id: &str, parent: &str, at: u32| {
        let mut record = wrote(id, parent, at, json!([]), "error");
        record["message"]["errorMessage"] = json!("overloaded");
        record
    };
    let records = [
        said("u1", "", 1, "ask"),
        failed("a1", "u1", 2),
        text("a2", "a1", 9, "now"),
    ];
    let expected = [
        "reply Complete",
        "  Error A request failed: overloaded",
        "  text now",
    ];
    assert_eq!(outline(&conversation(&records))[2..], expected);
    let last = [said("u1", "", 1, "ask"), failed("a1", "u1", 2)];
    assert_eq!(
        outline(&conversation(&last))[2..],
        ["reply Error", "  error overloaded"]
    );
}

#[test]
fn a_reply_that_was_too_long_says_that_it_is_cut() {
    let content = json!([{"type": "text", "text": "long"}]);
    let records = [
        said("u1", "", 1, "ask"),
        wrote("a1", "u1", 2, content, "length"),
    ];
    let outline = outline(&conversation(&records));
    assert!(
        outline[4].starts_with("  Error The reply is cut here"),
        "{outline:?}"
    );
}

#[test]
fn pictures_are_pictures_and_documents_are_none() {
    let picture = |kind: &str| json!({"type": "image", "data": "AAAA", "mimeType": kind});
    let mut record = said("u1", "", 1, "");
    record["message"]["content"] =
        json!([{"type": "text", "text": "look"}, picture("image/png"), picture("image/svg+xml")]);
    let reading = read(&[record]);
    assert_eq!(
        problems(&reading),
        ["s.jsonl:2: image media type image/svg+xml not shown"]
    );
    let conversation = reading.conversation.expect("there is a conversation");
    let Entry::Prompt(prompt) = &conversation.entries[0] else {
        panic!("it is a prompt");
    };
    let data = |at: usize| match &prompt.parts[at] {
        Part::Image(image) => image.data.clone(),
        part => panic!("{part:?}"),
    };
    let expected = ImageData::Base64 {
        media_type: "image/png".into(),
        data: "AAAA".into(),
    };
    assert_eq!(data(1), expected);
    assert!(matches!(data(2), ImageData::Missing(_)));
}

#[test]
fn what_the_person_ran_is_a_command_with_its_output() {
    let ran = json!({"message": {"role": "bashExecution", "command": "ls", "output": "a\nb",
        "exitCode": 2, "cancelled": false, "truncated": true, "fullOutputPath": "/tmp/x.log",
        "excludeFromContext": true, "timestamp": ms(2)}});
    let records = [
        said("u1", "", 1, "ask"),
        entry("message", "b1", "u1", 3, ran),
    ];
    let expected = "Command ! ls (exit 2) (truncated) (not shown to the model) \
                    [a\nb\n\n[Full output: /tmp/x.log]]";
    assert_eq!(outline(&conversation(&records))[2], expected);
}

#[test]
fn blocks_of_unknown_kinds_are_shown_as_they_are() {
    let content = json!([{"type": "hologram", "beam": 7}]);
    let reading = read(&[
        said("u1", "", 1, "ask"),
        wrote("a1", "u1", 2, content, "stop"),
    ]);
    assert_eq!(
        problems(&reading),
        ["s.jsonl: note: 1 unknown block type: hologram"]
    );
    let conversation = reading.conversation.expect("there is a conversation");
    assert!(outline(&conversation)[3].contains("\"beam\":7"));
}
