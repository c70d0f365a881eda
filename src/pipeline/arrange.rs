//! Which conversations are shown, where, and how they are linked with each other.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use xxhash_rust::xxh3::xxh3_64;

use crate::addresses::{conversation_folder, to_top};
use crate::error::{Problem, Severity};
use crate::figures::Clock;
use crate::html::SafeUrl;
use crate::model::{Conversation, Entry};
use crate::pages::{self, Link, Place, Row};
use crate::source::File;

/// What the other conversations must know of one.
pub(super) struct Known {
    /// The index of its source.
    pub(super) at: usize,
    /// The format's name.
    pub(super) format: &'static str,
    /// The name of its main file, and the path under which problems name it.
    pub(super) name: String,
    path: String,
    /// The format's own id, else the file's name.
    id: String,
    /// Whether the id is the format's own.
    is_named: bool,
    /// What the index says of it.
    pub(super) row: Row,
    /// How many entries it has: the fuller copy of a conversation is shown.
    entries: usize,
    /// The hashes of its prompts' ids, by which a resumed session is known, with their entries.
    prompts: Vec<(u64, usize)>,
}

impl Known {
    /// What is to be known of a conversation that was read from `file`.
    pub(super) fn of(conversation: &Conversation, format: &'static str, file: &File) -> Self {
        let id = if conversation.id.is_empty() {
            file.name.clone()
        } else {
            conversation.id.clone()
        };
        let folder = conversation_folder(format, conversation.start(), &id);
        let entries = conversation.entries.iter().enumerate();
        let prompts = entries.filter_map(|(index, entry)| match entry {
            Entry::Prompt(prompt) if !prompt.id.is_empty() => {
                Some((xxh3_64(prompt.id.as_bytes()), index))
            }
            _ => None,
        });
        Known {
            at: 0,
            format,
            name: file.name.clone(),
            path: file.path.clone(),
            row: Row::of(conversation, folder),
            entries: conversation.entries.len(),
            prompts: prompts.collect(),
            is_named: !conversation.id.is_empty(),
            id,
        }
    }

    /// The same, read from the source of this index.
    pub(super) fn read_from(self, at: usize) -> Self {
        Self { at, ..self }
    }
}

/// Settles which conversations are shown and under which address, in the order of the index:
/// newest first. The same conversation twice is shown once, the fuller copy; of two different
/// ones under one id the second has its address by its path.
pub(super) fn arrange(mut known: Vec<Known>, problems: &mut Vec<Problem>) -> Vec<Known> {
    known.sort_by(|a, b| {
        let key = |one: &Known| (one.format, Reverse(one.entries));
        (&a.id, key(a), &a.path).cmp(&(&b.id, key(b), &b.path))
    });
    let mut shown: Vec<Known> = Vec::new();
    for mut one in known {
        let same = shown
            .iter()
            .rev()
            .take_while(|other| other.format == one.format && other.id == one.id);
        if let Some(first) = same.last() {
            if is_copy(&one, first) {
                let what = format!(
                    "the same conversation as {}, which has all of it",
                    first.path
                );
                problems.push(Problem::new(Severity::Note, &one.path, what));
                continue;
            }
            one.row.folder = conversation_folder(one.format, one.row.start, &one.name);
        }
        shown.push(one);
    }
    let mut folders: BTreeMap<String, usize> = BTreeMap::new();
    for one in &mut shown {
        let nth = folders.entry(one.row.folder.clone()).or_default();
        *nth += 1;
        if *nth > 1 {
            one.row.folder = format!("{}-{nth}", one.row.folder);
        }
    }
    shown.sort_by(|a, b| (b.row.start, &a.row.folder).cmp(&(a.row.start, &b.row.folder)));
    shown
}

/// Whether a conversation says nothing that a fuller one under the same id does not say.
fn is_copy(one: &Known, fuller: &Known) -> bool {
    // Two files of one name, without an id in them, may be anything.
    (one.is_named || one.path == fuller.path)
        && one.is_named == fuller.is_named
        && one.row.start == fuller.row.start
        && one.row.title == fuller.row.title
        && one
            .prompts
            .iter()
            .all(|(id, _)| fuller.prompts.iter().any(|(other, _)| other == id))
}

/// Where each conversation stands: its group, its neighbours, and the one that it continues.
pub(super) fn places(known: &[Known], clock: &Clock) -> Vec<Place> {
    let rows: Vec<&Row> = known.iter().map(|one| &one.row).collect();
    let groups = pages::group_addresses(&rows, clock);
    let newer = neighbours(known.iter().enumerate());
    let older = neighbours(known.iter().enumerate().rev());
    let starts = by_first_prompt(known);
    let place = |(index, one): (usize, &Known)| {
        let top = to_top(&format!("{}/index.html", one.row.folder));
        let link = |other: usize| Link {
            url: SafeUrl::local(&format!("{top}{}/index.html", known[other].row.folder)),
            words: known[other].row.title.clone(),
        };
        Place {
            folder: one.row.folder.clone(),
            format: one.format,
            group: groups.get(one.row.group.as_str()).map(|address| Link {
                url: SafeUrl::local(&format!("{top}{address}")),
                words: pages::group_name(&one.row.group).to_owned(),
            }),
            newer: newer.get(&index).copied().map(link),
            older: older.get(&index).copied().map(link),
            resumes: resumed(known, &starts, index).map(|(other, entries)| (link(other), entries)),
        }
    };
    known.iter().enumerate().map(place).collect()
}

/// For each conversation the one of its group that comes before it in this order.
fn neighbours<'a>(order: impl Iterator<Item = (usize, &'a Known)>) -> HashMap<usize, usize> {
    let mut last: HashMap<&str, usize> = HashMap::new();
    let pairs = order.filter_map(|(index, one)| Some((index, last.insert(&one.row.group, index)?)));
    pairs.collect()
}

/// Conversations by the hash of their first prompt's id.
fn by_first_prompt(known: &[Known]) -> HashMap<u64, Vec<usize>> {
    let mut starts: HashMap<u64, Vec<usize>> = HashMap::new();
    for (index, one) in known.iter().enumerate() {
        if let Some((first, _)) = one.prompts.first() {
            starts.entry(*first).or_default().push(index);
        }
    }
    starts
}

/// The conversation whose beginning this one repeats, with the number of entries repeated: the
/// one with the longest beginning in common. The shorter history is the older one; of two of one
/// length, the one whose address sorts first.
fn resumed(
    known: &[Known],
    starts: &HashMap<u64, Vec<usize>>,
    index: usize,
) -> Option<(usize, usize)> {
    let one = &known[index];
    let (first, _) = one.prompts.first()?;
    let age = |one: &Known| (one.prompts.len(), one.row.folder.clone());
    let mut best: Option<(usize, usize)> = None;
    for at in starts.get(first)? {
        let other = &known[*at];
        if *at == index || other.format != one.format || age(other) >= age(one) {
            continue;
        }
        let shared = one
            .prompts
            .iter()
            .zip(&other.prompts)
            .take_while(|((a, _), (b, _))| a == b)
            .count();
        if best.is_none_or(|(_, most)| shared > most) {
            best = Some((*at, shared));
        }
    }
    let (other, shared) = best?;
    Some((
        other,
        one.prompts
            .get(shared)
            .map_or(one.entries, |(_, entry)| *entry),
    ))
}
