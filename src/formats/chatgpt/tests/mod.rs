//! What each fact of the export becomes.
