//! What a tool recorded beside its words, by what the tool is, and the wrappers that it puts
//! around the words for the model.

use crate::formats::records::{Object, items, text};
use crate::formats::unified_diff;
use crate::model::patch::{Change, FilePatch, LineKind};
use crate::model::{AgentRun, FileRead, PageRead, SearchHit};

use super::diagnostics;
use super::tool::Outcome;

/// Reads what stands beside the words of this tool.
pub(super) fn read(tool: &str, input: &Object<'_>, metadata: &Object<'_>, outcome: &mut Outcome) {
    outcome.details.truncated = metadata.flag("truncated");
    match tool {
        "bash" | "shell" => command(metadata, outcome),
        "edit" | "multiedit" | "write" | "patch" | "apply_patch" => {
            outcome.details.patches = patches(tool, input, metadata);
            diagnostics::read(input, metadata, outcome);
        }
        "read" => file(input, outcome),
        "grep" => outcome.details.matches = metadata.count("matches"),
        "glob" | "list" | "ls" => outcome.details.files = metadata.count("count"),
        "task" => agent(metadata, outcome),
        "todowrite" | "todoread" => todos(tool, input, outcome),
        "websearch" => outcome.details.hits = hits(&outcome.words),
        "question" => outcome.details.answers = answers(input, metadata),
        "webfetch" => {
            outcome.details.page = input.words("url").map(|url| PageRead {
                url,
                ..PageRead::default()
            });
        }
        _ => {}
    }
    cut(metadata, outcome);
}

/// A command's exit code, and what the program says behind its output.
fn command(metadata: &Object<'_>, outcome: &mut Outcome) {
    let details = &mut outcome.details;
    details.exit_code = metadata
        .get("exit")
        .and_then(|exit| exit.get().parse().ok());
    for (open, close) in [
        ("<bash_metadata>", "</bash_metadata>"),
        ("<shell_metadata>", "</shell_metadata>"),
        ("<metadata>", "</metadata>"),
    ] {
        let words = outcome.words.trim_end();
        let Some(start) = words.rfind(open).filter(|_| words.ends_with(close)) else {
            continue;
        };
        let remarks = &words[start + open.len()..words.len() - close.len()];
        let says = |what: &str| remarks.contains(what);
        details.timed_out |= says("exceeding timeout") || says("timed out");
        details.interrupted |= says("aborted");
        details.truncated |= says("truncated");
        // The words say what the badges do not: how long was waited.
        let remarks = remarks.trim().to_owned();
        outcome.words.truncate(start);
        outcome.words.truncate(outcome.words.trim_end().len());
        if !outcome.words.is_empty() {
            outcome.words.push_str("\n\n");
        }
        outcome.words.push_str(&remarks);
    }
}

/// An output that was cut, with the file that has all of it.
fn cut(metadata: &Object<'_>, outcome: &mut Outcome) {
    if !outcome.details.truncated {
        return;
    }
    let marker = "ull output saved to: ";
    let said = outcome.words.find(marker).map(|at| {
        let rest = &outcome.words[at + marker.len()..];
        rest.lines().next().unwrap_or_default().trim().to_owned()
    });
    outcome.saved = metadata
        .words("outputPath")
        .or(said)
        .filter(|path| !path.is_empty());
}

/// The line changes that a tool made.
fn patches(tool: &str, input: &Object<'_>, metadata: &Object<'_>) -> Vec<FilePatch> {
    let path = input.words("filePath");
    let mut patches: Vec<FilePatch> = Vec::new();
    for file in metadata.items("files") {
        patches.extend(Object::of(file).and_then(|file| patch_of_file(&file)));
    }
    // Of several edits each has its own.
    for result in metadata.items("results") {
        let diff = Object::of(result).and_then(|result| diff_of(&result));
        patches.extend(diff.iter().flat_map(|diff| unified_diff::read(diff)));
    }
    if patches.is_empty() {
        let diff = diff_of(metadata).unwrap_or_default();
        patches = unified_diff::read(&diff);
    }
    if tool == "edit" {
        patches.iter_mut().for_each(|patch| indent(patch, input));
    }
    if let Some(path) = path
        && !patches.is_empty()
    {
        // All hunks are of one file, which the diffs may name in their own way.
        let mut patch = FilePatch {
            path,
            change: patches[0].change.clone(),
            hunks: patches.into_iter().flat_map(|patch| patch.hunks).collect(),
        };
        let is_new =
            tool == "write" && metadata.get("exists").is_some() && !metadata.flag("exists");
        if is_new {
            patch.change = Change::Added;
        }
        patches = vec![patch];
    }
    patches
}

