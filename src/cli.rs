//! The command line: arguments become options, problems and progress go to stderr, results to
//! stdout. A part of the binary, which knows the library only by its public items; the only room
//! that prints.

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};

use foldout::error::{Error, Problem, Severity};
use foldout::pipeline::{Event, Options, Report, build};
use foldout::{Clock, Fold, formats, redact, themes};

/// How many problems of one file are printed unless `-v` is given.
const LINES: usize = 20;

/// Turns saved AI conversations into a static, script-free website.
#[derive(Parser)]
#[command(version, about, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Build a site from files and folders.
    Build(Box<Build>),
    /// List the themes that are built in.
    Themes,
    /// List the kinds of secrets that are known by how they are written.
    Kinds,
}

#[derive(Args)]
struct Build {
    /// Files and folders with conversations; `-` is standard input.
    #[arg(required = true, value_name = "INPUT")]
    inputs: Vec<PathBuf>,
    /// The folder of the site.
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
    /// A built-in theme, or a style sheet with a theme's values.
    #[arg(long, value_name = "NAME|FILE.css", default_value = "paper")]
    theme: String,
    /// The site's title.
    #[arg(long, default_value = "Conversations")]
    title: String,
    /// How runs of steps are folded.
    #[arg(long, value_enum, default_value_t = FoldArg::Auto)]
    fold: FoldArg,
    /// Read every file as this format.
    #[arg(long, value_name = "NAME")]
    format: Option<String>,
    /// The files are still being written: calls without a result are running.
    #[arg(long)]
    live: bool,
    /// The time zone of every time, such as Europe/Berlin.
    #[arg(long, value_name = "ZONE", default_value = "UTC")]
    tz: String,
    /// About how much a page may weigh, such as 512K or 2M.
    #[arg(long, value_name = "SIZE", default_value = "1M")]
    page_budget: String,
    /// Write into a folder that is not empty and was not made by foldout.
    #[arg(long)]
    adopt: bool,
    /// Leave secrets, home folders and names as they are; the pages say so.
    #[arg(long)]
    no_redact: bool,
    /// Write nothing and exit with 3 when a secret is found.
    #[arg(long)]
    deny_secrets: bool,
    /// The settings file; `foldout.toml` in the current folder is found by itself.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Fail when anything is missing on a page.
    #[arg(long)]
    strict: bool,
    /// How many threads to use; 0 for as many as the machine has.
    #[arg(long, value_name = "N", default_value_t = 0)]
    jobs: usize,
    /// Print only errors.
    #[arg(short, long, conflicts_with = "verbose")]
    quiet: bool,
    /// Print notes too.
    #[arg(short, long)]
    verbose: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum FoldArg {
    Auto,
    Always,
    Never,
}

/// Runs the program over the process's arguments.
pub(crate) fn run() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version are no errors; clap knows where each belongs.
            let code = if error.use_stderr() { 2 } else { 0 };
            let _ = error.print();
            return ExitCode::from(code);
        }
    };
    match cli.command {
        Command::Build(arguments) => run_build(&arguments),
        Command::Themes => {
            for theme in themes::THEMES {
                print_line(&format!("{}\t{}", theme.name, theme.about));
            }
            ExitCode::SUCCESS
        }
        Command::Kinds => {
            for (kind, vendor) in redact::kinds() {
                print_line(&format!("{kind}\t{vendor}"));
            }
            ExitCode::SUCCESS
        }
    }
}

fn run_build(arguments: &Build) -> ExitCode {
    let options = match options(arguments) {
        Ok(options) => options,
        Err(message) => return usage_error(&message),
    };
    let bar = bar(arguments);
    let report = build(&options, &|event| {
        let Some(bar) = &bar else { return };
        match event {
            Event::Planned(bytes) => bar.set_length(bytes),
            Event::Done(bytes) => bar.inc(bytes),
        }
    });
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    match report {
        Ok(report) => {
            print_problems(&report.problems, arguments);
            print_result(&report, arguments);
            ExitCode::from(code(&report, arguments.strict))
        }
        Err(error) => output_error(&error),
    }
}

