//! Files: which are the program's, and which belong together.

use super::*;
use crate::formats::{Head, Machine, Role};

fn head(text: &str) -> Head {
    Head::of(&file("x.jsonl", text.to_owned())).expect("memory can be read")
}

#[test]
fn records_in_parts_are_recognised_wherever_they_stand() {
    for text in [
        text(&[said(1, 0, "Hi")]),
        text(&[system(1, 0, "ui_telemetry", json!({}))]),
        format!("{{broken\n{}\n", answer(1, 0, "Ho")),
    ] {
        assert!(QwenCode.recognises(&head(&text)), "{text}");
    }
    for text in [
        r#"{"type":"user","uuid":"u","sessionId":"s","message":{"role":"user","content":"a"}}"#,
        r#"{"role":"user","parts":[{"text":"a"}]}"#,
        r#"{"type":"user","message":{"parts":[]}}"#,
        r#"{"type":"event","uuid":"u","sessionId":"s","message":{"parts":[]}}"#,
    ] {
        assert!(!QwenCode.recognises(&head(text)), "{text}");
    }
}

#[test]
fn a_subagents_file_is_below_its_session() {
    let claim = |name: &str| {
        let text = text(&[said(1, 0, "Hi")]);
        QwenCode.claim(&file(name, String::new()), &head(&text))
    };
    for (main, agent) in [
        ("p/chats/s.jsonl", "p/subagents/s/agent-a.jsonl"),
        ("chats/s.jsonl", "subagents/s/agent-a.jsonl"),
        ("s.jsonl", "agent-a.jsonl"),
    ] {
        let (main, agent) = (claim(main), claim(agent));
        assert_eq!((main.role, agent.role), (Role::Main, Role::Member));
        assert_eq!(main.key, agent.key);
    }
    assert_eq!(
        claim("p/chats/s.jsonl").own_folder.as_deref(),
        Some("p/subagents/s")
    );
}

#[test]
fn a_subagents_conversation_stands_in_the_call_that_the_file_beside_it_names() {
    let parts = json!([
        call("c1", "agent", json!({"prompt": "Same words"})),
        call("c2", "agent", json!({"prompt": "Same words"})),
    ]);
    let main = [
        said(1, 0, "Hi"),
        wrote(2, 1, parts),
        result(5, 2, "c1", "agent", "One."),
        result(6, 2, "c2", "agent", "Two."),
    ];
    let own = json!({"agentId": "a", "agentName": "Explore", "isSidechain": true});
    let agent = [
        with(said(3, 0, "Look it up."), own.clone()),
        with(answer(4, 3, "Two."), own),
    ];
    let meta = json!({"agentId": "a", "agentType": "explore", "toolUseId": "c2"});
    let mut source = Source::single(file("p/chats/s.jsonl", text(&main)));
    source
        .members
        .push(file("p/subagents/s/agent-a.jsonl", text(&agent)));
    let side = file("p/subagents/s/agent-a.meta.json", meta.to_string());
    source.side_files = vec![side].into();
    let conversation = QwenCode.read(&source).conversation.expect("there is one");
    let reply = crate::formats::outline::replies(&conversation).next();
    let children = reply
        .into_iter()
        .flat_map(|reply| &reply.parts)
        .map(|part| match part {
            crate::model::Part::Tool(call) => call.child.as_deref(),
            _ => None,
        });
    let children: Vec<_> = children.collect();
    let [None, Some(child)] = children[..] else {
        panic!("the second call has the child: {children:?}");
    };
    assert_eq!(
        outline(child),
        ["agent: \"Look it up.\"", "Unknown: \"Two.\""]
    );
    let kind = child.agent.as_ref().map(|agent| agent.kind.as_str());
    assert_eq!(kind, Some("explore"));
}

#[test]
fn sessions_are_kept_below_the_home_folder_unless_it_is_moved() {
    let machine = |variable| Machine {
        home: Some("/home/robin".into()),
        variable,
    };
    let places = |variable| -> Vec<String> {
        let places = QwenCode.places(&machine(variable)).into_iter();
        places.map(|place| place.display().to_string()).collect()
    };
    assert_eq!(
        places(|_| None),
        ["/home/robin/.qwen/projects", "/home/robin/.qwen/tmp"]
    );
    assert_eq!(
        places(|name| (name == "QWEN_HOME").then(|| "/q".into())),
        ["/q/projects", "/q/tmp"]
    );
    assert_eq!(
        places(|name| (name == "QWEN_RUNTIME_DIR").then(|| "/r".into())),
        ["/r/projects", "/home/robin/.qwen/tmp"]
    );
}

#[test]
fn a_bad_line_keeps_the_rest_and_is_marked() {
    let lines = format!(
        "{}\n{{oops\n{}\n{{\"uuid\":\"u3",
        said(1, 0, "Hi"),
        answer(2, 1, "Ho")
    );
    let reading = QwenCode.read(&Source::single(file("s.jsonl", lines)));
    let conversation = reading.conversation.expect("there is a conversation");
    assert_eq!(
        outline(&conversation),
        [
            "person: \"Hi\"",
            "<Unknown Line 2 could not be read>",
            "Unknown: \"Ho\"",
            "<Unknown The file ends in the middle of line 4>",
        ]
    );
}
