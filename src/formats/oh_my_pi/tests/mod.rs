//! What oh-my-pi's files are known by, which belong together, and where they are.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::OhMyPi;
use crate::formats::{Format, Grouped, Head, Machine, Reading, group};
use crate::model::{Entry, ImageData, Part, ToolCall};
use crate::source::File;

const SESSION: &str = "sessions/-w/2026-01-02T03-04-05-000Z_0199aa";
const HASH: &str = "577bc6c2ed151653e305dffdf14e8d3024b92d64f6350d3e46d20779270cfd51";

fn file(name: &str, text: &str) -> (File, Head) {
    let file = File::in_memory(name.into(), name.into(), text.into());
    let head = Head::of(&file).expect("memory can be read");
    (file, head)
}

fn lines(records: &[Value]) -> String {
    records.iter().map(|record| format!("{record}\n")).collect()
}

fn header() -> Value {
    json!({"type": "session", "version": 3, "id": "s1", "timestamp": "2026-01-02T03:04:05Z",
        "cwd": "/w", "title": "Of the header", "titleSource": "auto"})
}

fn message(message: Value) -> Value {
    json!({"type": "message", "timestamp": "2026-01-02T03:04:05Z", "message": message})
}

fn said(content: Value) -> Value {
    message(json!({"role": "user", "content": content}))
}

/// Reads the first source of these files.
fn read(files: &[(&str, String)]) -> (Reading, Grouped) {
    let found = files.iter().map(|(name, text)| file(name, text));
    let grouped = group(found.collect(), None);
    let (source, format) = &grouped.sources[0];
    assert_eq!(format.name(), "oh_my_pi");
    (format.read(source), grouped)
}

fn calls(reading: &Reading) -> Vec<&ToolCall> {
    let conversation = reading
        .conversation
        .as_ref()
        .expect("there is a conversation");
    let parts = conversation.entries.iter().flat_map(|entry| match entry {
        Entry::Reply(reply) => &reply.parts[..],
        _ => &[],
    });
    let calls = parts.filter_map(|part| match part {
        Part::Tool(call) => Some(call.as_ref()),
        _ => None,
    });
    calls.collect()
}

#[test]
fn the_title_slot_is_the_title() {
    let slot =
        json!({"type": "title", "v": 1, "title": "Of the slot", "updatedAt": "t", "pad": "  "});
    let change = json!({"type": "title_change", "title": "Of a change", "source": "auto"});
    let title = |records: &[Value]| {
        let name = format!("{SESSION}.jsonl");
        let (reading, _) = read(&[(&name, lines(records))]);
        reading
            .conversation
            .and_then(|conversation| conversation.title)
    };
    let hello = said(json!("hello"));
    assert_eq!(
        title(&[slot, header(), hello.clone(), change.clone()]).as_deref(),
        Some("Of the slot")
    );
    assert_eq!(
        title(&[header(), hello.clone(), change]).as_deref(),
        Some("Of a change")
    );
    assert_eq!(title(&[header(), hello]).as_deref(), Some("Of the header"));
}

#[test]
fn pis_own_files_are_pis() {
    let header =
        json!({"type": "session", "id": "x", "timestamp": "2026-01-02T03:04:05Z", "cwd": "/w"});
    let (_, head) = file("a.jsonl", &lines(&[header, said(json!("x"))]));
    assert!(!OhMyPi.recognises(&head));
    let mark = json!({"type": "model_change", "timestamp": "2026-01-02T03:04:05Z", "model": "p/m"});
    let (_, head) = file("a.jsonl", &format!("{{\"broken\n{}", lines(&[mark])));
    assert!(OhMyPi.recognises(&head));
}

#[test]
fn pictures_come_from_the_folder_of_blobs() {
    let picture = |hash: &str| json!({"type": "image", "data": format!("blob:sha256:{hash}"), "mimeType": "image/png"});
    let gone = "0".repeat(64);
    let records = [header(), said(json!([picture(HASH), picture(&gone)]))];
    let name = format!("{SESSION}.jsonl");
    let blob = format!("blobs/{HASH}");
    let (reading, grouped) = read(&[(&name, lines(&records)), (&blob, "bytes".to_owned())]);
    assert!(grouped.unknown.is_empty());
    let conversation = reading.conversation.expect("there is a conversation");
    let Entry::Prompt(prompt) = &conversation.entries[0] else {
        panic!("it is a prompt");
    };
    let data: Vec<&ImageData> = prompt
        .parts
        .iter()
        .map(|part| match part {
            Part::Image(image) => &image.data,
            part => panic!("{part:?}"),
        })
        .collect();
    assert_eq!(data[0], &ImageData::Bytes(b"bytes".to_vec()));
    let missing = ImageData::Missing("blob 000000000000 was not saved with the session".into());
    assert_eq!(data[1], &missing);
    assert_eq!(reading.problems.len(), 1);
}

