//! From a source's files to one conversation.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::io::Read;

use crate::formats::Reading;
use crate::formats::branches::{self, Counts};
use crate::formats::problems::Problems;
use crate::formats::records::{self, Object};
use crate::formats::subagents::{self, Found};
use crate::model::{Agent, Conversation, Entry, NoticeKind, Part, TextFile, Usage};
use crate::source::{File, Source};

use super::agents;
use super::flow;
use super::pairing::Pairs;
use super::queue;
use super::report::is_agent;
use super::row::{Row, What};
use super::transcript::Transcript;

/// How much is taken from a file beside the session, in bytes.
const LARGEST_SIDE_FILE: u64 = 64 << 20;

/// Reads a source. `is_document` says whether its main file is a web session's one document.
pub(super) fn read(source: &Source, is_document: bool) -> Reading {
    let mut problems = Problems::of(&source.main);
    let filed = source
        .members
        .iter()
        .filter_map(|file| agent_of(file.stem()));
    let filed = filed.map(str::to_owned).collect();
    let mut main = if is_document {
        Transcript::of_document(&source.main, &mut problems)
    } else {
        Transcript::of_lines(&source.main, filed, &mut problems)
    };
    let mut rows = std::mem::take(&mut main.rows);
    let title = title(&mut main, &rows);
    let alone = is_agents_own(&rows);
    let mut parties = Vec::new();
    if alone {
        rows.iter_mut().for_each(|row| row.side = None);
    } else {
        (rows, parties) = agents::split(rows);
    }
    let mut counts = Counts::default();
    let mut conversation = converse(rows, alone, source, &mut counts, &mut problems);
    conversation.title = title;
    add_facts(&mut conversation, &main, source);
    if alone {
        conversation.agent = Some(meta(source, &source.main, &mut problems).agent);
        // A prompt by itself was cut out by hand; the program's warm-ups have a reply.
        if is_warm_up(&conversation) && conversation.entries.len() > 1 {
            problems.note(None, "a warm-up of an agent, not shown");
            return Reading {
                conversation: None,
                problems: problems.into_vec(),
            };
        }
    } else {
        main.sessions.note(&mut problems);
    }
    let mut found = Vec::new();
    let mut warm_ups = 0;
    for party in parties {
        let mut conversation = converse(party.rows, true, source, &mut counts, &mut problems);
        conversation.id.clone_from(&party.id);
        conversation.agent = Some(Agent::default());
        found.push(Found {
            conversation,
            id: party.id,
            call: party.call,
        });
    }
    counts.note(&mut problems);
    let mut links = std::mem::take(&mut main.links);
    let mut problems = vec![problems];
    for member in &source.members {
        let mut own = Problems::of(member);
        let agent = read_member(member, source, &mut links, &mut own);
        problems.push(own);
        found.push(agent);
    }
    found.retain(|agent| {
        let warm_up = is_warm_up(&agent.conversation);
        warm_ups += u64::from(warm_up);
        !warm_up && !agent.conversation.entries.is_empty()
    });
    if warm_ups > 0 {
        conversation
            .unshown
            .insert("warm-up agents".to_owned(), warm_ups);
    }
    for agent in &mut found {
        agent.conversation.program.clone_from(&conversation.program);
    }
    let conversation = subagents::attach(conversation, found, &links, is_agent);
    finish(conversation, problems)
}

/// A conversation with nothing to read in it is none.
fn finish(conversation: Conversation, problems: Vec<Problems>) -> Reading {
    Reading::settled(conversation, problems, |notice| {
        notice.kind == NoticeKind::Unknown && notice.body.is_none()
    })
}

