//! Items of the model's history: messages, reasoning, calls and their results.

use xxhash_rust::xxh3::xxh3_64;

use crate::formats::pairs;
use crate::formats::records::{Object, text};
use crate::model::{Image, Input, Notice, NoticeKind, Part, Reasoning, ToolResult};

use super::agents;
use super::content::{self, Block};
use super::outputs::{self, Output};
use super::row::{Echo, Voice, What};
use super::wrappers::{self, Piece};

/// What an item says, and what an event may repeat of it.
#[derive(Debug, Default)]
pub(super) struct Item {
    /// What it says.
    pub(super) what: What,
    /// What an event may repeat.
    pub(super) echo: Option<Echo>,
    /// A result that stands in the same item as its call.
    pub(super) result: Option<What>,
    /// The kind under which it is counted, when it is not shown.
    pub(super) hidden: Option<&'static str>,
}

impl Item {
    fn of(what: What) -> Self {
        Self {
            what,
            ..Self::default()
        }
    }

    fn hidden(kind: &'static str) -> Self {
        Self {
            hidden: Some(kind),
            ..Self::default()
        }
    }
}

/// Reads an item; `None` when its kind is not known.
pub(super) fn read(object: &Object<'_>) -> Option<Item> {
    let kind = object.text("type").unwrap_or_default();
    Some(match kind.as_ref() {
        "message" => message(object),
        // Files that were cut by hand have messages without a kind.
        "" if object.has("role") => message(object),
        "reasoning" => reasoning(object),
        "function_call" => Item::of(call(object, function_name(object), "arguments")),
        "custom_tool_call" => Item::of(call(object, object.string("name"), "input")),
        "local_shell_call" => Item::of(local_shell(object)),
        "tool_search_call" => Item::of(call(object, "tool_search".to_owned(), "arguments")),
        "function_call_output" | "custom_tool_call_output" | "local_shell_call_output" => {
            let Output { result, ms } = outputs::read(object.get("output"));
            Item::of(outcome(object.string("call_id"), result, ms))
        }
        "tool_search_output" => {
            let result = ToolResult {
                text: tools(object),
                ..ToolResult::default()
            };
            Item::of(outcome(object.string("call_id"), result, None))
        }
        "web_search_call" => with_result(object, "web_search_call", web_search(object)),
        "image_generation_call" => picture(object),
        "agent_message" => Item::of(What::Told {
            agent: object.string("author"),
            text: words(content::blocks(object.get("content"))),
        }),
        "compaction" | "compaction_summary" | "context_compaction" => {
            Item::hidden("encrypted summaries")
        }
        "ghost_snapshot" => Item::hidden("snapshots of files"),
        "additional_tools" => Item::hidden("tool definitions"),
        _ => return None,
    })
}

/// A hash by which words are compared: line ends and white space around them apart.
pub(super) fn hash(words: &str) -> u64 {
    xxh3_64(words.trim().as_bytes())
}

fn outcome(call: String, result: ToolResult, ms: Option<u64>) -> What {
    What::Result {
        call,
        result: Box::new(result),
        ms,
    }
}

fn message(object: &Object<'_>) -> Item {
    let blocks = content::blocks(object.get("content"));
    match object.text("role").as_deref() {
        Some("assistant") => assistant(object, blocks),
        Some("user") | None => person(blocks),
        Some("developer") => Item::of(for_the_model(blocks, "Instructions of the program")),
        Some(_) => Item::of(for_the_model(blocks, "Instructions of the system")),
    }
}

fn assistant(object: &Object<'_>, blocks: Vec<Block>) -> Item {
    let mut hashes = Vec::new();
    let mut parts = Vec::new();
    for block in blocks {
        match block {
            Block::Text(words) if words.trim().is_empty() => {}
            Block::Text(words) => {
                hashes.push(hash(&words));
                parts.push(Part::Text(words));
            }
            Block::Image(image) if is_empty_slot(&image) => {}
            Block::Image(image) => parts.push(Part::Image(image)),
            Block::Encrypted => parts.push(Part::Notice(encrypted())),
        }
    }
    let is_final = object.text("phase").map(|phase| phase != "commentary");
    Item {
        echo: (!hashes.is_empty()).then(|| Echo::new(Voice::Assistant, false, hashes)),
        ..Item::of(What::Wrote { parts, is_final })
    }
}

