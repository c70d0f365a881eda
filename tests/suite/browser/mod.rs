//! Drives a real Chromium, so that tests can say what a reader sees and does.
//!
//! The browser is reached over its own pipe (`--remote-debugging-pipe`), which needs no port and
//! no crate but `serde_json`. One browser serves the whole run; each [`Page`] has a context of
//! its own, so tests may run side by side. Without a Chromium these tests print one line and
//! pass; with `FOLDOUT_REQUIRE_BROWSER=1` they fail instead.
//!
//! A test looks like this:
//!
//! ```ignore
//! let Some(page) = browser::open(View::default()) else { return };
//! page.go(&browser::file_url(&site.join("index.html")));
//! page.click("summary");
//! assert!(page.text().contains("folded words"));
//! ```

mod harness;
pub(crate) mod inert;
mod launch;
mod page;
mod paper;
mod wire;

use std::path::Path;

pub(crate) use page::{Key, Page, View};

/// A new page, or `None` when there is no browser to open it in.
///
/// # Panics
/// When there is none and `FOLDOUT_REQUIRE_BROWSER=1`.
pub(crate) fn open(view: View) -> Option<Page> {
    launch::wire().map(|wire| Page::new(wire, view))
}

/// The `file:` address of a path.
pub(crate) fn file_url(path: &Path) -> String {
    let path = path.canonicalize().expect("the page is there");
    let url = url::Url::from_file_path(path).expect("a canonical path is absolute");
    url.into()
}
