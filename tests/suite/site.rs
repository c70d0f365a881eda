//! The built site as a whole: the samples' pages are inert and whole, and nothing that was said
//! is missing on them; the same for real files, where they are at hand.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use foldout::pipeline::{Options, Report, build};
use foldout::redact;
use tempfile::TempDir;

use crate::browser::inert;
use crate::nothing_lost::{self, Missing, Pages};

/// Where the crate is.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn samples() -> PathBuf {
    root().join("sample-transcripts")
}

/// Builds a site in a folder of its own.
fn built(inputs: &[PathBuf], jobs: usize) -> (TempDir, Report) {
    built_with(inputs, jobs, redact::Settings::default())
}

/// The same of what was said as it is.
fn unredacted(input: &Path) -> (TempDir, Report) {
    built_with(&[input.to_owned()], 0, redact::Settings::nothing())
}

fn built_with(inputs: &[PathBuf], jobs: usize, redaction: redact::Settings) -> (TempDir, Report) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let options = Options {
        inputs: inputs.to_vec(),
        output: folder.path().to_owned(),
        jobs,
        redaction,
        ..Options::default()
    };
    let report = build(&options, &|_| {}).expect("the folder can be written");
    (folder, report)
}

/// Which folder of the site each source became, by the source's name.
fn folders(site: &Path) -> BTreeMap<String, String> {
    let manifest = fs::read(site.join(".foldout/manifest.json")).expect("a manifest");
    let manifest: serde_json::Value = serde_json::from_slice(&manifest).expect("it is JSON");
    let sources = manifest["sources"].as_object().expect("it has sources");
    let text = |value: &serde_json::Value| value.as_str().expect("an address").to_owned();
    sources
        .iter()
        .map(|(name, folder)| (name.clone(), text(folder)))
        .collect()
}

/// How many texts an input's sources have, and the lines that are nowhere on their pages.
fn measured(input: &Path, site: &Path) -> (usize, Vec<String>) {
    let mut said = 0;
    let mut missing = Vec::new();
    let mut measured = BTreeSet::new();
    for (source, folder) in folders(site) {
        // One of many conversations in a file is named by its place in it.
        let name = source.split('#').next().unwrap_or(&source).to_owned();
        // What is in an archive is no file.
        if !input.join(&name).is_file() || !measured.insert(name.clone()) {
            continue;
        }
        let text = fs::read_to_string(input.join(&name)).unwrap_or_default();
        // What a fork repeats stands on the other conversation's page.
        let pages = if name != source || text.contains("\"forked_from_id\": \"0") {
            Pages::read(site)
        } else {
            Pages::read(&site.join(&folder))
        };
        let measure = nothing_lost::measure(&input.join(&name), &pages);
        said += measure.said;
        missing.extend(worded(&name, &measure.missing));
    }
    // Subagents' files are part of another's pages.
    let pages = Pages::read(site);
    for file in files_of_others(input) {
        let measure = nothing_lost::measure(&file, &pages);
        said += measure.said;
        missing.extend(worded(&file.display().to_string(), &measure.missing));
    }
    (said, missing)
}

fn worded(name: &str, missing: &[Missing]) -> Vec<String> {
    missing
        .iter()
        .map(|line| format!("{name}, {line:?}"))
        .collect()
}

/// The files below a folder that are a part of another's pages: subagents' transcripts, and the
/// parts of messages.
fn files_of_others(input: &Path) -> Vec<PathBuf> {
    let files = tree(input).into_keys().map(|name| input.join(name));
    let is_of_another = |file: &PathBuf| {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let is_spawned = || {
            let text = fs::read_to_string(file).unwrap_or_default();
            text.starts_with('{') && text.contains("\"thread_spawn\"")
        };
        let is_rollout = name.starts_with("rollout-") && is_spawned();
        let above = file.parent().and_then(Path::parent);
        let is_below = above.is_some_and(|above| above.ends_with("chats"));
        // Some programs put them into a folder named as their parent's session is.
        let parent = file
            .parent()
            .map(|folder| format!("{}.jsonl", folder.display()));
        let is_below_file = parent.is_some_and(|parent| Path::new(&parent).is_file());
        let is_below = is_below || is_below_file;
        let is_transcript =
            (name.starts_with("agent-") || is_below || is_rollout) && name.ends_with(".jsonl");
        is_transcript || (name.starts_with("prt_") && name.ends_with(".json"))
    };
    files.filter(is_of_another).collect()
}

