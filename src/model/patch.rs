//! Changes of files, as lists of lines.

/// What changed in one file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FilePatch {
    /// The file, as recorded.
    pub path: String,
    /// What happened to it.
    pub change: Change,
    /// The changed stretches, in order; empty for a new file whose content the input has.
    pub hunks: Vec<Hunk>,
}

/// What happened to a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Change {
    /// It is new.
    Added,
    /// It was changed.
    #[default]
    Updated,
    /// It is gone.
    Deleted,
    /// It was moved (and perhaps changed) to this path.
    Moved(String),
}

/// One changed stretch of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hunk {
    /// The first line in the old file, counted from 1, when known.
    pub old_start: Option<u64>,
    /// The first line in the new file, counted from 1, when known.
    pub new_start: Option<u64>,
    /// What the patch says of the place, such as the function around it.
    pub heading: Option<String>,
    /// Kept, added and removed lines, in order.
    pub lines: Vec<Line>,
}

/// One line of a hunk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// What happened to it.
    pub kind: LineKind,
    /// The line without its sign and line end.
    pub text: String,
}

/// What happened to a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LineKind {
    /// It stands in both files.
    Kept,
    /// It is new.
    Added,
    /// It is gone.
    Removed,
    /// A remark: the file has no line end at its end.
    NoNewline,
}
