//! What chat programs export, as it is found: every file is of its own program, and no file of
//! another is.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

use foldout::error::Severity;
use foldout::formats::{Head, apart, group};
use foldout::walk::walk;

/// The formats, each with the start of the names of its files.
const FOLDERS: [(&str, &str); 20] = [
    ("chatgpt", "chats/chatgpt-export/"),
    ("claude", "chats/claude-export/"),
    ("librechat", "chats/librechat/"),
    ("open_webui", "chats/openwebui/"),
    ("grok", "chats/others/grok/"),
    ("deepseek", "chats/others/deepseek/synthetic-"),
    ("le_chat", "chats/others/lechat/"),
    ("lm_studio", "chats/others/lmstudio/"),
    ("gemini_takeout", "chats/others/gemini/"),
    ("otel", "chats/others/openai-otel/"),
    ("llm_logs", "chats/others/simonw-llm/"),
    ("ai_studio", "chats/api-logs/aistudio/"),
    ("sharegpt", "chats/api-logs/sharegpt/"),
    ("gemini_api", "chats/api-logs/gemini/"),
    ("anthropic", "chats/api-logs/anthropic/"),
    ("openai", "chats/api-logs/openai-"),
    // Messages with nothing but a role and words are of everybody, and read as the commonest.
    ("openai", "chats/ai-sdk/modelmessages-v6-anthropic-refusal."),
    ("openai", "chats/others/deepseek/ailog-"),
    ("openai", "agents/mini-swe-agent/"),
    ("ai_sdk", "chats/ai-sdk/"),
];

#[test]
fn exports_of_chats_are_their_own_and_no_others_are() {
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
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for (source, format) in group(looked.collect(), None).sources {
        let name = source.main.name.clone();
        if name.ends_with("/insightmesh-malformed.json") {
            // A broken list of messages, though it stands among exports.
            continue;
        }
        let folder = FOLDERS.iter().find(|(_, start)| name.starts_with(start));
        let expected = folder.map(|(format, _)| *format);
        let is_ours = FOLDERS.iter().any(|(ours, _)| *ours == format.name());
        let found = Some(format.name()).filter(|_| is_ours);
        assert_eq!(found, expected, "{name}");
        if found.is_none() {
            continue;
        }
        let (sources, problem) = apart(source, format);
        assert!(problem.is_none(), "{name}");
        let readings = sources.iter().map(|source| format.read(source));
        let mut read = 0;
        for reading in readings {
            let worst = reading.problems.iter().map(|problem| problem.severity);
            assert!(worst.max() < Some(Severity::Lost), "{name}");
            read += usize::from(reading.conversation.is_some());
        }
        assert!(read > 0, "{name}");
        *counts.entry(format.name()).or_default() += read;
    }
    let counts: Vec<(&str, usize)> = counts.into_iter().collect();
    let expected = [
        ("ai_sdk", 47),
        ("ai_studio", 5),
        ("anthropic", 11),
        ("chatgpt", 29),
        ("claude", 24),
        ("deepseek", 1),
        ("gemini_api", 7),
        ("gemini_takeout", 1),
        ("grok", 1),
        ("le_chat", 1),
        ("librechat", 6),
        ("llm_logs", 1),
        ("lm_studio", 1),
        ("open_webui", 8),
        ("openai", 28),
        ("otel", 1),
        ("sharegpt", 524),
    ];
    assert_eq!(counts, expected);
}