/// A subagent's file.
fn read_member(
    member: &File,
    source: &Source,
    links: &mut BTreeMap<String, String>,
    problems: &mut Problems,
) -> Found {
    let mut transcript = Transcript::of_lines(member, BTreeSet::new(), problems);
    let mut rows = std::mem::take(&mut transcript.rows);
    rows.iter_mut().for_each(|row| row.side = None);
    let mut counts = Counts::default();
    let mut conversation = converse(rows, true, source, &mut counts, problems);
    counts.note(problems);
    add_facts(&mut conversation, &transcript, source);
    let meta = meta(source, member, problems);
    conversation.agent = Some(meta.agent);
    let id = match agent_of(member.stem()) {
        Some(id) => id.to_owned(),
        None => std::mem::take(&mut transcript.agent),
    };
    conversation.id.clone_from(&id);
    for (agent, call) in transcript.links {
        links.entry(agent).or_insert(call);
    }
    Found {
        conversation,
        id,
        call: meta.call,
    }
}

/// The id of the agent whose file has this stem.
fn agent_of(stem: &str) -> Option<&str> {
    stem.strip_prefix("agent-").filter(|id| !id.is_empty())
}

/// What the file beside an agent's says of it.
#[derive(Default)]
struct Meta {
    agent: Agent,
    /// The call that started it; empty when it is not said.
    call: String,
}

/// Reads the file that describes an agent, if there is one.
fn meta(source: &Source, file: &File, problems: &mut Problems) -> Meta {
    let Some(side) = source.side_file(&format!("{}.meta.json", file.stem())) else {
        return Meta::default();
    };
    let Some(text) = side_text(side, problems) else {
        return Meta::default();
    };
    match Object::parse(text.trim()) {
        Ok(meta) => Meta {
            agent: Agent {
                kind: meta.string("agentType"),
                description: meta.text("description").map(Into::into),
            },
            call: meta.string("toolUseId"),
        },
        Err(error) => {
            let (line, what) = records::describe(&error, 1, 0);
            problems.warn(None, format!("{}:{line}: {what}", side.name));
            Meta::default()
        }
    }
}

/// Whether the records of a file are all a subagent's.
fn is_agents_own(rows: &[Row]) -> bool {
    let mut said = rows
        .iter()
        .filter(|row| matches!(row.what, What::Said(_) | What::Wrote(_)))
        .peekable();
    said.peek().is_some() && said.all(|row| row.side.as_ref().is_some_and(|s| s.call.is_empty()))
}

/// Whether the program only warmed an agent up, which nobody asked for.
fn is_warm_up(conversation: &Conversation) -> bool {
    let mut prompts = conversation.entries.iter().filter_map(|entry| match entry {
        Entry::Prompt(prompt) => Some(prompt),
        _ => None,
    });
    let first = prompts.next();
    first.is_some_and(|prompt| prompt.parts == [Part::Text("Warmup".to_owned())])
        && prompts.next().is_none()
}

/// The title that the person, else the program, gave to this conversation and no other.
fn title(transcript: &mut Transcript, rows: &[Row]) -> Option<String> {
    let summaries = std::mem::take(&mut transcript.summaries);
    let mut given = None;
    let mut here = HashSet::new();
    if !summaries.is_empty() {
        here.extend(rows.iter().map(|row| row.uuid.as_str()));
    }
    for (leaf, title) in summaries {
        if here.contains(leaf.as_str()) {
            given = Some(title);
        } else {
            transcript.hide("titles of other conversations");
        }
    }
    let (own, generated) = &transcript.titles;
    own.clone().or(generated.clone()).or(given)
}

fn add_facts(conversation: &mut Conversation, transcript: &Transcript, source: &Source) {
    conversation.id = id(transcript, &source.main);
    conversation.program = super::PROGRAM.to_owned();
    conversation.version.clone_from(&transcript.version);
    conversation.project.clone_from(&transcript.project);
    conversation.branch.clone_from(&transcript.branch);
    let costs = (!transcript.costs.is_empty()).then(|| transcript.costs.values().sum());
    conversation.cost_usd = transcript.cost.or(costs);
    for (kind, count) in &transcript.unshown {
        *conversation.unshown.entry(kind.clone()).or_default() += count;
    }
}

