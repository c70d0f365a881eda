//! Behaviour that the programs share: wrappers of results, displays, context in prompts.

mod context;
mod results;
