//! The ways in which a session is kept: exports, events, printed lines, folders, databases.

use super::*;
use crate::formats::apart;
use crate::model::ReplyStatus;
use crate::source::At;

fn event(kind: &str, properties: Value) -> String {
    json!({"type": kind, "properties": properties}).to_string()
}

/// The events of a message and its parts.
fn events_of(message: &Value) -> Vec<String> {
    let mut events = vec![event("message.updated", json!({"info": message["info"]}))];
    let parts = message["parts"].as_array().expect("they are a list").iter();
    events.extend(parts.map(|part| event("message.part.updated", json!({"part": part}))));
    events
}

fn lines(events: &[String]) -> Conversation {
    let reading = read_file(file("x.jsonl", &format!("{}\n", events.join("\n"))));
    assert_eq!(problems(&reading), [""; 0]);
    reading.conversation.expect("there is a conversation")
}

#[test]
fn of_the_states_of_a_part_the_last_counts() {
    let running = tool(
        "bash",
        json!({"status": "running", "input": {"command": "ls"}}),
    );
    let done = done("bash", json!({"command": "ls"}), "a", json!({"exit": 0}));
    let mut events = vec![event(
        "session.created",
        json!({"info": session(json!({}))}),
    )];
    events.extend(events_of(&said(0, "go")));
    events.extend(events_of(&wrote(1, json!([running]))));
    events.extend(events_of(&wrote(1, json!([done]))));
    let conversation = lines(&events);
    assert_eq!(
        outline(&conversation)[2..],
        ["reply Complete", "  call bash Some(\"a\")"]
    );
    assert_eq!(conversation.title.as_deref(), Some("Kites"));
}

#[test]
fn words_come_bit_by_bit() {
    let mut events = events_of(&message(
        1,
        "assistant",
        json!({"finish": null, "time": {"created": 1_772_701_201_000_u64}}),
        json!([{"type": "step-start"}, text("")]),
    ));
    for bit in ["one ", "two"] {
        let delta = json!({"sessionID": "ses_1", "messageID": "msg_0001", "partID": "prt_000101",
            "field": "text", "delta": bit});
        events.push(event("message.part.delta", delta));
    }
    let conversation = lines(&events);
    assert_eq!(outline(&conversation), ["reply Pending", "  text one two"]);
}

#[test]
fn what_was_taken_out_stands_apart_in_its_place() {
    let mut events = Vec::new();
    for message in [said(0, "a"), said(2, "b"), wrote(3, json!([text("B")]))] {
        events.extend(events_of(&message));
    }
    for id in ["msg_0002", "msg_0003"] {
        let gone = json!({"sessionID": "ses_1", "messageID": id});
        events.push(event("message.removed", gone));
    }
    events.extend(events_of(&said(5, "c")));
    assert_eq!(
        outline(&lines(&events)),
        [
            "prompt",
            "  text a",
            "version",
            "  prompt",
            "    text b",
            "  reply Complete",
            "    text B",
            "prompt",
            "  text c",
        ]
    );
}

#[test]
fn events_may_be_wrapped_or_a_list() {
    let events = events_of(&said(0, "a"));
    let wrapped: Vec<String> = events
        .iter()
        .map(|event| format!("{{\"timestamp\":1772701200000,\"event\":{event}}}"))
        .collect();
    assert_eq!(outline(&lines(&wrapped)), ["prompt", "  text a"]);
    let list = format!("[\n  {}\n]\n", events.join(",\n  "));
    let reading = read_file(file("x.json", &list));
    let conversation = reading.conversation.expect("there is one");
    assert_eq!(outline(&conversation), ["prompt", "  text a"]);
}

#[test]
fn several_sessions_in_a_file_are_told_apart() {
    let other = |message: Value| {
        let text = message
            .to_string()
            .replace("ses_1", "ses_2")
            .replace("msg_", "msg_x");
        serde_json::from_str::<Value>(&text).expect("it is JSON")
    };
    let mut events = events_of(&said(0, "a"));
    events.extend(events_of(&other(said(1, "b"))));
    let source = Source::single(file("x.jsonl", &events.join("\n")));
    let (parts, problem) = apart(source, &OpenCode);
    assert!(problem.is_none());
    let told: Vec<_> = parts
        .iter()
        .map(|part| {
            let conversation = OpenCode.read(part).conversation.expect("there is one");
            (conversation.id.clone(), outline(&conversation)[1].clone())
        })
        .collect();
    let expected = [("ses_1", "  text a"), ("ses_2", "  text b")];
    assert_eq!(
        told,
        expected.map(|(id, line)| (id.to_owned(), line.to_owned()))
    );
}

