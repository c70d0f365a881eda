//! What a language server found in files after a tool changed them.

use crate::formats::records::{Object, items};
use crate::model::{Diagnostic, DiagnosticLevel};

use super::tool::Outcome;

/// Reads what stands beside the words, and takes out of them the wrapper in which the model was
/// given the errors. Of files that the tool did not change only errors are told.
pub(super) fn read(input: &Object<'_>, metadata: &Object<'_>, outcome: &mut Outcome) {
    let found = metadata.object("diagnostics").unwrap_or_default();
    let own = input.string("filePath");
    for (path, list) in found.entries() {
        let told = items(list).into_iter().filter_map(|one| {
            let one = diagnostic(path, &Object::of(one)?);
            (one.level == DiagnosticLevel::Error || path == own).then_some(one)
        });
        outcome.details.diagnostics.extend(told);
    }
    let list = &mut outcome.details.diagnostics;
    list.sort_by(|one, other| {
        let place = |one: &Diagnostic| (one.level, one.path != own);
        let order = place(one).cmp(&place(other));
        order.then_with(|| (&one.path, one.line).cmp(&(&other.path, other.line)))
    });
    list.dedup();
    let has_errors = list.iter().any(|one| one.level == DiagnosticLevel::Error);
    unwrap(&mut outcome.words, has_errors);
}

fn diagnostic(path: &str, one: &Object<'_>) -> Diagnostic {
    let range = one.object("range").unwrap_or_default();
    let start = range.object("start").unwrap_or_default();
    Diagnostic {
        path: path.to_owned(),
        line: start.count("line").map(|line| line.saturating_add(1)),
        level: match one.count("severity") {
            Some(1) | None => DiagnosticLevel::Error,
            Some(2) => DiagnosticLevel::Warning,
            Some(_) => DiagnosticLevel::Note,
        },
        message: one.string("message"),
    }
}

/// Takes the tags off the errors in a result's words: the whole section where it is empty or its
/// errors are known otherwise.
fn unwrap(words: &mut String, is_known: bool) {
    const NAMES: [&str; 3] = ["file_diagnostics", "project_diagnostics", "diagnostics"];
    const HEADS: [&str; 5] = [
        "This file has errors, please fix",
        "This file has errors, please fix:",
        "LSP errors detected in this file, please fix:",
        "LSP errors detected in other files:",
        "LSP errors detected in other files, please fix:",
    ];
    let mut kept: Vec<&str> = Vec::new();
    let mut is_inside = false;
    // Where the sentence before the section stands.
    let mut head = 0;
    let mut changed = false;
    for line in words.lines() {
        let tag = line.trim().trim_matches(['<', '>']);
        let opens = |name: &str| {
            let rest = tag.strip_prefix(name);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
        };
        let is_tag = line.trim().starts_with('<') && line.trim().ends_with('>');
        if is_tag && !is_inside && NAMES.iter().any(|name| opens(name)) {
            (is_inside, changed) = (true, true);
            let last = kept.iter().rposition(|line| !line.trim().is_empty());
            head = last.map_or(kept.len(), |last| {
                let is_head = HEADS.contains(&kept[last].trim());
                if is_head { last } else { last + 1 }
            });
        } else if is_tag
            && is_inside
            && NAMES.iter().any(|name| tag.strip_prefix('/') == Some(name))
        {
            is_inside = false;
            let is_empty = kept[head..]
                .iter()
                .all(|line| line.trim().is_empty() || HEADS.contains(&line.trim()));
            if is_known || is_empty {
                kept.truncate(head);
            }
        } else {
            kept.push(line);
        }
    }
    if changed && !is_inside {
        *words = kept.join("\n").trim().to_owned();
    }
}
