//! What came of a call: the result block that the model saw.

use crate::formats::records::{Json, Object, items, text};
use crate::model::{Details, Image, ImageData, ToolResult};

use super::content::{self, Place};
use super::report::{self, Report};

/// A result that waits for its call.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    /// The call's id; empty in files that were cut by hand.
    pub(super) call: String,
    /// The result.
    pub(super) result: ToolResult,
    /// How long the call took, when the file says so, in milliseconds.
    pub(super) ms: Option<u64>,
    /// The path under which the whole output was saved.
    pub(super) saved: Option<String>,
}

/// How a denied call's result begins.
const DENIED: [&str; 3] = [
    "The user doesn't want to proceed with this tool use",
    "The user doesn't want to take this action",
    "[Request interrupted by user",
];

/// Reads a result block.
pub(super) fn of(object: &Object<'_>, place: &mut Place<'_>) -> Outcome {
    let mut outcome = Outcome {
        call: object.string("tool_use_id"),
        ..Outcome::default()
    };
    let result = &mut outcome.result;
    result.is_error = object.flag("is_error");
    if let Some(value) = object.get("content") {
        add_content(result, value, place);
    }
    unwrap_error(result);
    let denied = DENIED.iter().any(|start| result.text.starts_with(start));
    result.is_error |= denied;
    let failed = object
        .object("content")
        .is_some_and(|content| content.has("error_code"));
    result.is_error |= failed;
    let mut details = Details {
        exit_code: exit_code(&result.text),
        timed_out: result.is_error && says_timed_out(&result.text),
        denied,
        ..Details::default()
    };
    details.hits = report::searched(object.get("content"));
    if details != Details::default() {
        result.details = Some(Box::new(details));
    }
    outcome.saved = saved_path(&result.text);
    outcome
}

impl Outcome {
    /// Adds what the program recorded beside the block.
    pub(super) fn add(&mut self, report: Report) {
        let known = self.result.details.take().unwrap_or_default();
        let mut details = report.details;
        details.exit_code = details.exit_code.or(known.exit_code);
        details.timed_out |= known.timed_out;
        details.denied |= known.denied;
        details.hits = details.hits.or(known.hits);
        if details != Details::default() {
            self.result.details = Some(Box::new(details));
        }
        self.ms = report.ms;
        self.saved = report.saved.or(self.saved.take());
        if self.result.text.is_empty()
            && self.result.images.is_empty()
            && let Some(text) = report.text
        {
            self.result.text = text;
        }
    }
}

/// Adds the content of a result: a string, or blocks.
fn add_content(result: &mut ToolResult, value: Json<'_>, place: &mut Place<'_>) {
    if let Some(words) = text(value) {
        result.text = words.into_owned();
        return;
    }
    let blocks = if value.get().starts_with('[') {
        items(value)
    } else {
        vec![value]
    };
    for block in blocks {
        let Some(object) = Object::of(block) else {
            let words = text(block).map_or_else(|| block.get().to_owned(), Into::into);
            add_text(result, &words);
            continue;
        };
        match object.text("type").as_deref() {
            Some("text") if object.get("text").is_some() => {
                add_text(result, &object.string("text"));
            }
            Some("image") => result.images.push(content::image(&object, place)),
            Some("tool_reference") => add_text(result, &object.string("tool_name")),
            Some("web_search_result") => {
                let line = format!("{}\n{}", object.string("title"), object.string("url"));
                add_text(result, &line);
            }
            Some("document") => {
                let file = content::document(&object);
                let words = file.text.unwrap_or_default();
                add_text(result, &format!("{}\n{words}", file.name));
                if words.is_empty() {
                    result.images.push(Image {
                        data: ImageData::Missing(file.note.unwrap_or_default()),
                        alt: Some(file.name),
                    });
                }
            }
            _ => add_text(result, block.get()),
        }
    }
}

fn add_text(result: &mut ToolResult, words: &str) {
    if !result.text.is_empty() && !words.is_empty() {
        result.text.push('\n');
    }
    result.text.push_str(words);
}

/// Takes away the tags that mark an error, and remembers what they mean.
fn unwrap_error(result: &mut ToolResult) {
    let trimmed = result.text.trim();
    let Some(inner) = trimmed
        .strip_prefix("<tool_use_error>")
        .and_then(|rest| rest.strip_suffix("</tool_use_error>"))
    else {
        return;
    };
    result.is_error = true;
    result.cancelled = inner.trim_start().starts_with("Cancelled:");
    result.text = inner.to_owned();
}

/// The exit code that a failed command's output begins with.
fn exit_code(words: &str) -> Option<i64> {
    let rest = words.strip_prefix("Error: ").unwrap_or(words);
    let line = rest.strip_prefix("Exit code ")?.lines().next()?;
    line.trim().parse().ok()
}

fn says_timed_out(words: &str) -> bool {
    words.lines().take(3).any(|line| {
        line.starts_with("Command timed out after") || line.starts_with("[Command timed out")
    })
}

/// The path that a summary of a long output names.
fn saved_path(words: &str) -> Option<String> {
    let inner = words.trim_start().strip_prefix("<persisted-output>")?;
    let (_, path) = inner
        .lines()
        .take(5)
        .find_map(|l| l.split_once("saved to:"))?;
    Some(path.trim().to_owned())
}
