//! Links and images: where they lead is always visible when the words do not say it truly.

use std::fmt::Write;
use std::mem;

use pulldown_cmark::{CowStr, LinkType};

use super::Writer;
use crate::html::SafeUrl;

/// A link or an image that is open.
pub(super) struct Link<'a> {
    /// The address as written.
    address: CowStr<'a>,
    title: CowStr<'a>,
    /// Where the `<a>` leads; `None` when there is no `<a>`.
    url: Option<SafeUrl>,
    /// Where its words begin in [`Writer::words`].
    from: usize,
}

/// The longest `data:` address that is shown whole, in bytes: it holds a file, not an address.
const DATA_BYTES: usize = 200;

/// Endings of file names that are no top-level domains, so that `main.ts` is not taken for a host.
const FILE_ENDINGS: &[&str] = &[
    "c", "cfg", "cpp", "css", "csv", "dll", "exe", "go", "h", "hpp", "htm", "html", "ini", "java",
    "jpg", "js", "json", "jsx", "kt", "lock", "log", "pdf", "php", "png", "rb", "svg", "toml",
    "ts", "tsx", "txt", "xml", "yaml", "yml",
];

impl<'a> Writer<'a, '_> {
    /// Opens a link or an image: an `<a>` where the address may be linked and no other is open.
    pub(super) fn open_link(
        &mut self,
        link_type: LinkType,
        address: CowStr<'a>,
        title: CowStr<'a>,
    ) -> Link<'a> {
        let url = if self.anchors > 0 {
            None
        } else if link_type == LinkType::Email {
            SafeUrl::parse(&format!("mailto:{address}"))
        } else {
            SafeUrl::parse(&address)
        };
        if let Some(url) = &url {
            write!(self.out, "<a href=\"{url}\"").expect("writing to a String cannot fail");
            if !title.is_empty() {
                self.out.push_str(" title=\"");
                self.attribute(&title);
                self.out.push('"');
            }
            self.out
                .push_str(" rel=\"noreferrer noopener nofollow ugc\">");
            self.anchors += 1;
        }
        self.links += 1;
        Link {
            address,
            title,
            url,
            from: self.words.len(),
        }
    }

    /// Closes a link. The real host follows words that name another; an address that is not
    /// linked follows words that differ from it.
    pub(super) fn close_link(&mut self, link: Link<'a>) {
        let words = self.words_of(&link);
        if let Some(url) = &link.url {
            if words.is_empty() {
                self.write(&shown(&link.address));
            }
            self.out.push_str("</a>");
            self.anchors -= 1;
            if let Some(truth) = truth(&words, url) {
                self.remark(&truth);
            }
        } else if words != link.address.trim() || !link.title.is_empty() {
            self.remark(&with_title(&link));
        }
    }

    /// Closes an image: its alternative text, and where the picture would have come from.
    pub(super) fn close_image(&mut self, link: Link<'a>) {
        let words = self.words_of(&link);
        let Some(url) = &link.url else {
            self.remark(&format!("image: {}", with_title(&link)));
            return;
        };
        if words.is_empty() {
            self.write(&shown(&link.address));
        }
        self.out.push_str("</a>");
        self.anchors -= 1;
        match url.host() {
            Some(host) if !words.is_empty() => self.remark(&format!("image: {host}")),
            _ => self.remark("image"),
        }
    }

    /// Takes a link's words, trimmed. They stay noted down while an outer link is open.
    fn words_of(&mut self, link: &Link<'a>) -> String {
        let words = self.words[link.from..].trim().to_owned();
        self.links -= 1;
        if self.links == 0 {
            self.words.clear();
        }
        words
    }

    /// Adds a remark in small type; it is no part of a link's words.
    fn remark(&mut self, remark: &str) {
        let links = mem::take(&mut self.links);
        self.out.push_str(" <small>(");
        self.write(remark);
        self.out.push_str(")</small>");
        self.links = links;
    }
}

/// The address as it is shown.
fn shown(address: &str) -> String {
    let address = address.trim();
    let is_data = address
        .get(..5)
        .is_some_and(|scheme| scheme.eq_ignore_ascii_case("data:"));
    if !is_data || address.len() <= DATA_BYTES {
        return address.to_owned();
    }
    let head: String = address.chars().take(DATA_BYTES / 4).collect();
    format!("{head}… {} characters", address.chars().count())
}

fn with_title(link: &Link<'_>) -> String {
    match (link.address.trim(), link.title.trim()) {
        ("", title) => title.to_owned(),
        (address, "") => shown(address),
        (address, title) => format!("{} “{title}”", shown(address)),
    }
}

/// Where a link really leads, when its words look like an address of another place.
fn truth(words: &str, url: &SafeUrl) -> Option<String> {
    let Some(host) = url.host() else {
        let address = url.as_str().trim_start_matches("mailto:");
        let misleads = words.contains('@') && !words.contains(address);
        return misleads.then(|| address.to_owned());
    };
    let misleads = words
        .split_whitespace()
        .filter_map(named_host)
        .any(|named| named != host);
    // A host of other letters is told by its ASCII form.
    let disguised = host.contains("xn--") && !words.contains(&host);
    (misleads || disguised).then_some(host)
}

/// The host that a word names, without `www.`. A word that only looks like an address names
/// itself, which is no real host.
fn named_host(word: &str) -> Option<String> {
    let word = word
        .trim_matches(|c: char| !c.is_alphanumeric() && c != '/')
        .to_lowercase()
        // Other full stops serve to fake a host.
        .replace(['。', '．', '｡', '․'], ".");
    if word.contains("://") {
        return Some(
            SafeUrl::web(&word)
                .and_then(|url| url.host())
                .unwrap_or(word),
        );
    }
    let name = word.split(['/', ':', '?', '#']).next()?;
    let (_, ending) = name.rsplit_once('.')?;
    let looks_like_host = ending.chars().count() >= 2
        && ending.chars().all(char::is_alphabetic)
        && !FILE_ENDINGS.contains(&ending)
        && !name.contains("..");
    looks_like_host.then(|| name.strip_prefix("www.").unwrap_or(name).to_owned())
}
