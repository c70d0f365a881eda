//! Conducts one build: walk, look, read, then draw and write each conversation, then the index.
//! The only room that knows every other, and the only one with threads.
//!
//! Every source is read twice. The first reading keeps only what the others must know of it (its
//! address, its title, when it began); the second draws it. So the neighbours' links are known
//! when a page is drawn, and no more than the conversations in flight are ever in memory.

mod arrange;
mod draw;
mod list;
mod look;
mod read;
mod secrets;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use crate::addresses::style_sheet;
use crate::error::{Error, Problem, Severity};
use crate::figures::Clock;
use crate::pages::{self, Fold, Place, Row, Style};
use crate::redact::{self, Redactions, Redactor};
use crate::site::Site;
use crate::themes;
use crate::tools::OwnViews;
use crate::walk::walk;

use arrange::{Known, arrange, places};
use draw::{Drawn, Hand, draw};
use look::{Sources, fruitless, look};
use read::scan;

pub use list::{Listed, Listing, ToolUse, list};

/// What a build is asked to do.
#[derive(Clone, Debug)]
pub struct Options {
    /// Files and folders to read; `-` is standard input.
    pub inputs: Vec<PathBuf>,
    /// Whether nobody named them: they are where programs keep conversations, and need not hold
    /// any.
    pub is_implied: bool,
    /// The folder of the site.
    pub output: PathBuf,
    /// The site's title.
    pub title: String,
    /// The values of the theme, and its name for the style sheet's file.
    pub theme: (String, String),
    /// How runs of steps are folded.
    pub fold: Fold,
    /// The only format to read with, whatever the files look like.
    pub format: Option<&'static str>,
    /// Whether the files are still being written.
    pub live: bool,
    /// The time zone of every time.
    pub clock: Clock,
    /// About how many bytes a page may have.
    pub page_budget: usize,
    /// Whether a folder that foldout did not make may be written into.
    pub adopt: bool,
    /// How many threads to use, at most four for each core; 0 for as many as there are cores.
    pub jobs: usize,
    /// The views that the user made for tools.
    pub tool_views: OwnViews,
    /// What is redacted.
    pub redaction: redact::Settings,
    /// Whether nothing is written when a secret is found.
    pub deny_secrets: bool,
}

impl Default for Options {
    fn default() -> Self {
        let theme = &themes::THEMES[0];
        Self {
            inputs: Vec::new(),
            is_implied: false,
            output: PathBuf::from("site"),
            title: "Conversations".to_owned(),
            theme: (theme.name.to_owned(), theme.css.to_owned()),
            fold: Fold::default(),
            format: None,
            live: false,
            clock: Clock::default(),
            page_budget: 1 << 20,
            adopt: false,
            jobs: 0,
            tool_views: OwnViews::default(),
            redaction: redact::Settings::default(),
            deny_secrets: false,
        }
    }
}

/// What a build came to.
#[derive(Debug, Default)]
pub struct Report {
    /// The index of the site.
    pub index: PathBuf,
    /// Conversations that have pages.
    pub conversations: usize,
    /// The same, by the program that saved them.
    pub programs: BTreeMap<String, usize>,
    /// Pages, the index among them.
    pub pages: usize,
    /// What could not be read or drawn as it stands, sorted by place.
    pub problems: Vec<Problem>,
    /// How many places were redacted, by kind.
    pub redactions: BTreeMap<String, u64>,
    /// In how many conversations.
    pub redacted: usize,
    /// Whether nothing was written, because there are secrets and the options deny them.
    pub is_denied: bool,
}

/// How far a build is, for a progress bar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// This many bytes of sources are to be read and drawn.
    Planned(u64),
    /// This many more bytes are done.
    Done(u64),
}

/// Builds a site.
///
/// # Errors
/// When the output cannot be written, or the number of threads cannot be had. What cannot be
/// read is a problem in the report, never an error.
pub fn build(options: &Options, progress: &(dyn Fn(Event) + Sync)) -> Result<Report, Error> {
    in_threads(options, || build_here(options, progress))?
}

/// Works with as many threads as the options say.
fn in_threads<T: Send>(options: &Options, work: impl FnOnce() -> T + Send) -> Result<T, Error> {
    // More threads than this only wait for each other.
    let most = 4 * std::thread::available_parallelism().map_or(1, usize::from);
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(options.jobs.min(most))
        .build();
    let pool = pool
        .map_err(|error| Error::new(&options.output, format!("cannot start threads: {error}")))?;
    Ok(pool.install(work))
}

/// The sources of a build, and what was in the way of finding them.
fn found(options: &Options, output: Option<&Path>) -> (Sources, Vec<Problem>) {
    let found = walk(&options.inputs, output);
    let archives = found.archives.clone();
    let (sources, mut problems) = look(found, options);
    if !options.is_implied {
        problems.extend(fruitless(&options.inputs, &archives, &sources));
    }
    (sources, problems)
}

