//! What the cards of one page share: its limits, and the files that go beside it.

use std::cell::{Cell, RefCell};

use crate::addresses::SideFile;
use crate::html::SafeUrl;

/// How much of what stands on a page before it moves into a file beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Limits {
    /// Bytes of a text that a page shows in full (folded); a longer one has its head and tail
    /// there, and the whole of it in a side file.
    pub(crate) text: usize,
    /// Bytes of a picture that is kept.
    pub(crate) image: usize,
}

impl Limits {
    /// The limits of a page with this budget in bytes.
    pub(crate) fn of_page(budget: usize) -> Self {
        Limits {
            text: (budget / 16).max(4 << 10),
            image: 16 << 20,
        }
    }
}

/// What the cards of one page are drawn with.
pub(crate) struct Drawing<'a> {
    /// The format whose tools are drawn.
    pub(crate) format: &'a str,
    /// The folder of the work, to which paths are shown relative.
    pub(crate) project: Option<&'a str>,
    /// How much stands on the page.
    pub(crate) limits: Limits,
    files: &'a RefCell<Vec<SideFile>>,
    ids: &'a Cell<u32>,
}

impl<'a> Drawing<'a> {
    /// A drawing for one page, whose side files are put into `files`. `ids` numbers what needs an id of
    /// its own on the page, and is shared with the subagents drawn on it.
    pub(crate) fn new(
        format: &'a str,
        project: Option<&'a str>,
        limits: Limits,
        files: &'a RefCell<Vec<SideFile>>,
        ids: &'a Cell<u32>,
    ) -> Self {
        Self {
            format,
            project,
            limits,
            files,
            ids,
        }
    }

    /// The same page, for a conversation about another folder.
    pub(crate) fn about(&self, project: Option<&'a str>) -> Drawing<'a> {
        Drawing { project, ..*self }
    }

    /// Puts a file beside the page and gives its address.
    pub(crate) fn put_beside(&self, file: SideFile) -> SafeUrl {
        let address = SafeUrl::local(&file.name);
        let mut files = self.files.borrow_mut();
        if !files.iter().any(|known| known.name == file.name) {
            files.push(file);
        }
        address
    }

    /// An id that nothing else on the page has: `x1`, `x2` ….
    pub(crate) fn fresh_id(&self) -> String {
        self.ids.set(self.ids.get() + 1);
        format!("x{}", self.ids.get())
    }
}
