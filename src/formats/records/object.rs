//! JSON that is left undecoded until someone asks: what nobody asks for costs only a skip, and a
//! value of the wrong type costs nothing but itself.
//!
//! A record is checked once as a whole ([`Json::parse`]). Its inner values are then found by
//! their brackets and quotes alone: to have the parser skip them again, level by level, took most
//! of the time of reading.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::scan::Scan;

/// The text of one sound JSON value, without white space around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Json<'a>(&'a str);

impl<'a> Json<'a> {
    /// Checks a text.
    ///
    /// # Errors
    /// What the parser says.
    pub(crate) fn parse(text: &'a str) -> Result<Self, serde_json::Error> {
        serde_json::from_str::<IgnoredAny>(text)?;
        Ok(Json(text.trim_ascii()))
    }

    /// The text, as it stands in the file.
    pub(crate) fn get(self) -> &'a str {
        self.0
    }
}

/// The entries of one object, in the order of the file. Of two entries with one key the last
/// counts, as in `JSON.parse`.
#[derive(Debug, Default)]
pub(crate) struct Object<'a> {
    entries: Vec<(Cow<'a, str>, Json<'a>)>,
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
    pub(crate) fn of(value: Json<'a>) -> Option<Self> {
        let mut cut = Cut::open(value, '{')?;
        let mut entries = Vec::with_capacity(16);
        while let Some(key) = cut.next() {
            let Some(value) = cut.next() else {
                break;
            };
            entries.push((text(key)?, value));
        }
        Some(Object { entries })
    }

    /// The value under a key; `None` when there is none or it is `null`.
    pub(crate) fn get(&self, key: &str) -> Option<Json<'a>> {
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
    pub(crate) fn items(&self, key: &str) -> Vec<Json<'a>> {
        self.get(key).map(items).unwrap_or_default()
    }

    /// All entries, in the order of the file.
    pub(crate) fn entries(&self) -> impl Iterator<Item = (&str, Json<'a>)> {
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
pub(crate) fn text(value: Json<'_>) -> Option<Cow<'_, str>> {
    let inner = value.get().strip_prefix('"')?.strip_suffix('"')?;
    match memchr::memchr(b'\\', inner.as_bytes()) {
        None => Some(Cow::Borrowed(inner)),
        Some(first) => unescaped(inner, first).map(Cow::Owned),
    }
}

/// A string's text with its escapes undone, the first of which is at `first`. The parser would
/// write it twice, as it does not know how long it will be.
fn unescaped(inner: &str, first: usize) -> Option<String> {
    let mut text = String::with_capacity(inner.len());
    let (before, mut rest) = inner.split_at_checked(first)?;
    text.push_str(before);
    while let Some(escape) = rest.strip_prefix('\\') {
        let mut after = escape.chars();
        match after.next()? {
            'n' => text.push('\n'),
            't' => text.push('\t'),
            'r' => text.push('\r'),
            'b' => text.push('\u{8}'),
            'f' => text.push('\u{c}'),
            'u' => {
                let (c, rest) = code_point(after.as_str())?;
                text.push(c);
                after = rest.chars();
            }
            plain => text.push(plain),
        }
        rest = after.as_str();
        let next = memchr::memchr(b'\\', rest.as_bytes()).unwrap_or(rest.len());
        let (plain, next) = rest.split_at_checked(next)?;
        text.push_str(plain);
        rest = next;
    }
    Some(text)
}

/// The character that the digits after `\u` stand for, with the other half of its pair, and what
/// follows it.
fn code_point(digits: &str) -> Option<(char, &str)> {
    let unit = |text: &str| u16::from_str_radix(text, 16).ok();
    let (first, rest) = digits.split_at_checked(4)?;
    let first = unit(first)?;
    if !(0xd800..0xdc00).contains(&first) {
        let c = char::from_u32(u32::from(first)).unwrap_or(char::REPLACEMENT_CHARACTER);
        return Some((c, rest));
    }
    let pair = rest
        .strip_prefix("\\u")
        .and_then(|rest| rest.split_at_checked(4));
    let whole = pair.and_then(|(second, rest)| {
        let c = char::decode_utf16([first, unit(second)?]).next()?.ok()?;
        Some((c, rest))
    });
    Some(whole.unwrap_or((char::REPLACEMENT_CHARACTER, rest)))
}

/// The count that a value is: a whole number from 0 to 2^53; `None` when it is something else.
pub(crate) fn count(value: Json<'_>) -> Option<u64> {
    const MOST: u64 = 1 << 53;
    let text = value.get();
    if let Ok(whole) = text.parse::<u64>() {
        return Some(whole).filter(|n| *n <= MOST);
    }
    let float: f64 = serde_json::from_str(text).ok()?;
    ((0.0..=MOST as f64).contains(&float)).then_some(float as u64)
}

/// The elements of the array that a value is; empty when it is something else.
pub(crate) fn items(value: Json<'_>) -> Vec<Json<'_>> {
    let cut = Cut::open(value, '[');
    cut.map(Iterator::collect).unwrap_or_default()
}

/// The checked object: one walk of the parser that checks it and finds its entries.
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
                while let Some(key) = map.next_key::<&RawValue>()? {
                    let value: &RawValue = map.next_value()?;
                    let key = text(Json(key.get())).unwrap_or_default();
                    entries.push((key, Json(value.get())));
                }
                Ok(Object { entries })
            }
        }
        deserializer.deserialize_map(Entries)
    }
}

