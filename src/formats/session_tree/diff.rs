//! The two ways in which these programs write what an edit changed: lines with a sign and their
//! number (`-12 old`, `+12|new`, ` 11 kept`, ` ...` for a gap), and unified diffs.

use crate::model::patch::{Hunk, Line, LineKind};

/// The changed stretches of a diff's text.
pub(super) fn hunks(diff: &str) -> Vec<Hunk> {
    if diff.lines().any(|line| line.starts_with("@@ -")) {
        unified(diff)
    } else {
        numbered(diff)
    }
}

/// A line of a numbered diff.
struct Numbered<'a> {
    kind: LineKind,
    number: Option<u64>,
    text: &'a str,
}

fn numbered(diff: &str) -> Vec<Hunk> {
    let stretches: Vec<Vec<Numbered<'_>>> =
        diff.lines()
            .map(numbered_line)
            .fold(vec![Vec::new()], |mut all, line| {
                match (line, all.last_mut()) {
                    (Some(line), Some(last)) => last.push(line),
                    _ => all.push(Vec::new()),
                }
                all
            });
    // Early versions began to count anew behind a gap, so that only changed lines can be believed.
    let first_kept = |lines: &Vec<Numbered<'_>>| {
        let first = lines.first().filter(|line| line.kind == LineKind::Kept);
        first.and_then(|line| line.number)
    };
    let behind_gaps = stretches.iter().skip(1).filter_map(first_kept);
    let counts_anew = behind_gaps.take(1).any(|number| number == 1);
    let stretches = stretches.into_iter().filter(|lines| !lines.is_empty());
    stretches.map(|lines| hunk(&lines, counts_anew)).collect()
}

/// A line; `None` for a gap.
fn numbered_line(line: &str) -> Option<Numbered<'_>> {
    let kind = match line.as_bytes().first() {
        Some(b'+') => LineKind::Added,
        Some(b'-') => LineKind::Removed,
        _ => LineKind::Kept,
    };
    let rest = line.get(1..).unwrap_or_default();
    let digits = rest.trim_start_matches(' ');
    let end = digits.find(|c: char| !c.is_ascii_digit());
    let (number, text) = digits.split_at(end.unwrap_or(digits.len()));
    let Ok(number) = number.parse::<u64>() else {
        if kind == LineKind::Kept && matches!(rest.trim_matches(['|', ' ']), "..." | "…") {
            return None;
        }
        return Some(Numbered {
            kind,
            number: None,
            text: rest,
        });
    };
    // A gap may have a number, behind which a bar stands; behind a space, `...` is code.
    if kind == LineKind::Kept && matches!(text, "|..." | "|…") {
        return None;
    }
    let text = text.strip_prefix(['|', ' ']).unwrap_or(text);
    Some(Numbered {
        kind,
        number: Some(number),
        text,
    })
}

/// One stretch. Kept lines have the number that they had before.
fn hunk(lines: &[Numbered<'_>], counts_anew: bool) -> Hunk {
    // The first line whose number tells one side's start, less what stands before it there.
    let start = |own: LineKind, kept_tells: bool| {
        let mut before = 0;
        for line in lines {
            let tells = line.kind == own || kept_tells && line.kind == LineKind::Kept;
            if let Some(number) = line.number.filter(|_| tells) {
                return number.checked_sub(before).filter(|start| *start > 0);
            }
            before += u64::from(line.kind == own || line.kind == LineKind::Kept);
        }
        None
    };
    Hunk {
        old_start: start(LineKind::Removed, !counts_anew),
        new_start: start(LineKind::Added, false),
        heading: None,
        lines: lines
            .iter()
            .map(|line| Line {
                kind: line.kind,
                text: line.text.to_owned(),
            })
            .collect(),
    }
}

fn unified(diff: &str) -> Vec<Hunk> {
    let mut hunks: Vec<Hunk> = Vec::new();
    for line in diff.lines() {
        if let Some(head) = line.strip_prefix("@@ -") {
            let (places, heading) = head.split_once(" @@").unwrap_or((head, ""));
            let (old, new) = places.split_once(" +").unwrap_or((places, ""));
            let start = |side: &str| side.split(',').next().and_then(|n| n.parse().ok());
            hunks.push(Hunk {
                old_start: start(old),
                new_start: start(new),
                heading: Some(heading.trim().to_owned()).filter(|heading| !heading.is_empty()),
                lines: Vec::new(),
            });
            continue;
        }
        // What stands before the first stretch names the file.
        let Some(hunk) = hunks.last_mut() else {
            continue;
        };
        let kind = match line.as_bytes().first() {
            Some(b'+') => LineKind::Added,
            Some(b'-') => LineKind::Removed,
            Some(b'\\') => LineKind::NoNewline,
            _ => LineKind::Kept,
        };
        let text = line.get(1..).unwrap_or_default().to_owned();
        hunk.lines.push(Line { kind, text });
    }
    hunks
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(diff: &str) -> Vec<String> {
        let line = |line: &Line| {
            let sign = match line.kind {
                LineKind::Added => '+',
                LineKind::Removed => '-',
                LineKind::Kept => ' ',
                LineKind::NoNewline => '\\',
            };
            format!("{sign}{}", line.text)
        };
        let hunk = |hunk: Hunk| {
            let lines: Vec<String> = hunk.lines.iter().map(line).collect();
            let starts = [hunk.old_start, hunk.new_start].map(|n| n.unwrap_or_default());
            format!("{starts:?} {}", lines.join("/"))
        };
        hunks(diff).into_iter().map(hunk).collect()
    }

    #[test]
    fn signs_and_numbers_are_taken_off() {
        let diff = "  9 a\n-10 \told\n+10 \tnew\n+11 more\n 11 b\n    ...\n 40 c\n+42 d";
        assert_eq!(
            written(diff),
            ["[9, 9]  a/-\told/+\tnew/+more/ b", "[40, 41]  c/+d"]
        );
        assert_eq!(written("+1|x\n 1|y|z"), ["[1, 1] +x/ y|z"]);
    }

    #[test]
    fn numbers_that_begin_anew_behind_a_gap_are_not_believed() {
        let diff = "     ...\n   1 a\n   2 b\n-118 old\n+118 new\n   3 c\n     ...";
        assert_eq!(written(diff), ["[116, 116]  a/ b/-old/+new/ c"]);
        assert_eq!(written("     ...\n   1 a\n+281 x"), ["[0, 280]  a/+x"]);
    }

    #[test]
    fn lines_without_numbers_are_lines() {
        assert_eq!(written("-old\n+new\n\n kept"), ["[0, 0] -old/+new/ / kept"]);
    }

    #[test]
    fn unified_diffs_are_read_too() {
        let diff = "--- a/x\n+++ b/x\n@@ -3,2 +3,3 @@ fn main\n a\n-b\n+c\n+d\n\\ No newline at end of file\n";
        assert_eq!(
            written(diff),
            ["[3, 3]  a/-b/+c/+d/\\ No newline at end of file"]
        );
    }
}
