//! Finds secrets, home folders and names in one text. One search over all literals decides where
//! to look closer; a text without any costs no more than that search.

mod assigned;
mod blocks;
mod commands;
mod documents;
mod fed;
mod found;
mod headers;
mod homes;
mod lines;
mod looks;
mod mapped;
mod named;
mod names;
mod numbers;
mod pairs;
mod people;
mod placeholders;
mod programs;
mod shapes;
mod signs;
mod spoken;
mod tables;
#[cfg(test)]
mod tests;
mod undo;
mod urls;
mod vocabulary;
mod words;
mod worth;

use std::ops::Range;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use regex::Regex;

use crate::redact::rules;

use assigned::name_around;
use lines::Looks;
use programs::PROGRAMS;
use shapes::{Shape, floor};
use signs::{Sign, Signs};

pub(super) use found::{EMAIL, Found, HOME, HOST, Hidden, Rank, USER, Wants};
pub(super) use mapped::Mapped;
pub(super) use named::{is_told, kind_of_name};
pub(super) use placeholders::{is_chosen, is_reference, is_specific};

/// A rule of the user's own.
#[derive(Clone, Debug)]
pub(crate) struct OwnRule {
    /// Its name, which is its kind.
    pub(crate) name: String,
    /// What it finds; of a pattern with groups the first that took part.
    pub(crate) pattern: Regex,
}

/// Finds what is not to be published.
#[derive(Debug)]
pub(crate) struct Scanner {
    all: Signs,
    /// Those of secrets that show by the way in which they are written.
    shown: Signs,
    shapes: Vec<Shape>,
    own: Vec<OwnRule>,
}

impl Default for Scanner {
    fn default() -> Self {
        Self::new(Vec::new())
    }
}

impl Scanner {
    /// A scanner with the built-in rules and these.
    pub(crate) fn new(own: Vec<OwnRule>) -> Self {
        let shapes: Vec<Shape> = rules::all().map(Shape::of).collect();
        let mut signs = Vec::new();
        for (index, shape) in shapes.iter().enumerate() {
            let literals = shape.rule.literals.iter();
            signs.extend(literals.map(|literal| (Sign::Shape(index), *literal)));
        }
        signs.extend(blocks::SIGNS.iter().map(|literal| (Sign::Block, *literal)));
        let shown = Signs::new(signs.clone());
        for (sign, literals) in [
            (Sign::Name, names::SIGNS),
            (Sign::Address, &["://"]),
            (Sign::Scheme, headers::SCHEMES),
            (Sign::Jar, &["\tTRUE\t", "\tFALSE\t"]),
            (Sign::Card, numbers::CARD_SIGNS),
            (Sign::Account, numbers::ACCOUNT_SIGNS),
            (Sign::Odd, undo::SIGNS),
            (Sign::Home, homes::HOME_SIGNS),
            (Sign::Listing, people::LISTING_SIGNS),
            (Sign::At, &["@"]),
            (Sign::Name, &["cookie"]),
            (Sign::Reader, fed::READERS),
            (Sign::Codes, spoken::CODES),
            (Sign::Encoded, &["base64 -d", "base64 --d"]),
        ] {
            signs.extend(literals.iter().map(|literal| (sign, *literal)));
        }
        let programs = PROGRAMS.iter().enumerate();
        signs.extend(programs.map(|(index, program)| (Sign::Program(index), program.name)));
        let calls = fed::CALLS.iter().enumerate();
        signs.extend(calls.map(|(index, call)| (Sign::Call(index), call.name)));
        let documents = documents::DOCUMENTS.iter().enumerate();
        signs.extend(documents.map(|(index, one)| (Sign::Document(index), one.sign)));
        Self {
            all: Signs::new(signs),
            shown,
            shapes,
            own,
        }
    }

