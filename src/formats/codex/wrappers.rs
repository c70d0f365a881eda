//! Texts in the person's name that the program wrote, or wrapped: each in a tag of its own, or
//! under a heading of its own.

use crate::figures::one_line;
use crate::formats::records::Object;
use crate::model::{Body, Notice, NoticeKind, Part};

/// How much of a text a notice's line shows.
const LINE: usize = 120;

/// The heading under which an editor puts what the person typed.
const REQUEST: &str = "## My request for Codex:";

/// The line of what the program says of the machine.
pub(super) const ENVIRONMENT: &str = "Environment";

/// A piece of a message in the person's name.
#[derive(Debug, PartialEq)]
pub(super) enum Piece {
    /// What the person wrote or handed over.
    Part(Part),
    /// What the program put around it.
    Notice(Notice),
    /// The person stopped the assistant; what the model was told of it.
    Stop(String),
}

/// Tags that the program puts around what it writes, with the line that says what it is.
const TAGS: [(&str, NoticeKind, &str); 25] = [
    ("environment_context", NoticeKind::Context, ENVIRONMENT),
    ("user_instructions", NoticeKind::Context, "Instructions"),
    ("INSTRUCTIONS", NoticeKind::Context, "Instructions"),
    (
        "permissions instructions",
        NoticeKind::Context,
        "Permissions",
    ),
    (
        "collaboration_mode",
        NoticeKind::Context,
        "Collaboration mode",
    ),
    ("skills_instructions", NoticeKind::Context, "Skills"),
    ("skill", NoticeKind::Context, "Skill"),
    ("plugins_instructions", NoticeKind::Context, "Plugins"),
    ("recommended_plugins", NoticeKind::Context, "Plugins"),
    ("apps_instructions", NoticeKind::Context, "Apps"),
    ("task_model_guidance", NoticeKind::Context, "Guidance"),
    ("goal_context", NoticeKind::Context, "Goal"),
    (
        "codex_internal_context",
        NoticeKind::Context,
        "Context of the program",
    ),
    (
        "external_context",
        NoticeKind::Context,
        "Context from outside",
    ),
    (
        "external_browser_info",
        NoticeKind::Context,
        "Context from the browser",
    ),
    ("hook_prompt", NoticeKind::Hook, "Hook"),
    ("user_action", NoticeKind::Context, "Action of the person"),
    (
        "model_switch",
        NoticeKind::Context,
        "Instructions for another model",
    ),
    ("personality_spec", NoticeKind::Context, "Personality"),
    ("token_budget", NoticeKind::Context, "Budget"),
    ("multi_agent_mode", NoticeKind::Context, "Agents"),
    ("subagents", NoticeKind::Context, "Agents"),
    (
        "realtime_conversation",
        NoticeKind::Context,
        "Spoken conversation",
    ),
    ("memories", NoticeKind::Context, "Memories"),
    ("app-context", NoticeKind::Context, "Context of the app"),
];

/// An element at the start of a text.
struct Element<'a> {
    name: &'a str,
    inner: &'a str,
    after: &'a str,
}

/// Takes a text in the person's name apart. Nothing but tags gets lost.
pub(super) fn pieces(words: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut rest = words;
    while let Some((piece, after)) = element(rest.trim_start()).and_then(|e| known(&e)) {
        pieces.extend(piece);
        rest = after;
    }
    let start = rest.trim_start();
    if start.is_empty() || is_mark_of_image(start.trim_end()) {
        return pieces;
    }
    if start.starts_with("# AGENTS.md instructions") {
        pieces.push(Piece::Notice(folded("Instructions", start)));
        return pieces;
    }
    if let Some((around, request)) = start.rsplit_once(REQUEST) {
        if !around.trim().is_empty() {
            pieces.push(Piece::Notice(folded(title_of(around), around)));
        }
        let request = request.trim_matches('\n');
        if !request.trim().is_empty() {
            pieces.push(Piece::Part(Part::Text(request.to_owned())));
        }
        return pieces;
    }
    let words = if pieces.is_empty() { rest } else { start };
    pieces.push(Piece::Part(Part::Text(words.to_owned())));
    pieces
}

/// The words that a person wrote in a text, as they are compared with those of an event.
pub(super) fn is_mark_of_image(words: &str) -> bool {
    let words = words.trim();
    words == "</image>"
        || words == "<image>"
        || words.starts_with("<image name=") && words.ends_with('>') && words.len() < 200
}

/// What the program wrote for the model alone.
pub(super) fn injected(words: &str, title: &str) -> Vec<Piece> {
    let piece = |piece| match piece {
        Piece::Part(Part::Text(words)) => Piece::Notice(folded(title, &words)),
        piece => piece,
    };
    pieces(words).into_iter().map(piece).collect()
}

/// Context with a text folded under its title.
pub(super) fn folded(title: &str, words: &str) -> Notice {
    let body = Body::Prose(words.trim().to_owned());
    Notice::new(NoticeKind::Context, title).with_body(body)
}

/// A notice whose line is the text itself, with the whole under it when the line is too short.
pub(super) fn in_a_line(kind: NoticeKind, words: &str) -> Notice {
    let line = one_line(words, LINE);
    let is_whole = line == words.trim();
    let notice = Notice::new(kind, line);
    if is_whole {
        return notice;
    }
    notice.with_body(Body::Prose(words.trim().to_owned()))
}

/// What stands above a request.
fn title_of(around: &str) -> &'static str {
    if around.contains("# Context from my IDE setup:") {
        "Context from the editor"
    } else if around.contains("# Files mentioned by the user") {
        "Files that were mentioned"
    } else {
        "Context"
    }
}

