//! What a language server found after an edit, and the wrapper in which the model was told.

use super::*;
use crate::model::DiagnosticLevel;

const OWN: &str = "/w/a.ts";

fn edited(output: &str, diagnostics: Value) -> ToolCall {
    let input = json!({"filePath": OWN, "oldString": "x", "newString": "y"});
    call(done(
        "edit",
        input,
        output,
        json!({"diagnostics": diagnostics}),
    ))
}

fn finding(severity: u64, message: &str) -> Value {
    json!({"severity": severity, "message": message,
           "range": {"start": {"line": 11, "character": 2}, "end": {"line": 11, "character": 5}}})
}

fn text(call: &ToolCall) -> &str {
    call.result.as_ref().map_or("", |result| &result.text)
}

fn found(call: &ToolCall) -> Vec<(String, Option<u64>, DiagnosticLevel, String)> {
    let details = call
        .result
        .as_ref()
        .and_then(|result| result.details.as_ref());
    let list = details.map_or(&[][..], |details| &details.diagnostics);
    let told = list.iter().map(|one| {
        let (path, message) = (one.path.clone(), one.message.clone());
        (path, one.line, one.level, message)
    });
    told.collect()
}

#[test]
fn errors_of_all_files_and_warnings_of_the_own_one_are_told() {
    let call = edited(
        "",
        json!({
            "/w/other.ts": [finding(2, "quiet"), finding(1, "elsewhere")],
            OWN: [finding(2, "odd"), finding(1, "wrong")],
        }),
    );
    let one =
        |path: &str, level, message: &str| (path.to_owned(), Some(12), level, message.to_owned());
    assert_eq!(
        found(&call),
        [
            one(OWN, DiagnosticLevel::Error, "wrong"),
            one("/w/other.ts", DiagnosticLevel::Error, "elsewhere"),
            one(OWN, DiagnosticLevel::Warning, "odd"),
        ]
    );
}

#[test]
fn an_empty_wrapper_leaves_no_words() {
    let output = "\nThis file has errors, please fix\n<file_diagnostics>\n\n</file_diagnostics>\n";
    assert_eq!(text(&edited(output, json!({}))), "");
}

#[test]
fn errors_stand_once_and_without_tags() {
    let output = "Edit applied successfully.\n\nLSP errors detected in this file, please fix:\n\
        <diagnostics file=\"/w/a.ts\">\nERROR [12:3] wrong\n</diagnostics>";
    let known = edited(output, json!({OWN: [finding(1, "wrong")]}));
    assert_eq!(text(&known), "Edit applied successfully.");
    let unknown = edited(output, json!({}));
    assert_eq!(
        text(&unknown),
        "Edit applied successfully.\n\nLSP errors detected in this file, please fix:\nERROR [12:3] wrong"
    );
}

#[test]
fn a_wrapper_that_does_not_end_stays_as_it_is() {
    let output = "<file_diagnostics>\nERROR [1:1] a";
    assert_eq!(text(&edited(output, json!({}))), output);
}
