//! Events about calls: they say more of a call than its item and its result do, and stand in for
//! either where it is missing.

use crate::formats::pairs;
use crate::formats::records::{Json, Object};
use crate::model::{
    AgentRun, Body, Details, Image, Input, Notice, NoticeKind, SearchHit, ToolResult,
};

use super::events::{duration, message_of, with_exit_code};
use super::row::Report;
use super::{agents, changes, content, items};

/// Reads an event about a call: the call's id, and what is said. `None` for any other event;
/// nothing is said where the item says it all.
pub(super) fn read(kind: &str, object: &Object<'_>) -> Option<(String, Option<Report>)> {
    let report = match kind {
        "exec_command_begin" => Some(command_begun(object)),
        // A command of the person stands in a message of its own.
        "exec_command_end" if object.text("source").as_deref() == Some("user_shell") => None,
        "exec_command_end" => Some(command(object)),
        "patch_apply_begin" => Some(Report {
            call: Some(patch_call(object)),
            ..Report::default()
        }),
        "patch_apply_end" => Some(patch(object)),
        "mcp_tool_call_begin" => Some(Report {
            call: mcp_call(object),
            ..Report::default()
        }),
        "mcp_tool_call_end" => Some(mcp(object)),
        "web_search_begin" | "image_generation_begin" => None,
        "web_search_end" => Some(search(object)),
        "view_image_tool_call" => Some(view(object)),
        "image_generation_end" => Some(picture(object)),
        "dynamic_tool_call_response" => Some(dynamic(object)),
        "guardian_assessment" => Some(assessment(object)?),
        "exec_approval_request" | "apply_patch_approval_request" => Some(approval(object)),
        "request_user_input" | "elicitation_request" => None,
        _ if kind.starts_with("collab_") => kind.ends_with("_end").then(|| agent(kind, object)),
        _ => return None,
    };
    let id = ["call_id", "callId", "target_item_id", "id"];
    let id = id.iter().find_map(|key| object.words(key));
    Some((id.unwrap_or_default(), report))
}

fn command_call(object: &Object<'_>) -> Option<(String, Input)> {
    let command = object.get("command")?;
    let mut json = format!("{{\"command\":{}", command.get());
    if let Some(folder) = object.get("cwd") {
        json += &format!(",\"workdir\":{}", folder.get());
    }
    json.push('}');
    Some(("exec_command".to_owned(), Input::Json(json)))
}

fn command_begun(object: &Object<'_>) -> Report {
    Report {
        call: command_call(object),
        ..Report::default()
    }
}

fn command(object: &Object<'_>) -> Report {
    let status = object.string("status");
    let output = object.words("aggregated_output").unwrap_or_else(|| {
        let both = [object.string("stdout"), object.string("stderr")];
        both.join("\n").trim_matches('\n').to_owned()
    });
    let details = with_exit_code(object);
    Report {
        call: command_call(object),
        has_failed: matches!(status.as_str(), "failed" | "declined")
            || details.exit_code.is_some_and(|code| code != 0),
        result: Some(ToolResult {
            text: output,
            ..ToolResult::default()
        }),
        ms: duration(object.get("duration")),
        details,
        notices: Vec::new(),
    }
}

fn patch_call(object: &Object<'_>) -> (String, Input) {
    let changes = object.object("changes").unwrap_or_default();
    let listed = changes::read(&changes).into_iter().map(|file| {
        use crate::model::patch::Change;
        let kind = match file.change {
            Change::Added => "add",
            Change::Deleted => "delete",
            Change::Updated | Change::Moved(_) => "update",
        };
        serde_json::json!({"path": file.path, "kind": kind})
    });
    let list = serde_json::json!({"changes": listed.collect::<Vec<_>>()});
    ("apply_patch".to_owned(), Input::Json(list.to_string()))
}

fn patch(object: &Object<'_>) -> Report {
    let has_failed = object
        .get("success")
        .is_some_and(|value| value.get() == "false");
    let output = [object.string("stdout"), object.string("stderr")];
    let changes = object.object("changes").unwrap_or_default();
    Report {
        call: Some(patch_call(object)),
        result: Some(ToolResult {
            text: output.join("\n").trim_matches('\n').to_owned(),
            ..ToolResult::default()
        }),
        details: Details {
            patches: changes::read(&changes),
            ..Details::default()
        },
        has_failed,
        ..Report::default()
    }
}

fn mcp_call(object: &Object<'_>) -> Option<(String, Input)> {
    let call = object.object("invocation")?;
    let name = format!("mcp__{}__{}", call.string("server"), call.string("tool"));
    Some((name, arguments(&call)))
}

fn arguments(call: &Object<'_>) -> Input {
    if call.get("arguments").is_none() {
        return Input::Json("{}".to_owned());
    }
    pairs::input(call, "arguments")
}

fn mcp(object: &Object<'_>) -> Report {
    let outcome = object.object("result").unwrap_or_default();
    let mut result = ToolResult::default();
    let mut has_failed = outcome.has("Err");
    if let Some(done) = outcome.object("Ok") {
        has_failed |= done.flag("isError") || done.flag("is_error");
        add_content(&mut result, done.get("content"));
        if result.text.is_empty()
            && let Some(data) = done.get("structuredContent")
        {
            data.get().clone_into(&mut result.text);
        }
    }
    if let Some(error) = message_of(outcome.get("Err")) {
        result.text = error;
    }
    Report {
        call: mcp_call(object),
        result: Some(result),
        ms: duration(object.get("duration")),
        has_failed,
        ..Report::default()
    }
}

