//! User and assistant records: their message, and what stands beside it.

use xxhash_rust::xxh3::Xxh3;

use crate::formats::problems::Problems;
use crate::formats::records::{self, Object};
use crate::model::{Notice, NoticeKind, Part, Usage};

use super::content::{self, Content, Place};
use super::report;
use super::row::{Message, Speech, What};
use super::transcript::Transcript;
use super::wrappers::{self, Piece};

impl Transcript {
    /// Reads a user message.
    pub(super) fn user(
        &mut self,
        object: &Object<'_>,
        message: &Object<'_>,
        line: u64,
        problems: &mut Problems,
    ) -> What {
        let content = self.content(object, message, line, problems);
        if object.flag("isCompactSummary") {
            let words = content.parts.into_iter().filter_map(|part| match part {
                Part::Text(text) => Some(text),
                _ => None,
            });
            return What::Summary(words.collect::<Vec<_>>().join("\n\n"));
        }
        let mut speech = speech(content);
        speech.injected = object.flag("isMeta");
        speech.call = object.string("sourceToolUseID");
        if let Some(value) = object.get("toolUseResult")
            && !speech.outcomes.is_empty()
        {
            let report = report::read(value);
            if let [outcome] = speech.outcomes.as_mut_slice() {
                if outcome.call.is_empty() {
                    outcome.call = report.call.clone().unwrap_or_default();
                }
                outcome.add(report);
            } else {
                speech.report = Some(Box::new(report));
            }
        }
        What::Said(speech)
    }

    /// Reads an assistant message, or a part of one.
    pub(super) fn assistant(
        &mut self,
        object: &Object<'_>,
        message: &Object<'_>,
        line: u64,
        problems: &mut Problems,
    ) -> What {
        let content = self.content(object, message, line, problems);
        let id = message.string("id");
        if let Some(cost) = object.get("costUSD")
            && let Ok(cost) = cost.get().parse::<f64>()
            && cost.is_finite()
        {
            let known = self.costs.entry(id.clone()).or_default();
            *known = if id.is_empty() {
                *known + cost
            } else {
                known.max(cost)
            };
        }
        let model = message.string("model");
        let failed = object.flag("isApiErrorMessage");
        let synthetic = failed || model == "<synthetic>";
        What::Wrote(Message {
            usage: usage(message, line, problems),
            stop: message.string("stop_reason"),
            model: if synthetic { String::new() } else { model },
            id,
            parts: content.parts,
            outcomes: content.outcomes,
            sources: content.sources,
            synthetic,
            failed,
        })
    }

    fn content(
        &mut self,
        object: &Object<'_>,
        message: &Object<'_>,
        line: u64,
        problems: &mut Problems,
    ) -> Content {
        let mut place = Place {
            line,
            problems,
            unknown: &mut self.unknown_blocks,
        };
        let value = object.get("message");
        if message.has("content") {
            if message.has_duplicate_key() {
                place
                    .problems
                    .warn(line, "duplicate key, the last one counts");
            }
            Content::read(message.get("content"), &mut place)
        } else if value.is_some_and(|value| value.get().starts_with('"')) {
            Content::read(value, &mut place)
        } else {
            place.problems.warn(line, "a message without content");
            let notice = match value {
                Some(value) => content::raw("A message that is not as expected", value),
                None => Notice::new(NoticeKind::Unknown, "A message without content"),
            };
            Content {
                parts: vec![Part::Notice(notice)],
                ..Content::default()
            }
        }
    }
}

/// A user message out of its content.
pub(super) fn speech(content: Content) -> Speech {
    let mut speech = Speech {
        outcomes: content.outcomes,
        ..Speech::default()
    };
    let mut hash = Xxh3::new();
    for part in content.parts {
        match part {
            Part::Text(words) => {
                hash.update(words.trim().as_bytes());
                speech.pieces.extend(wrappers::pieces(&words));
            }
            Part::Notice(notice) => speech.pieces.push(Piece::Notice(notice)),
            part => speech.pieces.push(Piece::Part(part)),
        }
    }
    speech.words = hash.digest();
    speech
}

/// The tokens of a message; `None` when it has none, or when a count cannot be.
fn usage(message: &Object<'_>, line: u64, problems: &mut Problems) -> Option<Usage> {
    let usage = message.object("usage")?;
    let mut sound = true;
    let mut read = |key: &str| {
        let Some(value) = usage.get(key) else {
            return 0;
        };
        records::count(value).unwrap_or_else(|| {
            sound = false;
            0
        })
    };
    let tokens = Usage {
        input: read("input_tokens"),
        output: read("output_tokens"),
        cache_read: read("cache_read_input_tokens"),
        cache_write: read("cache_creation_input_tokens"),
        reasoning: 0,
    };
    if !sound {
        problems.warn(line, "number out of range, tokens are not known");
        return None;
    }
    (tokens != Usage::default()).then_some(tokens)
}
