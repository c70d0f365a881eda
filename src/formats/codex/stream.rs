//! The stream that `codex exec --json` prints: items by their ids, of which the last state counts.

use std::collections::BTreeMap;

use crate::formats::pairs;
use crate::formats::records::{Object, text};
use crate::model::{Body, Details, Input, Notice, NoticeKind, Part, Reasoning, ToolResult};

use super::events::{message_of, with_exit_code};
use super::row::{Report, What};
use super::{agents, items, reports};

/// Where the items of the running process stand.
#[derive(Debug, Default)]
pub(super) struct Stream {
    /// The rows of each item: that of the call, and that of its result if it has one.
    places: BTreeMap<String, (usize, Option<usize>)>,
    /// How many processes wrote into the file.
    runs: u64,
}

impl Stream {
    /// A process began: it counts its items anew.
    pub(super) fn begin(&mut self) {
        self.places.clear();
        self.runs += 1;
    }

    /// The rows at which an item stands already.
    pub(super) fn place(&self, id: &str) -> Option<(usize, Option<usize>)> {
        self.places.get(id).copied()
    }

    /// Remembers where an item stands.
    pub(super) fn put(&mut self, id: String, rows: (usize, Option<usize>)) {
        if !id.is_empty() {
            self.places.insert(id, rows);
        }
    }

    /// The id of an item's call, which no other process gives.
    fn call(&self, id: &str) -> String {
        if self.runs > 1 {
            format!("{id}.{}", self.runs)
        } else {
            id.to_owned()
        }
    }

    /// What an item says, and its result when it is a call; `None` when its kind is not known.
    pub(super) fn read(&self, item: &Object<'_>) -> Option<(What, Option<What>)> {
        let kind = item.text("type").or_else(|| item.text("item_type"));
        let kind = kind.unwrap_or_default();
        let alone = |what| Some((what, None));
        let call = match kind.as_ref() {
            "agent_message" | "assistant_message" => {
                return alone(What::Wrote {
                    parts: vec![Part::Text(item.string("text"))],
                    is_final: None,
                });
            }
            "reasoning" => {
                return alone(What::Thought(Reasoning {
                    text: item.string("text"),
                    ..Reasoning::default()
                }));
            }
            "plan" => {
                let body = Body::Prose(item.string("text"));
                let notice = Notice::new(NoticeKind::Info, "Plan").with_body(body);
                return alone(What::Remark(notice));
            }
            "error" => {
                let words = item.string("message");
                let notice = super::wrappers::in_a_line(NoticeKind::Error, &words);
                return alone(What::Remark(notice));
            }
            "command_execution" => command(item),
            "file_change" => changes(item),
            "mcp_tool_call" => mcp(item),
            "collab_tool_call" => collab(item),
            "web_search" => search(item),
            "todo_list" => todos(item),
            _ => return None,
        };
        let id = self.call(&item.string("id"));
        let status = item.string("status");
        let mut result = call.result;
        result.is_error |= matches!(status.as_str(), "failed" | "declined");
        if status == "declined" {
            result.details.get_or_insert_default().denied = true;
        }
        let is_running = status == "in_progress";
        let what = What::Call {
            id: id.clone(),
            name: call.name,
            input: call.input,
            is_running,
        };
        let outcome = if is_running {
            so_far(id, result)
        } else {
            What::Result {
                call: id,
                result: Box::new(result),
                ms: None,
            }
        };
        Some((what, Some(outcome)))
    }
}

struct Call {
    name: String,
    input: Input,
    result: ToolResult,
}

impl Call {
    fn new(name: &str, input: serde_json::Value, result: ToolResult) -> Self {
        Self {
            name: name.to_owned(),
            input: Input::Json(input.to_string()),
            result,
        }
    }
}

/// What a call has printed that still runs.
fn so_far(call: String, result: ToolResult) -> What {
    if result.text.trim().is_empty() {
        return What::Hidden;
    }
    let notice = Notice::new(NoticeKind::Info, "Output so far");
    let report = Report {
        notices: vec![notice.with_body(Body::Output(result.text))],
        ..Report::default()
    };
    What::Report {
        call,
        report: Box::new(report),
    }
}

