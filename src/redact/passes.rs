//! The ways through a conversation: find and number what gives itself away, find the same values
//! and people again where nothing gives them away, then edit.

use std::collections::{BTreeMap, BTreeSet};
use std::iter::Peekable;

use xxhash_rust::xxh3::Xxh3;

use crate::model::Conversation;

use super::Redactor;
use super::edits::{Edit, To, edited, is_inside_string, number, settled};
use super::people::People;
use super::scan::HOME;
use super::sinks::{Place, Visit};
use super::values::{Markers, Search, Values};

/// The edits of every text that has any, by the text's place in the conversation.
pub(super) type Edits = Vec<(usize, Vec<Edit>)>;

/// Knows a conversation again by all of its texts.
#[derive(Default)]
pub(super) struct Digest(Xxh3);

impl Digest {
    fn see(&mut self, text: &str) {
        self.0.update(&text.len().to_le_bytes());
        self.0.update(text.as_bytes());
    }

    /// The hash of what was seen.
    pub(super) fn value(&self) -> u128 {
        self.0.digest128()
    }
}

impl Visit for Digest {
    fn text(&mut self, text: &mut String, _: Place) {
        self.see(text);
    }

    fn enter(&mut self) {}

    fn leave(&mut self, _: &mut Conversation) {}
}

/// The first way: finds and numbers.
pub(super) struct First<'r> {
    redactor: &'r Redactor,
    /// What was found.
    pub(super) values: Values<'r>,
    /// Whose home folders were seen.
    pub(super) people: BTreeSet<String>,
    /// What is to be done, as far as it gave itself away.
    pub(super) edits: Edits,
    /// By what the conversation is known again.
    pub(super) digest: Digest,
    sink: usize,
}

impl<'r> First<'r> {
    /// Nothing is found yet.
    pub(super) fn new(redactor: &'r Redactor) -> Self {
        Self {
            redactor,
            values: Values::default(),
            people: BTreeSet::new(),
            edits: Vec::new(),
            digest: Digest::default(),
            sink: 0,
        }
    }
}

impl Visit for First<'_> {
    fn wants_holding(&self) -> bool {
        true
    }

    fn text(&mut self, text: &mut String, place: Place) {
        let sink = self.sink;
        self.sink += 1;
        self.digest.see(text);
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

/// The second way: finds the same values and people again, and settles what is to be done.
pub(super) struct Second<'a> {
    search: Option<&'a Search>,
    people: Option<People>,
    found: Peekable<std::vec::IntoIter<(usize, Vec<Edit>)>>,
    /// What is to be done.
    pub(super) edits: Edits,
    sink: usize,
}

impl<'a> Second<'a> {
    /// Goes on from what the first way found.
    pub(super) fn new(found: Edits, search: Option<&'a Search>, people: Option<People>) -> Self {
        Self {
            search,
            people,
            found: found.into_iter().peekable(),
            edits: Vec::new(),
            sink: 0,
        }
    }
}

impl Visit for Second<'_> {
    fn text(&mut self, text: &mut String, place: Place) {
        let sink = self.sink;
        self.sink += 1;
        let own = self.found.next_if(|(at, _)| *at == sink);
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
        if let Some(people) = &self.people {
            edits.extend(people.find(text));
        }
        if !edits.is_empty() {
            self.edits.push((sink, settled(edits)));
        }
    }

    fn enter(&mut self) {}

    fn leave(&mut self, _: &mut Conversation) {}
}

/// The last way: edits, and counts what was masked.
pub(super) struct Last<'a> {
    edits: Peekable<std::slice::Iter<'a, (usize, Vec<Edit>)>>,
    markers: &'a Markers,
    /// How many places were masked, by kind.
    pub(super) counts: BTreeMap<String, u64>,
    sink: usize,
    /// How many places were masked, for each conversation that has begun and not ended.
    masked: Vec<u64>,
}

impl<'a> Last<'a> {
    /// Does these edits.
    pub(super) fn new(edits: &'a [(usize, Vec<Edit>)], markers: &'a Markers) -> Self {
        Self {
            edits: edits.iter().peekable(),
            markers,
            counts: BTreeMap::new(),
            sink: 0,
            masked: Vec::new(),
        }
    }
}

impl Visit for Last<'_> {
    fn text(&mut self, text: &mut String, _: Place) {
        let sink = self.sink;
        self.sink += 1;
        let Some((_, edits)) = self.edits.next_if(|(at, _)| *at == sink) else {
            return;
        };
        for edit in edits {
            if let To::Marker { value, .. } = edit.to {
                let kind = self.markers.kind(value).to_owned();
                *self.counts.entry(kind).or_insert(0) += 1;
                if let Some(masked) = self.masked.last_mut() {
                    *masked += 1;
                }
            }
        }
        *text = edited(text, edits, self.markers);
    }

    fn enter(&mut self) {
        self.masked.push(0);
    }

    fn leave(&mut self, conversation: &mut Conversation) {
        let masked = self.masked.pop().unwrap_or(0);
        if let Some(parent) = self.masked.last_mut() {
            *parent += masked;
        }
        conversation.redactions = masked;
    }
}
