//! What a diff says and how it looks.

use std::ops::Range;

use proptest::prelude::*;

use super::*;
use crate::html::proof::{shown, text_of};
use crate::html::{Class, Html};

fn unpainted(_: &str) -> Vec<(Range<usize>, Class)> {
    Vec::new()
}

/// The hunks as a patch is written.
fn written(hunks: &[Hunk]) -> String {
    let mut patch = String::new();
    for hunk in hunks {
        let start = |start: Option<u64>| start.map_or("?".to_owned(), |start| start.to_string());
        let (old, new) = (start(hunk.old_start), start(hunk.new_start));
        patch.push_str(&format!("@@ -{old} +{new}\n"));
        for line in &hunk.lines {
            let sign = match line.kind {
                LineKind::Kept => ' ',
                LineKind::Added => '+',
                LineKind::Removed => '-',
                LineKind::NoNewline => '\\',
            };
            patch.push_str(&format!("{sign}{}\n", line.text));
        }
    }
    patch
}

fn drawn(old: &str, new: &str) -> Vec<String> {
    let hunks = between(old, new, 3);
    draw(&hunks, &unpainted)
        .into_iter()
        .map(Html::into_string)
        .collect()
}

#[test]
fn changes_stand_in_the_lines_around_them() {
    let old = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
    let new = "1\n2\nX\n4\n5\n6\n7\n8\n9\n10\n";
    assert_eq!(
        written(&between(old, new, 1)),
        "@@ -2 +2\n 2\n-3\n+X\n 4\n@@ -9 +9\n 9\n+10\n"
    );
    assert_eq!(
        written(&between(old, new, usize::MAX)),
        "@@ -1 +1\n 1\n 2\n-3\n+X\n 4\n 5\n 6\n 7\n 8\n 9\n+10\n"
    );
    assert_eq!(stat(&between(old, new, 0)), (2, 1));
}

#[test]
fn equal_texts_have_no_hunks() {
    assert_eq!(between("a\nb", "a\nb", 3), []);
    assert_eq!(between("", "", 3), []);
    assert!(draw(&[], &unpainted).is_empty());
}

#[test]
fn a_new_text_is_all_added_and_a_dropped_one_all_removed() {
    assert_eq!(written(&between("", "a\nb", 3)), "@@ -0 +1\n+a\n+b\n");
    assert_eq!(written(&between("a\nb\n", "", 3)), "@@ -1 +0\n-a\n-b\n");
    assert_eq!(drawn("", "a"), ["<span class=\"ad\">+a</span>"]);
}

#[test]
fn a_lost_or_won_line_feed_at_the_end_is_said() {
    assert_eq!(
        written(&between("a\nb", "a\nb\n", 3)),
        "@@ -1 +1\n a\n-b\n\\\n+b\n"
    );
    assert_eq!(
        written(&between("a\nb", "a\nc", 3)),
        "@@ -1 +1\n a\n-b\n+c\n"
    );
    assert_eq!(
        drawn("a", "a\n"),
        [
            "<span class=\"rm\">−a</span>",
            "<span class=\"cx\"> <span class=\"re\">no line feed at the end</span></span>",
            "<span class=\"ad\">+a</span>"
        ]
    );
}

#[test]
fn what_is_too_long_to_compare_is_replaced_as_a_whole() {
    let text = |word: &str, count: usize| -> String {
        let lines: String = (0..count).map(|n| format!("{word}{n}\n")).collect();
        format!("start\n{lines}end\n")
    };
    let hunks = between(&text("a", MOST_LINES), &text("b", 10), 1);
    assert_eq!(hunks.len(), 1);
    assert_eq!(hunks[0].lines.len(), MOST_LINES + 12);
    assert_eq!(stat(&hunks), (10, MOST_LINES as u64));
    assert_eq!(hunks[0].lines[0].text, "start");
}

#[test]
fn gaps_are_drawn_with_their_size() {
    let lines: Vec<String> = (1..=30).map(|n| n.to_string()).collect();
    let old = lines.join("\n");
    let new = old.replace("\n10\n", "\nX\n").replace("\n20\n", "\n");
    let mut hunks = between(&old, &new, 1);
    hunks[1].heading = Some("fn <main>".to_owned());
    let drawn = draw(&hunks, &unpainted);
    let heads: Vec<String> = drawn
        .iter()
        .filter(|line| line.as_str().contains("class=\"hk\""))
        .map(text_of)
        .collect();
    assert_eq!(
        heads,
        ["⋯ 8 unchanged lines", "⋯ 7 unchanged lines · fn <main>"]
    );
    for hunk in &mut hunks {
        (hunk.old_start, hunk.new_start, hunk.heading) = (None, None, None);
    }
    let drawn = draw(&hunks, &unpainted);
    assert_eq!(text_of(&drawn[0]), " 9");
    assert!(drawn.iter().any(|line| text_of(line) == "⋯"));
}

#[test]
fn words_that_differ_are_marked_in_lines_that_are_alike() {
    assert_eq!(
        drawn("let a = old(b);\n", "let a = new_one(b)?;\n"),
        [
            "<span class=\"rm\">−let a = <span class=\"w\">old</span>(b);</span>",
            "<span class=\"ad\">+let a = <span class=\"w\">new_one</span>(b)<span class=\"w\">?</span>;</span>"
        ]
    );
    assert_eq!(
        drawn("to be here\n", "to be or not here\n")[1],
        "<span class=\"ad\">+to be <span class=\"w\">or not</span> here</span>"
    );
    assert_eq!(
        drawn("one two\n", "three four\n"),
        [
            "<span class=\"rm\">−one two</span>",
            "<span class=\"ad\">+three four</span>"
        ]
    );
}

