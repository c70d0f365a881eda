//! Agents that a session started: what tools say of them, and where their own sessions belong.

use std::collections::BTreeMap;

use crate::formats::records::{Json, Object, text};
use crate::model::{AgentRun, Conversation, Entry, Input, Part, Prompt, ToolCall, ToolResult};

/// Tools that start agents.
const STARTERS: [&str; 2] = ["spawn_agent", "spawn_agents_on_csv"];
/// Tools that speak to them, or look at them.
const OTHERS: [&str; 9] = [
    "send_input",
    "send_message",
    "followup_task",
    "wait",
    "wait_agent",
    "close_agent",
    "resume_agent",
    "list_agents",
    "interrupt_agent",
];

/// Whether a tool is about agents.
pub(super) fn is_of_agents(tool: &str) -> bool {
    STARTERS.contains(&tool) || OTHERS.contains(&tool)
}

/// How an agent stands, and its last words: `"running"`, `{"completed":"All done"}`.
pub(super) fn state(value: Option<Json<'_>>) -> (String, Option<String>) {
    let Some(value) = value else {
        return ("unknown".to_owned(), None);
    };
    if let Some(word) = text(value) {
        return (word.replace('_', " "), None);
    }
    let object = Object::of(value).unwrap_or_default();
    // The exec stream says the same in two fields.
    if let Some(status) = object.words("status") {
        return (status.replace('_', " "), object.words("message"));
    }
    let Some((word, words)) = object.entries().next() else {
        return ("unknown".to_owned(), None);
    };
    let words = text(words).map(|words| words.into_owned());
    (word.replace('_', " "), words)
}

/// Each agent and how it stands, in lines; their last words below.
pub(super) fn states(agents: &Object<'_>) -> String {
    let agents = agents.entries().map(|(agent, value)| {
        let (state, words) = state(Some(value));
        let words = words.map(|words| format!("\n{}\n", words.trim()));
        format!("{agent}: {state}{}", words.unwrap_or_default())
    });
    agents.collect::<Vec<_>>().join("\n")
}

/// Puts a result that is JSON into words, and takes the agent's id out of it.
pub(super) fn put_into_words(result: &mut ToolResult) {
    let Ok(object) = Object::parse(result.text.trim()) else {
        return;
    };
    let mut lines = Vec::new();
    let mut is_list = false;
    for (key, value) in object.entries() {
        match key {
            "status" | "previous_status" | "agent_statuses" => match Object::of(value) {
                // Of one agent, or of several.
                Some(agents) if agents.entries().any(|(key, _)| is_agent_id(key)) => {
                    is_list = true;
                    lines.push(states(&agents));
                }
                _ => {
                    let (state, words) = state(Some(value));
                    lines.push(format!("{key}: {state}"));
                    lines.extend(words);
                }
            },
            _ if value.get() == "null" || value.get() == "false" => {}
            _ => {
                let words = text(value).map_or_else(|| value.get().to_owned(), Into::into);
                lines.push(format!("{key}: {words}"));
            }
        }
    }
    let names = ["agent_id", "new_thread_id", "thread_id"];
    let id = names.iter().find_map(|name| object.words(name));
    if let Some(id) = id {
        let details = result.details.get_or_insert_default();
        details.agent.get_or_insert_with(|| AgentRun {
            id,
            ..AgentRun::default()
        });
    }
    result.text = lines.join(if is_list { "\n" } else { " · " });
}

fn is_agent_id(key: &str) -> bool {
    key.contains(['-', '/']) || key.bytes().any(|b| b.is_ascii_digit())
}

/// Puts agents' conversations into the calls that started them, those of agents first; the rest
/// stand at the end.
pub(super) fn attach(mut main: Conversation, found: Vec<Conversation>) -> Conversation {
    let mut waiting: BTreeMap<String, Conversation> = BTreeMap::new();
    let mut loose = Vec::new();
    for child in found {
        if child.id.is_empty() || waiting.contains_key(&child.id) {
            loose.push(child);
        } else {
            waiting.insert(child.id.clone(), child);
        }
    }
    place(&mut main.entries, &mut waiting);
    main.children.extend(loose);
    // Ids grow with time, so that an agent comes before those that it started.
    while let Some((_, mut child)) = waiting.pop_first() {
        place(&mut child.entries, &mut waiting);
        main.children.push(child);
    }
    main
}

fn place(entries: &mut [Entry], waiting: &mut BTreeMap<String, Conversation>) {
    if waiting.is_empty() {
        return;
    }
    for entry in entries {
        match entry {
            Entry::Reply(reply) => {
                for part in &mut reply.parts {
                    if let Part::Tool(call) = part {
                        place_in(call, waiting);
                    }
                }
            }
            Entry::Versions(versions) => versions.iter_mut().for_each(|v| place(v, waiting)),
            Entry::Prompt(_) | Entry::Notice(_) => {}
        }
    }
}

fn place_in(call: &mut ToolCall, waiting: &mut BTreeMap<String, Conversation>) {
    if call.child.is_some() {
        return;
    }
    let Some(mut child) = started(call).and_then(|id| waiting.remove(&id)) else {
        return;
    };
    place(&mut child.entries, waiting);
    // The card of the call shows the prompt.
    if let Some(at) = child
        .entries
        .iter()
        .position(|e| matches!(e, Entry::Prompt(_)))
        && let Entry::Prompt(prompt) = &child.entries[at]
        && is_the_task(prompt, call)
        && let Entry::Prompt(prompt) = child.entries.remove(at)
    {
        let asides = prompt.asides.into_iter().map(Entry::Notice);
        child.entries.splice(at..at, asides);
    }
    call.child = Some(Box::new(child));
}

/// The id of the agent that a call started.
fn started(call: &ToolCall) -> Option<String> {
    if !STARTERS.contains(&call.name.as_str()) {
        return None;
    }
    let details = call.result.as_ref()?.details.as_ref()?;
    details.agent.as_ref().map(|run| run.id.clone())
}

/// Whether a prompt is nothing but the task that the call gives.
fn is_the_task(prompt: &Prompt, call: &ToolCall) -> bool {
    let Some(Input::Json(json)) = &call.input else {
        return false;
    };
    let input = Object::parse(json).unwrap_or_default();
    let [Part::Text(words)] = prompt.parts.as_slice() else {
        return false;
    };
    let tasks = ["message", "prompt"].map(|key| input.string(key));
    tasks.iter().any(|task| task.trim() == words.trim())
}
