//! Subagents: which call started whose conversation, whatever the program.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};

use super::calls::each_call;
use crate::model::{Agent, Conversation, Entry, Input, Part, ToolCall};

use super::records::Object;

/// Agents of agents past this depth are listed at the main conversation.
const DEEPEST: usize = 16;

/// How many calls with equal words are tried for one agent.
const TRIES: usize = 100;

/// Names of the argument that is what a subagent is asked to do.
const PROMPT: [&str; 3] = ["prompt", "objective", "query"];

/// Names of the argument that is the kind of subagent that is asked.
const KIND: [&str; 2] = ["subagent_type", "agent_name"];

/// A subagent's conversation, and what it can be found by.
#[derive(Debug)]
pub(crate) struct Found {
    /// The conversation.
    pub(crate) conversation: Conversation,
    /// Its id; empty when it is not known.
    pub(crate) id: String,
    /// The call that started it; empty when it is not known.
    pub(crate) call: String,
}

/// A call that can have started a subagent.
struct Site {
    conversation: usize,
    /// Its place among the calls of its conversation: ids may be missing, or stand twice.
    nth: usize,
    call: String,
    agent: String,
    prompt: String,
    kind: String,
    description: Option<String>,
}

/// Puts subagents' conversations into the calls that started them; the rest stand at the end.
/// `links` are the calls by agent, where a file says it; `starts_agent` knows the names of the
/// tools that start one.
pub(crate) fn attach(
    main: Conversation,
    found: Vec<Found>,
    links: &BTreeMap<String, String>,
    starts_agent: fn(&str) -> bool,
) -> Conversation {
    if found.is_empty() {
        return main;
    }
    let mut keys = vec![(String::new(), String::new())];
    let mut conversations = vec![main];
    for found in found {
        keys.push((found.id, found.call));
        conversations.push(found.conversation);
    }
    let mut sites: Vec<Site> = Vec::new();
    let named: HashSet<&str> = keys
        .iter()
        .map(|(_, call)| call.as_str())
        .chain(links.values().map(String::as_str))
        .collect();
    for (at, conversation) in conversations.iter_mut().enumerate() {
        let mut nth = 0;
        each_call(&mut conversation.entries, &mut |call| {
            let may_start = starts_agent(&call.name) || named.contains(call.id.as_str());
            sites.extend(site(at, nth, call, may_start));
            nth += 1;
        });
    }
    let parents = parents(&keys, &conversations, &sites, links);
    nest(conversations, &parents, &sites)
}

fn site(conversation: usize, nth: usize, call: &ToolCall, may_start: bool) -> Option<Site> {
    let details = call
        .result
        .as_ref()
        .and_then(|result| result.details.as_ref());
    let run = details.and_then(|details| details.agent.as_ref());
    if !may_start && run.is_none() {
        return None;
    }
    let input = match &call.input {
        Some(Input::Json(json)) => Object::parse(json).unwrap_or_default(),
        _ => Object::default(),
    };
    let words = |names: &[&str]| names.iter().find_map(|name| input.words(name));
    let words = |names: &[&str]| words(names).unwrap_or_default();
    Some(Site {
        conversation,
        nth,
        call: call.id.clone(),
        agent: run.map(|run| run.id.clone()).unwrap_or_default(),
        prompt: words(&PROMPT),
        kind: words(&KIND),
        description: input.text("description").map(Into::into),
    })
}

/// Sites by what a conversation may know of them, each in the order of the page.
#[derive(Default)]
struct Index<'a> {
    calls: HashMap<&'a str, VecDeque<usize>>,
    agents: HashMap<&'a str, VecDeque<usize>>,
    prompts: HashMap<&'a str, VecDeque<usize>>,
}

impl<'a> Index<'a> {
    fn of(sites: &'a [Site]) -> Self {
        let mut index = Index::default();
        for (at, site) in sites.iter().enumerate() {
            for (map, key) in [
                (&mut index.calls, &site.call),
                (&mut index.agents, &site.agent),
                (&mut index.prompts, &site.prompt),
            ] {
                if !key.is_empty() {
                    map.entry(key).or_default().push_back(at);
                }
            }
        }
        index
    }
}