#[test]
fn blobs_of_nobody_are_unknown_files() {
    let (file, head) = file(&format!("blobs/{HASH}"), "bytes");
    assert_eq!(group(vec![(file, head)], None).unknown.len(), 1);
}

/// A session whose call started these agents.
fn with_agents(ids: &[&str]) -> String {
    let results: Vec<Value> = ids
        .iter()
        .map(|id| json!({"id": id, "agent": "scout", "description": format!("Of {id}"), "exitCode": 0}))
        .collect();
    lines(&[
        header(),
        said(json!("go")),
        message(json!({"role": "assistant", "stopReason": "toolUse",
            "content": [{"type": "toolCall", "id": "c1", "name": "task", "arguments": {"tasks": []}}]})),
        message(
            json!({"role": "toolResult", "toolCallId": "c1", "toolName": "task", "isError": false,
            "content": [{"type": "text", "text": "done"}], "details": {"results": results}}),
        ),
    ])
}

fn agent(task: &str) -> String {
    let init = json!({"type": "session_init", "timestamp": "2026-01-02T03:04:06Z",
        "systemPrompt": "", "task": task, "tools": [], "agent": "scout"});
    let answer = json!({"role": "assistant", "content": [{"type": "text", "text": "found"}], "stopReason": "stop"});
    lines(&[header(), init, said(json!(task)), message(answer)])
}

#[test]
fn a_subagents_session_stands_in_the_call_that_started_it() {
    let (main, one) = (format!("{SESSION}.jsonl"), format!("{SESSION}/Alpha.jsonl"));
    let (reading, grouped) = read(&[(&main, with_agents(&["Alpha"])), (&one, agent("Look."))]);
    assert_eq!(grouped.sources.len(), 1);
    let child = calls(&reading)[0].child.as_ref().expect("it has a child");
    assert_eq!(child.id, "Alpha");
    let agent = child.agent.as_ref().expect("it is an agent");
    assert_eq!(
        (agent.kind.as_str(), agent.description.as_deref()),
        ("scout", Some("Of Alpha"))
    );
    // Its task is the call's, and is not shown twice.
    assert!(
        matches!(child.entries[..], [Entry::Reply(_)]),
        "{:?}",
        child.entries
    );
}

#[test]
fn several_agents_of_one_call_stand_together() {
    let names = ["Alpha", "Beta", "Stray"].map(|id| format!("{SESSION}/{id}.jsonl"));
    let main = format!("{SESSION}.jsonl");
    let mut files = vec![(main.as_str(), with_agents(&["Alpha", "Beta"]))];
    files.extend(names.iter().map(|name| (name.as_str(), agent("Look."))));
    let (reading, _) = read(&files);
    let group = calls(&reading)[0].child.as_ref().expect("it has children");
    let ids: Vec<&str> = group
        .children
        .iter()
        .map(|child| child.id.as_str())
        .collect();
    assert_eq!(ids, ["Alpha", "Beta"]);
    let conversation = reading
        .conversation
        .as_ref()
        .expect("there is a conversation");
    assert_eq!(conversation.children[0].id, "Stray");
    assert_eq!(crate::model::Facts::of(conversation).agents, 3);
}

#[test]
fn last_words_of_an_agent_without_a_session_stand_in_its_call() {
    let session = with_agents(&["Alpha", "Beta"]);
    let session = session.replace(
        r#""id":"Beta""#,
        r#""id":"Beta","output":"The reef is dry.","error":"ran aground""#,
    );
    let main = format!("{SESSION}.jsonl");
    let (reading, _) = read(&[(&main, session)]);
    let child = calls(&reading)[0].child.as_ref().expect("it has a child");
    assert_eq!(child.id, "Beta");
    let [Entry::Reply(reply)] = &child.entries[..] else {
        panic!("{:?}", child.entries);
    };
    assert_eq!(reply.parts, [Part::Text("The reef is dry.".into())]);
    assert_eq!(reply.error.as_deref(), Some("ran aground"));
}

