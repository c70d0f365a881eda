//! Sessions that a call started: each is put into its call, however deep they start each other.

use std::collections::BTreeMap;

use crate::formats::calls::each_call;
use crate::formats::records::Object;
use crate::model::{Agent, Conversation, Entry, Input, Part, ToolCall};

/// Agents of agents past this depth are listed at the main conversation.
const DEEPEST: usize = 16;

/// A session with what is needed to find its call.
pub(super) struct Child {
    /// Its id.
    pub(super) id: String,
    /// The session in which it was started.
    pub(super) parent: String,
    /// Its conversation.
    pub(super) conversation: Conversation,
}

/// Puts children into the calls of a conversation that started them; those without a call are
/// listed at the session that they name, else at the main one.
pub(super) fn attach(mut main: Conversation, id: &str, children: Vec<Child>) -> Conversation {
    let mut waiting: BTreeMap<String, Child> = BTreeMap::new();
    let mut order = Vec::new();
    for child in children {
        order.push(child.id.clone());
        waiting.insert(child.id.clone(), child);
    }
    settle(&mut main, id, 1, &order, &mut waiting);
    // What is left names a session that is not here, or starts itself.
    for id in &order {
        if let Some(mut child) = waiting.remove(id) {
            settle(&mut child.conversation, id, DEEPEST, &order, &mut waiting);
            main.children.push(child.conversation);
        }
    }
    main
}

/// Puts the children of one conversation where they belong. Each child is taken once, so that
/// this ends.
fn settle(
    conversation: &mut Conversation,
    id: &str,
    depth: usize,
    order: &[String],
    waiting: &mut BTreeMap<String, Child>,
) {
    if depth > DEEPEST {
        return;
    }
    each_call(&mut conversation.entries, &mut |call| {
        let details = call
            .result
            .as_ref()
            .and_then(|result| result.details.as_ref());
        let run = details.and_then(|details| details.agent.as_ref());
        let named = run.map(|run| run.id.clone());
        let Some(mut child) = named.and_then(|id| waiting.remove(&id)) else {
            return;
        };
        settle(
            &mut child.conversation,
            &child.id,
            depth + 1,
            order,
            waiting,
        );
        adopt(call, child.conversation);
    });
    // A call that was stopped, or still runs, may not name its session: its words do.
    let mine = |child: &Child| child.parent == id;
    for name in order {
        if !waiting.get(name).is_some_and(mine) {
            continue;
        }
        let Some(mut child) = waiting.remove(name) else {
            continue;
        };
        settle(&mut child.conversation, name, depth + 1, order, waiting);
        let mut homeless = Some(child.conversation);
        each_call(&mut conversation.entries, &mut |call| {
            if call.child.is_none()
                && let Some(conversation) = homeless.take_if(|child| is_asked_by(child, call))
            {
                adopt(call, conversation);
            }
        });
        conversation.children.extend(homeless);
    }
}

/// Whether a call asks for what a conversation was asked for.
fn is_asked_by(conversation: &Conversation, call: &ToolCall) -> bool {
    let prompt = input(call).words("prompt");
    prompt.is_some() && first_words(conversation) == prompt.as_deref()
}

/// Makes a conversation the one that a call started.
fn adopt(call: &mut ToolCall, mut conversation: Conversation) {
    let input = input(call);
    let agent = conversation.agent.get_or_insert_with(Agent::default);
    if let Some(kind) = input.words("subagent_type") {
        agent.kind = kind;
    }
    agent.description = input.words("description").or(agent.description.take());
    let prompt = input.words("prompt");
    // The card of the call shows the prompt.
    if prompt.is_some()
        && first_words(&conversation) == prompt.as_deref()
        && let Entry::Prompt(prompt) = conversation.entries.remove(0)
    {
        let asides = prompt.asides.into_iter().map(Entry::Notice);
        conversation.entries.splice(0..0, asides);
    }
    call.child = Some(Box::new(conversation));
}

fn input(call: &ToolCall) -> Object<'_> {
    match &call.input {
        Some(Input::Json(json)) => Object::parse(json).unwrap_or_default(),
        _ => Object::default(),
    }
}

/// The words of the first prompt, when it is nothing but words.
fn first_words(conversation: &Conversation) -> Option<&str> {
    match conversation.entries.first() {
        Some(Entry::Prompt(prompt)) => match prompt.parts.as_slice() {
            [Part::Text(words)] => Some(words),
            _ => None,
        },
        _ => None,
    }
}
