//! Chatbot UI's export: an object with the history of all conversations.

use crate::error::Problem;
use crate::model::{
    Body, Conversation, Entry, Notice, NoticeKind, Part, Prompt, Reply, ReplyStatus,
};
use crate::source::{self, Source};

use super::chat;
use super::problems::Problems;
use super::records::{Object, document_of};
use super::{Format, Head, Reading, Shape};

/// Reads Chatbot UI's exports.
pub(super) struct ChatbotUi;

impl Format for ChatbotUi {
    fn name(&self) -> &'static str {
        "chatbot_ui"
    }

    fn program(&self) -> &'static str {
        "Chatbot UI"
    }

    fn recognises(&self, head: &Head) -> bool {
        head.records.iter().any(|record| {
            let history = record.get("history").map(Shape::items).unwrap_or_default();
            let is_one = |one: &Shape| one.has(&["id", "name", "messages"]);
            record.has(&["version", "folders"]) && history.iter().any(is_one)
        })
    }

    fn is_document(&self, _: &Head) -> bool {
        true
    }

    fn parts(&self, source: &Source) -> Result<Vec<source::Part>, Problem> {
        chat::parts_of_array(source, Some("history"))
    }

    fn read(&self, source: &Source) -> Reading {
        let mut problems = Problems::of_source(source);
        let json = document_of(source, &mut problems);
        let conversation = json.and_then(|json| conversation(&json, &mut problems));
        Reading {
            conversation,
            problems: problems.into_vec(),
        }
    }
}

fn conversation(json: &str, problems: &mut Problems) -> Option<Conversation> {
    let whole = chat::object_of(json, problems)?;
    let model = whole.object("model");
    let model = model.and_then(|model| model.words("name").or_else(|| model.words("id")));
    let mut entries: Vec<Entry> = Vec::new();
    for (nth, value) in whole.items("messages").into_iter().enumerate() {
        let message = Object::of(value).unwrap_or_default();
        let id = nth.to_string();
        let parts: Vec<Part> = message
            .words("content")
            .map(Part::Text)
            .into_iter()
            .collect();
        entries.push(match message.text("role").as_deref() {
            Some("assistant") => Entry::Reply(Reply {
                id,
                models: model.clone().into_iter().collect(),
                status: ReplyStatus::Complete,
                parts,
                ..Reply::default()
            }),
            Some("user") => Entry::Prompt(Prompt {
                id,
                parts,
                ..Prompt::default()
            }),
            _ => told(message.string("content")),
        });
    }
    if entries.is_empty() {
        problems.note(None, "no messages");
        return None;
    }
    if let Some(prompt) = whole.words("prompt") {
        entries.insert(0, told(prompt));
    }
    Some(Conversation {
        id: whole.string("id"),
        title: whole.words("name"),
        program: ChatbotUi.program().to_owned(),
        entries,
        ..Conversation::default()
    })
}

fn told(text: String) -> Entry {
    let notice = Notice::new(NoticeKind::Context, "Instructions for this conversation");
    Entry::Notice(notice.with_body(Body::Prose(text)))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::formats::apart;
    use crate::formats::outline::outline;
    use crate::source::File;

    fn all(document: &Value) -> Vec<Conversation> {
        let bytes = document.to_string().into_bytes();
        let file = File::in_memory("x.json".into(), "x.json".into(), bytes);
        let head = Head::of(&file).expect("memory can be read");
        assert!(ChatbotUi.recognises(&head), "it is recognised");
        let (sources, problem) = apart(Source::single(file), &ChatbotUi);
        assert!(problem.is_none());
        let readings = sources.iter().map(|source| ChatbotUi.read(source));
        readings
            .filter_map(|reading| reading.conversation)
            .collect()
    }

    #[test]
    fn each_element_of_the_history_is_a_conversation() {
        let messages =
            json!([{"role": "user", "content": "Dig."}, {"role": "assistant", "content": "So."}]);
        let told = all(&json!({"version": 4, "folders": [], "history": [
            {"id": "1", "name": "Beds", "messages": messages, "prompt": "Be brief."},
            {"id": "2", "name": "", "messages": []}]}));
        let expected = [
            "<Context Instructions for this conversation>",
            "person: \"Dig.\"",
            "Complete: \"So.\"",
        ];
        assert_eq!(told.len(), 1);
        assert_eq!(outline(&told[0]), expected);
    }
}
