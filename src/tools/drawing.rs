//! What the cards of one page share: its limits, and the files that go beside it.

use std::cell::{Cell, RefCell};

use crate::addresses::SideFile;
use crate::html::SafeUrl;

use super::registry::Registry;

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

/// What is gathered while a page is drawn.
#[derive(Debug, Default)]
pub(crate) struct Sheet {
    files: RefCell<Vec<SideFile>>,
    faults: RefCell<Vec<String>>,
    ids: Cell<u32>,
}

impl Sheet {
    /// The files that go beside the page, and what could not be drawn on it.
    pub(crate) fn into_parts(self) -> (Vec<SideFile>, Vec<String>) {
        (self.files.into_inner(), self.faults.into_inner())
    }
}

/// What the cards of one page are drawn with.
#[derive(Clone, Copy)]
pub(crate) struct Drawing<'a> {
    /// Which views draw the tools.
    pub(crate) registry: Registry<'a>,
    /// The folder of the work, to which paths are shown relative.
    pub(crate) project: Option<&'a str>,
    /// How much stands on the page.
    pub(crate) limits: Limits,
    sheet: &'a Sheet,
}

impl<'a> Drawing<'a> {
    /// A drawing for one page.
    pub(crate) fn new(
        registry: Registry<'a>,
        project: Option<&'a str>,
        limits: Limits,
        sheet: &'a Sheet,
    ) -> Self {
        Self {
            registry,
            project,
            limits,
            sheet,
        }
    }

    /// Puts a file beside the page and gives its address.
    pub(crate) fn put_beside(&self, file: SideFile) -> SafeUrl {
        let address = SafeUrl::local(&file.name);
        let mut files = self.sheet.files.borrow_mut();
        if !files.iter().any(|known| known.name == file.name) {
            files.push(file);
        }
        address
    }

    /// Tells that something could not be drawn, for the build's report.
    pub(crate) fn tell(&self, fault: String) {
        self.sheet.faults.borrow_mut().push(fault);
    }

    /// An id that nothing else on the page has: `x1`, `x2` ….
    pub(crate) fn fresh_id(&self) -> String {
        let id = self.sheet.ids.get() + 1;
        self.sheet.ids.set(id);
        format!("x{id}")
    }
}