/// The session's id: the file's name when that is one, else the id that most records have. A
/// resumed session has its parent's records before its own, with their ids.
fn id(transcript: &Transcript, file: &File) -> String {
    if super::is_uuid(file.stem()) || transcript.sessions.has(file.stem()) {
        return file.stem().to_owned();
    }
    if let Some(agent) = agent_of(file.stem()) {
        return agent.to_owned();
    }
    transcript.sessions.most().unwrap_or_default().to_owned()
}

/// One conversation out of its rows.
fn converse(
    mut rows: Vec<Row>,
    is_agent: bool,
    source: &Source,
    counts: &mut Counts,
    problems: &mut Problems,
) -> Conversation {
    note_backward_times(&rows, problems);
    queue::settle(&mut rows);
    let pairs = Pairs::gather(&mut rows, counts, problems);
    let links: Vec<_> = rows.iter().map(Row::link).collect();
    let steps = branches::arrange(&links, counts, problems);
    let problems = RefCell::new(problems);
    let mut context = flow::Context {
        pairs,
        usage: usage_by_message(&rows),
        saved: &|path| saved_output(source, path, &mut problems.borrow_mut()),
        is_agent,
    };
    Conversation {
        entries: flow::entries(steps, &mut rows, &mut context),
        ..Conversation::default()
    }
}

/// The tokens of each message: its lines repeat them, the early ones in part.
fn usage_by_message(rows: &[Row]) -> HashMap<String, Usage> {
    let mut tokens: HashMap<String, Usage> = HashMap::new();
    for row in rows {
        let What::Wrote(message) = &row.what else {
            continue;
        };
        let Some(usage) = message.usage.filter(|_| !message.id.is_empty()) else {
            continue;
        };
        let known = tokens.entry(message.id.clone()).or_default();
        known.input = known.input.max(usage.input);
        known.output = known.output.max(usage.output);
        known.cache_read = known.cache_read.max(usage.cache_read);
        known.cache_write = known.cache_write.max(usage.cache_write);
    }
    tokens
}

/// Says once where time runs backwards by more than the writer's jitter.
fn note_backward_times(rows: &[Row], problems: &mut Problems) {
    let mut times = rows.iter().filter_map(|row| Some((row.line, row.time?)));
    let Some((_, mut last)) = times.next() else {
        return;
    };
    let mut back = Vec::new();
    for (line, time) in times {
        if time.as_millisecond() + 1_000 < last.as_millisecond() {
            back.push(line);
        }
        last = time;
    }
    match back.as_slice() {
        [] => {}
        [line] => problems.note(*line, "time runs backwards"),
        [line, ..] => problems.note(*line, format!("time runs backwards, {} times", back.len())),
    }
}

/// An output that was saved in a file of its own.
fn saved_output(source: &Source, path: &str, problems: &mut Problems) -> TextFile {
    let file_name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let file = source
        .side_file(&format!("tool-results/{file_name}"))
        .or_else(|| source.side_file(file_name));
    TextFile {
        name: file_name.to_owned(),
        text: file.and_then(|file| side_text(file, problems)),
        bytes: file.map(|file| file.size),
    }
}

/// The text of a file beside the session, with a warning for what of it is not as it was saved;
/// `None` when it cannot be read.
fn side_text(file: &File, problems: &mut Problems) -> Option<String> {
    let name = &file.name;
    let mut bytes = Vec::new();
    let read = file
        .open()
        .and_then(|opened| opened.take(LARGEST_SIDE_FILE).read_to_end(&mut bytes));
    if let Err(error) = read {
        problems.warn(None, format!("{name}: cannot be read: {error}"));
        return None;
    }
    if file.size > LARGEST_SIDE_FILE {
        let most = LARGEST_SIDE_FILE >> 20;
        problems.warn(None, format!("{name}: only its first {most} MiB are shown"));
    }
    Some(String::from_utf8(bytes).unwrap_or_else(|error| {
        let at = error.utf8_error().valid_up_to() + 1;
        problems.warn(None, format!("{name}: invalid UTF-8 at byte {at}"));
        String::from_utf8_lossy(error.as_bytes()).into_owned()
    }))
}
