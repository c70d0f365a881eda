//! Notices out of texts that a program wrote.

use crate::figures::one_line;
use crate::model::{Body, Notice, NoticeKind};

/// How long a notice's title may be, in characters.
const LINE: usize = 120;

/// A notice whose line is the text itself, with the whole under it when the line is too short.
pub(crate) fn in_a_line(kind: NoticeKind, text: &str) -> Notice {
    let line = one_line(text, LINE);
    let notice = Notice::new(kind, line.as_str());
    if line == text.trim() {
        notice
    } else {
        notice.with_body(Body::Prose(text.trim().to_owned()))
    }
}