#[test]
fn printed_lines_are_the_models_alone() {
    let line = |kind: &str, part: Value| {
        json!({"type": kind, "timestamp": 1_772_701_201_000_u64, "sessionID": "ses_1", "part": part})
            .to_string()
    };
    let of = |id: &str, mut part: Value| {
        extend(
            &mut part,
            json!({"id": id, "messageID": "msg_1", "sessionID": "ses_1"}),
        );
        part
    };
    let records = [
        line("step_start", of("p1", json!({"type": "step-start"}))),
        line("text", of("p2", text("done"))),
        line(
            "step_finish",
            of(
                "p3",
                json!({"type": "step-finish", "reason": "stop", "cost": 0.5,
            "tokens": {"input": 3, "output": 1}}),
            ),
        ),
        json!({"type": "error", "timestamp": 1, "sessionID": "ses_1",
            "error": {"name": "UnknownError", "data": {"message": "no way"}}})
        .to_string(),
    ];
    let conversation = lines(&records);
    assert_eq!(
        outline(&conversation),
        ["reply Complete", "  text done", "  Error: no way"]
    );
    assert_eq!(conversation.cost_usd, Some(0.5));
    assert!(replies(&conversation)[0].start.is_some());
}

#[test]
fn a_broken_line_keeps_the_rest() {
    let mut events = vec!["{\"type\":\"message.updated\",".to_owned()];
    events.extend(events_of(&said(0, "a")));
    let reading = read_file(file("x.jsonl", &events.join("\n")));
    let conversation = reading.conversation.as_ref().expect("there is one");
    assert_eq!(
        outline(conversation),
        ["prompt", "  text a", "Unknown: Line 1 could not be read"]
    );
    assert_eq!(reading.problems.len(), 1);
}

#[test]
fn a_cut_export_keeps_what_was_read() {
    let whole = export(
        session(json!({})),
        &[said(0, "a"), wrote(1, json!([text("A")]))],
    );
    let whole = format!("{{\n{}", &whole[1..]);
    let cut = &whole[..whole.len() - 40];
    let reading = read_file(file("x.json", cut));
    let conversation = reading.conversation.as_ref().expect("there is one");
    let rest = "Unknown: The rest of the file could not be read";
    assert_eq!(outline(conversation), ["prompt", "  text a", rest]);
    assert_eq!(conversation.title.as_deref(), Some("Kites"));
    assert_eq!(reading.problems.len(), 1);
}

#[test]
fn half_pairs_and_raw_controls_do_not_lose_an_export() {
    let whole = export(session(json!({})), &[said(0, "HERE")]);
    for odd in ["x\\ud83d", "x\ty"] {
        let reading = read_file(file("x.json", &whole.replace("HERE", odd)));
        let conversation = reading.conversation.expect("there is one");
        assert!(outline(&conversation)[1].contains('x'), "{odd}");
    }
}

#[test]
fn a_folder_of_small_files_is_one_conversation_a_session() {
    for root in ["", "opencode/storage/"] {
        let task = done(
            "task",
            json!({"prompt": "find", "subagent_type": "explore"}),
            "ok",
            json!({"sessionId": "ses_2"}),
        );
        let mut files = kept(
            root,
            &session(json!({})),
            &[said(0, "a"), wrote(1, json!([task]))],
        );
        let child = session(json!({"id": "ses_2", "parentID": "ses_1",
            "title": "Find (@explore subagent)"}));
        let inner = |message: Value| {
            let text = message
                .to_string()
                .replace("ses_1", "ses_2")
                .replace("_00", "_c");
            serde_json::from_str::<Value>(&text).expect("it is JSON")
        };
        files.extend(kept(
            root,
            &child,
            &[
                inner(said(0, "find")),
                inner(wrote(1, json!([text("found")]))),
            ],
        ));
        files.push(file(&format!("{root}todo/ses_1.json"), "[]"));
        let grouped = grouped(files);
        assert_eq!(
            (grouped.sources.len(), grouped.unknown.len()),
            (1, 0),
            "{root}"
        );
        let (source, format) = &grouped.sources[0];
        let reading = format.read(source);
        assert_eq!(problems(&reading), [""; 0]);
        let conversation = reading.conversation.expect("there is one");
        assert_eq!(
            outline(&conversation),
            [
                "prompt",
                "  text a",
                "reply Complete",
                "  call task Some(\"ok\")",
                "    reply Complete",
                "      text found",
            ]
        );
        let child = calls(&conversation)[0]
            .child
            .as_ref()
            .expect("it is in its call");
        let agent = child.agent.as_ref().expect("it is an agent's");
        assert_eq!(agent.kind, "explore");
    }
}

