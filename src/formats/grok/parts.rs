//! What stands beside the words of a message: searches with what they found, steps, files.

use std::io;

use crate::figures::size;
use crate::formats::chat;
use crate::formats::records::{Json, Object, text};
use crate::model::{Attachment, Image, ImageData, Part, Reasoning, SearchHit};
use crate::source::{File, Source};

/// Texts up to this size are shown with the message that they came with, in bytes.
const TEXT: u64 = 256 << 10;

/// A page that was found.
pub(super) fn hit(value: Json<'_>) -> SearchHit {
    let page = Object::of(value).unwrap_or_default();
    SearchHit {
        title: page.string("title"),
        url: page.string("url"),
        snippet: page.words("preview").or_else(|| page.words("snippet")),
    }
}

/// The search that an answer was made from: its pages are kept, its words are not always.
pub(super) fn search(response: &Object<'_>) -> Option<Part> {
    let hits: Vec<SearchHit> = response
        .items("web_search_results")
        .into_iter()
        .map(hit)
        .collect();
    if hits.is_empty() {
        return None;
    }
    Some(found("web_search", response.words("query"), hits))
}

/// A search with what it found.
fn found(tool: &str, query: Option<String>, hits: Vec<SearchHit>) -> Part {
    let input = query.map(|query| serde_json::json!({ "query": query }).to_string());
    let input = input.unwrap_or_else(|| "{}".to_owned());
    Part::Tool(Box::new(chat::search(tool, input, hits)))
}

/// The posts that an answer was made from.
pub(super) fn posts(response: &Object<'_>) -> Option<Part> {
    let posts = response.items("xposts").into_iter().filter_map(Object::of);
    let hits: Vec<SearchHit> = posts
        .map(|post| {
            let name = post.string("username");
            let id = post.words("postId").or_else(|| post.words("id"));
            SearchHit {
                title: format!("@{name}"),
                url: id.map_or_else(String::new, |id| {
                    format!("https://x.com/{name}/status/{id}")
                }),
                snippet: post.words("text"),
            }
        })
        .collect();
    (!hits.is_empty()).then(|| found("x_search", None, hits))
}

/// What was thought and found step by step, unless the thoughts as a whole say so already.
pub(super) fn steps(response: &Object<'_>, thought: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    for step in response.items("steps").into_iter().filter_map(Object::of) {
        let words = step.words("text").into_iter();
        let words = words.chain(
            step.items("text")
                .into_iter()
                .filter_map(|one| Some(text(one)?.into_owned())),
        );
        let words: Vec<String> = words
            .filter(|words| !thought.contains(words.trim()))
            .collect();
        if !words.is_empty() {
            parts.push(Part::Reasoning(Reasoning {
                text: words.join("\n\n"),
                ..Reasoning::default()
            }));
        }
        parts.extend(search(&step));
    }
    parts
}

/// The files of a message: out of the export where they lie in it, else by their names.
pub(super) fn files(response: &Object<'_>, source: &Source) -> Vec<Part> {
    let both = ["image_attachments", "file_attachments"].map(|key| response.items(key));
    let files = both.into_iter().flatten().map(|file| {
        let object = Object::of(file).unwrap_or_default();
        let first = |keys: &[&str]| keys.iter().find_map(|key| object.words(key));
        let own = || text(file).map(|name| name.into_owned());
        let id = first(&["fileMetadataId", "file_metadata_id", "asset_id", "id"]).or_else(own);
        let name = first(&["file_name", "fileName", "name", "url"]).or_else(|| id.clone());
        let name = name.unwrap_or_else(|| "A file".to_owned());
        let id = id.filter(|id| !id.is_empty() && !id.contains('/'));
        let kept = id.and_then(|id| source.side_file(&format!("{id}/content")));
        match kept.map(|file| kept_file(&name, file)) {
            Some(Ok(part)) => part,
            Some(Err(error)) => named(name, format!("cannot be read: {error}")),
            None => named(name, "not in the export".to_owned()),
        }
    });
    files.collect()
}

fn named(name: String, note: String) -> Part {
    Part::File(Attachment {
        name,
        note: Some(note),
        ..Attachment::default()
    })
}

/// A file whose bytes are there. What it is its first bytes tell: it has no name of its own.
fn kept_file(name: &str, file: &File) -> io::Result<Part> {
    let bytes = file.read()?;
    const PICTURES: [&[u8]; 4] = [b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"RIFF"];
    if PICTURES.iter().any(|start| bytes.starts_with(start)) {
        return Ok(Part::Image(Image {
            data: ImageData::Bytes(bytes),
            alt: Some(name.to_owned()),
        }));
    }
    let is_short = file.size <= TEXT;
    match String::from_utf8(bytes).ok().filter(|_| is_short) {
        Some(text) => Ok(Part::File(Attachment {
            name: name.to_owned(),
            text: Some(text),
            note: Some(size(file.size)),
            ..Attachment::default()
        })),
        None => Ok(named(
            name.to_owned(),
            format!("{} · in the export", size(file.size)),
        )),
    }
}
