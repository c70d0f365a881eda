//! What is found in a text, and what is looked for.

use std::ops::Range;

/// The kind of a home folder, which becomes `~`.
pub(crate) const HOME: &str = "home";
/// The kind of a person's name in a path, at a prompt, in a list of files.
pub(crate) const USER: &str = "user";
/// The kind of a machine's name at a prompt.
pub(crate) const HOST: &str = "host";
/// The kind of an e-mail address.
pub(crate) const EMAIL: &str = "email";

/// A stretch of a text that is not to be published.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Found<'r> {
    /// Where.
    pub(crate) span: Range<usize>,
    /// What it is, as the marker says it.
    pub(crate) kind: &'r str,
    /// How sure its kind is.
    pub(crate) rank: Rank,
    /// The secret itself, where the text has something between its pieces or around it.
    pub(crate) value: Option<Hidden>,
}

/// A value that no debug output shows.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Hidden(pub(crate) String);

impl std::fmt::Debug for Hidden {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Hidden")
    }
}

/// How sure a kind is; of two that overlap the surer one names both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Rank {
    /// A place, not a secret.
    Place,
    /// The name beside it told.
    Named,
    /// The way in which it is written told.
    Shaped,
    /// A rule of the user's own told.
    Own,
}

/// What is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Wants {
    /// Secrets of all kinds.
    pub(crate) secrets: bool,
    /// Home folders, names of people and machines.
    pub(crate) paths: bool,
    /// E-mail addresses.
    pub(crate) emails: bool,
}
