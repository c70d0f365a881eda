//! Messages: thoughts, calls, remarks, prompts.

use super::*;
use crate::formats::outline::{call as found, replies};
use crate::model::{Part, ToolStatus};

fn thought(subject: &str, at: &str) -> Value {
    json!({"subject": subject, "description": "Because.", "timestamp": at})
}

#[test]
fn thoughts_are_one_stretch_that_ends_with_the_last() {
    let thoughts = json!([
        thought("First", "2026-01-02T03:00:02.000Z"),
        thought("", "2026-01-02T03:00:04.500Z"),
    ]);
    let records = [
        said("1", 0, "Hi"),
        with(wrote("2", 5, "Ho"), json!({"thoughts": thoughts})),
    ];
    let conversation = conversation(&records);
    assert_eq!(outline(&conversation)[1], "Unknown: thought 4500ms, \"Ho\"");
    let reply = replies(&conversation).next().expect("there is a reply");
    assert!(matches!(
        &reply.parts[0],
        Part::Reasoning(reasoning) if reasoning.text == "**First**\n\nBecause.\n\nBecause."
    ));
}

#[test]
fn moments_that_coincide_give_no_time_of_thinking() {
    let written_with_the_message = json!([thought("a", "2026-01-02T03:00:05.001Z")]);
    let written_at_once = json!([
        thought("a", "2026-01-02T03:00:04.000Z"),
        thought("b", "2026-01-02T03:00:04.001Z"),
    ]);
    let written_before_the_prompt = json!([thought("a", "2026-01-02T02:59:00.000Z")]);
    let without_a_moment = json!([{"subject": "a", "description": "b"}]);
    for thoughts in [
        written_with_the_message,
        written_at_once,
        written_before_the_prompt,
        without_a_moment,
    ] {
        let records = [
            said("1", 0, "Hi"),
            with(wrote("2", 5, "Ho"), json!({"thoughts": thoughts})),
        ];
        assert_eq!(outlined(&records)[1], "Unknown: thought, \"Ho\"");
    }
}

#[test]
fn thinking_is_measured_from_the_last_result() {
    let records = [
        said("1", 0, "Hi"),
        called("2", 1, json!([call("c", "glob", 20, "a.rs")])),
        with(
            wrote("3", 25, "Ho"),
            json!({"thoughts": [thought("a", "2026-01-02T03:00:23.000Z")]}),
        ),
    ];
    let conversation = conversation(&records);
    assert_eq!(
        outline(&conversation)[1],
        "Unknown: glob → \"a.rs\", thought 3000ms, \"Ho\""
    );
    assert_eq!(found(&conversation, "glob").ms, None);
}

#[test]
fn calls_that_failed_or_were_stopped_are_told_apart() {
    let with_status = |id: &str, status: &str, response: Value| {
        let result = json!([{"functionResponse": {"id": id, "name": "x", "response": response}}]);
        let more = json!({"status": status, "result": result});
        with(call(id, "x", 1, ""), more)
    };
    let records = [
        said("1", 0, "Hi"),
        called(
            "2",
            1,
            json!([
                with_status("a", "success", json!({"output": "fine"})),
                with_status("b", "error", json!({"error": "bad"})),
                with_status("c", "cancelled", json!({"error": "stopped"})),
            ]),
        ),
        said("3", 3, "Go on"),
    ];
    assert_eq!(
        outlined(&records)[1],
        "Cancelled: x → \"fine\", x → !\"bad\", x → ~\"stopped\""
    );
}

#[test]
fn a_cancelled_call_without_a_result_was_still_stopped() {
    let stopped = json!([{"id": "a", "name": "x", "args": {}, "status": "cancelled",
                          "timestamp": at(1), "result": null}]);
    let records = [said("1", 0, "Hi"), called("2", 1, stopped)];
    let conversation = conversation(&records);
    let call = found(&conversation, "x");
    let status = call.status(crate::model::ReplyStatus::Unknown);
    assert_eq!(status, ToolStatus::Incomplete);
    assert!(call.result.as_ref().is_some_and(|result| result.cancelled));
}

#[test]
fn only_the_last_message_can_have_calls_that_run() {
    let waiting = |id: &str| {
        json!([{"id": id, "name": id, "args": {}, "status": "awaiting_approval",
                "timestamp": at(1)}])
    };
    let records = [
        said("1", 0, "Hi"),
        called("2", 1, waiting("a")),
        called("3", 2, waiting("b")),
    ];
    let conversation = conversation(&records);
    assert!(!found(&conversation, "a").running);
    assert!(found(&conversation, "b").running);
}

#[test]
fn a_result_among_those_of_the_whole_turn_is_the_calls_own() {
    let all = json!([
        {"functionResponse": {"id": "a", "name": "x", "response": {"output": "of a"}}},
        {"functionResponse": {"id": "b", "name": "y", "response": {"output": "of b"}}},
    ]);
    let calls = json!([
        with(call("a", "x", 1, ""), json!({"result": all})),
        with(call("b", "y", 1, ""), json!({"result": all})),
    ]);
    let records = [said("1", 0, "Hi"), called("2", 1, calls)];
    assert_eq!(outlined(&records)[1], "Unknown: x → \"of a\", y → \"of b\"");
}

