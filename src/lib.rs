//! foldout turns saved AI conversations into a static, script-free website.

pub mod error;
mod figures;
pub mod formats;
pub mod html;
pub mod model;
pub mod source;
