//! `session_index.jsonl`, in which Codex keeps the names that sessions were given: a line for each
//! naming (`id`, `thread_name`, `updated_at`), and the last one of a session holds.
//! Source: `codex-rs/rollout/src/session_index.rs` of openai/codex.

use crate::formats::problems::Problems;
use crate::formats::records::{Object, each_record};
use crate::source::Source;

/// What the index is called; it is beside the folders of the sessions.
pub(super) const INDEX: &str = "session_index.jsonl";

/// The name that the index has for a session.
pub(super) fn name_of(session: &str, source: &Source) -> Option<String> {
    let mut name = None;
    // The oldest sessions have no id, and no name.
    if session.is_empty() {
        return None;
    }
    for index in source.shared_files.starting_with(INDEX) {
        // It only helps: what is wrong with it loses nothing of the conversation.
        let mut problems = Problems::of(index);
        each_record(index, &mut problems, &mut |record, _| {
            // Most lines are other sessions'; they need not be parsed.
            if record.json.contains(session) {
                let entry = Object::parse(record.json)?;
                if entry.string("id") == session {
                    name = entry.words("thread_name").or(name.take());
                }
            }
            Ok(())
        });
    }
    name
}
