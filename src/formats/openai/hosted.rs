//! Tools that run at OpenAI's side, and those whose calls have items of their own. What a call was
//! given stands under other keys with each, and its result often within it.

use std::collections::BTreeMap;

use serde_json::json;

use crate::formats::api::{Flow, action_of, documents, settled};
use crate::formats::chat::image_at;
use crate::formats::pairs::input;
use crate::formats::records::{Json, Object, text};
use crate::model::{
    Body, Details, Image, ImageData, Input, Notice, NoticeKind, Part, SearchHit, ToolCall,
    ToolResult,
};

/// The titles of pages by their addresses: searches give only the addresses.
pub(super) type Titles = BTreeMap<String, String>;

/// The titles that the texts of a response give to the pages that they cite.
pub(super) fn titles(output: &[Json<'_>]) -> Titles {
    let mut titles = Titles::new();
    let items = output.iter().copied().filter_map(Object::of);
    for content in items
        .flat_map(|item| item.items("content"))
        .filter_map(Object::of)
    {
        for annotation in content
            .items("annotations")
            .into_iter()
            .filter_map(Object::of)
        {
            if let (Some(url), Some(title)) = (annotation.words("url"), annotation.words("title")) {
                titles.insert(bare(&url).to_owned(), title);
            }
        }
    }
    titles
}

/// An address without the mark of where it was found.
fn bare(url: &str) -> &str {
    let url = url.split_once("?utm_source=").map_or(url, |(url, _)| url);
    url.split_once("&utm_source=").map_or(url, |(url, _)| url)
}

/// Reads an item of such a tool; false when it is none.
pub(super) fn read(kind: &str, item: &Object<'_>, titles: &Titles, flow: &mut Flow) -> bool {
    match kind {
        "web_search_call" => search(item, titles, flow),
        "file_search_call" => {
            let queries = item.get("queries").map_or("[]", Json::get);
            let mut result = ToolResult::default();
            documents(&item.items("results"), &mut result);
            let result = item
                .get("results")
                .map_or_else(ToolResult::default, |_| result);
            let given = format!("{{\"queries\":{queries}}}");
            hosted(kind, item, Input::Json(given), result, flow);
        }
        "code_interpreter_call" => {
            let given = json!({"code": item.string("code")}).to_string();
            let result = printed(item);
            hosted(kind, item, Input::Json(given), result, flow);
        }
        "image_generation_call" => image(kind, item, flow),
        "mcp_call" => mcp(item, flow),
        "x_search_call" => {
            let name = item.words("name");
            let name = name.unwrap_or_else(|| "web_search_call".to_owned());
            hosted(
                &name,
                item,
                input(item, "arguments"),
                settled(item.get("output")),
                flow,
            );
        }
        "tool_search_call" => flow.call(ToolCall {
            id: item.string("call_id"),
            name: kind.to_owned(),
            input: Some(input(item, "arguments")),
            ..ToolCall::default()
        }),
        "tool_search_output" => {
            let names = item.items("tools").into_iter().filter_map(Object::of);
            let names: Vec<String> = names.map(|tool| tool.string("name")).collect();
            let result = ToolResult {
                text: names.join("\n"),
                ..ToolResult::default()
            };
            flow.result(&item.string("call_id"), "tool_search_call", result);
        }
        "mcp_list_tools" => {
            let title = format!("The tools of the server {}", item.string("server_label"));
            let tools = crate::formats::api::offered(item.items("tools"));
            let lines = tools
                .iter()
                .map(|(name, what)| format!("- `{name}`: {what}"));
            let body = Body::Prose(lines.collect::<Vec<_>>().join("\n"));
            let notice = Notice::new(NoticeKind::Context, title).with_body(body);
            flow.part(Part::Notice(notice));
        }
        "mcp_approval_request" => {
            let (server, tool) = (item.string("server_label"), item.string("name"));
            let title = format!("Asked for permission to call {server} · {tool}");
            let body = Body::Data(item.string("arguments"));
            let notice = Notice::new(NoticeKind::Info, title).with_body(body);
            flow.part(Part::Notice(notice));
        }
        "mcp_approval_response" => {
            let title = match item.flag("approve") {
                true => "The call was allowed",
                false => "The call was refused",
            };
            let body = Body::Prose(item.string("reason"));
            flow.part(Part::Notice(
                Notice::new(NoticeKind::Info, title).with_body(body),
            ));
        }
        _ => return of_machine(kind, item, flow),
    }
    true
}

/// Calls that are answered by items of their own: commands, screens, patches and programs.
fn of_machine(kind: &str, item: &Object<'_>, flow: &mut Flow) -> bool {
    let id = item
        .words("call_id")
        .or_else(|| item.words("id"))
        .unwrap_or_default();
    let action = item.object("action").unwrap_or_default();
    let call = |name: &str, input: Input| ToolCall {
        id: id.clone(),
        name: name.to_owned(),
        input: Some(input),
        ..ToolCall::default()
    };
    match kind {
        "shell_call" => flow.call(call("shell", Input::Json(action_of(&action)))),
        "local_shell_call" => flow.call(call("local_shell", Input::Json(action_of(&action)))),
        "computer_call" => {
            let given = item.get("action").or_else(|| item.get("actions"));
            let given = Input::Json(given.map_or("{}", Json::get).to_owned());
            flow.call(call(kind, given));
        }
        "apply_patch_call" => {
            let operation = item.object("operation").unwrap_or_default();
            flow.call(call("apply_patch", Input::Text(patch(&operation))));
        }
        "program" => {
            let given = json!({"language": "javascript", "code": item.string("code")});
            flow.call(call("code_execution", Input::Json(given.to_string())));
        }
        "shell_call_output" => flow.result(&id, "", printed_by_shell(item)),
        "apply_patch_call_output" => {
            let mut result = settled(item.get("output"));
            result.is_error = item.text("status").as_deref() == Some("failed");
            flow.result(&id, "", result);
        }
        "computer_call_output" => {
            let output = item.object("output").unwrap_or_default();
            let url = output
                .words("image_url")
                .or_else(|| output.words("file_id"));
            let result = ToolResult {
                images: url.map(|url| image_at(&url, None)).into_iter().collect(),
                ..ToolResult::default()
            };
            flow.result(&id, "", result);
        }
        "local_shell_call_output" | "program_output" => {
            let told = item.get("output").or_else(|| item.get("result"));
            flow.result(&id, "", settled(told));
        }
        _ => return false,
    }
    true
}

/// A call that was answered where it stands, unless it still runs or failed.
fn hosted(name: &str, item: &Object<'_>, input: Input, result: ToolResult, flow: &mut Flow) {
    let state = item.string("status");
    let is_open = [
        "in_progress",
        "searching",
        "interpreting",
        "generating",
        "calling",
    ];
    let is_open = is_open.contains(&state.as_str());
    let mut result = result;
    result.is_error |= state == "failed";
    result.cancelled |= state == "incomplete";
    flow.call(ToolCall {
        id: item.string("id"),
        name: name.to_owned(),
        input: Some(input),
        running: is_open,
        result: (!is_open).then_some(result),
        ..ToolCall::default()
    });
}

fn search(item: &Object<'_>, titles: &Titles, flow: &mut Flow) {
    let action = item.object("action").unwrap_or_default();
    let sources = action.items("sources").into_iter().filter_map(Object::of);
    let hits: Vec<SearchHit> = sources
        .filter_map(|source| {
            // Some sources are feeds of the vendor's, which have a name and no address.
            let url = source.words("url").or_else(|| source.words("name"))?;
            Some(SearchHit {
                title: titles.get(bare(&url)).cloned().unwrap_or_default(),
                url,
                snippet: None,
            })
        })
        .collect();
    let mut result = ToolResult::default();
    if !hits.is_empty() {
        result.details = Some(Box::new(Details {
            hits: Some(hits),
            ..Details::default()
        }));
    }
    hosted(
        "web_search_call",
        item,
        Input::Json(action_of(&action)),
        result,
        flow,
    );
}

/// What code printed and drew.
fn printed(item: &Object<'_>) -> ToolResult {
    let mut result = ToolResult::default();
    let mut lines: Vec<String> = Vec::new();
    for output in item.items("outputs").into_iter().filter_map(Object::of) {
        lines.extend(output.words("logs"));
        let url = output.words("url").or_else(|| output.words("file_id"));
        result.images.extend(url.map(|url| image_at(&url, None)));
    }
    result.text = lines.join("\n");
    result
}

fn image(kind: &str, item: &Object<'_>, flow: &mut Flow) {
    let keys = ["revised_prompt", "size", "quality", "background", "action"];
    let given = keys.iter().filter_map(|key| {
        let key = *key;
        let words = item.words(key)?;
        let name = if key == "revised_prompt" {
            "prompt"
        } else {
            key
        };
        Some((name.to_owned(), json!(words)))
    });
    let given: serde_json::Map<_, _> = given.collect();
    let format = item
        .words("output_format")
        .unwrap_or_else(|| "png".to_owned());
    let data = item.words("result").map(|data| ImageData::Base64 {
        media_type: format!("image/{format}"),
        data,
    });
    let result = ToolResult {
        images: data
            .map(|data| Image { data, alt: None })
            .into_iter()
            .collect(),
        ..ToolResult::default()
    };
    let given = Input::Json(serde_json::Value::Object(given).to_string());
    hosted(kind, item, given, result, flow);
}

fn mcp(item: &Object<'_>, flow: &mut Flow) {
    let error = item.get("error");
    let mut result = settled(item.get("output"));
    if let Some(error) = error {
        result.is_error = true;
        if result.text.is_empty() {
            let message = Object::of(error).and_then(|error| error.words("message"));
            let words =
                || text(error).map_or_else(|| error.get().to_owned(), |text| text.into_owned());
            result.text = message.unwrap_or_else(words);
        }
    }
    let name = format!(
        "mcp__{}__{}",
        item.string("server_label"),
        item.string("name")
    );
    hosted(&name, item, input(item, "arguments"), result, flow);
}

fn printed_by_shell(item: &Object<'_>) -> ToolResult {
    let mut result = ToolResult::default();
    let mut details = Details::default();
    let mut lines: Vec<String> = Vec::new();
    for output in item.items("output").into_iter().filter_map(Object::of) {
        lines.extend(output.words("stdout"));
        lines.extend(output.words("stderr"));
        let outcome = output.object("outcome").unwrap_or_default();
        details.timed_out |= outcome.text("type").as_deref() == Some("timeout");
        let code = outcome
            .get("exit_code")
            .and_then(|code| code.get().parse().ok());
        details.exit_code = match details.exit_code {
            Some(worse) if worse != 0 => Some(worse),
            _ => code.or(details.exit_code),
        };
    }
    result.is_error = details.timed_out || details.exit_code.is_some_and(|code| code != 0);
    result.text = lines.join("\n");
    result.details = Some(Box::new(details));
    result
}

/// An operation on a file in the notation of patches.
fn patch(operation: &Object<'_>) -> String {
    let path = operation.string("path");
    let diff = operation.string("diff");
    let diff = diff.trim_end();
    let head = match operation.text("type").as_deref() {
        Some("create_file") => "Add",
        Some("delete_file") => "Delete",
        _ => "Update",
    };
    let body = match diff.is_empty() {
        true => String::new(),
        false => format!("{diff}\n"),
    };
    format!("*** Begin Patch\n*** {head} File: {path}\n{body}*** End Patch")
}
