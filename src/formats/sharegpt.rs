//! ShareGPT: examples for training in which each line or element is a conversation, and the
//! newer shape of LLaMA-Factory.

use crate::error::Problem;
use crate::model::{
    Body, Conversation, Input, Notice, NoticeKind, Part, Prompt, ReplyStatus, ToolCall, ToolResult,
};
use crate::source::{self, Source};

use super::api::{Flow, image_of, offered, said, without_thought};
use super::chat::{self, object_of, parts_of_array, parts_of_lines};
use super::problems::Problems;
use super::records::{Json, Object, document_of, items, text};
use super::{Format, Head, Reading, Shape, is_document};

/// Reads conversations as ShareGPT kept them.
pub(super) struct ShareGpt;

impl Format for ShareGpt {
    fn name(&self) -> &'static str {
        "sharegpt"
    }

    fn program(&self) -> &'static str {
        "ShareGPT"
    }

    fn recognises(&self, head: &Head) -> bool {
        head.records.iter().flat_map(chat::with_items).any(is_one)
    }

    fn parts(&self, source: &Source) -> Result<Vec<source::Part>, Problem> {
        match is_document(self, source) {
            true => parts_of_array(source, None),
            false => parts_of_lines(source),
        }
    }

    fn read(&self, source: &Source) -> Reading {
        let mut problems = Problems::of_source(source);
        let json = document_of(source, &mut problems);
        let whole = json
            .as_ref()
            .and_then(|json| object_of(json, &mut problems));
        let Some(whole) = whole else {
            return Reading {
                conversation: None,
                problems: problems.into_vec(),
            };
        };
        let conversation = conversation(&whole, &mut problems);
        Reading::settled(conversation, vec![problems], |notice| {
            notice.kind == NoticeKind::Context
        })
    }
}

/// The keys under which the turns stand.
const TURNS: [&str; 2] = ["conversations", "items"];

/// The key of a speaker. Of the messages that are written another way, the contents tell.
fn is_one(shape: &Shape) -> bool {
    let is_turn = |turn: &Shape| turn.has(&["from", "value"]);
    let turns = TURNS.iter().filter_map(|key| shape.get(key));
    let is_first_shape = turns.flat_map(Shape::items).any(is_turn);
    let messages = shape.get("messages").map(Shape::items).unwrap_or_default();
    let contents = messages.iter().filter_map(|message| message.get("content"));
    let mut contents = contents.flat_map(Shape::items);
    is_first_shape || contents.any(|content| content.has(&["type", "value"]))
}

fn conversation(whole: &Object<'_>, problems: &mut Problems) -> Conversation {
    let mut flow = Flow::default();
    flow.about.id = match whole.get("id") {
        Some(id) => text(id).map_or_else(|| id.get().to_owned(), |id| id.into_owned()),
        None => String::new(),
    };
    flow.about.title = whole.words("title");
    flow.told(&whole.string("system"), None);
    // The tools are JSON, written as text.
    let tools = whole.text("tools");
    let tools = tools.as_deref().and_then(|tools| Json::parse(tools).ok());
    let tools = tools.or_else(|| whole.get("tools"));
    flow.offered(&offered(tools.map(items).unwrap_or_default()));
    let mut images = whole.items("images").into_iter().filter_map(text);
    for turn in TURNS.iter().flat_map(|key| whole.items(key)) {
        let turn = Object::of(turn).unwrap_or_default();
        if !turn.has("from") {
            flow.losses.skip("turn without a speaker");
            continue;
        }
        let words = turn.string("value");
        let pictures: Vec<Part> = words
            .matches("<image>")
            .map_while(|_| images.next())
            .map(|image| image_of(&image, None))
            .collect();
        one(&turn.string("from"), words, pictures, &mut flow);
    }
    for message in whole.items("messages") {
        newer(&Object::of(message).unwrap_or_default(), &mut flow);
    }
    // Of two answers the one that was preferred comes first.
    if let Some(chosen) = whole.object("chosen") {
        one(
            &chosen.string("from"),
            chosen.string("value"),
            Vec::new(),
            &mut flow,
        );
    }
    if let Some(rejected) = whole.object("rejected") {
        let notice = Notice::new(NoticeKind::Info, "The answer that was not preferred");
        flow.notice(notice.with_body(Body::Prose(rejected.string("value"))));
    }
    let mut conversation = flow.finish(ShareGpt.program(), problems);
    // A call without an answer is where an example ends.
    for entry in &mut conversation.entries {
        if let crate::model::Entry::Reply(reply) = entry
            && reply.status == ReplyStatus::Unknown
        {
            reply.status = ReplyStatus::Complete;
        }
    }
    conversation
}

fn one(from: &str, words: String, pictures: Vec<Part>, flow: &mut Flow) {
    match from {
        "system" => flow.told(&words, None),
        "human" | "user" | "prompter" => flow.prompt(Prompt {
            parts: pictures.into_iter().chain(said(words)).collect(),
            ..Prompt::default()
        }),
        "gpt" | "assistant" | "chatgpt" | "bing" | "bard" | "model" | "claude" => {
            let (thought, rest) = without_thought(&words);
            let thought = thought.map(|thought| {
                Part::Reasoning(crate::model::Reasoning {
                    text: thought.to_owned(),
                    ..Default::default()
                })
            });
            flow.parts(thought);
            flow.parts(pictures);
            flow.parts(said(rest));
        }
        "function_call" | "tool_call" => calls(&words, flow),
        "observation" | "tool" | "function_response" | "tool_response" => {
            flow.answer(ToolResult {
                text: words,
                ..ToolResult::default()
            });
        }
        other => flow.of_unknown(other, words),
    }
}

