//! What each fault of a file costs.

use proptest::prelude::*;

use super::*;

fn read(bytes: &[u8]) -> (Vec<(u64, String)>, Extent, Vec<String>) {
    let file = File::in_memory("f".into(), "f".into(), bytes.to_vec());
    let mut problems = Problems::of(&file);
    let mut records = Vec::new();
    let extent = each_record(&file, &mut problems, &mut |record, _| {
        let value: serde_json::Value = serde_json::from_str(record.json)?;
        records.push((record.line, value.to_string()));
        Ok(())
    });
    let problems = problems.into_vec().into_iter().map(|p| p.to_string());
    (records, extent, problems.collect())
}

fn values(bytes: &[u8]) -> Vec<String> {
    read(bytes).0.into_iter().map(|(_, json)| json).collect()
}

#[test]
fn a_bad_line_keeps_the_rest() {
    let (records, extent, problems) = read(b"{\"a\":1}\n{\"b\":\"x\n{\"c\":3}\n\n{d}\n{}");
    let lines: Vec<u64> = records.iter().map(|(line, _)| *line).collect();
    assert_eq!(lines, [1, 3, 6]);
    assert_eq!(extent.records, 3);
    assert_eq!(
        extent.gaps,
        [Gap { first: 2, last: 2 }, Gap { first: 5, last: 5 }]
    );
    assert_eq!(
        problems,
        [
            "f:2: a string that does not end, at column 7",
            "f:5: not valid JSON at column 2"
        ]
    );
    assert_eq!(extent.gaps[0].notice().title, "Line 2 could not be read");
}

#[test]
fn neighbouring_bad_lines_are_one_gap() {
    let (_, extent, problems) = read("{bad\n".repeat(1_000).as_bytes());
    assert_eq!(
        extent.gaps,
        [Gap {
            first: 1,
            last: 1_000
        }]
    );
    assert_eq!(problems.len(), 21);
}

#[test]
fn a_line_that_is_cut_at_the_end_of_the_file_is_told_from_a_bad_one() {
    let (records, extent, problems) = read(b"{}\n{\"a\": [1, 2");
    assert_eq!((records.len(), extent.cut), (1, Some(2)));
    assert!(extent.gaps.is_empty());
    assert_eq!(
        problems,
        ["f:2: truncated last line (still being written?)"]
    );
    // Within a character it is cut too, not mis-encoded.
    let (_, extent, problems) = read(b"{}\n{\"a\": \"\xe6\xbc");
    assert_eq!((extent.cut, problems.len()), (Some(2), 1));
    // A last line that is whole needs no line feed.
    assert_eq!(read(b"{}\n{}").1.cut, None);
}

#[test]
fn values_glued_on_one_line_are_all_read() {
    let (records, _, problems) = read(b"{\"a\":1}{\"b\":2} [3]\r{}\n{}\n");
    assert_eq!(records.len(), 5);
    assert_eq!(records[3].0, 1);
    assert_eq!(
        problems[0],
        "f:1: trailing data after the JSON value at column 8"
    );
    // Garbage after a value costs the garbage.
    let (records, extent, _) = read(b"{\"a\":1} oops {}\n{}\n");
    assert_eq!((records.len(), extent.gaps.len()), (2, 1));
}

#[test]
fn values_over_several_lines_are_read_with_one_warning() {
    let pretty = "{\n  \"a\": [\n    1\n  ]\n}\n{\n  \"a\": {}\n}\n{\"b\":1}\n";
    let (records, extent, problems) = read(pretty.as_bytes());
    let lines: Vec<u64> = records.iter().map(|(line, _)| *line).collect();
    assert_eq!(lines, [1, 6, 9]);
    assert_eq!((extent.gaps.len(), problems.len()), (0, 1));
    assert!(problems[0].starts_with("f:1: incomplete JSON"));
    // A line that is cut outside a string does not swallow the next record.
    let (records, _, problems) = read(b"{\"a\":1,\n{\"b\":2}\n");
    assert_eq!((records.len(), problems.len()), (1, 1));
    // An error in a value over several lines names the line that it is on.
    assert!(read(b"{\n\"a\":1,\n}\n").2[1].starts_with("f:3: not valid JSON"));
}

#[test]
fn encodings_are_undone_or_named() {
    let utf16 = |text: &str, mark: &[u8]| {
        let mut bytes = mark.to_vec();
        bytes.extend(text.encode_utf16().flat_map(u16::to_le_bytes));
        bytes
    };
    let (records, _, problems) = read(&utf16("{\"a\":\"é\"}\n{}\n", &[0xff, 0xfe]));
    assert_eq!(records.len(), 2);
    assert_eq!(problems, ["f:1: UTF-16LE, read as such"]);
    let (records, _, problems) = read(&utf16("{\"a\":1}\n", &[]));
    assert!(records.is_empty());
    assert!(problems[0].starts_with("f:1: no page: not UTF-8 (looks like UTF-16"));
    assert_eq!(values(b"\xef\xbb\xbf{}\r\n{}\r\n").len(), 2);
    let (records, _, problems) = read(b"{\"a\":\"caf\xe9\"}\n{}\n");
    assert_eq!(records[0].1, "{\"a\":\"caf\u{fffd}\"}");
    assert_eq!(problems, ["f:1: invalid UTF-8 at byte 10"]);
}

