//! What each fact of the format becomes.

use serde_json::{Value, json};

use super::Claude;
use crate::formats::outline::{call, outline, replies};
use crate::formats::{Format, Head, Reading, apart};
use crate::model::{Conversation, Entry, Input, Part, ReplyStatus};
use crate::source::{File, Source};

fn file(name: &str, document: &Value) -> File {
    let name = name.to_owned();
    File::in_memory(name.clone(), name, document.to_string().into_bytes())
}

fn read_all(source: Source) -> Vec<Reading> {
    let (sources, problem) = apart(source, &Claude);
    assert!(problem.is_none());
    sources.iter().map(|source| Claude.read(source)).collect()
}

fn conversation(document: &Value) -> Conversation {
    let file = file("c.json", document);
    let head = Head::of(&file).expect("memory can be read");
    assert!(Claude.recognises(&head), "it is recognised");
    let mut readings = read_all(Source::single(file));
    let reading = readings.pop().expect("there is one");
    reading.conversation.expect("something is said")
}

fn document(messages: Value) -> Value {
    json!({"uuid": "c1", "name": "Beds", "chat_messages": messages})
}

fn human(id: &str, parent: &str, words: &str) -> Value {
    message(
        "human",
        id,
        parent,
        json!([{"type": "text", "text": words}]),
    )
}

fn message(sender: &str, id: &str, parent: &str, content: Value) -> Value {
    let mut message = json!({
        "uuid": id, "sender": sender, "text": "a copy", "content": content,
        "created_at": "2026-03-01T10:00:00.000000Z", "attachments": [], "files": [],
    });
    if !parent.is_empty() {
        message["parent_message_uuid"] = parent.into();
    }
    message
}

/// The conversation of one reply with these blocks.
fn reply(blocks: Value) -> Conversation {
    conversation(&document(json!([
        human("m1", "", "Dig."),
        message("assistant", "m2", "", blocks)
    ])))
}

fn text(words: &str) -> Value {
    json!({"type": "text", "text": words})
}

fn used(name: &str, input: Value) -> Value {
    json!({"type": "tool_use", "name": name, "input": input})
}

fn gave(name: &str, words: &str) -> Value {
    json!({"type": "tool_result", "name": name, "content": [text(words)]})
}

fn with(mut block: Value, key: &str, value: &str) -> Value {
    block[key] = value.into();
    block
}

/// Each call with the text of its result.
fn calls(conversation: &Conversation) -> Vec<String> {
    let parts = replies(conversation).flat_map(|reply| &reply.parts);
    let told = parts.filter_map(|part| match part {
        Part::Tool(call) => {
            let input = match &call.input {
                Some(Input::Json(json)) => json.as_str(),
                Some(Input::Text(text)) => text.as_str(),
                None => "-",
            };
            let result = call.result.as_ref().map_or("-", |result| &result.text);
            Some(format!("{input}={result}"))
        }
        _ => None,
    });
    told.collect()
}

#[test]
fn each_conversation_of_an_array_is_a_source_of_its_own() {
    let one = document(json!([human("m1", "", "One.")]));
    let none = json!({"uuid": "c2", "name": "", "chat_messages": []});
    let readings = read_all(Source::single(file(
        "conversations.json",
        &json!([one, none]),
    )));
    assert_eq!(readings.len(), 2);
    assert!(readings[0].conversation.is_some());
    assert!(readings[1].conversation.is_none());
    assert_eq!(readings[1].problems.len(), 1, "that nobody said anything");
}

#[test]
fn the_flat_text_is_used_only_where_no_block_can_be_read() {
    let thinking = json!({"type": "thinking", "thinking": "Deep?"});
    let read = reply(json!([thinking, text("Yes.")]));
    assert_eq!(outline(&read)[1], "Complete: thought, \"Yes.\"");
    for content in [
        json!([]),
        Value::Null,
        json!([{"type": "text", "text": null}]),
    ] {
        let read = conversation(&document(json!([message("human", "m1", "", content)])));
        assert_eq!(outline(&read), ["person: \"a copy\""]);
    }
    let read = conversation(&document(json!([message(
        "human",
        "m1",
        "",
        json!("as it is")
    )])));
    assert_eq!(outline(&read), ["person: \"as it is\""]);
}

