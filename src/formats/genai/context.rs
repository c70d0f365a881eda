//! What the programs put around a person's words before the model gets them: the files that were
//! named in them, the session's surroundings, what hooks added.

use crate::model::{Attachment, Author, Body, Notice, NoticeKind, Part, Prompt};

use super::flow::What;

/// Where the files that a prompt names begin and end.
const FILES: (&str, &str) = (
    "--- Content from referenced files ---",
    "--- End of content ---",
);

/// Where a resource of a server begins.
const RESOURCE: (&str, &str) = ("--- Content from MCP resource ", "--- End of MCP resource ");

/// Elements that the programs wrap around what they add.
const ELEMENTS: [(&str, NoticeKind, &str); 8] = [
    (
        "session_context",
        NoticeKind::Context,
        "Context of the session",
    ),
    (
        "hook_context",
        NoticeKind::Hook,
        "Context that a hook added",
    ),
    (
        "qwen:user-prompt-submit-context",
        NoticeKind::Hook,
        "Context that a hook added",
    ),
    ("loaded_context", NoticeKind::Context, "Loaded context"),
    (
        "project_context",
        NoticeKind::Context,
        "Context of the project",
    ),
    (
        "extension_context",
        NoticeKind::Context,
        "Context of an extension",
    ),
    ("system-reminder", NoticeKind::Reminder, "Reminder"),
    ("background_output", NoticeKind::Task, "Background output"),
];

/// How texts begin that the programs write by themselves.
const WRITTEN: [(&str, &str); 5] = [
    (
        "This is the Gemini CLI. We are setting up the context",
        "Context of the session",
    ),
    (
        "This is the Qwen Code. We are setting up the context",
        "Context of the session",
    ),
    (
        "This is Qwen Code. We are setting up the context",
        "Context of the session",
    ),
    ("Here is the user's editor context", "Context of the editor"),
    (
        "Here is a summary of changes in the user's editor context",
        "Changes in the editor",
    ),
];

/// How the summary of earlier messages is marked.
const SUMMARY: &str = "<state_snapshot>";

/// A person's words and what the program added to them.
#[derive(Debug, Default)]
struct Pieces {
    /// Text, pictures and files, in order.
    parts: Vec<Part>,
    /// What the program added.
    asides: Vec<Notice>,
}

/// Tells a person's words from what the program added. `shown` are the words as the person typed
/// them, where the program says it; `author` wrote them.
pub(crate) fn spoken(parts: Vec<Part>, shown: Option<String>, author: Author) -> What {
    let mut pieces = Pieces::default();
    for part in joined(parts) {
        match part {
            Part::Text(text) => {
                let lone = text.trim();
                if lone.contains(SUMMARY) {
                    return What::Divider(summary(lone.to_owned()));
                }
                if is_command(lone) && pieces.parts.is_empty() && author == Author::Person {
                    return What::Remarks(vec![Notice::new(NoticeKind::Command, lone)]);
                }
                pieces.words(&text);
            }
            Part::Notice(notice) => pieces.asides.push(notice),
            part => pieces.parts.push(part),
        }
    }
    if let Some(shown) = shown.filter(|shown| !shown.trim().is_empty()) {
        pieces.parts.retain(|part| !matches!(part, Part::Text(_)));
        pieces.parts.insert(0, Part::Text(shown));
    }
    if pieces.parts.is_empty() {
        return match pieces.asides.is_empty() {
            true => What::Hidden,
            false => What::Remarks(pieces.asides),
        };
    }
    What::Said(Box::new(Prompt {
        author,
        parts: pieces.parts,
        asides: pieces.asides,
        ..Prompt::default()
    }))
}

/// The notice that earlier messages were summarised so.
pub(crate) fn summary(words: String) -> Notice {
    let title = "Earlier messages were summarised";
    Notice::new(NoticeKind::Compaction, title).with_body(Body::Prose(words))
}

/// Texts that follow each other are one: the program cuts a prompt at the files that it names.
fn joined(parts: Vec<Part>) -> Vec<Part> {
    let mut joined: Vec<Part> = Vec::with_capacity(parts.len());
    for part in parts {
        match (joined.last_mut(), part) {
            (Some(Part::Text(text)), Part::Text(more)) => {
                if !text.ends_with('\n') && !more.starts_with('\n') {
                    text.push('\n');
                }
                text.push_str(&more);
            }
            (_, part) => joined.push(part),
        }
    }
    joined
}

