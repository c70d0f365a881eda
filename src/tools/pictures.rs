//! Pictures of prompts and results: saved beside the page, or named where they cannot be shown.

use askama::Template;

use crate::addresses::SideFile;
use crate::figures::size;
use crate::html::{Html, Plain, SafeUrl, Text};
use crate::images;
use crate::model::{Image, ImageData};

use super::{Drawing, boxes};

#[derive(Template)]
#[template(path = "picture.html")]
struct PictureTemplate<'a> {
    url: SafeUrl,
    alt: Plain<'a>,
    width: u32,
    height: u32,
}

#[derive(Template)]
#[template(path = "picture_link.html")]
struct LinkTemplate<'a> {
    url: Option<SafeUrl>,
    address: Text<'a>,
}

/// Draws pictures. Only raster images whose bytes say so are shown; a remote one is never
/// loaded, only named.
pub(crate) fn pictures(images: &[Image], drawing: &Drawing<'_>) -> Html {
    let mut html = Html::default();
    for image in images {
        html.push(&picture(image, drawing));
    }
    html
}

fn picture(image: &Image, drawing: &Drawing<'_>) -> Html {
    let alt = image
        .alt
        .as_deref()
        .filter(|alt| !alt.trim().is_empty())
        .unwrap_or("Image without a description");
    let raster = match &image.data {
        ImageData::Base64 { data, .. } => images::from_base64(data),
        ImageData::Bytes(bytes) => images::from_bytes(bytes),
        ImageData::Remote(address) => {
            return Html::render(&LinkTemplate {
                url: SafeUrl::web(address),
                address: Text(address),
            });
        }
        ImageData::Missing(why) => return boxes::remark(&format!("Image not shown: {why}")),
    };
    let why = match raster {
        Ok(raster) if raster.bytes.len() <= drawing.limits.image => {
            return Html::render(&PictureTemplate {
                url: drawing.put_beside(SideFile::image(raster.extension, raster.bytes)),
                alt: Plain(alt),
                width: raster.width,
                height: raster.height,
            });
        }
        Ok(_) => format!("it is larger than {}", size(drawing.limits.image as u64)),
        Err(why) => why.to_owned(),
    };
    drawing.tell(format!("image not shown: {why}"));
    boxes::remark(&format!("Image not shown: {why}"))
}
