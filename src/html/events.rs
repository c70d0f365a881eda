//! The Markdown writer: pulldown-cmark's events become tags from a closed list.

use pulldown_cmark::Event;

use super::{Html, Runs};

/// What the Markdown writer takes: a parser's event, or a finished block (highlighted code).
#[derive(Debug)]
pub(crate) enum Piece<'a> {
    /// An event of pulldown-cmark. Raw HTML events are written as text.
    Event(Event<'a>),
    /// A finished block.
    Html(Html),
}

/// Writes the pieces as HTML.
pub(crate) fn from_events<'a>(pieces: impl Iterator<Item = Piece<'a>>) -> Html {
    let mut runs = Runs::default();
    for piece in pieces {
        match piece {
            Piece::Event(Event::Text(text)) => runs.text(&text),
            Piece::Event(_) => {}
            Piece::Html(html) => runs.html(&html),
        }
    }
    runs.finish()
}
