//! foldout turns saved AI conversations into a static, script-free website.
//!
//! This page is the map of the house. The binary (`main`, `cli`) uses the library by its public
//! items alone.
//!
//! # The walk
//!
//! ```text
//! folder --walk--> File --formats--> Conversation --redact--> Conversation --steps(tools)--> cards
//!                                                       cards --pages--> Html --site--> files
//!                             \________________ problems ________________/  -> cli, stderr
//! ```
//!
//! Data walks one way; each stage is a plain function from one type to the next. [`pipeline`]
//! conducts: it looks at every file, groups what a format recognises into sources, reads each
//! source once for what its neighbours must know of it, and once more to draw it.
//!
//! # The floors
//!
//! A module imports only from floors below its own.
//!
//! | floor | modules | what they know |
//! |---|---|---|
//! | 7 | [`pipeline`] | every other; the only one with threads |
//! | 6 | [`site`] | the only one that writes files |
//! | 5 | `pages` | what each page shows; no I/O |
//! | 4 | `steps` | which calls belong together, and what they are called in a line |
//! | 3 | `tools` | how a tool call is drawn |
//! | 2 | `markdown`, [`redact`] | what people and models write, and what of it is not published |
//! | 1 | [`walk`], [`formats`], `addresses`, `ansi`, `diff`, `highlight`, `images`, [`settings`] | only `walk` lists folders; only `formats` knows a vendor's JSON |
//! | 0 | [`model`], [`source`], [`html`], [`themes`], [`error`], `figures` | nothing of the others |
//!
//! # What always holds
//!
//! - Reading never fails as a whole: a bad line is a [`error::Problem`] with its place, and its
//!   neighbours are drawn.
//! - Only [`html`] makes [`html::Html`], by three constructors: a rendered template, the Markdown
//!   writer, runs of text with a class from a closed list. No page has a script.
//! - A page is the same whatever the number of threads, the order of the files and the machine.
//! - A call's status comes from one function, [`model::ToolStatus::of`].
//! - Nothing is derived from a conversation before [`redact`] saw it, but hashes.
//! - Only [`site`] writes, and nothing outside its folder; it deletes nothing that foldout did not
//!   write.
//! - No file has more than 500 lines; every tool view has a template of the same name.
//!
//! The suite's `floor_plan` holds what of this can be read off the sources.
//!
//! # How to add
//!
//! A format: see [`formats`]. A tool view: see the `tools` module. A theme: see [`themes`].

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
mod pages;
pub mod pipeline;
pub mod redact;
pub mod settings;
pub mod site;
pub mod source;
mod steps;
pub mod themes;
mod tools;
pub mod walk;

pub use figures::Clock;
pub use pages::Fold;
pub use tools::OwnViews;
