//! The names of people whose home folder was seen, where they stand beside other paths.

use super::edits::{Edit, To};

/// Looks for the names of people whose home folder was seen.
#[derive(Debug)]
pub(super) struct People {
    automaton: aho_corasick::AhoCorasick,
    to: Vec<&'static str>,
}

/// The search for these names; `None` when there are none.
pub(super) fn people_search(names: &[String]) -> Option<People> {
    let mut patterns = Vec::new();
    let mut to = Vec::new();
    for name in names {
        let dashed: String = name
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
            .collect();
        for (pattern, words) in [
            (format!("{name}@"), "user@"),
            (format!("-home-{dashed}"), "~"),
            (format!("-Users-{dashed}"), "~"),
            (format!("/media/{name}/"), "/media/user/"),
            (format!("/tmp/{name}/"), "/tmp/user/"),
            (format!("/var/mail/{name}"), "/var/mail/user"),
            (format!("~{name}/"), "~/"),
        ] {
            patterns.push(pattern);
            to.push(words);
        }
    }
    let automaton = aho_corasick::AhoCorasick::new(&patterns)
        .ok()
        .filter(|_| !patterns.is_empty())?;
    Some(People { automaton, to })
}

impl People {
    /// Where they stand, and what takes their place.
    pub(super) fn find(&self, text: &str) -> Vec<Edit> {
        let found = self.automaton.find_iter(text);
        let is_word = |byte: Option<&u8>| {
            byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
        };
        let whole = found.filter(|found| {
            let bytes = text.as_bytes();
            let before = found.start().checked_sub(1).and_then(|at| bytes.get(at));
            let ends_open = !text[found.range()].ends_with(['@', '/']);
            let starts_open = is_word(bytes.get(found.start()));
            !(starts_open && is_word(before) || ends_open && is_word(bytes.get(found.end())))
        });
        whole
            .map(|found| Edit {
                span: found.range(),
                to: To::Words(self.to[found.pattern().as_usize()]),
            })
            .collect()
    }
}
