//! A conversation's page: head, outline, turns, and the ways on.

use askama::Template;

use crate::addresses::to_top;
use crate::html::{Html, Plain, SafeUrl, Text};
use crate::model::{Conversation, Entry};
use crate::tools::{Drawing, Limits, Registry, Sheet};

use super::header::Header;
use super::outline::Outline;
use super::plan::{PagePlan, Plan};
use super::turns::{Stretch, Turns};
use super::{Fold, Link, Page, Style};

/// Where a conversation stands among the others.
#[derive(Clone, Debug, Default)]
pub(crate) struct Place {
    /// The folder of its pages, from the site's top.
    pub(crate) folder: String,
    /// The format's name.
    pub(crate) format: &'static str,
    /// Its group in the index.
    pub(crate) group: Option<Link>,
    /// The one before it in its group.
    pub(crate) older: Option<Link>,
    /// The one after it.
    pub(crate) newer: Option<Link>,
    /// The conversation whose beginning it repeats, and how many entries are repeated.
    pub(crate) resumes: Option<(Link, usize)>,
}

#[derive(Template)]
#[template(path = "pages/conversation.html")]
struct ConversationTemplate<'a> {
    page_title: Plain<'a>,
    style_sheet: SafeUrl,
    index: SafeUrl,
    group: Option<&'a Link>,
    header: Header,
    is_redacted: bool,
    outline: Option<Outline>,
    page_words: Option<String>,
    parent: Option<SafeUrl>,
    resumes: Option<(&'a Link, Html)>,
    turns: Html,
    children: Vec<Html>,
    earlier: Option<SafeUrl>,
    later: Option<SafeUrl>,
    older: Option<&'a Link>,
    newer: Option<&'a Link>,
}

/// Draws one page of a planned conversation.
pub(crate) fn draw(page: &PagePlan<'_>, plan: &Plan<'_>, place: &Place, style: &Style) -> Page {
    let conversation = page.conversation;
    let sheet = Sheet::default();
    let limits = Limits::of_page(style.page_budget);
    let turns = Turns {
        drawing: Drawing::new(
            Registry::new(place.format, &style.tool_views),
            conversation.project.as_deref(),
            limits,
            &sheet,
        ),
        clock: &style.clock,
        folds_runs: match style.fold {
            Fold::Auto => place.format != "dispatch",
            Fold::Always => true,
            Fold::Never => false,
        },
        agents: &plan.agents,
        depth: 0,
    };
    let (resumes, rest) = repeated(page, place, &turns);
    let file = format!("{}/{}", place.folder, page.file);
    let header = Header::of(conversation, &style.clock);
    let is_last = page.end().is_none();
    let page_words = (page.of() > 1).then(|| format!("Page {} of {}", page.number, page.of()));
    let page_title = match &page_words {
        Some(words) => format!("{} · {words}", header.title),
        None => header.title.clone(),
    };
    let is_own = page.parent.is_none();
    let html = Html::render(&ConversationTemplate {
        page_title: Plain(&page_title),
        style_sheet: SafeUrl::local(&format!("{}{}", to_top(&file), style.style_sheet)),
        index: SafeUrl::local(&format!("{}index.html", to_top(&file))),
        group: place.group.as_ref(),
        is_redacted: style.is_redacted,
        outline: Outline::of(page, &style.clock),
        page_words,
        parent: parent_url(page),
        resumes,
        turns: turns.entries(
            &conversation.entries,
            rest,
            prompts_before(conversation, rest.from.0) + 1,
        ),
        children: if is_last {
            loose(conversation, &turns)
        } else {
            Vec::new()
        },
        earlier: (page.number > 1).then(|| SafeUrl::local(&page.sibling(page.number - 1))),
        later: (!is_last).then(|| SafeUrl::local(&page.sibling(page.number + 1))),
        older: place.older.as_ref().filter(|_| is_own),
        newer: place.newer.as_ref().filter(|_| is_own),
        header,
    });
    let (side_files, faults) = sheet.into_parts();
    Page {
        file,
        html,
        side_files,
        faults,
    }
}

/// The part of the page that repeats another conversation, drawn to be folded, and the stretch
/// that is left.
fn repeated<'a>(
    page: &PagePlan<'_>,
    place: &'a Place,
    turns: &Turns<'_>,
) -> (Option<(&'a Link, Html)>, Stretch) {
    let start = (page.start().entry, page.start().part);
    let all = Stretch {
        from: start,
        to: page.end().map(|cut| (cut.entry, cut.part)),
    };
    let Some((link, entries)) = place.resumes.as_ref().filter(|_| page.parent.is_none()) else {
        return (None, all);
    };
    let edge = (*entries, 0);
    if edge <= start {
        return (None, all);
    }
    let end = all.to.map_or(edge, |to| to.min(edge));
    let numbered = prompts_before(page.conversation, start.0) + 1;
    let copy = turns.entries(
        &page.conversation.entries,
        Stretch {
            to: Some(end),
            ..all
        },
        numbered,
    );
    (Some((link, copy)), Stretch { from: end, ..all })
}

fn prompts_before(conversation: &Conversation, entry: usize) -> usize {
    conversation
        .entries
        .iter()
        .take(entry)
        .filter(|entry| matches!(entry, Entry::Prompt(_)))
        .count()
}

/// Where a subagent's page was come from: the step that started it, else the page alone.
fn parent_url(page: &PagePlan<'_>) -> Option<SafeUrl> {
    let file = page.parent_file.as_deref()?;
    let call = page.parent.and_then(|parent| parent.call);
    Some(match call {
        Some(anchor) => SafeUrl::local(&format!("{file}#c-{anchor}")),
        None => SafeUrl::local(file),
    })
}

/// Subagents that no call could be found for.
fn loose(conversation: &Conversation, turns: &Turns<'_>) -> Vec<Html> {
    conversation
        .children
        .iter()
        .map(|child| turns.child(child))
        .collect()
}

impl Link {
    /// Its words as foreign text.
    pub(super) fn text(&self) -> Text<'_> {
        Text(&self.words)
    }
}
