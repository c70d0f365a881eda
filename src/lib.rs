//! foldout turns saved AI conversations into a static, script-free website.

mod ansi;
pub mod error;
mod highlight;
pub mod html;
