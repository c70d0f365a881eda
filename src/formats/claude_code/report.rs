//! What the program recorded about a result beyond the text that the model saw
//! (`toolUseResult`). Copies of whole files in it are never decoded.

use serde::Deserialize;

use crate::formats::records::{Json, Object, items, text};
use crate::model::patch::{Change, FilePatch, Hunk, Line, LineKind};
use crate::model::{AgentRun, Details, FileRead, PageRead, SearchHit};

/// Longer than any step takes, in milliseconds.
const ABSURD: u64 = 366 * 86_400_000;

/// What is worth knowing of one `toolUseResult`.
#[derive(Debug, Default)]
pub(super) struct Report {
    /// Whose result it can be.
    pub(super) act: Act,
    /// The facts.
    pub(super) details: Details,
    /// How long the call took, in milliseconds.
    pub(super) ms: Option<u64>,
    /// The path under which the whole output was saved.
    pub(super) saved: Option<String>,
    /// The text, for records whose block has none.
    pub(super) text: Option<String>,
    /// The call that it names, in old files.
    pub(super) call: Option<String>,
}

/// What kind of act a report speaks of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Act {
    /// A command.
    Command,
    /// A file was read.
    Read,
    /// A file was changed.
    Edit,
    /// Files were searched.
    Search,
    /// The web was searched.
    Web,
    /// A page was read.
    Page,
    /// The person was asked.
    Question,
    /// A subagent ran.
    Agent,
    /// It does not say.
    #[default]
    Other,
}

impl Act {
    /// Whether a report of this act can belong to a call of this tool.
    pub(super) fn fits(self, tool: &str) -> bool {
        match self {
            Act::Command => matches!(tool, "Bash" | "BashOutput" | "PowerShell"),
            Act::Read => tool == "Read",
            Act::Edit => matches!(tool, "Edit" | "MultiEdit" | "Write" | "NotebookEdit"),
            Act::Search => matches!(tool, "Grep" | "Glob"),
            Act::Web => tool == "WebSearch",
            Act::Page => tool == "WebFetch",
            Act::Question => tool == "AskUserQuestion",
            Act::Agent => is_agent(tool),
            Act::Other => false,
        }
    }
}

/// Whether a tool starts a subagent.
pub(super) fn is_agent(tool: &str) -> bool {
    matches!(tool, "Task" | "Agent")
}

/// Reads a `toolUseResult`.
pub(super) fn read(value: Json<'_>) -> Report {
    let Some(object) = Object::of(value) else {
        let words = text(value).map(|words| {
            let inner = words.strip_prefix("Error: ").unwrap_or(&words);
            inner.to_owned()
        });
        return Report {
            text: words,
            ..Report::default()
        };
    };
    let mut report = Report {
        ms: object
            .count("durationMs")
            .or_else(|| object.count("totalDurationMs"))
            .or_else(|| Some(object.count("durationSeconds")?.saturating_mul(1_000)))
            .filter(|ms| *ms <= ABSURD),
        call: object.text("toolUseId").map(Into::into),
        ..Report::default()
    };
    let has = |keys: &[&str]| keys.iter().all(|key| object.has(key));
    report.act = if has(&["filePath"]) && (has(&["structuredPatch"]) || has(&["oldString"])) {
        report.details.patches = patch(&object).into_iter().collect();
        Act::Edit
    } else if has(&["type", "file"]) {
        report.details.file = lines_read(&object);
        Act::Read
    } else if has(&["agentId"]) {
        agent(&object, &mut report);
        Act::Agent
    } else if has(&["filenames"]) {
        // Where lines are listed, the program counts no files.
        let lines = object.text("mode").as_deref() == Some("content");
        report.details.files = object.count("numFiles").filter(|_| !lines);
        report.details.matches = object.count("numMatches");
        report.details.truncated = object.flag("truncated") || has(&["appliedLimit"]);
        Act::Search
    } else if has(&["url", "code"]) {
        report.details.page = Some(PageRead {
            url: object.string("url"),
            title: None,
            status: object.count("code"),
            bytes: object.count("bytes"),
        });
        Act::Page
    } else if has(&["query", "results"]) {
        report.details.hits = searched(object.get("results"));
        Act::Web
    } else if has(&["answers"]) {
        report.details.answers = answers(&object);
        Act::Question
    } else if has(&["stdout"]) || has(&["backgroundTaskId"]) {
        command(&object, &mut report);
        Act::Command
    } else {
        Act::Other
    };
    report
}

