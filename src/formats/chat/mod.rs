//! What readers of chat programs have in common: exports of many conversations, messages that
//! name the one they follow, and what records hold that is not drawn.

mod directives;
pub(crate) mod links;
mod made;
mod order;
mod tags;

use std::collections::BTreeMap;

use crate::error::{Problem, Severity};
use crate::model::{Body, Image, ImageData, Notice, NoticeKind, Part, SourceLink, Timestamp};
use crate::source::{self, At, Source};

use super::problems::Problems;
use super::records::{self, Json, Object};
use super::{Shape, times};

pub(crate) use directives::{Stretch, attribute, directives, unfenced};
pub(crate) use made::{document, search};
pub(crate) use order::{Message, Place, arranged, in_order};
pub(crate) use tags::{Block, blocks, unescaped};

/// What records hold that is not on the page, and what was odd in them.
#[derive(Debug, Default)]
pub(crate) struct Losses {
    /// What is not drawn, by kind.
    pub(crate) unshown: BTreeMap<String, u64>,
    /// Moments that could not be read.
    pub(crate) odd_times: u64,
}

impl Losses {
    /// Counts something that is not drawn.
    pub(crate) fn skip(&mut self, kind: impl Into<String>) {
        *self.unshown.entry(kind.into()).or_default() += 1;
    }

    /// The moment under a key. One that cannot be read is counted and is none.
    pub(crate) fn time(&mut self, object: &Object<'_>, key: &str) -> Option<Timestamp> {
        let read = times::read(object.get(key)?);
        self.odd_times += u64::from(read.is_err());
        read.ok().flatten()
    }

    /// Says what was odd.
    pub(crate) fn report(&self, problems: &mut Problems) {
        if self.odd_times > 0 {
            let what = format!("unreadable timestamps: {}", self.odd_times);
            problems.warn(None, what);
        }
    }
}

/// The elements of the array that a source's main file is, or of the array under a key of the
/// object that it is: each a conversation. None when the file is no such array.
///
/// # Errors
/// When the file cannot be read.
pub(crate) fn parts_of_array(
    source: &Source,
    key: Option<&str>,
) -> Result<Vec<source::Part>, Problem> {
    let found = records::elements(&source.main, key).map_err(|error| {
        let what = format!("cannot be read: {error}");
        Problem::new(Severity::Warning, source.main.path.as_str(), what)
    })?;
    let ranges = found.map(|found| found.ranges).unwrap_or_default();
    let part = |range: std::ops::Range<u64>| source::Part {
        size: range.end - range.start,
        at: At::Bytes(range),
    };
    Ok(ranges.into_iter().map(part).collect())
}

/// The lines of a source's main file: each a conversation. A line that cannot be read belongs to
/// the one before it, whose reader will say so. None when there is only one.
///
/// # Errors
/// When the file cannot be read.
pub(crate) fn parts_of_lines(source: &Source) -> Result<Vec<source::Part>, Problem> {
    let mut ranges: Vec<std::ops::Range<u64>> = Vec::new();
    let size = source.main.size;
    records::each_line_in(
        &source.main,
        0..size,
        &mut |span, line| match (line, ranges.last_mut()) {
            (Err(_), Some(last)) => last.end = span.end,
            (Err(_), None) => {}
            (Ok(_), _) => ranges.push(span),
        },
    )
    .map_err(|error| {
        let what = format!("cannot be read: {error}");
        Problem::new(Severity::Warning, source.main.path.as_str(), what)
    })?;
    let part = |range: std::ops::Range<u64>| source::Part {
        size: range.end - range.start,
        at: At::Bytes(range),
    };
    Ok(match ranges.len() {
        0 | 1 => Vec::new(),
        _ => ranges.into_iter().map(part).collect(),
    })
}

/// The object that a document is, or the first in the array that it is: an array that could not
/// be told apart gives at least its first conversation.
pub(crate) fn object_of<'a>(json: &'a str, problems: &mut Problems) -> Option<Object<'a>> {
    let value = Json::parse(json).ok()?;
    if let Some(object) = Object::of(value) {
        return Some(object);
    }
    let items = records::items(value);
    if items.len() > 1 {
        let what = format!("{} further conversations are not read", items.len() - 1);
        problems.warn(None, what);
    }
    items.first().and_then(|first| Object::of(*first))
}

/// The record itself and, where it is an array, its elements: where a format may show itself.
pub(crate) fn with_items(record: &Shape) -> impl Iterator<Item = &Shape> {
    std::iter::once(record).chain(record.items())
}

/// A part of a kind that the reader does not know, as data.
pub(crate) fn unknown(what: impl Into<String>, value: Json<'_>) -> Part {
    let notice = Notice::new(NoticeKind::Unknown, what);
    Part::Notice(notice.with_body(Body::Data(value.get().to_owned())))
}

/// Adds a cited page, once; a later title fills in a missing one.
pub(crate) fn cite(sources: &mut Vec<SourceLink>, url: &str, title: Option<String>) {
    if url.trim().is_empty() {
        return;
    }
    match sources.iter_mut().find(|source| source.url == url) {
        Some(known) => known.title = known.title.take().or(title),
        None => sources.push(SourceLink {
            url: url.to_owned(),
            title,
        }),
    }
}

/// A picture by its address: the bytes of a `data:` address, else only its name.
pub(crate) fn image_at(url: &str, alt: Option<String>) -> Image {
    let inline = url.strip_prefix("data:").and_then(|rest| {
        let (head, data) = rest.split_once(',')?;
        let media_type = head.strip_suffix(";base64")?;
        Some(ImageData::Base64 {
            media_type: media_type.to_owned(),
            data: data.to_owned(),
        })
    });
    let data = inline.unwrap_or_else(|| match url.starts_with("http") {
        true => ImageData::Remote(url.to_owned()),
        false => ImageData::Missing(url.chars().take(200).collect()),
    });
    Image { data, alt }
}

/// Milliseconds from one moment to a later one.
pub(crate) fn between(start: Timestamp, end: Timestamp) -> Option<u64> {
    u64::try_from(end.as_millisecond() - start.as_millisecond()).ok()
}