/// Puts back the white space that the program takes off all lines of a diff, as far as what was
/// asked for shows what it was.
fn indent(patch: &mut FilePatch, input: &Object<'_>) {
    let (old, new) = (input.string("oldString"), input.string("newString"));
    let asked: Vec<&str> = old.lines().chain(new.lines()).collect();
    let changed = patch.hunks.iter().flat_map(|hunk| &hunk.lines);
    let mut changed = changed.filter(|line| {
        let is_change = matches!(line.kind, LineKind::Added | LineKind::Removed);
        is_change && !line.text.trim().is_empty()
    });
    let margin = changed.find_map(|line| {
        let mut margins = asked
            .iter()
            .filter_map(|asked| asked.strip_suffix(&*line.text));
        margins.find(|margin| margin.trim().is_empty())
    });
    let Some(margin) = margin.filter(|margin| !margin.is_empty()) else {
        return;
    };
    for hunk in &mut patch.hunks {
        let lines = hunk.lines.iter_mut();
        for line in lines.filter(|line| line.kind != LineKind::NoNewline) {
            if !line.text.trim().is_empty() {
                line.text.insert_str(0, margin);
            }
        }
    }
}

/// The diff that stands beside a result.
fn diff_of(metadata: &Object<'_>) -> Option<String> {
    let filediff = metadata.object("filediff").unwrap_or_default();
    metadata
        .words("diff")
        .or_else(|| filediff.words("patch"))
        .or_else(|| {
            metadata
                .object("metadata")
                .and_then(|inner| inner.words("diff"))
        })
}

/// One file of a patch that changes several.
fn patch_of_file(file: &Object<'_>) -> Option<FilePatch> {
    let diff = file.words("patch").or_else(|| file.words("diff"));
    let hunks = diff
        .map(|diff| unified_diff::read(&diff))
        .unwrap_or_default();
    let hunks = hunks.into_iter().flat_map(|patch| patch.hunks).collect();
    let change = match file.string("type").as_str() {
        "add" => Change::Added,
        "delete" => Change::Deleted,
        "move" => Change::Moved(file.string("movePath")),
        _ => Change::Updated,
    };
    Some(FilePatch {
        path: file
            .words("filePath")
            .or_else(|| file.words("relativePath"))?,
        change,
        hunks,
    })
}

/// A file's lines without the tags around them, and which lines they are.
fn file(input: &Object<'_>, outcome: &mut Outcome) {
    const TAGS: [(&str, &str); 3] = [
        ("<content>", "</content>"),
        ("<file>", "</file>"),
        ("<entries>", "</entries>"),
    ];
    let words = &outcome.words;
    let found = TAGS.iter().find_map(|(open, close)| {
        let start = words.find(open)? + open.len();
        let end = words.rfind(close).filter(|end| *end >= start)?;
        Some((start, end, end + close.len(), *open))
    });
    // Before the tags stand the path and the kind only.
    let Some((start, end, rest, tag)) = found else {
        return;
    };
    let content = words[start..end].trim_matches('\n');
    if tag == "<entries>" {
        let entries = content.lines().map(str::trim);
        let is_entry = |entry: &&str| !entry.is_empty() && !entry.starts_with('(');
        outcome.details.files = Some(entries.filter(is_entry).count() as u64);
    }
    let number = |line: &str| -> Option<u64> {
        let end = line.find(|c: char| !c.is_ascii_digit())?;
        line[end..].starts_with([':', '|']).then_some(())?;
        line[..end].parse().ok()
    };
    let mut numbers = content.lines().filter_map(number);
    let first = numbers.next();
    let last = content.rsplit('\n').next().unwrap_or_default();
    let total = last.rsplit_once("total ").and_then(|(_, rest)| {
        let count = rest.split(' ').next()?;
        count.parse().ok()
    });
    outcome.details.file = first.map(|first| FileRead {
        start_line: Some(first),
        lines: Some(1 + numbers.count() as u64),
        total_lines: total,
    });
    // A part that was asked for is not cut.
    outcome.details.truncated &= input.get("limit").is_none();
    let rest = words[rest..].trim();
    outcome.words = match rest {
        "" => content.to_owned(),
        rest => format!("{content}\n\n{rest}"),
    };
}