fn command(object: &Object<'_>, report: &mut Report) {
    let details = &mut report.details;
    details.interrupted = object.flag("interrupted");
    details.background = object.text("backgroundTaskId").map(Into::into);
    details.exit_code = object
        .get("exitCode")
        .and_then(|value| value.get().parse().ok());
    report.saved = object.text("persistedOutputPath").map(Into::into);
    let output = [object.string("stdout"), object.string("stderr")];
    let output = output.join("\n");
    report.text = Some(output.trim_matches('\n').to_owned());
}

fn agent(object: &Object<'_>, report: &mut Report) {
    let id = object.string("agentId");
    let status = object.text("status").map(|status| status.into_owned());
    let launched = status.as_deref() == Some("async_launched");
    report.details.background = launched.then(|| id.clone());
    report.details.agent = Some(AgentRun {
        id,
        status,
        ms: object.count("totalDurationMs").filter(|ms| *ms <= ABSURD),
        tokens: object.count("totalTokens"),
        tool_calls: object.count("totalToolUseCount"),
    });
}

fn lines_read(object: &Object<'_>) -> Option<FileRead> {
    let file = object.object("file")?;
    let read = FileRead {
        start_line: file.count("startLine"),
        lines: file.count("numLines"),
        total_lines: file.count("totalLines"),
    };
    (read != FileRead::default()).then_some(read)
}

fn answers(object: &Object<'_>) -> Vec<(String, String)> {
    let answers = object.object("answers").unwrap_or_default();
    let pairs = answers.entries().map(|(question, answer)| {
        let answer = text(answer).map_or_else(|| answer.get().to_owned(), Into::into);
        (question.to_owned(), answer)
    });
    pairs.collect()
}

/// The results of a web search, however deep they are listed; `None` when there is no list of
/// pages.
pub(super) fn searched(results: Option<Json<'_>>) -> Option<Vec<SearchHit>> {
    let mut hits = Vec::new();
    let mut any = false;
    for item in items(results?) {
        let Some(item) = Object::of(item) else {
            continue;
        };
        if item.has("url") && item.has("title") {
            any = true;
            hits.push(hit(&item));
            continue;
        }
        for page in item.items("content") {
            if let Some(page) = Object::of(page).filter(|page| page.has("url")) {
                any = true;
                hits.push(hit(&page));
            }
        }
    }
    any.then_some(hits)
}

fn hit(page: &Object<'_>) -> SearchHit {
    SearchHit {
        title: page.string("title"),
        url: page.string("url"),
        snippet: None,
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RawHunk {
    old_start: Option<u64>,
    new_start: Option<u64>,
    lines: Vec<String>,
}

/// The line changes; `None` when they are not as expected, and the call's input must do.
fn patch(object: &Object<'_>) -> Option<FilePatch> {
    let value = object.get("structuredPatch")?;
    let hunks: Vec<RawHunk> = serde_json::from_str(value.get()).ok()?;
    let created = object.text("type").as_deref() == Some("create");
    if hunks.is_empty() && !created {
        return None;
    }
    Some(FilePatch {
        path: object.string("filePath"),
        change: if created {
            Change::Added
        } else {
            Change::Updated
        },
        hunks: hunks.into_iter().map(hunk).collect(),
    })
}

fn hunk(hunk: RawHunk) -> Hunk {
    let lines = hunk.lines.into_iter().map(|line| {
        let (kind, text) = match line.as_bytes().first() {
            Some(b'+') => (LineKind::Added, &line[1..]),
            Some(b'-') => (LineKind::Removed, &line[1..]),
            Some(b'\\') => (LineKind::NoNewline, line[1..].trim_start()),
            Some(b' ') => (LineKind::Kept, &line[1..]),
            _ => (LineKind::Kept, line.as_str()),
        };
        Line {
            kind,
            text: text.to_owned(),
        }
    });
    Hunk {
        old_start: hunk.old_start,
        new_start: hunk.new_start,
        heading: None,
        lines: lines.collect(),
    }
}
