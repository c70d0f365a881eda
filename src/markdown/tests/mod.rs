//! Markdown, and what holds for every text.

mod first_line;
mod prompt;

use proptest::prelude::*;

use super::*;
use crate::html::proof::{self, Proof};

/// Draws Markdown; what is drawn is well-formed and of the closed list.
fn drawn(text: &str) -> String {
    let html = html(text, "m-1a2b3c4d").into_string();
    proof::read(&html);
    html
}

fn read(text: &str) -> Proof {
    proof::read(html(text, "m-1a2b3c4d").as_str())
}

fn typed(text: &str) -> String {
    let html = prompt(text).into_string();
    proof::read(&html);
    html
}

/// What one paragraph holds.
fn inside(text: &str) -> String {
    let html = drawn(text);
    let inside = html
        .strip_prefix("<p dir=\"auto\">")
        .and_then(|html| html.strip_suffix("</p>\n"))
        .unwrap_or_else(|| panic!("one paragraph: {html}"));
    inside.to_owned()
}

#[test]
fn dollars_and_variables_come_through_as_written() {
    for text in [
        "It costs $5 or $6.",
        "$HOME and $PATH, or $HOME:$PATH",
        "US$5_000 and US$6_000",
        "$5 (about) or 6$",
    ] {
        assert_eq!(inside(text), text);
    }
}

#[test]
fn math_keeps_its_source() {
    for (text, class) in [
        (r"\(a_b_c\)", "math"),
        (r"\(x \* y\)", "math"),
        (r"\[ \sum_{i=1}^n x_i \]", "math block"),
        ("$$a_b*c*d$$", "math block"),
        ("$x_1$", "math"),
        ("$x$", "math"),
        (r"\begin{align}a_1 \\ b_2\end{align}", "math block"),
        ("\\[\na_b\n= c_d\n\\]", "math block"),
    ] {
        assert_eq!(
            inside(text),
            format!("<span class=\"{class}\">{text}</span>")
        );
    }
    assert_eq!(
        inside("a $x_1$ *b* $y_1$, 其中$z_1$是"),
        "a <span class=\"math\">$x_1$</span> <em>b</em> <span class=\"math\">$y_1$</span>, \
         其中<span class=\"math\">$z_1$</span>是"
    );
}

#[test]
fn math_in_a_list_or_a_quote_loses_the_margin_alone() {
    let html = drawn("1. a\n   \\[\n     b_c\n   - d\n   \\]\n2. e");
    assert!(
        html.contains("<span class=\"math block\">\\[\n  b_c\n- d\n\\]</span></li>"),
        "{html}"
    );
    let html = drawn("> \\[\n> b_c\n> \\]");
    assert!(html.contains(">\\[\nb_c\n\\]</span>"), "{html}");
}

#[test]
fn what_only_looks_like_math_is_markdown() {
    assert_eq!(inside(r"\[a\](b)"), "[a](b)");
    assert_eq!(inside(r"\[sic\]"), "[sic]");
    assert_eq!(inside("$5 *or* $6"), "$5 <em>or</em> $6");
    assert_eq!(
        inside(r"write `\(` and `\)`"),
        r"write <code>\(</code> and <code>\)</code>"
    );
    let html = drawn("- \\( a\n- b \\)");
    assert_eq!(html.matches("<li>").count(), 2);
}

#[test]
fn math_inside_code_is_code() {
    assert_eq!(inside(r"`\(a_b\)`"), r"<code>\(a_b\)</code>");
    for fence in ["```", "~~~"] {
        let html = drawn(&format!(
            "{fence}sh\necho $$ $x_1$ https://example.com/\n{fence}"
        ));
        assert!(
            html.contains(">echo $$ $x_1$ https://example.com/</code>"),
            "{html}"
        );
    }
    assert!(drawn("a\n\n    \\(b_c\\)").contains("<code>\\(b_c\\)</code>"));
}

