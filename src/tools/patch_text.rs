//! Patches in the notation of `apply_patch`: where a call holds one, and the changes it asks for.
//!
//! ```text
//! *** Begin Patch
//! *** Update File: src/a.rs
//! *** Move to: src/b.rs
//! @@ fn main
//!  kept
//! -gone
//! +new
//! *** End Patch
//! ```

use serde_json::Value;

use crate::model::patch::{Change, FilePatch, Hunk, Line, LineKind};

use super::args::{Args, COMMAND};

const BEGIN: &str = "*** Begin Patch";
const END: &str = "*** End Patch";
/// Names of the argument that is a patch.
const PATCH: &[&str] = &["patchText", "patch_text", "input", "patch", "diff"];
/// The names under which the program that applies patches is called.
const PROGRAMS: [&str; 2] = ["apply_patch", "applypatch"];

/// A patch as a call holds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Given<'a> {
    /// The patch, with its first and last line.
    pub(super) text: &'a str,
    /// What a script does before it, such as to change the folder; empty for nothing.
    pub(super) before: &'a str,
    /// The names among which its argument is.
    pub(super) names: &'static [&'static str],
}

impl<'a> Given<'a> {
    /// Finds the patch of a call: the whole input, one of its arguments, or what a command hands
    /// to `apply_patch`. `None` for a script that does other things as well.
    pub(super) fn of(args: &'a Args) -> Option<Self> {
        let whole = |text: &'a str, names| {
            let text = text.trim();
            text.starts_with(BEGIN).then_some(Given {
                text,
                before: "",
                names,
            })
        };
        if let Some(free) = &args.free {
            return whole(free, &[]);
        }
        args.text(PATCH)
            .and_then(|text| whole(text, PATCH))
            .or_else(|| Self::of_command(args))
    }

    /// Finds the patch that a command hands to `apply_patch`.
    pub(super) fn of_command(args: &'a Args) -> Option<Self> {
        match args.get(COMMAND)? {
            Value::String(script) => Self::of_script(script),
            Value::Array(words) => {
                let words: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
                match words[..] {
                    [program, patch] if PROGRAMS.contains(&program) => {
                        let text = patch.trim();
                        text.starts_with(BEGIN).then_some(Given {
                            text,
                            before: "",
                            names: COMMAND,
                        })
                    }
                    [shell, "-lc" | "-c", script] if shell.ends_with("sh") => {
                        Self::of_script(script)
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// `cd there && apply_patch <<'EOF'`, the patch, `EOF`; or the patch in quotation marks.
    fn of_script(script: &'a str) -> Option<Self> {
        let start = script.find(BEGIN)?;
        let end = start + script[start..].rfind(END)? + END.len();
        let (before, after) = (script[..start].trim_end(), script[end..].trim());
        let (before, word) = match before.rsplit_once("<<") {
            Some((before, word)) => (before, word.trim_start_matches('-').trim()),
            None => {
                let mark = before.chars().next_back().filter(|c| "'\"".contains(*c))?;
                let before = &before[..before.len() - 1];
                (after == mark.to_string()).then_some((before, after))?
            }
        };
        let word = word.trim_matches(['\'', '"']);
        if !word.is_empty() && after != word {
            return None;
        }
        let before = before.trim_end();
        let program = PROGRAMS.iter().find(|name| before.ends_with(**name))?;
        let before = before[..before.len() - program.len()].trim_end();
        let is_alone = before.is_empty() || before.ends_with("&&") || before.ends_with(';');
        is_alone.then_some(Given {
            text: &script[start..end],
            before: before.trim_end_matches(['&', ';']).trim_end(),
            names: COMMAND,
        })
    }
}

/// The changes that a patch asks for, file by file; `None` when it is not in the notation.
pub(super) fn parse(text: &str) -> Option<Vec<FilePatch>> {
    let mut lines = text.trim().lines();
    if lines.next()?.trim_end() != BEGIN {
        return None;
    }
    let mut files: Vec<FilePatch> = Vec::new();
    let mut ended = false;
    for line in lines {
        if ended {
            return None;
        }
        if line.trim_end() == END {
            ended = true;
        } else if let Some(file) = begun(line) {
            files.push(file);
        } else {
            add(files.last_mut()?, line)?;
        }
    }
    (!files.is_empty()).then_some(files)
}

/// The changed stretches of a patch of one file that names no file; `None` when a line is none of
/// such a patch.
pub(super) fn hunks(text: &str) -> Option<Vec<Hunk>> {
    let mut file = FilePatch {
        path: String::new(),
        change: Change::Updated,
        hunks: Vec::new(),
    };
    for line in text.lines() {
        add(&mut file, line)?;
    }
    Some(file.hunks)
}

/// The file that a header begins.
fn begun(line: &str) -> Option<FilePatch> {
    let rest = line.strip_prefix("*** ")?;
    let kinds = [
        ("Add File: ", Change::Added),
        ("Update File: ", Change::Updated),
        ("Delete File: ", Change::Deleted),
    ];
    let (path, change) = kinds
        .into_iter()
        .find_map(|(start, change)| Some((rest.strip_prefix(start)?, change)))?;
    Some(FilePatch {
        path: path.trim().to_owned(),
        change,
        hunks: Vec::new(),
    })
}

/// Adds a line of a file's change; `None` when it cannot be one.
fn add(file: &mut FilePatch, line: &str) -> Option<()> {
    if let Some(path) = line.strip_prefix("*** Move to: ") {
        if file.change != Change::Updated || !file.hunks.is_empty() {
            return None;
        }
        file.change = Change::Moved(path.trim().to_owned());
        return Some(());
    }
    // What follows is the end of the file: it says where, not what.
    if line.trim_end() == "*** End of File" {
        return Some(());
    }
    let updates = !matches!(file.change, Change::Added | Change::Deleted);
    if let Some(heading) = line.strip_prefix("@@").filter(|_| updates) {
        open(file, heading.trim());
        return Some(());
    }
    let kind = match line.as_bytes().first() {
        Some(b'+') => LineKind::Added,
        Some(b'-') if updates => LineKind::Removed,
        Some(b' ') | None if updates => LineKind::Kept,
        _ => return None,
    };
    if file.change == Change::Deleted {
        return None;
    }
    if file.hunks.is_empty() {
        file.hunks.push(Hunk::default());
    }
    file.hunks.last_mut()?.lines.push(Line {
        kind,
        text: line.get(1..).unwrap_or_default().to_owned(),
    });
    Some(())
}

/// Begins a hunk. Several headings in a row lead to one place, from the outside in.
fn open(file: &mut FilePatch, heading: &str) {
    // `@@ -1,2 +3,4 @@` is of another notation, whose numbers models make up here.
    let heading = heading.trim_end_matches("@@").trim_end();
    match file.hunks.last_mut() {
        Some(hunk) if hunk.lines.is_empty() => {
            if !heading.is_empty() {
                let outer = hunk.heading.take().map(|outer| outer + " › ");
                hunk.heading = Some(outer.unwrap_or_default() + heading);
            }
        }
        _ => file.hunks.push(Hunk {
            heading: (!heading.is_empty()).then(|| heading.to_owned()),
            ..Hunk::default()
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Input;

    const PATCH: &str = "*** Begin Patch\n*** Add File: a.txt\n+one\n+\n*** Update File: b.rs\n\
        *** Move to: c.rs\n@@ mod x\n@@ fn y\n kept\n-old\n+new\n\n@@\n+end\n*** End of File\n\
        *** Delete File: d.rs\n*** End Patch";

    fn written(lines: &[Line]) -> Vec<String> {
        let sign = |kind| match kind {
            LineKind::Kept => ' ',
            LineKind::Added => '+',
            LineKind::Removed => '-',
            LineKind::NoNewline => '\\',
        };
        lines
            .iter()
            .map(|line| format!("{}{}", sign(line.kind), line.text))
            .collect()
    }

    #[test]
    fn a_patch_is_parsed_file_by_file() {
        let files = parse(PATCH).expect("it is a patch");
        let changes: Vec<_> = files.iter().map(|f| (f.path.as_str(), &f.change)).collect();
        assert_eq!(
            changes,
            [
                ("a.txt", &Change::Added),
                ("b.rs", &Change::Moved("c.rs".into())),
                ("d.rs", &Change::Deleted),
            ]
        );
        assert_eq!(written(&files[0].hunks[0].lines), ["+one", "+"]);
        let hunks = &files[1].hunks;
        assert_eq!(hunks[0].heading.as_deref(), Some("mod x › fn y"));
        assert_eq!(written(&hunks[0].lines), [" kept", "-old", "+new", " "]);
        assert_eq!(
            (hunks[1].heading.as_deref(), hunks[1].lines.len()),
            (None, 1)
        );
    }

    #[test]
    fn a_patch_without_its_end_is_one_and_other_text_is_none() {
        assert!(parse("*** Begin Patch\n*** Update File: a\n@@\n-b").is_some());
        for other in [
            "",
            "--- a\n+++ b",
            "*** Begin Patch\nwords",
            "*** Begin Patch\n*** End Patch",
            "*** Begin Patch\n*** Add File: a\nwords",
            "*** Begin Patch\n*** Delete File: a\n+words",
            "*** Begin Patch\n*** Add File: a\n+b\n*** End Patch\nwords",
        ] {
            assert_eq!(parse(other), None, "{other}");
        }
    }

    #[test]
    fn a_patch_is_found_in_every_form_of_a_call() {
        let found = |json: serde_json::Value| {
            let args = Args::of(Some(&Input::Json(json.to_string())));
            let given = Given::of(&args);
            given.map(|given| {
                (
                    parse(given.text).map_or(0, |files| files.len()),
                    given.before.to_owned(),
                )
            })
        };
        let heredoc = format!("apply_patch <<'EOF'\n{PATCH}\nEOF\n");
        let plain = Some((3, String::new()));
        for form in [
            serde_json::json!(PATCH),
            serde_json::json!({ "input": PATCH }),
            serde_json::json!({ "patchText": format!("{PATCH}\n") }),
            serde_json::json!({"command": ["apply_patch", PATCH]}),
            serde_json::json!({"command": ["bash", "-lc", heredoc]}),
            serde_json::json!({ "cmd": heredoc }),
            serde_json::json!({"cmd": format!("apply_patch \"{PATCH}\"")}),
            serde_json::json!({"cmd": format!("apply_patch <<-\"X\"\n{PATCH}\nX")}),
        ] {
            assert_eq!(found(form.clone()), plain, "{form}");
        }
        assert_eq!(
            found(serde_json::json!({"cmd": format!("cd web && {heredoc}")})),
            Some((3, "cd web".to_owned()))
        );
        for other in [
            serde_json::json!({"cmd": format!("{heredoc}make test")}),
            serde_json::json!({"cmd": format!("cat <<'EOF'\n{PATCH}\nEOF")}),
            serde_json::json!({"cmd": "apply_patch < a.patch"}),
            serde_json::json!({"command": ["echo", PATCH]}),
            serde_json::json!({"input": 7}),
        ] {
            assert_eq!(found(other.clone()), None, "{other}");
        }
    }
}
