//! The content of messages, type by type: what people and the assistant said, and what the
//! assistant thought.

use super::assets::{Assets, id_of};
use super::message::Message;
use crate::formats::chat::unknown;
use crate::formats::records::{Json, Object, text};
use crate::model::{Body, Image, Notice, NoticeKind, Part, Reasoning};

/// The parts of a message in order: its texts, pictures, recordings and files. What was handed
/// over with it stands behind them, each thing once.
pub(super) fn parts(message: &Message<'_>, assets: &Assets<'_>) -> Vec<Part> {
    let mut read = Vec::new();
    let mut pointed = Vec::new();
    let values = message.content.items("parts");
    if values.is_empty() {
        match message.kind.as_str() {
            "image_asset_pointer" => {
                pointed.push(message.content.string("asset_pointer"));
                read.push(Part::Image(image(&message.content, message, assets)));
            }
            _ => read.extend(message.texts().into_iter().map(Part::Text)),
        }
    }
    for value in values {
        if value.get() == "null" {
            continue;
        }
        match (text(value), Object::of(value)) {
            (Some(words), _) => read.push(Part::Text(words.into_owned())),
            (None, Some(object)) => {
                pointed.push(object.string("asset_pointer"));
                read.extend(part(&object, value, message, assets));
            }
            (None, None) => read.push(unknown("A part that is no text", value)),
        }
    }
    for given in message.metadata.items("attachments") {
        let given = Object::of(given).unwrap_or_default();
        let ids = [given.words("id"), given.words("file_id")];
        let is_shown = ids.iter().flatten().any(|id| {
            let is_it = |pointer: &String| id_of(pointer) == id_of(id);
            pointed.iter().any(is_it)
        });
        if !is_shown {
            read.push(assets.attachment(&given));
        }
    }
    read.retain(|part| !matches!(part, Part::Text(text) if text.trim().is_empty()));
    read
}

/// One part that is no mere text.
fn part(
    object: &Object<'_>,
    value: Json<'_>,
    message: &Message<'_>,
    assets: &Assets<'_>,
) -> Vec<Part> {
    match object.text("content_type").as_deref() {
        Some("image_asset_pointer") => vec![Part::Image(image(object, message, assets))],
        Some("audio_transcription") => {
            let words = object.words("text").map(Part::Text);
            words.into_iter().collect()
        }
        Some("audio_asset_pointer") => vec![Part::File(assets.recording(object))],
        Some("real_time_user_audio_video_asset_pointer") => {
            let audio = object.object("audio_asset_pointer");
            let mut parts: Vec<Part> = audio
                .map(|audio| Part::File(assets.recording(&audio)))
                .into_iter()
                .collect();
            for key in ["video_container_asset_pointer", "frames_asset_pointers"] {
                let one = object.object(key).into_iter();
                let many = object.items(key).into_iter().filter_map(Object::of);
                for video in one.chain(many) {
                    let pointer = video.string("asset_pointer");
                    parts.push(Part::File(assets.pointed(&pointer, None)));
                }
            }
            parts
        }
        Some("file_asset_pointer") | None if object.has("asset_pointer") => {
            let pointer = object.string("asset_pointer");
            let given = message.metadata.items("attachments").into_iter();
            let mut given = given.filter_map(Object::of);
            let named = given.find(|given| {
                let id = given.string("id");
                !id.is_empty() && id_of(&pointer) == id_of(&id)
            });
            match named {
                Some(given) => vec![assets.attachment(&given)],
                None => vec![Part::File(assets.pointed(&pointer, None))],
            }
        }
        Some(kind) => vec![unknown(format!("A part of an unknown kind: {kind}"), value)],
        None => vec![unknown("A part without a kind", value)],
    }
}

/// A picture that a part points to. What it shows is said by the prompt that it was made from, or
/// by the name that its file had.
fn image(pointer: &Object<'_>, message: &Message<'_>, assets: &Assets<'_>) -> Image {
    let address = pointer.string("asset_pointer");
    let metadata = pointer.object("metadata").unwrap_or_default();
    let made = metadata
        .object("dalle")
        .and_then(|made| made.words("prompt"));
    let given = message.metadata.items("attachments").into_iter();
    let mut given = given.filter_map(Object::of);
    let named = given.find(|given| {
        let id = given.string("id");
        !id.is_empty() && id_of(&address) == id_of(&id)
    });
    let name = named.and_then(|given| given.words("name"));
    let title = || message.metadata.words("image_gen_title");
    assets.image(&address, made.or(name).or_else(title))
}

/// The texts and pictures of a tool's message.
pub(super) fn pieces(message: &Message<'_>, assets: &Assets<'_>) -> (String, Vec<Image>) {
    let mut texts = Vec::new();
    let mut images = Vec::new();
    for part in parts(message, assets) {
        match part {
            Part::Text(text) => texts.push(text),
            Part::Image(image) => images.push(image),
            Part::File(file) => texts.push(match file.note {
                Some(note) => format!("{} ({note})", file.name),
                None => file.name,
            }),
            Part::Notice(notice) => texts.extend(notice.body.map(|body| body.text().to_owned())),
            _ => {}
        }
    }
    (texts.join("\n"), images)
}

