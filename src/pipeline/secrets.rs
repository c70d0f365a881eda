//! What redaction comes to in a build: the places that were masked, by file and line, and the last
//! look at the bytes before they are written.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::error::{Problem, Severity};
use crate::pages::Page;
use crate::redact::{Redactions, Redactor};
use crate::source::Source;

/// How many places of one source are named; more are counted.
const NAMED: usize = 20;

/// In how many side files the places are looked for; what stands in others is told of the main
/// file.
const SIDE_FILES: usize = 64;

/// Notes that say where something was masked, never what.
pub(super) fn places(source: &Source, redactions: &Redactions) -> Vec<Problem> {
    let mut left = redactions.counts.clone();
    if left.is_empty() {
        return Vec::new();
    }
    let mut problems = Vec::new();
    if source.part.is_some() {
        // A file of many conversations is not read once more for each of them.
        let path = &source.main.path;
        let said = left.iter().map(|(kind, count)| said(kind, *count));
        return said
            .map(|what| Problem::new(Severity::Note, path, what))
            .collect();
    }
    // Sources that share a folder share its side files, which can be many.
    let side_files = source.side_files.iter().take(SIDE_FILES);
    let files = [&source.main].into_iter().chain(&source.members);
    let files = files.chain(side_files);
    for file in files {
        let Ok(bytes) = file.read() else { continue };
        for ((line, kind), count) in redactions.lines(&bytes) {
            left.remove(&kind);
            problems.push(Problem::at(
                Severity::Note,
                &file.path,
                line,
                said(&kind, count),
            ));
        }
    }
    // Values that are common words cannot be looked for in a file.
    for (kind, count) in left {
        problems.push(Problem::new(
            Severity::Note,
            &source.main.path,
            said(&kind, count),
        ));
    }
    if problems.len() > NAMED {
        let more = format!("redacted in {} more places", problems.len() - NAMED);
        problems.truncate(NAMED);
        problems.push(Problem::new(Severity::Note, &source.main.path, more));
    }
    problems
}

fn said(kind: &str, count: u64) -> String {
    match count {
        1 => format!("redacted {kind}"),
        _ => format!("redacted {kind}, {count} times"),
    }
}

/// Looks once more at what is about to be written: a page and the files beside it. What is still
/// to be found there is masked, and said.
pub(super) fn last_look(page: &mut Page, redactor: &Redactor, known: &Redactions) -> Vec<String> {
    let mut kinds = BTreeSet::new();
    let leaks = redactor.leaks(page.html.as_str(), known);
    if !leaks.is_empty() {
        page.html = page.html.with_masked(&marked(&leaks));
        kinds.extend(leaks.into_iter().map(|(_, kind)| (page.file.clone(), kind)));
    }
    for file in &mut page.side_files {
        // Pictures are no text.
        if file.name.starts_with("media/") {
            continue;
        }
        let text = String::from_utf8_lossy(&file.bytes);
        let leaks = redactor.leaks(&text, known);
        if !leaks.is_empty() {
            let mut masked = text.into_owned();
            for (span, words) in marked(&leaks).into_iter().rev() {
                masked.replace_range(span, &words);
            }
            file.bytes = masked.into();
            kinds.extend(leaks.into_iter().map(|(_, kind)| (file.name.clone(), kind)));
        }
    }
    let said = kinds.into_iter();
    said.map(|(name, kind)| format!("{name} had still what looks like a secret, masked: {kind}"))
        .collect()
}

fn marked(leaks: &[(Range<usize>, String)]) -> Vec<(Range<usize>, String)> {
    let mark =
        |(span, kind): &(Range<usize>, String)| (span.clone(), format!("[redacted: {kind}]"));
    leaks.iter().map(mark).collect()
}
