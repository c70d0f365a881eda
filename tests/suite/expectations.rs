//! What a good program does with each of the malformed and hostile files, end to end: the exit code
//! with and without `--strict`. The files and the table are beside the project, where they are.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Command;

/// Files for which the exit code is another than the table's, and why.
const OTHERWISE: [(&str, &str, [i32; 2]); 1] = [(
    "zip-nested.zip",
    "an archive that was named and has no conversation is most likely the wrong one",
    [1, 1],
)];

#[test]
fn hostile_files_end_as_the_table_says() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/hostile");
    if !root.is_dir() {
        // Past the capture of the test harness: a test that did not run must be seen.
        let mut stderr = std::io::stderr();
        writeln!(stderr, "did not run: there is no {}", root.display()).expect("stderr is open");
        return;
    }
    let table = fs::read_to_string(root.join("EXPECT.tsv")).expect("the table can be read");
    let mut wrong = Vec::new();
    let mut count = 0;
    for row in table.lines().skip(1) {
        let mut cells = row.split('\t');
        let name = cells.next().expect("a name");
        let exit = cells.nth(1).expect("an exit code");
        let expected = match exit {
            "0" => [0, 0],
            "1" => [1, 1],
            _ => [0, 1],
        };
        let otherwise = OTHERWISE.iter().find(|(file, _, _)| *file == name);
        let expected = otherwise.map_or(expected, |(_, _, codes)| *codes);
        let codes = [&[][..], &["--strict"]].map(|more| {
            let site = tempfile::tempdir().expect("a temporary folder");
            let mut foldout = Command::new(env!("CARGO_BIN_EXE_foldout"));
            foldout.arg("build").arg(root.join("files").join(name));
            foldout.arg("-o").arg(site.path().join("site")).args(more);
            let output = foldout.output().expect("the binary can be run");
            output.status.code().expect("it ends by itself")
        });
        if codes != expected {
            wrong.push(format!("{name}: {codes:?}, not {expected:?}"));
        }
        count += 1;
    }
    assert!(count > 50, "only {count} rows");
    assert!(wrong.is_empty(), "{wrong:#?}");
}
