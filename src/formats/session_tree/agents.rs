//! Subagents: whose session is in which file, and which call started whom.

use std::collections::BTreeMap;

use crate::figures::counted;
use crate::formats::calls::each_call;
use crate::model::{Agent, Conversation, Entry, Part, Reply, ReplyStatus};
use crate::source::File;

use super::details::Run;
use super::read::Runs;

/// One file of a source, read.
#[derive(Debug)]
pub(super) struct Member {
    /// The conversation in it.
    pub(super) conversation: Conversation,
    /// The file without its extension: the folder in which its own subagents' files are.
    pub(super) path: String,
    /// The folder that it is in.
    pub(super) folder: String,
    /// What it was asked to do, as its file says; empty when it does not.
    pub(super) task: String,
    /// The subagents that its calls started.
    pub(super) runs: Runs,
}

/// A file's name without its extension.
pub(super) fn path(file: &File) -> &str {
    file.name
        .strip_suffix(".jsonl")
        .unwrap_or(file.name.as_str())
}

/// Puts subagents' conversations into the calls that started them, the deepest first; the rest
/// stand at the end of what they belong to.
pub(super) fn attach(main: Member, members: Vec<Member>) -> Conversation {
    let mut waiting: Vec<Member> = members;
    waiting.sort_by_key(|member| member.path.matches('/').count());
    let mut homes: BTreeMap<String, Vec<Member>> = BTreeMap::new();
    let mut known: Vec<String> = waiting.iter().map(|member| member.path.clone()).collect();
    known.push(main.path.clone());
    while let Some(member) = waiting.pop() {
        let mut member = member;
        settle(&mut member, &mut homes);
        // Where the parent's file is not there, the session itself takes its place.
        let home = match known.contains(&member.folder) {
            true => member.folder.clone(),
            false => main.path.clone(),
        };
        homes.entry(home).or_default().push(member);
    }
    let mut main = main;
    settle(&mut main, &mut homes);
    main.conversation
}

/// Puts the subagents of one conversation into its calls.
fn settle(parent: &mut Member, homes: &mut BTreeMap<String, Vec<Member>>) {
    let mut children = homes.remove(&parent.path).unwrap_or_default();
    children.sort_by_key(|child| (child.conversation.start(), child.path.clone()));
    let runs = &parent.runs;
    each_call(&mut parent.conversation.entries, &mut |call| {
        let Some(runs) = runs.get(&call.id) else {
            return;
        };
        let mut own: Vec<Conversation> = Vec::new();
        for run in runs {
            let at = children
                .iter()
                .position(|child| child.conversation.id == run.id);
            let words = call.result.as_ref().map_or("", |result| &result.text);
            own.extend(match at {
                Some(at) => Some(described(children.remove(at), run)),
                None => reported(run, words),
            });
        }
        call.child = match own.len() {
            0 => None,
            1 => own.pop().map(Box::new),
            // One call may start several.
            many => Some(Box::new(Conversation {
                id: format!("{}-agents", call.id),
                agent: Some(Agent {
                    kind: String::new(),
                    description: Some(counted(many as u64, "agent", "agents")),
                }),
                program: own[0].program.clone(),
                children: own,
                ..Conversation::default()
            })),
        };
    });
    let rest = children
        .into_iter()
        .map(|child| described(child, &Run::default()));
    parent.conversation.children.extend(rest);
}

/// What is left of a subagent whose session is not there: its last words, unless the result of its
/// call has them.
fn reported(run: &Run, result: &str) -> Option<Conversation> {
    let is_new = |words: &&String| !result.contains(words.trim());
    let report = run.report.as_ref().filter(is_new);
    let error = run.error.as_ref().filter(is_new);
    if report.is_none() && error.is_none() {
        return None;
    }
    let reply = Reply {
        parts: report.cloned().map(Part::Text).into_iter().collect(),
        status: match error {
            Some(_) => ReplyStatus::Error,
            None => ReplyStatus::Complete,
        },
        error: error.cloned(),
        ..Reply::default()
    };
    Some(Conversation {
        id: run.id.clone(),
        agent: Some(Agent {
            kind: run.kind.clone(),
            description: run.description.clone(),
        }),
        entries: vec![Entry::Reply(reply)],
        ..Conversation::default()
    })
}

/// A subagent's conversation with what its call says of it. Its first message is the task, which
/// the card of the call shows.
fn described(child: Member, run: &Run) -> Conversation {
    let mut conversation = child.conversation;
    let agent = conversation.agent.get_or_insert_with(Agent::default);
    if !run.kind.is_empty() {
        agent.kind.clone_from(&run.kind);
    }
    let first = child
        .task
        .lines()
        .map(str::trim)
        .find(|line| !line.is_empty());
    let task = first.map(|line| line.trim_start_matches('#').trim().to_owned());
    agent.description = run.description.clone().or(task);
    let at = conversation
        .entries
        .iter()
        .position(|entry| matches!(entry, Entry::Prompt(_)));
    if !run.id.is_empty()
        && !child.task.is_empty()
        && let Some(at) = at
        && let Entry::Prompt(prompt) = &conversation.entries[at]
        && let [Part::Text(words)] = &prompt.parts[..]
        && words.trim() == child.task.trim()
        && let Entry::Prompt(prompt) = conversation.entries.remove(at)
    {
        let asides = prompt.asides.into_iter().map(Entry::Notice);
        conversation.entries.splice(at..at, asides);
    }
    conversation
}
