//! Secrets stay private: planted values are nowhere in what a build writes, and what only looks
//! like one comes through as it is.
//!
//! The set of planted values is made by a generator that is not a part of this project; where it
//! or Python is missing, the test says so and does not run.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

/// A text of the set.
struct Planted {
    kind: String,
    label: String,
    is_hard: bool,
    text: String,
    values: Vec<String>,
}

fn say(line: &str) {
    writeln!(std::io::stderr(), "{line}").expect("stderr is open");
}

/// The set, written into a temporary folder; `None` where it cannot be made.
fn planted() -> Option<Vec<Planted>> {
    let generator = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/hostile/gen_secrets.py");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let copy = folder.path().join("gen_secrets.py");
    let made = fs::copy(generator, &copy).ok().and_then(|_| {
        let mut python = Command::new("python3");
        python.arg(&copy).stdout(Stdio::null()).status().ok()
    });
    if !made.is_some_and(|status| status.success()) {
        // Past the capture of the test harness: a test that did not run must be seen.
        say("planted secrets did not run: there is no generator, or no python3");
        return None;
    }
    let lines = fs::read_to_string(folder.path().join("secrets.jsonl")).expect("it was written");
    let strings = |value: &Value| -> Vec<String> {
        let values = value.as_array().into_iter().flatten();
        values
            .filter_map(|value| value.as_str().map(str::to_owned))
            .collect()
    };
    let rows = lines.lines().map(|line| {
        let row: Value = serde_json::from_str(line).expect("a row of JSON");
        let word = |key: &str| row[key].as_str().unwrap_or_default().to_owned();
        Planted {
            kind: word("kind"),
            label: word("label"),
            is_hard: row["hard"] == json!(true),
            text: word("text"),
            values: strings(&row["values"]),
        }
    });
    Some(rows.collect())
}

/// A conversation with a text at one of the places where texts stand.
fn conversation(place: usize, text: &str) -> String {
    let row = |seq: usize, role: &str, chunk: Value| {
        json!({"seq": seq, "role": role, "chunk": chunk}).to_string()
    };
    let prompt = |text: &str| row(1, "user", json!({"type": "text", "text": text}));
    let call = |input: Value| {
        row(
            2,
            "assistant",
            json!({"type": "tool-call", "toolCallId": "c", "toolName": "run_shell", "input": input}),
        )
    };
    let result = |text: &str| {
        let chunk = json!({"type": "tool-result", "toolCallId": "c", "toolName": "run_shell", "content": text, "isError": false});
        row(3, "tool", chunk)
    };
    let answer = |text: &str| row(4, "assistant", json!({"type": "text", "text": text}));
    let rows = match place % 4 {
        0 => [
            prompt(text),
            call(json!({"command": "ls"})),
            result("ok"),
            answer("Done."),
        ],
        1 => [
            prompt("Go on."),
            call(json!({"command": "make"})),
            result(text),
            answer("Done."),
        ],
        2 => [
            prompt("Go on."),
            call(json!({"command": text})),
            result("ok"),
            answer("Done."),
        ],
        _ => [
            prompt("Go on."),
            call(json!({"command": "ls"})),
            result("ok"),
            answer(text),
        ],
    };
    rows.join("\n")
}

/// A site of these texts, each in a conversation of its own.
fn build(folder: &TempDir, texts: &[&str], options: &[&str]) -> (PathBuf, Output) {
    let input = folder.path().join("in");
    let site = folder.path().join(format!("site{}", options.len()));
    fs::create_dir_all(&input).expect("a folder");
    for (place, text) in texts.iter().enumerate() {
        fs::write(
            input.join(format!("{place:03}.jsonl")),
            conversation(place, text),
        )
        .expect("a file");
    }
    let mut foldout = Command::new(env!("CARGO_BIN_EXE_foldout"));
    foldout
        .current_dir(folder.path())
        .args(["build", "in", "-v", "-o"])
        .arg(&site)
        .args(options);
    let output = foldout.output().expect("the binary can be run");
    (site, output)
}

/// Every file of a site with its text.
fn files(folder: &Path, into: &mut BTreeMap<PathBuf, String>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files(&path, into);
        } else {
            let bytes = fs::read(&path).expect("a file");
            into.insert(path, String::from_utf8_lossy(&bytes).into_owned());
        }
    }
}

/// What a page says, without its tags and with its escapes undone.
fn said(page: &str) -> String {
    let mut out = String::new();
    for (at, part) in page.split('<').enumerate() {
        let text = if at == 0 {
            part
        } else {
            part.split_once('>').map_or("", |(_, text)| text)
        };
        out.push_str(text);
    }
    let undone = [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&#39;", "'"),
        ("&#x27;", "'"),
        ("&#34;", "\""),
        ("&amp;", "&"),
    ];
    undone
        .iter()
        .fold(out, |text, (written, meant)| text.replace(written, meant))
}

#[test]
fn planted_secrets_are_nowhere_and_look_alikes_stay() {
    let Some(rows) = planted() else { return };
    let secrets: Vec<&Planted> = rows.iter().filter(|row| row.label == "secret").collect();
    let benign: Vec<&Planted> = rows.iter().filter(|row| row.label == "benign").collect();

    let folder = tempfile::tempdir().expect("a temporary folder");
    let texts: Vec<&str> = secrets.iter().map(|row| row.text.as_str()).collect();
    let (site, output) = build(&folder, &texts, &[]);
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let mut pages = BTreeMap::new();
    files(&site, &mut pages);
    let mut all: String = [output.stdout, output.stderr]
        .iter()
        .map(|bytes| String::from_utf8_lossy(bytes))
        .collect();
    for (path, page) in &pages {
        all.push_str(&path.to_string_lossy());
        all.push_str(page);
        all.push_str(&said(page));
    }
    let is_gone = |row: &&&Planted| row.values.iter().all(|value| !all.contains(value.as_str()));
    let (plain, hard): (Vec<_>, Vec<_>) = secrets.iter().partition(|row| !row.is_hard);
    let gone = plain.iter().filter(|row| is_gone(row)).count();
    let all_gone = gone + hard.iter().filter(|row| is_gone(row)).count();
    let left: Vec<&str> = secrets
        .iter()
        .filter(|row| !is_gone(row))
        .map(|row| row.kind.as_str())
        .collect();

    let folder = tempfile::tempdir().expect("a temporary folder");
    let texts: Vec<&str> = benign.iter().map(|row| row.text.as_str()).collect();
    let (redacted, _) = build(&folder, &texts, &[]);
    let (plain_site, _) = build(&folder, &texts, &["--no-redact"]);
    let (mut with, mut without) = (BTreeMap::new(), BTreeMap::new());
    files(&redacted.join("dispatch"), &mut with);
    files(&plain_site.join("dispatch"), &mut without);
    assert_eq!(with.len(), without.len());
    let notice = "<p class=\"page-of\">Not redacted: secrets and names stand as they were.</p>\n";
    let pairs = with.values().zip(without.values());
    let changed: Vec<&str> = pairs
        .filter(|(with, without)| **with != without.replace(notice, ""))
        .map(|(with, _)| with.as_str())
        .collect();

    say(&format!(
        "secrets gone: {gone} of {} that are not hard, {all_gone} of {}; look-alikes changed: {} of {}",
        plain.len(),
        secrets.len(),
        changed.len(),
        benign.len(),
    ));
    assert!(gone * 100 >= plain.len() * 99, "{left:?}");
    assert!(all_gone * 100 >= secrets.len() * 95, "{left:?}");
    assert!(changed.len() <= 2, "{changed:#?}");
}
