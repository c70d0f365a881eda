//! Tool views: a tool call becomes one card, with words for its row, the steps summary and the
//! live line. One view for each kind of act, not for each vendor's tool.
//!
//! To add one:
//! 1. `src/tools/<name>.rs`: a unit struct, its `impl ToolView`, and the struct of its body.
//! 2. `templates/tools/<name>.html`: the body.
//! 3. Here: its `mod` line and its row in [`TOOL_VIEWS`]. A name that is taken fails the suite.
//!
//! The suite asks for a call of it in `tests/suite/cards/rows.jsonl`, the table of golden cards.
//!
//! A view only chooses words and fills its body; status, badges, the fold and all that every
//! card has in common are drawn by [`card`]. A view whose call has another shape than it expects
//! returns `None` from [`ToolView::body`], and the default body stands there.

mod act;
mod args;
mod attachment;
mod blocks;
#[cfg(test)]
mod bounds;
mod boxes;
pub(crate) mod card;
#[cfg(test)]
mod checklist;
mod drawing;
mod fold;
mod json;
mod notice;
mod outcome;
mod own;
mod patch_text;
mod pictures;
mod range;
mod registry;
mod replacements;
mod search_hits;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod vendors;

mod agent;
mod agent_msg;
mod agent_read;
mod artifact;
mod ask;
mod browser;
mod code;
mod code_search;
mod debug;
mod default;
mod diagnostics;
mod edit;
mod file_op;
mod finish;
mod github;
mod glob;
mod grep;
mod image_gen;
mod image_view;
mod list;
mod lookup;
mod lsp;
mod mcp_call;
mod mcp_res;
mod memory;
mod notebook;
mod patch;
mod plan;
mod read;
mod read_many;
mod schedule;
mod session;
mod shell;
mod shell_io;
mod shell_kill;
mod skill;
mod think;
mod todo;
mod tool_search;
mod video_transcript;
mod vision;
mod web_fetch;
mod web_search;
mod write;

use crate::html::Html;

pub(crate) use act::Act;
pub(crate) use attachment::attachment;
pub(crate) use drawing::{Drawing, Limits, Sheet};
pub(crate) use fold::{Link, fold};
pub(crate) use notice::notice;
pub use own::OwnViews;
pub(crate) use pictures::pictures;
pub(crate) use registry::Registry;

/// Draws one kind of act.
pub(crate) trait ToolView: Sync {
    /// The view's name: the stem of its module and its template.
    fn name(&self) -> &'static str;

    /// The tools that it draws, by their vendors' names. `format/tool` binds a name for one
    /// format alone, where vendors disagree about what it means.
    /// `tool:word` is one act of a tool that does several: see [`registry`].
    fn names(&self) -> &'static [&'static str];

    /// What the step did: `Ran a command`.
    fn label(&self, act: &Act<'_>) -> Label;

    /// What it is doing while it runs, without the ellipsis: `Running a command`.
    fn activity(&self, act: &Act<'_>) -> String;

    /// The few words of the call's input that its row shows.
    fn glimpse(&self, act: &Act<'_>) -> Glimpse;

    /// Small facts of the call behind the glimpse.
    fn badges(&self, act: &Act<'_>) -> Vec<Badge> {
        let _ = act;
        Vec::new()
    }

    /// A short fact about the result, without its arrow: `42 lines`. Only asked for when there
    /// is a result.
    fn outcome(&self, act: &Act<'_>) -> Option<String> {
        Some(outcome::lines(act))
    }

    /// The card's body; `None` when the call or its result has a shape that the view does not
    /// know, which the default body then shows as it is.
    fn body(&self, act: &Act<'_>, drawing: &Drawing<'_>) -> Option<Body>;

    /// Whether the opened body shows the whole input, so that the row's glimpse can go.
    fn hides_glimpse(&self) -> bool {
        false
    }

    /// Whether the act is one of thinking, which joins the reasoning in a steps summary.
    fn is_thought(&self) -> bool {
        false
    }
}

/// What a step is called.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Label {
    /// The words.
    pub(crate) text: String,
    /// Whether they are a tool's own name, shown as code.
    pub(crate) code: bool,
}

impl Label {
    /// Words of foldout's own.
    pub(crate) fn words(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            code: false,
        }
    }
}

