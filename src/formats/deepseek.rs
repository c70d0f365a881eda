//! DeepSeek's data export: an array of conversations, each a tree of messages made of fragments.

use serde_json::json;

use crate::error::Problem;
use crate::model::{
    Attachment, Conversation, Entry, Input, Part, Prompt, Reasoning, Reply, ReplyStatus, SearchHit,
    SourceLink, Timestamp, ToolCall, ToolResult,
};
use crate::source::{self, Source};

use super::chat::{self, Losses, Message, cite, in_order};
use super::problems::Problems;
use super::records::{Json, Object, document_of, text};
use super::{Format, Head, Reading, Shape};

/// Reads DeepSeek's exports.
pub(super) struct DeepSeek;

impl Format for DeepSeek {
    fn name(&self) -> &'static str {
        "deepseek"
    }

    fn program(&self) -> &'static str {
        "DeepSeek"
    }

    /// Other exports have trees too, but not under the words of this one.
    fn recognises(&self, head: &Head) -> bool {
        let mut shapes = head.records.iter().flat_map(chat::with_items);
        shapes.any(|one| {
            one.text("inserted_at").is_some() && matches!(one.get("mapping"), Some(Shape::Map(_)))
        })
    }

    fn is_document(&self, _: &Head) -> bool {
        true
    }

    fn parts(&self, source: &Source) -> Result<Vec<source::Part>, Problem> {
        chat::parts_of_array(source, None)
    }

    fn read(&self, source: &Source) -> Reading {
        let mut problems = Problems::of_source(source);
        let json = document_of(source, &mut problems);
        let conversation = json.and_then(|json| conversation(&json, &mut problems));
        Reading {
            conversation,
            problems: problems.into_vec(),
        }
    }
}

fn conversation(json: &str, problems: &mut Problems) -> Option<Conversation> {
    let whole = chat::object_of(json, problems)?;
    let mapping = whole.object("mapping").unwrap_or_default();
    let mut losses = Losses::default();
    let mut messages: Vec<(Option<Timestamp>, Message)> = Vec::new();
    for (key, value) in mapping.entries() {
        let node = Object::of(value).unwrap_or_default();
        // The root says nothing.
        let Some(message) = node.object("message") else {
            continue;
        };
        let time = losses.time(&message, "inserted_at");
        messages.push((
            time,
            Message {
                id: key.to_owned(),
                parent: node.words("parent").filter(|parent| parent != "root"),
                entries: entry(key, time, &message, &mut losses)
                    .into_iter()
                    .collect(),
            },
        ));
    }
    losses.report(problems);
    messages.sort_by_key(|(time, _)| *time);
    let messages: Vec<Message> = messages.into_iter().map(|(_, message)| message).collect();
    if messages.iter().all(|message| message.entries.is_empty()) {
        problems.note(None, "no messages");
        return None;
    }
    Some(Conversation {
        id: whole.string("id"),
        title: whole.words("title"),
        program: DeepSeek.program().to_owned(),
        entries: in_order(messages, None, problems),
        unshown: losses.unshown,
        ..Conversation::default()
    })
}

