//! What would be read, without building it: the conversations with their figures, and the tools
//! that were used with the views that draw them.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::error::{Error, Problem};
use crate::figures;
use crate::formats::Format;
use crate::model::{Conversation, Entry, Facts, Part, Timestamp, ToolCall};
use crate::pages::title;
use crate::redact::Redactor;
use crate::source::Source;
use crate::tools::Registry;

use super::read::{Read, nothing_shown, read};
use super::{Event, Options, found, in_parallel, in_threads, redactor, sorted};

/// How long a title may be.
const TITLE: usize = 120;

/// What there is.
#[derive(Debug, Default)]
pub struct Listing {
    /// The conversations, the newest first, those of one moment in the order of their files.
    pub conversations: Vec<Listed>,
    /// The tools, by format and name.
    pub tools: Vec<ToolUse>,
    /// What could not be read as it stands, sorted by place.
    pub problems: Vec<Problem>,
}

/// A conversation, as far as a list shows it. What a build redacts is redacted here as well.
#[derive(Debug)]
pub struct Listed {
    /// The name of the format that read it.
    pub format: &'static str,
    /// The path of its main file.
    pub path: String,
    /// The format's own id; may be empty.
    pub id: String,
    /// Its title.
    pub title: String,
    /// The folder or project that it was about.
    pub project: Option<String>,
    /// When it began.
    pub start: Option<Timestamp>,
    /// Its figures.
    pub facts: Facts,
    /// In how many places something is redacted.
    pub redactions: u64,
    /// How many problems its files have.
    pub problems: usize,
}

/// A tool that was called.
#[derive(Debug, PartialEq, Eq)]
pub struct ToolUse {
    /// The name of the format.
    pub format: &'static str,
    /// The tool's name.
    pub name: String,
    /// The name of the view that draws it; a tool that does several acts has several.
    pub view: &'static str,
    /// How often it was called, in subagents and branches as well.
    pub count: u64,
}

/// Lists what a build with these options would read; nothing is written.
///
/// # Errors
/// When the number of threads cannot be had.
pub fn list(options: &Options, progress: &(dyn Fn(Event) + Sync)) -> Result<Listing, Error> {
    in_threads(options, || list_here(options, progress))
}

fn list_here(options: &Options, progress: &(dyn Fn(Event) + Sync)) -> Listing {
    let redactor = redactor(options);
    let (sources, mut problems) = found(options, None);
    let size: u64 = sources.iter().map(|(source, _)| source.size()).sum();
    progress(Event::Planned(size));
    let read = in_parallel(&sources, |(source, format)| {
        let one = one(source, *format, &redactor, options);
        progress(Event::Done(source.size()));
        one
    });
    let mut listing = Listing::default();
    let mut tools = Tools::new();
    for (listed, used, told) in read {
        listing.conversations.extend(listed);
        for (tool, count) in used {
            *tools.entry(tool).or_insert(0) += count;
        }
        problems.extend(told);
    }
    listing
        .conversations
        .sort_by_key(|listed| Reverse(listed.start));
    let uses = tools.into_iter();
    listing.tools = uses
        .map(|((format, name, view), count)| ToolUse {
            format,
            name,
            view,
            count,
        })
        .collect();
    listing.problems = sorted(problems);
    listing
}

/// How often a tool was called, by format, name and view.
type Tools = BTreeMap<(&'static str, String, &'static str), u64>;

fn one(
    source: &Source,
    format: &'static dyn Format,
    redactor: &Redactor,
    options: &Options,
) -> (Option<Listed>, Tools, Vec<Problem>) {
    let Read {
        conversation,
        mut problems,
        ..
    } = read(source, format, redactor, options, None);
    let Some((_, conversation)) = conversation else {
        problems.extend(nothing_shown(source, &problems, options));
        return (None, Tools::new(), problems);
    };
    let registry = Registry::new(format.name(), &options.tool_views);
    let mut tools = Tools::new();
    each_call(&conversation, &mut |call| {
        let view = registry.view_name(call);
        *tools
            .entry((format.name(), call.name.clone(), view))
            .or_insert(0) += 1;
    });
    let listed = Listed {
        format: format.name(),
        path: source.main.path.clone(),
        title: figures::one_line(&title(&conversation), TITLE),
        start: conversation.start(),
        facts: Facts::of(&conversation),
        redactions: conversation.redactions,
        problems: problems.len(),
        project: conversation.project,
        id: conversation.id,
    };
    (Some(listed), tools, problems)
}

/// Sees every call of a conversation, of its subagents and of branches that were left.
fn each_call(conversation: &Conversation, see: &mut dyn FnMut(&ToolCall)) {
    for child in &conversation.children {
        each_call(child, see);
    }
    each_call_of(&conversation.entries, see);
}

fn each_call_of(entries: &[Entry], see: &mut dyn FnMut(&ToolCall)) {
    for entry in entries {
        match entry {
            Entry::Reply(reply) => {
                for part in &reply.parts {
                    if let Part::Tool(call) = part {
                        see(call);
                        if let Some(child) = &call.child {
                            each_call(child, see);
                        }
                    }
                }
            }
            Entry::Versions(versions) => {
                for entries in versions {
                    each_call_of(entries, see);
                }
            }
            Entry::Prompt(_) | Entry::Notice(_) => {}
        }
    }
}