fn said(text: String) -> ToolResult {
    ToolResult {
        text,
        ..ToolResult::default()
    }
}

fn command(item: &Object<'_>) -> Call {
    let mut result = said(item.string("aggregated_output"));
    let details = with_exit_code(item);
    result.is_error = details.exit_code.is_some_and(|code| code != 0);
    if details != Details::default() {
        result.details = Some(Box::new(details));
    }
    let command = item.string("command");
    let bare = unwrapped(&command).unwrap_or(command);
    Call::new(
        "command_execution",
        serde_json::json!({"command": bare}),
        result,
    )
}

/// The line that a shell was only there to run: `bash -lc 'make test'`.
fn unwrapped(command: &str) -> Option<String> {
    let (shell, line) = command
        .split_once(" -lc ")
        .or_else(|| command.split_once(" -c "))?;
    if !shell.ends_with("sh") || shell.contains(' ') {
        return None;
    }
    let quoted = |mark: char| line.strip_prefix(mark)?.strip_suffix(mark);
    if let Some(inner) = quoted('\'') {
        // A quotation mark inside is written as an end, the mark, and a new beginning.
        let whole = inner.replace("'\"'\"'", "\u{0}").replace("'\\''", "\u{0}");
        return (!whole.contains('\'')).then(|| whole.replace('\u{0}', "'"));
    }
    if let Some(inner) = quoted('"') {
        return (!inner.contains(['"', '\\', '$', '`'])).then(|| inner.to_owned());
    }
    Some(line.to_owned()).filter(|line| !line.contains(['\'', '"', ' ']))
}

fn changes(item: &Object<'_>) -> Call {
    let list = item
        .items("changes")
        .into_iter()
        .map(|change| serde_json::from_str::<serde_json::Value>(change.get()).unwrap_or_default());
    let list: Vec<_> = list.collect();
    Call::new(
        "file_change",
        serde_json::json!({"changes": list}),
        ToolResult::default(),
    )
}

fn mcp(item: &Object<'_>) -> Call {
    let mut result = ToolResult::default();
    if let Some(answer) = item.object("result") {
        reports::add_content(&mut result, answer.get("content"));
        if result.text.is_empty()
            && let Some(data) = answer.get("structured_content")
        {
            data.get().clone_into(&mut result.text);
        }
    }
    if let Some(error) = message_of(item.get("error")) {
        result.text = error;
        result.is_error = true;
    }
    let name = format!("mcp__{}__{}", item.string("server"), item.string("tool"));
    let input = match item.has("arguments") {
        true => pairs::input(item, "arguments"),
        false => Input::Json("{}".to_owned()),
    };
    Call {
        name,
        input,
        result,
    }
}

fn collab(item: &Object<'_>) -> Call {
    let mut input = serde_json::Map::new();
    input.extend(
        item.words("prompt")
            .map(|p| ("message".to_owned(), p.into())),
    );
    let ids = item.items("receiver_thread_ids").into_iter();
    let ids: Vec<_> = ids
        .filter_map(|id| text(id).map(|id| id.into_owned()))
        .collect();
    if !ids.is_empty() {
        input.insert("targets".to_owned(), ids.into());
    }
    let states = item.object("agents_states").unwrap_or_default();
    let tool = match item.string("tool").as_str() {
        "wait" => "wait_agent".to_owned(),
        tool => tool.to_owned(),
    };
    Call::new(
        &tool,
        serde_json::Value::Object(input),
        said(agents::states(&states)),
    )
}

fn search(item: &Object<'_>) -> Call {
    let action = item.object("action").unwrap_or_default();
    Call {
        name: "web_search_call".to_owned(),
        input: items::action(&action, item.words("query")),
        result: ToolResult::default(),
    }
}

fn todos(item: &Object<'_>) -> Call {
    let steps = item.items("items").into_iter().filter_map(Object::of);
    let steps = steps.map(|step| {
        let status = if step.flag("completed") {
            "completed"
        } else {
            "pending"
        };
        serde_json::json!({"step": step.string("text"), "status": status})
    });
    let plan: Vec<_> = steps.collect();
    Call::new(
        "update_plan",
        serde_json::json!({"plan": plan}),
        ToolResult::default(),
    )
}
