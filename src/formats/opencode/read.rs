//! From a source to one conversation, whatever the program kept it in.

use std::collections::BTreeSet;

use crate::error::{Problem, Severity};
use crate::formats::problems::Problems;
use crate::formats::records::{self, Extent, Object};
use crate::formats::sqlite;
use crate::formats::{self, Reading};
use crate::model::{Agent, Conversation, Entry, Notice, NoticeKind};
use crate::source::{At, Part, Source};

use super::children::{self, Child};
use super::database;
use super::document;
use super::events;
use super::flow;
use super::folder;
use super::saved::{Saved, Session};

/// Reads a source. `is_document` says whether its main file is one JSON document.
pub(super) fn read(source: &Source, is_document: bool) -> Reading {
    let mut problems = Problems::of(&source.main);
    let mut others = Vec::new();
    let key = match &source.part {
        Some(Part {
            at: At::Key(key), ..
        }) => Some(key.as_str()),
        _ => None,
    };
    let (saved, extent) = load(source, is_document, key, &mut others, &mut problems);
    saved.report(&mut problems);
    let main = main_session(&saved, key, &mut problems);
    let conversation = main.and_then(|main| converse(saved, &main, &extent));
    if conversation.is_none() && !problems.any_lost() {
        if problems.any_warning() {
            problems.lost(None, "no message could be read");
        } else if !problems.any() {
            problems.note(None, "no messages");
        }
    }
    let mut problems = problems.into_vec();
    problems.extend(others);
    Reading {
        conversation,
        problems,
    }
}

/// The conversations in a source that holds several: a database, or events of several sessions.
///
/// # Errors
/// When a database cannot be read.
pub(super) fn parts(source: &Source) -> Result<Vec<Part>, Problem> {
    let file = &source.main;
    if sqlite::is_database(file).unwrap_or_default() {
        let lost = |what| Problem::new(Severity::Lost, &file.path, what);
        return database::parts(file).map_err(lost);
    }
    let is_kept_apart = folder::is_session(file) || folder::message_of(file).is_some();
    if is_kept_apart || formats::is_document(&super::OpenCode, source) {
        return Ok(Vec::new());
    }
    let mut problems = Problems::of(file);
    let (saved, _) = load(source, false, None, &mut Vec::new(), &mut problems);
    let roots = saved.roots();
    if roots.len() < 2 {
        return Ok(Vec::new());
    }
    let size = file.size / roots.len() as u64;
    let part = |id: &str| Part {
        at: At::Key(id.to_owned()),
        size,
    };
    Ok(roots.into_iter().map(part).collect())
}

/// Everything that was saved in a source, and what of its lines could not be read.
fn load(
    source: &Source,
    is_document: bool,
    key: Option<&str>,
    others: &mut Vec<Problem>,
    problems: &mut Problems,
) -> (Saved, Extent) {
    let mut saved = Saved::default();
    let mut extent = Extent::default();
    if sqlite::is_database(&source.main).unwrap_or_default() {
        if let Err(what) = database::load(&source.main, key, &mut saved, problems) {
            problems.warn(None, what);
            saved.lost("Not all of the database could be read");
        }
    } else if folder::is_session(&source.main) {
        let id = document::read(&source.main, &mut saved, problems);
        if id.is_none() && !problems.any_warning() {
            problems.warn(1, "expected a session's record");
            saved.lost("What was recorded of the session could not be read");
        }
        // A damaged record still has its name.
        let id = id.unwrap_or_else(|| source.main.stem().to_owned());
        folder::load(source, &id, &mut saved, others, problems);
    } else if let Some((_, id)) = folder::message_of(&source.main) {
        let what = format!("the record of its session, {id}, is missing");
        problems.warn(None, what);
        saved.lost("What was recorded of the session is missing");
        folder::load(source, id, &mut saved, others, problems);
    } else if is_document {
        match document::read(&source.main, &mut saved, problems) {
            Some(id) => folder::load(source, &id, &mut saved, others, problems),
            None => load_members(source, &mut saved, others),
        }
    } else if document::begins_list(&source.main) {
        document::read(&source.main, &mut saved, problems);
    } else {
        extent = records::each_record(&source.main, problems, &mut |record, problems| {
            if !record.json.starts_with('{') {
                serde_json::from_str::<serde::de::IgnoredAny>(record.json)?;
                problems.warn(record.line, "expected an object");
                return Ok(());
            }
            events::take(&Object::parse(record.json)?, record.json, &mut saved);
            Ok(())
        });
    }
    (saved, extent)
}

