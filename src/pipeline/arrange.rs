//! Which conversations are shown, where, and how they are linked with each other.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use xxhash_rust::xxh3::Xxh3;

use crate::addresses::{conversation_folder, to_top};
use crate::error::{Problem, Severity};
use crate::figures::Clock;
use crate::html::SafeUrl;
use crate::model::{Conversation, Entry, Input, Notice, NoticeKind, Part, Timestamp};
use crate::pages::{self, Link, Place, Row};
use crate::source::Source;

/// What the other conversations must know of one.
pub(super) struct Known {
    /// The index of its source.
    pub(super) at: usize,
    /// The format's name.
    pub(super) format: &'static str,
    /// The name of its source, and the path under which problems name it.
    pub(super) name: String,
    path: String,
    /// The format's own id, else the file's name.
    id: String,
    /// What the index says of it.
    pub(super) row: Row,
    /// A hash of each entry: who said what, when. The fuller copy of a conversation is shown, and
    /// by them a resumed session is known.
    entries: Vec<u64>,
    /// A hash of each part of the entries, sorted: a reply that went on has all parts of what it
    /// was.
    said: Vec<u64>,
    /// The same of the last entry alone.
    last: Vec<u64>,
    /// When each entry began: of two that share a beginning, the one that went on first is the
    /// older.
    starts: Vec<Option<Timestamp>>,
}

/// Which conversation it is, in hashes and its id. Taken from what was read, before anything is
/// redacted: copies must be known as such whatever else was found in them.
pub(super) struct Identity {
    id: String,
    folder: String,
    entries: Vec<u64>,
    said: Vec<u64>,
    last: Vec<u64>,
}

impl Identity {
    /// The identity of a conversation that was read from `source`.
    pub(super) fn of(conversation: &Conversation, format: &'static str, source: &Source) -> Self {
        let id = match conversation.id.as_str() {
            "" => source.name(),
            id => id.to_owned(),
        };
        Self {
            folder: conversation_folder(format, conversation.start(), &id),
            entries: conversation.entries.iter().map(fingerprint).collect(),
            said: said(&conversation.entries),
            last: said(conversation.entries.last()),
            id,
        }
    }
}

impl Known {
    /// What is to be known of a conversation that was read from `source`, as it will be shown.
    pub(super) fn of(
        identity: Identity,
        conversation: &Conversation,
        format: &'static str,
        source: &Source,
    ) -> Self {
        let Identity {
            id,
            folder,
            entries,
            said,
            last,
        } = identity;
        Known {
            at: 0,
            format,
            name: source.name(),
            path: source.main.path.clone(),
            row: Row::of(conversation, folder),
            entries,
            said,
            last,
            starts: conversation.entries.iter().map(Entry::start).collect(),
            id,
        }
    }

