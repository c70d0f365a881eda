//! Where everything lives in the site: addresses of pages, anchors on them, names of the files
//! beside them. Pure: the same ids give the same addresses on every machine.

use std::collections::HashMap;

use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

use crate::model::{Anchor, Conversation, Entry, Part, Timestamp};

/// Eight hex digits of a hash, which stand for an id in addresses and anchors.
fn short_hash(bytes: &[u8]) -> u32 {
    (xxh3_64(bytes) >> 32) as u32
}

/// The folder of a conversation's pages, such as `claude_code/2026-05-03-1a2b3c4d`: the format,
/// the UTC date of its start, and a hash of its id. It survives renaming, re-export and
/// re-running.
pub(crate) fn conversation_folder(format: &str, start: Option<Timestamp>, id: &str) -> String {
    let date = match start {
        Some(start) => jiff::tz::TimeZone::UTC
            .to_datetime(start)
            .date()
            .to_string(),
        None => "undated".to_owned(),
    };
    format!("{format}/{date}-{:08x}", short_hash(id.as_bytes()))
}

/// The file of a conversation's page, counted from 1: `index.html`, then `page-2.html` ….
pub(crate) fn page_file(page: usize) -> String {
    if page <= 1 {
        "index.html".to_owned()
    } else {
        format!("page-{page}.html")
    }
}

/// The file of a subagent's own page.
pub(crate) fn agent_file(anchor: Anchor, page: usize) -> String {
    if page <= 1 {
        format!("agent-{anchor}.html")
    } else {
        format!("agent-{anchor}-page-{page}.html")
    }
}

/// The style sheet's file name, with a hash of its content, so that caches never hold an old one.
pub(crate) fn style_sheet(theme: &str, css: &str) -> String {
    format!("assets/{theme}-{:08x}.css", short_hash(css.as_bytes()))
}

/// The way from a page to the site's top: `../` for each folder that the page is in.
pub(crate) fn to_top(page: &str) -> String {
    "../".repeat(page.matches('/').count())
}

/// A file that stands beside a page, named by what is in it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct SideFile {
    /// Its path, relative to the page's folder.
    pub(crate) name: String,
    /// What is in it.
    pub(crate) bytes: Vec<u8>,
}

impl SideFile {
    /// The whole of an output that is too long for its page: `out-` and 32 hex
    /// digits: two texts of one page must not meet under one name.
    pub(crate) fn output(text: &str) -> Self {
        let name = format!("out-{:032x}.txt", xxh3_128(text.as_bytes()));
        // Without its mark, browsers take a text file from disk for the system's old encoding.
        let mark = if text.is_ascii() { "" } else { "\u{feff}" };
        Self {
            name,
            bytes: [mark.as_bytes(), text.as_bytes()].concat(),
        }
    }

    /// A picture: `media/` and 32 hex digits.
    pub(crate) fn image(extension: &str, bytes: Vec<u8>) -> Self {
        Self {
            name: format!("media/{:032x}.{extension}", xxh3_128(&bytes)),
            bytes,
        }
    }
}

/// The anchor of a group in the index.
pub(crate) fn group_anchor(group: &str) -> String {
    format!("g-{:016x}", xxh3_64(group.as_bytes()))
}

/// Gives every message and call of a conversation, its branches and its subagents an anchor of
/// its own. Messages without an id are named by their place.
pub(crate) fn assign_anchors(conversation: &mut Conversation) {
    Anchors::default().conversation(conversation, "");
}

/// Counts how often each hash was given.
#[derive(Default)]
struct Anchors {
    given: HashMap<(char, u32), u32>,
}

impl Anchors {
    fn conversation(&mut self, conversation: &mut Conversation, path: &str) {
        conversation.anchor = self.next('a', &conversation.id, path, 0);
        self.entries(&mut conversation.entries, path);
        for (index, child) in conversation.children.iter_mut().enumerate() {
            self.conversation(child, &format!("{path}/child-{index}"));
        }
    }

    fn entries(&mut self, entries: &mut [Entry], path: &str) {
        for (index, entry) in entries.iter_mut().enumerate() {
            match entry {
                Entry::Prompt(prompt) => prompt.anchor = self.next('m', &prompt.id, path, index),
                Entry::Reply(reply) => {
                    reply.anchor = self.next('m', &reply.id, path, index);
                    for (part_index, part) in reply.parts.iter_mut().enumerate() {
                        let Part::Tool(call) = part else { continue };
                        let place = format!("{path}/{index}");
                        call.anchor = self.next('c', &call.id, &place, part_index);
                        if let Some(child) = &mut call.child {
                            self.conversation(child, &format!("{place}/{part_index}"));
                        }
                    }
                }
                Entry::Notice(_) => {}
                Entry::Versions(versions) => {
                    for (version, entries) in versions.iter_mut().enumerate() {
                        self.entries(entries, &format!("{path}/{index}-version-{version}"));
                    }
                }
            }
        }
    }

    fn next(&mut self, kind: char, id: &str, path: &str, index: usize) -> Anchor {
        let hash = if id.is_empty() {
            short_hash(format!("{path}/{index}").as_bytes())
        } else {
            short_hash(id.as_bytes())
        };
        let nth = self.given.entry((kind, hash)).or_insert(0);
        *nth += 1;
        Anchor { hash, nth: *nth }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Prompt, Reply, ToolCall};

    #[test]
    fn an_address_has_the_utc_date_and_a_hash() {
        let start = "2026-05-03T23:30:00-05:00".parse().ok();
        let address = conversation_folder("claude_code", start, "some-id");
        assert!(address.starts_with("claude_code/2026-05-04-"), "{address}");
        assert_eq!(address.len(), "claude_code/2026-05-04-".len() + 8);
        assert!(conversation_folder("x", None, "").starts_with("x/undated-"));
    }

    #[test]
    fn nothing_of_an_id_reaches_an_address() {
        let address = conversation_folder("x", None, "../../etc/passwd\"><script>");
        assert!(
            address["x/undated-".len()..]
                .chars()
                .all(|c| c.is_ascii_hexdigit()),
            "{address}"
        );
    }

    #[test]
    fn equal_ids_get_numbered_anchors() {
        let call = || {
            Part::Tool(Box::new(ToolCall {
                id: "same".into(),
                ..ToolCall::default()
            }))
        };
        let mut conversation = Conversation {
            entries: vec![
                Entry::Prompt(Prompt::default()),
                Entry::Reply(Reply {
                    parts: vec![call(), call()],
                    ..Reply::default()
                }),
            ],
            ..Conversation::default()
        };
        assign_anchors(&mut conversation);
        let Entry::Reply(reply) = &conversation.entries[1] else {
            panic!("the reply stays where it was")
        };
        let [Part::Tool(first), Part::Tool(second)] = &reply.parts[..] else {
            panic!("two calls")
        };
        assert_eq!(second.anchor.to_string(), format!("{}-2", first.anchor));
    }
}
