//! One message of a session.

use crate::formats::genai::{self, Content, Message, Row, Shown, What};
use crate::formats::notices::in_a_line;
use crate::formats::problems::Problems;
use crate::formats::records::{Json, Object, items, text};
use crate::formats::times;
use crate::model::{
    AgentRun, Author, Body, Notice, NoticeKind, Part, Reasoning, Timestamp, ToolCall, ToolResult,
    Usage,
};

use super::is_model;

/// Moments that are so many milliseconds apart were written down at once.
const AT_ONCE: i64 = 2;

/// What the program makes the model say after a context or a summary.
const THANKS: &str = "Got it. Thanks for the";

/// What the program says when the person stopped a reply.
const STOPPED: &str = "Request cancelled.";

/// Reads a message. `author` wrote the prompts of this session.
pub(super) fn read(
    object: &Object<'_>,
    line: u64,
    author: &Author,
    problems: &mut Problems,
) -> Row {
    let kind = object.text("type").or_else(|| object.text("role"));
    let kind = kind.as_deref().unwrap_or_default();
    let time = moment(object, line, problems);
    let what = match kind {
        "user" => said(object, author),
        kind if is_model(kind) => wrote(object, time, line, problems),
        "info" | "warning" | "error" => remark(kind, object),
        _ => {
            let title = format!("A message of an unknown kind, {kind:?}");
            let body = object.get("content").map_or("", Json::get).to_owned();
            let notice = Notice::new(NoticeKind::Unknown, title).with_body(Body::Data(body));
            What::Remarks(vec![notice])
        }
    };
    Row {
        line,
        id: object.string("id"),
        time,
        what,
    }
}

fn moment(object: &Object<'_>, line: u64, problems: &mut Problems) -> Option<Timestamp> {
    let read = object.get("timestamp").map_or(Ok(None), times::read);
    read.unwrap_or_else(|what| {
        problems.warn(line, what);
        None
    })
}

/// The content of a message, which histories call its parts.
fn content(object: &Object<'_>) -> Content {
    Content::read(object.get("content").or_else(|| object.get("parts")))
}

fn said(object: &Object<'_>, author: &Author) -> What {
    let content = content(object);
    if !content.answers.is_empty() {
        let mut answers = content.answers;
        for answer in &mut answers {
            let call = ToolCall {
                name: answer.name.clone(),
                ..ToolCall::default()
            };
            genai::settle(&call, &mut answer.result, Shown::default());
        }
        return What::Answered(answers);
    }
    let shown = object.get("displayContent").map(|shown| {
        let parts = Content::read(Some(shown)).parts;
        let words = parts.into_iter().filter_map(|part| match part {
            Part::Text(words) => Some(words),
            _ => None,
        });
        words.collect::<String>()
    });
    genai::spoken(content.parts, shown, author.clone())
}

fn remark(kind: &str, object: &Object<'_>) -> What {
    let mut words = String::new();
    let mut rest = Vec::new();
    for part in content(object).parts {
        match part {
            Part::Text(text) => words.push_str(&text),
            part => rest.push(part),
        }
    }
    if !rest.is_empty() {
        // Pictures of a tool's result, which the program hands over once more.
        return What::Wrote(Box::new(Message {
            parts: rest,
            ..Message::default()
        }));
    }
    let words = words.trim();
    match kind {
        _ if words.is_empty() => What::Hidden,
        "error" => What::Failed(in_a_line(NoticeKind::Error, words)),
        "warning" => What::Remarks(vec![in_a_line(
            NoticeKind::Info,
            &format!("Warning: {words}"),
        )]),
        _ if words == STOPPED => What::Stopped(Notice::new(NoticeKind::Interruption, words)),
        _ => What::Remarks(vec![in_a_line(NoticeKind::Info, words)]),
    }
}

fn wrote(object: &Object<'_>, time: Option<Timestamp>, line: u64, problems: &mut Problems) -> What {
    let mut content = content(object);
    cite(&mut content, object);
    let (reasoning, thought) = thoughts(object, time);
    if let Some(reasoning) = reasoning {
        // Where the content has the thoughts as well they are the same ones.
        content
            .parts
            .retain(|part| !matches!(part, Part::Reasoning(_)));
        content.parts.insert(0, Part::Reasoning(reasoning));
    }
    if let [Part::Text(words)] = content.parts.as_slice()
        && words.starts_with(THANKS)
        && !object.has("tokens")
    {
        return What::Unshown("answers that the program put into the model's mouth");
    }
    for call in object.items("toolCalls") {
        let Some(call) = Object::of(call) else {
            continue;
        };
        let call = called(&call, line, problems);
        let same = content.parts.iter_mut().find_map(|part| match part {
            Part::Tool(known) if !call.id.is_empty() && known.id == call.id => Some(known),
            _ => None,
        });
        match same {
            Some(known) => **known = call,
            None => content.parts.push(Part::Tool(Box::new(call))),
        }
    }
    What::Wrote(Box::new(Message {
        model: object.string("model"),
        parts: content.parts,
        thought,
        sources: content.sources,
        usage: usage(object),
    }))
}

