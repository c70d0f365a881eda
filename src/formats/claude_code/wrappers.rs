//! User text that is not, or not only, what a person wrote: the program puts reminders, command
//! echoes and events into user messages, each in a tag of its own.

use crate::figures::one_line;
use crate::model::{Body, Notice, NoticeKind, Part};

/// How much of a text a notice's line shows.
const LINE: usize = 120;

/// A piece of a user message.
#[derive(Debug, PartialEq)]
pub(super) enum Piece {
    /// What the person wrote or handed over.
    Part(Part),
    /// What the program put around it.
    Notice(Notice),
    /// A command of the program, typed by the person.
    Command(Command),
    /// The output of that command.
    Output(String),
    /// The person stopped the assistant.
    Stop(Notice),
    /// Another agent wrote.
    From {
        /// Its name.
        agent: String,
        /// The message in a line, when it has one.
        summary: Option<String>,
        /// The message.
        text: String,
    },
}

/// A command as it was typed.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Command {
    /// The whole of it, such as `/review 12` or `! ls`.
    pub(super) words: String,
    /// What the program said while it ran.
    pub(super) message: Option<String>,
}

/// An element at the start of a text.
struct Element<'a> {
    name: &'a str,
    attributes: &'a str,
    inner: &'a str,
    after: &'a str,
}

/// Takes a user text apart. Nothing but tags gets lost.
pub(super) fn pieces(text: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut rest = text;
    loop {
        let start = rest.trim_start();
        if let Some((command, after)) = command(start) {
            pieces.push(Piece::Command(command));
            rest = after;
        } else if let Some((piece, after)) = element(start).and_then(|e| known(&e)) {
            pieces.extend(piece);
            rest = after;
        } else {
            break;
        }
    }
    if let Some(piece) = plain(rest.trim()) {
        pieces.push(piece);
        return pieces;
    }
    let (words, reminders) = split_reminders(rest);
    if !words.trim().is_empty() {
        let words = if pieces.is_empty() {
            words
        } else {
            words.trim_start()
        };
        pieces.push(Piece::Part(Part::Text(words.to_owned())));
    }
    pieces.extend(reminders.into_iter().rev().map(Piece::Notice));
    pieces
}

/// A notice with a text folded under its title, or in its place when it is one short line.
pub(super) fn folded(kind: NoticeKind, title: &str, text: &str) -> Notice {
    Notice::new(kind, title).with_body(Body::Prose(text.trim().to_owned()))
}

/// The command echo at the start of a text: its tags come in any order.
fn command(text: &str) -> Option<(Command, &str)> {
    let mut name = None;
    let mut arguments = String::new();
    let mut message = None;
    let mut rest = text;
    while let Some(e) = element(rest.trim_start()) {
        match e.name {
            "command-name" => name = Some(e.inner.trim()),
            "command-args" => arguments = e.inner.trim().to_owned(),
            "command-message" => message = Some(e.inner.trim()),
            "command-contents" => arguments.push_str(e.inner),
            _ => break,
        }
        rest = e.after;
    }
    let name = name.or(message)?;
    let name = name.strip_prefix('/').unwrap_or(name);
    let message = message
        .filter(|message| {
            !message.is_empty() && message.strip_prefix('/').unwrap_or(message) != name
        })
        .map(str::to_owned);
    let words = format!("/{name} {arguments}").trim_end().to_owned();
    Some((Command { words, message }, rest))
}

/// The element that a text begins with: a tag with its end tag.
fn element(text: &str) -> Option<Element<'_>> {
    let tag = text.strip_prefix('<')?;
    let name_end = tag.find(|c: char| !(c.is_ascii_alphanumeric() || c == '-' || c == '_'))?;
    let (name, rest) = tag.split_at(name_end);
    if name.is_empty() || !rest.starts_with(['>', ' ']) {
        return None;
    }
    let (attributes, content) = rest.split_once('>')?;
    let end = format!("</{name}>");
    let (inner, after) = content.split_once(&end)?;
    Some(Element {
        name,
        attributes,
        inner,
        after,
    })
}

