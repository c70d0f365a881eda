//! The pieces of the body of a view that a user made: fields of the input, and the output.

use std::ops::Range;

use serde_json::{Map, Value};
use toml::Spanned;

use crate::diff;
use crate::highlight::Language;
use crate::html::Html;
use crate::model::ToolStatus;
use crate::tools::boxes::{self, Drawn, Tone};
use crate::tools::{Act, Drawing};

use super::entry::{OutputEntry, PartAs, PartEntry, WordOr, Wrong};
use super::field::{Field, in_words};
use super::view::{field, payload};

/// Lines that stayed, around changed ones.
const CONTEXT: usize = 3;

/// A part of the input.
#[derive(Clone, Debug)]
pub(super) struct Part {
    label: Option<String>,
    shape: Shape,
}

#[derive(Clone, Debug)]
enum Shape {
    Prose(Field),
    Code(Field, CodeOf),
    Path(Field),
    List(Field),
    Fields(Field),
    Text(Field),
    Json(Field),
    Table(Field),
    /// What was before and what is after.
    Changes(Field, Field, CodeOf),
    /// A diff that is written out.
    Diff(Field),
}

/// What says which language code is in.
#[derive(Clone, Debug)]
enum CodeOf {
    Nothing,
    Language(Language),
    /// The field with the path of the file.
    Path(Field),
}

impl Part {
    /// The part that an entry describes.
    pub(super) fn of(span: Range<usize>, entry: PartEntry) -> Result<Self, Wrong> {
        let kind = *entry.kind.get_ref();
        let wrong = |what: &str| Err((Some(span.clone()), what.to_owned()));
        let has_language = matches!(kind, PartAs::Code | PartAs::Diff);
        if !has_language && (entry.language.is_some() || entry.path.is_some()) {
            return wrong("only code and a diff have a language or a path");
        }
        if kind != PartAs::Diff && (entry.old.is_some() || entry.new.is_some()) {
            return wrong("only a diff has old and new");
        }
        let code = CodeOf::of(entry.language.as_ref(), entry.path.as_ref())?;
        let named = entry.field.as_ref().map(field).transpose()?;
        let shape = match (kind, named, &entry.old, &entry.new) {
            (PartAs::Diff, Some(named), None, None) => Shape::Diff(named),
            (PartAs::Diff, None, Some(old), Some(new)) => {
                Shape::Changes(field(old)?, field(new)?, code)
            }
            (PartAs::Diff, ..) => return wrong("a diff has either a field, or old and new"),
            (_, None, ..) => return wrong("this part has no field"),
            (PartAs::Prose, Some(named), ..) => Shape::Prose(named),
            (PartAs::Code, Some(named), ..) => Shape::Code(named, code),
            (PartAs::Path, Some(named), ..) => Shape::Path(named),
            (PartAs::List, Some(named), ..) => Shape::List(named),
            (PartAs::Fields, Some(named), ..) => Shape::Fields(named),
            (PartAs::Text, Some(named), ..) => Shape::Text(named),
            (PartAs::Json, Some(named), ..) => Shape::Json(named),
            (PartAs::Table, Some(named), ..) => Shape::Table(named),
        };
        Ok(Self {
            label: entry.label.filter(|label| !label.trim().is_empty()),
            shape,
        })
    }

    /// What stands over it.
    pub(super) fn label(&self) -> Option<&str> {
        self.label.as_deref()
    }

    /// The fields that it draws in full.
    pub(super) fn fields(&self) -> Vec<&str> {
        match &self.shape {
            // What a table or a list makes of a value may leave something out.
            Shape::Table(_) => Vec::new(),
            Shape::Changes(old, new, _) => vec![old.text(), new.text()],
            Shape::Prose(field)
            | Shape::Code(field, _)
            | Shape::Path(field)
            | Shape::List(field)
            | Shape::Fields(field)
            | Shape::Text(field)
            | Shape::Json(field)
            | Shape::Diff(field) => vec![field.text()],
        }
    }

    /// The part of an input; `None` when it is not there or has another shape.
    pub(super) fn draw(&self, map: &Map<String, Value>, drawing: &Drawing<'_>) -> Option<Html> {
        let text = |field: &Field| field.of(map)?.as_str().map(str::to_owned);
        Some(match &self.shape {
            Shape::Prose(field) => boxes::prose(&text(field)?, drawing),
            Shape::Code(field, code) => boxes::code(&text(field)?, code.language(map), drawing),
            Shape::Path(field) => boxes::path(&text(field)?),
            Shape::Text(field) => boxes::words("Text", &text(field)?, drawing),
            Shape::List(field) => {
                let items = field.of(map)?.as_array()?.iter().map(|item| match item {
                    Value::Array(_) | Value::Object(_) => None,
                    Value::Null => Some("null".to_owned()),
                    item => in_words(item).or(Some(String::new())),
                });
                boxes::list(&items.collect::<Option<Vec<_>>>()?, drawing)
            }
            Shape::Fields(field) => match field.of(map)? {
                Value::Object(map) => boxes::fields(
                    map.iter().map(|(name, value)| (name.as_str(), value)),
                    drawing,
                ),
                value => boxes::fields([(field.name(), value)], drawing),
            },
            Shape::Json(field) => boxes::data(&field.of(map)?.to_string(), drawing),
            Shape::Table(field) => boxes::table(field.of(map)?.as_array()?)?.html,
            Shape::Changes(old, new, code) => {
                let hunks = diff::between(&text(old)?, &text(new)?, CONTEXT);
                boxes::changes(code.path(map), &hunks, drawing)
            }
            Shape::Diff(field) => boxes::code(&text(field)?, Language::from_name("diff"), drawing),
        })
    }
}

