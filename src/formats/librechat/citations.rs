//! Citations: marks in the text that name a page of a search by its place. They are made links;
//! what is cited is listed at the end of the reply.

use crate::formats::chat::cite;
use crate::formats::records::Object;
use crate::model::{SearchHit, SourceLink};

/// The kinds of pages in a mark, with the keys of their lists.
const KINDS: [(&str, &str); 6] = [
    ("search", "organic"),
    ("news", "topStories"),
    ("image", "images"),
    ("video", "videos"),
    ("ref", "references"),
    ("file", "sources"),
];

/// The pages that the searches of a message found.
#[derive(Debug, Default)]
pub(super) struct Found {
    pages: Vec<Page>,
}

#[derive(Debug)]
struct Page {
    call: String,
    /// The number of the search, the kind of the page, and its place among those.
    place: (u64, &'static str, usize),
    hit: SearchHit,
}

impl Found {
    /// The pages that stand beside a message.
    pub(super) fn of(message: &Object<'_>) -> Self {
        let mut pages = Vec::new();
        for attachment in message.items("attachments") {
            let attachment = Object::of(attachment).unwrap_or_default();
            let files = || attachment.object("file_search");
            let Some(search) = attachment.object("web_search").or_else(files) else {
                continue;
            };
            let turn = search.count("turn").unwrap_or_default();
            for (kind, list) in KINDS {
                for (at, page) in search.items(list).into_iter().enumerate() {
                    let page = Object::of(page).unwrap_or_default();
                    let addresses = ["link", "url", "imageUrl"];
                    let url = addresses.into_iter().find_map(|key| page.words(key));
                    let title = page.words("title").or_else(|| page.words("fileName"));
                    pages.push(Page {
                        call: attachment.string("toolCallId"),
                        place: (turn, kind, at),
                        hit: SearchHit {
                            title: title.unwrap_or_default(),
                            url: url.unwrap_or_default(),
                            snippet: page.words("snippet").or_else(|| page.words("content")),
                        },
                    });
                }
            }
        }
        Found { pages }
    }

    /// The pages that a call found.
    pub(super) fn hits_of(&self, call: &str) -> Vec<SearchHit> {
        let own = self.pages.iter().filter(|page| page.call == call);
        // What the pages found refer to is no result of the search.
        let own = own.filter(|page| page.place.1 != "ref");
        own.map(|page| page.hit.clone()).collect()
    }

    /// The text with its marks made links. The program writes them as private characters, and
    /// some models as escapes of them.
    pub(super) fn resolved(&self, text: &str, sources: &mut Vec<SourceLink>) -> String {
        let is_marked = |text: &str| text.contains(|c| matches!(c, '\u{e200}'..='\u{e206}'));
        let mut text = text.to_owned();
        for n in 0..7_u8 {
            let mark = char::from(b'0' + n);
            let escape = format!("\\ue20{mark}");
            if text.contains(&escape) {
                let private = char::from_u32(0xe200 + u32::from(n)).unwrap_or_default();
                text = text.replace(&escape, &private.to_string());
            }
        }
        if !is_marked(&text) {
            return text;
        }
        let mut out = String::with_capacity(text.len());
        let mut rest = text.as_str();
        while let Some(at) = rest.find(|c| matches!(c, '\u{e200}'..='\u{e206}')) {
            out.push_str(&rest[..at]);
            let mut after = rest[at..].chars();
            let mark = after.next();
            rest = after.as_str();
            if mark == Some('\u{e202}')
                && let Some((place, length)) = place(rest)
            {
                rest = &rest[length..];
                if let Some(link) = self.link(place, sources) {
                    out.push_str(&link);
                }
            }
        }
        out.push_str(rest);
        out
    }

    fn link(&self, place: (u64, &str, usize), sources: &mut Vec<SourceLink>) -> Option<String> {
        let page = self.pages.iter().find(|page| page.place == place)?;
        let url = page.hit.url.as_str();
        if url.is_empty() {
            // A file has a name and no address.
            let name = page.hit.title.trim();
            return (!name.is_empty()).then(|| format!(" ({name})"));
        }
        let title = Some(page.hit.title.clone()).filter(|title| !title.is_empty());
        cite(sources, url, title);
        let number = sources.iter().position(|source| source.url == url)? + 1;
        let is_safe = !url.contains(['<', '>', ' ', '\n']);
        is_safe.then(|| format!(" [\\[{number}\\]](<{url}>)"))
    }
}

/// The place that a mark names, such as `turn0search12`, and the length of that.
fn place(text: &str) -> Option<((u64, &'static str, usize), usize)> {
    let rest = text.strip_prefix("turn")?;
    let digits =
        |text: &str| text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (turn, rest) = rest.split_at(digits(rest));
    let kind = KINDS
        .iter()
        .map(|(kind, _)| *kind)
        .find(|kind| rest.starts_with(kind))?;
    let rest = &rest[kind.len()..];
    let (at, rest) = rest.split_at(digits(rest));
    let place = (turn.parse().ok()?, kind, at.parse().ok()?);
    Some((place, text.len() - rest.len()))
}
