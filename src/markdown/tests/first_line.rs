//! The first line that says something.

use crate::markdown::first_line;

#[test]
fn marks_are_left_out() {
    for (text, line) in [
        ("\n\n# A *first* heading\nmore", "A first heading"),
        ("> - [x] **done** with `a_b`", "done with a_b"),
        ("3. three", "three"),
        (
            "[a `b`](https://example.com) and ![c](d.png) ![](e.png)",
            "a b and c image",
        ),
        (
            "see <https://example.com/a>[^1]",
            "see https://example.com/a",
        ),
        (
            "Fix __init__.py and snake_case in *.rs, 2 * 3",
            "Fix __init__.py and snake_case in *.rs, 2 * 3",
        ),
        (
            "***all*** of __these words__ ~~no~~ \\*",
            "all of these words no *",
        ),
        ("-1 is the answer", "-1 is the answer"),
        ("#hashtag", "#hashtag"),
        ("a\tb  c", "a b c"),
    ] {
        assert_eq!(first_line(text, 80), line);
    }
}

#[test]
fn lines_that_say_nothing_are_passed_over() {
    assert_eq!(
        first_line("---\n<task>\n```\ncode\n```\nwords", 80),
        "words"
    );
    assert_eq!(first_line("```rust\nlet a;\n```", 80), "let a;");
    assert_eq!(first_line("\n?!\n", 80), "?!");
    assert_eq!(first_line(" \n", 80), "");
}

#[test]
fn a_long_line_is_cut_between_words_and_never_inside_a_character() {
    assert_eq!(first_line("one two three", 13), "one two three");
    assert_eq!(first_line("one two three", 12), "one two…");
    assert_eq!(first_line("one, twothreefour", 10), "one, twot…");
    assert_eq!(first_line("onetwo, three", 9), "onetwo…");
    assert_eq!(first_line("ab👩\u{200d}👧c", 4), "ab…");
    assert_eq!(first_line("aaae\u{301}b", 5), "aaa…");
    assert_eq!(first_line("abc", 0), "");
    assert_eq!(first_line(&"a".repeat(1_000_000), 3), "aa…");
}

#[test]
fn a_line_that_was_wrapped_by_hand_goes_on() {
    let wrapped =
        "The lamps at the pier go out each night before the last\nferry is *in*, as\nthe log says.";
    assert_eq!(
        first_line(wrapped, 120),
        "The lamps at the pier go out each night before the last ferry is in, as"
    );
    assert_eq!(
        first_line(wrapped, 60),
        "The lamps at the pier go out each night before the last…"
    );
    for other in [
        "\n\nferry",
        "\n- ferry",
        "\n# Ferry",
        "\n```\nferry\n```",
        "\n---",
    ] {
        let text = format!("The lamps at the pier go out each night before the last{other}");
        assert_eq!(
            first_line(&text, 120),
            "The lamps at the pier go out each night before the last"
        );
    }
    assert_eq!(first_line("Short\nlines", 80), "Short");
}
