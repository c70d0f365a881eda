//! Every text of a conversation that can reach a page, in reading order: the one list of what
//! redaction must see. A new field of the model gets its line here.

use std::collections::BTreeMap;

use crate::model::patch::{Change, FilePatch};
use crate::model::{
    Attachment, Author, Body, Conversation, Details, Entry, Image, ImageData, Input, Notice, Part,
    Prompt, Reply, TextFile, TodoItem, ToolCall, ToolResult,
};

use super::files::{self, Holding};

/// What is known of a text besides its words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// Text, which may hold nothing but credentials.
    Text(Option<Holding>),
    /// JSON; the call may write a file of credentials.
    Json(Option<Holding>),
}

/// What goes through a conversation.
pub(super) trait Visit {
    /// Whether it wants to know what a text holds besides its words. To find that out, commands and
    /// paths must be read, which takes time.
    fn wants_holding(&self) -> bool {
        false
    }

    /// Sees a text.
    fn text(&mut self, text: &mut String, place: Place);

    /// A conversation begins: the one that is gone through, or a subagent's inside it.
    fn enter(&mut self);

    /// It ends.
    fn leave(&mut self, conversation: &mut Conversation);
}

const PLAIN: Place = Place::Text(None);

/// Goes through all texts of a conversation with its subagents, in reading order.
pub(super) fn visit(conversation: &mut Conversation, visitor: &mut dyn Visit) {
    visitor.enter();
    let Conversation {
        id,
        anchor: _,
        title,
        program,
        version,
        project,
        branch,
        agent,
        entries,
        children,
        cost_usd: _,
        other_usage: _,
        unshown,
        redactions: _,
    } = conversation;
    for text in [title, version, project, branch].into_iter().flatten() {
        visitor.text(text, PLAIN);
    }
    visitor.text(id, PLAIN);
    visitor.text(program, PLAIN);
    if let Some(agent) = agent {
        visitor.text(&mut agent.kind, PLAIN);
        some(&mut agent.description, visitor);
    }
    each_entry(entries, visitor);
    for child in children {
        visit(child, visitor);
    }
    let mut kinds = BTreeMap::new();
    for (mut kind, count) in std::mem::take(unshown) {
        visitor.text(&mut kind, PLAIN);
        *kinds.entry(kind).or_insert(0) += count;
    }
    *unshown = kinds;
    visitor.leave(conversation);
}

fn each_entry(entries: &mut [Entry], visitor: &mut dyn Visit) {
    for entry in entries {
        match entry {
            Entry::Prompt(prompt) => in_prompt(prompt, visitor),
            Entry::Reply(reply) => in_reply(reply, visitor),
            Entry::Notice(notice) => in_notice(notice, visitor),
            Entry::Versions(versions) => {
                for entries in versions {
                    each_entry(entries, visitor);
                }
            }
        }
    }
}

fn in_prompt(prompt: &mut Prompt, visitor: &mut dyn Visit) {
    let Prompt {
        id,
        anchor: _,
        time: _,
        author,
        queued: _,
        parts,
        asides,
    } = prompt;
    visitor.text(id, PLAIN);
    if let Author::Agent(Some(name)) = author {
        visitor.text(name, PLAIN);
    }
    each_part(parts, visitor);
    for aside in asides {
        in_notice(aside, visitor);
    }
}

fn in_reply(reply: &mut Reply, visitor: &mut dyn Visit) {
    let Reply {
        id,
        anchor: _,
        start: _,
        end: _,
        ms: _,
        models,
        status: _,
        parts,
        sources,
        error,
        usage: _,
    } = reply;
    visitor.text(id, PLAIN);
    for model in models {
        visitor.text(model, PLAIN);
    }
    each_part(parts, visitor);
    for source in sources {
        visitor.text(&mut source.url, PLAIN);
        some(&mut source.title, visitor);
    }
    some(error, visitor);
}

fn each_part(parts: &mut [Part], visitor: &mut dyn Visit) {
    for part in parts {
        match part {
            Part::Text(text) => visitor.text(text, PLAIN),
            Part::Reasoning(reasoning) => visitor.text(&mut reasoning.text, PLAIN),
            Part::Tool(call) => in_call(call, visitor),
            Part::Image(image) => in_image(image, visitor),
            Part::File(file) => in_attachment(file, visitor),
            Part::Notice(notice) => in_notice(notice, visitor),
            Part::Error { message, code } => {
                visitor.text(message, PLAIN);
                some(code, visitor);
            }
        }
    }
}