fn entry(
    id: &str,
    time: Option<Timestamp>,
    message: &Object<'_>,
    losses: &mut Losses,
) -> Option<Entry> {
    let fragments: Vec<Json<'_>> = message.items("fragments");
    let objects = fragments
        .iter()
        .map(|one| Object::of(*one).unwrap_or_default());
    let objects: Vec<Object<'_>> = objects.collect();
    let is_request = |one: &Object<'_>| one.text("type").as_deref() == Some("REQUEST");
    let by_person =
        objects.iter().any(is_request) || message.string("role").eq_ignore_ascii_case("user");
    let mut pages: Vec<SearchHit> = Vec::new();
    let mut sources: Vec<SourceLink> = Vec::new();
    let mut parts: Vec<Part> = Vec::new();
    if objects.is_empty() {
        // Older exports have the words alone.
        parts.extend(message.words("reasoning_content").map(thought));
        parts.extend(message.words("content").map(Part::Text));
    }
    for (one, value) in objects.iter().zip(&fragments) {
        match one.string("type").as_str() {
            "REQUEST" => parts.extend(one.words("content").map(Part::Text)),
            "RESPONSE" | "TEMPLATE_RESPONSE" => {
                let words = one.string("content");
                parts.push(Part::Text(cited(&words, &pages, &mut sources)));
            }
            "THINK" => {
                let seconds = one.get("elapsed_secs");
                let seconds = seconds.and_then(|value| value.get().parse::<f64>().ok());
                let seconds = seconds.filter(|seconds| (0.0..1e7).contains(seconds));
                parts.extend(one.words("content").map(|text| {
                    Part::Reasoning(Reasoning {
                        text,
                        hidden: None,
                        ms: seconds.map(|seconds| (seconds * 1e3) as u64),
                    })
                }));
            }
            "READ_LINK" => parts.push(Part::Tool(Box::new(page_read(one)))),
            "SEARCH" => {
                let hits: Vec<SearchHit> = one.items("results").into_iter().map(hit).collect();
                pages.extend(hits.iter().cloned());
                parts.push(Part::Tool(Box::new(search(one, hits))));
            }
            "TIP" => losses.skip("tip of the program"),
            kind => {
                let title = format!("A part of an unknown kind: {kind}");
                parts.push(chat::unknown(title, *value));
            }
        }
    }
    for file in message.items("files") {
        let object = Object::of(file).unwrap_or_default();
        let names = ["file_name", "name", "id"];
        let name = names.into_iter().find_map(|key| object.words(key));
        let name = name.or_else(|| text(file).map(|name| name.into_owned()));
        parts.push(Part::File(Attachment {
            name: name.unwrap_or_else(|| "A file".to_owned()),
            text: object.words("content"),
            note: (!object.has("content")).then(|| "not in the export".to_owned()),
            media_type: None,
        }));
    }
    if by_person {
        return Some(Entry::Prompt(Prompt {
            id: id.to_owned(),
            time,
            parts,
            ..Prompt::default()
        }));
    }
    (!parts.is_empty()).then(|| {
        Entry::Reply(Reply {
            id: id.to_owned(),
            start: time,
            models: message.words("model").into_iter().collect(),
            status: ReplyStatus::Complete,
            parts,
            sources,
            ..Reply::default()
        })
    })
}

fn thought(text: String) -> Part {
    Part::Reasoning(Reasoning {
        text,
        ..Reasoning::default()
    })
}

fn hit(value: Json<'_>) -> SearchHit {
    let page = Object::of(value).unwrap_or_default();
    SearchHit {
        title: page.string("title"),
        url: page.string("url"),
        snippet: page.words("snippet"),
    }
}

fn search(fragment: &Object<'_>, hits: Vec<SearchHit>) -> ToolCall {
    let input = match fragment.get("queries").or_else(|| fragment.get("query")) {
        Some(queries) if queries.get().starts_with('[') => {
            format!("{{\"queries\":{}}}", queries.get())
        }
        Some(query) => format!("{{\"query\":{}}}", query.get()),
        None => "{}".to_owned(),
    };
    chat::search("web_search", input, hits)
}

/// A page that was read, with what stood in it.
fn page_read(fragment: &Object<'_>) -> ToolCall {
    let url = fragment.words("url").or_else(|| fragment.words("link"));
    let text = fragment.words("content");
    ToolCall {
        name: "web_fetch".to_owned(),
        input: Some(Input::Json(json!({ "url": url }).to_string())),
        result: text.map(|text| ToolResult {
            text,
            ..ToolResult::default()
        }),
        ..ToolCall::default()
    }
}

