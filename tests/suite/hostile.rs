//! The same attacks in every field of every format: what a page may never become, whatever it is
//! made of.

use std::fs;
use std::path::Path;

use foldout::pipeline::{Options, build};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::browser::inert;

/// Markup, attribute breaks, schemes, Markdown, escapes, invisible and reordering characters.
const ATTACKS: &[&str] = &[
    "<script>alert(1)</script>",
    "\"><img src=x onerror=alert(2)>",
    "' onmouseover='alert(3)",
    "</pre></details></main><iframe srcdoc=x>",
    "javascript:alert(4)",
    "[x](javascript:alert(5)) ![y](https://hx.invalid/6.png) <https://hx.invalid/7>",
    "<meta http-equiv=refresh content=\"0;url=https://hx.invalid/8\">",
    "<svg onload=alert(9)><style>@import 'https://hx.invalid/10'</style>",
    "\u{202e}gnp.exe\u{202c}\u{2066}\u{200b}\u{e0041}",
    "\u{1b}]8;;https://hx.invalid/11\u{7}link\u{1b}]8;;\u{7}\u{1b}[31mred\u{0}",
    "&lt;b&gt; &#60;script&#62; {{ 7 * 7 }} {% raw %}",
    "../../etc/passwd\\..\\x",
];

/// Every string of a value, but those that the format is known by, with an attack put behind it;
/// keys of objects under `input` as well.
fn attacked(value: &Value, attack: &str, key: &str) -> Value {
    const KEPT: [&str; 12] = [
        "type",
        "$type",
        "role",
        "uuid",
        "parentUuid",
        "timestamp",
        "createdAt",
        "parent",
        "key",
        "media_type",
        "status",
        "data",
    ];
    match value {
        Value::String(text) if !KEPT.contains(&key) => json!(format!("{text}{attack}")),
        Value::Array(items) => items
            .iter()
            .map(|item| attacked(item, attack, key))
            .collect(),
        Value::Object(map) => {
            let mut map: serde_json::Map<_, _> = map
                .iter()
                .map(|(key, item)| (key.clone(), attacked(item, attack, key)))
                .collect();
            if key == "input" || key == "arguments" {
                map.insert(format!("key{attack}"), json!(attack));
            }
            Value::Object(map)
        }
        value => value.clone(),
    }
}

/// A session of Claude Code that uses most of its fields.
fn claude_code() -> Vec<Value> {
    let line = |n: usize, kind: &str, message: Value| {
        json!({"type": kind, "uuid": format!("u{n}"), "parentUuid": n.checked_sub(1).map(|n| format!("u{n}")),
            "sessionId": "s", "cwd": "/w", "gitBranch": "main", "version": "2.1", "message": message,
            "timestamp": format!("2026-05-01T10:00:{n:02}Z")})
    };
    let assistant = |id: &str, block: Value| {
        json!({"id": id, "role": "assistant", "model": "m", "content": [block],
            "usage": {"input_tokens": 1, "output_tokens": 1}})
    };
    let user = |content: Value| json!({"role": "user", "content": content});
    vec![
        json!({"type": "custom-title", "customTitle": "t", "sessionId": "s"}),
        line(
            0,
            "user",
            user(json!("ask <system-reminder>r</system-reminder>")),
        ),
        line(
            1,
            "assistant",
            assistant("m1", json!({"type": "thinking", "thinking": "hm"})),
        ),
        line(
            2,
            "assistant",
            assistant(
                "m2",
                json!({"type": "tool_use", "id": "c1", "name": "Bash", "input": {"command": "ls", "description": "d"}}),
            ),
        ),
        line(
            3,
            "user",
            user(
                json!([{"type": "tool_result", "tool_use_id": "c1", "content": "out", "is_error": true}]),
            ),
        ),
        line(
            4,
            "assistant",
            assistant(
                "m3",
                json!({"type": "tool_use", "id": "c2", "name": "mcp__box__search", "input": {"query": "q"}}),
            ),
        ),
        line(
            5,
            "user",
            user(
                json!([{"type": "tool_result", "tool_use_id": "c2", "content": [{"type": "text", "text": "found"}, {"type": "odd", "x": "y"}]}]),
            ),
        ),
        line(
            6,
            "assistant",
            assistant(
                "m4",
                json!({"type": "tool_use", "id": "c3", "name": "Edit", "input": {"file_path": "a.rs", "old_string": "a", "new_string": "b"}}),
            ),
        ),
        line(
            7,
            "user",
            user(
                json!([{"type": "image", "source": {"type": "url", "url": "https://hx.invalid/i"}}, {"type": "text", "text": "look"}]),
            ),
        ),
        line(
            8,
            "assistant",
            assistant(
                "m5",
                json!({"type": "text", "text": "# said\n\n```x\ncode\n```\n"}),
            ),
        ),
        json!({"type": "system", "subtype": "informational", "content": "note", "uuid": "u9", "parentUuid": "u8", "timestamp": "2026-05-01T10:00:09Z"}),
        json!({"type": "never-seen", "uuid": "u10", "parentUuid": "u9", "what": "x"}),
    ]
}

