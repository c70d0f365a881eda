//! What a tool gave back: the response that the model was given, with its wrappers undone, and
//! what the program recorded beside it.

use crate::formats::records::{Json, Object, items, text};
use crate::model::{Details, FileRead, Input, PageRead, Part, SearchHit, ToolCall, ToolResult};

use super::{display, parts, shell};

/// What a program recorded of a call beside the response.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Shown<'a> {
    /// How it ended, in the program's word; empty when it is not said.
    pub(crate) status: &'a str,
    /// What the terminal showed.
    pub(crate) display: Option<Json<'a>>,
}

/// Reads the `response` of a function.
pub(super) fn of(response: Option<Json<'_>>) -> ToolResult {
    let mut result = ToolResult::default();
    let Some(value) = response else {
        return result;
    };
    let Some(object) = Object::of(value) else {
        result.text = text(value).map_or_else(|| value.get().to_owned(), Into::into);
        return result;
    };
    let mut exit_code = None;
    let mut error = None;
    for (key, value) in object.entries().filter(|(_, value)| value.get() != "null") {
        match key {
            "output" | "result" | "content" | "llmContent" => add(&mut result, value),
            "error" => error = Some(failure(value)),
            "isError" => result.is_error |= value.get() == "true",
            "exitCode" | "exit_code" => exit_code = value.get().parse().ok(),
            "signal" if matches!(value.get(), "0" | "\"(none)\"") => {}
            key => {
                let told = text(value).unwrap_or_else(|| value.get().into());
                add_line(&mut result.text, &format!("{key}: {told}"));
            }
        }
    }
    // A response without any of the usual keys is data.
    let usual = ["output", "result", "content", "llmContent", "error"];
    if !usual.iter().any(|key| object.has(key)) && object.entries().next().is_some() {
        value.get().clone_into(&mut result.text);
    }
    if let Some(error) = error.filter(|error| !matches!(error.trim(), "" | "(none)")) {
        result.is_error = true;
        add_line(&mut result.text, &error);
    }
    if exit_code.is_some() {
        details(&mut result).exit_code = exit_code;
        result.is_error |= exit_code != Some(0);
    }
    result
}

/// Adds an output: words, or a list of words, parts and blocks.
fn add(result: &mut ToolResult, value: Json<'_>) {
    if let Some(words) = text(value) {
        return add_line(&mut result.text, &words);
    }
    if !value.get().starts_with('[') {
        return add_line(&mut result.text, value.get());
    }
    for item in items(value) {
        let object = Object::of(item).unwrap_or_default();
        if let Some(words) = text(item).or_else(|| object.text("text")) {
            add_line(&mut result.text, &words);
        } else if object.text("type").as_deref() == Some("image") {
            // A block of an MCP server has its data where a part has it one level deeper.
            if let Part::Image(image) = parts::inline(&object) {
                result.images.push(image);
            }
        } else if let Some(Part::Image(image)) =
            object.object("inlineData").map(|data| parts::inline(&data))
        {
            result.images.push(image);
        } else {
            add_line(&mut result.text, item.get());
        }
    }
}

fn failure(value: Json<'_>) -> String {
    let message = || Object::of(value)?.words("message");
    text(value)
        .map(Into::into)
        .or_else(message)
        .unwrap_or_else(|| value.get().to_owned())
}

/// Adds words on a line of their own.
pub(super) fn add_line(text: &mut String, words: &str) {
    if !text.is_empty() && !words.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text.push_str(words);
}

/// The details of a result, made when there are none.
pub(super) fn details(result: &mut ToolResult) -> &mut Details {
    result.details.get_or_insert_default()
}

/// Undoes what the program wraps around the output of this call, and adds what it recorded
/// beside it.
pub(crate) fn settle(call: &ToolCall, result: &mut ToolResult, shown: Shown<'_>) {
    match shown.status {
        "error" => result.is_error = true,
        "cancelled" => {
            result.is_error = false;
            result.cancelled = true;
        }
        _ => {}
    }
    unwrap(result);
    if shown.status != "success" && is_denied(&result.text) {
        result.is_error = true;
        result.cancelled = false;
        details(result).denied = true;
        return;
    }
    match call.name.as_str() {
        "run_shell_command" | "shell" | "Shell" => shell::settle(result),
        "read_file" => read_file(result),
        "ask_user" => answers(call, result),
        "google_web_search" | "web_search" => found(result),
        "web_fetch" => fetched(call, result),
        "exit_plan_mode" if result.text.starts_with("Plan rejected") => result.is_error = true,
        _ => {}
    }
    if let Some(display) = shown.display {
        display::settle(call, result, display);
    }
}

/// Whether a text says that the person did not allow the call.
fn is_denied(text: &str) -> bool {
    const DENIALS: [&str; 3] = [
        "User denied execution",
        "User did not allow tool call",
        "User rejected",
    ];
    let words = text.trim_start();
    let words = words.strip_prefix("[Operation Cancelled] Reason:");
    let words = words.unwrap_or(text).trim_start();
    DENIALS.iter().any(|denial| words.starts_with(denial))
}

