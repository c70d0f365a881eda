//! Every sample transcript, read: what its reader makes of it is kept as a snapshot.

use std::path::{Path, PathBuf};

use foldout::formats::{Grouped, Head, Reading, group};
use foldout::walk::walk;

/// How much of a line is kept in a snapshot, in characters.
const LINE: usize = 200;

#[test]
fn every_sample_is_read_as_before() {
    for (source, format) in samples().sources {
        let name = &source.main.name;
        let folder = name.split('/').next();
        // The hostile samples are another test's.
        if folder == Some("hostile") {
            continue;
        }
        assert_eq!(folder, Some(format.name()), "the folder tells the format");
        let (sources, _) = foldout::formats::apart(source.clone(), format);
        for (nth, part) in (1..).zip(&sources) {
            let reading = format.read(part);
            let suffix = match &part.part {
                Some(_) => format!("{name}#{nth}"),
                None => name.clone(),
            };
            insta::with_settings!({
                snapshot_suffix => suffix.replace('/', "__"),
                omit_expression => true,
            }, {
                insta::assert_snapshot!(outline(&reading));
            });
        }
    }
}

#[test]
fn every_file_among_the_samples_is_a_transcript_or_belongs_to_one() {
    let is_stray = |name: &&str| !name.starts_with("hostile/") && *name != "README.md";
    let unknown = samples().unknown;
    let names = unknown.iter().map(|(file, _)| file.name.as_str());
    assert_eq!(names.filter(is_stray).collect::<Vec<_>>(), [""; 0]);
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-transcripts")
}

fn samples() -> Grouped {
    let looked = walk(&[folder()], None).files.into_iter().map(|found| {
        let head = Head::of(&found.file).expect("a sample can be read");
        (found.file, head)
    });
    group(looked.collect(), None)
}

/// The reading as Rust writes it, without what is empty, with long lines cut, and with brackets
/// that hold one thing on the lines of that thing.
fn outline(reading: &Reading) -> String {
    let mut text = String::new();
    let above = format!("{}/", folder().display());
    for problem in &reading.problems {
        text += &problem.to_string().replace(&above, "");
        text.push('\n');
    }
    if let Some(conversation) = &reading.conversation {
        text += &format!("{conversation:#?}");
    }
    let mut lines: Vec<String> = Vec::new();
    let mut skip = 0;
    for line in text.lines() {
        if line.trim_start() == "anchor: Anchor {" {
            // Anchors are given later: those of a reading are all alike.
            skip = 4;
        }
        if skip > 0 {
            skip -= 1;
        } else if !is_empty(line) {
            push(&mut lines, cut(line));
        }
    }
    lines.join("\n")
}

/// Adds a line, on the one before it where a bracket stands alone.
fn push(lines: &mut Vec<String>, line: String) {
    let word = line.trim_start();
    if let Some(last) = lines.last_mut() {
        let closes = word.starts_with(')');
        if last.ends_with('(') {
            last.push_str(word);
            return;
        }
        if closes && let Some(inner) = last.strip_suffix(',') {
            *last = format!("{inner}{word}");
            return;
        }
    }
    if word.starts_with(['}', ']'])
        && let Some(open) = opener(lines)
    {
        let inner: Vec<_> = lines.drain(open + 1..).collect();
        let inner = inner.iter().map(|line| line.trim().trim_end_matches(','));
        let inner = inner.collect::<Vec<_>>().join(", ");
        lines[open] += &format!(" {inner} {word}");
        return;
    }
    lines.push(line);
}

/// The line that opens what is to be closed now, if all of it fits on that line.
fn opener(lines: &[String]) -> Option<usize> {
    let few = lines.len().saturating_sub(4);
    let open = few
        + lines[few..]
            .iter()
            .rposition(|line| line.ends_with(['{', '[']))?;
    let length: usize = lines[open..].iter().map(|line| line.trim().len() + 2).sum();
    (length <= 120).then_some(open)
}

/// Whether a line says that there is nothing.
fn is_empty(line: &str) -> bool {
    let value = line.trim_start().split_once(": ").map(|(_, value)| value);
    matches!(
        value,
        Some("None," | "[]," | "{}," | "\"\"," | "false," | "Unknown,")
    )
}

fn cut(line: &str) -> String {
    let count = line.chars().count();
    if count <= LINE {
        return line.to_owned();
    }
    let start: String = line.chars().take(LINE).collect();
    format!("{start}… ({count} characters),")
}
