//! Unified diffs, as many programs record what they changed.

use crate::model::patch::{Change, FilePatch, Hunk, Line, LineKind};

/// Reads a unified diff of one or several files. Lines outside of hunks, such as `Index:`, are
/// passed over; a text without a hunk has no patch.
pub(crate) fn patches(diff: &str) -> Vec<FilePatch> {
    let mut patches: Vec<FilePatch> = Vec::new();
    let mut names = Names::default();
    // How many old and new lines the open hunk still has to come.
    let mut left = (0_u64, 0_u64);
    for line in diff.lines() {
        if left != (0, 0)
            && let Some(hunk) = patches.last_mut().and_then(|patch| patch.hunks.last_mut())
            && let Some(line) = line_of_hunk(line, &mut left)
        {
            hunk.lines.push(line);
        } else if let Some(remark) = line.strip_prefix('\\') {
            if let Some(hunk) = patches.last_mut().and_then(|patch| patch.hunks.last_mut()) {
                hunk.lines.push(Line {
                    kind: LineKind::NoNewline,
                    text: remark.trim().to_owned(),
                });
            }
        } else if let Some(name) = line.strip_prefix("--- ") {
            names.old = name_of(name);
            names.is_used = false;
        } else if let Some(name) = line.strip_prefix("+++ ") {
            names.new = name_of(name);
            names.is_used = false;
        } else if let Some((hunk, counts)) = hunk(line) {
            if !std::mem::replace(&mut names.is_used, true) || patches.is_empty() {
                patches.push(names.patch());
            }
            if let Some(patch) = patches.last_mut() {
                patch.hunks.push(hunk);
            }
            left = counts;
        }
    }
    patches.retain(|patch| patch.hunks.iter().any(|hunk| !hunk.lines.is_empty()));
    patches
}

/// The names above the hunks of a file.
#[derive(Default)]
struct Names {
    old: String,
    new: String,
    /// Whether their patch was begun.
    is_used: bool,
}

impl Names {
    fn patch(&self) -> FilePatch {
        const NOTHING: &str = "/dev/null";
        let (path, change) = match (self.old.as_str(), self.new.as_str()) {
            (old, NOTHING) => (old, Change::Deleted),
            (NOTHING, new) => (new, Change::Added),
            (old, "") => (old, Change::Updated),
            (_, new) => (new, Change::Updated),
        };
        let path = match change {
            Change::Updated => path,
            _ => path
                .strip_prefix("a/")
                .or_else(|| path.strip_prefix("b/"))
                .unwrap_or(path),
        };
        // Programs of version control put `a/` and `b/` before the same name.
        let path = match self.old.strip_prefix("a/") {
            Some(bare) if path.strip_prefix("b/") == Some(bare) => bare,
            _ => path,
        };
        FilePatch {
            path: path.to_owned(),
            change,
            hunks: Vec::new(),
        }
    }
}

/// A file's name, without the date or remark that may stand behind a tab.
fn name_of(line: &str) -> String {
    line.split('\t').next().unwrap_or(line).trim().to_owned()
}

/// A line of a hunk; `None` when the line is something else.
fn line_of_hunk(line: &str, left: &mut (u64, u64)) -> Option<Line> {
    let (sign, text) = match line.chars().next() {
        // Editors that trim lines leave an empty one where a kept line is empty.
        None => (' ', ""),
        Some(sign) => (sign, &line[sign.len_utf8()..]),
    };
    let (kind, of_old, of_new) = match sign {
        ' ' => (LineKind::Kept, 1, 1),
        '-' => (LineKind::Removed, 1, 0),
        '+' => (LineKind::Added, 0, 1),
        _ => return None,
    };
    left.0 = left.0.saturating_sub(of_old);
    left.1 = left.1.saturating_sub(of_new);
    Some(Line {
        kind,
        text: text.to_owned(),
    })
}

/// The hunk that a line such as `@@ -1,4 +1,5 @@ fn main` begins, and its numbers of old and new
/// lines.
fn hunk(line: &str) -> Option<(Hunk, (u64, u64))> {
    let (ranges, heading) = line.strip_prefix("@@ -")?.split_once(" @@")?;
    let (old, new) = ranges.split_once(" +")?;
    let range = |range: &str| {
        let (start, count) = range.split_once(',').unwrap_or((range, "1"));
        Some((start.parse::<u64>().ok()?, count.parse::<u64>().ok()?))
    };
    let ((old_start, olds), (new_start, news)) = (range(old)?, range(new)?);
    let heading = heading.trim();
    let hunk = Hunk {
        old_start: Some(old_start).filter(|start| *start > 0),
        new_start: Some(new_start).filter(|start| *start > 0),
        heading: (!heading.is_empty()).then(|| heading.to_owned()),
        lines: Vec::new(),
    };
    Some((hunk, (olds, news)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(diff: &str) -> Vec<String> {
        patches(diff)
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
            written(diff),
            [
                "a.txt Updated: Kept kept, Removed -- old, Added ++ new, Added more, \
                 NoNewline No newline at end of file"
            ]
        );
        let hunk = &patches(diff)[0].hunks[0];
        assert_eq!((hunk.old_start, hunk.new_start), (Some(3), Some(3)));
    }

    #[test]
    fn files_that_are_new_or_gone_are_told() {
        let diff = "diff --git a/x b/x\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+one\n\
                    --- a/y\n+++ /dev/null\n@@ -1 +0,0 @@\n-two\n\
                    --- a/z\n+++ b/z\n@@ -1 +1 @@ fn z\n-1\n+2\n";
        assert_eq!(
            written(diff),
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
            assert!(patches(text).is_empty(), "{text}");
        }
    }
}
