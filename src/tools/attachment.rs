//! Files that were handed over with a message: their name, and their text folded.

use askama::Template;

use crate::highlight;
use crate::html::{Html, Text};
use crate::model::Attachment;

use super::Drawing;
use super::boxes::{self, Tone};

#[derive(Template)]
#[template(path = "attachment.html")]
struct AttachmentTemplate<'a> {
    name: Text<'a>,
    media_type: Option<Text<'a>>,
    note: Option<Text<'a>>,
    text: Option<Html>,
}

/// Draws a file.
pub(crate) fn attachment(file: &Attachment, drawing: &Drawing<'_>) -> Html {
    let name = if file.name.trim().is_empty() {
        "A file without a name"
    } else {
        &file.name
    };
    Html::render(&AttachmentTemplate {
        name: Text(name),
        media_type: file.media_type.as_deref().map(Text),
        note: file.note.as_deref().map(Text),
        text: file
            .text
            .as_deref()
            .map(|text| match highlight::numbered_lines(text) {
                Some(_) => boxes::code_of(Some(name), text, drawing),
                None => boxes::output(text, Tone::Output, drawing),
            }),
    })
}
