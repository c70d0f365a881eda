//! The checklist of tool cards, as far as whole pages show it: S1 is Dispatch's, S2 is SCN Chat's,
//! J is the static page's. The items of one card alone are tested beside the views.

use std::fs;
use std::path::Path;

use foldout::model::{ToolResult, ToolStatus};
use foldout::pipeline::{Options, build};
use serde_json::{Value, json};

/// The pages of one file, as one text.
fn pages_of(name: &str, text: &str) -> String {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let input = folder.path().join(name);
    fs::write(&input, text).expect("a file");
    let options = Options {
        inputs: vec![input],
        output: folder.path().join("site"),
        ..Options::default()
    };
    let report = build(&options, &|_| {}).expect("the folder can be written");
    assert_eq!(report.conversations, 1, "{:?}", report.problems);
    let pages = walkdir::WalkDir::new(&options.output)
        .sort_by_file_name()
        .into_iter()
        .filter_map(Result::ok)
        .filter(|entry| entry.depth() > 1 && entry.path().extension().is_some_and(|e| e == "html"));
    pages
        .map(|page| fs::read_to_string(page.path()).expect("a page"))
        .collect()
}

fn dispatch(chunks: &[(&str, Value)]) -> String {
    let rows = chunks.iter().zip(1..);
    let rows = rows
        .map(|((role, chunk), seq)| json!({"seq": seq, "role": role, "chunk": chunk}).to_string());
    pages_of("x.jsonl", &rows.collect::<Vec<_>>().join("\n"))
}

fn call(id: &str, step: Option<&str>) -> (&'static str, Value) {
    let mut chunk = json!({"type": "tool-call", "toolCallId": id, "toolName": "run_shell",
        "input": {"command": format!("echo {id}")}});
    if let Some(step) = step {
        chunk["stepId"] = json!(step);
    }
    ("assistant", chunk)
}

fn result(id: &str) -> (&'static str, Value) {
    let chunk = json!({"type": "tool-result", "toolCallId": id, "toolName": "run_shell",
        "content": format!("came of {id}"), "isError": false});
    ("tool", chunk)
}

/// A conversation of SCN Chat with one reply of these parts and this status.
fn scn(status: &str, parts: &[Value]) -> String {
    let content = |parts: &[Value]| json!({"$type": kind("plainContent"), "parts": parts});
    let asked = json!({"role": "user", "createdAt": "2026-03-01T10:00:00Z",
        "content": content(&[json!({"$type": kind("textPart"), "text": "Go on."})])});
    let reply = json!({"role": "assistant", "parent": "a", "createdAt": "2026-03-01T10:00:09Z",
        "status": status, "content": content(parts)});
    let messages =
        json!({"messages": [{"key": "a", "record": asked}, {"key": "a.r1", "record": reply}]});
    pages_of("x.json", &messages.to_string())
}

fn kind(name: &str) -> String {
    format!("network.sharedcomputer.chat.defs#{name}")
}

