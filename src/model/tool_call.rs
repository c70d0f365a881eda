//! A tool call, its result, and the one function that says how it stands.

use super::patch::FilePatch;
use super::{Anchor, Conversation, Image, Notice, ReplyStatus, Timestamp};

/// A tool call with all that came of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ToolCall {
    /// The format's id of the call; results are paired by it over the whole conversation.
    pub id: String,
    /// Its place on the page.
    pub anchor: Anchor,
    /// The tool's name as the vendor writes it; empty when only a nameless result is known.
    pub name: String,
    /// What the program called the act, where what the tool was given does not tell.
    pub title: Option<String>,
    /// What the tool was given; `None` when the call itself is not in the transcript.
    pub input: Option<Input>,
    /// The first result.
    pub result: Option<ToolResult>,
    /// Later results under the same id.
    pub more_results: Vec<ToolResult>,
    /// When the call was made.
    pub start: Option<Timestamp>,
    /// How long it took, in milliseconds.
    pub ms: Option<u64>,
    /// Whether the file itself says that the call is still running.
    pub running: bool,
    /// What the program added for this call, such as a skill's text.
    pub notices: Vec<Notice>,
    /// The subagent's conversation that this call started.
    pub child: Option<Box<Conversation>>,
}

impl ToolCall {
    /// How the call stands, in a reply that ended so.
    pub fn status(&self, reply: ReplyStatus) -> ToolStatus {
        ToolStatus::of(
            self.result.as_ref(),
            self.running || reply == ReplyStatus::Pending,
        )
    }
}

/// What a tool was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// JSON text, exactly as it stands in the file.
    Json(String),
    /// Text that is not JSON, such as a patch.
    Text(String),
}

/// How a call stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ToolStatus {
    /// No result yet, in a reply that is still being written.
    Running,
    /// A result that is no error.
    Done,
    /// A result that is an error; a denied call too.
    Error,
    /// No result, and none will come; a cancelled call too.
    Incomplete,
}

impl ToolStatus {
    /// The one place where a status is derived: badge, circle, glyph, live line and summary all
    /// read this value, so they cannot disagree.
    pub fn of(result: Option<&ToolResult>, pending: bool) -> Self {
        match result {
            Some(result) if result.cancelled => ToolStatus::Incomplete,
            Some(result) if result.is_error => ToolStatus::Error,
            Some(_) => ToolStatus::Done,
            None if pending => ToolStatus::Running,
            None => ToolStatus::Incomplete,
        }
    }
}

/// What a tool gave back.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ToolResult {
    /// The text that the model was given, wrappers undone.
    pub text: String,
    /// Whether it is an error, or the person denied the call.
    pub is_error: bool,
    /// Whether the call was cancelled before it could end.
    pub cancelled: bool,
    /// When it came.
    pub time: Option<Timestamp>,
    /// Pictures in it.
    pub images: Vec<Image>,
    /// The whole of an output of which `text` is only a summary.
    pub full_output: Option<TextFile>,
    /// What the program recorded beyond the text.
    pub details: Option<Box<Details>>,
}

/// A text that a transcript keeps in a file of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextFile {
    /// What to call it.
    pub name: String,
    /// Its text; `None` when it was not saved.
    pub text: Option<String>,
    /// Its size in bytes, when known.
    pub bytes: Option<u64>,
}

/// What programs record about a result beyond its text, in one shape for all of them. Every
/// field is a fact that some view draws; readers fill in what their format has.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Details {
    /// The exit code of a command.
    pub exit_code: Option<i64>,
    /// The command was cut off by its time limit.
    pub timed_out: bool,
    /// The person or program interrupted it.
    pub interrupted: bool,
    /// The person did not allow the call, which is an error then.
    pub denied: bool,
    /// The output was cut by the program.
    pub truncated: bool,
    /// What a language server found in the files after they were changed.
    pub diagnostics: Vec<Diagnostic>,
    /// The id under which a command or agent goes on in the background.
    pub background: Option<String>,
    /// The line changes that were made, by file.
    pub patches: Vec<FilePatch>,
    /// How many files were found.
    pub files: Option<u64>,
    /// How many matches were found.
    pub matches: Option<u64>,
    /// Search results, in order.
    pub hits: Option<Vec<SearchHit>>,
    /// The page that was read.
    pub page: Option<PageRead>,
    /// The part of a file that was read.
    pub file: Option<FileRead>,
    /// Questions with the answers that were given.
    pub answers: Vec<(String, String)>,
    /// What a subagent's run came to.
    pub agent: Option<AgentRun>,
    /// The to-do list as it stood after the call.
    pub todos: Option<Vec<TodoItem>>,
    /// The document beside the conversation as it stood after the call.
    pub document: Option<DocumentVersion>,
}

/// What a language server says of a place in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diagnostic {
    /// The file, as recorded.
    pub path: String,
    /// The line, counted from 1.
    pub line: Option<u64>,
    /// How bad it is.
    pub level: DiagnosticLevel,
    /// What it says.
    pub message: String,
}

/// How bad a diagnostic is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum DiagnosticLevel {
    /// The code is wrong.
    #[default]
    Error,
    /// The code may be wrong.
    Warning,
    /// Worth knowing.
    Note,
}

/// A document that is written beside a conversation, as it stood at some point.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DocumentVersion {
    /// Its title.
    pub title: Option<String>,
    /// What it is, as the program writes it, such as `text/markdown`.
    pub kind: Option<String>,
    /// Which version of it this is, counted from 1.
    pub version: u64,
    /// The whole of it, when that is known.
    pub text: Option<String>,
}

/// One item of a to-do list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TodoItem {
    /// The part of the work that it belongs to, where a list has such parts.
    pub group: Option<String>,
    /// What is to be done.
    pub text: String,
    /// How it stands.
    pub state: TodoState,
    /// What else is said of it, such as what it waits for.
    pub note: Option<String>,
}

/// How an item of a to-do list stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TodoState {
    /// It is done.
    Done,
    /// It is being done.
    Doing,
    /// It is still to be done.
    #[default]
    Pending,
    /// It will not be done.
    Dropped,
}

/// One result of a web search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchHit {
    /// The page's title.
    pub title: String,
    /// Its address as recorded; not checked.
    pub url: String,
    /// Some of its text.
    pub snippet: Option<String>,
}

/// What is known of a page that was read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageRead {
    /// The final address.
    pub url: String,
    /// The page's title.
    pub title: Option<String>,
    /// The HTTP status.
    pub status: Option<u64>,
    /// Bytes that were loaded.
    pub bytes: Option<u64>,
}

/// The part of a file that was read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileRead {
    /// The first line, counted from 1.
    pub start_line: Option<u64>,
    /// Lines that were read.
    pub lines: Option<u64>,
    /// Lines of the whole file.
    pub total_lines: Option<u64>,
}

/// What a subagent's run came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AgentRun {
    /// The agent's id.
    pub id: String,
    /// How it ended, in the vendor's word.
    pub status: Option<String>,
    /// How long it took, in milliseconds.
    pub ms: Option<u64>,
    /// Tokens it used.
    pub tokens: Option<u64>,
    /// Tool calls it made.
    pub tool_calls: Option<u64>,
}
