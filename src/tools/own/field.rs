//! How an entry names what is in an input or a result: `plant.names.0`.

use serde_json::{Map, Value};

/// The way to a value: names of fields and numbers of elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Field {
    text: String,
}

impl Field {
    /// A way as it is written; `None` when a part of it is empty.
    pub(super) fn new(text: &str) -> Option<Self> {
        let is_whole = text.split('.').all(|name| !name.trim().is_empty());
        is_whole.then(|| Self {
            text: text.to_owned(),
        })
    }

    /// As it was written.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Its last name.
    pub(super) fn name(&self) -> &str {
        self.text.rsplit('.').next().unwrap_or(&self.text)
    }

    /// The value that it leads to, unless there is none or it is null. A field whose own name has
    /// dots in it comes first.
    pub(super) fn of<'a>(&self, map: &'a Map<String, Value>) -> Option<&'a Value> {
        let value = map.get(&self.text).or_else(|| {
            let (first, rest) = self.text.split_once('.')?;
            rest.split('.').try_fold(map.get(first)?, step)
        });
        value.filter(|value| !value.is_null())
    }

    /// The same in a value that may be a list.
    pub(super) fn of_value<'a>(&self, value: &'a Value) -> Option<&'a Value> {
        match value {
            Value::Object(map) => self.of(map),
            value => self
                .text
                .split('.')
                .try_fold(value, step)
                .filter(|value| !value.is_null()),
        }
    }
}

fn step<'a>(value: &'a Value, name: &str) -> Option<&'a Value> {
    match value {
        Value::Object(map) => map.get(name),
        Value::Array(items) => items.get(name.parse::<usize>().ok()?),
        _ => None,
    }
}

/// A scalar in words, or a list of them; the number of what is deeper. `None` for nothing.
pub(super) fn in_words(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()).filter(|text| !text.trim().is_empty()),
        Value::Array(items)
            if items
                .iter()
                .all(|item| !item.is_array() && !item.is_object()) =>
        {
            let words: Vec<_> = items.iter().filter_map(in_words).collect();
            Some(words.join(", ")).filter(|words| !words.is_empty())
        }
        Value::Array(items) => Some(items.len().to_string()),
        Value::Object(map) => Some(map.len().to_string()),
        scalar => Some(scalar.to_string()),
    }
}

/// A value in an entry's own words, in which `{}` stands for it.
pub(super) fn filled(words: Option<&str>, value: &str) -> String {
    words.map_or_else(|| value.to_owned(), |words| words.replace("{}", value))
}
