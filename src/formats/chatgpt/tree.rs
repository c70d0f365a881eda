//! The tree of messages: its nodes, the branch that the program showed, and their order.

use std::collections::{BTreeMap, BTreeSet};

use crate::formats::records::{Json, Object, text};

/// A node: a place in the tree, mostly with a message.
#[derive(Debug)]
pub(super) struct Node<'a> {
    /// The key under which it stands.
    pub(super) id: String,
    /// The node that it follows.
    pub(super) parent: Option<String>,
    /// The message, when there is one.
    pub(super) message: Option<Object<'a>>,
}

/// The nodes of a conversation, those that follow the same one in the order in which they were
/// made.
pub(super) fn nodes<'a>(mapping: &Object<'a>) -> Vec<Node<'a>> {
    // Where a node stands among those that follow the same one, and which that is.
    let mut places: BTreeMap<String, (usize, String)> = BTreeMap::new();
    let objects: Vec<(&str, Object<'a>)> = mapping
        .entries()
        .filter_map(|(id, node)| Some((id, Object::of(node)?)))
        .collect();
    for (id, node) in &objects {
        let children = node.items("children").into_iter();
        let children = children.filter_map(text);
        for (place, child) in children.enumerate() {
            let above = || (place, (*id).to_owned());
            places.entry(child.into_owned()).or_insert_with(above);
        }
    }
    let mut nodes: Vec<(usize, Node<'a>)> = Vec::with_capacity(objects.len());
    for (id, node) in objects {
        let known = places.get(id);
        let parent = node
            .words("parent")
            // Some tools keep the links in one direction only.
            .or_else(|| known.map(|(_, above)| above.clone()));
        let node = Node {
            id: id.to_owned(),
            parent,
            message: node.object("message"),
        };
        nodes.push((known.map_or(0, |(place, _)| *place), node));
    }
    nodes.sort_by_key(|(place, _)| *place);
    nodes.into_iter().map(|(_, node)| node).collect()
}

/// The node at the end of the branch that the program showed: as the conversation says, else the
/// newest that nothing follows. None where the nodes do not hang together: their order is all
/// that there is.
pub(super) fn shown(nodes: &[Node<'_>], current: Option<String>) -> Option<String> {
    if nodes.iter().all(|node| node.parent.is_none()) {
        return None;
    }
    let is_there = |id: &String| nodes.iter().any(|node| node.id == *id);
    if let Some(current) = current.filter(is_there) {
        return Some(current);
    }
    let parents: BTreeSet<&str> = nodes
        .iter()
        .filter_map(|node| node.parent.as_deref())
        .collect();
    let leaves = nodes
        .iter()
        .filter(|node| node.message.is_some() && !parents.contains(node.id.as_str()));
    let newest = leaves.max_by_key(|node| {
        let message = node.message.as_ref();
        message
            .and_then(|message| message.get("create_time"))
            .and_then(thousandths)
    });
    newest.map(|node| node.id.clone())
}

/// A number of seconds in thousandths, to be compared.
fn thousandths(seconds: Json<'_>) -> Option<u64> {
    let number = seconds.get().trim_matches('"').parse::<f64>().ok()?;
    (0.0..1e13)
        .contains(&number)
        .then_some((number * 1e3) as u64)
}
