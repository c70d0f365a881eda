//! `foldout list`, and builds without an input: what there is to read, and where it is looked for.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use foldout::formats::FORMATS;
use serde_json::Value;
use tempfile::TempDir;

/// Runs foldout in a folder whose home folder is `home` in it.
fn foldout(folder: &Path, arguments: &[&str]) -> Output {
    let mut foldout = Command::new(env!("CARGO_BIN_EXE_foldout"));
    foldout.args(arguments).current_dir(folder);
    // No place of the machine that runs the tests may be looked at.
    foldout.env_clear().env("HOME", folder.join("home"));
    foldout.output().expect("the binary can be run")
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A folder with a sample as the only session of Claude Code in its home folder.
fn machine() -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let sessions = folder
        .path()
        .join("home/.claude/projects/-home-robin-ferry-board");
    fs::create_dir_all(&sessions).expect("a folder");
    let sample = "sample-transcripts/claude_code/a-token-in-the-output.jsonl";
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join(sample);
    fs::copy(sample, sessions.join("a.jsonl")).expect("a file");
    folder
}

#[test]
fn a_list_says_what_would_be_read_and_writes_nothing() {
    let folder = machine();
    let output = foldout(folder.path(), &["list", "home"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let lines = stdout(&output);
    let row = lines.lines().nth(1).expect("a row");
    for word in [
        "2026-04-02",
        "claude_code",
        "~/ferry-board",
        "  1 ",
        "  3 ",
        "a.jsonl",
        "The board at the pier",
    ] {
        assert!(row.contains(word), "no {word:?} in {row}");
    }
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
}

#[test]
fn a_list_as_json_holds_the_figures() {
    let folder = machine();
    let output = foldout(folder.path(), &["list", "home", "--json"]);
    let list: Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    let first = &list["conversations"][0];
    assert_eq!(first["prompts"], 1);
    assert_eq!(first["calls"], 3);
    assert_eq!(first["format"], "claude_code");
    assert_eq!(first["start"], "2026-04-02T16:00:00Z");
    assert_eq!(first["project"], "~/ferry-board");
    assert_eq!(first["models"][0], "claude-opus-4-5-20251101");
    assert!(first["redactions"].as_u64() > Some(0));
}

#[test]
fn a_list_of_tools_has_each_with_its_view_and_count() {
    let folder = machine();
    let output = foldout(folder.path(), &["list", "home", "--tools"]);
    let words: Vec<String> = stdout(&output)
        .lines()
        .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect();
    assert_eq!(
        words,
        ["calls format tool view", "3 claude_code Bash shell"]
    );
    let output = foldout(folder.path(), &["list", "home", "--tools", "--json"]);
    let tools: Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    assert_eq!(tools[0]["view"], "shell");
    assert_eq!(tools[0]["calls"], 3);
}

#[test]
fn without_an_input_the_places_of_the_agents_are_read() {
    let folder = machine();
    let output = foldout(folder.path(), &["build", "-o", "site"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let said = stderr(&output);
    assert!(
        said.contains("Claude Code: ") && said.contains(".claude/projects"),
        "{said}"
    );
    assert!(said.contains("  Claude Code: 1 conversation"), "{said}");
    let index = fs::read_to_string(folder.path().join("site/index.html")).expect("an index");
    assert!(index.contains("The board at the pier"));
}

#[test]
fn a_variable_moves_a_place() {
    let folder = machine();
    let moved = folder.path().join("elsewhere");
    fs::rename(folder.path().join("home/.claude"), &moved).expect("it can be moved");
    let mut foldout = Command::new(env!("CARGO_BIN_EXE_foldout"));
    foldout
        .args(["list", "--json"])
        .current_dir(folder.path())
        .env_clear();
    let output = foldout.env("CLAUDE_CONFIG_DIR", &moved).output();
    let output = output.expect("the binary can be run");
    let list: Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    assert_eq!(list["conversations"].as_array().map(Vec::len), Some(1));
}

#[test]
fn a_machine_without_sessions_is_said_and_an_empty_place_is_no_problem() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let output = foldout(folder.path(), &["build", "-o", "site"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("Claude Code"),
        "{}",
        stderr(&output)
    );
    assert!(!folder.path().join("site").exists());

    fs::create_dir_all(folder.path().join("home/.claude/projects")).expect("a folder");
    let output = foldout(folder.path(), &["build", "-o", "site"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
}

/// A conversation with one prompt, of this day.
fn session(day: u32) -> String {
    format!(
        "{{\"type\":\"user\",\"uuid\":\"u{day}\",\"sessionId\":\"s{day}\",\"timestamp\":\"2026-05-{day:02}T08:00:00Z\",\
         \"message\":{{\"role\":\"user\",\"content\":\"day {day}\"}}}}\n"
    )
}

#[test]
fn the_newest_stands_first() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, day) in [("a", 2), ("b", 9), ("c", 5)] {
        let path = folder.path().join(format!("{name}.jsonl"));
        fs::write(path, session(day)).expect("a file");
    }
    let output = foldout(folder.path(), &["list", "."]);
    let lines = stdout(&output);
    let days: Vec<_> = lines.lines().skip(1).map(|line| &line[..10]).collect();
    assert_eq!(days, ["2026-05-09", "2026-05-05", "2026-05-02"]);
}

#[test]
fn a_session_in_which_nobody_spoke_is_no_failure_and_told_when_it_was_named() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let put = |name: &str, text: &str| {
        fs::write(folder.path().join(name), text).expect("a file");
    };
    put("a.jsonl", &session(1));
    put(
        "opened.jsonl",
        "{\"type\":\"session_meta\",\"timestamp\":\"2026-05-01T08:00:00Z\",\"payload\":{\"id\":\"s\",\"cwd\":\"/w\"}}\n",
    );
    let output = foldout(folder.path(), &["build", ".", "-o", "site"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    for (strict, code) in [(&[][..], 0), (&["--strict"], 1)] {
        let arguments = [&["build", "opened.jsonl", "-o", "site2"], strict].concat();
        let output = foldout(folder.path(), &arguments);
        assert_eq!(output.status.code(), Some(code), "{}", stderr(&output));
        assert!(stderr(&output).contains("nothing in it that could be shown"));
    }
}

#[test]
fn a_refused_file_is_told_why() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, bytes, why) in [
        ("notes.txt", &b"Notes\nof the day\n"[..], "not JSON"),
        (
            "package.json",
            b"{\"name\": \"ferry\"}",
            "JSON that is no conversation",
        ),
        ("page.html", b"<!doctype html><p>hi</p>", "a page or XML"),
        (
            "cut.db",
            b"SQLite format 3\0 and no more",
            "a database that cannot be opened",
        ),
    ] {
        fs::write(folder.path().join(name), bytes).expect("a file");
        let output = foldout(folder.path(), &["build", name, "-o", "site"]);
        let said = stderr(&output);
        assert!(said.contains(name) && said.contains(why), "{said}");
        assert_eq!(output.status.code(), Some(1));
    }
}

#[test]
fn files_that_look_like_conversations_are_refused_whoever_is_to_read_them() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let put = |name: &str, text: &str| {
        fs::write(folder.path().join(name), text).expect("a file");
    };
    put(
        "log.jsonl",
        "{\"type\":\"user\",\"timestamp\":\"2026-01-01T00:00:00Z\",\"message\":\"login ok\",\"sessionId\":\"abc\"}\n\
         {\"type\":\"system\",\"timestamp\":\"2026-01-01T00:00:01Z\",\"message\":\"bye\",\"sessionId\":\"abc\"}\n",
    );
    put(
        "cart.json",
        "{\"session\":{\"id\":\"1\",\"name\":\"web\"},\"items\":[{\"sku\":1,\"qty\":2}]}",
    );
    let output = foldout(folder.path(), &["list", "."]);
    assert_eq!(stdout(&output).lines().count(), 1, "{}", stdout(&output));
    for format in FORMATS {
        let arguments = [
            "build",
            "cart.json",
            "-o",
            "site",
            "--format",
            format.name(),
        ];
        let output = foldout(folder.path(), &arguments);
        let code = output.status.code();
        assert_eq!(code, Some(1), "{}: {}", format.name(), stderr(&output));
    }
}
