//! Messages by who speaks in them.

use crate::figures::one_line;
use crate::formats::problems::Problems;
use crate::formats::records::{Object, count};
use crate::formats::times;
use crate::model::{Attachment, Author, Body, Notice, NoticeKind, Part, Prompt, Timestamp, Usage};

use super::content::{self, Content, Place};
use super::entries::prose;
use super::outcome;
use super::prompt;
use super::row::{Kept, Message, Stop, What};
use super::transcript::Transcript;

/// What the program writes into an error of a message that was stopped, which says no more than
/// that.
const STOPPED: [&str; 3] = [
    "Request was aborted",
    "Request aborted by user",
    "Operation aborted",
];

/// Reads a message.
pub(super) fn read(
    transcript: &mut Transcript<'_>,
    message: &Object<'_>,
    line: u64,
    problems: &mut Problems,
) -> What {
    let time = moment(message, line, problems);
    match message.text("role").as_deref() {
        Some("user") => said(transcript, message, time, line, problems),
        Some("assistant") => wrote(transcript, message, time, line, problems),
        Some("toolResult") => {
            let mut place = place(transcript, line, problems);
            What::Result(Box::new(outcome::of(message, time, &mut place)))
        }
        Some("bashExecution") => What::Remark(ran(transcript, message, "!", "command").at(time)),
        Some("pythonExecution") => What::Remark(ran(transcript, message, "$", "code").at(time)),
        Some("custom" | "hookMessage") => custom(transcript, message, line, problems),
        Some("developer") => {
            let words = content_words(transcript, message, line, problems);
            let title = "The program put in";
            What::Remark(in_a_line(NoticeKind::Reminder, title, words).at(time))
        }
        Some("fileMention") => files(transcript, message, line, problems),
        Some("branchSummary") => {
            let title = "Summary of the branch that was left";
            let words = message.string("summary");
            What::Remark(prose(NoticeKind::Context, title, words).at(time))
        }
        Some("compactionSummary") => {
            let title = "Earlier messages were summarised";
            let words = message.string("summary");
            let notice = prose(NoticeKind::Compaction, title, words);
            What::Divider(notice.at(time), Kept::Unknown)
        }
        role => {
            let role = role.unwrap_or("nobody").to_owned();
            transcript.unknown(&format!("message of {role}"));
            let words = content_words(transcript, message, line, problems);
            let title = format!("A message of {}", one_line(&role, 40));
            What::Remark(prose(NoticeKind::Unknown, &title, words).at(time))
        }
    }
}

/// When the message was sent, or begun.
fn moment(message: &Object<'_>, line: u64, problems: &mut Problems) -> Option<Timestamp> {
    let time = message.get("timestamp").map_or(Ok(None), times::read);
    time.unwrap_or_else(|what| {
        problems.warn(line, what);
        None
    })
}

fn place<'a, 'b>(
    transcript: &'a mut Transcript<'b>,
    line: u64,
    problems: &'a mut Problems,
) -> Place<'a, 'b> {
    Place {
        line,
        problems,
        unknown: &mut transcript.unknown[1],
        blobs: &mut transcript.blobs,
    }
}

/// A message of the person, or one that the program wrote in the person's place.
fn said(
    transcript: &mut Transcript<'_>,
    message: &Object<'_>,
    time: Option<Timestamp>,
    line: u64,
    problems: &mut Problems,
) -> What {
    let mut place = place(transcript, line, problems);
    let content = Content::read(message.get("content"), &mut place);
    if message.flag("synthetic") {
        let (words, _) = content.into_text();
        let title = "The program went on by itself";
        return What::Remark(in_a_line(NoticeKind::Reminder, title, words).at(time));
    }
    let mut prompt = prompt::of(content.parts);
    prompt.time = time;
    prompt.queued = message.flag("steering");
    What::Said(Box::new(prompt))
}

fn wrote(
    transcript: &mut Transcript<'_>,
    message: &Object<'_>,
    time: Option<Timestamp>,
    line: u64,
    problems: &mut Problems,
) -> What {
    add_cost(transcript, message);
    let mut place = place(transcript, line, problems);
    let content = Content::read(message.get("content"), &mut place);
    let error = message.words("errorMessage");
    let retry = message.object("retryRecovery").unwrap_or_default();
    let error = match (error, retry.words("note")) {
        (Some(error), Some(note)) => Some(format!("{error} ({note})")),
        (error, note) => error.or(note),
    };
    let stop = match message.text("stopReason").as_deref() {
        Some("stop") => Stop::Done,
        Some("length") => Stop::TooLong,
        Some("aborted") => Stop::Stopped(error.filter(|error| {
            !STOPPED
                .iter()
                .any(|known| error.trim_end_matches('.') == *known)
        })),
        Some("error") => Stop::Failed(error.unwrap_or_default()),
        _ => error.map_or(Stop::Open, Stop::Failed),
    };
    What::Wrote(Box::new(Message {
        asked: time,
        model: message.string("model"),
        parts: content.parts,
        outcomes: content.outcomes,
        usage: usage(message),
        stop,
    }))
}

/// The tokens of a message; `None` for one that cost nothing, as it was stopped before it began.
fn usage(message: &Object<'_>) -> Option<Usage> {
    let usage = message.object("usage")?;
    let tokens = |key| usage.count(key).unwrap_or_default();
    let usage = Usage {
        input: tokens("input"),
        output: tokens("output"),
        cache_read: tokens("cacheRead"),
        cache_write: tokens("cacheWrite"),
        reasoning: tokens("reasoningTokens"),
    };
    (usage.total() > 0).then_some(usage)
}

