//! How a conversation is cut into pages: by the weight that its parts will have as HTML, known
//! before anything is drawn, so that pages can be drawn one by one and in parallel.

use std::collections::BTreeMap;

use crate::addresses::{agent_file, page_file};
use crate::model::{Anchor, Conversation, Entry, Part};

use super::weights::{Scale, weigh, weights};

/// A place in a conversation: an entry, and a part of it when it is a reply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Cut {
    /// The index of the entry.
    pub(crate) entry: usize,
    /// The index of the part in a reply; 0 for other entries.
    pub(crate) part: usize,
}

/// All pages of a conversation and of those subagents that have pages of their own.
#[derive(Debug)]
pub(crate) struct Plan<'a> {
    /// The pages, the conversation's first.
    pub(crate) pages: Vec<PagePlan<'a>>,
    /// The pages of subagents too big to stand where they were called, by their anchor.
    pub(crate) agents: BTreeMap<Anchor, String>,
}

/// One page to be drawn.
#[derive(Clone, Debug)]
pub(crate) struct PagePlan<'a> {
    /// The conversation that is on it.
    pub(crate) conversation: &'a Conversation,
    /// Its file, relative to the conversation's folder.
    pub(crate) file: String,
    /// Its number, from 1, among the pages of its conversation.
    pub(crate) number: usize,
    /// Where each page of its conversation begins.
    pub(crate) cuts: Vec<Cut>,
    /// For a subagent: the page that leads to it.
    pub(crate) parent_file: Option<String>,
    /// For a subagent: which it is, and the call that started it, if one did.
    pub(crate) parent: Option<Parent>,
}

/// Where a subagent with pages of its own belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Parent {
    /// The subagent's own anchor, by which its pages are named.
    agent: Anchor,
    /// The call that started it.
    pub(super) call: Option<Anchor>,
}

impl PagePlan<'_> {
    /// Where the page begins.
    pub(crate) fn start(&self) -> Cut {
        self.cuts[self.number - 1]
    }

    /// Where the next page begins; `None` on the last.
    pub(crate) fn end(&self) -> Option<Cut> {
        self.cuts.get(self.number).copied()
    }

    /// How many pages the conversation has.
    pub(crate) fn of(&self) -> usize {
        self.cuts.len()
    }

    /// The file of another page of the same conversation.
    pub(crate) fn sibling(&self, number: usize) -> String {
        match &self.parent {
            Some(parent) => agent_file(parent.agent, number),
            None => page_file(number),
        }
    }

    /// The number of the page that a place is on.
    pub(crate) fn page_of(&self, cut: Cut) -> usize {
        self.cuts.partition_point(|start| *start <= cut).max(1)
    }
}

/// Plans the pages of a conversation for a budget of bytes a page.
pub(crate) fn plan(conversation: &Conversation, budget: usize) -> Plan<'_> {
    let scale = Scale::of_page(budget);
    let mut plan = Plan {
        pages: Vec::new(),
        agents: BTreeMap::new(),
    };
    add_pages(conversation, None, budget, &scale, &mut plan);
    plan
}

/// A subagent that has pages of its own: the call that started it, and the number of the page
/// that leads to it.
struct Apart<'a> {
    child: &'a Conversation,
    call: Option<Anchor>,
    page: usize,
}

fn add_pages<'a>(
    conversation: &'a Conversation,
    parent: Option<(String, Parent)>,
    budget: usize,
    scale: &Scale,
    plan: &mut Plan<'a>,
) {
    let mut cuts = vec![Cut::default()];
    let mut weight = 0;
    let mut apart = Vec::new();
    for (entry, found) in conversation.entries.iter().enumerate() {
        for (part, weighed) in weights(found, scale).into_iter().enumerate() {
            if weight > 0 && weight + weighed > budget {
                cuts.push(Cut { entry, part });
                weight = 0;
            }
            weight += weighed;
            match found {
                Entry::Reply(reply) => {
                    let parts = reply.parts.get(part..=part).unwrap_or_default();
                    in_parts(parts, cuts.len(), scale, &mut apart);
                }
                found => in_entries(std::slice::from_ref(found), cuts.len(), scale, &mut apart),
            }
        }
    }
    for child in &conversation.children {
        let weighed = weigh(child, scale);
        // Subagents that no call started stand at the end of the last page, while there is room.
        if weighed > scale.agent || weight + weighed > budget {
            let page = cuts.len();
            apart.push(Apart {
                child,
                call: None,
                page,
            });
        } else {
            weight += weighed;
            in_conversation(child, cuts.len(), scale, &mut apart);
        }
    }
    let first = PagePlan {
        conversation,
        file: String::new(),
        number: 1,
        cuts,
        parent_file: parent.as_ref().map(|(file, _)| file.clone()),
        parent: parent.map(|(_, parent)| parent),
    };
    for number in 1..=first.of() {
        plan.pages.push(PagePlan {
            file: first.sibling(number),
            number,
            ..first.clone()
        });
    }
    for Apart { child, call, page } in apart {
        let agent = child.anchor;
        plan.agents.insert(agent, agent_file(agent, 1));
        let parent = (first.sibling(page), Parent { agent, call });
        add_pages(child, Some(parent), budget, scale, plan);
    }
}

