//! From a source's files to one conversation.

use std::collections::BTreeMap;

use crate::formats::Reading;
use crate::formats::genai::{self, Flow};
use crate::formats::problems::Problems;
use crate::formats::subagents::{self, Found};
use crate::model::{Agent, Body, Conversation, Entry, NoticeKind};
use crate::source::{File, Source};

use super::log::Log;
use super::projects;

/// Reads a source. `is_document` says whether its main file is one JSON document.
pub(super) fn read(source: &Source, is_document: bool) -> Reading {
    let mut own = Problems::of(&source.main);
    let mut conversation = session(&source.main, source, is_document, &mut own);
    let is_empty = conversation.entries.is_empty();
    let mut problems = vec![own];
    let mut found = Vec::new();
    for member in &source.members {
        let mut own = Problems::of(member);
        let mut agent = session(member, source, false, &mut own);
        problems.push(own);
        agent.agent.get_or_insert_default();
        if !agent.entries.is_empty() {
            found.push(Found {
                id: agent.id.clone(),
                call: String::new(),
                conversation: agent,
            });
        }
    }
    if is_empty && found.is_empty() {
        let main = &mut problems[0];
        if !main.any_warning() {
            main.note(None, "no messages");
        }
        return Reading {
            conversation: None,
            problems: problems.into_iter().flat_map(Problems::into_vec).collect(),
        };
    }
    name_agents(&conversation, &mut found);
    let links = BTreeMap::new();
    conversation = subagents::attach(conversation, found, &links, genai::starts_agent);
    Reading {
        conversation: Some(conversation),
        problems: problems.into_iter().flat_map(Problems::into_vec).collect(),
    }
}

/// One file's conversation.
fn session(
    file: &File,
    source: &Source,
    is_document: bool,
    problems: &mut Problems,
) -> Conversation {
    let mut log = match is_document {
        true => Log::of_document(file, problems),
        false => Log::of_lines(file, problems),
    };
    let steps = std::mem::take(&mut log.steps);
    let entries = Flow::entries(steps, &mut log.rows, &mut log.unshown);
    let program = match log.is_fork {
        true => crate::formats::qwen_code::PROGRAM,
        false => super::PROGRAM,
    };
    Conversation {
        id: match log.id.is_empty() {
            true => file.stem().to_owned(),
            false => log.id.clone(),
        },
        title: log.summary.take(),
        program: program.to_owned(),
        project: projects::folder_of(file, source).or_else(|| project(&log, file, &entries)),
        agent: log.is_agent.then(Agent::default),
        entries,
        unshown: log.unshown,
        ..Conversation::default()
    }
}

/// The folder that was worked in, where no file beside the session names it. Sessions name it by a
/// hash alone, so that it is looked for in what the program told the model of it, and in the name of the folder that the file is in; the
/// hash is what is left.
fn project(log: &Log, file: &File, entries: &[Entry]) -> Option<String> {
    let told = entries.iter().find_map(|entry| match entry {
        Entry::Notice(notice) if notice.kind == NoticeKind::Context => {
            notice.body.as_ref().and_then(folder_told)
        }
        Entry::Prompt(prompt) => prompt
            .asides
            .iter()
            .find_map(|aside| aside.body.as_ref().and_then(folder_told)),
        _ => None,
    });
    let first = || log.folders.first().cloned();
    let above = || {
        let name = projects::short_name(file)?;
        (!is_hash(name)).then(|| name.to_owned())
    };
    let hash = || {
        let short: String = log.project_hash.chars().take(8).collect();
        (!short.is_empty()).then_some(short)
    };
    told.or_else(first).or_else(above).or_else(hash)
}

/// The folder that a context names.
fn folder_told(body: &Body) -> Option<String> {
    let text = body.text();
    let after = |mark: &str| {
        let at = text.find(mark)? + mark.len();
        let line = text[at..].trim_start().lines().next()?;
        let line = line.trim_start_matches("- ").trim();
        (!line.is_empty()).then(|| line.to_owned())
    };
    after("currently working in the directory:").or_else(|| after("Workspace Directories:**"))
}

fn is_hash(name: &str) -> bool {
    name.len() == 64 && name.bytes().all(|b| b.is_ascii_hexdigit())
}

/// Gives subagents the names of the tools that are they, such as `codebase_investigator`, where
/// the call does not say another.
fn name_agents(main: &Conversation, found: &mut [Found]) {
    for entry in &main.entries {
        let Entry::Reply(reply) = entry else {
            continue;
        };
        for part in &reply.parts {
            let crate::model::Part::Tool(call) = part else {
                continue;
            };
            let run = call
                .result
                .as_ref()
                .and_then(|r| r.details.as_ref()?.agent.as_ref());
            let agent = run.and_then(|run| found.iter_mut().find(|agent| agent.id == run.id));
            if let Some(agent) = agent
                && !matches!(call.name.as_str(), "invoke_agent" | "delegate_to_agent")
            {
                let own = agent.conversation.agent.get_or_insert_default();
                own.kind.clone_from(&call.name);
            }
        }
    }
}
