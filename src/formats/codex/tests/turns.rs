//! Turns: how they end, what they took, what stands between them.

use serde_json::json;

use super::*;
use crate::model::{Author, NoticeKind, ReplyStatus, Usage};

fn tokens(total: [u64; 3], last: [u64; 3]) -> Value {
    let usage = |n: [u64; 3]| json!({"input_tokens": n[0], "cached_input_tokens": n[1], "output_tokens": n[2], "total_tokens": n[0] + n[2]});
    event(
        json!({"type": "token_count", "info": {"total_token_usage": usage(total), "last_token_usage": usage(last)}, "rate_limits": null}),
    )
}

fn used(reply: &Reply) -> Option<(u64, u64, u64)> {
    let Usage {
        input,
        cache_read,
        output,
        ..
    } = reply.usage?;
    Some((input, cache_read, output))
}

#[test]
fn tokens_are_differences_of_totals() {
    let conversation = read(&[
        user("a"),
        assistant("b"),
        tokens([100, 60, 10], [100, 60, 10]),
        tokens([100, 60, 10], [100, 60, 10]),
        user("c"),
        event(json!({"type": "token_count", "info": null, "rate_limits": null})),
        tokens([100, 60, 10], [100, 60, 10]),
        assistant("d"),
        tokens([250, 160, 25], [150, 100, 15]),
        tokens([400, 260, 30], [150, 100, 5]),
        user("e"),
        assistant("f"),
        tokens([50, 0, 5], [50, 0, 5]),
    ]);
    let replies = replies(&conversation);
    assert_eq!(used(replies[0]), Some((40, 60, 10)));
    assert_eq!(used(replies[1]), Some((100, 200, 20)));
    assert_eq!(used(replies[2]), Some((50, 0, 5)));
}

#[test]
fn the_first_total_may_be_that_of_a_session_before() {
    let conversation = read(&[
        user("a"),
        assistant("b"),
        tokens([9_000, 0, 900], [100, 0, 10]),
    ]);
    assert_eq!(used(replies(&conversation)[0]), Some((100, 0, 10)));
}

#[test]
fn a_turn_is_complete_when_the_program_says_so() {
    let started = event(json!({"type": "task_started", "turn_id": "1"}));
    let done = event(
        json!({"type": "task_complete", "turn_id": "1", "last_agent_message": "b", "duration_ms": 1500}),
    );
    let conversation = read(&[started.clone(), user("a"), assistant("b"), done]);
    let reply = replies(&conversation)[0];
    assert_eq!(
        (reply.status, reply.ms, reply.parts.len()),
        (ReplyStatus::Complete, Some(1_500), 1)
    );
    let running = read(&[started, user("a"), call("c", "shell", json!({}))]);
    assert_eq!(replies(&running)[0].status, ReplyStatus::Unknown);
}

#[test]
fn an_answer_that_only_the_end_has_is_shown() {
    let conversation = read(&[
        user("a"),
        event(json!({"type": "task_complete", "last_agent_message": "b"})),
    ]);
    assert_eq!(texts(&replies(&conversation)[0].parts), ["b"]);
}

#[test]
fn a_stopped_turn_is_cancelled_with_what_is_written_after() {
    let conversation = read(&[
        user("a"),
        event(json!({"type": "turn_aborted", "reason": "interrupted"})),
        assistant("too late"),
        user("<turn_aborted>\nOn purpose.\n</turn_aborted>"),
        user("b"),
        assistant("c"),
        event(json!({"type": "turn_aborted", "reason": "interrupted"})),
        assistant("d"),
        user("<turn_aborted>\nOn purpose.\n</turn_aborted>"),
    ]);
    assert_eq!(prompts(&conversation).len(), 2);
    let last = replies(&conversation)[1];
    assert_eq!(
        (last.status, texts(&last.parts)),
        (ReplyStatus::Cancelled, vec!["c", "d"])
    );
    let stops = notices(&conversation)
        .into_iter()
        .filter(|n| n.kind == NoticeKind::Interruption);
    let stops: Vec<_> = stops.map(|notice| notice.body.is_some()).collect();
    assert_eq!(stops, [true, true]);
}

