//! Messages: who said what, what the program put around it, what was undone.

use super::*;
use crate::model::{ImageData, ReplyStatus, Usage};

#[test]
fn steps_are_one_reply_until_the_person_speaks_again() {
    let conversation = conversation(&[
        said(0, "hello"),
        wrote(
            1,
            json!([{"type": "step-start"}, text("let me look"),
            done("bash", json!({"command": "ls"}), "a", json!({"exit": 0})),
            {"type": "step-finish", "reason": "tool-calls"}]),
        ),
        wrote(3, json!([text("done")])),
        said(9, "thanks"),
    ]);
    assert_eq!(
        outline(&conversation),
        [
            "prompt",
            "  text hello",
            "reply Complete",
            "  text let me look",
            "  call bash Some(\"a\")",
            "  text done",
            "prompt",
            "  text thanks",
        ]
    );
    assert_eq!(replies(&conversation)[0].models, ["sonata"]);
    assert_eq!(conversation.project.as_deref(), Some("/home/robin/kites"));
}

#[test]
fn tokens_and_cost_are_counted_once_a_message() {
    let tokens = json!({"input": 10, "output": 5, "reasoning": 2, "total": 47,
        "cache": {"read": 20, "write": 10}});
    let step = json!({"type": "step-finish", "reason": "stop", "cost": 0.25, "tokens": tokens});
    let more = json!({"tokens": tokens, "cost": 0.25});
    let conversation = conversation(&[
        said(0, "go"),
        message(1, "assistant", more.clone(), json!([step, text("a")])),
        message(2, "assistant", more, json!([text("b")])),
    ]);
    let expected = Usage {
        input: 20,
        output: 14,
        cache_read: 40,
        cache_write: 20,
        reasoning: 4,
    };
    assert_eq!(replies(&conversation)[0].usage, Some(expected));
    assert_eq!(conversation.cost_usd, Some(0.5));
}

#[test]
fn a_message_of_several_steps_has_the_tokens_of_all() {
    let step = |n: u64| json!({"type": "step-finish", "tokens": {"input": n, "output": 1}});
    let more = json!({"tokens": {"input": 7, "output": 1}});
    let steps = json!([step(5), step(7), text("a")]);
    let conversation = conversation(&[message(1, "assistant", more, steps)]);
    let usage = replies(&conversation)[0].usage.expect("there are tokens");
    assert_eq!((usage.input, usage.output), (12, 2));
}

#[test]
fn reasoning_says_how_long_it_took_and_why_it_is_hidden() {
    let time = json!({"start": 1_772_701_200_000_u64, "end": 1_772_701_204_000_u64});
    let conversation = conversation(&[wrote(
        1,
        json!([
            {"type": "reasoning", "text": "hm", "time": time},
            {"type": "reasoning", "text": "", "time": {"start": 1},
             "metadata": {"a": {"reasoningEncryptedContent": "x"}}},
            {"type": "reasoning", "text": "", "time": {"start": 1}},
        ]),
    )]);
    let thoughts: Vec<_> = replies(&conversation)[0]
        .parts
        .iter()
        .map(|part| match part {
            Part::Reasoning(reasoning) => (reasoning.ms, reasoning.hidden),
            _ => panic!("there are only thoughts"),
        })
        .collect();
    assert_eq!(
        thoughts,
        [
            (Some(4_000), None),
            (None, Some("encrypted")),
            (None, Some("hidden"))
        ]
    );
}

#[test]
fn what_the_program_reads_for_a_prompt_is_the_files_text() {
    let parts = json!([
        text("look"),
        synthetic("Called the Read tool with the following input: {\"filePath\":\"/w/a.rs\",\"offset\":3,\"limit\":2}"),
        synthetic("<file>\n00003| fn a() {}\n</file>"),
        {"type": "file", "mime": "text/plain", "filename": "a.rs", "url": "file:///w/a.rs"},
        synthetic("<system-reminder>Be brief.</system-reminder>"),
        synthetic("Called the Read tool with the following input: {\"filePath\":\"/w/b.rs\"}"),
    ]);
    let conversation = conversation(&[message(0, "user", json!({}), parts)]);
    assert_eq!(
        outline(&conversation),
        [
            "prompt",
            "  text look",
            "  file a.rs Some(\"00003| fn a() {}\")",
            "  aside Reminder: Be brief.",
            "  aside Context: Read /w/b.rs",
        ]
    );
    let Part::File(file) = &prompts(&conversation)[0].parts[1] else {
        panic!("it is a file");
    };
    assert_eq!(file.note.as_deref(), Some("lines 3 to 5"));
}

