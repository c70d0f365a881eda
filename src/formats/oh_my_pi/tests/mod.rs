//! What oh-my-pi writes beyond pi.
