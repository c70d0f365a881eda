//! Grok's data export: an object with all conversations, each with its answers in a tree.

use crate::error::Problem;
use crate::model::{
    Attachment, Conversation, Details, Entry, Input, Part, Prompt, Reasoning, Reply, ReplyStatus,
    SearchHit, SourceLink, Timestamp, ToolCall, ToolResult,
};
use crate::source::{self, Source};

use super::chat::{self, Losses, Message, between, cite, image_at, in_order};
use super::problems::Problems;
use super::records::{Json, Object, document_of, text};
use super::{Format, Head, Reading, Shape, times};

/// Reads Grok's exports.
pub(super) struct Grok;

/// How a citation in the text begins and ends.
const CITATION: (&str, &str) = ("<grok:render", "</grok:render>");

impl Format for Grok {
    fn name(&self) -> &'static str {
        "grok"
    }

    fn program(&self) -> &'static str {
        "Grok"
    }

    fn recognises(&self, head: &Head) -> bool {
        let lists = head
            .records
            .iter()
            .filter_map(|record| record.get("conversations"));
        let mut elements = lists.flat_map(Shape::items);
        elements.any(|one| {
            matches!(one.get("conversation"), Some(Shape::Map(_)))
                && matches!(one.get("responses"), Some(Shape::List(_)))
        })
    }

    fn is_document(&self, _: &Head) -> bool {
        true
    }

    fn parts(&self, source: &Source) -> Result<Vec<source::Part>, Problem> {
        chat::parts_of_array(source, Some("conversations"))
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
    let about = whole.object("conversation")?;
    let mut losses = Losses::default();
    let mut messages = Vec::new();
    for value in whole.items("responses") {
        let outer = Object::of(value).unwrap_or_default();
        let response = outer.object("response").unwrap_or(outer);
        let id = response
            .words("response_id")
            .or_else(|| response.words("_id"));
        let id = id.unwrap_or_default();
        messages.push(Message {
            parent: response.words("parent_response_id"),
            entries: vec![entry(&id, &response, &mut losses)],
            id,
        });
    }
    losses.report(problems);
    if messages.is_empty() {
        problems.note(None, "no messages");
        return None;
    }
    let shown = about.words("leaf_response_id");
    let id = about.words("conversation_id").or_else(|| about.words("id"));
    Some(Conversation {
        id: id.unwrap_or_default(),
        title: about.words("title"),
        program: Grok.program().to_owned(),
        entries: in_order(messages, shown.as_deref(), problems),
        unshown: losses.unshown,
        ..Conversation::default()
    })
}

/// A moment as text, or as the database writes it.
fn time(response: &Object<'_>, key: &str, losses: &mut Losses) -> Option<Timestamp> {
    match response
        .object(key)
        .and_then(|wrapped| wrapped.object("$date"))
    {
        Some(date) => date
            .words("$numberLong")?
            .parse()
            .ok()
            .and_then(times::from_number),
        None => losses.time(response, key),
    }
}

fn entry(id: &str, response: &Object<'_>, losses: &mut Losses) -> Entry {
    let created = time(response, "create_time", losses);
    let sender = response.string("sender").to_lowercase();
    if sender == "human" || sender == "user" {
        let words = response.string("message");
        let mut parts = vec![Part::Text(words)];
        parts.extend(files(response));
        return Entry::Prompt(Prompt {
            id: id.to_owned(),
            time: created,
            parts,
            ..Prompt::default()
        });
    }
    let mut parts = Vec::new();
    if let Some(thought) = response.words("thinking_trace") {
        let start = time(response, "thinking_start_time", losses);
        let end = time(response, "thinking_end_time", losses);
        parts.push(Part::Reasoning(Reasoning {
            text: thought,
            hidden: None,
            ms: start.zip(end).and_then(|(start, end)| between(start, end)),
        }));
    }
    parts.extend(search(response));
    let mut sources: Vec<SourceLink> = Vec::new();
    for page in response.items("cited_web_search_results") {
        let page = hit(page);
        cite(
            &mut sources,
            &page.url,
            Some(page.title).filter(|title| !title.is_empty()),
        );
    }
    let words = cited(&response.string("message"), response, &mut sources);
    if !words.trim().is_empty() {
        parts.push(Part::Text(words));
    }
    let images = response.items("generated_image_urls").into_iter();
    let images = images.filter_map(text);
    parts.extend(images.map(|url| Part::Image(image_at(&url, None))));
    parts.extend(files(response));
    if !response.items("steps").is_empty() {
        losses.skip("steps of a search");
    }
    let error = response.words("error");
    let model = response.object("metadata").and_then(|metadata| {
        let details = metadata.object("requestModelDetails")?;
        details.words("modelId")
    });
    let model = response.words("model").or(model);
    Entry::Reply(Reply {
        id: id.to_owned(),
        start: created,
        models: model.into_iter().collect(),
        status: match &error {
            Some(_) => ReplyStatus::Error,
            None if response.flag("partial") => ReplyStatus::Cancelled,
            None => ReplyStatus::Complete,
        },
        parts,
        sources,
        error,
        ..Reply::default()
    })
}

fn hit(value: Json<'_>) -> SearchHit {
    let page = Object::of(value).unwrap_or_default();
    SearchHit {
        title: page.string("title"),
        url: page.string("url"),
        snippet: page.words("preview").or_else(|| page.words("snippet")),
    }
}