/// 0 when all was rendered, 1 when a file gave no page, or anything is missing with `--strict`; 3
/// when secrets were denied and there were some.
fn code(report: &Report, strict: bool) -> u8 {
    if report.is_denied {
        return 3;
    }
    let worst = report.problems.iter().map(|problem| problem.severity).max();
    u8::from(
        worst
            >= Some(if strict {
                Severity::Warning
            } else {
                Severity::Lost
            }),
    )
}

fn options(arguments: &Build) -> Result<Options, String> {
    let format = match &arguments.format {
        None => None,
        Some(name) => Some(
            formats::by_name(name)
                .map(|format| format.name())
                .ok_or_else(|| {
                    let known: Vec<_> = formats::FORMATS
                        .iter()
                        .map(|format| format.name())
                        .collect();
                    format!(
                        "there is no format '{}'; there are {}",
                        shown(name),
                        known.join(", ")
                    )
                })?,
        ),
    };
    Ok(Options {
        inputs: arguments.inputs.clone(),
        output: arguments.output.clone(),
        title: arguments.title.clone(),
        theme: theme(&arguments.theme)?,
        fold: match arguments.fold {
            FoldArg::Auto => Fold::Auto,
            FoldArg::Always => Fold::Always,
            FoldArg::Never => Fold::Never,
        },
        format,
        live: arguments.live,
        clock: Clock::new(&arguments.tz)
            .ok_or_else(|| format!("there is no time zone '{}'", shown(&arguments.tz)))?,
        page_budget: size(&arguments.page_budget)?,
        adopt: arguments.adopt,
        jobs: arguments.jobs,
        redaction: redaction(arguments)?,
        deny_secrets: arguments.deny_secrets,
    })
}

/// What is redacted: by the settings file, if there is one, and by the command line.
fn redaction(arguments: &Build) -> Result<redact::Settings, String> {
    let path = match &arguments.config {
        Some(path) => Some(path.as_path()),
        None => Some(Path::new(redact::FILE)).filter(|path| path.is_file()),
    };
    let settings = match path {
        Some(path) => {
            let text = std::fs::read_to_string(path)
                .map_err(|error| format!("{}: {error}", shown(&path.display().to_string())))?;
            let settings = redact::Settings::read(path, &text);
            settings.map_err(|error| shown(&error.to_string()))?
        }
        None => redact::Settings::default(),
    };
    // The file is read all the same: a mistake in it must not wait for the day it matters.
    Ok(if arguments.no_redact {
        redact::Settings::nothing()
    } else {
        settings
    })
}

/// A theme's name for the style sheet and its values.
fn theme(name: &str) -> Result<(String, String), String> {
    if let Some(theme) = themes::by_name(name) {
        return Ok((theme.name.to_owned(), theme.css.to_owned()));
    }
    if !name.ends_with(".css") {
        let known: Vec<_> = themes::THEMES.iter().map(|theme| theme.name).collect();
        return Err(format!(
            "there is no theme '{}'; there are {}, or name a .css file",
            shown(name),
            known.join(", ")
        ));
    }
    let css = std::fs::read_to_string(name).map_err(|error| format!("{}: {error}", shown(name)))?;
    if let Some((line, what)) = themes::remote_reference(&css) {
        let name = shown(name);
        return Err(format!(
            "{name}:{line}: a page loads nothing from elsewhere, but here is {what}"
        ));
    }
    Ok(("theme".to_owned(), css))
}