#[test]
fn an_error_at_the_end_is_the_replys() {
    let failed = |message: &str| {
        event(
            json!({"type": "error", "message": message, "codex_error_info": {"http": {"status": 500}}}),
        )
    };
    let conversation = read(&[
        user("a"),
        failed("hiccup"),
        event(json!({"type": "stream_error", "message": "Reconnecting... 1/5"})),
        assistant("b"),
        user("c"),
        failed("gone"),
        event(json!({"type": "error", "error": {"kind": "rate_limit", "message": "Slow down"}})),
    ]);
    let replies = replies(&conversation);
    assert_eq!(replies[0].error, None);
    assert!(matches!(&replies[0].parts[0], Part::Error { message, .. } if message == "hiccup"));
    assert_eq!(replies[1].status, ReplyStatus::Error);
    assert_eq!(replies[1].error.as_deref(), Some("Slow down (rate_limit)"));
}

#[test]
fn a_change_of_model_is_told_and_the_first_is_none() {
    let model = |model: &str| at(0, "turn_context", json!({"cwd": "/w", "model": model}));
    let conversation = read(&[
        model("one"),
        user("a"),
        assistant("b"),
        model("one"),
        user("c"),
        model("two"),
        assistant("d"),
    ]);
    assert_eq!(titles(&conversation), ["Model changed to two"]);
    assert_eq!(replies(&conversation)[1].models, ["two"]);
}

#[test]
fn a_model_is_named_with_the_effort_it_was_asked_for() {
    let asked = json!({"cwd": "/w", "model": "one", "effort": "high"});
    let conversation = read(&[at(0, "turn_context", asked), user("a"), assistant("b")]);
    assert_eq!(replies(&conversation)[0].models, ["one (high effort)"]);
}

