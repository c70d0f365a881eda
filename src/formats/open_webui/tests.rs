//! What each fact of the format becomes.

use serde_json::{Value, json};

use super::OpenWebUi;
use crate::formats::outline::{call, outline, replies};
use crate::formats::{Format, Head, apart};
use crate::model::{Conversation, Input, Part, ReplyStatus, ToolResult};
use crate::source::{File, Source};

fn all(document: &Value) -> Vec<Conversation> {
    let bytes = document.to_string().into_bytes();
    let file = File::in_memory("o.json".into(), "o.json".into(), bytes);
    let head = Head::of(&file).expect("memory can be read");
    assert!(OpenWebUi.recognises(&head), "it is recognised");
    let (sources, problem) = apart(Source::single(file), &OpenWebUi);
    assert!(problem.is_none());
    let readings = sources.iter().map(|source| OpenWebUi.read(source));
    readings
        .filter_map(|reading| reading.conversation)
        .collect()
}

fn row(messages: Value, shown: &str) -> Value {
    json!({"id": "c", "title": "Beds", "chat": {"history": {"messages": messages, "currentId": shown}}})
}

/// The conversation of one reply with these fields.
fn reply(more: Value) -> Conversation {
    let mut reply = json!({"id": "a", "parentId": "u", "role": "assistant", "content": "",
        "model": "sonata", "timestamp": 1_772_359_260, "done": true});
    for (key, value) in more.as_object().expect("an object") {
        reply[key] = value.clone();
    }
    let prompt = json!({"id": "u", "parentId": null, "role": "user", "content": "Dig.", "timestamp": 1_772_359_200});
    let mut all = all(&json!([row(json!({"u": prompt, "a": reply}), "a")]));
    assert_eq!(all.len(), 1);
    all.remove(0)
}

fn said(content: &str) -> Conversation {
    reply(json!({ "content": content }))
}

fn parts(conversation: &Conversation) -> &[Part] {
    &replies(conversation).next().expect("a reply").parts
}

fn result<'a>(conversation: &'a Conversation, name: &str) -> &'a ToolResult {
    call(conversation, name).result.as_ref().expect("a result")
}

#[test]
fn attributes_are_decoded_twice() {
    let read = said(concat!(
        "Look:\n<details type=\"tool_calls\" done=\"true\" id=\"t\" name=\"x\" ",
        "arguments=\"&quot;{\\&quot;a\\&quot;: \\&quot;\\u00fc &lt;b&gt; &amp;amp;\\&quot;}&quot;\" ",
        "result=\"&quot;[1, \\&quot;&gt;\\&quot;]&quot;\" files=\"\">\n<summary>Tool Executed</summary>\n</details>\nSo.",
    ));
    let call = call(&read, "x");
    assert_eq!(
        call.input,
        Some(Input::Json(
            "{\"a\": \"\\u00fc <b> &amp;\"}".replace("\\u00fc", "ü")
        ))
    );
    assert_eq!(result(&read, "x").text, "[1, \">\"]");
    assert_eq!(call.id, "t");
    assert_eq!(parts(&read).len(), 3);
}

#[test]
fn attributes_in_other_forms_are_taken_as_they_are() {
    let of = |arguments: &str| {
        let read = said(&format!(
            "<details type=\"tool_calls\" name=\"x\" arguments=\"{arguments}\">\nin the body\n</details>"
        ));
        assert_eq!(result(&read, "x").text, "in the body");
        call(&read, "x").input.clone()
    };
    assert_eq!(
        of("{&quot;a&quot;:1}"),
        Some(Input::Json("{\"a\":1}".into()))
    );
    assert_eq!(
        of("&quot;{\\&quot;a\\&quot;:&quot;"),
        Some(Input::Text("{\"a\":".into()))
    );
    assert_eq!(of("oops"), Some(Input::Text("oops".into())));
}