#[test]
fn bare_addresses_become_links() {
    for (text, address, after) in [
        (
            "https://example.com/a_b_c.",
            "https://example.com/a_b_c",
            ".",
        ),
        (
            "(https://example.com/a_(b))",
            "https://example.com/a_(b)",
            ")",
        ),
        (
            "https://example.com/?a=1&b=_c_d, e",
            "https://example.com/?a=1&amp;b=_c_d",
            ", e",
        ),
        ("HTTP://example.com/_a_/!", "HTTP://example.com/_a_/", "!"),
        (
            "https://example.com/a，中文",
            "https://example.com/a",
            "，中文",
        ),
        ("https://example.com/a中文", "https://example.com/a", "中文"),
    ] {
        let html = inside(text);
        assert!(html.contains(&format!(">{address}</a>{after}")), "{html}");
    }
    assert!(
        inside("**https://example.com/a**").contains("<strong><a href=\"https://example.com/a\"")
    );
    assert!(inside("<https://example.com/a>").contains(">https://example.com/a</a>"));
    for text in [
        "https://",
        "xhttps://example.com",
        "http://(a",
        "ftp://example.com",
    ] {
        assert_eq!(inside(text), text);
    }
}

#[test]
fn an_address_inside_a_link_or_code_is_no_second_link() {
    let html = inside("[https://example.com/a_b](https://example.com/a_b)");
    assert_eq!(html.matches("<a ").count(), 1);
    assert!(html.contains(">https://example.com/a_b</a>"));
    assert_eq!(
        inside("`https://example.com`"),
        "<code>https://example.com</code>"
    );
    assert!(
        inside("a <img src=\"https://example.com/a\">").starts_with("a &lt;img src=&quot;https://")
    );
    assert!(!inside("https://a@example.com/").contains("<a"));
}

#[test]
fn html_and_entities_are_shown_as_written() {
    assert_eq!(
        inside("a &amp; &lt;b> <b>&#x202e;"),
        "a &amp;amp; &amp;lt;b&gt; &lt;b&gt;&amp;#x202e;"
    );
}

#[test]
fn html_that_never_ends_does_not_swallow_the_text() {
    let html = drawn("<script>\n\n**a**\n\n<!-- b\n\n- c");
    assert!(
        html.contains("&lt;script&gt;") && html.contains("<strong>a</strong>"),
        "{html}"
    );
    assert!(
        html.contains("&lt;!-- b") && html.contains("<li>c</li>"),
        "{html}"
    );
    assert!(
        drawn("<!-- a\n\n*b* -->")
            .contains("<p class=\"raw\" dir=\"auto\">&lt;!-- a\n\n*b* --&gt;</p>")
    );
}

#[test]
fn definitions_of_links_stay_visible() {
    let html = drawn("[a]\n\n[a]: https://example.com/b \"c\"\n[d]: <e>\n\nf");
    assert!(html.contains("<a href=\"https://example.com/b\" title=\"c\""));
    assert!(
        html.contains("<p class=\"raw\" dir=\"auto\">[a]: <a href=\"https://example.com/b\""),
        "{html}"
    );
    assert!(
        html.contains(" &quot;c&quot;\n[d]: &lt;e&gt;</p>\n<p dir=\"auto\">f</p>"),
        "{html}"
    );
    for text in [
        "> [a]: b\n\nc",
        "- [a]: b\n  c\n- d",
        "[a]: b",
        "[a]: b\n[a]: c\n# d",
    ] {
        let text_shown = read(text).text;
        assert!(text_shown.contains("[a]: b"), "{text}: {text_shown}");
    }
    assert_eq!(
        drawn("a[^1]\n\n[^1]: b\n\n[c]: d").matches("[^1]").count(),
        0
    );
}

#[test]
fn surplus_cells_stay_in_the_last_one() {
    let html = drawn("| a | b |\n|---|---|\n| 1 | 2 | `3` | 4 |\n| 5 |");
    assert!(
        html.contains("<td>2 | `3` | 4</td></tr>\n<tr><td>5</td><td></td></tr>"),
        "{html}"
    );
}

#[test]
fn numbers_of_items_stay_as_written() {
    assert!(drawn("1. a\n1. b\n1. c").contains("<li>b</li>\n<li>c</li>"));
    assert!(drawn("3. a\n2. b\n1. c").contains("<li value=\"2\">b</li>\n<li value=\"1\">c</li>"));
    assert!(
        drawn("1. a\n2. b\n5. c\n6. d").contains("<li>b</li>\n<li value=\"5\">c</li>\n<li>d</li>")
    );
}

#[test]
fn one_tilde_means_about() {
    assert_eq!(inside("~5~ and ~~b~~"), "~5~ and <del>b</del>");
}

