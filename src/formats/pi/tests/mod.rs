//! What pi writes.
