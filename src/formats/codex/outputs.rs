//! Outputs of calls in all the ways in which they were written: JSON in a string, headers above a
//! text, lists of content, objects.

use crate::formats::records::{Json, Object, items, text};
use crate::model::{Details, ToolResult};

use super::content;

/// An output, decoded.
#[derive(Debug, Default)]
pub(super) struct Output {
    /// The result.
    pub(super) result: ToolResult,
    /// How long the call took, in milliseconds.
    pub(super) ms: Option<u64>,
}

/// How the words begin that stand in place of an output when the call failed.
const FAILURES: [&str; 14] = [
    "patch rejected",
    "exec command rejected",
    "rejected by user",
    "execution error",
    "failed in sandbox",
    "failed to parse function arguments",
    "failed to parse exec arguments",
    "exec_command failed",
    "write_stdin failed",
    "apply_patch verification failed",
    "unsupported call",
    "unsupported custom tool call",
    "sandbox error",
    "tool call error",
];

/// How many lines a header has at most.
const HEADER: usize = 8;

/// Reads what stands under `output`.
pub(super) fn read(value: Option<Json<'_>>) -> Output {
    let mut output = Output::default();
    if let Some(value) = value {
        add(&mut output, value);
    }
    let (result, ms) = (&mut output.result, &mut output.ms);
    let mut details = result.details.take().unwrap_or_default();
    take_header(&mut result.text, &mut details, ms);
    take_time_limit(&result.text, &mut details);
    let lower: String = result.text.chars().take(40).collect();
    let lower = lower.trim_start().to_ascii_lowercase();
    result.is_error |= FAILURES.iter().any(|start| lower.starts_with(start));
    let settings = result.text.contains("approval settings");
    details.denied = lower.contains("rejected by user") && !settings;
    result.is_error |= details.timed_out || details.exit_code.is_some_and(|code| code != 0);
    result.cancelled = details.interrupted;
    details.truncated |= says_truncated(&result.text);
    if *details != Details::default() {
        result.details = Some(details);
    }
    output
}

fn add(output: &mut Output, value: Json<'_>) {
    if let Some(words) = text(value) {
        let container = Json::parse(&words).ok().filter(|_| is_open(&words));
        match container.filter(|inner| add_structure(output, *inner)) {
            Some(_) => {}
            None => add_text(&mut output.result, &words),
        }
    } else if !add_structure(output, value) {
        add_text(&mut output.result, value.get());
    }
}

fn is_open(words: &str) -> bool {
    words.trim_start().starts_with(['{', '['])
}

/// Adds what is known to be an output's structure; false when it is other data.
fn add_structure(output: &mut Output, value: Json<'_>) -> bool {
    let Some(object) = Object::of(value) else {
        let blocks: Vec<_> = items(value).into_iter().map(Object::of).collect();
        let is_content = |block: &Option<Object<'_>>| block.as_ref().is_some_and(content::is_block);
        if blocks.is_empty() || !blocks.iter().all(is_content) {
            return false;
        }
        let blocks = blocks.into_iter().flatten();
        blocks.for_each(|block| add_block(&mut output.result, &block));
        return true;
    };
    if object.has("output") && (object.has("metadata") || object.has("success")) {
        let metadata = object.object("metadata").unwrap_or_default();
        let exit_code = metadata.get("exit_code");
        output.ms = metadata.get("duration_seconds").and_then(seconds);
        let details = Details {
            exit_code: exit_code.and_then(|code| code.get().parse().ok()),
            ..Details::default()
        };
        output.result.details = Some(Box::new(details));
        output.result.is_error = refuses(&object);
        if let Some(inner) = object.get("output") {
            add(output, inner);
        }
        return true;
    }
    let is_result = object.has("success") || object.has("isError") || object.has("is_error");
    if object.has("content") && is_result {
        output.result.is_error = refuses(&object);
        if let Some(inner) = object.get("content") {
            add(output, inner);
        }
        return true;
    }
    if content::is_block(&object) {
        add_block(&mut output.result, &object);
        return true;
    }
    false
}