#[test]
fn a_compaction_is_told_once_and_its_history_is_not_shown_again() {
    let conversation = read(&[
        user("a"),
        assistant("b"),
        at(
            0,
            "compacted",
            json!({"message": "", "replacement_history": [{"type": "message", "role": "user", "content": [{"type": "input_text", "text": "a"}]}, {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Another language model started this: it said b."}]}]}),
        ),
        event(json!({"type": "context_compacted"})),
        user("c"),
    ]);
    assert_eq!(prompts(&conversation).len(), 2);
    let notices = notices(&conversation);
    assert_eq!(notices.len(), 1);
    assert!(
        notices[0]
            .body
            .as_ref()
            .is_some_and(|body| body.text().contains("it said b"))
    );
}

#[test]
fn prompts_that_were_taken_back_are_a_version() {
    let conversation = read(&[
        user("a"),
        assistant("b"),
        user("c"),
        assistant("d"),
        event(json!({"type": "thread_rolled_back", "num_turns": 1})),
        user("e"),
    ]);
    let texts: Vec<_> = prompts(&conversation)
        .iter()
        .map(|p| texts(&p.parts)[0])
        .collect();
    assert_eq!(texts, ["a", "e"]);
    assert!(
        matches!(&conversation.entries[2], Entry::Versions(versions) if versions[0].len() == 2)
    );
    for count in [0, 9, u64::MAX] {
        read(&[
            user("a"),
            event(json!({"type": "thread_rolled_back", "num_turns": count})),
        ]);
    }
}

#[test]
fn wrappers_are_notes_of_the_prompt_that_follows() {
    let conversation = read(&[
        item(
            json!({"type": "message", "role": "developer", "content": [{"type": "input_text", "text": "Be kind."}]}),
        ),
        user("<environment_context>\n  <cwd>/w</cwd>\n</environment_context>"),
        user(
            "# Context from my IDE setup:\n\n## Active file: a.rs\n\n## My request for Codex:\nfix it\n",
        ),
    ]);
    assert_eq!(prompts(&conversation).len(), 1);
    assert_eq!(texts(&prompts(&conversation)[0].parts), ["fix it"]);
    assert_eq!(
        titles(&conversation),
        [
            "Instructions of the program",
            "Environment",
            "Context from the editor"
        ]
    );
    assert_eq!(conversation.project.as_deref(), Some("/w"));
    assert_eq!(conversation.heading(), Some("fix it"));
}

#[test]
fn a_prompt_in_the_middle_of_a_turn_was_queued() {
    let typed = |text: &str| event(json!({"type": "user_message", "message": text}));
    let started = event(json!({"type": "task_started"}));
    let done = event(json!({"type": "task_complete"}));
    let conversation = read(&[
        typed("a"),
        started.clone(),
        assistant("b"),
        typed("c"),
        assistant("d"),
        done,
        started,
        typed("e"),
        assistant("f"),
    ]);
    let queued: Vec<_> = prompts(&conversation)
        .iter()
        .map(|prompt| prompt.queued)
        .collect();
    assert_eq!(queued, [false, true, false]);
}

#[test]
fn pictures_of_a_prompt_are_shown_without_their_marks() {
    let conversation = read(&[
        item(json!({"type": "message", "role": "user", "content": [
            {"type": "input_text", "text": "<image name=[Image #1]>"},
            {"type": "input_image", "image_url": "data:image/png;base64,QUJD"},
            {"type": "input_text", "text": "</image>"},
            {"type": "input_text", "text": "what is it?"},
        ]})),
        event(
            json!({"type": "user_message", "message": "what is it?", "images": ["data:image/png;base64,QUJD"]}),
        ),
    ]);
    let parts = &prompts(&conversation)[0].parts;
    assert!(matches!(&parts[..], [Part::Image(_), Part::Text(text)] if text == "what is it?"));
}

#[test]
fn a_review_has_its_findings_in_words() {
    let conversation = read(&[
        event(
            json!({"type": "entered_review_mode", "target": {"type": "baseBranch", "branch": "main"}, "user_facing_hint": "changes against main"}),
        ),
        event(
            json!({"type": "exited_review_mode", "review_output": {"overall_correctness": "patch is correct", "overall_explanation": "Fine.", "findings": [{"title": "[P2] A leak", "body": "Close it.", "code_location": {"absolute_file_path": "/w/a.rs", "line_range": {"start": 3, "end": 4}}}]}}),
        ),
    ]);
    assert_eq!(
        titles(&conversation),
        [
            "Review of changes against main",
            "Review ended with 1 finding"
        ]
    );
    let body = notices(&conversation)[1]
        .body
        .as_ref()
        .map(|body| body.text().to_owned());
    assert!(body.is_some_and(|body| body.contains("`/w/a.rs:3-4`") && body.contains("Close it.")));
}

#[test]
fn a_reached_limit_is_told_once() {
    let count = |reached: Value| {
        event(
            json!({"type": "token_count", "info": null, "rate_limits": {"primary": {"used_percent": 100.0}, "rate_limit_reached_type": reached}}),
        )
    };
    let conversation = read(&[
        user("a"),
        count(json!(null)),
        count(json!("primary_window")),
        count(json!("primary_window")),
    ]);
    assert_eq!(
        titles(&conversation),
        ["Rate limit reached: primary window"]
    );
}

#[test]
fn another_agents_words_are_a_prompt_of_it() {
    let conversation = read(&[item(
        json!({"type": "agent_message", "author": "/lead", "recipient": "/lead/tern", "content": [{"type": "input_text", "text": "look"}, {"type": "encrypted_content", "encrypted_content": "x"}]}),
    )]);
    assert_eq!(
        prompts(&conversation)[0].author,
        Author::Agent(Some("/lead".into()))
    );
}

#[test]
fn context_without_a_prompt_stands_before_the_reply() {
    let goal = "<goal_context>\nKeep the light on.\n</goal_context>";
    let conversation = read(&[
        event(json!({"type": "task_started", "turn_id": "1"})),
        user(goal),
        assistant("It is on."),
        event(json!({"type": "task_complete", "turn_id": "1"})),
    ]);
    let is_notice = |entry: &Entry| matches!(entry, Entry::Notice(_));
    let order: Vec<_> = conversation.entries.iter().map(is_notice).collect();
    assert_eq!(order, [true, false]);
}
