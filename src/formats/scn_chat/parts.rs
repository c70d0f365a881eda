//! The parts of a message, in the order in which the model produced them.

use std::collections::{BTreeMap, VecDeque};

use super::blobs::{Blob, Blobs};
use crate::formats::pairs::{Pairs, input};
use crate::formats::records::{Json, Object, text};
use crate::formats::times;
use crate::model::{
    Attachment, Image, Part, Reasoning, SourceLink, Timestamp, ToolCall, ToolResult,
};

/// What the parts of one message are.
#[derive(Debug, Default)]
pub(super) struct Parts {
    pub(super) parts: Vec<Part>,
    /// Pages that are cited; they are drawn after all else.
    pub(super) sources: Vec<SourceLink>,
}

/// What records hold that is not on the page.
#[derive(Debug, Default)]
pub(super) struct Losses {
    /// What is not drawn, by kind.
    pub(super) unshown: BTreeMap<String, u64>,
    /// Moments that could not be read and were not reported yet.
    pub(super) odd_times: usize,
}

/// Reads the parts of one message. Parts of kinds that are not known are skipped and counted.
pub(super) fn parts(values: &[Json<'_>], blobs: &mut Blobs<'_>, losses: &mut Losses) -> Parts {
    let parts: Vec<Object<'_>> = values
        .iter()
        .map(|part| Object::of(*part).unwrap_or_default())
        .collect();
    let mut calls = Calls::of(&parts, blobs);
    let mut read = Parts::default();
    for part in &parts {
        losses.odd_times += odd_times(part);
        match kind(part).as_deref() {
            Some("textPart") => {
                let text = part.string("text");
                read.parts
                    .extend((!text.is_empty()).then_some(Part::Text(text)));
            }
            Some("reasoningPart") => read.parts.push(Part::Reasoning(Reasoning {
                text: part.string("text"),
                hidden: None,
                ms: Span::of(part).ms(),
            })),
            Some("imagePart") => read.parts.push(Part::Image(Image {
                data: blobs.image(&Blob::of(&part.object("image").unwrap_or_default())),
                alt: part.words("alt"),
            })),
            Some("filePart") => read.parts.push(Part::File(attachment(part, blobs))),
            Some("sourcePart") => {
                let source = SourceLink {
                    url: part.string("url"),
                    title: part.words("title"),
                };
                if !read.sources.contains(&source) {
                    read.sources.push(source);
                }
            }
            Some("toolCallPart") => read.parts.extend(calls.card(part)),
            Some("toolResultPart") => read.parts.extend(calls.orphan(part)),
            other => {
                let kind = other.unwrap_or("unknown part");
                *losses.unshown.entry(kind.to_owned()).or_default() += 1;
            }
        }
    }
    read
}

/// What a record or part is: its type's fragment, or the last word of a type without one.
pub(super) fn kind(fields: &Object<'_>) -> Option<String> {
    let full = fields.words("$type")?;
    full.rsplit(['#', '.']).next().map(str::to_owned)
}

/// The moment under a key.
pub(super) fn time(fields: &Object<'_>, key: &str) -> Option<Timestamp> {
    times::read(fields.get(key)?).ok()?
}

/// How many moments of a record or part are there and cannot be read.
pub(super) fn odd_times(fields: &Object<'_>) -> usize {
    let keys = ["createdAt", "startedAt", "endedAt"].into_iter();
    let values = keys.filter_map(|key| fields.get(key));
    values.filter(|value| times::read(*value).is_err()).count()
}

/// When a part was worked on. No lexicon has these fields yet; they are read where they stand.
#[derive(Clone, Copy, Debug, Default)]
struct Span {
    start: Option<Timestamp>,
    end: Option<Timestamp>,
    duration: Option<u64>,
}

impl Span {
    fn of(part: &Object<'_>) -> Self {
        Span {
            start: time(part, "startedAt"),
            end: time(part, "endedAt"),
            duration: part.count("durationMs"),
        }
    }

    /// How long it took, in milliseconds.
    fn ms(self) -> Option<u64> {
        self.duration.or_else(|| between(self.start?, self.end?))
    }
}

/// Milliseconds from one moment to a later one.
pub(super) fn between(start: Timestamp, end: Timestamp) -> Option<u64> {
    u64::try_from(end.as_millisecond() - start.as_millisecond()).ok()
}

/// The calls of one message. Ids are paired within the message: a record holds a call and its
/// result together, and providers that count their calls begin anew in each.
struct Calls {
    pairs: Pairs,
    /// The results that have no id, in order.
    nameless: VecDeque<ToolResult>,
    /// How long the first result of each id says that its call took, and when it stood.
    spans: BTreeMap<String, Span>,
}

impl Calls {
    fn of(parts: &[Object<'_>], blobs: &mut Blobs<'_>) -> Self {
        let mut calls = Calls {
            pairs: Pairs::default(),
            nameless: VecDeque::new(),
            spans: BTreeMap::new(),
        };
        for part in parts {
            let id = part.string("callId");
            match kind(part).as_deref() {
                Some("toolCallPart") => {
                    let name = part.string("tool");
                    calls.pairs.add_call(&id, &name, &input(part, "input"));
                }
                Some("toolResultPart") => {
                    let own = calls.pairs.add_result(&id, result(part, blobs));
                    calls.nameless.extend(own);
                    calls.spans.entry(id).or_insert(Span::of(part));
                }
                _ => {}
            }
        }
        calls
    }

    /// The card of a call.
    fn card(&mut self, part: &Object<'_>) -> Option<Part> {
        let id = part.string("callId");
        let of_result = match id.as_str() {
            "" => Span::default(),
            id => self.spans.get(id).copied().unwrap_or_default(),
        };
        let name = part.string("tool");
        let card = self.pairs.card(id, name, input(part, "input"))?;
        let of_call = Span::of(part);
        let until_result = of_call
            .start
            .zip(of_result.start)
            .and_then(|(start, end)| between(start, end));
        Some(Part::Tool(Box::new(ToolCall {
            start: of_call.start,
            ms: of_result
                .duration
                .or(until_result)
                .or(of_result.ms())
                .or(of_call.ms()),
            ..card
        })))
    }

    /// The card of a result, if its call is not in the message.
    fn orphan(&mut self, part: &Object<'_>) -> Option<Part> {
        let id = part.string("callId");
        let own = match id.as_str() {
            "" => self.nameless.pop_front(),
            _ => None,
        };
        let card = self.pairs.orphan(id, String::new(), own)?;
        let ms = Span::of(part).ms();
        Some(Part::Tool(Box::new(ToolCall { ms, ..card })))
    }
}

/// What a tool gave back. JSON in it stays text: the views read it.
fn result(part: &Object<'_>, blobs: &mut Blobs<'_>) -> ToolResult {
    let words = |value| {
        text(value)
            .unwrap_or_else(|| value.get().into())
            .into_owned()
    };
    ToolResult {
        text: part.get("output").map(words).unwrap_or_default(),
        is_error: part.flag("isError"),
        time: time(part, "endedAt").or_else(|| time(part, "startedAt")),
        full_output: part
            .object("outputBlob")
            .map(|blob| blobs.text(&Blob::of(&blob))),
        ..ToolResult::default()
    }
}

/// A file, with the text that was taken from it.
fn attachment(part: &Object<'_>, blobs: &mut Blobs<'_>) -> Attachment {
    let blob = Blob::of(&part.object("file").unwrap_or_default());
    let extracted = part.object("extracted");
    let is_text = |media_type: &String| media_type.starts_with("text/");
    let text = match &extracted {
        Some(extracted) => {
            let text = Blob::of(&extracted.object("text").unwrap_or_default());
            blobs.text(&text).text
        }
        None if blob.media_type.as_ref().is_some_and(is_text) => blobs.text(&blob).text,
        None => None,
    };
    let by_ocr = extracted.and_then(|e| e.text("method")).as_deref() == Some("ocr");
    let note = match &text {
        Some(_) if by_ocr => Some("text read by OCR"),
        Some(_) => None,
        None => Some("not saved"),
    };
    Attachment {
        name: part.words("name").unwrap_or(blob.cid),
        media_type: blob.media_type,
        text,
        note: note.map(str::to_owned),
    }
}
