//! Chat Completions: messages by role, and the choices of a response.

use crate::formats::api::{
    Flow, ended, file_part, image_of, said, settled, usage, without_thought,
};
use crate::formats::chat::{self, cite};
use crate::formats::pairs::input;
use crate::formats::records::{Json, Object, items, text};
use crate::model::{
    Body, Input, Notice, NoticeKind, Part, Prompt, Reasoning, Reply, SourceLink, ToolCall,
};

use super::hash;

pub(super) fn is_request(body: &Object<'_>) -> bool {
    body.get("messages")
        .is_some_and(|list| list.get().starts_with('['))
        || preference(body).is_some()
}

pub(super) fn is_response(body: &Object<'_>) -> bool {
    let choices = body.items("choices").into_iter().filter_map(Object::of);
    choices
        .into_iter()
        .any(|one| one.has("message") || one.has("text"))
}

/// What was asked in an example with two answers.
pub(super) fn preference<'a>(body: &Object<'a>) -> Option<Object<'a>> {
    let input = body.object("input")?;
    (input.has("messages") && body.has("preferred_output")).then_some(input)
}

/// The messages of such an example, with the answer that was preferred.
pub(super) fn preferred<'a>(body: &Object<'a>) -> Vec<Json<'a>> {
    let asked = preference(body).map(|input| input.items("messages"));
    let mut messages = asked.unwrap_or_default();
    messages.extend(body.items("preferred_output"));
    messages
}

/// The answer that was not preferred.
pub(super) fn not_preferred(body: &Object<'_>, flow: &mut Flow) {
    if preference(body).is_none() {
        return;
    }
    let answers = body.items("non_preferred_output").into_iter();
    let words: Vec<String> = answers
        .filter_map(Object::of)
        .map(|one| words_of(&one))
        .collect();
    let notice = Notice::new(NoticeKind::Info, "The answer that was not preferred");
    flow.notice(notice.with_body(Body::Prose(words.join("\n\n"))));
}

/// All words of a message's content.
pub(super) fn words_of(message: &Object<'_>) -> String {
    let Some(content) = message.get("content") else {
        return String::new();
    };
    if let Some(words) = text(content) {
        return words.into_owned();
    }
    let parts = items(content).into_iter().filter_map(Object::of);
    let words = parts.filter_map(|part| part.words("text"));
    words.collect::<Vec<_>>().join("\n")
}

/// What an answer says: its words, and the calls that it makes.
pub(super) fn essence(message: &Object<'_>) -> u64 {
    let words = words_of(message);
    let (_, words) = without_thought(&words);
    let calls = message
        .items("tool_calls")
        .into_iter()
        .filter_map(Object::of);
    let calls: Vec<String> = calls.map(|call| call.string("id")).collect();
    hash(std::iter::once(words.trim()).chain(calls.iter().map(String::as_str)))
}

/// The message of a response.
pub(super) fn answer<'a>(response: &Object<'a>) -> Option<Object<'a>> {
    let choice = response.items("choices").into_iter().find_map(Object::of)?;
    choice.object("message")
}

pub(super) fn message(message: &Object<'_>, flow: &mut Flow) {
    let role = message.string("role");
    let mut time = flow.losses.time(message, "created_at");
    time = time.or_else(|| flow.losses.time(message, "timestamp"));
    match role.as_str() {
        "system" | "developer" => flow.told(&words_of(message), time),
        "user" => {
            let mut sources = Vec::new();
            flow.prompt(Prompt {
                id: message.string("id"),
                time,
                parts: parts(message, &mut sources),
                ..Prompt::default()
            });
        }
        "assistant" => {
            flow.facts(Reply {
                id: message.string("id"),
                start: time,
                models: message.words("model").into_iter().collect(),
                ..Reply::default()
            });
            assistant(message, flow);
        }
        "tool" | "function" => {
            let result = settled(message.get("content"));
            let id = message.string("tool_call_id");
            flow.result(&id, &message.string("name"), result);
        }
        role => flow.of_unknown(role, words_of(message)),
    }
}

