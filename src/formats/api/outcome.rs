//! What tools give back, and what the tools that run at the vendor's own side are: their results
//! come in the vendor's shapes, written in snake case on the wire and in camel case by libraries.

use serde_json::{Map, Value, json};

use crate::formats::chat::image_at;
use crate::formats::records::{Json, Object, items, text};
use crate::model::{
    Details, FileRead, Image, ImageData, Input, PageRead, Part, SearchHit, ToolResult,
};

use super::{data_part, is_blank};

/// A result: words, a list of contents, or the shape of a tool of the vendor's own.
pub(crate) fn settled(value: Option<Json<'_>>) -> ToolResult {
    let mut result = ToolResult::default();
    let Some(value) = value else {
        return result;
    };
    if let Some(words) = text(value) {
        result.text = words.into_owned();
    } else if value.get().starts_with('[') {
        of_list(value, &mut result);
    } else if let Some(object) = Object::of(value) {
        if !of_vendor(&object, &mut result) {
            value.get().clone_into(&mut result.text);
        }
    } else {
        value.get().clone_into(&mut result.text);
    }
    result
}

/// Adds a line to the words of a result.
fn line(result: &mut ToolResult, words: &str) {
    if is_blank(words) {
        return;
    }
    if !result.text.is_empty() && !result.text.ends_with('\n') {
        result.text.push('\n');
    }
    result.text.push_str(words);
}

fn details(result: &mut ToolResult) -> &mut Details {
    result.details.get_or_insert_default()
}

/// A list of contents. One that holds anything else stands as data.
fn of_list(value: Json<'_>, result: &mut ToolResult) {
    let contents: Vec<Object<'_>> = items(value).into_iter().filter_map(Object::of).collect();
    let kinds: Vec<String> = contents
        .iter()
        .map(|content| content.string("type"))
        .collect();
    let all = |wanted: &[&str]| {
        !kinds.is_empty() && kinds.iter().all(|kind| wanted.contains(&kind.as_str()))
    };
    if all(&["web_search_result"]) {
        hits(&contents, result);
    } else if all(&["tool_reference"]) {
        tool_names(&contents, result);
    } else if all(&CONTENTS) {
        contents
            .iter()
            .for_each(|content| of_content(content, result));
    } else {
        value.get().clone_into(&mut result.text);
    }
}

/// The kinds of contents that are more than data.
const CONTENTS: [&str; 20] = [
    "text",
    "input_text",
    "output_text",
    "image",
    "image_url",
    "input_image",
    "image-data",
    "image-url",
    "media",
    "file",
    "file-data",
    "file-url",
    "input_file",
    "document",
    "resource",
    "resource_link",
    "search_result",
    "tool_reference",
    "refusal",
    "computer_screenshot",
];

fn of_content(content: &Object<'_>, result: &mut ToolResult) {
    let kind = content.string("type");
    let media_type = first(content, &["mediaType", "mimeType", "media_type"]);
    let name = first(content, &["filename", "name", "title"]);
    match kind.as_str() {
        "text" | "input_text" | "output_text" => line(result, &content.string("text")),
        "refusal" => line(result, &content.string("refusal")),
        "tool_reference" => line(result, &both(content, "tool_name", "toolName")),
        "search_result" => {
            line(result, &content.string("title"));
            line(result, &content.string("source"));
            for inner in content.items("content").into_iter().filter_map(Object::of) {
                line(result, &inner.string("text"));
            }
        }
        "resource" | "resource_link" => {
            let inner = content.object("resource");
            let inner = inner.as_ref().unwrap_or(content);
            line(result, &inner.string("uri"));
            line(result, &inner.string("text"));
        }
        _ => {
            let source = content.object("source").unwrap_or_default();
            let url = content
                .object("image_url")
                .and_then(|inner| inner.words("url"));
            let url = url.or_else(|| first(content, &["image_url", "url"]));
            let url = url.or_else(|| source.words("url"));
            if let Some(url) = url {
                return result.images.push(image_at(&url, name));
            }
            let media_type = media_type
                .or_else(|| source.words("media_type"))
                .unwrap_or_else(|| "image/png".to_owned());
            let data = first(content, &["data", "file_data"]);
            match data.or_else(|| source.words("data")) {
                Some(words) if media_type == "text/plain" && source.has("data") => {
                    line(result, &words);
                }
                Some(data) => match data_part(&media_type, data, name) {
                    Part::Image(image) => result.images.push(image),
                    Part::File(file) => {
                        line(result, &format!("[{}: {media_type}]", file.name));
                        line(result, file.text.as_deref().unwrap_or_default());
                    }
                    _ => {}
                },
                None => {
                    let what = name.or_else(|| first(content, &["file_id", "fileId"]));
                    line(result, &format!("[{kind}: {}]", what.unwrap_or_default()));
                }
            }
        }
    }
}

