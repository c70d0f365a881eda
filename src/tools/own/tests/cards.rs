//! Cards by entries that are right.

use crate::model::ReplyStatus;
use crate::tools::testing::{call, drawn_by, row_of, text};
use crate::tools::{Act, Registry};

use super::{html, views};

const PLANTS: &str = r#"{"bed":{"name":"south","rows":[1,2]},"note":"**Water** them","dry":true,"wet":false,"script":"print(1)","file":"beds/south.py","before":"a\nb\n","after":"a\nc\n"}"#;

fn row(entry: &str, result: Result<&str, &str>) -> String {
    row_of(&html(entry, &call("garden_plan", PLANTS, Some(result))))
}

#[test]
fn the_row_says_what_the_entry_chooses() {
    let entry = "label = 'Planned a bed'\nglimpse = ['bed.name', 'bed.rows']\n\
                 badges = ['dry', 'wet', 'bed.rows.1', { field = 'file', text = 'in {}' }]\n\
                 result = { field = 'plants', text = '{} plants' }";
    let row = row(entry, Ok(r#"{"plants":["mint","rue"]}"#));
    assert_eq!(
        row,
        "✓ garden_plan south 1, 2 dry 1=2 in beds/south.py → 2 plants"
    );
}

#[test]
fn a_glimpse_is_the_most_telling_argument_unless_the_entry_says_which() {
    let call = call(
        "garden_dig",
        r#"{"deep":1,"name":"south"}"#,
        Some(Ok("done")),
    );
    let row = row_of(&html("label = 'Dug'", &call));
    assert_eq!(row, "✓ garden_dig south → done");
    let quoted = html(
        "label = 'Dug'\nglimpse = 'name'\nglimpse-as = 'quote'",
        &call,
    );
    assert_eq!(row_of(&quoted), "✓ garden_dig “south” → done");
    let path = html(
        "label = 'Dug'\nglimpse = 'name'\nglimpse-as = 'path'",
        &call,
    );
    assert!(path.contains("glimpse mono path"), "{path}");
}

#[test]
fn each_summary_of_a_result() {
    let result = "\n\u{1b}[32mfound 12 plants\u{1b}[0m\nmint\n";
    for (summary, said) in [
        ("'lines'", "→ 3 lines"),
        ("'first-line'", "→ found 12 plants"),
        ("{ pattern = 'found (\\d+) plants' }", "→ 12"),
        ("{ pattern = '\\d+', text = '{} in all' }", "→ 12 in all"),
        ("{ pattern = 'nothing' }", "→ 3 lines"),
        ("{ field = 'total' }", "→ 3 lines"),
    ] {
        let entry = format!("label = 'Counted'\nglimpse = 'none'\nresult = {summary}");
        assert_eq!(row(&entry, Ok(result)), format!("✓ garden_plan {said}"));
    }
    let none = "label = 'Counted'\nglimpse = 'none'\nresult = 'none'";
    assert_eq!(row(none, Ok(result)), "✓ garden_plan");
}

#[test]
fn a_failure_is_told_whatever_the_entry_says() {
    for summary in ["'none'", "'lines'", "{ field = 'a' }", "{ pattern = 'x' }"] {
        let entry = format!("label = 'Dug'\nglimpse = 'none'\nresult = {summary}");
        let row = row(&entry, Err("the spade broke\nat noon"));
        assert_eq!(row, "✗ garden_plan → failed · the spade broke", "{summary}");
    }
}

#[test]
fn a_summary_looks_into_the_envelope_of_a_result() {
    let result = r#"[{"type":"text","text":"{\"total\":7}"}]"#;
    let entry = "label = 'Dug'\nglimpse = 'none'\nresult = { field = 'total', text = '{} beds' }";
    assert_eq!(row(entry, Ok(result)), "✓ garden_plan → 7 beds");
    let failed = r#"[{"type":"text","text":"no spade"}]"#;
    assert_eq!(row(entry, Err(failed)), "✗ garden_plan → failed · no spade");
}

#[test]
fn each_part_of_a_body_and_the_rest_of_the_input() {
    let parts = "label = 'Planned'\nglimpse = 'file'\nbody = [\n\
        { field = 'note', as = 'prose' },\n\
        { field = 'script', as = 'code', language = 'python', label = 'Script' },\n\
        { field = 'file', as = 'path' },\n\
        { field = 'bed.rows', as = 'list' },\n\
        { field = 'bed', as = 'fields' },\n\
        { as = 'diff', old = 'before', new = 'after', path = 'file' },\n\
        { field = 'missing', as = 'json' },\n]";
    let html = html(parts, &call("garden_plan", PLANTS, Some(Ok("fine"))));
    for part in [
        "<strong>Water</strong>",
        "<p class=\"head\"><bdi>Script</bdi></p>",
        "<ul class=\"items\"><li dir=\"auto\">1</li>",
        "class=\"rm\"",
        "class=\"ad\"",
    ] {
        assert!(html.contains(part), "{part} in {html}");
    }
    let words = text(&html);
    for rest in ["dry", "wet", "beds/south.py", "south"] {
        assert!(words.contains(rest), "{rest} in {words}");
    }
    assert!(
        !words.contains("note"),
        "a part that is drawn is not drawn again: {words}"
    );
    let only =
        "label = 'x'\nbody = [{ field = 'bed', as = 'table' }, { field = 'dry', as = 'prose' }]";
    let words = text(&super::html(only, &call("garden_plan", PLANTS, None)));
    assert!(words.contains("dry") && words.contains("rows"), "{words}");
}

#[test]
fn a_list_of_records_is_a_table_in_the_input_too() {
    let input = r#"{"plants":[{"name":"mint","high":3},{"name":"rue"}]}"#;
    let entry = "label = 'x'\nbody = [{ field = 'plants', as = 'table' }]";
    let html = html(entry, &call("garden_plan", input, None));
    assert!(html.contains("<td class=\"num\">3</td>"), "{html}");
    assert!(text(&html).contains("\"mint\""), "as given: {html}");
}

#[test]
fn each_way_to_draw_an_output() {
    let result = r#"{"plants":[{"name":"mint"},{"name":"rue"}],"text":"**so**"}"#;
    let draw = |output: &str, result: &str| {
        let entry = format!("label = 'x'\noutput = {output}");
        html(&entry, &call("garden_plan", "{}", Some(Ok(result))))
    };
    assert!(draw("{ as = 'table', field = 'plants' }", result).contains("<td>mint</td>"));
    assert!(draw("{ as = 'prose', field = 'text' }", result).contains("<strong>so</strong>"));
    assert!(draw("'json'", result).contains("tree"));
    assert!(draw("'text'", result).contains("box out"));
    assert!(draw("{ as = 'code', language = 'python' }", "x = 1").contains("class=\"n\""));
    for picked in [
        "{ as = 'table', field = 'plants' }",
        "{ as = 'prose', field = 'text' }",
    ] {
        assert!(
            draw(picked, result).contains("Result as recorded"),
            "{picked}"
        );
    }
    // What has another shape than the entry says is drawn as without it.
    for other in ["{ as = 'table', field = 'nothing' }", "'table'"] {
        assert!(draw(other, result).contains("tree"), "{other}");
    }
    assert!(draw("'table'", "plain").contains("plain"));
}

#[test]
fn nothing_of_an_entry_or_a_call_becomes_markup() {
    let nasty = "<img src=x onerror=alert(1)>";
    let entry = format!(
        "label = '{nasty}'\nactivity = '{nasty}'\nglimpse = 'a'\nbadges = [{{ field = 'a', text = '{nasty} {{}}' }}]\n\
         result = {{ field = 'a', text = '{nasty}' }}\nbody = [{{ field = 'a', as = 'prose', label = '{nasty}' }}]\n\
         output = {{ as = 'prose', field = 'a' }}"
    );
    let input = format!(r#"{{"a":"{nasty}","{nasty}":[1,{{"{nasty}":2}}]}}"#);
    let result = format!(r#"{{"a":"{nasty}"}}"#);
    let html = html(&entry, &call("garden_plan", &input, Some(Ok(&result))));
    assert!(!html.contains("<img"), "{html}");
    assert!(text(&html).contains(nasty));
}

#[test]
fn a_whole_name_comes_before_a_pattern_and_both_before_foldout() {
    let views = views(
        "[[tool-view]]\nnames = ['mcp__garden__*', 'codex/run_?']\nlabel = 'Any'\n\
         [[tool-view]]\nnames = 'mcp__garden__dig'\nlabel = 'Dug'\n\
         [[tool-view]]\nnames = 'Bash'\nlabel = 'Typed'\n",
    )
    .expect("right");
    let label = |format: &str, tool: &str| {
        let call = call(tool, "{}", None);
        let registry = Registry::new(format, &views);
        let act = Act::new(&call, ReplyStatus::Complete, registry, None);
        act.view.label(&act).text
    };
    assert_eq!(label("x", "mcp__garden__dig"), "Dug");
    assert_eq!(label("x", "mcp__garden__sow"), "Any");
    assert_eq!(label("claude_code", "Bash"), "Typed");
    assert_eq!(label("x", "functions.Bash"), "Typed");
    assert_eq!(label("codex", "run_a"), "Any");
    assert_eq!(label("x", "run_a"), "run_a");
    assert_eq!(label("x", "mcp__gardens__dig"), "gardens · dig");
}

#[test]
fn a_live_line_has_the_entrys_words() {
    let views = views("[[tool-view]]\nnames = 'dig'\nlabel = 'Dug'\nactivity = 'Digging'\n")
        .expect("right");
    let call = call("dig", "{}", None);
    let act = Act::new(
        &call,
        ReplyStatus::Pending,
        Registry::new("x", &views),
        None,
    );
    assert_eq!(act.view.activity(&act), "Digging");
    let (html, _) = drawn_by(&views, "x", &call, ReplyStatus::Pending);
    assert!(text(html.as_str()).contains("Running…"));
}
