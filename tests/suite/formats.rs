//! Every sample transcript, read: what its reader makes of it is kept as a snapshot.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use foldout::formats::{FORMATS, Format, Head, Reading, Role};
use foldout::source::{File, Source};

/// How much of a line is kept in a snapshot, in characters.
const LINE: usize = 200;

#[test]
fn every_sample_is_read_as_before() {
    insta::glob!(
        "../../sample-transcripts",
        "*/**/*.{json,jsonl}",
        |path| if let Some((format, reading)) = reading_of(path) {
            assert_eq!(
                format,
                folder_of_format(path),
                "the folder tells the format"
            );
            insta::assert_snapshot!(outline(&reading));
        }
    );
}

fn samples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-transcripts")
}

/// The first folder below the samples.
fn folder_of_format(path: &Path) -> String {
    let below = path.strip_prefix(samples().canonicalize().expect("the samples are there"));
    let first = below.expect("it is a sample").iter().next();
    first
        .expect("it has a folder")
        .to_string_lossy()
        .into_owned()
}

/// What the reader of a main file makes of it with all that belongs to it; `None` for a file that
/// belongs to another one. The hostile samples are another test's.
fn reading_of(path: &Path) -> Option<(&'static str, Reading)> {
    let folder = samples().join(folder_of_format(path));
    if folder.ends_with("hostile") {
        return None;
    }
    let mut sources: BTreeMap<(&str, String), Source> = BTreeMap::new();
    let mut members = Vec::new();
    let mut others = Vec::new();
    let mut own_folders = BTreeMap::new();
    for file in files_in(&folder) {
        let head = Head::of(&file).expect("a sample can be read");
        let Some(format) = format_of(&head) else {
            others.push(file);
            continue;
        };
        let claim = format.claim(&file, &head);
        let key = (format.name(), claim.key);
        if let Some(folder) = claim.own_folder {
            own_folders.insert(key.clone(), folder);
        }
        match claim.role {
            Role::Main => {
                sources.insert(key, Source::single(file));
            }
            Role::Member => members.push((key, file)),
        }
    }
    for (key, file) in members {
        if let Some(source) = sources.get_mut(&key) {
            source.members.push(file);
        }
    }
    let name = path.strip_prefix(&folder).expect("it is in its folder");
    let ((format, key), mut source) = sources
        .into_iter()
        .find(|(_, source)| Path::new(&source.main.name) == name)?;
    if let Some(folder) = own_folders.get(&(format, key)) {
        let folder = format!("{folder}/");
        others.retain(|file| file.name.starts_with(&folder));
        source.side_files = others;
    }
    let format = foldout::formats::by_name(format).expect("it is in the table");
    Some((format.name(), format.read(&source)))
}

fn format_of(head: &Head) -> Option<&'static dyn Format> {
    FORMATS
        .iter()
        .copied()
        .find(|format| format.recognises(head))
}

/// The files below a folder by name, named relative to it.
fn files_in(folder: &Path) -> Vec<File> {
    let mut open = vec![folder.to_owned()];
    let mut files = Vec::new();
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(next).expect("a folder can be listed") {
            let entry = entry.expect("an entry can be read");
            let metadata = entry.metadata().expect("its metadata can be read");
            if metadata.is_dir() {
                open.push(entry.path());
                continue;
            }
            let path = entry.path();
            let below = path.strip_prefix(folder).expect("it is in the folder");
            let name = below.to_string_lossy().replace('\\', "/");
            files.push(File::on_disk(
                path.clone(),
                name.clone(),
                name,
                metadata.len(),
            ));
        }
    }
    files.sort();
    files
}

/// The reading as Rust writes it, without what is empty, with long lines cut, and with brackets
/// that hold one thing on the lines of that thing.
fn outline(reading: &Reading) -> String {
    let mut text = String::new();
    for problem in &reading.problems {
        text += &format!("{problem}\n");
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