#[test]
fn code_keeps_its_blank_lines_and_loses_its_last_line_end() {
    assert!(drawn("```\r\na\r\n\r\n  b\r\n```").contains("<code>a\n\n  b</code>"));
    assert!(drawn("> ```\n> a\n>  b\n> ```").contains("<code>a\n b</code>"));
    assert!(drawn("```\na").contains("<code>a</code>"));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_drawn_well_formed(text in any::<String>()) {
        drawn(&text);
        typed(&text);
        first_line(&text, 80);
    }

    #[test]
    fn marks_in_any_order_are_drawn_well_formed(
        marks in proptest::collection::vec(proptest::sample::select(MARKS), 0..40)
    ) {
        let text = marks.concat();
        drawn(&text);
        typed(&text);
        prop_assert!(first_line(&text, 20).chars().count() <= 20);
    }

    #[test]
    fn no_word_is_lost_whatever_stands_between(
        marks in proptest::collection::vec(proptest::sample::select(MARKS), 0..40)
    ) {
        let mut text = String::new();
        let mut words = Vec::new();
        for (index, mark) in marks.iter().enumerate() {
            let word = format!("word{}", letters(index));
            text.push_str(mark);
            text.push_str(&word);
            words.push(word);
        }
        for proof in [read(&text), proof::read(prompt(&text).as_str())] {
            let shown = [proof.text, proof.links.concat(), proof.attributes.concat()].concat();
            for word in &words {
                prop_assert!(shown.contains(word), "{word} of {text:?} is lost in {shown:?}");
            }
        }
    }

    #[test]
    fn plain_text_stands_whole_and_in_order(text in "[a-zA-Z0-9äßéж日本, .\n]{0,200}") {
        let solid = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).collect::<String>();
        // A number at the head of a line is an item's, which the browser writes.
        let text = text.replace("\n", "\nx");
        let text = format!("x{text}");
        prop_assert_eq!(solid(&read(&text).text), solid(&text));
        prop_assert_eq!(solid(&proof::read(prompt(&text).as_str()).text), solid(&text));
    }
}

/// A number in letters.
fn letters(number: usize) -> String {
    number
        .to_string()
        .bytes()
        .map(|digit| char::from(digit - b'0' + b'a'))
        .collect()
}

/// Pieces of Markdown, to be strung together.
const MARKS: &[&str] = &[
    "\n",
    "\n\n",
    " ",
    "    ",
    "\t",
    "*",
    "**",
    "_",
    "__",
    "~",
    "~~",
    "`",
    "``",
    "```",
    "\n```\n",
    "\n~~~ ",
    "[",
    "]",
    "](",
    ")",
    "(",
    "![",
    "[^a]",
    "\n[^a]: ",
    "\n[a]: ",
    "\n> ",
    "\n- ",
    "\n  - ",
    "\n1. ",
    "\n7) ",
    "\n# ",
    "\n### ",
    "\n---\n",
    "\n===\n",
    "|",
    "\n|---|---|\n",
    "\n| a | b |\n",
    "<",
    ">",
    "<b ",
    "</b>",
    "\n<div>\n",
    "\n<!-- ",
    " -->",
    "<br>",
    "\\",
    "\\(",
    "\\)",
    "\\[",
    "\\]",
    "$",
    "$$",
    "\\begin{a}",
    "\\end{a}",
    "https://example.com/",
    "<http://b.c/",
    "\"",
    "'",
    "&amp;",
    "&#65;",
    "\r\n",
    "\r",
    "\u{202e}",
    "日",
    "- [ ] ",
    ":",
    "{",
    "}",
];

#[test]
#[expect(clippy::print_stdout, reason = "a test that did not run says so")]
fn hostile_strings_stay_inert() {
    let path =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/hostile/hostile.jsonl");
    let Ok(lines) = std::fs::read_to_string(&path) else {
        println!(
            "hostile_strings_stay_inert did not run: no {}",
            path.display()
        );
        return;
    };
    let mut strings = 0;
    for line in lines.lines() {
        let entry: serde_json::Value = serde_json::from_str(line).expect("a line of JSON");
        let text = entry["text"].as_str().expect("a text");
        strings += 1;
        for html in [html(text, "m-1a2b3c4d"), prompt(text)] {
            let proof = proof::read(html.as_str());
            assert!(proof.depth <= 70, "{}", entry["id"]);
            let marked = html.as_str().matches("class=\"inv\"").count();
            assert!(
                html.len() <= 20 * text.len() + 100 * marked + 1000,
                "{}",
                entry["id"]
            );
            let raw = html.as_str().contains(crate::html::is_hidden);
            assert!(!raw, "{}: a raw hidden character", entry["id"]);
        }
        first_line(text, 80);
    }
    assert!(strings > 400);
}