/// The text with `[citation:2]` made a link to the second page that was found.
fn cited(words: &str, pages: &[SearchHit], sources: &mut Vec<SourceLink>) -> String {
    const MARK: &str = "[citation:";
    let mut out = String::with_capacity(words.len());
    let mut rest = words;
    while let Some((before, after)) = rest.split_once(MARK) {
        out.push_str(before);
        let found = after.split_once(']').and_then(|(number, behind)| {
            let at: usize = number.trim().parse().ok()?;
            Some((at, pages.get(at.checked_sub(1)?)?, behind))
        });
        let Some((at, page, behind)) = found else {
            out.push_str(MARK);
            rest = after;
            continue;
        };
        cite(
            sources,
            &page.url,
            Some(page.title.clone()).filter(|title| !title.is_empty()),
        );
        match page.url.contains(['<', '>', ' ', '\n']) || page.url.is_empty() {
            true => out += &format!("[{at}]"),
            false => out += &format!("[\\[{at}\\]](<{}>)", page.url),
        }
        rest = behind;
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::formats::apart;
    use crate::formats::outline::{outline, replies};
    use crate::source::File;

    fn all(document: &Value) -> Vec<Conversation> {
        let bytes = document.to_string().into_bytes();
        let file = File::in_memory("x.json".into(), "x.json".into(), bytes);
        let head = Head::of(&file).expect("memory can be read");
        assert!(DeepSeek.recognises(&head), "it is recognised");
        let (sources, problem) = apart(Source::single(file), &DeepSeek);
        assert!(problem.is_none());
        let readings = sources.iter().map(|source| DeepSeek.read(source));
        readings
            .filter_map(|reading| reading.conversation)
            .collect()
    }

    fn of(nodes: Value) -> Conversation {
        let mut all = all(
            &json!([{"id": "c", "inserted_at": "2026-03-01T10:00:00+08:00", "mapping": nodes}]),
        );
        assert_eq!(all.len(), 1);
        all.remove(0)
    }

    fn node(parent: &str, second: u64, fragments: Value) -> Value {
        json!({"parent": parent, "message": {"inserted_at": format!("2026-03-01T10:00:{second:02}+08:00"),
            "fragments": fragments}})
    }

    #[test]
    fn the_newest_answer_is_read_and_cites_what_was_found() {
        let pages = json!([{"url": "https://example.com/a", "title": "A"}]);
        let read = of(json!({
            "root": {"parent": null, "message": null},
            "1": node("root", 1, json!([{"type": "REQUEST", "content": "Dig."}])),
            "3": node("1", 9, json!([{"type": "SEARCH", "results": pages},
                {"type": "RESPONSE", "content": "So [citation:1], [citation:7]."}])),
            "2": node("1", 5, json!([{"type": "THINK", "content": "hm"}, {"type": "RESPONSE", "content": "No."}])),
        }));
        assert_eq!(
            outline(&read)[..3],
            [
                "person: \"Dig.\"",
                "version",
                "  Complete: thought, \"No.\""
            ]
        );
        let reply = replies(&read).next().expect("a reply");
        let words = "So [\\[1\\]](<https://example.com/a>), [citation:7].";
        assert_eq!(reply.parts.last(), Some(&Part::Text(words.to_owned())));
    }

    #[test]
    fn trees_of_other_programs_are_not_its_own() {
        let other = json!([{"id": "c", "create_time": 1.0, "mapping": {"a": {"message": null}}}]);
        let file = File::in_memory("x".into(), "x".into(), other.to_string().into_bytes());
        assert!(!DeepSeek.recognises(&Head::of(&file).expect("memory can be read")));
    }

    #[test]
    fn a_page_that_was_read_is_a_call_and_thoughts_have_their_time() {
        let fragments = json!([
            {"type": "THINK", "content": "Hm.", "elapsed_secs": 12.5},
            {"type": "READ_LINK", "url": "https://example.com/a", "content": "Dig deep."},
        ]);
        let message = json!({"fragments": fragments, "inserted_at": "2026-03-01T10:00:00Z"});
        let read = of(json!({
            "root": {"id": "root", "parent": null, "children": ["1"], "message": null},
            "1": {"id": "1", "parent": "root", "children": [], "message": message},
        }));
        let reply = replies(&read).next().expect("a reply");
        let [Part::Reasoning(thought), Part::Tool(call)] = &reply.parts[..] else {
            panic!("a thought and a call: {:?}", reply.parts);
        };
        assert_eq!(thought.ms, Some(12_500));
        assert_eq!(call.name, "web_fetch");
        assert_eq!(
            call.result.as_ref().map(|result| result.text.as_str()),
            Some("Dig deep.")
        );
    }
}
