//! What there is to read: the files that were found, by the formats that read them.

use std::collections::BTreeSet;
use std::path::PathBuf;

use rayon::prelude::*;

use crate::error::{Problem, Severity};
use crate::formats::{self, Format, Head};
use crate::source::Source;
use crate::walk::Walk;

use super::Options;

/// Sources with the formats that read them.
pub(super) type Sources = Vec<(Source, &'static dyn Format)>;

/// Looks at every file and groups what is recognised into sources, one for each conversation.
pub(super) fn look(found: Walk, options: &Options) -> (Sources, Vec<Problem>) {
    let Walk {
        files,
        archives: _,
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
        let severity = match named.contains(&file.path) {
            true => Severity::Warning,
            false => Severity::Note,
        };
        problems.push(Problem::new(severity, file.path, "empty file"));
    }
    for (file, why) in grouped.unknown {
        let is_named = named.contains(&file.path);
        let severity = if is_named {
            Severity::Lost
        } else {
            Severity::Note
        };
        problems.push(Problem::new(severity, file.path, why));
    }
    let apart: Vec<_> = grouped
        .sources
        .into_par_iter()
        .map(|(source, format)| {
            let (sources, problem) = formats::apart(source, format);
            let sources = sources.into_iter().map(|source| (source, format));
            (sources.collect::<Vec<_>>(), problem)
        })
        .collect();
    let mut sources = Vec::new();
    for (parts, problem) in apart {
        sources.extend(parts);
        problems.extend(problem);
    }
    (sources, problems)
}

/// Folders that were named and have no conversation in them, most likely the wrong ones; and
/// archives without any.
pub(super) fn fruitless(
    inputs: &[PathBuf],
    archives: &[String],
    sources: &Sources,
) -> Vec<Problem> {
    let named: BTreeSet<String> = inputs
        .iter()
        .map(|input| input.display().to_string())
        .collect();
    let folders = inputs.iter().filter(|input| input.is_dir());
    let folders = folders.map(|folder| folder.display().to_string());
    let places: BTreeSet<String> = folders.chain(archives.iter().cloned()).collect();
    let is_fruitless = |place: &String| {
        let below = format!("{}/", place.trim_end_matches('/'));
        let is_below = |source: &Source| source.main.path.starts_with(&below);
        !sources.iter().any(|(source, _)| is_below(source))
    };
    let places = places.into_iter().filter(is_fruitless);
    places
        .map(|place| {
            let severity = match named.contains(&place) {
                true => Severity::Lost,
                false => Severity::Note,
            };
            Problem::new(severity, place, "no conversation was found in it")
        })
        .collect()
}