#[test]
fn results_are_paired_by_id_whatever_their_order() {
    let read = reply(json!([
        with(used("web_search", json!({"query": "a"})), "id", "t1"),
        used("web_search", json!({"query": "b", "_tool_call_id": "t2"})),
        with(gave("web_search", "of b"), "tool_use_id", "t2"),
        with(gave("web_search", "of a"), "tool_use_id", "t1"),
        with(gave("web_search", "of nobody"), "tool_use_id", "t9"),
    ]));
    let expected = [
        "{\"query\":\"a\"}=of a",
        "{\"query\":\"b\",\"_tool_call_id\":\"t2\"}=of b",
        "-=of nobody",
    ];
    assert_eq!(calls(&read), expected);
}

#[test]
fn results_without_ids_are_paired_only_where_nothing_else_can_be_meant() {
    let alternating = reply(json!([
        used("x", json!({"n": 1})),
        gave("x", "one"),
        used("x", json!({"n": 2})),
        text("and"),
        gave("", "two"),
    ]));
    assert_eq!(calls(&alternating), ["{\"n\":1}=one", "{\"n\":2}=two"]);
    let by_name = reply(json!([
        used("x", json!({"n": 1})),
        used("y", json!({"n": 2})),
        gave("y", "of y"),
        gave("x", "of x"),
    ]));
    assert_eq!(calls(&by_name), ["{\"n\":1}=of x", "{\"n\":2}=of y"]);
    let unclear = reply(json!([
        used("x", json!({"n": 1})),
        used("x", json!({"n": 2})),
        gave("x", "first to end"),
        gave("x", "second to end"),
    ]));
    let expected = [
        "{\"n\":1}=-",
        "{\"n\":2}=-",
        "-=first to end",
        "-=second to end",
    ];
    assert_eq!(calls(&unclear), expected);
}

#[test]
fn a_call_that_nothing_follows_was_stopped() {
    let status = |blocks: Value| {
        let read = reply(blocks);
        replies(&read).next().map(|reply| reply.status)
    };
    let open = used("launch_extended_search_task", json!({}));
    assert_eq!(
        status(json!([open, text("")])),
        Some(ReplyStatus::Cancelled)
    );
    assert_eq!(
        status(json!([open, text("Done.")])),
        Some(ReplyStatus::Complete)
    );
}

#[test]
fn a_thought_took_the_time_between_its_stamps_and_begins_with_its_last_summary() {
    let read = reply(json!([{
        "type": "thinking", "thinking": "Worms.",
        "summaries": [{"summary": "Soil"}, {"summary": "Worms in soil"}],
        "start_timestamp": "2026-03-01T10:00:00.500000Z",
        "stop_timestamp": "2026-03-01T10:00:02.750000Z",
    }]));
    let Some(Part::Reasoning(thought)) =
        replies(&read).next().and_then(|reply| reply.parts.first())
    else {
        panic!("a thought is read");
    };
    assert_eq!(thought.ms, Some(2_250));
    assert_eq!(thought.text, "**Worms in soil**\n\nWorms.");
}

#[test]
fn the_branch_of_the_newest_message_is_read_unless_the_file_says_which_was_shown() {
    let root = "00000000-0000-4000-8000-000000000000";
    let mut tree = document(json!([
        human("m1", root, "One."),
        message("assistant", "m2", "m1", json!([text("Two.")])),
        human("m3", "m2", "Three."),
        human("m4", "m2", "Four."),
    ]));
    let expected = [
        "person: \"One.\"",
        "Complete: \"Two.\"",
        "version",
        "  person: \"Three.\"",
        "person: \"Four.\"",
    ];
    assert_eq!(outline(&conversation(&tree)), expected);
    tree["current_leaf_message_uuid"] = "m3".into();
    assert_eq!(outline(&conversation(&tree))[4], "person: \"Three.\"");
}

