//! Records that neither person nor assistant wrote: events, hooks, the queue, titles, and the
//! program's own bookkeeping.

use crate::figures::{count, one_line};
use crate::formats::problems::Problems;
use crate::formats::records::{Json, Object};
use crate::model::{Body, Notice, NoticeKind};

use super::attachments;
use super::content::{Content, Place};
use super::messages::speech;
use super::row::{Row, Side, Speech, What};
use super::transcript::Transcript;
use super::wrappers::{self, Piece};

/// Records of the program's bookkeeping, with what they are counted as.
const BOOKKEEPING: [(&str, &str); 17] = [
    ("agent-name", "session metadata"),
    ("agent-setting", "session metadata"),
    ("atis-latch", "session metadata"),
    ("bridge-session", "session metadata"),
    ("file-history-snapshot", "file snapshots"),
    ("frame-link", "session metadata"),
    ("last-prompt", "session metadata"),
    ("mode", "session metadata"),
    ("permission-mode", "session metadata"),
    ("relocated", "session metadata"),
    ("started", "workflow journal"),
    ("stream_event", "stream events"),
    ("rate_limit_event", "stream events"),
    ("tool_progress", "progress reports"),
    ("keep_alive", "stream events"),
    ("tag", "session metadata"),
    ("worktree-state", "session metadata"),
];

/// Reads a record of the program; `None` when its kind is not known.
pub(super) fn read(
    transcript: &mut Transcript,
    kind: &str,
    object: &Object<'_>,
    row: &Row,
    problems: &mut Problems,
) -> Option<What> {
    Some(match kind {
        "system" => system(transcript, object),
        "attachment" => attachments::read(transcript, object, row.line, problems),
        "progress" => progress(transcript, object, row.line, problems),
        "queue-operation" => queue(transcript, object, row.line, problems),
        "summary" => {
            let title = object.string("summary");
            transcript
                .summaries
                .push((object.string("leafUuid"), title));
            What::Hidden
        }
        "custom-title" => {
            transcript.titles.0 = object.text("customTitle").map(Into::into);
            What::Hidden
        }
        "ai-title" => {
            transcript.titles.1 = object.text("aiTitle").map(Into::into);
            What::Hidden
        }
        "pr-link" => {
            let number = object.count("prNumber").unwrap_or_default();
            let title = format!("Pull request {}#{number}", object.string("prRepository"));
            let notice = Notice::new(NoticeKind::Info, title);
            remark(notice.with_body(Body::Prose(object.string("prUrl"))))
        }
        "result" if object.has("subtype") => result(transcript, object),
        "result" => {
            transcript.hide("workflow journal");
            What::Hidden
        }
        _ => {
            let (_, name) = BOOKKEEPING.iter().find(|(known, _)| *known == kind)?;
            transcript.hide(name);
            What::Hidden
        }
    })
}

/// A remark that is about no call.
pub(super) fn remark(notice: Notice) -> What {
    What::Remark {
        notice,
        call: String::new(),
    }
}

