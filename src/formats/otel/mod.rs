//! OpenTelemetry: spans of requests to models, by the semantic conventions for generative AI, as
//! exporters write them: OTLP as JSON, spans alone, lists and lines of them.

mod spans;
#[cfg(test)]
mod tests;

use std::hash::Hasher;

use xxhash_rust::xxh3::Xxh3;

use crate::error::Problem;
use crate::model::{Attachment, NoticeKind, Part, Prompt, Reasoning, Reply, ToolCall};
use crate::source::{self, At, Source};

use super::api::{self, Flow, Wire};
use super::chat;
use super::pairs::input;
use super::problems::Problems;
use super::records::{Json, Object, document_of, each_record};
use super::{Format, Head, Reading, Shape, is_document};

/// Reads spans of requests to models.
pub(super) struct Otel;

impl Format for Otel {
    fn name(&self) -> &'static str {
        "otel"
    }

    fn program(&self) -> &'static str {
        "OpenTelemetry"
    }

    fn recognises(&self, head: &Head) -> bool {
        head.records.iter().flat_map(chat::with_items).any(|shape| {
            let lists = ["resourceSpans", "resourceLogs"];
            let mut lists = lists.iter().filter_map(|key| shape.get(key));
            lists.any(|list| list.items().iter().any(is_scoped)) || is_span(shape)
        })
    }

    fn parts(&self, source: &Source) -> Result<Vec<source::Part>, Problem> {
        let exchanges = exchanges(source, &mut Problems::of_source(source));
        let chains = api::chained(self, &exchanges);
        let part = |chain: Vec<usize>| {
            let size = chain.iter().map(|at| exchanges[*at].len() as u64).sum();
            let places = chain.iter().map(usize::to_string);
            let key = places.collect::<Vec<_>>().join(",");
            source::Part {
                at: At::Key(key),
                size,
            }
        };
        Ok(match chains.len() {
            0 | 1 => Vec::new(),
            _ => chains.into_iter().map(part).collect(),
        })
    }

    fn read(&self, source: &Source) -> Reading {
        let mut problems = Problems::of_source(source);
        let exchanges = exchanges(source, &mut problems);
        let chosen: Vec<&str> = match source.part.as_ref().map(|part| &part.at) {
            Some(At::Key(key)) => {
                let places = key
                    .split(',')
                    .filter_map(|place| place.parse::<usize>().ok());
                places
                    .filter_map(|at| exchanges.get(at))
                    .map(String::as_str)
                    .collect()
            }
            _ => exchanges.iter().map(String::as_str).collect(),
        };
        let mut flow = api::told(self, chosen);
        for tool in exchanges.iter().filter_map(|one| Object::parse(one).ok()) {
            executed(&tool, &mut flow);
        }
        let conversation = flow.finish(Format::program(self), &mut problems);
        Reading::settled(conversation, vec![problems], |notice| {
            notice.kind == NoticeKind::Context
        })
    }
}

/// Whether a list's element holds spans or records by scope.
fn is_scoped(shape: &Shape) -> bool {
    shape.get("scopeSpans").is_some() || shape.get("scopeLogs").is_some()
}

/// Whether a span or a record of a log is of a request to a model.
fn is_span(shape: &Shape) -> bool {
    match shape.get("attributes") {
        Some(Shape::Map(entries)) => entries.iter().any(|(key, _)| key.starts_with("gen_ai.")),
        Some(Shape::List(list)) => list.iter().any(|one| {
            one.text("key")
                .is_some_and(|key| key.starts_with("gen_ai."))
        }),
        _ => false,
    }
}

/// The requests in a source, with their responses, in the order in which they were made.
fn exchanges(source: &Source, problems: &mut Problems) -> Vec<String> {
    let whole = Source {
        part: None,
        ..source.clone()
    };
    let mut found = spans::Found::default();
    if is_document(&Otel, source) {
        let json = document_of(&whole, problems);
        let value = json.and_then(|json| serde_json::from_str(&json).ok());
        value.iter().for_each(|value| found.look(value));
    } else {
        each_record(&source.main, problems, &mut |record, _| {
            found.look(&serde_json::from_str(record.json)?);
            Ok(())
        });
    }
    found.exchanges()
}

/// Puts what a tool gave back into its call, when no later request says it.
fn executed(tool: &Object<'_>, flow: &mut Flow) {
    let id = tool.string("executed");
    if flow.is_open(&id) {
        let mut result = api::settled(tool.get("result"));
        result.is_error = tool.flag("is_error");
        flow.result(&id, &tool.string("name"), result);
    }
}

