//! The order in which the messages of a tree are read: along the branch that is shown, with the
//! others folded where they left it.

use std::collections::HashMap;

use crate::formats::branches::{Counts, Link, Parent, Step, arrange};
use crate::formats::problems::Problems;
use crate::model::Entry;

/// One message of a chat.
#[derive(Clone, Debug, Default)]
pub(crate) struct Message {
    /// Its id; empty when it has none.
    pub(crate) id: String,
    /// The id of the message that it follows; `None` for the first.
    pub(crate) parent: Option<String>,
    /// What it is on a page.
    pub(crate) entries: Vec<Entry>,
}

/// The entries of a conversation. Of messages that follow the same one the last is read, unless
/// `shown`, the last message of the branch that the program showed, tells otherwise. Messages
/// none of which names another stand in their own order.
pub(crate) fn in_order(
    messages: Vec<Message>,
    shown: Option<&str>,
    problems: &mut Problems,
) -> Vec<Entry> {
    if messages.iter().all(|message| message.parent.is_none()) {
        return messages.into_iter().flat_map(|one| one.entries).collect();
    }
    let places: Vec<Place<'_>> = messages.iter().map(Message::place).collect();
    let steps = arranged(&places, shown, problems);
    let mut entries: Vec<Option<Vec<Entry>>> =
        messages.into_iter().map(|one| Some(one.entries)).collect();
    drawn(steps, &mut entries)
}

impl Message {
    fn place(&self) -> Place<'_> {
        Place {
            id: &self.id,
            parent: self.parent.as_deref(),
            counts: true,
        }
    }
}

/// Where a message stands among the others.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place<'a> {
    /// Its id; empty when it has none.
    pub(crate) id: &'a str,
    /// The id of the message that it follows; `None` for the first.
    pub(crate) parent: Option<&'a str>,
    /// Whether there is anything in it: what leads to nothing is no branch.
    pub(crate) counts: bool,
}

