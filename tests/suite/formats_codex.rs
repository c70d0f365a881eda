//! Codex's files as they are found: each is recognised, and no other program's is.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use foldout::formats::{Head, by_name};
use foldout::source::File;

/// All files below a folder, with their names relative to it.
fn files(root: &Path) -> Vec<(String, PathBuf)> {
    let mut files = Vec::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("the folder can be read") {
            let path = entry.expect("the entry can be read").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.strip_prefix(root).expect("it is below the root");
            files.push((name.to_string_lossy().replace('\\', "/"), path));
        }
    }
    files
}

#[test]
fn every_file_of_codex_is_recognised_and_no_other() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus");
    if !root.is_dir() {
        // Past the capture of the test harness: a test that did not run must be seen.
        let mut stderr = std::io::stderr();
        writeln!(stderr, "did not run: there is no {}", root.display()).expect("stderr is open");
        return;
    }
    let codex = by_name("codex").expect("it is in the table");
    let mut wrong = Vec::new();
    let mut own = 0;
    for (name, path) in files(&root) {
        let size = fs::metadata(&path).expect("the file is there").len();
        let file = File::on_disk(path, name.clone(), name.clone(), size);
        let head = Head::of(&file).expect("the file can be read");
        let is_own = name.starts_with("agents/codex/");
        own += u32::from(is_own);
        if codex.recognises(&head) != is_own {
            wrong.push(name);
        }
    }
    assert!(own > 15, "{own}");
    assert!(wrong.is_empty(), "{wrong:#?}");
}
