//! Gemini's API: `generateContent`, in which contents and candidates stand, and the newer
//! interactions, which are lists of steps.

mod interaction;
mod look;
mod parts;
mod stream;
#[cfg(test)]
mod tests;

use std::hash::Hasher;

use serde_json::Value;
use xxhash_rust::xxh3::Xxh3;

use crate::error::Problem;
use crate::model::{Body, Notice, NoticeKind, Part, Prompt, Reply, ReplyStatus, Usage};
use crate::source::{self, Source};

use super::api::{self, Flow, Wire};
use super::records::{Json, Object, items, text};
use super::{Format, Head, Reading, is_document};

use parts::grounded;
pub(super) use parts::{part, searched};

/// Reads logs of Gemini's API.
pub(super) struct GeminiApi;

impl Format for GeminiApi {
    fn name(&self) -> &'static str {
        "gemini_api"
    }

    fn program(&self) -> &'static str {
        "Gemini API"
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

/// The value under a key, in the case of the wire or of the Python library.
pub(super) fn either<'a>(object: &Object<'a>, camel: &str, snake: &str) -> Option<Json<'a>> {
    object.get(camel).or_else(|| object.get(snake))
}

impl Wire for GeminiApi {
    fn program(&self) -> &'static str {
        Format::program(self)
    }

    fn is_request(&self, body: &Object<'_>) -> bool {
        body.has("contents") || interaction::is_request(body)
    }

    fn is_response(&self, body: &Object<'_>) -> bool {
        let is_blocked = either(body, "promptFeedback", "prompt_feedback").is_some();
        !body.items("candidates").is_empty() || is_blocked || interaction::is_response(body)
    }

    fn is_message(&self, message: &Object<'_>) -> bool {
        message.has("role") && message.has("parts")
    }

    fn messages<'a>(&self, request: &Object<'a>) -> Vec<Json<'a>> {
        match request.get("contents") {
            Some(one) if one.get().starts_with('{') => vec![one],
            _ => request.items("contents"),
        }
    }

    fn begin(&self, request: &Object<'_>, flow: &mut Flow) {
        // The Python library keeps these beside the contents in an object of their own.
        let config = request.object("config").unwrap_or_default();
        for from in [request, &config] {
            let told = either(from, "systemInstruction", "system_instruction");
            flow.told(&told.map(words_of).unwrap_or_default(), None);
            flow.offered(&api::offered(from.items("tools")));
        }
        if let Some(words) = request.words("contents") {
            flow.prompt(Prompt {
                parts: api::said(words).into_iter().collect(),
                ..Prompt::default()
            });
        }
        interaction::asked(request, flow);
    }

    fn message(&self, message: Json<'_>, flow: &mut Flow) {
        let content = Object::of(message).unwrap_or_default();
        match content.string("role").as_str() {
            "model" => {
                for value in content.items("parts") {
                    if let Some(part) = part(value, flow) {
                        flow.part(part);
                    }
                }
            }
            "user" | "function" | "" => {
                let values = content.items("parts").into_iter();
                let parts = values.filter_map(|value| part(value, flow)).collect();
                flow.prompt(Prompt {
                    parts,
                    ..Prompt::default()
                });
            }
            role => flow.of_unknown(role, words_of(message)),
        }
    }

    fn respond(&self, response: &Object<'_>, flow: &mut Flow) {
        if interaction::is_response(response) {
            return interaction::respond(response, flow);
        }
        let id = either(response, "responseId", "response_id").and_then(text);
        let id = id.unwrap_or_default().into_owned();
        if flow.about.id.is_empty() {
            flow.about.id.clone_from(&id);
        }
        let candidates = response.items("candidates").into_iter();
        let candidates: Vec<Object<'_>> = candidates.filter_map(Object::of).collect();
        let mut facts = Reply {
            id,
            models: either(response, "modelVersion", "model_version")
                .and_then(text)
                .map(|model| model.into_owned())
                .into_iter()
                .collect(),
            usage: usage(response),
            ..Reply::default()
        };
        if let Some(candidate) = candidates.first() {
            facts.sources = grounded(candidate, flow);
            let content = candidate.object("content").unwrap_or_default();
            for value in content.items("parts") {
                if let Some(part) = part(value, flow) {
                    flow.part(part);
                }
            }
            let reason = either(candidate, "finishReason", "finish_reason").and_then(text);
            let (status, notice) = api::ended(&reason.unwrap_or_default());
            flow.parts(notice);
            facts.status = status;
        }
        let feedback = either(response, "promptFeedback", "prompt_feedback").and_then(Object::of);
        let reason = feedback.and_then(|one| either(&one, "blockReason", "block_reason"));
        if let Some(reason) = reason.and_then(text) {
            facts.status = ReplyStatus::Error;
            facts.error = Some(format!("The prompt was blocked: {reason}"));
        }
        facts.start = flow.losses.time(response, "createTime");
        flow.facts(facts);
        for candidate in candidates.iter().skip(1) {
            let words = candidate.get("content").map(words_of).unwrap_or_default();
            let notice = Notice::new(NoticeKind::Info, "Another answer to the same");
            flow.part(Part::Notice(notice.with_body(Body::Prose(words))));
        }
    }

    fn stream_of<'p>(&self, piece: &'p Value) -> Option<&'p str> {
        stream::id_of(piece)
    }

    fn joined(&self, pieces: &[Value]) -> Option<Value> {
        stream::joined(pieces)
    }

    fn essence(&self, message: Json<'_>) -> Option<u64> {
        let content = Object::of(message)?;
        (content.text("role").as_deref() == Some("model")).then(|| essence_of(&content))
    }

    fn essences(&self, response: &Object<'_>) -> Vec<u64> {
        let first = response
            .items("candidates")
            .into_iter()
            .find_map(Object::of);
        let content = first.and_then(|candidate| candidate.object("content"));
        content.iter().map(essence_of).collect()
    }
}

