//! The folder of small files that versions before 1.2 kept: `session/<project>/<session>.json`,
//! `message/<session>/<message>.json`, `part/<message>/<part>.json`. The oldest had all of it in
//! a folder for each project: `session/info/`, `session/message/`, `session/part/<session>/`.
//!
//! Only the sessions' files are sources. All others are side files that sessions have in common,
//! found by their folders, so that a session costs only its own files, one open at a time.

use std::collections::{BTreeMap, BTreeSet};

use crate::error::{Problem, Severity};
use crate::figures::counted;
use crate::formats::problems::Problems;
use crate::formats::records::{self, Object};
use crate::formats::{Claim, Role, Shape};
use crate::source::{File, Source};

use super::saved::{Place, Saved, Session};

/// How many files are named one by one that could not be read.
const NAMED: usize = 20;

/// What the file of a session is to its source: a session that a call started belongs to the one
/// in which that was.
pub(super) fn claim(file: &File, session: &Shape) -> Claim {
    let root = root(file).unwrap_or_default();
    let key = |id: &str| format!("{root}/session {id}");
    let parent = session.text("parentID").filter(|id| !id.is_empty());
    let (key, role) = match parent {
        Some(parent) => (key(parent), Role::Member),
        None => (key(session.text("id").unwrap_or_default()), Role::Main),
    };
    Claim {
        key,
        role,
        own_folder: self::root(file).map(str::to_owned),
    }
}

/// The same of a session's file that does not say what it is.
pub(super) fn claim_of_damaged(file: &File) -> Claim {
    let root = root(file);
    Claim {
        key: format!("{}/session {}", root.unwrap_or_default(), file.stem()),
        role: Role::Main,
        own_folder: root.map(str::to_owned),
    }
}

/// Whether a file is a session's by its name and place.
pub(super) fn is_session(file: &File) -> bool {
    let name = file.file_name();
    name.starts_with("ses_") && name.ends_with(".json") && root(file).is_some()
}

/// The folder that holds the folders, and the session's id, when a file is a message's by its
/// name and place.
pub(super) fn message_of(file: &File) -> Option<(&str, &str)> {
    let name = file.file_name();
    let (above, session) = file.folder().rsplit_once('/')?;
    let (root, middle) = above.rsplit_once('/').unwrap_or(("", above));
    let is_message = middle == "message"
        && session.starts_with("ses_")
        && name.starts_with("msg_")
        && name.ends_with(".json");
    is_message.then_some((root, session))
}

/// What the file of a message is when it stands for its session, whose record is missing.
pub(super) fn claim_of_message(file: &File) -> Option<Claim> {
    let (root, session) = message_of(file)?;
    Some(Claim {
        key: format!("{root}/session {session}"),
        role: Role::Main,
        own_folder: Some(root.to_owned()),
    })
}

/// One message's file for each session whose record is missing, by its place among the others.
pub(super) fn remains(known: &[&File], others: &[&File]) -> Vec<usize> {
    let sessions = known.iter().filter(|file| is_session(file));
    let mut told: BTreeSet<(usize, &str, &str)> = sessions
        .filter_map(|file| Some((file.input, root(file)?, file.stem())))
        .collect();
    let others = others.iter().enumerate();
    let firsts = others.filter_map(|(at, file)| {
        let (root, session) = message_of(file)?;
        told.insert((file.input, root, session)).then_some(at)
    });
    firsts.collect()
}

/// The folder to name instead of a session's file, or of a folder of such files, that was named
/// without its messages.
fn store(file: &File) -> Option<&str> {
    let (project, _) = file.path.rsplit_once('/')?;
    let (above, _) = project.rsplit_once('/')?;
    let store = match above {
        "session" => ".",
        "/session" => "/",
        above => above.strip_suffix("/session")?,
    };
    Some(store)
}

/// The folder that holds the folders of sessions, messages and parts; `None` for a session's
/// file that is not in such a place.
fn root(file: &File) -> Option<&str> {
    let folder = file.folder();
    let (above, last) = folder.rsplit_once('/').unwrap_or(("", folder));
    if last == "info" {
        return Some(above);
    }
    let (root, middle) = above.rsplit_once('/').unwrap_or(("", above));
    (middle == "session").then_some(root)
}

