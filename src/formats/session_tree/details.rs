//! What tools stored beside the text of their results (`details`), in the model's words. Copies of
//! outputs and files in it are never decoded.

use crate::formats::records::{Json, Object, text};
use crate::model::patch::{Change, FilePatch};
use crate::model::{AgentRun, Details, FileRead, PageRead, SearchHit, TodoItem, TodoState};

use super::diff;

/// Longer than any step takes, in milliseconds.
const ABSURD: u64 = 366 * 86_400_000;

/// Tools that run commands, whose times are theirs alone.
const COMMANDS: [&str; 4] = ["bash", "eval", "python", "ssh"];

/// What is worth knowing of one result's details.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// The facts.
    pub(super) details: Details,
    /// How long the call took, in milliseconds.
    pub(super) ms: Option<u64>,
    /// The path under which the whole output was saved.
    pub(super) saved: Option<String>,
    /// The number under which the whole output was saved.
    pub(super) artifact: Option<String>,
    /// The tool that was called through this one.
    pub(super) inner: Option<Inner>,
    /// The subagents that the call started.
    pub(super) runs: Vec<Run>,
}

/// A tool that was called through another.
#[derive(Debug)]
pub(super) struct Inner {
    /// Its name.
    pub(super) tool: String,
    /// What it was given, as JSON.
    pub(super) input: Option<String>,
}

/// One subagent that a call started.
#[derive(Clone, Debug, Default)]
pub(super) struct Run {
    /// Its id, which is the name of its file.
    pub(super) id: String,
    /// Its kind.
    pub(super) kind: String,
    /// What it was to do, in a few words.
    pub(super) description: Option<String>,
    /// What it reported in the end.
    pub(super) report: Option<String>,
    /// What went wrong with it.
    pub(super) error: Option<String>,
}

/// Reads the details of a tool's result, whose text is `words`.
pub(super) fn of(tool: &str, object: Option<&Object<'_>>, words: &str) -> Found {
    let mut found = Found::default();
    let Some(object) = object else {
        if tool == "read" {
            found.details.file = shown_lines(words);
        }
        return found;
    };
    if let Some(inner) = dispatched(object) {
        let details = object.object("xdev").and_then(|xdev| xdev.object("inner"));
        let details = details.and_then(|inner| inner.object("details").or(Some(inner)));
        found = of(&inner.tool, details.as_ref(), words);
        found.inner = Some(inner);
        return found;
    }
    add_command(&mut found, tool, object);
    add_truncation(&mut found, tool, object, words);
    let details = &mut found.details;
    details.patches = patches(object);
    details.matches = object.count("matchCount");
    details.files = match details.matches {
        Some(_) => None,
        None => object.count("fileCount"),
    };
    let limits = [
        "resultLimitReached",
        "matchLimitReached",
        "entryLimitReached",
        "fileLimitReached",
    ];
    details.truncated |= object.flag("limitReached")
        || object.flag("truncated")
        || limits.iter().any(|limit| object.count(limit).is_some());
    details.hits = hits(object);
    details.page = page(object);
    details.todos = todos(object);
    details.answers = answers(object);
    if tool == "task" {
        add_runs(&mut found, object);
    }
    found
}

/// The tool that a write to a tool's address ran. Asking for its help runs nothing.
fn dispatched(object: &Object<'_>) -> Option<Inner> {
    let xdev = object.object("xdev")?;
    let tool = xdev.words("tool")?;
    (xdev.text("mode").as_deref() == Some("execute")).then(|| Inner {
        tool,
        input: xdev.get("args").map(|args| args.get().to_owned()),
    })
}

