//! How a conversation is cut into pages: by the weight that its parts will have as HTML, known
//! before anything is drawn, so that pages can be drawn one by one and in parallel.

use std::collections::BTreeMap;

use crate::addresses::{agent_file, page_file};
use crate::model::{Anchor, Conversation, Entry, ImageData, Input, Notice, Part, Prompt, ToolCall};
use crate::tools::Limits;

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
    /// The pages of subagents too big to stand in their card, by their call's anchor.
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
    /// For a subagent: the page and anchor of the call that started it.
    pub(crate) parent: Option<(String, Anchor)>,
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
            Some((_, anchor)) => agent_file(*anchor, number),
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
    let scale = Scale {
        limits: Limits::of_page(budget),
        agent: budget / 4,
    };
    let mut plan = Plan {
        pages: Vec::new(),
        agents: BTreeMap::new(),
    };
    add_pages(conversation, None, budget, &scale, &mut plan);
    plan
}

/// What weights are measured against.
struct Scale {
    limits: Limits,
    /// Subagents heavier than this have pages of their own.
    agent: usize,
}

fn add_pages<'a>(
    conversation: &'a Conversation,
    parent: Option<(String, Anchor)>,
    budget: usize,
    scale: &Scale,
    plan: &mut Plan<'a>,
) {
    let mut cuts = vec![Cut::default()];
    let mut weight = 0;
    let mut apart: Vec<(&ToolCall, &Conversation, usize)> = Vec::new();
    for (entry, found) in conversation.entries.iter().enumerate() {
        let parts: &[Part] = if let Entry::Reply(reply) = found {
            &reply.parts
        } else {
            &[]
        };
        for (part, weighed) in weights(found, parts, scale).into_iter().enumerate() {
            if weight > 0 && weight + weighed > budget {
                cuts.push(Cut { entry, part });
                weight = 0;
            }
            weight += weighed;
            if let Some(Part::Tool(call)) = parts.get(part)
                && let Some(child) = &call.child
                && weigh(child, scale) > scale.agent
            {
                apart.push((call, child, cuts.len()));
            }
        }
    }
    let pages = cuts.len();
    let first = PagePlan {
        conversation,
        file: String::new(),
        number: 1,
        cuts,
        parent,
    };
    for number in 1..=pages {
        plan.pages.push(PagePlan {
            file: first.sibling(number),
            number,
            ..first.clone()
        });
    }
    for (call, child, page) in apart {
        plan.agents.insert(call.anchor, agent_file(call.anchor, 1));
        add_pages(
            child,
            Some((first.sibling(page), call.anchor)),
            budget,
            scale,
            plan,
        );
    }
}

/// The weight of each part of an entry; one weight when it has no parts.
fn weights(entry: &Entry, parts: &[Part], scale: &Scale) -> Vec<usize> {
    match entry {
        Entry::Prompt(prompt) => vec![weigh_prompt(prompt, scale)],
        Entry::Reply(_) if parts.is_empty() => vec![400],
        Entry::Reply(_) => parts.iter().map(|part| weigh_part(part, scale)).collect(),
        Entry::Notice(notice) => vec![weigh_notice(notice, scale)],
        Entry::Versions(versions) => {
            vec![
                versions
                    .iter()
                    .flatten()
                    .map(|entry| weigh_entry(entry, scale))
                    .sum(),
            ]
        }
    }
}

fn weigh_entry(entry: &Entry, scale: &Scale) -> usize {
    let parts: &[Part] = if let Entry::Reply(reply) = entry {
        &reply.parts
    } else {
        &[]
    };
    weights(entry, parts, scale).iter().sum()
}

/// What a conversation will weigh, all on one page.
fn weigh(conversation: &Conversation, scale: &Scale) -> usize {
    conversation
        .entries
        .iter()
        .map(|entry| weigh_entry(entry, scale))
        .sum()
}

fn weigh_prompt(prompt: &Prompt, scale: &Scale) -> usize {
    let parts: usize = prompt
        .parts
        .iter()
        .map(|part| weigh_part(part, scale))
        .sum();
    let asides: usize = prompt
        .asides
        .iter()
        .map(|aside| weigh_notice(aside, scale))
        .sum();
    400 + parts + asides
}

fn weigh_notice(notice: &Notice, scale: &Scale) -> usize {
    200 + notice
        .body
        .as_ref()
        .map_or(0, |body| weigh_text(body.text(), scale))
}

/// Markup added to text: tags, entities, classes.
fn weigh_text(text: &str, scale: &Scale) -> usize {
    if text.len() > scale.limits.text {
        26_000
    } else {
        text.len() + text.len() / 2
    }
}

fn weigh_part(part: &Part, scale: &Scale) -> usize {
    match part {
        Part::Text(text) => 100 + text.len() + text.len() / 3,
        Part::Reasoning(reasoning) => 900 + reasoning.text.len() + reasoning.text.len() / 4,
        Part::Tool(call) => weigh_call(call, scale),
        Part::Image(image) => match &image.data {
            ImageData::Base64 { .. } | ImageData::Bytes(_) => 300,
            ImageData::Remote(address) | ImageData::Missing(address) => 200 + address.len(),
        },
        Part::File(file) => {
            300 + file
                .text
                .as_deref()
                .map_or(0, |text| weigh_text(text, scale))
        }
        Part::Notice(notice) => weigh_notice(notice, scale),
        Part::Error { message, .. } => 200 + message.len(),
    }
}

fn weigh_call(call: &ToolCall, scale: &Scale) -> usize {
    let input = call.input.as_ref().map_or(0, |input| match input {
        Input::Json(text) | Input::Text(text) => weigh_text(text, scale),
    });
    let results = call.result.iter().chain(&call.more_results);
    let results: usize = results
        .map(|result| weigh_text(&result.text, scale) + 300 * result.images.len())
        .sum();
    let notices: usize = call
        .notices
        .iter()
        .map(|notice| weigh_notice(notice, scale))
        .sum();
    let child = call.child.as_ref().map_or(0, |child| {
        let weight = weigh(child, scale);
        if weight > scale.agent { 400 } else { weight }
    });
    1_500 + input + results + notices + child
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Reply, ReplyStatus};

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

    #[test]
    fn a_heavy_subagent_has_a_page_of_its_own() {
        let anchor = Anchor { hash: 7, nth: 1 };
        let child = Conversation {
            entries: vec![reply(3, 20_000)],
            ..Conversation::default()
        };
        let call = ToolCall {
            anchor,
            child: Some(Box::new(child)),
            ..ToolCall::default()
        };
        let parts = vec![Part::Tool(Box::new(call))];
        let entries = vec![Entry::Reply(Reply {
            parts,
            ..Reply::default()
        })];
        let conversation = Conversation {
            entries,
            ..Conversation::default()
        };
        let plan = plan(&conversation, 100_000);
        assert_eq!(plan.pages.len(), 2);
        assert_eq!(plan.agents[&anchor], "agent-00000007.html");
        assert_eq!(
            plan.pages[1].parent,
            Some(("index.html".to_owned(), anchor))
        );
    }
}
