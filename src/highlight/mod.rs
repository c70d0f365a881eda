//! Colours for code: a small lexer in one pass over bytes, with languages as data.
//!
//! [`code`] gives one piece of HTML, [`code_lines`] one piece a line, for code that is shown in
//! parts; [`spans`] gives the tokens alone, for drawings that lay something of their own over
//! them. The text always comes through whole: what the lexer does not know stays plain. What a
//! language looks like is a row of the table in [`language`](Language) and, mostly, a constant
//! in one of the files of `grammars`.

mod css;
mod grammar;
mod grammars;
mod gutter;
mod heredoc;
mod language;
mod lexer;
mod line_starts;
#[cfg(test)]
mod looks;
mod markup;
mod paint;
mod prose;
mod shell;
#[cfg(test)]
mod tests;

use std::ops::Range;

pub(crate) use gutter::{lines_from, numbered_lines};
pub(crate) use language::Language;

use paint::Painter;

use crate::html::{Class, Html, Runs};
use crate::model::marker::as_words;

/// The code with its colours; without a language, as plain text.
pub(crate) fn code(text: &str, language: Option<Language>) -> Html {
    let words = as_words(text);
    painted(Painter::whole(text, &words), language).into_html()
}

/// The code with its colours, one piece a line: one more than there are line feeds, so that a
/// caller takes off a last line feed first. A string or comment over several lines has its colour
/// on each of them.
pub(crate) fn code_lines(text: &str, language: Option<Language>) -> Vec<Html> {
    let words = as_words(text);
    painted(Painter::by_line(text, &words), language).into_lines()
}

/// The tokens of the code as byte ranges, in their order, none over another. They may reach over
/// line ends.
pub(crate) fn spans(text: &str, language: Option<Language>) -> Vec<(Range<usize>, Class)> {
    let words = as_words(text);
    painted(Painter::spans(text, &words), language).into_spans()
}

/// [`code_lines`] for code that carries its line numbers, which are drawn as [`Class::Gutter`]
/// and do not disturb the colours. `None` when it carries none: see [`numbered_lines`]. `first`
/// is the line of the file with which the text begins, when that is known.
pub(crate) fn numbered_code_lines(
    text: &str,
    language: Option<Language>,
    first: Option<u64>,
) -> Option<Vec<Html>> {
    let lines = match first {
        Some(first) => lines_from(text, first)?,
        None => numbered_lines(text)?,
    };
    let bare: Vec<&str> = lines.iter().map(|(_, code)| *code).collect();
    let bare = code_lines(&bare.join("\n"), language);
    let numbered = lines.iter().zip(bare);
    Some(
        numbered
            .map(|((gutter, _), code)| {
                let mut runs = Runs::with_capacity(code.len() + 48);
                if !gutter.is_empty() {
                    runs.classed(Class::Gutter, gutter);
                }
                runs.html(&code);
                runs.finish()
            })
            .collect(),
    )
}

fn painted(mut painter: Painter<'_>, language: Option<Language>) -> Painter<'_> {
    if let Some(language) = language {
        language.lex(0..painter.words().len(), &mut painter);
    }
    painter
}
