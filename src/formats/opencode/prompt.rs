//! A user message: what the person wrote, and what the program put around it.

use crate::figures::one_line;
use crate::formats::records::Object;
use crate::model::{Attachment, Body, Notice, NoticeKind, Part};

use super::message::Message;
use super::part::Piece;

/// A user message, taken apart.
#[derive(Debug, Default)]
pub(super) struct Spoken {
    /// What the person wrote or handed over.
    pub(super) parts: Vec<Part>,
    /// What the program put around it.
    pub(super) asides: Vec<Notice>,
    /// Whether earlier messages are summarised here, and whether the program chose to.
    pub(super) compaction: Option<bool>,
    /// Parts that are not shown, by kind.
    pub(super) hidden: Vec<&'static str>,
}

/// What the program writes for the model when it reads a file that the prompt names; the file's
/// words follow in a part of their own, and then the file's own part.
const READING: &str = "Called the Read tool with the following input:";

/// What stands in the place of a prompt when the person ran a command.
const RAN: &str = "The following tool was executed by the user";

/// How many characters of what the program wrote are its title.
const TITLE: usize = 100;

/// Takes a user message apart.
pub(super) fn read(message: &mut Message) -> Spoken {
    let mut spoken = Spoken::default();
    let mut reading: Option<Reading> = None;
    let mut mentions = Vec::new();
    for (_, piece) in std::mem::take(&mut message.parts) {
        match piece {
            Piece::Text {
                words,
                synthetic: true,
                ..
            } => {
                if let Some(input) = words.strip_prefix(READING) {
                    spoken.asides.extend(reading.take().map(Reading::notice));
                    reading = Some(Reading::of(input.trim()));
                } else if let Some(reading) = &mut reading
                    && reading.words.is_none()
                    && !words.trim_start().starts_with("<system-reminder>")
                {
                    reading.words = Some(words);
                } else if !words.trim().is_empty() {
                    spoken.asides.push(injected(&words));
                }
            }
            Piece::Text { words, ignored, .. } => {
                if ignored {
                    let title = "Not given to the model";
                    let notice = Notice::new(NoticeKind::Info, title);
                    spoken.asides.push(notice.with_body(Body::Prose(words)));
                } else if !words.trim().is_empty() {
                    spoken.parts.push(Part::Text(words));
                }
            }
            Piece::File(part) => spoken.parts.push(match reading.take() {
                Some(reading) => reading.fill(part),
                None => part,
            }),
            Piece::Mention(agent) => mentions.push(agent),
            Piece::Compaction(auto) => spoken.compaction = Some(auto),
            Piece::Subtask(notice) | Piece::Notice(notice) | Piece::Unknown(_, notice) => {
                spoken.asides.push(notice);
            }
            Piece::Reasoning(reasoning) => spoken.parts.push(Part::Reasoning(reasoning)),
            Piece::Call(call) => spoken.parts.push(Part::Tool(call)),
            Piece::Hidden(kind) => spoken.hidden.push(kind),
            Piece::Start | Piece::Step { .. } => {}
            Piece::Changed(_) => spoken.hidden.push("lists of changed files"),
        }
    }
    spoken.asides.extend(reading.take().map(Reading::notice));
    spoken.name(mentions);
    spoken
}

impl Spoken {
    /// Whether this only says that the person ran a command, which is the reply.
    pub(super) fn is_command(&self) -> bool {
        let mut asides = self.asides.iter();
        asides.any(|aside| aside.kind == NoticeKind::Command)
    }

    /// Adds the agents that the prompt's words do not name.
    fn name(&mut self, agents: Vec<String>) {
        for agent in agents {
            let mention = format!("@{agent}");
            let is_said = self.parts.iter().any(|part| match part {
                Part::Text(words) => words.contains(&mention),
                _ => false,
            });
            if !is_said {
                let title = format!("For the agent {agent}");
                self.asides.push(Notice::new(NoticeKind::Info, title));
            }
        }
    }
}

/// A file that the program read for the model because the prompt names it.
#[derive(Debug, Default)]
struct Reading {
    path: String,
    /// Which lines, when not all.
    lines: Option<String>,
    words: Option<String>,
}

impl Reading {
    fn of(input: &str) -> Self {
        let input = Object::parse(input).unwrap_or_default();
        let offset = input.count("offset");
        let lines = offset.map(|first| match input.count("limit") {
            Some(limit) => format!("lines {first} to {}", first.saturating_add(limit)),
            None => format!("from line {first} on"),
        });
        Reading {
            path: input.string("filePath"),
            lines,
            words: None,
        }
    }

    /// The file's part with the words that were read.
    fn fill(self, part: Part) -> Part {
        match part {
            Part::File(file) => {
                let (words, end) = self.words.map(unwrapped).map_or((None, None), |words| {
                    let (words, end) = without_end(words);
                    (Some(words), end)
                });
                let notes: Vec<String> = self.lines.into_iter().chain(end).collect();
                let note = Some(notes.join(", ")).filter(|note| !note.is_empty());
                Part::File(Attachment {
                    text: file.text.or(words),
                    note: file.note.or(note),
                    ..file
                })
            }
            part => part,
        }
    }

    /// What is shown when no file's part follows.
    fn notice(self) -> Notice {
        let title = format!("Read {}", self.path);
        let words = self.words.map(unwrapped).unwrap_or_default();
        Notice::new(NoticeKind::Context, title).with_body(Body::Output(words))
    }
}

/// A file's words without the program's last line about how much of it they are, and that line.
fn without_end(words: String) -> (String, Option<String>) {
    let (lines, last) = words.rsplit_once('\n').unwrap_or(("", &words));
    let about = last
        .trim()
        .strip_prefix('(')
        .and_then(|last| last.strip_suffix(')'));
    let begins = |about: &&str| {
        let starts = ["End of file", "File has more lines", "Showing lines "];
        starts.iter().any(|start| about.starts_with(start))
    };
    match about.filter(begins) {
        Some(about) => {
            let about = about.to_owned();
            (lines.trim_end_matches('\n').to_owned(), Some(about))
        }
        None => (words, None),
    }
}

/// A file's words without the tags around them.
fn unwrapped(words: String) -> String {
    for (open, close) in [("<content>", "</content>"), ("<file>", "</file>")] {
        if let Some(start) = words.find(open)
            && let Some(end) = words.rfind(close).filter(|end| *end > start)
        {
            return words[start + open.len()..end].trim_matches('\n').to_owned();
        }
    }
    words
}

/// Words that the program wrote into the message.
pub(super) fn injected(words: &str) -> Notice {
    let bare = words.trim();
    if bare == RAN {
        return Notice::new(NoticeKind::Command, "The person ran a command");
    }
    let reminder = bare
        .strip_prefix("<system-reminder>")
        .and_then(|rest| rest.strip_suffix("</system-reminder>"));
    let (kind, bare) = match reminder {
        Some(inner) => (NoticeKind::Reminder, inner.trim()),
        None => (NoticeKind::Context, bare),
    };
    if bare.lines().count() <= 1 && bare.chars().count() <= TITLE {
        return Notice::new(kind, bare);
    }
    if let Some(data) = Object::parse(bare).ok().filter(|_| bare.starts_with('{')) {
        let about = data.words("context_type");
        let title = match &about {
            Some(about) => format!("Context: {}", one_line(about, TITLE)),
            None => "Context".to_owned(),
        };
        return Notice::new(kind, title).with_body(Body::Data(bare.to_owned()));
    }
    let first = bare.lines().next().unwrap_or_default();
    let title = one_line(first, TITLE);
    Notice::new(kind, title).with_body(Body::Prose(bare.to_owned()))
}
