//! Takes out of a conversation what is not to be published: secrets, home folders, names of people
//! and machines. It stands between reading and everything that is derived from what was read, so
//! that no title, index, log or side file can hold what a page does not.
//!
//! ```text
//! Conversation --sinks--> every text --scan(rules)--> what is found --values--> numbers
//!                         every text <--values found anywhere, looked for everywhere--
//! ```
//!
//! - [`rules`] has one row for each kind of secret that shows by how it is written, with its tests.
//! - [`scan`] finds in one text: by rules, by the names that stand beside values, by form.
//! - [`files`] knows files and commands that hold nothing but credentials.
//! - [`values`] numbers what was found, and finds it again where nothing gives it away.
//! - [`sinks`] lists every text of a conversation.
//!
//! A secret becomes `[redacted: kind #n]`: the same value has the same number in a conversation
//! with its subagents. No value is ever in a message, a debug output or a panic.

mod files;
mod json;
mod rules;
mod scan;
mod settings;
mod sinks;
#[cfg(test)]
mod tests;
mod values;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::Range;

use crate::model::Conversation;

use json::InJson;
use scan::{EMAIL, Found, HOME, HOST, Scanner, USER, Wants};
use sinks::{Place, Visit};
use values::{Search, Values};

pub use settings::{FILE, Settings};

/// The kinds of secrets that are known by how they are written, each with who gives them out, in
/// the order of the rules.
pub fn kinds() -> impl Iterator<Item = (&'static str, &'static str)> {
    rules::all().map(|rule| (rule.kind, rule.vendor))
}

/// Finds what is not to be published. Made once; it can be used by many threads.
#[derive(Debug)]
pub(crate) struct Redactor {
    scanner: Scanner,
    settings: Settings,
    wants: Wants,
}

impl Redactor {
    /// A redactor with these settings.
    pub(crate) fn new(settings: &Settings) -> Self {
        Self {
            scanner: Scanner::new(settings.own()),
            settings: settings.clone(),
            wants: Wants {
                secrets: settings.secrets,
                paths: settings.paths,
                emails: settings.emails,
            },
        }
    }

    /// A line of foldout's own, such as a problem, without what it may have taken from a file.
    pub(crate) fn line(&self, text: &str) -> String {
        if !self.settings.any() {
            return text.to_owned();
        }
        let mut values = Values::default();
        let edits = self.look(text, Place::Text(None));
        let edits = edits.into_iter().map(|one| number(one, text, &mut values));
        edited(text, &edits.collect::<Vec<_>>(), &values)
    }

    /// What is still to be found in a finished text, each with its kind, in order, none over
    /// another: secrets that show by their form, and values that the conversation was found to
    /// hold.
    pub(crate) fn leaks(&self, text: &str, known: &Redactions) -> Vec<(Range<usize>, String)> {
        if !self.settings.secrets {
            return Vec::new();
        }
        let found = self.scanner.shaped(text).into_iter();
        let found = found.filter(|one| !self.is_allowed(text, one));
        let mut leaks: Vec<_> = found.map(|one| (one.span, one.kind.to_owned())).collect();
        let again = known.search.iter().flat_map(|search| search.find(text));
        leaks.extend(
            again.filter_map(|(span, value)| Some((span, known.kinds.get(value)?.clone()))),
        );
        leaks.sort_by_key(|(span, _)| (span.start, std::cmp::Reverse(span.end)));
        leaks.dedup_by(|(next, _), (last, _)| {
            let is_over = next.start < last.end;
            if is_over {
                last.end = last.end.max(next.end);
            }
            is_over
        });
        leaks
    }

    /// What is found in a text, without what may stay.
    fn look(&self, text: &str, place: Place) -> Vec<InJson<'_>> {
        let mut found = match place {
            Place::Json(held) => json::look(&self.scanner, text, self.wants, held),
            Place::Text(held) => {
                let mut found = self.scanner.look(text, self.wants);
                if let Some(held) = held.filter(|_| self.wants.secrets) {
                    found = scan::merged(text, found, held.values(text));
                }
                let plain = |found| InJson {
                    found,
                    is_number: false,
                };
                found.into_iter().map(plain).collect()
            }
        };
        found.retain(|one| !self.is_allowed(text, &one.found));
        found
    }

    fn is_allowed(&self, text: &str, found: &Found<'_>) -> bool {
        let value = found.value.as_ref().map(|value| value.0.as_str());
        value
            .or(text.get(found.span.clone()))
            .is_some_and(|value| self.settings.allows(value))
    }
}

/// What was taken out of a conversation.
#[derive(Default)]
pub(crate) struct Redactions {
    /// How many places were masked, by kind. Home folders and names are not among them.
    pub(crate) counts: BTreeMap<String, u64>,
    kinds: Vec<String>,
    search: Option<Search>,
}

impl fmt::Debug for Redactions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Redactions")
            .field("counts", &self.counts)
            .finish()
    }
}

