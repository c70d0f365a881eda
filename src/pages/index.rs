//! The index: every conversation, grouped by project, newest first.

use std::collections::BTreeMap;

use askama::Template;

use crate::addresses::group_anchor;
use crate::figures::{Clock, count, counted, machine_time, one_line};
use crate::html::{Html, Plain, SafeUrl, Text};
use crate::model::{Conversation, Facts, Timestamp};

use super::{Page, Style, header};

/// How long a title may be in a row.
const ROW_TITLE: usize = 120;
/// How many rows a page of the index has at most; further ones follow by month.
const ROWS: usize = 500;

/// What the index says of a conversation.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    /// The folder of its pages, from the site's top.
    pub(crate) folder: String,
    /// Its title; foreign text.
    pub(crate) title: String,
    /// The name of its group: the project, else the program.
    pub(crate) group: String,
    /// The program that saved it.
    pub(crate) program: String,
    /// When it began.
    pub(crate) start: Option<Timestamp>,
    /// Its figures.
    pub(crate) facts: Facts,
}

impl Row {
    /// The row of a conversation whose pages are in `folder`.
    pub(crate) fn of(conversation: &Conversation, folder: String) -> Self {
        let project = conversation
            .project
            .as_deref()
            .map(str::trim)
            .filter(|project| !project.is_empty());
        Self {
            folder,
            title: one_line(&header::title(conversation), ROW_TITLE),
            group: project.unwrap_or(&conversation.program).to_owned(),
            program: conversation.program.clone(),
            start: conversation.start(),
            facts: Facts::of(conversation),
        }
    }
}

#[derive(Template)]
#[template(path = "pages/index.html")]
struct IndexTemplate<'a> {
    page_title: Plain<'a>,
    title: Text<'a>,
    style_sheet: SafeUrl,
    words: String,
    zone: &'a str,
    is_redacted: bool,
    groups: Vec<Group<'a>>,
    pages: Vec<PageLink>,
}

struct Group<'a> {
    id: String,
    name: Text<'a>,
    folder: Option<Text<'a>>,
    words: String,
    rows: Vec<RowHtml<'a>>,
}

struct RowHtml<'a> {
    url: SafeUrl,
    title: Text<'a>,
    program: Text<'a>,
    date: Option<(String, String)>,
    facts: Vec<String>,
    failed: Option<String>,
}

struct PageLink {
    url: SafeUrl,
    words: String,
    is_here: bool,
}

/// Draws the index over rows that are sorted newest first.
pub(crate) fn index_pages(rows: &[Row], style: &Style) -> Vec<Page> {
    let all: Vec<&Row> = rows.iter().collect();
    let mut chunks: Vec<&[&Row]> = Vec::new();
    let mut rest = &all[..];
    for size in chunk_sizes(&all, &style.clock) {
        let (chunk, more) = rest.split_at(size);
        chunks.push(chunk);
        rest = more;
    }
    let files: Vec<String> = (1..=chunks.len().max(1)).map(index_file).collect();
    let spans: Vec<String> = chunks
        .iter()
        .map(|chunk| months(chunk, &style.clock))
        .collect();
    if chunks.is_empty() {
        chunks.push(&[]);
    }
    chunks
        .iter()
        .enumerate()
        .map(|(here, chunk)| {
            let links = spans
                .iter()
                .zip(&files)
                .enumerate()
                .map(|(page, (words, file))| PageLink {
                    url: SafeUrl::local(file),
                    words: words.clone(),
                    is_here: page == here,
                });
            let pages = if spans.len() > 1 {
                links.collect()
            } else {
                Vec::new()
            };
            Page {
                file: files[here].clone(),
                html: Html::render(&IndexTemplate {
                    page_title: Plain(&style.title),
                    title: Text(&style.title),
                    style_sheet: SafeUrl::local(&style.style_sheet),
                    words: counted(rows.len() as u64, "conversation", "conversations"),
                    zone: style.clock.name(),
                    is_redacted: style.is_redacted,
                    groups: groups(chunk, &style.clock),
                    pages,
                }),
                side_files: Vec::new(),
                faults: Vec::new(),
            }
        })
        .collect()
}

