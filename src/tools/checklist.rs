//! What is promised of every card, whichever view draws it, by the numbers of the checklist of
//! the design.

use serde_json::{Map, Value, json};

use crate::model::{ReplyStatus, ToolCall};

use super::TOOL_VIEWS;
use super::testing::{body, call, draw, html, row, row_of, text};

/// A command with an output of so many lines: `line 1` ….
fn output_of(lines: usize) -> ToolCall {
    let output: String = (1..=lines).map(|n| format!("line {n}\n")).collect();
    call("run_shell", r#"{"command":"seq"}"#, Some(Ok(&output)))
}

/// S1-03: a result whose call is unknown is one card that says so and shows its output.
#[test]
fn s1_03_an_orphan_result_is_a_card_that_says_so() {
    for (tool, shown) in [("read_file", "read_file"), ("", "tool result")] {
        let mut orphan = call(tool, "{}", Some(Ok("kept\ntext")));
        orphan.input = None;
        assert_eq!(row("dispatch", &orphan), format!("✓ {shown} → 2 lines"));
        let body = body("dispatch", &orphan);
        assert!(
            body.contains("The call is not in this transcript."),
            "{body}"
        );
        assert!(body.contains("kept\ntext"), "{body}");
    }
}

/// S1-04: a second result under the same id stands in the same card, and says which it is.
#[test]
fn s1_04_a_second_result_is_labelled() {
    let mut twice = call("run_shell", r#"{"command":"ls"}"#, Some(Ok("first words")));
    twice.more_results = call("", "{}", Some(Err("second words")))
        .result
        .into_iter()
        .collect();
    assert_eq!(row("dispatch", &twice), "✓ run_shell ls → 1 line");
    let body = body("dispatch", &twice);
    let (first, second) = body
        .split_once("Result 2 under the same id")
        .expect("a label");
    assert!(
        first.contains("first words") && second.contains("second words"),
        "{body}"
    );
}

/// S1-05: a sign for every status, and the wrench beside it.
#[test]
fn s1_05_the_row_has_a_sign_and_a_wrench() {
    let input = r#"{"command":"ls"}"#;
    let done = html("x", &call("Bash", input, Some(Ok("a"))));
    let failed = html("x", &call("Bash", input, Some(Err("a"))));
    for (html, state, sign) in [(done, "done", "✓"), (failed, "error", "✗")] {
        assert!(html.contains(&format!("data-state=\"{state}\"")), "{html}");
        assert!(html.contains(&format!(">{sign}</span>")), "{html}");
        assert!(html.contains("class=\"wrench\""), "{html}");
    }
}

/// S1-06: nothing is open, an error neither.
#[test]
fn s1_06_nothing_is_open() {
    for call in [output_of(40), call("Bash", "{}", Some(Err("a")))] {
        assert!(!html("x", &call).contains(" open"));
    }
}

/// S1-08: the most telling argument on one line, cut with an ellipsis.
#[test]
fn s1_08_the_glimpse_is_one_line_and_cut() {
    let command = "echo \n  ".to_owned() + &"word ".repeat(400);
    let long = call("Bash", &json!({ "command": command }).to_string(), None);
    let row = row("x", &long);
    assert!(row.starts_with("◌ Bash echo word word"), "{row}");
    assert!(row.contains('…') && row.chars().count() < 200, "{row}");
    let whole = body("x", &long);
    assert!(
        whole.contains(&"word ".repeat(400)),
        "the body has it whole"
    );
}

/// S1-09: a fact about the result only when there is one.
#[test]
fn s1_09_there_is_no_fact_without_a_result() {
    for (format, tool, command) in TOOL_VIEWS.iter().flat_map(|view| tools(view.names())) {
        let input = json!({"command": command, "path": "a", "query": "q"}).to_string();
        let html = draw(format, &call(tool, &input, None), ReplyStatus::Pending).0;
        assert!(!html.as_str().contains("class=\"result\""), "{tool}");
    }
}

/// S1-12: a tool without a view shows scalars as a list and nested values as indented JSON.
#[test]
fn s1_12_unknown_arguments_are_listed() {
    let input = r#"{"n":7,"word":"so","nested":{"a":[1,2]},"none":null}"#;
    let text = body("x", &call("nobody_knows", input, None));
    for shown in [
        "n7",
        "wordso",
        "nonenull",
        "{\n  \"a\": [\n    1,\n    2\n  ]\n}",
    ] {
        assert!(text.contains(shown), "{shown} in {text}");
    }
}

/// S1-13: up to twelve lines are all there, a longer output has six, a fold and six.
#[test]
fn s1_13_twelve_lines_and_more() {
    for lines in [1, 6, 12] {
        let html = html("x", &output_of(lines));
        assert!(!html.contains("class=\"more\""), "{lines} lines");
    }
    for (lines, toggle) in [
        (13, "⋯ 1 more line<"),
        (14, "⋯ 2 more lines<"),
        (1_300, "⋯ 1,288 more lines<"),
    ] {
        let html = html("x", &output_of(lines));
        assert!(html.contains(toggle), "{lines} lines");
        let (head, rest) = html.split_once("<details class=\"more\">").expect("a fold");
        let (middle, tail) = rest.split_once("</details>").expect("the fold ends");
        assert!(text(head).ends_with("line 5\nline 6\n"), "{head}");
        assert!(text(middle).contains("line 7\n") && !middle.contains("line 6<"));
        assert_eq!(text(tail).matches("line ").count(), 6, "{tail}");
        assert!(text(tail).contains(&format!("line {lines}\n")));
    }
}

/// S1-13: what counts as a line.
#[test]
fn s1_13_line_ends_of_both_systems_and_none_at_the_end() {
    let fact = |output: &str| {
        let row = row("x", &call("Bash", r#"{"command":"x"}"#, Some(Ok(output))));
        row.split_once("→ ").map(|(_, fact)| fact.to_owned())
    };
    for (output, told) in [
        ("a\nb", "2 lines"),
        ("a\nb\n", "2 lines"),
        ("a\r\nb\r\n", "2 lines"),
        ("a\n\n", "2 lines"),
        ("a", "1 line"),
        ("", "no output"),
        ("\n \r\n", "no output"),
    ] {
        assert_eq!(fact(output).as_deref(), Some(told), "{output:?}");
    }
    let windows = call("Bash", r#"{"command":"x"}"#, Some(Ok(&"a\r\n".repeat(13))));
    let html = html("x", &windows);
    assert!(
        html.contains("⋯ 1 more line<") && !html.contains("U+000D"),
        "{html}"
    );
    let empty = body("x", &call("Bash", r#"{"command":"x"}"#, Some(Ok("\n"))));
    assert!(empty.contains("No output."), "{empty}");
}

/// S1-14: the fold stands between head and tail, and everything is there in its order.
#[test]
fn s1_14_the_fold_opens_to_the_whole_in_order() {
    let html = html("x", &output_of(40));
    let numbers: Vec<usize> = text(&html)
        .lines()
        .filter_map(|line| line.trim().strip_prefix("line ")?.parse().ok())
        .collect();
    assert_eq!(numbers, (1..=40).collect::<Vec<_>>());
    let fold = &html[html.find("<details class=\"more\"").expect("a fold")..];
    assert!(fold.starts_with("<details class=\"more\"><summary><span class=\"a\">⋯ 28 more lines</span><span class=\"b\">⋯ hide 28 lines</span></summary>"), "{fold}");
}

/// S1-15: the output of a failure is tinted and the row says so.
#[test]
fn s1_15_a_failure_is_tinted_and_says_so() {
    for (format, tool, command) in TOOL_VIEWS.iter().flat_map(|view| tools(view.names())) {
        let input = json!({"command": command, "path": "a"}).to_string();
        let html = html(format, &call(tool, &input, Some(Err("no luck\ntoday"))));
        assert!(html.contains("failure"), "{tool}: {html}");
        assert!(row_of(&html).contains("failed"), "{tool}: {html}");
    }
}

/// S1-16: a running call has a word in place of its result.
#[test]
fn s1_16_a_running_call_has_a_word_for_it() {
    // Two views show what was said in the call, and no result.
    let views = TOOL_VIEWS
        .iter()
        .filter(|view| !matches!(view.name(), "finish" | "think"));
    for (format, tool, command) in views.flat_map(|view| tools(view.names())) {
        let input = json!({"command": command, "path": "a"}).to_string();
        let (html, _) = draw(format, &call(tool, &input, None), ReplyStatus::Pending);
        let body = html
            .as_str()
            .split_once("class=\"body\"")
            .expect("a body")
            .1;
        assert!(text(body).contains('…'), "{tool}: {body}");
        assert!(row_of(html.as_str()).contains("running"), "{tool}");
    }
}

/// S1-20, and the row of S1-10: tools that nobody knows.
#[test]
fn s1_20_unknown_tools_show_what_says_most() {
    let output = "first line of a long answer that does not fit into a row of sixty characters";
    let mcp = call("mcp__foo", r#"{"a":1,"b":"x"}"#, Some(Ok("first line")));
    assert_eq!(
        row("dispatch", &mcp),
        r#"✓ mcp__foo {"a":1,"b":"x"} → first line"#
    );
    for (input, glimpse) in [
        (r#"{"x":1,"conversationId":"c","url":"u","path":"p"}"#, "p"),
        (r#"{"message":"m","task":"t"}"#, "t"),
        (r#"{"query":" ","name":"n"}"#, "n"),
        (r#"{"command":{"a":1}}"#, r#"{"command":{"a":1}}"#),
    ] {
        let row = row("x", &call("mcp__foo__bar", input, None));
        assert_eq!(row, format!("◌ foo · bar {glimpse} incomplete"));
    }
    for (result, fact) in [
        (Ok(output), "1 line"),
        (Ok("short"), "short"),
        (Ok("a\nb"), "2 lines"),
        (Ok(""), "no output"),
        (Err("\nbad key\nmore"), "failed · bad key"),
    ] {
        let row = row("x", &call("mcp__foo", "{}", Some(result)));
        assert_eq!(row.split_once("→ ").map(|(_, fact)| fact), Some(fact));
    }
}

/// S1-22: markup, hidden characters and right-to-left text in every place of a card.
#[test]
fn s1_22_hostile_words_stay_words() {
    let words = "<script>alert(1)</script>\"onload='x'\u{202e}\0</pre></details>עברית";
    for (format, tool, command) in TOOL_VIEWS.iter().map(|view| tools(view.names())[0]) {
        let mut input: Map<String, Value> = arguments()
            .into_iter()
            .map(|name| (name.to_owned(), json!(words)))
            .collect();
        input.insert(words.to_owned(), json!({ words: [words] }));
        if !command.is_empty() {
            input.insert("command".to_owned(), json!(command));
        }
        let input = Value::Object(input).to_string();
        for result in [Ok(words), Err(words)] {
            assert_inert(&html(format, &call(tool, &input, Some(result))));
        }
    }
    assert_inert(&html("x", &call(words, "{}", Some(Ok("a")))));
}

fn assert_inert(html: &str) {
    for bad in ["<script", "onload='", "\u{202e}", "\0"] {
        assert!(!html.contains(bad), "{bad:?} in {html}");
    }
    for (open, close) in [("<details", "</details>"), ("<pre>", "</pre>")] {
        assert_eq!(
            html.matches(open).count(),
            html.matches(close).count(),
            "{html}"
        );
    }
}

/// S1-22: ten megabytes are a head, a tail and a file beside the page.
#[test]
fn s1_22_ten_megabytes_go_beside_the_page() {
    let lines = "a line of output\n".repeat(10 << 20 >> 4);
    let one = "x".repeat(10 << 20);
    for output in [&lines, &one] {
        let call = call("Bash", r#"{"command":"yes"}"#, Some(Ok(output)));
        let (html, files) = draw("x", &call, ReplyStatus::Complete);
        assert!(html.len() < 40_000, "{}", html.len());
        assert_eq!(files.len(), 1);
        assert_eq!(files[0].bytes.len(), output.trim_end().len());
        let link = format!("<a href=\"{}\">All ", files[0].name);
        assert!(html.as_str().contains(&link), "{html}");
    }
}

/// Every argument, whatever its name and shape, stands whole in every view's card, and so does
/// every line of the result.
#[test]
fn nothing_that_was_given_is_lost() {
    let result: String = (0..30)
        .map(|n| format!("result line {n} of it\n"))
        .collect();
    // What holds for one name of a view holds for all.
    for (format, tool, command) in TOOL_VIEWS.iter().map(|view| tools(view.names())[0]) {
        let all = arguments().into_iter().enumerate();
        let all: Map<String, Value> = all
            .map(|(n, name)| (name.to_owned(), json!(long_text(n))))
            .collect();
        for result in [Ok(&*result), Err(&*result)] {
            assert_whole(format, tool, command, all.clone(), result);
        }
        for name in arguments() {
            for value in [
                json!(long_text(1)),
                json!(90_210),
                json!({"path": long_text(2), "odd": long_text(3)}),
                json!([long_text(4), {"path": long_text(5), "start_line": 44, "odd": 7}]),
            ] {
                let input = Map::from_iter([(name.to_owned(), value)]);
                assert_whole(format, tool, command, input, Ok("the result"));
            }
        }
    }
}

fn assert_whole(
    format: &str,
    tool: &str,
    command: &str,
    mut input: Map<String, Value>,
    result: Result<&str, &str>,
) {
    if !command.is_empty() {
        input.insert("command".to_owned(), json!(command));
    }
    let mut given = Vec::new();
    leaves(&Value::Object(input.clone()), &mut given);
    given.extend(result.unwrap_or_else(|error| error).lines().map(letters));
    let input = Value::Object(input).to_string();
    let html = html(format, &call(tool, &input, Some(result)));
    let shown = letters(&text(&html));
    for line in &given {
        assert!(shown.contains(line), "{tool}: {line} of {input}\n{html}");
    }
}

/// The letters and digits of every line of every value.
fn leaves(value: &Value, out: &mut Vec<String>) {
    match value {
        Value::Object(map) => map.values().for_each(|value| leaves(value, out)),
        Value::Array(items) => items.iter().for_each(|item| leaves(item, out)),
        Value::String(text) => out.extend(text.lines().map(letters)),
        other => out.push(letters(&other.to_string())),
    }
}

fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).collect()
}

/// Three lines, longer than a row shows, with no word that another text has.
fn long_text(n: usize) -> String {
    format!(
        "text{n} begins\n{}\ntext{n} ends",
        format!("text{n} goes on, ").repeat(20)
    )
}

/// The tools that a view draws: the format, the name, and the command of a tool of many acts.
fn tools(names: &'static [&'static str]) -> Vec<(&'static str, &'static str, &'static str)> {
    let mut tools: Vec<_> = names
        .iter()
        .map(|name| {
            let (format, name) = name.split_once('/').unwrap_or(("x", name));
            let (name, command) = name.split_once(':').unwrap_or((name, ""));
            (format, name, command)
        })
        .collect();
    if tools.is_empty() {
        tools.push(("x", "nobody_knows", ""));
    }
    tools
}

/// Names of arguments that some view looks for, and some that none does.
fn arguments() -> Vec<&'static str> {
    use super::args::{ALL, COMMAND, CONTENT, NEW, OLD, PATH, PLACE, QUERY};
    let mut names: Vec<_> = [ALL, COMMAND, CONTENT, NEW, OLD, PATH, PLACE, QUERY].concat();
    names.extend([
        "description",
        "explanation",
        "instructions",
        "timeout",
        "cwd",
        "chars",
        "bash_id",
        "session_id",
        "pattern",
        "regex",
        "glob",
        "include",
        "type",
        "recursive",
        "edits",
        "replacements",
        "diff",
        "patch",
        "code_edit",
        "code",
        "line",
        "character",
        "operation",
        "symbol",
        "filePaths",
        "files",
        "paths",
        "source",
        "destination",
        "cell_id",
        "new_source",
        "edit_mode",
        "cell_type",
        "offset",
        "limit",
        "start_line",
        "end_line",
        "view_range",
        "line_range",
        "commands",
        "url",
        "urls",
        "prompt",
        "task",
        "message",
        "title",
        "name",
        "todos",
        "plan",
        "question",
        "questions",
        "options",
        "thought",
        "result",
        "arguments",
        "input",
        "id",
        "reason",
        "steps",
        "items",
        "nobody_knows",
    ]);
    names.sort_unstable();
    names.dedup();
    // A tool of many acts is told what to do by its command.
    names.retain(|name| *name != "command");
    names
}