#[test]
fn pictures_and_texts_come_out_of_their_urls() {
    let parts = json!([
        {"type": "file", "mime": "image/png", "filename": "a.png", "url": "data:image/png;base64,AAAA"},
        {"type": "file", "mime": "image/svg+xml", "url": "data:image/svg+xml;base64,AAAA"},
        {"type": "file", "mime": "image/png", "url": "https://example.com/a.png"},
        {"type": "file", "mime": "text/plain", "filename": "a.txt", "url": "data:text/plain;base64,aGk="},
        {"type": "file", "mime": "application/pdf", "filename": "a.pdf", "url": "data:application/pdf;base64,AAAA"},
    ]);
    let conversation = conversation(&[message(0, "user", json!({}), parts)]);
    assert_eq!(
        outline(&conversation)[1..],
        [
            "  image Base64(\"image/png\", 4 characters)",
            "  image Missing(\"an SVG, which is not shown\")",
            "  image Remote(\"https://example.com/a.png\")",
            "  file a.txt Some(\"hi\")",
            "  file a.pdf None",
        ]
    );
    let Part::Image(image) = &prompts(&conversation)[0].parts[0] else {
        panic!("it is a picture");
    };
    assert!(matches!(image.data, ImageData::Base64 { .. }));
}

#[test]
fn what_was_undone_stands_apart_at_the_end() {
    let messages = [
        said(0, "a"),
        wrote(1, json!([text("A")])),
        said(5, "b"),
        wrote(6, json!([text("B")])),
    ];
    let info = session(json!({"revert": {"messageID": "msg_0005"}}));
    assert_eq!(
        outline(&conversation_of(info, &messages)),
        [
            "prompt",
            "  text a",
            "reply Complete",
            "  text A",
            "Info: What follows was undone",
            "version",
            "  prompt",
            "    text b",
            "  reply Complete",
            "    text B",
        ]
    );
}

#[test]
fn a_message_may_be_undone_in_part() {
    let messages = [
        said(0, "a"),
        wrote(1, json!([text("kept"), text("undone")])),
    ];
    let info = session(json!({"revert": {"messageID": "msg_0001", "partID": "prt_000101"}}));
    assert_eq!(
        outline(&conversation_of(info, &messages))[2..],
        [
            "reply Complete",
            "  text kept",
            "Info: What follows was undone",
            "version",
            "  reply Complete",
            "    text undone",
        ]
    );
}

#[test]
fn a_stop_is_no_error_and_an_error_says_what_it_is() {
    let failed = |at, name: &str, data: Value| {
        let more = json!({"error": {"name": name, "data": data}, "finish": null});
        message(at, "assistant", more, json!([]))
    };
    let conversation = conversation(&[
        said(0, "a"),
        failed(
            1,
            "MessageAbortedError",
            json!({"message": "The operation was aborted."}),
        ),
        said(2, "b"),
        failed(3, "APIError", json!({"message": "busy", "statusCode": 529})),
        said(4, "c"),
        failed(5, "MessageOutputLengthError", json!({})),
    ]);
    assert_eq!(
        outline(&conversation),
        [
            "prompt",
            "  text a",
            "reply Cancelled",
            "prompt",
            "  text b",
            "reply Error",
            "  error APIError: busy (status 529)",
            "prompt",
            "  text c",
            "reply Error",
            "  error MessageOutputLengthError: The model reached the limit of its output",
        ]
    );
}

#[test]
fn a_compaction_is_a_divider_with_its_summary() {
    let summary = message(
        2,
        "assistant",
        json!({"summary": true}),
        json!([text("so far")]),
    );
    let conversation = conversation(&[
        said(0, "a"),
        message(
            1,
            "user",
            json!({}),
            json!([{"type": "compaction", "auto": false}]),
        ),
        summary,
        message(
            3,
            "user",
            json!({}),
            json!([synthetic("Continue if you have next steps")]),
        ),
        wrote(4, json!([text("on")])),
    ]);
    assert_eq!(
        outline(&conversation)[2..],
        [
            "Compaction: Earlier messages were summarised > so far",
            "Context: Continue if you have next steps",
            "reply Complete",
            "  text on",
        ]
    );
}

