//! What the lexer promises for every text, and what each language looks like.

use proptest::prelude::*;

use super::*;
use crate::html::proof::{shown, text_of};

/// The text with its tokens as `‹k fn›`.
pub(super) fn marked(language: &str, text: &str) -> String {
    let language = Language::from_name(language).expect("a known language");
    let mut marked = String::new();
    let mut at = 0;
    for (range, class) in spans(text, Some(language)) {
        marked.push_str(&text[at..range.start]);
        marked.push_str(&format!("‹{} {}›", class.name(), &text[range.clone()]));
        at = range.end;
    }
    marked.push_str(&text[at..]);
    marked
}

/// Texts out of the pieces that lexers care about, and of some that they must not cut.
fn codelike() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "\"",
        "'",
        "`",
        "\"\"\"",
        "'''",
        "${",
        "#{",
        "$(",
        "}",
        "{",
        "(",
        ")",
        "[",
        "]",
        "[[",
        "]]",
        "[=",
        "r#\"",
        "\"#",
        "/*",
        "*/",
        "//",
        "#",
        "--",
        "--[[",
        "<!--",
        "-->",
        "<",
        "</",
        ">",
        "<script>",
        "</script>",
        "<style>",
        "&amp;",
        "&",
        "\\",
        "\n",
        "\r\n",
        "\r",
        "\t",
        " ",
        "  ",
        "<<EOF",
        "<<~A",
        "EOF",
        "A",
        "fn",
        "class",
        "if",
        "foo",
        "Bar",
        "x1",
        "0x1F",
        "1.5e-3",
        ".",
        "..",
        ":",
        "::",
        ";",
        "=",
        "-",
        "- ",
        "key: |",
        "```rust",
        "```",
        "**",
        "*",
        "@",
        "@a",
        "$x",
        "$",
        "#[",
        "#include <a>",
        "@@ -1 +1 @@",
        "+",
        "---",
        "+++ ",
        "é",
        "日本",
        "\u{301}",
        "👩\u{200d}👧",
        "\u{202e}",
        "\0",
        "\u{feff}",
        "𝔘",
    ]);
    prop::collection::vec(pieces, 0..40).prop_map(|pieces| pieces.concat())
}

fn any_language() -> impl Strategy<Value = Option<Language>> {
    let mut languages: Vec<_> = Language::all().map(Some).collect();
    languages.push(None);
    prop::sample::select(languages)
}

proptest! {
    #[test]
    fn the_text_comes_through_whole(text in codelike(), language in any_language()) {
        prop_assert_eq!(text_of(&code(&text, language)), shown(&text));
    }

    #[test]
    fn any_text_at_all_comes_through_whole(text in any::<String>(), language in any_language()) {
        prop_assert_eq!(text_of(&code(&text, language)), shown(&text));
    }

    #[test]
    fn every_line_stands_for_itself(text in codelike(), language in any_language()) {
        let lines = code_lines(&text, language);
        let seen: Vec<String> = lines.iter().map(text_of).collect();
        let expected: Vec<String> = text
            .split('\n')
            .map(|line| shown(line.strip_suffix('\r').unwrap_or(line)))
            .collect();
        prop_assert_eq!(seen, expected);
    }

    #[test]
    fn spans_are_in_order_and_inside_the_text(text in codelike(), language in any_language()) {
        let mut last = 0;
        for (range, _) in spans(&text, language) {
            prop_assert!(last <= range.start && range.start < range.end);
            prop_assert!(text.get(range.clone()).is_some());
            last = range.end;
        }
        prop_assert!(last <= text.len());
    }
}

#[test]
fn what_nests_or_never_ends_comes_through() {
    let hostile = [
        "/[",
        "${`",
        "$(\"",
        "r#",
        "[=",
        "<a {",
        "<!--",
        "<<A ",
        "#[",
        "'",
        "\"$(",
        "`${",
        "@a.",
        "{-",
        "a:b;",
        "**a",
        "`",
        "- ",
        "(",
        "\\",
        "<script",
        "</",
        "&a",
        "${x",
        "key: |\n ",
    ];
    for language in Language::all() {
        for piece in hostile {
            let text = piece.repeat(5_000 / piece.len());
            assert_eq!(
                code_lines(&text, Some(language)).len(),
                text.split('\n').count()
            );
        }
    }
}

#[test]
fn a_string_over_lines_has_its_colour_on_each() {
    let lines = code_lines("a = '''x\r\ny\nz''' # c\r", Language::from_name("python"));
    let lines: Vec<&str> = lines.iter().map(Html::as_str).collect();
    assert_eq!(
        lines,
        [
            "a = <span class=\"s\">&#39;&#39;&#39;x</span>",
            "<span class=\"s\">y</span>",
            "<span class=\"s\">z&#39;&#39;&#39;</span> <span class=\"c\"># c</span>"
        ]
    );
}

#[test]
fn line_numbers_stand_apart_from_the_code() {
    let language = Language::from_name("js");
    let lines = numbered_code_lines("  9→/* a\n 10→b */ if", language, None).expect("numbered");
    let lines: Vec<&str> = lines.iter().map(Html::as_str).collect();
    assert_eq!(
        lines,
        [
            "<span class=\"g\">  9→</span><span class=\"c\">/* a</span>",
            "<span class=\"g\"> 10→</span><span class=\"c\">b */</span> <span class=\"k\">if</span>"
        ]
    );
    assert_eq!(numbered_code_lines("plain", language, None), None);
}

#[test]
fn without_a_language_nothing_is_painted() {
    assert_eq!(code("if <b>", None).as_str(), "if &lt;b&gt;");
}

#[test]
fn the_marker_of_a_secret_is_cut_by_no_token() {
    let marker = "[redacted: password #1]";
    for (language, text) in [
        ("bash", format!("export DB_PASSWORD={marker}; ls")),
        (
            "bash",
            format!("curl -u a:{marker} \"x {marker}\" # {marker}"),
        ),
        ("python", format!("x = {marker}  # no")),
        ("yaml", format!("password: {marker}\nb: 1")),
        ("rust", format!("let a = \"{marker}\"; f({marker})")),
    ] {
        let whole = marked(language, &text);
        let count = text.matches(marker).count();
        assert_eq!(whole.matches(marker).count(), count, "{whole}");
        assert_eq!(
            text_of(&code(&text, Language::from_name(language)))
                .matches(marker)
                .count(),
            count
        );
    }
    assert!(marked("bash", &format!("A={marker}; ls # x")).ends_with("‹c # x›"));
}