#[test]
fn agents_of_agents_nest() {
    let main = format!("{SESSION}.jsonl");
    let (one, two) = (
        format!("{SESSION}/Alpha.jsonl"),
        format!("{SESSION}/Alpha/Beta.jsonl"),
    );
    let files = [
        (main.as_str(), with_agents(&["Alpha"])),
        (one.as_str(), with_agents(&["Beta"])),
        (two.as_str(), agent("Look.")),
    ];
    let (reading, grouped) = read(&files);
    assert_eq!(grouped.sources.len(), 1);
    let child = calls(&reading)[0].child.as_ref().expect("it has a child");
    let inner = child.entries.iter().find_map(|entry| match entry {
        Entry::Reply(reply) => reply.parts.iter().find_map(|part| match part {
            Part::Tool(call) => call.child.as_ref(),
            _ => None,
        }),
        _ => None,
    });
    assert_eq!(inner.map(|inner| inner.id.as_str()), Some("Beta"));
}

#[test]
fn a_lone_agents_file_is_a_conversation() {
    let name = format!("{SESSION}/Alpha.jsonl");
    let (reading, _) = read(&[(&name, agent("Look for the light."))]);
    let conversation = reading.conversation.expect("there is a conversation");
    assert!(conversation.agent.is_some());
    assert_eq!(conversation.id, "s1");
}

#[test]
fn a_long_output_comes_from_the_sessions_folder() {
    let records = lines(&[
        header(),
        message(
            json!({"role": "assistant", "content": [{"type": "toolCall", "id": "c1", "name": "bash", "arguments": {}}]}),
        ),
        message(
            json!({"role": "toolResult", "toolCallId": "c1", "toolName": "bash", "isError": false,
            "content": [{"type": "text", "text": "end"}], "details": {"meta": {"truncation": {"artifactId": "7"}}}}),
        ),
    ]);
    let (main, log) = (format!("{SESSION}.jsonl"), format!("{SESSION}/7.bash.log"));
    let (reading, _) = read(&[(&main, records), (&log, "the whole".to_owned())]);
    let result = calls(&reading)[0].result.as_ref().expect("it has a result");
    let full = result.full_output.as_ref().expect("it is there");
    assert_eq!(full.text.as_deref(), Some("the whole"));
    assert!(
        result
            .details
            .as_ref()
            .is_some_and(|details| details.truncated)
    );
}

#[test]
fn entries_of_its_own_are_quiet() {
    let main = format!("{SESSION}.jsonl");
    let own = |kind: &str, more: Value| {
        let mut entry = json!({"type": kind, "timestamp": "2026-01-02T03:04:06Z"});
        entry
            .as_object_mut()
            .expect("an object")
            .extend(more.as_object().expect("an object").clone());
        entry
    };
    let records = [
        header(),
        own("model_change", json!({"model": "p/m1", "role": "default"})),
        own("model_change", json!({"model": "p/tiny", "role": "smol"})),
        said(json!("hello")),
        own("mode_change", json!({"mode": "plan"})),
        own("service_tier_change", json!({"serviceTier": null})),
        own("credential_pin", json!({"provider": "p", "hash": "h"})),
        own("reset_boundary", json!({})),
        message(json!({"role": "developer", "content": "Go on."})),
        message(json!({"role": "user", "synthetic": true, "content": "Continue."})),
    ];
    let (reading, _) = read(&[(&main, lines(&records))]);
    let conversation = reading.conversation.expect("there is a conversation");
    let titles: Vec<&str> = conversation
        .entries
        .iter()
        .filter_map(|entry| match entry {
            Entry::Notice(notice) => Some(notice.title.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(
        titles,
        [
            "Mode: plan",
            "The context was cleared",
            "Go on.",
            "Continue."
        ]
    );
    assert_eq!(conversation.unshown.values().sum::<u64>(), 3);
}

#[test]
fn variables_and_profiles_move_the_sessions() {
    let places = |variable: fn(&str) -> Option<std::ffi::OsString>| {
        let home = Some(PathBuf::from("/home/robin"));
        OhMyPi.places(&Machine { home, variable })
    };
    let usual = places(|_| None);
    let paths = [
        "/home/robin/.omp/agent/sessions",
        "/home/robin/.omp/agent/blobs",
    ];
    assert_eq!(usual, paths.map(PathBuf::from));
    let moved = places(|name| (name == "PI_CODING_AGENT_DIR").then(|| "/data/a".into()));
    assert_eq!(moved[0], PathBuf::from("/data/a/sessions"));
    let profile = places(|name| (name == "OMP_PROFILE").then(|| "dusk".into()));
    assert_eq!(
        profile[0],
        PathBuf::from("/home/robin/.omp/profiles/dusk/agent/sessions")
    );
    let data = places(|name| (name == "XDG_DATA_HOME").then(|| "/data".into()));
    assert_eq!(data[2], PathBuf::from("/data/omp/sessions"));
}