/// Cuts what stands between brackets into its values, keys included.
struct Cut<'a> {
    rest: &'a str,
}

impl<'a> Cut<'a> {
    fn open(value: Json<'a>, bracket: char) -> Option<Self> {
        let rest = value.get().strip_prefix(bracket)?;
        Some(Cut { rest })
    }
}

impl<'a> Iterator for Cut<'a> {
    type Item = Json<'a>;

    fn next(&mut self) -> Option<Json<'a>> {
        let between = |b: &u8| b.is_ascii_whitespace() || matches!(b, b',' | b':');
        let start = self.rest.bytes().position(|b| !between(&b))?;
        let rest = &self.rest[start..];
        if rest.starts_with([']', '}']) {
            self.rest = "";
            return None;
        }
        let end = Scan::default().end(rest.as_bytes())?;
        let (value, rest) = rest.split_at_checked(end)?;
        self.rest = rest;
        Some(Json(value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_of_two_entries_counts() {
        let object =
            Object::parse(r#"{"a":1,"b":null,"\u0061":"\u0062c"}"#).expect("it is an object");
        assert_eq!(object.text("a").as_deref(), Some("bc"));
        assert!(object.get("b").is_none() && object.has("b"));
        assert!(object.has_duplicate_key());
        assert!(Object::parse("[1]").is_err());
        let spread = " {\n \"a\" : [ 1 , {} , \"x,]\" , [ ] ] , \"b\":-1.5e3\n} ";
        let object = Object::parse(spread).expect("it is an object");
        let inner: Vec<&str> = object.items("a").into_iter().map(Json::get).collect();
        assert_eq!(inner, ["1", "{}", "\"x,]\"", "[ ]"]);
        assert_eq!(object.get("b").map(Json::get), Some("-1.5e3"));
        assert!(Object::parse("{}").is_ok_and(|empty| empty.entries().next().is_none()));
        assert!(Object::parse(r#"{"a":{"b":tru}}"#).is_err());
    }

    #[test]
    fn escapes_are_undone_as_the_parser_does() {
        for json in [
            r#""""#,
            r#""a\nb\t\"\\\/\r\b\f""#,
            r#""\u00e9\u0000\ud83d\ude00x\uD83D\uDE00""#,
            r#""é\n😀""#,
            r#""\\u0041""#,
        ] {
            let value = Json::parse(json).expect("it is JSON");
            let expected: String = serde_json::from_str(json).expect("it is a string");
            assert_eq!(text(value).as_deref(), Some(expected.as_str()), "{json}");
        }
        let halves = Json(r#""\ud83d\ude0 \ude00\ud83dx""#);
        assert!(text(halves).is_none_or(|text| text.contains('\u{fffd}')));
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
