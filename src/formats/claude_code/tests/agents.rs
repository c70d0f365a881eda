//! Subagents: three layouts, and how each finds its call.

use super::*;

fn in_agent(record: Value, agent: &str) -> Value {
    with(record, json!({"isSidechain": true, "agentId": agent}))
}

/// A main file with one call of an agent.
fn main_records(report: Value) -> Vec<Value> {
    vec![
        said(0, "go"),
        call(
            1,
            "c",
            "Task",
            json!({"prompt": "Look around", "description": "Look", "subagent_type": "Explore"}),
        ),
        with(result(9, "c", "found it"), json!({"toolUseResult": report})),
        text(10, "done"),
    ]
}

fn agent_records(agent: &str, words: &str) -> Vec<Value> {
    let prompt = in_agent(said(2, words), agent);
    let answer = in_agent(text(3, "looking"), agent);
    vec![
        with(prompt, json!({"uuid": format!("{agent}-1")})),
        with(answer, json!({"uuid": format!("{agent}-2")})),
    ]
}

const NESTED: [&str; 7] = [
    "prompt Person",
    "  text go",
    "reply Unknown",
    "  call Task Some(\"found it\")",
    "    reply Unknown",
    "      text looking",
    "  text done",
];

#[test]
fn a_file_of_its_own_is_linked_by_the_id_in_the_result() {
    let mut source = Source::single(file(
        "p/s.jsonl",
        &main_records(json!({"agentId": "a1", "status": "completed",
        "totalDurationMs": 7_000, "totalTokens": 55, "totalToolUseCount": 2, "content": []})),
    ));
    source.members = vec![file(
        "p/s/subagents/agent-a1.jsonl",
        &agent_records("a1", "Look around"),
    )];
    let conversation = ClaudeCode.read(&source).conversation.expect("there is one");
    assert_eq!(outline(&conversation), NESTED);
    let call = calls(&conversation)[0];
    let child = call.child.as_ref().expect("it has a child");
    let agent = child.agent.as_ref().expect("it is an agent's");
    assert_eq!(
        (agent.kind.as_str(), agent.description.as_deref()),
        ("Explore", Some("Look"))
    );
    assert_eq!(
        (child.id.as_str(), child.program.as_str()),
        ("a1", "Claude Code")
    );
    let run = call
        .result
        .as_ref()
        .and_then(|r| r.details.as_ref())
        .and_then(|d| d.agent.as_ref());
    assert_eq!(run.and_then(|run| run.tokens), Some(55));
    assert_eq!(call.ms, Some(7_000));
}

#[test]
fn a_description_beside_the_file_names_the_call() {
    let mut source = Source::single(file("p/s.jsonl", &main_records(json!("…"))));
    source.members = vec![file(
        "p/s/subagents/agent-a1.jsonl",
        &agent_records("a1", "Other words"),
    )];
    let meta = br#"{"agentType":"Plan","toolUseId":"c"}"#.to_vec();
    let name = "p/s/subagents/agent-a1.meta.json".to_owned();
    source.side_files = vec![File::in_memory(name.clone(), name, meta)].into();
    let conversation = ClaudeCode.read(&source).conversation.expect("there is one");
    // Its prompt is not the call's, so that it stays.
    assert_eq!(
        outline(&conversation)[4..8],
        [
            "    prompt Agent(None)",
            "      text Other words",
            "    reply Unknown",
            "      text looking"
        ]
    );
    let name = "p/s/subagents/agent-a1.meta.json".to_owned();
    source.side_files = vec![File::in_memory(
        name.clone(),
        name.clone(),
        b"{\"x\"".to_vec(),
    )]
    .into();
    assert_eq!(
        problems(&ClaudeCode.read(&source)),
        [format!(
            "p/s/subagents/agent-a1.jsonl: {name}:1: a value that does not end, at column 4"
        )]
    );
}

#[test]
fn progress_names_the_call_and_gives_the_agent_when_it_has_no_file() {
    let progress = |message: &Value| {
        json!({"type": "progress", "parentToolUseID": "c", "sessionId": "s",
            "data": {"type": "agent_progress", "agentId": "a1", "message": message}})
    };
    let mut records = main_records(json!("…"));
    let inside = agent_records("a1", "Look around");
    records.splice(2..2, inside.iter().map(progress));
    assert_eq!(outline(&conversation(&records)), NESTED);
    // With a file, what progress says is in it.
    let mut source = Source::single(file("p/s.jsonl", &records));
    source.members = vec![file("p/agent-a1.jsonl", &inside)];
    let conversation = ClaudeCode.read(&source).conversation.expect("there is one");
    assert_eq!(outline(&conversation), NESTED);
    assert_eq!(conversation.unshown["progress reports"], 2);
}

#[test]
fn records_in_the_main_file_are_linked_by_equal_words() {
    let mut records = main_records(json!("…"));
    let mut inside = agent_records("", "Look around");
    inside[1]["parentUuid"] = inside[0]["uuid"].clone();
    records.splice(2..2, inside);
    assert_eq!(outline(&conversation(&records)), NESTED);
}