#[test]
fn documents_have_versions_and_an_unclear_change_has_no_text() {
    let input = |value: Value| used("artifacts", value);
    let read = reply(json!([
        input(json!({"id": "p", "command": "create", "title": "Plan", "content": "dig here"})),
        gave("artifacts", "OK"),
        input(json!({"id": "p", "command": "update", "old_str": "here", "new_str": "there"})),
        gave("artifacts", "OK"),
        input(json!({"id": "p", "command": "update", "old_str": "gone", "new_str": "back"})),
        gave("artifacts", "OK"),
    ]));
    let parts = replies(&read).flat_map(|reply| &reply.parts);
    let versions = parts.filter_map(|part| match part {
        Part::Tool(call) => {
            let details = call.result.as_ref()?.details.as_deref()?;
            let document = details.document.as_ref()?;
            Some((
                document.version,
                document.title.as_deref()?,
                document.text.as_deref(),
            ))
        }
        _ => None,
    });
    let versions: Vec<_> = versions.collect();
    let expected = [
        (1, "Plan", Some("dig here")),
        (2, "Plan", Some("dig there")),
        (3, "Plan", None),
    ];
    assert_eq!(versions, expected);
}

#[test]
fn documents_in_older_words_are_documents_and_imitations_stay_text() {
    let words = "So:\n<antArtifact identifier=\"a\" type=\"text/html\" title=\"A\">\n<p>x\n</antArtifact>\nThere.";
    let read = reply(json!([text(words)]));
    assert_eq!(
        call(&read, "artifacts").input,
        Some(Input::Json(
            r#"{"id":"a","command":"create","type":"text/html","title":"A","content":"<p>x"}"#
                .into()
        ))
    );
    let told = conversation(&document(json!([human("m1", "", words)])));
    let Some(Entry::Prompt(prompt)) = told.entries.first() else {
        panic!("a prompt is read");
    };
    assert_eq!(prompt.parts, [Part::Text(words.to_owned())]);
    let fenced = format!("```\n{words}\n```");
    let read = reply(json!([text(&fenced)]));
    assert_eq!(calls(&read).len(), 0);
}

#[test]
fn results_that_may_be_of_several_calls_say_so() {
    let read = reply(json!([
        used("x", json!({"a": 1})),
        used("x", json!({"a": 2})),
        gave("x", "one"),
        gave("x", "two"),
    ]));
    let parts = &replies(&read).next().expect("a reply").parts;
    let told = parts.iter().filter_map(|part| match part {
        Part::Tool(call) => Some(call.notices.first()?.title.as_str()),
        _ => None,
    });
    let below = "Which of the results below it has is not recorded";
    let above = "Which of the calls above this answers is not recorded";
    assert_eq!(told.collect::<Vec<_>>(), [below, below, above, above]);
}

#[test]
fn links_that_the_program_showed_are_its_result() {
    let shown = json!({"type": "rich_content", "content": [
        {"title": "A", "url": "https://example.com/a", "subtitles": ["old"]}]});
    let read = reply(json!([
        used("x", json!({})),
        {"type": "tool_result", "name": "x", "content": [], "display_content": shown},
    ]));
    let result = call(&read, "x").result.as_ref().expect("a result");
    assert_eq!(result.text, "A · https://example.com/a · old");
}

#[test]
fn wrappers_around_outputs_are_undone() {
    let output = |name: &str, words: &str| {
        let read = reply(json!([used(name, json!({})), gave(name, words)]));
        let result = call(&read, name).result.clone().expect("there is a result");
        (result.text, result.is_error)
    };
    let shell = r#"{"returncode":2,"stdout":"a\n","stderr":"b\n"}"#;
    assert_eq!(output("bash_tool", shell), ("a\nb".to_owned(), true));
    let code = r#"{"status":"success","result":null,"logs":["2","3"]}"#;
    assert_eq!(output("repl", code), ("2\n3".to_owned(), false));
    let other = r#"{"stdout":"a","more":1}"#;
    assert_eq!(output("x", other), (other.to_owned(), false));
}

