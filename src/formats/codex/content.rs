//! Pieces of messages and outputs: text, pictures, what is encrypted.

use crate::formats::records::{Json, Object, items, text};
use crate::model::{Image, ImageData};

/// A piece of a message.
#[derive(Debug)]
pub(super) enum Block {
    /// Words.
    Text(String),
    /// A picture.
    Image(Image),
    /// Words that only the vendor can read.
    Encrypted,
}

/// Whether an object is a piece of a message or an output.
pub(super) fn is_block(object: &Object<'_>) -> bool {
    let kind = object.text("type").unwrap_or_default();
    let is_text = matches!(
        kind.as_ref(),
        "input_text" | "output_text" | "text" | "inputText"
    );
    is_text && object.get("text").is_some()
        || matches!(kind.as_ref(), "input_image" | "inputImage" | "image")
}

/// The pieces of a message's content: a list, or a string.
pub(super) fn blocks(value: Option<Json<'_>>) -> Vec<Block> {
    let Some(value) = value else {
        return Vec::new();
    };
    if let Some(words) = text(value) {
        return vec![Block::Text(words.into_owned())];
    }
    let read = |item: Json<'_>| {
        if let Some(words) = text(item) {
            return Block::Text(words.into_owned());
        }
        let object = Object::of(item).unwrap_or_default();
        if let Some(image) = image(&object) {
            return Block::Image(image);
        }
        if object.has("encrypted_content") {
            return Block::Encrypted;
        }
        let words = object.text("text").or_else(|| object.text("refusal"));
        Block::Text(words.map_or_else(|| item.get().to_owned(), Into::into))
    };
    items(value).into_iter().map(read).collect()
}

/// The picture that a piece is.
pub(super) fn image(object: &Object<'_>) -> Option<Image> {
    let kind = object.text("type")?;
    let data = match kind.as_ref() {
        "input_image" | "inputImage" => {
            let url = object.text("image_url").or_else(|| object.text("imageUrl"));
            url.map_or_else(not_here, |url| from_url(&url))
        }
        "image" => {
            let source = object.object("source").unwrap_or_default();
            let data = object.text("data").or_else(|| source.text("data"));
            let kinds = [object.text("mimeType"), source.text("media_type")];
            match data {
                Some(data) => base64(
                    kinds
                        .into_iter()
                        .flatten()
                        .next()
                        .map_or_else(String::new, Into::into),
                    &data,
                ),
                None => not_here(),
            }
        }
        _ => return None,
    };
    let alt = object.words("name");
    Some(Image { data, alt })
}

fn not_here() -> ImageData {
    ImageData::Missing("not in the transcript".to_owned())
}

/// The picture under an address: in the address itself, or elsewhere.
pub(super) fn from_url(url: &str) -> ImageData {
    let Some(rest) = url.strip_prefix("data:") else {
        return if url.starts_with("http://") || url.starts_with("https://") {
            ImageData::Remote(url.to_owned())
        } else {
            ImageData::Missing(url.to_owned())
        };
    };
    match rest.split_once(";base64,") {
        Some((media_type, data)) => base64(media_type.to_owned(), data),
        None => not_here(),
    }
}

/// A picture in base64.
pub(super) fn base64(media_type: String, data: &str) -> ImageData {
    if media_type.contains("svg") {
        // An SVG is a document with scripts, not a picture.
        return ImageData::Missing("an SVG, which is not shown".to_owned());
    }
    ImageData::Base64 {
        media_type,
        data: data.to_owned(),
    }
}
