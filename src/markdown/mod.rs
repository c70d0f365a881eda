//! Markdown and typed text, made into HTML.
//!
//! What an assistant wrote is Markdown ([`html`]): CommonMark with tables, strikethrough, task
//! lists, footnotes and bare web addresses. Raw HTML and entities stay visible as they were
//! written, and so does math. What a person typed ([`prompt`]) is shown as typed: only fences,
//! tables, code in backticks, links and stresses between double stars are drawn.
//!
//! Nothing that was written is dropped: definitions of link references, surplus table cells, the
//! numbers of list items and what a fence says beside its language are shown as well.

mod first_line;
mod inline;
mod math;
mod pieces;
mod prompt;
mod protect;
#[cfg(test)]
mod tests;

use crate::highlight::{self, Language};
use crate::html::{Html, from_events};

pub(crate) use self::first_line::first_line;
use self::pieces::Pieces;
use self::protect::protect;

/// Draws a Markdown text.
///
/// `scope` begins the ids of footnotes: an anchor of foldout's own, such as `m-1a2b3c4d`, that no
/// other text on the page is given.
pub(crate) fn html(text: &str, scope: &str) -> Html {
    let protected = protect(text);
    from_events(Pieces::new(&protected), scope)
}

/// Draws what a person typed or pasted: line ends, indentation and marks stay as they are.
pub(crate) fn prompt(text: &str) -> Html {
    // No footnote is drawn in a prompt, so no id is made and the scope is not used.
    from_events(prompt::pieces(text).into_iter(), "")
}

/// Draws the inside of a code block. `info` is what stands behind the fence's backticks.
fn code_block(text: &str, info: &str) -> Html {
    highlight::code(
        text.strip_suffix('\n').unwrap_or(text),
        Language::from_name(info),
    )
}