fn person(blocks: Vec<Block>) -> Item {
    let mut hashes = Vec::new();
    let mut whole = String::new();
    let mut pieces = Vec::new();
    for block in blocks {
        match block {
            Block::Text(words) if wrappers::is_mark_of_image(&words) => {}
            Block::Text(words) => {
                hashes.push(hash(&words));
                whole.push_str(&words);
                pieces.extend(wrappers::pieces(&words));
            }
            Block::Image(image) if is_empty_slot(&image) => {}
            Block::Image(image) => pieces.push(Piece::Part(Part::Image(image))),
            Block::Encrypted => pieces.push(Piece::Notice(encrypted())),
        }
    }
    hashes.insert(0, hash(&whole));
    hashes.dedup();
    let is_words = pieces.iter().any(|piece| matches!(piece, Piece::Part(_)));
    Item {
        echo: is_words.then(|| Echo::new(Voice::Person, false, hashes)),
        ..Item::of(What::Said {
            pieces,
            is_injected: false,
        })
    }
}

/// Whether an item has a place for a picture and none in it.
fn is_empty_slot(image: &Image) -> bool {
    matches!(&image.data, crate::model::ImageData::Missing(why) if why == "not in the transcript")
        && image.alt.is_none()
}

fn encrypted() -> Notice {
    Notice::new(NoticeKind::Info, "Encrypted by the vendor")
}

/// A message to the model that nobody typed.
fn for_the_model(blocks: Vec<Block>, title: &str) -> What {
    let pieces = blocks.into_iter().flat_map(|block| match block {
        Block::Text(words) => wrappers::injected(&words, title),
        Block::Image(image) => vec![Piece::Part(Part::Image(image))],
        Block::Encrypted => vec![Piece::Notice(encrypted())],
    });
    What::Said {
        pieces: pieces.collect(),
        is_injected: true,
    }
}

fn words(blocks: Vec<Block>) -> String {
    let words = blocks.into_iter().map(|block| match block {
        Block::Text(words) => words,
        Block::Image(_) => "(a picture)".to_owned(),
        Block::Encrypted => "(encrypted by the vendor)".to_owned(),
    });
    words.collect::<Vec<_>>().join("\n\n")
}

fn reasoning(object: &Object<'_>) -> Item {
    let texts = |key: &str| -> Vec<String> {
        let pieces = object.items(key).into_iter().map(|item| {
            let piece = Object::of(item).unwrap_or_default();
            let words = piece.text("text").or_else(|| text(item));
            words.map_or_else(String::new, Into::into)
        });
        pieces.filter(|words| !words.trim().is_empty()).collect()
    };
    let mut all = texts("summary");
    for raw in texts("content") {
        if !all.contains(&raw) {
            all.push(raw);
        }
    }
    let is_encrypted = object.has("encrypted_content");
    let hidden = all
        .is_empty()
        .then_some(if is_encrypted { "encrypted" } else { "hidden" });
    let hashes: Vec<u64> = all.iter().map(|words| hash(words)).collect();
    Item {
        // The first program to write such files said how long it thought.
        what: What::Thought(Reasoning {
            text: all.join("\n\n"),
            hidden,
            ms: object.count("duration_ms").filter(|ms| *ms > 0),
        }),
        echo: (!hashes.is_empty()).then(|| Echo::new(Voice::Thought, false, hashes)),
        ..Item::default()
    }
}

/// The name of a function, with the MCP server that it is of.
fn function_name(object: &Object<'_>) -> String {
    let name = object.string("name");
    match object.words("namespace") {
        Some(space) if space.starts_with("mcp__") && !name.starts_with("mcp__") => {
            format!("{}__{name}", space.trim_end_matches('_'))
        }
        _ => name,
    }
}

fn call(object: &Object<'_>, name: String, key: &str) -> What {
    let id = object.text("call_id").or_else(|| object.text("id"));
    What::Call {
        id: id.map_or_else(String::new, Into::into),
        name,
        input: pairs::input(object, key),
        is_running: false,
    }
}

