//! What a reply cites: pages and documents, and the numbers in its text that point to them.

use crate::formats::chat::{Losses, cite};
use crate::formats::records::{Object, text};
use crate::model::{Attachment, Part, SourceLink};

/// The sources of one reply.
#[derive(Debug, Default)]
pub(super) struct Sources {
    /// The pages, in order.
    pub(super) links: Vec<SourceLink>,
    /// Documents that are no pages, with what was cited of them.
    pub(super) documents: Vec<Part>,
    /// The name and the address of each source, in the order in which they are numbered.
    numbered: Vec<(String, Option<String>)>,
}

impl Sources {
    /// Reads them. Older exports call them citations.
    pub(super) fn of(message: &Object<'_>, losses: &mut Losses) -> Self {
        let mut sources = Sources::default();
        let mut values = message.items("sources");
        if values.is_empty() {
            values = message.items("citations");
        }
        for value in values {
            let one = Object::of(value).unwrap_or_default();
            let source = one.object("source").unwrap_or_default();
            let name = source.words("name").or_else(|| source.words("id"));
            let name = name.unwrap_or_else(|| "A source".to_owned());
            let metadata = one.items("metadata");
            let texts: Vec<String> = one
                .items("document")
                .into_iter()
                .map(|document| text(document).unwrap_or_default().into_owned())
                .collect();
            // The texts of documents that are no pages, by what they are called.
            let mut own: Vec<(String, Vec<String>)> = Vec::new();
            for nth in 0..metadata.len().max(texts.len()).max(1) {
                let about = metadata.get(nth).and_then(|about| Object::of(*about));
                let about = about.unwrap_or_default();
                let urls = [
                    about.words("url"),
                    about.words("source"),
                    source.words("url"),
                ];
                let url = urls
                    .into_iter()
                    .flatten()
                    .find(|url| url.starts_with("http"));
                let called = about.words("name").or_else(|| url.clone());
                let called = called.unwrap_or_else(|| name.clone());
                let words = texts.get(nth).filter(|words| !words.trim().is_empty());
                match &url {
                    Some(url) => {
                        cite(&mut sources.links, url, about.words("name"));
                        if words.is_some() {
                            losses.skip("text of a cited page");
                        }
                    }
                    None => match own.iter_mut().find(|(known, _)| *known == called) {
                        Some((_, texts)) => texts.extend(words.cloned()),
                        None => own.push((called.clone(), words.cloned().into_iter().collect())),
                    },
                }
                if sources.numbered.iter().all(|(known, _)| *known != called) {
                    sources.numbered.push((called, url));
                }
            }
            for (name, texts) in own.into_iter().filter(|(_, texts)| !texts.is_empty()) {
                let mut numbered = sources.numbered.iter();
                let number = numbered.position(|(known, _)| *known == name);
                sources.documents.push(Part::File(Attachment {
                    media_type: None,
                    text: Some(texts.join("\n\n")),
                    note: Some(match number {
                        Some(at) => format!("cited as [{}]", at + 1),
                        None => "cited".to_owned(),
                    }),
                    name,
                }));
            }
        }
        sources
    }

    /// The text with its numbers made links, outside of code. Numbers that stand for no page
    /// stay as they are.
    pub(super) fn linked(&self, words: &str) -> String {
        if self.numbered.is_empty() || !words.contains('[') {
            return words.to_owned();
        }
        let mut out = String::with_capacity(words.len());
        let mut is_fenced = false;
        for line in words.split_inclusive('\n') {
            if line.trim_start().starts_with("```") {
                is_fenced = !is_fenced;
            }
            let indented = line.starts_with("    ");
            match is_fenced || indented {
                true => out.push_str(line),
                false => self.line(line, &mut out),
            }
        }
        out
    }

    fn line(&self, line: &str, out: &mut String) {
        let mut rest = line;
        let mut is_code = false;
        while let Some(at) = rest.find(['[', '`']) {
            let (before, after) = rest.split_at(at);
            out.push_str(before);
            if let Some(after) = after.strip_prefix('`') {
                is_code = !is_code;
                out.push('`');
                rest = after;
                continue;
            }
            let inner = after[1..].split_once(']').filter(|(_, next)| {
                // Before these it is the text of a link, or what a link points to.
                !is_code
                    && !next.starts_with(['(', '[', ':'])
                    && !before.ends_with(['!', ']', '\\'])
            });
            match inner.and_then(|(inner, next)| Some((self.links_of(inner)?, next))) {
                Some((links, next)) => {
                    out.push_str(&links);
                    rest = next;
                }
                None => {
                    out.push('[');
                    rest = &after[1..];
                }
            }
        }
        out.push_str(rest);
    }

    /// The links of `1`, `1,3` or `1#part`, documents by their numbers alone; `None` when a number
    /// stands for no source, and when none is of a page.
    fn links_of(&self, inner: &str) -> Option<String> {
        let mut links = String::new();
        let mut has_link = false;
        for number in inner.split(',') {
            let number = number.trim();
            let number = number.split_once('#').map_or(number, |(number, _)| number);
            let at: usize = number.parse().ok()?;
            let (_, url) = self.numbered.get(at.checked_sub(1)?)?;
            let is_safe = |url: &&str| !url.contains(['<', '>', ' ', '\n']);
            match url.as_deref().filter(is_safe) {
                Some(url) => {
                    has_link = true;
                    links += &format!("[\\[{at}\\]](<{url}>)");
                }
                None => links += &format!("\\[{at}\\]"),
            }
        }
        has_link.then_some(links)
    }
}