impl CodeOf {
    fn of(
        language: Option<&Spanned<String>>,
        path: Option<&Spanned<String>>,
    ) -> Result<Self, Wrong> {
        match (language, path) {
            (None, None) => Ok(CodeOf::Nothing),
            (None, Some(path)) => Ok(CodeOf::Path(field(path)?)),
            (Some(language), None) => match Language::from_name(language.get_ref()) {
                Some(known) => Ok(CodeOf::Language(known)),
                None => {
                    let what = format!("there is no language '{}'", language.get_ref());
                    Err((Some(language.span()), what))
                }
            },
            (Some(_), Some(path)) => {
                let what = "code has either a language or a path";
                Err((Some(path.span()), what.to_owned()))
            }
        }
    }

    fn path<'a>(&self, map: &'a Map<String, Value>) -> Option<&'a str> {
        match self {
            CodeOf::Path(field) => field.of(map)?.as_str(),
            _ => None,
        }
    }

    fn language(&self, map: &Map<String, Value>) -> Option<Language> {
        match self {
            CodeOf::Nothing => None,
            CodeOf::Language(language) => Some(*language),
            CodeOf::Path(_) => Language::from_path(self.path(map)?),
        }
    }
}

/// How the output is drawn.
#[derive(Clone, Debug, Default)]
pub(super) struct Output {
    kind: OutputAs,
    /// The part of a result that is JSON; all of it without one.
    field: Option<Field>,
}

#[derive(Clone, Debug, Default)]
enum OutputAs {
    /// As the default view does.
    #[default]
    Any,
    Text,
    Prose,
    Json,
    Table,
    Code(Option<Language>),
}

impl Output {
    pub(super) fn of(entry: WordOr<OutputEntry>) -> Result<Self, Wrong> {
        let (kind, named, language) = match entry {
            WordOr::Word(kind) => (kind, None, None),
            WordOr::Table(_, entry) => (entry.kind, entry.field, entry.language),
        };
        let language = CodeOf::of(language.as_ref(), None)?;
        let kind = match (kind.get_ref().as_str(), language) {
            ("code", CodeOf::Language(language)) => OutputAs::Code(Some(language)),
            (_, CodeOf::Language(_)) => {
                let what = "only code has a language".to_owned();
                return Err((Some(kind.span()), what));
            }
            ("text", _) => OutputAs::Text,
            ("prose", _) => OutputAs::Prose,
            ("json", _) => OutputAs::Json,
            ("table", _) => OutputAs::Table,
            ("code", _) => OutputAs::Code(None),
            _ => {
                let what = "an output is \"text\", \"prose\", \"code\", \"json\" or \"table\"";
                return Err((Some(kind.span()), what.to_owned()));
            }
        };
        Ok(Self {
            kind,
            field: named.as_ref().map(field).transpose()?,
        })
    }

    /// The result as the entry says, else as the default view has it.
    pub(super) fn draw(&self, act: &Act<'_>, drawing: &Drawing<'_>) -> Drawn {
        let result = act.result().filter(|_| act.status == ToolStatus::Done);
        let own = result
            .filter(|result| !result.cancelled && result.full_output.is_none())
            .and_then(|_| self.own(act, drawing));
        own.unwrap_or_else(|| boxes::result_as_data(act, drawing))
    }

    /// `None` when the result has another shape than the entry says.
    fn own(&self, act: &Act<'_>, drawing: &Drawing<'_>) -> Option<Drawn> {
        let payload = payload(act);
        if payload.trim().is_empty() {
            return None;
        }
        // What is out of an envelope, or a part of what came, leaves something to be shown.
        let mut is_whole = payload.len() == act.output.text.len();
        let picked;
        let text = match &self.field {
            None => payload.as_ref(),
            Some(field) => {
                let json = serde_json::from_str::<Value>(&payload).ok()?;
                picked = match field.of_value(&json)? {
                    Value::String(text) => text.clone(),
                    value => value.to_string(),
                };
                is_whole = false;
                picked.as_str()
            }
        };
        let html = match &self.kind {
            OutputAs::Any => {
                let _ = self.field.as_ref()?;
                boxes::data(text, drawing)
            }
            OutputAs::Text => boxes::output(text, Tone::Output, drawing),
            OutputAs::Prose => boxes::prose(text, drawing),
            OutputAs::Json => boxes::data(text, drawing),
            OutputAs::Code(language) => boxes::code(text, *language, drawing),
            OutputAs::Table => {
                let records = serde_json::from_str::<Vec<Value>>(text).ok()?;
                is_whole = false;
                boxes::table(&records)?.html
            }
        };
        let mut drawn = Drawn { html, is_whole };
        if is_whole && !act.output.trailer.is_empty() {
            drawn.html.push(&boxes::remark(act.output.trailer));
        }
        Some(drawn)
    }
}