    /// The secrets of a text, in order, none over another.
    pub(crate) fn secrets(&self, text: &str) -> Vec<Found<'_>> {
        let wants = Wants {
            secrets: true,
            paths: false,
            emails: false,
        };
        self.look(text, wants)
    }

    /// What is found in a text, in order, none over another.
    pub(crate) fn look(&self, text: &str, wants: Wants) -> Vec<Found<'_>> {
        let mut odd = Vec::new();
        let mut found = self.pass(text, wants, Some(&mut odd));
        for window in windows(text, &odd) {
            let copy = undo::undone(&text[window.clone()], window.start);
            for one in self.pass(&copy.text, wants, None) {
                let span = copy.origin(&one.span);
                let value = one
                    .value
                    .or_else(|| Some(Hidden(copy.text[one.span].to_owned())));
                if !span.is_empty() {
                    found.push(Found { span, value, ..one });
                }
            }
        }
        if wants.secrets {
            for rule in &self.own {
                let matches = rule.pattern.captures_iter(text).filter_map(|captures| {
                    let part = captures
                        .iter()
                        .skip(1)
                        .flatten()
                        .next()
                        .or(captures.get(0))?;
                    (!part.is_empty()).then(|| self.found(part.range(), &rule.name, Rank::Own))
                });
                found.extend(matches);
            }
        }
        settled(text, found)
    }

    /// Secrets that show by the way in which they are written; for texts that are finished pages,
    /// where names and values stand apart.
    pub(crate) fn shaped(&self, text: &str) -> Vec<Found<'_>> {
        let mut found = Vec::new();
        let mut looks = Looks::default();
        self.shown.each(text, |sign, literal, span| match sign {
            _ if !looks.take(span.start) => {}
            Sign::Shape(index) => found.extend(self.shaped_at(text, index, literal, &span)),
            Sign::Block => found.extend(
                blocks::key(text, &span).map(|span| self.found(span, "private-key", Rank::Shaped)),
            ),
            _ => {}
        });
        settled(text, found)
    }

    /// One search over a text; places with something to be undone are put into `odd`.
    fn pass<'r>(
        &'r self,
        text: &str,
        wants: Wants,
        mut odd: Option<&mut Vec<usize>>,
    ) -> Vec<Found<'r>> {
        let mut found: Vec<Found<'r>> = Vec::new();
        let mut seen_name = 0;
        let mut looks = Looks::default();
        self.all.each(text, |sign, literal, span| match sign {
            Sign::Odd => {
                if let Some(odd) = &mut odd
                    && undo::is_odd(text, span.start)
                {
                    odd.push(span.start);
                }
            }
            Sign::Home if wants.paths => {
                if let Some(home) = homes::home(text, &span) {
                    let value = home.owner.map(|owner| Hidden(text[owner].to_owned()));
                    found.push(Found {
                        span: home.span,
                        kind: HOME,
                        rank: Rank::Place,
                        value,
                    });
                }
            }
            Sign::Listing if wants.paths => {
                let names = people::owners(text, &span).into_iter();
                found.extend(names.map(|name| self.found(name, USER, Rank::Place)));
            }
            Sign::At => self.at_sign(text, span.start, wants, &mut found),
            Sign::Home | Sign::Listing => {}
            _ if !wants.secrets || !looks.take(span.start) => {}
            Sign::Shape(index) => found.extend(self.shaped_at(text, index, literal, &span)),
            Sign::Name => {
                // A name with two signs in it is looked at once.
                if span.start >= seen_name {
                    // What makes a short name sure of itself stands behind it: `code=`.
                    let word = literal.split([':', '=', ' ']).next().unwrap_or(literal);
                    let word = span.start..span.start + word.len();
                    // Languages that write without blanks have no ends of words.
                    let name = match literal.is_ascii() {
                        true => name_around(text, &word),
                        false => word,
                    };
                    let by_name = named::by_name(text, &name);
                    seen_name = name.end.max(span.end).max(by_name.end);
                    let own = by_name.found.into_iter();
                    found.extend(own.map(|(span, kind)| self.found(span, kind, Rank::Named)));
                }
            }
            Sign::Block => found.extend(
                blocks::key(text, &span).map(|span| self.found(span, "private-key", Rank::Shaped)),
            ),
            Sign::Address => found.extend(
                urls::password(text, &span)
                    .map(|span| self.found(span, "url-password", Rank::Named)),
            ),
            Sign::Scheme => found.extend(
                headers::after_scheme(text, &span)
                    .map(|span| self.found(span, "authorization", Rank::Named)),
            ),
            Sign::Jar => found.extend(
                headers::in_jar(text, &span).map(|span| self.found(span, "cookie", Rank::Named)),
            ),
            Sign::Program(index) => {
                let values = commands::passwords(text, &PROGRAMS[index], &span).into_iter();
                found.extend(values.map(|span| self.found(span, "password", Rank::Named)));
            }
            Sign::Reader => found.extend(
                fed::fed(text, &span).map(|span| self.found(span, "password", Rank::Named)),
            ),
            Sign::Encoded => found.extend(
                fed::piped(text, span.start)
                    .filter(|span| self.is_encoded(&text[span.clone()]))
                    .map(|span| self.found(span, "secret", Rank::Named)),
            ),
            Sign::Call(index) => found.extend(
                fed::argument(text, &fed::CALLS[index], &span)
                    .map(|span| self.found(span, "password", Rank::Named)),
            ),
            Sign::Document(index) => {
                let document = &documents::DOCUMENTS[index];
                let values = documents::secrets(text, document, &span).into_iter();
                found.extend(values.map(|span| self.found(span, document.kind, Rank::Named)));
            }
            Sign::Codes => {
                let codes = spoken::codes(text, span.end).into_iter();
                found.extend(codes.map(|span| self.found(span, "recovery-code", Rank::Named)));
            }
            Sign::Card => found.extend(
                numbers::card(text, &span)
                    .map(|span| self.found(span, "card-number", Rank::Shaped)),
            ),
            Sign::Account => found.extend(
                numbers::account(text, &span).map(|span| self.found(span, "iban", Rank::Shaped)),
            ),
        });
        found
    }

    fn shaped_at<'r>(
        &'r self,
        text: &str,
        index: usize,
        literal: &str,
        span: &Range<usize>,
    ) -> Option<Found<'r>> {
        let shape = &self.shapes[index];
        let found = shape.try_at(text, span, literal)?;
        Some(Found {
            span: found.span,
            kind: shape.rule.kind,
            rank: Rank::Shaped,
            value: found.value.map(Hidden),
        })
    }

    fn at_sign<'r>(&'r self, text: &str, at: usize, wants: Wants, found: &mut Vec<Found<'r>>) {
        if wants.paths
            && let Some((person, host)) = people::prompt(text, at)
        {
            found.extend(person.map(|name| self.found(name, USER, Rank::Place)));
            found.push(self.found(host, HOST, Rank::Place));
        } else if wants.emails {
            found
                .extend(people::address(text, at).map(|span| self.found(span, EMAIL, Rank::Named)));
        }
    }

    /// Whether base64 stands for a text with a secret in it.
    fn is_encoded(&self, word: &str) -> bool {
        let text = STANDARD.decode(word).ok();
        let text = text.and_then(|bytes| String::from_utf8(bytes).ok());
        text.is_some_and(|text| !self.secrets(&text).is_empty())
    }

    fn found<'r>(&self, span: Range<usize>, kind: &'r str, rank: Rank) -> Found<'r> {
        Found {
            span,
            kind,
            rank,
            value: None,
        }
    }
}