#[test]
fn sessions_of_one_folder_are_told_apart() {
    let mut files = kept("s/", &session(json!({})), &[said(0, "a")]);
    let other = said(1, "b").to_string().replace("ses_1", "ses_2");
    let other = serde_json::from_str(&other).expect("it is JSON");
    files.extend(kept("s/", &session(json!({"id": "ses_2"})), &[other]));
    let grouped = grouped(files);
    let told: Vec<_> = grouped
        .sources
        .iter()
        .map(|(source, format)| outline(&format.read(source).conversation.expect("there is one")))
        .collect();
    assert_eq!(told, [["prompt", "  text a"], ["prompt", "  text b"]]);
}

#[test]
fn a_broken_small_file_costs_only_itself() {
    let mut files = kept("s/", &session(json!({})), &[said(0, "a"), said(1, "b")]);
    for (at, one) in files.iter_mut().enumerate() {
        if one.name.ends_with("prt_000100.json") {
            *one = file(&one.name.clone(), &format!("{{\"type\":\"text\",{at}"));
        }
    }
    let grouped = grouped(files);
    let (source, format) = &grouped.sources[0];
    let reading = format.read(source);
    assert_eq!(problems(&reading).len(), 1);
    assert!(problems(&reading)[0].starts_with("s/part/msg_0001/prt_000100.json"));
    assert_eq!(
        outline(&reading.conversation.expect("there is one")),
        [
            "prompt",
            "  text a",
            "Unknown: 1 file of this session could not be read"
        ]
    );
}

#[test]
fn a_session_that_a_call_does_not_name_is_found_by_its_prompt_or_listed() {
    let running = tool(
        "task",
        json!({"status": "running", "input": {"prompt": "find"},
        "time": {"start": 1}}),
    );
    let child = |id: &str, words: &str| {
        let message = said(0, words)
            .to_string()
            .replace("ses_1", id)
            .replace("msg_", &format!("{id}_"));
        let message: Value = serde_json::from_str(&message).expect("it is JSON");
        let info = session(json!({"id": id, "parentID": "ses_1"}));
        let mut events = vec![event("session.created", json!({"info": info}))];
        events.extend(events_of(&message));
        let mut reply = events_of(&wrote(1, json!([text("looking")])));
        for event in &mut reply {
            *event = event
                .replace("ses_1", id)
                .replace("msg_", &format!("{id}_"));
        }
        events.extend(reply);
        events
    };
    let mut events = events_of(&wrote(1, json!([running])));
    events.extend(child("ses_2", "find"));
    events.extend(child("ses_3", "elsewhere"));
    let conversation = lines(&events);
    assert!(calls(&conversation)[0].child.is_some());
    assert_eq!(conversation.children.len(), 1);
}

#[test]
fn sessions_in_a_circle_still_end() {
    let events = [("ses_1", "ses_2"), ("ses_2", "ses_1")].map(|(id, parent)| {
        event(
            "session.created",
            json!({"info": session(json!({"id": id, "parentID": parent}))}),
        )
    });
    let mut events = events.to_vec();
    events.extend(events_of(&said(0, "a")));
    assert_eq!(outline(&lines(&events)), ["prompt", "  text a"]);
}

#[test]
fn what_is_not_open_codes_is_not_taken() {
    for text in [
        r#"{"type":"text","text":"hello"}"#,
        r#"{"type":"message.created","properties":{}}"#,
        r#"{"messages":[{"role":"user","content":"a"}],"info":{"id":"x","time":1}}"#,
        r#"{"id":"a","title":"b","version":"1","time":{"created":1}}"#,
        r#"{"type":"error","sessionID":"a"}"#,
    ] {
        let head = Head::of(&file("x.json", text)).expect("memory can be read");
        assert!(!OpenCode.recognises(&head), "{text}");
    }
}