fn dispatch() -> Value {
    json!({"conversationId": "d", "title": "t", "chunks": [
        {"seq": 1, "role": "user", "chunk": {"type": "text", "text": "ask"}},
        {"seq": 2, "role": "assistant", "chunk": {"type": "tool-call", "toolCallId": "c", "toolName": "web_search", "input": {"query": "q"}}},
        {"seq": 3, "role": "tool", "chunk": {"type": "tool-result", "toolCallId": "c", "toolName": "web_search", "content": "found", "isError": false}},
        {"seq": 4, "role": "tool", "chunk": {"type": "tool-result", "toolCallId": "gone", "toolName": "odd", "content": "lost", "isError": true}},
        {"seq": 5, "role": "assistant", "chunk": {"type": "error", "message": "failed", "code": "c"}},
    ]})
}

fn scn_chat() -> Value {
    let kind = |name: &str| format!("network.sharedcomputer.chat.defs#{name}");
    let results =
        json!({"results": [{"title": "t", "url": "https://example.com/", "snippet": "s"}]});
    json!({"conversation": {"title": "t"}, "messages": [
        {"key": "a", "record": {"role": "user", "createdAt": "2026-03-01T10:00:00Z", "content": {"$type": kind("plainContent"),
            "parts": [{"$type": kind("textPart"), "text": "ask"}, {"$type": kind("filePart"), "name": "f.txt"}]}}},
        {"key": "a.r1", "record": {"role": "assistant", "parent": "a", "createdAt": "2026-03-01T10:00:09Z", "status": "error", "error": "e",
            "model": {"provider": "p", "id": "m"}, "content": {"$type": kind("plainContent"), "parts": [
            {"$type": kind("toolCallPart"), "callId": "c", "tool": "web_search", "input": "{\"query\":\"q\"}"},
            {"$type": kind("toolResultPart"), "callId": "c", "output": results.to_string()},
            {"$type": kind("sourcePart"), "url": "https://example.com/", "title": "t"},
            {"$type": kind("textPart"), "text": "said"}]}}},
    ]})
}