fn system(transcript: &mut Transcript, object: &Object<'_>) -> What {
    let subtype = object.text("subtype").unwrap_or_default();
    let content = object.string("content");
    let about = object.string("toolUseID");
    let notice = match subtype.as_ref() {
        "compact_boundary" | "microcompact_boundary" => return What::Divider(divider(object)),
        "turn_duration" => return object.count("durationMs").map_or(What::Ended, What::Took),
        "stop_hook_summary" => match stop_hooks(object) {
            Some(notice) => notice,
            None => {
                transcript.hide("hook runs");
                return What::Ended;
            }
        },
        "local_command" => {
            let pieces = wrappers::pieces(&content);
            return What::Said(Speech {
                pieces,
                injected: true,
                ..Speech::default()
            });
        }
        "away_summary" => wrappers::folded(NoticeKind::Info, "While the person was away", &content),
        "api_error" | "error" => failure(object),
        "api_refusal" => {
            let why = object.text("apiRefusalExplanation").unwrap_or_default();
            let title = format!("The request was refused. {}", one_line(&why, 120));
            let body = [content.as_str(), why.as_ref()].join("\n\n");
            wrappers::folded(NoticeKind::Error, title.trim_end(), &body)
        }
        "model_refusal_fallback" => {
            let from = object.string("originalModel");
            let to = object.string("fallbackModel");
            let title = format!("Model changed from {from} to {to}, as a request was refused");
            wrappers::folded(NoticeKind::ModelChange, &title, &content)
        }
        "init" => {
            transcript.hide("session metadata");
            if let Some(version) = object.text("claude_code_version") {
                transcript.version = Some(version.into_owned());
            }
            return What::Hidden;
        }
        _ if content.trim().is_empty() => {
            let subtype = if subtype.is_empty() {
                "empty"
            } else {
                &subtype
            };
            transcript.hide(&format!("system records: {}", subtype.replace('_', " ")));
            return What::Hidden;
        }
        _ => {
            let kind = if about.is_empty() {
                NoticeKind::Info
            } else {
                NoticeKind::Hook
            };
            of_terminal(kind, &content)
        }
    };
    What::Remark {
        notice,
        call: about,
    }
}

/// A notice out of what the program printed.
fn of_terminal(kind: NoticeKind, output: &str) -> Notice {
    let plain = without_escapes(output);
    let line = one_line(&plain, 120);
    let whole = line == plain.trim();
    let notice = Notice::new(kind, line);
    if whole {
        notice
    } else {
        notice.with_body(Body::Output(output.to_owned()))
    }
}

/// A line without its colours, for a title. Bodies keep theirs.
fn without_escapes(output: &str) -> String {
    let mut plain = String::with_capacity(output.len());
    let mut rest = output;
    while let Some((before, after)) = rest.split_once("\u{1b}[") {
        plain.push_str(before);
        let end = after.find(|c: char| ('@'..='~').contains(&c));
        rest = end.map_or("", |end| &after[end + 1..]);
    }
    plain.push_str(rest);
    plain
}

fn divider(object: &Object<'_>) -> Notice {
    let facts = object.object("compactMetadata").unwrap_or_default();
    let mut said = Vec::new();
    match facts.text("trigger").as_deref() {
        Some("auto") => said.push("by the program".to_owned()),
        Some("manual") => said.push("by the person".to_owned()),
        _ => {}
    }
    if let Some(tokens) = facts.count("preTokens").filter(|tokens| *tokens > 0) {
        said.push(format!("{} tokens before", count(tokens)));
    }
    let mut title = "Earlier messages were summarised".to_owned();
    if !said.is_empty() {
        title = format!("{title} ({})", said.join(", "));
    }
    Notice::new(NoticeKind::Compaction, title)
}

/// What hooks said when the assistant stopped; `None` when they said nothing.
fn stop_hooks(object: &Object<'_>) -> Option<Notice> {
    let mut lines: Vec<String> = Vec::new();
    for key in ["hookErrors", "hookAdditionalContext"] {
        let words = object.items(key).into_iter().map(words);
        lines.extend(words);
    }
    lines.push(object.string("stopReason"));
    lines.retain(|line| !line.trim().is_empty());
    let held = object.flag("preventedContinuation");
    if lines.is_empty() && !held {
        return None;
    }
    let title = if held {
        "A hook kept the assistant from going on"
    } else {
        "Hooks at the end of the turn"
    };
    let notice = Notice::new(NoticeKind::Hook, title);
    Some(notice.with_body(Body::Output(lines.join("\n"))))
}

/// A string as its words, anything else as JSON.
pub(super) fn words(value: Json<'_>) -> String {
    crate::formats::records::text(value).map_or_else(|| value.get().to_owned(), Into::into)
}

