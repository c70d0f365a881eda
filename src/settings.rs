//! The settings file, `foldout.toml`: the document and its errors. What a part of it means is
//! known to the room that the part is for: `[redact]` to `redact`, `[[tool-view]]` to `tools`.

use std::fmt;
use std::marker::PhantomData;
use std::ops::Range;
use std::path::Path;

use serde::de::{DeserializeOwned, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};

use crate::error::Error;

/// The name under which the file is found in the current folder by itself.
pub const FILE: &str = "foldout.toml";

/// The parts that a file may have.
const PARTS: &[&str] = &["redact", "tool-view"];

/// A settings file that is TOML and has no part that nobody knows.
#[derive(Clone, Copy, Debug)]
pub struct Document<'a> {
    path: &'a Path,
    text: &'a str,
}

impl<'a> Document<'a> {
    /// Looks at a file's text; `path` is how errors name the file.
    ///
    /// # Errors
    /// What is wrong, with the file and the line: no TOML, or a part with an unknown name.
    pub fn new(path: &'a Path, text: &'a str) -> Result<Self, Error> {
        let document = Self { path, text };
        document.part::<IgnoredAny>("")?;
        Ok(document)
    }

    /// One part; `None` when the file has none.
    pub(crate) fn part<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>, Error> {
        let part = toml::Deserializer::parse(self.text).and_then(|file| {
            file.deserialize_map(Part {
                name,
                part: PhantomData,
            })
        });
        part.map_err(|error| self.wrong(error.span(), without_values(error.message())))
    }

    /// What is wrong at a place of the file, in bytes of its text.
    pub(crate) fn wrong(&self, span: Option<Range<usize>>, what: impl fmt::Display) -> Error {
        let line = span.map_or(1, |span| self.line(span.start));
        Error::new(format!("{}:{line}", self.path.display()), what.to_string())
    }

    /// The line of a place in bytes, counted from 1.
    pub(crate) fn line(&self, at: usize) -> usize {
        let before = &self.text.as_bytes()[..at.min(self.text.len())];
        1 + before.iter().filter(|byte| **byte == b'\n').count()
    }
}

/// A parser's message without the values that it repeats: they may be secrets.
fn without_values(message: &str) -> String {
    let parts = message.split('"').enumerate();
    parts
        .map(|(at, part)| if at % 2 == 0 { part } else { "\"…\"" })
        .collect()
}

/// A pattern's error in one line.
pub(crate) fn pattern_error(error: &regex::Error) -> String {
    let text = error.to_string();
    let last = text
        .lines()
        .rev()
        .find(|line| !line.trim().is_empty())
        .unwrap_or("");
    format!("no pattern: {}", last.trim().trim_start_matches("error: "))
}

/// Reads one part of the file and passes over the others. Going through the whole file's
/// deserializer keeps the places of what is in the part.
struct Part<'a, T> {
    name: &'a str,
    part: PhantomData<T>,
}

impl<'de, T: DeserializeOwned> Visitor<'de> for Part<'_, T> {
    type Value = Option<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("settings")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut part = None;
        while let Some(key) = map.next_key_seed(Name)? {
            if key == self.name {
                part = Some(map.next_value()?);
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(part)
    }
}

/// The name of a part; an unknown one is an error at its own place.
struct Name;

impl<'de> DeserializeSeed<'de> for Name {
    type Value = String;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<String, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Name {
    type Value = String;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<String, E> {
        if PARTS.contains(&name) {
            Ok(name.to_owned())
        } else {
            Err(E::unknown_field(name, PARTS))
        }
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use toml::Spanned;

    use super::*;

    #[derive(Deserialize)]
    struct View {
        label: Spanned<String>,
    }

    #[test]
    fn a_part_is_read_with_the_places_of_what_is_in_it() {
        let text =
            "[redact]\nemails = true\n\n[[tool-view]]\nlabel = 'a'\n[[tool-view]]\nlabel = 'b'\n";
        let document = Document::new(Path::new(FILE), text).expect("right");
        let views: Vec<View> = document.part("tool-view").expect("right").expect("there");
        let lines: Vec<_> = views
            .iter()
            .map(|view| {
                (
                    view.label.get_ref().as_str(),
                    document.line(view.label.span().start),
                )
            })
            .collect();
        assert_eq!(lines, [("a", 5), ("b", 7)]);
        let none = Document::new(Path::new(FILE), "").expect("right");
        assert!(
            none.part::<Vec<View>>("tool-view")
                .expect("right")
                .is_none()
        );
    }

    #[test]
    fn what_is_no_part_and_no_toml_is_an_error_with_its_line() {
        for (text, place, what) in [
            ("\n[redacted]\n", "foldout.toml:2: ", "redacted"),
            (
                "[redact]\n[[tool-views]]\n",
                "foldout.toml:2: ",
                "tool-views",
            ),
            ("[redact]\nx = \n", "foldout.toml:2: ", ""),
        ] {
            let error = Document::new(Path::new(FILE), text).expect_err(text);
            let error = error.to_string();
            assert!(error.starts_with(place) && error.contains(what), "{error}");
        }
    }
}
