//! What a conversation is, whoever wrote it: the one shape that every reader ends at and every
//! page starts from. Nothing here knows a vendor or a page.

mod conversation;
mod facts;
pub(crate) mod marker;
mod message;
pub mod patch;
mod tool_call;

pub use conversation::{Agent, Conversation, Entry};
pub use facts::Facts;
pub use message::{
    Anchor, Attachment, Author, Body, Image, ImageData, Notice, NoticeKind, Part, Prompt,
    Reasoning, Reply, ReplyStatus, SourceLink, Timestamp, Usage,
};
pub use tool_call::{
    AgentRun, Details, Diagnostic, DiagnosticLevel, DocumentVersion, FileRead, Input, PageRead,
    SearchHit, TextFile, TodoItem, TodoState, ToolCall, ToolResult, ToolStatus,
};
