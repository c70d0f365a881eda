//! One message: a prompt, or a reply with its blocks.

use std::collections::BTreeMap;

use super::conversation;
use super::documents::{self, Documents};
use super::tools::Calls;
use crate::formats::chat::links::{Places, label, link, put};
use crate::formats::chat::{self, Losses, between, cite};
use crate::formats::records::{Json, Object, text};
use crate::model::{
    Attachment, Body, Entry, Notice, NoticeKind, Part, Prompt, Reasoning, Reply, ReplyStatus,
    SourceLink, ToolCall,
};

/// What messages need of the rest of the conversation.
pub(super) struct Context {
    model: Option<String>,
    titles: BTreeMap<String, String>,
    documents: Documents,
}

impl Context {
    /// Of a conversation with this model.
    pub(super) fn new(model: Option<String>, messages: &[Object<'_>]) -> Self {
        Self {
            model,
            titles: conversation::titles(messages),
            documents: Documents::default(),
        }
    }
}

/// What a message is on a page.
pub(super) fn entries(
    message: &Object<'_>,
    context: &mut Context,
    losses: &mut Losses,
) -> Vec<Entry> {
    let blocks = blocks(message);
    match message.text("sender").as_deref() {
        Some("human") => vec![Entry::Prompt(prompt(message, &blocks, context, losses))],
        Some("assistant") => vec![Entry::Reply(reply(message, &blocks, context, losses))],
        sender => {
            let title = format!("A message of {}", sender.unwrap_or("an unknown sender"));
            let body = Body::Prose(message.string("text"));
            let notice = Notice::new(NoticeKind::Unknown, title).with_body(body);
            vec![Entry::Notice(notice.at(losses.time(message, "created_at")))]
        }
    }
}

/// The blocks of a message. What is said of the same in `text` is another writing of them: it
/// glues thoughts to words, and says of calls that they cannot be shown.
fn blocks<'a>(message: &Object<'a>) -> Vec<(Object<'a>, Json<'a>)> {
    let values = message.items("content");
    let blocks = values.into_iter().filter_map(|block| {
        let object = Object::of(block)?;
        Some((object, block))
    });
    blocks.collect()
}

fn prompt(
    message: &Object<'_>,
    blocks: &[(Object<'_>, Json<'_>)],
    context: &mut Context,
    losses: &mut Losses,
) -> Prompt {
    let read = parts(blocks, context, losses, false);
    let mut parts = read.parts;
    if parts.is_empty() {
        parts.extend(flat_text(message));
    }
    parts.extend(handed_over(message));
    Prompt {
        id: message.string("uuid"),
        time: losses.time(message, "created_at"),
        parts,
        ..Prompt::default()
    }
}

fn reply(
    message: &Object<'_>,
    blocks: &[(Object<'_>, Json<'_>)],
    context: &mut Context,
    losses: &mut Losses,
) -> Reply {
    let mut read = parts(blocks, context, losses, true);
    if read.parts.is_empty() {
        let words = flat_text(message);
        let is_finished = words.is_some();
        read.parts.extend(words);
        read.is_open = !is_finished;
    }
    read.parts.extend(handed_over(message));
    let created = losses.time(message, "created_at");
    let mut starts = blocks.iter().map(|(block, _)| block);
    let start = starts.find_map(|block| losses.time(block, "start_timestamp"));
    let mut ends = blocks.iter().rev().map(|(block, _)| block);
    let end = ends.find_map(|block| losses.time(block, "stop_timestamp"));
    let stop = message.text("stop_reason");
    let status = match stop.as_deref() {
        Some("user_canceled" | "user_cancelled" | "stop_button") => ReplyStatus::Cancelled,
        // Nothing came behind the call: it was stopped.
        _ if read.is_open => ReplyStatus::Cancelled,
        _ => ReplyStatus::Complete,
    };
    if stop.as_deref() == Some("max_tokens") || message.flag("truncated") {
        let title = "The reply was cut at its longest";
        let notice = Notice::new(NoticeKind::Info, title);
        read.parts.push(Part::Notice(notice));
    }
    Reply {
        id: message.string("uuid"),
        start: start.or(created),
        end: end.or(created),
        models: context.model.iter().cloned().collect(),
        status,
        parts: read.parts,
        sources: read.sources,
        ..Reply::default()
    }
}

/// What the blocks of one message are.
#[derive(Default)]
struct Read {
    parts: Vec<Part>,
    sources: Vec<SourceLink>,
    /// Whether the last that was done is a call without a result.
    is_open: bool,
}

