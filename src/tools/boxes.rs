//! The blocks that bodies are made of: boxes of code and output (the first six lines, a fold, the last six), lists of
//! arguments, quiet remarks.

use askama::Template;
use serde_json::Value;

use crate::addresses::SideFile;
use crate::figures::{count, counted, lines as lines_of, size};
use crate::highlight::{self, Language};
use crate::html::{Html, Runs, SafeUrl, Text};
use crate::model::{Image, ToolStatus};
use crate::{ansi, markdown};

use super::args::Args;
use super::{Act, Drawing, json};

/// Lines that a box shows before and after its fold. A text of up to twice as many has no fold.
const EDGE: usize = 6;
/// Characters of a line in a box whose text is in a side file.
const CUT_LINE: usize = 2_000;

/// How a box is tinted and how it treats long lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tone {
    /// Code: long lines scroll sideways.
    Code,
    /// Output: long lines are wrapped.
    Output,
    /// Output of a failure: wrapped and tinted.
    Failure,
    /// What somebody wrote, such as a page that was read: wrapped, and in its own direction.
    Words,
}

#[derive(Template)]
#[template(path = "box.html")]
struct BoxTemplate {
    label: String,
    tone: &'static str,
    direction: &'static str,
    scrolls: bool,
    origin: bool,
    head: Vec<Html>,
    middle: Vec<Html>,
    more: String,
    less: String,
    tail: Vec<Html>,
    whole: Option<Whole>,
}

/// The link to a text that is too long for its page.
struct Whole {
    url: SafeUrl,
    words: String,
    hidden: String,
}

/// A box of code in a language.
pub(super) fn code(text: &str, language: Option<Language>, drawing: &Drawing<'_>) -> Html {
    let paint = |text: &str| highlight::code_lines(text, language);
    text_box("Code", text, Tone::Code, drawing, &paint)
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

/// A box of a text that is drawn line by line by `paint`.
pub(super) fn text_box(
    label: &str,
    text: &str,
    tone: Tone,
    drawing: &Drawing<'_>,
    paint: &dyn Fn(&str) -> Vec<Html>,
) -> Html {
    let text = text.strip_suffix('\n').unwrap_or(text);
    if text.len() <= drawing.limits.text {
        return line_box(label, paint(text), tone);
    }
    // Too long for the page: its edges stay, painted apart, and the whole goes beside the page.
    let lines: Vec<&str> = text.split('\n').collect();
    let (head, tail) = if lines.len() > 2 * EDGE {
        (&lines[..EDGE], &lines[lines.len() - EDGE..])
    } else {
        (&lines[..], &lines[..0])
    };
    let hidden = (lines.len() - head.len() - tail.len()) as u64;
    let edge = |lines: &[&str]| -> Vec<Html> {
        let cut: Vec<String> = lines.iter().map(|line| cut_line(line)).collect();
        if cut.is_empty() {
            Vec::new()
        } else {
            paint(&cut.join("\n"))
        }
    };
    let whole = Whole {
        url: drawing.put_beside(SideFile::output(text)),
        words: format!(
            "All {} ({})",
            counted(lines.len() as u64, "line", "lines"),
            size(text.len() as u64)
        ),
        hidden: if hidden == 0 {
            String::new()
        } else {
            format!("⋯ {}", counted(hidden, "more line", "more lines"))
        },
    };
    Html::render(&BoxTemplate {
        label: named(label, lines.len()),
        tone: tone.class(),
        direction: tone.direction(),
        scrolls: tone == Tone::Code,
        origin: tone != Tone::Code,
        head: edge(head),
        middle: Vec::new(),
        more: String::new(),
        less: String::new(),
        tail: edge(tail),
        whole: Some(whole),
    })
}

/// A box of finished lines: all of them up to twelve, else the first six, a fold and the last
/// six.
pub(super) fn line_box(label: &str, mut lines: Vec<Html>, tone: Tone) -> Html {
    let total = lines.len();
    let (middle, tail) = if total > 2 * EDGE {
        let tail = lines.split_off(total - EDGE);
        (lines.split_off(EDGE), tail)
    } else {
        (Vec::new(), Vec::new())
    };
    let hidden = middle.len() as u64;
    Html::render(&BoxTemplate {
        label: named(label, total),
        tone: tone.class(),
        direction: tone.direction(),
        scrolls: tone == Tone::Code,
        origin: tone != Tone::Code,
        head: lines,
        middle,
        more: counted(hidden, "more line", "more lines"),
        less: format!("hide {}", counted(hidden, "line", "lines")),
        tail,
        whole: None,
    })
}

impl Tone {
    fn class(self) -> &'static str {
        match self {
            Tone::Code => "code",
            Tone::Output | Tone::Words => "out",
            Tone::Failure => "out failure",
        }
    }

    fn direction(self) -> &'static str {
        match self {
            Tone::Words => "auto",
            Tone::Code | Tone::Output | Tone::Failure => "ltr",
        }
    }
}

fn named(label: &str, lines: usize) -> String {
    format!("{label}, {}", counted(lines as u64, "line", "lines"))
}

/// A line of a text that stands whole in a side file.
fn cut_line(line: &str) -> String {
    match line.char_indices().nth(CUT_LINE) {
        Some((at, _)) => format!(
            "{} … {} more characters",
            &line[..at],
            count(line[at..].chars().count() as u64)
        ),
        None => line.to_owned(),
    }
}

/// A list of arguments: scalars as they are, nested values as indented JSON. Empty when there
/// are none.
pub(super) fn fields<'a>(
    args: impl Iterator<Item = (&'a str, &'a Value)>,
    drawing: &Drawing<'_>,
) -> Html {
    let fields: Vec<Field<'_>> = args
        .map(|(name, value)| Field::of(name, value, drawing))
        .collect();
    if fields.is_empty() {
        Html::default()
    } else {
        Html::render(&FieldsTemplate { fields })
    }
}

