//! What a session says of itself: where it was, who wrote it, what it was begun from.

use crate::formats::records::{Object, text};
use crate::formats::times;
use crate::model::Agent;

/// A session's own record.
#[derive(Clone, Debug, Default)]
pub(super) struct Meta {
    /// Its id.
    pub(super) id: String,
    /// The folder of the work.
    pub(super) project: Option<String>,
    /// The branch.
    pub(super) branch: Option<String>,
    /// The program's version.
    pub(super) version: Option<String>,
    /// The session whose history it repeats.
    pub(super) forked_from: Option<String>,
    /// What is known of it when it is another session's agent.
    pub(super) agent: Option<Agent>,
    /// Instructions that the person gave for all sessions.
    pub(super) instructions: Option<String>,
    /// Whether the program's own prompt is in it, thousands of words that are the same in every
    /// session.
    pub(super) has_system_prompt: bool,
    /// When it was begun, in milliseconds since 1970.
    pub(super) made: Option<i64>,
}

impl Meta {
    /// Reads the record.
    pub(super) fn of(object: &Object<'_>) -> Self {
        let git = object.object("git").unwrap_or_default();
        let id = object.string("id");
        let written = object.get("timestamp").map_or(Ok(None), times::read);
        let written = written.ok().flatten().map(|time| time.as_millisecond());
        Meta {
            project: object.words("cwd"),
            branch: git.words("branch"),
            version: object.words("cli_version"),
            forked_from: object.words("forked_from_id"),
            agent: agent(object),
            instructions: object.words("instructions"),
            has_system_prompt: object.object("base_instructions").is_some(),
            made: moment_of(&id).or(written),
            id,
        }
    }
}

fn agent(object: &Object<'_>) -> Option<Agent> {
    let source = object.object("source").unwrap_or_default();
    let value = source.get("subagent")?;
    let inner = Object::of(value).unwrap_or_default();
    let spawned = inner.object("thread_spawn").unwrap_or_default();
    let first = |key: &str| object.words(key).or_else(|| spawned.words(key));
    let kind = first("agent_role")
        .or_else(|| text(value).map(Into::into))
        .or_else(|| inner.words("other"));
    Some(Agent {
        kind: kind.unwrap_or_default(),
        description: first("agent_nickname"),
    })
}

/// The moment, in milliseconds since 1970, that a time-ordered UUID holds.
pub(super) fn moment_of(id: &str) -> Option<i64> {
    let bare = id.replace('-', "");
    let is_ordered = bare.len() == 32 && bare.as_bytes().get(12) == Some(&b'7');
    is_ordered.then(|| i64::from_str_radix(bare.get(..12)?, 16).ok())?
}