fn element(text: &str) -> Option<Element<'_>> {
    let rest = text.strip_prefix('<')?;
    let (tag, body) = rest.split_once('>')?;
    let name = TAGS
        .iter()
        .map(|(name, _, _)| *name)
        .chain([
            "turn_aborted",
            "user_shell_command",
            "subagent_notification",
        ])
        .find(|name| {
            let start = tag.get(..name.len());
            let is_same = start.is_some_and(|start| start.eq_ignore_ascii_case(name));
            is_same && tag[name.len()..].chars().next().is_none_or(|c| c == ' ')
        })?;
    let close = format!("</{name}>");
    // Of the same tags inside it, the last closes the element.
    let lower = body.to_ascii_lowercase();
    let end = lower.rfind(&close.to_ascii_lowercase())?;
    Some(Element {
        name,
        inner: &body[..end],
        after: &body[end + close.len()..],
    })
}

/// What a known element is, and what stands behind it.
fn known<'a>(e: &Element<'a>) -> Option<(Option<Piece>, &'a str)> {
    let inner = e.inner.trim();
    let piece = match e.name {
        "turn_aborted" => Piece::Stop(inner.to_owned()),
        "user_shell_command" => Piece::Notice(command(inner)),
        "subagent_notification" => Piece::Notice(notification(inner)),
        "skill" => {
            let name = tagged(inner, "name").unwrap_or_default();
            Piece::Notice(folded(format!("Skill {name}").trim(), inner))
        }
        name => {
            let (_, kind, title) = TAGS.iter().find(|(known, _, _)| *known == name)?;
            let body = Body::Prose(inner.to_owned());
            Piece::Notice(Notice::new(*kind, *title).with_body(body))
        }
    };
    Some((Some(piece), e.after))
}

/// What stands in an element inside a text.
fn tagged<'a>(words: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = words.split_once(&format!("<{name}>"))?;
    Some(rest.split_once(&format!("</{name}>"))?.0.trim())
}

/// A command that the person ran.
fn command(inner: &str) -> Notice {
    let command = tagged(inner, "command").unwrap_or_default();
    let output = tagged(inner, "result").unwrap_or(inner);
    let line = one_line(&format!("! {command}"), LINE);
    let body = if line.ends_with('\u{2026}') {
        format!("{command}\n\n{output}")
    } else {
        output.to_owned()
    };
    Notice::new(NoticeKind::Command, line).with_body(Body::Output(body))
}

/// News of another agent: its id and how it stands, with its last words.
fn notification(inner: &str) -> Notice {
    let Ok(news) = Object::parse(inner) else {
        return in_a_line(NoticeKind::Task, inner);
    };
    let names = ["agent_id", "agent_path", "agent"];
    let agent = names.iter().find_map(|name| news.words(name));
    let agent = agent.unwrap_or_default();
    let (state, words) = super::agents::state(news.get("status"));
    let title = format!("Agent {agent}: {state}");
    let body = Body::Prose(words.unwrap_or_default());
    Notice::new(NoticeKind::Task, one_line(&title, LINE)).with_body(body)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn titles(words: &str) -> Vec<String> {
        let title = |piece| match piece {
            Piece::Part(Part::Text(words)) => words,
            Piece::Part(_) => "part".to_owned(),
            Piece::Notice(notice) => format!("[{}]", notice.title),
            Piece::Stop(words) => format!("! {words}"),
        };
        pieces(words).into_iter().map(title).collect()
    }

    #[test]
    fn a_persons_words_stay_as_they_are() {
        for words in [
            "  hello <b>you</b>\n",
            "<project_context>mine</project_context>",
            "<environment_context>never ended",
            "<skills>x</skills>",
            "<",
        ] {
            assert_eq!(titles(words), [words]);
        }
        assert!(titles("<image name=[Image #1]>").is_empty());
        assert!(titles(" \n").is_empty());
    }

    #[test]
    fn what_the_program_wrote_is_a_note() {
        for (words, title) in [
            (
                "<environment_context>\n  <cwd>/w</cwd>\n</environment_context>",
                "[Environment]",
            ),
            (
                "<user_instructions>\nbe kind\n</user_instructions>",
                "[Instructions]",
            ),
            (
                "# AGENTS.md instructions for /w\n\n<INSTRUCTIONS>\nx\n</INSTRUCTIONS>",
                "[Instructions]",
            ),
            (
                "<permissions instructions>x</permissions instructions>",
                "[Permissions]",
            ),
            (
                "<skill>\n<name>tidy</name>\n# Tidy\n</skill>",
                "[Skill tidy]",
            ),
            (
                "<hook_prompt hook_run_id=\"h\">stop</hook_prompt>",
                "[Hook]",
            ),
            (
                "<SUBAGENT_NOTIFICATION>{\"agent_id\":\"a1\",\"status\":{\"completed\":\"All done\"}}</subagent_notification>",
                "[Agent a1: completed]",
            ),
            ("<turn_aborted>\nstopped\n</turn_aborted>", "! stopped"),
            (
                "<user_shell_command>\n<command>\nls\n</command>\n<result>\na\n</result>\n</user_shell_command>",
                "[! ls]",
            ),
        ] {
            assert_eq!(titles(words), [title], "{words}");
        }
    }

    #[test]
    fn what_an_editor_adds_stands_beside_the_request() {
        let words = "# Context from my IDE setup:\n\n## Open tabs:\n- a.rs\n\n## My request for Codex:\nfix it\n";
        assert_eq!(titles(words), ["[Context from the editor]", "fix it"]);
        assert_eq!(titles("## My request for Codex:\nfix it"), ["fix it"]);
    }
}
