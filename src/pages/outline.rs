//! The outline: every prompt in order, with its time, its steps and its failures.

use crate::figures::{Clock, counted};
use crate::html::{SafeUrl, Text};
use crate::markdown;
use crate::model::{Author, Conversation, Entry, Part, Prompt, ToolStatus};

use super::header::steps_words;
use super::plan::{Cut, PagePlan};

/// Past this many prompts an outline lists its own page's, and links the other pages.
const MOST: usize = 200;
/// How long a row may be.
const ROW: usize = 120;

/// The view-model of the outline.
pub(super) struct Outline {
    /// Its heading.
    pub(super) words: String,
    /// One row for each prompt.
    pub(super) rows: Vec<Row>,
    /// Links to the other pages, when these have more prompts.
    pub(super) pages: Vec<(SafeUrl, String)>,
}

/// A prompt in the outline.
pub(super) struct Row {
    pub(super) url: SafeUrl,
    words: String,
    pub(super) facts: Vec<String>,
    pub(super) failed: Option<String>,
}

impl Row {
    /// The prompt's first line.
    pub(super) fn words(&self) -> Text<'_> {
        Text(&self.words)
    }
}

impl Outline {
    /// The outline of a page; `None` when there are fewer than two prompts to list.
    pub(super) fn of(plan: &PagePlan<'_>, clock: &Clock) -> Option<Self> {
        let conversation = plan.conversation;
        let prompts = prompts(conversation);
        if prompts.len() < 2 {
            return None;
        }
        let page_of = |entry: usize| plan.page_of(Cut { entry, part: 0 });
        let all = prompts.len();
        let is_long = all > MOST;
        let rows = prompts
            .into_iter()
            .filter(|(entry, _)| !is_long || page_of(*entry) == plan.number)
            .map(|(entry, prompt)| {
                let page = page_of(entry);
                let file = if page == plan.number {
                    String::new()
                } else {
                    plan.sibling(page)
                };
                Row::of(conversation, entry, prompt, &file, clock)
            })
            .collect();
        let pages = (1..=plan.of()).filter(|page| is_long && *page != plan.number);
        Some(Outline {
            words: counted(all as u64, "prompt", "prompts"),
            rows,
            pages: pages
                .map(|page| (SafeUrl::local(&plan.sibling(page)), format!("Page {page}")))
                .collect(),
        })
    }
}

/// Every prompt with the index of its entry.
fn prompts(conversation: &Conversation) -> Vec<(usize, &Prompt)> {
    let entries = conversation.entries.iter().enumerate();
    entries
        .filter_map(|(index, entry)| {
            if let Entry::Prompt(prompt) = entry {
                Some((index, prompt))
            } else {
                None
            }
        })
        .collect()
}

impl Row {
    fn of(
        conversation: &Conversation,
        entry: usize,
        prompt: &Prompt,
        file: &str,
        clock: &Clock,
    ) -> Self {
        let (steps, failed) = reply_figures(&conversation.entries[entry + 1..]);
        let mut facts: Vec<String> = prompt
            .time
            .map(|time| clock.minute(time))
            .into_iter()
            .collect();
        facts.extend(steps_words(steps));
        Row {
            url: SafeUrl::local(&format!("{file}#m-{}", prompt.anchor)),
            words: words_of(prompt),
            facts,
            failed: (failed > 0).then(|| format!("{failed} failed")),
        }
    }
}

/// What a row says of a prompt: its first line, else what it holds.
fn words_of(prompt: &Prompt) -> String {
    let text = prompt.parts.iter().find_map(|part| match part {
        Part::Text(text) => Some(markdown::first_line(text, ROW)).filter(|line| !line.is_empty()),
        _ => None,
    });
    let name = match &prompt.author {
        Author::Agent(Some(name)) => format!("{name}: "),
        _ => String::new(),
    };
    let text = text.unwrap_or_else(|| {
        let has_image = prompt
            .parts
            .iter()
            .any(|part| matches!(part, Part::Image(_)));
        if has_image {
            "An image"
        } else {
            "A prompt without words"
        }
        .to_owned()
    });
    format!("{name}{text}")
}

/// Steps and failures of what follows, up to the next prompt.
fn reply_figures(entries: &[Entry]) -> (u64, u64) {
    let mut figures = (0, 0);
    for entry in entries {
        match entry {
            Entry::Prompt(_) => break,
            Entry::Reply(reply) => {
                for part in &reply.parts {
                    match part {
                        Part::Tool(call) => {
                            figures.0 += 1;
                            figures.1 += u64::from(call.status(reply.status) == ToolStatus::Error);
                        }
                        Part::Reasoning(_) => figures.0 += 1,
                        _ => {}
                    }
                }
            }
            Entry::Notice(_) | Entry::Versions(_) => {}
        }
    }
    figures
}
