//! References in what the assistant wrote: where they stand in the text, links are put, and the
//! pages that they name become the sources of the reply.
//!
//! Places are counted in code points of the untrimmed text. They are believed only where the text
//! there is what the reference says it is; else the text is looked for.

use std::ops::Range;

use crate::formats::chat::cite;
use crate::formats::chat::links::{self, Places, link, put};
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
            // What nothing is known of is left to what the model wrote in it itself.
            if let Some(place) = place
                && let Some(words) = replacement(&reference, &pages)
            {
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

/// What a link to a page is called in a sentence: who published it, or its host.
pub(super) fn label(page: &Page, publisher: Option<&str>) -> String {
    links::label(&page.url, page.title.as_deref(), publisher)
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
    let lists = ["items", "fallback_items", "sources", "images", "products"];
    // What the model foretold is only there where nothing was found.
    let has_items = !reference.items("items").is_empty();
    let lists = lists
        .iter()
        .filter(|key| !has_items || **key != "fallback_items");
    for key in lists {
        for item in reference.items(key) {
            let item = Object::of(item).unwrap_or_default();
            // Of a picture that was found the page is one deeper.
            add(item.object("image_result").as_ref().unwrap_or(&item));
            for more in item.items("supporting_websites") {
                add(&Object::of(more).unwrap_or_default());
            }
        }
    }
    pages
}

/// What stands in place of a reference; `None` where it says nothing.
fn replacement(reference: &Object<'_>, pages: &[(Page, Option<String>)]) -> Option<String> {
    let kind = reference.string("type");
    if kind == "hidden" || kind == "attribution" {
        return Some(String::new());
    }
    let alt = reference.words("alt");
    let title = |page: &Page| page.title.clone().unwrap_or_else(|| page.url.clone());
    if kind.starts_with("image") && !pages.is_empty() {
        // Pictures of the web are never loaded: the pages that they stand on are named.
        let links = pages
            .iter()
            .map(|(page, _)| link(&format!("Image: {}", title(page)), &page.url));
        return Some(format!("{}\n\n", links.collect::<Vec<_>>().join(" · ")));
    }
    if kind.starts_with("product") && !pages.is_empty() {
        let links = pages.iter().map(|(page, _)| link(&title(page), &page.url));
        return Some(links.collect::<Vec<_>>().join(" · "));
    }
    if kind.starts_with("image") || kind == "alt_text" || kind == "entity" || pages.is_empty() {
        return alt.or_else(|| reference.words("name").map(|name| format!(" ({name})")));
    }
    let links = pages
        .iter()
        .map(|(page, by)| link(&label(page, by.as_deref()), &page.url));
    Some(format!(" ({})", links.collect::<Vec<_>>().join(", ")))
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
