//! One message: a prompt, or a reply; a reply in which the person spoke is several.

use super::citations::Found;
use super::parts::{self, Pieces};
use crate::formats::chat::Losses;
use crate::formats::records::{Json, Object, text};
use crate::formats::times;
use crate::model::{
    Attachment, Entry, Notice, NoticeKind, Part, Prompt, Reply, ReplyStatus, Timestamp,
};

/// When a message was made: as text, or as the database writes it.
pub(super) fn time(message: &Object<'_>, losses: &mut Losses) -> Option<Timestamp> {
    let Some(wrapped) = message.object("createdAt") else {
        return losses.time(message, "createdAt");
    };
    if let Some(number) = wrapped
        .object("$date")
        .and_then(|date| date.words("$numberLong"))
    {
        return number.parse().ok().and_then(times::from_number);
    }
    losses.time(&wrapped, "$date")
}

/// What a message is on a page.
pub(super) fn entries(
    message: &Object<'_>,
    time: Option<Timestamp>,
    model: Option<&str>,
    losses: &mut Losses,
) -> Vec<Entry> {
    let by_person = message.get("isCreatedByUser");
    let by_person = by_person.is_some_and(|value| matches!(value.get(), "true" | "\"true\""));
    let found = Found::of(message);
    let mut pieces = Pieces {
        is_reply: !by_person,
        ..Pieces::default()
    };
    let values = message.items("content");
    if values.is_empty() {
        pieces.text(&message.string("text"), &found);
    } else {
        parts::read(&values, message, &found, &mut pieces, losses);
    }
    count_strays(message, &pieces.parts, losses);
    if by_person {
        return vec![Entry::Prompt(prompt(message, time, pieces))];
    }
    let mut entries = Vec::new();
    let id = message.string("messageId");
    // What the person said in between parts the reply.
    let spoken = std::mem::take(&mut pieces.spoken);
    let mut from = 0;
    for (nth, (at, words)) in spoken.into_iter().enumerate() {
        let before: Vec<Part> = pieces.parts.drain(..at - from).collect();
        from = at;
        if !before.is_empty() {
            entries.push(Entry::Reply(Reply {
                id: format!("{id}-{nth}"),
                start: time,
                models: model_of(message, model),
                status: ReplyStatus::Complete,
                parts: before,
                ..Reply::default()
            }));
        }
        entries.push(Entry::Prompt(Prompt {
            id: format!("{id}-said-{nth}"),
            time,
            queued: true,
            parts: vec![Part::Text(words)],
            ..Prompt::default()
        }));
    }
    entries.push(Entry::Reply(reply(message, time, model, pieces)));
    entries
}

/// Counts what was kept for calls that are not there.
fn count_strays(message: &Object<'_>, parts: &[Part], losses: &mut Losses) {
    let has_call = |id: &str| {
        let mut calls = parts.iter();
        calls.any(|part| matches!(part, Part::Tool(call) if call.id == id))
    };
    for attachment in message
        .items("attachments")
        .into_iter()
        .filter_map(Object::of)
    {
        let id = attachment.string("toolCallId");
        if !id.is_empty() && !has_call(&id) {
            losses.skip("attachment of a call that is not there");
        }
    }
}

fn prompt(message: &Object<'_>, time: Option<Timestamp>, pieces: Pieces) -> Prompt {
    let mut parts = Vec::new();
    for quote in message.items("quotes") {
        let quoted = Object::of(quote).and_then(|quote| quote.words("text"));
        let quoted = quoted.or_else(|| text(quote).map(|text| text.into_owned()));
        let lines = quoted.unwrap_or_default();
        let lines: Vec<String> = lines.lines().map(|line| format!("> {line}")).collect();
        if !lines.is_empty() {
            parts.push(Part::Text(lines.join("\n")));
        }
    }
    parts.extend(pieces.parts);
    parts.extend(files(message));
    Prompt {
        id: message.string("messageId"),
        time,
        parts,
        ..Prompt::default()
    }
}

fn reply(
    message: &Object<'_>,
    time: Option<Timestamp>,
    model: Option<&str>,
    mut pieces: Pieces,
) -> Reply {
    let mut error = None;
    if message.flag("error") && pieces.error.is_none() {
        // The words of the message are those of the error.
        let words = pieces.parts.iter().filter_map(|part| match part {
            Part::Text(text) => Some(text.as_str()),
            _ => None,
        });
        let words: Vec<&str> = words.collect();
        error = Some(words.join("\n")).filter(|words| !words.trim().is_empty());
        if error.is_some() {
            pieces.parts.retain(|part| !matches!(part, Part::Text(_)));
        }
    }
    let error = pieces.error.or(error);
    if matches!(
        message.text("finish_reason").as_deref(),
        Some("length" | "max_tokens")
    ) {
        let notice = Notice::new(NoticeKind::Info, "The reply was cut at its longest");
        pieces.parts.push(Part::Notice(notice));
    }
    pieces.parts.extend(files(message));
    let status = match message.flag("unfinished") {
        _ if error.is_some() || message.flag("error") => ReplyStatus::Error,
        true => ReplyStatus::Cancelled,
        false => ReplyStatus::Complete,
    };
    Reply {
        id: message.string("messageId"),
        start: time,
        models: model_of(message, model),
        status,
        parts: pieces.parts,
        sources: pieces.sources,
        error,
        ..Reply::default()
    }
}

/// The model, or the name of the agent: its id says nothing to anybody.
fn model_of(message: &Object<'_>, model: Option<&str>) -> Vec<String> {
    let is_name = |model: &String| !model.starts_with("agent_");
    let own = message.words("model").filter(is_name);
    let own = own.or_else(|| message.words("sender"));
    own.or_else(|| model.map(str::to_owned))
        .into_iter()
        .collect()
}

/// The files of a message, by their names: the export has no bytes.
fn files(message: &Object<'_>) -> Vec<Part> {
    let of_calls = |file: &Object<'_>| file.words("toolCallId").is_some();
    let both = [message.items("files"), message.items("attachments")];
    let files = both.into_iter().flatten().filter_map(|file: Json<'_>| {
        let file = Object::of(file)?;
        let name = file.words("filename").filter(|_| !of_calls(&file))?;
        let media_type = file.words("type").filter(|kind| kind.contains('/'));
        let text = file.words("text");
        Some(Part::File(Attachment {
            name,
            media_type,
            note: text.is_none().then(|| "not in the export".to_owned()),
            text,
        }))
    });
    files.collect()
}
