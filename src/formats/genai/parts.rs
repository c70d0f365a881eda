//! The parts that a message consists of.

use crate::formats::records::{Json, Object, items, text};
use crate::model::{
    Attachment, Body, Image, ImageData, Input, Notice, NoticeKind, Part, Reasoning, SourceLink,
    ToolCall, ToolResult,
};

use super::results;

/// What a list of parts holds.
#[derive(Debug, Default)]
pub(crate) struct Content {
    /// Text, reasoning, calls without results, pictures and files, in order.
    pub(crate) parts: Vec<Part>,
    /// Results of calls, in order.
    pub(crate) answers: Vec<Answer>,
    /// Pages that are cited.
    pub(crate) sources: Vec<SourceLink>,
}

/// The result of a call, with the call that it is of.
#[derive(Debug, Default)]
pub(crate) struct Answer {
    /// The call's id; empty when it is not said.
    pub(crate) id: String,
    /// The tool; empty when it is not said.
    pub(crate) name: String,
    /// What it gave back, as the model was given it.
    pub(crate) result: ToolResult,
}

impl Content {
    /// Reads a string, a part, or a list of both.
    pub(crate) fn read(value: Option<Json<'_>>) -> Self {
        let mut content = Content::default();
        match value {
            None => {}
            Some(list) if list.get().starts_with('[') => {
                for part in items(list) {
                    content.part(part);
                }
            }
            Some(part) => content.part(part),
        }
        content.settle();
        content
    }

    fn part(&mut self, part: Json<'_>) {
        if let Some(words) = text(part) {
            return self.words(words.into_owned());
        }
        let Some(object) = Object::of(part) else {
            return self.odd(part);
        };
        if let Some(words) = object.text("text") {
            if object.flag("thought") {
                self.reason(words.into_owned());
            } else {
                self.words(words.into_owned());
            }
        } else if let Some(call) = object.object("functionCall") {
            self.parts.push(Part::Tool(Box::new(called(&call))));
        } else if let Some(response) = object.object("functionResponse") {
            self.answers.push(answer(&response));
        } else if let Some(data) = object.object("inlineData") {
            self.parts.push(inline(&data));
        } else if let Some(file) = object.object("fileData") {
            self.parts.push(remote(&file));
        } else if let Some(code) = object.get("executableCode") {
            self.parts.push(Part::Tool(Box::new(ToolCall {
                name: "code_execution".to_owned(),
                input: Some(Input::Json(code.get().to_owned())),
                ..ToolCall::default()
            })));
        } else if let Some(outcome) = object.object("codeExecutionResult") {
            self.outcome(&outcome);
        } else if object.text("type").as_deref() == Some("grounding") {
            self.cite(object.string("source"), None);
        } else if object.has("thoughtSignature") || object.flag("thought") {
            self.reason(String::new());
        } else if object.entries().next().is_some() {
            self.odd(part);
        }
    }

    /// Adds words; an empty part is none.
    fn words(&mut self, words: String) {
        if !words.is_empty() {
            self.parts.push(Part::Text(words));
        }
    }

    fn reason(&mut self, words: String) {
        let hidden = words.trim().is_empty().then_some("hidden");
        self.parts.push(Part::Reasoning(Reasoning {
            text: words,
            hidden,
            ms: None,
        }));
    }

    /// Adds a page that is cited, once.
    pub(crate) fn cite(&mut self, url: String, title: Option<String>) {
        let known = self.sources.iter_mut().find(|source| source.url == url);
        match known {
            Some(known) => known.title = known.title.take().or(title),
            None if url.is_empty() => {}
            None => self.sources.push(SourceLink { url, title }),
        }
    }

    /// The outcome of code that the model ran on the vendor's server belongs to the code before.
    fn outcome(&mut self, outcome: &Object<'_>) {
        let result = ToolResult {
            text: outcome.string("output"),
            is_error: outcome
                .text("outcome")
                .is_some_and(|outcome| outcome != "OUTCOME_OK"),
            ..ToolResult::default()
        };
        match self.parts.last_mut() {
            Some(Part::Tool(call)) if call.result.is_none() => call.result = Some(result),
            _ => self.parts.push(Part::Tool(Box::new(ToolCall {
                name: "code_execution".to_owned(),
                result: Some(result),
                ..ToolCall::default()
            }))),
        }
    }

    fn odd(&mut self, part: Json<'_>) {
        let notice = Notice::new(NoticeKind::Unknown, "A part of a kind that is not known");
        let notice = notice.with_body(Body::Data(part.get().to_owned()));
        self.parts.push(Part::Notice(notice));
    }

    /// What stands beside a function response belongs to it: the pictures and words of a result
    /// are parts of their own.
    fn settle(&mut self) {
        let Some(last) = self.answers.last_mut() else {
            return;
        };
        let result = &mut last.result;
        for part in self.parts.extract_if(.., |part| {
            matches!(part, Part::Text(_) | Part::Image(_) | Part::File(_))
        }) {
            match part {
                Part::Text(words) => results::add_line(&mut result.text, &words),
                Part::Image(image) => result.images.push(image),
                Part::File(file) => {
                    let kind = file.media_type.as_deref().unwrap_or("a file");
                    let line = format!("[{}: {kind}, not shown]", file.name);
                    results::add_line(&mut result.text, &line);
                }
                _ => {}
            }
        }
    }
}

/// A call out of a `functionCall`.
fn called(call: &Object<'_>) -> ToolCall {
    ToolCall {
        id: call.string("id"),
        name: call.string("name"),
        input: Some(input(call)),
        ..ToolCall::default()
    }
}

/// What a call was given; nothing is an empty object.
pub(crate) fn input(call: &Object<'_>) -> Input {
    match call.get("args") {
        None => Input::Json("{}".to_owned()),
        Some(_) => crate::formats::pairs::input(call, "args"),
    }
}

fn answer(response: &Object<'_>) -> Answer {
    let mut result = results::of(response.get("response"));
    // Newer models take pictures inside the response.
    for part in Content::read(response.get("parts")).parts {
        match part {
            Part::Image(image) => result.images.push(image),
            Part::Text(words) => results::add_line(&mut result.text, &words),
            _ => {}
        }
    }
    Answer {
        id: response.string("id"),
        name: response.string("name"),
        result,
    }
}

/// A picture or file whose bytes stand in the part.
pub(super) fn inline(data: &Object<'_>) -> Part {
    let media_type = data
        .words("mimeType")
        .or_else(|| data.words("mime_type"))
        .unwrap_or_default();
    let name = data.words("displayName");
    if media_type.contains("svg") {
        // An SVG is a document with scripts, not a picture.
        let why = "an SVG, which is not shown".to_owned();
        return Part::Image(Image {
            data: ImageData::Missing(why),
            alt: name,
        });
    }
    if media_type.starts_with("image/") || media_type.is_empty() {
        return Part::Image(Image {
            data: match data.words("data") {
                Some(data) => ImageData::Base64 { media_type, data },
                None => ImageData::Missing("not in the transcript".to_owned()),
            },
            alt: name,
        });
    }
    Part::File(Attachment {
        name: name.unwrap_or_else(|| "document".to_owned()),
        media_type: Some(media_type),
        text: None,
        note: Some("not shown".to_owned()),
    })
}

/// A file that the vendor keeps.
fn remote(file: &Object<'_>) -> Part {
    let uri = file.string("fileUri");
    let name = file
        .words("displayName")
        .unwrap_or_else(|| uri.rsplit('/').next().unwrap_or_default().to_owned());
    Part::File(Attachment {
        name,
        media_type: file.words("mimeType"),
        text: None,
        note: Some(uri),
    })
}
