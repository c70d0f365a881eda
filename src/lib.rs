//! foldout turns saved AI conversations into a static, script-free website.

mod addresses;
mod ansi;
mod diff;
pub mod error;
mod figures;
pub mod formats;
mod highlight;
pub mod html;
mod images;
mod markdown;
pub mod model;
pub mod source;
mod tools;
