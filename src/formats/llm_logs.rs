//! The logs of `llm`, the command line tool: rows of a prompt and its response, many of which are
//! one conversation. The results of a row's calls stand on the next one.

use std::collections::BTreeMap;

use crate::error::Problem;
use crate::model::{
    Attachment, Conversation, NoticeKind, Part, Prompt, Reasoning, Reply, ReplyStatus, Timestamp,
    ToolCall, ToolResult, Usage,
};
use crate::source::{self, At, Source};

use super::api::{Flow, file_part, said};
use super::chat::{self, parts_of_array};
use super::pairs::input;
use super::problems::Problems;
use super::records::{Json, Object, document_of, items};
use super::{Format, Head, Reading, Shape};

/// Reads what `llm logs --json` prints.
pub(super) struct LlmLogs;

impl Format for LlmLogs {
    fn name(&self) -> &'static str {
        "llm_logs"
    }

    fn program(&self) -> &'static str {
        "llm"
    }

    fn recognises(&self, head: &Head) -> bool {
        let is_row = |shape: &Shape| {
            shape.has(&[
                "conversation_id",
                "prompt",
                "response",
                "datetime_utc",
                "model",
            ])
        };
        head.records.iter().flat_map(chat::with_items).any(is_row)
    }

    fn is_document(&self, _: &Head) -> bool {
        true
    }

    fn parts(&self, source: &Source) -> Result<Vec<source::Part>, Problem> {
        let rows = parts_of_array(source, None)?;
        let mut order: Vec<(String, Vec<source::Part>)> = Vec::new();
        let mut known: BTreeMap<String, usize> = BTreeMap::new();
        for row in rows {
            let one = Source {
                part: Some(row.clone()),
                ..source.clone()
            };
            let mut unsaid = Problems::of_source(&one);
            let json = document_of(&one, &mut unsaid).unwrap_or_default();
            let id = Object::parse(&json).map(|row| row.string("conversation_id"));
            let id = id.unwrap_or_default();
            let at = known.get(&id).copied().filter(|_| !id.is_empty());
            match at {
                Some(at) => order[at].1.push(row),
                None => {
                    known.insert(id.clone(), order.len());
                    order.push((id, vec![row]));
                }
            }
        }
        let key = |rows: &[source::Part]| {
            let ranges = rows.iter().filter_map(|row| match &row.at {
                At::Bytes(range) => Some(format!("{}-{}", range.start, range.end)),
                At::Key(_) => None,
            });
            ranges.collect::<Vec<_>>().join(",")
        };
        let part = |(_, rows): (String, Vec<source::Part>)| source::Part {
            at: At::Key(key(&rows)),
            size: rows.iter().map(|row| row.size).sum(),
        };
        Ok(order.into_iter().map(part).collect())
    }

    fn read(&self, source: &Source) -> Reading {
        let mut problems = Problems::of_source(source);
        let mut rows: Vec<String> = Vec::new();
        match source.part.as_ref().map(|part| &part.at) {
            Some(At::Key(key)) => {
                for range in super::api::ranges(key) {
                    let part = source::Part {
                        size: range.end - range.start,
                        at: At::Bytes(range),
                    };
                    let one = Source {
                        part: Some(part),
                        ..source.clone()
                    };
                    rows.extend(document_of(&one, &mut problems));
                }
            }
            _ => {
                let json = document_of(source, &mut problems).unwrap_or_default();
                if let Ok(value) = Json::parse(&json) {
                    let list = items(value);
                    match list.is_empty() {
                        true => rows.push(json.clone()),
                        false => rows.extend(list.into_iter().map(|row| row.get().to_owned())),
                    }
                }
            }
        }
        if rows.is_empty() && !problems.any_warning() {
            problems.note(None, "no messages");
        }
        let conversation = conversation(&rows, &mut problems);
        Reading::settled(conversation, vec![problems], |notice| {
            notice.kind == NoticeKind::Context
        })
    }
}