#[test]
fn records_of_a_stream_name_the_call_themselves() {
    let mut records = main_records(json!("…"));
    let inside = [text(3, "looking")];
    let inside = inside.map(|record| with(record, json!({"parent_tool_use_id": "c"})));
    records.splice(2..2, inside);
    assert_eq!(outline(&conversation(&records)), NESTED);
}

#[test]
fn the_oldest_files_name_the_call_as_the_parent() {
    let mut records = main_records(json!("…"));
    let inside = with(
        text(3, "looking"),
        json!({"isSidechain": true, "parentUuid": "c"}),
    );
    records.insert(2, inside);
    assert_eq!(outline(&conversation(&records)), NESTED);
}

#[test]
fn agents_of_agents_stand_inside_them() {
    let mut source = Source::single(file("p/s.jsonl", &main_records(json!({"agentId": "a1"}))));
    let inner_call = call(4, "d", "Agent", json!({"prompt": "Deeper"}));
    let mut outer = agent_records("a1", "Look around");
    outer.push(in_agent(with(inner_call, json!({"uuid": "a1-3"})), "a1"));
    source.members = vec![
        file("p/s/subagents/agent-a1.jsonl", &outer),
        file(
            "p/s/subagents/agent-b2.jsonl",
            &agent_records("b2", "Deeper"),
        ),
        file(
            "p/s/subagents/agent-c3.jsonl",
            &agent_records("c3", "Nobody asked"),
        ),
    ];
    let conversation = ClaudeCode.read(&source).conversation.expect("there is one");
    assert_eq!(
        outline(&conversation)[3..],
        [
            "  call Task Some(\"found it\")",
            "    reply Unknown",
            "      text looking",
            "      call Agent None",
            "        reply Unknown",
            "          text looking",
            "  text done",
            "child",
            "  prompt Agent(None)",
            "    text Nobody asked",
            "  reply Unknown",
            "    text looking",
        ]
    );
}

#[test]
fn agents_that_name_each_other_end_at_the_main_conversation() {
    let member = |agent: &str, other: &str, prompt: &str| {
        let mut records = agent_records(agent, prompt);
        let input = json!({"prompt": other});
        records.push(in_agent(
            with(
                call(4, agent, "Task", input),
                json!({"uuid": format!("{agent}-3")}),
            ),
            agent,
        ));
        file(&format!("p/s/subagents/agent-{agent}.jsonl"), &records)
    };
    let mut source = Source::single(file("p/s.jsonl", &[said(0, "go")]));
    source.members = vec![member("a1", "two", "one"), member("b2", "one", "two")];
    let conversation = ClaudeCode.read(&source).conversation.expect("there is one");
    assert_eq!(conversation.children.len(), 1);
    assert_eq!(crate::model::Facts::of(&conversation).agents, 2);
}

#[test]
fn warm_ups_are_counted_and_not_shown() {
    let mut source = Source::single(file("p/s.jsonl", &[said(0, "go")]));
    source.members = vec![file("p/agent-a1.jsonl", &agent_records("a1", "Warmup"))];
    let conversation = ClaudeCode.read(&source).conversation.expect("there is one");
    assert!(conversation.children.is_empty());
    assert_eq!(conversation.unshown["warm-up agents"], 1);
    let alone = Source::single(file("p/agent-a1.jsonl", &agent_records("a1", "Warmup")));
    let reading = ClaudeCode.read(&alone);
    assert!(reading.conversation.is_none());
    assert_eq!(
        problems(&reading),
        ["p/agent-a1.jsonl: note: a warm-up of an agent, not shown"]
    );
    let line = &agent_records("a1", "Warmup")[..1];
    let cut = ClaudeCode.read(&Source::single(file("x.jsonl", line)));
    assert_eq!(
        outline(&cut.conversation.expect("a lone line is shown")),
        ["prompt Agent(None)", "  text Warmup"]
    );
}

#[test]
fn an_agents_file_without_its_session_stands_alone() {
    let alone = Source::single(file(
        "p/agent-a1.jsonl",
        &agent_records("a1", "Look around"),
    ));
    let conversation = ClaudeCode.read(&alone).conversation.expect("there is one");
    assert!(conversation.agent.is_some());
    assert_eq!(conversation.id, "a1");
    assert_eq!(
        outline(&conversation)[..2],
        ["prompt Agent(None)", "  text Look around"]
    );
}

#[test]
fn agents_whose_calls_share_an_id_or_have_none_are_all_kept() {
    for id in ["", "c"] {
        let mut records = vec![said(0, "go")];
        for (at, words) in [(1, "Look left"), (2, "Look right")] {
            records.push(call(at, id, "Task", json!({"prompt": words})));
        }
        let mut source = Source::single(file("p/s.jsonl", &records));
        source.members = ["Look left", "Look right"]
            .iter()
            .enumerate()
            .map(|(nth, words)| {
                let agent = format!("a{nth}");
                let name = format!("p/s/subagents/agent-{agent}.jsonl");
                file(&name, &agent_records(&agent, words))
            })
            .collect();
        let conversation = ClaudeCode.read(&source).conversation.expect("there is one");
        let lines = outline(&conversation);
        let agents = lines.iter().filter(|line| line.ends_with("text looking"));
        assert_eq!(agents.count(), 2, "{id:?}: {lines:?}");
    }
}