/// What the assistant thought, in a message of thoughts: each under its own heading.
pub(super) fn thoughts(message: &Message<'_>) -> Reasoning {
    let thoughts = message.content.items("thoughts").into_iter();
    let thoughts = thoughts.filter_map(Object::of).filter_map(|thought| {
        let summary = thought.words("summary");
        let content = thought.words("content");
        match (summary, content) {
            (Some(summary), Some(content)) => Some(format!("**{}**\n\n{content}", summary.trim())),
            (summary, content) => summary
                .map(|words| format!("**{}**", words.trim()))
                .or(content),
        }
    });
    let mut texts: Vec<String> = thoughts.collect();
    texts.extend(message.texts());
    Reasoning {
        text: texts.join("\n\n"),
        hidden: None,
        ms: None,
    }
}

/// How long the assistant thought, in milliseconds, and what is said of it in words.
pub(super) fn recap(message: &Message<'_>) -> (Option<u64>, String) {
    let seconds = message.metadata.get("finished_duration_sec");
    let seconds = seconds.and_then(|value| value.get().parse::<f64>().ok());
    let seconds = seconds.filter(|seconds| (0.0..1e7).contains(seconds));
    let words = message.content.words("content");
    let words = words.unwrap_or_else(|| message.text());
    let ms = seconds.map(|seconds| (seconds * 1e3) as u64);
    (ms, words)
}

/// The milliseconds in `Thought for 1m 12s` or `Reasoned for 13 seconds`; `None` when they cannot
/// be told.
pub(super) fn spoken_ms(words: &str) -> Option<u64> {
    let (_, words) = words.split_once(" for ")?;
    let mut seconds: u64 = 0;
    let mut number: Option<u64> = None;
    let spaced: String = words
        .char_indices()
        .map(|(at, c)| {
            let is_border = at > 0
                && c.is_ascii_alphabetic()
                && words[..at].ends_with(|c: char| c.is_ascii_digit());
            if is_border {
                format!(" {c}")
            } else {
                c.to_string()
            }
        })
        .collect();
    for word in spaced.split_whitespace() {
        if let Ok(count) = word.parse() {
            number = Some(count);
            continue;
        }
        let unit = match word.trim_end_matches('s') {
            "h" | "hour" => 3_600,
            "m" | "min" | "minute" => 60,
            "" | "sec" | "second" => 1,
            "and" => continue,
            "a" | "an" => {
                number = Some(1);
                continue;
            }
            _ => return None,
        };
        seconds = seconds.checked_add(number.take()?.checked_mul(unit)?)?;
    }
    (seconds > 0 && number.is_none()).then_some(seconds * 1_000)
}

/// Code that is no call, as Markdown.
pub(super) fn fenced(message: &Message<'_>) -> Option<String> {
    let code = message.text();
    if code.trim().is_empty() {
        return None;
    }
    let language = message.content.words("language");
    let language = language.filter(|language| language != "unknown");
    let longest = code.split(|c| c != '`').map(str::len).max();
    let fence = "`".repeat(longest.unwrap_or_default().max(2) + 1);
    let language = language.unwrap_or_default();
    Some(format!("{fence}{language}\n{}\n{fence}", code.trim_end()))
}

/// What stands around the conversation and nobody said: instructions, memories, context. `None`
/// when nothing is in it.
pub(super) fn context(message: &Message<'_>) -> Option<Notice> {
    let content = &message.content;
    let (title, texts): (&str, Vec<String>) = match message.kind.as_str() {
        "user_editable_context" => {
            let texts = ["user_profile", "user_instructions"].map(|key| content.words(key));
            ("Custom instructions", texts.into_iter().flatten().collect())
        }
        "model_editable_context" => {
            let texts = ["model_set_context", "repo_summary"].map(|key| content.words(key));
            ("Memories", texts.into_iter().flatten().collect())
        }
        "app_pairing_content" => {
            let of = |key: &str, field: &str| -> Vec<String> {
                let items = content.items(key).into_iter().filter_map(Object::of);
                items.filter_map(|item| item.words(field)).collect()
            };
            let mut texts = of("workspaces", "app_name");
            texts.extend(of("workspaces", "title"));
            texts.extend(of("context_parts", "text"));
            texts.extend(content.words("shared_prompt"));
            ("Context of an app", texts)
        }
        _ if message.metadata.flag("is_user_system_message") => {
            let about = message.metadata.object("user_context_message_data");
            let about = about.unwrap_or_default();
            let mut texts: Vec<String> = ["about_user_message", "about_model_message"]
                .iter()
                .filter_map(|key| about.words(key))
                .collect();
            texts.extend(message.texts());
            ("Custom instructions", texts)
        }
        _ => {
            let title = match message.role {
                super::message::Role::System => "System message",
                _ => "A hidden message",
            };
            let text = message.texts();
            match text.iter().all(|text| text.trim().is_empty()) && !message.is_blank() {
                true => (title, vec![message.raw.to_owned()]),
                false => (title, text),
            }
        }
    };
    let texts: Vec<&str> = texts
        .iter()
        .map(|text| text.trim())
        .filter(|text| !text.is_empty())
        .collect();
    if texts.is_empty() {
        return None;
    }
    let notice = Notice::new(NoticeKind::Context, title).at(message.time);
    Some(notice.with_body(Body::Prose(texts.join("\n\n"))))
}
