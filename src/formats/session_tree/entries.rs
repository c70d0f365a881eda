//! Entries by their kinds: what each says.

use crate::figures::{count, one_line};
use crate::formats::problems::Problems;
use crate::formats::records::{Object, text};
use crate::model::{Body, Notice, NoticeKind, Timestamp};

use super::messages;
use super::row::{Kept, What};
use super::transcript::Transcript;

/// What the record at the beginning of a subagent's session says.
#[derive(Debug, Default)]
pub(super) struct Init {
    /// The kind of agent; empty when it is not said.
    pub(super) kind: String,
    /// What it was asked to do.
    pub(super) task: String,
}

/// Entries that are for the program alone, with the words for them.
const FOR_THE_PROGRAM: [(&str, &str); 4] = [
    ("custom", "state of extensions"),
    ("model_usage", "model calls outside of the conversation"),
    ("service_tier_change", "service tiers"),
    ("credential_pin", "accounts"),
];

/// Reads an entry.
pub(super) fn read(
    transcript: &mut Transcript<'_>,
    kind: &str,
    object: &Object<'_>,
    time: Option<Timestamp>,
    line: u64,
    problems: &mut Problems,
) -> What {
    match kind {
        "message" => {
            let Some(message) = object.object("message") else {
                problems.warn(line, "a message is not as expected");
                let title = "A message that is not as expected";
                let json = object.get("message").map_or("", |value| value.get());
                let notice = Notice::new(NoticeKind::Unknown, title);
                return What::Remark(notice.with_body(Body::Data(json.to_owned())));
            };
            return messages::read(transcript, &message, line, problems);
        }
        "custom_message" => return messages::custom(transcript, object, line, problems),
        "model_change" => return model(transcript, object),
        "thinking_level_change" => {
            let level = object.words("configured");
            let level = level.or_else(|| object.words("thinkingLevel"));
            return What::Level(level.unwrap_or_else(|| "off".to_owned()));
        }
        "compaction" => return compaction(object, time),
        "branch_summary" => {
            let title = "Summary of the branch that was left";
            return What::Remark(prose(NoticeKind::Context, title, object.string("summary")));
        }
        "reset_boundary" => {
            let title = "The context was cleared";
            return What::Divider(Notice::new(NoticeKind::Command, title), Kept::Unknown);
        }
        "mode_change" => return What::Remark(mode(object)),
        "ttsr_injection" => {
            let rules = object.items("injectedRules").into_iter().filter_map(text);
            let rules = rules.collect::<Vec<_>>().join(", ");
            let title = format!("Rules put in: {}", one_line(&rules, 120));
            return What::Remark(Notice::new(NoticeKind::Reminder, title));
        }
        "session_init" => return init(transcript, object),
        "session_info" => {
            // An empty name takes the title away.
            transcript.titles[2] = object.words("name");
            return What::Hidden;
        }
        "title" => {
            transcript.titles[0] = object.words("title");
            return What::Hidden;
        }
        "title_change" => {
            transcript.titles[2] = object.words("title");
            return What::Hidden;
        }
        "label" => {
            label(transcript, object);
            return What::Hidden;
        }
        "model_usage" => messages::add_cost(transcript, object),
        _ => {}
    }
    match FOR_THE_PROGRAM.iter().find(|(known, _)| *known == kind) {
        Some((_, words)) => transcript.hide(words),
        None => transcript.unknown(kind),
    }
    What::Hidden
}

/// A label is shown on what it was put on; without words it is taken off again.
fn label(transcript: &mut Transcript<'_>, object: &Object<'_>) {
    let target = object.string("targetId");
    match object.words("label") {
        Some(label) => transcript.labels.insert(target, label),
        None => transcript.labels.remove(&target),
    };
}

/// Another model. One that was chosen for some side task says nothing of the conversation.
fn model(transcript: &mut Transcript<'_>, object: &Object<'_>) -> What {
    let role = object.words("role");
    if role.is_some_and(|role| !matches!(role.as_str(), "default" | "fallback")) {
        transcript.hide("models of other roles");
        return What::Hidden;
    }
    // Either the two stand apart, or as `provider/model`, where the model may have slashes too.
    let model = object.words("modelId").or_else(|| {
        let both = object.words("model")?;
        let model = both.split_once('/').map(|(_, model)| model.to_owned());
        Some(model.unwrap_or(both))
    });
    model.map_or(What::Hidden, What::Model)
}

/// The summary of earlier messages stands where it was made: the messages are still there.
fn compaction(object: &Object<'_>, time: Option<Timestamp>) -> What {
    let mut said = Vec::new();
    let tokens = |key| object.count(key).filter(|tokens| *tokens > 0);
    if let Some(before) = tokens("tokensBefore") {
        said.push(format!("{} tokens before", count(before)));
    }
    if let Some(after) = tokens("tokensAfter") {
        said.push(format!("{} after", count(after)));
    }
    if object.flag("fromHook") || object.flag("fromExtension") {
        said.push("by an extension".to_owned());
    }
    let mut title = "Earlier messages were summarised".to_owned();
    if !said.is_empty() {
        title = format!("{title} ({})", said.join(", "));
    }
    let mut words = object.string("summary");
    for (key, head) in [("shortSummary", "In short"), ("warning", "Warning")] {
        if let Some(more) = object.words(key).filter(|more| !words.contains(more)) {
            words = format!("**{head}:** {more}\n\n{words}");
        }
    }
    let kept = match (
        object.words("firstKeptEntryId"),
        object.count("firstKeptEntryIndex"),
    ) {
        (Some(id), _) => Kept::Id(id),
        // The header's own index means that nothing is said.
        (None, Some(index)) if index > 0 => Kept::Index(index),
        _ => Kept::Unknown,
    };
    What::Divider(prose(NoticeKind::Compaction, &title, words).at(time), kept)
}

fn mode(object: &Object<'_>) -> Notice {
    let title = match object.words("mode").as_deref() {
        None | Some("none") => "Back in the usual mode".to_owned(),
        Some(mode) => format!("Mode: {}", one_line(mode, 60)),
    };
    let notice = Notice::new(NoticeKind::Info, title);
    match object.get("data").filter(|data| data.get() != "{}") {
        Some(data) => notice.with_body(Body::Data(data.get().to_owned())),
        None => notice,
    }
}

/// The beginning of a subagent's session.
fn init(transcript: &mut Transcript<'_>, object: &Object<'_>) -> What {
    transcript.agent = Some(Init {
        kind: object.string("agent"),
        task: object.string("task"),
    });
    let instructions = object.string("systemPrompt");
    if instructions.trim().is_empty() {
        return What::Hidden;
    }
    let title = "Instructions of the agent";
    What::Remark(prose(NoticeKind::Context, title, instructions))
}

/// A notice with Markdown folded under it.
pub(super) fn prose(kind: NoticeKind, title: &str, words: String) -> Notice {
    Notice::new(kind, title).with_body(Body::Prose(words))
}
