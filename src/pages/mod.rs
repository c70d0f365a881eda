//! What each page shows: view-models, filled, and the templates drawn. No page touches a disk:
//! pages come out as [`Html`] with the files that go beside them.

mod conversation;
mod header;
mod index;
mod outline;
mod plan;
mod turns;
mod weights;

use crate::addresses::SideFile;
use crate::figures::Clock;
use crate::html::{Html, SafeUrl};
use crate::tools::OwnViews;

pub(crate) use conversation::{Place, draw};
pub(crate) use header::title;
pub(crate) use index::{Row, group_addresses, group_name, index_pages};
pub(crate) use plan::plan;

/// How runs of steps are folded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fold {
    /// Runs are folded under their summary, except in Dispatch transcripts, whose cards stand
    /// flat.
    #[default]
    Auto,
    /// Runs are folded.
    Always,
    /// Cards stand flat.
    Never,
}

/// What all pages of a site share.
#[derive(Clone, Debug)]
pub(crate) struct Style {
    /// The site's title.
    pub(crate) title: String,
    /// The style sheet, from the site's top.
    pub(crate) style_sheet: String,
    /// The time zone of every time on it.
    pub(crate) clock: Clock,
    /// How runs of steps are folded.
    pub(crate) fold: Fold,
    /// About how many bytes a page may have.
    pub(crate) page_budget: usize,
    /// Whether secrets and names were taken out; a page from which they were not says so.
    pub(crate) is_redacted: bool,
    /// The views that the user made for tools.
    pub(crate) tool_views: OwnViews,
}

/// A finished page.
#[derive(Clone, Debug)]
pub(crate) struct Page {
    /// Its file, from the site's top.
    pub(crate) file: String,
    /// Its markup.
    pub(crate) html: Html,
    /// The files beside it, relative to its folder.
    pub(crate) side_files: Vec<SideFile>,
    /// What could not be drawn on it, in words.
    pub(crate) faults: Vec<String>,
}

/// A link with its words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Link {
    /// Where it leads.
    pub(crate) url: SafeUrl,
    /// What it says; foreign text.
    pub(crate) words: String,
}
