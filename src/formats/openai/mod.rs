//! OpenAI's API, and the many that speak like it: logs of Chat Completions and of Responses, lists
//! of messages, batches, and examples for fine-tuning.

mod chat;
mod hosted;
mod look;
mod responses;
mod stream;
#[cfg(test)]
mod tests;

use std::hash::Hasher;

use serde_json::Value;
use xxhash_rust::xxh3::Xxh3;

use crate::error::Problem;
use crate::source::{Part, Source};

use super::api::{self, Flow, Wire};
use super::records::{Json, Object};
use super::{Format, Head, Reading, is_document};

/// Reads logs of OpenAI's API.
pub(super) struct OpenAi;

impl Format for OpenAi {
    fn name(&self) -> &'static str {
        "openai"
    }

    fn program(&self) -> &'static str {
        "OpenAI API"
    }

    fn recognises(&self, head: &Head) -> bool {
        look::recognises(head) || stream::is_file(head)
    }

    fn parts(&self, source: &Source) -> Result<Vec<Part>, Problem> {
        api::parts(source, self, is_document(self, source))
    }

    fn read(&self, source: &Source) -> Reading {
        api::read(source, self, is_document(self, source))
    }
}

impl Wire for OpenAi {
    fn program(&self) -> &'static str {
        Format::program(self)
    }

    fn is_request(&self, body: &Object<'_>) -> bool {
        chat::is_request(body) || responses::is_request(body)
    }

    fn is_response(&self, body: &Object<'_>) -> bool {
        chat::is_response(body) || responses::is_response(body)
    }

    fn is_message(&self, message: &Object<'_>) -> bool {
        let is_said = ["content", "tool_calls", "function_call"];
        let has_role = message.has("role") && is_said.iter().any(|key| message.has(key));
        let kind = message.text("type");
        // A response of Anthropic's is no message here; an item of Responses is.
        (has_role && !message.has("stop_reason"))
            || kind.is_some_and(|kind| responses::is_kind(&kind))
    }

    fn messages<'a>(&self, request: &Object<'a>) -> Vec<Json<'a>> {
        match request.get("input") {
            Some(_) if chat::preference(request).is_some() => chat::preferred(request),
            Some(input) if !request.has("messages") => responses::items_of(input),
            _ => request.items("messages"),
        }
    }

    fn begin(&self, request: &Object<'_>, flow: &mut Flow) {
        if flow.about.id.is_empty() {
            flow.about.id = request.string("id");
        }
        flow.about.title = flow.about.title.take().or_else(|| request.words("title"));
        if let Some(instructions) = request.words("instructions") {
            flow.told(&instructions, None);
        }
        let tools = ["tools", "functions"].map(|key| request.items(key));
        flow.offered(&api::offered(tools.concat()));
        if let Some(input) = request.words("input") {
            responses::asked(input, flow);
        }
    }

    fn message(&self, message: Json<'_>, flow: &mut Flow) {
        let Some(object) = Object::of(message) else {
            return flow.losses.skip("message that is no object");
        };
        if responses::is_item(&object) {
            responses::item(&object, message, flow);
        } else {
            chat::message(&object, flow);
        }
    }

    fn end(&self, request: &Object<'_>, flow: &mut Flow) {
        chat::not_preferred(request, flow);
    }

    fn respond(&self, response: &Object<'_>, flow: &mut Flow) {
        if flow.about.id.is_empty() {
            flow.about.id = response.string("id");
        }
        if responses::is_response(response) {
            responses::respond(response, flow);
        } else {
            chat::respond(response, flow);
        }
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
        let object = Object::of(message)?;
        if responses::is_item(&object) {
            return responses::essence(&object);
        }
        (object.text("role").as_deref() == Some("assistant")).then(|| chat::essence(&object))
    }

    fn essences(&self, response: &Object<'_>) -> Vec<u64> {
        if responses::is_response(response) {
            let items = response.items("output").into_iter().filter_map(Object::of);
            return items.filter_map(|item| responses::essence(&item)).collect();
        }
        let message = chat::answer(response);
        message.iter().map(chat::essence).collect()
    }
}

/// A hash of words.
fn hash<'a>(words: impl IntoIterator<Item = &'a str>) -> u64 {
    let mut hash = Xxh3::new();
    for word in words {
        hash.update(word.as_bytes());
        hash.update(b"\0");
    }
    hash.finish()
}
