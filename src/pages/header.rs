//! The head of a conversation's page: where it comes from, its figures, and what is not shown.

use crate::figures::{Clock, count, counted, duration, machine_time};
use crate::html::Text;
use crate::markdown;
use crate::model::{Conversation, Facts};

/// How long a title may be that is a prompt's first line, and one that the file itself gives.
const FIRST_LINE: usize = 100;
const TITLE: usize = 400;

/// The view-model of the head.
pub(super) struct Header {
    /// The heading.
    pub(super) title: String,
    /// The program with its version, the models, the branch, the project: foreign words.
    pub(super) origin: Vec<String>,
    /// The moments, in machine form and in words.
    pub(super) span: Option<(String, String)>,
    /// The time zone's name.
    pub(super) zone: String,
    /// From the first to the last message.
    pub(super) took: Option<String>,
    /// Counts, with their nouns.
    pub(super) figures: Vec<Figure>,
    /// What is left out, each with its count.
    pub(super) unshown: Vec<String>,
}

/// A count with its noun.
pub(super) struct Figure {
    pub(super) number: String,
    pub(super) noun: &'static str,
    pub(super) is_bad: bool,
}

/// How many records of a kind there are. Kinds are named in the plural.
fn of_kind(number: u64, kind: &str) -> String {
    /// What may follow the noun of a kind.
    const FOLLOWS: [&str; 5] = [":", " of ", " that ", " without ", " given "];
    if number != 1 {
        return format!("{} {kind}", count(number));
    }
    let ends = FOLLOWS.iter().filter_map(|next| kind.find(next));
    let end = ends.min().unwrap_or(kind.len());
    let (noun, rest) = kind.split_at(end);
    let rest = rest.replacen(" that are ", " that is ", 1);
    if let Some(stem) = noun.strip_suffix("ies") {
        return format!("1 {stem}y{rest}");
    }
    let is_plural = !["ss", "is", "us"].iter().any(|end| noun.ends_with(end));
    let noun = noun.strip_suffix('s').filter(|_| is_plural).unwrap_or(noun);
    format!("1 {noun}{rest}")
}

impl Header {
    /// The head of a conversation.
    pub(super) fn of(conversation: &Conversation, clock: &Clock) -> Self {
        let facts = Facts::of(conversation);
        let program = match &conversation.version {
            Some(version) => format!("{} {version}", conversation.program),
            None => conversation.program.clone(),
        };
        let mut origin = vec![program];
        origin.extend(facts.models.iter().cloned());
        origin.extend(
            conversation
                .branch
                .iter()
                .map(|branch| format!("branch {branch}")),
        );
        origin.extend(conversation.project.iter().cloned());
        let (start, end) = (conversation.start(), conversation.end());
        Header {
            title: title(conversation),
            origin: origin
                .into_iter()
                .filter(|words| !words.trim().is_empty())
                .collect(),
            span: start
                .zip(end)
                .map(|(start, end)| (machine_time(start), clock.span(start, end))),
            zone: clock.name().to_owned(),
            took: crate::figures::between(start, end)
                .filter(|ms| *ms >= 1_000)
                .map(duration),
            figures: figures(conversation, &facts),
            unshown: conversation
                .unshown
                .iter()
                .map(|(kind, number)| of_kind(*number, kind))
                .collect(),
        }
    }

    /// The heading as foreign text.
    pub(super) fn heading(&self) -> Text<'_> {
        Text(&self.title)
    }

    /// The origin's words as foreign text.
    pub(super) fn origin(&self) -> impl Iterator<Item = Text<'_>> {
        self.origin.iter().map(|words| Text(words))
    }

    /// What is left out, as foreign text: kinds of records are the vendor's words.
    pub(super) fn unshown(&self) -> impl Iterator<Item = Text<'_>> {
        self.unshown.iter().map(|words| Text(words))
    }
}

/// The title that a page and the index show.
pub(crate) fn title(conversation: &Conversation) -> String {
    let most = if conversation.title.is_some() {
        TITLE
    } else {
        FIRST_LINE
    };
    let heading = conversation
        .heading()
        .map(|heading| markdown::first_line(heading, most));
    heading
        .filter(|heading| !heading.is_empty())
        .unwrap_or_else(|| "Untitled conversation".to_owned())
}

fn figures(conversation: &Conversation, facts: &Facts) -> Vec<Figure> {
    let mut figures = Vec::new();
    let mut add = |n: u64, one: &'static str, many: &'static str, is_bad: bool| {
        if n > 0 {
            figures.push(Figure {
                number: count(n),
                noun: if n == 1 { one } else { many },
                is_bad,
            });
        }
    };
    add(facts.prompts, "prompt", "prompts", false);
    add(facts.replies, "reply", "replies", false);
    add(facts.calls, "tool call", "tool calls", false);
    add(facts.failed, "failed", "failed", true);
    add(facts.agents, "subagent", "subagents", false);
    if let Some(usage) = &facts.usage {
        add(usage.total(), "token", "tokens", false);
        if usage.output > 0 && usage.total() > usage.output {
            figures.push(Figure {
                number: count(usage.output),
                noun: "written",
                is_bad: false,
            });
        }
    }
    if let Some(cost) = conversation
        .cost_usd
        .filter(|cost| cost.is_finite() && *cost > 0.0)
    {
        figures.push(Figure {
            number: format!("${cost:.2}"),
            noun: "",
            is_bad: false,
        });
    }
    let redactions = conversation.redactions;
    if redactions > 0 {
        figures.push(Figure {
            number: count(redactions),
            noun: if redactions == 1 {
                "redaction"
            } else {
                "redactions"
            },
            is_bad: false,
        });
    }
    figures
}

/// `12 steps`, `1 step`: what an outline says of a reply.
pub(super) fn steps_words(steps: u64) -> Option<String> {
    (steps > 0).then(|| counted(steps, "step", "steps"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_record_is_named_in_the_singular() {
        assert_eq!(of_kind(2, "events"), "2 events");
        assert_eq!(
            of_kind(1, "events: session.error"),
            "1 event: session.error"
        );
        assert_eq!(
            of_kind(1, "system records: empty"),
            "1 system record: empty"
        );
        assert_eq!(of_kind(1, "progress reports"), "1 progress report");
        assert_eq!(of_kind(1, "rows that are no JSON"), "1 row that is no JSON");
        assert_eq!(of_kind(1, "telemetry"), "1 telemetry");
        assert_eq!(of_kind(1, "record that is none"), "1 record that is none");
        assert_eq!(of_kind(1, "states of extensions"), "1 state of extensions");
    }
}