#[test]
fn only_a_line_feed_ends_a_record() {
    assert_eq!(
        values("{\"a\":\"b\u{2028}c\u{2029}d\u{85}e\"}\n".as_bytes()).len(),
        1
    );
}

#[test]
fn holes_of_a_crash_are_skipped() {
    let (records, extent, problems) = read(b"{}\n\0\0\0\0\n\0\0{}\n");
    assert_eq!((records.len(), extent.gaps.len()), (2, 1));
    assert!(problems.iter().all(|p| p.contains("NUL bytes")));
}

#[test]
fn half_pairs_and_raw_controls_are_repaired() {
    let (records, _, problems) = read(b"{\"a\":\"\\ud83d \\ud83d\\ude00\"}\n{\"b\":\"x\ty\"}\n");
    assert_eq!(records[0].1, "{\"a\":\"\u{fffd} \u{1f600}\"}");
    assert_eq!(records[1].1, "{\"b\":\"x\\ty\"}");
    assert_eq!(
        problems,
        [
            "f:1: lone surrogate, shown as U+FFFD",
            "f:2: control characters stand raw in a string"
        ]
    );
}

#[test]
fn deep_nesting_costs_its_line_alone() {
    let deep = format!("{{}}\n{}{}\n{{}}\n", "[".repeat(10_000), "]".repeat(10_000));
    let (records, extent, problems) = read(deep.as_bytes());
    assert_eq!((records.len(), extent.gaps.len()), (2, 1));
    assert_eq!(problems, ["f:2: nesting deeper than 128"]);
    let open = format!("{{}}\n{}\n{{}}\n", "{\"a\":".repeat(10_000));
    assert_eq!(read(open.as_bytes()).2, ["f:2: nesting deeper than 128"]);
}

#[test]
fn diagnostics_say_nothing_that_stands_in_the_file() {
    let file = File::in_memory(
        "f".into(),
        "f".into(),
        b"{\"a\":\"secret\"}\nsecret\n".to_vec(),
    );
    let mut problems = Problems::of(&file);
    each_record(&file, &mut problems, &mut |record, _| {
        serde_json::from_str::<std::collections::BTreeMap<String, u8>>(record.json).map(|_| ())
    });
    let problems: Vec<_> = problems.into_vec();
    assert_eq!(problems.len(), 2);
    assert!(problems.iter().all(|p| !p.what.contains("secret")));
}

#[test]
fn a_document_is_its_first_value() {
    let read = |text: &str| {
        let file = File::in_memory("f".into(), "f".into(), text.as_bytes().to_vec());
        let mut problems = Problems::of(&file);
        let text = document(&file, &mut problems);
        let problems = problems.into_vec().into_iter().map(|p| p.to_string());
        (text, problems.collect::<Vec<_>>())
    };
    assert_eq!(
        read("\u{feff}\n{\"a\":1}\n").0.as_deref(),
        Some("{\"a\":1}")
    );
    let (text, problems) = read("\n{}\n<b>\n");
    assert_eq!(text.as_deref(), Some("{}"));
    assert_eq!(problems, ["f:3: trailing characters at column 1"]);
    let (text, problems) = read("{\"a\":\n[1,");
    assert_eq!(text, None);
    assert_eq!(
        problems,
        ["f:2: no page: the file ends in the middle of a value, at column 4"]
    );
    assert!(read("{\"a\":tru}").1[0].starts_with("f:1: no page: not valid JSON at column"));
    assert_eq!(read(" \n").0, None);
    assert_eq!(
        read("{\"a\":\"\\ud800\t\"}").0.as_deref(),
        Some("{\"a\":\"\\ufffd\\u0009\"}")
    );
}

proptest! {
    #[test]
    fn any_bytes_are_read_to_the_end(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        read(&bytes);
    }

    #[test]
    fn any_mixture_of_json_pieces_is_read_to_the_end(
        pieces in proptest::collection::vec(
            prop::sample::select(vec![
                "{", "}", "[", "]", "\"", "\\", "\\ud83d", "\n", "\r", " ", ",", ":", "1", "null",
                "\0", "{\"a\":1}", "é", "\u{feff}",
            ]),
            0..60,
        )
    ) {
        read(pieces.concat().as_bytes());
    }
}