/// The site of each conversation's call, by index; the first conversation has none.
fn parents(
    keys: &[(String, String)],
    conversations: &[Conversation],
    sites: &[Site],
    links: &BTreeMap<String, String>,
) -> Vec<Option<usize>> {
    let mut index = Index::of(sites);
    let mut parents: Vec<Option<usize>> = vec![None; keys.len()];
    let mut taken = vec![false; sites.len()];
    // What is said outright goes before what is guessed from equal words.
    for guess in [false, true] {
        for at in 1..keys.len() {
            if parents[at].is_some() {
                continue;
            }
            let (id, call) = &keys[at];
            let mut free = |sites_by: &mut HashMap<&str, VecDeque<usize>>, key: &str| {
                let waiting = sites_by.get_mut(key)?;
                while waiting.front().is_some_and(|site| taken[*site]) {
                    waiting.pop_front();
                }
                let above = |site: &usize| sites[*site].conversation;
                let fits = |site: &usize| {
                    !taken[*site] && depth(above(site), at, &parents, sites).is_some()
                };
                let site = waiting.iter().copied().take(TRIES).find(fits)?;
                taken[site] = true;
                Some(site)
            };
            let site = if guess {
                let words = first_words(&conversations[at]);
                words.and_then(|words| free(&mut index.prompts, words))
            } else {
                let linked = links.get(id).filter(|_| !id.is_empty());
                free(&mut index.calls, call)
                    .or_else(|| free(&mut index.calls, linked?))
                    .or_else(|| free(&mut index.agents, id))
            };
            parents[at] = site;
        }
    }
    parents
}

/// How deep a conversation is below the main one; `None` when it is below `child`, or too deep.
fn depth(
    conversation: usize,
    child: usize,
    parents: &[Option<usize>],
    sites: &[Site],
) -> Option<usize> {
    let mut at = conversation;
    for depth in 1..=DEEPEST {
        if at == child {
            return None;
        }
        let Some(site) = parents[at] else {
            return Some(depth);
        };
        at = sites[site].conversation;
    }
    None
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

/// Moves each conversation into its call, the deepest first.
fn nest(
    conversations: Vec<Conversation>,
    parents: &[Option<usize>],
    sites: &[Site],
) -> Conversation {
    let mut order: Vec<(usize, usize)> = (1..conversations.len())
        .map(|at| {
            let parent = parents[at].map(|site| sites[site].conversation);
            let depth = parent.and_then(|parent| depth(parent, usize::MAX, parents, sites));
            (depth.unwrap_or_default(), at)
        })
        .collect();
    order.sort_by_key(|(depth, at)| (std::cmp::Reverse(*depth), *at));
    let mut waiting: Vec<Option<Conversation>> = conversations.into_iter().map(Some).collect();
    let mut homes: BTreeMap<usize, Children> = BTreeMap::new();
    let mut loose: Vec<(usize, Conversation)> = Vec::new();
    for (_, at) in order {
        let Some(mut conversation) = waiting[at].take() else {
            continue;
        };
        settle(&mut conversation, homes.remove(&at));
        let Some(site) = parents[at].map(|site| &sites[site]) else {
            loose.push((at, conversation));
            continue;
        };
        let agent = conversation.agent.get_or_insert_with(Agent::default);
        if !site.kind.is_empty() {
            agent.kind.clone_from(&site.kind);
        }
        if site.description.is_some() {
            agent.description.clone_from(&site.description);
        }
        // The card of the call shows the prompt.
        if first_words(&conversation) == Some(&site.prompt)
            && let Entry::Prompt(prompt) = conversation.entries.remove(0)
        {
            let asides = prompt.asides.into_iter().map(Entry::Notice);
            conversation.entries.splice(0..0, asides);
        }
        let home = homes.entry(site.conversation).or_default();
        home.insert(site.nth, Box::new(conversation));
    }
    let mut main = waiting[0].take().unwrap_or_default();
    settle(&mut main, homes.remove(&0));
    loose.sort_by_key(|(at, _)| *at);
    main.children
        .extend(loose.into_iter().map(|(_, child)| child));
    main
}

/// Subagents' conversations by the places of their calls in a conversation.
type Children = BTreeMap<usize, Box<Conversation>>;

/// Puts children into their calls.
fn settle(conversation: &mut Conversation, children: Option<Children>) {
    let Some(mut children) = children else {
        return;
    };
    let mut nth = 0;
    each_call(&mut conversation.entries, &mut |call| {
        if call.child.is_none() {
            call.child = children.remove(&nth);
        }
        nth += 1;
    });
    conversation
        .children
        .extend(children.into_values().map(|child| *child));
}
