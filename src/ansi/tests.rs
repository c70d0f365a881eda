//! What terminal output becomes.

use std::fs;
use std::path::Path;

use proptest::prelude::*;

use super::*;
use crate::html::seen::{shown, text_of};

fn html(text: &str) -> Vec<String> {
    lines(text).into_iter().map(Html::into_string).collect()
}

/// What a reader sees.
fn seen(text: &str) -> Vec<String> {
    lines(text).iter().map(text_of).collect()
}

#[test]
fn colours_and_styles_become_classes_that_last_over_lines() {
    assert_eq!(
        html("a \x1b[1;31mb\nc\x1b[0m d\n"),
        [
            "a <span class=\"bo f1\">b</span>",
            "<span class=\"bo f1\">c</span> d"
        ]
    );
    assert_eq!(
        html("\x1b[2;3;4;7;9;92;43mx\x1b[22;23;24;27;29;39;49my"),
        ["<span class=\"dm it ul st rv fa b3\">x</span>y"]
    );
    assert_eq!(html("\x1b[1mx\x1b[my"), ["<span class=\"bo\">x</span>y"]);
    assert_eq!(
        html("\x1b[4:3mx\x1b[4:0my"),
        ["<span class=\"ul\">x</span>y"]
    );
}

#[test]
fn other_colours_become_the_nearest_of_the_sixteen() {
    for (sequence, class) in [
        ("38;5;9", "f9"),
        ("38:5:9", "f9"),
        ("38;5;196", "f9"),
        ("38;2;0;130;0", "f2"),
        ("38:2::0:130:0", "f2"),
        ("38:2:0:130:0", "f2"),
        ("48;5;12", "b4"),
        ("104", "b4"),
        ("58;5;1;36", "f6"),
    ] {
        let expected = format!("<span class=\"{class}\">x</span>");
        assert_eq!(html(&format!("\x1b[{sequence}mx")), [expected]);
    }
    assert_eq!(html("\x1b[38mx\x1b[38;5my\x1b[38;5;999mz"), ["xyz"]);
}

#[test]
fn text_cannot_hide() {
    assert_eq!(html("\x1b[8mx\x1b[28m"), ["x"]);
    assert_eq!(html("\x1b[30;40mx"), ["<span class=\"b0\">x</span>"]);
    assert_eq!(
        html("\x1b[38;5;0;48;5;0mx"),
        ["<span class=\"b0\">x</span>"]
    );
}

#[test]
fn what_only_steers_a_terminal_is_dropped() {
    for text in [
        "\x1b[2J\x1b[Hx",
        "\x1b[?1049h\x1b[?25lx",
        "\x1b[>4;1mx",
        "\x1b(Bx\x1b7\x1b=",
        "\x1b]0;title\x07x",
        "\x1b]8;;https://example.com/\x1b\\x\x1b]8;;\x1b\\",
        "\u{9d}8;;https://example.com/\u{9c}x\u{9d}8;;\u{9c}",
        "\x1bPq#0;2;0\x1b\\x\x1b_Gf=24;AAAA\x1b\\",
        "\u{9b}12Ax\u{85}",
        "\x1b]2;\u{a9} title\x07x",
    ] {
        assert_eq!(html(text), ["x"], "{text:?}");
        assert_eq!(plain(text), "x", "{text:?}");
    }
}

#[test]
fn an_unfinished_sequence_leaves_the_text_after_it() {
    assert_eq!(seen("\x1b[31\nnext"), ["", "next"]);
    assert_eq!(seen("\x1b[31é"), ["é"]);
    assert_eq!(seen("\x1bé"), ["é"]);
    assert_eq!(seen("a\x1b"), ["a"]);
    assert_eq!(seen("\x1b]no end\nnext"), ["no end", "next"]);
    assert_eq!(seen("\x1b]8;;x\x1b[1mbold"), ["8;;xbold"]);
}

#[test]
fn an_overwritten_line_shows_its_last_state_and_counts_the_others() {
    assert_eq!(
        html("10%\r20%\r\x1b[2K\x1b[32m100%\x1b[0m\r\nnext"),
        [
            "<span class=\"f2\">100%</span><span class=\"re\"> (+2 earlier states)</span>",
            "next"
        ]
    );
    assert_eq!(seen("a\rb"), ["b (+1 earlier state)"]);
    assert_eq!(seen("a\rb\r\x1b[K"), ["b (+1 earlier state)"]);
    assert_eq!(
        seen("\x1b[2K\x1b[1Ga\x1b[2K\x1b[1Gb"),
        ["b (+1 earlier state)"]
    );
    assert_eq!(seen("\ra\r\r\n"), ["a"]);
    assert_eq!(
        html("\x1b[31ma\rb"),
        ["<span class=\"f1\">b</span><span class=\"re\"> (+1 earlier state)</span>"]
    );
    assert_eq!(plain("10%\r100%\nx\n"), "100%\nx\n");
}

