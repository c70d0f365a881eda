//! Which real files are taken for sessions of pi and oh-my-pi: their own, whole or broken at their
//! start, and none of any other program.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use foldout::formats::{Head, group};
use foldout::source::File;
use foldout::walk::walk;

/// The folder of real files, when it is there.
fn corpus() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus");
    if folder.is_dir() {
        return Some(folder);
    }
    // Past the capture of the test harness: a test that did not run must be seen.
    let folder = folder.display();
    writeln!(std::io::stderr(), "did not run: there is no {folder}").expect("stderr is open");
    None
}

/// The formats of the main files below a folder, by the files' names.
fn formats_of(folder: &Path) -> BTreeMap<String, &'static str> {
    let found = walk(&[folder.to_owned()], None).files.into_iter();
    let looked = found.map(|found| {
        let head = Head::of(&found.file).expect("the file can be read");
        (found.file, head)
    });
    let sources = group(looked.collect(), None).sources.into_iter();
    sources
        .map(|(source, format)| (source.main.name, format.name()))
        .collect()
}

/// Whether a format is one of the two.
fn is_ours(format: &str) -> bool {
    matches!(format, "pi" | "oh_my_pi")
}

#[test]
fn their_own_files_are_taken_and_no_others() {
    let Some(corpus) = corpus() else {
        return;
    };
    let mut taken = 0;
    for (name, format) in formats_of(&corpus) {
        let own = ["agents/pi/", "agents/omp/"];
        let is_own = own.iter().any(|folder| name.starts_with(folder))
            || name.ends_with("casr-openclaw.jsonl");
        assert_eq!(is_ours(format), is_own, "{name} is read as {format}");
        taken += usize::from(is_own);
    }
    assert!(taken > 9, "{taken}");
}

#[test]
fn a_file_without_a_sound_first_line_is_still_known() {
    let Some(corpus) = corpus() else {
        return;
    };
    for folder in ["agents/pi", "agents/omp"] {
        for entry in fs::read_dir(corpus.join(folder)).expect("a folder") {
            let path = entry.expect("an entry").path();
            let bytes = fs::read(&path).expect("a file");
            let name = path.display().to_string();
            let broken = File::in_memory(name.clone(), name.clone(), bytes[40..].to_vec());
            let head = Head::of(&broken).expect("memory can be read");
            let grouped = group(vec![(broken, head)], None);
            let format = grouped.sources.first().map(|(_, format)| format.name());
            assert!(format.is_some_and(is_ours), "{name}: {format:?}");
        }
    }
}