fn add_command(found: &mut Found, tool: &str, object: &Object<'_>) {
    let code = object.get("exitCode").map_or("", Json::get);
    found.details.exit_code = code.parse().ok();
    found.details.timed_out = object.flag("timedOut");
    let ms = if COMMANDS.contains(&tool) {
        let cells = object.items("cells").into_iter().filter_map(Object::of);
        let cells = cells
            .filter_map(|cell| cell.count("durationMs"))
            .reduce(|a, b| a + b);
        object.count("wallTimeMs").or(cells)
    } else {
        object
            .count("totalDurationMs")
            .or(object.count("elapsedMs"))
    };
    found.ms = ms.filter(|ms| (1..=ABSURD).contains(ms));
    let job = object.object("async").unwrap_or_default();
    if job.text("state").as_deref() == Some("running") {
        found.details.background = Some(job.string("jobId"));
    }
}

/// Whether the output was cut, and where the whole of it is.
fn add_truncation(found: &mut Found, tool: &str, object: &Object<'_>, words: &str) {
    let meta = object
        .object("meta")
        .and_then(|meta| meta.object("truncation"));
    let own = object.object("truncation");
    let own = own.filter(|own| own.flag("truncated") || own.count("totalLines").is_some());
    let is_read = tool == "read" || object.text("kind").as_deref() == Some("file");
    if is_read {
        let cut = meta.as_ref().or(own.as_ref());
        let display = object.object("displayContent");
        let start = display.and_then(|shown| shown.count("startLine"));
        let lines = cut.and_then(|cut| cut.count("outputLines"));
        let total = object.count("totalLines");
        let total = total.or_else(|| cut.and_then(|cut| cut.count("totalLines")));
        let recorded = FileRead {
            start_line: start,
            lines,
            total_lines: total.filter(|_| lines.is_some()),
        };
        let recorded = Some(recorded).filter(|recorded| *recorded != FileRead::default());
        found.details.file = shown_lines(words).or(recorded);
        return;
    }
    let is_cut = own.is_some_and(|own| own.flag("truncated"));
    found.details.truncated = is_cut || meta.is_some();
    found.saved = object.words("fullOutputPath");
    found.artifact = meta
        .and_then(|meta| meta.get("artifactId"))
        .map(|id| text(id).map_or_else(|| id.get().to_owned(), Into::into));
}

/// The lines of a file that were read, where the text's end says it:
/// `[Showing lines 1-80 of 412 …]`.
fn shown_lines(words: &str) -> Option<FileRead> {
    let last = words.trim_end().lines().last()?;
    let rest = last.strip_prefix("[Showing lines ")?;
    let (range, rest) = rest.split_once(" of ")?;
    let (first, last) = range.split_once('-')?;
    let (first, last): (u64, u64) = (first.parse().ok()?, last.parse().ok()?);
    let end = rest
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(rest.len());
    Some(FileRead {
        start_line: Some(first),
        lines: (last + 1).checked_sub(first),
        total_lines: rest[..end].parse().ok(),
    })
}

/// The changes of an edit: of one file, or of each of several.
fn patches(object: &Object<'_>) -> Vec<FilePatch> {
    let several = object
        .items("perFileResults")
        .into_iter()
        .filter_map(Object::of);
    let several: Vec<FilePatch> = several.filter_map(|file| patch(&file)).collect();
    if several.is_empty() {
        patch(object).into_iter().collect()
    } else {
        several
    }
}

fn patch(object: &Object<'_>) -> Option<FilePatch> {
    let diff = object.text("diff")?;
    let to = object.words("move");
    let from = object.words("sourcePath");
    let path = object.string("path");
    let change = match (object.text("op").as_deref(), to) {
        (_, Some(to)) => Change::Moved(to),
        (Some("create"), None) => Change::Added,
        (Some("delete"), None) => Change::Deleted,
        _ => Change::Updated,
    };
    Some(FilePatch {
        path: from.unwrap_or(path),
        change,
        hunks: diff::hunks(&diff),
    })
}

/// What a search of the web found.
fn hits(object: &Object<'_>) -> Option<Vec<SearchHit>> {
    let response = object.object("response")?;
    let sources = response.items("sources").into_iter().filter_map(Object::of);
    let hits = sources.map(|source| SearchHit {
        title: source.string("title"),
        url: source.string("url"),
        snippet: source.words("snippet"),
    });
    Some(hits.collect())
}

