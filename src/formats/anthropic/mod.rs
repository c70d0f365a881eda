//! Anthropic's Messages API: requests and responses, alone, in pairs, as logs and as batches.

mod blocks;
mod look;
mod stream;
#[cfg(test)]
mod tests;

use std::hash::Hasher;

use serde_json::Value;
use xxhash_rust::xxh3::Xxh3;

use crate::error::Problem;
use crate::model::{Part, Prompt, Reply, ReplyStatus};
use crate::source::{self, Source};

use super::api::{self, Flow, Wire};
use super::records::{Json, Object, items, text};
use super::{Format, Head, Reading, is_document};

/// Reads logs of Anthropic's API.
pub(super) struct Anthropic;

impl Format for Anthropic {
    fn name(&self) -> &'static str {
        "anthropic"
    }

    fn program(&self) -> &'static str {
        "Anthropic API"
    }

    fn recognises(&self, head: &Head) -> bool {
        look::recognises(head) || stream::is_file(head)
    }

    fn parts(&self, source: &Source) -> Result<Vec<source::Part>, Problem> {
        api::parts(source, self, is_document(self, source))
    }

    fn read(&self, source: &Source) -> Reading {
        api::read(source, self, is_document(self, source))
    }
}

impl Wire for Anthropic {
    fn program(&self) -> &'static str {
        Format::program(self)
    }

    fn is_request(&self, body: &Object<'_>) -> bool {
        body.get("messages")
            .is_some_and(|list| list.get().starts_with('['))
    }

    fn is_response(&self, body: &Object<'_>) -> bool {
        body.text("type").as_deref() == Some("message") && body.has("content") && body.has("role")
    }

    fn is_message(&self, message: &Object<'_>) -> bool {
        message.has("role") && message.has("content") && !message.has("stop_reason")
    }

    fn messages<'a>(&self, request: &Object<'a>) -> Vec<Json<'a>> {
        request.items("messages")
    }

    fn begin(&self, request: &Object<'_>, flow: &mut Flow) {
        if let Some(system) = request.get("system") {
            flow.told(&words_of(system), None);
        }
        flow.offered(&api::offered(request.items("tools")));
    }

    fn message(&self, message: Json<'_>, flow: &mut Flow) {
        let Some(message) = Object::of(message) else {
            return flow.losses.skip("message that is no object");
        };
        let content = message.get("content");
        match message.string("role").as_str() {
            "user" => {
                let parts = blocks::read(content, flow);
                flow.prompt(Prompt {
                    id: message.string("id"),
                    parts,
                    ..Prompt::default()
                });
            }
            "assistant" => blocks::answer(content, flow),
            "system" => flow.told(&content.map(words_of).unwrap_or_default(), None),
            role => flow.of_unknown(role, content.map(words_of).unwrap_or_default()),
        }
    }

    fn respond(&self, response: &Object<'_>, flow: &mut Flow) {
        if flow.about.id.is_empty() {
            flow.about.id = response.string("id");
        }
        blocks::answer(response.get("content"), flow);
        let (status, said) = api::ended(&response.string("stop_reason"));
        let details = response.object("stop_details").unwrap_or_default();
        let why = details.words("explanation");
        flow.parts(said.map(|part| match (part, why) {
            (Part::Error { code, .. }, Some(message)) => Part::Error { message, code },
            (part, _) => part,
        }));
        flow.facts(Reply {
            id: response.string("id"),
            models: response.words("model").into_iter().collect(),
            // A response that still waits for a result has not ended.
            status: match response.string("stop_reason").as_str() {
                "pause_turn" => ReplyStatus::Unknown,
                _ => status,
            },
            usage: api::usage(response, "usage"),
            ..Reply::default()
        });
    }

    fn stream_of<'p>(&self, piece: &'p Value) -> Option<&'p str> {
        stream::id_of(piece)
    }

    fn begins_stream(&self, piece: &Value) -> bool {
        stream::id_of(piece).is_some()
    }

    fn joined(&self, pieces: &[Value]) -> Option<Value> {
        stream::joined(pieces)
    }

    fn essence(&self, message: Json<'_>) -> Option<u64> {
        let message = Object::of(message)?;
        let is_answer = message.text("role").as_deref() == Some("assistant");
        is_answer.then(|| essence_of(&message))
    }

    fn essences(&self, response: &Object<'_>) -> Vec<u64> {
        vec![essence_of(response)]
    }
}

/// What an answer says: its words, and the calls that it makes.
fn essence_of(message: &Object<'_>) -> u64 {
    let mut hash = Xxh3::new();
    let content = message.get("content");
    if let Some(words) = content.and_then(text) {
        hash.update(words.trim().as_bytes());
    }
    let blocks = content.map(items).unwrap_or_default();
    for block in blocks.into_iter().filter_map(Object::of) {
        let said = match block.string("type").as_str() {
            "text" => block.string("text"),
            kind if kind.ends_with("tool_use") => block.string("id"),
            _ => continue,
        };
        hash.update(said.trim().as_bytes());
    }
    hash.finish()
}

/// The words of a string or of blocks.
fn words_of(content: Json<'_>) -> String {
    if let Some(words) = text(content) {
        return words.into_owned();
    }
    let blocks = items(content).into_iter().filter_map(Object::of);
    let words = blocks.filter_map(|block| block.words("text"));
    words.collect::<Vec<_>>().join("\n\n")
}
