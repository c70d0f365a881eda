//! Draws the pages of one conversation and hands them to the site.

use std::panic::{AssertUnwindSafe, catch_unwind};

use rayon::prelude::*;

use crate::error::{Error, Problem, Severity};
use crate::formats::Format;
use crate::model::Conversation;
use crate::pages::{self, Place, Style};
use crate::redact::{Redactions, Redactor};
use crate::site::Site;
use crate::source::Source;

use super::Options;
use super::arrange::Known;
use super::read::{Read, failure, read};
use super::secrets;

/// What drawing a source came to.
pub(super) struct Drawn {
    /// How many pages it has.
    pub(super) pages: usize,
    /// How many secrets were still on them at the last look.
    pub(super) leaks: usize,
    /// What could not be drawn as it stands.
    pub(super) problems: Vec<Problem>,
}

/// What drawing needs besides the conversation. Without a site, pages are drawn and looked at
/// only.
pub(super) struct Hand<'a> {
    pub(super) place: &'a Place,
    pub(super) style: &'a Style,
    pub(super) redactor: &'a Redactor,
    /// What was taken out of it at the first reading.
    pub(super) redactions: &'a Redactions,
    pub(super) site: Option<&'a Site>,
}

/// Reads a source again, draws its pages and writes them. A conversation that cannot be drawn
/// any more has a page that says so, since others link to it.
pub(super) fn draw(
    source: &Source,
    format: &'static dyn Format,
    known: &Known,
    hand: &Hand<'_>,
    options: &Options,
) -> Result<Drawn, Error> {
    let Read {
        conversation,
        redactions,
        ..
    } = read(
        source,
        format,
        hand.redactor,
        options,
        Some(hand.redactions),
    );
    let redactions = redactions.as_ref().unwrap_or(hand.redactions);
    let problem = match conversation {
        Some((_, conversation)) => {
            let pages = || draw_pages(&conversation, source, redactions, hand);
            match catch_unwind(AssertUnwindSafe(pages)) {
                Ok(drawn) => return drawn,
                Err(_) => failure(source),
            }
        }
        _ => Problem::new(
            Severity::Lost,
            &source.main.path,
            "the file changed while it was read",
        ),
    };
    let mut drawn = draw_pages(&known.without_words(), source, redactions, hand)?;
    drawn.problems.push(problem);
    Ok(drawn)
}

fn draw_pages(
    conversation: &Conversation,
    source: &Source,
    redactions: &Redactions,
    hand: &Hand<'_>,
) -> Result<Drawn, Error> {
    let plan = pages::plan(conversation, hand.style.page_budget);
    let written: Vec<Result<Written, Error>> = plan
        .pages
        .par_iter()
        .with_max_len(1)
        .map(|page| {
            let mut page = pages::draw(page, &plan, hand.place, hand.style);
            let leaks = secrets::last_look(&mut page, hand.redactor, redactions);
            if let Some(site) = hand.site {
                site.write_page(&page)?;
            }
            let faults = page.faults;
            Ok(Written { faults, leaks })
        })
        .collect();
    let mut drawn = Drawn {
        pages: plan.pages.len(),
        leaks: 0,
        problems: Vec::new(),
    };
    let warn = |what| Problem::new(Severity::Warning, &source.main.path, what);
    for page in written {
        let Written { faults, leaks } = page?;
        drawn.leaks += leaks.len();
        let said = faults.into_iter().chain(leaks);
        drawn.problems.extend(said.map(warn));
    }
    Ok(drawn)
}

/// What writing a page came to, in words.
struct Written {
    faults: Vec<String>,
    leaks: Vec<String>,
}
