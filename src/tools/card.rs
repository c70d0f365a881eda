//! The card: one line that says what was called and what came back, and the body folded under
//! it. Everything that all cards have in common.

use askama::Template;

use crate::addresses::SideFile;
use crate::figures::{duration, lines as lines_of, one_line, size};
use crate::html::{Html, Plain, SafeUrl, Text};
use crate::markdown;
use crate::model::{Anchor, Reasoning, TextFile, ToolResult, ToolStatus};

use super::boxes::{self, Tone};
use super::notice::notice;
use super::pictures::pictures;
use super::{Act, Badge, BadgeTone, Body, Drawing, Glimpse, Label, ToolView, default};

/// How many characters a glimpse keeps; the style sheet cuts the rest to the line.
pub(super) const GLIMPSE: usize = 160;
/// How many times the limit of a text a view's own body may have.
const BODY: usize = 12;
/// How many characters of a name and of a fact a row keeps.
const NAME: usize = 80;

#[derive(Template)]
#[template(path = "card.html")]
struct CardTemplate<'a> {
    state: &'static str,
    view: &'static str,
    state_word: &'static str,
    glyph: &'static str,
    aria: Plain<'a>,
    is_lone: bool,
    is_tool: bool,
    label: Text<'a>,
    label_is_code: bool,
    tool: Option<Text<'a>>,
    glimpse: GlimpseHtml<'a>,
    hides_glimpse: bool,
    badges: Vec<BadgeHtml<'a>>,
    flag: Option<&'static str>,
    failure: Option<&'static str>,
    fact: Option<Text<'a>>,
    took: Option<String>,
    anchor: Option<Anchor>,
    body: Html,
    more: &'a More,
}

/// What follows the body in every card.
#[derive(Default)]
struct More {
    full_output: Option<FullOutput>,
    raw: Option<Html>,
    pictures: Html,
    results: Vec<Html>,
    notices: Vec<Html>,
    child: Option<Html>,
}

struct FullOutput {
    url: Option<SafeUrl>,
    words: String,
}