/// What a message by the assistant holds.
pub(super) fn assistant(message: &Object<'_>, flow: &mut Flow) {
    let mut sources = Vec::new();
    flow.parts(thought(message));
    for part in parts(message, &mut sources) {
        match part {
            Part::Text(words) => {
                let (thought, rest) = without_thought(&words);
                flow.parts(thought.map(thinking));
                flow.parts(said(rest));
            }
            part => flow.part(part),
        }
    }
    if let Some(refusal) = message.words("refusal") {
        flow.part(refused(refusal));
    }
    if let Some(audio) = message.object("audio") {
        flow.parts(said(audio.string("transcript")));
        flow.part(file_part(
            Some("Audio".to_owned()),
            Some("audio".to_owned()),
            "",
        ));
    }
    for image in message.items("images") {
        let url = Object::of(image).and_then(|image| image.object("image_url")?.words("url"));
        flow.parts(url.map(|url| image_of(&url, None)));
    }
    annotations(message, &mut sources);
    for call in message.items("tool_calls") {
        called(call, flow);
    }
    if let Some(call) = message.object("function_call") {
        flow.call(ToolCall {
            name: call.string("name"),
            input: Some(input(&call, "arguments")),
            ..ToolCall::default()
        });
    }
    if !sources.is_empty() {
        flow.facts(Reply {
            sources,
            ..Reply::default()
        });
    }
}

pub(super) fn refused(message: String) -> Part {
    Part::Error {
        message,
        code: Some("refusal".to_owned()),
    }
}

fn thinking(words: impl Into<String>) -> Part {
    Part::Reasoning(Reasoning {
        text: words.into(),
        ..Reasoning::default()
    })
}

/// What was thought, under the key that the vendor chose for it.
fn thought(message: &Object<'_>) -> Option<Part> {
    let keys = ["reasoning_content", "reasoning", "thinking"];
    let words = keys.iter().find_map(|key| message.words(key));
    if let Some(words) = words {
        return Some(thinking(words));
    }
    let details = message.items("reasoning_details").into_iter();
    let details: Vec<Object<'_>> = details.filter_map(Object::of).collect();
    let words = details
        .iter()
        .filter_map(|one| one.words("text").or_else(|| one.words("summary")));
    let words = words.collect::<Vec<_>>().join("\n\n");
    (!details.is_empty()).then(|| {
        Part::Reasoning(Reasoning {
            hidden: words.is_empty().then_some("encrypted"),
            text: words,
            ms: None,
        })
    })
}

fn called(value: Json<'_>, flow: &mut Flow) {
    let call = Object::of(value).unwrap_or_default();
    let id = call.string("id");
    let (name, input) = match call.object("custom") {
        Some(custom) => (custom.string("name"), Input::Text(custom.string("input"))),
        None => {
            let function = call.object("function").unwrap_or_default();
            let given = input(&function, "arguments");
            if matches!(&given, Input::Text(words) if !words.trim().is_empty()) {
                flow.odd_arguments(&id);
            }
            (function.string("name"), given)
        }
    };
    flow.call(ToolCall {
        id,
        name,
        input: Some(input),
        ..ToolCall::default()
    });
}

pub(super) fn annotations(object: &Object<'_>, sources: &mut Vec<SourceLink>) {
    for annotation in object
        .items("annotations")
        .into_iter()
        .filter_map(Object::of)
    {
        let inner = annotation.object("url_citation");
        let inner = inner.as_ref().unwrap_or(&annotation);
        cite(sources, &inner.string("url"), inner.words("title"));
    }
}

/// The content of a message: words, or parts of all kinds that APIs of this family know.
pub(super) fn parts(message: &Object<'_>, sources: &mut Vec<SourceLink>) -> Vec<Part> {
    let Some(content) = message.get("content") else {
        return Vec::new();
    };
    if let Some(words) = text(content) {
        return said(words).into_iter().collect();
    }
    let mut parts = Vec::new();
    for value in items(content) {
        match Object::of(value) {
            Some(part) => parts.extend(one(&part, value, sources)),
            None => parts.extend(text(value).and_then(said)),
        }
    }
    parts
}

