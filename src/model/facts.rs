//! The figures of a conversation: what the header and the index say of it.

use super::{Conversation, Entry, Part, Reply, ToolStatus, Usage};

/// Figures of one conversation, its subagents' apart.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Facts {
    /// Prompts by a person or a parent agent.
    pub prompts: u64,
    /// Replies.
    pub replies: u64,
    /// Tool calls, orphan results included.
    pub calls: u64,
    /// Calls that failed.
    pub failed: u64,
    /// Stretches of reasoning.
    pub thoughts: u64,
    /// Subagents, with those of subagents.
    pub agents: u64,
    /// Models, in order of appearance.
    pub models: Vec<String>,
    /// Tokens of all replies; `None` when the file has none.
    pub usage: Option<Usage>,
}

impl Facts {
    /// Counts a conversation. Branches that were left are not counted.
    pub fn of(conversation: &Conversation) -> Self {
        let mut facts = Facts::default();
        for entry in &conversation.entries {
            match entry {
                Entry::Prompt(_) => facts.prompts += 1,
                Entry::Reply(reply) => facts.add_reply(reply),
                Entry::Notice(_) | Entry::Versions(_) => {}
            }
        }
        facts.agents += agents_in(conversation);
        facts
    }

    fn add_reply(&mut self, reply: &Reply) {
        self.replies += 1;
        for model in &reply.models {
            if !self.models.contains(model) {
                self.models.push(model.clone());
            }
        }
        if let Some(usage) = &reply.usage {
            self.usage.get_or_insert_default().add(usage);
        }
        for part in &reply.parts {
            match part {
                Part::Tool(call) => {
                    self.calls += 1;
                    self.failed += u64::from(call.status(reply.status) == ToolStatus::Error);
                }
                Part::Reasoning(_) => self.thoughts += 1,
                _ => {}
            }
        }
    }
}

/// Subagents below a conversation, at every depth.
fn agents_in(conversation: &Conversation) -> u64 {
    // What only holds the agents that one call started is none itself.
    let own = |child: &Conversation| u64::from(!child.entries.is_empty());
    let loose = conversation
        .children
        .iter()
        .map(|child| own(child) + agents_in(child));
    let called = conversation.entries.iter().flat_map(|entry| match entry {
        Entry::Reply(reply) => reply.parts.as_slice(),
        _ => &[],
    });
    let called = called.filter_map(|part| match part {
        Part::Tool(call) => call.child.as_ref(),
        _ => None,
    });
    let called = called.map(|child| own(child) + agents_in(child));
    loose.chain(called).sum()
}