/// Two lists of what was found in a text as one.
pub(super) fn merged<'r>(
    text: &str,
    mut one: Vec<Found<'r>>,
    other: Vec<Found<'r>>,
) -> Vec<Found<'r>> {
    if other.is_empty() {
        return one;
    }
    one.extend(other);
    settled(text, one)
}

/// How much before and after an odd place is looked at again.
const AROUND: (usize, usize) = (256, 768);
/// How much longer a stretch may get so that it ends and begins at blanks.
const MORE: usize = 4_096;

/// Stretches around odd places, each place in one of them. They end and begin at blanks: a word
/// that is cut in two would show a beginning or an end where none is.
fn windows(text: &str, odd: &[usize]) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut windows: Vec<Range<usize>> = Vec::new();
    for at in odd {
        if windows
            .last()
            .is_some_and(|last| at + AROUND.1 / 2 < last.end)
        {
            continue;
        }
        let start = at.saturating_sub(AROUND.0);
        let before = bytes[..start]
            .iter()
            .rev()
            .take(MORE)
            .position(u8::is_ascii_whitespace);
        let start = floor(
            text,
            before.map_or(start.saturating_sub(MORE), |len| start - len),
        );
        let end = (at + AROUND.1).min(bytes.len());
        let after = bytes[end..]
            .iter()
            .take(MORE)
            .position(u8::is_ascii_whitespace);
        let end = floor(text, after.map_or(end + MORE, |len| end + len));
        match windows.last_mut() {
            Some(last) if last.end >= start => last.end = end,
            _ => windows.push(start..end),
        }
    }
    windows
}

/// Sorts what was found, and makes one of what overlaps: the whole stretch, under the surest name.
fn settled<'r>(text: &str, mut found: Vec<Found<'r>>) -> Vec<Found<'r>> {
    found.sort_by(|a, b| {
        let key = |one: &Found<'_>| {
            (
                one.span.start,
                std::cmp::Reverse(one.span.end),
                std::cmp::Reverse(one.rank),
            )
        };
        key(a).cmp(&key(b))
    });
    let mut settled: Vec<Found<'r>> = Vec::new();
    for one in found {
        let Some(last) = settled
            .last_mut()
            .filter(|last| last.span.end > one.span.start)
        else {
            settled.push(one);
            continue;
        };
        let union = last.span.start..last.span.end.max(one.span.end);
        if one.rank > last.rank {
            let own = one.value.or_else(|| {
                text.get(one.span.clone())
                    .map(|value| Hidden(value.to_owned()))
            });
            *last = Found { value: own, ..one };
        } else if last.value.is_none() && last.span != union {
            last.value = text
                .get(last.span.clone())
                .map(|value| Hidden(value.to_owned()));
        }
        last.span = union;
    }
    settled
}
