//! Arguments as a list: those that a view does not draw in a way of its own.

use askama::Template;
use serde_json::Value;

use crate::html::{Html, Text};
use crate::tools::Drawing;
use crate::tools::args::Args;

use super::{Tone, data, plain_lines, text_box};

/// Arguments that a list has; more are drawn as the JSON that they are.
const FIELDS: usize = 200;

/// A list of arguments: scalars as they are, nested values as indented JSON. Empty when there
/// are none.
pub(in crate::tools) fn fields<'a>(
    args: impl IntoIterator<Item = (&'a str, &'a Value)>,
    drawing: &Drawing<'_>,
) -> Html {
    let args: Vec<(&str, &Value)> = args.into_iter().collect();
    if args.len() > FIELDS {
        let args = args.into_iter();
        let args = args.map(|(name, value)| (name.to_owned(), value.clone()));
        return data(&Value::Object(args.collect()).to_string(), drawing);
    }
    let fields: Vec<Field<'_>> = args
        .into_iter()
        .map(|(name, value)| Field::of(name, value, drawing))
        .collect();
    if fields.is_empty() {
        Html::default()
    } else {
        Html::render(&FieldsTemplate { fields })
    }
}

/// The arguments that a view does not draw itself, with input that is no object at all.
pub(in crate::tools) fn rest(args: &Args, drawn: &[&[&str]], drawing: &Drawing<'_>) -> Html {
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

#[derive(Template)]
#[template(path = "as_given.html")]
struct AsGivenTemplate {
    fields: Html,
}

/// One of the named arguments as it was given, folded: for views that draw most of what is in it
/// but not all. Empty when none of the names is there.
pub(in crate::tools) fn as_given(args: &Args, names: &[&str], drawing: &Drawing<'_>) -> Html {
    let given = names
        .iter()
        .find_map(|name| Some((*name, args.map.get(*name)?)));
    let fields = fields(given, drawing);
    if fields.is_empty() {
        fields
    } else {
        Html::render(&AsGivenTemplate { fields })
    }
}
