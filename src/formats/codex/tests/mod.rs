//! What the reader makes of small files.
