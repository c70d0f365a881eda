//! Sessions that belong together: agents, forks.

use serde_json::json;

use super::*;

const ROOT: &str = "019df209-77c0-7001-8000-000000000001";
const CHILD: &str = "019df20b-c1b0-7002-8000-000000000002";
const FORK: &str = "019df252-b5c0-7003-8000-000000000003";

fn meta(id: &str) -> Value {
    json!({"id": id, "timestamp": "2026-05-04T08:10:00Z", "cwd": "/w", "source": "cli"})
}

fn root() -> Vec<Value> {
    vec![
        at(0, "session_meta", meta(ROOT)),
        user("look around"),
        call("s", "spawn_agent", json!({"message": "look in the attic"})),
        output("s", json!(json!({"agent_id": CHILD}).to_string())),
        assistant("it looks"),
    ]
}

fn child(source: Value) -> Vec<Value> {
    let mut own = meta(CHILD);
    own["source"] = source;
    vec![
        at(0, "session_meta", own),
        user("look in the attic"),
        assistant("dust"),
    ]
}

#[test]
fn an_agents_session_stands_in_the_call_that_started_it() {
    let spawned = json!({"subagent": {"thread_spawn": {"parent_thread_id": ROOT, "depth": 1, "agent_nickname": "Tern", "agent_role": "explorer"}}});
    let sources = sources(&[
        ("2026/05/05/a.jsonl", child(spawned)),
        ("2026/05/04/b.jsonl", root()),
    ]);
    assert_eq!(sources.len(), 1);
    let conversation = Codex.read(&sources[0]).conversation.expect("it is there");
    let agent = calls(&conversation)[0].child.as_ref().expect("it has one");
    assert_eq!(
        agent
            .agent
            .as_ref()
            .map(|a| (a.kind.as_str(), a.description.as_deref())),
        Some(("explorer", Some("Tern")))
    );
    // The card shows the task.
    assert_eq!(
        (prompts(agent).len(), texts(&replies(agent)[0].parts)),
        (0, vec!["dust"])
    );
}

#[test]
fn an_agent_without_its_parent_stands_alone() {
    let spawned = json!({"subagent": {"thread_spawn": {"parent_thread_id": ROOT, "depth": 1}}});
    let sources = sources(&[("a.jsonl", child(spawned))]);
    let conversation = Codex.read(&sources[0]).conversation.expect("it is there");
    assert_eq!(prompts(&conversation).len(), 1);
    let review = self::sources(&[("a.jsonl", child(json!({"subagent": "review"})))]);
    let conversation = Codex.read(&review[0]).conversation.expect("it is there");
    assert_eq!(
        conversation.agent.map(|agent| agent.kind).as_deref(),
        Some("review")
    );
}

/// A fork: its own record, that of the other session, its history at one moment, and more.
fn fork(says_so: bool) -> Vec<Value> {
    let mut own = meta(FORK);
    if says_so {
        own["forked_from_id"] = json!(ROOT);
    }
    let mut lines = vec![at(0, "session_meta", own)];
    let history = root().into_iter().map(|mut line| {
        line["timestamp"] = json!("2026-03-01T10:00:00.010Z");
        line
    });
    lines.extend(history);
    let later = [user("and the cellar"), assistant("mould")].map(|mut line| {
        line["timestamp"] = json!("2026-03-01T10:00:30.000Z");
        line
    });
    lines.extend(later);
    lines
}

#[test]
fn a_forks_history_is_not_shown_again_beside_the_other_session() {
    for says_so in [true, false] {
        let sources = sources(&[("a.jsonl", root()), ("b.jsonl", fork(says_so))]);
        assert_eq!(
            sources[1].origin.as_ref().map(|file| file.name.as_str()),
            Some("a.jsonl")
        );
        let conversation = Codex.read(&sources[1]).conversation.expect("it is there");
        assert_eq!(prompts(&conversation).len(), 1);
        let title = titles(&conversation)[0].to_owned();
        assert_eq!(
            title,
            format!("Begun from session {ROOT}, with 1 prompt of it, which is shown there")
        );
        assert_eq!(conversation.id, FORK);
    }
}

#[test]
fn events_behind_the_history_are_the_other_sessions_too() {
    let failed = event(json!({"type": "error", "message": "the line was cut"}));
    let mut parent = root();
    parent.push(failed.clone());
    let mut own = meta(FORK);
    own["forked_from_id"] = json!(ROOT);
    let mut fork = vec![at(0, "session_meta", own)];
    fork.extend(parent.clone());
    fork.extend([
        event(json!({"type": "task_started"})),
        user("look again"),
        assistant("nothing"),
    ]);
    let sources = sources(&[("a.jsonl", parent), ("b.jsonl", fork)]);
    let conversation = Codex.read(&sources[1]).conversation.expect("it is there");
    let replies = replies(&conversation);
    assert_eq!(replies.len(), 1);
    assert_eq!(replies[0].error, None);
}

#[test]
fn a_forks_history_is_marked_where_the_other_session_is_not_there() {
    let sources = sources(&[("b.jsonl", fork(true))]);
    let conversation = Codex.read(&sources[0]).conversation.expect("it is there");
    assert_eq!(prompts(&conversation).len(), 2);
    assert_eq!(
        titles(&conversation),
        [
            format!("Begun from session {ROOT}, whose history follows"),
            "What follows is new".to_owned()
        ]
    );
    let Entry::Notice(end) = &conversation.entries[3] else {
        panic!("the mark stands before the new prompt");
    };
    assert_eq!(end.title, "What follows is new");
}

#[test]
fn the_history_of_a_fork_ends_where_its_turns_begin_after_it() {
    let turn = |id: &str| event(json!({"type": "task_started", "turn_id": id}));
    let mut own = meta(FORK);
    own["forked_from_id"] = json!(ROOT);
    let conversation = read(&[
        at(0, "session_meta", own),
        turn(ROOT),
        user("a"),
        assistant("b"),
        user("c"),
        turn("019df252-c000-7000-8000-000000000001"),
        assistant("d"),
    ]);
    let at = conversation.entries.iter().position(
        |entry| matches!(entry, Entry::Notice(notice) if notice.title == "What follows is new"),
    );
    assert_eq!(at, Some(3));
}

#[test]
fn the_last_name_in_the_index_is_the_title() {
    let naming = |id: &str, name: &str| json!({"id": id, "thread_name": name, "updated_at": "2026-05-04T09:00:00Z"});
    let index = vec![
        naming(ROOT, "First name"),
        naming(ROOT, "Attic survey"),
        naming(FORK, "Not this one"),
        json!({"id": ROOT}),
    ];
    let sources = sources(&[
        ("sessions/2026/05/04/b.jsonl", root()),
        ("session_index.jsonl", index),
    ]);
    let conversation = Codex.read(&sources[0]).conversation.expect("it is there");
    assert_eq!(conversation.title.as_deref(), Some("Attic survey"));
}
