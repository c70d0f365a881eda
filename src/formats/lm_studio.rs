//! LM Studio: a file for each conversation, whose messages are kept in all their versions.

use std::path::PathBuf;

use crate::model::{
    Attachment, Body, Conversation, Entry, Input, Notice, NoticeKind, Part, Prompt, Reasoning,
    Reply, ReplyStatus, Timestamp, ToolResult, Usage,
};
use crate::source::Source;

use super::chat::{self, Losses};
use super::pairs::{Pairs, input};
use super::problems::Problems;
use super::records::{Json, Object, document_of, text};
use super::{Format, Head, Machine, Reading, Shape};

/// Reads LM Studio's conversations.
pub(super) struct LmStudio;

impl Format for LmStudio {
    fn name(&self) -> &'static str {
        "lm_studio"
    }

    fn program(&self) -> &'static str {
        "LM Studio"
    }

    fn recognises(&self, head: &Head) -> bool {
        let lists = head
            .records
            .iter()
            .filter_map(|record| record.get("messages"));
        let mut messages = lists.flat_map(Shape::items);
        messages.any(|one| one.has(&["versions", "currentlySelected"]))
    }

    fn is_document(&self, _: &Head) -> bool {
        true
    }

    fn places(&self, machine: &Machine) -> Vec<PathBuf> {
        let folders = [".lmstudio/conversations", ".cache/lm-studio/conversations"];
        folders
            .iter()
            .filter_map(|folder| machine.at_home(folder))
            .collect()
    }

    fn read(&self, source: &Source) -> Reading {
        let mut problems = Problems::of_source(source);
        let json = document_of(source, &mut problems);
        let conversation = json.and_then(|json| conversation(&json, source, &mut problems));
        Reading {
            conversation,
            problems: problems.into_vec(),
        }
    }
}

fn conversation(json: &str, source: &Source, problems: &mut Problems) -> Option<Conversation> {
    let whole = Object::parse(json).ok()?;
    let mut losses = Losses::default();
    let created = losses.time(&whole, "createdAt");
    let mut said: Vec<Entry> = Vec::new();
    for (nth, value) in whole.items("messages").into_iter().enumerate() {
        let message = Object::of(value).unwrap_or_default();
        let selected = message.count("currentlySelected").unwrap_or_default();
        let mut versions: Vec<Entry> = Vec::new();
        for (at, version) in message.items("versions").into_iter().enumerate() {
            let version = Object::of(version).unwrap_or_default();
            let id = format!("{nth}.{at}");
            // The file says when the conversation was begun, and nothing of its messages.
            let time = created.filter(|_| nth == 0);
            versions.push(entry(id, time, &version, &mut losses));
        }
        let selected = usize::try_from(selected).unwrap_or_default();
        let selected = selected.min(versions.len().saturating_sub(1));
        let shown = (!versions.is_empty()).then(|| versions.remove(selected));
        if !versions.is_empty() {
            let others = versions.into_iter().map(|entry| vec![entry]);
            said.push(Entry::Versions(others.collect()));
        }
        said.extend(shown);
    }
    losses.report(problems);
    if said.is_empty() {
        problems.note(None, "no messages");
        return None;
    }
    let told = whole.words("systemPrompt").map(|text| {
        let notice = Notice::new(NoticeKind::Context, "Instructions for this conversation");
        Entry::Notice(notice.with_body(Body::Prose(text)))
    });
    let mut entries: Vec<Entry> = told.into_iter().collect();
    entries.extend(said);
    let file = source.main.file_name();
    Some(Conversation {
        id: file
            .strip_suffix(".conversation.json")
            .unwrap_or(file)
            .to_owned(),
        title: whole.words("name"),
        program: LmStudio.program().to_owned(),
        entries,
        unshown: losses.unshown,
        ..Conversation::default()
    })
}