/// The pieces that a known element is, and what follows it.
fn known<'a>(e: &Element<'a>) -> Option<(Vec<Piece>, &'a str)> {
    use NoticeKind::{Context, Hook, Reminder};
    let context = |title: &str| {
        let inner = match element(e.inner.trim()) {
            Some(only) if only.after.trim().is_empty() => only.inner,
            _ => e.inner,
        };
        let body = Body::Output(inner.trim().to_owned());
        Piece::Notice(Notice::new(Context, title).with_body(body))
    };
    let piece = match e.name {
        "system-reminder" => Piece::Notice(folded(Reminder, "System reminder", e.inner)),
        "local-command-caveat" => Piece::Notice(caveat(e.inner)),
        "local-command-stdout" | "local-command-stderr" | "bash-stdout" | "bash-stderr" => {
            Piece::Output(e.inner.to_owned())
        }
        "bash-input" => Piece::Command(Command {
            words: format!("! {}", e.inner.trim()),
            message: None,
        }),
        "user-memory-input" => Piece::Command(Command {
            words: format!("# {}", e.inner.trim()),
            message: None,
        }),
        "task-notification" | "agent-notification" | "bash-notification" => {
            let (detail, after) = detail(e.after);
            return Some((vec![Piece::Notice(task(e.inner, detail))], after));
        }
        "teammate-message" => return Some((vec![teammate(e)], e.after)),
        "ide_opened_file" => context("File opened in the editor"),
        "ide_selection" => context("Selection in the editor"),
        "ide_diagnostics" | "new-diagnostics" | "post-tool-use-hook" => {
            context("Diagnostics of the editor")
        }
        "user-prompt-submit-hook" | "session-start-hook" => {
            let title = format!("Hook {}", e.name.trim_end_matches("-hook"));
            let body = Body::Output(e.inner.trim().to_owned());
            Piece::Notice(Notice::new(Hook, title).with_body(body))
        }
        _ => return None,
    };
    Some((vec![piece], e.after))
}

fn caveat(text: &str) -> Notice {
    folded(NoticeKind::Reminder, "Note on local commands", text)
}

/// The line after an event that says where to read more, and what follows it.
fn detail(after: &str) -> (&str, &str) {
    let start = after.trim_start();
    let known = ["Full transcript available at:", "Read the output file"];
    if !known.iter().any(|words| start.starts_with(words)) {
        return ("", after);
    }
    start.split_once('\n').unwrap_or((start, ""))
}

/// An event of a background task: its summary, with all that the program wrote folded as it is,
/// for it is written for the model.
fn task(inner: &str, detail: &str) -> Notice {
    let mut title = None;
    let mut rest = inner.trim();
    while let Some(e) = element(rest) {
        if e.name == "summary" {
            title = Some(e.inner.trim());
        }
        rest = e.after.trim_start();
    }
    let title = title.filter(|title| !title.is_empty());
    let line = title.map_or("Background task".to_owned(), |title| one_line(title, LINE));
    let body = format!("{}\n{detail}", inner.trim());
    Notice::new(NoticeKind::Task, line).with_body(Body::Output(body.trim().to_owned()))
}

/// A message of another agent; what its program sent by itself is an event.
fn teammate(e: &Element<'_>) -> Piece {
    let agent = attribute(e.attributes, "teammate_id").unwrap_or("teammate");
    let inner = e.inner.trim();
    if inner.starts_with('{')
        && let Ok(event) = crate::formats::records::Object::parse(inner)
        && let Some(kind) = event.text("type")
    {
        let title = format!("{agent}: {}", kind.replace('_', " "));
        let body = Body::Data(inner.to_owned());
        return Piece::Notice(Notice::new(NoticeKind::Task, title).with_body(body));
    }
    Piece::From {
        agent: agent.to_owned(),
        summary: attribute(e.attributes, "summary").map(str::to_owned),
        text: inner.to_owned(),
    }
}

fn attribute<'a>(attributes: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = attributes.split_once(&format!("{name}=\""))?;
    Some(rest.split_once('"')?.0).filter(|value| !value.is_empty())
}

/// What a text without tags is, when it is none of a person's.
fn plain(text: &str) -> Option<Piece> {
    if text.starts_with("[Request interrupted by user") && text.ends_with(']') && text.len() < 80 {
        let title = text.trim_matches(['[', ']']);
        return Some(Piece::Stop(Notice::new(NoticeKind::Interruption, title)));
    }
    if text.starts_with("Caveat: The messages below were generated by the user") {
        return Some(Piece::Notice(caveat(text)));
    }
    if text.starts_with("This session is being continued from a previous conversation") {
        let title = "Earlier messages were summarised";
        return Some(Piece::Notice(folded(NoticeKind::Compaction, title, text)));
    }
    if text.starts_with("Base directory for this skill:") {
        return Some(Piece::Notice(skill(text)));
    }
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    if first.ends_with(" hook feedback:") && first.len() < 80 {
        let body = Body::Output(rest.trim().to_owned());
        let title = first.trim_end_matches(':');
        return Some(Piece::Notice(
            Notice::new(NoticeKind::Hook, title).with_body(body),
        ));
    }
    None
}

/// The text of a skill.
fn skill(text: &str) -> Notice {
    let path = text.lines().next().unwrap_or_default();
    let name = path.rsplit('/').next().unwrap_or_default().trim();
    folded(NoticeKind::Context, &format!("Skill {name}"), text)
}

