//! What a person typed.

use super::typed;

/// What one paragraph holds whose lines are kept.
fn kept(text: &str) -> String {
    let html = typed(text);
    let inside = html
        .strip_prefix("<p class=\"typed\" dir=\"auto\">")
        .and_then(|html| html.strip_suffix("</p>\n"))
        .unwrap_or_else(|| panic!("one paragraph: {html}"));
    inside.to_owned()
}

#[test]
fn lines_marks_and_indentation_stay_as_typed() {
    for text in [
        "foo\n---\nbar",
        "- a\n  - b\n1. c\n# d\n> e",
        "def __init__(self):\n  return 2*3*4, a**2 + b**2",
        "src/**/*.rs and **/*.md,\n*.rs and *.md, **kwargs, **args",
        "\\(x\\) $5 [a](b.md) [ ] ~c~\nd &amp; ``",
    ] {
        assert_eq!(kept(text), text.replace('&', "&amp;").replace('>', "&gt;"));
    }
    assert_eq!(
        typed("a\r\n\r\n\r\nb\n"),
        "<p dir=\"auto\">a</p>\n<p dir=\"auto\">b</p>\n"
    );
    assert_eq!(typed(" \n\t\n"), "");
}

#[test]
fn code_stress_and_web_links_are_drawn() {
    assert_eq!(
        kept("run `a  b` and ``c`d`` now:\n**e `f`**, (**g**)"),
        "run <code>a  b</code> and <code>c`d</code> now:\n<strong>e <code>f</code></strong>, (<strong>g</strong>)"
    );
    let html = typed("see [the *docs*](https://example.com/a_(b)) or <https://example.com/c>.");
    assert!(
        html.contains("<a href=\"https://example.com/a_(b)\" rel"),
        "{html}"
    );
    assert!(
        html.contains(">the *docs*</a> or &lt;<a href=\"https://example.com/c\""),
        "{html}"
    );
    assert!(html.contains("</a>&gt;."), "{html}");
    assert!(kept("## What\nnow").starts_with("<strong>## What</strong>\n"));
}

#[test]
fn a_fence_is_a_code_block_however_loosely_typed() {
    let code = "<pre><code>a_b\n  c</code></pre></div>\n";
    for text in [
        "```\na_b\n  c\n```",
        "~~~\na_b\n  c\n~~~",
        "```\na_b\n  c```",
        "```\na_b\n  c",
        "   ```\n   a_b\n     c\n   ```",
        "````\na_b\n  c\n````",
    ] {
        assert!(typed(text).ends_with(code), "{text}");
    }
    let html = typed("Here is it: ```\na_b\n  c\n```\nWhy?");
    assert!(
        html.starts_with("<p dir=\"auto\">Here is it:</p>\n<div class=\"box\""),
        "{html}"
    );
    assert!(
        html.ends_with("</div>\n<p dir=\"auto\">Why?</p>\n"),
        "{html}"
    );
    assert!(typed("```rust\na\n```").contains("class=\"lang-rust\""));
    assert_eq!(typed("```a```"), "<p dir=\"auto\"><code>a</code></p>\n");
    assert_eq!(typed("a ```"), "<p dir=\"auto\">a ```</p>\n");
}

#[test]
fn a_table_is_drawn_as_one() {
    let html = typed("so:\n| a | b |\n|---|--:|\n| 1 | `2` |\n\nok?");
    assert!(
        html.contains("<td>1</td><td class=\"ar\"><code>2</code></td>"),
        "{html}"
    );
    assert!(html.starts_with("<p dir=\"auto\">so:</p>\n<div class=\"table\""));
    assert!(typed("a | b\nc | d").contains("a | b\nc | d"));
}

#[test]
fn pasted_code_and_logs_keep_their_columns() {
    for text in [
        "fn main() {\n    a();\n}",
        "Traceback:\n    File \"a\"\n    File \"b\"",
        "\tindented",
        "├── a\n└── b",
    ] {
        let html = typed(text);
        assert!(
            html.starts_with("<p class=\"typed mono\" dir=\"auto\">"),
            "{html}"
        );
    }
    for text in ["a\nb", "- a\n    - b\n    - c", "first,\nthen  so"] {
        assert!(!typed(text).contains("mono"), "{text}");
    }
}
