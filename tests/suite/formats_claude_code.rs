//! Claude Code's files as they are found: every one is read, no word of it is lost, and broken
//! ones are reported where they are broken.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use foldout::error::{Problem, Severity};
use foldout::formats::{Grouped, Head, group};
use foldout::model::{Body, Conversation, Entry, Input, Notice, Part, ToolCall, ToolResult};
use foldout::source::File;
use serde_json::Value;

/// The folder of shared files, when it is there.
fn shared(below: &str) -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../shared")
        .join(below);
    if folder.is_dir() {
        return Some(folder);
    }
    // Past the capture of the test harness: a test that did not run must be seen.
    let folder = folder.display();
    writeln!(std::io::stderr(), "did not run: there is no {folder}").expect("stderr is open");
    None
}

/// All files below a folder, as the walk would find them.
fn files(root: &Path) -> Vec<File> {
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
            let name = name.to_string_lossy().replace('\\', "/");
            let size = fs::metadata(&path).expect("the file is there").len();
            files.push(File::on_disk(path, name.clone(), name, size));
        }
    }
    files
}

fn grouped(files: Vec<File>) -> Grouped {
    let found = files.into_iter().map(|file| {
        let head = Head::of(&file).expect("the file can be read");
        (file, head)
    });
    group(found.collect(), None)
}

/// All letters and digits of a conversation, in order.
#[derive(Default)]
struct Words(String);

impl Words {
    fn add(&mut self, text: &str) {
        self.0.push('\n');
        self.0.extend(text.chars().filter(|c| c.is_alphanumeric()));
    }

    fn conversation(&mut self, conversation: &Conversation) {
        self.entries(&conversation.entries);
        for child in &conversation.children {
            self.conversation(child);
        }
    }

    fn entries(&mut self, entries: &[Entry]) {
        for entry in entries {
            match entry {
                Entry::Prompt(prompt) => {
                    self.parts(&prompt.parts);
                    prompt.asides.iter().for_each(|notice| self.notice(notice));
                }
                Entry::Reply(reply) => {
                    self.parts(&reply.parts);
                    self.add(reply.error.as_deref().unwrap_or_default());
                }
                Entry::Notice(notice) => self.notice(notice),
                Entry::Versions(versions) => versions.iter().for_each(|v| self.entries(v)),
            }
        }
    }

    fn notice(&mut self, notice: &Notice) {
        self.add(&notice.title);
        self.add(notice.body.as_ref().map_or("", Body::text));
    }

    fn parts(&mut self, parts: &[Part]) {
        for part in parts {
            match part {
                Part::Text(text) => self.add(text),
                Part::Reasoning(reasoning) => self.add(&reasoning.text),
                Part::Tool(call) => self.call(call),
                Part::Notice(notice) => self.notice(notice),
                Part::File(file) => self.add(file.text.as_deref().unwrap_or_default()),
                Part::Error { message, .. } => self.add(message),
                Part::Image(_) => {}
            }
        }
    }

    fn call(&mut self, call: &ToolCall) {
        match &call.input {
            Some(Input::Json(json)) => {
                let value: Value = serde_json::from_str(json).expect("an input is sound");
                strings(&value).iter().for_each(|text| self.add(text));
            }
            Some(Input::Text(text)) => self.add(text),
            None => {}
        }
        call.result
            .iter()
            .chain(&call.more_results)
            .for_each(|result| self.result(result));
        call.notices.iter().for_each(|notice| self.notice(notice));
        if let Some(child) = &call.child {
            // The card shows the prompt of the child.
            self.conversation(child);
        }
    }

    fn result(&mut self, result: &ToolResult) {
        self.add(&result.text);
    }

    fn has(&self, text: &str) -> bool {
        let bare: String = text.chars().filter(|c| c.is_alphanumeric()).collect();
        self.0.contains(&bare)
    }
}

/// Every string in a value.
fn strings(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) => vec![text.clone()],
        Value::Array(items) => items.iter().flat_map(strings).collect(),
        Value::Object(map) => map.values().flat_map(strings).collect(),
        _ => Vec::new(),
    }
}

/// What a person would read of a record's message: text, reasoning, inputs, results.
fn readable(content: &Value) -> Vec<String> {
    let blocks = match content {
        Value::String(text) => return vec![text.clone()],
        Value::Array(blocks) => blocks,
        _ => return Vec::new(),
    };
    let mut texts = Vec::new();
    for block in blocks {
        match block["type"].as_str() {
            Some("text") => texts.extend(strings(&block["text"])),
            Some("thinking") => texts.extend(strings(&block["thinking"])),
            Some("tool_use") => texts.extend(strings(&block["input"])),
            Some("tool_result") => texts.extend(readable(&block["content"])),
            _ => {}
        }
    }
    texts
}

