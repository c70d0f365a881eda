//! The one test binary; each module is one kind of test.

mod browser;
mod cards;
mod checklist;
mod cli;
mod expectations;
mod floor_plan;
mod formats;
mod formats_chats;
mod formats_claude_code;
mod formats_codex;
mod formats_gemini;
mod formats_session_tree;
mod golden_pages;
mod hostile;
mod list;
mod nothing_lost;
mod reading;
mod redaction;
mod secrets;
mod site;
mod tool_views;
