//! Grok's data export: an object with all conversations, each with its answers in a tree.

mod parts;
#[cfg(test)]
mod tests;
mod words;

use crate::error::Problem;
use crate::model::{
    Conversation, Entry, Part, Prompt, Reasoning, Reply, ReplyStatus, SourceLink, Timestamp,
};
use crate::source::{self, File, Source};

use super::chat::{self, Losses, Message, between, cite, image_at, in_order};
use super::problems::Problems;
use super::records::{Object, document_of, text};
use super::{Claim, Format, Head, Reading, Role, Shape, times};

use parts::{files, hit, posts, search, steps};

/// Reads Grok's exports.
pub(super) struct Grok;

/// The name of the file in which the export has the conversations.
const EXPORT: &str = "prod-grok-backend.json";

impl Format for Grok {
    fn name(&self) -> &'static str {
        "grok"
    }

    fn program(&self) -> &'static str {
        "Grok"
    }

    fn recognises(&self, head: &Head) -> bool {
        let lists = head
            .records
            .iter()
            .filter_map(|record| record.get("conversations"));
        let mut elements = lists.flat_map(Shape::items);
        elements.any(|one| {
            matches!(one.get("conversation"), Some(Shape::Map(_)))
                && matches!(one.get("responses"), Some(Shape::List(_)))
        })
    }

    fn is_document(&self, _: &Head) -> bool {
        true
    }

    fn claim(&self, file: &File, _: &Head) -> Claim {
        Claim {
            key: file.name.clone(),
            role: Role::Main,
            // What was handed over lies beside the export: `prod-mc-asset-server/<id>/content`.
            own_folder: (file.file_name() == EXPORT).then(|| file.folder().to_owned()),
        }
    }

    fn parts(&self, source: &Source) -> Result<Vec<source::Part>, Problem> {
        chat::parts_of_array(source, Some("conversations"))
    }

    fn read(&self, source: &Source) -> Reading {
        let mut problems = Problems::of_source(source);
        let json = document_of(source, &mut problems);
        let conversation = json.and_then(|json| conversation(&json, source, &mut problems));
        Reading {
            conversation,
            problems: problems.into_vec(),
        }
    }
}

fn conversation(json: &str, source: &Source, problems: &mut Problems) -> Option<Conversation> {
    let whole = chat::object_of(json, problems)?;
    let about = whole.object("conversation")?;
    let mut losses = Losses::default();
    let mut messages = Vec::new();
    for value in whole.items("responses") {
        let outer = Object::of(value).unwrap_or_default();
        let response = outer.object("response").unwrap_or(outer);
        let id = response
            .words("response_id")
            .or_else(|| response.words("_id"));
        let id = id.unwrap_or_default();
        messages.push(Message {
            parent: response.words("parent_response_id"),
            entries: vec![entry(&id, &response, source, &mut losses)],
            id,
        });
    }
    losses.report(problems);
    if messages.is_empty() {
        problems.note(None, "no messages");
        return None;
    }
    let shown = about.words("leaf_response_id");
    let id = about.words("conversation_id").or_else(|| about.words("id"));
    Some(Conversation {
        id: id.unwrap_or_default(),
        title: about.words("title"),
        program: Grok.program().to_owned(),
        entries: in_order(messages, shown.as_deref(), problems),
        unshown: losses.unshown,
        ..Conversation::default()
    })
}

/// A moment as text, or as the database writes it.
fn time(response: &Object<'_>, key: &str, losses: &mut Losses) -> Option<Timestamp> {
    match response
        .object(key)
        .and_then(|wrapped| wrapped.object("$date"))
    {
        Some(date) => date
            .words("$numberLong")?
            .parse()
            .ok()
            .and_then(times::from_number),
        None => losses.time(response, key),
    }
}

fn entry(id: &str, response: &Object<'_>, source: &Source, losses: &mut Losses) -> Entry {
    let created = time(response, "create_time", losses);
    let sender = response.string("sender").to_lowercase();
    if sender == "human" || sender == "user" {
        let words = response.string("message");
        let mut parts = vec![Part::Text(words)];
        parts.extend(files(response, source));
        return Entry::Prompt(Prompt {
            id: id.to_owned(),
            time: created,
            parts,
            ..Prompt::default()
        });
    }
    let mut parts = Vec::new();
    if let Some(thought) = response.words("thinking_trace") {
        let start = time(response, "thinking_start_time", losses);
        let end = time(response, "thinking_end_time", losses);
        parts.push(Part::Reasoning(Reasoning {
            text: thought,
            hidden: None,
            ms: start.zip(end).and_then(|(start, end)| between(start, end)),
        }));
    }
    let trace = response.string("thinking_trace");
    parts.extend(steps(response, &trace));
    parts.extend(search(response));
    parts.extend(posts(response));
    let mut sources: Vec<SourceLink> = Vec::new();
    for page in response.items("cited_web_search_results") {
        let page = hit(page);
        cite(
            &mut sources,
            &page.url,
            Some(page.title).filter(|title| !title.is_empty()),
        );
    }
    let words = words::cited(&response.string("message"), response, &mut sources);
    parts.extend(words::with_elements(&words));
    let images = response.items("generated_image_urls").into_iter();
    let images = images.filter_map(text);
    parts.extend(images.map(|url| Part::Image(image_at(&url, None))));
    parts.extend(files(response, source));
    let error = response.words("error");
    let model = response.object("metadata").and_then(|metadata| {
        let details = metadata.object("requestModelDetails")?;
        details.words("modelId")
    });
    let model = response.words("model").or(model);
    Entry::Reply(Reply {
        id: id.to_owned(),
        start: created,
        models: model.into_iter().collect(),
        status: match &error {
            Some(_) => ReplyStatus::Error,
            None if response.flag("partial") => ReplyStatus::Cancelled,
            None => ReplyStatus::Complete,
        },
        parts,
        sources,
        error,
        ..Reply::default()
    })
}
