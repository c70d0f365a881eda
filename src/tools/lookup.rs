//! Facts that were looked up: weather, prices, scores, the time.

use askama::Template;
use serde_json::Value;

use crate::html::Html;

use super::args::Args;
use super::{Act, Body, Drawing, Glimpse, Label, ToolView, boxes, outcome};

/// What can be asked, by the argument that asks for it, with what it is called.
const QUESTIONS: &[(&str, &str)] = &[
    ("weather", "the weather"),
    ("finance", "prices"),
    ("sports", "sports"),
    ("time", "the time"),
    ("calculator", "a sum"),
    ("product_query", "products"),
];

/// What of a question says most.
const SUBJECT: &[&str] = &[
    "location",
    "ticker",
    "expression",
    "team",
    "league",
    "utc_offset",
    "q",
    "search",
];

/// Draws what was asked for and what came back.
pub(crate) struct Lookup;

#[derive(Template)]
#[template(path = "tools/lookup.html")]
struct LookupTemplate {
    call: Html,
    result: Html,
}

impl ToolView for Lookup {
    fn name(&self) -> &'static str {
        "lookup"
    }

    fn names(&self) -> &'static [&'static str] {
        &[
            "web.run:weather",
            "web.run:finance",
            "web.run:sports",
            "web.run:time",
            "web.run:calculator",
            "web.run:product_query",
        ]
    }

    fn label(&self, act: &Act<'_>) -> Label {
        Label::words(&format!("Looked up {}", what(act)))
    }

    fn activity(&self, act: &Act<'_>) -> String {
        format!("Looking up {}", what(act))
    }

    fn glimpse(&self, act: &Act<'_>) -> Glimpse {
        Glimpse::Words(subjects(act).join(", "))
    }

    fn outcome(&self, act: &Act<'_>) -> Option<String> {
        Some(outcome::single(act))
    }

    fn body(&self, act: &Act<'_>, drawing: &Drawing<'_>) -> Option<Body> {
        Some(Body::whole(&LookupTemplate {
            call: boxes::rest(&act.args, &[], drawing),
            result: boxes::result_or_data(act, drawing),
        }))
    }
}

/// What is asked for first, in words.
fn what(act: &Act<'_>) -> &'static str {
    let mut given = act.args.map.keys();
    let known = given.find_map(|name| QUESTIONS.iter().find(|(question, _)| question == name));
    known.map_or("facts", |(_, words)| words)
}

/// What each question is about.
fn subjects(act: &Act<'_>) -> Vec<String> {
    let mut subjects = Vec::new();
    for (name, asked) in &act.args.map {
        if !QUESTIONS.iter().any(|(question, _)| question == name) {
            continue;
        }
        let asked = match asked {
            Value::Array(asked) => asked.as_slice(),
            asked => std::slice::from_ref(asked),
        };
        let subject = |asked: &Value| Args::of_object(asked)?.told(SUBJECT);
        subjects.extend(asked.iter().filter_map(subject));
    }
    subjects
}

#[cfg(test)]
mod tests {
    use crate::tools::testing::{body, call, html, row};

    #[test]
    fn the_row_says_what_was_asked() {
        for (input, label, glimpse) in [
            (
                r#"{"weather":[{"location":"Gull Pier","duration":2}]}"#,
                "the weather",
                "Gull Pier",
            ),
            (
                r#"{"finance":[{"ticker":"ACME","type":"equity"},{"ticker":"BOLT"}]}"#,
                "prices",
                "ACME, BOLT",
            ),
            (
                r#"{"sports":[{"fn":"standings","league":"epl"}]}"#,
                "sports",
                "epl",
            ),
            (
                r#"{"time":[{"utc_offset":"+02:00"}]}"#,
                "the time",
                "+02:00",
            ),
            (r#"{"calculator":[{"expression":"7*6"}]}"#, "a sum", "7*6"),
            (
                r#"{"product_query":{"search":["deck boots"]}}"#,
                "products",
                "deck boots",
            ),
        ] {
            let call = call("web.run", input, Some(Ok("so")));
            let row = row("chatgpt", &call);
            assert_eq!(row, format!("✓ web.run {glimpse} → so"));
            assert!(
                html("chatgpt", &call).contains(&format!("Looked up {label}<")),
                "{label}"
            );
            assert!(body("chatgpt", &call).contains(glimpse.split(',').next().unwrap_or("")));
        }
    }
}
