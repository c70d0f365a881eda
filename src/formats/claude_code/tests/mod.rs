//! Behaviour of the whole reader.
