//! Events of the server, and the lines that `opencode run --format json` prints: each says how
//! something is now, and the last word counts.

use crate::formats::records::Object;
use crate::model::{Notice, NoticeKind};

use super::message::{Failure, moment};
use super::part::Piece;
use super::saved::{Place, Saved};

/// Takes a record. `json` is its text.
pub(super) fn take(record: &Object<'_>, json: &str, saved: &mut Saved) {
    if let Some(event) = record.object("event") {
        return take_event(&event, saved);
    }
    if record.has("properties") {
        return take_event(record, saved);
    }
    take_printed(record, json, saved);
}

/// An event of the server.
fn take_event(event: &Object<'_>, saved: &mut Saved) {
    let kind = event.string("type");
    let properties = event.object("properties").unwrap_or_default();
    let info = properties.object("info");
    let session = properties.string("sessionID");
    let message = properties.string("messageID");
    let part = properties.get("part");
    match (kind.as_str(), info, part) {
        ("session.created" | "session.updated", Some(info), _) => saved.describe(&info),
        ("message.updated", Some(info), _) => saved.message(&info),
        ("message.part.updated", _, Some(json)) => {
            if let Some(part) = Object::of(json) {
                saved.part(&part, json.get());
            }
        }
        ("message.part.delta", ..) => {
            let part = properties.string("partID");
            let words = properties.string("delta");
            if properties.string("field") == "text" {
                add(saved, &session, &message, &part, &words);
            }
        }
        // What is taken out was undone before: it stays as what it was.
        ("message.removed", ..) => {
            if let Some(message) = saved.session(&session).known(&message) {
                message.is_removed = true;
            }
        }
        ("message.part.removed", ..) => {
            if let Some(message) = saved.session(&session).known(&message) {
                let part = properties.string("partID");
                message.parts.retain(|(id, _)| *id != part);
            }
        }
        ("session.error", ..) => {
            let failure = properties.object("error").map(|error| Failure::of(&error));
            let failure = failure.unwrap_or_default();
            // The message that was stopped says so itself.
            if failure.is_stop() || failure.words.is_empty() {
                saved.hide("events: session.error");
            } else {
                let notice = Notice::new(NoticeKind::Error, failure.words);
                saved.session(&session).note(notice);
            }
        }
        _ => saved.hide(&format!("events: {}", crate::figures::one_line(&kind, 40))),
    }
}

/// Adds words to a part that is being written.
fn add(saved: &mut Saved, session: &str, message: &str, part: &str, more: &str) {
    let message = saved.session(session).message(message);
    match message.parts.iter_mut().rev().find(|(id, _)| id == part) {
        Some((_, Piece::Text { words, .. })) => words.push_str(more),
        Some((_, Piece::Reasoning(reasoning))) => {
            reasoning.text.push_str(more);
            reasoning.hidden = None;
        }
        Some(_) => {}
        None => {
            let piece = Piece::Text {
                words: more.to_owned(),
                synthetic: false,
                ignored: false,
            };
            message.parts.push((part.to_owned(), piece));
        }
    }
}

/// A line that `opencode run` printed.
fn take_printed(record: &Object<'_>, json: &str, saved: &mut Saved) {
    let session = record.string("sessionID");
    let time = record.get("timestamp").and_then(moment);
    if let Some(error) = record.object("error") {
        let failure = Failure::of(&error);
        let notice = Notice::new(NoticeKind::Error, failure.words).at(time);
        return saved.session(&session).note(notice);
    }
    let Some(value) = record.get("part") else {
        let kind = record.string("type");
        let kind = if kind.is_empty() { "no kind" } else { &kind };
        return saved.hide(&format!(
            "records of {}",
            crate::figures::one_line(kind, 40)
        ));
    };
    let part = Object::of(value).unwrap_or_default();
    let place = Place {
        session,
        time,
        ..Place::of(&part)
    };
    let _ = json;
    saved.part_at(place, &part, value.get());
}
