//! The Vercel AI SDK: messages as its programs keep them, those of the interface (in the shapes of
//! versions 4, 5 and 6) and those that models are given.

mod look;
mod message;
mod parts;
#[cfg(test)]
mod tests;

use crate::error::Problem;
use crate::model::NoticeKind;
use crate::source::{Part, Source};

use super::api::Flow;
use super::chat::{parts_of_array, parts_of_lines};
use super::problems::Problems;
use super::records::{Json, Object, document_of, each_record, items, text};
use super::{Format, Head, Reading, is_document};

/// Reads the messages of the Vercel AI SDK.
pub(super) struct AiSdk;

impl Format for AiSdk {
    fn name(&self) -> &'static str {
        "ai_sdk"
    }

    fn program(&self) -> &'static str {
        "Vercel AI SDK"
    }

    fn recognises(&self, head: &Head) -> bool {
        look::recognises(head)
    }

    fn parts(&self, source: &Source) -> Result<Vec<Part>, Problem> {
        let head = Head::of(&source.main);
        if head.is_ok_and(|head| look::is_of_messages(&head)) {
            return Ok(Vec::new());
        }
        match is_document(self, source) {
            true => parts_of_array(source, None),
            false => parts_of_lines(source),
        }
    }

    fn read(&self, source: &Source) -> Reading {
        let mut problems = Problems::of_source(source);
        let mut flow = Flow::default();
        if source.part.is_some() || is_document(self, source) {
            let Some(json) = document_of(source, &mut problems) else {
                return Reading {
                    conversation: None,
                    problems: problems.into_vec(),
                };
            };
            if let Ok(value) = Json::parse(&json) {
                document(value, &mut flow);
            }
        } else {
            each_record(&source.main, &mut problems, &mut |record, _| {
                let value = Json::parse(record.json)?;
                message::read(value, &mut flow);
                Ok(())
            });
        }
        let conversation = flow.finish(self.program(), &mut problems);
        Reading::settled(conversation, vec![problems], |notice| {
            notice.kind == NoticeKind::Context
        })
    }
}

/// A list of messages, or a chat that holds one.
fn document(value: Json<'_>, flow: &mut Flow) {
    let chat = Object::of(value);
    let messages = match &chat {
        None => items(value),
        Some(chat) => {
            flow.about.id = chat
                .words("id")
                .or_else(|| chat.words("chatId"))
                .unwrap_or_default();
            flow.about.title = chat.words("title");
            flow.told(&chat.string("system"), None);
            match chat.get("messages") {
                Some(list) => list_of(list, |list| message::all(list, flow)),
                // A message alone.
                None => message::read(value, flow),
            }
            return;
        }
    };
    message::all(messages, flow);
}

/// Hands over the elements of a list, which may be written as text, as rows of databases are.
fn list_of(value: Json<'_>, take: impl FnOnce(Vec<Json<'_>>)) {
    match text(value) {
        Some(words) => {
            let inner = Json::parse(&words);
            take(inner.map(items).unwrap_or_default());
        }
        None => take(items(value)),
    }
}
