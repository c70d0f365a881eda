//! What a message holds: content blocks become parts, and results wait for their calls.

use crate::formats::problems::Problems;
use crate::formats::records::{Json, Object, items, text};
use crate::model::{
    Attachment, Body, Image, ImageData, Input, Notice, NoticeKind, Part, Reasoning, SourceLink,
    ToolCall,
};

use super::outcome::{self, Outcome};

/// The content of one message line.
#[derive(Debug, Default)]
pub(super) struct Content {
    /// Text, reasoning, calls, pictures and the rest, in order. Calls have no results yet.
    pub(super) parts: Vec<Part>,
    /// Results of calls that are made elsewhere.
    pub(super) outcomes: Vec<Outcome>,
    /// Pages that the text cites.
    pub(super) sources: Vec<SourceLink>,
}

/// Where a block stands, and what is said of it.
pub(super) struct Place<'a> {
    /// The line of the record.
    pub(super) line: u64,
    /// The problems of the file.
    pub(super) problems: &'a mut Problems,
    /// Kinds of blocks that are not known, in order of appearance.
    pub(super) unknown: &'a mut Vec<String>,
}

impl Content {
    /// Reads the content of a message: a string, blocks, or one block alone.
    pub(super) fn read(value: Option<Json<'_>>, place: &mut Place<'_>) -> Self {
        let mut content = Content::default();
        match value {
            None => {}
            Some(list) if list.get().starts_with('[') => {
                for block in items(list) {
                    content.block(block, place);
                }
            }
            Some(block) => content.block(block, place),
        }
        content
    }

    fn block(&mut self, block: Json<'_>, place: &mut Place<'_>) {
        if let Some(words) = text(block) {
            self.words(words.into_owned());
            return;
        }
        let Some(object) = Object::of(block) else {
            return self.odd(block, place);
        };
        let kind = object.text("type");
        match kind.as_deref() {
            Some("text") | None => match object.text("text") {
                Some(words) => {
                    self.words(words.into_owned());
                    self.cite(&object);
                }
                None => self.odd(block, place),
            },
            Some("thinking") => {
                let words = object.string("thinking");
                let hidden = words.trim().is_empty().then_some("hidden");
                self.reason(words, hidden);
            }
            Some("redacted_thinking") => self.reason(String::new(), Some("redacted")),
            Some("image") => self.parts.push(Part::Image(image(&object, place))),
            Some("document") => self.parts.push(Part::File(document(&object))),
            Some("fallback") => self.parts.push(Part::Notice(fallback(&object))),
            Some(kind) if kind == "tool_result" || kind.ends_with("_tool_result") => {
                self.outcomes.push(outcome::of(&object, place));
            }
            Some(kind) if kind == "tool_use" || kind.ends_with("_tool_use") => {
                self.parts.push(Part::Tool(Box::new(call(&object))));
            }
            Some(kind) => {
                note_kind(place.unknown, kind);
                let title = format!("Block of an unknown kind: {kind}");
                self.parts.push(Part::Notice(raw(title, block)));
            }
        }
    }

    fn words(&mut self, words: String) {
        if !words.is_empty() {
            self.parts.push(Part::Text(words));
        }
    }

    fn reason(&mut self, text: String, hidden: Option<&'static str>) {
        self.parts.push(Part::Reasoning(Reasoning {
            text,
            hidden,
            ms: None,
        }));
    }

    fn cite(&mut self, object: &Object<'_>) {
        for citation in object.items("citations") {
            let Some(citation) = Object::of(citation) else {
                continue;
            };
            let url = citation.string("url");
            if !url.is_empty() {
                let title = citation.text("title").map(Into::into);
                self.sources.push(SourceLink { url, title });
            }
        }
    }

    fn odd(&mut self, block: Json<'_>, place: &mut Place<'_>) {
        place
            .problems
            .warn(place.line, "a content block is not as expected");
        let title = "Content that is not as expected";
        self.parts.push(Part::Notice(raw(title, block)));
    }
}

/// How many unknown kinds are told apart.
const KINDS: usize = 20;

/// Remembers an unknown kind; false when there are too many to tell them apart.
pub(super) fn note_kind(known: &mut Vec<String>, kind: &str) -> bool {
    if known.iter().any(|known| known == kind) {
        return true;
    }
    let room = known.len() < KINDS;
    if room {
        known.push(kind.to_owned());
    }
    room
}

/// A notice that shows JSON as it stands in the file.
pub(super) fn raw(title: impl Into<String>, value: Json<'_>) -> Notice {
    Notice::new(NoticeKind::Unknown, title).with_body(Body::Data(value.get().to_owned()))
}

fn call(object: &Object<'_>) -> ToolCall {
    let input = match object.get("input") {
        None => Input::Json("{}".to_owned()),
        Some(value) => match text(value) {
            Some(free) => Input::Text(free.into_owned()),
            None => Input::Json(value.get().to_owned()),
        },
    };
    ToolCall {
        id: object.string("id"),
        name: object.string("name"),
        input: Some(input),
        ..ToolCall::default()
    }
}

/// A picture, wherever its bytes are.
pub(super) fn image(object: &Object<'_>, place: &mut Place<'_>) -> Image {
    let source = object.object("source").unwrap_or_default();
    let data = if let Some(data) = source.text("data") {
        let media_type = source.string("media_type");
        if media_type.contains("svg") {
            // An SVG is a document with scripts, not a picture.
            let what = "image media type image/svg+xml not shown";
            place.problems.warn(place.line, what);
            ImageData::Missing("an SVG, which is not shown".to_owned())
        } else {
            ImageData::Base64 {
                media_type,
                data: data.into_owned(),
            }
        }
    } else if let Some(url) = source.text("url") {
        ImageData::Remote(url.into_owned())
    } else {
        ImageData::Missing("not in the transcript".to_owned())
    };
    Image { data, alt: None }
}

/// A document that was handed over, such as a PDF.
pub(super) fn document(object: &Object<'_>) -> Attachment {
    let source = object.object("source").unwrap_or_default();
    let kind = source.string("type");
    let media_type = source.string("media_type");
    let words = match kind.as_str() {
        "text" => source.text("data"),
        "content" => source.text("content"),
        _ => None,
    };
    let note = match (&words, source.text("url")) {
        (Some(_), _) => object.text("context").map(Into::into),
        (None, Some(url)) => Some(url.into_owned()),
        (None, None) => Some("not shown".to_owned()),
    };
    let title = object.string("title");
    Attachment {
        name: if title.is_empty() {
            "document".to_owned()
        } else {
            title
        },
        media_type: Some(media_type).filter(|media_type| !media_type.is_empty()),
        text: words.map(Into::into),
        note,
    }
}

fn fallback(object: &Object<'_>) -> Notice {
    let model = |key| {
        let side = object.object(key).unwrap_or_default();
        side.text("model").map_or("?".to_owned(), Into::into)
    };
    let title = format!("Model changed from {} to {}", model("from"), model("to"));
    Notice::new(NoticeKind::ModelChange, title)
}