    /// A conversation in its place that says only that it could not be drawn.
    pub(super) fn without_words(&self) -> Conversation {
        let what = "This conversation could not be drawn.";
        Conversation {
            id: self.id.clone(),
            title: Some(self.row.title.clone()),
            program: self.row.program.clone(),
            entries: vec![Entry::Notice(Notice::new(NoticeKind::Error, what))],
            ..Conversation::default()
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
        let key = |one: &Known| (one.format, Reverse((one.entries.len(), one.said.len())));
        (&a.id, key(a), &a.path).cmp(&(&b.id, key(b), &b.path))
    });
    let mut shown: Vec<Known> = Vec::new();
    for mut one in known {
        let is_same_id = |other: &&Known| other.format == one.format && other.id == one.id;
        let mut same = shown.iter().rev().take_while(is_same_id).peekable();
        let is_first = same.peek().is_none();
        if let Some(fuller) = same.find(|other| is_copy(&one, other)) {
            let what = format!(
                "the same conversation as {}, which has all of it",
                fuller.path
            );
            problems.push(Problem::new(Severity::Note, &one.path, what));
            continue;
        }
        if !is_first {
            one.row.folder = conversation_folder(one.format, one.row.start, &one.path);
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

/// Whether a conversation says nothing that a fuller one under the same id does not say. In that
/// its last reply may have gone on.
fn is_copy(one: &Known, fuller: &Known) -> bool {
    let entries: BTreeSet<u64> = fuller.entries.iter().copied().collect();
    let Some((last, before)) = one.entries.split_last() else {
        return true;
    };
    let is_said = |said: &u64| fuller.said.binary_search(said).is_ok();
    before.iter().all(|entry| entries.contains(entry))
        && (entries.contains(last) || !one.last.is_empty() && one.last.iter().all(is_said))
}

/// A hash of each part of these prompts and replies, with who said it and when, sorted.
fn said<'a>(entries: impl IntoIterator<Item = &'a Entry>) -> Vec<u64> {
    let mut said = Vec::new();
    for entry in entries {
        let (parts, kind) = match entry {
            Entry::Prompt(prompt) => (&prompt.parts, b"p"),
            Entry::Reply(reply) => (&reply.parts, b"r"),
            Entry::Notice(_) | Entry::Versions(_) => continue,
        };
        let start = format!("{:?}", entry.start());
        said.extend(parts.iter().map(|part| {
            let mut hash = Xxh3::new();
            hash.update(kind);
            hash.update(start.as_bytes());
            add_part(&mut hash, part);
            hash.digest()
        }));
    }
    said.sort_unstable();
    said
}

/// A hash of what an entry says. Only what a copy keeps goes into it: ids are given anew by some
/// programs when a session is resumed.
fn fingerprint(entry: &Entry) -> u64 {
    let mut said = Xxh3::new();
    said.update(format!("{:?}", entry.start()).as_bytes());
    let parts: &[Part] = match entry {
        Entry::Prompt(prompt) => &prompt.parts,
        Entry::Reply(reply) => &reply.parts,
        Entry::Notice(notice) => {
            said.update(notice.title.as_bytes());
            &[]
        }
        Entry::Versions(versions) => {
            for entry in versions.iter().flatten() {
                said.update(&fingerprint(entry).to_le_bytes());
            }
            &[]
        }
    };
    for part in parts {
        add_part(&mut said, part);
    }
    said.digest()
}

fn add_part(said: &mut Xxh3, part: &Part) {
    match part {
        Part::Text(text) => said.update(text.as_bytes()),
        Part::Reasoning(reasoning) => said.update(reasoning.text.as_bytes()),
        Part::Tool(call) => {
            said.update(call.name.as_bytes());
            if let Some(Input::Json(input) | Input::Text(input)) = &call.input {
                said.update(input.as_bytes());
            }
            if let Some(result) = &call.result {
                said.update(result.text.as_bytes());
            }
        }
        Part::Notice(notice) => said.update(notice.title.as_bytes()),
        Part::File(file) => said.update(file.name.as_bytes()),
        Part::Error { message, .. } => said.update(message.as_bytes()),
        Part::Image(_) => said.update(b"image"),
    }
    said.update(&[0]);
}

/// Where each conversation stands: its group, its neighbours, and the one that it continues.
pub(super) fn places(known: &[Known], clock: &Clock) -> Vec<Place> {
    let rows: Vec<&Row> = known.iter().map(|one| &one.row).collect();
    let groups = pages::group_addresses(&rows, clock);
    let newer = neighbours(known.iter().enumerate());
    let older = neighbours(known.iter().enumerate().rev());
    let starts = by_beginning(known);
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

/// Conversations by what they begin with.
fn by_beginning(known: &[Known]) -> HashMap<u64, Vec<usize>> {
    let mut starts: HashMap<u64, Vec<usize>> = HashMap::new();
    for (index, one) in known.iter().enumerate() {
        if let Some(first) = one.entries.first() {
            starts.entry(*first).or_default().push(index);
        }
    }
    starts
}

/// How many entries two conversations must have in common to be one and its continuation: a
/// prompt and a reply. Fewer may be chance.
const SHARED: usize = 2;

/// The conversation whose beginning this one repeats, with the number of entries repeated: the
/// one with the longest beginning in common that went on earlier, or not at all. Of two that went
/// on at one time, the one whose address sorts first is taken for the older.
fn resumed(
    known: &[Known],
    starts: &HashMap<u64, Vec<usize>>,
    index: usize,
) -> Option<(usize, usize)> {
    let one = &known[index];
    let mut best: Option<(usize, usize)> = None;
    for at in starts.get(one.entries.first()?)? {
        let other = &known[*at];
        // A conversation without times may begin like any other.
        let is_dated = one.row.start.is_some() && other.format == one.format;
        if *at == index || !is_dated {
            continue;
        }
        let pairs = one.entries.iter().zip(&other.entries);
        let shared = pairs.take_while(|(a, b)| a == b).count();
        // What has nothing of its own ended before the other went on.
        let went_on = |one: &Known| {
            let own = one.starts.get(shared);
            (
                own.is_some(),
                own.copied().flatten(),
                one.row.folder.clone(),
            )
        };
        let is_older = went_on(other) < went_on(one);
        if shared >= SHARED && is_older && best.is_none_or(|(_, most)| shared > most) {
            best = Some((*at, shared));
        }
    }
    best
}
