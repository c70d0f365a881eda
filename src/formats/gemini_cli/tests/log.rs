//! The log: what replaces, what is taken back, what is summarised.

use super::*;

#[test]
fn a_later_record_of_the_same_id_stands_in_the_place_of_the_first() {
    let records = [
        said("1", 0, "Hi"),
        wrote("2", 1, "I will look."),
        said("3", 2, "Thanks"),
        with(
            wrote("2", 1, "I will look."),
            json!({"toolCalls": [call("c", "glob", 1, "a.rs")]}),
        ),
    ];
    assert_eq!(
        outlined(&records),
        [
            "person: \"Hi\"",
            "Unknown: \"I will look.\", glob → \"a.rs\"",
            "person: \"Thanks\"",
        ]
    );
}

#[test]
fn tokens_of_a_message_that_was_written_twice_count_once() {
    let tokens = json!({"tokens": {"input": 100, "output": 10, "cached": 40, "thoughts": 5,
                                   "tool": 0, "total": 115}});
    let records = [
        said("1", 0, "Hi"),
        wrote("2", 1, "Ho"),
        with(wrote("2", 1, "Ho"), tokens.clone()),
        with(wrote("2", 1, "Ho"), tokens),
    ];
    let conversation = conversation(&records);
    let usage = crate::model::Facts::of(&conversation).usage.expect("known");
    assert_eq!(
        (usage.input, usage.cache_read, usage.output, usage.reasoning),
        (60, 40, 15, 5)
    );
}

#[test]
fn what_was_taken_back_is_a_branch_that_was_left() {
    let records = [
        said("1", 0, "One"),
        wrote("2", 1, "1"),
        said("3", 2, "Two"),
        wrote("4", 3, "2"),
        json!({"$rewindTo": "3"}),
        said("5", 4, "Three"),
        wrote("6", 5, "3"),
    ];
    assert_eq!(
        outlined(&records),
        [
            "person: \"One\"",
            "Complete: \"1\"",
            "version",
            "  person: \"Two\"",
            "  Unknown: \"2\"",
            "person: \"Three\"",
            "Unknown: \"3\"",
        ]
    );
}

#[test]
fn taking_back_twice_leaves_two_branches_and_nothing_after_is_no_loss() {
    let records = [
        said("1", 0, "One"),
        wrote("2", 1, "1"),
        said("3", 2, "Two"),
        json!({"$rewindTo": "3"}),
        said("5", 4, "Three"),
        json!({"$rewindTo": "5"}),
    ];
    assert_eq!(
        outlined(&records)[2..],
        [
            "version",
            "  person: \"Two\"",
            "version",
            "  person: \"Three\"",
        ]
    );
}

#[test]
fn an_unknown_message_takes_everything_back_as_the_program_does() {
    let records = [
        said("1", 0, "One"),
        json!({"$rewindTo": "nobody"}),
        said("2", 1, "Two"),
        json!({"$rewindTo": "1"}),
        said("3", 2, "Three"),
    ];
    assert_eq!(
        outlined(&records),
        [
            "version",
            "  version",
            "    person: \"One\"",
            "  person: \"Two\"",
            "person: \"Three\"",
        ]
    );
}

#[test]
fn an_id_that_was_taken_back_may_come_again() {
    let records = [
        said("1", 0, "One"),
        json!({"$rewindTo": "1"}),
        said("1", 1, "One, again"),
    ];
    assert_eq!(
        outlined(&records),
        ["version", "  person: \"One\"", "person: \"One, again\""]
    );
}

#[test]
fn branches_within_branches_do_not_nest_without_end() {
    let rewinds = (0..200).flat_map(|n| {
        let id = format!("p{n}");
        [said(&id, n, "Again"), json!({"$rewindTo": "nobody"})]
    });
    let lines = outlined(&rewinds.collect::<Vec<_>>());
    let deepest = lines
        .iter()
        .map(|line| line.len() - line.trim_start().len());
    assert!(deepest.max() < Some(80));
    let prompts = lines.iter().filter(|line| line.contains("Again"));
    assert_eq!(prompts.count(), 200);
}

