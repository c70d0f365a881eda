//! Conducts one build: walk, look, read, then draw and write each conversation, then the index.
//! The only room that knows every other, and the only one with threads.
//!
//! Every source is read twice. The first reading keeps only what the others must know of it (its
//! address, its title, when it began); the second draws it. So the neighbours' links are known
//! when a page is drawn, and no more than the conversations in flight are ever in memory.

mod arrange;

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;

use rayon::prelude::*;

use crate::addresses::{assign_anchors, style_sheet};
use crate::error::{Error, Problem, Severity};
use crate::figures::Clock;
use crate::formats::{self, Format, Head, Reading};
use crate::model::Conversation;
use crate::pages::{self, Fold, Place, Row, Style};
use crate::site::Site;
use crate::source::Source;
use crate::themes;
use crate::walk::{Walk, walk};

use arrange::{Known, arrange, places};

/// What a build is asked to do.
#[derive(Clone, Debug)]
pub struct Options {
    /// Files and folders to read; `-` is standard input.
    pub inputs: Vec<PathBuf>,
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
}

impl Default for Options {
    fn default() -> Self {
        let theme = &themes::THEMES[0];
        Self {
            inputs: Vec::new(),
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
    /// Pages, the index among them.
    pub pages: usize,
    /// What could not be read or drawn as it stands, sorted by place.
    pub problems: Vec<Problem>,
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
    // More threads than this only wait for each other.
    let most = 4 * std::thread::available_parallelism().map_or(1, usize::from);
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(options.jobs.min(most))
        .build();
    let pool = pool
        .map_err(|error| Error::new(&options.output, format!("cannot start threads: {error}")))?;
    pool.install(|| build_here(options, progress))
}

fn build_here(options: &Options, progress: &(dyn Fn(Event) + Sync)) -> Result<Report, Error> {
    let site = Site::open(&options.output, options.adopt)?;
    let found = walk(&options.inputs, Some(&options.output));
    let (sources, mut problems) = look(found, options);
    problems.extend(fruitless(&options.inputs, &sources));
    progress(Event::Planned(
        sources.iter().map(|(source, _)| source.size()).sum::<u64>() * 2,
    ));
    let scans = in_parallel(&sources, |(source, format)| {
        let scan = scan(source, *format, options);
        progress(Event::Done(source.size()));
        scan
    });
    let mut entries = Vec::new();
    for (at, scan) in scans.into_iter().enumerate() {
        problems.extend(scan.problems);
        entries.extend(scan.known.map(|known| known.read_from(at)));
    }
    let css = themes::style_sheet(&options.theme.1);
    let style = Style {
        title: options.title.clone(),
        style_sheet: style_sheet(&options.theme.0, &css),
        clock: options.clock.clone(),
        fold: options.fold,
        page_budget: options.page_budget,
    };
    site.write(&style.style_sheet, css.as_bytes())?;
    let known = arrange(entries, &mut problems);
    let places = places(&known, &style.clock);
    let work: Vec<(&Known, &Place)> = known.iter().zip(&places).collect();
    let drawn = in_parallel_by(
        &work,
        |(known, _)| sources[known.at].0.size(),
        |(known, place)| {
            let (source, format) = &sources[known.at];
            let drawn = draw(source, *format, known, place, &style, &site, options);
            progress(Event::Done(source.size()));
            drawn
        },
    );
    let mut report = Report {
        index: options.output.join("index.html"),
        ..Report::default()
    };
    for drawn in drawn {
        let drawn = drawn?;
        report.pages += drawn.pages;
        report.conversations += 1;
        problems.extend(drawn.problems);
    }
    let rows: Vec<Row> = known.iter().map(|known| known.row.clone()).collect();
    for page in pages::index_pages(&rows, &style) {
        site.write_page(&page)?;
        report.pages += 1;
    }
    let listed = known
        .iter()
        .map(|known| (known.name.clone(), known.row.folder.clone()));
    site.finish(listed.collect())?;
    problems.sort();
    problems.dedup();
    report.problems = problems;
    Ok(report)
}

/// Runs `work` over every item in parallel; results come in the items' order.
fn in_parallel<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync + Send) -> Vec<R> {
    items.par_iter().with_max_len(1).map(work).collect()
}

/// The same, the heaviest items first, so that none is left for the end.
fn in_parallel_by<T: Sync, R: Send>(
    items: &[T],
    weight: impl Fn(&T) -> u64,
    work: impl Fn(&T) -> R + Sync + Send,
) -> Vec<R> {
    let mut order: Vec<usize> = (0..items.len()).collect();
    order.sort_by_key(|index| std::cmp::Reverse(weight(&items[*index])));
    let mut results: Vec<(usize, R)> = order
        .par_iter()
        .with_max_len(1)
        .map(|index| (*index, work(&items[*index])))
        .collect();
    results.sort_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}

type Sources = Vec<(Source, &'static dyn Format)>;

/// Looks at every file and groups what is recognised into sources.
fn look(found: Walk, options: &Options) -> (Sources, Vec<Problem>) {
    let Walk {
        files,
        mut problems,
    } = found;
    let named: BTreeSet<String> = files
        .iter()
        .filter(|found| found.is_named)
        .map(|found| found.file.path.clone())
        .collect();
    let heads: Vec<_> = files
        .par_iter()
        .map(|found| Head::of(&found.file))
        .collect();
    let mut looked = Vec::new();
    for (found, head) in files.into_iter().zip(heads) {
        match head {
            Ok(head) => looked.push((found.file, head)),
            Err(error) => {
                // What a file holds that cannot be opened is not known, unless it was named.
                let severity = if found.is_named {
                    Severity::Lost
                } else {
                    Severity::Warning
                };
                let what = format!("cannot be read: {error}");
                problems.push(Problem::new(severity, found.file.path, what));
            }
        }
    }
    let forced = options.format.and_then(formats::by_name);
    let grouped = formats::group(looked, forced);
    for file in grouped.empty {
        problems.push(Problem::new(Severity::Note, file.path, "empty file"));
    }
    for file in grouped.unknown {
        let is_named = named.contains(&file.path);
        let severity = if is_named {
            Severity::Lost
        } else {
            Severity::Note
        };
        problems.push(Problem::new(severity, file.path, "no known format"));
    }
    let mut sources = Vec::new();
    for (source, format) in grouped.sources {
        let (parts, problem) = formats::apart(source, format);
        problems.extend(problem);
        sources.extend(parts.into_iter().map(|source| (source, format)));
    }
    (sources, problems)
}

/// Folders that were named and have no conversation in them: most likely the wrong ones.
fn fruitless(inputs: &[PathBuf], sources: &Sources) -> Vec<Problem> {
    let folders = inputs.iter().filter(|input| input.is_dir());
    let is_fruitless = |folder: &&PathBuf| {
        let folder = folder.display().to_string();
        let below = format!("{}/", folder.trim_end_matches('/'));
        let is_below = |source: &Source| source.main.path.starts_with(&below);
        !sources.iter().any(|(source, _)| is_below(source))
    };
    folders
        .filter(is_fruitless)
        .map(|folder| {
            let path = folder.display().to_string();
            Problem::new(Severity::Lost, path, "no conversation was found in it")
        })
        .collect()
}

/// What the first reading of a source keeps.
struct Scan {
    known: Option<Known>,
    problems: Vec<Problem>,
}

fn scan(source: &Source, format: &'static dyn Format, options: &Options) -> Scan {
    let Reading {
        conversation,
        mut problems,
    } = read(source, format, options);
    let known =
        conversation.map(|conversation| Known::of(&conversation, format.name(), &source.main));
    let is_said = problems
        .iter()
        .any(|problem| problem.severity == Severity::Lost);
    if known.is_none() && !is_said {
        problems.push(Problem::new(
            Severity::Lost,
            &source.main.path,
            "nothing in it that could be shown",
        ));
    }
    Scan { known, problems }
}

/// Reads a source; a reader's panic is a problem like any other.
fn read(source: &Source, format: &'static dyn Format, options: &Options) -> Reading {
    let reading = catch_unwind(AssertUnwindSafe(|| {
        let mut reading = format.read(source);
        if let Some(conversation) = &mut reading.conversation {
            assign_anchors(conversation);
            if options.live {
                conversation.mark_live();
            }
        }
        reading
    }));
    reading.unwrap_or_else(|_| Reading {
        conversation: None,
        problems: vec![failure(source)],
    })
}

fn failure(source: &Source) -> Problem {
    let what = "foldout failed on this file; please report it";
    Problem::new(Severity::Lost, &source.main.path, what)
}

/// What drawing a source came to.
struct Drawn {
    pages: usize,
    problems: Vec<Problem>,
}

/// Reads a source again, draws its pages and writes them. A conversation that cannot be drawn
/// any more has a page that says so, since others link to it.
fn draw(
    source: &Source,
    format: &'static dyn Format,
    known: &Known,
    place: &Place,
    style: &Style,
    site: &Site,
    options: &Options,
) -> Result<Drawn, Error> {
    let problem = match read(source, format, options) {
        Reading {
            conversation: Some(conversation),
            ..
        } => {
            let pages = || draw_pages(&conversation, source, place, style, site);
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
    let mut drawn = draw_pages(&known.without_words(), source, place, style, site)?;
    drawn.problems.push(problem);
    Ok(drawn)
}

fn draw_pages(
    conversation: &Conversation,
    source: &Source,
    place: &Place,
    style: &Style,
    site: &Site,
) -> Result<Drawn, Error> {
    let plan = pages::plan(conversation, style.page_budget);
    let written: Vec<Result<Vec<String>, Error>> = plan
        .pages
        .par_iter()
        .with_max_len(1)
        .map(|page| {
            let page = pages::draw(page, &plan, place, style);
            site.write_page(&page)?;
            Ok(page.faults)
        })
        .collect();
    let mut problems = Vec::new();
    for faults in written {
        let warn = |what| Problem::new(Severity::Warning, &source.main.path, what);
        problems.extend(faults?.into_iter().map(warn));
    }
    Ok(Drawn {
        pages: plan.pages.len(),
        problems,
    })
}