/// The search that an answer was made from: its pages are kept, its words are not always.
fn search(response: &Object<'_>) -> Option<Part> {
    let hits: Vec<SearchHit> = response
        .items("web_search_results")
        .into_iter()
        .map(hit)
        .collect();
    if hits.is_empty() {
        return None;
    }
    let query = response.words("query");
    let input = query.map(|query| Input::Json(serde_json::json!({ "query": query }).to_string()));
    Some(Part::Tool(Box::new(ToolCall {
        name: "web_search".to_owned(),
        input: Some(input.unwrap_or_else(|| Input::Json("{}".to_owned()))),
        result: Some(ToolResult {
            details: Some(Box::new(Details {
                hits: Some(hits),
                ..Details::default()
            })),
            ..ToolResult::default()
        }),
        ..ToolCall::default()
    })))
}

/// The files of a message, by their names.
fn files(response: &Object<'_>) -> Vec<Part> {
    let both = ["image_attachments", "file_attachments"].map(|key| response.items(key));
    let files = both.into_iter().flatten().map(|file| {
        let object = Object::of(file).unwrap_or_default();
        let names = ["file_name", "fileName", "name", "url"];
        let name = names.into_iter().find_map(|key| object.words(key));
        let name = name.or_else(|| text(file).map(|name| name.into_owned()));
        Part::File(Attachment {
            name: name.unwrap_or_else(|| "A file".to_owned()),
            note: Some("not in the export".to_owned()),
            ..Attachment::default()
        })
    });
    files.collect()
}

/// The text with the cards in it made links where they name a page, and left out else.
fn cited(words: &str, response: &Object<'_>, sources: &mut Vec<SourceLink>) -> String {
    if !words.contains(CITATION.0) {
        return words.to_owned();
    }
    let cards: Vec<String> = response
        .items("card_attachments_json")
        .into_iter()
        .map(|card| text(card).map_or_else(|| card.get().to_owned(), |text| text.into_owned()))
        .collect();
    let cards: Vec<Object<'_>> = cards
        .iter()
        .filter_map(|card| Object::parse(card).ok())
        .collect();
    let mut out = String::with_capacity(words.len());
    let mut rest = words;
    while let Some((before, after)) = rest.split_once(CITATION.0) {
        let Some((element, behind)) = after.split_once(CITATION.1) else {
            break;
        };
        out.push_str(before);
        rest = behind;
        let id = element
            .split_once("card_id=\"")
            .and_then(|(_, id)| id.split_once('"'));
        let card = id.and_then(|(id, _)| cards.iter().find(|card| card.string("id") == id));
        let Some(url) = card.and_then(|card| card.words("url")) else {
            continue;
        };
        let own = card.and_then(|card| card.words("title"));
        let found = || {
            let mut hits = response.items("web_search_results").into_iter().map(hit);
            let title = hits.find(|hit| hit.url == url)?.title;
            Some(title).filter(|title| !title.is_empty())
        };
        cite(sources, &url, own.or_else(found));
        let number = sources.iter().position(|source| source.url == url);
        if let Some(number) = number.filter(|_| !url.contains(['<', '>', ' ', '\n'])) {
            out += &format!(" [\\[{}\\]](<{url}>)", number + 1);
        }
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::formats::apart;
    use crate::formats::outline::{outline, replies};
    use crate::source::File;

    fn all(document: &Value) -> Vec<Conversation> {
        let bytes = document.to_string().into_bytes();
        let file = File::in_memory("x.json".into(), "x.json".into(), bytes);
        let head = Head::of(&file).expect("memory can be read");
        assert!(Grok.recognises(&head), "it is recognised");
        let (sources, problem) = apart(Source::single(file), &Grok);
        assert!(problem.is_none());
        let readings = sources.iter().map(|source| Grok.read(source));
        readings
            .filter_map(|reading| reading.conversation)
            .collect()
    }

    fn of(responses: Value, leaf: Value) -> Conversation {
        let about = json!({"conversation_id": "c", "title": "Beds", "leaf_response_id": leaf});
        let mut all =
            all(&json!({"conversations": [{"conversation": about, "responses": responses}]}));
        assert_eq!(all.len(), 1);
        all.remove(0)
    }

    fn response(id: &str, parent: Value, sender: &str, more: Value) -> Value {
        let mut response = json!({"_id": id, "parent_response_id": parent, "sender": sender,
            "message": id, "create_time": {"$date": {"$numberLong": "1772359200000"}}});
        for (key, value) in more.as_object().expect("an object") {
            response[key] = value.clone();
        }
        json!({ "response": response })
    }

    #[test]
    fn senders_are_known_in_each_case_and_the_shown_branch_is_read() {
        let responses = json!([
            response("u", Value::Null, "human", json!({})),
            response("a", json!("u"), "ASSISTANT", json!({})),
            response("b", json!("u"), "assistant", json!({"error": "busy"})),
        ]);
        let expected = [
            "person: \"u\"",
            "version",
            "  Error: \"b\", error busy",
            "Complete: \"a\"",
        ];
        let read = of(responses, json!("a"));
        assert_eq!(outline(&read), expected);
        assert!(read.start().is_some());
    }

    #[test]
    fn cards_in_the_text_become_links_or_nothing() {
        let card = |id: &str| format!("<grok:render card_id=\"{id}\" type=\"x\">y</grok:render>");
        let words = format!("One{} two{}.", card("1"), card("2"));
        let read = of(
            json!([response(
                "a",
                Value::Null,
                "assistant",
                json!({"message": words,
            "card_attachments_json": ["{\"id\":\"1\",\"url\":\"https://example.com/a\"}"],
            "web_search_results": [{"url": "https://example.com/a", "title": "A"}]})
            )]),
            Value::Null,
        );
        let reply = replies(&read).next().expect("a reply");
        let words = "One [\\[1\\]](<https://example.com/a>) two.";
        assert_eq!(reply.parts.last(), Some(&Part::Text(words.to_owned())));
        assert_eq!(reply.sources[0].title.as_deref(), Some("A"));
    }
}