#[test]
fn a_call_that_is_not_done_has_no_result() {
    let read = said(
        "<details type=\"tool_calls\" done=\"false\" name=\"x\" arguments=\"&quot;{}&quot;\">\n<summary>Executing...</summary>\n</details>",
    );
    assert!(call(&read, "x").result.is_none());
}

#[test]
fn thoughts_are_unquoted_in_both_writings() {
    for body in ["> One.\n> Two < three.", "&gt; One.\n&gt; Two &lt; three."] {
        let read = said(&format!(
            "<details type=\"reasoning\" done=\"true\" duration=\"7\">\n<summary>Thought for 7 seconds</summary>\n{body}\n</details>\nSo."
        ));
        let Part::Reasoning(thought) = &parts(&read)[0] else {
            panic!("a thought is read");
        };
        assert_eq!(
            (thought.text.as_str(), thought.ms),
            ("One.\nTwo < three.", Some(7_000))
        );
    }
    let read = said("<think>\nhm\n</think>\n\nSo.");
    assert_eq!(outline(&read)[1], "Complete: thought, \"So.\"");
}

#[test]
fn code_is_shown_with_what_it_printed() {
    let read = said(
        "<details type=\"code_interpreter\" done=\"true\" output=\"{&quot;stdout&quot;: &quot;45\\n![Output Image](/files/1.png)&quot;, &quot;stderr&quot;: &quot;&quot;, &quot;result&quot;: null}\">\n<summary>Analyzed</summary>\n```python\nprint(45)\n```\n</details>",
    );
    assert_eq!(
        call(&read, "code_interpreter").input,
        Some(Input::Json(
            r#"{"code":"print(45)","language":"python"}"#.into()
        ))
    );
    let result = result(&read, "code_interpreter");
    assert_eq!((result.text.as_str(), result.images.len()), ("45", 1));
}

#[test]
fn elements_of_others_and_in_code_stay_text() {
    for words in [
        "<details>\n<summary>More</summary>\nwords\n</details>",
        "<details type=\"pipe\">\nwords\n</details>",
        "```html\n<details type=\"tool_calls\" name=\"x\" arguments=\"\">\n</details>\n```",
        "See <details type=\"reasoning\">\n> x\n</details>",
        "<details type=\"reasoning\">\n> never closed",
    ] {
        assert_eq!(parts(&said(words)), [Part::Text(words.to_owned())]);
    }
}

#[test]
fn items_go_before_the_text_and_are_paired_by_id() {
    let read = reply(
        json!({"content": "<details type=\"reasoning\">\n> copy\n</details>copy", "output": [
            {"type": "reasoning", "content": [{"text": "hm"}], "summary": null, "started_at": 10.0, "ended_at": 12.5, "duration": 2},
            {"type": "function_call", "call_id": "1", "name": "x", "arguments": "{\"n\":1}"},
            {"type": "function_call", "call_id": "2", "name": "y", "arguments": "{}"},
            {"type": "function_call_output", "call_id": "2", "output": [{"type": "input_text", "text": "of y"}]},
            {"type": "function_call_output", "call_id": "1", "output": [{"type": "input_text", "text": "of x"}]},
            {"type": "function_call", "call_id": "3", "name": "z", "arguments": "{}", "status": "in_progress"},
            {"type": "message", "content": [{"type": "output_text", "text": "So."}]},
            {"type": "reasoning", "content": null},
        ]}),
    );
    assert_eq!(
        (
            result(&read, "x").text.as_str(),
            result(&read, "y").text.as_str()
        ),
        ("of x", "of y")
    );
    assert!(call(&read, "z").result.is_none());
    assert_eq!(parts(&read).len(), 6);
}

