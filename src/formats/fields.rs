//! JSON objects whose fields may turn out to be of any type: each field is looked at when it is
//! asked for, and one of the wrong type is as good as none. What is not asked for stays undecoded,
//! and what is shown as JSON stays exactly as it was written.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::model::Timestamp;

/// The fields of a JSON object, in the order of the file, each as its JSON text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fields<'a>(Vec<(String, &'a str)>);

impl<'a> Fields<'a> {
    /// Splits an object into its fields; `None` when the text is no JSON object.
    pub(crate) fn of(json: &'a str) -> Option<Self> {
        serde_json::from_str(json).ok()
    }

    /// The JSON text under a key. Of a key that stands twice the last counts, as in JavaScript.
    pub(crate) fn raw(&self, key: &str) -> Option<&'a str> {
        self.0
            .iter()
            .rfind(|(name, _)| name == key)
            .map(|(_, value)| *value)
    }

    /// The string under a key.
    pub(crate) fn text(&self, key: &str) -> Option<String> {
        text(self.raw(key)?)
    }

    /// The string under a key, unless it is blank.
    pub(crate) fn words(&self, key: &str) -> Option<String> {
        self.text(key).filter(|text| !text.trim().is_empty())
    }

    /// The whole number under a key; a fraction is rounded, a negative number is none.
    pub(crate) fn count(&self, key: &str) -> Option<u64> {
        let raw = self.raw(key)?;
        raw.parse().ok().or_else(|| {
            let number = raw.parse::<f64>().ok()?.round();
            // The cast saturates; what is larger than any count is no count.
            (0.0..1e18).contains(&number).then_some(number as u64)
        })
    }

    /// Whether there is `true` under a key.
    pub(crate) fn is_true(&self, key: &str) -> bool {
        self.raw(key) == Some("true")
    }

    /// The moment under a key: a string in RFC 3339, or a number of milliseconds.
    pub(crate) fn time(&self, key: &str) -> Option<Timestamp> {
        match self.text(key) {
            Some(text) => text.trim().parse().ok(),
            None => Timestamp::from_millisecond(i64::try_from(self.count(key)?).ok()?).ok(),
        }
    }

    /// The object under a key.
    pub(crate) fn object(&self, key: &str) -> Option<Fields<'a>> {
        Fields::of(self.raw(key)?)
    }

    /// The JSON texts of the array under a key; empty when there is none.
    pub(crate) fn list(&self, key: &str) -> Vec<&'a str> {
        self.raw(key).map(items).unwrap_or_default()
    }
}

/// The JSON texts of an array's elements; empty when the text is no array.
pub(crate) fn items(json: &str) -> Vec<&str> {
    serde_json::from_str::<Vec<&RawValue>>(json)
        .map(|items| items.into_iter().map(RawValue::get).collect())
        .unwrap_or_default()
}

/// The string that a JSON text is; `None` when it is something else.
pub(crate) fn text(json: &str) -> Option<String> {
    if json.starts_with('"') {
        serde_json::from_str(json).ok()
    } else {
        None
    }
}

/// Whether a text is a JSON object or array from end to end.
pub(crate) fn is_container(text: &str) -> bool {
    text.trim_start().starts_with(['{', '['])
        && serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
}

impl<'de> Deserialize<'de> for Fields<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Split)
    }
}

/// Splits an object.
struct Split;

impl<'de> Visitor<'de> for Split {
    type Value = Fields<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut fields = Vec::new();
        while let Some(key) = map.next_key()? {
            fields.push((key, map.next_value::<&RawValue>()?.get()));
        }
        Ok(Fields(fields))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_of_the_wrong_type_is_as_good_as_none() {
        let fields = Fields::of(r#"{"a":1,"b":"x","c":[{"d":2.5}],"e":null}"#).expect("an object");
        assert_eq!(fields.text("a"), None);
        assert_eq!(fields.count("a"), Some(1));
        assert_eq!(fields.count("b"), None);
        assert_eq!(fields.list("c"), [r#"{"d":2.5}"#]);
        assert!(fields.list("a").is_empty());
        assert!(fields.object("e").is_none());
        assert!(Fields::of("[1]").is_none());
    }

    #[test]
    fn of_a_repeated_key_the_last_counts() {
        let fields = Fields::of(r#"{"a":"x","a":"y"}"#).expect("an object");
        assert_eq!(fields.text("a").as_deref(), Some("y"));
    }

    #[test]
    fn moments_are_read_as_text_and_as_milliseconds() {
        let fields =
            Fields::of(r#"{"a":"2026-03-02T10:00:00Z","b":1772445600000,"c":"soon","d":-1}"#)
                .expect("an object");
        assert_eq!(fields.time("a"), fields.time("b"));
        assert!(fields.time("a").is_some());
        assert_eq!(fields.time("c"), None);
        assert_eq!(fields.time("d"), None);
    }
}