#[test]
fn a_summary_stands_before_the_messages_that_stayed() {
    let snapshot = [json!({"text": "<state_snapshot>All is well.</state_snapshot>"})];
    let kept = with(
        called("4", 3, json!([call("c", "glob", 3, "[masked]")])),
        json!({"content": []}),
    );
    let records = [
        said("1", 0, "One"),
        wrote("2", 1, "1"),
        said("3", 2, "Two"),
        called("4", 3, json!([call("c", "glob", 3, "a long list")])),
        json!({"$set": {"messages": [
            said("5", 4, snapshot.to_vec()),
            wrote("6", 4, "Got it. Thanks for the additional context!"),
            said("3", 2, "Two"),
            kept,
        ]}}),
        said("7", 5, "Three"),
    ];
    let conversation = conversation(&records);
    assert_eq!(
        outline(&conversation),
        [
            "person: \"One\"",
            "Unknown: \"1\"",
            "<Compaction Earlier messages were summarised>",
            "person: \"Two\"",
            "Unknown: glob → \"a long list\"",
            "person: \"Three\"",
        ]
    );
    assert_eq!(
        conversation.unshown["messages that the model was given again"],
        2
    );
}

#[test]
fn a_checkpoint_that_drops_the_last_prompts_takes_them_back() {
    let records = [
        said("1", 0, "One"),
        wrote("2", 1, "1"),
        said("3", 2, "Two"),
        wrote("4", 3, "2"),
        json!({"$set": {"messages": [said("1", 0, "One"), wrote("2", 1, "1")]}}),
        said("5", 4, "Three"),
    ];
    assert_eq!(
        outlined(&records)[2..],
        [
            "version",
            "  person: \"Two\"",
            "  Unknown: \"2\"",
            "person: \"Three\"",
        ]
    );
}

#[test]
fn results_that_are_handed_over_again_stand_once() {
    let records = [
        said("1", 0, "One"),
        called("2", 1, json!([call("c", "glob", 2, "a.rs")])),
        said(
            "3",
            2,
            json!([{"functionResponse": {"id": "c", "name": "glob",
                                         "response": {"output": "a.rs"}}}]),
        ),
        wrote("4", 3, "One file."),
    ];
    let conversation = conversation(&records);
    assert_eq!(
        outline(&conversation)[1..],
        ["Unknown: glob → \"a.rs\", \"One file.\""]
    );
    assert_eq!(conversation.unshown["results given twice"], 1);
}

#[test]
fn facts_of_the_session_are_those_set_last() {
    let records = [
        said("1", 0, "One"),
        json!({"$set": {"summary": "First title"}}),
        json!({"$set": {"summary": "A better title", "directories": ["/home/robin/tea"]}}),
    ];
    let conversation = conversation(&records);
    assert_eq!(conversation.title.as_deref(), Some("A better title"));
    assert_eq!(conversation.project.as_deref(), Some("/home/robin/tea"));
    assert_eq!(conversation.id, "s");
}

#[test]
fn a_bad_line_keeps_the_rest_and_is_marked() {
    let mut text = log(&[said("1", 0, "One"), wrote("2", 1, "1")]);
    text.insert_str(text.find("{\"id\":\"2\"").unwrap_or_default(), "{oops\n");
    text.push_str("{\"id\":\"3\",\"type\":\"us");
    let reading = GeminiCli.read(&Source::single(file("s.jsonl", text)));
    let conversation = reading.conversation.expect("there is a conversation");
    assert_eq!(
        outline(&conversation),
        [
            "person: \"One\"",
            "<Unknown Line 3 could not be read>",
            "Unknown: \"1\"",
            "<Unknown The file ends in the middle of line 5>",
        ]
    );
    assert_eq!(reading.problems.len(), 2);
}

#[test]
fn a_checkpoint_with_other_words_under_an_old_id_shows_them() {
    let records = [
        said("1", 0, "One"),
        wrote("2", 1, "1"),
        json!({"$set": {"messages": [
            said("1", 0, "What was done: one."),
            wrote("2", 1, "1"),
            wrote("9", 2, "Got it. Thanks for the additional context!"),
        ]}}),
        said("3", 3, "Two"),
    ];
    let conversation = conversation(&records);
    assert_eq!(
        outline(&conversation),
        [
            "person: \"One\"",
            "Complete: \"1\"",
            "<Context Other words for an earlier message, for the model from here on>",
            "person: \"Two\"",
        ]
    );
    let unshown: Vec<_> = conversation.unshown.into_iter().collect();
    let count = |kind: &str| (kind.to_owned(), 1);
    assert_eq!(
        unshown,
        [
            count("answers that the program put into the model's mouth"),
            count("messages that the model was given again"),
        ]
    );
}
