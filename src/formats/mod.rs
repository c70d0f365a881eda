//! Readers: the bytes of one program's files become a [`Conversation`].
//!
//! To add one:
//! 1. `src/formats/<name>.rs` (a folder when it would pass 300 lines): a unit struct and its
//!    `impl Format`; what the vendor's JSON looks like stays private in there.
//! 2. Here: its `mod` line and its row in [`FORMATS`].
//! 3. `sample-transcripts/<name>/`: samples with one reason each; the suite finds them.

mod ai_sdk;
mod ai_studio;
mod anthropic;
mod api;
mod branches;
mod calls;
mod chat;
mod chatbot_ui;
mod chatgpt;
mod claude;
mod claude_code;
mod codex;
mod deepseek;
mod dispatch;
mod gemini_api;
mod gemini_cli;
mod gemini_takeout;
mod genai;
mod grok;
mod group;
mod le_chat;
mod librechat;
mod llm_logs;
mod lm_studio;
mod notices;
mod oh_my_pi;
mod open_webui;
mod openai;
mod opencode;
mod otel;
#[cfg(test)]
mod outline;
mod pairs;
mod pi;
mod places;
mod problems;
mod qwen_code;
mod records;
mod scn_chat;
mod session_tree;
mod sharegpt;
mod sniff;
mod sqlite;
mod subagents;
mod times;
mod unified_diff;

use std::path::PathBuf;

use crate::error::Problem;
use crate::model::{Conversation, Entry, Notice};
use crate::source::{File, Part, Source};

use problems::Problems;

pub use group::{Grouped, group};
pub use places::{Machine, places};
pub use sniff::{Head, Shape};

/// Reads one program's files.
pub trait Format: Sync {
    /// The format's name: of its module, its sample folder and its part of an address.
    fn name(&self) -> &'static str;

    /// The program, as people call it.
    fn program(&self) -> &'static str;

    /// Whether a file that begins so is of this format.
    fn recognises(&self, head: &Head) -> bool;

    /// Whether a recognised file that begins so is read as one JSON document.
    fn is_document(&self, head: &Head) -> bool {
        head.document
    }

    /// Which source a recognised file belongs to. Files with the same key become one source.
    fn claim(&self, file: &File, head: &Head) -> Claim {
        let _ = head;
        Claim {
            key: file.name.clone(),
            role: Role::Main,
            own_folder: None,
        }
    }

    /// Whether a file of no format is one that all sources of this format have in common, such as a
    /// blob that is named by the hash of what is in it. Such a file may be under another input.
    fn shares(&self, file: &File) -> bool {
        let _ = file;
        false
    }

    /// Whether a file in this place is one of this format, whatever is in it: one that is damaged
    /// is then read as far as it goes, and told of, instead of passed over.
    fn expects(&self, file: &File) -> bool {
        let _ = file;
        false
    }

    /// Of the files of no format (`others`) those that stand for conversations whose own files are
    /// missing among the `known` ones of this format: their places, rising, one for each
    /// conversation.
    fn remains(&self, known: &[&File], others: &[&File]) -> Vec<usize> {
        let _ = (known, others);
        Vec::new()
    }

    /// The key of the conversation that a recognised file's was forked from and whose history it
    /// repeats; `None` when it was begun anew.
    fn origin(&self, head: &Head) -> Option<String> {
        let _ = head;
        None
    }

    /// The conversations in a source whose main file holds several, in the file's order. Each
    /// becomes a source of its own. Empty for a source that is one conversation.
    ///
    /// # Errors
    /// When it cannot be told what is in the file; it is then read as one.
    fn parts(&self, source: &Source) -> Result<Vec<Part>, Problem> {
        let _ = source;
        Ok(Vec::new())
    }

    /// Where the program keeps its conversations on this machine: files or folders, whether they
    /// are there or not. Environment variables by which the program moves them are honoured.
    fn places(&self, machine: &Machine) -> Vec<PathBuf> {
        let _ = machine;
        Vec::new()
    }

