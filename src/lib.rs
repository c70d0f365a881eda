//! foldout turns saved AI conversations into a static, script-free website.

pub mod error;
pub mod html;
pub(crate) mod markdown;
