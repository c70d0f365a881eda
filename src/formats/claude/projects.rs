//! Projects and memories of an export: each a page of its own, as they are no part of any one
//! conversation; a conversation that names its project begins with what it was told there.

use std::ops::Range;

use crate::formats::Format;
use crate::formats::problems::Problems;
use crate::formats::records::{Object, document_of, elements};
use crate::formats::times;
use crate::model::{
    Attachment, Body, Conversation, Entry, Notice, NoticeKind, Part as Shown, Prompt,
};
use crate::source::{At, File, Part, Source};

/// What a conversation shows of its project.
pub(super) struct Project {
    /// Its name.
    pub(super) name: Option<String>,
    /// What the assistant was told for all its conversations.
    pub(super) instructions: Option<String>,
}

/// The pages that a file of projects or memories gives: one for each of its elements. Files of
/// anything else give none.
pub(super) fn pages_of(file: &File) -> Vec<Part> {
    let ranges = elements_of(file);
    let first = ranges.first().and_then(|first| read(file, first.clone()));
    if !first.is_some_and(|json| Object::parse(&json).is_ok_and(|first| is_ours(&first))) {
        return Vec::new();
    }
    let pages = ranges.into_iter().enumerate().map(|(at, range)| Part {
        at: At::Key(format!("{}#{at}", file.name)),
        size: range.end - range.start,
    });
    pages.collect()
}

/// Whether a page's key names this file.
pub(super) fn is_in(key: &str, file: &File) -> bool {
    let name = key.rsplit_once('#').map(|(name, _)| name);
    name == Some(file.name.as_str())
}

/// The page of this key.
pub(super) fn page(source: &Source, key: &str, problems: &mut Problems) -> Option<Conversation> {
    let (_, at) = key.rsplit_once('#')?;
    let mut files = std::iter::once(&source.main).chain(&source.members);
    let file = files.find(|file| is_in(key, file))?;
    let range = elements_of(file).get(at.parse::<usize>().ok()?)?.clone();
    let json = document_of(&one(file, range), problems)?;
    let object = Object::parse(&json).unwrap_or_default();
    let page = match object.has("docs") {
        true => of_project(&object),
        false => of_memory(&object, source),
    };
    if page.entries.is_empty() {
        problems.note(None, "nothing is said in it");
        return None;
    }
    Some(page)
}

/// The project of this id, if the export has it.
pub(super) fn by_id(source: &Source, id: &str) -> Option<Project> {
    source.members.iter().find_map(|file| {
        let mut ranges = elements_of(file).into_iter();
        ranges.find_map(|range| {
            let json = read(file, range)?;
            let project = Object::parse(&json).ok()?;
            let is_it = project.text("uuid").as_deref() == Some(id);
            is_it.then(|| Project {
                name: project.words("name"),
                instructions: project.words("prompt_template"),
            })
        })
    })
}

/// Where the elements of a file stand; none when it cannot be read.
fn elements_of(file: &File) -> Vec<Range<u64>> {
    let found = elements(file, None).ok().flatten();
    found.map(|found| found.ranges).unwrap_or_default()
}

/// A source that is this part of a file.
fn one(file: &File, range: Range<u64>) -> Source {
    Source {
        part: Some(Part {
            size: range.end - range.start,
            at: At::Bytes(range),
        }),
        ..Source::single(file.clone())
    }
}

/// A part that is only looked into: what is wrong with it is said where it is read as a page.
fn read(file: &File, range: Range<u64>) -> Option<String> {
    document_of(&one(file, range), &mut Problems::of(file))
}

/// The instructions of a project as they stand before a conversation.
pub(super) fn instructions(project: &Project) -> Option<Entry> {
    let text = project.instructions.clone()?;
    let notice = Notice::new(NoticeKind::Context, "Instructions of the project");
    Some(Entry::Notice(notice.with_body(Body::Prose(text))))
}

fn is_ours(object: &Object<'_>) -> bool {
    object.has("docs") || object.has("conversations_memory")
}

fn of_project(project: &Object<'_>) -> Conversation {
    let mut entries: Vec<Entry> = Vec::new();
    let mut add = |title: &str, text: Option<String>| {
        if let Some(text) = text {
            let notice = Notice::new(NoticeKind::Context, title);
            entries.push(Entry::Notice(notice.with_body(Body::Prose(text))));
        }
    };
    add("Description of the project", project.words("description"));
    add(
        "Instructions of the project",
        project.words("prompt_template"),
    );
    let documents = project.items("docs").into_iter().filter_map(Object::of);
    let documents = documents.map(|document| {
        let text = document.words("content");
        Shown::File(Attachment {
            name: document.string("filename"),
            media_type: None,
            note: text.is_none().then(|| "not in the export".to_owned()),
            text,
        })
    });
    let documents: Vec<Shown> = documents.collect();
    if !documents.is_empty() {
        entries.push(Entry::Prompt(Prompt {
            id: format!("{}-documents", project.string("uuid")),
            time: project
                .get("created_at")
                .and_then(|time| times::read(time).ok().flatten()),
            parts: documents,
            ..Prompt::default()
        }));
    }
    let name = project.words("name");
    Conversation {
        id: project.string("uuid"),
        title: Some(match &name {
            Some(name) => format!("Project: {name}"),
            None => "A project".to_owned(),
        }),
        program: super::Claude.program().to_owned(),
        project: name,
        entries,
        ..Conversation::default()
    }
}

fn of_memory(memory: &Object<'_>, source: &Source) -> Conversation {
    let notice = |title: String, text: String| {
        let notice = Notice::new(NoticeKind::Context, title);
        Entry::Notice(notice.with_body(Body::Prose(text)))
    };
    let all = memory.words("conversations_memory");
    let mut entries: Vec<Entry> = all
        .map(|text| notice("Remembered of all conversations".to_owned(), text))
        .into_iter()
        .collect();
    let projects = memory.object("project_memories").unwrap_or_default();
    for (project, _) in projects.entries() {
        let name = by_id(source, project).and_then(|project| project.name);
        let name = name.as_deref().unwrap_or(project);
        let text = projects.words(project);
        entries.extend(text.map(|text| notice(format!("Remembered of project {name}"), text)));
    }
    Conversation {
        id: format!("memory-{}", memory.string("account_uuid")),
        title: Some("What Claude remembers".to_owned()),
        program: super::Claude.program().to_owned(),
        entries,
        ..Conversation::default()
    }
}
