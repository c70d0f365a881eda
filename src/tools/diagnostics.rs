//! What a language server found in a file after it was changed: how much in the row, and what in
//! the body.

use crate::figures::counted;
use crate::html::Html;
use crate::model::{Diagnostic, DiagnosticLevel};

use super::boxes::{self, Tone};
use super::{Act, Badge, BadgeTone, Drawing};

/// `2 errors`, or of code without errors `3 warnings`; `None` when there is neither.
pub(super) fn badge(act: &Act<'_>) -> Option<Badge> {
    let count = |level| list(act).iter().filter(|one| one.level == level).count() as u64;
    let text = match (
        count(DiagnosticLevel::Error),
        count(DiagnosticLevel::Warning),
    ) {
        (0, 0) => return None,
        (0, warnings) => counted(warnings, "warning", "warnings"),
        (errors, _) => counted(errors, "error", "errors"),
    };
    Some(Badge {
        text,
        tone: BadgeTone::Warn,
    })
}

/// A line for each, of all levels; nothing when there are none.
pub(super) fn body(act: &Act<'_>, drawing: &Drawing<'_>) -> Html {
    let lines: Vec<String> = list(act).iter().map(|one| line(act, one)).collect();
    match lines.is_empty() {
        true => Html::default(),
        false => boxes::output(&lines.join("\n"), Tone::Output, drawing),
    }
}

fn list<'a>(act: &'a Act<'_>) -> &'a [Diagnostic] {
    act.details().map_or(&[], |details| &details.diagnostics)
}

/// `src/a.rs:12: error: expected a semicolon`.
fn line(act: &Act<'_>, one: &Diagnostic) -> String {
    let level = match one.level {
        DiagnosticLevel::Error => "error",
        DiagnosticLevel::Warning => "warning",
        DiagnosticLevel::Note => "note",
    };
    let path = act.short_path(&one.path);
    let message = one.message.trim();
    match one.line {
        Some(line) => format!("{path}:{line}: {level}: {message}"),
        None => format!("{path}: {level}: {message}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Details;
    use crate::tools::testing::{body, call, row, with_details};

    fn found(level: DiagnosticLevel, message: &str) -> Diagnostic {
        Diagnostic {
            path: "a.ts".to_owned(),
            line: Some(3),
            level,
            message: message.to_owned(),
        }
    }

    #[test]
    fn errors_are_counted_in_the_row_and_read_in_the_body() {
        for (tool, input) in [
            (
                "edit",
                r#"{"filePath":"a.ts","oldString":"x","newString":"y"}"#,
            ),
            ("write", r#"{"filePath":"a.ts","content":"y"}"#),
        ] {
            let drawn = |diagnostics| {
                let details = Details {
                    diagnostics,
                    ..Details::default()
                };
                with_details(call(tool, input, Some(Ok(""))), details)
            };
            let warning = || found(DiagnosticLevel::Warning, "odd");
            let error = || found(DiagnosticLevel::Error, "no such name");
            let both = drawn(vec![error(), error(), warning()]);
            assert!(
                row("opencode", &both).contains(" 2 errors "),
                "{}",
                row("opencode", &both)
            );
            let text = body("opencode", &both);
            assert!(text.contains("a.ts:3: error: no such name"), "{text}");
            assert!(text.contains("a.ts:3: warning: odd"), "{text}");
            assert!(row("opencode", &drawn(vec![warning()])).contains(" 1 warning "));
        }
    }
}
