//! Documents that the assistant writes beside the conversation, in all their versions: by calls,
//! and in older conversations in the words of the reply.

use std::collections::BTreeMap;

use serde_json::json;

use crate::formats::chat::{self, Block, blocks};
use crate::formats::records::Object;
use crate::model::{Details, DocumentVersion, Input, Part, Reasoning, ToolCall};

/// The documents of a conversation as they stand after what was read of it.
#[derive(Debug, Default)]
pub(super) struct Documents {
    by_id: BTreeMap<String, DocumentVersion>,
}

impl Documents {
    /// Follows what a call does to a document, and says in its result how that stands then.
    pub(super) fn note(&mut self, call: &mut ToolCall) {
        let Some(Input::Json(input)) = &call.input else {
            return;
        };
        if call.name != "artifacts" {
            return;
        }
        let Ok(input) = Object::parse(input) else {
            return;
        };
        let is_error = call.result.as_ref().is_some_and(|result| result.is_error);
        let version = self.follow(&input, is_error);
        if let Some(result) = call.result.as_mut()
            && let Some(version) = version
        {
            let details = result.details.get_or_insert_with(Box::<Details>::default);
            details.document = Some(version);
        }
    }

    fn follow(&mut self, input: &Object<'_>, is_error: bool) -> Option<DocumentVersion> {
        let id = input.words("id")?;
        let known = self.by_id.get(&id);
        let command = input.string("command");
        if command == "view" || is_error {
            return known.cloned();
        }
        let before = known.cloned().unwrap_or_default();
        let text = match command.as_str() {
            "update" => changed(
                before.text.as_deref(),
                &input.string("old_str"),
                &input.string("new_str"),
            ),
            _ => Some(input.string("content")),
        };
        let version = DocumentVersion {
            title: input.words("title").or(before.title),
            kind: input.words("type").or(before.kind),
            version: before.version + 1,
            text,
        };
        self.by_id.insert(id, version.clone());
        Some(version)
    }
}

/// The text with the one place changed where the old words stand; `None` when it is not known
/// where that is.
fn changed(text: Option<&str>, old: &str, new: &str) -> Option<String> {
    let text = text?;
    let (before, after) = text.split_once(old).filter(|_| !old.is_empty())?;
    Some([before, new, after].concat())
}

/// The parts of a reply's text: documents that stand in it as elements become calls like those
/// that newer conversations have, thoughts that stand in it become thoughts.
pub(super) fn in_text(words: &str, documents: &mut Documents) -> Vec<Part> {
    let mut parts = Vec::new();
    for block in blocks(words, "antArtifact") {
        match block {
            Block::Text(text) => with_thoughts(text, &mut parts),
            Block::Element {
                attributes,
                inner,
                whole,
            } => match document(&attributes, inner) {
                Some(mut call) => {
                    documents.note(&mut call);
                    parts.push(Part::Tool(Box::new(call)));
                }
                None => parts.push(Part::Text(whole.to_owned())),
            },
        }
    }
    parts
}

fn with_thoughts(text: &str, parts: &mut Vec<Part>) {
    for block in blocks(text, "antThinking") {
        parts.push(match block {
            Block::Text(text) => Part::Text(text.to_owned()),
            Block::Element { inner, .. } => Part::Reasoning(Reasoning {
                text: inner.trim().to_owned(),
                ..Reasoning::default()
            }),
        });
    }
}

/// The call that stands for a document in a text; one without a name is none.
fn document(attributes: &[(&str, &str)], content: &str) -> Option<ToolCall> {
    let value = |name: &str| {
        let found = attributes.iter().find(|(key, _)| *key == name);
        found.map(|(_, value)| *value)
    };
    let mut input = json!({"id": value("identifier")?, "command": "create"});
    for name in ["type", "title", "language"] {
        if let Some(value) = value(name) {
            input[name] = value.into();
        }
    }
    input["content"] = content.trim_matches('\n').into();
    Some(chat::document(input))
}
