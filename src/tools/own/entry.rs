//! How a `[[tool-view]]` entry is written.

use std::fmt;
use std::marker::PhantomData;
use std::ops::Range;

use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use toml::Spanned;

/// What is wrong with an entry, and where in the file.
pub(super) type Wrong = (Option<Range<usize>>, String);

/// One entry.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Entry {
    pub(super) names: Words,
    pub(super) label: Spanned<String>,
    pub(super) activity: Option<Spanned<String>>,
    #[serde(default)]
    pub(super) glimpse: Words,
    #[serde(default)]
    pub(super) glimpse_as: GlimpseAs,
    #[serde(default)]
    pub(super) badges: Vec<WordOr<BadgeEntry>>,
    pub(super) result: Option<WordOr<ResultEntry>>,
    pub(super) body: Option<Vec<Spanned<PartEntry>>>,
    pub(super) output: Option<WordOr<OutputEntry>>,
}

/// How a glimpse is written.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub(super) enum GlimpseAs {
    #[default]
    Code,
    Words,
    Quote,
    Path,
}

/// A badge with words of its own.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BadgeEntry {
    pub(super) field: Spanned<String>,
    pub(super) text: Option<String>,
    #[serde(default)]
    pub(super) tone: BadgeAs,
}

/// How a badge is tinted.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum BadgeAs {
    #[default]
    Plain,
    Added,
    Removed,
    Warn,
}

/// A fact that is looked for in the result.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ResultEntry {
    pub(super) field: Option<Spanned<String>>,
    pub(super) pattern: Option<Spanned<String>>,
    pub(super) text: Option<String>,
}

/// A part of the body.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PartEntry {
    pub(super) field: Option<Spanned<String>>,
    #[serde(rename = "as")]
    pub(super) kind: Spanned<PartAs>,
    pub(super) label: Option<String>,
    pub(super) language: Option<Spanned<String>>,
    pub(super) path: Option<Spanned<String>>,
    pub(super) old: Option<Spanned<String>>,
    pub(super) new: Option<Spanned<String>>,
}

/// How a part of the body is drawn.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub(super) enum PartAs {
    Prose,
    Code,
    Path,
    List,
    Fields,
    Diff,
    Text,
    Json,
    Table,
}

/// How the output is drawn, or a part of it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OutputEntry {
    #[serde(rename = "as")]
    pub(super) kind: Spanned<String>,
    pub(super) field: Option<Spanned<String>>,
    pub(super) language: Option<Spanned<String>>,
}

/// One text or several.
#[derive(Default)]
pub(super) struct Words(pub(super) Vec<Spanned<String>>);

impl<'de> Deserialize<'de> for Words {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // The place is known only of a value that is asked for with it.
        let several = Spanned::<Several>::deserialize(deserializer)?;
        let span = several.span();
        Ok(Words(match several.into_inner() {
            Several::One(text) => vec![Spanned::new(span, text)],
            Several::All(texts) => texts,
        }))
    }
}

enum Several {
    One(String),
    All(Vec<Spanned<String>>),
}

impl<'de> Deserialize<'de> for Several {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(SeveralVisitor)
    }
}

struct SeveralVisitor;

impl<'de> Visitor<'de> for SeveralVisitor {
    type Value = Several;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text or a list of texts")
    }

    fn visit_str<E>(self, text: &str) -> Result<Several, E> {
        Ok(Several::One(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut texts: A) -> Result<Several, A::Error> {
        let mut all = Vec::new();
        while let Some(text) = texts.next_element()? {
            all.push(text);
        }
        Ok(Several::All(all))
    }
}

/// A word, or a table that says more; with the place of either.
pub(super) enum WordOr<T> {
    Word(Spanned<String>),
    Table(Range<usize>, T),
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for WordOr<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let either = Spanned::<Either<T>>::deserialize(deserializer)?;
        let span = either.span();
        Ok(match either.into_inner() {
            Either::Word(word) => WordOr::Word(Spanned::new(span, word)),
            Either::Table(table) => WordOr::Table(span, table),
        })
    }
}

enum Either<T> {
    Word(String),
    Table(T),
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Either<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(EitherVisitor(PhantomData))
    }
}

struct EitherVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for EitherVisitor<T> {
    type Value = Either<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a word or a table")
    }

    fn visit_str<E>(self, word: &str) -> Result<Either<T>, E> {
        Ok(Either::Word(word.to_owned()))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Either<T>, A::Error> {
        T::deserialize(MapAccessDeserializer::new(map)).map(Either::Table)
    }
}
