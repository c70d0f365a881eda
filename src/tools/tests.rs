//! What has to hold for every view, whoever wrote it: nothing of a call is lost, nothing of it
//! becomes markup, and no shape of it is too odd.

use proptest::prelude::*;
use serde_json::{Map, Value};

use crate::model::{Input, ReplyStatus, ToolCall};

use super::TOOL_VIEWS;
use super::testing::{call, draw, html, text};

/// Names of arguments that some view draws in a way of its own, and one that none does.
const NAMES: &[&str] = &[
    "action",
    "aspect_ratio",
    "command",
    "content",
    "cron",
    "description",
    "fact",
    "header",
    "id",
    "language",
    "lang",
    "message",
    "name",
    "pattern",
    "plan",
    "prompt",
    "query",
    "question",
    "reason",
    "repo",
    "result",
    "server",
    "skill",
    "status",
    "subagent_type",
    "subject",
    "task",
    "thought",
    "title",
    "to",
    "type",
    "unheard_of",
];
/// Names of arguments that hold lists.
const LISTS: &[&str] = &[
    "allowed_domains",
    "click",
    "coordinate",
    "find",
    "options",
    "open",
    "plan",
    "queries",
    "questions",
    "search_query",
    "targets",
    "todos",
    "urls",
];

/// A tool of every view, each with the format it is bound to, if any.
fn tools() -> Vec<(&'static str, &'static str)> {
    let names = TOOL_VIEWS.iter().filter_map(|view| view.names().first());
    names
        .map(|name| name.split_once('/').unwrap_or(("any", name)))
        .collect()
}

/// A text that is too long for a row, and whose end tells it from all others.
fn long(name: &str) -> String {
    format!("{} end-of-{name}", "words that go on ".repeat(12))
}

/// The call's card, still running, failed or done.
fn cards(format: &str, call: &ToolCall) -> [String; 2] {
    [ReplyStatus::Pending, ReplyStatus::Complete]
        .map(|status| draw(format, call, status).0.into_string())
}

#[test]
fn every_argument_and_the_result_stand_in_full_in_every_card() {
    let result = "The first line.\nThe <b>second</b> line.";
    for (format, tool) in tools() {
        for name in NAMES {
            let mut args = Map::new();
            args.insert((*name).to_owned(), Value::String(long(name)));
            args.insert("extra".to_owned(), Value::String(long("extra")));
            let input = Value::Object(args).to_string();
            for result in [None, Some(Ok(result)), Some(Err(result))] {
                let card = text(&html(format, &call(tool, &input, result)));
                for value in [long(name), long("extra")] {
                    assert!(
                        card.contains(&value),
                        "{tool}: {name} is not in full: {card}"
                    );
                }
                if result.is_some() {
                    assert!(card.contains("The first line."), "{tool}: {card}");
                    assert!(card.contains("The <b>second</b> line."), "{tool}: {card}");
                }
            }
        }
    }
}

/// Security a, 1: names, arguments and results are text, wherever they stand.
#[test]
fn nothing_of_a_call_becomes_markup_in_any_card() {
    let hostile = "</summary></details><script>x</script><img src=x onerror=y>\"' onclick=z";
    for (format, tool) in tools() {
        for name in NAMES.iter().chain(LISTS) {
            let text = Value::String(hostile.to_owned());
            let mut item = Map::new();
            for key in ["content", "question", "q", "url", "label", "status"] {
                item.insert(key.to_owned(), text.clone());
            }
            let list = Value::Array(vec![Value::Object(item), text.clone()]);
            let mut args = Map::new();
            args.insert(
                (*name).to_owned(),
                if LISTS.contains(name) { list } else { text },
            );
            args.insert(hostile.to_owned(), Value::Null);
            let call = call(tool, &Value::Object(args).to_string(), Some(Ok(hostile)));
            for card in cards(format, &call) {
                for markup in [
                    "<script",
                    "<img",
                    "</summary></details><",
                    " open>",
                    "<h1",
                    "<h2",
                    "<h3",
                ] {
                    assert!(!card.contains(markup), "{tool}, {name}: {markup} in {card}");
                }
                assert_eq!(
                    card.matches("<details").count(),
                    card.matches("</details>").count()
                );
            }
        }
    }
}

/// S1-21: whatever the input is, there is a card.
#[test]
fn s1_21_every_view_draws_any_shape_of_input() {
    for (format, tool) in tools() {
        for input in [
            "null",
            "7",
            "\"words\"",
            "[]",
            "[1,[2]]",
            "{",
            "{}",
            "",
            "\u{0}",
            r#"{"path":7,"command":{},"edits":7,"files":[7,null],"pattern":[],"content":false}"#,
            r#"{"edits":[],"files":[],"view_range":[1],"offset":1e300,"limit":-9223372036854775808}"#,
        ] {
            let mut odd = call(tool, input, Some(Ok("{\"results\":[{}]}")));
            for card in cards(format, &odd) {
                assert!(card.starts_with("<details class=\"card done"), "{tool}");
            }
            odd.input = Some(Input::Text(input.to_owned()));
            odd.result = None;
            cards(format, &odd);
            odd.input = None;
            cards(format, &odd);
        }
    }
}

/// Any JSON, of the names that views look for.
fn any_json() -> impl Strategy<Value = Value> {
    let names: Vec<&str> = [NAMES, LISTS, &["results", "answers", "url", "offset"]].concat();
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        ".{0,12}".prop_map(Value::String),
    ];
    leaf.prop_recursive(3, 24, 4, move |inner| {
        let name = prop::sample::select(names.clone()).prop_map(str::to_owned);
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::Array),
            prop::collection::vec((name, inner), 0..5)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn no_call_causes_a_panic(input in any_json(), result in any_json(), ok: bool) {
        let (input, result) = (input.to_string(), result.to_string());
        for (format, tool) in tools() {
            let result = if ok { Ok(result.as_str()) } else { Err(result.as_str()) };
            let [_, card] = cards(format, &call(tool, &input, Some(result)));
            prop_assert_eq!(card.matches("<div").count(), card.matches("</div>").count());
        }
    }
}

#[test]
fn several_agents_and_several_cells_are_drawn_one_by_one() {
    let agents = r#"{"context":"A harbour.","tasks":[{"name":"Reef","task":"Look north."},{"name":"Head","task":"Look south."}]}"#;
    let agents = call("task", agents, None);
    let html = html("oh_my_pi", &agents);
    let row = super::testing::row_of(&html);
    assert_eq!(row, "◌ task Reef, Head 2 agents incomplete");
    let words = text(&html);
    for part in ["A harbour.", "nameReef", "Look north.", "Look south."] {
        assert!(words.contains(part), "{part} in {words}");
    }
    assert!(!words.contains("tasks["), "{words}");
    let cells =
        r#"{"cells":[{"title":"one","language":"py","code":"print(1)"},{"code":"print(2)"}]}"#;
    let cells = call("eval", cells, Some(Ok("1\n2")));
    let words = super::testing::body("oh_my_pi", &cells);
    for part in ["titleone", "print(1)", "print(2)"] {
        assert!(words.contains(part), "{part} in {words}");
    }
}