/// The page that was read.
fn page(object: &Object<'_>) -> Option<PageRead> {
    let url = object.words("finalUrl").or_else(|| object.words("url"));
    let is_page = object.text("kind").as_deref() == Some("url") || object.has("contentType");
    url.filter(|_| is_page).map(|url| PageRead {
        url,
        ..PageRead::default()
    })
}

/// The list as it stood after the call.
fn todos(object: &Object<'_>) -> Option<Vec<TodoItem>> {
    if !object.has("phases") {
        return None;
    }
    let mut todos = Vec::new();
    for phase in object.items("phases").into_iter().filter_map(Object::of) {
        let group = phase.words("name");
        for task in phase.items("tasks").into_iter().filter_map(Object::of) {
            let notes = task.items("notes").into_iter().filter_map(text);
            let waits = task
                .words("blocker")
                .map(|what| format!("waits for {what}"));
            let notes = waits
                .into_iter()
                .chain(task.words("details"))
                .chain(notes.map(Into::into))
                .collect::<Vec<String>>();
            todos.push(TodoItem {
                group: group.clone(),
                text: task.string("content"),
                state: match task.text("status").as_deref() {
                    Some("completed") => TodoState::Done,
                    Some("in_progress") => TodoState::Doing,
                    Some("abandoned") => TodoState::Dropped,
                    _ => TodoState::Pending,
                },
                note: Some(notes.join(" · ")).filter(|note| !note.is_empty()),
            });
        }
    }
    Some(todos)
}

/// Questions with what the person answered.
fn answers(object: &Object<'_>) -> Vec<(String, String)> {
    let several = object.items("results").into_iter().filter_map(Object::of);
    let several: Vec<_> = several.filter_map(|one| answer(&one)).collect();
    if several.is_empty() {
        answer(object).into_iter().collect()
    } else {
        several
    }
}

fn answer(object: &Object<'_>) -> Option<(String, String)> {
    let question = object.words("question")?;
    if !object.has("selectedOptions") && !object.has("customInput") {
        return None;
    }
    let chosen = object.items("selectedOptions").into_iter().filter_map(text);
    let mut said: Vec<String> = chosen.map(Into::into).collect();
    said.extend(object.words("customInput"));
    said.extend(object.words("note"));
    let said = said.join(", ");
    Some((question, said)).filter(|(_, said)| !said.is_empty())
}

/// What the subagents of a call came to.
fn add_runs(found: &mut Found, object: &Object<'_>) {
    let results: Vec<_> = object
        .items("results")
        .into_iter()
        .filter_map(Object::of)
        .collect();
    let waiting: Vec<_> = object
        .items("progress")
        .into_iter()
        .filter_map(Object::of)
        .collect();
    let each = if results.is_empty() {
        &waiting
    } else {
        &results
    };
    found.runs = each
        .iter()
        .map(|run| Run {
            id: run.string("id"),
            kind: run.string("agent"),
            description: run.words("description").or_else(|| run.words("assignment")),
            report: run.words("output"),
            error: run.words("error"),
        })
        .collect();
    if results.is_empty() {
        return;
    }
    let status = |run: &Object<'_>| {
        if run.flag("aborted") {
            "aborted"
        } else if run.count("exitCode") == Some(0) {
            "completed"
        } else {
            "failed"
        }
    };
    let done = results
        .iter()
        .filter(|run| status(run) == "completed")
        .count();
    let tokens = results
        .iter()
        .filter_map(|run| run.count("tokens"))
        .reduce(|a, b| a + b);
    found.details.agent = Some(AgentRun {
        id: match &results[..] {
            [one] => one.string("id"),
            _ => String::new(),
        },
        status: Some(match &results[..] {
            [one] => status(one).to_owned(),
            all => format!("{done} of {} completed", all.len()),
        }),
        ms: found.ms,
        tokens: tokens.filter(|tokens| *tokens > 0),
        tool_calls: None,
    });
}
