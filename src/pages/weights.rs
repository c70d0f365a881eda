//! What each part of a conversation will weigh as HTML, near enough to cut pages by.

use crate::model::{Conversation, Entry, ImageData, Input, Notice, Part, Prompt, ToolCall};
use crate::tools::Limits;

/// What weights are measured against.
pub(super) struct Scale {
    limits: Limits,
    /// Subagents heavier than this have pages of their own.
    pub(super) agent: usize,
}

impl Scale {
    /// The scale for pages of this budget in bytes.
    pub(super) fn of_page(budget: usize) -> Self {
        Scale {
            limits: Limits::of_page(budget),
            agent: budget / 4,
        }
    }
}

/// The weight of each part of an entry; one weight when it has no parts.
pub(super) fn weights(entry: &Entry, scale: &Scale) -> Vec<usize> {
    match entry {
        Entry::Prompt(prompt) => vec![weigh_prompt(prompt, scale)],
        Entry::Reply(reply) if reply.parts.is_empty() => vec![400],
        Entry::Reply(reply) => reply
            .parts
            .iter()
            .map(|part| weigh_part(part, scale))
            .collect(),
        Entry::Notice(notice) => vec![weigh_notice(notice, scale)],
        Entry::Versions(versions) => {
            vec![
                versions
                    .iter()
                    .flatten()
                    .map(|entry| weigh_entry(entry, scale))
                    .sum(),
            ]
        }
    }
}

fn weigh_entry(entry: &Entry, scale: &Scale) -> usize {
    weights(entry, scale).iter().sum()
}

/// What a conversation will weigh, all on one page.
pub(super) fn weigh(conversation: &Conversation, scale: &Scale) -> usize {
    let entries = conversation.entries.iter();
    let entries: usize = entries.map(|entry| weigh_entry(entry, scale)).sum();
    let children = conversation.children.iter();
    let children: usize = children.map(|child| weigh_child(child, scale)).sum();
    entries + children
}

/// What a subagent weighs where it was called: a link, when it has pages of its own.
fn weigh_child(child: &Conversation, scale: &Scale) -> usize {
    match weigh(child, scale) {
        heavy if heavy > scale.agent => 400,
        weight => 200 + weight,
    }
}

fn weigh_prompt(prompt: &Prompt, scale: &Scale) -> usize {
    let parts: usize = prompt
        .parts
        .iter()
        .map(|part| weigh_part(part, scale))
        .sum();
    let asides: usize = prompt
        .asides
        .iter()
        .map(|aside| weigh_notice(aside, scale))
        .sum();
    400 + parts + asides
}

fn weigh_notice(notice: &Notice, scale: &Scale) -> usize {
    200 + notice
        .body
        .as_ref()
        .map_or(0, |body| weigh_text(body.text(), scale))
}

/// Text of a tool: about as much markup is added to code as it has text. Of a longer one only the
/// edges stand on the page.
fn weigh_text(text: &str, scale: &Scale) -> usize {
    if text.len() > scale.limits.text {
        6_000
    } else {
        text.len() * 2
    }
}

fn weigh_part(part: &Part, scale: &Scale) -> usize {
    match part {
        Part::Text(text) => 100 + text.len() + text.len() / 3,
        Part::Reasoning(reasoning) => 900 + reasoning.text.len() + reasoning.text.len() / 4,
        Part::Tool(call) => weigh_call(call, scale),
        Part::Image(image) => match &image.data {
            ImageData::Base64 { .. } | ImageData::Bytes(_) => 300,
            ImageData::Remote(address) | ImageData::Missing(address) => 200 + address.len(),
        },
        Part::File(file) => {
            300 + file
                .text
                .as_deref()
                .map_or(0, |text| weigh_text(text, scale))
        }
        Part::Notice(notice) => weigh_notice(notice, scale),
        Part::Error { message, .. } => 200 + message.len(),
    }
}

fn weigh_call(call: &ToolCall, scale: &Scale) -> usize {
    let input = call.input.as_ref().map_or(0, |input| match input {
        Input::Json(text) | Input::Text(text) => weigh_text(text, scale),
    });
    let results = call.result.iter().chain(&call.more_results);
    let results: usize = results
        .map(|result| weigh_text(&result.text, scale) + 300 * result.images.len())
        .sum();
    let notices: usize = call
        .notices
        .iter()
        .map(|notice| weigh_notice(notice, scale))
        .sum();
    let child = call
        .child
        .as_ref()
        .map_or(0, |child| weigh_child(child, scale));
    1_500 + input + results + notices + child
}
