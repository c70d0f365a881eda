//! What the logs of APIs have in common, whoever's API it is: requests with the messages that they
//! list, the responses to them, and calls whose results stand in later messages.
//!
//! A vendor's wire is a [`Wire`]: how its requests and responses look. What is around them is
//! read here: pairs of both, lines and lists of such, batches, and logs in which each request
//! repeats what was said before it.

mod chains;
mod content;
mod ending;
mod exchange;
mod flow;
mod log;
mod look;
mod outcome;
mod stream;
#[cfg(test)]
pub(crate) mod tests;

pub(crate) use content::{
    data_part, file_part, image_of, is_blank, offered, said, without_thought,
};
pub(crate) use ending::{ended, usage};
pub(crate) use exchange::{Exchange, Wire};
pub(crate) use flow::Flow;
pub(crate) use log::{chained, parts, ranges, read, told};
pub(crate) use look::{are_messages, bodies, has_only};
pub(crate) use outcome::{action_of, documents, named, settled};
pub(crate) use stream::{grow, is_stream};