/// Finds the subagents below some parts that are too heavy to stand in their cards, at every
/// depth; below these nothing is looked for, since their own pages are planned for themselves.
fn in_parts<'a>(parts: &'a [Part], page: usize, scale: &Scale, apart: &mut Vec<Apart<'a>>) {
    for part in parts {
        let Part::Tool(call) = part else { continue };
        let Some(child) = call.child.as_deref() else {
            continue;
        };
        if weigh(child, scale) > scale.agent {
            let call = Some(call.anchor);
            apart.push(Apart { child, call, page });
        } else {
            in_conversation(child, page, scale, apart);
        }
    }
}

fn in_entries<'a>(entries: &'a [Entry], page: usize, scale: &Scale, apart: &mut Vec<Apart<'a>>) {
    for entry in entries {
        match entry {
            Entry::Reply(reply) => in_parts(&reply.parts, page, scale, apart),
            Entry::Versions(versions) => {
                for entries in versions {
                    in_entries(entries, page, scale, apart);
                }
            }
            Entry::Prompt(_) | Entry::Notice(_) => {}
        }
    }
}

fn in_conversation<'a>(
    conversation: &'a Conversation,
    page: usize,
    scale: &Scale,
    apart: &mut Vec<Apart<'a>>,
) {
    in_entries(&conversation.entries, page, scale, apart);
    for child in &conversation.children {
        if weigh(child, scale) > scale.agent {
            apart.push(Apart {
                child,
                call: None,
                page,
            });
        } else {
            in_conversation(child, page, scale, apart);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Reply, ReplyStatus, ToolCall};

    fn reply(parts: usize, bytes: usize) -> Entry {
        let parts = (0..parts).map(|_| Part::Text("x".repeat(bytes))).collect();
        Entry::Reply(Reply {
            parts,
            status: ReplyStatus::Complete,
            ..Reply::default()
        })
    }

    #[test]
    fn a_long_reply_is_cut_between_its_parts() {
        let conversation = Conversation {
            entries: vec![reply(30, 10_000)],
            ..Conversation::default()
        };
        let plan = plan(&conversation, 100_000);
        assert_eq!(plan.pages.len(), 5);
        assert_eq!(plan.pages[0].file, "index.html");
        assert_eq!(plan.pages[4].file, "page-5.html");
        assert_eq!(plan.pages[1].start(), Cut { entry: 0, part: 7 });
        assert_eq!(plan.pages[0].page_of(Cut { entry: 0, part: 8 }), 2);
    }

    #[test]
    fn a_part_heavier_than_the_budget_has_a_page_to_itself() {
        let conversation = Conversation {
            entries: vec![reply(1, 10), reply(1, 500_000), reply(1, 10)],
            ..Conversation::default()
        };
        assert_eq!(plan(&conversation, 100_000).pages.len(), 3);
    }

    #[test]
    fn an_empty_conversation_has_one_page() {
        assert_eq!(plan(&Conversation::default(), 1_000).pages.len(), 1);
    }

    fn calling(child: Conversation, call: Anchor) -> Entry {
        let call = ToolCall {
            anchor: call,
            child: Some(Box::new(child)),
            ..ToolCall::default()
        };
        let parts = vec![Part::Tool(Box::new(call))];
        Entry::Reply(Reply {
            parts,
            ..Reply::default()
        })
    }

    fn heavy(anchor: Anchor) -> Conversation {
        Conversation {
            anchor,
            entries: vec![reply(3, 20_000)],
            ..Conversation::default()
        }
    }

    #[test]
    fn a_heavy_subagent_has_a_page_of_its_own() {
        let [agent, call] = [7, 8].map(|hash| Anchor { hash, nth: 1 });
        let conversation = Conversation {
            entries: vec![calling(heavy(agent), call)],
            ..Conversation::default()
        };
        let plan = plan(&conversation, 100_000);
        assert_eq!(plan.pages.len(), 2);
        assert_eq!(plan.agents[&agent], "agent-00000007.html");
        assert_eq!(plan.pages[1].parent_file.as_deref(), Some("index.html"));
        let parent = plan.pages[1].parent.expect("it is a subagent's");
        assert_eq!(parent.call, Some(call));
    }

    #[test]
    fn heavy_subagents_are_found_in_light_ones_in_branches_and_at_the_end() {
        let [a, b, c, call] = [1, 2, 3, 4].map(|hash| Anchor { hash, nth: 1 });
        let light = Conversation {
            entries: vec![calling(heavy(a), call)],
            ..Conversation::default()
        };
        let conversation = Conversation {
            entries: vec![
                calling(light, call),
                Entry::Versions(vec![vec![calling(heavy(b), call)]]),
            ],
            children: vec![heavy(c)],
            ..Conversation::default()
        };
        let plan = plan(&conversation, 100_000);
        assert_eq!(plan.agents.len(), 3);
        assert_eq!(plan.pages.len(), 4);
    }
}