fn one(part: &Object<'_>, value: Json<'_>, sources: &mut Vec<SourceLink>) -> Option<Part> {
    let kind = part.string("type");
    match kind.as_str() {
        "text" | "input_text" | "output_text" | "summary_text" | "" if part.has("text") => {
            annotations(part, sources);
            // Some write the text as an object of its own.
            let inner = part.object("text").and_then(|inner| inner.words("value"));
            said(inner.unwrap_or_else(|| part.string("text")))
        }
        "refusal" => Some(refused(part.string("refusal"))),
        "thinking" | "reasoning" => {
            let inner = part.items("thinking").into_iter().filter_map(Object::of);
            let words: Vec<String> = inner.filter_map(|one| one.words("text")).collect();
            let keys = ["thinking", "reasoning", "text"];
            let own = || keys.iter().find_map(|key| part.words(key));
            let words = match words.is_empty() {
                true => own().unwrap_or_default(),
                false => words.join("\n"),
            };
            Some(thinking(words))
        }
        "image_url" | "input_image" | "image" => {
            let url = part
                .object("image_url")
                .and_then(|inner| inner.words("url"));
            let url = url
                .or_else(|| part.words("image_url"))
                .or_else(|| part.words("url"));
            let at = url.or_else(|| part.words("file_id")).unwrap_or_default();
            Some(image_of(&at, None))
        }
        "input_audio" | "audio" | "audio_url" => {
            let audio = part.object("input_audio").unwrap_or_default();
            let format = audio.words("format").unwrap_or_else(|| "audio".to_owned());
            let kind = format!("audio/{format}");
            Some(Part::File(crate::model::Attachment {
                name: "Audio".to_owned(),
                media_type: Some(kind),
                text: None,
                note: Some("not shown".to_owned()),
            }))
        }
        "file" | "input_file" | "video_url" | "document_url" => {
            let inner = part.object("file");
            let inner = inner.as_ref().unwrap_or(part);
            let keys = ["file_data", "file_url", "document_url", "file_id"];
            let at = keys.iter().find_map(|key| inner.words(key));
            let url = part
                .object("video_url")
                .and_then(|video| video.words("url"));
            let at = at.or(url).unwrap_or_default();
            let at = match at.starts_with("data:") || inner.words("file_data").is_none() {
                true => at,
                false => String::new(),
            };
            Some(file_part(inner.words("filename"), None, &at))
        }
        // It names pages that are listed elsewhere.
        "reference" => None,
        other => {
            let title = format!("A part of an unknown kind: {other}");
            Some(chat::unknown(title, value))
        }
    }
}

pub(super) fn respond(response: &Object<'_>, flow: &mut Flow) {
    let created = flow.losses.time(response, "created");
    let choices: Vec<Object<'_>> = response
        .items("choices")
        .into_iter()
        .filter_map(Object::of)
        .collect();
    let mut sources = Vec::new();
    for result in response
        .items("search_results")
        .into_iter()
        .filter_map(Object::of)
    {
        cite(&mut sources, &result.string("url"), result.words("title"));
    }
    for url in response.items("citations").into_iter().filter_map(text) {
        cite(&mut sources, &url, None);
    }
    let first = choices.first();
    if let Some(choice) = first {
        match choice.object("message") {
            Some(message) => assistant(&message, flow),
            // Completions of old had words alone.
            None => flow.parts(said(choice.string("text"))),
        }
    }
    let reason = first
        .map(|choice| choice.string("finish_reason"))
        .unwrap_or_default();
    let (status, notice) = ended(&reason);
    flow.parts(notice);
    flow.facts(Reply {
        id: response.string("id"),
        start: created,
        models: response.words("model").into_iter().collect(),
        status,
        sources,
        usage: usage(response, "usage"),
        ..Reply::default()
    });
    for choice in choices.iter().skip(1) {
        let message = choice.object("message").unwrap_or_default();
        let notice = Notice::new(NoticeKind::Info, "Another answer to the same");
        flow.part(Part::Notice(
            notice.with_body(Body::Prose(words_of(&message))),
        ));
    }
}
