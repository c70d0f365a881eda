//! `attachment` records: files that were handed over, hooks, queued messages, and the context
//! that the program keeps up to date.

use std::borrow::Cow;

use crate::formats::problems::Problems;
use crate::formats::records::{Object, text};
use crate::model::{Attachment, Body, Notice, NoticeKind};

use super::content::{Content, Place};
use super::messages::speech;
use super::row::What;
use super::system::{link_task, remark, words};
use super::transcript::Transcript;
use super::wrappers;

/// Reads an attachment record.
pub(super) fn read(
    transcript: &mut Transcript,
    object: &Object<'_>,
    line: u64,
    problems: &mut Problems,
) -> What {
    let attachment = object.object("attachment").unwrap_or_default();
    let kind = attachment.text("type").unwrap_or_default();
    let name = || {
        let name = attachment.text("displayPath");
        name.or_else(|| attachment.text("filename"))
            .or_else(|| attachment.text("path"))
            .unwrap_or_default()
    };
    let context = |title: String, body: String| {
        remark(Notice::new(NoticeKind::Context, title).with_body(Body::Output(body)))
    };
    match kind.as_ref() {
        "queued_command" => {
            let mut place = Place {
                line,
                problems,
                unknown: &mut transcript.unknown_blocks,
            };
            let mut speech = speech(Content::read(attachment.get("prompt"), &mut place));
            speech.queued = true;
            link_task(transcript, &speech);
            What::Said(speech)
        }
        "file" => What::Given(Attachment {
            name: name().into_owned(),
            media_type: None,
            text: file_text(&attachment),
            note: None,
        }),
        "compact_file_reference" => {
            context(format!("File kept in view: {}", name()), String::new())
        }
        "edited_text_file" => {
            let title = format!("File changed meanwhile: {}", name());
            context(title, attachment.string("snippet"))
        }
        "nested_memory" => {
            let inner = attachment.object("content").unwrap_or_default();
            let title = format!("Instructions of {}", name());
            remark(wrappers::folded(
                NoticeKind::Context,
                &title,
                &inner.string("content"),
            ))
        }
        "read_truncation_notice" => context(
            "A file was read in part".to_owned(),
            attachment.string("banner"),
        ),
        kind if kind.starts_with("hook_") => hook(transcript, &attachment, kind),
        "" => {
            transcript.hide("context of no kind");
            What::Hidden
        }
        kind => {
            transcript.hide(&format!("context: {}", kind.replace('_', " ")));
            What::Hidden
        }
    }
}

/// The text of a file, where the record has it.
fn file_text(attachment: &Object<'_>) -> Option<String> {
    let content = attachment.get("content")?;
    if let Some(words) = text(content) {
        return Some(words.into_owned());
    }
    let content = Object::of(content)?;
    let file = content.object("file");
    let words = file.as_ref().and_then(|file| file.text("content"));
    words
        .or_else(|| content.text("content"))
        .map(Cow::into_owned)
}

/// What a hook did, when it said anything.
fn hook(transcript: &mut Transcript, attachment: &Object<'_>, kind: &str) -> What {
    let mut lines = Vec::new();
    for key in ["content", "stdout", "stderr", "message", "stopReason"] {
        let Some(value) = attachment.get(key) else {
            continue;
        };
        if value.get().starts_with('[') {
            lines.extend(attachment.items(key).into_iter().map(words));
        } else {
            lines.push(words(value));
        }
    }
    if let Some(error) = attachment.object("blockingError") {
        lines.push(error.string("blockingError"));
        lines.push(error.string("command"));
    }
    lines.retain(|line| !matches!(line.trim(), "" | "{}"));
    // What a hook prints is often its content once more.
    let mut said: Vec<String> = Vec::new();
    for line in lines {
        if !said.iter().any(|known| known.trim() == line.trim()) {
            said.push(line);
        }
    }
    if said.is_empty() && kind == "hook_success" {
        transcript.hide("hook runs");
        return What::Hidden;
    }
    let what = match kind {
        "hook_success" => Cow::Borrowed("ran"),
        "hook_blocking_error" => Cow::Borrowed("stopped the step"),
        "hook_non_blocking_error" => Cow::Borrowed("failed"),
        "hook_additional_context" => Cow::Borrowed("added context"),
        "hook_cancelled" => Cow::Borrowed("was cancelled"),
        other => Cow::Owned(other["hook_".len()..].replace('_', " ")),
    };
    let name = attachment.text("hookName").unwrap_or_default();
    let title = format!("Hook {name} {what}");
    let notice = Notice::new(NoticeKind::Hook, title);
    What::Remark {
        notice: notice.with_body(Body::Output(said.join("\n"))),
        call: attachment.string("toolUseID"),
    }
}
