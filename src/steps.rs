//! Which parts of a reply belong together, and what they are called in one line: runs of steps,
//! their summary, the live line.

use crate::figures::duration;
use crate::model::{Notice, NoticeKind, Part, Reasoning, Reply, ReplyStatus, ToolCall, ToolStatus};
use crate::tools::{Act, Label, Registry};

/// More different phrases than this are cut in a summary.
const PHRASES: usize = 6;

/// What stands in a reply, in order.
#[derive(Debug, PartialEq)]
pub(crate) enum Block<'a> {
    /// Consecutive steps.
    Run(Vec<Step<'a>>),
    /// Anything else.
    Part(&'a Part),
}

/// One row of a run.
#[derive(Debug, PartialEq)]
pub(crate) enum Step<'a> {
    /// Reasoning.
    Thought(&'a Reasoning),
    /// A tool call.
    Call(&'a ToolCall),
    /// A remark of the program that came between two steps; no step itself.
    Remark(&'a Notice),
}

impl Step<'_> {
    /// Whether it counts as a step.
    pub(crate) fn is_step(&self) -> bool {
        !matches!(self, Step::Remark(_))
    }
}

/// Groups parts into runs and the rest. Empty text does not end a run, nor do the small notices
/// of hooks and reminders; those behind its last step are not part of it.
pub(crate) fn blocks(parts: &[Part]) -> Vec<Block<'_>> {
    let mut blocks = Vec::new();
    let mut run: Vec<Step<'_>> = Vec::new();
    for part in parts {
        match part {
            Part::Reasoning(reasoning) => run.push(Step::Thought(reasoning)),
            Part::Tool(call) => run.push(Step::Call(call)),
            Part::Text(text) if text.trim().is_empty() => {}
            Part::Notice(notice) if !run.is_empty() && is_small(notice.kind) => {
                run.push(Step::Remark(notice))
            }
            part => {
                end_run(&mut run, &mut blocks, parts);
                blocks.push(Block::Part(part));
            }
        }
    }
    end_run(&mut run, &mut blocks, parts);
    blocks
}

fn end_run<'a>(run: &mut Vec<Step<'a>>, blocks: &mut Vec<Block<'a>>, parts: &'a [Part]) {
    let steps = run
        .iter()
        .rposition(Step::is_step)
        .map_or(0, |last| last + 1);
    let behind = run.split_off(steps);
    if !run.is_empty() {
        blocks.push(Block::Run(std::mem::take(run)));
    }
    for step in behind {
        let Step::Remark(notice) = step else { continue };
        let part = parts
            .iter()
            .find(|part| matches!(part, Part::Notice(told) if std::ptr::eq(told, notice)));
        blocks.extend(part.map(Block::Part));
    }
}

/// Whether a notice may stand between two steps without ending their run.
fn is_small(kind: NoticeKind) -> bool {
    matches!(
        kind,
        NoticeKind::Hook
            | NoticeKind::Reminder
            | NoticeKind::Context
            | NoticeKind::Task
            | NoticeKind::Info
            | NoticeKind::Command
            | NoticeKind::Unknown
    )
}

/// Counts the steps of a run, one after the other, for its summary.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    /// In order of first appearance; `None` is the key that all reasoning shares.
    labels: Vec<(Option<Label>, u64)>,
    thought_ms: Option<u64>,
    failed: u64,
    incomplete: u64,
}

/// One phrase of a summary: a label and how often it stands for a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Phrase {
    /// The words.
    pub(crate) text: String,
    /// Whether they are a tool's own name.
    pub(crate) code: bool,
    /// How many steps it stands for; 1 for reasoning, however often the model thought.
    pub(crate) times: u64,
}

/// The summary of a run, in parts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Summary {
    /// What was done, in order of first appearance.
    pub(crate) phrases: Vec<Phrase>,
    /// Steps that the phrases leave out.
    pub(crate) more: u64,
    /// Steps that failed.
    pub(crate) failed: u64,
    /// Steps without a result.
    pub(crate) incomplete: u64,
}

impl Tally {
    /// Counts a stretch of reasoning.
    pub(crate) fn add_thought(&mut self, reasoning: &Reasoning) {
        if let Some(ms) = reasoning.ms {
            self.thought_ms = Some(self.thought_ms.unwrap_or_default().saturating_add(ms));
        }
        self.count(None);
    }

