//! The Markdown writer, fed with the parser's own events.

use pulldown_cmark::{Options, Parser};

use super::*;
use crate::html::proof;

fn written(markdown: &str) -> String {
    let extensions = Options::ENABLE_TABLES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_FOOTNOTES;
    let events = Parser::new_ext(markdown, extensions).map(Piece::Event);
    let html = from_events(events, "m-1a2b3c4d", markdown.len()).into_string();
    proof::read(&html);
    html
}

#[test]
fn the_usual_blocks_and_stresses_are_drawn() {
    assert_eq!(
        written("a *b* **c** ~~d~~ `e<f`  \ng\n\n> h\n\n***"),
        "<p dir=\"auto\">a <em>b</em> <strong>c</strong> <del>d</del> <code>e&lt;f</code><br>\ng</p>\n\
         <blockquote>\n<p dir=\"auto\">h</p>\n</blockquote>\n<hr>\n"
    );
    assert_eq!(
        written("- a\n- b\n\n3. c"),
        "<ul dir=\"auto\">\n<li>a</li>\n<li>b</li>\n</ul>\n\
         <ol dir=\"auto\" start=\"3\">\n<li>c</li>\n</ol>\n"
    );
}

#[test]
fn headings_start_at_the_third_level_and_skip_none() {
    let levels = |markdown: &str| -> Vec<char> {
        let html = written(markdown);
        html.split("<h")
            .skip(1)
            .filter_map(|heading| heading.chars().next())
            .collect()
    };
    assert_eq!(
        levels("# a\n## b\n### c\n#### d\n##### e\n###### f"),
        ['3', '4', '5', '6', '6', '6']
    );
    assert_eq!(
        levels("### a\n### b\n# c\n#### d\n## e\n### f"),
        ['3', '3', '3', '4', '4', '5']
    );
}

#[test]
fn raw_html_is_text() {
    assert_eq!(
        written("<div onclick=x>\n<b>y</b>\n\nz <script>1</script>"),
        "<p class=\"asis\" dir=\"auto\">&lt;div onclick=x&gt;\n&lt;b&gt;y&lt;/b&gt;</p>\n\
         <p dir=\"auto\">z &lt;script&gt;1&lt;/script&gt;</p>\n"
    );
}

#[test]
fn a_line_break_tag_breaks_the_line_in_a_table_cell_alone() {
    assert!(written("| a |\n|---|\n| b<br>c |").contains("b<br>c"));
    assert!(!written("b<br>c").contains("<br>"));
}

#[test]
fn a_table_scrolls_and_aligns_by_classes() {
    assert_eq!(
        written("| a | b | c | d |\n|---|:--|:-:|--:|\n| 1 | 2 | 3 |"),
        "<div class=\"table\" tabindex=\"0\" role=\"group\" aria-label=\"Table\"><table dir=\"auto\">\n\
         <thead><tr><th scope=\"col\">a</th><th scope=\"col\" class=\"al\">b</th>\
         <th scope=\"col\" class=\"ac\">c</th><th scope=\"col\" class=\"ar\">d</th></tr></thead><tbody>\n\
         <tr><td>1</td><td class=\"al\">2</td><td class=\"ac\">3</td><td class=\"ar\"></td></tr>\n\
         </tbody></table></div>\n"
    );
}

#[test]
fn a_code_block_names_its_language_and_shows_what_else_the_fence_says() {
    assert_eq!(
        written("```Rust\nlet a = \"<\";\n```"),
        "<div class=\"box\" tabindex=\"0\" role=\"group\" aria-label=\"Code, rust\"><pre>\
         <code class=\"lang-rust\">let a = &quot;&lt;&quot;;\n</code></pre></div>\n"
    );
    let more = written("```rust,ignore \" onfocus=x\na\n```");
    assert!(more.contains(
        "<p class=\"info\">rust,ignore &quot; onfocus=x</p><pre><code class=\"lang-rust\">"
    ));
    let none = written("```../../etc\na\n```");
    assert!(none.contains("aria-label=\"Code\"><p class=\"info\">../../etc</p><pre><code>a"));
    for language in ["c++", "objective-c", "c#"] {
        assert!(written(&format!("```{language}\na\n```")).contains(&format!("lang-{language}\"")));
    }
}

#[test]
fn links_go_to_the_web_and_to_mail_only() {
    assert_eq!(
        written("[a](https://example.com/b \"c\\\"d\")"),
        "<p dir=\"auto\"><a href=\"https://example.com/b\" title=\"c&quot;d\" \
         rel=\"noreferrer noopener nofollow ugc\">a</a></p>\n"
    );
    assert!(written("<a@example.com>").contains("<a href=\"mailto:a@example.com\""));
    for (markdown, shown) in [
        ("[a](javascript:b)", "a <small>(javascript:b)</small>"),
        ("[a](./b.md)", "a <small>(./b.md)</small>"),
        ("[a](#b 'c')", "a <small>(#b “c”)</small>"),
        ("[`src/a.rs`](src/a.rs)", "<code>src/a.rs</code>"),
        (
            "[a](https://example.com@evil.example/)",
            "a <small>(https://example.com@evil.example/)</small>",
        ),
    ] {
        assert_eq!(written(markdown), format!("<p dir=\"auto\">{shown}</p>\n"));
    }
}

