//! How a view that a user made draws a card.

use std::borrow::Cow;

use askama::Template;
use regex::Regex;
use serde_json::Value;
use toml::Spanned;

use crate::html::{Html, Text};
use crate::model::ToolStatus;
use crate::settings::pattern_error;
use crate::tools::blocks::Blocks;
use crate::tools::{
    Act, Badge, BadgeTone, Body, Drawing, Glimpse, Label, ToolView, boxes, default, outcome,
};

use super::entry::{BadgeAs, Entry, GlimpseAs, ResultEntry, WordOr, Wrong};
use super::field::{Field, filled, in_words};
use super::parts::{Output, Part};

/// How many characters of a label a row has room for.
const LABEL: usize = 60;

/// Draws a tool as an entry says.
#[derive(Clone, Debug)]
pub(super) struct OwnView {
    label: String,
    activity: Option<String>,
    glimpse: Vec<Field>,
    glimpse_as: GlimpseAs,
    badges: Vec<OwnBadge>,
    fact: Fact,
    /// The parts of the input; `None` for all of it as it is.
    parts: Option<Vec<Part>>,
    output: Output,
}

#[derive(Clone, Debug)]
struct OwnBadge {
    field: Field,
    text: Option<String>,
    tone: BadgeTone,
}

/// What a row says of the result.
#[derive(Clone, Debug)]
enum Fact {
    /// What the default view says.
    Any,
    Lines,
    FirstLine,
    None,
    /// A field of a result that is JSON; the number of a list's elements.
    Field(Field, Option<String>),
    /// The first group of a pattern, or all that fits it.
    Pattern(Regex, Option<String>),
}

impl OwnView {
    /// The view that an entry describes.
    pub(super) fn of(entry: Entry) -> Result<Self, Wrong> {
        let label = words(&entry.label, "a label")?;
        let activity = entry.activity.as_ref();
        let activity = activity.map(|words| self::words(words, "an activity"));
        let parts = entry.body.map(|parts| {
            let parts = parts.into_iter();
            parts
                .map(|part| Part::of(part.span(), part.into_inner()))
                .collect::<Result<_, _>>()
        });
        Ok(Self {
            label,
            activity: activity.transpose()?,
            glimpse: fields(&entry.glimpse.0)?,
            glimpse_as: entry.glimpse_as,
            badges: entry
                .badges
                .into_iter()
                .map(OwnBadge::of)
                .collect::<Result<_, _>>()?,
            fact: entry.result.map_or(Ok(Fact::Any), Fact::of)?,
            parts: parts.transpose()?,
            output: entry.output.map_or(Ok(Output::default()), Output::of)?,
        })
    }
}

#[derive(Template)]
#[template(path = "tools/own.html")]
struct OwnTemplate<'a> {
    parts: Vec<PartHtml<'a>>,
    rest: Html,
    is_error: bool,
    output: Html,
}

struct PartHtml<'a> {
    label: Option<Text<'a>>,
    html: Html,
}

impl ToolView for OwnView {
    fn name(&self) -> &'static str {
        "own"
    }

    // They are not known when the program is made: see `OwnViews::view_of`.
    fn names(&self) -> &'static [&'static str] {
        &[]
    }

    fn label(&self, _: &Act<'_>) -> Label {
        Label::words(&self.label)
    }

    fn activity(&self, act: &Act<'_>) -> String {
        let unsaid = || format!("Running {}", act.tool());
        self.activity.clone().unwrap_or_else(unsaid)
    }

    fn glimpse(&self, act: &Act<'_>) -> Glimpse {
        if self.glimpse.is_empty() {
            return Glimpse::Code(default::input_glimpse(&act.args));
        }
        let words = self.glimpse.iter();
        let words: Vec<_> = words
            .filter_map(|field| in_words(field.of(&act.args.map)?))
            .collect();
        let text = words.join(" ");
        match self.glimpse_as {
            GlimpseAs::Code => Glimpse::Code(text),
            GlimpseAs::Words => Glimpse::Words(text),
            GlimpseAs::Quote => Glimpse::Quote(text),
            GlimpseAs::Path => Glimpse::Path(act.short_path(&text), String::new()),
        }
    }

    fn badges(&self, act: &Act<'_>) -> Vec<Badge> {
        self.badges
            .iter()
            .filter_map(|badge| badge.of_call(act))
            .collect()
    }

    fn outcome(&self, act: &Act<'_>) -> Option<String> {
        let payload = payload(act);
        let named = |fact: String| outcome::named_by(act, fact, &payload);
        Some(match &self.fact {
            Fact::Any => default::outcome_of(act),
            Fact::Lines => named(outcome::line_fact(&payload)),
            Fact::FirstLine => named(first_line(&payload)),
            // A failure is told whatever the entry says.
            Fact::None if act.status == ToolStatus::Error => named(String::new()),
            Fact::None => return None,
            Fact::Field(field, words) => {
                let json = serde_json::from_str::<Value>(&payload).ok();
                let found = json.as_ref().and_then(|json| field.of_value(json));
                let found = found.and_then(|value| match value {
                    Value::Array(items) => Some(items.len().to_string()),
                    value => in_words(value),
                });
                let unfound = || outcome::single_fact(&payload);
                named(found.map_or_else(unfound, |found| filled(words.as_deref(), &found)))
            }
            Fact::Pattern(pattern, words) => {
                let plain = crate::ansi::plain(&payload);
                let found = pattern.captures(&plain);
                let found = found.and_then(|found| found.get(1).or_else(|| found.get(0)));
                let unfound = || outcome::single_fact(&payload);
                let filled = |found: regex::Match<'_>| filled(words.as_deref(), found.as_str());
                named(found.map_or_else(unfound, filled))
            }
        })
    }

    fn hides_glimpse(&self) -> bool {
        self.parts.is_none()
    }

    fn body(&self, act: &Act<'_>, drawing: &Drawing<'_>) -> Option<Body> {
        let Some(parts) = &self.parts else {
            let output = self.output.draw(act, drawing);
            return Some(output.into_body(|html| {
                Html::render(&OwnTemplate {
                    parts: Vec::new(),
                    rest: boxes::rest(&act.args, &[], drawing),
                    is_error: act.status == ToolStatus::Error,
                    output: html,
                })
            }));
        };
        let mut drawn: Vec<&str> = Vec::new();
        let mut shown = Vec::new();
        for part in parts {
            if let Some(html) = part.draw(&act.args.map, drawing) {
                drawn.extend(part.fields());
                shown.push(PartHtml {
                    label: part.label().map(Text),
                    html,
                });
            }
        }
        // A field inside an argument leaves the rest of the argument to be shown.
        let rest = act.args.map.iter();
        let rest = rest
            .filter(|(name, _)| !drawn.contains(&name.as_str()))
            .map(|(name, value)| (name.as_str(), value));
        let mut rest = boxes::fields(rest, drawing);
        if let Some(free) = &act.args.free {
            rest.push(&boxes::data(free, drawing));
        }
        let output = self.output.draw(act, drawing);
        Some(output.into_body(|html| {
            Html::render(&OwnTemplate {
                parts: shown,
                rest,
                is_error: act.status == ToolStatus::Error,
                output: html,
            })
        }))
    }
}