/// The arguments that a view does not draw itself, with input that is no object at all.
pub(super) fn rest(args: &Args, drawn: &[&[&str]], drawing: &Drawing<'_>) -> Html {
    let mut html = fields(args.rest(drawn), drawing);
    if let Some(free) = &args.free {
        html.push(&data(free, drawing));
    }
    html
}

#[derive(Template)]
#[template(path = "fields.html")]
struct FieldsTemplate<'a> {
    fields: Vec<Field<'a>>,
}

struct Field<'a> {
    name: Text<'a>,
    inline: Option<String>,
    block: Html,
}

impl<'a> Field<'a> {
    fn of(name: &'a str, value: &Value, drawing: &Drawing<'_>) -> Self {
        let (inline, block) = match value {
            Value::String(text) if text.contains('\n') || text.len() > 300 => (
                None,
                text_box(name_of(name), text, Tone::Output, drawing, &plain_lines),
            ),
            Value::String(text) => (Some(text.clone()), Html::default()),
            Value::Array(_) | Value::Object(_) => (None, data(&value.to_string(), drawing)),
            scalar => (Some(scalar.to_string()), Html::default()),
        };
        Field {
            name: Text(name),
            inline,
            block,
        }
    }

    fn words(&self) -> Option<Text<'_>> {
        self.inline.as_deref().map(Text)
    }
}

/// An argument's name is foreign text, and a box's label must not be.
fn name_of(name: &str) -> &str {
    if name.len() <= 40 && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
        name
    } else {
        "Argument"
    }
}

/// Lines of text without any paint.
pub(super) fn plain_lines(text: &str) -> Vec<Html> {
    text.split('\n')
        .map(|line| {
            let mut runs = Runs::with_capacity(line.len());
            runs.text(line);
            runs.finish()
        })
        .collect()
}

/// A box of data: indented when it is JSON, else as it is.
pub(super) fn data(text: &str, drawing: &Drawing<'_>) -> Html {
    match json::pretty(text) {
        Some(pretty) => code(&pretty, Language::from_name("json"), drawing),
        None => text_box("Text", text, Tone::Output, drawing, &ansi::lines),
    }
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

/// Markdown of an agent or a plan; a long one is clamped with a fold.
pub(super) fn prose(text: &str, drawing: &Drawing<'_>) -> Html {
    Html::render(&ProseTemplate {
        html: markdown::html(text, &drawing.fresh_id()),
        is_long: text.len() > 1_500 || text.lines().count() > 24,
    })
}

/// What a card says in place of a result, by status: `running` while it runs, and a word for a
/// call that will never have one. Empty when there is a result.
pub(super) fn no_result(act: &Act<'_>, running: &str) -> Html {
    match act.status {
        ToolStatus::Running => remark(running),
        _ if act.result().is_none() => remark("No result was recorded."),
        _ => Html::default(),
    }
}

/// The result as most views show it: the output in a box, tinted when it failed, its trailers
/// behind it; `running` while there is none.
pub(super) fn result(act: &Act<'_>, running: &str, drawing: &Drawing<'_>) -> Html {
    let tone = if act.status == ToolStatus::Error {
        Tone::Failure
    } else {
        Tone::Output
    };
    result_as(act, running, drawing, &|text| output(text, tone, drawing))
}

/// The result with its text drawn by `draw`, unless it failed.
pub(super) fn result_as(
    act: &Act<'_>,
    running: &str,
    drawing: &Drawing<'_>,
    draw: &dyn Fn(&str) -> Html,
) -> Html {
    if act.result().is_none() {
        return no_result(act, running);
    }
    let text = act.output.text;
    let mut html = if lines_of(text).next().is_none() {
        remark("No output.")
    } else if act.status == ToolStatus::Error {
        output(text, Tone::Failure, drawing)
    } else {
        draw(text)
    };
    if !act.output.trailer.is_empty() {
        html.push(&remark(act.output.trailer));
    }
    html
}

/// The result with data indented and anything else as it is.
pub(super) fn result_or_data(act: &Act<'_>, drawing: &Drawing<'_>) -> Html {
    result_as(act, "Running…", drawing, &|text| match json::pretty(text) {
        Some(_) => data(text, drawing),
        None => output(text, Tone::Output, drawing),
    })
}

/// The result as Markdown, for tools that answer in prose; data is indented.
pub(super) fn result_as_prose(act: &Act<'_>, drawing: &Drawing<'_>) -> Html {
    result_as(act, "Running…", drawing, &|text| match json::pretty(text) {
        Some(_) => data(text, drawing),
        None => prose(text, drawing),
    })
}

/// A box of words that somebody wrote.
pub(super) fn words(label: &str, text: &str, drawing: &Drawing<'_>) -> Html {
    text_box(label, text, Tone::Words, drawing, &plain_lines)
}

#[derive(Template)]
#[template(path = "as_given.html")]
struct AsGivenTemplate {
    fields: Html,
}

/// One of the named arguments as it was given, folded: for views that draw most of what is in it
/// but not all. Empty when none of the names is there.
pub(super) fn as_given(args: &Args, names: &[&str], drawing: &Drawing<'_>) -> Html {
    let given = names
        .iter()
        .find_map(|name| Some((*name, args.map.get(*name)?)));
    let fields = fields(given.into_iter(), drawing);
    if fields.is_empty() {
        fields
    } else {
        Html::render(&AsGivenTemplate { fields })
    }
}

/// How many pictures a result has, as a fact: `1 image`.
pub(super) fn image_fact(images: &[Image]) -> Option<String> {
    (!images.is_empty()).then(|| counted(images.len() as u64, "image", "images"))
}
