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
    /// Tokens of all replies, those of branches that were left too, and of what is no reply: they
    /// were paid for like the others. `None` when the file has none.
    pub usage: Option<Usage>,
}

impl Facts {
    /// Counts a conversation. Of branches that were left only the tokens are counted.
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
        facts.add_tokens(&conversation.entries);
        if let Some(usage) = &conversation.other_usage {
            facts.usage.get_or_insert_default().add(usage);
        }
        facts
    }

    fn add_reply(&mut self, reply: &Reply) {
        self.replies += 1;
        for model in &reply.models {
            if !self.models.contains(model) {
                self.models.push(model.clone());
            }
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

    fn add_tokens(&mut self, entries: &[Entry]) {
        for entry in entries {
            match entry {
                Entry::Reply(reply) => {
                    if let Some(usage) = &reply.usage {
                        self.usage.get_or_insert_default().add(usage);
                    }
                }
                Entry::Versions(versions) => {
                    versions.iter().for_each(|entries| self.add_tokens(entries));
                }
                Entry::Prompt(_) | Entry::Notice(_) => {}
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_branch_that_was_left_gives_its_tokens_and_nothing_else() {
        let reply = |tokens| {
            Entry::Reply(Reply {
                usage: Some(Usage {
                    output: tokens,
                    ..Usage::default()
                }),
                ..Reply::default()
            })
        };
        let inner = Entry::Versions(vec![vec![reply(5)]]);
        let conversation = Conversation {
            entries: vec![
                reply(1),
                Entry::Versions(vec![vec![reply(10), inner]]),
                reply(2),
            ],
            ..Conversation::default()
        };
        let facts = Facts::of(&conversation);
        assert_eq!(facts.usage.map(|usage| usage.output), Some(18));
        assert_eq!(facts.replies, 2);
    }
}
