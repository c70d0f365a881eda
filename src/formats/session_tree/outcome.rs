//! What came of a call: a result message.

use crate::formats::records::Object;
use crate::model::{Details, Timestamp, ToolResult};

use super::content::{Content, Place};
use super::details::{self, Found, Inner, Run};

/// A result that waits for its call.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    /// The call's id.
    pub(super) call: String,
    /// The tool.
    pub(super) tool: String,
    /// The result.
    pub(super) result: ToolResult,
    /// What belongs to the call rather than to its result.
    pub(super) more: More,
}

/// What a result tells of its call.
#[derive(Debug, Default)]
pub(super) struct More {
    /// How long the call took, when the file says so, in milliseconds.
    pub(super) ms: Option<u64>,
    /// The tool that was called through another.
    pub(super) inner: Option<Inner>,
    /// The subagents that it started.
    pub(super) runs: Vec<Run>,
    /// The number under which the whole output was saved.
    pub(super) artifact: Option<String>,
}

/// How the last line of a call's result begins that was stopped, or never begun.
const CANCELLED: [&str; 6] = [
    "Command aborted",
    "[Command aborted]",
    "[Command cancelled]",
    "Operation aborted",
    "Skipped due to queued user message",
    "Tool execution was aborted",
];

/// Reads a result.
pub(super) fn of(
    message: &Object<'_>,
    time: Option<Timestamp>,
    place: &mut Place<'_, '_>,
) -> Outcome {
    let (text, images) = Content::read(message.get("content"), place).into_text();
    let tool = message.string("toolName");
    let Found {
        details: mut told,
        ms,
        saved,
        inner,
        runs,
        artifact,
    } = details::of(&tool, message.object("details").as_ref(), &text);
    let is_error = message.flag("isError");
    let last = text.trim_end().lines().last().unwrap_or_default();
    let is_cancelled = is_error && CANCELLED.iter().any(|start| last.starts_with(start));
    told.interrupted |= is_cancelled && !last.starts_with("Skipped");
    if is_error {
        told.timed_out |= last
            .trim_start_matches('[')
            .starts_with("Command timed out");
        let code = last.strip_prefix("Command exited with code ");
        told.exit_code = told.exit_code.or_else(|| code?.trim().parse().ok());
    }
    let full_output = saved.map(|path| place.blobs.output(&path));
    Outcome {
        call: message.string("toolCallId"),
        tool,
        result: ToolResult {
            text,
            is_error,
            cancelled: is_cancelled,
            time,
            images,
            full_output,
            details: (told != Details::default()).then(|| Box::new(told)),
        },
        more: More {
            ms,
            inner,
            runs,
            artifact,
        },
    }
}