/// A database with a session, one that a call of it started, and another one.
fn database(folder: &std::path::Path) -> File {
    let path = folder.join("opencode.db");
    let made = rusqlite::Connection::open(&path).expect("a database can be made");
    made.execute_batch(
        "PRAGMA journal_mode = WAL;
         CREATE TABLE project (id TEXT PRIMARY KEY);
         CREATE TABLE session (id TEXT PRIMARY KEY, parent_id TEXT, title TEXT, directory TEXT,
             version TEXT, revert TEXT, time_created INTEGER);
         CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER,
             data TEXT);
         CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, data TEXT);
         CREATE TABLE session_message (id TEXT PRIMARY KEY, session_id TEXT, type TEXT,
             time_created INTEGER, data TEXT);
         INSERT INTO session VALUES ('ses_1', NULL, 'Kites', '/w', '1.2', NULL, 1),
             ('ses_2', 'ses_1', 'Find (@explore subagent)', '/w', '1.2', NULL, 2),
             ('ses_3', NULL, 'Newer', '/w', '2.0', NULL, 3);
         INSERT INTO message VALUES
             ('m1', 'ses_1', 1, '{\"role\":\"user\",\"time\":{\"created\":1772701200000}}'),
             ('m2', 'ses_1', 2, '{\"role\":\"assistant\",\"finish\":\"stop\",\"time\":{\"created\":1772701201000,\"completed\":1772701202000}}'),
             ('m3', 'ses_2', 3, '{\"role\":\"assistant\",\"finish\":\"stop\",\"time\":{\"created\":1772701201000,\"completed\":1772701202000}}');
         INSERT INTO part VALUES
             ('p1', 'm1', 'ses_1', '{\"type\":\"text\",\"text\":\"a\"}'),
             ('p2', 'm2', 'ses_1', '{\"type\":\"tool\",\"tool\":\"task\",\"callID\":\"c\",\"state\":{\"status\":\"completed\",\"input\":{\"prompt\":\"x\"},\"output\":\"ok\",\"metadata\":{\"sessionId\":\"ses_2\"}}}'),
             ('p3', 'm3', 'ses_2', '{\"type\":\"text\",\"text\":\"found\"}'),
             ('p4', 'm3', 'ses_2', 'no JSON');
         INSERT INTO session_message VALUES
             ('n1', 'ses_3', 'user', 1, '{\"text\":\"b\",\"time\":{\"created\":1772701200000}}'),
             ('n2', 'ses_3', 'assistant', 2, '{\"model\":{\"id\":\"rondo\"},\"content\":[{\"type\":\"text\",\"text\":\"B\"},{\"type\":\"tool\",\"id\":\"c\",\"name\":\"bash\",\"state\":{\"status\":\"completed\",\"input\":{\"command\":\"ls\"},\"content\":[{\"type\":\"text\",\"text\":\"out\"}],\"structured\":{\"exit\":3}}}],\"time\":{\"created\":1772701200000,\"completed\":1772701201000}}'),
             ('n3', 'ses_3', 'shell', 3, '{\"callID\":\"s\",\"command\":\"pwd\",\"output\":\"/w\",\"time\":{\"created\":1772701202000,\"completed\":1772701203000}}'),
             ('n4', 'ses_3', 'compaction', 4, '{\"summary\":\"so far\",\"time\":{\"created\":1772701204000}}');",
    )
    .expect("it can be filled");
    drop(made);
    let size = std::fs::metadata(&path).expect("it is there").len();
    File::on_disk(
        path,
        "opencode.db".to_owned(),
        "opencode.db".to_owned(),
        size,
    )
}

#[test]
fn a_database_is_a_conversation_a_session() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let grouped = grouped(vec![database(folder.path())]);
    let (source, format) = grouped
        .sources
        .into_iter()
        .next()
        .expect("it is recognised");
    let (sources, problem) = apart(source, format);
    assert!(problem.is_none());
    let told: Vec<_> = sources
        .iter()
        .map(|source| {
            let reading = format.read(source);
            assert_eq!(problems(&reading), [""; 0]);
            outline(&reading.conversation.expect("there is one"))
        })
        .collect();
    assert_eq!(
        told,
        [
            vec![
                "prompt",
                "  text a",
                "reply Complete",
                "  call task Some(\"ok\")",
                "    reply Complete",
                "      text found",
            ],
            vec![
                "prompt",
                "  text b",
                "reply Complete",
                "  text B",
                "  call bash Some(\"out\")",
                "  call bash Some(\"/w\")",
                "Compaction: Earlier messages were summarised > so far",
            ],
        ]
    );
    let Some(crate::source::Part {
        at: At::Key(key), ..
    }) = &sources[1].part
    else {
        panic!("a part has the session's id");
    };
    assert_eq!(key, "ses_3");
    let conversation = format.read(&sources[1]).conversation.expect("there is one");
    assert_eq!(replies(&conversation)[0].status, ReplyStatus::Complete);
    assert_eq!(replies(&conversation)[0].models, ["rondo"]);
}