/// What an answer says: its words without its thoughts, and the tools that it calls.
fn essence_of(content: &Object<'_>) -> u64 {
    let mut hash = Xxh3::new();
    for part in content.items("parts").into_iter().filter_map(Object::of) {
        if part.flag("thought") {
            continue;
        }
        hash.update(part.string("text").trim().as_bytes());
        let call = either(&part, "functionCall", "function_call").and_then(Object::of);
        hash.update(
            call.map(|call| call.string("name"))
                .unwrap_or_default()
                .as_bytes(),
        );
    }
    hash.finish()
}

/// The words of a string, of a content, or of its parts.
pub(super) fn words_of(value: Json<'_>) -> String {
    if let Some(words) = text(value) {
        return words.into_owned();
    }
    let parts = match Object::of(value) {
        Some(object) => match object.words("text") {
            Some(words) => return words,
            None => object.items("parts"),
        },
        None => items(value),
    };
    let parts = parts.into_iter().filter_map(Object::of);
    let words = parts.filter_map(|part| part.words("text"));
    words.collect::<Vec<_>>().join("\n\n")
}

/// Tokens. Thoughts are counted apart from what was said, pages of tools apart from the prompt.
fn usage(response: &Object<'_>) -> Option<Usage> {
    let usage = either(response, "usageMetadata", "usage_metadata").and_then(Object::of)?;
    let count = |camel: &str, snake: &str| {
        let count = either(&usage, camel, snake).and_then(super::records::count);
        count.unwrap_or_default()
    };
    let cached = count("cachedContentTokenCount", "cached_content_token_count");
    let thoughts = count("thoughtsTokenCount", "thoughts_token_count");
    let tools = count("toolUsePromptTokenCount", "tool_use_prompt_token_count");
    let prompt = count("promptTokenCount", "prompt_token_count");
    let said = count("candidatesTokenCount", "candidates_token_count");
    let all = Usage {
        input: prompt.saturating_sub(cached).saturating_add(tools),
        output: said.saturating_add(thoughts),
        cache_read: cached,
        cache_write: 0,
        reasoning: thoughts,
    };
    (all.total() > 0).then_some(all)
}