/// Takes off the marks that tell the model that a text is not to be trusted.
fn unwrap(result: &mut ToolResult) {
    let inner = result.text.trim().strip_prefix("<untrusted_context>");
    if let Some(inner) = inner.and_then(|rest| rest.strip_suffix("</untrusted_context>")) {
        let inner = inner.trim_matches('\n');
        result.text = inner.replace("&lt;/untrusted_context&gt;", "</untrusted_context>");
    }
}

/// Takes off what is said of the part of a file that was read.
fn read_file(result: &mut ToolResult) {
    const MARKS: [&str; 2] = ["--- FILE CONTENT (truncated) ---\n", "\n---\n\n"];
    let Some((head, shown)) = lines_shown(&result.text) else {
        return;
    };
    let content = MARKS.iter().find_map(|mark| {
        let at = result.text.find(mark)?;
        // A mark far down is the file's own.
        (at <= head + 400).then_some(at + mark.len())
    });
    let Some(content) = content else {
        return;
    };
    result.text.drain(..content);
    let details = details(result);
    details.truncated = true;
    details.file = Some(shown);
}

/// The lines that a text says it shows of a file, and where it says so: `Showing lines 1-20 of 50
/// total lines`.
fn lines_shown(text: &str) -> Option<(usize, FileRead)> {
    const WORDS: &str = "Showing lines ";
    let at = text.find(WORDS).filter(|at| *at < 200)?;
    let (range, rest) = text[at + WORDS.len()..].split_once(" of ")?;
    let (first, last) = range.split_once('-')?;
    let (first, last): (u64, u64) = (first.parse().ok()?, last.parse().ok()?);
    let total = rest.split(' ').next()?.parse().ok();
    Some((
        at,
        FileRead {
            start_line: Some(first),
            lines: Some(last.checked_sub(first)?.saturating_add(1)),
            total_lines: total,
        },
    ))
}

/// Takes the pages that a search found out of its answer, which ends in a numbered list of them.
fn found(result: &mut ToolResult) {
    const HEAD: &str = "Web search results for ";
    const SOURCES: &str = "\n\nSources:\n";
    if result.is_error {
        return;
    }
    let text = result.text.as_str();
    let Some((answer, sources)) = text.rsplit_once(SOURCES) else {
        return;
    };
    let hits: Option<Vec<SearchHit>> = sources.trim().lines().map(hit).collect();
    let Some(hits) = hits else {
        return;
    };
    let answer = match answer.split_once("\n\n") {
        Some((head, answer)) if head.starts_with(HEAD) => answer,
        _ => answer,
    };
    result.text = answer.to_owned();
    details(result).hits = Some(hits);
}

/// A page of a list: `[1] example.com (https://example.com/a)`.
fn hit(line: &str) -> Option<SearchHit> {
    let (_, rest) = line.strip_prefix('[')?.split_once("] ")?;
    let (title, url) = rest.strip_suffix(')')?.rsplit_once(" (")?;
    Some(SearchHit {
        title: title.to_owned(),
        url: url.to_owned(),
        snippet: None,
    })
}

/// The page that was read, when it was one.
fn fetched(call: &ToolCall, result: &mut ToolResult) {
    let Some(Input::Json(input)) = &call.input else {
        return;
    };
    let input = Object::parse(input).unwrap_or_default();
    let words = input.words("url").or_else(|| input.words("prompt"));
    let words = words.unwrap_or_default();
    let mut addresses = words
        .split(|c: char| c.is_whitespace() || "()<>\"'`".contains(c))
        .map(|word| word.trim_end_matches(['.', ',', ';', ':', '!', '?']))
        .filter(|word| word.starts_with("https://") || word.starts_with("http://"));
    if let (Some(url), None) = (addresses.next(), addresses.next())
        && !result.is_error
    {
        details(result).page = Some(PageRead {
            url: url.to_owned(),
            ..PageRead::default()
        });
    }
}

/// The answers to questions, which the program records by the questions' numbers.
fn answers(call: &ToolCall, result: &mut ToolResult) {
    let Some(Input::Json(input)) = &call.input else {
        return;
    };
    let Ok(input) = Object::parse(input) else {
        return;
    };
    let questions = input.items("questions");
    let Ok(response) = Object::parse(result.text.trim()) else {
        return;
    };
    let given = response.object("answers").unwrap_or_default();
    let answers: Vec<(String, String)> = given
        .entries()
        .filter_map(|(number, answer)| {
            let question = questions.get(number.parse::<usize>().ok()?)?;
            let question = Object::of(*question)?.words("question")?;
            Some((question, text(answer)?.into_owned()))
        })
        .collect();
    if !answers.is_empty() {
        details(result).answers = answers;
    }
}