    /// Counts a tool call.
    pub(crate) fn add_call(&mut self, act: &Act<'_>) {
        match act.status {
            ToolStatus::Error => self.failed += 1,
            ToolStatus::Incomplete => self.incomplete += 1,
            ToolStatus::Running | ToolStatus::Done => {}
        }
        self.count((!act.view.is_thought()).then(|| act.view.label(act)));
    }

    fn count(&mut self, key: Option<Label>) {
        match self.labels.iter_mut().find(|(known, _)| *known == key) {
            Some((_, times)) => *times += 1,
            None => self.labels.push((key, 1)),
        }
    }

    /// What the run comes to.
    pub(crate) fn summary(self) -> Summary {
        let thought_ms = self.thought_ms;
        let mut steps: Vec<(Phrase, u64)> = Vec::new();
        for (label, times) in self.labels {
            let phrase = match label {
                Some(label) => Phrase {
                    text: label.text,
                    code: label.code,
                    times,
                },
                None => Phrase {
                    text: thought(thought_ms),
                    code: false,
                    times: 1,
                },
            };
            steps.push((phrase, times));
        }
        let kept = if steps.len() > PHRASES {
            PHRASES - 1
        } else {
            steps.len()
        };
        let more = steps[kept..].iter().map(|(_, times)| times).sum();
        let phrases = steps
            .into_iter()
            .take(kept)
            .map(|(phrase, _)| phrase)
            .collect();
        Summary {
            phrases,
            more,
            failed: self.failed,
            incomplete: self.incomplete,
        }
    }
}

fn thought(ms: Option<u64>) -> String {
    ms.map_or_else(
        || "Thought".to_owned(),
        |ms| format!("Thought for {}", duration(ms)),
    )
}

