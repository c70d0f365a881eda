//! Prompts, replies and what stands between them, as they are read.

use std::collections::BTreeMap;

use askama::Template;

use crate::figures::{Clock, count, counted, duration, machine_time};
use crate::html::{Html, SafeUrl, Text};
use crate::markdown;
use crate::model::{
    Anchor, Author, Conversation, Entry, Notice, Part, Prompt, Reply, ReplyStatus, SourceLink,
    Timestamp, ToolCall,
};
use crate::steps::{Block, Phrase, Step, Summary, Tally, blocks, live_line};
use crate::tools::{Act, Drawing, Link, attachment, card, fold, notice, pictures};

/// A prompt longer than this is clamped, with a fold.
const LONG_LINES: usize = 40;
const LONG_BYTES: usize = 4_000;

/// What turns are drawn with, beyond what their cards need.
pub(crate) struct Turns<'a> {
    /// The cards' drawing.
    pub(crate) drawing: Drawing<'a>,
    /// The time zone.
    pub(crate) clock: &'a Clock,
    /// Whether runs of steps are folded.
    pub(crate) folds_runs: bool,
    /// The pages of subagents that have their own.
    pub(crate) agents: &'a BTreeMap<Anchor, String>,
    /// How many conversations this one stands in.
    pub(crate) depth: usize,
}

/// A moment as a page writes it.
pub(crate) struct Moment {
    pub(crate) machine: String,
    pub(crate) words: String,
}

impl Moment {
    pub(crate) fn minute(time: Timestamp, clock: &Clock) -> Self {
        Self {
            machine: machine_time(time),
            words: clock.minute(time),
        }
    }
}

#[derive(Template)]
#[template(path = "prompt.html")]
struct PromptTemplate<'a> {
    anchor: Anchor,
    is_top: bool,
    who: Text<'a>,
    queued: bool,
    time: Option<Moment>,
    number: usize,
    asides: Vec<Html>,
    is_long: bool,
    parts: Vec<Html>,
}

#[derive(Template)]
#[template(path = "reply.html")]
struct ReplyTemplate<'a> {
    anchor: Anchor,
    starts_here: bool,
    parts: Vec<Html>,
    live: Option<Text<'a>>,
    sources: Html,
    ending: Option<Ending<'a>>,
    foot: Vec<FootItem>,
    goes_on: bool,
}

struct Ending<'a> {
    is_error: bool,
    words: Text<'a>,
}

struct FootItem {
    words: String,
    is_model: bool,
}

impl FootItem {
    fn text(&self) -> Text<'_> {
        Text(&self.words)
    }
}

#[derive(Template)]
#[template(path = "run.html")]
struct RunTemplate<'a> {
    summary: Option<SummaryHtml<'a>>,
    rows: Vec<RowHtml>,
}

struct SummaryHtml<'a> {
    phrases: Vec<PhraseHtml<'a>>,
    more: u64,
    failed: u64,
    incomplete: u64,
}

struct PhraseHtml<'a> {
    text: Text<'a>,
    code: bool,
    times: Option<String>,
}

struct RowHtml {
    is_step: bool,
    html: Html,
}

#[derive(Template)]
#[template(path = "text.html")]
struct TextTemplate {
    html: Html,
}

#[derive(Template)]
#[template(path = "failure.html")]
struct FailureTemplate<'a> {
    message: Text<'a>,
    code: Option<Text<'a>>,
}

#[derive(Template)]
#[template(path = "versions.html")]
struct VersionsTemplate {
    words: String,
    versions: Vec<Html>,
}

#[derive(Template)]
#[template(path = "child.html")]
struct ChildTemplate<'a> {
    title: Text<'a>,
    facts: String,
    body: Html,
    url: Option<SafeUrl>,
}

/// The stretch of a conversation that one page shows.
#[derive(Clone, Copy)]
pub(crate) struct Stretch {
    /// The first entry, and the first of its parts.
    pub(crate) from: (usize, usize),
    /// Where the stretch ends, not included; `None` for the end of the conversation.
    pub(crate) to: Option<(usize, usize)>,
}

impl Stretch {
    /// A whole conversation.
    pub(crate) const WHOLE: Stretch = Stretch {
        from: (0, 0),
        to: None,
    };

    /// The parts of an entry that are in it; `None` when none is.
    fn parts(self, entry: usize, len: usize) -> Option<std::ops::Range<usize>> {
        let start = if entry == self.from.0 { self.from.1 } else { 0 };
        let end = match self.to {
            Some((last, part)) if entry == last => part,
            Some((last, _)) if entry > last => return None,
            _ => len,
        };
        // An entry without parts is on the page that it begins on.
        let ends_before = self
            .to
            .is_some_and(|(last, part)| entry == last && part == 0);
        (entry >= self.from.0 && !ends_before && (start < end || len == 0)).then_some(start..end)
    }
}