/// A session of pi's kind that uses most of its fields.
fn session_tree() -> Vec<Value> {
    let entry = |n: usize, kind: &str, more: Value| {
        let mut entry = json!({"type": kind, "id": format!("e{n}"), "timestamp": "2026-05-01T10:00:00Z",
            "parentId": n.checked_sub(1).map(|n| format!("e{n}"))});
        let fields = entry.as_object_mut().expect("an object");
        fields.extend(more.as_object().expect("an object").clone());
        entry
    };
    let message = |n: usize, message: Value| entry(n, "message", json!({"message": message}));
    let text = |words: &str| json!([{"type": "text", "text": words}]);
    vec![
        json!({"type": "session", "version": 3, "id": "s", "timestamp": "2026-05-01T10:00:00Z",
            "cwd": "/w", "parentSession": "/w/p.jsonl", "title": "t", "titleSource": "auto"}),
        message(0, json!({"role": "user", "content": text("ask")})),
        entry(
            1,
            "model_change",
            json!({"model": "p/m", "role": "default"}),
        ),
        message(
            2,
            json!({"role": "assistant", "model": "m", "stopReason": "toolUse", "content": [
            {"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "said"},
            {"type": "toolCall", "id": "c1", "name": "bash", "arguments": {"command": "ls", "i": "d"}},
            {"type": "toolCall", "id": "c2", "name": "edit", "arguments": {"path": "a.rs", "input": "x"}},
            {"type": "toolCall", "id": "c3", "name": "todo", "arguments": {"op": "view"}},
            {"type": "toolCall", "id": "c4", "name": "task", "arguments": {"context": "c", "tasks": [{"name": "n", "task": "t"}]}},
            {"type": "odd", "x": "y"}]}),
        ),
        message(
            3,
            json!({"role": "toolResult", "toolCallId": "c1", "toolName": "bash", "isError": true,
            "content": text("out"), "details": {"exitCode": 1, "fullOutputPath": "/tmp/o.log"}}),
        ),
        message(
            4,
            json!({"role": "toolResult", "toolCallId": "c2", "toolName": "edit", "isError": false,
            "content": text("done"), "details": {"path": "a.rs", "diff": "-1|a\n+1|b"}}),
        ),
        message(
            5,
            json!({"role": "toolResult", "toolCallId": "c3", "toolName": "todo", "isError": false,
            "content": text("list"), "details": {"phases": [{"name": "p", "tasks": [{"content": "c", "status": "blocked", "blocker": "b"}]}]}}),
        ),
        message(
            6,
            json!({"role": "toolResult", "toolCallId": "gone", "toolName": "odd", "isError": false, "content": text("lost")}),
        ),
        message(
            7,
            json!({"role": "bashExecution", "command": "ls", "output": "o", "exitCode": 1}),
        ),
        message(
            8,
            json!({"role": "fileMention", "files": [{"path": "f", "content": "c", "skippedReason": "r"}]}),
        ),
        entry(
            9,
            "custom_message",
            json!({"customType": "t", "content": "c", "display": true}),
        ),
        entry(
            10,
            "compaction",
            json!({"summary": "s", "shortSummary": "x", "tokensBefore": 1}),
        ),
        entry(11, "mode_change", json!({"mode": "m", "data": {"a": "b"}})),
        entry(12, "label", json!({"targetId": "e0", "label": "l"})),
        message(
            13,
            json!({"role": "assistant", "model": "m", "stopReason": "error", "errorMessage": "e", "content": []}),
        ),
        entry(14, "never_seen", json!({"what": "x"})),
    ]
}

/// A site of every format with every attack in every field.
fn site() -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let input = folder.path().join("in");
    fs::create_dir(&input).expect("a folder");
    for (n, attack) in ATTACKS.iter().enumerate() {
        let put = |name: String, text: String| fs::write(input.join(name), text).expect("a file");
        let lines = claude_code()
            .iter()
            .map(|line| attacked(line, attack, "").to_string() + "\n")
            .collect();
        put(format!("claude-{n}.jsonl"), lines);
        let lines = session_tree()
            .iter()
            .map(|line| attacked(line, attack, "").to_string() + "\n")
            .collect();
        put(format!("tree-{n}.jsonl"), lines);
        put(
            format!("dispatch-{n}.json"),
            attacked(&dispatch(), attack, "").to_string(),
        );
        put(
            format!("scn-{n}.json"),
            attacked(&scn_chat(), attack, "").to_string(),
        );
    }
    let options = Options {
        inputs: vec![input],
        output: folder.path().join("site"),
        ..Options::default()
    };
    let report = build(&options, &|_| {}).expect("the folder can be written");
    assert_eq!(
        report.conversations,
        4 * ATTACKS.len(),
        "{:?}",
        report.problems
    );
    folder
}

#[test]
fn no_field_of_any_format_reaches_a_page_as_markup() {
    let folder = site();
    let problems = inert::check(&folder.path().join("site"));
    assert!(problems.is_empty(), "{problems:#?}");
}

#[test]
fn no_control_or_reordering_character_reaches_a_page() {
    let folder = site();
    let mut pages = 0;
    for page in html_files(&folder.path().join("site")) {
        let html = fs::read_to_string(&page).expect("pages are UTF-8");
        let raw = html.chars().find(|c| foldout::html::is_hidden(*c));
        assert_eq!(raw, None, "{}", page.display());
        pages += 1;
    }
    assert!(pages > 3 * ATTACKS.len());
}

fn html_files(folder: &Path) -> Vec<std::path::PathBuf> {
    let entries = walkdir::WalkDir::new(folder)
        .into_iter()
        .filter_map(Result::ok);
    let files = entries.map(walkdir::DirEntry::into_path);
    files
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "html")
        })
        .collect()
}
