//! Redaction on the command line: switches, exit codes, the report, the settings file.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

/// A token that the sample holds, and its password.
const HELD: [&str; 2] = [concat!("kT9vLq2xPzR4mW8s", "B6nC3yHd"), "gull!Rock-47"];

/// A folder with the sample that holds them, as `in/a.jsonl`, and these files.
fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let sample = "sample-transcripts/claude_code/a-token-in-the-output.jsonl";
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join(sample);
    fs::create_dir(folder.path().join("in")).expect("a folder");
    fs::copy(sample, folder.path().join("in/a.jsonl")).expect("a file");
    for (name, text) in files {
        fs::write(folder.path().join(name), text).expect("a file");
    }
    folder
}

/// Builds `in` as `site` in a folder.
fn build(folder: &Path, options: &[&str]) -> Output {
    let mut foldout = Command::new(env!("CARGO_BIN_EXE_foldout"));
    foldout.args(["build", "in", "-o", "site"]).args(options);
    let output = foldout.current_dir(folder).output();
    output.expect("the binary can be run")
}

fn code(output: &Output) -> Option<i32> {
    output.status.code()
}

fn said(output: &Output) -> String {
    let both = [&output.stdout, &output.stderr];
    both.map(|bytes| String::from_utf8_lossy(bytes).into_owned())
        .concat()
}

/// All text files of the site as one text.
fn site(folder: &Path) -> String {
    let files = walkdir::WalkDir::new(folder.join("site")).into_iter();
    let files = files
        .filter_map(Result::ok)
        .filter(|entry| entry.file_type().is_file());
    files
        .map(|entry| String::from_utf8_lossy(&fs::read(entry.path()).expect("a file")).into_owned())
        .collect()
}

#[test]
fn values_are_masked_with_one_number_each_and_counted() {
    let folder = folder(&[]);
    let output = build(folder.path(), &["-v"]);
    assert_eq!(code(&output), Some(0), "{}", said(&output));
    let pages = site(folder.path());
    for held in HELD {
        assert!(!pages.contains(held) && !said(&output).contains(held));
    }
    assert!(!pages.contains(&HELD[0][..12]));
    assert!(!pages.contains("/home/robin"));
    assert!(pages.contains("Authorization: Bearer [redacted: token #1]"));
    assert!(pages.contains("[redacted: password #1]"));
    assert!(!pages.contains("#2]"));
    let told = said(&output);
    for line in [
        "in/a.jsonl:3: note: redacted token",
        "in/a.jsonl:3: note: redacted password",
        "redactions in 1 conversation: 1 password, ",
    ] {
        assert!(told.contains(line), "no {line:?} in {told}");
    }
}

#[test]
fn denied_secrets_write_nothing_and_exit_with_3() {
    let folder = folder(&[]);
    let output = build(folder.path(), &["--deny-secrets"]);
    assert_eq!(code(&output), Some(3), "{}", said(&output));
    assert!(!folder.path().join("site").exists());
    assert!(output.stdout.is_empty());

    // A site that is there stays as it is.
    build(folder.path(), &["--title", "Before"]);
    let before = site(folder.path());
    let output = build(folder.path(), &["--deny-secrets", "--title", "After"]);
    assert_eq!(code(&output), Some(3));
    assert!(site(folder.path()) == before);

    // To leave secrets as they are does not mean to let them pass.
    let output = build(folder.path(), &["--deny-secrets", "--no-redact"]);
    assert_eq!(code(&output), Some(3));
    assert!(site(folder.path()) == before);
}

#[test]
fn denied_secrets_do_not_stop_what_has_none() {
    let folder = folder(&[]);
    let clean = r#"{"seq":1,"role":"user","chunk":{"type":"text","text":"Which bolts fit?"}}"#;
    fs::write(folder.path().join("in/a.jsonl"), clean).expect("a file");
    let output = build(folder.path(), &["--deny-secrets"]);
    assert_eq!(code(&output), Some(0), "{}", said(&output));
    assert!(site(folder.path()).contains("Which bolts fit?"));
}

#[test]
fn what_is_not_redacted_says_so_on_every_page() {
    let folder = folder(&[]);
    let output = build(folder.path(), &["--no-redact"]);
    assert_eq!(code(&output), Some(0), "{}", said(&output));
    let files = walkdir::WalkDir::new(folder.path().join("site")).into_iter();
    let pages = files
        .filter_map(Result::ok)
        .filter(|entry| entry.path().extension().is_some_and(|end| end == "html"));
    for page in pages {
        let text = fs::read_to_string(page.path()).expect("a page");
        assert!(text.contains("Not redacted"), "{}", page.path().display());
    }
    assert!(site(folder.path()).contains(HELD[0]));
}

#[test]
fn the_settings_file_adds_rules_and_exceptions() {
    let settings = format!(
        "[redact]\nallow = ['{}']\npaths = false\n[[redact.rules]]\nname = 'place'\npattern = 'deploy/(board)'\n",
        HELD[1]
    );
    let folder = folder(&[("foldout.toml", &settings)]);
    let output = build(folder.path(), &[]);
    assert_eq!(code(&output), Some(0), "{}", said(&output));
    let pages = site(folder.path());
    assert!(pages.contains(HELD[1]) && !pages.contains(HELD[0]));
    assert!(pages.contains("/home/robin"));
    assert!(pages.contains("deploy/[redacted: place #1].toml"));
}

#[test]
fn a_wrong_settings_file_is_an_error_with_its_line_whatever_is_asked() {
    let folder = folder(&[("own.toml", "[redact]\n\nsecrts = true\n")]);
    for options in [
        &["--config", "own.toml"][..],
        &["--config", "own.toml", "--no-redact"],
    ] {
        let output = build(folder.path(), options);
        assert_eq!(code(&output), Some(2), "{}", said(&output));
        assert!(said(&output).contains("own.toml:3: "), "{}", said(&output));
        assert!(!folder.path().join("site").exists());
    }
    let output = build(folder.path(), &["--config", "none.toml"]);
    assert_eq!(code(&output), Some(2));
}

#[test]
fn the_settings_that_the_readme_shows_are_right() {
    let readme = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md"));
    let readme = readme.expect("there is a README");
    let shown = readme.split("```toml\n").skip(1);
    let shown = shown.map(|rest| rest.split("```").next().unwrap_or(""));
    let folder = folder(&[]);
    let mut count = 0;
    for settings in shown {
        count += 1;
        fs::write(folder.path().join("foldout.toml"), settings).expect("a file");
        let output = build(folder.path(), &[]);
        assert_eq!(code(&output), Some(0), "{}", said(&output));
    }
    assert!(count > 0);
}
