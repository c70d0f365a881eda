//! The one test binary.

mod formats_claude_code;