fn in_call(call: &mut ToolCall, visitor: &mut dyn Visit) {
    let ToolCall {
        id,
        anchor: _,
        name,
        title,
        input,
        result,
        more_results,
        start: _,
        ms: _,
        running: _,
        notices,
        child,
    } = call;
    visitor.text(id, PLAIN);
    visitor.text(name, PLAIN);
    some(title, visitor);
    let held = match input.as_ref().filter(|_| visitor.wants_holding()) {
        Some(Input::Json(json)) => files::of_input(json, true),
        Some(Input::Text(text)) => files::of_input(text, false),
        None => None,
    };
    match input {
        Some(Input::Json(json)) => visitor.text(json, Place::Json(held)),
        Some(Input::Text(text)) => visitor.text(text, PLAIN),
        None => {}
    }
    if let Some(child) = child {
        visit(child, visitor);
    }
    for result in result.iter_mut().chain(more_results) {
        in_result(result, held, visitor);
    }
    for notice in notices {
        in_notice(notice, visitor);
    }
}

fn in_result(result: &mut ToolResult, held: Option<Holding>, visitor: &mut dyn Visit) {
    let ToolResult {
        text,
        is_error: _,
        cancelled: _,
        time: _,
        images,
        full_output,
        details,
    } = result;
    visitor.text(text, Place::Text(held));
    for image in images {
        in_image(image, visitor);
    }
    if let Some(TextFile {
        name,
        text,
        bytes: _,
    }) = full_output
    {
        visitor.text(name, PLAIN);
        if let Some(text) = text {
            visitor.text(text, Place::Text(held));
        }
    }
    if let Some(details) = details {
        in_details(details, visitor);
    }
}

fn in_details(details: &mut Details, visitor: &mut dyn Visit) {
    let Details {
        exit_code: _,
        timed_out: _,
        interrupted: _,
        denied: _,
        truncated: _,
        diagnostics,
        background,
        patches,
        files: _,
        matches: _,
        hits,
        page,
        file: _,
        answers,
        agent,
        todos,
        document,
    } = details;
    some(background, visitor);
    for patch in patches {
        in_patch(patch, visitor);
    }
    for hit in hits.iter_mut().flatten() {
        visitor.text(&mut hit.title, PLAIN);
        visitor.text(&mut hit.url, PLAIN);
        some(&mut hit.snippet, visitor);
    }
    for diagnostic in diagnostics {
        visitor.text(&mut diagnostic.path, PLAIN);
        visitor.text(&mut diagnostic.message, PLAIN);
    }
    if let Some(page) = page {
        visitor.text(&mut page.url, PLAIN);
        some(&mut page.title, visitor);
    }
    for (question, answer) in answers {
        visitor.text(question, PLAIN);
        visitor.text(answer, PLAIN);
    }
    if let Some(document) = document {
        some(&mut document.title, visitor);
        some(&mut document.kind, visitor);
        some(&mut document.text, visitor);
    }
    if let Some(agent) = agent {
        visitor.text(&mut agent.id, PLAIN);
        some(&mut agent.status, visitor);
    }
    for todo in todos.iter_mut().flatten() {
        let TodoItem {
            group,
            text,
            state: _,
            note,
        } = todo;
        some(group, visitor);
        visitor.text(text, PLAIN);
        some(note, visitor);
    }
}

fn in_patch(patch: &mut FilePatch, visitor: &mut dyn Visit) {
    let FilePatch {
        path,
        change,
        hunks,
    } = patch;
    let held = files::of_file(path).filter(|held| *held != Holding::Secret);
    visitor.text(path, PLAIN);
    if let Change::Moved(to) = change {
        visitor.text(to, PLAIN);
    }
    for hunk in hunks {
        some(&mut hunk.heading, visitor);
        for line in &mut hunk.lines {
            visitor.text(&mut line.text, Place::Text(held));
        }
    }
}

fn in_image(image: &mut Image, visitor: &mut dyn Visit) {
    match &mut image.data {
        // A picture's bytes are no text; what it shows cannot be read here.
        ImageData::Base64 {
            media_type,
            data: _,
        } => visitor.text(media_type, PLAIN),
        ImageData::Bytes(_) => {}
        ImageData::Remote(text) | ImageData::Missing(text) => visitor.text(text, PLAIN),
    }
    some(&mut image.alt, visitor);
}

fn in_attachment(file: &mut Attachment, visitor: &mut dyn Visit) {
    let Attachment {
        name,
        media_type,
        text,
        note,
    } = file;
    let held = files::of_file(name);
    visitor.text(name, PLAIN);
    some(media_type, visitor);
    if let Some(text) = text {
        visitor.text(text, Place::Text(held));
    }
    some(note, visitor);
}

fn in_notice(notice: &mut Notice, visitor: &mut dyn Visit) {
    let Notice {
        kind: _,
        title,
        body,
        time: _,
    } = notice;
    visitor.text(title, PLAIN);
    if let Some(Body::Prose(text) | Body::Output(text) | Body::Data(text)) = body {
        visitor.text(text, PLAIN);
    }
}

fn some(text: &mut Option<String>, visitor: &mut dyn Visit) {
    if let Some(text) = text {
        visitor.text(text, PLAIN);
    }
}
