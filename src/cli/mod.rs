//! The command line: arguments become options, problems and progress go to stderr, results to
//! stdout. A part of the binary, which knows the library only by its public items; the only room
//! that prints.

mod build;
mod list;
mod print;
mod reading;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use foldout::{redact, themes};

use print::print_line;

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
    Build(Box<build::Build>),
    /// List the conversations that a build would read, or the tools that they use.
    List(Box<list::List>),
    /// List the themes that are built in.
    Themes,
    /// List the kinds of secrets that are known by how they are written.
    Kinds,
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
        Command::Build(arguments) => build::run(&arguments),
        Command::List(arguments) => list::run(&arguments),
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
