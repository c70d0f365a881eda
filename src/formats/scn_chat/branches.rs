//! Which messages are read in which order. Each names the one that it follows; where several
//! follow the same (a prompt was edited, a reply made again) the newest is read, and the others
//! stand folded before it.

use std::collections::BTreeMap;

use super::message::Message;
use crate::formats::problems::Problems;
use crate::model::Entry;

/// How deep branches are folded within branches. Deeper ones follow each other unfolded, so that
/// no file can make a page too deep to be drawn.
const DEPTH: u32 = 24;

/// The entries of a conversation. `gaps` are what stands for lines that could not be read, each
/// with the number of messages before it in the file.
pub(super) fn in_order(
    messages: Vec<Message>,
    gaps: Vec<(usize, Entry)>,
    problems: &mut Problems,
) -> Vec<Entry> {
    let messages = once_each(messages, problems);
    let links = links(&messages);
    if links.iter().all(|link| *link == Link::First) {
        return lined_up(messages, gaps);
    }
    let mut tree = Tree::of(messages, &links);
    let mut entries = Vec::new();
    for group in tree.beginnings(&links) {
        entries.extend(tree.follow(group, 0));
    }
    // Messages that follow each other in a circle have no beginning: the first in the file is it.
    let mut circles = false;
    for (first, link) in links.iter().enumerate() {
        if tree.messages[first].is_none() {
            continue;
        }
        if let Link::After(parent) = link {
            tree.followers[*parent].retain(|follower| *follower != first);
        }
        entries.extend(tree.follow(vec![first], 0));
        circles = true;
    }
    if circles {
        problems.note(None, "messages follow each other in a circle");
    }
    entries.extend(gaps.into_iter().map(|(_, entry)| entry));
    entries
}

/// The messages without those that stand twice under one key with the same words.
fn once_each(messages: Vec<Message>, problems: &mut Problems) -> Vec<Message> {
    let mut by_key: BTreeMap<String, usize> = BTreeMap::new();
    let mut kept: Vec<Message> = Vec::with_capacity(messages.len());
    for message in messages {
        if message.key.is_empty() {
            kept.push(message);
            continue;
        }
        match by_key.get(&message.key) {
            Some(&earlier) if kept[earlier].entry == message.entry => {
                problems.note(None, format!("message {} stands twice", message.key));
            }
            _ => {
                by_key.entry(message.key.clone()).or_insert(kept.len());
                kept.push(message);
            }
        }
    }
    kept
}

/// What a message follows.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Link {
    /// Nothing: it is the first.
    First,
    /// The message of this number in the file.
    After(usize),
    /// A message that is not in the file.
    Gone(String),
}

fn links(messages: &[Message]) -> Vec<Link> {
    let mut by_key = BTreeMap::new();
    for (index, message) in messages.iter().enumerate() {
        if !message.key.is_empty() {
            by_key.entry(message.key.as_str()).or_insert(index);
        }
    }
    let link = |(index, message): (usize, &Message)| {
        let found = |key: &str| by_key.get(key).copied().filter(|parent| *parent != index);
        match &message.parent {
            Some(parent) => found(parent).map_or_else(|| Link::Gone(parent.clone()), Link::After),
            // The key of a reply begins with that of its prompt.
            None => attempt(&message.key)
                .and_then(|(prompt, _)| found(prompt))
                .map_or(Link::First, Link::After),
        }
    };
    messages.iter().enumerate().map(link).collect()
}

/// The prompt's key and the number of the attempt that a reply's key is made of.
fn attempt(key: &str) -> Option<(&str, u64)> {
    let (prompt, attempt) = key.rsplit_once(".r")?;
    Some((prompt, attempt.parse().ok()?))
}

/// Messages that say nothing of each other, by their times; lines that could not be read keep
/// their place in the file, if the messages do.
fn lined_up(messages: Vec<Message>, gaps: Vec<(usize, Entry)>) -> Vec<Entry> {
    let mut last = None;
    let mut rows: Vec<_> = messages
        .into_iter()
        .map(|message| {
            // A message without a time stays behind the one that it follows in the file.
            last = message.created.or(last);
            (last, message.entry)
        })
        .collect();
    let sorted = rows.is_sorted_by_key(|(time, _)| *time);
    rows.sort_by_key(|(time, _)| *time);
    let count = rows.len();
    let mut gaps = gaps.into_iter().peekable();
    let mut entries = Vec::with_capacity(count);
    for (index, (_, entry)) in rows.into_iter().enumerate() {
        while sorted && gaps.peek().is_some_and(|(before, _)| *before <= index) {
            entries.extend(gaps.next().map(|(_, gap)| gap));
        }
        entries.push(entry);
    }
    entries.extend(gaps.map(|(_, gap)| gap));
    entries
}

