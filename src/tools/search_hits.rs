//! The pages that a search found, out of the shapes in which programs record them.

use serde_json::Value;

use crate::model::SearchHit;

use super::Act;

/// Pages that are listed; more are left as data.
const MOST: usize = 200;

/// The pages that were found, in the order returned, with what was said of them; `None` when the
/// result is no list of pages.
pub(super) fn hits(act: &Act<'_>) -> Option<(Vec<SearchHit>, Option<String>)> {
    let result = act.result().filter(|_| act.is_done())?;
    if result.full_output.is_some() {
        return None;
    }
    found_in(act).filter(|(hits, _)| hits.len() <= MOST)
}

fn found_in(act: &Act<'_>) -> Option<(Vec<SearchHit>, Option<String>)> {
    let listed = linked(act.output.text);
    if let Some(hits) = act.details().and_then(|details| details.hits.clone()) {
        return Some((hits, listed.and_then(|(_, words)| words)));
    }
    match serde_json::from_str(act.output.text.trim()) {
        Ok(Value::Object(result)) => Some((pages(result.get("results")?.as_array()?)?, None)),
        Ok(Value::Array(items)) => Some((pages(&items)?, None)),
        _ => listed,
    }
}

/// The items as pages; one that is none makes the whole no list of pages.
fn pages(items: &[Value]) -> Option<Vec<SearchHit>> {
    let page = |item: &Value| {
        let address = item.get("url").or_else(|| item.get("link"))?;
        Some(SearchHit {
            title: item.get("title")?.as_str()?.to_owned(),
            url: address.as_str()?.to_owned(),
            snippet: match item.get("snippet") {
                Some(snippet) => Some(snippet.as_str()?.to_owned()),
                None => None,
            },
        })
    };
    items.iter().take(MOST + 1).map(page).collect()
}

/// The pages of a text with lines such as `Links: [{"title":…,"url":…}]`, and its other lines.
pub(super) fn linked(text: &str) -> Option<(Vec<SearchHit>, Option<String>)> {
    let mut hits = None::<Vec<SearchHit>>;
    let mut words = String::new();
    for line in text.lines() {
        if let Some(links) = line.strip_prefix("Links: ") {
            let links: Vec<Value> = serde_json::from_str(links).ok()?;
            hits.get_or_insert_default().extend(pages(&links)?);
        } else if !line.starts_with("Web search results for query:") {
            words.push_str(line);
            words.push('\n');
        }
    }
    let words = words.trim();
    Some((hits?, (!words.is_empty()).then(|| words.to_owned())))
}
