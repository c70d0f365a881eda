//! The measure "nothing lost": every line that a person could see in a source can be found in
//! the pages made of it.
//!
//! The source is walked as raw JSON ([`records`]), the pages as what a reader gets to see
//! ([`pages`]); neither shares code with foldout. A line counts as found when its letters and
//! digits stand in the pages, in order and without a gap, in one of the readings that drawing
//! may give it ([`needle`]). Redaction changes lines, so that the pages must be built without.
//!
//! ```ignore
//! let pages = Pages::read(&site);
//! let missing = nothing_lost::measure(&source, &pages).missing;
//! assert!(missing.is_empty(), "{missing:#?}");
//! ```
//!
//! Folders of one conversation are searched fastest: give `Pages` the folder of the
//! conversation where the source has only one.

mod api;
mod chatgpt;
mod chats;
mod claude_chat;
mod codex;
mod gemini;
mod librechat;
mod needle;
mod open_webui;
mod opencode;
mod pages;
mod records;

use std::collections::HashSet;
use std::fmt;
use std::path::Path;

use needle::Needle;
pub(crate) use pages::Pages;
use records::{Kind, Said};

/// A line of a source that is nowhere in the pages.
pub(crate) struct Missing {
    /// What the line belongs to.
    pub(crate) kind: Kind,
    /// The record: the line of a JSONL file, or the place in the list of a document, from 1.
    pub(crate) record: usize,
    /// The line, as the source has it.
    pub(crate) line: String,
}

impl fmt::Debug for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "record {}, {:?}: {:?}",
            self.record, self.kind, self.line
        )
    }
}

/// What a measure found.
pub(crate) struct Measure {
    /// How many texts the source has. A measure of nothing would always be good.
    pub(crate) said: usize,
    /// The lines that are not in the pages, each once.
    pub(crate) missing: Vec<Missing>,
}

/// Measures a source (a conversation of a program that [`records`] knows, as JSONL or JSON).
/// Records that are no JSON have no lines.
///
/// # Panics
/// When the source cannot be read.
pub(crate) fn measure(source: &Path, pages: &Pages) -> Measure {
    let bytes = std::fs::read(source).expect("the source can be read");
    let said = records::said(&String::from_utf8_lossy(&bytes));
    Measure {
        said: said.len(),
        missing: missing_of(&said, pages),
    }
}

fn missing_of(said: &[Said], pages: &Pages) -> Vec<Missing> {
    let mut seen = HashSet::new();
    let mut place = 0;
    let mut missing = Vec::new();
    for said in said {
        for line in said.text.lines() {
            if !seen.insert(line) {
                continue;
            }
            match Needle::of(line).find(pages, place) {
                Some(found) => place = found,
                None => missing.push(Missing {
                    kind: said.kind,
                    record: said.record,
                    line: line.to_owned(),
                }),
            }
        }
    }
    missing
}

/// The letters and digits of a text. The Hangul fillers count as letters in Unicode, but draw
/// nothing.
fn letters(text: &str) -> String {
    let fillers = ['\u{115f}', '\u{1160}', '\u{3164}', '\u{ffa0}'];
    let letters = text.chars().filter(|c| c.is_alphanumeric());
    letters.filter(|c| !fillers.contains(c)).collect()
}

/// The text without terminal escapes: control sequences, operating system commands, and the
/// two-character rest.
fn without_escapes(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut parts = text.split('\u{1b}');
    out.push_str(parts.next().unwrap_or(""));
    for part in parts {
        let rest = if let Some(sequence) = part.strip_prefix('[') {
            let end = sequence.find(|c| matches!(c, '\u{40}'..='\u{7e}'));
            end.map_or("", |at| &sequence[at + 1..])
        } else if let Some(command) = part.strip_prefix(']') {
            // Ended by BEL, or by the ESC and backslash of the next part.
            command.split_once('\u{7}').map_or("", |(_, rest)| rest)
        } else {
            let mut chars = part.chars();
            chars.next();
            chars.as_str()
        };
        out.push_str(rest);
    }
    out
}

/// Pages with this body, beside a side file.
fn pages_of(body: &str, side: &str) -> Pages {
    let folder = tempfile::TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
    let deep = folder.path().join("claude-code/a");
    std::fs::create_dir_all(&deep).expect("a folder");
    let html = format!("<!doctype html><title>Heading</title><style>p{{}}</style><body>{body}");
    std::fs::write(deep.join("index.html"), html).expect("a page");
    std::fs::write(deep.join("out-1.txt"), side).expect("a side file");
    Pages::read(folder.path())
}

