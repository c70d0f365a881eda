//! One message as the export has it, with what is asked of it again and again.

use crate::formats::chat::Losses;
use crate::formats::records::{Json, Object, text};
use crate::formats::times;
use crate::model::Timestamp;

/// Who wrote a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    User,
    Assistant,
    Tool,
    System,
    /// Any other, or none.
    Other,
}

/// A message.
#[derive(Debug)]
pub(super) struct Message<'a> {
    pub(super) id: String,
    pub(super) role: Role,
    /// The role as it is written.
    pub(super) role_word: String,
    /// The tool's name, of a message that a tool wrote.
    pub(super) name: String,
    /// The tool that the message is meant for; `None` when it is for the person.
    pub(super) recipient: Option<String>,
    pub(super) channel: String,
    /// The type of the content; empty when there is none.
    pub(super) kind: String,
    pub(super) content: Object<'a>,
    /// The content as it stands.
    pub(super) raw: &'a str,
    pub(super) metadata: Object<'a>,
    pub(super) status: String,
    pub(super) time: Option<Timestamp>,
    /// Whether the program does not show it.
    pub(super) is_hidden: bool,
}

impl<'a> Message<'a> {
    /// The message that an object is.
    pub(super) fn of(object: &Object<'a>, losses: &mut Losses) -> Self {
        let author = object.object("author").unwrap_or_default();
        let metadata = object.object("metadata").unwrap_or_default();
        let role_word = author.string("role");
        let role = match role_word.as_str() {
            "user" => Role::User,
            "assistant" => Role::Assistant,
            "tool" => Role::Tool,
            "system" => Role::System,
            _ => Role::Other,
        };
        let content = object.object("content").unwrap_or_default();
        let weight = object.get("weight").map(Json::get);
        let is_weightless = matches!(weight, Some("0" | "0.0")) && role != Role::Tool;
        let recipient = object.words("recipient");
        Message {
            id: object.string("id"),
            name: author.string("name"),
            recipient: recipient.filter(|one| role == Role::Assistant && is_tool(one)),
            channel: object.string("channel"),
            kind: content.string("content_type"),
            raw: object.get("content").map_or("", Json::get),
            content,
            status: object.string("status"),
            time: object
                .get("create_time")
                .and_then(|value| moment(value, losses)),
            is_hidden: is_weightless || metadata.flag("is_visually_hidden_from_conversation"),
            metadata,
            role,
            role_word,
        }
    }

    /// The texts of the content, in order: of its parts, or its only one. What is no text in
    /// it is left out.
    pub(super) fn texts(&self) -> Vec<String> {
        let parts = self.content.items("parts");
        if !parts.is_empty() {
            let texts = parts.into_iter().filter_map(text);
            return texts.map(|text| text.into_owned()).collect();
        }
        let own = self.content.text("text").map(|text| text.into_owned());
        // A content that is a text itself is none of the export's, but says what it says.
        let bare = || Json::parse(self.raw).ok().and_then(text);
        let own = own.or_else(|| bare().map(|text| text.into_owned()));
        own.into_iter().collect()
    }

    /// The texts as one.
    pub(super) fn text(&self) -> String {
        let texts = self.texts();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        texts.join("\n")
    }

    /// Whether it is context that the program puts around what is said.
    pub(super) fn is_context(&self) -> bool {
        let kinds = [
            "user_editable_context",
            "model_editable_context",
            "app_pairing_content",
        ];
        self.role == Role::System || kinds.contains(&self.kind.as_str())
    }

    /// Whether somebody says something in it that is there to be read.
    pub(super) fn is_of_somebody(&self) -> bool {
        !self.is_blank() && !self.is_hidden && !self.is_context()
    }

    /// Whether there is nothing in it to be shown: programs write such messages as roots and
    /// before calls.
    pub(super) fn is_blank(&self) -> bool {
        let is_text = matches!(self.kind.as_str(), "text" | "multimodal_text" | "code" | "");
        let mut parts = self.content.items("parts").into_iter();
        let has_object = parts.any(|part| part.get().starts_with('{'));
        is_text
            && !has_object
            && self.texts().iter().all(|text| text.trim().is_empty())
            && self.metadata.items("attachments").is_empty()
    }
}

/// Whether a recipient is a tool.
fn is_tool(recipient: &str) -> bool {
    !matches!(recipient, "all" | "user" | "assistant")
}

/// A moment: seconds, as a number or as the text of one. One that cannot be read is counted.
pub(super) fn moment(value: Json<'_>, losses: &mut Losses) -> Option<Timestamp> {
    let number = text(value).and_then(|text| text.trim().parse::<f64>().ok());
    let read = match number {
        Some(number) => Ok(times::from_number(number)),
        None => times::read(value),
    };
    losses.odd_times += u64::from(read.is_err());
    read.ok().flatten()
}
