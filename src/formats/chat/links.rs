//! Links that are put into what an assistant wrote, where its records say that a page backs the
//! words before them. Places are counted in code points.

use std::ops::Range;

use crate::formats::records::Object;

/// A Markdown link.
pub(crate) fn link(words: &str, url: &str) -> String {
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

/// What a link to a page is called in a sentence: who published it, else its host, else its title.
pub(crate) fn label(url: &str, title: Option<&str>, publisher: Option<&str>) -> String {
    let named = publisher.map(str::trim).filter(|name| !name.is_empty());
    if let Some(name) = named {
        return name.to_owned();
    }
    let rest = url.split_once("://").map_or("", |(_, rest)| rest);
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    match host.strip_prefix("www.").unwrap_or(host) {
        "" => title.unwrap_or(url).to_owned(),
        host => host.to_owned(),
    }
}

/// Where the code points of a text begin, in bytes.
pub(crate) struct Places(Vec<usize>);

impl Places {
    /// Of this text.
    pub(crate) fn of(text: &str) -> Self {
        let starts = text.char_indices().map(|(at, _)| at);
        Places(starts.chain([text.len()]).collect())
    }

    /// The place in bytes that stands under a key; `None` of one that is not in the text.
    pub(crate) fn at(&self, object: &Object<'_>, key: &str) -> Option<usize> {
        let place = usize::try_from(object.count(key)?).ok()?;
        self.0.get(place).copied()
    }

    /// The bytes between two places, which stand under these keys.
    pub(crate) fn range(
        &self,
        object: &Object<'_>,
        start: &str,
        end: &str,
    ) -> Option<Range<usize>> {
        let range = self.at(object, start)?..self.at(object, end)?;
        (range.start < range.end).then_some(range)
    }
}

/// The text with words in place of some stretches. Of two that overlap the first counts.
pub(crate) fn put(text: &str, mut replaced: Vec<(Range<usize>, String)>) -> String {
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
