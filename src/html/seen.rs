//! For tests: what a reader sees of a piece of HTML, and whether its spans are sound.

use super::{Html, Text};

/// The text without its tags, entities undone. Panics when a tag is anything but a `span` with
/// one plain `class` (or the mark of an invisible character), or when a span is not closed
/// inside the piece.
pub(crate) fn text_of(html: &Html) -> String {
    let mut text = String::new();
    let mut rest = html.as_str();
    let mut open = 0_usize;
    while let Some(at) = rest.find(['<', '&']) {
        text.push_str(&rest[..at]);
        rest = &rest[at..];
        if rest.starts_with('<') {
            let end = rest.find('>').expect("a tag ends");
            let tag = &rest[1..end];
            if tag == "/span" {
                open = open.checked_sub(1).expect("no span is closed twice");
            } else {
                assert!(is_span(tag), "not a tag that runs may hold: {tag}");
                open += 1;
            }
            rest = &rest[end + 1..];
        } else {
            let end = rest.find(';').expect("an entity ends");
            text.push(match &rest[..end] {
                "&amp" => '&',
                "&lt" => '<',
                "&gt" => '>',
                "&quot" => '"',
                "&#39" => '\'',
                other => panic!("not an entity of ours: {other}"),
            });
            rest = &rest[end + 1..];
        }
    }
    assert_eq!(open, 0, "all spans are closed: {html}");
    text.push_str(rest);
    text
}

/// What a reader sees of plain text: marks for its invisible characters.
pub(crate) fn shown(text: &str) -> String {
    text_of(&Html(Text(text).to_string()))
}

fn is_span(tag: &str) -> bool {
    let Some(class) = tag.strip_prefix("span class=\"") else {
        return false;
    };
    let (class, rest) = class.split_once('"').unwrap_or((class, ""));
    let plain = |c: char| c.is_ascii_alphanumeric() || c == ' ';
    class.chars().all(plain)
        && (rest.is_empty() || (class == "inv" && rest.starts_with(" title=\"")))
}