fn entry(id: String, time: Option<Timestamp>, version: &Object<'_>, losses: &mut Losses) -> Entry {
    let mut read = Read::default();
    for content in version.items("content") {
        read.content(content, None);
    }
    let steps: Vec<Object<'_>> = version
        .items("steps")
        .into_iter()
        .filter_map(Object::of)
        .collect();
    read.pair(&steps);
    for (step, value) in steps.iter().zip(version.items("steps")) {
        read.step(step, value, losses);
    }
    if version.text("role").as_deref() == Some("user") {
        return Entry::Prompt(Prompt {
            id,
            time,
            parts: read.parts,
            ..Prompt::default()
        });
    }
    let sender = version
        .object("senderInfo")
        .and_then(|sender| sender.words("senderName"));
    Entry::Reply(Reply {
        id,
        start: time,
        models: sender.into_iter().collect(),
        status: match read.is_stopped {
            true => ReplyStatus::Cancelled,
            false => ReplyStatus::Complete,
        },
        parts: read.parts,
        usage: (read.usage.total() > 0).then_some(read.usage),
        ..Reply::default()
    })
}

#[derive(Default)]
struct Read {
    parts: Vec<Part>,
    pairs: Pairs,
    usage: Usage,
    is_stopped: bool,
}

impl Read {
    /// Finds the results of the calls: each stands in a step of its own.
    fn pair(&mut self, steps: &[Object<'_>]) {
        let contents = steps.iter().flat_map(|step| step.items("content"));
        for content in contents.filter_map(Object::of) {
            match content.text("type").as_deref() {
                Some("toolCallRequest") => {
                    let given = input(&content, "parameters");
                    self.pairs
                        .add_call(&id(&content, "callId"), &content.string("name"), &given);
                }
                Some("toolCallResult") => {
                    self.pairs
                        .add_result(&id(&content, "toolCallId"), result(&content));
                }
                _ => {}
            }
        }
    }

    fn step(&mut self, step: &Object<'_>, value: Json<'_>, losses: &mut Losses) {
        match step.string("type").as_str() {
            "contentBlock" => {
                let style = step.object("style").unwrap_or_default();
                let is_thought = style.text("type").as_deref() == Some("thinking");
                let first = self.parts.len();
                for content in step.items("content") {
                    self.content(content, Some(step).filter(|_| is_thought));
                }
                if let Some(Part::Reasoning(thought)) = self.parts.get_mut(first) {
                    thought.ms = seconds(&style.string("title"));
                }
                self.stats(step);
            }
            "toolStatus" => self.status(step),
            "debugInfoBlock" | "status" => losses.skip(step.string("type")),
            kind => {
                let title = format!("A part of an unknown kind: {kind}");
                self.parts.push(chat::unknown(title, value));
            }
        }
    }

    /// One content; of a thought with the step that says what stands around it.
    fn content(&mut self, value: Json<'_>, thought: Option<&Object<'_>>) {
        let content = Object::of(value).unwrap_or_default();
        match content.string("type").as_str() {
            "text" => {
                let words = content.string("text");
                let part = match thought {
                    Some(step) => Part::Reasoning(Reasoning {
                        text: without(&words, &step.string("prefix"), &step.string("suffix")),
                        ..Reasoning::default()
                    }),
                    None => Part::Text(words.clone()),
                };
                self.parts
                    .extend((!words.trim().is_empty()).then_some(part));
            }
            "file" => {
                let names = ["name", "fileIdentifier", "identifier"];
                let name = names.into_iter().find_map(|key| content.words(key));
                self.parts.push(Part::File(Attachment {
                    name: name.unwrap_or_else(|| "A file".to_owned()),
                    media_type: content.words("fileType"),
                    text: None,
                    note: Some("not in this file".to_owned()),
                }));
            }
            "toolCallRequest" => {
                let (id, name) = (id(&content, "callId"), content.string("name"));
                let card = self.pairs.card(id, name, input(&content, "parameters"));
                self.parts
                    .extend(card.map(|card| Part::Tool(Box::new(card))));
            }
            "toolCallResult" => {
                let id = id(&content, "toolCallId");
                let own = id.is_empty().then(|| result(&content));
                let card = self.pairs.orphan(id, String::new(), own);
                self.parts
                    .extend(card.map(|card| Part::Tool(Box::new(card))));
            }
            kind => {
                let title = format!("A part of an unknown kind: {kind}");
                self.parts.push(chat::unknown(title, value));
            }
        }
    }

    /// How a call ended, and how long it took.
    fn status(&mut self, step: &Object<'_>) {
        let wanted = id(step, "callId");
        let state = step.object("statusState").unwrap_or_default();
        let status = state.object("status").unwrap_or_default();
        let call = self.parts.iter_mut().rev().find_map(|part| match part {
            Part::Tool(call) if call.id == wanted => Some(call),
            _ => None,
        });
        let Some(call) = call else {
            return;
        };
        call.ms = status.count("timeMs");
        let kind = status.string("type");
        if kind.contains("Failed") {
            let words = status.words("error");
            let result = call.result.get_or_insert_default();
            result.is_error = true;
            if result.text.is_empty() {
                result.text = words.unwrap_or_default();
            }
        } else if kind.contains("Denied") || kind.contains("Cancel") {
            call.result.get_or_insert_default().cancelled = true;
        }
    }

    fn stats(&mut self, step: &Object<'_>) {
        let stats = step.object("genInfo").and_then(|info| info.object("stats"));
        let Some(stats) = stats else {
            return;
        };
        let count = |key: &str| stats.count(key).unwrap_or_default();
        self.usage.add(&Usage {
            input: count("promptTokensCount"),
            output: count("predictedTokensCount"),
            ..Usage::default()
        });
        self.is_stopped = stats.text("stopReason").as_deref() == Some("userStopped");
    }
}

/// An id, which is a number in one place and a text in another.
fn id(object: &Object<'_>, key: &str) -> String {
    let value = object.get(key);
    value.map_or_else(String::new, |value| {
        text(value).map_or_else(|| value.get().to_owned(), |text| text.into_owned())
    })
}

fn result(content: &Object<'_>) -> ToolResult {
    let words = match input(content, "content") {
        Input::Json(words) | Input::Text(words) => words,
    };
    ToolResult {
        text: words,
        ..ToolResult::default()
    }
}

/// A thought without the marks around it.
fn without(words: &str, prefix: &str, suffix: &str) -> String {
    let words = words.trim();
    let words = words.strip_prefix(prefix.trim()).unwrap_or(words);
    words
        .strip_suffix(suffix.trim())
        .unwrap_or(words)
        .trim()
        .to_owned()
}

/// The milliseconds of `Thought for 3.20 seconds`.
fn seconds(title: &str) -> Option<u64> {
    let number = title.strip_prefix("Thought for ")?.split(' ').next()?;
    let seconds: f64 = number.parse().ok()?;
    (seconds > 0.0 && seconds < 1e9).then_some((seconds * 1_000.0) as u64)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::formats::apart;
    use crate::formats::outline::{call, outline};
    use crate::source::File;

    fn all(document: &Value) -> Vec<Conversation> {
        let bytes = document.to_string().into_bytes();
        let file = File::in_memory("x.json".into(), "x.json".into(), bytes);
        let head = Head::of(&file).expect("memory can be read");
        assert!(LmStudio.recognises(&head), "it is recognised");
        let (sources, problem) = apart(Source::single(file), &LmStudio);
        assert!(problem.is_none());
        let readings = sources.iter().map(|source| LmStudio.read(source));
        readings
            .filter_map(|reading| reading.conversation)
            .collect()
    }

    #[test]
    fn the_selected_version_is_read_and_calls_are_paired_whatever_their_ids_type() {
        let step = |content: Value| json!({"type": "contentBlock", "content": [content]});
        let steps = json!([
            step(json!({"type": "toolCallRequest", "callId": 1, "name": "x", "parameters": {"a": 1}})),
            {"type": "toolStatus", "callId": 1, "statusState": {"status": {"type": "toolCallFailed", "timeMs": 12}}},
            step(json!({"type": "toolCallResult", "toolCallId": "1", "content": "o"})),
            step(json!({"type": "text", "text": "So."})),
        ]);
        let other = json!({"type": "singleStep", "role": "assistant", "content": [{"type": "text", "text": "No."}]});
        let told = all(
            &json!({"name": "Beds", "messages": [{"currentlySelected": 0, "versions": [
            {"type": "multiStep", "role": "assistant", "steps": steps}, other]}]}),
        );
        let lines = outline(&told[0]);
        assert_eq!(lines[..2], ["version", "  Complete: \"No.\""]);
        let call = call(&told[0], "x");
        let result = call.result.as_ref().expect("a result");
        assert_eq!(
            (result.text.as_str(), result.is_error, call.ms),
            ("o", true, Some(12))
        );
    }

    #[test]
    fn a_thought_is_told_without_its_marks() {
        assert_eq!(without("<think>hm</think>", "<think>", "</think>"), "hm");
        assert_eq!(seconds("Thought for 3.20 seconds"), Some(3_200));
        assert_eq!(seconds("Thinking"), None);
    }
}