fn local_shell(object: &Object<'_>) -> What {
    let id = object.text("call_id").or_else(|| object.text("id"));
    let action = object.object("action").unwrap_or_default();
    let drawn = ["command", "working_directory", "timeout_ms", "user", "env"];
    let entries = action
        .entries()
        .filter(|(key, value)| drawn.contains(key) && value.get() != "null");
    let entries: Vec<String> = entries
        .map(|(key, value)| format!("\"{key}\":{}", value.get()))
        .collect();
    What::Call {
        id: id.map_or_else(String::new, Into::into),
        name: "local_shell".to_owned(),
        input: Input::Json(format!("{{{}}}", entries.join(","))),
        is_running: false,
    }
}

/// What is searched for, or the page that is opened, without what is not given.
pub(super) fn action(action: &Object<'_>, query: Option<String>) -> Input {
    let mut map = serde_json::Map::new();
    for (key, value) in action.entries() {
        let value = serde_json::from_str::<serde_json::Value>(value.get()).unwrap_or_default();
        let is_nothing = value.is_null() || value.as_array().is_some_and(Vec::is_empty);
        if !is_nothing && key != "type" {
            map.insert(key.to_owned(), value);
        }
    }
    if let Some(query) = query.filter(|_| !map.contains_key("query") && !map.contains_key("url")) {
        map.insert("query".to_owned(), query.into());
    }
    // The one query is among the queries again.
    if map
        .get("queries")
        .and_then(|all| all.as_array())
        .is_some_and(|all| all.len() == 1 && all.first() == map.get("query"))
    {
        map.remove("queries");
    }
    Input::Json(serde_json::Value::Object(map).to_string())
}

fn web_search(object: &Object<'_>) -> Input {
    action(&object.object("action").unwrap_or_default(), None)
}

/// A call whose item is all that there is of it: its output is never saved.
fn with_result(object: &Object<'_>, name: &str, input: Input) -> Item {
    let id = object.text("call_id").or_else(|| object.text("id"));
    let id = id.map_or_else(String::new, Into::into);
    let status = object.string("status");
    let has_ended = !matches!(status.as_str(), "in_progress" | "searching" | "open");
    let result = ToolResult {
        is_error: status == "failed",
        ..ToolResult::default()
    };
    Item {
        result: has_ended.then(|| outcome(id.clone(), result, None)),
        ..Item::of(What::Call {
            id,
            name: name.to_owned(),
            input,
            is_running: false,
        })
    }
}

fn picture(object: &Object<'_>) -> Item {
    let mut item = with_result(object, "image_generation_call", picture_input(object));
    if let Some(What::Result { result, .. }) = &mut item.result {
        result.images.extend(made_picture(object));
    }
    item
}

/// What a picture was to show.
pub(super) fn picture_input(object: &Object<'_>) -> Input {
    let prompt = object.words("revised_prompt");
    let mut map = serde_json::Map::new();
    map.extend(prompt.map(|prompt| ("prompt".to_owned(), prompt.into())));
    Input::Json(serde_json::Value::Object(map).to_string())
}

/// The picture that was made.
pub(super) fn made_picture(object: &Object<'_>) -> Option<Image> {
    let data = object.words("result")?;
    let data = if data.starts_with("data:") {
        content::from_url(&data)
    } else {
        content::base64("image/png".to_owned(), &data)
    };
    let alt = object.words("saved_path");
    Some(Image { data, alt })
}

/// The tools that were found: a line for each.
fn tools(object: &Object<'_>) -> String {
    let mut lines = Vec::new();
    for tool in object.items("tools") {
        let Some(tool) = Object::of(tool) else {
            lines.extend(text(tool).map(|name| name.into_owned()));
            continue;
        };
        lines.push(line(&tool));
        let inner = tool.items("tools").into_iter().filter_map(Object::of);
        lines.extend(inner.map(|tool| format!("  {}", line(&tool))));
    }
    lines.join("\n")
}

fn line(tool: &Object<'_>) -> String {
    match tool.words("description") {
        Some(description) => format!("{}: {description}", tool.string("name")),
        None => tool.string("name"),
    }
}

/// Puts the results of calls to other agents into words, whose output is JSON.
pub(super) fn settle_result(name: &str, result: &mut ToolResult) {
    if agents::is_of_agents(name) {
        agents::put_into_words(result);
    }
}