/// What a reply that is still being written is doing; `None` for every other reply, and while it
/// writes text.
pub(crate) fn live_line(reply: &Reply, registry: Registry<'_>) -> Option<String> {
    if reply.status != ReplyStatus::Pending {
        return None;
    }
    let calls = reply.parts.iter().filter_map(|part| match part {
        Part::Tool(call) => Some(call),
        _ => None,
    });
    let running: Vec<_> = calls
        .filter(|call| call.status(reply.status) == ToolStatus::Running)
        .collect();
    if let Some(last) = running.last() {
        let act = Act::new(last, reply.status, registry, None);
        let activity = act.view.activity(&act);
        return Some(match running.len() {
            1 => format!("{activity}…"),
            several => format!("{activity}… (+{} more)", several - 1),
        });
    }
    match reply.parts.last() {
        None | Some(Part::Reasoning(_)) => Some("Thinking…".to_owned()),
        Some(Part::Tool(_)) => Some("Reading the results…".to_owned()),
        Some(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::LazyLock;

    use crate::model::{Input, ToolResult};
    use crate::tools::OwnViews;

    fn registry() -> Registry<'static> {
        static NONE: LazyLock<OwnViews> = LazyLock::new(OwnViews::default);
        Registry::new("scn_chat", &NONE)
    }

    fn call(tool: &str, result: Option<ToolResult>) -> Part {
        let input = Some(Input::Json("{}".into()));
        Part::Tool(Box::new(ToolCall {
            name: tool.into(),
            input,
            result,
            ..ToolCall::default()
        }))
    }

    fn done(tool: &str) -> Part {
        call(tool, Some(ToolResult::default()))
    }

    fn thinking(ms: Option<u64>) -> Part {
        Part::Reasoning(Reasoning {
            ms,
            ..Reasoning::default()
        })
    }

    /// The summary of one run as it is read.
    fn summary(parts: &[Part]) -> String {
        let blocks = blocks(parts);
        let [Block::Run(steps)] = &blocks[..] else {
            panic!("one run: {blocks:?}")
        };
        let mut tally = Tally::default();
        for step in steps {
            match step {
                Step::Thought(reasoning) => tally.add_thought(reasoning),
                Step::Call(call) => {
                    tally.add_call(&Act::new(call, ReplyStatus::Complete, registry(), None))
                }
                Step::Remark(_) => {}
            }
        }
        let summary = tally.summary();
        let mut words: Vec<_> = summary
            .phrases
            .iter()
            .map(|phrase| match phrase.times {
                1 => phrase.text.clone(),
                times => format!("{} ×{times}", phrase.text),
            })
            .collect();
        for (n, suffix) in [
            (summary.failed, "failed"),
            (summary.incomplete, "incomplete"),
        ] {
            if n > 0 {
                words.push(format!("{n} {suffix}"));
            }
        }
        if summary.more > 0 {
            words.push(format!("+{} more", summary.more));
        }
        words.join(" · ")
    }

    /// S2-05: labels in order of first appearance, repeats counted.
    #[test]
    fn s2_05_the_summary_counts_labels_in_order_of_first_appearance() {
        let r = |s: u64| thinking(Some(s * 1_000));
        let (ws, wf) = (|| done("web_search"), || done("web_fetch"));
        assert_eq!(
            summary(&[r(12), ws(), ws(), wf()]),
            "Thought for 12s · Searched the web ×2 · Read a page"
        );
        assert_eq!(
            summary(&[ws(), thinking(None), ws()]),
            "Searched the web ×2 · Thought"
        );
        assert_eq!(
            summary(&[r(4), ws(), r(8)]),
            "Thought for 12s · Searched the web"
        );
        assert_eq!(summary(&[done("foo"), done("foo")]), "foo ×2");
        assert_eq!(
            summary(&[thinking(None), r(3), done("foo")]),
            "Thought for 3s · foo"
        );
        assert_eq!(
            summary(&[thinking(Some(400)), done("foo")]),
            "Thought for <1s · foo"
        );
    }

    #[test]
    fn errors_always_show_in_the_summary() {
        let failed = || {
            call(
                "foo",
                Some(ToolResult {
                    is_error: true,
                    ..ToolResult::default()
                }),
            )
        };
        assert_eq!(
            summary(&[failed(), done("bar"), call("bar", None)]),
            "foo · bar ×2 · 1 failed · 1 incomplete"
        );
    }

    #[test]
    fn a_long_tail_of_phrases_is_counted_in_steps() {
        let parts: Vec<_> = ["a", "b", "c", "d", "e", "f", "g", "g"]
            .into_iter()
            .map(done)
            .collect();
        assert_eq!(summary(&parts), "a · b · c · d · e · +3 more");
        let parts: Vec<_> = ["a", "b", "c", "d", "e", "f"]
            .into_iter()
            .map(done)
            .collect();
        assert_eq!(summary(&parts), "a · b · c · d · e · f");
    }

    #[test]
    fn text_ends_a_run_and_empty_text_does_not() {
        let parts = [
            done("a"),
            Part::Text(" \n".into()),
            done("b"),
            Part::Text("words".into()),
            done("c"),
        ];
        let shape: Vec<_> = blocks(&parts)
            .iter()
            .map(|block| match block {
                Block::Run(steps) => steps.len(),
                Block::Part(_) => 0,
            })
            .collect();
        assert_eq!(shape, [2, 0, 1]);
    }

    #[test]
    fn a_hook_between_two_steps_stays_in_their_run_and_one_behind_them_does_not() {
        let hook = || Part::Notice(Notice::new(NoticeKind::Hook, "hook"));
        let parts = [done("a"), hook(), done("b"), hook()];
        let blocks = blocks(&parts);
        assert!(
            matches!(&blocks[..], [Block::Run(steps), Block::Part(Part::Notice(_))] if steps.len() == 3)
        );
    }

    /// S2-06: what the live line says, first match wins.
    #[test]
    fn s2_06_the_live_line_names_the_last_running_call() {
        let live = |parts: Vec<Part>| {
            live_line(
                &Reply {
                    status: ReplyStatus::Pending,
                    parts,
                    ..Reply::default()
                },
                registry(),
            )
        };
        assert_eq!(
            live(vec![call("web_search", None)]).as_deref(),
            Some("Searching the web…")
        );
        assert_eq!(
            live(vec![call("foo", None)]).as_deref(),
            Some("Running foo…")
        );
        let two = vec![call("foo", None), call("web_fetch", None)];
        assert_eq!(live(two).as_deref(), Some("Reading a page… (+1 more)"));
        assert_eq!(live(vec![]).as_deref(), Some("Thinking…"));
        assert_eq!(live(vec![thinking(None)]).as_deref(), Some("Thinking…"));
        assert_eq!(
            live(vec![done("foo")]).as_deref(),
            Some("Reading the results…")
        );
        assert_eq!(live(vec![done("foo"), Part::Text("So".into())]), None);
        let complete = Reply {
            status: ReplyStatus::Complete,
            ..Reply::default()
        };
        assert_eq!(live_line(&complete, registry()), None);
    }
}