/// Whether an object says of itself that it is of no success.
fn refuses(object: &Object<'_>) -> bool {
    let fails = object
        .get("success")
        .is_some_and(|value| value.get() == "false");
    fails || object.flag("isError") || object.flag("is_error")
}

fn add_block(result: &mut ToolResult, block: &Object<'_>) {
    match content::image(block) {
        Some(image) => result.images.push(image),
        None => add_text(result, &block.string("text")),
    }
}

fn add_text(result: &mut ToolResult, words: &str) {
    if !result.text.is_empty() && !result.text.ends_with('\n') && !words.is_empty() {
        result.text.push('\n');
    }
    result.text.push_str(words);
}

/// Milliseconds, of a number of seconds.
pub(super) fn seconds(value: Json<'_>) -> Option<u64> {
    milliseconds(value.get().parse().ok()?)
}

fn milliseconds(seconds: f64) -> Option<u64> {
    let ms = (seconds * 1e3).round();
    (1.0..=366.0 * 86_400_000.0)
        .contains(&ms)
        .then_some(ms as u64)
}

/// Takes the lines off that say how a command went, above its output.
fn take_header(words: &mut String, details: &mut Details, ms: &mut Option<u64>) {
    let starts = ["Exit code: ", "Wall time: ", "Chunk ID: "];
    if !starts.iter().any(|start| words.starts_with(start)) {
        return;
    }
    let mut length = 0;
    for line in words.split_inclusive('\n').take(HEADER) {
        let fact = line.trim_end();
        length += line.len();
        if fact == "Output:" {
            let output = words.split_off(length);
            *words = output;
            // What the header holds is what the model was told of the output below it.
            if let Some(inner) = Json::parse(words).ok().filter(|_| is_open(words)) {
                let mut output = Output::default();
                if items(inner).iter().all(|item| item.get().starts_with('{'))
                    && add_structure(&mut output, inner)
                    && output.result.images.is_empty()
                {
                    *words = output.result.text;
                }
            }
            return;
        }
        if fact.eq_ignore_ascii_case("aborted by user") {
            details.interrupted = true;
            return;
        }
        let Some((name, value)) = split_fact(fact) else {
            return;
        };
        match name {
            "Exit code" | "Process exited with code" => {
                details.exit_code = value.parse().ok().or(details.exit_code);
            }
            "Wall time" => {
                let number = value.split(' ').next().unwrap_or_default();
                *ms = number.parse().ok().and_then(milliseconds).or(*ms);
            }
            "Process running with session ID" => {
                details.background = Some(value.to_owned());
            }
            _ => {}
        }
    }
}

/// A line of a header: its name and its value.
fn split_fact(line: &str) -> Option<(&str, &str)> {
    const NAMES: [&str; 8] = [
        "Exit code",
        "Wall time",
        "Chunk ID",
        "Process exited with code",
        "Process running with session ID",
        "Original token count",
        "Total output lines",
        "Warning",
    ];
    NAMES.into_iter().find_map(|name| {
        let value = line.strip_prefix(name)?;
        Some((name, value.trim_start_matches(':').trim()))
    })
}

fn take_time_limit(words: &str, details: &mut Details) {
    let first = words.trim_start().lines().next().unwrap_or_default();
    details.timed_out |=
        first.starts_with("command timed out after ") && first.ends_with(" milliseconds");
}

/// Whether the program left something out in the middle.
fn says_truncated(words: &str) -> bool {
    let left_out = |line: &str| {
        let inner = line.trim_start_matches('\u{2026}');
        let inner = inner
            .split_once('\u{2026}')
            .map_or(inner, |(inner, _)| inner);
        inner.len() < line.len() && inner.ends_with("truncated")
            || line.starts_with("[... omitted ") && line.ends_with(" lines ...]")
    };
    words.contains("truncated")
        && words.lines().any(|line| {
            line.match_indices('\u{2026}')
                .any(|(at, _)| left_out(&line[at..]))
        })
        || words.contains("[... omitted ") && words.lines().any(|line| left_out(line.trim()))
}
