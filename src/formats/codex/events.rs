//! Events: what the program showed while a session ran. Most repeat what the items of the history
//! say; the rest is here alone.

use crate::formats::records::{Json, Object, text};
use crate::model::{Body, Details, Image, Notice, NoticeKind, Part, Reasoning};

use super::content;
use super::items::hash;
use super::reports;
use super::row::{Echo, Voice, What};
use super::wrappers::{self, Piece};

/// What an event says, and what an item may repeat of it.
#[derive(Debug, Default)]
pub(super) struct Event {
    /// What it says.
    pub(super) what: What,
    /// What an item may repeat.
    pub(super) echo: Option<Echo>,
    /// The kind under which it is counted, when it is not shown.
    pub(super) hidden: Option<&'static str>,
}

impl Event {
    fn of(what: What) -> Self {
        Self {
            what,
            ..Self::default()
        }
    }

    fn remark(kind: NoticeKind, words: &str) -> Self {
        Self::of(What::Remark(wrappers::in_a_line(kind, words)))
    }

    fn hidden(kind: &'static str) -> Self {
        Self {
            hidden: Some(kind),
            ..Self::default()
        }
    }
}

/// Events that only accompany what is shown elsewhere: deltas, beginnings, states of the program.
const COMPANIONS: [&str; 22] = [
    "agent_message_delta",
    "agent_reasoning_delta",
    "agent_reasoning_section_break",
    "agent_reasoning_raw_content_delta",
    "agent_message_content_delta",
    "reasoning_content_delta",
    "reasoning_raw_content_delta",
    "raw_response_item",
    "exec_command_output_delta",
    "terminal_interaction",
    "item_started",
    "session_configured",
    "thread_settings_applied",
    "turn_diff",
    "plan_update",
    "plan_delta",
    "sub_agent_activity",
    "mcp_startup_update",
    "mcp_startup_complete",
    "skills_update_available",
    "shutdown_complete",
    "dynamic_tool_call_request",
];

/// Reads an event; `None` when its kind is not known.
pub(super) fn read(object: &Object<'_>) -> Option<Event> {
    let kind = object.text("type").unwrap_or_default();
    if COMPANIONS.contains(&kind.as_ref()) || kind.starts_with("codex/event/") {
        return Some(Event::hidden("events that accompany others"));
    }
    if let Some((call, report)) = reports::read(&kind, object) {
        return Some(match report {
            Some(report) => Event::of(What::Report {
                call,
                report: Box::new(report),
            }),
            None => Event::hidden("events that accompany others"),
        });
    }
    Some(match kind.as_ref() {
        "user_message" => person(object),
        "agent_message" => said_again(&object.string("message"), object),
        "agent_reasoning" | "agent_reasoning_raw_content" => thought(object.string("text")),
        "item_completed" => return Some(completed(object)),
        "task_started" | "turn_started" => Event::of(What::Started),
        "task_complete" | "turn_complete" => Event::of(What::Ended {
            ms: object.count("duration_ms").filter(|ms| *ms > 0),
            answer: object.words("last_agent_message"),
            error: message_of(object.get("error")),
        }),
        "turn.completed" => Event::of(What::Ended {
            ms: None,
            answer: None,
            error: None,
        }),
        "turn_aborted" => Event::of(What::Stopped {
            reason: object.string("reason"),
            ms: object.count("duration_ms").filter(|ms| *ms > 0),
        }),
        "thread_rolled_back" => Event::of(What::TakenBack(
            object.count("num_turns").unwrap_or_default(),
        )),
        "error" => Event::of(failure(object)),
        "stream_error" => Event::remark(NoticeKind::Error, &object.string("message")),
        "warning" | "background_event" | "deprecation_notice" | "guardian_warning" => {
            let words = object.text("message").or_else(|| object.text("summary"));
            Event::remark(NoticeKind::Info, &words.unwrap_or_default())
        }
        "undo_completed" => {
            let words = object.words("message");
            Event::remark(
                NoticeKind::Info,
                &words.unwrap_or_else(|| "Undone".to_owned()),
            )
        }
        "context_compacted" => Event::of(What::Compacted(Notice::new(
            NoticeKind::Compaction,
            SUMMARISED,
        ))),
        "entered_review_mode" => Event::of(What::Remark(review_begun(object))),
        "exited_review_mode" => Event::of(What::Remark(review_done(object))),
        "thread_goal_updated" => Event::of(What::Remark(goal(object))),
        "model_reroute" | "model_rerouted" => {
            let words = format!("Model changed to {}", object.string("to_model"));
            Event::remark(NoticeKind::ModelChange, &words)
        }
        "undo_started" | "account/rateLimits/updated" => {
            Event::hidden("events that accompany others")
        }
        _ => return None,
    })
}

/// The line of a compaction.
pub(super) const SUMMARISED: &str = "Earlier messages were summarised";

fn person(object: &Object<'_>) -> Event {
    let words = object.string("message");
    let mut pieces = wrappers::pieces(&words);
    let mut hand_over = |key: &str, local: bool| {
        for path in object.items(key) {
            let path = text(path).unwrap_or_default();
            let data = content::from_url(&path);
            let alt = local.then(|| path.into_owned());
            pieces.push(Piece::Part(Part::Image(Image { data, alt })));
        }
    };
    hand_over("images", false);
    hand_over("local_images", true);
    let hashes = vec![hash(&words)];
    Event {
        echo: Some(Echo::new(Voice::Person, true, hashes)),
        ..Event::of(What::Said {
            pieces,
            is_injected: false,
        })
    }
}

