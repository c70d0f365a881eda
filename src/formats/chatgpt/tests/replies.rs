//! How replies are put together, how they end, and what was thought.

use super::*;
use crate::model::{Reasoning, ReplyStatus};

fn thoughts(summary: &str, content: &str) -> Value {
    let content = json!({"content_type": "thoughts",
        "thoughts": [{"summary": summary, "content": content}]});
    with(assistant(""), json!({"content": content}))
}

fn recap(words: &str, seconds: Option<u64>) -> Value {
    with(
        assistant(""),
        json!({"content": {"content_type": "reasoning_recap", "content": words},
            "metadata": {"finished_duration_sec": seconds}}),
    )
}

fn thought(reply: &Reply) -> Vec<&Reasoning> {
    let thoughts = reply.parts.iter().filter_map(|part| match part {
        Piece::Reasoning(reasoning) => Some(reasoning),
        _ => None,
    });
    thoughts.collect()
}

#[test]
fn all_from_one_prompt_to_the_next_is_one_reply() {
    let shown = lines(&[
        user("a"),
        assistant("one"),
        assistant(""),
        assistant("two"),
        user("b"),
    ]);
    assert_eq!(
        shown,
        [
            "person: \"a\"",
            "Complete: \"one\", \"two\"",
            "person: \"b\""
        ]
    );
}

#[test]
fn a_stopped_reply_says_that_it_was_finished() {
    let finish = |kind: &str| json!({"metadata": {"finish_details": {"type": kind, "reason": "client_stopped"}}});
    let stopped = reply(&[with(assistant("half"), finish("interrupted"))]);
    assert_eq!(stopped.status, ReplyStatus::Cancelled);
    let cut = reply(&[with(assistant("long"), finish("max_tokens"))]);
    assert_eq!(cut.status, ReplyStatus::Complete);
    assert!(matches!(cut.parts.last(), Some(Piece::Notice(_))));
    let open = reply(&[with(assistant("half"), json!({"status": "in_progress"}))]);
    assert_eq!(open.status, ReplyStatus::Unknown);
}

#[test]
fn models_are_those_of_the_messages_before_that_of_the_conversation() {
    let slug = |slug: &str| json!({"metadata": {"model_slug": slug}});
    let reply = reply(&[
        with(assistant("a"), slug("one")),
        with(assistant("b"), slug("two")),
        with(assistant("c"), slug("one")),
    ]);
    assert_eq!(reply.models, ["one", "two"]);
    let whole = with(
        chain(&[user("a"), assistant("b")]),
        json!({"default_model_slug": "three"}),
    );
    let conversation = read_with(&whole.to_string(), &[])
        .0
        .expect("a conversation");
    let Some(Entry::Reply(reply)) = conversation.entries.last() else {
        panic!("a reply");
    };
    assert_eq!(reply.models, ["three"]);
}

#[test]
fn what_was_thought_has_its_headings_and_its_time() {
    let reply = reply(&[
        thoughts("Planning", "First the tide."),
        call("python", "1 + 1"),
        result(
            "python",
            json!({"content_type": "execution_output", "text": "2"}),
        ),
        thoughts("", "Then the moon."),
        recap("Thought for 1m 12s", Some(72)),
        assistant("done"),
    ]);
    let thought = thought(&reply);
    assert_eq!(thought[0].text, "**Planning**\n\nFirst the tide.");
    assert_eq!((thought[0].ms, thought[1].ms), (None, Some(72_000)));
    assert_eq!(thought.len(), 2);
}

#[test]
fn words_on_the_way_do_not_part_thoughts_from_their_time() {
    let on_the_way = with(assistant("Let me look."), json!({"channel": "commentary"}));
    let told = recap("Thought for 12s", Some(12));
    let read = reply(&[
        thoughts("", "Hm."),
        on_the_way,
        told.clone(),
        assistant("done"),
    ]);
    let times: Vec<_> = thought(&read).iter().map(|one| one.ms).collect();
    assert_eq!(times, [Some(12_000)]);
    // Behind an answer it is of other thoughts.
    let read = reply(&[thoughts("", "Hm."), assistant("done"), told]);
    assert_eq!(thought(&read).len(), 2);
}

#[test]
fn a_time_without_thoughts_is_hidden_thought_and_words_without_a_time_stand_as_they_are() {
    let hidden = reply(&[recap("Thought for 12s", Some(12)), assistant("done")]);
    assert_eq!(
        thought(&hidden),
        [&Reasoning {
            ms: Some(12_000),
            ..Reasoning::default()
        }]
    );
    let foreign = recap("Pensó durante un momento", None);
    let shown = lines(&[user("a"), foreign, assistant("b")]);
    assert_eq!(shown[1], "Complete: <Info Pensó durante un momento>, \"b\"");
}

#[test]
fn the_first_reasoning_models_thought_in_a_tool() {
    let reasoned = |finished: &str| {
        with(
            result("a8km123", text("Weighing it.")),
            json!({"metadata": {"initial_text": "Reasoning", "finished_text": finished}}),
        )
    };
    let reply = reply(&[
        reasoned("Reasoned for 13 seconds"),
        reasoned("Thought for 1m 5s"),
        reasoned("Thought about it"),
        assistant("done"),
    ]);
    let times: Vec<_> = thought(&reply).iter().map(|thought| thought.ms).collect();
    assert_eq!(times, [Some(13_000), Some(65_000), None]);
    assert_eq!(
        thought(&reply)[2].text,
        "**Thought about it**\n\nWeighing it."
    );
}

#[test]
fn the_channel_of_thoughts_is_no_answer() {
    let reply = reply(&[
        with(assistant("hm"), json!({"channel": "analysis"})),
        with(assistant("wait"), json!({"channel": "commentary"})),
        with(assistant("so"), json!({"channel": "final"})),
    ]);
    assert_eq!(words(&reply), "wait|so");
    assert_eq!(thought(&reply)[0].text, "hm");
}

#[test]
fn code_that_is_no_call_is_a_block_of_code() {
    let content = json!({"content_type": "code", "language": "rust", "text": "let a = \"```\";\n"});
    let reply = reply(&[with(assistant(""), json!({"content": content}))]);
    assert_eq!(words(&reply), "````rust\nlet a = \"```\";\n````");
}
