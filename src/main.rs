//! The binary: calls [`cli`] and turns what it says into an exit code.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run()
}