#[test]
fn calls_in_the_content_are_those_beside_it() {
    let content = json!([
        {"text": "Why.", "thought": true},
        {"text": "Look."},
        {"functionCall": {"id": "c", "name": "glob", "args": {}}},
        {"text": "Wait."},
    ]);
    let more = json!({"toolCalls": [call("c", "glob", 2, "a.rs")],
                      "thoughts": [{"subject": "Why", "description": "."}]});
    let records = [said("1", 0, "Hi"), with(wrote("2", 1, content), more)];
    assert_eq!(
        outlined(&records)[1],
        "Unknown: thought, \"Look.\", glob → \"a.rs\", \"Wait.\""
    );
}

#[test]
fn pictures_of_a_result_are_its_pictures() {
    let result = json!([
        {"functionResponse": {"id": "c", "name": "read_file", "response": {"output": "Binary"}}},
        {"inlineData": {"mimeType": "image/png", "data": "AAAA"}},
    ]);
    let calls = json!([with(
        call("c", "read_file", 1, ""),
        json!({"result": result})
    )]);
    let conversation = conversation(&[said("1", 0, "Hi"), called("2", 1, calls)]);
    let result = found(&conversation, "read_file").result.as_ref();
    assert_eq!(result.map(|result| result.images.len()), Some(1));
}

#[test]
fn remarks_of_the_program_stand_where_they_were_made() {
    let remark = |kind: &str, second: u32, words: &str| {
        json!({"id": format!("{kind}{second}"), "timestamp": at(second), "type": kind,
               "content": words})
    };
    let records = [
        remark("info", 0, "A new version is there."),
        said("1", 1, "/about"),
        said("2", 2, "Hi"),
        wrote("3", 3, "Ho"),
        remark("warning", 4, "Near the limit."),
        wrote("4", 5, "Ha"),
        remark("info", 6, "Request cancelled."),
        said("5", 7, "Again"),
        remark("error", 8, "[API Error: overloaded]"),
        remark("info", 9, ""),
    ];
    assert_eq!(
        outlined(&records),
        [
            "<Info A new version is there.>",
            "<Command /about>",
            "person: \"Hi\"",
            "Cancelled: \"Ho\", <Info Warning: Near the limit.>, \"Ha\", \
             <Interruption Request cancelled.>",
            "person: \"Again\"",
            "Error: error [API Error: overloaded]",
        ]
    );
}

#[test]
fn an_error_that_was_got_over_stays_a_remark() {
    let error = json!({"id": "e", "timestamp": at(1), "type": "error", "content": "Busy"});
    let records = [said("1", 0, "Hi"), error, wrote("2", 2, "Ho")];
    assert_eq!(outlined(&records)[1], "Unknown: <Error Busy>, \"Ho\"");
}

#[test]
fn the_words_as_they_were_typed_are_the_prompt() {
    let content = json!([
        {"text": "@a.txt says what?"},
        {"text": "\n--- Content from referenced files ---\nContent from @a.txt:\nTea.\n\
                  --- End of content ---"},
        {"inlineData": {"mimeType": "image/png", "data": "AAAA"}},
        {"inlineData": {"mimeType": "application/pdf", "data": "AAAA", "displayName": "b.pdf"}},
    ]);
    let shown = json!({"displayContent": [{"text": "@a.txt says what?"}]});
    let records = [with(said("1", 0, content), shown)];
    assert_eq!(
        outlined(&records),
        ["person: \"@a.txt says what?\", file a.txt, picture, file b.pdf"]
    );
}

#[test]
fn another_model_is_told_where_it_takes_over() {
    let other = json!({"model": "gemini-y"});
    let records = [
        said("1", 0, "Hi"),
        wrote("2", 1, "Ho"),
        with(wrote("3", 2, "Ha"), other),
    ];
    let conversation = conversation(&records);
    assert_eq!(
        outline(&conversation)[1],
        "Unknown: \"Ho\", <ModelChange Model changed to gemini-y>, \"Ha\""
    );
    let reply = replies(&conversation).next().expect("there is a reply");
    assert_eq!(reply.models, ["gemini-x", "gemini-y"]);
}

#[test]
fn pages_that_are_cited_are_sources() {
    let more = json!({
        "content": [{"type": "text", "text": "Tea."}, {"type": "grounding", "source": "doc://a"}],
        "citations": [{"uri": "doc://a", "title": "A"}, {"uri": "https://example.com/b"}],
        "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://example.com/c"}}]},
    });
    let conversation = conversation(&[said("1", 0, "Hi"), with(wrote("2", 1, ""), more)]);
    let reply = replies(&conversation).next().expect("there is a reply");
    let sources: Vec<_> = reply
        .sources
        .iter()
        .map(|source| (source.url.as_str(), source.title.as_deref()))
        .collect();
    assert_eq!(
        sources,
        [
            ("doc://a", Some("A")),
            ("https://example.com/b", None),
            ("https://example.com/c", None),
        ]
    );
}