/// The order of messages, as their indices. Of those that follow the same one the last is read,
/// unless `shown`, the id of the last message of the branch that the program showed, tells
/// otherwise; the others are versions before it.
pub(crate) fn arranged(
    messages: &[Place<'_>],
    shown: Option<&str>,
    problems: &mut Problems,
) -> Vec<Step> {
    let parents = parents(messages);
    let mut order = depth_first(&parents, &is_shown(messages, shown, &parents));
    // Messages that follow each other in a circle are reached from nowhere.
    let mut reached = vec![false; messages.len()];
    order.iter().for_each(|at| reached[*at] = true);
    order.extend((0..messages.len()).filter(|at| !reached[*at]));
    // Where a message that is named is not in the file, the parts hang together by nothing but
    // their order: as roots of their own they would be versions of nothing.
    let links: Vec<Link<'_>> = order
        .iter()
        .enumerate()
        .map(|(place, at)| Link {
            line: place as u64 + 1,
            id: messages[*at].id,
            parent: messages[*at].parent.map_or(Parent::None, Parent::of),
            counts: messages[*at].counts,
        })
        .collect();
    let mut counts = Counts::default();
    let mut steps = arrange(&links, &mut counts, problems);
    counts.note(problems);
    by_index(&mut steps, &order);
    steps
}

/// Steps that name the places in an order, so that they name what stands there.
fn by_index(steps: &mut [Step], order: &[usize]) {
    for step in steps {
        match step {
            Step::Row(row) => *row = order[*row],
            Step::Versions(versions) => versions
                .iter_mut()
                .for_each(|version| by_index(version, order)),
        }
    }
}

fn drawn(steps: Vec<Step>, entries: &mut [Option<Vec<Entry>>]) -> Vec<Entry> {
    let mut all = Vec::new();
    for step in steps {
        match step {
            Step::Row(row) => all.extend(entries[row].take().into_iter().flatten()),
            Step::Versions(versions) => {
                let versions = versions.into_iter();
                let versions = versions.map(|steps| drawn(steps, entries));
                let versions: Vec<_> = versions.filter(|version| !version.is_empty()).collect();
                if !versions.is_empty() {
                    all.push(Entry::Versions(versions));
                }
            }
        }
    }
    all
}

/// The place of the message that each follows, if it is there.
fn parents(messages: &[Place<'_>]) -> Vec<Option<usize>> {
    let mut by_id: HashMap<&str, usize> = HashMap::new();
    for (at, message) in messages.iter().enumerate() {
        if !message.id.is_empty() {
            by_id.entry(message.id).or_insert(at);
        }
    }
    let parent = |(at, message): (usize, &Place<'_>)| {
        let parent = by_id.get(message.parent?).copied();
        parent.filter(|parent| *parent != at)
    };
    messages.iter().enumerate().map(parent).collect()
}

/// Which messages are on the way to the one that is shown last.
fn is_shown(messages: &[Place<'_>], shown: Option<&str>, parents: &[Option<usize>]) -> Vec<bool> {
    let mut on_the_way = vec![false; messages.len()];
    let mut at = shown.and_then(|id| messages.iter().position(|message| message.id == id));
    while let Some(place) = at
        && !on_the_way[place]
    {
        on_the_way[place] = true;
        at = parents[place];
    }
    on_the_way
}

/// The messages so that each stands behind the one that it follows, the shown ones last among
/// their siblings.
fn depth_first(parents: &[Option<usize>], is_shown: &[bool]) -> Vec<usize> {
    let mut followers: Vec<Vec<usize>> = vec![Vec::new(); parents.len()];
    let mut open: Vec<usize> = Vec::new();
    for (at, parent) in parents.iter().enumerate().rev() {
        match parent {
            Some(parent) => followers[*parent].push(at),
            None => open.push(at),
        }
    }
    // The last of a list is taken first.
    open.sort_by_key(|at| !is_shown[*at]);
    let mut order = Vec::with_capacity(parents.len());
    while let Some(at) = open.pop() {
        order.push(at);
        let mut next = std::mem::take(&mut followers[at]);
        next.sort_by_key(|at| !is_shown[*at]);
        open.extend(next);
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Notice, NoticeKind};
    use crate::source::File;

    /// The order of messages written as `id parent`.
    fn ordered(rows: &[&str], shown: Option<&str>) -> (String, usize) {
        let messages = rows.iter().map(|row| {
            let (id, parent) = row.split_once(' ').unwrap_or((row, ""));
            Message {
                id: id.to_owned(),
                parent: Some(parent.to_owned()).filter(|parent| !parent.is_empty()),
                entries: vec![Entry::Notice(Notice::new(NoticeKind::Info, id))],
            }
        });
        let file = File::in_memory("f".into(), "f".into(), Vec::new());
        let mut problems = Problems::of(&file);
        let entries = in_order(messages.collect(), shown, &mut problems);
        (written(&entries), problems.into_vec().len())
    }

    fn written(entries: &[Entry]) -> String {
        let words: Vec<String> = entries
            .iter()
            .map(|entry| match entry {
                Entry::Notice(notice) => notice.title.clone(),
                Entry::Versions(versions) => {
                    let versions: Vec<_> = versions.iter().map(|one| written(one)).collect();
                    format!("({})", versions.join(" | "))
                }
                other => panic!("nothing else was put in: {other:?}"),
            })
            .collect();
        words.join(" ")
    }

    #[test]
    fn the_shown_branch_is_read_and_the_others_are_folded_at_the_fork() {
        let rows = ["a", "b a", "c b", "b2 a", "c2 b2"];
        assert_eq!(ordered(&rows, None).0, "a (b c) b2 c2");
        assert_eq!(ordered(&rows, Some("c")).0, "a (b2 c2) b c");
        assert_eq!(ordered(&rows, Some("gone")).0, "a (b c) b2 c2");
    }

    #[test]
    fn messages_may_stand_before_the_one_that_they_follow() {
        assert_eq!(ordered(&["c b", "b a", "a"], None).0, "a b c");
    }

    #[test]
    fn messages_without_links_keep_their_order() {
        assert_eq!(
            ordered(&["a", "b", "c"], Some("a")),
            ("a b c".to_owned(), 0)
        );
    }

    #[test]
    fn circles_and_missing_ones_lose_nothing() {
        let (order, problems) = ordered(&["a c", "b a", "c b", "d x"], None);
        let mut ids: Vec<&str> = order.split(' ').collect();
        ids.sort_unstable();
        assert_eq!((ids, problems), (vec!["a", "b", "c", "d"], 2));
    }

    #[test]
    fn long_chains_end() {
        let rows: Vec<String> = (0..20_000).map(|n| format!("m{} m{n}", n + 1)).collect();
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        assert!(ordered(&rows, None).0.ends_with("m20000"));
    }
}
