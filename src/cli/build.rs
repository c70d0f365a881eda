//! `foldout build`: the site.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, ValueEnum};

use foldout::error::Severity;
use foldout::pipeline::{Options, Report, build};
use foldout::{Fold, themes};

use super::print::{
    conversations, counted, output_error, print_line, print_problems, shown, tell, usage_error,
};
use super::reading::Reading;

#[derive(Args)]
pub(super) struct Build {
    #[command(flatten)]
    reading: Reading,
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
    /// The files are still being written: calls without a result are running.
    #[arg(long)]
    live: bool,
    /// About how much a page may weigh, such as 512K or 2M.
    #[arg(long, value_name = "SIZE", default_value = "1M")]
    page_budget: String,
    /// Write into a folder that is not empty and was not made by foldout.
    #[arg(long)]
    adopt: bool,
    /// Write nothing and exit with 3 when a secret is found.
    #[arg(long)]
    deny_secrets: bool,
    /// Fail when anything is missing on a page.
    #[arg(long)]
    strict: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum FoldArg {
    Auto,
    Always,
    Never,
}

/// Builds, says what came of it, and returns the exit code.
pub(super) fn run(arguments: &Build) -> ExitCode {
    let options = match options(arguments) {
        Ok(options) => options,
        Err(message) => return usage_error(&message),
    };
    let reading = &arguments.reading;
    match reading.with_bar(|progress| build(&options, progress)) {
        Ok(report) => {
            print_problems(&report.problems, reading);
            print_result(&report, &options, reading.quiet);
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
    // What costs nothing to be wrong is said before the machine is looked at.
    let theme = theme(&arguments.theme)?;
    let page_budget = size(&arguments.page_budget)?;
    Ok(Options {
        output: arguments.output.clone(),
        title: arguments.title.clone(),
        theme,
        fold: match arguments.fold {
            FoldArg::Auto => Fold::Auto,
            FoldArg::Always => Fold::Always,
            FoldArg::Never => Fold::Never,
        },
        live: arguments.live,
        page_budget,
        adopt: arguments.adopt,
        deny_secrets: arguments.deny_secrets,
        ..arguments.reading.options()?
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

fn print_result(report: &Report, options: &Options, quiet: bool) {
    if report.is_denied {
        tell("error: there are secrets, so that nothing was written; -v says where");
    } else {
        print_line(&report.index.display().to_string());
    }
    if quiet {
        return;
    }
    if !report.is_denied {
        let pages = counted(report.pages as u64, "page", "pages");
        tell(&format!("{}, {pages}", conversations(report.conversations)));
        if options.is_implied || report.programs.len() > 1 {
            for (program, count) in &report.programs {
                tell(&format!("  {}: {}", shown(program), conversations(*count)));
            }
        }
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