    /// Reads a source. Never fails as a whole: what cannot be read becomes a problem, and the
    /// rest is there.
    fn read(&self, source: &Source) -> Reading;
}

/// The sources that a source is, when its main file holds several conversations, and what stood
/// in the way of telling.
pub fn apart(source: Source, format: &dyn Format) -> (Vec<Source>, Option<Problem>) {
    let (parts, problem) = match format.parts(&source) {
        Ok(parts) => (parts, None),
        Err(problem) => (Vec::new(), Some(problem)),
    };
    if parts.is_empty() {
        return (vec![source], problem);
    }
    let of_part = |part| Source {
        part: Some(part),
        ..source.clone()
    };
    (parts.into_iter().map(of_part).collect(), problem)
}

/// Whether a source's main file is one JSON document for this format. The file is looked at only
/// when that was not done before.
fn is_document(format: &dyn Format, source: &Source) -> bool {
    source
        .is_document
        .unwrap_or_else(|| Head::of(&source.main).is_ok_and(|head| format.is_document(&head)))
}

/// What a reader makes of a source.
#[derive(Debug, Default)]
pub struct Reading {
    /// The conversation; `None` when there is nothing in the file that could be shown.
    pub conversation: Option<Conversation>,
    /// What could not be read as it stands, in the order of files and lines.
    pub problems: Vec<Problem>,
}

impl Reading {
    /// What a reader made of a source: nothing, when all that the conversation has are notices that
    /// say nothing. `problems` are those of each file, the main one first; why there is no page is
    /// added there.
    fn settled(
        conversation: Conversation,
        mut problems: Vec<Problems>,
        says_nothing: impl Fn(&Notice) -> bool,
    ) -> Self {
        let is_silent =
            |entry: &Entry| matches!(entry, Entry::Notice(notice) if says_nothing(notice));
        let is_shown =
            !conversation.entries.iter().all(is_silent) || !conversation.children.is_empty();
        if !is_shown && let Some(main) = problems.first_mut() {
            if main.any_warning() {
                main.lost(None, "no record could be read");
            } else {
                main.note(None, "no messages");
            }
        }
        Self {
            conversation: is_shown.then_some(conversation),
            problems: problems.into_iter().flat_map(Problems::into_vec).collect(),
        }
    }
}

/// Which source a file belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Files of one format and key are one source.
    pub key: String,
    /// What the file is to it.
    pub role: Role,
    /// The folder whose other files belong to the source as well, if it has one.
    pub own_folder: Option<String>,
}

/// What a file is to its source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// It gives the conversation.
    Main,
    /// It gives a subagent's conversation; without a main file it stands alone.
    Member,
}

/// Every format, most specific first: the first that recognises a file reads it.
pub static FORMATS: &[&dyn Format] = &[
    &dispatch::Dispatch,
    &scn_chat::ScnChat,
    &opencode::OpenCode,
    &gemini_cli::GeminiCli,
    &qwen_code::QwenCode,
    &claude_code::ClaudeCode,
    &oh_my_pi::OhMyPi,
    &pi::Pi,
    &codex::Codex,
    &chatgpt::ChatGpt,
    &claude::Claude,
    &librechat::LibreChat,
    &open_webui::OpenWebUi,
    &grok::Grok,
    &deepseek::DeepSeek,
    &le_chat::LeChat,
    &lm_studio::LmStudio,
    &gemini_takeout::GeminiTakeout,
    &chatbot_ui::ChatbotUi,
    &ai_studio::AiStudio,
    &otel::Otel,
    &llm_logs::LlmLogs,
    &sharegpt::ShareGpt,
    &gemini_api::GeminiApi,
    &ai_sdk::AiSdk,
    &anthropic::Anthropic,
    &openai::OpenAi,
];

/// The format of this name.
pub fn by_name(name: &str) -> Option<&'static dyn Format> {
    FORMATS.iter().copied().find(|format| format.name() == name)
}
