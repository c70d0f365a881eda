//! The characters from a private range in which ChatGPT hides references: `E200`, a verb, its
//! arguments each behind `E202`, `E201`. What the export resolves elsewhere is resolved there;
//! what is left is resolved by what was found, or goes whole.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::formats::chat::links::link;

const OPEN: char = '\u{e200}';
const CLOSE: char = '\u{e201}';
const BETWEEN: char = '\u{e202}';

/// A page that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Page {
    pub(super) url: String,
    pub(super) title: Option<String>,
}

/// The pages that were found in a conversation, by the name that references have for them, such as
/// `turn0search1`.
pub(super) type Found = BTreeMap<String, Page>;

/// The text without any of the characters. `cited` are the pages that it turned out to name.
pub(super) fn resolved(text: &str, found: &Found, cited: &mut Vec<Page>) -> String {
    if !text.contains(is_mark) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(is_mark) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let marker = rest.strip_prefix(OPEN).and_then(|inner| {
            // An open one ends where the next begins.
            let end = inner.find([OPEN, CLOSE])?;
            let is_closed = inner[end..].starts_with(CLOSE);
            is_closed.then_some((&inner[..end], &inner[end + CLOSE.len_utf8()..]))
        });
        match marker {
            Some((inner, after)) => {
                out.push_str(&replacement(inner, found, cited));
                rest = after;
            }
            None if rest.starts_with(OPEN) => rest = behind_cut(rest),
            None => rest = rest.trim_start_matches(is_mark),
        }
    }
    out.push_str(rest);
    out
}

fn is_mark(c: char) -> bool {
    ('\u{e200}'..='\u{e2ff}').contains(&c)
}

/// What follows a reference that is never closed: it ends with its arguments, which have no blank
/// in them.
fn behind_cut(rest: &str) -> &str {
    let inner = rest.trim_start_matches(OPEN);
    let end = inner.find(char::is_whitespace).unwrap_or(inner.len());
    let is_reference = inner[..end].contains(BETWEEN);
    if is_reference { &inner[end..] } else { inner }
}

/// What stands for a reference of this inside.
fn replacement(inner: &str, found: &Found, cited: &mut Vec<Page>) -> String {
    let mut parts = inner.split(BETWEEN);
    let verb = parts.next().unwrap_or_default();
    let arguments: Vec<&str> = parts.collect();
    match verb {
        // A word of the sentence, with what it is.
        "entity" | "product_entity" => arguments
            .first()
            .and_then(|json| entity(json))
            .unwrap_or_default(),
        // Pictures and goods that were shown: what they were looked for by, or are called.
        "image_group" | "products" | "product" => {
            let words = arguments
                .first()
                .map(|json| strings(json))
                .unwrap_or_default();
            match words.is_empty() {
                true => String::new(),
                false => format!(" ({})", words.join(", ")),
            }
        }
        "url" => match arguments[..] {
            [title, url, ..] if url.starts_with("http") => {
                cited.push(Page {
                    url: url.to_owned(),
                    title: Some(title.to_owned()),
                });
                link(title, url)
            }
            [title, ..] => title.to_owned(),
            [] => String::new(),
        },
        _ => {
            let pages = arguments.iter().filter_map(|name| {
                // Lines of a file stand behind the name.
                let name = name.split('†').next().unwrap_or(name);
                found.get(name)
            });
            let pages: Vec<&Page> = pages.collect();
            cited.extend(pages.iter().copied().cloned());
            let links: Vec<String> = pages
                .iter()
                .map(|page| link(&super::references::label(page, None), &page.url))
                .collect();
            match links.is_empty() {
                true => String::new(),
                false => format!(" ({})", links.join(", ")),
            }
        }
    }
}

/// The name of a thing: `["city","Zürich",0]`.
fn entity(json: &str) -> Option<String> {
    let value: Value = serde_json::from_str(json).ok()?;
    let list = value.as_array()?;
    let name = list.get(1).or_else(|| list.first())?;
    name.as_str().map(str::to_owned)
}

/// What is told of in the words of a person: `{"query":["a"]}`,
/// `{"selections":[["turn0product1","A shoe"]]}`.
fn strings(json: &str) -> Vec<String> {
    let Ok(Value::Object(whole)) = serde_json::from_str::<Value>(json) else {
        return Vec::new();
    };
    let of = |key: &str| {
        whole
            .get(key)
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
    };
    let queries = of("query").filter_map(Value::as_str);
    let named = of("selections").filter_map(|one| one.get(1)?.as_str());
    queries.chain(named).map(str::to_owned).collect()
}
