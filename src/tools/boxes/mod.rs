//! The blocks that bodies are made of: boxes of code and output, paths, lists of arguments, quiet
//! remarks, and what stands in place of a result.

mod arguments;
mod frame;
mod results;
mod table;
mod tree;

use askama::Template;

use crate::figures::counted;
use crate::highlight::{self, Language};
use crate::html::{Html, Text};
use crate::model::Image;
use crate::model::patch::{Hunk, LineKind};
use crate::{ansi, diff, markdown};

use super::{Body, Drawing, json};

pub(super) use arguments::{as_given, fields, rest};
pub(crate) use frame::Tone;
pub(super) use frame::{line_box, plain_lines, text_box};
pub(super) use results::{
    no_result, result, result_as, result_as_data, result_as_prose, result_if_any, result_or_data,
};
pub(super) use table::{records, table};

/// Something made from a result.
pub(super) struct Drawn {
    /// What was made.
    pub(super) html: Html,
    /// Whether all of the result's text stands in it.
    pub(super) is_whole: bool,
}

impl Drawn {
    /// The body that has it as its output.
    pub(super) fn into_body(self, body: impl FnOnce(Html) -> Html) -> Body {
        Body {
            html: body(self.html),
            shows_result: self.is_whole,
            shows_images: false,
        }
    }
}

/// A box of code in a language.
pub(super) fn code(text: &str, language: Option<Language>, drawing: &Drawing<'_>) -> Html {
    let paint = |text: &str| highlight::code_lines(text, language);
    text_box("Code", text, Tone::Code, drawing, &paint)
}

/// A box of code out of this file; line numbers that the text carries stand faint before it.
pub(super) fn code_of(path: Option<&str>, text: &str, drawing: &Drawing<'_>) -> Html {
    code_from(path, text, None, drawing)
}

/// The same of code that begins with this line of the file, when that is known.
pub(super) fn code_from(
    path: Option<&str>,
    text: &str,
    first: Option<u64>,
    drawing: &Drawing<'_>,
) -> Html {
    let language = path
        .and_then(Language::from_path)
        .or_else(|| Language::from_shebang(text));
    let paint = |text: &str| {
        highlight::numbered_code_lines(text, language, first)
            .unwrap_or_else(|| highlight::code_lines(text, language))
    };
    text_box("Code", text, Tone::Code, drawing, &paint)
}

/// A box of a command, behind a `$` that cannot be selected.
pub(super) fn command(text: &str, drawing: &Drawing<'_>) -> Html {
    let paint = |text: &str| highlight::code_lines(text, Language::from_name("bash"));
    text_box("Command", text, Tone::Command, drawing, &paint)
}

/// A box of the changed lines of this file.
pub(super) fn changes(path: Option<&str>, hunks: &[Hunk], drawing: &Drawing<'_>) -> Html {
    let lines = || hunks.iter().flat_map(|hunk| &hunk.lines);
    let bytes: usize = lines().map(|line| line.text.len() + 2).sum();
    if bytes <= drawing.limits.text {
        let language = path.and_then(Language::from_path);
        let lines = diff::draw(hunks, &|text| highlight::spans(text, language));
        if frame::fits(&lines, drawing) {
            return line_box("Changes", lines, Tone::Changes);
        }
    }
    let mut text = String::with_capacity(bytes);
    for line in lines() {
        text.push(match line.kind {
            LineKind::Kept => ' ',
            LineKind::Added => '+',
            LineKind::Removed => '-',
            LineKind::NoNewline => '\\',
        });
        text.push_str(&line.text);
        text.push('\n');
    }
    let paint = |text: &str| highlight::code_lines(text, Language::from_name("diff"));
    text_box("Changes", &text, Tone::Changes, drawing, &paint)
}

/// A box of a tool's output, with its terminal colours.
pub(super) fn output(text: &str, tone: Tone, drawing: &Drawing<'_>) -> Html {
    let label = if tone == Tone::Failure {
        "Error output"
    } else {
        "Output"
    };
    text_box(label, text, tone, drawing, &ansi::lines)
}

/// A box of words that somebody wrote.
pub(super) fn words(label: &str, text: &str, drawing: &Drawing<'_>) -> Html {
    text_box(label, text, Tone::Words, drawing, &plain_lines)
}

/// A box of data: indented when it is JSON, else as it is.
pub(super) fn data(text: &str, drawing: &Drawing<'_>) -> Html {
    match json::pretty(text) {
        Some(pretty) if pretty.len() <= drawing.limits.text => tree::tree("JSON", &pretty, drawing)
            .unwrap_or_else(|| code(&pretty, Language::from_name("json"), drawing)),
        Some(pretty) => code(&pretty, Language::from_name("json"), drawing),
        None => text_box("Text", text, Tone::Output, drawing, &ansi::lines),
    }
}

#[derive(Template)]
#[template(path = "path.html")]
struct PathTemplate<'a> {
    path: Text<'a>,
}

/// The line that names a file, as recorded.
pub(super) fn path(path: &str) -> Html {
    Html::render(&PathTemplate { path: Text(path) })
}

/// Items, and bytes of all, that a list has before it is folded as a text is.
const ITEMS: usize = 24;
const ITEMS_TEXT: usize = 4 << 10;

#[derive(Template)]
#[template(path = "items.html")]
struct ItemsTemplate<'a> {
    items: Vec<Text<'a>>,
}

/// A list of words.
pub(super) fn list(items: &[String], drawing: &Drawing<'_>) -> Html {
    if items.len() > ITEMS || items.iter().map(String::len).sum::<usize>() > ITEMS_TEXT {
        return text_box(
            "List",
            &items.join("\n"),
            Tone::Output,
            drawing,
            &plain_lines,
        );
    }
    Html::render(&ItemsTemplate {
        items: items.iter().map(|item| Text(item)).collect(),
    })
}

#[derive(Template)]
#[template(path = "remark.html")]
struct RemarkTemplate<'a> {
    words: Text<'a>,
}

/// A quiet line, such as `Searching…`.
pub(super) fn remark(words: &str) -> Html {
    Html::render(&RemarkTemplate { words: Text(words) })
}

#[derive(Template)]
#[template(path = "prose.html")]
struct ProseTemplate {
    html: Html,
    is_long: bool,
}

/// Markdown of an agent or a plan; a long one is clamped with a fold, and one that is too long for
/// its page is a box of words.
pub(super) fn prose(text: &str, drawing: &Drawing<'_>) -> Html {
    if text.len() > drawing.limits.text {
        return words("Text", text, drawing);
    }
    Html::render(&ProseTemplate {
        html: markdown::html(text, &drawing.fresh_id()),
        is_long: text.len() > 1_500 || text.lines().count() > 24,
    })
}

/// How many pictures a result has, as a fact: `1 image`.
pub(super) fn image_fact(images: &[Image]) -> Option<String> {
    (!images.is_empty()).then(|| counted(images.len() as u64, "image", "images"))
}
