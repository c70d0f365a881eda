//! What every session of this kind has, whichever program wrote it.