impl Turns<'_> {
    /// Draws a stretch of entries. `numbered` is the number of the first prompt among them.
    pub(crate) fn entries(&self, entries: &[Entry], stretch: Stretch, numbered: usize) -> Html {
        let mut html = Html::default();
        let mut number = numbered;
        for (index, entry) in entries.iter().enumerate() {
            let len = if let Entry::Reply(reply) = entry {
                reply.parts.len()
            } else {
                0
            };
            let Some(parts) = stretch.parts(index, len) else {
                continue;
            };
            match entry {
                Entry::Prompt(prompt) => {
                    html.push(&self.prompt(prompt, number));
                    number += 1;
                }
                Entry::Reply(reply) => html.push(&self.reply(reply, parts)),
                Entry::Notice(told) => html.push(&self.notice(told)),
                Entry::Versions(versions) => html.push(&self.versions(versions, number)),
            }
        }
        html
    }

    fn notice(&self, told: &Notice) -> Html {
        notice(told, &self.drawing)
    }

    fn prompt(&self, prompt: &Prompt, number: usize) -> Html {
        let who = match &prompt.author {
            Author::Person => "You",
            Author::Agent(None) => "Task",
            Author::Agent(Some(name)) => name,
        };
        let scope = format!("m-{}", prompt.anchor);
        let texts = || {
            prompt.parts.iter().filter_map(|part| {
                if let Part::Text(text) = part {
                    Some(text)
                } else {
                    None
                }
            })
        };
        Html::render(&PromptTemplate {
            anchor: prompt.anchor,
            is_top: self.depth == 0,
            who: Text(who),
            queued: prompt.queued,
            time: prompt.time.map(|time| Moment::minute(time, self.clock)),
            number,
            asides: prompt
                .asides
                .iter()
                .map(|aside| self.notice(aside))
                .collect(),
            is_long: texts().map(String::len).sum::<usize>() > LONG_BYTES
                || texts().map(|text| text.lines().count()).sum::<usize>() > LONG_LINES,
            parts: prompt
                .parts
                .iter()
                .enumerate()
                .map(|(index, part)| match (part, &prompt.author) {
                    (Part::Text(text), Author::Person) => markdown::prompt(text),
                    // What another agent wrote is a model's Markdown.
                    (Part::Text(text), _) => markdown::html(text, &format!("{scope}-{index}")),
                    (part, _) => self.part(part, &scope),
                })
                .collect(),
        })
    }

    fn reply(&self, reply: &Reply, range: std::ops::Range<usize>) -> Html {
        let is_whole_end = range.end >= reply.parts.len();
        let scope = format!("m-{}", reply.anchor);
        let mut parts = Vec::new();
        for (index, block) in blocks(&reply.parts[range.clone()]).into_iter().enumerate() {
            parts.push(match block {
                Block::Run(steps) => self.run(&steps, reply.status),
                Block::Part(part) => self.part(part, &format!("{scope}-{}", range.start + index)),
            });
        }
        let live = live_line(reply, self.drawing.registry).filter(|_| is_whole_end);
        let ending = match (reply.status, reply.error.as_deref()) {
            (_, Some(error)) => Some(Ending {
                is_error: true,
                words: Text(error),
            }),
            (ReplyStatus::Error, None) => Some(Ending {
                is_error: true,
                words: Text("This reply ended in an error."),
            }),
            // Most programs say at the end who stopped it.
            (ReplyStatus::Cancelled, None) if !reply.tells_its_stop() => Some(Ending {
                is_error: false,
                words: Text("Stopped."),
            }),
            _ => None,
        };
        Html::render(&ReplyTemplate {
            anchor: reply.anchor,
            starts_here: range.start == 0,
            parts,
            live: live.as_deref().map(Text),
            sources: if is_whole_end {
                self.sources(reply)
            } else {
                Html::default()
            },
            ending: ending.filter(|_| is_whole_end),
            foot: if is_whole_end {
                self.foot(reply)
            } else {
                Vec::new()
            },
            goes_on: !is_whole_end,
        })
    }

    /// The pages that a reply cites.
    fn sources(&self, reply: &Reply) -> Html {
        let link = |source: &SourceLink| Link::new(source.title.as_deref(), &source.url, None);
        let links: Vec<Link> = reply.sources.iter().map(link).collect();
        if links.is_empty() {
            Html::default()
        } else {
            fold(&links, &self.drawing.fresh_id())
        }
    }

    /// The quiet line under a reply: model, time, duration, tokens.
    fn foot(&self, reply: &Reply) -> Vec<FootItem> {
        let mut items: Vec<FootItem> = reply
            .models
            .iter()
            .map(|model| FootItem {
                words: model.clone(),
                is_model: true,
            })
            .collect();
        let mut add = |words: String| {
            items.push(FootItem {
                words,
                is_model: false,
            })
        };
        if let Some(start) = reply.start {
            add(self.clock.minute(start));
        }
        let took = reply
            .ms
            .or_else(|| crate::figures::between(reply.start, reply.end));
        if let Some(ms) = took.filter(|ms| *ms >= 1_000) {
            add(duration(ms));
        }
        if let Some(usage) = reply.usage.filter(|usage| usage.total() > 0) {
            add(format!("{} tokens", count(usage.total())));
        }
        items
    }

    fn part(&self, part: &Part, scope: &str) -> Html {
        match part {
            Part::Text(text) => Html::render(&TextTemplate {
                html: markdown::html(text, scope),
            }),
            Part::Image(image) => pictures(std::slice::from_ref(image), &self.drawing),
            Part::File(file) => attachment(file, &self.drawing),
            Part::Notice(told) => self.notice(told),
            Part::Error { message, code } => Html::render(&FailureTemplate {
                message: Text(message),
                code: code.as_deref().map(Text),
            }),
            // Steps are drawn in their runs.
            Part::Reasoning(reasoning) => card::thought(reasoning, &self.drawing, true),
            Part::Tool(call) => self.call(call, ReplyStatus::Unknown, true, None),
        }
    }

    /// A run of steps: one alone stands by itself, several fold under their summary.
    fn run(&self, steps: &[Step<'_>], status: ReplyStatus) -> Html {
        let is_lone = steps.iter().filter(|step| step.is_step()).count() < 2;
        let mut tally = Tally::default();
        let rows: Vec<RowHtml> = steps
            .iter()
            .map(|step| RowHtml {
                is_step: step.is_step(),
                html: match step {
                    Step::Thought(reasoning) => {
                        tally.add_thought(reasoning);
                        card::thought(reasoning, &self.drawing, is_lone || !self.folds_runs)
                    }
                    Step::Call(call) => self.call(call, status, is_lone, Some(&mut tally)),
                    Step::Remark(told) => self.notice(told),
                },
            })
            .collect();
        if is_lone || !self.folds_runs {
            // Flat cards stand like lone ones, without a number and a fold.
            return Html::render(&RunTemplate {
                summary: None,
                rows,
            });
        }
        let summary = tally.summary();
        Html::render(&RunTemplate {
            summary: Some(SummaryHtml::of(&summary)),
            rows,
        })
    }

    fn call(
        &self,
        call: &ToolCall,
        status: ReplyStatus,
        is_lone: bool,
        tally: Option<&mut Tally>,
    ) -> Html {
        let act = Act::new(call, status, self.drawing.registry, self.drawing.project);
        if let Some(tally) = tally {
            tally.add_call(&act);
        }
        let child = call.child.as_ref().map(|child| self.child(child));
        card::card(&act, &self.drawing, child, is_lone || !self.folds_runs)
    }

    /// A subagent's conversation, in place or as a link to its page.
    pub(crate) fn child(&self, child: &Conversation) -> Html {
        let page = self.agents.get(&child.anchor);
        let facts = crate::model::Facts::of(child);
        let mut words = Vec::new();
        // What only holds the agents that one call started has no calls of its own.
        if !child.entries.is_empty() {
            words.push(counted(facts.calls, "tool call", "tool calls"));
        }
        if facts.failed > 0 {
            words.push(format!("{} failed", count(facts.failed)));
        }
        if let Some(ms) =
            crate::figures::between(child.start(), child.end()).filter(|ms| *ms >= 1_000)
        {
            words.push(duration(ms));
        }
        let description = child
            .agent
            .as_ref()
            .and_then(|agent| agent.description.as_deref());
        let title = description
            .or_else(|| child.heading())
            .unwrap_or("Subagent");
        let title = markdown::first_line(title, 100);
        let body = if page.is_some() {
            Html::default()
        } else {
            self.inside(child)
        };
        Html::render(&ChildTemplate {
            title: Text(&title),
            facts: words.join(" · "),
            body,
            url: page.map(|file| SafeUrl::local(file)),
        })
    }

    /// The same page, one conversation deeper.
    fn deeper(&self) -> Self {
        Turns {
            drawing: self.drawing,
            clock: self.clock,
            folds_runs: self.folds_runs,
            agents: self.agents,
            depth: self.depth + 1,
        }
    }

    /// A conversation inside another.
    fn inside(&self, child: &Conversation) -> Html {
        let turns = self.deeper();
        let mut html = turns.entries(&child.entries, Stretch::WHOLE, 1);
        for grandchild in &child.children {
            html.push(&turns.child(grandchild));
        }
        html
    }

    /// Branches that were left; their prompts are numbered on from where they began.
    fn versions(&self, versions: &[Vec<Entry>], numbered: usize) -> Html {
        let turns = self.deeper();
        Html::render(&VersionsTemplate {
            words: counted(versions.len() as u64, "other version", "other versions"),
            versions: versions
                .iter()
                .map(|entries| turns.entries(entries, Stretch::WHOLE, numbered))
                .collect(),
        })
    }
}

impl<'a> SummaryHtml<'a> {
    fn of(summary: &'a Summary) -> Self {
        Self {
            phrases: summary.phrases.iter().map(PhraseHtml::of).collect(),
            more: summary.more,
            failed: summary.failed,
            incomplete: summary.incomplete,
        }
    }
}

impl<'a> PhraseHtml<'a> {
    fn of(phrase: &'a Phrase) -> Self {
        let times = (phrase.times > 1).then(|| format!("\u{a0}×{}", phrase.times));
        Self {
            text: Text(&phrase.text),
            code: phrase.code,
            times,
        }
    }
}
