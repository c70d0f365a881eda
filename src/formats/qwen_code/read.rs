//! From a source's files to one conversation.

use std::collections::BTreeMap;

use crate::formats::Reading;
use crate::formats::branches::{self, Counts};
use crate::formats::genai::{self, Flow};
use crate::formats::problems::Problems;
use crate::formats::records::{self, Object};
use crate::formats::subagents::{self, Found};
use crate::model::{Agent, Conversation};
use crate::source::{File, Source};

use super::transcript::Transcript;

/// Reads a source.
pub(super) fn read(source: &Source) -> Reading {
    let mut own = Problems::of(&source.main);
    let main = file(&source.main, source, &mut own);
    let is_agents = !main.id.is_empty();
    let mut conversation = main.conversation;
    if !is_agents {
        conversation.agent = None;
    }
    let mut problems = vec![own];
    let mut found = Vec::new();
    for member in &source.members {
        let mut own = Problems::of(member);
        let agent = file(member, source, &mut own);
        problems.push(own);
        if !agent.conversation.entries.is_empty() {
            found.push(agent);
        }
    }
    let is_empty = conversation.entries.is_empty() && found.is_empty();
    if is_empty && !problems[0].any_warning() {
        problems[0].note(None, "no messages");
    }
    let links = BTreeMap::new();
    let conversation = subagents::attach(conversation, found, &links, genai::starts_agent);
    Reading {
        conversation: (!is_empty).then_some(conversation),
        problems: problems.into_iter().flat_map(Problems::into_vec).collect(),
    }
}

/// One file's conversation, with the subagent that it is of.
fn file(file: &File, source: &Source, problems: &mut Problems) -> Found {
    let mut transcript = Transcript::of(file, problems);
    let mut counts = Counts::default();
    let steps = branches::arrange(&transcript.links(), &mut counts, problems);
    counts.note(problems);
    let mut rows = std::mem::take(&mut transcript.rows);
    let entries = Flow::entries(steps, &mut rows, &mut transcript.unshown);
    let meta = meta(source, file, problems);
    let (own, generated) = transcript.titles;
    let agent = transcript.agent;
    let conversation = Conversation {
        id: match agent.is_empty() {
            true if transcript.session.is_empty() => file.stem().to_owned(),
            true => transcript.session,
            false => agent.clone(),
        },
        title: own.or(generated),
        program: super::PROGRAM.to_owned(),
        version: transcript.version,
        project: transcript.project,
        branch: transcript.branch,
        agent: Some(Agent {
            kind: meta.kind.or(transcript.agent_name).unwrap_or_default(),
            description: meta.description,
        }),
        entries,
        unshown: transcript.unshown,
        ..Conversation::default()
    };
    Found {
        conversation,
        id: agent,
        call: meta.call,
    }
}

/// What the file beside a subagent's says of it.
#[derive(Default)]
struct Meta {
    kind: Option<String>,
    description: Option<String>,
    /// The call that started it; empty when it is not said.
    call: String,
}

/// Reads the file that describes a subagent, if there is one.
fn meta(source: &Source, file: &File, problems: &mut Problems) -> Meta {
    let Some(side) = source.side_file(&format!("{}.meta.json", file.stem())) else {
        return Meta::default();
    };
    let Ok(bytes) = side.read() else {
        problems.warn(None, format!("{}: cannot be read", side.name));
        return Meta::default();
    };
    match Object::parse(String::from_utf8_lossy(&bytes).trim()) {
        Ok(meta) => Meta {
            kind: meta.words("agentType"),
            description: meta.words("description"),
            call: meta.string("toolUseId"),
        },
        Err(error) => {
            let (line, what) = records::describe(&error, 1, 0);
            problems.warn(None, format!("{}:{line}: {what}", side.name));
            Meta::default()
        }
    }
}