/// A line without the tags that the program puts around what it says.
fn bare(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some((before, tag)) = rest.split_once('<') {
        let known = [
            "command-",
            "local-command-",
            "bash-",
            "ide_",
            "task-",
            "tool-use-id",
        ];
        let more = [
            "system-reminder",
            "status",
            "summary",
            "result",
            "output-file",
            "usage",
            "tool_use_error",
        ];
        let name = tag.trim_start_matches('/');
        let is_known = known
            .iter()
            .chain(&more)
            .any(|start| name.starts_with(start));
        match tag.split_once('>').filter(|_| is_known) {
            Some((_, after)) => {
                out.push_str(before);
                out.push('\n');
                rest = after;
            }
            None => {
                out.push_str(before);
                out.push('<');
                rest = tag;
            }
        }
    }
    out.push_str(rest);
    out
}

#[test]
fn every_file_is_read_and_no_word_is_lost() {
    let Some(root) = shared("corpus/agents/claude-code") else {
        return;
    };
    let grouped = grouped(files(&root));
    let strangers: Vec<&str> = grouped
        .unknown
        .iter()
        .map(|(f, _)| f.name.as_str())
        .collect();
    assert!(strangers.is_empty(), "not recognised: {strangers:?}");
    let mut lost = Vec::new();
    let mut checked = 0;
    for (source, format) in &grouped.sources {
        assert_eq!(format.name(), "claude_code");
        let reading = format.read(source);
        let mut words = Words::default();
        if let Some(conversation) = &reading.conversation {
            words.conversation(conversation);
        }
        for file in std::iter::once(&source.main).chain(&source.members) {
            let bytes = file.read().expect("the file can be read");
            for line in String::from_utf8_lossy(&bytes).lines() {
                let Ok(record) = serde_json::from_str::<Value>(line) else {
                    continue;
                };
                let content = match &record["message"] {
                    Value::Object(message) => message.get("content").cloned(),
                    other => Some(other.clone()),
                };
                for text in content.iter().flat_map(readable) {
                    for line in bare(&text).lines().filter(|line| !line.trim().is_empty()) {
                        checked += 1;
                        if !words.has(line) && line != "Warmup" {
                            lost.push(format!("{}: {line}", file.name));
                        }
                    }
                }
            }
        }
    }
    assert!(checked > 10_000, "only {checked} lines were checked");
    lost.truncate(20);
    assert!(lost.is_empty(), "{lost:#?}");
}

/// What a row of the table expects: how bad it is, and at which lines.
fn expected(exit: &str, diagnostic: &str) -> (Option<Severity>, BTreeSet<u64>) {
    let severity = match exit {
        "1" => Some(Severity::Lost),
        "0" if diagnostic.starts_with("note:") => Some(Severity::Note),
        "0" => None,
        _ => Some(Severity::Warning),
    };
    let after_colons = diagnostic.split(':').skip(1);
    let line = after_colons.filter_map(|piece| piece.parse().ok()).take(1);
    (severity, line.collect())
}

#[test]
fn broken_files_are_reported_where_they_are_broken() {
    let Some(root) = shared("hostile") else {
        return;
    };
    let table = fs::read_to_string(root.join("EXPECT.tsv")).expect("the table can be read");
    let mut wrong = Vec::new();
    for row in table.lines().filter(|row| row.starts_with("cc-")) {
        let cells: Vec<&str> = row.split('\t').collect();
        let [name, kind, exit, diagnostic, _] = cells[..] else {
            panic!("a row has five cells: {row}");
        };
        let path = root.join("files").join(name);
        let size = fs::metadata(&path).expect("the file is there").len();
        let file = File::on_disk(path, name.to_owned(), name.to_owned(), size);
        let head = Head::of(&file).expect("the file can be read");
        let format = foldout::formats::by_name("claude_code").expect("it is in the table");
        let known = format.recognises(&head);
        let unknown = head.empty || name == "cc-not-json.jsonl";
        if known == unknown {
            wrong.push(format!("{name}: recognised: {known}"));
        }
        let reading = format.read(&foldout::source::Source::single(file));
        let (mut severity, lines) = expected(exit, diagnostic);
        if kind == "empty" {
            // Nothing is missing on a page for an empty file.
            severity = Some(Severity::Note);
        }
        let worst = reading
            .problems
            .iter()
            .map(|problem| problem.severity)
            .max();
        let fits = |problem: &Problem| {
            Some(problem.severity) == severity
                && (lines.is_empty() || problem.line.is_some_and(|line| lines.contains(&line)))
        };
        let is_fine = match severity {
            None => worst.is_none_or(|worst| worst == Severity::Note),
            // The worst of the table is that nothing is shown.
            Some(Severity::Lost) => worst == Some(Severity::Lost) && reading.conversation.is_none(),
            Some(severity) => worst == Some(severity) && reading.problems.iter().any(fits),
        };
        if !is_fine {
            let said: Vec<String> = reading.problems.iter().map(ToString::to_string).collect();
            wrong.push(format!("{name}: expected {exit} {diagnostic}: {said:#?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