/// Adds what a message cost.
pub(super) fn add_cost(transcript: &mut Transcript<'_>, message: &Object<'_>) {
    let usage = message.object("usage").unwrap_or_default();
    let cost = usage.object("cost").unwrap_or_default();
    let total = cost.get("total").map_or("", |total| total.get());
    let total = total.parse::<f64>().unwrap_or_default();
    if total.is_finite() && total > 0.0 {
        transcript.cost += total;
    }
}

/// What the person ran, without the model, with what it printed.
fn ran(transcript: &mut Transcript<'_>, message: &Object<'_>, sign: &str, key: &str) -> Notice {
    let words = message.string(key);
    let mut title = format!("{sign} {}", one_line(&words, 160));
    let is_cut = title.len() < words.trim().len() + 2;
    let code = message.get("exitCode").and_then(count);
    if let Some(code) = code.filter(|code| *code != 0) {
        title = format!("{title} (exit {code})");
    }
    for (flag, word) in [
        ("cancelled", "cancelled"),
        ("truncated", "truncated"),
        ("excludeFromContext", "not shown to the model"),
    ] {
        if message.flag(flag) {
            title = format!("{title} ({word})");
        }
    }
    let mut output = message.string("output");
    if let Some(path) = message.words("fullOutputPath") {
        let saved = transcript.blobs.output(&path);
        let note = match saved.text {
            Some(whole) => whole,
            None => format!("{output}\n\n[Full output: {path}]"),
        };
        output = note;
    }
    if is_cut || words.contains('\n') {
        output = format!("{words}\n\n{output}");
    }
    Notice::new(NoticeKind::Command, title).with_body(Body::Output(output))
}

/// A message that an extension, or the program, put in.
pub(super) fn custom(
    transcript: &mut Transcript<'_>,
    message: &Object<'_>,
    line: u64,
    problems: &mut Problems,
) -> What {
    let time = moment(message, line, problems);
    let kind = message.string("customType");
    let by_person = message.text("attribution").as_deref() == Some("user");
    let details = message.object("details").unwrap_or_default();
    if kind == "skill-prompt" && by_person {
        let words = content_words(transcript, message, line, problems);
        let name = details.string("name");
        let typed = details.words("prompt").unwrap_or_else(|| {
            let words = format!("/skill:{name} {}", details.string("args"));
            words.trim_end().to_owned()
        });
        return What::Said(Box::new(Prompt {
            time,
            parts: vec![Part::Text(typed)],
            asides: vec![prose(NoticeKind::Context, &format!("Skill {name}"), words)],
            ..Prompt::default()
        }));
    }
    if kind == "collab-prompt" && by_person {
        let mut place = place(transcript, line, problems);
        let content = Content::read(message.get("content"), &mut place);
        let author = details.words("author").or_else(|| details.words("from"));
        return What::Said(Box::new(Prompt {
            time,
            author: author.map_or(Author::Person, |name| Author::Agent(Some(name))),
            ..prompt::of(content.parts)
        }));
    }
    if !message.flag("display") {
        transcript.hide(&format!("hidden context: {}", one_line(&kind, 40)));
        return What::Hidden;
    }
    let mut place = place(transcript, line, problems);
    let (words, images) = Content::read(message.get("content"), &mut place).into_text();
    let (kind, title) = match kind.as_str() {
        "" => (NoticeKind::Info, "A message of an extension".to_owned()),
        "async-result" | "launch-completion" => {
            (NoticeKind::Task, "A background task ended".to_owned())
        }
        kind => (
            NoticeKind::Info,
            one_line(&kind.replace(['-', '_'], " "), 60),
        ),
    };
    let first = one_line(&words, 100);
    let title = if first.is_empty() {
        title
    } else {
        format!("{title}: {first}")
    };
    let is_whole = title.ends_with(words.trim());
    let body = if is_whole { String::new() } else { words };
    let notice = prose(kind, &title, body).at(time);
    if images.is_empty() {
        return What::Remark(notice);
    }
    What::Said(Box::new(Prompt {
        time,
        author: Author::Agent(Some(title)),
        parts: images.into_iter().map(Part::Image).collect(),
        asides: vec![notice],
        ..Prompt::default()
    }))
}

/// Files that the program read because the person named them.
fn files(
    transcript: &mut Transcript<'_>,
    message: &Object<'_>,
    line: u64,
    problems: &mut Problems,
) -> What {
    let mut parts = Vec::new();
    for file in message.items("files").into_iter().filter_map(Object::of) {
        let name = file.string("path");
        if let Some(image) = file.object("image") {
            let mut place = place(transcript, line, problems);
            let mut image = content::image(&image, &mut place);
            image.alt = Some(name);
            parts.push(Part::Image(image));
            continue;
        }
        let note = match file.text("skippedReason").as_deref() {
            Some("tooLarge") => Some("too large to be read".to_owned()),
            Some("binary") => Some("binary, not read".to_owned()),
            Some(other) => Some(one_line(other, 40)),
            None => None,
        };
        parts.push(Part::File(Attachment {
            name,
            media_type: None,
            text: file.words("content"),
            note,
        }));
    }
    What::Given(parts)
}

fn content_words(
    transcript: &mut Transcript<'_>,
    message: &Object<'_>,
    line: u64,
    problems: &mut Problems,
) -> String {
    let mut place = place(transcript, line, problems);
    Content::read(message.get("content"), &mut place)
        .into_text()
        .0
}

/// A notice whose title is the text itself, where it is short.
fn in_a_line(kind: NoticeKind, title: &str, words: String) -> Notice {
    let line = one_line(&words, 120);
    if line == words.trim() && !line.is_empty() {
        Notice::new(kind, line)
    } else {
        prose(kind, title, words)
    }
}
