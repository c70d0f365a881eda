//! Unified diffs, as programs record what a call changed: text becomes the changes of files.

use crate::model::patch::{Change, FilePatch, Hunk, Line, LineKind};

/// The files that a diff changes, each with its hunks. What stands before the first hunk of a
/// file names it; lines that belong to nothing are passed over. Empty for what is no diff.
pub(crate) fn read(text: &str) -> Vec<FilePatch> {
    let mut reader = Reader::default();
    for line in text.lines() {
        reader.line(line);
    }
    reader.close();
    let mut patches = reader.patches;
    patches.retain(|patch| patch.hunks.iter().any(|hunk| !hunk.lines.is_empty()));
    patches
}

/// What `/dev/null` is called where a file is not there.
const NOTHING: &str = "/dev/null";

#[derive(Default)]
struct Reader {
    patches: Vec<FilePatch>,
    /// The file at hand, as it was called before and after.
    names: (String, String),
    hunks: Vec<Hunk>,
    /// How many lines of the old and the new file the hunk at hand still has.
    left: (u64, u64),
}

impl Reader {
    fn line(&mut self, line: &str) {
        if self.left != (0, 0) && self.inside(line) {
            return;
        }
        if let Some(hunk) = line.strip_prefix("@@ ").and_then(header) {
            let (hunk, left) = hunk;
            self.hunks.push(hunk);
            self.left = left;
        } else if let Some(name) = line.strip_prefix("--- ") {
            self.close();
            self.names.0 = file_name(name);
        } else if let Some(name) = line.strip_prefix("+++ ") {
            self.names.1 = file_name(name);
        } else if let Some(words) = line.strip_prefix('\\')
            && let Some(hunk) = self.hunks.last_mut()
        {
            // It stands behind the last line that it is about.
            push(hunk, LineKind::NoNewline, words.trim_start());
        }
    }

    /// A line of the hunk at hand; false when it cannot be one.
    fn inside(&mut self, line: &str) -> bool {
        let Some(hunk) = self.hunks.last_mut() else {
            return false;
        };
        let (old, new) = &mut self.left;
        let (kind, text) = match line.as_bytes().first() {
            Some(b'-') if *old > 0 => (LineKind::Removed, &line[1..]),
            Some(b'+') if *new > 0 => (LineKind::Added, &line[1..]),
            Some(b' ') => (LineKind::Kept, &line[1..]),
            Some(b'\\') => (LineKind::NoNewline, line[1..].trim_start()),
            // Trimmed diffs lose the space of an empty line, or the indent of all of them.
            None | Some(b'\t') => (LineKind::Kept, line),
            _ => {
                self.left = (0, 0);
                return false;
            }
        };
        if matches!(kind, LineKind::Removed | LineKind::Kept) {
            *old = old.saturating_sub(1);
        }
        if matches!(kind, LineKind::Added | LineKind::Kept) {
            *new = new.saturating_sub(1);
        }
        push(hunk, kind, text);
        true
    }

    /// Ends the file at hand.
    fn close(&mut self) {
        let hunks = std::mem::take(&mut self.hunks);
        let (old, new) = std::mem::take(&mut self.names);
        self.left = (0, 0);
        if hunks.is_empty() {
            return;
        }
        let change = match (old.as_str(), new.as_str()) {
            (NOTHING, _) => Change::Added,
            (_, NOTHING) => Change::Deleted,
            _ => Change::Updated,
        };
        let path = if new.is_empty() || new == NOTHING {
            old
        } else {
            new
        };
        self.patches.push(FilePatch {
            path,
            change,
            hunks,
        });
    }
}

fn push(hunk: &mut Hunk, kind: LineKind, text: &str) {
    hunk.lines.push(Line {
        kind,
        text: text.to_owned(),
    });
}

/// A hunk's header after `@@ `, and how many lines of the old and the new file it has:
/// `-3,4 +3,5 @@ fn main() {`.
fn header(rest: &str) -> Option<(Hunk, (u64, u64))> {
    let (ranges, heading) = rest.split_once("@@")?;
    let (old, new) = ranges.trim().split_once(' ')?;
    let (old_start, old_lines) = range(old.strip_prefix('-')?)?;
    let (new_start, new_lines) = range(new.trim().strip_prefix('+')?)?;
    let heading = heading.trim();
    let hunk = Hunk {
        old_start: Some(old_start),
        new_start: Some(new_start),
        heading: (!heading.is_empty()).then(|| heading.to_owned()),
        lines: Vec::new(),
    };
    Some((hunk, (old_lines, new_lines)))
}