/// Context that the program put in as a message of its own.
pub(super) fn injected(text: &str) -> Notice {
    if text.starts_with("Base directory for this skill:") {
        return skill(text);
    }
    let line = one_line(text, LINE);
    if line == text.trim() {
        return Notice::new(NoticeKind::Context, line);
    }
    folded(NoticeKind::Context, "Put in by the program", text)
}

/// Splits reminders off the end of a text; they come last first.
fn split_reminders(text: &str) -> (&str, Vec<Notice>) {
    let mut reminders = Vec::new();
    let mut rest = text;
    while let Some(front) = rest.trim_end().strip_suffix("</system-reminder>") {
        let Some((before, inner)) = front.rsplit_once("<system-reminder>") else {
            break;
        };
        reminders.push(folded(NoticeKind::Reminder, "System reminder", inner));
        rest = before.trim_end();
    }
    (rest, reminders)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn titles(text: &str) -> Vec<String> {
        let pieces = pieces(text).into_iter();
        let titles = pieces.map(|piece| match piece {
            Piece::Part(Part::Text(words)) => words,
            Piece::Part(_) => "part".to_owned(),
            Piece::Notice(notice) => format!("[{}]", notice.title),
            Piece::Command(command) => format!("$ {}", command.words),
            Piece::Output(output) => format!("> {output}"),
            Piece::Stop(notice) => format!("! {}", notice.title),
            Piece::From { agent, text, .. } => format!("{agent}: {text}"),
        });
        titles.collect()
    }

    #[test]
    fn a_persons_words_stay_as_they_are() {
        for words in [
            "  hello <b>you</b>\n",
            "<thing>never ended",
            "<custom>mine</custom>",
            "what does <system-reminder> mean",
            "a < b",
            "<",
        ] {
            assert_eq!(titles(words), [words]);
        }
        assert!(titles(" \n").is_empty());
    }

    #[test]
    fn wrappers_around_words_become_notices() {
        let text = "<system-reminder>\nbe kind\n</system-reminder>\n\
            <ide_selection>lines 1 to 2</ide_selection>fix this\n\
            <system-reminder>last</system-reminder>\n";
        assert_eq!(
            titles(text),
            [
                "[System reminder]",
                "[Selection in the editor]",
                "fix this",
                "[System reminder]"
            ]
        );
    }

    #[test]
    fn command_tags_come_in_any_order() {
        let typed = "<command-message>review is running…</command-message>\n   \
            <command-name>/review</command-name><command-args> 12 </command-args>";
        assert_eq!(titles(typed), ["$ /review 12"]);
        let Piece::Command(command) = &pieces(typed)[0] else {
            panic!("it is a command");
        };
        assert_eq!(command.message.as_deref(), Some("review is running…"));
        assert_eq!(
            titles("<command-name>clear</command-name>\n<command-message>clear</command-message>"),
            ["$ /clear"]
        );
    }

    #[test]
    fn shells_of_the_person_are_commands() {
        assert_eq!(titles("<bash-input> ls -l</bash-input>"), ["$ ! ls -l"]);
        assert_eq!(
            titles("<bash-stdout>a\nb</bash-stdout><bash-stderr></bash-stderr>"),
            ["> a\nb", "> "]
        );
    }

    #[test]
    fn events_keep_all_their_words() {
        let text = "<task-notification>\n<task-id>b1</task-id>\n<status>completed</status>\n\
            <summary>Agent \"X\" completed</summary>\n<result>All **done**.\n\nSee below.</result>\n\
            </task-notification>\nFull transcript available at: /tmp/b1.output";
        assert_eq!(titles(text).len(), 1);
        let Piece::Notice(notice) = &pieces(text)[0] else {
            panic!("it is a notice");
        };
        assert_eq!(notice.title, "Agent \"X\" completed");
        let body = notice.body.as_ref().expect("it has a body").text();
        for words in [
            "b1",
            "completed",
            "/tmp/b1.output",
            "All **done**.\n\nSee below.",
        ] {
            assert!(body.contains(words), "{words}");
        }
    }

    #[test]
    fn team_mates_write_prompts_and_their_programs_events() {
        let text = "<teammate-message teammate_id=\"ann\" color=\"red\" summary=\"Done\">\nAll done\n\
            </teammate-message>\n<teammate-message teammate_id=\"bo\">\
            {\"type\":\"idle_notification\"}</teammate-message>";
        assert_eq!(titles(text), ["ann: All done", "[bo: idle notification]"]);
    }

    #[test]
    fn lines_of_the_program_are_told_by_how_they_begin() {
        let stop = "[Request interrupted by user for tool use]";
        assert_eq!(titles(stop), ["! Request interrupted by user for tool use"]);
        assert_eq!(
            titles("Stop hook feedback:\n- tests fail"),
            ["[Stop hook feedback]"]
        );
        assert_eq!(
            titles("Base directory for this skill: /home/x/skills/tidy\n\n# Tidy"),
            ["[Skill tidy]"]
        );
    }
}
