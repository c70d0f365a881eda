//! The arguments that say what is read and how, for every command that reads.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};

use foldout::error::Error;
use foldout::formats::{self, Machine};
use foldout::pipeline::{Event, Options};
use foldout::settings::{self, Document};
use foldout::{Clock, OwnViews, redact};

use super::print::{shown, tell};

/// What is read, and how.
#[derive(Args)]
pub(super) struct Reading {
    /// Files and folders with conversations; `-` is standard input. Without any, the places where
    /// coding agents keep their sessions on this machine.
    #[arg(value_name = "INPUT")]
    inputs: Vec<PathBuf>,
    /// Read every file as this format.
    #[arg(long, value_name = "NAME")]
    format: Option<String>,
    /// The time zone of every time, such as Europe/Berlin.
    #[arg(long, value_name = "ZONE", default_value = "UTC")]
    tz: String,
    /// Leave secrets, home folders and names as they are; the pages say so.
    #[arg(long)]
    no_redact: bool,
    /// The settings file; `foldout.toml` in the current folder is found by itself.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// How many threads to use; 0 for as many as the machine has.
    #[arg(long, value_name = "N", default_value_t = 0)]
    jobs: usize,
    /// Print only errors.
    #[arg(short, long, conflicts_with = "verbose")]
    pub(super) quiet: bool,
    /// Print notes too.
    #[arg(short, long)]
    pub(super) verbose: bool,
}

impl Reading {
    /// The options of a build, as far as these arguments say; without inputs the machine is asked.
    pub(super) fn options(&self) -> Result<Options, String> {
        let is_implied = self.inputs.is_empty();
        // The file is read whatever is asked: a mistake in it must not wait for the day it matters.
        let (redaction, tool_views) = self.settings()?;
        Ok(Options {
            inputs: if is_implied {
                self.places()?
            } else {
                self.inputs.clone()
            },
            is_implied,
            format: self.format()?,
            clock: Clock::new(&self.tz)
                .ok_or_else(|| format!("there is no time zone '{}'", shown(&self.tz)))?,
            jobs: self.jobs,
            redaction: if self.no_redact {
                redact::Settings::nothing()
            } else {
                redaction
            },
            tool_views,
            ..Options::default()
        })
    }

    fn format(&self) -> Result<Option<&'static str>, String> {
        let Some(name) = &self.format else {
            return Ok(None);
        };
        match formats::by_name(name) {
            Some(format) => Ok(Some(format.name())),
            None => {
                let known = formats::FORMATS.iter().map(|format| format.name());
                let known: Vec<_> = known.collect();
                let name = shown(name);
                Err(format!(
                    "there is no format '{name}'; there are {}",
                    known.join(", ")
                ))
            }
        }
    }

    /// Where coding agents keep their sessions on this machine.
    fn places(&self) -> Result<Vec<PathBuf>, String> {
        let machine = Machine {
            home: std::env::home_dir(),
            variable: |name| std::env::var_os(name),
        };
        let places = formats::places(&machine);
        if places.is_empty() {
            let programs = formats::FORMATS.iter();
            let programs = programs.filter(|format| !format.places(&machine).is_empty());
            let programs: Vec<_> = programs.map(|format| format.program()).collect();
            return Err(format!(
                "no INPUT was given, and there are no sessions on this machine of {}",
                programs.join(", ")
            ));
        }
        if !self.quiet {
            for (place, formats) in &places {
                let place = shown(&place.display().to_string());
                let programs: Vec<_> = formats.iter().map(|format| format.program()).collect();
                tell(&format!("{}: {place}", programs.join(", ")));
            }
        }
        Ok(places.into_iter().map(|(place, _)| place).collect())
    }

    /// What the settings file says, if there is one: what is redacted, and the user's own views.
    fn settings(&self) -> Result<(redact::Settings, OwnViews), String> {
        let path = match &self.config {
            Some(path) => Some(path.as_path()),
            None => Some(Path::new(settings::FILE)).filter(|path| path.is_file()),
        };
        let Some(path) = path else {
            return Ok(Default::default());
        };
        let text = std::fs::read_to_string(path)
            .map_err(|error| format!("{}: {error}", shown(&path.display().to_string())))?;
        let read = || {
            let document = Document::new(path, &text)?;
            Ok((redact::Settings::of(&document)?, OwnViews::of(&document)?))
        };
        read().map_err(|error: Error| shown(&error.to_string()))
    }

    /// Does work with a progress bar; long work has one on a terminal only.
    pub(super) fn with_bar<T>(&self, work: impl FnOnce(&(dyn Fn(Event) + Sync)) -> T) -> T {
        let bar = self.bar();
        let result = work(&|event| {
            let Some(bar) = &bar else { return };
            match event {
                Event::Planned(bytes) => bar.set_length(bytes),
                Event::Done(bytes) => bar.inc(bytes),
            }
        });
        if let Some(bar) = bar {
            bar.finish_and_clear();
        }
        result
    }

    fn bar(&self) -> Option<ProgressBar> {
        if self.quiet || !std::io::stderr().is_terminal() {
            return None;
        }
        let style = ProgressStyle::with_template("{wide_bar} {bytes}/{total_bytes} {eta}").ok()?;
        Some(ProgressBar::no_length().with_style(style))
    }
}