#[test]
fn commands_agents_retries_and_models_are_told() {
    let subtask = json!([{"type": "subtask", "prompt": "Look at it", "description": "Look",
        "agent": "scout", "command": "review"}]);
    let error = json!({"name": "APIError", "data": {"message": "busy", "isRetryable": true}});
    let conversation = conversation(&[
        message(
            0,
            "user",
            json!({}),
            json!([synthetic("The following tool was executed by the user")]),
        ),
        wrote(
            1,
            json!([done("bash", json!({"command": "ls"}), "a", json!({}))]),
        ),
        message(2, "user", json!({}), subtask),
        wrote(
            3,
            json!([{"type": "retry", "attempt": 2, "error": error}, text("x")]),
        ),
        message(
            4,
            "user",
            json!({"agent": "plan"}),
            json!([text("plan it"), {"type": "agent", "name": "scout"}]),
        ),
        message(
            5,
            "assistant",
            json!({"modelID": "rondo"}),
            json!([text("y")]),
        ),
    ]);
    assert_eq!(
        outline(&conversation),
        [
            "Command: The person ran a command",
            "reply Complete",
            "  call bash Some(\"a\")",
            "Command: /review > Look at it",
            "reply Complete",
            "  Error: Attempt 2 failed: busy",
            "  text x",
            "Info: Agent: plan",
            "prompt",
            "  text plan it",
            "  aside Info: For the agent scout",
            "ModelChange: Model changed to rondo",
            "reply Complete",
            "  text y",
        ]
    );
}

#[test]
fn a_prompt_that_came_while_the_model_was_at_work_is_queued() {
    let working =
        json!({"time": {"created": 1_772_701_201_000_u64, "completed": 1_772_701_209_000_u64}});
    let conversation = conversation(&[
        said(0, "a"),
        message(1, "assistant", working, json!([text("A")])),
        said(5, "b"),
    ]);
    let queued: Vec<_> = prompts(&conversation).iter().map(|p| p.queued).collect();
    assert_eq!(queued, [false, true]);
}

#[test]
fn files_that_no_call_names_are_told_as_changed() {
    let conversation = conversation(&[wrote(
        1,
        json!([
            done("edit", json!({"filePath": "/w/a"}), "", json!({})),
            {"type": "patch", "hash": "h", "files": ["/w/a", "/w/made"]},
        ]),
    )]);
    assert_eq!(outline(&conversation)[2..], ["  Info: Changed /w/made"]);
}

#[test]
fn instructions_are_told_when_they_change() {
    let asked =
        |at, system: &str| message(at, "user", json!({"system": system}), json!([text("a")]));
    let conversation = conversation(&[
        asked(0, "be kind"),
        asked(1, "be kind"),
        asked(2, "be quick"),
    ]);
    let asides: Vec<_> = prompts(&conversation)
        .iter()
        .map(|p| p.asides.len())
        .collect();
    assert_eq!(asides, [1, 0, 1]);
}

#[test]
fn a_title_that_only_stands_in_for_one_is_none() {
    for (title, shown) in [
        ("New session - 2026-03-05T09:00:00.000Z", None),
        (
            "New session - of parliament",
            Some("New session - of parliament"),
        ),
        ("", None),
    ] {
        let info = session(json!({"title": title}));
        let conversation = conversation_of(info, &[said(0, "a")]);
        assert_eq!(conversation.title.as_deref(), shown);
    }
}

#[test]
fn an_unknown_part_is_shown_as_it_stands() {
    let reading = read_file(file(
        "x.json",
        &export(
            session(json!({})),
            &[wrote(1, json!([{"type": "hologram", "depth": 3}]))],
        ),
    ));
    assert_eq!(
        problems(&reading),
        ["x.json: note: 1 unknown part type: hologram"]
    );
    let conversation = reading.conversation.expect("there is one");
    assert!(outline(&conversation)[1].contains("Part of an unknown kind: hologram > {"));
}

#[test]
fn only_the_last_message_can_still_be_written() {
    let open = json!({"finish": null, "time": {"created": 1_772_701_201_000_u64}});
    let running = json!([{"type": "step-start"}, tool("bash", json!({"status": "running",
        "input": {"command": "sleep 9"}, "time": {"start": 1_772_701_201_000_u64}}))]);
    let now = conversation(&[
        said(0, "a"),
        message(1, "assistant", open.clone(), running.clone()),
    ]);
    assert_eq!(replies(&now)[0].status, ReplyStatus::Pending);
    assert!(calls(&now)[0].running);
    let before = conversation(&[
        message(1, "assistant", open, running),
        said(2, "b"),
        wrote(3, json!([text("B")])),
    ]);
    assert_eq!(replies(&before)[0].status, ReplyStatus::Unknown);
    assert!(!calls(&before)[0].running);
}