#[test]
fn colours_go_on_inside_the_marks() {
    let paint = |text: &str| -> Vec<(Range<usize>, Class)> {
        let string = text.find('"').zip(text.rfind('"'));
        string
            .map(|(start, end)| (start..end + 1, Class::Str))
            .into_iter()
            .collect()
    };
    let hunks = between("f(\"one two six\")\n", "f(\"one 2 six\")\n", 3);
    let html: Vec<String> = draw(&hunks, &paint)
        .into_iter()
        .map(Html::into_string)
        .collect();
    assert_eq!(
        html[1],
        "<span class=\"ad\">+f(<span class=\"s\">&quot;one </span><span class=\"w\">\
         <span class=\"s\">2</span></span><span class=\"s\"> six&quot;</span>)</span>"
    );
}

#[test]
fn a_token_over_lines_colours_each_of_them_on_its_side() {
    let paint = |text: &str| -> Vec<(Range<usize>, Class)> {
        let comment = text.find("/*").zip(text.find("*/"));
        comment
            .map(|(start, end)| (start..end + 2, Class::Comment))
            .into_iter()
            .collect()
    };
    let hunks = between("/* a\nb\nc */ d\n", "/* a\nB\nc */ d\n", 3);
    let html: Vec<String> = draw(&hunks, &paint)
        .into_iter()
        .map(Html::into_string)
        .collect();
    assert_eq!(
        html,
        [
            "<span class=\"cx\"> <span class=\"c\">/* a</span></span>",
            "<span class=\"rm\">−<span class=\"c\">b</span></span>",
            "<span class=\"ad\">+<span class=\"c\">B</span></span>",
            "<span class=\"cx\"> <span class=\"c\">c */</span> d</span>"
        ]
    );
}

#[test]
fn carriage_returns_show_only_where_line_ends_differ() {
    assert_eq!(
        drawn("a\r\n", "b\r\n"),
        [
            "<span class=\"rm\">−a</span>",
            "<span class=\"ad\">+b</span>"
        ]
    );
    let mixed = drawn("a\r\n", "a\n").concat();
    assert!(mixed.contains("CARRIAGE RETURN"));
}

/// Texts of few different lines, so that they have much in common.
fn text() -> impl Strategy<Value = String> {
    let lines = prop::sample::select(vec![
        "a",
        "b",
        "let x = 1;",
        "let x = 2;",
        "",
        "\r",
        "x y\r",
        "x\ry z\r",
        "é\u{301}",
        "<b>",
        "👩\u{200d}👧 x",
    ]);
    (prop::collection::vec(lines, 0..12), any::<bool>()).prop_map(|(lines, ends)| {
        let end = if ends && !lines.is_empty() { "\n" } else { "" };
        lines.join("\n") + end
    })
}

/// The side of the hunks that the lines of a kind are on.
fn side(hunks: &[Hunk], kind: LineKind) -> Vec<&str> {
    let lines = hunks.iter().flat_map(|hunk| &hunk.lines);
    lines
        .filter(|line| line.kind == kind || line.kind == LineKind::Kept)
        .map(|line| line.text.as_str())
        .collect()
}

/// Tokens at odd places, over lines and up to the end, as no lexer would give them.
fn odd_paint(text: &str) -> Vec<(Range<usize>, Class)> {
    (0..text.len() / 3)
        .map(|n| (n * 3..n * 3 + 2, Class::Keyword))
        .collect()
}

proptest! {
    #[test]
    fn hunks_with_all_lines_hold_both_texts(old in text(), new in text()) {
        let hunks = between(&old, &new, usize::MAX);
        if old != new {
            let lines = |text: &str| -> Vec<String> {
                text.split_terminator('\n').map(str::to_owned).collect()
            };
            prop_assert_eq!(side(&hunks, LineKind::Removed), lines(&old));
            prop_assert_eq!(side(&hunks, LineKind::Added), lines(&new));
        }
    }

    #[test]
    fn positions_point_at_the_hunks_lines(old in text(), new in text(), context in 0_usize..4) {
        let lines: Vec<&str> = old.split_terminator('\n').collect();
        for hunk in between(&old, &new, context) {
            let start = hunk.old_start.expect("known") as usize;
            let mine = side(std::slice::from_ref(&hunk), LineKind::Removed);
            let from = if mine.is_empty() { start } else { start - 1 };
            prop_assert_eq!(&lines[from..from + mine.len()], &mine[..]);
        }
    }

    #[test]
    fn every_line_is_drawn_whole(old in text(), new in text()) {
        let hunks = between(&old, &new, 3);
        let lines = draw(&hunks, &odd_paint);
        let mut drawn = lines.iter().map(text_of).filter(|line| !line.starts_with('⋯'));
        for hunk in &hunks {
            for line in &hunk.lines {
                let drawn = drawn.next().expect("a line for each line");
                let sign = match line.kind {
                    LineKind::Kept => " ",
                    LineKind::Added => "+",
                    LineKind::Removed => "−",
                    LineKind::NoNewline => continue,
                };
                let whole = sign.to_owned() + &shown(&line.text);
                let bare = line.text.strip_suffix('\r').unwrap_or(&line.text);
                let bare = sign.to_owned() + &shown(bare);
                prop_assert!(drawn == whole || drawn == bare, "{drawn} {whole}");
            }
        }
        prop_assert_eq!(drawn.next(), None);
    }
}

#[test]
fn the_marker_of_a_secret_is_one_word() {
    let (old, new) = (
        "key = \"[redacted: key #1]\" and other words",
        "key = \"[redacted: key #12]\" and other words",
    );
    let (in_old, in_new) = words::differing(old, new).expect("alike");
    assert_eq!(&old[in_old[0].clone()], "[redacted: key #1]");
    assert_eq!(&new[in_new[0].clone()], "[redacted: key #12]");
}