#[test]
fn a_link_that_names_another_host_shows_its_own() {
    let remark = |markdown: &str| {
        let html = written(markdown);
        let start = html.find("<small>")? + "<small>(".len();
        Some(html[start..html.find(")</small>")?].to_owned())
    };
    for words in [
        "example.com",
        "https://example.com/login",
        "go to **exam**ple.com now",
        "example。com",
        "EXAMPLE.COM",
        "https://evil.example@example.com",
    ] {
        let markdown = format!("[{words}](https://www.evil.example/x)");
        assert_eq!(
            remark(&markdown).as_deref(),
            Some("evil.example"),
            "{words}"
        );
    }
    assert_eq!(
        remark("[b@example.com](mailto:c@evil.example)").as_deref(),
        Some("c@evil.example")
    );
    assert_eq!(
        remark("<https://exämple.com/>").as_deref(),
        Some("xn--exmple-cua.com")
    );
    for words in [
        "here",
        "main.ts",
        "v1.2",
        "www.evil.example",
        "evil.example/y",
        "and so on...",
    ] {
        let markdown = format!("[{words}](https://evil.example/x)");
        assert_eq!(remark(&markdown), None, "{words}");
    }
}

#[test]
fn a_link_without_words_shows_its_address() {
    assert!(written("[](https://example.com/a)").contains(">https://example.com/a</a>"));
    assert!(written("[](b.md)").contains("(b.md)"));
}

#[test]
fn an_image_becomes_a_link_to_it() {
    assert_eq!(
        written("![a *b*](https://example.com/c.png)"),
        "<p dir=\"auto\"><a href=\"https://example.com/c.png\" \
         rel=\"noreferrer noopener nofollow ugc\">a <em>b</em></a> \
         <small>(image: example.com)</small></p>\n"
    );
    assert!(
        written("![](https://example.com/c.png)")
            .contains(">https://example.com/c.png</a> <small>(image)</small>")
    );
    assert!(written("![a](c.png \"d\")").contains("a <small>(image: c.png “d”)</small>"));
}

#[test]
fn links_do_not_nest() {
    let html = written("[![a](https://example.com/b.svg)](https://example.org/)");
    assert_eq!(html.matches("<a ").count(), 1);
    assert!(html.contains("a <small>(image: https://example.com/b.svg)</small></a>"));
    let html = written("[a <https://example.com/b> c](https://example.org/)");
    assert_eq!(html.matches("<a ").count(), 1);
    assert!(html.contains("a https://example.com/b c</a> <small>(example.org)</small>"));
    let html = written("![a[^1]](https://example.org/)\n\n[^1]: b");
    assert_eq!(html.matches("<a ").count(), 2, "{html}");
}

#[test]
fn a_file_inside_an_address_is_cut_with_its_length() {
    let html = written(&format!("![a](data:image/png;base64,{})", "A".repeat(5000)));
    assert!(html.contains("… 5022 characters"));
    assert!(html.len() < 400);
}

#[test]
fn footnotes_follow_the_text_and_link_both_ways() {
    let html = written("a[^x] b[^X]\n\n[^x]: *c*\n[^y]: d\n\ne");
    assert_eq!(
        html,
        "<p dir=\"auto\">a<sup id=\"m-1a2b3c4d-n1-r1\"><a href=\"#m-1a2b3c4d-n1\" aria-label=\"Note x\">x</a></sup> \
         b<sup id=\"m-1a2b3c4d-n1-r2\"><a href=\"#m-1a2b3c4d-n1\" aria-label=\"Note X\">X</a></sup></p>\n\
         <p dir=\"auto\">e</p>\n<dl class=\"notes\">\n\
         <dt id=\"m-1a2b3c4d-n1\">x</dt><dd dir=\"auto\"><p dir=\"auto\"><em>c</em></p>\n\
         <a href=\"#m-1a2b3c4d-n1-r1\" aria-label=\"Back to reference 1\">↩</a> \
         <a href=\"#m-1a2b3c4d-n1-r2\" aria-label=\"Back to reference 2\">↩</a> </dd>\n\
         <dt id=\"m-1a2b3c4d-n2\">y</dt><dd dir=\"auto\"><p dir=\"auto\">d</p>\n</dd>\n</dl>\n"
    );
}

#[test]
fn tasks_are_drawn_with_words_for_those_who_hear_them() {
    let html = written("- [x] a\n- [ ] b");
    assert!(html.contains(
        "<li><span aria-hidden=\"true\">☑</span><span class=\"vh\">done: </span> a</li>"
    ));
    assert!(html.contains(
        "<li><span aria-hidden=\"true\">☐</span><span class=\"vh\">to do: </span> b</li>"
    ));
}

#[test]
fn deep_nesting_is_drawn_flat_and_keeps_its_text() {
    for markdown in [
        format!("{}deep", "> ".repeat(10_000)),
        format!("{}deep", "- ".repeat(10_000)),
        format!("{}deep", "1. ".repeat(10_000)),
        format!("{}deep{}", "*a **a ".repeat(5_000), "a** a*".repeat(5_000)),
    ] {
        let proof = proof::read(&written(&markdown));
        assert!(proof.text.contains("deep"));
        assert!(proof.depth <= 2 * DEEPEST + 2, "{}", proof.depth);
    }
    let items: String = (0..40)
        .map(|level| format!("{}- x{level}\n", "  ".repeat(level)))
        .collect();
    let html = written(&items);
    assert!(html.contains("x35<br>x36<br>x37"), "{html}");
}

#[test]
fn marks_between_the_parsers_pieces_are_counted_together() {
    let html = written(&format!("a{}", "&#x301;".repeat(20)));
    assert_eq!(html.matches("U+0301").count(), 12);
}

#[test]
fn a_header_cell_without_words_is_no_header() {
    let html = written("|  | b |\n|---|---|\n| 1 | 2 |");
    assert!(
        html.contains("<tr><td></td><th scope=\"col\">b</th></tr>"),
        "{html}"
    );
}
