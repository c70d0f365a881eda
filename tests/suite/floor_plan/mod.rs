//! The house rules, held by tests: who may import whom, who may do what, what stands beside what.
//!
//! Each rule is a function from the project's files, as text, to the places where it is broken,
//! and is itself tested on small made-up files that break it. Rules about files that are not
//! there yet are silent and bite once these are.

mod duties;
mod floors;
mod registries;
mod rust_text;
mod themes;
mod words;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The project's files by their path from the crate's root, `/` between its parts.
pub(crate) struct Tree(BTreeMap<String, String>);

impl Tree {
    /// The files of this project: what git tracks or would track; without git, everything but
    /// the output folders. Files that are not text count as empty.
    fn of_project() -> &'static Self {
        static PROJECT: OnceLock<Tree> = OnceLock::new();
        PROJECT.get_or_init(Self::read_project)
    }

    fn read_project() -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let paths = git_files(root).unwrap_or_else(|| all_files(root));
        let files = paths.into_iter().filter_map(|path| {
            let bytes = std::fs::read(root.join(&path)).ok()?;
            Some((path, String::from_utf8(bytes).unwrap_or_default()))
        });
        Self(files.collect())
    }

    /// Made-up files, to break rules with.
    fn of(files: &[(&str, &str)]) -> Self {
        let files = files.iter();
        Self(
            files
                .map(|(p, t)| ((*p).to_owned(), (*t).to_owned()))
                .collect(),
        )
    }

    /// The text of a file.
    fn get(&self, path: &str) -> Option<&str> {
        self.0.get(path).map(String::as_str)
    }

    /// Every file below a folder; all of them below `""`. A folder ends in `/`.
    fn under(&self, folder: &str) -> impl Iterator<Item = (&str, &str)> {
        let files = self
            .0
            .iter()
            .map(|(path, text)| (path.as_str(), text.as_str()));
        files.filter(move |(path, _)| path.starts_with(folder))
    }

    /// The Rust files below a folder.
    fn rust(&self, folder: &str) -> impl Iterator<Item = (&str, &str)> {
        self.under(folder).filter(|(path, _)| path.ends_with(".rs"))
    }
}

/// What git tracks, and what it would if it were added; `None` where git cannot say.
fn git_files(root: &Path) -> Option<Vec<String>> {
    let output = Command::new("git")
        .args([
            "ls-files",
            "-z",
            "--cached",
            "--others",
            "--exclude-standard",
        ])
        .current_dir(root)
        .output()
        .ok()?;
    let names = String::from_utf8(output.stdout).ok()?;
    let paths: Vec<_> = names.split_terminator('\0').map(str::to_owned).collect();
    (output.status.success() && !paths.is_empty()).then_some(paths)
}

fn all_files(root: &Path) -> Vec<String> {
    let outputs: [PathBuf; 3] = ["target", "site", ".git"].map(|name| root.join(name));
    let entries = walkdir::WalkDir::new(root)
        .into_iter()
        .filter_entry(|entry| !outputs.iter().any(|output| entry.path() == output));
    entries
        .filter_map(Result::ok)
        .filter(|entry| entry.file_type().is_file())
        .filter_map(|entry| {
            let path = entry.path().strip_prefix(root).ok()?;
            let parts: Option<Vec<_>> = path.iter().map(|part| part.to_str()).collect();
            Some(parts?.join("/"))
        })
        .collect()
}

/// The room of a file of `src`: its folder there, or its own stem.
fn room(path: &str) -> &str {
    let path = path.strip_prefix("src/").unwrap_or(path);
    let first = path.split('/').next().unwrap_or(path);
    first.strip_suffix(".rs").unwrap_or(first)
}

/// Fails with every place where a rule is broken.
fn hold(rule: fn(&Tree) -> Vec<String>) {
    let broken = rule(Tree::of_project());
    assert!(broken.is_empty(), "{broken:#?}");
}

#[test]
fn rooms_import_only_from_below() {
    hold(floors::rooms_import_only_from_below);
}

#[test]
fn nobody_climbs_two_floors_by_super() {
    hold(floors::nobody_climbs_by_super);
}

#[test]
fn only_html_makes_html() {
    hold(duties::only_html_makes_html);
}

#[test]
fn only_site_writes_files() {
    hold(duties::only_site_writes_files);
}

#[test]
fn only_pipeline_knows_rayon() {
    hold(duties::only_pipeline_knows_rayon);
}

#[test]
fn only_the_binary_prints() {
    hold(duties::only_the_binary_prints);
}

#[test]
fn nothing_is_unwrapped_outside_tests() {
    hold(duties::nothing_is_unwrapped);
}

#[test]
fn no_template_turns_escaping_off() {
    hold(duties::nobody_turns_escaping_off);
}

#[test]
fn s2_20_every_view_has_its_template_and_every_template_its_view() {
    hold(registries::views_and_templates_match);
}

#[test]
fn every_format_has_samples_and_every_sample_a_format() {
    hold(registries::formats_and_samples_match);
}

#[test]
fn names_are_unique_in_each_registry() {
    hold(registries::names_are_unique);
}

#[test]
fn themes_define_what_base_uses() {
    hold(themes::themes_define_what_base_uses);
}

#[test]
fn files_stay_short() {
    hold(words::files_stay_short);
}

#[test]
fn files_say_what_they_are_for() {
    hold(words::files_say_what_they_are_for);
}

#[test]
fn no_file_names_a_machine() {
    hold(words::no_file_names_a_machine);
}

#[test]
fn nothing_is_left_to_do() {
    hold(words::nothing_is_left_to_do);
}

#[test]
fn the_readme_says_how_to_build_and_test() {
    hold(words::the_readme_says_how_to_build_and_test);
}

#[test]
fn the_project_is_read() {
    let by_git = Tree::of_project();
    assert!(by_git.get("src/lib.rs").is_some());
    assert!(by_git.get("tests/suite/main.rs").is_some());
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let by_walking = all_files(root);
    assert!(by_walking.iter().any(|path| path == "src/lib.rs"));
    assert!(!by_walking.iter().any(|path| path.starts_with("target/")));
}