/// Messages by what follows what. Each is taken out once.
struct Tree {
    messages: Vec<Option<Message>>,
    /// For each message those that follow it.
    followers: Vec<Vec<usize>>,
    /// For each message its place by age, the oldest first.
    age: Vec<usize>,
    /// Whether any message names the one that it follows.
    linked: bool,
}

impl Tree {
    fn of(messages: Vec<Message>, links: &[Link]) -> Self {
        let mut last = None;
        let mut by_age = Vec::with_capacity(messages.len());
        for (index, message) in messages.iter().enumerate() {
            last = message.created.or(last);
            by_age.push((
                last,
                attempt(&message.key).map(|(_, attempt)| attempt),
                index,
            ));
        }
        by_age.sort_unstable();
        let mut age = vec![0; messages.len()];
        let mut followers = vec![Vec::new(); messages.len()];
        for (place, (_, _, index)) in by_age.into_iter().enumerate() {
            age[index] = place;
            if let Link::After(parent) = links[index] {
                followers[parent].push(index);
            }
        }
        Tree {
            linked: messages.iter().any(|message| message.parent.is_some()),
            messages: messages.into_iter().map(Some).collect(),
            followers,
            age,
        }
    }

    /// Messages that follow nothing in the file, by age: those that follow the same one together.
    /// First messages are versions of each other only where messages name what they follow.
    fn beginnings(&self, links: &[Link]) -> Vec<Vec<usize>> {
        let mut groups: BTreeMap<(&Link, usize), Vec<usize>> = BTreeMap::new();
        for (index, link) in links.iter().enumerate() {
            match link {
                Link::After(_) => continue,
                Link::First if !self.linked => groups.entry((link, index)),
                _ => groups.entry((link, 0)),
            }
            .or_default()
            .push(index);
        }
        let mut groups: Vec<_> = groups.into_values().collect();
        groups.sort_by_key(|group| group.iter().map(|index| self.age[*index]).min());
        groups
    }

    /// The newest of these and what follows it, with the others as versions.
    fn follow(&mut self, mut siblings: Vec<usize>, depth: u32) -> Vec<Entry> {
        let mut entries = Vec::new();
        loop {
            siblings.sort_by_key(|index| self.age[*index]);
            let Some(newest) = siblings.pop() else {
                return entries;
            };
            if !siblings.is_empty() {
                let version = |other| match depth {
                    DEPTH.. => self.flat(other),
                    _ => self.follow(vec![other], depth + 1),
                };
                entries.push(Entry::Versions(siblings.into_iter().map(version).collect()));
            }
            entries.extend(self.take(newest));
            siblings = std::mem::take(&mut self.followers[newest]);
        }
    }

    /// A message and all that follows it, one after the other.
    fn flat(&mut self, first: usize) -> Vec<Entry> {
        let mut entries = Vec::new();
        let mut open = vec![first];
        while let Some(index) = open.pop() {
            entries.extend(self.take(index));
            // The oldest comes next: it is the last to be put on.
            open.extend(std::mem::take(&mut self.followers[index]).into_iter().rev());
        }
        entries
    }

    fn take(&mut self, index: usize) -> Option<Entry> {
        self.messages[index].take().map(|message| message.entry)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::model::{Prompt, Timestamp};
    use crate::source::File;

    fn keys(entries: &[Entry], depth: u32, into: &mut Vec<String>) {
        assert!(depth <= DEPTH + 1, "branches nest without end");
        for entry in entries {
            match entry {
                Entry::Prompt(prompt) => into.push(prompt.id.clone()),
                Entry::Versions(versions) => {
                    for version in versions {
                        keys(version, depth + 1, into);
                    }
                }
                other => panic!("nothing else was put in: {other:?}"),
            }
        }
    }

    proptest! {
        #[test]
        fn every_message_stands_once_whatever_it_says_it_follows(
            links in proptest::collection::vec((0_usize..60, 0_i64..5), 0..60)
        ) {
            let message = |(index, (parent, second)): (usize, &(usize, i64))| Message {
                key: format!("k{index}"),
                // Some are among the messages, some are not; some are the message itself.
                parent: (*parent > 0).then(|| format!("k{parent}")),
                created: Timestamp::from_second(*second).ok().filter(|_| *second > 0),
                entry: Entry::Prompt(Prompt {
                    id: format!("k{index}"),
                    ..Prompt::default()
                }),
            };
            let messages = links.iter().enumerate().map(message).collect();
            let file = File::in_memory("f".into(), "f".into(), Vec::new());
            let entries = in_order(messages, Vec::new(), &mut Problems::of(&file));
            let mut found = Vec::new();
            keys(&entries, 0, &mut found);
            found.sort();
            let mut expected: Vec<_> = (0..links.len()).map(|index| format!("k{index}")).collect();
            expected.sort();
            prop_assert_eq!(found, expected);
        }
    }
}
