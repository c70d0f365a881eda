//! References in what the assistant wrote: where they stand in the text, links are put, and the
//! pages that they name become the sources of the reply.
//!
//! Places are counted in code points of the untrimmed text. They are believed only where the text
//! there is what the reference says it is; else the text is looked for.

use std::ops::Range;

use crate::formats::chat::cite;
use crate::formats::records::Object;
use crate::model::SourceLink;

use super::markers::{self, Found, Page};
use super::message::Message;

/// A text with its references resolved, and the pages that it cites.
#[derive(Debug, Default)]
pub(super) struct Resolved {
    pub(super) text: String,
    pub(super) sources: Vec<SourceLink>,
}

/// Resolves what a message says of its references in one of its texts.
pub(super) fn resolved(text: &str, message: &Message<'_>, found: &Found) -> Resolved {
    let mut sources = Vec::new();
    let mut replaced: Vec<(Range<usize>, String)> = Vec::new();
    let references = message.metadata.items("content_references");
    let citations = message.metadata.items("citations");
    if !references.is_empty() || !citations.is_empty() {
        let places = Places::of(text);
        for reference in references {
            let reference = Object::of(reference).unwrap_or_default();
            let pages = pages(&reference);
            for (page, _) in &pages {
                cite(&mut sources, &page.url, page.title.clone());
            }
            let matched = reference.string("matched_text");
            // A list of sources stands behind the text and is matched by a blank.
            if matched.trim().is_empty() {
                continue;
            }
            let place = places.range(&reference, "start_idx", "end_idx");
            let place = place.filter(|place| text[place.clone()] == matched);
            let place = place.or_else(|| free(text, &matched, &replaced));
            if let Some(place) = place {
                let words = replacement(&reference, &pages);
                replaced.push((place, words));
            }
        }
        for citation in citations {
            let citation = Object::of(citation).unwrap_or_default();
            let Some(page) = cited(&citation) else {
                continue;
            };
            let place = places.range(&citation, "start_ix", "end_ix");
            let is_marker = |place: &Range<usize>| {
                let marker = &text[place.clone()];
                marker.starts_with('【') && marker.ends_with('】')
            };
            let words = match page.url.starts_with("http") {
                true => {
                    cite(&mut sources, &page.url, page.title.clone());
                    format!(" ({})", link(&label(&page, None), &page.url))
                }
                false => page
                    .title
                    .map(|title| format!(" ({title})"))
                    .unwrap_or_default(),
            };
            if let Some(place) = place.filter(is_marker) {
                replaced.push((place, words));
            }
        }
    }
    let text = put(text, replaced);
    let mut cited = Vec::new();
    let text = markers::resolved(&text, found, &mut cited);
    for page in cited {
        cite(&mut sources, &page.url, page.title);
    }
    Resolved { text, sources }
}

/// A Markdown link.
pub(super) fn link(words: &str, url: &str) -> String {
    let mut label = String::with_capacity(words.len());
    for c in words.chars() {
        match c {
            '\n' | '\r' => label.push(' '),
            '[' | ']' | '\\' | '`' | '*' | '_' | '<' => {
                label.push('\\');
                label.push(c);
            }
            c => label.push(c),
        }
    }
    let mut address = String::with_capacity(url.len());
    for c in url.chars() {
        match c {
            '(' => address.push_str("%28"),
            ')' => address.push_str("%29"),
            '<' => address.push_str("%3C"),
            '>' => address.push_str("%3E"),
            '\\' => address.push_str("%5C"),
            c if c.is_whitespace() || c.is_control() => address.push_str("%20"),
            c => address.push(c),
        }
    }
    format!("[{label}]({address})")
}

/// What a link to a page is called in a sentence: who published it, or its host.
pub(super) fn label(page: &Page, attribution: Option<&str>) -> String {
    let named = attribution.map(str::trim).filter(|name| !name.is_empty());
    if let Some(name) = named {
        return name.to_owned();
    }
    let rest = page.url.split_once("://").map_or("", |(_, rest)| rest);
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = host.strip_prefix("www.").unwrap_or(host);
    match host {
        "" => page.title.clone().unwrap_or_else(|| page.url.clone()),
        host => host.to_owned(),
    }
}

