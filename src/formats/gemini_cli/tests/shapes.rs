//! Files: documents, logs, histories, subagents, and which of them are the program's.

use super::*;
use crate::formats::{Head, Machine, Role};

fn head(text: &str) -> Head {
    Head::of(&file("x.json", text.to_owned())).expect("memory can be read")
}

fn is_ours(text: &str) -> bool {
    GeminiCli.recognises(&head(text))
}

#[test]
fn documents_logs_and_histories_are_recognised() {
    let message = wrote("1", 0, "Hi");
    for text in [
        json!({"sessionId": "s", "projectHash": "h", "messages": [message]}).to_string(),
        json!({"sessionId": "s", "startTime": at(0), "lastUpdated": at(0), "messages": [message]})
            .to_string(),
        log(&[]),
        log(&[said("1", 0, "Hi")]),
        format!("{{broken\n{message}\n"),
        format!("{{broken\n{}\n", json!({"$rewindTo": "1"})),
        json!([{"role": "user", "parts": [{"text": "a"}]}, {"role": "model", "parts": []}])
            .to_string(),
        json!({"history": [{"role": "model", "parts": [{"text": "a"}]}]}).to_string(),
    ] {
        assert!(is_ours(&text), "{text}");
    }
}

#[test]
fn files_of_others_are_not() {
    for text in [
        r#"{"sessionId":"s","messages":[{"role":"user","content":"a"}]}"#,
        r#"{"sessionId":"s","projectHash":"h","requests":[]}"#,
        r#"{"sessionId":"s","type":"user","message":{"content":"a"},"uuid":"u"}"#,
        r#"{"sessionId":"s","projectHash":"h","messages":{"a":1}}"#,
        r#"[{"role":"user","parts":[{"text":"a"}]}]"#,
        r#"[{"role":"user","content":"a"},{"role":"model","content":"b"}]"#,
        r#"{"$set":{"name":"a"}}"#,
        r#"[{"sessionId":"s","messageId":0,"type":"user","message":"a","timestamp":"t"}]"#,
    ] {
        assert!(!is_ours(text), "{text}");
    }
}

#[test]
fn a_document_is_read_as_the_log_is() {
    let records = [said("1", 0, "Hi"), wrote("2", 1, "Ho")];
    let document = json!({"sessionId": "s", "projectHash": "0123456789abcdef",
                          "messages": records, "summary": "Title"});
    for text in [
        document.to_string(),
        format!("{document:#}"),
        format!("{document}\n{}\n", said("3", 2, "Ha")),
    ] {
        let reading = GeminiCli.read(&Source::single(file("s.json", text)));
        let conversation = reading.conversation.expect("there is a conversation");
        assert_eq!(outline(&conversation)[..1], ["person: \"Hi\""]);
        assert_eq!(conversation.title.as_deref(), Some("Title"));
    }
}

#[test]
fn calls_of_a_history_find_their_results_by_name_and_order() {
    let turn = |role: &str, part: Value| json!({"role": role, "parts": [part]});
    let call = |pattern: &str| json!({"functionCall": {"name": "glob", "args": {"p": pattern}}});
    let answer = |output: &str| json!({"functionResponse": {"name": "glob", "response": {"output": output}}});
    let history = json!([
        turn("user", json!({"text": "This is the Gemini CLI. We are setting up the context for \
            our chat.\nI'm currently working in the directory: /home/robin/tea\n"})),
        turn("model", json!({"text": "Got it. Thanks for the context!"})),
        turn("user", json!({"text": "Which files?"})),
        {"role": "model", "parts": [call("*.a"), call("*.b")]},
        {"role": "user", "parts": [answer("1.a"), answer("2.b")]},
        turn("model", json!({"text": "Two."})),
    ]);
    let name = "checkpoint-tea.json";
    let reading = GeminiCli.read(&Source::single(file(name, history.to_string())));
    let conversation = reading.conversation.expect("there is a conversation");
    assert_eq!(
        outline(&conversation),
        [
            "<Context Context of the session>",
            "person: \"Which files?\"",
            "Unknown: glob → \"1.a\", glob → \"2.b\", \"Two.\"",
        ]
    );
    assert_eq!(conversation.project.as_deref(), Some("/home/robin/tea"));
    assert_eq!(conversation.id, "checkpoint-tea");
}

#[test]
fn a_project_without_a_path_goes_by_its_folder_then_by_its_hash() {
    let project = |name: &str| {
        let source = Source::single(file(name, log(&[said("1", 0, "Hi")])));
        let conversation = GeminiCli.read(&source).conversation;
        conversation.and_then(|conversation| conversation.project)
    };
    assert_eq!(
        project("tmp/teapot/chats/s.jsonl").as_deref(),
        Some("teapot")
    );
    let hashed = format!("tmp/{}/chats/s.jsonl", "ab".repeat(32));
    assert_eq!(project(&hashed).as_deref(), Some("01234567"));
    assert_eq!(project("s.jsonl").as_deref(), Some("01234567"));
}

#[test]
fn a_subagents_file_belongs_to_the_session_that_names_its_folder() {
    let claim = |name: &str, text: &str| GeminiCli.claim(&file(name, String::new()), &head(text));
    let main = claim("p/chats/session-1.jsonl", &log(&[]));
    let agent = r#"{"sessionId":"a","projectHash":"h","kind":"subagent"}"#;
    let agent = claim("p/chats/s/a.jsonl", agent);
    assert_eq!((main.role, agent.role), (Role::Main, Role::Member));
    assert_eq!(main.key, agent.key);
}

