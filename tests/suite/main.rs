//! The one test binary.

mod formats;