fn first(object: &Object<'_>, keys: &[&str]) -> Option<String> {
    keys.iter().find_map(|key| object.words(key))
}

fn both(object: &Object<'_>, snake: &str, camel: &str) -> String {
    first(object, &[snake, camel]).unwrap_or_default()
}

fn count(object: &Object<'_>, keys: &[&str]) -> Option<u64> {
    keys.iter().find_map(|key| object.count(key))
}

/// Pages that were found. What they are stands as data in the words too, so that nothing of it
/// is lost; what is only for the vendor does not.
fn hits(pages: &[Object<'_>], result: &mut ToolResult) {
    let mut found = Vec::new();
    let mut data = Vec::new();
    for page in pages {
        let hit = SearchHit {
            title: page.string("title"),
            url: page.string("url"),
            snippet: first(page, &["snippet", "page_age", "pageAge"]),
        };
        let mut fields = Map::new();
        for (key, words) in [("title", &hit.title), ("url", &hit.url)] {
            if !words.is_empty() {
                fields.insert(key.to_owned(), json!(words));
            }
        }
        if let Some(snippet) = &hit.snippet {
            fields.insert("snippet".to_owned(), json!(snippet));
        }
        data.push(Value::Object(fields));
        found.push(hit);
    }
    result.text = Value::Array(data).to_string();
    details(result).hits = Some(found);
}

fn tool_names(references: &[Object<'_>], result: &mut ToolResult) {
    for reference in references {
        line(result, &both(reference, "tool_name", "toolName"));
    }
}

/// The results of tools that run at the vendor's side; false for any other object.
fn of_vendor(object: &Object<'_>, result: &mut ToolResult) -> bool {
    let kind = object.string("type");
    let code = first(object, &["error_code", "errorCode"]);
    if let Some(code) = code.filter(|_| kind.ends_with("error")) {
        result.is_error = true;
        result.text = code;
        line(result, &both(object, "error_message", "errorMessage"));
        return true;
    }
    match kind.as_str() {
        "web_fetch_result" => {
            let document = object.object("content").unwrap_or_default();
            let source = document.object("source").unwrap_or_default();
            details(result).page = Some(PageRead {
                url: object.string("url"),
                title: document.words("title"),
                ..PageRead::default()
            });
            result.text = match source.text("type").as_deref() {
                Some("base64") => both(&source, "media_type", "mediaType"),
                _ => source.string("data"),
            };
        }
        "text_editor_code_execution_view_result" => {
            let start = count(object, &["start_line", "startLine"]);
            details(result).file = Some(FileRead {
                start_line: start,
                lines: count(object, &["num_lines", "numLines"]),
                total_lines: count(object, &["total_lines", "totalLines"]),
            });
            result.text = object.string("content");
        }
        "text_editor_code_execution_create_result" => {}
        "text_editor_code_execution_str_replace_result" => {
            let lines = object.items("lines").into_iter().filter_map(text);
            result.text = lines.collect::<Vec<_>>().join("\n");
        }
        "tool_search_tool_search_result" => {
            let names = ["tool_references", "toolReferences"];
            let names = names.iter().flat_map(|key| object.items(key));
            let names: Vec<Object<'_>> = names.filter_map(Object::of).collect();
            tool_names(&names, result);
        }
        "advisor_result" | "text" => result.text = object.string("text"),
        // A call of an MCP server, as OpenAI hosts it.
        "call" => {
            let error = object.get("error");
            result.is_error = error.is_some();
            let told = object.get("output").or(error);
            *result = ToolResult {
                is_error: result.is_error,
                ..settled(told)
            };
        }
        "content" | "json" => return false,
        _ => return of_run(object, result) || of_openai(object, result),
    }
    true
}

/// What a command or a program printed, and how it ended.
fn of_run(object: &Object<'_>, result: &mut ToolResult) -> bool {
    if !object.has("stdout") && !object.has("stderr") {
        return false;
    }
    line(result, &object.string("stdout"));
    line(result, &object.string("stderr"));
    for file in object.items("content").into_iter().filter_map(Object::of) {
        let id = both(&file, "file_id", "fileId");
        if !id.is_empty() {
            line(result, &format!("File: {id}"));
        }
    }
    let codes = ["return_code", "returnCode", "exit_code", "exitCode"];
    let code = codes
        .iter()
        .find_map(|key| object.get(key)?.get().parse::<i64>().ok());
    if let Some(code) = code {
        details(result).exit_code = Some(code);
        result.is_error = code != 0;
    }
    true
}

/// What OpenAI's hosted tools give back.
fn of_openai(object: &Object<'_>, result: &mut ToolResult) -> bool {
    if object.has("outputs") {
        for output in object.items("outputs").into_iter().filter_map(Object::of) {
            line(result, &output.string("logs"));
            let url = output.words("url");
            result.images.extend(url.map(|url| image_at(&url, None)));
        }
    } else if object.has("action") {
        let sources = object.items("sources").into_iter().filter_map(Object::of);
        let sources: Vec<Object<'_>> = sources.collect();
        if !sources.is_empty() {
            hits(&sources, result);
        }
    } else if object.has("queries") && object.has("results") {
        documents(&object.items("results"), result);
    } else if object.has("result") && object.entries().count() == 1 {
        let Some(data) = object.words("result") else {
            return false;
        };
        result.images.push(Image {
            data: ImageData::Base64 {
                media_type: "image/png".to_owned(),
                data,
            },
            alt: None,
        });
    } else {
        return false;
    }
    true
}

/// Passages of files that were found.
pub(crate) fn documents(found: &[Json<'_>], result: &mut ToolResult) {
    for one in found.iter().copied().filter_map(Object::of) {
        let score = one.get("score").map(|score| format!(" ({})", score.get()));
        let name = first(&one, &["filename", "file_name", "file_id"]).unwrap_or_default();
        line(result, &format!("{name}{}", score.unwrap_or_default()));
        line(result, one.string("text").trim_end());
    }
    details(result).matches = Some(found.len() as u64);
}

/// The name and the input of a call of a hosted tool, which says what it was given only in its
/// output, or under a name of its library's.
pub(crate) fn named(name: &str, input: Input, output: Option<Json<'_>>) -> (String, Input) {
    let given = match &input {
        Input::Json(json) => json.as_str(),
        Input::Text(words) => words.as_str(),
    };
    let object = Object::parse(given).ok();
    let is_empty = object
        .as_ref()
        .is_none_or(|object| object.entries().next().is_none());
    let output = output.and_then(Object::of).unwrap_or_default();
    if let Some(inner) = object.as_ref().and_then(|object| object.words("type"))
        && name.to_lowercase().replace('_', "") == "codeexecution"
    {
        // One tool with several acts, each of which is a tool on the wire.
        return match inner.as_str() {
            "bash_code_execution" | "text_editor_code_execution" => (inner, input),
            _ => (name.to_owned(), input),
        };
    }
    if output.text("type").as_deref() == Some("call") {
        let server = both(&output, "server_label", "serverLabel");
        let tool = output.string("name");
        let name = match server.is_empty() || tool.is_empty() {
            true => name.to_owned(),
            false => format!("mcp__{server}__{tool}"),
        };
        let arguments = crate::formats::pairs::input(&output, "arguments");
        return (name, if is_empty { arguments } else { input });
    }
    if !is_empty {
        return (name.to_owned(), input);
    }
    if let Some(action) = output.object("action") {
        return (name.to_owned(), Input::Json(action_of(&action)));
    }
    if let Some(queries) = output.get("queries") {
        return (
            name.to_owned(),
            Input::Json(format!("{{\"queries\":{}}}", queries.get())),
        );
    }
    (name.to_owned(), input)
}

/// What a hosted search was asked to do, without what it found.
pub(crate) fn action_of(action: &Object<'_>) -> String {
    let fields = action.entries().filter(|(key, value)| {
        let is_kind = *key == "type";
        let has_list = *key == "query" && action.has("queries");
        !is_kind && !has_list && *key != "sources" && value.get() != "null"
    });
    let fields = fields.map(|(key, value)| format!("{}:{}", json!(key), value.get()));
    format!("{{{}}}", fields.collect::<Vec<_>>().join(","))
}