/// The few words of a call's input that its row shows, at most 160 characters on one line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Glimpse {
    /// Nothing worth showing.
    #[default]
    None,
    /// Machine text: a command, an argument.
    Code(String),
    /// Words that a person might say.
    Words(String),
    /// Words in quotation marks: a query, a title.
    Quote(String),
    /// A path; the range is never cut: `src/a.rs`, `:1-80`.
    Path(String, String),
    /// A search pattern, and where it was looked for; empty for everywhere.
    Pattern(String, String),
}

impl Glimpse {
    /// Whether it has no words.
    pub(crate) fn is_empty(&self) -> bool {
        match self {
            Glimpse::None => true,
            Glimpse::Code(words) | Glimpse::Words(words) | Glimpse::Quote(words) => {
                words.trim().is_empty()
            }
            Glimpse::Path(path, _) => path.is_empty(),
            Glimpse::Pattern(pattern, _) => pattern.is_empty(),
        }
    }
}

/// A small fact behind the glimpse.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Badge {
    /// The words.
    pub(crate) text: String,
    /// How it is tinted.
    pub(crate) tone: BadgeTone,
}

/// How a badge is tinted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BadgeTone {
    /// Quietly.
    Plain,
    /// As lines that were added.
    Added,
    /// As lines that were removed.
    Removed,
    /// As something to look at.
    Warn,
}

impl Badge {
    /// A quiet badge.
    pub(crate) fn plain(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            tone: BadgeTone::Plain,
        }
    }

    /// The two badges of a change: `+3`, `−1`; none for a change of nothing.
    pub(crate) fn change(added: u64, removed: u64) -> Vec<Self> {
        if added == 0 && removed == 0 {
            return Vec::new();
        }
        vec![
            Badge {
                text: format!("+{}", crate::figures::count(added)),
                tone: BadgeTone::Added,
            },
            Badge {
                text: format!("\u{2212}{}", crate::figures::count(removed)),
                tone: BadgeTone::Removed,
            },
        ]
    }
}

/// What a view puts into an opened card.
#[derive(Clone, Debug)]
pub(crate) struct Body {
    /// The view's template, filled.
    pub(crate) html: Html,
    /// Whether the result's text stands in it as it is. Where it does not (a list made from
    /// JSON), the card adds it as recorded, folded, so that nothing is lost.
    pub(crate) shows_result: bool,
    /// Whether the result's pictures stand in it.
    pub(crate) shows_images: bool,
}

impl Body {
    /// A body that shows the result's text as it is.
    pub(crate) fn whole(template: &impl askama::Template) -> Self {
        Self {
            html: Html::render(template),
            shows_result: true,
            shows_images: false,
        }
    }

    /// A body that shows something made from the result's text.
    pub(crate) fn derived(template: &impl askama::Template) -> Self {
        Self {
            html: Html::render(template),
            shows_result: false,
            shows_images: false,
        }
    }
}

/// Every view. The order means nothing; the default view draws whatever no row names.
pub(crate) static TOOL_VIEWS: &[&dyn ToolView] = &[
    &default::Default,
    &agent::Agent,
    &agent_msg::AgentMsg,
    &agent_read::AgentRead,
    &artifact::Artifact,
    &ask::Ask,
    &browser::Browser,
    &code::Code,
    &code_search::CodeSearch,
    &debug::Debug,
    &edit::Edit,
    &file_op::FileOp,
    &finish::Finish,
    &github::Github,
    &glob::Glob,
    &grep::Grep,
    &image_gen::ImageGen,
    &image_view::ImageView,
    &list::List,
    &lookup::Lookup,
    &lsp::Lsp,
    &mcp_call::McpCall,
    &mcp_res::McpRes,
    &memory::Memory,
    &notebook::Notebook,
    &patch::Patch,
    &plan::Plan,
    &read::Read,
    &read_many::ReadMany,
    &schedule::Schedule,
    &session::Session,
    &shell::Shell,
    &shell_io::ShellIo,
    &shell_kill::ShellKill,
    &skill::Skill,
    &think::Think,
    &todo::Todo,
    &tool_search::ToolSearch,
    &video_transcript::VideoTranscript,
    &vision::Vision,
    &web_fetch::WebFetch,
    &web_search::WebSearch,
    &write::Write,
];