#[test]
fn documents_have_the_names_and_numbers_that_they_are_cited_by() {
    let about = json!([{"name": "A", "source": "https://example.com/a"}, {"name": "notes B"}]);
    let read = reply(json!({
        "content": "So [2,1] and [2].",
        "sources": [{"source": {"name": "search"}, "document": ["one", "two"], "metadata": about}],
    }));
    let Part::Text(text) = &parts(&read)[0] else {
        panic!("words are read");
    };
    assert_eq!(
        text,
        "So \\[2\\][\\[1\\]](<https://example.com/a>) and [2]."
    );
    let Part::File(file) = &parts(&read)[1] else {
        panic!("a document");
    };
    assert_eq!(
        (file.name.as_str(), file.note.as_deref()),
        ("notes B", Some("cited as [2]"))
    );
}

#[test]
fn numbers_of_sources_become_links() {
    let page = |name: &str, url: &str| {
        json!({"source": {"name": "search"}, "document": ["d"],
        "metadata": [{"name": name, "source": url}]})
    };
    let read = reply(json!({
        "content": "So [1], [1,2] and [2#a]. Not [4], [1](x), `[1]`:\n```\n[1]\n```",
        "sources": [page("A", "https://example.com/a"), page("B", "https://example.com/b"),
            {"source": {"name": "notes.md"}, "document": ["words"], "metadata": [{}]}],
    }));
    let Part::Text(text) = &parts(&read)[0] else {
        panic!("words are read");
    };
    let (a, b) = (
        "[\\[1\\]](<https://example.com/a>)",
        "[\\[2\\]](<https://example.com/b>)",
    );
    assert_eq!(
        text,
        &format!("So {a}, {a}{b} and {b}. Not [4], [1](x), `[1]`:\n```\n[1]\n```")
    );
    assert!(matches!(&parts(&read)[1], Part::File(file) if file.text.as_deref() == Some("words")));
    assert_eq!(
        replies(&read).next().map(|reply| reply.sources.len()),
        Some(2)
    );
}

#[test]
fn searches_of_the_program_are_a_card_unless_the_model_searched() {
    let history = json!([
        {"action": "web_search", "description": "Generating search query", "done": false},
        {"action": "web_search_queries_generated", "queries": ["q"], "done": false},
        {"action": "web_search", "urls": ["https://example.com/a"], "query": "q", "done": true},
    ]);
    let read = reply(json!({"content": "So.", "statusHistory": history}));
    assert_eq!(
        call(&read, "web_search").input,
        Some(Input::Json("{\"query\":\"q\"}".into()))
    );
    let read = reply(json!({"statusHistory": history, "output": [
        {"type": "function_call", "call_id": "1", "name": "search_web", "arguments": "{}"}]}));
    assert_eq!(parts(&read).len(), 1);
}

#[test]
fn errors_are_told_in_each_of_their_forms() {
    for (error, words) in [
        (json!({"content": "429"}), Some("429")),
        (json!("429"), Some("429")),
        (json!(true), Some("The reply failed.")),
        (json!(false), None),
    ] {
        let read = reply(json!({ "error": error }));
        let reply = replies(&read).next().expect("a reply");
        assert_eq!(reply.error.as_deref(), words);
        assert_eq!(reply.status == ReplyStatus::Error, words.is_some());
    }
}

#[test]
fn answers_of_other_models_are_versions_and_a_list_alone_is_read() {
    let message = |id: &str, parent: Value, words: &str| {
        json!({"id": id, "parentId": parent,
        "role": if id == "u" { "user" } else { "assistant" }, "content": words})
    };
    let tree = json!({"u": message("u", Value::Null, "Dig."), "a": message("a", json!("u"), "One."),
        "b": message("b", json!("u"), "Two.")});
    let read = all(&json!([row(tree, "a")]));
    let expected = [
        "person: \"Dig.\"",
        "version",
        "  Complete: \"Two.\"",
        "Complete: \"One.\"",
    ];
    assert_eq!(outline(&read[0]), expected);
    let list = json!({"title": "Old", "models": ["m"], "messages": [
        {"id": "u", "role": "user", "content": "Dig."}, {"id": "a", "role": "assistant", "content": "One."}]});
    assert_eq!(
        outline(&all(&list)[0]),
        ["person: \"Dig.\"", "Complete: \"One.\""]
    );
}
