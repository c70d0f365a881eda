//! Conversations in a few words, for the tests of readers.

use crate::model::{Author, Conversation, Entry, Notice, Part, Reply, ToolCall};

/// One line for each entry, those of subagents and of branches indented.
pub(crate) fn outline(conversation: &Conversation) -> Vec<String> {
    let mut lines = Vec::new();
    add(&conversation.entries, "", &mut lines);
    for child in &conversation.children {
        lines.push("child".to_owned());
        add(&child.entries, "  ", &mut lines);
    }
    lines
}

/// The first call of a conversation by this name.
pub(crate) fn call<'a>(conversation: &'a Conversation, name: &str) -> &'a ToolCall {
    let parts = replies(conversation).flat_map(|reply| &reply.parts);
    let mut calls = parts.filter_map(|part| match part {
        Part::Tool(call) => Some(call),
        _ => None,
    });
    let found = calls.find(|call| call.name == name);
    found.expect("there is such a call")
}

/// The replies of a conversation.
pub(crate) fn replies(conversation: &Conversation) -> impl Iterator<Item = &Reply> {
    conversation.entries.iter().filter_map(|entry| match entry {
        Entry::Reply(reply) => Some(reply),
        _ => None,
    })
}

fn add(entries: &[Entry], indent: &str, lines: &mut Vec<String>) {
    for entry in entries {
        match entry {
            Entry::Prompt(prompt) => {
                let who = match &prompt.author {
                    Author::Person => "person",
                    Author::Agent(_) => "agent",
                };
                let queued = if prompt.queued { " (queued)" } else { "" };
                let asides = prompt.asides.iter().map(notice);
                let words: Vec<String> = prompt.parts.iter().map(part).chain(asides).collect();
                lines.push(format!("{indent}{who}{queued}: {}", words.join(", ")));
            }
            Entry::Reply(reply) => {
                let error = reply.error.iter().map(|error| format!("error {error}"));
                let words: Vec<String> = reply.parts.iter().map(part).chain(error).collect();
                lines.push(format!("{indent}{:?}: {}", reply.status, words.join(", ")));
                for child in reply.parts.iter().filter_map(child) {
                    add(&child.entries, &format!("{indent}  "), lines);
                }
            }
            Entry::Notice(one) => lines.push(format!("{indent}{}", notice(one))),
            Entry::Versions(versions) => {
                for version in versions {
                    lines.push(format!("{indent}version"));
                    add(version, &format!("{indent}  "), lines);
                }
            }
        }
    }
}

fn child(part: &Part) -> Option<&Conversation> {
    match part {
        Part::Tool(call) => call.child.as_deref(),
        _ => None,
    }
}

fn notice(notice: &Notice) -> String {
    format!("<{:?} {}>", notice.kind, notice.title)
}

fn part(part: &Part) -> String {
    match part {
        Part::Text(text) => format!("{text:?}"),
        Part::Reasoning(reasoning) => match reasoning.ms {
            Some(ms) => format!("thought {ms}ms"),
            None => "thought".to_owned(),
        },
        Part::Tool(call) => {
            let result = call.result.as_ref().map_or("-".to_owned(), |result| {
                let mark = match (result.is_error, result.cancelled) {
                    (true, _) => "!",
                    (_, true) => "~",
                    _ => "",
                };
                format!("{mark}{:?}", result.text)
            });
            format!("{} → {result}", call.name)
        }
        Part::Image(_) => "picture".to_owned(),
        Part::File(file) => format!("file {}", file.name),
        Part::Notice(one) => notice(one),
        Part::Error { message, .. } => format!("error {message}"),
    }
}
