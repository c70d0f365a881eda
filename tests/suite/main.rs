//! The one test binary; each module is one kind of test.

mod browser;
mod floor_plan;
