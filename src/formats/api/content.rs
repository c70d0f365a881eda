//! What messages of all APIs hold: words, pictures, files, and the tools that are offered.

use base64::Engine;
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};

use crate::figures::one_line;
use crate::formats::chat::image_at;
use crate::formats::records::{Json, Object};
use crate::model::{Attachment, Image, ImageData, Part};

/// How much of what a tool is for is shown, in characters.
const PURPOSE: usize = 200;

/// Words as a part; `None` for nothing.
pub(crate) fn said(words: impl Into<String>) -> Option<Part> {
    let words = words.into();
    (!is_blank(&words)).then_some(Part::Text(words))
}

/// Whether there is nothing to be seen in a text.
pub(crate) fn is_blank(words: &str) -> bool {
    words.trim().is_empty()
}

/// A text whose first words are what the model thought, between the marks that models without a
/// place for it write: the thought, and what was said.
pub(crate) fn without_thought(words: &str) -> (Option<&str>, &str) {
    let inner = words.trim_start().strip_prefix("<think>");
    match inner.and_then(|inner| inner.split_once("</think>")) {
        Some((thought, said)) => (
            Some(thought.trim()).filter(|thought| !thought.is_empty()),
            said.trim_start(),
        ),
        None => (None, words),
    }
}

/// The text that base64 stands for; `None` when it is none.
pub(crate) fn decoded(data: &str) -> Option<String> {
    let config =
        GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);
    let engine = GeneralPurpose::new(&base64::alphabet::STANDARD, config);
    let data: String = data.split_ascii_whitespace().collect();
    String::from_utf8(engine.decode(data).ok()?).ok()
}

/// A picture by its address.
pub(crate) fn image_of(url: &str, alt: Option<String>) -> Part {
    Part::Image(image_at(url, alt))
}

/// What stands in a message as base64: a picture, a text, or a file whose name is all that can be
/// shown of it.
pub(crate) fn data_part(media_type: &str, data: String, name: Option<String>) -> Part {
    if media_type.contains("svg") {
        // An SVG is a document with scripts, not a picture.
        return Part::Image(Image {
            data: ImageData::Missing("an SVG, which is not shown".to_owned()),
            alt: name,
        });
    }
    if media_type.starts_with("image/") {
        return Part::Image(Image {
            data: ImageData::Base64 {
                media_type: media_type.to_owned(),
                data,
            },
            alt: name,
        });
    }
    let is_text = media_type.starts_with("text/") || media_type.ends_with("json");
    let text = is_text.then(|| decoded(&data)).flatten();
    Part::File(Attachment {
        name: name.unwrap_or_else(|| kind_of(media_type).to_owned()),
        media_type: Some(media_type.to_owned()).filter(|kind| !kind.is_empty()),
        note: text.is_none().then(|| "not shown".to_owned()),
        text,
    })
}

/// What a file is called that has no name.
fn kind_of(media_type: &str) -> &'static str {
    match media_type.split('/').next() {
        Some("audio") => "Audio",
        Some("video") => "Video",
        Some("text") => "Text",
        _ if media_type.ends_with("pdf") => "PDF",
        _ => "File",
    }
}

/// A file by its address or its data; `at` is a `data:` address, another address, or an id.
pub(crate) fn file_part(name: Option<String>, media_type: Option<String>, at: &str) -> Part {
    let inline = at.strip_prefix("data:").and_then(|rest| {
        let (head, data) = rest.split_once(',')?;
        let kind = head.strip_suffix(";base64")?;
        Some((kind.to_owned(), data.to_owned()))
    });
    if let Some((kind, data)) = inline {
        return data_part(&kind, data, name);
    }
    if media_type
        .as_deref()
        .is_some_and(|kind| kind.starts_with("image/"))
    {
        return image_of(at, name);
    }
    let kind = media_type.as_deref().map_or("File", kind_of);
    Part::File(Attachment {
        name: name.unwrap_or_else(|| kind.to_owned()),
        note: Some(match at {
            "" => "not in the log".to_owned(),
            at => one_line(at, PURPOSE),
        }),
        media_type,
        text: None,
    })
}

/// The tools that a request offers, each with what it is for, whichever way a vendor lists them.
pub(crate) fn offered(tools: Vec<Json<'_>>) -> Vec<(String, String)> {
    let mut all = Vec::new();
    for tool in tools.into_iter().filter_map(Object::of) {
        let declared = ["functionDeclarations", "function_declarations"];
        let declared = declared.iter().flat_map(|key| tool.items(key));
        let declared: Vec<Object<'_>> = declared.filter_map(Object::of).collect();
        if !declared.is_empty() {
            all.extend(declared.iter().filter_map(purpose));
            continue;
        }
        let inner = ["function", "custom"]
            .iter()
            .find_map(|key| tool.object(key));
        let named = purpose(inner.as_ref().unwrap_or(&tool));
        // A tool of the vendor's own is named by its kind, or by the key that it stands under.
        let of_vendor = || {
            let mut keys = tool.entries().map(|(key, _)| key.to_owned());
            tool.words("type").or_else(|| keys.next())
        };
        let named = named.or_else(|| Some((of_vendor()?, String::new())));
        all.extend(named);
    }
    all
}

fn purpose(tool: &Object<'_>) -> Option<(String, String)> {
    let name = tool.words("name").or_else(|| {
        let server = tool.words("server_label")?;
        Some(format!("mcp {server}"))
    })?;
    let what = tool.words("description").unwrap_or_default();
    Some((name, one_line(&what, PURPOSE)))
}