/// The calls in a turn: one, or a list of them, as JSON. They have no ids: what follows is the
/// first one's answer.
fn calls(words: &str, flow: &mut Flow) {
    let value = Json::parse(words).ok();
    let list = value.map(items).unwrap_or_default();
    let objects: Vec<Object<'_>> = match list.is_empty() {
        true => value.and_then(Object::of).into_iter().collect(),
        false => list.into_iter().filter_map(Object::of).collect(),
    };
    if objects.is_empty() {
        return flow.call(ToolCall {
            input: Some(Input::Text(words.to_owned())),
            ..ToolCall::default()
        });
    }
    for object in objects {
        let keys = ["arguments", "parameters", "args"];
        let key = keys
            .into_iter()
            .find(|key| object.has(key))
            .unwrap_or("arguments");
        flow.call(ToolCall {
            name: object.string("name"),
            input: Some(super::pairs::input(&object, key)),
            ..ToolCall::default()
        });
    }
}

/// A message in the newer shape, whose contents have a type and a value.
fn newer(message: &Object<'_>, flow: &mut Flow) {
    let role = message.string("role");
    let mut parts: Vec<Part> = Vec::new();
    let mut calls_made: Vec<String> = Vec::new();
    for content in message.items("content").into_iter().filter_map(Object::of) {
        let value = content.get("value");
        let words = value.map(|value| {
            text(value).map_or_else(|| value.get().to_owned(), |text| text.into_owned())
        });
        let words = words.unwrap_or_default();
        match content.string("type").as_str() {
            "text" => parts.extend(said(words)),
            "reasoning" => parts.push(Part::Reasoning(crate::model::Reasoning {
                text: words,
                ..Default::default()
            })),
            "image_url" | "image" => parts.push(image_of(&words, Some(words.clone()))),
            "tool_call" => calls_made.push(words),
            kind => parts.push(super::api::file_part(
                Some(words),
                Some(kind.to_owned()),
                "",
            )),
        }
    }
    match role.as_str() {
        "user" | "human" => flow.prompt(Prompt {
            parts,
            ..Prompt::default()
        }),
        "assistant" | "gpt" => {
            flow.parts(parts);
            calls_made.iter().for_each(|call| calls(call, flow));
        }
        "system" | "tool" | "observation" => {
            let words = parts.iter().filter_map(|part| match part {
                Part::Text(words) => Some(words.as_str()),
                _ => None,
            });
            let words = words.collect::<Vec<_>>().join("\n\n");
            one(&role, words, Vec::new(), flow);
        }
        role => flow.of_unknown(role, String::new()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::formats::api::tests::read_with;
    use crate::formats::outline::outline;

    #[test]
    fn a_call_and_the_observation_behind_it_are_a_pair() {
        let (told, _) = read_with(&ShareGpt, &json!([{"id": "a", "system": "Be brief.",
            "tools": "[{\"name\":\"tide\",\"description\":\"The tide.\"}]", "images": ["bay.png"], "conversations": [
                {"from": "human", "value": "<image>High?"},
                {"from": "function_call", "value": "{\"name\":\"tide\",\"arguments\":{\"at\":\"noon\"}}"},
                {"from": "observation", "value": "2 m"},
                {"from": "gpt", "value": "<think>hm</think>Yes."}]},
            {"id": 2, "conversations": [{"from": "user", "value": "Hi."}, {"from": "narrator", "value": "x"}]}]).to_string());
        let expected = [
            "<Context Instructions for the assistant>",
            "<Context 1 tool was offered>",
            "person: picture, \"<image>High?\"",
            "Complete: tide → \"2 m\", thought, \"Yes.\"",
        ];
        assert_eq!(outline(&told[0]), expected);
        assert_eq!((told.len(), told[1].id.as_str()), (2, "2"));
    }

    #[test]
    fn lines_of_the_newer_shape_are_conversations() {
        let line = json!({"messages": [{"role": "user", "content": [{"type": "image_url", "value": "a.jpg"}, {"type": "text", "value": "Who?"}]},
            {"role": "assistant", "content": [{"type": "tool_call", "value": "{\"name\":\"f\",\"arguments\":{}}"}]},
            {"role": "tool", "content": [{"type": "text", "value": "r"}]},
            {"role": "assistant", "content": [{"type": "text", "value": "Robin."}]}]});
        let (told, problems) = read_with(&ShareGpt, &format!("{line}\n{{bad\n{line}\n"));
        assert_eq!((told.len(), problems.len()), (2, 1), "{problems:?}");
        assert_eq!(
            outline(&told[0]),
            [
                "person: picture, \"Who?\"",
                "Complete: f → \"r\", \"Robin.\""
            ]
        );
    }

    #[test]
    fn of_two_answers_both_are_shown() {
        let (told, _) = read_with(&ShareGpt, &json!({"conversations": [{"from": "human", "value": "Dig?"}],
            "chosen": {"from": "gpt", "value": "Yes."}, "rejected": {"from": "gpt", "value": "No."}}).to_string());
        let expected = [
            "person: \"Dig?\"",
            "Complete: \"Yes.\"",
            "<Info The answer that was not preferred>",
        ];
        assert_eq!(outline(&told[0]), expected);
    }
}
