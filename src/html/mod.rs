//! HTML that is safe to send: the only room where text becomes markup.
//!
//! [`Html`] has three constructors and no more: a rendered template
//! ([`Html::render`]), the Markdown writer ([`from_events`]) and runs of classed
//! text ([`Runs`]). Foreign text reaches a template only as [`Text`] (element
//! content) or [`Plain`] (attributes, titles), which escape it and make
//! invisible characters visible; links only as [`SafeUrl`].

mod events;
mod invisible;
mod mask;
#[cfg(test)]
pub(crate) mod proof;
mod runs;
mod text;
mod url;

use std::fmt;

use askama::filters::HtmlSafe;
use askama::{FastWritable, NO_VALUES, Values};

pub(crate) use events::{Kept, Piece, from_events};
pub(crate) use invisible::is_combining;
pub use invisible::is_hidden;
pub(crate) use runs::{Class, Runs};
pub use text::{Plain, Text};
pub use url::SafeUrl;

/// A piece of finished HTML. The field is private: no other room can make one from a string.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Html(String);

impl Html {
    /// Renders a template, whose escaping is on by its `.html` name.
    pub(crate) fn render(template: &impl askama::Template) -> Self {
        let mut page = String::with_capacity(askama_size_hint(template));
        template
            .render_into_with_values(&mut page, NO_VALUES)
            .expect("writing to a String cannot fail, and no template returns an error");
        Self(page)
    }

    /// Appends another finished piece.
    pub(crate) fn push(&mut self, other: &Html) {
        self.0.push_str(&other.0);
    }

    /// The markup.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether there is no markup at all.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Bytes of markup.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The markup, given away.
    pub fn into_string(self) -> String {
        self.0
    }
}

/// What askama expects a template to weigh, so that one allocation mostly does.
fn askama_size_hint<T: askama::Template>(_: &T) -> usize {
    T::SIZE_HINT
}

impl fmt::Display for Html {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FastWritable for Html {
    fn write_into(&self, dest: &mut dyn fmt::Write, _: &dyn Values) -> askama::Result<()> {
        dest.write_str(&self.0)?;
        Ok(())
    }
}

impl HtmlSafe for Html {}
