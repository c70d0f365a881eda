//! Outputs that are too long or too odd for a page: every card stays within its bounds, and what
//! a page does not show is linked.

use serde_json::Value;

use crate::model::{ReplyStatus, ToolCall};

use super::testing::{call, draw_within, text};
use super::{Limits, TOOL_VIEWS};

/// A page's limit in these tests, small so that outputs can be.
const BUDGET: usize = 256 << 10;

/// Outputs that are larger than a page's limit as they are or as they are drawn.
fn outputs() -> Vec<(&'static str, String)> {
    let records = |count: usize| -> String {
        let records: Vec<_> = (0..count)
            .map(|n| format!(r#"{{"id":{n},"name":"plant {n}","bed":{{"row":{n}}}}}"#))
            .collect();
        format!("[{}]", records.join(","))
    };
    let links = |count: usize| -> String {
        let links: Vec<_> = (0..count)
            .map(|n| format!(r#"{{"title":"{n}","url":"https://example.com/{n}"}}"#))
            .collect();
        format!(r#"{{"results":[{}]}}"#, links.join(","))
    };
    vec![
        (
            "binary",
            (0..20_000_u32)
                .filter_map(|n| char::from_u32(n * 7_919 % 256))
                .collect(),
        ),
        ("controls", "\0".repeat(20_000)),
        (
            "lines of controls",
            format!("{}\n", "\0".repeat(900)).repeat(30),
        ),
        ("colours alone", "\u{1b}[31m\u{1b}[0m".repeat(3_000)),
        (
            "a colour for each letter",
            "\u{1b}[31mx\u{1b}[32my".repeat(3_000),
        ),
        ("white space", " \n\t\n".repeat(10_000)),
        ("empty lines", format!("{}x", "\n".repeat(20_000))),
        (
            "many lines",
            (0..9_000).map(|n| format!("line {n}\n")).collect(),
        ),
        ("one line", "word ".repeat(5_000)),
        ("one word", "x".repeat(40_000)),
        ("marks", "<\"&'>".repeat(3_000)),
        ("states", "10%\r".repeat(9_000)),
        ("a list of records", records(900)),
        (
            "nested records",
            format!(r#"{{"a":{{"b":{}}}}}"#, records(900)),
        ),
        ("a list of numbers", format!("[{}1]", "1,".repeat(1_800))),
        (
            "one long value",
            format!(r#"{{"a":"{}"}}"#, "x".repeat(40_000)),
        ),
        (
            "deep",
            format!("{}{}", "[".repeat(9_000), "]".repeat(9_000)),
        ),
        (
            "many fields",
            format!(
                "{{{}}}",
                (0..900)
                    .map(|n| format!(r#""k{n}":{n}"#))
                    .collect::<Vec<_>>()
                    .join(",")
            ),
        ),
        ("pages that were found", links(900)),
        (
            "blocks",
            format!(
                "[{}]",
                vec![r#"{"type":"text","text":"so"}"#; 900].join(",")
            ),
        ),
    ]
}

fn html(call: &ToolCall) -> (String, usize) {
    let limits = Limits::of_page(BUDGET);
    let (html, files) = draw_within(limits, "x", call, ReplyStatus::Complete);
    (html.into_string(), files.len())
}

/// A tool of each view.
fn tools() -> impl Iterator<Item = &'static str> {
    let named = TOOL_VIEWS.iter().filter_map(|view| {
        let names = view.names().iter();
        names.copied().find(|name| !name.contains(['/', ':']))
    });
    named.chain(["nobody_knows"])
}

#[test]
fn no_output_makes_a_card_too_large_for_its_page() {
    let most = 20 * Limits::of_page(BUDGET).text;
    for (name, output) in outputs() {
        for tool in tools() {
            for result in [Ok(output.as_str()), Err(output.as_str())] {
                let (html, _) = html(&call(tool, r#"{"path":"a.rs","query":"q"}"#, Some(result)));
                assert!(html.len() <= most, "{name} by {tool}: {} bytes", html.len());
            }
        }
    }
}

#[test]
fn no_input_makes_a_card_too_large_for_its_page() {
    let most = 20 * Limits::of_page(BUDGET).text;
    let mut large = Vec::new();
    for (name, input) in outputs() {
        let names = ["command", "file_path", "prompt"];
        let everywhere = names.map(|name| (name.to_owned(), Value::from(input.as_str())));
        let everywhere = Value::Object(everywhere.into_iter().collect()).to_string();
        for tool in tools() {
            for input in [input.clone(), everywhere.clone()] {
                let (html, _) = html(&call(tool, &input, Some(Ok("done"))));
                if html.len() > most {
                    large.push(format!("{name} by {tool}: {} bytes", html.len()));
                }
            }
        }
    }
    assert!(large.is_empty(), "{}", large.join("\n"));
}

#[test]
fn what_a_page_does_not_show_is_counted_and_linked() {
    let lines: String = (0..9_000).map(|n| format!("line {n}\n")).collect();
    for (output, said) in [
        (lines, ["⋯ 8,988 more lines", "All 9,000 lines (86.8 KB)"]),
        (
            "x".repeat(40_000),
            ["38,000 more characters", "All 1 line (39.1 KB)"],
        ),
        (
            "\0".repeat(3_000),
            ["2,800 more characters", "All 1 line (2.9 KB)"],
        ),
    ] {
        let (html, files) = html(&call("Bash", r#"{"command":"x"}"#, Some(Ok(&output))));
        let words = text(&html);
        for said in said {
            assert!(words.contains(said), "no {said} in {words}");
        }
        assert_eq!(files, 1);
    }
}

#[test]
fn white_space_alone_is_no_output() {
    for output in [" \n\t\n".repeat(20_000), "\u{1b}[31m\u{1b}[0m".to_owned()] {
        let (html, _) = html(&call("Bash", r#"{"command":"x"}"#, Some(Ok(&output))));
        assert!(text(&html).contains("→ no output"), "{html}");
    }
}
