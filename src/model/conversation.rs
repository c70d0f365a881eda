//! One saved exchange, whole.

use std::collections::BTreeMap;

use super::{Anchor, Notice, Part, Prompt, Reply, ReplyStatus, Timestamp, Usage};

/// One saved exchange: a session of a coding agent, a chat, a subagent's work.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Conversation {
    /// The format's own id. Stable over renaming and re-export; empty when the file has none.
    pub id: String,
    /// Its place in the pages of the conversation that it is a subagent of.
    pub anchor: Anchor,
    /// The title that the file gives; see [`Conversation::heading`] for the one that is shown.
    pub title: Option<String>,
    /// The program that saved it, such as `Claude Code`.
    pub program: String,
    /// The program's version, as it wrote it.
    pub version: Option<String>,
    /// The folder or project that the work was about, as recorded.
    pub project: Option<String>,
    /// The branch of the version control system, as recorded first.
    pub branch: Option<String>,
    /// What kind of subagent this is; `None` for a conversation of its own.
    pub agent: Option<Agent>,
    /// Prompts, replies and what stands between them, in the order in which they are read.
    pub entries: Vec<Entry>,
    /// Subagents' conversations that no call could be found for.
    pub children: Vec<Conversation>,
    /// The cost in US dollars, when the file has it.
    pub cost_usd: Option<f64>,
    /// Tokens beside those of the replies, such as of a summary that stands as a notice: what the
    /// cost counts is counted here as well.
    pub other_usage: Option<Usage>,
    /// Records that are not drawn, by kind, each with its count.
    pub unshown: BTreeMap<String, u64>,
    /// In how many places something was redacted, in subagents as well.
    pub redactions: u64,
}

/// What is known of the agent that a subagent's conversation belongs to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Agent {
    /// The kind, such as `Explore`; empty when unknown.
    pub kind: String,
    /// What it was asked to do, in a few words.
    pub description: Option<String>,
}

/// One thing in the flow of a conversation.
#[derive(Clone, Debug, PartialEq)]
pub enum Entry {
    /// What a person (or a parent agent) wrote.
    Prompt(Prompt),
    /// All that the assistant did until the next prompt.
    Reply(Reply),
    /// Something that neither of them said, such as a compaction.
    Notice(Notice),
    /// Other versions of what follows: branches that were left by an edit or a rewind.
    Versions(Vec<Vec<Entry>>),
}

impl Conversation {
    /// What the title is made from: the file's own, else the first prompt (one that is more than a
    /// command, if there is one), else what an agent was to do, else the first words of a reply.
    /// `None` when nobody said anything.
    pub fn heading(&self) -> Option<&str> {
        let own = self
            .title
            .as_deref()
            .map(str::trim)
            .filter(|title| !title.is_empty());
        let prompts = || {
            self.entries.iter().filter_map(|entry| match entry {
                Entry::Prompt(prompt) => words(&prompt.parts),
                _ => None,
            })
        };
        let task = || self.agent.as_ref()?.description.as_deref();
        let answer = || {
            self.entries.iter().find_map(|entry| match entry {
                Entry::Reply(reply) => words(&reply.parts),
                _ => None,
            })
        };
        own.or_else(|| prompts().find(|prompt| !is_command(prompt)))
            .or_else(|| prompts().next())
            .or_else(task)
            .or_else(answer)
    }

    /// When the first message was written.
    pub fn start(&self) -> Option<Timestamp> {
        self.entries.iter().filter_map(Entry::start).min()
    }

    /// When the last message was written.
    pub fn end(&self) -> Option<Timestamp> {
        self.entries.iter().filter_map(Entry::end).max()
    }

    /// Marks the last reply as still being written, where its file does not say how it ended:
    /// its calls without a result are then running, not incomplete.
    pub fn mark_live(&mut self) {
        let last = self.entries.iter_mut().rev().find_map(|entry| match entry {
            Entry::Reply(reply) => Some(Some(reply)),
            Entry::Prompt(_) => Some(None),
            _ => None,
        });
        if let Some(Some(reply)) = last {
            if reply.status == ReplyStatus::Unknown {
                reply.status = ReplyStatus::Pending;
            }
            for part in &mut reply.parts {
                if let Part::Tool(call) = part
                    && call.result.is_none()
                    && let Some(child) = &mut call.child
                {
                    child.mark_live();
                }
            }
        }
    }
}

/// The first text in which there is something.
fn words(parts: &[Part]) -> Option<&str> {
    parts.iter().find_map(|part| match part {
        Part::Text(text) => Some(text.trim()).filter(|text| !text.is_empty()),
        _ => None,
    })
}

/// Whether a prompt is a command to the program and no more: `/model`.
fn is_command(prompt: &str) -> bool {
    let name = prompt.strip_prefix('/');
    let is_of_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':');
    name.is_some_and(|name| name.chars().all(is_of_name))
}

impl Entry {
    /// When it began, if it is known.
    pub fn start(&self) -> Option<Timestamp> {
        match self {
            Entry::Prompt(prompt) => prompt.time,
            Entry::Reply(reply) => reply.start,
            Entry::Notice(notice) => notice.time,
            Entry::Versions(versions) => versions.iter().flatten().filter_map(Entry::start).min(),
        }
    }

    /// When it was done, if it is known.
    pub fn end(&self) -> Option<Timestamp> {
        match self {
            Entry::Reply(reply) => reply.end.or(reply.start),
            Entry::Versions(versions) => versions.iter().flatten().filter_map(Entry::end).max(),
            _ => self.start(),
        }
    }
}
