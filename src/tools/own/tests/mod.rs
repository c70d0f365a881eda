//! What entries of a settings file make of calls, and what is said of entries that are wrong.

mod cards;
mod mistakes;

use std::path::Path;

use crate::error::Error;
use crate::model::{ReplyStatus, ToolCall};
use crate::settings::Document;
use crate::tools::testing::drawn_by;

use super::OwnViews;

/// The views of a settings file.
fn views(text: &str) -> Result<OwnViews, Error> {
    let document = Document::new(Path::new("foldout.toml"), text)?;
    OwnViews::of(&document)
}

/// A call's card by the only entry of a file, which begins with these names.
fn html(entry: &str, call: &ToolCall) -> String {
    let text = format!("[[tool-view]]\nnames = 'garden_*'\n{entry}");
    let views = views(&text).unwrap_or_else(|error| panic!("{error}"));
    let (html, _) = drawn_by(&views, "x", call, ReplyStatus::Complete);
    html.into_string()
}
