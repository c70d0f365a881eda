//! The reader, one behaviour each.
