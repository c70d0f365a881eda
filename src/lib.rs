//! foldout turns saved AI conversations into a static, script-free website.

mod addresses;
mod ansi;
pub mod error;
mod figures;
pub mod formats;
mod highlight;
pub mod html;
mod images;
mod markdown;
pub mod model;
mod pages;
pub mod pipeline;
pub mod site;
pub mod source;
mod steps;
pub mod themes;
mod tools;
pub mod walk;

pub use figures::Clock;
pub use pages::Fold;