fn said_again(words: &str, object: &Object<'_>) -> Event {
    if words.trim().is_empty() {
        return Event::default();
    }
    Event {
        echo: Some(Echo::new(Voice::Assistant, true, vec![hash(words)])),
        ..Event::of(What::Wrote {
            parts: vec![Part::Text(words.to_owned())],
            is_final: object.text("phase").map(|phase| phase != "commentary"),
        })
    }
}

fn thought(words: String) -> Event {
    Event {
        echo: Some(Echo::new(Voice::Thought, true, vec![hash(&words)])),
        ..Event::of(What::Thought(Reasoning {
            text: words,
            ..Reasoning::default()
        }))
    }
}

/// An item as the program's newest events tell it: a plan is there alone.
fn completed(object: &Object<'_>) -> Event {
    let item = object.object("item").unwrap_or_default();
    match item.text("type").as_deref() {
        Some("Plan" | "plan") => {
            let body = Body::Prose(item.string("text"));
            let notice = Notice::new(NoticeKind::Info, "Plan").with_body(body);
            Event::of(What::Remark(notice))
        }
        _ => Event::hidden("events that accompany others"),
    }
}

fn failure(object: &Object<'_>) -> What {
    let inner = object.object("error").unwrap_or_default();
    let message = object
        .words("message")
        .or_else(|| message_of(object.get("error")));
    let code = object.get("codex_error_info").or_else(|| inner.get("kind"));
    What::Failed {
        message: message.unwrap_or_else(|| "An error without words".to_owned()),
        code: code.map(word),
    }
}

/// A word, or the key of an object that says more.
fn word(value: Json<'_>) -> String {
    if let Some(word) = text(value) {
        return word.into_owned();
    }
    let object = Object::of(value).unwrap_or_default();
    let key = object.entries().next().map(|(key, _)| key.to_owned());
    key.unwrap_or_else(|| value.get().to_owned())
}

/// What an error says: a string, or an object with a message.
pub(super) fn message_of(value: Option<Json<'_>>) -> Option<String> {
    let value = value?;
    let words = text(value).map(|words| words.into_owned());
    words.or_else(|| Object::of(value)?.words("message"))
}

fn review_begun(object: &Object<'_>) -> Notice {
    let target = object.object("target").unwrap_or_default();
    let names = ["branch", "sha", "title"];
    let hint = object
        .words("user_facing_hint")
        .or_else(|| names.iter().find_map(|name| target.words(name)))
        .or_else(|| Some(target.words("type")?.to_lowercase()));
    let title = match hint {
        Some(hint) => format!("Review of {hint}"),
        None => "Review".to_owned(),
    };
    let told = object
        .words("prompt")
        .or_else(|| target.words("instructions"));
    Notice::new(NoticeKind::Info, crate::figures::one_line(&title, 120))
        .with_body(Body::Prose(told.unwrap_or_default()))
}

/// What a review came to, as Markdown.
fn review_done(object: &Object<'_>) -> Notice {
    let Some(output) = object.object("review_output") else {
        return Notice::new(NoticeKind::Info, "Review ended");
    };
    let mut words = Vec::new();
    words.extend(
        output
            .words("overall_correctness")
            .map(|w| format!("**{w}**")),
    );
    words.extend(output.words("overall_explanation"));
    let findings = output.items("findings");
    for finding in findings.iter().filter_map(|finding| Object::of(*finding)) {
        let place = finding.object("code_location").unwrap_or_default();
        let lines = place.object("line_range").unwrap_or_default();
        let path = place.string("absolute_file_path");
        let place = match (lines.count("start"), lines.count("end")) {
            (Some(from), Some(to)) => format!("`{path}:{from}-{to}`"),
            _ => format!("`{path}`"),
        };
        words.push(format!(
            "### {}\n\n{place}\n\n{}",
            finding.string("title"),
            finding.string("body")
        ));
    }
    let count = crate::figures::counted(findings.len() as u64, "finding", "findings");
    let title = format!("Review ended with {count}");
    Notice::new(NoticeKind::Info, title).with_body(Body::Prose(words.join("\n\n")))
}

fn goal(object: &Object<'_>) -> Notice {
    let goal = object.object("goal").unwrap_or_default();
    let status = goal.words("status").map(|status| format!(" ({status})"));
    let words = format!(
        "Goal{}: {}",
        status.unwrap_or_default(),
        goal.string("objective")
    );
    wrappers::in_a_line(NoticeKind::Info, &words)
}

/// A duration as Rust's clock is written: seconds and nanoseconds; or a text such as `1.5s`.
pub(super) fn duration(value: Option<Json<'_>>) -> Option<u64> {
    let object = Object::of(value?)?;
    let ms = object.count("secs")?.checked_mul(1_000)?;
    let ms = ms.checked_add(object.count("nanos").unwrap_or_default() / 1_000_000)?;
    (1..=366 * 86_400_000).contains(&ms).then_some(ms)
}

/// Facts that are an exit code alone.
pub(super) fn with_exit_code(object: &Object<'_>) -> Details {
    Details {
        exit_code: object
            .get("exit_code")
            .and_then(|code| code.get().parse().ok()),
        ..Details::default()
    }
}
