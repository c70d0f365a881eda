//! placeholder until the real room is merged
use crate::html::{Html, Runs};
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Language;
impl Language {
    pub(crate) fn from_name(_: &str) -> Option<Self> {
        None
    }
    pub(crate) fn from_path(_: &str) -> Option<Self> {
        None
    }
}
pub(crate) fn code_lines(text: &str, _: Option<Language>) -> Vec<Html> {
    text.split('\n')
        .map(|l| {
            let mut r = Runs::default();
            r.text(l);
            r.finish()
        })
        .collect()
}