/// The session that a task started, and its report without what only the model needs.
fn agent(metadata: &Object<'_>, outcome: &mut Outcome) {
    let words = &outcome.words;
    let between = |open: &str, close: &str| {
        let start = words.find(open)? + open.len();
        let end = words.rfind(close).filter(|end| *end >= start)?;
        Some(words[start..end].trim().to_owned())
    };
    let said = || {
        let line = words.lines().find_map(|line| {
            let line = line.trim();
            line.strip_prefix("task_id: ")
                .or_else(|| line.strip_prefix("session_id: "))
        })?;
        line.split_whitespace().next().map(str::to_owned)
    };
    let id = metadata.words("sessionId").or_else(said);
    let report = between("<task_result>", "</task_result>").or_else(|| {
        let start = words.find("<task_metadata>")?;
        Some(words[..start].trim().to_owned())
    });
    outcome.details.agent = id.map(|id| AgentRun {
        id,
        ..AgentRun::default()
    });
    if let Some(report) = report {
        outcome.words = report;
    }
}

/// A list that the tool only says again is not shown again.
fn todos(tool: &str, input: &Object<'_>, outcome: &mut Outcome) {
    let parse = |json: &str| serde_json::from_str::<serde_json::Value>(json).ok();
    let given = input.get("todos").and_then(|todos| parse(todos.get()));
    if tool == "todowrite" && given.is_some() && given == parse(&outcome.words) {
        outcome.words.clear();
    }
}

/// The pages that a search found: `Title:`, `URL:` and some of the text of each; `None` when the
/// words are in another form.
fn hits(words: &str) -> Option<Vec<SearchHit>> {
    let mut hits: Vec<SearchHit> = Vec::new();
    let mut is_text = false;
    for line in words.trim().lines() {
        if let Some(title) = line.strip_prefix("Title: ") {
            is_text = false;
            hits.push(SearchHit {
                title: title.trim().to_owned(),
                ..SearchHit::default()
            });
            continue;
        }
        let hit = hits.last_mut()?;
        if is_text {
            let snippet = hit.snippet.get_or_insert_default();
            snippet.push('\n');
            snippet.push_str(line);
        } else if let Some(url) = line.strip_prefix("URL: ") {
            hit.url = url.trim().to_owned();
        } else if let Some(text) = line.strip_prefix("Text: ") {
            is_text = true;
            hit.snippet = Some(text.to_owned());
        }
    }
    let is_found = |hit: &SearchHit| !hit.url.is_empty();
    (!hits.is_empty() && hits.iter().all(is_found)).then_some(hits)
}

/// The questions with the answers that were given, each question's in a row.
fn answers(input: &Object<'_>, metadata: &Object<'_>) -> Vec<(String, String)> {
    let questions = input.items("questions").into_iter();
    let answers = metadata.items("answers").into_iter();
    let pairs = questions.zip(answers).filter_map(|(question, answer)| {
        let question = Object::of(question)?.string("question");
        let chosen: Vec<_> = items(answer).into_iter().filter_map(text).collect();
        let answer = match text(answer) {
            Some(answer) => answer.into_owned(),
            None => chosen.join(", "),
        };
        Some((question, answer))
    });
    pairs.filter(|(_, answer)| !answer.is_empty()).collect()
}
