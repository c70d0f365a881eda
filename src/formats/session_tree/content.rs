//! What a message holds: its blocks become parts.

use crate::formats::pairs;
use crate::formats::problems::Problems;
use crate::formats::records::{Json, Object, items, text};
use crate::model::{
    Body, Details, Image, ImageData, Notice, NoticeKind, Part, Reasoning, SearchHit, ToolCall,
    ToolResult,
};

use super::blobs::Blobs;
use super::outcome::Outcome;
use super::transcript::note_kind;

/// The content of one message.
#[derive(Debug, Default)]
pub(super) struct Content {
    /// Text, reasoning, calls, pictures and the rest, in order.
    pub(super) parts: Vec<Part>,
    /// Results of tools that the vendor's server ran.
    pub(super) outcomes: Vec<Outcome>,
}

/// Where a block stands, and what is said of it.
pub(super) struct Place<'a, 'b> {
    /// The line of the record.
    pub(super) line: u64,
    /// The problems of the file.
    pub(super) problems: &'a mut Problems,
    /// Kinds of blocks that are not known, in order of appearance.
    pub(super) unknown: &'a mut Vec<String>,
    /// Where pictures are that are not in the file.
    pub(super) blobs: &'a mut Blobs<'b>,
}

impl Content {
    /// Reads the content of a message: a string, or blocks.
    pub(super) fn read(value: Option<Json<'_>>, place: &mut Place<'_, '_>) -> Self {
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

    /// Its texts, one behind the other, and its pictures.
    pub(super) fn into_text(self) -> (String, Vec<Image>) {
        let mut words = String::new();
        let mut images = Vec::new();
        for part in self.parts {
            match part {
                Part::Text(text) => {
                    if !words.is_empty() {
                        words.push('\n');
                    }
                    words.push_str(&text);
                }
                Part::Image(image) => images.push(image),
                Part::Notice(notice) => {
                    if let Some(body) = notice.body {
                        words.push_str(body.text());
                    }
                }
                _ => {}
            }
        }
        (words, images)
    }

    fn block(&mut self, block: Json<'_>, place: &mut Place<'_, '_>) {
        if let Some(words) = text(block) {
            return self.words(words.into_owned());
        }
        let Some(object) = Object::of(block) else {
            return self.odd(block, place);
        };
        match object.text("type").as_deref() {
            Some("text") | None => match object.text("text") {
                Some(words) => self.words(words.into_owned()),
                None => self.odd(block, place),
            },
            Some("thinking") => self.parts.extend(thought(&object).map(Part::Reasoning)),
            Some("redactedThinking") => self.parts.push(hidden("redacted")),
            Some("image") => self.parts.push(Part::Image(image(&object, place))),
            Some("toolCall") => self.parts.push(Part::Tool(Box::new(call(&object)))),
            Some("fallback") => self.parts.push(Part::Notice(fallback(&object))),
            Some("anthropicServerTool") => self.of_server(&object),
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

    /// A call that the vendor's server ran, or what came of it.
    fn of_server(&mut self, object: &Object<'_>) {
        let block = object.object("block").unwrap_or_default();
        if block.text("type").as_deref() == Some("server_tool_use") {
            self.parts.push(Part::Tool(Box::new(ToolCall {
                id: block.string("id"),
                name: block.string("name"),
                input: Some(pairs::input(&block, "input")),
                ..ToolCall::default()
            })));
            return;
        }
        let found = block.items("content").into_iter().filter_map(Object::of);
        let hits: Vec<SearchHit> = found
            .map(|hit| SearchHit {
                title: hit.string("title"),
                url: hit.string("url"),
                snippet: None,
            })
            .filter(|hit| !hit.url.is_empty())
            .collect();
        let lines = hits.iter().map(|hit| format!("{}\n{}", hit.title, hit.url));
        let mut words = lines.collect::<Vec<_>>().join("\n");
        if words.is_empty() {
            words = block.get("content").map_or("", Json::get).to_owned();
        }
        self.outcomes.push(Outcome {
            call: block.string("tool_use_id"),
            result: ToolResult {
                text: words,
                details: Some(Box::new(Details {
                    hits: Some(hits).filter(|hits| !hits.is_empty()),
                    ..Details::default()
                })),
                ..ToolResult::default()
            },
            ..Outcome::default()
        });
    }

    fn odd(&mut self, block: Json<'_>, place: &mut Place<'_, '_>) {
        let what = "a content block is not as expected";
        place.problems.warn(place.line, what);
        let title = "Content that is not as expected";
        self.parts.push(Part::Notice(raw(title, block)));
    }
}

/// A notice that shows JSON as it stands in the file.
fn raw(title: impl Into<String>, value: Json<'_>) -> Notice {
    Notice::new(NoticeKind::Unknown, title).with_body(Body::Data(value.get().to_owned()))
}

/// A stretch of reasoning; `None` for a block that was begun and holds nothing. How long it took
/// is not stored: a message's two times tell how long all of it took.
fn thought(object: &Object<'_>) -> Option<Reasoning> {
    let text = object.string("thinking");
    if object.flag("redacted") {
        return Some(Reasoning {
            text,
            hidden: Some("redacted"),
            ms: None,
        });
    }
    let is_empty = text.trim().is_empty();
    let is_signed = object.words("thinkingSignature").is_some();
    (!is_empty || is_signed).then_some(Reasoning {
        text,
        hidden: is_empty.then_some("hidden"),
        ms: None,
    })
}

fn hidden(why: &'static str) -> Part {
    Part::Reasoning(Reasoning {
        hidden: Some(why),
        ..Reasoning::default()
    })
}

fn call(object: &Object<'_>) -> ToolCall {
    ToolCall {
        id: object.string("id"),
        name: object.string("name"),
        input: Some(pairs::input(object, "arguments")),
        ..ToolCall::default()
    }
}

/// A picture, wherever its bytes are.
pub(super) fn image(object: &Object<'_>, place: &mut Place<'_, '_>) -> Image {
    let media_type = object.string("mimeType");
    let data = object.text("data").filter(|data| !data.is_empty());
    let data = match (data, object.words("url")) {
        _ if media_type.contains("svg") => {
            // An SVG is a document with scripts, not a picture.
            let what = "image media type image/svg+xml not shown";
            place.problems.warn(place.line, what);
            ImageData::Missing("an SVG, which is not shown".to_owned())
        }
        (Some(data), _) => match place.blobs.picture(&data) {
            Some(elsewhere) => elsewhere,
            None => ImageData::Base64 {
                media_type,
                data: data.into_owned(),
            },
        },
        (None, Some(url)) => ImageData::Remote(url),
        (None, None) => ImageData::Missing("not in the transcript".to_owned()),
    };
    Image { data, alt: None }
}

fn fallback(object: &Object<'_>) -> Notice {
    let model = |key| {
        let side = object.object(key).unwrap_or_default();
        side.words("model").unwrap_or_else(|| "?".to_owned())
    };
    let title = format!("Model changed from {} to {}", model("from"), model("to"));
    Notice::new(NoticeKind::ModelChange, title)
}