#[test]
fn j_01_the_samples_pages_are_inert_and_whole() {
    let (site, _) = built(&[samples()], 0);
    let problems = inert::check(site.path());
    assert!(problems.is_empty(), "{problems:#?}");
}

#[test]
fn nothing_that_the_samples_say_is_lost() {
    let (site, report) = unredacted(&samples());
    assert!(report.conversations > 10, "{report:?}");
    let (said, missing) = measured(&samples(), site.path());
    assert!(said > 200, "{said}");
    assert!(missing.is_empty(), "{missing:#?}");
}

#[test]
fn nothing_that_real_sessions_say_is_lost() {
    for (folder, conversations, texts) in [
        ("agents/claude-code", 70, 2_000),
        ("agents/codex", 12, 500),
        ("agents/opencode", 14, 200),
        ("agents/gemini", 11, 150),
        ("agents/qwen", 1, 5),
        ("agents/pi", 5, 4_000),
        ("agents/omp", 2, 2_000),
        ("chats/chatgpt-export", 24, 150),
        ("chats/claude-export", 20, 400),
        ("chats/librechat", 4, 40),
        ("chats/openwebui", 6, 60),
        ("chats/others", 6, 25),
    ] {
        nothing_is_lost_of(folder, conversations, texts);
    }
}

#[test]
fn nothing_that_logs_of_apis_say_is_lost() {
    for (folder, conversations, texts) in [
        ("chats/api-logs/openai-chat", 4, 15),
        ("chats/api-logs/openai-responses", 11, 40),
        ("chats/api-logs/openai-batch", 0, 15),
        ("chats/api-logs/openai-finetune", 1, 10),
        ("chats/api-logs/anthropic", 9, 200),
        ("chats/api-logs/gemini", 5, 15),
        ("chats/api-logs/aistudio", 3, 20),
        ("chats/api-logs/sharegpt", 100, 2_000),
        ("chats/ai-sdk", 30, 300),
    ] {
        nothing_is_lost_of(folder, conversations, texts);
    }
}

/// Nothing of these real sessions is lost, which are more than so many, with more than so many
/// texts.
fn nothing_is_lost_of(folder: &str, conversations: usize, texts: usize) {
    let corpus = root().join("../shared/corpus").join(folder);
    if !corpus.is_dir() {
        // Past the capture of the test harness: a test that did not run must be seen.
        let mut stderr = std::io::stderr();
        writeln!(stderr, "did not run: there is no {}", corpus.display()).expect("stderr is open");
        return;
    }
    let (site, report) = unredacted(&corpus);
    assert!(report.conversations > conversations, "{report:?}");
    let (said, missing) = measured(&corpus, site.path());
    assert!(said > texts, "{folder}: {said}");
    assert!(missing.is_empty(), "{} lines: {missing:#?}", missing.len());
}

#[test]
fn j_08_the_samples_become_the_same_bytes_with_one_thread_and_with_four() {
    let trees = [1, 4].map(|jobs| tree(built(&[samples()], jobs).0.path()));
    assert!(trees[0] == trees[1], "a file differs");
}

/// Every file below a folder with its bytes.
fn tree(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(inner) = folders.pop() {
        for entry in fs::read_dir(&inner).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).expect("below it").to_owned();
                files.insert(name, fs::read(&path).expect("a file"));
            }
        }
    }
    files
}