impl Redactions {
    /// Where in a file the values stand that were taken out: lines, counted from 1, each with a
    /// kind and how often it stands there.
    pub(crate) fn lines(&self, bytes: &[u8]) -> BTreeMap<(u64, String), u64> {
        let mut lines = BTreeMap::new();
        for (line, value) in self.search.iter().flat_map(|search| search.lines(bytes)) {
            if let Some(kind) = self.kinds.get(value) {
                *lines.entry((line, kind.clone())).or_insert(0) += 1;
            }
        }
        lines
    }

    /// Whether a secret was found.
    pub(crate) fn any_secret(&self) -> bool {
        self.counts.keys().any(|kind| kind != EMAIL)
    }
}

/// Takes out of a conversation, with its branches and subagents, what is not to be published, and
/// says so in its header's counts.
pub(crate) fn conversation(conversation: &mut Conversation, redactor: &Redactor) -> Redactions {
    if !redactor.settings.any() {
        return Redactions::default();
    }
    let mut first = First {
        redactor,
        values: Values::default(),
        people: BTreeSet::new(),
        edits: Vec::new(),
        sink: 0,
    };
    sinks::visit(conversation, &mut first);
    let First {
        values,
        people,
        edits,
        ..
    } = first;
    if edits.is_empty() {
        return Redactions::default();
    }
    let people = people.into_iter().collect::<Vec<_>>();
    let mut second = Second {
        redactor,
        search: values.search(),
        people: people_search(&people),
        edits: edits.into_iter().peekable(),
        sink: 0,
        counts: BTreeMap::new(),
        masked: Vec::new(),
        values,
    };
    sinks::visit(conversation, &mut second);
    Redactions {
        counts: second.counts,
        kinds: second.values.kinds(),
        search: second.search,
    }
}

/// What happens to a stretch of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Edit {
    span: Range<usize>,
    to: To,
}

/// What a stretch becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum To {
    /// The marker of a value; between quotes where a number stood.
    Marker { value: usize, quotes: bool },
    /// Other words: `~`, `user`, `host`.
    Words(&'static str),
}

/// The edit for something that was found; a secret gets its number.
fn number<'r>(one: InJson<'r>, text: &str, values: &mut Values<'r>) -> Edit {
    let InJson { found, is_number } = one;
    let to = match found.kind {
        HOME => To::Words("~"),
        USER => To::Words("user"),
        HOST => To::Words("host"),
        kind => {
            let value = found.value.as_ref().map(|value| value.0.as_str());
            let value = value.or(text.get(found.span.clone())).unwrap_or("");
            To::Marker {
                value: values.number(kind, value),
                quotes: is_number,
            }
        }
    };
    Edit {
        span: found.span,
        to,
    }
}

/// The first way through a conversation: finds and numbers.
struct First<'r> {
    redactor: &'r Redactor,
    values: Values<'r>,
    people: BTreeSet<String>,
    edits: Vec<(usize, Vec<Edit>)>,
    sink: usize,
}

impl Visit for First<'_> {
    fn text(&mut self, text: &mut String, place: Place) {
        let sink = self.sink;
        self.sink += 1;
        let found = self.redactor.look(text, place);
        if found.is_empty() {
            return;
        }
        let mut edits = Vec::with_capacity(found.len());
        for one in found {
            if let (HOME, Some(owner)) = (one.found.kind, &one.found.value)
                && !self.people.contains(&owner.0)
            {
                self.people.insert(owner.0.clone());
            }
            edits.push(number(one, text, &mut self.values));
        }
        self.edits.push((sink, edits));
    }

    fn enter(&mut self) {}

    fn leave(&mut self, _: &mut Conversation) {}
}

/// The second way through: finds the same values again, and edits.
struct Second<'r, I: Iterator<Item = (usize, Vec<Edit>)>> {
    redactor: &'r Redactor,
    values: Values<'r>,
    search: Option<Search>,
    people: Option<People>,
    edits: std::iter::Peekable<I>,
    sink: usize,
    counts: BTreeMap<String, u64>,
    /// How many places were masked, for each conversation that has begun and not ended.
    masked: Vec<u64>,
}