#[test]
fn backspaces_embolden_underline_or_write_over() {
    assert_eq!(html("N\x08NA\x08A"), ["<span class=\"bo\">NA</span>"]);
    assert_eq!(html("_\x08a_\x08b"), ["<span class=\"ul\">ab</span>"]);
    assert_eq!(html("a\x08_"), ["<span class=\"ul\">a</span>"]);
    assert_eq!(html("_\x08a\x08a"), ["<span class=\"bo ul\">a</span>"]);
    assert_eq!(seen("|\x08/\x08-\x08\\"), ["\\ (+3 earlier states)"]);
    assert_eq!(seen("abc\x08\x08xyz"), ["axyz (+1 earlier state)"]);
    assert_eq!(seen("abc\x08\x08"), ["abc"]);
    assert_eq!(seen("\x08a"), ["a"]);
    assert_eq!(
        html("a\x1b[31mb\x08\x1b[0mbc"),
        ["a<span class=\"bo\">b</span>c"]
    );
}

#[test]
fn a_reset_behind_the_last_line_feed_is_no_line() {
    assert_eq!(html("\x1b[1ma\n\x1b[0m"), ["<span class=\"bo\">a</span>"]);
    assert_eq!(plain("\x1b[1ma\n\x1b[0m"), "a\n");
    assert!(html("\x1b[0m").is_empty());
    assert_eq!(seen("\x1b[0m\n"), [""]);
}

#[test]
fn tabs_stay_and_other_controls_become_marks() {
    assert_eq!(seen("a\tb\x07\x1b[m"), ["a\tbU+0007"]);
}

#[test]
fn plain_output_is_left_alone() {
    assert!(!has_escapes("a\r\nb\tc é ©\u{a0}\n"));
    assert!(matches!(plain("a\r\nb"), Cow::Borrowed(_)));
    assert_eq!(html("a <b>\r\nc"), ["a &lt;b&gt;", "c"]);
    assert_eq!(html("").len(), 0);
    for text in ["\x1b", "a\rb", "\x08", "\u{9b}"] {
        assert!(has_escapes(text));
    }
}

#[test]
fn styles_between_combining_marks_do_not_lift_their_limit() {
    let text = format!("a{}", "\x1b[1m\u{301}\x1b[0m\u{301}".repeat(40));
    let html = html(&text).concat();
    assert_eq!(html.matches('\u{301}').count(), 8);
}

/// Texts out of the pieces of sequences.
fn terminal_output() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "\x1b",
        "\x1b[",
        "\x1b]",
        "\x1bP",
        "\x1b\\",
        "\x07",
        "\u{9b}",
        "\u{9d}",
        "\u{9c}",
        "\u{a9}",
        "m",
        "31",
        "38;5;",
        "38;2;",
        "1;",
        ":",
        ";",
        "G",
        "K",
        "?",
        "\x08",
        "\r",
        "\n",
        "\r\n",
        "\t",
        "\0",
        "a",
        "_",
        " ",
        "é",
        "日",
        "\u{301}",
        "👩\u{200d}👧",
        "\u{202e}",
        "<b>",
        "\x1b[1m",
        "\x1b[0m",
        "\x1b[42m",
        "65535",
    ]);
    prop::collection::vec(pieces, 0..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn no_control_and_no_foreign_tag_comes_through(text in terminal_output()) {
        let lines = lines(&text);
        prop_assert!(lines.len() <= text.lines().count());
        for line in &lines {
            let seen = text_of(line);
            prop_assert!(!seen.contains(|c: char| c.is_control() && c != '\t'), "{:?}", seen);
        }
    }

    #[test]
    fn the_plain_text_is_what_the_lines_show(text in terminal_output()) {
        let plain = plain(&text);
        let lines = lines(&text);
        prop_assert_eq!(plain.lines().count(), lines.len());
        for (line, plain) in lines.iter().zip(plain.lines()) {
            let seen = text_of(line);
            prop_assert!(seen == shown(plain) || seen.starts_with(&(shown(plain) + " (+")));
        }
    }

    #[test]
    fn letters_are_never_lost_without_a_count(text in "[a-z\u{1b}\\[\\]0-9;m\n]{0,60}") {
        // Without anything that writes over a line, only sequences may go.
        let kept: String = plain(&text).chars().filter(|c| *c != '\n').collect();
        let dropped = text.chars().filter(|c| *c != '\n').count() - kept.chars().count();
        let escapes = text.matches('\x1b').count();
        prop_assert!(escapes > 0 || dropped == 0);
    }
}

#[test]
fn hostile_strings_come_out_harmless() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/hostile/hostile.jsonl");
    let Ok(strings) = fs::read_to_string(path) else {
        skipped("hostile_strings_come_out_harmless");
        return;
    };
    let mut count = 0;
    for line in strings.lines() {
        let entry: serde_json::Value = serde_json::from_str(line).expect("a line of JSON");
        let text = entry["text"].as_str().expect("a text");
        for line in lines(text) {
            let seen = text_of(&line);
            assert!(
                !seen.contains(|c: char| c.is_control() && c != '\t'),
                "{entry}"
            );
        }
        count += usize::from(entry["kind"] == "ansi");
    }
    assert!(count > 0, "there are strings of the kind `ansi`");
}

#[expect(
    clippy::print_stderr,
    reason = "the one line that says why a test did nothing"
)]
fn skipped(test: &str) {
    eprintln!("{test} did not run: there is no ../shared/hostile");
}