fn parts(
    blocks: &[(Object<'_>, Json<'_>)],
    context: &mut Context,
    losses: &mut Losses,
    is_reply: bool,
) -> Read {
    let objects: Vec<&Object<'_>> = blocks.iter().map(|(block, _)| block).collect();
    let mut calls = Calls::of(&objects, losses);
    let mut read = Read::default();
    for (at, (block, value)) in blocks.iter().enumerate() {
        let kind = block.string("type");
        match kind.as_str() {
            "text" => {
                let words = block.string("text");
                if words.trim().is_empty() {
                    continue;
                }
                let words = cited(words, block, context, &mut read.sources);
                if is_reply {
                    let said = documents::in_text(&words, &mut context.documents);
                    read.parts.extend(said);
                } else {
                    read.parts.push(Part::Text(words));
                }
                read.is_open = false;
            }
            "thinking" => {
                read.parts.push(Part::Reasoning(thought(block, losses)));
                read.is_open = false;
            }
            // What was said aloud is written down here.
            "voice_note" => {
                let words = block.words("text").or_else(|| block.words("transcript"));
                read.parts.extend(words.map(Part::Text));
                read.is_open = false;
            }
            "tool_use" => {
                let Some(mut call) = calls.take(at) else {
                    continue;
                };
                context.documents.note(&mut call);
                read.is_open = call.result.is_none();
                read.parts.push(tool(call));
            }
            "tool_result" => {
                if let Some(call) = calls.take(at) {
                    read.parts.push(tool(call));
                }
                read.is_open = false;
            }
            "token_budget" | "flag" => losses.skip(kind),
            "" => read
                .parts
                .push(chat::unknown("A part without a kind", *value)),
            other => {
                let title = format!("A part of an unknown kind: {other}");
                read.parts.push(chat::unknown(title, *value));
            }
        }
    }
    read
}

fn tool(call: ToolCall) -> Part {
    Part::Tool(Box::new(call))
}

/// The words that a message without readable blocks has.
fn flat_text(message: &Object<'_>) -> Option<Part> {
    let content = message.get("content").and_then(text);
    let content = content.map(|text| text.into_owned());
    let words = content.or_else(|| message.words("text"))?;
    (!words.trim().is_empty()).then_some(Part::Text(words))
}

/// What was thought. The program shows the last of its summaries for it.
fn thought(block: &Object<'_>, losses: &mut Losses) -> Reasoning {
    let start = losses.time(block, "start_timestamp");
    let stop = losses.time(block, "stop_timestamp");
    let words = block.string("thinking");
    let summaries = block.items("summaries").into_iter();
    let mut summaries = summaries.rev();
    let last = summaries.find_map(|one| Object::of(one)?.words("summary"));
    let text = match (last, words.trim()) {
        (Some(summary), "") => summary,
        (Some(summary), words) if !words.starts_with(&summary) => {
            format!("**{}**\n\n{words}", summary.trim())
        }
        _ => words,
    };
    Reasoning {
        text,
        hidden: None,
        ms: start
            .zip(stop)
            .and_then(|(start, stop)| between(start, stop)),
    }
}

/// A text with a link behind each stretch that pages back; they become sources of the reply.
fn cited(
    text: String,
    block: &Object<'_>,
    context: &Context,
    sources: &mut Vec<SourceLink>,
) -> String {
    let citations = block.items("citations");
    if citations.is_empty() {
        return text;
    }
    let places = Places::of(&text);
    let mut behind: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for citation in citations {
        let citation = Object::of(citation).unwrap_or_default();
        let details = citation.object("details");
        let details = details.as_ref().unwrap_or(&citation);
        let url = details.words("url").or_else(|| citation.words("url"));
        let Some(url) = url else {
            continue;
        };
        let title = details.words("title").or_else(|| citation.words("title"));
        let title = title.or_else(|| context.titles.get(&url).cloned());
        let place = places.at(&citation, "end_index");
        let place = place.map(|place| text[..place].trim_end().len());
        if let Some(place) = place.filter(|place| *place > 0 && is_between_words(&text, *place)) {
            let link = link(&label(&url, title.as_deref(), None), &url);
            let links = behind.entry(place).or_default();
            if url.starts_with("http") && !links.contains(&link) {
                links.push(link);
            }
        }
        cite(sources, &url, title);
    }
    let links = behind.into_iter().filter(|(_, links)| !links.is_empty());
    let links = links.map(|(place, links)| (place..place, format!(" ({})", links.join(", "))));
    put(&text, links.collect())
}

/// Whether words can be put in here: not within a word, and not into code.
fn is_between_words(text: &str, place: usize) -> bool {
    let (before, after) = text.split_at(place);
    let splits =
        before.ends_with(char::is_alphanumeric) && after.starts_with(char::is_alphanumeric);
    !splits && before.matches('`').count().is_multiple_of(2)
}

/// What was handed over with a message: texts with their words, files by their names.
fn handed_over(message: &Object<'_>) -> Vec<Part> {
    let mut files: Vec<Attachment> = Vec::new();
    for attachment in message.items("attachments") {
        let attachment = Object::of(attachment).unwrap_or_default();
        let name = attachment.words("file_name");
        files.push(Attachment {
            name: name.unwrap_or_else(|| "Pasted text".to_owned()),
            media_type: attachment.words("file_type"),
            text: attachment.words("extracted_content"),
            note: None,
        });
    }
    // The interface lists each file twice.
    for key in ["files", "files_v2"] {
        for file in message.items(key) {
            let file = Object::of(file).unwrap_or_default();
            let Some(name) = file.words("file_name") else {
                continue;
            };
            if files.iter().all(|known| known.name != name) {
                files.push(Attachment {
                    name,
                    media_type: file.words("file_kind"),
                    text: None,
                    note: Some("not in the export".to_owned()),
                });
            }
        }
    }
    files.into_iter().map(Part::File).collect()
}