/// Adds what a tool of another server answered.
pub(super) fn add_content(result: &mut ToolResult, value: Option<Json<'_>>) {
    for block in content::blocks(value) {
        match block {
            content::Block::Text(words) => {
                if !result.text.is_empty() {
                    result.text.push('\n');
                }
                result.text.push_str(&words);
            }
            content::Block::Image(image) => result.images.push(image),
            content::Block::Encrypted => {}
        }
    }
}

fn search(object: &Object<'_>) -> Report {
    let query = object.words("query");
    let action = object.object("action").unwrap_or_default();
    let hits: Vec<SearchHit> = object
        .items("results")
        .into_iter()
        .filter_map(Object::of)
        .filter(|hit| hit.has("url"))
        .map(|hit| SearchHit {
            title: hit.string("title"),
            url: hit.string("url"),
            snippet: hit.words("snippet"),
        })
        .collect();
    Report {
        call: Some(("web_search_call".to_owned(), items::action(&action, query))),
        result: Some(ToolResult::default()),
        details: Details {
            hits: (!hits.is_empty()).then_some(hits),
            ..Details::default()
        },
        ..Report::default()
    }
}

fn view(object: &Object<'_>) -> Report {
    let path = serde_json::json!({"path": object.string("path")});
    Report {
        call: Some(("view_image".to_owned(), Input::Json(path.to_string()))),
        ..Report::default()
    }
}

fn picture(object: &Object<'_>) -> Report {
    let images: Vec<Image> = items::made_picture(object).into_iter().collect();
    Report {
        call: Some((
            "image_generation_call".to_owned(),
            items::picture_input(object),
        )),
        result: Some(ToolResult {
            images,
            ..ToolResult::default()
        }),
        has_failed: object.text("status").as_deref() == Some("failed"),
        ..Report::default()
    }
}

fn dynamic(object: &Object<'_>) -> Report {
    let mut result = ToolResult::default();
    for item in object.items("content_items") {
        let item = Object::of(item).unwrap_or_default();
        match content::image(&item) {
            Some(image) => result.images.push(image),
            None => {
                result.text.push_str(&item.string("text"));
                result.text.push('\n');
            }
        }
    }
    if let Some(error) = message_of(object.get("error")) {
        result.text.push_str(&error);
    }
    Report {
        call: Some((object.string("tool"), arguments(object))),
        result: Some(result),
        ms: duration(object.get("duration")),
        has_failed: object
            .get("success")
            .is_some_and(|value| value.get() == "false"),
        ..Report::default()
    }
}

/// What the program's own reviewer thought of a call before it was made.
fn assessment(object: &Object<'_>) -> Option<Report> {
    let status = object.words("status")?;
    if status == "in_progress" {
        return Some(Report::default());
    }
    let risk = object
        .words("risk_level")
        .map(|risk| format!(", {risk} risk"));
    let title = format!(
        "Checked before it was run: {}{}",
        status.replace('_', " "),
        risk.unwrap_or_default()
    );
    let body = Body::Prose(object.string("rationale"));
    let title = crate::figures::one_line(&title, 120);
    Some(Report {
        notices: vec![Notice::new(NoticeKind::Info, title).with_body(body)],
        ..Report::default()
    })
}

/// That the person was asked whether a call may be made.
fn approval(object: &Object<'_>) -> Report {
    let body = Body::Prose(object.string("reason"));
    let notice = Notice::new(NoticeKind::Info, "The person was asked for approval");
    Report {
        notices: vec![notice.with_body(body)],
        ..Report::default()
    }
}

/// What came of a call about agents.
fn agent(kind: &str, object: &Object<'_>) -> Report {
    let ids = ["new_thread_id", "receiver_thread_id"];
    let id = ids.iter().find_map(|key| object.words(key));
    let names = ["new_agent_nickname", "receiver_agent_nickname"];
    let name = names.iter().find_map(|key| object.words(key));
    let roles = ["new_agent_role", "receiver_agent_role"];
    let role = roles.iter().find_map(|key| object.words(key));
    let mut input = serde_json::Map::new();
    let tool = match kind {
        "collab_agent_spawn_end" => "spawn_agent",
        "collab_agent_interaction_end" => "send_input",
        "collab_waiting_end" => "wait_agent",
        "collab_close_end" => "close_agent",
        _ => "resume_agent",
    };
    input.extend(
        object
            .words("prompt")
            .map(|p| ("message".to_owned(), p.into())),
    );
    input.extend(role.map(|role| ("agent_type".to_owned(), role.into())));
    if tool != "spawn_agent" {
        input.extend(id.clone().map(|id| ("id".to_owned(), id.into())));
    }
    let mut lines = Vec::new();
    lines.extend(name.map(|name| format!("nickname: {name}")));
    if let Some(all) = object.object("statuses") {
        lines.push(agents::states(&all));
    } else if object.has("status") {
        let (state, words) = agents::state(object.get("status"));
        lines.push(format!("status: {state}"));
        lines.extend(words);
    }
    let starts = tool == "spawn_agent";
    Report {
        call: Some((
            tool.to_owned(),
            Input::Json(serde_json::Value::Object(input).to_string()),
        )),
        result: Some(ToolResult {
            text: lines.join("\n"),
            ..ToolResult::default()
        }),
        details: Details {
            agent: id.filter(|_| starts).map(|id| AgentRun {
                id,
                ..AgentRun::default()
            }),
            ..Details::default()
        },
        ..Report::default()
    }
}
