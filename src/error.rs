//! What went wrong: problems that leave the rest readable, and the errors that end a build.

use std::cmp::Ordering;
use std::fmt;
use std::path::{Path, PathBuf};

/// How much a [`Problem`] costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Nothing is missing on a page.
    Note,
    /// Something is missing on a page, or was shown differently from how it was written.
    Warning,
    /// A file of a known format, or one named on the command line, gave no page.
    Lost,
}

impl Severity {
    /// Its name, for programs.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Lost => "lost",
        }
    }
}

/// Something that could not be read or drawn as it stands, with its place. Problems are ordered by
/// file and line, those of a whole file behind those of its lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The file, as the walk names it: relative to the input, `/` between its parts.
    pub path: String,
    /// The line, counted from 1; `None` when the whole file is meant.
    pub line: Option<u64>,
    /// How much it costs.
    pub severity: Severity,
    /// What is wrong, in lower case and without a full stop.
    pub what: String,
}

impl Problem {
    /// A problem of the whole file.
    pub fn new(severity: Severity, path: impl Into<String>, what: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            line: None,
            severity,
            what: what.into(),
        }
    }

    /// A problem at a line, counted from 1.
    pub fn at(
        severity: Severity,
        path: impl Into<String>,
        line: u64,
        what: impl Into<String>,
    ) -> Self {
        Self {
            path: path.into(),
            line: Some(line),
            severity,
            what: what.into(),
        }
    }
}

impl Ord for Problem {
    fn cmp(&self, other: &Self) -> Ordering {
        let key = |one: &Self| (one.line.unwrap_or(u64::MAX), one.severity);
        let by_words = || self.what.cmp(&other.what);
        let by_place = self.path.cmp(&other.path).then(key(self).cmp(&key(other)));
        by_place.then_with(by_words)
    }
}

impl PartialOrd for Problem {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.path)?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        let word = match self.severity {
            Severity::Note => "note: ",
            Severity::Warning => "",
            Severity::Lost => "no page: ",
        };
        write!(f, ": {word}{}", self.what)
    }
}

/// An error that ends a build: the output cannot be written, or the call makes no sense.
#[derive(Debug, thiserror::Error)]
#[error("{}: {what}", path.display())]
pub struct Error {
    path: PathBuf,
    what: String,
    #[source]
    cause: Option<std::io::Error>,
}

impl Error {
    /// An error about a path, in foldout's own words.
    pub fn new(path: impl AsRef<Path>, what: impl Into<String>) -> Self {
        Self {
            path: path.as_ref().to_owned(),
            what: what.into(),
            cause: None,
        }
    }

    /// Wraps what the system said about a path.
    pub fn io(path: impl AsRef<Path>, doing: &str, cause: std::io::Error) -> Self {
        Self {
            path: path.as_ref().to_owned(),
            what: format!("cannot {doing}: {cause}"),
            cause: Some(cause),
        }
    }
}
