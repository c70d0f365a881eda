//! From what the user named to a sorted list of files. The only room that lists folders.

use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use crate::error::{Problem, Severity};
use crate::source::File;

/// Folders that never hold transcripts and may be huge.
const SKIPPED: [&str; 3] = [".git", "node_modules", ".foldout"];

/// What a walk found.
#[derive(Debug, Default)]
pub struct Walk {
    /// The files, each input's sorted by path.
    pub files: Vec<Found>,
    /// Folders and files that could not be looked at.
    pub problems: Vec<Problem>,
}

/// A file with the input that it was found under.
#[derive(Debug)]
pub struct Found {
    /// The file.
    pub file: File,
    /// Whether the user named this very file.
    pub is_named: bool,
}

/// Finds the files under the inputs. Symbolic links are not followed, and what is no regular
/// file (a pipe, a device) is passed over; so is everything below `output`, which may lie inside
/// an input.
pub fn walk(inputs: &[PathBuf], output: Option<&Path>) -> Walk {
    let mut walk = Walk::default();
    let output = output.and_then(|output| output.canonicalize().ok());
    for input in inputs {
        if input.as_os_str() == "-" {
            read_standard_input(&mut walk);
            continue;
        }
        match input.metadata() {
            Ok(metadata) if metadata.is_file() => {
                let name = input
                    .file_name()
                    .unwrap_or(input.as_os_str())
                    .to_string_lossy()
                    .into_owned();
                let file = File::on_disk(input.clone(), shown(input), name, metadata.len());
                walk.files.push(Found {
                    file,
                    is_named: true,
                });
            }
            Ok(metadata) if metadata.is_dir() => walk_folder(input, output.as_deref(), &mut walk),
            Ok(_) => lost(&mut walk, input, "neither a file nor a folder"),
            Err(error) => lost(&mut walk, input, &format!("cannot be opened: {error}")),
        }
    }
    walk.problems.sort();
    walk
}

fn walk_folder(input: &Path, output: Option<&Path>, walk: &mut Walk) {
    let is_output = |path: &Path| {
        output.is_some_and(|output| path.canonicalize().is_ok_and(|path| path == output))
    };
    let entries = WalkDir::new(input)
        .follow_links(false)
        .sort_by_file_name()
        .into_iter()
        .filter_entry(|entry| {
            let is_inner_folder = entry.depth() > 0 && entry.file_type().is_dir();
            !(is_inner_folder
                && (SKIPPED.iter().any(|skipped| entry.file_name() == *skipped)
                    || is_output(entry.path())))
        });
    for entry in entries {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                let path = error.path().unwrap_or(input).to_owned();
                let what = error
                    .io_error()
                    .map_or_else(|| error.to_string(), ToString::to_string);
                walk.problems.push(Problem::new(
                    Severity::Warning,
                    shown(&path),
                    format!("cannot be read: {what}"),
                ));
                continue;
            }
        };
        if !entry.file_type().is_file() {
            continue;
        }
        let Ok(metadata) = entry.metadata() else {
            continue;
        };
        let path = entry.path();
        let name = shown(path.strip_prefix(input).unwrap_or(path));
        let file = File::on_disk(path.to_owned(), shown(path), name, metadata.len());
        walk.files.push(Found {
            file,
            is_named: false,
        });
    }
}

fn read_standard_input(walk: &mut Walk) {
    let mut bytes = Vec::new();
    match std::io::Read::read_to_end(&mut std::io::stdin().lock(), &mut bytes) {
        Ok(_) => {
            let file = File::in_memory("<stdin>".to_owned(), "stdin".to_owned(), bytes);
            walk.files.push(Found {
                file,
                is_named: true,
            });
        }
        Err(error) => lost(walk, Path::new("-"), &format!("cannot be read: {error}")),
    }
}

fn lost(walk: &mut Walk, input: &Path, what: &str) {
    walk.problems
        .push(Problem::new(Severity::Lost, shown(input), what));
}

/// A path as problems and names write it, with `/` between its parts.
fn shown(path: &Path) -> String {
    let text = path.to_string_lossy();
    if std::path::MAIN_SEPARATOR == '/' {
        text.into_owned()
    } else {
        text.replace(std::path::MAIN_SEPARATOR, "/")
    }
}
