//! The marker that stands where a secret was: `[redacted: kind #n]`. It is one word to whoever
//! colours or compares a text, so that it comes whole into the page.

use std::borrow::Cow;
use std::ops::Range;

const START: &str = "[redacted: ";
/// How long a marker can be: the name of a rule of the user's own may stand in it.
const LONGEST: usize = 160;

/// The marker of the value of this kind with this number.
pub(crate) fn written(kind: &str, number: u32) -> String {
    format!("{START}{kind} #{number}]")
}

/// The marker that begins at the beginning of a text, as its length in bytes.
pub(crate) fn length(text: &str) -> Option<usize> {
    let rest = text.strip_prefix(START)?;
    let bytes = rest.as_bytes();
    let end = bytes.iter().take(LONGEST).position(|byte| *byte == b']')?;
    let (kind, number) = rest[..end].rsplit_once(" #")?;
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    (is_number && !kind.contains('\n')).then_some(START.len() + end + 1)
}

/// All markers of a text, in order.
pub(crate) fn places(text: &str) -> Vec<Range<usize>> {
    memchr::memmem::find_iter(text.as_bytes(), START)
        .filter_map(|at| Some(at..at + length(&text[at..])?))
        .collect()
}

/// A text of the same length in which a word stands for every marker.
pub(crate) fn as_words(text: &str) -> Cow<'_, str> {
    let places = places(text);
    if places.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut words = String::with_capacity(text.len());
    let mut at = 0;
    for place in places {
        words.push_str(&text[at..place.start]);
        words.extend(std::iter::repeat_n('x', place.len()));
        at = place.end;
    }
    words.push_str(&text[at..]);
    Cow::Owned(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_marker_is_known_by_its_whole_form() {
        let marker = written("api-key", 12);
        assert_eq!(marker, "[redacted: api-key #12]");
        assert_eq!(length(&format!("{marker}; ls")), Some(marker.len()));
        for text in ["[redacted: ]", "[redacted: a #]", "[redacted: a #1", "x"] {
            assert_eq!(length(text), None, "{text}");
        }
    }

    #[test]
    fn words_take_the_places_of_markers_and_lengths_stay() {
        let text = "é=[redacted: password #1]; ls";
        let words = as_words(text);
        assert_eq!(words.len(), text.len());
        assert!(words.starts_with("é=xxx") && words.ends_with("x; ls"));
        assert!(matches!(as_words("plain [x]"), Cow::Borrowed(_)));
    }
}
