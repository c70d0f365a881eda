//! What the terminal showed of a result, as far as it says more than the response.

use std::collections::BTreeSet;

use crate::formats::records::{Json, Object, text};
use crate::formats::unified_diff;
use crate::model::patch::{Change, FilePatch};
use crate::model::{AgentRun, Input, ToolCall, ToolResult};

use super::results::details;
use super::terminal::Screen;

/// Adds the facts of a display to a result.
pub(super) fn settle(call: &ToolCall, result: &mut ToolResult, display: Json<'_>) {
    if let Some(words) = text(display) {
        // Some results have no response: what was shown of them is all that there is.
        if result.text.is_empty() && result.images.is_empty() {
            words.trim_end().clone_into(&mut result.text);
        }
        return;
    }
    if let Some(screen) = Screen::read(display) {
        // Only the same text is worth its colours: a screen holds but the end of a long one.
        let words = str::split_whitespace;
        if result.text.is_empty() || words(&screen.plain).eq(words(&result.text)) {
            result.text = screen.coloured;
        }
        return;
    }
    let Some(object) = Object::of(display) else {
        return;
    };
    let has = |key: &str| object.has(key);
    if has("fileDiff") {
        changed(call, result, &object);
    } else if has("agentName") || has("subagentName") {
        agent(result, &object);
    } else if has("plan") {
        result.is_error |= object.flag("rejected");
    } else if has("matches") {
        found(result, &object);
    } else if has("files") {
        let files = object.items("files").len() as u64;
        let details = details(result);
        details.files = Some(files);
    }
    if result.text.is_empty() && result.images.is_empty() {
        let words = ["result", "summary", "message"];
        let words = words.iter().find_map(|key| object.words(key));
        result.text = words.unwrap_or_default();
    }
}

/// The line changes of an edit. The program leaves them out of long ones.
fn changed(call: &ToolCall, result: &mut ToolResult, object: &Object<'_>) {
    if object.flag("fileDiffTruncated") {
        return;
    }
    let diff = object.text("fileDiff").unwrap_or_default();
    let mut patches = unified_diff::read(&diff);
    let path = || {
        let args = match &call.input {
            Some(Input::Json(json)) => Object::parse(json).ok()?,
            _ => return None,
        };
        args.words("file_path").or_else(|| args.words("path"))
    };
    if let [
        FilePatch {
            path: name, change, ..
        },
    ] = patches.as_mut_slice()
    {
        let told = object.words("filePath").or_else(path);
        *name = told
            .or_else(|| object.words("fileName"))
            .unwrap_or_default();
        let was_there = object.get("originalContent").is_some();
        if object.flag("isNewFile") || !was_there {
            *change = Change::Added;
        }
    }
    if !patches.is_empty() {
        details(result).patches = patches;
    }
}

/// What a subagent's run came to.
fn agent(result: &mut ToolResult, object: &Object<'_>) {
    let summary = object.object("executionSummary").unwrap_or_default();
    let status = object
        .words("state")
        .or_else(|| object.words("status"))
        .filter(|status| status != "running");
    match status.as_deref() {
        Some("failed" | "error") => result.is_error = true,
        Some("cancelled") => result.cancelled = true,
        _ => {}
    }
    let run = AgentRun {
        id: object.string("agentId"),
        status,
        ms: summary
            .count("totalDurationMs")
            .or_else(|| object.count("durationMs")),
        tokens: summary
            .count("totalTokens")
            .or_else(|| object.count("tokenCount")),
        tool_calls: summary.count("totalToolCalls"),
    };
    let known = details(result).agent.take();
    details(result).agent = Some(AgentRun {
        id: known.map_or(run.id.clone(), |known| known.id),
        ..run
    });
}

/// How much a search found.
fn found(result: &mut ToolResult, object: &Object<'_>) {
    let matches = object.items("matches");
    let files: BTreeSet<String> = matches
        .iter()
        .filter_map(|found| Object::of(*found)?.words("filePath"))
        .collect();
    let summary = object.string("summary");
    let details = details(result);
    details.truncated |= summary.contains("(limited)");
    // Where only files were asked for, the program lists no matches.
    if !matches.is_empty() {
        details.matches = Some(matches.len() as u64);
        details.files = Some(files.len() as u64);
    }
}
