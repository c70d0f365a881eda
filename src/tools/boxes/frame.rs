//! The box itself: the first six lines, a fold, the last six; and, for a text that is too long for
//! its page, the link to the whole of it.

use std::borrow::Cow;

use askama::Template;

use crate::addresses::SideFile;
use crate::figures::{count, counted, size};
use crate::html::{Class, Html, Runs, SafeUrl};
use crate::tools::Drawing;

/// Lines that a box shows before and after its fold. A text of up to twice as many has no fold.
pub(super) const EDGE: usize = 6;
/// Characters of a line in a box whose text is in a side file.
const CUT_LINE: usize = 2_000;
/// The same where these would still be too much, as of a line of controls.
const SHORT_LINE: usize = 200;
/// How much larger than a text its markup may be: what is made of marks and colours alone grows
/// more than tenfold.
const GROWTH: usize = 4;

/// How a box is tinted and how it treats long lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tone {
    /// Code: long lines scroll sideways.
    Code,
    /// Changed lines: as code, each tinted by what happened to it.
    Changes,
    /// A command: wrapped.
    Command,
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

/// A box of a text that is drawn line by line by `paint`.
pub(in crate::tools) fn text_box(
    label: &str,
    text: &str,
    tone: Tone,
    drawing: &Drawing<'_>,
    paint: &dyn Fn(&str) -> Vec<Html>,
) -> Html {
    let recorded = text.strip_suffix('\n').unwrap_or(text);
    // Both systems' line ends are one thing to a reader.
    let text = if recorded.contains('\r') {
        let text = recorded.strip_suffix('\r').unwrap_or(recorded);
        Cow::Owned(text.replace("\r\n", "\n"))
    } else {
        Cow::Borrowed(recorded)
    };
    if text.len() <= drawing.limits.text {
        let lines = paint(&text);
        if fits(&lines, drawing) {
            return line_box(label, lines, tone);
        }
    }
    // Too long for the page: its edges stay, painted apart, and the whole goes beside the page.
    let lines: Vec<&str> = text.split('\n').collect();
    let (head, tail) = if lines.len() > 2 * EDGE {
        (&lines[..EDGE], &lines[lines.len() - EDGE..])
    } else {
        (&lines[..], &lines[..0])
    };
    let hidden = (lines.len() - head.len() - tail.len()) as u64;
    let edge = |lines: &[&str], most: usize| -> Vec<Html> {
        let cut: Vec<String> = lines.iter().map(|line| cut_line(line, most)).collect();
        if cut.is_empty() {
            Vec::new()
        } else {
            paint(&cut.join("\n"))
        }
    };
    let mut edges = [edge(head, CUT_LINE), edge(tail, CUT_LINE)];
    if edges.iter().map(|lines| drawn(lines)).sum::<usize>() > drawing.limits.text {
        edges = [edge(head, SHORT_LINE), edge(tail, SHORT_LINE)];
    }
    let [head, tail] = edges;
    let whole = Whole {
        url: drawing.put_beside(SideFile::output(recorded)),
        words: format!(
            "All {} ({})",
            counted(lines.len() as u64, "line", "lines"),
            size(recorded.len() as u64)
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
        scrolls: tone.is_code(),
        origin: tone.is_output(),
        head: begun(head, tone),
        middle: Vec::new(),
        more: String::new(),
        less: String::new(),
        tail,
        whole: Some(whole),
    })
}

/// A box of finished lines: all of them up to twelve, else the first six, a fold and the last
/// six.
pub(in crate::tools) fn line_box(label: &str, mut lines: Vec<Html>, tone: Tone) -> Html {
    let total = lines.len();
    lines = begun(lines, tone);
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
        scrolls: tone.is_code(),
        origin: tone.is_output(),
        head: lines,
        middle,
        more: counted(hidden, "more line", "more lines"),
        less: format!("hide {}", counted(hidden, "line", "lines")),
        tail,
        whole: None,
    })
}

/// Whether finished lines are not too much for their page.
pub(super) fn fits(lines: &[Html], drawing: &Drawing<'_>) -> bool {
    drawn(lines) <= GROWTH * drawing.limits.text
}

/// Bytes of finished lines.
fn drawn(lines: &[Html]) -> usize {
    lines.iter().map(|line| line.as_str().len()).sum()
}

/// Lines with what stands before the first one: a command's prompt, which cannot be selected.
fn begun(mut lines: Vec<Html>, tone: Tone) -> Vec<Html> {
    if tone == Tone::Command
        && let Some(line) = lines.first_mut()
    {
        let mut runs = Runs::default();
        runs.classed(Class::Prompt, "$ ");
        runs.html(line);
        *line = runs.finish();
    }
    lines
}

impl Tone {
    fn class(self) -> &'static str {
        match self {
            Tone::Code => "code",
            Tone::Changes => "code diff",
            Tone::Command => "out cmd",
            Tone::Output | Tone::Words => "out",
            Tone::Failure => "out failure",
        }
    }

    fn direction(self) -> &'static str {
        match self {
            Tone::Words => "auto",
            _ => "ltr",
        }
    }

    fn is_code(self) -> bool {
        matches!(self, Tone::Code | Tone::Changes)
    }

    fn is_output(self) -> bool {
        matches!(self, Tone::Output | Tone::Failure | Tone::Words)
    }
}

pub(super) fn named(label: &str, lines: usize) -> String {
    format!("{label}, {}", counted(lines as u64, "line", "lines"))
}

/// A line of a text that stands whole in a side file.
fn cut_line(line: &str, most: usize) -> String {
    match line.char_indices().nth(most) {
        Some((at, _)) => format!(
            "{} … {} more characters",
            &line[..at],
            count(line[at..].chars().count() as u64)
        ),
        None => line.to_owned(),
    }
}

/// Lines of text without any paint.
pub(in crate::tools) fn plain_lines(text: &str) -> Vec<Html> {
    text.split('\n')
        .map(|line| {
            let mut runs = Runs::with_capacity(line.len());
            runs.text(line);
            runs.finish()
        })
        .collect()
}
