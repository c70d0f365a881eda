//! Repairs of JSON text that the parser would reject as a whole for one character.

use memchr::memchr;

/// Replaces `\u` escapes of half a surrogate pair by `\ufffd`; `None` when there are none.
pub(super) fn lone_surrogates(json: &str) -> Option<String> {
    let bytes = json.as_bytes();
    let mut out = String::new();
    let mut kept = 0;
    let mut at = 0;
    while let Some(found) = memchr(b'\\', &bytes[at..]) {
        at += found;
        let Some(unit) = unit_at(bytes, at) else {
            at += 2;
            if at > bytes.len() {
                break;
            }
            continue;
        };
        let pair = (0xd800..0xdc00).contains(&unit)
            && unit_at(bytes, at + 6).is_some_and(|low| (0xdc00..0xe000).contains(&low));
        if pair {
            at += 12;
        } else {
            if (0xd800..0xe000).contains(&unit) {
                out.push_str(&json[kept..at]);
                out.push_str("\\ufffd");
                kept = at + 6;
            }
            at += 6;
        }
    }
    if kept == 0 {
        return None;
    }
    out.push_str(&json[kept..]);
    Some(out)
}

/// The number of a `\uXXXX` escape at this place.
fn unit_at(bytes: &[u8], at: usize) -> Option<u16> {
    let digits = bytes.get(at..at + 6)?.strip_prefix(b"\\u")?;
    let text = std::str::from_utf8(digits).ok()?;
    u16::from_str_radix(text, 16).ok()
}

/// Writes control characters that stand raw inside strings as escapes; `None` when there are
/// none.
pub(super) fn raw_controls(json: &str) -> Option<String> {
    if !json.bytes().any(|b| b < b' ') {
        return None;
    }
    let mut out = String::with_capacity(json.len() + 16);
    let mut in_string = false;
    let mut escaped = false;
    let mut changed = false;
    for c in json.chars() {
        if in_string && c < ' ' {
            // After a backslash it would end an escape that is none; keep the backslash as text.
            let backslash = if escaped { "\\" } else { "" };
            out.push_str(&format!("{backslash}\\u{:04x}", u32::from(c)));
            escaped = false;
            changed = true;
            continue;
        }
        match c {
            '"' if !escaped => in_string = !in_string,
            _ => {}
        }
        escaped = in_string && c == '\\' && !escaped;
        out.push(c);
    }
    changed.then_some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_halves_of_pairs_are_replaced() {
        assert_eq!(
            lone_surrogates(r#""\ud83d \ude00\ud83d, \ud83d\ude00 \\ud83d \uD83D""#).as_deref(),
            Some(r#""\ufffd \ufffd\ufffd, \ud83d\ude00 \\ud83d \ufffd""#)
        );
        assert_eq!(lone_surrogates(r#""\u0041 \ud83d\ude00""#), None);
        assert_eq!(lone_surrogates("\"\\ud8"), None);
        assert_eq!(lone_surrogates("\\"), None);
    }

    #[test]
    fn raw_controls_become_escapes_inside_strings_only() {
        assert_eq!(
            raw_controls("{\"a\":\n\"x\ty\u{0}\"}").as_deref(),
            Some("{\"a\":\n\"x\\u0009y\\u0000\"}")
        );
        assert_eq!(raw_controls("{\n\"a\": 1}"), None);
        let odd = raw_controls("\"\\\t\"").expect("there is one");
        assert!(serde_json::from_str::<String>(&odd).is_ok());
    }
}
