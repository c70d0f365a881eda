//! What pi's files are known by, and where they are.

use std::path::PathBuf;

use serde_json::json;

use super::Pi;
use crate::formats::{Format, Head, Machine};
use crate::source::File;

fn head(text: &str) -> Head {
    let file = File::in_memory("s.jsonl".into(), "s.jsonl".into(), text.into());
    Head::of(&file).expect("memory can be read")
}

#[test]
fn sessions_are_known_by_their_header_and_without_it_by_their_entries() {
    let header =
        json!({"type": "session", "id": "x", "timestamp": "2026-01-02T03:04:05Z", "cwd": "/w"});
    let message = json!({"type": "message", "id": "a", "parentId": null,
        "timestamp": "2026-01-02T03:04:05Z", "message": {"role": "user", "content": "x"}});
    assert!(Pi.recognises(&head(&format!("{header}\n{message}\n"))));
    assert!(Pi.recognises(&head(&format!(
        "{{\"type\":\"session\",\n{message}\n{message}\n"
    ))));
    assert!(Pi.recognises(&head(&format!("{message}\n"))));
}

#[test]
fn files_of_others_are_left_alone() {
    for other in [
        json!({"type": "session", "session": {"id": "x"}}),
        json!({"type": "session.start", "data": {}, "id": "x", "timestamp": "t"}),
        json!({"type": "message", "role": "user", "content": [], "timestamp": "t"}),
        json!({"type": "message", "uuid": "u", "timestamp": "t", "message": {"role": "user"}}),
        json!({"type": "user", "sessionId": "s", "timestamp": "t", "message": {"role": "user"}}),
        json!({"type": "message", "message": {"role": "user", "content": "no envelope"}}),
    ] {
        assert!(!Pi.recognises(&head(&format!("{other}\n"))), "{other}");
    }
}

#[test]
fn variables_move_the_sessions() {
    let places = |variable: fn(&str) -> Option<std::ffi::OsString>| {
        let home = Some(PathBuf::from("/home/robin"));
        Pi.places(&Machine { home, variable })
    };
    let usual = places(|_| None);
    assert_eq!(usual[0], PathBuf::from("/home/robin/.pi/agent/sessions"));
    assert_eq!(
        usual[1],
        PathBuf::from("/home/robin/.openclaw/agents/main/sessions")
    );
    let moved = places(|name| (name == "PI_CODING_AGENT_DIR").then(|| "/data/pi".into()));
    assert_eq!(moved[0], PathBuf::from("/data/pi/sessions"));
    let own = places(|name| (name == "PI_CODING_AGENT_SESSION_DIR").then(|| "/data/s".into()));
    assert_eq!(own[0], PathBuf::from("/data/s"));
}