/// An error of the vendor's server.
fn failure(object: &Object<'_>) -> Notice {
    let mut title = "The request failed".to_owned();
    let error = object.object("error");
    let status = error.as_ref().and_then(|error| error.count("status"));
    if let Some(status) = status.filter(|status| *status > 0) {
        title = format!("{title} ({status})");
    }
    if let (Some(attempt), Some(most)) = (object.count("retryAttempt"), object.count("maxRetries"))
        && most > 0
    {
        title = format!("{title}, attempt {attempt} of {most}");
    }
    let inner = error.as_ref().and_then(|error| error.object("error"));
    let inner = inner.and_then(|inner| inner.object("error").or(Some(inner)));
    let message = [error.as_ref(), inner.as_ref()]
        .into_iter()
        .flatten()
        .find_map(|error| error.text("formatted").or_else(|| error.text("message")));
    let message = message.or_else(|| object.text("content"));
    let words = match (message, object.get("error")) {
        (Some(message), _) => message.into_owned(),
        (None, Some(value)) => words(value),
        (None, None) => String::new(),
    };
    Notice::new(NoticeKind::Error, title).with_body(Body::Output(words))
}

/// The last record of a stream: what the run came to.
fn result(transcript: &mut Transcript, object: &Object<'_>) -> What {
    let cost = object.get("total_cost_usd");
    let cost = cost.and_then(|value| value.get().parse::<f64>().ok());
    if let Some(cost) = cost.filter(|cost| cost.is_finite() && *cost >= 0.0) {
        *transcript.cost.get_or_insert(0.0) += cost;
    }
    let subtype = object.string("subtype");
    if subtype == "success" && !object.flag("is_error") {
        // Its text is the last message once more.
        return object.count("duration_ms").map_or(What::Ended, What::Took);
    }
    let title = format!("The run ended: {}", subtype.replace('_', " "));
    let words = object.string("result");
    remark(wrappers::folded(NoticeKind::Error, &title, &words))
}

fn progress(
    transcript: &mut Transcript,
    object: &Object<'_>,
    line: u64,
    problems: &mut Problems,
) -> What {
    let data = object.object("data").unwrap_or_default();
    let kind = data.text("type").unwrap_or_default();
    if kind != "agent_progress" {
        let hook = kind == "hook_progress";
        transcript.hide(if hook {
            "hook runs"
        } else {
            "progress reports"
        });
        return What::Hidden;
    }
    let agent = data.string("agentId");
    let call = object.string("parentToolUseID");
    transcript
        .links
        .entry(agent.clone())
        .or_insert_with(|| call.clone());
    // The agent's message; it stands in the agent's own file too, when there is one.
    let inner = data
        .get("message")
        .filter(|_| !transcript.filed.contains(&agent));
    if let Some(inner) = inner
        && let Some(message) = Object::of(inner)
    {
        let side = Side { agent, call };
        transcript.take_object(&message, inner.get(), line, Some(side), problems);
    } else {
        transcript.hide("progress reports");
    }
    What::Hidden
}

fn queue(
    transcript: &mut Transcript,
    object: &Object<'_>,
    line: u64,
    problems: &mut Problems,
) -> What {
    let mut place = Place {
        line,
        problems,
        unknown: &mut transcript.unknown_blocks,
    };
    let mut speech = speech(Content::read(object.get("content"), &mut place));
    speech.queued = true;
    link_task(transcript, &speech);
    transcript.hide("queue operations");
    What::Queue {
        operation: object.string("operation"),
        speech,
    }
}

/// Remembers which call a background task came from, when an event says it.
pub(super) fn link_task(transcript: &mut Transcript, speech: &Speech) {
    for piece in &speech.pieces {
        let Piece::Notice(notice) = piece else {
            continue;
        };
        let Some(body) = notice
            .body
            .as_ref()
            .filter(|_| notice.kind == NoticeKind::Task)
        else {
            continue;
        };
        let fact = |name: &str| {
            let line = body.text().lines().find_map(|line| line.strip_prefix(name));
            line.map(|value| value.trim().to_owned())
        };
        if let (Some(task), Some(call)) = (fact("task id: "), fact("tool use id: ")) {
            transcript.links.entry(task).or_insert(call);
        }
    }
}