#[test]
fn found_pages_are_hits_and_name_what_is_cited() {
    let page =
        json!({"type": "knowledge", "title": "A", "url": "https://example.com/a", "text": "words"});
    let cited = json!({"details": {"type": "web_search_citation", "url": "https://example.com/a"}});
    let read = reply(json!([
        used("web_search", json!({"query": "q"})),
        {"type": "tool_result", "name": "web_search", "content": [page]},
        {"type": "text", "text": "So.", "citations": [cited, cited]},
    ]));
    let result = call(&read, "web_search").result.as_ref().expect("a result");
    let hits = result
        .details
        .as_ref()
        .and_then(|details| details.hits.as_ref());
    assert_eq!(hits.map(Vec::len), Some(1));
    let sources = &replies(&read).next().expect("a reply").sources;
    assert_eq!(sources.len(), 1);
    assert_eq!(sources[0].title.as_deref(), Some("A"));
}

#[test]
fn what_a_page_backs_has_a_link_behind_it() {
    let cited = |end: u64, url: &str| {
        json!({"start_index": 0, "end_index": end,
            "details": {"type": "web_search_citation", "url": url}})
    };
    let said = |text: &str, citations: Value| {
        let read = reply(json!([{"type": "text", "text": text, "citations": citations}]));
        let parts = &replies(&read).next().expect("a reply").parts;
        let Some(Part::Text(text)) = parts.first() else {
            panic!("a text");
        };
        text.clone()
    };
    // Places are counted in code points; two pages may back the same words.
    let (a, b) = ("https://www.example.com/a", "https://example.org/b");
    assert_eq!(
        said(
            "🚋 Trams. More.",
            json!([cited(7, a), cited(7, b), cited(7, a)])
        ),
        format!("🚋 Trams ([example.com]({a}), [example.org]({b})). More.")
    );
    for whole in ["🚋 Trams", "`🚋 Tr` ams"] {
        assert_eq!(said(whole, json!([cited(4, a)])), whole);
    }
    assert_eq!(said("Trams", json!([cited(99, a)])), "Trams");
}

#[test]
fn projects_and_memories_are_pages_and_name_a_conversations_project() {
    let mut one = document(json!([human("m1", "", "One.")]));
    one["project_uuid"] = "p1".into();
    let projects = json!([{"uuid": "p1", "name": "Beds", "description": "", "created_at": "2026-03-01T10:00:00Z",
        "prompt_template": "Be brief.", "docs": [{"filename": "a.md", "content": "A"}]}]);
    let memories = json!([{"conversations_memory": "Likes beans.", "account_uuid": "a"}]);
    let mut source = Source::single(file("x/conversations.json", &json!([one])));
    source.members = vec![
        file("x/memories.json", &memories),
        file("x/projects.json", &projects),
    ];
    for member in &source.members {
        let head = Head::of(member).expect("memory can be read");
        assert!(Claude.recognises(&head));
        assert_eq!(Claude.claim(member, &head).key, source.main.name);
    }
    let told: Vec<_> = read_all(source)
        .into_iter()
        .filter_map(|one| one.conversation)
        .collect();
    let titles: Vec<_> = told.iter().filter_map(|one| one.title.as_deref()).collect();
    assert_eq!(titles, ["Beds", "What Claude remembers", "Project: Beds"]);
    assert_eq!(told[0].project.as_deref(), Some("Beds"));
    assert_eq!(
        outline(&told[0])[0],
        "<Context Instructions of the project>"
    );
    let alone = read_all(Source::single(file("x/projects.json", &projects)));
    assert_eq!(alone.len(), 1);
}

#[test]
fn files_of_other_shapes_are_not_its_own() {
    for other in [
        json!([{"title": "x", "chat_messages": [{"text": "a"}]}]),
        json!([{"uuid": "u", "name": "n", "docs": []}]),
        json!({"uuid": "u", "chat_messages": [{"text": "a"}]}),
        json!({"messages": []}),
    ] {
        let head = Head::of(&file("c.json", &other)).expect("memory can be read");
        assert!(!Claude.recognises(&head), "{other}");
    }
}
