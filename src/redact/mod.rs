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

mod edits;
mod files;
mod json;
mod passes;
mod people;
mod rules;
mod scan;
mod settings;
mod sinks;
#[cfg(test)]
mod tests;
mod values;

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

use crate::model::Conversation;

use edits::{edited, number};
use json::InJson;
use passes::{Digest, Edits, First, Last, Second};
use people::people_search;
use scan::{EMAIL, Found, Rank, Scanner, Wants};
use sinks::Place;
use values::{Markers, Search, Values};

pub use crate::settings::FILE;
pub use settings::Settings;

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
        let edits: Vec<_> = edits.collect();
        edited(text, &edits, &values.markers())
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
        leaks.extend(again.map(|(span, value)| (span, known.markers.kind(value).to_owned())));
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
        if found.rank == Rank::Place {
            // What may stay are secrets that are none; paths have a switch of their own.
            return false;
        }
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
    markers: Markers,
    search: Option<Search>,
    plan: Option<Plan>,
}

/// What was done to a conversation, and by what it is known again.
struct Plan {
    digest: u128,
    edits: Edits,
}

/// How many texts a plan may edit; more would take more memory than they save time.
const MOST_EDITED: usize = 4_096;

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
            let kind = self.markers.kind(value).to_owned();
            *lines.entry((line, kind)).or_insert(0) += 1;
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
    let mut first = First::new(redactor);
    sinks::visit(conversation, &mut first);
    let digest = first.digest.value();
    let markers = first.values.markers();
    let search = first.values.search();
    let mut edits = first.edits;
    if !edits.is_empty() {
        let people: Vec<String> = first.people.into_iter().collect();
        let people = people_search(&people).filter(|_| redactor.wants.paths);
        let mut second = Second::new(edits, search.as_ref(), people);
        sinks::visit(conversation, &mut second);
        edits = second.edits;
    }
    let counts = edit(conversation, &edits, &markers);
    let plan = (edits.len() <= MOST_EDITED).then_some(Plan { digest, edits });
    Redactions {
        counts,
        markers,
        search,
        plan,
    }
}

/// The same for a conversation that is read once more, without looking again when it is still
/// what it was; `Some` when it is not.
pub(crate) fn again(
    conversation: &mut Conversation,
    redactor: &Redactor,
    before: &Redactions,
) -> Option<Redactions> {
    if !redactor.settings.any() {
        return None;
    }
    let mut digest = Digest::default();
    let plan = before.plan.as_ref().filter(|plan| {
        sinks::visit(conversation, &mut digest);
        digest.value() == plan.digest
    });
    let Some(plan) = plan else {
        return Some(self::conversation(conversation, redactor));
    };
    edit(conversation, &plan.edits, &before.markers);
    None
}

/// Edits, and counts what was masked, by kind.
fn edit(
    conversation: &mut Conversation,
    edits: &Edits,
    markers: &Markers,
) -> BTreeMap<String, u64> {
    if edits.is_empty() {
        return BTreeMap::new();
    }
    let mut last = Last::new(edits, markers);
    sinks::visit(conversation, &mut last);
    last.counts
}