/// A line's number and a count, which is 1 where it is not written.
fn range(text: &str) -> Option<(u64, u64)> {
    match text.split_once(',') {
        None => Some((text.parse().ok()?, 1)),
        Some((start, lines)) => Some((start.parse().ok()?, lines.parse().ok()?)),
    }
}

/// A file's name without the time behind it and the letter that version control puts before it.
fn file_name(text: &str) -> String {
    let name = text.split('\t').next().unwrap_or(text).trim_end();
    let bare = name.strip_prefix("a/").or_else(|| name.strip_prefix("b/"));
    bare.unwrap_or(name).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str) -> Vec<String> {
        let mut lines = Vec::new();
        for patch in read(text) {
            lines.push(format!("{:?} {}", patch.change, patch.path));
            for hunk in patch.hunks {
                let heading = hunk.heading.unwrap_or_default();
                lines.push(format!(
                    "{:?} {:?} {heading}",
                    hunk.old_start, hunk.new_start
                ));
                for line in hunk.lines {
                    lines.push(format!("{:?} {}", line.kind, line.text));
                }
            }
        }
        lines
    }

    #[test]
    fn files_hunks_and_lines_are_told_apart() {
        let diff = "Index: /w/a.rs\n=====\n--- /w/a.rs\t\n+++ /w/a.rs\n@@ -3,2 +3,3 @@ fn main() {\n \
                    a\n-b\n+d\n+++ e\n\n@@ -9 +9 @@\n-x\n\\ No newline at end of file\n+y\n\
                    diff --git a/b.rs b/b.rs\n--- /dev/null\n+++ b/b.rs\n@@ -0,0 +1 @@\n+new\n";
        assert_eq!(
            written(diff),
            [
                "Updated /w/a.rs",
                "Some(3) Some(3) fn main() {",
                "Kept a",
                "Removed b",
                "Added d",
                "Added ++ e",
                "Some(9) Some(9) ",
                "Removed x",
                "NoNewline No newline at end of file",
                "Added y",
                "Added b.rs",
                "Some(0) Some(1) ",
                "Added new",
            ]
            .map(str::to_owned)
        );
    }

    #[test]
    fn a_removed_line_may_look_like_a_files_name() {
        let diff = "--- a/x.sql\n+++ b/x.sql\n@@ -1,2 +1,1 @@\n--- a comment\n kept\n";
        assert_eq!(
            written(diff)[2..],
            ["Removed -- a comment", "Kept kept"].map(str::to_owned)
        );
    }

    #[test]
    fn what_is_no_diff_changes_nothing() {
        for text in ["", "hello", "@@ -x +1 @@\n+a", "--- a\n+++ b\n", "@@ -1 +1"] {
            assert!(read(text).is_empty(), "{text}");
        }
    }

    fn in_short(diff: &str) -> Vec<String> {
        read(diff)
            .into_iter()
            .map(|patch| {
                let lines = patch.hunks.iter().flat_map(|hunk| &hunk.lines);
                let lines: Vec<String> = lines
                    .map(|line| format!("{:?} {}", line.kind, line.text))
                    .collect();
                format!("{} {:?}: {}", patch.path, patch.change, lines.join(", "))
            })
            .collect()
    }

    #[test]
    fn a_diff_as_a_library_makes_it_is_read() {
        let diff = "Index: a.txt\n=====\n--- a.txt\tCurrent\n+++ a.txt\tProposed\n\
                    @@ -3,2 +3,3 @@\n kept\n--- old\n+++ new\n+more\n\\ No newline at end of file\n";
        assert_eq!(
            in_short(diff),
            [
                "a.txt Updated: Kept kept, Removed -- old, Added ++ new, Added more, \
                 NoNewline No newline at end of file"
            ]
        );
        let hunk = &read(diff)[0].hunks[0];
        assert_eq!((hunk.old_start, hunk.new_start), (Some(3), Some(3)));
    }

    #[test]
    fn files_that_are_new_or_gone_are_told() {
        let diff = "diff --git a/x b/x\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+one\n\
                    --- a/y\n+++ /dev/null\n@@ -1 +0,0 @@\n-two\n\
                    --- a/z\n+++ b/z\n@@ -1 +1 @@ fn z\n-1\n+2\n";
        assert_eq!(
            in_short(diff),
            [
                "x Added: Added one",
                "y Deleted: Removed two",
                "z Updated: Removed 1, Added 2"
            ]
        );
    }

    #[test]
    fn what_is_no_diff_has_no_patch() {
        for text in ["", "hello", "@@ nonsense @@", "--- a\n+++ b\n@@ -1 +1 @@\n"] {
            assert!(read(text).is_empty(), "{text}");
        }
    }
}