impl OwnBadge {
    fn of(entry: WordOr<super::entry::BadgeEntry>) -> Result<Self, Wrong> {
        Ok(match entry {
            WordOr::Word(field) => Self {
                field: self::field(&field)?,
                text: None,
                tone: BadgeTone::Plain,
            },
            WordOr::Table(_, entry) => Self {
                field: self::field(&entry.field)?,
                text: entry.text,
                tone: match entry.tone {
                    BadgeAs::Plain => BadgeTone::Plain,
                    BadgeAs::Added => BadgeTone::Added,
                    BadgeAs::Removed => BadgeTone::Removed,
                    BadgeAs::Warn => BadgeTone::Warn,
                },
            },
        })
    }

    /// The badge of a call; none for a field that is missing or false.
    fn of_call(&self, act: &Act<'_>) -> Option<Badge> {
        let name = self.field.name();
        let text = match (self.field.of(&act.args.map)?, &self.text) {
            (Value::Bool(false), _) => return None,
            (Value::Bool(true), None) => name.to_owned(),
            (value, Some(text)) => filled(Some(text), &in_words(value)?),
            (value, None) => format!("{name}={}", in_words(value)?),
        };
        Some(Badge {
            text: crate::figures::one_line(&text, LABEL),
            tone: self.tone,
        })
    }
}

impl Fact {
    fn of(entry: WordOr<ResultEntry>) -> Result<Self, Wrong> {
        let (span, entry) = match entry {
            WordOr::Table(span, entry) => (span, entry),
            WordOr::Word(word) => {
                return Ok(match word.get_ref().as_str() {
                    "lines" => Fact::Lines,
                    "first-line" => Fact::FirstLine,
                    "none" => Fact::None,
                    _ => {
                        let what = "a result is \"lines\", \"first-line\", \"none\", \
                                    { field = … } or { pattern = … }";
                        return Err((Some(word.span()), what.to_owned()));
                    }
                });
            }
        };
        match (entry.field, entry.pattern) {
            (Some(field), None) => Ok(Fact::Field(self::field(&field)?, entry.text)),
            (None, Some(pattern)) => {
                let compiled = Regex::new(pattern.get_ref())
                    .map_err(|error| (Some(pattern.span()), pattern_error(&error)))?;
                Ok(Fact::Pattern(compiled, entry.text))
            }
            _ => {
                let what = "a result has either a field or a pattern";
                Err((Some(span), what.to_owned()))
            }
        }
    }
}

/// The first line that has words, as it is read on a terminal.
fn first_line(text: &str) -> String {
    let plain = crate::ansi::plain(text);
    let first = plain.lines().map(str::trim).find(|line| !line.is_empty());
    first.unwrap_or("no output").to_owned()
}

/// The result's text out of the envelope that MCP servers put it in.
pub(super) fn payload<'a>(act: &Act<'a>) -> Cow<'a, str> {
    match Blocks::of(act.output.text) {
        Some(blocks) => Cow::Owned(blocks.text()),
        None => Cow::Borrowed(act.output.text),
    }
}

/// Words for a row; `what` is what they are.
fn words(given: &Spanned<String>, what: &str) -> Result<String, Wrong> {
    let words = given.get_ref().trim();
    if words.is_empty() || words.chars().count() > LABEL || words.contains(char::is_control) {
        let what = format!("{what} is one line of 1 to {LABEL} characters");
        return Err((Some(given.span()), what));
    }
    Ok(words.to_owned())
}

/// The way to a value, as an entry gives it.
pub(super) fn field(text: &Spanned<String>) -> Result<Field, Wrong> {
    let wrong = || {
        (
            Some(text.span()),
            "a part of this field's name is empty".to_owned(),
        )
    };
    Field::new(text.get_ref()).ok_or_else(wrong)
}

fn fields(texts: &[Spanned<String>]) -> Result<Vec<Field>, Wrong> {
    texts.iter().map(field).collect()
}