fn build_here(options: &Options, progress: &(dyn Fn(Event) + Sync)) -> Result<Report, Error> {
    let redactor = redactor(options);
    // Where secrets are denied, the folder is not touched before it is known that there are none.
    let mut site = match options.deny_secrets {
        true => None,
        false => Some(Site::open(&options.output, options.adopt)?),
    };
    let (sources, mut problems) = found(options, Some(&options.output));
    let times = 2 + u64::from(options.deny_secrets);
    let size: u64 = sources.iter().map(|(source, _)| source.size()).sum();
    progress(Event::Planned(size * times));
    let scans = in_parallel(&sources, |(source, format)| {
        let scan = scan(source, *format, &redactor, options);
        progress(Event::Done(source.size()));
        scan
    });
    let mut report = Report {
        index: options.output.join("index.html"),
        ..Report::default()
    };
    let mut entries = Vec::new();
    let mut redactions = Vec::new();
    for (at, scan) in scans.into_iter().enumerate() {
        problems.extend(scan.problems);
        entries.extend(scan.known.map(|known| known.read_from(at)));
        report.is_denied |= options.deny_secrets && scan.redactions.any_secret();
        report.add(&scan.redactions);
        redactions.push(scan.redactions);
    }
    let css = themes::style_sheet(&options.theme.1);
    let style = Style {
        title: options.title.clone(),
        style_sheet: style_sheet(&options.theme.0, &css),
        clock: options.clock.clone(),
        fold: options.fold,
        page_budget: options.page_budget,
        is_redacted: options.redaction.any(),
        tool_views: options.tool_views.clone(),
    };
    let known = arrange(entries, &mut problems);
    let work = Work {
        places: places(&known, &style.clock),
        sources: &sources,
        redactions: &redactions,
        known: &known,
        style: &style,
        redactor: &redactor,
        options,
        progress,
    };
    if options.deny_secrets && !report.is_denied {
        // Without a site nothing is written: what would be is only looked at.
        for drawn in work.draw(None)? {
            report.is_denied |= drawn.leaks > 0;
            problems.extend(drawn.problems);
        }
    }
    if report.is_denied {
        report.problems = sorted(problems);
        return Ok(report);
    }
    let site = match site.take() {
        Some(site) => site,
        None => Site::open(&options.output, options.adopt)?,
    };
    site.write(&style.style_sheet, css.as_bytes())?;
    for drawn in work.draw(Some(&site))? {
        report.pages += drawn.pages;
        report.conversations += 1;
        problems.extend(drawn.problems);
    }
    for known in &known {
        let program = known.row.program.clone();
        *report.programs.entry(program).or_insert(0) += 1;
    }
    let rows: Vec<Row> = known.iter().map(|known| known.row.clone()).collect();
    for mut page in pages::index_pages(&rows, &style) {
        let leaks = secrets::last_look(&mut page, &redactor, &Redactions::default());
        let warn = |what| Problem::new(Severity::Warning, &page.file, what);
        problems.extend(leaks.into_iter().map(warn));
        site.write_page(&page)?;
        report.pages += 1;
    }
    let listed = known
        .iter()
        .map(|known| (redactor.line(&known.name), known.row.folder.clone()));
    site.finish(listed.collect())?;
    report.problems = sorted(problems);
    Ok(report)
}

/// What is to be drawn, and all that drawing needs.
struct Work<'a> {
    sources: &'a Sources,
    /// What was taken out of each of them.
    redactions: &'a [Redactions],
    known: &'a [Known],
    /// One for each of them.
    places: Vec<Place>,
    style: &'a Style,
    redactor: &'a Redactor,
    options: &'a Options,
    progress: &'a (dyn Fn(Event) + Sync),
}

impl Work<'_> {
    /// Draws every conversation, in their order.
    fn draw(&self, site: Option<&Site>) -> Result<Vec<Drawn>, Error> {
        let work: Vec<(&Known, &Place)> = self.known.iter().zip(&self.places).collect();
        let weight = |(known, _): &(&Known, &Place)| self.sources[known.at].0.size();
        let place = |(known, _): &(&Known, &Place)| known.at;
        let drawn = in_parallel_by(&work, weight, place, |(known, place)| {
            let (source, format) = &self.sources[known.at];
            let hand = Hand {
                place,
                style: self.style,
                redactor: self.redactor,
                redactions: &self.redactions[known.at],
                site,
            };
            let drawn = draw(source, *format, known, &hand, self.options);
            (self.progress)(Event::Done(source.size()));
            drawn
        });
        drawn.into_iter().collect()
    }
}

/// The redactor that the options ask for. To deny secrets is to look for them.
fn redactor(options: &Options) -> Redactor {
    let mut settings = options.redaction.clone();
    settings.secrets |= options.deny_secrets;
    Redactor::new(&settings)
}

fn sorted(mut problems: Vec<Problem>) -> Vec<Problem> {
    problems.sort();
    problems.dedup();
    problems
}

impl Report {
    fn add(&mut self, redactions: &Redactions) {
        self.redacted += usize::from(!redactions.counts.is_empty());
        for (kind, count) in &redactions.counts {
            *self.redactions.entry(kind.clone()).or_insert(0) += count;
        }
    }
}

/// Runs `work` over every item in parallel; results come in the items' order.
fn in_parallel<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync + Send) -> Vec<R> {
    items.par_iter().with_max_len(1).map(work).collect()
}

/// From this weight on, in bytes, an item is heavy.
const HEAVY: u64 = 1 << 20;

/// The same, the heavy items first, so that none is left for the end. The others go by their
/// places: parts of one file that stand beside each other are unpacked together.
fn in_parallel_by<T: Sync, R: Send>(
    items: &[T],
    weight: impl Fn(&T) -> u64,
    place: impl Fn(&T) -> usize,
    work: impl Fn(&T) -> R + Sync + Send,
) -> Vec<R> {
    let mut order: Vec<usize> = (0..items.len()).collect();
    let heaviness = |weight: u64| if weight < HEAVY { 0 } else { weight };
    order.sort_by_key(|index| {
        let item = &items[*index];
        (std::cmp::Reverse(heaviness(weight(item))), place(item))
    });
    let mut results: Vec<(usize, R)> = order
        .par_iter()
        .with_max_len(1)
        .map(|index| (*index, work(&items[*index])))
        .collect();
    results.sort_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}
