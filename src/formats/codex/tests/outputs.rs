//! Outputs in all the ways in which they were written.

use serde_json::json;

use super::*;
use crate::model::{Details, ToolResult};

/// The result of a call with this output, and how long it took.
fn result(name: &str, value: Value) -> (ToolResult, Option<u64>) {
    let conversation = read(&[call("c", name, json!({"cmd": "x"})), output("c", value)]);
    let call = calls(&conversation)[0];
    (call.result.clone().expect("it has one"), call.ms)
}

fn details(result: &ToolResult) -> Details {
    result.details.as_deref().cloned().unwrap_or_default()
}

#[test]
fn json_in_a_string_has_the_exit_code_and_the_time() {
    let json = json!({"output": "a\nb\n", "metadata": {"exit_code": 2, "duration_seconds": 1.5}});
    for value in [json!(json.to_string()), json] {
        let (result, ms) = result("shell", value);
        assert_eq!(result.text, "a\nb\n");
        assert_eq!((details(&result).exit_code, ms), (Some(2), Some(1_500)));
        assert!(result.is_error);
    }
}

#[test]
fn a_header_above_the_output_is_lifted_off() {
    let (done, ms) = result(
        "shell_command",
        json!(
            "Exit code: 0\nWall time: 2.5 seconds\nTotal output lines: 1\nOutput:\nExit code: 9\n"
        ),
    );
    assert_eq!((done.text.as_str(), ms), ("Exit code: 9\n", Some(2_500)));
    assert!(!done.is_error);
    let (failed, _) = result(
        "exec_command",
        json!(
            "Chunk ID: a1\nWall time: 0.1 seconds\nProcess exited with code 1\nOriginal token count: 4\nOutput:\nno\n"
        ),
    );
    assert_eq!(failed.text, "no\n");
    assert!(failed.is_error);
    let (running, _) = result(
        "exec_command",
        json!("Wall time: 10.0 seconds\nProcess running with session ID 7\nOutput:\n"),
    );
    assert_eq!(details(&running).background.as_deref(), Some("7"));
    assert!(!running.is_error);
}

#[test]
fn what_only_looks_like_a_header_stays() {
    for text in [
        "Exit code: what\nis it",
        "Wall time: long\nnothing",
        "Output:\na",
        "Exit code: 1",
    ] {
        assert_eq!(result("shell", json!(text)).0.text, text);
    }
}

#[test]
fn a_list_of_content_has_its_pictures() {
    let (result, _) = result(
        "view_image",
        json!([
            {"type": "input_text", "text": "a chart"},
            {"type": "input_image", "image_url": "data:image/png;base64,QUJD"},
        ]),
    );
    assert_eq!((result.text.as_str(), result.images.len()), ("a chart", 1));
}

#[test]
fn an_mcp_answer_is_its_text() {
    let content =
        json!([{"type": "text", "text": "31 rings"}, {"type": "text", "text": "5 years"}]);
    let header = format!("Wall time: 1.2500 seconds\nOutput:\n{content}");
    for value in [
        json!(content.to_string()),
        json!(header),
        json!(json!({"content": content, "isError": false}).to_string()),
    ] {
        assert_eq!(result("mcp__box__count", value).0.text, "31 rings\n5 years");
    }
    let (failed, _) = result(
        "mcp__box__count",
        json!({"content": "gone", "success": false}),
    );
    assert!(failed.is_error && failed.text == "gone");
}

#[test]
fn data_that_a_command_printed_stays_data() {
    for text in [
        r#"{"output":"x"}"#,
        "[1,2]",
        "[]",
        r#"{"a":{"b":1}}"#,
        "{oops",
    ] {
        assert_eq!(result("shell", json!(text)).0.text, text);
    }
}

#[test]
fn a_refusal_and_a_time_limit_are_failures() {
    for text in [
        "patch rejected by user",
        "exec command rejected by user",
        "execution error: x",
        "apply_patch verification failed: y",
    ] {
        assert!(result("shell", json!(text)).0.is_error, "{text}");
    }
    let (late, _) = result(
        "shell",
        json!("command timed out after 1000 milliseconds\na"),
    );
    assert!(late.is_error && details(&late).timed_out);
    let (stopped, _) = result("shell", json!("Wall time: 3.0 seconds\naborted by user"));
    assert!(stopped.cancelled && details(&stopped).interrupted);
}

#[test]
fn an_output_that_was_cut_says_so() {
    assert!(details(&result("shell", json!("a\n…812 tokens truncated…\nb")).0).truncated);
    assert!(details(&result("shell", json!("a\n[... omitted 5 of 9 lines ...]\nb")).0).truncated);
    assert!(!details(&result("shell", json!("the list was truncated … or not")).0).truncated);
}

#[test]
fn a_persons_no_is_told_from_other_failures() {
    let denied = |words: &str| {
        let (result, _) = result("shell", json!(words));
        (result.is_error, details(&result).denied)
    };
    assert_eq!(denied("exec command rejected by user"), (true, true));
    assert_eq!(denied("patch rejected by user"), (true, true));
    let settings =
        "patch rejected: writing outside of the project; rejected by user approval settings";
    assert_eq!(denied(settings), (true, false));
    assert_eq!(denied("sandbox error: no"), (true, false));
}