/// Whether a text is a command of the program: `/chat save a`, `?`. A path is none.
fn is_command(text: &str) -> bool {
    if text == "?" {
        return true;
    }
    let Some(rest) = text.strip_prefix('/') else {
        return false;
    };
    let name = rest.split(char::is_whitespace).next().unwrap_or_default();
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':');
    !text.contains('\n')
        && name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(is_name)
}

impl Pieces {
    fn words(&mut self, text: &str) {
        let lone = text.trim();
        if let Some((_, title)) = WRITTEN.iter().find(|(start, _)| lone.starts_with(start)) {
            let notice = Notice::new(NoticeKind::Context, *title);
            self.asides
                .push(notice.with_body(Body::Prose(lone.to_owned())));
            return;
        }
        let mut words = String::new();
        let mut rest = text;
        loop {
            let Some((at, added)) = first_added(rest) else {
                words.push_str(rest);
                break;
            };
            words.push_str(&rest[..at]);
            rest = self.added(&rest[at..], added);
        }
        let words = words.trim_matches('\n');
        if !words.trim().is_empty() {
            // The files stand behind the words that name them.
            let at = self
                .parts
                .iter()
                .rposition(|part| !matches!(part, Part::File(_)))
                .map_or(0, |last| last + 1);
            self.parts.insert(at, Part::Text(words.to_owned()));
        }
    }

    /// Takes what was added at the start of a text; what follows it.
    fn added<'a>(&mut self, text: &'a str, added: Added) -> &'a str {
        match added {
            Added::Files => {
                let inner = &text[FILES.0.len()..];
                let (inner, rest) = inner.split_once(FILES.1).unwrap_or((inner, ""));
                self.parts.extend(files(inner).into_iter().map(Part::File));
                rest
            }
            Added::Resource => {
                let inner = &text[RESOURCE.0.len()..];
                let (name, inner) = inner.split_once('\n').unwrap_or((inner, ""));
                let (inner, rest) = match inner.split_once(RESOURCE.1) {
                    Some((inner, rest)) => (inner, rest.split_once('\n').map_or("", |r| r.1)),
                    None => (inner, ""),
                };
                let name = name.trim_end().trim_end_matches("---").trim_end();
                self.parts.push(Part::File(Attachment {
                    name: name.split(" [").next().unwrap_or(name).to_owned(),
                    text: Some(inner.trim_matches('\n').to_owned()),
                    note: Some("resource of a server".to_owned()),
                    ..Attachment::default()
                }));
                rest
            }
            Added::Element(element) => {
                let (name, kind, title) = ELEMENTS[element];
                let inner = &text[name.len() + 2..];
                let end = format!("</{name}>");
                let (inner, rest) = inner.split_once(end.as_str()).unwrap_or((inner, ""));
                let notice = Notice::new(kind, title);
                self.asides
                    .push(notice.with_body(Body::Prose(inner.trim().to_owned())));
                rest
            }
        }
    }
}

/// What a program added.
#[derive(Clone, Copy, Debug)]
enum Added {
    Files,
    Resource,
    /// The element of this number.
    Element(usize),
}

/// The first thing in a text that the program added. Marks count only where a line begins.
fn first_added(text: &str) -> Option<(usize, Added)> {
    let begins_line = |at: &usize| *at == 0 || text.as_bytes()[at - 1] == b'\n';
    let find = |mark: &str| text.match_indices(mark).map(|(at, _)| at).find(begins_line);
    let elements = ELEMENTS.iter().enumerate().map(|(number, (name, _, _))| {
        let found = find(&format!("<{name}>"))?;
        Some((found, Added::Element(number)))
    });
    let others = [(FILES.0, Added::Files), (RESOURCE.0, Added::Resource)];
    let others = others.map(|(mark, added)| Some((find(mark)?, added)));
    elements
        .chain(others)
        .flatten()
        .min_by_key(|(found, _)| *found)
}

/// The files between the marks, each under the line that names it.
fn files(inner: &str) -> Vec<Attachment> {
    let mut files: Vec<(String, String)> = Vec::new();
    for line in inner.split_inclusive('\n') {
        let name = line.trim_end().strip_prefix("Content from ");
        let name = name.and_then(|name| name.strip_suffix(':'));
        match (name, files.last_mut()) {
            (Some(name), _) => {
                let name = name.strip_prefix('@').unwrap_or(name);
                files.push((name.to_owned(), String::new()));
            }
            (None, Some((_, text))) => text.push_str(line),
            (None, None) if line.trim().is_empty() => {}
            (None, None) => files.push(("referenced files".to_owned(), line.to_owned())),
        }
    }
    files
        .into_iter()
        .map(|(name, text)| Attachment {
            name,
            text: Some(text.trim_matches('\n').to_owned()),
            ..Attachment::default()
        })
        .collect()
}