enum GlimpseHtml<'a> {
    None,
    Code(Text<'a>),
    Words(Text<'a>),
    Quote(Text<'a>),
    Path(Text<'a>, Text<'a>),
    Pattern(Text<'a>, Text<'a>),
}

struct BadgeHtml<'a> {
    class: &'static str,
    text: Text<'a>,
}

/// Draws a call as one card. `child` is the subagent's conversation, drawn already; a lone card
/// stands outside a group of steps.
pub(crate) fn card(
    act: &Act<'_>,
    drawing: &Drawing<'_>,
    child: Option<Html>,
    is_lone: bool,
) -> Html {
    let view = act.view;
    // Errors and outputs that are only summaries have no shape that a view could count on.
    let own = if act.call.input.is_none() {
        // Only the default body says that the call is not in the transcript.
        None
    } else if has_plain_result(act) {
        view.body(act, drawing)
    } else {
        view_body_of_failure(view, act, drawing)
    };
    // The default body is bounded whatever a call holds: a path of a megabyte, a million questions.
    let own = own.filter(|body| body.html.as_str().len() <= BODY * drawing.limits.text);
    let is_default = own.is_none() || view.hides_glimpse();
    let body = own.unwrap_or_else(|| default::body(act, drawing));
    let more = more(act, &body, drawing, child);
    let label = view.label(act);
    let tool = one_line(act.tool(), NAME);
    let glimpse = match view.glimpse(act) {
        glimpse if glimpse.is_empty() => {
            let title = act.call.title.as_deref();
            title.map_or(glimpse, |title| Glimpse::Words(one_line(title, GLIMPSE)))
        }
        glimpse => glimpse,
    };
    let glimpse = capped(glimpse);
    let badges = view.badges(act).into_iter().map(|badge| Badge {
        text: one_line(&badge.text, NAME),
        ..badge
    });
    let badges: Vec<Badge> = badges.collect();
    let fact = act
        .result()
        .and_then(|_| view.outcome(act))
        .filter(|_| act.status != ToolStatus::Incomplete);
    let fact = fact.map(|fact| one_line(&fact, NAME));
    let (failure, fact) = split_failure(act.status, fact.as_deref());
    let state = State::of(act.status);
    let aria = format!("Tool call {tool}");
    Html::render(&CardTemplate {
        state: state.name,
        view: view.name(),
        state_word: state.word,
        glyph: state.glyph,
        aria: Plain(&aria),
        is_lone,
        is_tool: true,
        label: Text(&label.text),
        label_is_code: label.code,
        tool: (!label.code).then_some(Text(&tool)),
        glimpse: glimpse.html(),
        hides_glimpse: is_default,
        badges: badges.iter().map(Badge::html).collect(),
        flag: state.flag,
        failure,
        fact: fact.map(Text),
        took: act.call.ms.map(duration),
        anchor: Some(act.call.anchor),
        body: body.html,
        more: &more,
    })
}

/// The badge of a failure, which is the first word of its fact, and the rest of the fact.
fn split_failure(status: ToolStatus, fact: Option<&str>) -> (Option<&'static str>, Option<&str>) {
    for word in ["failed", "denied", "timed out"] {
        if let Some(rest) = fact.and_then(|fact| fact.strip_prefix(word)) {
            return (
                Some(word),
                rest.strip_prefix(" · ").filter(|rest| !rest.is_empty()),
            );
        }
    }
    (Some("failed").filter(|_| status == ToolStatus::Error), fact)
}

/// Whether the result is one that a view may draw its own way.
fn has_plain_result(act: &Act<'_>) -> bool {
    act.result()
        .is_none_or(|result| !result.is_error && !result.cancelled && result.full_output.is_none())
}

/// The body of a call that failed, or whose output lies in a file. Views that show the output as
/// text do so for an error too; those that make something of it fall back by themselves.
fn view_body_of_failure(view: &dyn ToolView, act: &Act<'_>, drawing: &Drawing<'_>) -> Option<Body> {
    view.body(act, drawing).filter(|body| body.shows_result)
}

fn more(act: &Act<'_>, body: &Body, drawing: &Drawing<'_>, child: Option<Html>) -> More {
    let mut more = More {
        child,
        ..More::default()
    };
    for (index, result) in act.call.more_results.iter().enumerate() {
        more.results.push(later_result(result, index + 2, drawing));
    }
    more.notices = act
        .call
        .notices
        .iter()
        .map(|told| notice(told, drawing))
        .collect();
    let Some(result) = act.result() else {
        return more;
    };
    if !body.shows_result && lines_of(&result.text).next().is_some() {
        more.raw = Some(boxes::output(&result.text, Tone::Output, drawing));
    }
    if !body.shows_images {
        more.pictures = pictures(&result.images, drawing);
    }
    more.full_output = result
        .full_output
        .as_ref()
        .map(|file| full_output(file, drawing));
    more
}

/// A result that came under an id that had one already.
fn later_result(result: &ToolResult, number: usize, drawing: &Drawing<'_>) -> Html {
    let tone = if result.is_error {
        Tone::Failure
    } else {
        Tone::Output
    };
    let mut html = boxes::remark(&format!("Result {number} under the same id"));
    html.push(&boxes::output(&result.text, tone, drawing));
    html.push(&pictures(&result.images, drawing));
    html
}

/// The link to an output of which the transcript's text is only a summary.
fn full_output(file: &TextFile, drawing: &Drawing<'_>) -> FullOutput {
    match &file.text {
        Some(text) => FullOutput {
            url: Some(drawing.put_beside(SideFile::output(text))),
            words: format!("Full output ({})", size(text.len() as u64)),
        },
        None => FullOutput {
            url: None,
            words: "Full output not saved".to_owned(),
        },
    }
}

/// Draws a stretch of reasoning as a card of its own.
pub(crate) fn thought(reasoning: &Reasoning, drawing: &Drawing<'_>, is_lone: bool) -> Html {
    let label = thought_label(reasoning.ms);
    let glimpse = one_line(&markdown::first_line(&reasoning.text, GLIMPSE), GLIMPSE);
    let body = match (reasoning.text.trim(), reasoning.hidden) {
        ("", Some(why)) => {
            boxes::remark(&format!("The reasoning is not in the transcript ({why})."))
        }
        ("", None) => boxes::remark("The reasoning is not in the transcript."),
        (text, _) => Html::render(&ThoughtTemplate {
            html: markdown::html(text, &drawing.fresh_id()),
        }),
    };
    let state = State::of(ToolStatus::Done);
    Html::render(&CardTemplate {
        state: state.name,
        view: "thought",
        state_word: state.word,
        glyph: state.glyph,
        aria: Plain("Reasoning"),
        is_lone,
        is_tool: false,
        label: Text(&label),
        label_is_code: false,
        tool: None,
        glimpse: if glimpse.is_empty() {
            GlimpseHtml::None
        } else {
            GlimpseHtml::Words(Text(&glimpse))
        },
        hides_glimpse: false,
        badges: Vec::new(),
        flag: None,
        failure: None,
        fact: None,
        took: None,
        anchor: None,
        body,
        more: &More::default(),
    })
}

#[derive(Template)]
#[template(path = "thought.html")]
struct ThoughtTemplate {
    html: Html,
}

/// `Thought for 12s`, or `Thought` when the time is not known.
pub(crate) fn thought_label(ms: Option<u64>) -> String {
    match ms {
        Some(ms) => format!("Thought for {}", duration(ms)),
        None => "Thought".to_owned(),
    }
}

/// How a status is told: everything that depends on it, in one row. The badge of an error stands
/// in the fact behind the arrow.
struct State {
    name: &'static str,
    word: &'static str,
    glyph: &'static str,
    flag: Option<&'static str>,
}

impl State {
    fn of(status: ToolStatus) -> Self {
        let (name, word, glyph, flag) = match status {
            ToolStatus::Running => ("running", "Running", "", Some("running")),
            ToolStatus::Done => ("done", "Done", "✓", None),
            ToolStatus::Error => ("error", "Failed", "✗", None),
            ToolStatus::Incomplete => ("incomplete", "Incomplete", "◌", Some("incomplete")),
        };
        State {
            name,
            word,
            glyph,
            flag,
        }
    }
}

/// Whether a glimpse of this text is the whole of it.
pub(super) fn fits_glimpse(text: &str) -> bool {
    one_line(text, GLIMPSE) == text
}

fn capped(glimpse: Glimpse) -> Glimpse {
    let cap = |text: String| one_line(&text, GLIMPSE);
    match glimpse {
        Glimpse::None => Glimpse::None,
        Glimpse::Code(text) => Glimpse::Code(cap(text)),
        Glimpse::Words(text) => Glimpse::Words(cap(text)),
        Glimpse::Quote(text) => Glimpse::Quote(cap(text)),
        Glimpse::Path(path, range) => Glimpse::Path(cap(path), cap(range)),
        Glimpse::Pattern(pattern, place) => Glimpse::Pattern(cap(pattern), cap(place)),
    }
}

impl Glimpse {
    fn html(&self) -> GlimpseHtml<'_> {
        match self {
            Glimpse::None => GlimpseHtml::None,
            Glimpse::Code(text)
            | Glimpse::Words(text)
            | Glimpse::Quote(text)
            | Glimpse::Path(text, _)
            | Glimpse::Pattern(text, _)
                if text.is_empty() =>
            {
                GlimpseHtml::None
            }
            Glimpse::Code(text) => GlimpseHtml::Code(Text(text)),
            Glimpse::Words(text) => GlimpseHtml::Words(Text(text)),
            Glimpse::Quote(text) => GlimpseHtml::Quote(Text(text)),
            Glimpse::Path(path, range) => GlimpseHtml::Path(Text(path), Text(range)),
            Glimpse::Pattern(pattern, place) => GlimpseHtml::Pattern(Text(pattern), Text(place)),
        }
    }
}

impl Badge {
    fn html(&self) -> BadgeHtml<'_> {
        let class = match self.tone {
            BadgeTone::Plain => "badge opt",
            BadgeTone::Added => "badge add",
            BadgeTone::Removed => "badge del",
            BadgeTone::Warn => "badge warn",
        };
        BadgeHtml {
            class,
            text: Text(&self.text),
        }
    }
}

/// The label of a tool's own name.
pub(super) fn code_label(name: &str) -> Label {
    Label {
        text: one_line(name, NAME),
        code: true,
    }
}
