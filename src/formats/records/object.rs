//! A JSON object whose values are left undecoded until someone asks: what nobody asks for costs
//! only a skip, and a value of the wrong type costs nothing but itself.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

/// The entries of one object, in the order of the file. Of two entries with one key the last
/// counts, as in `JSON.parse`.
#[derive(Debug, Default)]
pub(crate) struct Object<'a> {
    entries: Vec<(Cow<'a, str>, &'a RawValue)>,
}

impl<'a> Object<'a> {
    /// Reads the object that a text is.
    ///
    /// # Errors
    /// What the parser says; the whole text is checked, whatever is decoded later.
    pub(crate) fn parse(json: &'a str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(json)
    }

    /// Reads a value as an object; `None` when it is something else.
    pub(crate) fn of(value: &'a RawValue) -> Option<Self> {
        if !value.get().starts_with('{') {
            return None;
        }
        Self::parse(value.get()).ok()
    }

    /// The value under a key; `None` when there is none or it is `null`.
    pub(crate) fn get(&self, key: &str) -> Option<&'a RawValue> {
        self.entries
            .iter()
            .rev()
            .find(|(name, _)| name == key)
            .map(|(_, value)| *value)
            .filter(|value| value.get() != "null")
    }

    /// Whether the key is there, be it with `null`.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.entries.iter().any(|(name, _)| name == key)
    }

    /// The object under a key.
    pub(crate) fn object(&self, key: &str) -> Option<Object<'a>> {
        Object::of(self.get(key)?)
    }

    /// The string under a key.
    pub(crate) fn text(&self, key: &str) -> Option<Cow<'a, str>> {
        text(self.get(key)?)
    }

    /// The string under a key as a new one; empty when there is none.
    pub(crate) fn string(&self, key: &str) -> String {
        self.text(key).map_or_else(String::new, Cow::into_owned)
    }

    /// The string under a key as a new one, unless it is blank.
    pub(crate) fn words(&self, key: &str) -> Option<String> {
        let words = self.text(key).filter(|text| !text.trim().is_empty());
        words.map(Cow::into_owned)
    }

    /// Whether `true` stands under a key.
    pub(crate) fn flag(&self, key: &str) -> bool {
        self.get(key).is_some_and(|value| value.get() == "true")
    }

    /// The count under a key.
    pub(crate) fn count(&self, key: &str) -> Option<u64> {
        count(self.get(key)?)
    }

    /// The elements of the array under a key; empty when there is none.
    pub(crate) fn items(&self, key: &str) -> Vec<&'a RawValue> {
        self.get(key).map(items).unwrap_or_default()
    }

    /// All entries, in the order of the file.
    pub(crate) fn entries(&self) -> impl Iterator<Item = (&str, &'a RawValue)> {
        self.entries
            .iter()
            .map(|(name, value)| (name.as_ref(), *value))
    }

    /// Whether a key stands twice.
    pub(crate) fn has_duplicate_key(&self) -> bool {
        // Of few keys each is compared with each, which is less work than sorting them.
        if self.entries.len() <= 40 {
            let mut keys = self.entries.iter().enumerate();
            return keys.any(|(at, (key, _))| self.entries[..at].iter().any(|(k, _)| k == key));
        }
        let mut keys: Vec<&str> = self.entries.iter().map(|(key, _)| key.as_ref()).collect();
        keys.sort_unstable();
        keys.windows(2).any(|pair| pair[0] == pair[1])
    }
}

/// The string that a value is; `None` when it is something else.
pub(crate) fn text(value: &RawValue) -> Option<Cow<'_, str>> {
    let inner = value.get().strip_prefix('"')?.strip_suffix('"')?;
    if memchr::memchr(b'\\', inner.as_bytes()).is_none() {
        return Some(Cow::Borrowed(inner));
    }
    serde_json::from_str(value.get()).ok().map(Cow::Owned)
}

/// The count that a value is: a whole number from 0 to 2^53; `None` when it is something else.
pub(crate) fn count(value: &RawValue) -> Option<u64> {
    const MOST: u64 = 1 << 53;
    let text = value.get();
    if let Ok(whole) = text.parse::<u64>() {
        return Some(whole).filter(|n| *n <= MOST);
    }
    let float: f64 = serde_json::from_str(text).ok()?;
    ((0.0..=MOST as f64).contains(&float)).then_some(float as u64)
}

/// The elements of the array that a value is; empty when it is something else.
pub(crate) fn items(value: &RawValue) -> Vec<&RawValue> {
    if value.get().starts_with('[') {
        serde_json::from_str(value.get()).unwrap_or_default()
    } else {
        Vec::new()
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Object<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Entries;
        impl<'de> Visitor<'de> for Entries {
            type Value = Object<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Object<'de>, A::Error> {
                let mut entries = Vec::with_capacity(16);
                while let Some(Key(key)) = map.next_key()? {
                    entries.push((key, map.next_value()?));
                }
                Ok(Object { entries })
            }
        }
        deserializer.deserialize_map(Entries)
    }
}

/// A key, borrowed where it has no escapes.
struct Key<'a>(Cow<'a, str>);

impl<'de: 'a, 'a> Deserialize<'de> for Key<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;
        impl<'de> Visitor<'de> for Text {
            type Value = Key<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a key")
            }

            fn visit_borrowed_str<E>(self, v: &'de str) -> Result<Key<'de>, E> {
                Ok(Key(Cow::Borrowed(v)))
            }

            fn visit_str<E>(self, v: &str) -> Result<Key<'de>, E> {
                Ok(Key(Cow::Owned(v.to_owned())))
            }
        }
        deserializer.deserialize_str(Text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_of_two_entries_counts() {
        let object = Object::parse(r#"{"a":1,"b":null,"a":"\u0062c"}"#).expect("it is an object");
        assert_eq!(object.text("a").as_deref(), Some("bc"));
        assert!(object.get("b").is_none() && object.has("b"));
        assert!(object.has_duplicate_key());
        assert!(Object::parse("[1]").is_err());
        assert!(Object::parse(r#"{"a":{"b":tru}}"#).is_err());
    }

    #[test]
    fn counts_are_whole_and_not_absurd() {
        let read = |json: &str| {
            let object = format!("{{\"n\":{json}}}");
            Object::parse(&object).expect("it is an object").count("n")
        };
        assert_eq!(read("12"), Some(12));
        assert_eq!(read("12.0"), Some(12));
        for odd in [
            "-5",
            "1.5e308",
            "1e999",
            "123456789012345678901234567890",
            "\"1\"",
            "[]",
        ] {
            assert_eq!(read(odd), None, "{odd}");
        }
    }
}