fn scn_call(id: &str, tool: &str) -> Value {
    json!({"$type": kind("toolCallPart"), "callId": id, "tool": tool, "input": r#"{"query":"lamps"}"#})
}

fn scn_result(id: &str, output: &str) -> Value {
    json!({"$type": kind("toolResultPart"), "callId": id, "output": output})
}

/// The states of a page's cards, in order.
fn states(page: &str) -> Vec<&str> {
    let cards = page.split("data-state=\"").skip(1);
    cards
        .map(|card| card.split('"').next().expect("it is closed"))
        .collect()
}

#[test]
fn s1_01_every_call_is_one_card_in_stream_order() {
    let ids = ["one", "two", "three"];
    let mut chunks: Vec<_> = ids.iter().map(|id| call(id, Some("step"))).collect();
    chunks.extend(ids.iter().rev().map(|id| result(id)));
    let page = dispatch(&chunks);
    assert_eq!(states(&page), ["done"; 3]);
    let places: Vec<_> = ids
        .iter()
        .map(|id| page.find(&format!("came of {id}")))
        .collect();
    assert!(places.is_sorted() && places[0].is_some(), "{places:?}");
}

#[test]
fn s1_02_a_result_is_no_card_of_its_own_however_far_from_its_call() {
    let text = ("assistant", json!({"type": "text", "text": "Meanwhile."}));
    let page = dispatch(&[
        call("far", None),
        text,
        call("near", Some("s")),
        result("near"),
        result("far"),
    ]);
    assert_eq!(states(&page), ["done"; 2]);
    assert_eq!(page.matches("came of far").count(), 1);
}

#[test]
fn s1_23_there_is_one_card_template() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("templates");
    let templates = walkdir::WalkDir::new(folder)
        .into_iter()
        .filter_map(Result::ok);
    let with_cards = templates.filter(|entry| {
        entry.file_type().is_file()
            && fs::read_to_string(entry.path())
                .expect("a template")
                .contains("<details class=\"card")
    });
    let names: Vec<_> = with_cards
        .map(|entry| entry.file_name().to_owned())
        .collect();
    assert_eq!(names, ["card.html"]);
}

#[test]
fn s2_01_call_and_result_stand_in_one_card_by_view_or_default() {
    let found = r#"{"results":[{"title":"Lamps","url":"https://example.com/"}]}"#;
    let page = scn(
        "complete",
        &[
            scn_call("1", "web_search"),
            scn_result("1", found),
            json!({"$type": kind("textPart"), "text": "And"}),
            scn_call("2", "lamp_times"),
            scn_result("2", "at dusk"),
        ],
    );
    assert_eq!(states(&page), ["done"; 2]);
    assert!(page.contains("data-view=\"web_search\"") && page.contains("data-view=\"default\""));
}

#[test]
fn s2_02_a_result_without_a_call_stands_alone() {
    let page = scn("complete", &[scn_result("lost", "at dusk")]);
    assert_eq!(states(&page), ["done"]);
    assert!(page.contains("data-view=\"default\"") && page.contains("not in this transcript"));
}

#[test]
fn s2_03_a_status_is_derived_once_and_told_the_same_everywhere() {
    let failed = ToolResult {
        is_error: true,
        ..ToolResult::default()
    };
    let cancelled = ToolResult {
        cancelled: true,
        ..ToolResult::default()
    };
    let done = ToolResult::default();
    assert_eq!(ToolStatus::of(None, true), ToolStatus::Running);
    assert_eq!(ToolStatus::of(None, false), ToolStatus::Incomplete);
    for pending in [true, false] {
        assert_eq!(ToolStatus::of(Some(&done), pending), ToolStatus::Done);
        assert_eq!(ToolStatus::of(Some(&failed), pending), ToolStatus::Error);
        assert_eq!(
            ToolStatus::of(Some(&cancelled), pending),
            ToolStatus::Incomplete
        );
    }
    let pending = scn("pending", &[scn_call("1", "web_search")]);
    assert_eq!(states(&pending), ["running"]);
    for told in [
        ">Running: <",
        "<span class=\"flag\">running</span>",
        "Searching the web…",
    ] {
        assert!(pending.contains(told), "{told}");
    }
    let mut result = scn_result("1", "No.");
    result["isError"] = json!(true);
    let failed = scn("complete", &[scn_call("1", "web_search"), result]);
    assert_eq!(states(&failed), ["error"]);
    for told in [">Failed: <", "<span class=\"flag\">failed</span>"] {
        assert!(failed.contains(told), "{told}");
    }
}

#[test]
fn s2_04_calls_without_results_all_run_or_are_all_incomplete() {
    let calls = [scn_call("1", "web_search"), scn_call("2", "web_fetch")];
    assert_eq!(states(&scn("pending", &calls)), ["running"; 2]);
    for status in ["cancelled", "error", "complete", "something new"] {
        assert_eq!(states(&scn(status, &calls)), ["incomplete"; 2], "{status}");
    }
}

#[test]
fn s2_16_untrusted_text_has_its_own_direction_and_data_runs_left_to_right() {
    let page = scn(
        "complete",
        &[scn_call("1", "lamp_times"), scn_result("1", r#"{"a":1}"#)],
    );
    let boxes = page.split("<div class=\"box").skip(1);
    let tags: Vec<_> = boxes
        .map(|rest| rest.split('>').next().expect("it ends"))
        .collect();
    assert!(
        !tags.is_empty() && tags.iter().all(|tag| tag.contains("dir=\"ltr\"")),
        "{tags:?}"
    );
    assert!(page.contains("<span class=\"glimpse mono\" dir=\"auto\">"));
}

#[test]
fn s2_18_one_step_stands_alone_and_two_fold_under_their_summary() {
    let one = scn(
        "complete",
        &[scn_call("1", "lamp_times"), scn_result("1", "at dusk")],
    );
    assert!(!one.contains("<details class=\"run\""));
    let thought = json!({"$type": kind("reasoningPart"), "text": "Hm.", "durationMs": 12_000});
    let two = scn(
        "complete",
        &[
            thought,
            scn_call("1", "web_search"),
            scn_result("1", "none"),
        ],
    );
    assert!(two.contains("<details class=\"run\""));
    assert!(two.contains("Thought for 12s · Searched the web"));
}

#[test]
fn s2_19_sources_are_listed_once_at_the_end_and_fold_like_results() {
    let source = |n: usize| json!({"$type": kind("sourcePart"), "url": format!("https://example.com/{n}"), "title": format!("Source {n}")});
    let mut parts: Vec<Value> = (1..=9).map(source).collect();
    parts.push(json!({"$type": kind("textPart"), "text": "All said."}));
    let page = scn("complete", &parts);
    assert_eq!(page.matches(">Source 1<").count(), 1);
    assert!(page.find("All said.") < page.find(">Source 1<"));
    assert!(page.contains("Show 2 more"));
}

/// J-07: every colour of text can be read on every ground that it stands on: 4.5 to 1, as the
/// accessibility guidelines ask, light and dark.
#[test]
fn j_07_text_has_contrast_on_every_ground() {
    let css = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("themes/paper.css"));
    let css = css.expect("the theme is there");
    let colour = |name: &str| -> [[f64; 3]; 2] {
        let start = css
            .find(&format!("--{name}:light-dark("))
            .expect("the theme has the colour");
        let pair = css[start..].split(['(', ')']).nth(1).expect("it is a pair");
        let [light, dark] = pair.split(',').map(channels).collect::<Vec<_>>()[..] else {
            panic!("two colours: {pair}")
        };
        [light, dark]
    };
    let grounds = ["page", "code", "tint", "you", "bad-tint", "add", "del"];
    let texts = [
        "ink", "quiet", "faint", "accent", "good", "bad", "warn", "keyword", "string", "number",
        "comment", "function", "type", "red", "green", "yellow", "blue", "magenta", "cyan",
    ];
    for ground in grounds {
        for text in texts {
            for (ground_colour, text_colour) in colour(ground).into_iter().zip(colour(text)) {
                let contrast = contrast(ground_colour, text_colour);
                assert!(contrast >= 4.5, "{text} on {ground}: {contrast:.2}");
            }
        }
    }
}

/// The channels of `#rrggbb`, 0 to 1.
fn channels(colour: &str) -> [f64; 3] {
    let hex = colour.trim().trim_start_matches('#');
    [0, 2, 4].map(|at| {
        let byte = u8::from_str_radix(&hex[at..at + 2], 16).expect("two hex digits");
        f64::from(byte) / 255.0
    })
}

/// The contrast of two colours by WCAG 2.
fn contrast(one: [f64; 3], other: [f64; 3]) -> f64 {
    let luminance = |colour: [f64; 3]| {
        let linear = colour.map(|c| match c {
            c if c <= 0.03928 => c / 12.92,
            c => ((c + 0.055) / 1.055).powf(2.4),
        });
        0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    };
    let (a, b) = (luminance(one), luminance(other));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}
