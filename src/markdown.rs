//! placeholder until the real room is merged
use crate::html::{Html, Runs};
pub(crate) fn html(text: &str, _scope: &str) -> Html {
    let mut r = Runs::default();
    r.text(text);
    r.finish()
}
pub(crate) fn prompt(text: &str, _scope: &str) -> Html {
    html(text, "")
}
pub(crate) fn first_line(text: &str, most: usize) -> String {
    crate::figures::one_line(text.trim().lines().next().unwrap_or(""), most)
}