/// `512K`, `1M`, `1000000`: bytes to the base of 1,024, at least 16 KB.
fn size(text: &str) -> Result<usize, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match text[digits.len()..].to_ascii_uppercase().as_str() {
        "" | "B" => 1,
        "K" | "KB" | "KIB" => 1 << 10,
        "M" | "MB" | "MIB" => 1 << 20,
        _ => 0,
    };
    let bytes = digits
        .trim()
        .parse::<usize>()
        .ok()
        .and_then(|number| number.checked_mul(unit));
    match bytes {
        Some(bytes) if bytes >= 16 << 10 => Ok(bytes),
        _ => Err(format!(
            "'{}' is no page budget: give at least 16K, such as 512K or 2M",
            shown(text)
        )),
    }
}

/// A bar for long work, on a terminal only.
fn bar(arguments: &Build) -> Option<ProgressBar> {
    if arguments.quiet || !std::io::stderr().is_terminal() {
        return None;
    }
    let style = ProgressStyle::with_template("{wide_bar} {bytes}/{total_bytes} {eta}").ok()?;
    Some(ProgressBar::no_length().with_style(style))
}

fn print_problems(problems: &[Problem], arguments: &Build) {
    let least = match (arguments.quiet, arguments.verbose) {
        (true, _) => Severity::Lost,
        (false, true) => Severity::Note,
        (false, false) => Severity::Warning,
    };
    let mut stderr = std::io::stderr().lock();
    let mut of_file: Option<(&str, usize)> = None;
    for problem in problems.iter().filter(|problem| problem.severity >= least) {
        let count = of_file
            .filter(|(path, _)| *path == problem.path)
            .map_or(0, |(_, count)| count);
        of_file = Some((&problem.path, count + 1));
        if count < LINES || arguments.verbose {
            let _ = writeln!(stderr, "{}", shown(&problem.to_string()));
        } else if count == LINES {
            let _ = writeln!(
                stderr,
                "{}: more problems; -v prints them all",
                shown(&problem.path)
            );
        }
    }
    let notes = problems
        .iter()
        .filter(|problem| problem.severity == Severity::Note)
        .count();
    if notes > 0 && !arguments.quiet && !arguments.verbose {
        let _ = writeln!(
            stderr,
            "{notes} {}; -v prints them",
            if notes == 1 { "note" } else { "notes" }
        );
    }
}

fn print_result(report: &Report, arguments: &Build) {
    if report.is_denied {
        tell("error: there are secrets, so that nothing was written; -v says where");
    } else {
        print_line(&report.index.display().to_string());
    }
    if arguments.quiet {
        return;
    }
    if !report.is_denied {
        let pages = counted(report.pages as u64, "page", "pages");
        tell(&format!("{}, {pages}", conversations(report.conversations)));
    }
    let all: u64 = report.redactions.values().sum();
    if all > 0 {
        let kinds: Vec<_> = report
            .redactions
            .iter()
            .map(|(kind, count)| format!("{count} {kind}"))
            .collect();
        let all = counted(all, "redaction", "redactions");
        let inside = conversations(report.redacted);
        tell(&format!("{all} in {inside}: {}", kinds.join(", ")));
    }
}

fn conversations(count: usize) -> String {
    counted(count as u64, "conversation", "conversations")
}

fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

fn usage_error(message: &str) -> ExitCode {
    tell(&format!("error: {message}"));
    ExitCode::from(2)
}

fn output_error(error: &Error) -> ExitCode {
    tell(&format!("error: {}", shown(&error.to_string())));
    ExitCode::from(2)
}

/// Writes a line to stdout. A reader that has gone is no error: it had what it wanted.
fn print_line(line: &str) {
    let _ = writeln!(std::io::stdout(), "{line}");
}

/// Writes a line to stderr, if there still is one.
fn tell(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// Foreign text on a terminal: controls, bidi and invisible characters are written out, so that a
/// file's name can neither colour nor forge a line.
fn shown(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if foldout::html::is_hidden(c) || matches!(c, '\n' | '\t') {
            out.extend(c.escape_unicode());
        } else {
            out.push(c);
        }
    }
    out
}