/// The lines of a reply that are missing in a page with this body.
fn missing_in(body: &str, reply: &str) -> Vec<String> {
    let said = [Said {
        kind: Kind::Reply,
        record: 1,
        text: reply.to_owned(),
    }];
    let missing = missing_of(&said, &pages_of(body, "kept aside"));
    missing.into_iter().map(|missing| missing.line).collect()
}

#[test]
fn a_missing_line_is_reported_and_a_folded_one_is_not() {
    let body = "<p>The first line.</p><details><summary>2 more</summary><pre>folded &lt;line&gt;\n\
                another</pre></details>";
    let reply = "The first line.\nfolded <line>\n\nlost line\nanother\nkept aside";
    assert_eq!(missing_in(body, reply), ["lost line"]);
}

#[test]
fn a_source_is_measured_from_its_file() {
    let file = tempfile::NamedTempFile::new_in(env!("CARGO_TARGET_TMPDIR")).expect("a file");
    let record = r#"{"type":"user","message":{"role":"user","content":"one\ntwo"}}"#;
    std::fs::write(file.path(), format!("not JSON\n{record}\n")).expect("a file");
    let missing = measure(file.path(), &pages_of("<p>one</p>", "")).missing;
    assert_eq!(format!("{missing:?}"), "[record 2, Prompt: \"two\"]");
}

#[test]
fn words_of_the_head_and_of_attributes_are_not_on_the_page() {
    assert_eq!(
        missing_in("<p title=Hint>x", "Heading\nHint"),
        ["Heading", "Hint"]
    );
}

#[test]
fn words_in_the_wrong_order_or_with_others_between_are_missing() {
    assert_eq!(
        missing_in("<p>one two three", "two one\none three"),
        ["two one", "one three"]
    );
}

#[test]
fn markup_that_swallows_text_is_found_out() {
    assert_eq!(
        missing_in("<p>if a <b and c", "if a <b and c"),
        ["if a <b and c"]
    );
}

#[test]
fn marks_of_hidden_characters_stand_in_nobodys_way() {
    let body = "<p>a<span class=\"inv\" title=\"ZERO WIDTH SPACE\">U+200B</span>b and c";
    assert_eq!(missing_in(body, "a\u{200b}b and c"), [""; 0]);
}

#[test]
fn markdown_may_be_drawn() {
    let body = "<h3>Title</h3><ol><li>See <a href=\"https://example.com/a/\">the page</a> now</li></ol>\
        <ul><li><span class=vh>done</span>☑ a task</li></ul><pre><code class=lang-rust>let a;</code></pre>\
        <p>noted<sup><a href=#fn-1>1</a></sup> here &amp; there &lt;br&gt; <a href=https://example.com/ref>text</a>";
    let reply = "# Title\n4. See [the page](https://example.com/a \"hint\") now\n- [x] a task\n\
        ```rust\nlet a;\n```\nnoted[^why] here &amp; there &lt;br&gt; [text][1]\n[1]: https://example.com/ref";
    assert_eq!(missing_in(body, reply), [""; 0]);
}

#[test]
fn a_link_whose_address_is_lost_is_missing() {
    let reply = "See [the page](https://example.com/a)\n```rust";
    assert_eq!(missing_in("<p>See the page", reply).len(), 2);
}

#[test]
fn terminal_escapes_and_overwritten_states_need_not_be_drawn() {
    let text = "\u{1b}[1;31mred\u{1b}[0m words \u{1b}]8;;https://example.com\u{7}link\u{1b}]8;;\u{7}\n10 %\r20 %\rdone with it";
    assert_eq!(
        missing_in("<pre>red words link\ndone with it", text),
        [""; 0]
    );
    assert_eq!(missing_in("<pre>red words\ndone", text).len(), 2);
}

#[test]
fn text_may_stand_as_json_and_json_as_its_texts() {
    let body = "<pre>{\"note\": \"say \\\"tab\\there\\\" again\"}</pre><a href=https://example.com/>First hit</a>";
    let lines = "say \"tab\there\" again\nLinks: [{\"title\":\"First hit\",\"url\":\"https://example.com/\"}]";
    assert_eq!(
        missing_in(body, lines),
        ["Links: [{\"title\":\"First hit\",\"url\":\"https://example.com/\"}]"]
    );
    assert_eq!(missing_in(&format!("Links:{body}"), lines), [""; 0]);
}

#[test]
fn wrappers_around_injected_words_need_not_be_drawn() {
    let body = "<p>Remember this.</p><p>/compact</p>";
    let text =
        "<system-reminder>Remember this.</system-reminder>\n<command-name>/compact</command-name>";
    assert_eq!(missing_in(body, text), [""; 0]);
}
