//! JSON made readable without changing it: only white space is added, so that keys keep their
//! order and numbers and escapes stay as they were written.

use serde::de::IgnoredAny;

/// How deep lines are broken and indented; what lies deeper stays on its line.
const DEPTH: usize = 24;

/// The text indented by two spaces; `None` when it is not a JSON object or array.
pub(super) fn pretty(text: &str) -> Option<String> {
    let text = text.trim();
    if !text.starts_with(['{', '[']) || serde_json::from_str::<IgnoredAny>(text).is_err() {
        return None;
    }
    let mut out = String::with_capacity(text.len() * 3 / 2);
    let mut depth = 0_usize;
    let mut in_string = false;
    let mut escaped = false;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if in_string {
            out.push(c);
            in_string = escaped || c != '"';
            escaped = !escaped && c == '\\';
            continue;
        }
        match c {
            '"' => {
                in_string = true;
                out.push(c);
            }
            '{' | '[' => {
                out.push(c);
                while chars.next_if(|next| next.is_ascii_whitespace()).is_some() {}
                if let Some(close) = chars.next_if(|next| matches!(next, '}' | ']')) {
                    out.push(close);
                } else {
                    depth += 1;
                    break_line(&mut out, depth);
                }
            }
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                if depth < DEPTH {
                    break_line(&mut out, depth);
                }
                out.push(c);
            }
            ',' => {
                out.push(c);
                if depth <= DEPTH {
                    break_line(&mut out, depth);
                } else {
                    out.push(' ');
                }
            }
            ':' => out.push_str(": "),
            c if c.is_ascii_whitespace() => {}
            c => out.push(c),
        }
    }
    Some(out)
}

fn break_line(out: &mut String, depth: usize) {
    if depth <= DEPTH {
        out.push('\n');
        out.extend(std::iter::repeat_n("  ", depth));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_white_space_is_added() {
        let text = r#"{"b":[1,2.50,{}],"a":"x \"y\", [z]","a":1e999,"u":"\u00e9"}"#;
        let shown = pretty(text).expect("it is JSON");
        assert_eq!(
            shown,
            "{\n  \"b\": [\n    1,\n    2.50,\n    {}\n  ],\n  \"a\": \"x \\\"y\\\", [z]\",\n  \"a\": 1e999,\n  \"u\": \"\\u00e9\"\n}"
        );
    }

    #[test]
    fn what_is_no_object_or_array_is_left_alone() {
        assert_eq!(pretty("12"), None);
        assert_eq!(pretty("{oops"), None);
        assert_eq!(pretty(""), None);
    }

    #[test]
    fn deep_nesting_stays_linear() {
        let text = format!("{}1{}", "[".repeat(100), "]".repeat(100));
        let shown = pretty(&text).expect("it is JSON");
        assert!(shown.len() < 3_000, "{}", shown.len());
        let deep = format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000));
        let _ = pretty(&deep);
    }
}