#[test]
fn a_subagents_conversation_stands_in_the_call_that_started_it() {
    let started = with(
        call("c", "codebase_investigator", 3, "Found."),
        json!({"agentId": "a", "args": {"objective": "Look into it."}}),
    );
    let main = log(&[said("1", 0, "Hi"), called("2", 1, json!([started]))]);
    let first = json!({"sessionId": "a", "projectHash": "h", "kind": "subagent"});
    let agent = format!(
        "{first}\n{}\n{}\n",
        said("3", 1, "Look."),
        wrote("4", 2, "Found.")
    );
    let mut source = Source::single(file("p/chats/s.jsonl", main));
    source.members.push(file("p/chats/s/a.jsonl", agent));
    let conversation = GeminiCli.read(&source).conversation.expect("there is one");
    assert_eq!(
        outline(&conversation)[1..],
        [
            "Unknown: codebase_investigator → \"Found.\"",
            "  agent: \"Look.\"",
            "  Unknown: \"Found.\"",
        ]
    );
    let call = crate::formats::outline::call(&conversation, "codebase_investigator");
    let child = call.child.as_ref().and_then(|child| child.agent.clone());
    assert_eq!(
        child.map(|agent| agent.kind).as_deref(),
        Some("codebase_investigator")
    );
}

#[test]
fn the_first_versions_of_the_fork_are_told_by_their_messages() {
    let message = with(wrote("2", 1, "Ho"), json!({"type": "qwen"}));
    let conversation = conversation(&[said("1", 0, "Hi"), message]);
    assert_eq!(conversation.program, "Qwen Code");
    assert_eq!(outline(&conversation)[1], "Unknown: \"Ho\"");
}

#[test]
fn sessions_are_kept_below_the_home_folder_unless_it_is_moved() {
    let machine = |variable| Machine {
        home: Some("/home/robin".into()),
        variable,
    };
    let at_home = GeminiCli.places(&machine(|_| None));
    let paths = |names: [&str; 2]| names.map(std::path::PathBuf::from).to_vec();
    let expected = [
        "/home/robin/.gemini/tmp",
        "/home/robin/.gemini/projects.json",
    ];
    assert_eq!(at_home, paths(expected));
    let moved = machine(|name| (name == "GEMINI_CLI_HOME").then(|| "/data".into()));
    let moved = GeminiCli.places(&moved);
    assert_eq!(
        moved,
        paths(["/data/.gemini/tmp", "/data/.gemini/projects.json"])
    );
}

#[test]
fn an_empty_session_has_no_page() {
    let reading = read(&[json!({"$set": {"lastUpdated": at(0)}})]);
    assert!(reading.conversation.is_none());
    assert_eq!(reading.problems.len(), 1);
}

#[test]
fn a_cut_or_bad_document_keeps_the_messages_that_can_be_read() {
    let document = json!({"sessionId": "s", "projectHash": "0123456789abcdef", "messages": [
        said("1", 0, "One"), wrote("2", 1, "1"), said("3", 2, "BAD"), wrote("4", 3, "2"),
    ], "summary": "Title"});
    let outlined = |text: String| {
        let reading = GeminiCli.read(&Source::single(file("s.json", text)));
        let conversation = reading.conversation.expect("there is a conversation");
        assert!(
            reading
                .problems
                .iter()
                .all(|p| p.severity == crate::error::Severity::Warning)
        );
        assert_eq!(conversation.id, "s");
        outline(&conversation)
    };
    let whole = format!("{document:#}\n");
    let bad = outlined(whole.replace("\"BAD\"", "BAD"));
    assert_eq!(
        bad[..2],
        [
            "person: \"One\"",
            "Unknown: \"1\", <Unknown Lines 18 to 23 could not be read>, \"2\""
        ]
    );
    let cut = whole.find("BAD").unwrap_or_default();
    let cut = outlined(whole[..cut].to_owned());
    assert_eq!(cut[0], "person: \"One\"");
    assert_eq!(cut[2], "<Unknown The file ends in the middle of line 22>");
}

#[test]
fn the_folder_is_the_one_that_the_files_beside_the_sessions_name() {
    let project = |shared: &[(&str, &str)], name: &str| {
        let mut source = Source::single(file(name, log(&[said("1", 0, "Hi")])));
        let shared = shared
            .iter()
            .map(|(name, text)| file(name, (*text).to_owned()));
        let shared: Vec<File> = shared.collect();
        assert!(shared.iter().all(|file| GeminiCli.shares(file)));
        source.shared_files = shared.into();
        let conversation = GeminiCli.read(&source).conversation.expect("there is one");
        conversation.project.unwrap_or_default()
    };
    let marker = ("tmp/tea/.project_root", "/home/robin/tea\n");
    assert_eq!(
        project(&[marker], "tmp/tea/chats/s.jsonl"),
        "/home/robin/tea"
    );
    assert_eq!(project(&[marker], "tmp/pot/chats/s.jsonl"), "pot");
    let registry = r#"{"projects": {"/home/robin/pot": "pot", "/home/robin/tea": "tea-1"}}"#;
    let registry = ("/home/robin/.gemini/projects.json", registry);
    assert_eq!(project(&[registry], "pot/chats/s.jsonl"), "/home/robin/pot");
    assert_eq!(project(&[registry], "tea/chats/s.jsonl"), "tea");
    let others = file("export/projects.json", String::new());
    assert!(!GeminiCli.shares(&others));
}
