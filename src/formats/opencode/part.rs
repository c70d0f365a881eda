//! One part of a message, read as it comes.

use crate::formats::records::{Json, Object, text};
use crate::model::{
    Attachment, Body, Image, ImageData, Notice, NoticeKind, Part, Reasoning, ToolCall, Usage,
};

use super::message::{Failure, cost, moment, usage};
use super::tool;

/// A part of a message.
#[derive(Debug, PartialEq)]
pub(super) enum Piece {
    /// Words.
    Text {
        /// The words.
        words: String,
        /// Whether the program wrote them.
        synthetic: bool,
        /// Whether the model was not given them.
        ignored: bool,
    },
    /// What the model thought.
    Reasoning(Reasoning),
    /// A tool call with what came of it so far.
    Call(Box<ToolCall>),
    /// A picture, or a file whose text stands in the words before it.
    File(Part),
    /// The start of a step.
    Start,
    /// The end of a step.
    Step {
        /// Its tokens.
        usage: Option<Usage>,
        /// Its cost in US dollars.
        cost: Option<f64>,
        /// Why it ended.
        reason: String,
    },
    /// The files that a step changed.
    Changed(Vec<String>),
    /// An agent that the prompt names.
    Mention(String),
    /// A command of the person that an agent was started for.
    Subtask(Notice),
    /// Earlier messages are summarised: whether the program chose to.
    Compaction(bool),
    /// Something that the program tells.
    Notice(Notice),
    /// A kind that is not known, as it stands in the file.
    Unknown(String, Notice),
    /// Nothing that is shown, by kind.
    Hidden(&'static str),
}

/// Reads a part. `json` is its text.
pub(super) fn read(part: &Object<'_>, json: &str) -> Piece {
    let kind = part.string("type");
    match kind.as_str() {
        "text" => Piece::Text {
            words: part.string("text"),
            synthetic: part.flag("synthetic"),
            ignored: part.flag("ignored"),
        },
        "reasoning" => Piece::Reasoning(reasoning(part)),
        "tool" => Piece::Call(Box::new(tool::read(part))),
        "tool-invocation" => Piece::Call(Box::new(tool::read_oldest(part))),
        "file" => Piece::File(file(part)),
        "step-start" => Piece::Start,
        "snapshot" => Piece::Hidden("snapshots"),
        "step-finish" => Piece::Step {
            usage: part.object("tokens").and_then(|tokens| usage(&tokens)),
            cost: cost(part),
            reason: part.string("reason"),
        },
        "patch" => {
            let files = part.items("files").into_iter().filter_map(text);
            Piece::Changed(files.map(Into::into).collect())
        }
        "agent" => Piece::Mention(part.string("name")),
        "subtask" => Piece::Subtask(subtask(part)),
        "compaction" => Piece::Compaction(part.flag("auto")),
        "retry" => Piece::Notice(retry(part)),
        _ => unknown(&kind, json),
    }
}

/// A kind of part, or of record, that is not known.
pub(super) fn unknown(kind: &str, json: &str) -> Piece {
    let kind = if kind.is_empty() { "no kind" } else { kind };
    let title = format!("Part of an unknown kind: {kind}");
    let body = Body::Data(json.to_owned());
    let notice = Notice::new(NoticeKind::Unknown, title).with_body(body);
    Piece::Unknown(kind.to_owned(), notice)
}

fn reasoning(part: &Object<'_>) -> Reasoning {
    let words = part.string("text");
    let is_empty = words.trim().is_empty();
    let metadata = part.get("metadata").map_or("", Json::get);
    let hidden = match () {
        () if !is_empty => None,
        () if metadata.contains("ncrypted") => Some("encrypted"),
        () if metadata.contains("redacted") => Some("redacted"),
        () => Some("hidden"),
    };
    let time = part.object("time").unwrap_or_default();
    Reasoning {
        text: words,
        hidden,
        ms: lasted(&time, "start", "end"),
    }
}

/// How long something lasted, in milliseconds; `None` for no time at all.
pub(super) fn lasted(time: &Object<'_>, start: &str, end: &str) -> Option<u64> {
    let at = |key| time.get(key).and_then(moment);
    crate::figures::between(at(start), at(end)).filter(|ms| *ms > 0)
}

/// A picture or a file.
pub(super) fn file(part: &Object<'_>) -> Part {
    let url = part.words("url").unwrap_or_else(|| part.string("uri"));
    let media_type = part.string("mime");
    let source = part.object("source").unwrap_or_default();
    let name = ["filename", "name"].iter().find_map(|key| part.words(key));
    let name = name
        .or_else(|| source.words("path"))
        .or_else(|| source.words("uri"))
        .or_else(|| url.strip_prefix("file://").map(str::to_owned));
    if media_type.starts_with("image/") {
        return Part::Image(Image {
            data: picture(&url, &media_type),
            alt: name,
        });
    }
    let given = data_of(&url);
    let words = given
        .filter(|(kind, _)| kind.starts_with("text/"))
        .and_then(plain);
    let note = match (&words, given) {
        (None, Some(_)) => Some("not shown".to_owned()),
        _ => None,
    };
    Part::File(Attachment {
        name: name.unwrap_or_else(|| "file".to_owned()),
        media_type: Some(media_type).filter(|kind| !kind.is_empty()),
        text: words,
        note,
    })
}

fn picture(url: &str, media_type: &str) -> ImageData {
    if media_type.contains("svg") {
        // An SVG is a document with scripts, not a picture.
        return ImageData::Missing("an SVG, which is not shown".to_owned());
    }
    match data_of(url) {
        Some((kind, data)) if kind.ends_with(";base64") => ImageData::Base64 {
            media_type: media_type.to_owned(),
            data: data.to_owned(),
        },
        Some(_) => ImageData::Missing("not readable".to_owned()),
        None if url.starts_with("http") => ImageData::Remote(url.to_owned()),
        None => ImageData::Missing("not in the transcript".to_owned()),
    }
}

/// The head and the data of a data URL.
fn data_of(url: &str) -> Option<(&str, &str)> {
    url.strip_prefix("data:")?.split_once(',')
}

/// The text in a data URL of one.
fn plain((kind, data): (&str, &str)) -> Option<String> {
    use base64::Engine;
    if !kind.ends_with(";base64") {
        return None;
    }
    let bytes = base64::engine::general_purpose::STANDARD
        .decode(data)
        .ok()?;
    String::from_utf8(bytes).ok()
}

/// A command of the person that runs as an agent.
fn subtask(part: &Object<'_>) -> Notice {
    let (command, description) = (part.string("command"), part.string("description"));
    let title = match (command.is_empty(), description.is_empty()) {
        (false, _) => format!("/{command}"),
        (true, false) => format!("Task for an agent: {description}"),
        (true, true) => format!("Task for the agent {}", part.string("agent")),
    };
    Notice::new(NoticeKind::Command, title).with_body(Body::Prose(part.string("prompt")))
}

fn retry(part: &Object<'_>) -> Notice {
    let failure = part.object("error").map(|error| Failure::of(&error));
    let attempt = part.count("attempt").unwrap_or(1);
    let words = failure.unwrap_or_default().words;
    let title = format!("Attempt {attempt} failed: {words}");
    let time = part.object("time").unwrap_or_default();
    let time = time.get("created").and_then(moment);
    Notice::new(NoticeKind::Error, crate::figures::one_line(&title, 300)).at(time)
}