/// Reads the exports of the sessions that calls of the exported one started.
fn load_members(source: &Source, saved: &mut Saved, others: &mut Vec<Problem>) {
    for member in &source.members {
        let mut problems = Problems::of(member);
        let mut own = Saved::default();
        document::read(member, &mut own, &mut problems);
        saved.take_in(own);
        others.extend(problems.into_vec());
    }
}

/// The session whose conversation is to be read.
fn main_session(saved: &Saved, key: Option<&str>, problems: &mut Problems) -> Option<String> {
    if let Some(key) = key {
        return Some(key.to_owned());
    }
    let roots = saved.roots();
    if roots.len() > 1 {
        let what = format!(
            "{} other conversations in this file are not shown",
            roots.len() - 1
        );
        problems.warn(None, what);
    }
    // Sessions that start each other in a circle have no beginning.
    let first = roots.first().copied();
    first
        .or_else(|| saved.sessions.first().map(|session| session.id.as_str()))
        .map(str::to_owned)
}

/// The conversation of a session with those of the sessions below it; `None` when nobody says
/// anything in it.
fn converse(saved: Saved, main: &str, extent: &Extent) -> Option<Conversation> {
    let family = family(&saved.sessions, main);
    let mut conversation = None;
    let mut found = Vec::new();
    for session in saved.sessions {
        if !family.contains(&session.id) {
            continue;
        }
        if session.id == main {
            conversation = Some(told(session));
        } else {
            found.push(Child {
                id: session.id.clone(),
                parent: session.info.parent.clone(),
                conversation: told(session),
            });
        }
    }
    let mut conversation = conversation?;
    found.retain(|child| !child.conversation.entries.is_empty());
    if conversation.entries.is_empty() && found.is_empty() {
        return None;
    }
    // Parts of events do not say where in the file they stand.
    let gaps = extent.gaps.iter().map(|gap| gap.notice());
    let losses = saved.losses.into_iter();
    let losses = losses.map(|what| Notice::new(NoticeKind::Unknown, what));
    let gaps = gaps.chain(extent.cut_notice()).chain(losses);
    conversation.entries.extend(gaps.map(Entry::Notice));
    for (kind, count) in saved.unshown {
        *conversation.unshown.entry(kind).or_default() += count;
    }
    Some(children::attach(conversation, main, found))
}

/// The ids of a session and of those below it.
fn family(sessions: &[Session], main: &str) -> BTreeSet<String> {
    let mut family = BTreeSet::from([main.to_owned()]);
    loop {
        let before = family.len();
        for session in sessions {
            if family.contains(&session.info.parent) && !session.info.parent.is_empty() {
                family.insert(session.id.clone());
            }
        }
        if family.len() == before {
            return family;
        }
    }
}

/// One session's conversation.
fn told(session: Session) -> Conversation {
    let id = session.id.clone();
    let is_agent = !session.info.parent.is_empty();
    let project = session.info.directory.clone();
    let version = session.info.version.clone();
    let (title, agent) = named(&session.info.title, is_agent);
    let told = flow::tell(session, is_agent);
    Conversation {
        id,
        title,
        program: super::PROGRAM.to_owned(),
        version,
        project,
        agent,
        entries: told.entries,
        cost_usd: (told.cost > 0.0).then_some(told.cost),
        other_usage: told.other_usage,
        unshown: told.unshown,
        ..Conversation::default()
    }
}

/// The title, and of a session that a call started the agent: `Find it (@explore subagent)`.
fn named(title: &str, is_agent: bool) -> (Option<String>, Option<Agent>) {
    let whole = Some(title.to_owned()).filter(|title| !title.trim().is_empty());
    if !is_agent {
        return (whole, None);
    }
    let kind = title.rsplit_once(" (@").and_then(|(task, rest)| {
        let kind = rest.strip_suffix(" subagent)")?;
        Some((task.to_owned(), kind.to_owned()))
    });
    match kind {
        Some((task, kind)) => {
            let agent = Agent {
                kind,
                description: Some(task.clone()),
            };
            (Some(task), Some(agent))
        }
        None => (whole, Some(Agent::default())),
    }
}
