//! Gemini CLI's and Qwen Code's files as they are found: every one is theirs, and no file of
//! another program is.

use std::io::Write;
use std::path::Path;

use foldout::error::Severity;
use foldout::formats::{Head, group};
use foldout::walk::walk;

#[test]
fn their_files_are_theirs_and_no_others_are() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus");
    if !corpus.is_dir() {
        // Past the capture of the test harness: a test that did not run must be seen.
        let mut stderr = std::io::stderr();
        writeln!(stderr, "did not run: there is no {}", corpus.display()).expect("stderr is open");
        return;
    }
    let looked = walk(&[corpus], None).files.into_iter().map(|found| {
        let head = Head::of(&found.file).expect("a file can be read");
        (found.file, head)
    });
    let mut counts = [0, 0];
    for (source, format) in group(looked.collect(), None).sources {
        let name = source.main.name.as_str();
        let expected = match name {
            name if name.starts_with("agents/gemini/") => Some("gemini_cli"),
            name if name.starts_with("agents/qwen/") => Some("qwen_code"),
            _ => None,
        };
        let ours = ["gemini_cli", "qwen_code"];
        let found = Some(format.name()).filter(|format| ours.contains(format));
        assert_eq!(found, expected, "{name}");
        if let Some(found) = found {
            counts[usize::from(found == "qwen_code")] += 1;
            let reading = format.read(&source);
            assert!(reading.conversation.is_some(), "{name}");
            let worst = reading.problems.iter().map(|problem| problem.severity);
            assert!(worst.max() < Some(Severity::Lost), "{name}");
        }
    }
    assert_eq!(counts, [12, 2]);
}