impl Wire for Otel {
    fn program(&self) -> &'static str {
        Format::program(self)
    }

    fn is_request(&self, body: &Object<'_>) -> bool {
        body.has("messages")
    }

    fn is_response(&self, body: &Object<'_>) -> bool {
        body.has("messages")
    }

    fn is_message(&self, _: &Object<'_>) -> bool {
        false
    }

    fn messages<'a>(&self, request: &Object<'a>) -> Vec<Json<'a>> {
        request.items("messages")
    }

    fn begin(&self, request: &Object<'_>, flow: &mut Flow) {
        if flow.about.id.is_empty() {
            flow.about.id = request.string("conversation");
        }
        let told = request.items("system").into_iter().filter_map(Object::of);
        let words = told.filter_map(|part| part.words("content").or_else(|| part.words("text")));
        flow.told(&words.collect::<Vec<_>>().join("\n\n"), None);
        flow.offered(&api::offered(request.items("tools")));
    }

    fn message(&self, message: Json<'_>, flow: &mut Flow) {
        let message = Object::of(message).unwrap_or_default();
        let values = message.items("parts").into_iter();
        match message.string("role").as_str() {
            "system" | "developer" => {
                let parts = values.filter_map(Object::of);
                let words = parts.filter_map(|part| part.words("content"));
                flow.told(&words.collect::<Vec<_>>().join("\n\n"), None);
            }
            "user" => {
                let parts = values.filter_map(|value| part(value, flow)).collect();
                flow.prompt(Prompt {
                    parts,
                    ..Prompt::default()
                });
            }
            "assistant" | "model" | "tool" => {
                for value in values {
                    if let Some(part) = part(value, flow) {
                        flow.part(part);
                    }
                }
            }
            role => flow.of_unknown(role, String::new()),
        }
    }

    fn respond(&self, response: &Object<'_>, flow: &mut Flow) {
        let mut reason = response.words("finish").unwrap_or_default();
        for value in response.items("messages") {
            let own = Object::of(value).and_then(|message| message.words("finish_reason"));
            reason = own.unwrap_or(reason);
            self.message(value, flow);
        }
        let (status, notice) = api::ended(&reason);
        flow.parts(notice);
        flow.facts(Reply {
            id: response.string("response_id"),
            models: response.words("model").into_iter().collect(),
            status,
            usage: api::usage(response, "usage"),
            error: response.words("error"),
            ..Reply::default()
        });
    }

    fn essence(&self, message: Json<'_>) -> Option<u64> {
        let message = Object::of(message)?;
        let role = message.string("role");
        (role == "assistant" || role == "model").then(|| essence_of(&message))
    }

    fn essences(&self, response: &Object<'_>) -> Vec<u64> {
        let messages = response
            .items("messages")
            .into_iter()
            .filter_map(Object::of);
        messages.map(|message| essence_of(&message)).collect()
    }
}

/// What an answer says: its words, and the calls that it makes.
fn essence_of(message: &Object<'_>) -> u64 {
    let mut hash = Xxh3::new();
    for part in message.items("parts").into_iter().filter_map(Object::of) {
        let said = match part.string("type").as_str() {
            "text" => part.string("content"),
            "tool_call" => part.string("id"),
            _ => continue,
        };
        hash.update(said.trim().as_bytes());
    }
    hash.finish()
}

/// Reads a part: what is to be shown where it stands.
fn part(value: Json<'_>, flow: &mut Flow) -> Option<Part> {
    let part = Object::of(value)?;
    let words = || {
        let words = part.words("content").or_else(|| part.words("text"));
        words.unwrap_or_default()
    };
    let kind = part.string("type");
    match kind.as_str() {
        "text" => api::said(words()),
        "reasoning" | "thinking" => Some(Part::Reasoning(Reasoning {
            text: words(),
            ..Reasoning::default()
        })),
        "tool_call" | "server_tool_call" => {
            let key = ["arguments", "server_tool_call"];
            let key = key
                .into_iter()
                .find(|key| part.has(key))
                .unwrap_or("arguments");
            flow.call(ToolCall {
                id: part.string("id"),
                name: part.string("name"),
                input: Some(input(&part, key)),
                ..ToolCall::default()
            });
            None
        }
        "tool_call_response" | "server_tool_call_response" => {
            let keys = ["response", "result", "server_tool_call_response"];
            let told = keys.iter().find_map(|key| part.get(key));
            flow.result(&part.string("id"), &part.string("name"), api::settled(told));
            None
        }
        "blob" => {
            let kind = part.words("mime_type").or_else(|| part.words("modality"));
            let data = part.words("content").or_else(|| part.words("data"));
            Some(api::data_part(
                &kind.unwrap_or_default(),
                data.unwrap_or_default(),
                None,
            ))
        }
        "uri" => {
            let is_image = part.text("modality").as_deref() == Some("image");
            let uri = part.string("uri");
            Some(match is_image {
                true => api::image_of(&uri, None),
                false => api::file_part(None, part.words("mime_type"), &uri),
            })
        }
        "file" => Some(Part::File(Attachment {
            name: part.string("file_id"),
            media_type: part.words("mime_type"),
            text: None,
            note: Some("not in the log".to_owned()),
        })),
        other => Some(chat::unknown(
            format!("A part of an unknown kind: {other}"),
            value,
        )),
    }
}