/// The file of a page of the index.
fn index_file(page: usize) -> String {
    if page <= 1 {
        "index.html".to_owned()
    } else {
        format!("index-{page}.html")
    }
}

/// The address of each group, from the site's top: where its newest conversations are listed.
pub(crate) fn group_addresses(rows: &[&Row], clock: &Clock) -> BTreeMap<String, String> {
    let mut addresses = BTreeMap::new();
    let mut page = 0;
    let mut left = 0;
    let sizes: Vec<usize> = chunk_sizes(rows, clock);
    for row in rows {
        if left == 0 {
            left = sizes.get(page).copied().unwrap_or(usize::MAX);
            page += 1;
        }
        left -= 1;
        let address = || format!("{}#{}", index_file(page), group_anchor(&row.group));
        addresses.entry(row.group.clone()).or_insert_with(address);
    }
    addresses
}

/// A group's name as links show it.
pub(crate) fn group_name(group: &str) -> &str {
    split_folder(group).0
}

/// How many rows each page of the index has: cut at the borders of months, where these are near
/// enough.
fn chunk_sizes(rows: &[&Row], clock: &Clock) -> Vec<usize> {
    let mut sizes = Vec::new();
    let mut rest = rows;
    while rest.len() > ROWS {
        let month = |row: &Row| row.start.map(|start| clock.month(start));
        // The last month that fits whole; a month that is too big by itself is cut.
        let border = (ROWS / 2..=ROWS)
            .rev()
            .find(|at| month(rest[*at]) != month(rest[*at - 1]))
            .unwrap_or(ROWS);
        sizes.push(border);
        rest = &rest[border..];
    }
    if !rest.is_empty() {
        sizes.push(rest.len());
    }
    sizes
}

fn months(rows: &[&Row], clock: &Clock) -> String {
    let name = |row: Option<&&Row>| {
        row.and_then(|row| row.start)
            .map(|start| clock.month(start))
    };
    match (name(rows.first()), name(rows.last())) {
        (Some(newest), Some(oldest)) if newest != oldest => format!("{oldest} – {newest}"),
        (Some(month), _) | (None, Some(month)) => month,
        (None, None) => "Undated".to_owned(),
    }
}

/// Groups rows by project; the group with the newest conversation comes first.
fn groups<'a>(rows: &[&'a Row], clock: &Clock) -> Vec<Group<'a>> {
    let mut order: BTreeMap<&str, usize> = BTreeMap::new();
    let mut groups: Vec<Group<'a>> = Vec::new();
    for row in rows {
        let at = *order.entry(&row.group).or_insert_with(|| {
            let (name, folder) = split_folder(&row.group);
            groups.push(Group {
                id: group_anchor(&row.group),
                name: Text(name),
                folder: folder.map(Text),
                words: String::new(),
                rows: Vec::new(),
            });
            groups.len() - 1
        });
        groups[at].rows.push(RowHtml::of(row, clock));
    }
    for group in &mut groups {
        group.words = count(group.rows.len() as u64);
    }
    groups
}

/// A project's own name, and the folder that it is in.
fn split_folder(group: &str) -> (&str, Option<&str>) {
    let trimmed = group.trim_end_matches(['/', '\\']);
    match trimmed.rfind(['/', '\\']) {
        Some(at) if at + 1 < trimmed.len() => (&trimmed[at + 1..], Some(group)),
        _ => (group, None),
    }
}

impl<'a> RowHtml<'a> {
    fn of(row: &'a Row, clock: &Clock) -> Self {
        let facts = &row.facts;
        let mut words = Vec::new();
        if facts.prompts > 0 {
            words.push(counted(facts.prompts, "prompt", "prompts"));
        }
        if facts.calls > 0 {
            words.push(counted(facts.calls, "tool call", "tool calls"));
        }
        if facts.agents > 0 {
            words.push(counted(facts.agents, "subagent", "subagents"));
        }
        RowHtml {
            url: SafeUrl::local(&format!("{}/index.html", row.folder)),
            title: Text(&row.title),
            program: Text(&row.program),
            date: row
                .start
                .map(|start| (machine_time(start), clock.date_and_minute(start))),
            facts: words,
            failed: (facts.failed > 0).then(|| format!("{} failed", count(facts.failed))),
        }
    }
}