/// Pages that stand beside the content.
fn cite(content: &mut Content, object: &Object<'_>) {
    let grounding = object.object("groundingMetadata").unwrap_or_default();
    let chunks = grounding.items("groundingChunks").into_iter();
    let chunks = chunks.filter_map(|chunk| Object::of(chunk)?.object("web"));
    let cited = object.items("citations").into_iter().filter_map(Object::of);
    for source in cited.chain(chunks) {
        content.cite(source.string("uri"), source.words("title"));
    }
}

/// The thoughts as one stretch, and when they ended. Newer versions write them down together with
/// the message: their moments then say nothing.
fn thoughts(
    object: &Object<'_>,
    time: Option<Timestamp>,
) -> (Option<Reasoning>, Option<Timestamp>) {
    let mut words: Vec<String> = Vec::new();
    let mut moments: Vec<Timestamp> = Vec::new();
    for thought in object.items("thoughts").into_iter().filter_map(Object::of) {
        let subject = thought.words("subject").map(|line| format!("**{line}**"));
        let told = subject.into_iter().chain(thought.words("description"));
        let told: Vec<String> = told.collect();
        if !told.is_empty() {
            words.push(told.join("\n\n"));
        }
        let moment = thought.get("timestamp").and_then(|t| times::read(t).ok());
        moments.extend(moment.flatten());
    }
    if words.is_empty() {
        return (None, None);
    }
    let reasoning = Reasoning {
        text: words.join("\n\n"),
        ..Reasoning::default()
    };
    let apart = |one: Timestamp, other: Timestamp| {
        (other.as_millisecond() - one.as_millisecond()).abs() > AT_ONCE
    };
    let end = moments.iter().copied().max().filter(|end| {
        let is_batch = moments.len() > 1 && !moments.iter().any(|m| apart(*m, *end));
        !is_batch && time.is_none_or(|time| apart(*end, time))
    });
    (Some(reasoning), end)
}

/// A call with its result, which the program writes into the same record.
fn called(object: &Object<'_>, line: u64, problems: &mut Problems) -> ToolCall {
    let mut call = ToolCall {
        id: object.string("id"),
        name: object.string("name"),
        input: Some(genai::input(object)),
        ..ToolCall::default()
    };
    let status = object.string("status");
    let is_open = !matches!(status.as_str(), "success" | "error" | "cancelled" | "");
    let recorded = object.get("result").map(|value| result(value, &call.id));
    call.running = is_open && recorded.is_none();
    let has_outcome = recorded.is_some() || !is_open && !status.is_empty();
    if !has_outcome {
        return call;
    }
    let mut result = recorded.unwrap_or_default();
    let shown = Shown {
        status: &status,
        display: object.get("resultDisplay"),
    };
    if let Some(agent) = object.words("agentId") {
        let run = AgentRun {
            id: agent,
            ..AgentRun::default()
        };
        result.details.get_or_insert_default().agent = Some(run);
    }
    genai::settle(&call, &mut result, shown);
    result.time = moment(object, line, problems);
    call.result = Some(result);
    call
}

/// The result of a call: the response to it, among those of the whole turn at times; words; or
/// parts.
fn result(value: Json<'_>, id: &str) -> ToolResult {
    if let Some(words) = text(value) {
        return ToolResult {
            text: words.into_owned(),
            ..ToolResult::default()
        };
    }
    let content = Content::read(Some(value));
    let mut answers = content.answers;
    let own = answers.iter().position(|answer| answer.id == id);
    if !answers.is_empty() {
        return answers.swap_remove(own.unwrap_or_default()).result;
    }
    let mut result = ToolResult::default();
    for part in content.parts {
        match part {
            Part::Text(words) if result.text.is_empty() => result.text = words,
            Part::Text(words) => result.text += &format!("\n{words}"),
            Part::Image(image) => result.images.push(image),
            _ => {}
        }
    }
    let is_empty = result.text.is_empty() && result.images.is_empty();
    if is_empty && !items(value).is_empty() {
        value.get().clone_into(&mut result.text);
    }
    result
}

/// The tokens of a message. What was thought, and what tools put into the request, is counted
/// apart from the rest.
fn usage(object: &Object<'_>) -> Option<Usage> {
    let tokens = object.object("tokens")?;
    let count = |key| tokens.count(key).unwrap_or_default();
    let cached = count("cached");
    let read = count("input").saturating_add(count("tool"));
    let usage = Usage {
        input: read.saturating_sub(cached),
        output: count("output").saturating_add(count("thoughts")),
        cache_read: cached,
        cache_write: 0,
        reasoning: count("thoughts"),
    };
    (usage != Usage::default()).then_some(usage)
}
