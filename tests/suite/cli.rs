//! The command line, end to end: what is printed where, exit codes, what is written.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

const PROMPT: &str = r#"{"seq":1,"role":"user","chunk":{"type":"text","text":"Which bolts fit?"}}"#;
const ANSWER: &str = r#"{"seq":2,"role":"assistant","chunk":{"type":"text","text":"M6 by 20."}}"#;

/// Runs foldout in a folder.
fn foldout(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_foldout"))
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .expect("the binary can be run")
}

fn code(output: &Output) -> i32 {
    output.status.code().expect("no signal ended it")
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("stderr is text")
}

/// A folder with the files given.
fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("a file has a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }
    folder
}

fn conversation() -> String {
    format!("{PROMPT}\n{ANSWER}\n")
}

#[test]
fn a_build_prints_the_index_on_stdout_and_nothing_else_there() {
    let folder = folder(&[("in/a.jsonl", &conversation())]);
    let output = foldout(folder.path(), &["build", "in", "-o", "site"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert_eq!(String::from_utf8_lossy(&output.stdout), "site/index.html\n");
    assert!(
        stderr(&output).contains("1 conversation, 2 pages"),
        "{}",
        stderr(&output)
    );
    let index = fs::read_to_string(folder.path().join("site/index.html")).expect("an index");
    assert!(index.contains("Which bolts fit?"));
}

#[test]
fn a_broken_line_is_named_and_its_neighbours_stay() {
    let folder = folder(&[("in/a.jsonl", &format!("{PROMPT}\n{{\"seq\":9,\n{ANSWER}\n"))]);
    let output = foldout(folder.path(), &["build", "in", "-o", "site"]);
    assert_eq!(code(&output), 0);
    assert!(
        stderr(&output).contains("in/a.jsonl:2: "),
        "{}",
        stderr(&output)
    );
    let strict = foldout(folder.path(), &["build", "in", "-o", "site", "--strict"]);
    assert_eq!(code(&strict), 1);
    let pages = all_pages(&folder.path().join("site"));
    assert!(pages.contains("Which bolts fit?") && pages.contains("M6 by 20."));
}

#[test]
fn an_unknown_file_is_a_note_unless_it_was_named() {
    let folder = folder(&[
        ("in/a.jsonl", &conversation()),
        ("in/notes.txt", "not a transcript"),
    ]);
    let walked = foldout(folder.path(), &["build", "in", "-o", "site", "-v"]);
    assert_eq!(code(&walked), 0);
    assert!(
        stderr(&walked).contains("in/notes.txt: note: "),
        "{}",
        stderr(&walked)
    );
    let named = foldout(folder.path(), &["build", "in/notes.txt", "-o", "other"]);
    assert_eq!(code(&named), 1);
    assert!(
        stderr(&named).contains("in/notes.txt: no page: "),
        "{}",
        stderr(&named)
    );
}

#[test]
fn wrong_calls_exit_with_2() {
    let folder = folder(&[("in/a.jsonl", &conversation()), ("full/thesis.txt", "mine")]);
    for arguments in [
        &["build"][..],
        &["build", "in", "-o", "site", "--theme", "nothing-like-it"],
        &["build", "in", "-o", "site", "--tz", "Nowhere/Land"],
        &["build", "in", "-o", "site", "--format", "papyrus"],
        &["build", "in", "-o", "site", "--page-budget", "3"],
        &["build", "in", "-o", "full"],
    ] {
        assert_eq!(code(&foldout(folder.path(), arguments)), 2, "{arguments:?}");
    }
    assert_eq!(
        fs::read_to_string(folder.path().join("full/thesis.txt")).expect("still there"),
        "mine"
    );
    let adopted = foldout(folder.path(), &["build", "in", "-o", "full", "--adopt"]);
    assert_eq!(code(&adopted), 0, "{}", stderr(&adopted));
    assert!(folder.path().join("full/thesis.txt").exists());
}

#[test]
fn a_missing_input_gives_no_page_and_exit_1() {
    let folder = folder(&[("in/a.jsonl", &conversation())]);
    let output = foldout(folder.path(), &["build", "in", "gone", "-o", "site"]);
    assert_eq!(code(&output), 1);
    assert!(
        stderr(&output).contains("gone: no page: "),
        "{}",
        stderr(&output)
    );
    assert!(folder.path().join("site/index.html").exists());
}

#[test]
fn a_folder_without_a_conversation_is_exit_1() {
    let folder = folder(&[("in/a.jsonl", &conversation()), ("empty/notes.txt", "mine")]);
    for inputs in [&["empty"][..], &["in", "empty/"]] {
        let output = foldout(
            folder.path(),
            &[&["build"], inputs, &["-o", "site"]].concat(),
        );
        assert_eq!(code(&output), 1, "{inputs:?}: {}", stderr(&output));
        assert!(
            stderr(&output).contains("no conversation was found"),
            "{}",
            stderr(&output)
        );
    }
    for input in ["in", "in/", "./in", "."] {
        let output = foldout(folder.path(), &["build", input, "-o", "site"]);
        assert_eq!(code(&output), 0, "{input}: {}", stderr(&output));
    }
}

#[cfg(unix)]
#[test]
fn a_link_in_the_site_is_not_followed() {
    let folder = folder(&[("in/a.jsonl", &conversation()), ("other/x", "mine")]);
    let build = || foldout(folder.path(), &["build", "in", "-o", "site"]);
    assert_eq!(code(&build()), 0);
    fs::remove_dir_all(folder.path().join("site/dispatch")).expect("removed");
    std::os::unix::fs::symlink("../other", folder.path().join("site/dispatch")).expect("linked");
    assert_eq!(code(&build()), 2);
    assert_eq!(tree(&folder.path().join("other")).len(), 1);
}

#[test]
fn two_builds_of_one_folder_leave_a_whole_site() {
    let folder = folder(&[("in/a.jsonl", &conversation())]);
    let start = || {
        let mut build = Command::new(env!("CARGO_BIN_EXE_foldout"));
        let build = build
            .args(["build", "in", "-o", "site", "-q"])
            .current_dir(folder.path());
        build
            .stdout(Stdio::null())
            .spawn()
            .expect("the binary can be run")
    };
    let mut builds: Vec<_> = (0..6).map(|_| start()).collect();
    for build in &mut builds {
        assert!(build.wait().expect("it ends").success());
    }
    assert!(all_pages(&folder.path().join("site")).contains("M6 by 20."));
    let files = tree(&folder.path().join("site"));
    assert!(!files.iter().any(|(name, _)| name.ends_with(".part")));
}

#[test]
fn output_inside_the_input_is_not_read_again() {
    let folder = folder(&[("a.jsonl", &conversation())]);
    for _ in 0..2 {
        let output = foldout(folder.path(), &["build", ".", "-o", "site", "-v"]);
        assert_eq!(code(&output), 0);
        assert!(!stderr(&output).contains("site/"), "{}", stderr(&output));
    }
}

#[test]
fn standard_input_is_read() {
    let folder = folder(&[("a.jsonl", &conversation())]);
    let stdin = fs::File::open(folder.path().join("a.jsonl")).expect("the file is there");
    let output = Command::new(env!("CARGO_BIN_EXE_foldout"))
        .args(["build", "-", "-o", "site"])
        .current_dir(folder.path())
        .stdin(stdin)
        .output()
        .expect("the binary can be run");
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert!(all_pages(&folder.path().join("site")).contains("M6 by 20."));
}

#[test]
fn one_and_two_threads_write_the_same_bytes() {
    let folder = folder(&[]);
    for n in 0..20 {
        let text = conversation().replace("bolts", &format!("bolts of kind {n}"));
        fs::create_dir_all(folder.path().join("in")).expect("a folder");
        fs::write(folder.path().join(format!("in/{n}.jsonl")), text).expect("a file");
    }
    let trees: Vec<_> = ["1", "2"]
        .map(|jobs| {
            let output = foldout(folder.path(), &["build", "in", "-o", jobs, "--jobs", jobs]);
            assert_eq!(code(&output), 0, "{}", stderr(&output));
            tree(&folder.path().join(jobs))
        })
        .into();
    assert_eq!(trees[0], trees[1]);
}

#[test]
fn a_hostile_file_name_cannot_forge_a_line_on_the_terminal() {
    let folder = folder(&[
        ("in/a.jsonl", &conversation()),
        ("in/\u{1b}[31mx\n::error::y.txt", "?"),
    ]);
    let output = foldout(folder.path(), &["build", "in", "-o", "site", "-v"]);
    assert!(!output.stderr.contains(&0x1b));
    assert!(
        !stderr(&output).lines().any(|line| line.starts_with("::")),
        "{}",
        stderr(&output)
    );
}

#[test]
fn live_files_show_calls_as_running() {
    let call = r#"{"seq":2,"role":"assistant","chunk":{"type":"tool-call","toolCallId":"c","toolName":"run_shell","input":{"command":"make"}}}"#;
    let folder = folder(&[("in/a.jsonl", &format!("{PROMPT}\n{call}\n"))]);
    foldout(folder.path(), &["build", "in", "-o", "ended"]);
    foldout(folder.path(), &["build", "in", "-o", "live", "--live"]);
    assert!(all_pages(&folder.path().join("ended")).contains("data-state=\"incomplete\""));
    let live = all_pages(&folder.path().join("live"));
    assert!(live.contains("data-state=\"running\"") && live.contains("Running a command…"));
}

#[test]
fn conversations_that_only_begin_alike_both_have_pages() {
    let other = conversation().replace("M6 by 20.", "None of them.");
    let folder = folder(&[("b/x.jsonl", &conversation()), ("c/x.jsonl", &other)]);
    let output = foldout(folder.path(), &["build", "b", "c", "-o", "site"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let pages = all_pages(&folder.path().join("site"));
    assert!(pages.contains("M6 by 20.") && pages.contains("None of them."));
    assert!(!pages.contains("Continues an earlier conversation"));
}

#[test]
fn the_same_conversation_twice_is_shown_once() {
    let session = claude_session("s1", 4);
    let folder = folder(&[("in/a/s1.jsonl", &session), ("in/b/s1.jsonl", &session)]);
    let output = foldout(folder.path(), &["build", "in", "-o", "site", "-v"]);
    assert!(
        stderr(&output).contains("the same conversation as"),
        "{}",
        stderr(&output)
    );
    assert!(
        stderr(&output).contains("1 conversation, 2 pages"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn a_document_that_went_on_as_a_log_is_one_conversation() {
    let message = |id: &str, kind: &str, words: &str| {
        format!(
            "{{\"id\":\"{id}\",\"timestamp\":\"2026-01-02T03:00:0{id}Z\",\"type\":\"{kind}\",\
             \"content\":\"{words}\"}}"
        )
    };
    let facts = "\"sessionId\":\"s\",\"projectHash\":\"h\"";
    let old = [message("1", "user", "Tea?"), message("2", "gemini", "Yes.")];
    let new = [
        message("3", "gemini", "Green."),
        message("4", "user", "Ah."),
    ];
    let document = format!("{{{facts},\"messages\":[{}]}}", old.join(","));
    let log = [&[format!("{{{facts}}}")], &old[..], &new[..]].concat();
    let folder = folder(&[
        ("in/session-s.json", &document),
        ("in/session-s.jsonl", &log.join("\n")),
    ]);
    let output = foldout(folder.path(), &["build", "in", "-o", "site", "-v"]);
    let told = stderr(&output);
    assert!(told.contains("1 conversation"), "{told}");
    assert!(
        told.contains("session-s.json: note: the same conversation"),
        "{told}"
    );
    assert!(all_pages(&folder.path().join("site")).contains("Green."));
}

#[test]
fn a_resumed_session_links_to_the_one_that_it_repeats() {
    let folder = folder(&[
        ("in/s1.jsonl", &claude_session("s1", 4)),
        ("in/s2.jsonl", &claude_session("s2", 8)),
    ]);
    let output = foldout(folder.path(), &["build", "in", "-o", "site"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let pages = all_pages(&folder.path().join("site"));
    assert_eq!(
        pages.matches("Continues an earlier conversation").count(),
        1
    );
}

/// A session of Claude Code with so many messages, the same for every id.
fn claude_session(id: &str, messages: usize) -> String {
    let line = |n: usize| {
        let (kind, content) = match n % 2 {
            0 => ("user", format!(r#""Question {n}?""#)),
            _ => (
                "assistant",
                format!(r#"[{{"type":"text","text":"Answer {n}."}}]"#),
            ),
        };
        let parent = n
            .checked_sub(1)
            .map_or("null".to_owned(), |n| format!(r#""u{n}""#));
        format!(
            r#"{{"type":"{kind}","uuid":"u{n}","parentUuid":{parent},"sessionId":"{id}","timestamp":"2026-05-01T10:00:{n:02}Z","message":{{"id":"m{n}","role":"{kind}","content":{content}}}}}"#
        )
    };
    (0..messages).map(|n| line(n) + "\n").collect()
}

#[test]
fn a_closed_pipe_is_no_crash() {
    let folder = folder(&[("in/a.jsonl", &conversation())]);
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let status = Command::new(env!("CARGO_BIN_EXE_foldout"))
        .args(["build", "in", "-o", "site"])
        .current_dir(folder.path())
        .stdout(writer)
        .stderr(Stdio::null())
        .status()
        .expect("the binary can be run");
    assert_eq!(status.code(), Some(0));
}

/// Every file below a folder with its bytes.
fn tree(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(inner) = folders.pop() {
        for entry in fs::read_dir(&inner).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path
                    .strip_prefix(folder)
                    .expect("below it")
                    .to_string_lossy()
                    .into_owned();
                files.push((name, fs::read(&path).expect("a file")));
            }
        }
    }
    files.sort();
    files
}

/// The markup of every page, one after the other.
fn all_pages(folder: &Path) -> String {
    let pages = tree(folder)
        .into_iter()
        .filter(|(name, _)| name.ends_with(".html"));
    pages
        .map(|(_, bytes)| String::from_utf8(bytes).expect("pages are UTF-8"))
        .collect()
}
