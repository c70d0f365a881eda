//! placeholder until the real room is merged
use crate::html::{Html, Runs};
use std::borrow::Cow;
pub(crate) fn plain(text: &str) -> Cow<'_, str> {
    Cow::Borrowed(text)
}
pub(crate) fn lines(text: &str) -> Vec<Html> {
    text.split('\n')
        .map(|l| {
            let mut r = Runs::default();
            r.text(l);
            r.finish()
        })
        .collect()
}
