//! A tool part: the call, its state, and what came of it.

use crate::figures::between;
use crate::formats::pairs;
use crate::formats::records::{Json, Object, text};
use crate::model::{Details, Image, ImageData, Input, Part, TextFile, ToolCall, ToolResult};

use super::details;
use super::message::moment;
use super::part;

/// Reads a tool part.
pub(super) fn read(part: &Object<'_>) -> ToolCall {
    let state = part.object("state").unwrap_or_default();
    let name = part.string("tool");
    let time = state.object("time").unwrap_or_default();
    let at = |key| time.get(key).and_then(moment);
    let status = state.string("status");
    let is_open = matches!(status.as_str(), "pending" | "running");
    let result = (!is_open).then(|| result(&name, &state, status == "error"));
    let mut call = ToolCall {
        id: part.words("callID").unwrap_or_else(|| part.string("id")),
        input: Some(input(&state)),
        title: title(&state),
        start: at("start"),
        ms: between(at("start"), at("end")),
        running: is_open,
        result,
        name,
        ..ToolCall::default()
    };
    if let Some(result) = &mut call.result {
        result.time = at("end");
    }
    call
}

/// Reads a tool part as versions before 0.6 wrote it.
pub(super) fn read_oldest(part: &Object<'_>) -> ToolCall {
    let call = part.object("toolInvocation").unwrap_or_default();
    let is_done = call.has("result");
    let result = is_done.then(|| ToolResult {
        text: call.get("result").map_or_else(String::new, written),
        ..ToolResult::default()
    });
    ToolCall {
        id: call.string("toolCallId"),
        name: call.string("toolName"),
        input: Some(pairs::input(&call, "args")),
        running: !is_done,
        result,
        ..ToolCall::default()
    }
}

/// What the tool was given. While it is still being written only its raw text is there.
fn input(state: &Object<'_>) -> Input {
    let input = pairs::input(state, "input");
    let is_empty = matches!(&input, Input::Json(json) if json == "{}" || json == "null")
        || matches!(&input, Input::Text(text) if text.is_empty());
    match state.words("raw") {
        Some(raw) if is_empty => Input::Text(raw),
        _ if is_empty => Input::Json("{}".to_owned()),
        _ => input,
    }
}

/// What the program calls an act that was given nothing.
fn title(state: &Object<'_>) -> Option<String> {
    let is_told = matches!(input(state), Input::Json(json) if json == "{}");
    let title = state.words("title").filter(|_| is_told)?;
    Some(title).filter(|title| !title.trim().is_empty())
}

/// What came of a call that ended.
fn result(name: &str, state: &Object<'_>, failed: bool) -> ToolResult {
    let words = match state.get("error").filter(|_| failed) {
        Some(error) => written(error),
        None => state.get("output").map_or_else(String::new, written),
    };
    let metadata = state.object("metadata").unwrap_or_default();
    let input = state.object("input").unwrap_or_default();
    let mut result = made_of(name, words, &input, &metadata, failed);
    for attachment in state.items("attachments") {
        if let Some(attachment) = Object::of(attachment) {
            attach(&mut result, part::file(&attachment));
        }
    }
    result
}

/// A result, made of its words and of what the tool recorded beside them.
pub(super) fn made_of(
    name: &str,
    words: String,
    input: &Object<'_>,
    metadata: &Object<'_>,
    failed: bool,
) -> ToolResult {
    let mut outcome = Outcome {
        words,
        details: Details::default(),
        saved: None,
    };
    details::read(name, input, metadata, &mut outcome);
    let exit = outcome.details.exit_code.unwrap_or_default();
    let cancelled = failed && is_stop(&outcome.words);
    outcome.details.denied = failed && is_refusal(&outcome.words);
    let mut result = ToolResult {
        is_error: failed || exit != 0 || outcome.details.timed_out,
        cancelled,
        text: outcome.words,
        full_output: outcome.saved.map(|path| TextFile {
            name: path.rsplit(['/', '\\']).next().unwrap_or(&path).to_owned(),
            text: None,
            bytes: None,
        }),
        ..ToolResult::default()
    };
    if outcome.details != Details::default() {
        result.details = Some(Box::new(outcome.details));
    }
    result
}

/// What is being made of a result.
pub(super) struct Outcome {
    /// The words that the model was given, wrappers undone.
    pub(super) words: String,
    /// What the program recorded beside them.
    pub(super) details: Details,
    /// Where the whole output was saved, when the words are only a part of it.
    pub(super) saved: Option<String>,
}

/// Whether an error says that the call was stopped before it could end.
fn is_stop(words: &str) -> bool {
    words.starts_with("Tool execution aborted") || words == "[Tool execution was interrupted]"
}

/// Whether an error says that the person did not allow the call.
fn is_refusal(words: &str) -> bool {
    let words = words.strip_prefix("Error: ").unwrap_or(words);
    words.starts_with("The user rejected permission to use this specific tool call")
}

/// A value as words: a string as it is, anything else as JSON.
fn written(value: Json<'_>) -> String {
    text(value).map_or_else(|| value.get().to_owned(), Into::into)
}

/// Adds what a tool handed over.
pub(super) fn attach(result: &mut ToolResult, part: Part) {
    match part {
        Part::Image(image) => result.images.push(image),
        Part::File(file) => {
            if let Some(text) = file.text {
                result.text.push_str(&format!("\n{}\n{text}", file.name));
                return;
            }
            let why = file
                .note
                .unwrap_or_else(|| "not in the transcript".to_owned());
            result.images.push(Image {
                data: ImageData::Missing(why),
                alt: Some(file.name),
            });
        }
        _ => {}
    }
}
