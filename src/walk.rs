//! From what the user named to a sorted list of files. The only room that lists folders.

use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use crate::error::{Problem, Severity};
use crate::source::File;

/// Folders that never hold transcripts and may be huge.
const SKIPPED: [&str; 3] = [".git", "node_modules", ".foldout"];

/// What stands in the names of the archives inside others that are opened: OpenAI's privacy portal
/// packs the export of ChatGPT and its files once more. No other archive in an archive is opened.
const PACKED_TWICE: [&str; 2] = ["-chatgpt-", "-files-"];
/// How much memory archives inside others may take in all, in bytes.
const INNER: u64 = 1 << 30;

/// What a walk found.
#[derive(Debug, Default)]
pub struct Walk {
    /// The files, each input's sorted by path; in the place of an archive those inside it.
    pub files: Vec<Found>,
    /// The paths of the archives.
    pub archives: Vec<String>,
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
    let mut roots: Vec<PathBuf> = Vec::new();
    for input in inputs {
        let first = walk.files.len();
        if input.as_os_str() == "-" {
            read_standard_input(&mut walk);
        } else {
            walk_input(input, output.as_deref(), &mut walk);
        }
        let root = root(input);
        let known = roots.iter().position(|known| *known == root);
        let number = known.unwrap_or_else(|| {
            roots.push(root);
            roots.len() - 1
        });
        for found in &mut walk.files[first..] {
            found.file.input = number;
        }
    }
    open_archives(&mut walk);
    walk.problems.sort();
    walk
}

/// Puts the files inside archives in the archives' places.
fn open_archives(walk: &mut Walk) {
    let mut left = INNER;
    for found in std::mem::take(&mut walk.files) {
        open_archive(walk, found, None, &mut left);
    }
}

/// Takes a file into the walk, or what is inside it if it is an archive. `outer` is the archive
/// that the file itself is inside.
fn open_archive(walk: &mut Walk, found: Found, outer: Option<&File>, left: &mut u64) {
    let name = found.file.file_name();
    let is_zip = name
        .rsplit('.')
        .next()
        .unwrap_or("")
        .eq_ignore_ascii_case("zip");
    let may_be = match outer {
        None => found.is_named || is_zip,
        Some(outer) => {
            let is_known = PACKED_TWICE.iter().any(|word| name.contains(word));
            is_zip && is_known && !outer.is_packed()
        }
    };
    if !may_be || !found.file.is_archive() {
        walk.files.push(found);
        return;
    }
    let path = &found.file.path;
    // What an archive inside another is without is said of the outer one.
    if outer.is_none() {
        walk.archives.push(path.clone());
    }
    match found.file.members(left) {
        Ok(members) => {
            let faults = members.faults.into_iter();
            walk.problems
                .extend(faults.map(|what| Problem::new(Severity::Warning, path, what)));
            for file in members.files {
                let inner = Found {
                    file,
                    is_named: false,
                };
                open_archive(walk, inner, Some(&found.file), left);
            }
        }
        Err(what) => {
            let severity = match found.is_named {
                true => Severity::Lost,
                false => Severity::Warning,
            };
            walk.problems.push(Problem::new(severity, path, what));
        }
    }
}

/// The folder that names under an input are relative to. Files that are named one by one out of
/// one folder, as a shell's pattern does, belong together like those of the folder itself.
fn root(input: &Path) -> PathBuf {
    let folder = if input.is_file() {
        match input.parent() {
            Some(parent) if parent.as_os_str().is_empty() => Path::new("."),
            parent => parent.unwrap_or(input),
        }
    } else {
        input
    };
    folder.canonicalize().unwrap_or_else(|_| folder.to_owned())
}

fn walk_input(input: &Path, output: Option<&Path>, walk: &mut Walk) {
    match input.metadata() {
        Ok(metadata) if metadata.is_file() => {
            let name = input
                .file_name()
                .unwrap_or(input.as_os_str())
                .to_string_lossy()
                .into_owned();
            let file = File::on_disk(input.to_owned(), shown(input), name, metadata.len());
            walk.files.push(Found {
                file,
                is_named: true,
            });
        }
        Ok(metadata) if metadata.is_dir() => walk_folder(input, output, walk),
        Ok(_) => lost(walk, input, "neither a file nor a folder"),
        Err(error) => lost(walk, input, &format!("cannot be opened: {error}")),
    }
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
        let path = entry.path();
        if entry.file_type().is_dir() {
            continue;
        }
        if !entry.file_type().is_file() {
            let what = match entry.file_type().is_symlink() {
                true => "a link, not followed",
                false => "neither a file nor a folder",
            };
            walk.problems
                .push(Problem::new(Severity::Note, shown(path), what));
            continue;
        }
        let metadata = match entry.metadata() {
            Ok(metadata) => metadata,
            Err(error) => {
                let what = format!("cannot be read: {error}");
                walk.problems
                    .push(Problem::new(Severity::Warning, shown(path), what));
                continue;
            }
        };
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_one_folder_have_one_number_however_they_are_named() {
        let top = tempfile::tempdir().expect("a folder can be made");
        let path = |name: &str| top.path().join(name);
        for name in ["a/x.jsonl", "a/y.jsonl", "b/x.jsonl"] {
            let path = path(name);
            std::fs::create_dir_all(path.parent().expect("it is in a folder"))
                .and_then(|()| std::fs::write(&path, "{}"))
                .expect("it can be written");
        }
        let inputs = [path("a/x.jsonl"), path("b"), path("a/y.jsonl")];
        let numbers: Vec<_> = walk(&inputs, None)
            .files
            .iter()
            .map(|found| (found.file.name.clone(), found.file.input))
            .collect();
        let named = |name: &str, input| (name.to_owned(), input);
        assert_eq!(
            numbers,
            [
                named("x.jsonl", 0),
                named("x.jsonl", 1),
                named("y.jsonl", 0)
            ]
        );
    }
}