impl<I: Iterator<Item = (usize, Vec<Edit>)>> Visit for Second<'_, I> {
    fn text(&mut self, text: &mut String, place: Place) {
        let own = self.edits.next_if(|(sink, _)| *sink == self.sink);
        self.sink += 1;
        let mut edits = own.map(|(_, edits)| edits).unwrap_or_default();
        let again = self.search.iter().flat_map(|search| search.find(text));
        let is_json = matches!(place, Place::Json(_));
        let again = again.filter(|(span, _)| !is_json || is_inside_string(text, span));
        edits.extend(again.map(|(span, value)| Edit {
            span,
            to: To::Marker {
                value,
                quotes: false,
            },
        }));
        if let Some(people) = self.people.as_ref().filter(|_| self.redactor.wants.paths) {
            edits.extend(people.find(text));
        }
        if edits.is_empty() {
            return;
        }
        let edits = settled(edits);
        for edit in &edits {
            if let To::Marker { value, .. } = edit.to {
                *self
                    .counts
                    .entry(self.values.kind(value).to_owned())
                    .or_insert(0) += 1;
                if let Some(masked) = self.masked.last_mut() {
                    *masked += 1;
                }
            }
        }
        *text = edited(text, &edits, &self.values);
    }

    fn enter(&mut self) {
        self.masked.push(0);
    }

    fn leave(&mut self, conversation: &mut Conversation) {
        let masked = self.masked.pop().unwrap_or(0);
        if let Some(parent) = self.masked.last_mut() {
            *parent += masked;
        }
        if masked > 0 {
            let kind = if masked == 1 {
                "redaction"
            } else {
                "redactions"
            };
            conversation.unshown.insert(kind.to_owned(), masked);
        }
    }
}

/// Edits in order, none over another: of two that overlap, the marker stands for both.
fn settled(mut edits: Vec<Edit>) -> Vec<Edit> {
    edits.sort_by_key(|edit| (edit.span.start, std::cmp::Reverse(edit.span.end)));
    let mut settled: Vec<Edit> = Vec::with_capacity(edits.len());
    for edit in edits {
        let Some(last) = settled
            .last_mut()
            .filter(|last| last.span.end > edit.span.start)
        else {
            settled.push(edit);
            continue;
        };
        let end = last.span.end.max(edit.span.end);
        if matches!(last.to, To::Words(_)) {
            last.to = edit.to;
        }
        last.span.end = end;
    }
    settled
}

/// A text with its edits made.
fn edited(text: &str, edits: &[Edit], values: &Values<'_>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for edit in edits {
        let Some(before) = text.get(at..edit.span.start) else {
            continue;
        };
        out.push_str(before);
        match edit.to {
            To::Words(words) => out.push_str(words),
            To::Marker {
                value,
                quotes: false,
            } => out.push_str(&values.marker(value)),
            To::Marker {
                value,
                quotes: true,
            } => out.push_str(&format!("\"{}\"", values.marker(value))),
        }
        at = edit.span.end;
    }
    out.push_str(text.get(at..).unwrap_or(""));
    out
}

/// Whether a stretch of a JSON text can be replaced and leaves JSON: it has no quote of its own,
/// and cuts no escape.
fn is_inside_string(text: &str, span: &Range<usize>) -> bool {
    let slashes = |before: &str| {
        before
            .bytes()
            .rev()
            .take_while(|byte| *byte == b'\\')
            .count()
    };
    let value = &text[span.clone()];
    let is_whole = slashes(&text[..span.start]) % 2 == 0 && slashes(value) % 2 == 0;
    let quotes = value.match_indices('"');
    let are_escaped = quotes
        .into_iter()
        .all(|(at, _)| slashes(&value[..at]) % 2 == 1);
    let is_string = text[..span.start].contains('"');
    is_whole && are_escaped && is_string
}

/// Looks for the names of people whose home folder was seen.
#[derive(Debug)]
struct People {
    automaton: aho_corasick::AhoCorasick,
    to: Vec<&'static str>,
}

fn people_search(names: &[String]) -> Option<People> {
    let mut patterns = Vec::new();
    let mut to = Vec::new();
    for name in names {
        let dashed: String = name
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
            .collect();
        for (pattern, words) in [
            (format!("{name}@"), "user@"),
            (format!("-home-{dashed}"), "~"),
            (format!("-Users-{dashed}"), "~"),
            (format!("/media/{name}/"), "/media/user/"),
            (format!("/tmp/{name}/"), "/tmp/user/"),
            (format!("/var/mail/{name}"), "/var/mail/user"),
            (format!("~{name}/"), "~/"),
        ] {
            patterns.push(pattern);
            to.push(words);
        }
    }
    let automaton = aho_corasick::AhoCorasick::new(&patterns)
        .ok()
        .filter(|_| !patterns.is_empty())?;
    Some(People { automaton, to })
}

impl People {
    fn find(&self, text: &str) -> Vec<Edit> {
        let found = self.automaton.find_iter(text);
        let is_word = |byte: Option<&u8>| {
            byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
        };
        let whole = found.filter(|found| {
            let bytes = text.as_bytes();
            let before = found.start().checked_sub(1).and_then(|at| bytes.get(at));
            let ends_open = !text[found.range()].ends_with(['@', '/']);
            let starts_open = is_word(bytes.get(found.start()));
            !(starts_open && is_word(before) || ends_open && is_word(bytes.get(found.end())))
        });
        whole
            .map(|found| Edit {
                span: found.range(),
                to: To::Words(self.to[found.pattern().as_usize()]),
            })
            .collect()
    }
}