/// Reads the messages of a session, and those of the sessions whose files belong to it.
pub(super) fn load(
    source: &Source,
    session: &str,
    saved: &mut Saved,
    others: &mut Vec<Problem>,
    problems: &mut Problems,
) {
    let of_message = || message_of(&source.main).map(|(root, _)| root);
    let Some(root) = root(&source.main).or_else(of_message) else {
        match store(&source.main) {
            Some(store) => {
                let what = format!("its messages are in other folders: name {store} instead");
                problems.lost(None, what);
            }
            None => problems.note(None, "its messages are not beside it"),
        }
        return;
    };
    let mut files = Files { others, unread: 0 };
    let mut sessions = vec![session.to_owned()];
    for member in &source.members {
        files.read(member, &mut |info, _| {
            sessions.push(info.string("id"));
            saved.describe(info);
        });
    }
    for session in sessions {
        load_session(source, root, &session, saved, &mut files);
    }
    if files.unread > NAMED {
        let what = format!("{} more files could not be read", files.unread - NAMED);
        problems.warn(None, what);
    }
    if files.unread > 0 {
        let files = counted(files.unread as u64, "file", "files");
        saved.lost(format!("{files} of this session could not be read"));
    }
}

fn load_session(source: &Source, root: &str, session: &str, saved: &mut Saved, files: &mut Files) {
    let side = &source.side_files;
    let folder = |path: String| match root {
        "" => path,
        root => format!("{root}/{path}"),
    };
    let mut messages = Vec::new();
    let own = Some(&source.main);
    let own = own.filter(|main| message_of(main).is_some_and(|(_, of)| of == session));
    let messages_folder = folder(format!("message/{session}"));
    for file in own.into_iter().chain(side.in_folder(&messages_folder)) {
        let is_read = files.read(file, &mut |info, _| {
            messages.push((file.stem().to_owned(), id_of(info, file)));
            saved.message_of(session, &id_of(info, file), info);
        });
        if !is_read {
            // Its parts have files of their own.
            messages.push((file.stem().to_owned(), file.stem().to_owned()));
        }
    }
    let ids: Vec<String> = messages.iter().map(|(_, id)| id.clone()).collect();
    for (stem, id) in &messages {
        let mut folders = vec![format!("part/{stem}"), format!("part/{session}/{stem}")];
        if stem != id {
            folders.push(format!("part/{id}"));
        }
        for path in folders {
            for file in side.in_folder(&folder(path)) {
                files.read(file, &mut |part, json| {
                    take(session, id, file, part, json, saved)
                });
            }
        }
    }
    // Copies that were made by hand have all parts in one folder.
    for file in side.in_folder(&folder("part".to_owned())) {
        files.read(file, &mut |part, json| {
            let message = part.string("messageID");
            if ids.contains(&message) {
                take(session, &message, file, part, json, saved);
            }
        });
    }
    sort(saved.session(session));
}

/// Puts messages into their order. Ids rise with time; where a clock was set back, the time goes
/// before. A message that could not be read has no time, and stands behind the one before it.
fn sort(session: &mut Session) {
    let messages = session.messages.iter();
    let times: BTreeMap<_, _> = messages
        .map(|message| (message.id.clone(), message.created))
        .collect();
    let mut last = None;
    let times: BTreeMap<_, _> = times
        .into_iter()
        .map(|(id, time)| {
            last = time.or(last);
            (id, last)
        })
        .collect();
    let time = |id: &str| times.get(id).copied().flatten();
    session
        .messages
        .sort_by(|one, other| (time(&one.id), &one.id).cmp(&(time(&other.id), &other.id)));
    session.renumber();
}

fn id_of(info: &Object<'_>, file: &File) -> String {
    info.words("id").unwrap_or_else(|| file.stem().to_owned())
}

fn take(
    session: &str,
    message: &str,
    file: &File,
    part: &Object<'_>,
    json: &str,
    saved: &mut Saved,
) {
    let place = Place {
        session: session.to_owned(),
        message: message.to_owned(),
        part: id_of(part, file),
        time: None,
    };
    saved.part_at(place, part, json);
}

/// Reads small files, and remembers those that it could not read.
struct Files<'a> {
    others: &'a mut Vec<Problem>,
    unread: usize,
}

impl Files<'_> {
    /// Hands over the object that a file is, if it is one.
    fn read(&mut self, file: &File, each: &mut dyn FnMut(&Object<'_>, &str)) -> bool {
        let mut problems = Problems::of(file);
        let text = records::document(file, &mut problems);
        let object = text.as_deref().map(Object::parse);
        let is_read = if let (Some(Ok(object)), Some(json)) = (object, &text) {
            each(&object, json);
            true
        } else {
            self.unread += 1;
            if self.unread > NAMED {
                return false;
            }
            if text.is_some() {
                problems.warn(None, "expected an object");
            }
            false
        };
        // The file is one of many: without it the conversation still has its page.
        let mut said = problems.into_vec();
        for problem in &mut said {
            problem.severity = problem.severity.min(Severity::Warning);
        }
        self.others.extend(said);
        is_read
    }
}
