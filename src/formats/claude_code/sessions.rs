//! The sessions that a file's records name: mostly one.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::formats::problems::Problems;

use super::transcript::name;

/// Session ids, each with the number of its records and its place among them.
#[derive(Debug, Default)]
pub(super) struct Sessions {
    counts: BTreeMap<String, (u64, Reverse<usize>)>,
}

impl Sessions {
    /// Counts a record of this session.
    pub(super) fn add(&mut self, id: &str) {
        match self.counts.get_mut(id) {
            Some((count, _)) => *count += 1,
            None => {
                let order = Reverse(self.counts.len());
                self.counts.insert(id.to_owned(), (1, order));
            }
        }
    }

    /// Whether a record names this session.
    pub(super) fn has(&self, id: &str) -> bool {
        self.counts.contains_key(id)
    }

    /// The id that most records name, of several the first.
    pub(super) fn most(&self) -> Option<&str> {
        let most = self.counts.iter().max_by_key(|(_, rank)| **rank);
        most.map(|(id, _)| id.as_str())
    }

    /// Says when there are several.
    pub(super) fn note(&self, problems: &mut Problems) {
        if self.counts.len() < 2 {
            return;
        }
        let ids: Vec<String> = self.counts.keys().take(5).map(|id| name(id)).collect();
        let count = self.counts.len();
        let what = format!("{count} session ids in one file: {}", ids.join(", "));
        problems.note(None, what);
    }
}
