//! What each fact of the rows becomes.

use super::*;
use crate::model::{Body, Input, Notice, NoticeKind, Part, Reply, ReplyStatus, ToolCall};
use crate::source::File;

fn read(text: &str) -> (Conversation, Vec<String>) {
    let file = File::in_memory("f.jsonl".into(), "f.jsonl".into(), text.into());
    let head = Head::of(&file).expect("memory can be read");
    assert!(Dispatch.recognises(&head), "{head:?}");
    let reading = Dispatch.read(&Source::single(file));
    let problems = reading.problems.iter().map(ToString::to_string).collect();
    (reading.conversation.expect("a conversation"), problems)
}

fn row(seq: u64, role: &str, chunk: &str) -> String {
    format!("{{\"seq\":{seq},\"role\":\"{role}\",\"chunk\":{{{chunk}}}}}\n")
}

fn text(seq: u64, role: &str, text: &str) -> String {
    row(seq, role, &format!(r#""type":"text","text":"{text}""#))
}

fn call(seq: u64, id: &str, input: &str) -> String {
    let chunk = format!(r#""type":"tool-call","toolCallId":"{id}","toolName":"t","input":{input}"#);
    row(seq, "assistant", &chunk)
}

fn result(seq: u64, id: &str, content: &str) -> String {
    let chunk = format!(
        r#""type":"tool-result","toolCallId":"{id}","toolName":"t","content":"{content}","isError":false"#
    );
    row(seq, "tool", &chunk)
}

fn replies(conversation: &Conversation) -> Vec<&Reply> {
    let entries = conversation.entries.iter();
    let replies = entries.filter_map(|entry| match entry {
        Entry::Reply(reply) => Some(reply),
        _ => None,
    });
    replies.collect()
}

fn calls(conversation: &Conversation) -> Vec<&ToolCall> {
    let parts = replies(conversation).into_iter().flat_map(|r| &r.parts);
    let calls = parts.filter_map(|part| match part {
        Part::Tool(call) => Some(call.as_ref()),
        _ => None,
    });
    calls.collect()
}

fn result_text(call: &ToolCall) -> Option<&str> {
    call.result.as_ref().map(|result| result.text.as_str())
}

#[test]
fn a_call_and_its_result_are_one_card_wherever_they_stand() {
    let (conversation, problems) = read(
        &[
            text(1, "user", "go"),
            call(2, "a", "{}"),
            call(3, "b", r#"{"x":1}"#),
            text(4, "assistant", "waiting"),
            result(5, "b", "two"),
            text(6, "user", "and?"),
            result(7, "a", "one"),
        ]
        .concat(),
    );
    let calls = calls(&conversation);
    assert_eq!(calls.len(), 2);
    assert_eq!(
        (calls[0].id.as_str(), result_text(calls[0])),
        ("a", Some("one"))
    );
    assert_eq!(
        (calls[1].id.as_str(), result_text(calls[1])),
        ("b", Some("two"))
    );
    assert_eq!(calls[1].input, Some(Input::Json(r#"{"x":1}"#.into())));
    assert_eq!(problems, [""; 0]);
    assert_eq!(replies(&conversation)[0].status, ReplyStatus::Unknown);
}

#[test]
fn a_result_before_its_call_folds_into_it() {
    let (conversation, _) = read(&[result(1, "a", "one"), call(2, "a", "{}")].concat());
    let calls = calls(&conversation);
    assert_eq!(calls.len(), 1);
    assert_eq!(result_text(calls[0]), Some("one"));
}

#[test]
fn a_result_without_its_call_stands_at_its_place_with_its_name() {
    let (conversation, problems) = read(
        &[
            result(7, "gone", "late"),
            text(8, "assistant", "so"),
            result(9, "gone", "later"),
        ]
        .concat(),
    );
    let calls = calls(&conversation);
    assert_eq!(calls.len(), 1);
    assert_eq!((calls[0].name.as_str(), &calls[0].input), ("t", &None));
    assert_eq!(calls[0].more_results[0].text, "later");
    assert!(matches!(&conversation.entries[0], Entry::Notice(notice)
        if notice.title == "Not in this file: rows 1–6"));
    assert_eq!(problems, ["f.jsonl:1: note: no rows 1–6 in this file"]);
}

#[test]
fn one_id_is_one_card_and_nothing_is_lost() {
    let (conversation, _) = read(
        &[
            call(1, "a", r#"{"n":1}"#),
            call(2, "a", r#"{"n":1}"#),
            call(3, "a", r#"{"n":2}"#),
            result(4, "a", "first"),
            result(5, "a", "second"),
        ]
        .concat(),
    );
    let calls = calls(&conversation);
    assert_eq!(calls.len(), 1);
    assert_eq!(result_text(calls[0]), Some("first"));
    assert_eq!(calls[0].more_results.len(), 1);
    let again = Notice::new(NoticeKind::Info, "Called again under the same id");
    assert_eq!(
        calls[0].notices,
        [again.with_body(Body::Data(r#"{"n":2}"#.into()))]
    );
}

#[test]
fn calls_without_an_id_each_have_their_card() {
    let (conversation, _) =
        read(&[call(1, "", "1"), call(2, "", "2"), result(3, "", "x")].concat());
    assert_eq!(calls(&conversation).len(), 3);
}

#[test]
fn errors_and_remarks_stand_in_the_flow() {
    let error = row(
        3,
        "assistant",
        r#""type":"error","message":"overloaded","code":"529""#,
    );
    let (conversation, _) = read(
        &[
            row(
                1,
                "system",
                r#""type":"system","text":"You are a careful assistant.\nBe brief.""#,
            ),
            text(2, "user", "hi"),
            error,
            row(4, "system", r#""type":"system","text":"Model changed""#),
            row(5, "assistant", r#""type":"plan","items":[1]"#),
            row(6, "assistant", r#""type":"thinking","text":"hm""#),
        ]
        .concat(),
    );
    let Entry::Notice(first) = &conversation.entries[0] else {
        panic!("{:?}", conversation.entries[0]);
    };
    assert_eq!(
        (first.kind, first.title.as_str()),
        (NoticeKind::Context, "System message")
    );
    let parts = &replies(&conversation)[0].parts;
    assert_eq!(
        parts[0],
        Part::Error {
            message: "overloaded".into(),
            code: Some("529".into())
        }
    );
    assert_eq!(
        parts[1],
        Part::Notice(Notice::new(NoticeKind::Info, "Model changed"))
    );
    let unknown = Notice::new(NoticeKind::Unknown, "Unknown chunk: plan");
    let json = r#"{"type":"plan","items":[1]}"#;
    assert_eq!(
        parts[2],
        Part::Notice(unknown.with_body(Body::Data(json.into())))
    );
    assert!(matches!(&parts[3], Part::Reasoning(reasoning) if reasoning.ms.is_none()));
}

#[test]
fn rows_of_one_message_are_one_prompt() {
    let (conversation, _) = read(&[text(1, "user", "one"), text(2, "user", "two")].concat());
    assert!(
        matches!(conversation.entries.as_slice(), [Entry::Prompt(prompt)]
        if prompt.parts.len() == 2 && prompt.id.is_empty())
    );
}

#[test]
fn a_missing_row_is_said_and_a_broken_line_only_once() {
    let (conversation, problems) = read(
        &[
            text(1, "user", "hi"),
            text(3, "assistant", "yes"),
            "{\"seq\":4,\"ro\n".into(),
            text(5, "assistant", "no"),
        ]
        .concat(),
    );
    let titles: Vec<_> = conversation
        .entries
        .iter()
        .flat_map(|entry| match entry {
            Entry::Notice(notice) => vec![notice.title.as_str()],
            Entry::Reply(reply) => reply
                .parts
                .iter()
                .filter_map(|part| match part {
                    Part::Notice(notice) => Some(notice.title.as_str()),
                    _ => None,
                })
                .collect(),
            _ => Vec::new(),
        })
        .collect();
    assert_eq!(
        titles,
        ["Not in this file: row 2", "Line 3 could not be read"]
    );
    assert_eq!(problems.len(), 2, "{problems:?}");
}

#[test]
fn a_document_gives_title_id_and_metrics() {
    let rows = [text(1, "user", "hi"), text(2, "assistant", "yes")];
    let rows = rows.each_ref().map(|row| row.trim_end()).join(",\n");
    let (conversation, problems) = read(&format!(
        r#"{{"conversationId":"c1","title":"A talk","chunks":[
        {rows}, {{"seq":3}}],
        "metrics":[{{"turnId":"t1","usage":{{"inputTokens":9,"outputTokens":3}},"durationMs":2500,"steps":[]}}]}}"#
    ));
    assert_eq!(conversation.id, "c1");
    assert!(matches!(&conversation.entries[0], Entry::Prompt(prompt) if prompt.id == "c1/1"));
    assert_eq!(conversation.heading(), Some("A talk"));
    let reply = replies(&conversation)[0];
    assert_eq!(reply.ms, Some(2500));
    assert_eq!(reply.usage.map(|usage| usage.total()), Some(12));
    assert_eq!(
        conversation.unshown.get("records without a chunk"),
        Some(&1)
    );
    assert_eq!(problems, [""; 0]);
}

#[test]
fn an_array_of_rows_is_read_too() {
    let row = text(1, "user", "hi");
    assert_eq!(read(&format!("[{}]", row.trim_end())).0.entries.len(), 1);
    assert_eq!(read(&row).0.entries.len(), 1);
}

#[test]
fn other_files_are_not_recognised() {
    for other in [
        r#"{"seq":1,"type":"user"}"#,
        r#"{"seq":"1","chunk":{"type":"text"}}"#,
        r#"{"chunks":[{"text":"x"}]}"#,
        r#"{"seq":1.5,"chunk":{"type":"text"}}"#,
    ] {
        let file = File::in_memory("f".into(), "f".into(), other.into());
        let head = Head::of(&file).expect("memory can be read");
        assert!(!Dispatch.recognises(&head), "{other}");
    }
}
