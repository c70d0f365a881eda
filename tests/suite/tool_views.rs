//! Views that the settings file gives, on the command line.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::json;
use tempfile::TempDir;

const SETTINGS: &str = "[[tool-view]]\nnames = 'mcp__garden__*'\nlabel = 'Tended the garden'\n\
    activity = 'Tending'\nglimpse = 'bed'\nglimpse-as = 'quote'\n\
    result = { field = 'total', text = '{} plants' }\noutput = { as = 'table', field = 'plants' }\n";

/// A folder with a conversation `in/a.jsonl` that calls an MCP server's tool twice and a shell
/// once, and with a settings file of this text.
fn folder(settings: &str) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let answer = r#"{"total":2,"plants":[{"name":"mint <b>"},{"name":"rue"}]}"#;
    let mut lines = vec![json!({"seq": 1, "role": "user",
        "chunk": {"type": "text", "text": "What grows in the south bed?"}})];
    for (id, tool, input) in [
        ("c1", "mcp__garden__list", json!({"bed": "south"})),
        ("c2", "mcp__garden__list", json!({"bed": "<i>north</i>"})),
        ("c3", "run_shell", json!({"command": "ls beds"})),
    ] {
        lines.push(json!({"seq": lines.len() + 1, "role": "assistant", "chunk":
            {"type": "tool-call", "toolCallId": id, "toolName": tool, "input": input}}));
        lines.push(json!({"seq": lines.len() + 1, "role": "tool", "chunk":
            {"type": "tool-result", "toolCallId": id, "toolName": tool, "content": answer,
            "isError": false}}));
    }
    let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
    fs::create_dir(folder.path().join("in")).expect("a folder");
    fs::write(folder.path().join("in/a.jsonl"), lines.join("\n")).expect("a file");
    fs::write(folder.path().join("foldout.toml"), settings).expect("a file");
    folder
}

fn foldout(folder: &Path, arguments: &[&str]) -> Output {
    let mut foldout = Command::new(env!("CARGO_BIN_EXE_foldout"));
    foldout.args(arguments).current_dir(folder);
    foldout.output().expect("the binary can be run")
}

fn said(output: &Output) -> String {
    let both = [&output.stdout, &output.stderr];
    both.map(|bytes| String::from_utf8_lossy(bytes).into_owned())
        .concat()
}

/// The only conversation's page.
fn page(folder: &Path) -> String {
    let pages = walkdir::WalkDir::new(folder.join("site")).into_iter();
    let pages = pages.filter_map(Result::ok).map(|entry| entry.into_path());
    let mut pages: Vec<_> = pages
        .filter(|path| path.extension().is_some_and(|end| end == "html"))
        .collect();
    pages.sort_by_key(|path| path.components().count());
    let page = pages.last().expect("a page");
    fs::read_to_string(page).expect("a page")
}

#[test]
fn a_view_of_the_settings_file_draws_its_tools() {
    let folder = folder(SETTINGS);
    let output = foldout(folder.path(), &["build", "in", "-o", "site"]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let page = page(folder.path());
    for part in [
        "<span class=\"label\">Tended the garden</span>",
        "<q class=\"glimpse\" dir=\"auto\">south</q>",
        "<bdi>2 plants</bdi>",
        "<td>rue</td>",
        "<td>mint &lt;b&gt;</td>",
        "&lt;i&gt;north&lt;/i&gt;",
        "Result as recorded",
        "Ran a command",
    ] {
        assert!(page.contains(part), "no {part} in {page}");
    }
    assert!(!page.contains("<i>north") && !page.contains("mint <b>"));
}

#[test]
fn a_view_of_another_file_is_taken_where_the_command_names_it() {
    let folder = folder("");
    fs::write(folder.path().join("own.toml"), SETTINGS).expect("a file");
    let arguments = ["build", "in", "-o", "site"];
    foldout(folder.path(), &arguments);
    assert!(!page(folder.path()).contains("Tended"));
    let with = [&arguments[..], &["--config", "own.toml"]].concat();
    let output = foldout(folder.path(), &with);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert!(page(folder.path()).contains("Tended the garden"));
}

#[test]
fn a_list_of_tools_says_which_view_draws_each() {
    let folder = folder("");
    let views = |settings: &str| {
        fs::write(folder.path().join("foldout.toml"), settings).expect("a file");
        let output = foldout(folder.path(), &["list", "--tools", "in"]);
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
        let lines = String::from_utf8_lossy(&output.stdout).into_owned();
        let rows = lines.lines().map(|line| {
            let words: Vec<_> = line.split_whitespace().collect();
            words.join(" ")
        });
        rows.collect::<Vec<_>>().join("\n")
    };
    let before = views("");
    assert!(before.contains("mcp__garden__list"), "{before}");
    assert!(
        before.contains("default") && before.contains("shell"),
        "{before}"
    );
    let after = views(SETTINGS);
    assert!(
        after.contains("own") && !after.contains("default"),
        "{after}"
    );
}

#[test]
fn a_wrong_entry_is_an_error_with_its_line_and_nothing_is_written() {
    let folder = folder("[redact]\nemails = true\n\n[[tool-view]]\nnames = 'x'\nlable = 'y'\n");
    for arguments in [&["build", "in", "-o", "site"][..], &["list", "in"]] {
        let output = foldout(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(2), "{}", said(&output));
        let said = said(&output);
        assert!(said.contains("foldout.toml:6: "), "{said}");
        assert!(said.contains("lable"), "{said}");
        assert!(!folder.path().join("site").exists());
    }
}