/// The pages that a reference names, each once, with who published them.
fn pages(reference: &Object<'_>) -> Vec<(Page, Option<String>)> {
    let mut pages: Vec<(Page, Option<String>)> = Vec::new();
    let mut add = |one: &Object<'_>| {
        let Some(url) = one.words("url").filter(|url| url.starts_with("http")) else {
            return;
        };
        if pages.iter().all(|(page, _)| page.url != url) {
            let title = one.words("title");
            pages.push((Page { url, title }, one.words("attribution")));
        }
    };
    add(reference);
    let lists = ["items", "fallback_items", "sources", "images"];
    // What the model foretold is only there where nothing was found.
    let has_items = !reference.items("items").is_empty();
    let lists = lists
        .iter()
        .filter(|key| !has_items || **key != "fallback_items");
    for key in lists {
        for item in reference.items(key) {
            let item = Object::of(item).unwrap_or_default();
            add(&item);
            for more in item.items("supporting_websites") {
                add(&Object::of(more).unwrap_or_default());
            }
        }
    }
    pages
}

/// What stands in place of a reference.
fn replacement(reference: &Object<'_>, pages: &[(Page, Option<String>)]) -> String {
    let kind = reference.string("type");
    if kind == "hidden" || kind == "attribution" {
        return String::new();
    }
    let alt = reference.words("alt");
    if kind.starts_with("image") {
        // Pictures of the web are never loaded: the pages that they stand on are named.
        let links = pages.iter().map(|(page, _)| {
            let title = page.title.as_deref().unwrap_or(&page.url);
            link(&format!("Image: {title}"), &page.url)
        });
        let links: Vec<String> = links.collect();
        return match links.is_empty() {
            true => alt.unwrap_or_default(),
            false => format!("{}\n\n", links.join(" · ")),
        };
    }
    if kind == "alt_text" || kind == "entity" || pages.is_empty() {
        return alt
            .or_else(|| reference.words("name").map(|name| format!(" ({name})")))
            .unwrap_or_default();
    }
    let links = pages
        .iter()
        .map(|(page, by)| link(&label(page, by.as_deref()), &page.url));
    format!(" ({})", links.collect::<Vec<_>>().join(", "))
}

/// What a citation of the older kind names; `None` of one that is only there for programs of its
/// age.
fn cited(citation: &Object<'_>) -> Option<Page> {
    let metadata = citation.object("metadata")?;
    let url = metadata.words("url");
    let title = metadata.words("title").or_else(|| metadata.words("name"));
    if url.is_none() && title.is_none() {
        return None;
    }
    Some(Page {
        url: url.unwrap_or_default(),
        title,
    })
}

/// Where the code points of a text begin, in bytes.
struct Places(Vec<usize>);

impl Places {
    fn of(text: &str) -> Self {
        let starts = text.char_indices().map(|(at, _)| at);
        Places(starts.chain([text.len()]).collect())
    }

    /// The bytes between two places, which stand under these keys.
    fn range(&self, object: &Object<'_>, start: &str, end: &str) -> Option<Range<usize>> {
        let at = |key| {
            let place = usize::try_from(object.count(key)?).ok()?;
            self.0.get(place).copied()
        };
        let range = at(start)?..at(end)?;
        (range.start < range.end).then_some(range)
    }
}

/// Where a text stands first that nothing has taken yet.
fn free(text: &str, wanted: &str, taken: &[(Range<usize>, String)]) -> Option<Range<usize>> {
    let mut from = 0;
    while let Some(at) = text.get(from..)?.find(wanted) {
        let range = from + at..from + at + wanted.len();
        let is_free = taken
            .iter()
            .all(|(other, _)| other.end <= range.start || range.end <= other.start);
        if is_free {
            return Some(range);
        }
        from = range.end;
    }
    None
}

/// The text with what stands in place of its references. Of two that overlap the first counts.
fn put(text: &str, mut replaced: Vec<(Range<usize>, String)>) -> String {
    replaced.sort_by_key(|(range, _)| (range.start, range.end));
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for (range, words) in replaced {
        if range.start < done {
            continue;
        }
        out.push_str(&text[done..range.start]);
        let words = match out.ends_with(char::is_whitespace) || out.is_empty() {
            true => words.trim_start_matches(' '),
            false => &words,
        };
        out.push_str(words);
        done = range.end;
    }
    out.push_str(&text[done..]);
    out
}