fn conversation(rows: &[String], problems: &mut Problems) -> Conversation {
    let mut flow = Flow::default();
    let objects = rows.iter().filter_map(|row| Object::parse(row).ok());
    let mut objects: Vec<(Option<Timestamp>, Object<'_>)> = objects
        .map(|row| (flow.losses.time(&row, "datetime_utc"), row))
        .collect();
    // They are printed the newest first, or last.
    objects.sort_by_key(|(time, _)| *time);
    if let Some((_, row)) = objects.first() {
        flow.about.id = row.string("conversation_id");
        flow.about.title = row.words("conversation_name");
    }
    for (time, row) in &objects {
        match row.has("prompt") || row.has("response") {
            true => exchange(row, *time, &mut flow),
            false => flow.losses.skip("row without a prompt"),
        }
    }
    flow.finish("llm", problems)
}

fn exchange(row: &Object<'_>, time: Option<Timestamp>, flow: &mut Flow) {
    let told = [row.words("system").unwrap_or_default()].into_iter();
    let told = told.chain(fragments(row, "system_fragments"));
    let told: Vec<String> = told.filter(|words| !words.is_empty()).collect();
    flow.told(&told.join("\n\n"), time);
    for result in row.items("tool_results").into_iter().filter_map(Object::of) {
        let output = result.string("output");
        let is_error = result.words("exception").is_some();
        let text = match result.words("exception") {
            Some(error) if output.is_empty() => error,
            _ => output,
        };
        let result_of = ToolResult {
            text,
            is_error,
            time,
            ..ToolResult::default()
        };
        flow.result(
            &result.string("tool_call_id"),
            &result.string("name"),
            result_of,
        );
    }
    let mut parts: Vec<Part> = fragments(row, "prompt_fragments")
        .map(|text| {
            Part::File(Attachment {
                name: "Fragment".to_owned(),
                text: Some(text),
                ..Attachment::default()
            })
        })
        .collect();
    parts.extend(said(row.string("prompt")));
    for file in row.items("attachments").into_iter().filter_map(Object::of) {
        let at = file.words("url").or_else(|| file.words("path"));
        let kind = file.words("type");
        // The bytes stay in the database.
        parts.push(file_part(None, kind, &at.unwrap_or_default()));
    }
    flow.prompt(Prompt {
        id: row.string("id"),
        time,
        parts,
        ..Prompt::default()
    });
    let reasoning = row.words("reasoning");
    flow.parts(reasoning.map(|text| {
        Part::Reasoning(Reasoning {
            text,
            ..Reasoning::default()
        })
    }));
    for call in row.items("tool_calls").into_iter().filter_map(Object::of) {
        flow.call(ToolCall {
            id: call.string("tool_call_id"),
            name: call.string("name"),
            input: Some(input(&call, "arguments")),
            start: time,
            ..ToolCall::default()
        });
    }
    let response = said(row.string("response"));
    let is_said = response.is_some();
    flow.parts(response);
    let count = |key: &str| row.count(key).unwrap_or_default();
    let usage = Usage {
        input: count("input_tokens"),
        output: count("output_tokens"),
        ..Usage::default()
    };
    flow.facts(Reply {
        id: format!("{}-response", row.string("id")),
        start: time,
        ms: row.count("duration_ms"),
        models: row.words("model").into_iter().collect(),
        status: match is_said {
            true => ReplyStatus::Complete,
            false => ReplyStatus::Unknown,
        },
        usage: (usage.total() > 0).then_some(usage),
        ..Reply::default()
    });
}

/// The texts of a row's fragments: strings, or objects with a content.
fn fragments<'r>(row: &'r Object<'_>, key: &str) -> impl Iterator<Item = String> + use<'r> {
    let list = row.items(key).into_iter();
    let words = list.filter_map(|one| match Object::of(one) {
        Some(object) => object.words("content"),
        None => super::records::text(one).map(|text| text.into_owned()),
    });
    words.collect::<Vec<_>>().into_iter()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::formats::api::tests::read_with;
    use crate::formats::outline::{outline, replies};

    fn row(id: &str, at: &str, more: Value) -> Value {
        let mut row = json!({"id": id, "model": "m", "prompt": "", "response": "", "conversation_id": "c", "conversation_name": "Tides",
            "datetime_utc": format!("2026-02-01T10:00:{at}Z"), "duration_ms": 500, "input_tokens": 3, "output_tokens": 4});
        for (key, value) in more.as_object().expect("an object") {
            row[key] = value.clone();
        }
        row
    }

    #[test]
    fn rows_of_a_conversation_are_put_in_order_and_results_stand_on_the_next_row() {
        let other = row(
            "9",
            "30",
            json!({"conversation_id": "d", "prompt": "Tea?", "response": "Yes."}),
        );
        let (told, problems) = read_with(&LlmLogs, &json!([
            row("2", "05", json!({"response": "High.", "tool_results": [{"name": "tide", "output": "2 m", "tool_call_id": "t"}]})),
            other,
            row("1", "00", json!({"prompt": "High?", "system": "Be brief.", "prompt_fragments": ["a table"],
                "tool_calls": [{"name": "tide", "arguments": "{\"at\":\"noon\"}", "tool_call_id": "t"}]}))]).to_string());
        assert!(problems.is_empty(), "{problems:?}");
        let expected = [
            "<Context Instructions for the assistant>",
            "person: file Fragment, \"High?\"",
            "Complete: tide → \"2 m\", \"High.\"",
        ];
        assert_eq!(outline(&told[0]), expected);
        let reply = replies(&told[0]).next().expect("a reply");
        assert_eq!(
            (reply.ms, reply.usage.map(|usage| usage.output)),
            (Some(1_000), Some(8))
        );
        assert_eq!((told.len(), told[0].id.as_str()), (2, "c"));
    }
}
