//! Passwords in addresses: `scheme://name:password@host`, `https://token@host`.

use std::ops::Range;

use super::looks::is_surely_random;
use super::placeholders::{is_placeholder, is_reference};

/// The password of an address; `sign` is the stretch of its `://`.
pub(super) fn password(text: &str, sign: &Range<usize>) -> Option<Range<usize>> {
    let from = sign.end;
    let bytes = &text.as_bytes()[from..];
    // Most addresses end, or reach their path, without an `@`.
    let mut last_at = None;
    for (end, byte) in bytes.iter().take(512).enumerate() {
        match byte {
            b'/' | b'"' | b'\'' | b'`' | b'<' | b'>' | b'|' | b'\\' => break,
            byte if byte.is_ascii_whitespace() => break,
            b'@' => last_at = Some(end),
            _ => {}
        }
    }
    let userinfo = text.get(from..from + last_at?)?;
    let (user, start) = match userinfo.split_once(':') {
        Some((user, _)) => (user, from + user.len() + 1),
        None => ("", from),
    };
    let is_user = |c: char| c.is_alphanumeric() || "._~%+$-{}".contains(c);
    let value = &text[start..from + userinfo.len()];
    // A key in the name's place, with something for form's sake in the password's: `key:x@`.
    if value.len() < 3 && is_surely_random(user) {
        return Some(from..from + user.len());
    }
    if !user.chars().all(is_user) || is_placeholder(value) || is_reference(value) || value.len() < 3
    {
        return None;
    }
    // A name alone is no secret, a token in its place is.
    if !userinfo.contains(':') && !is_surely_random(value) {
        return None;
    }
    // What repeats the name is a sample: `postgres:postgres`.
    (user != value).then(|| start..start + value.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn masked(text: &str) -> Option<&str> {
        let at = text.find("://").expect("an address");
        password(text, &(at..at + 3)).map(|span| &text[span])
    }

    #[test]
    fn passwords_of_addresses_are_found() {
        for (address, value) in [
            ("postgres://app:kT9!vL@db.example.com:5432/x", "kT9!vL"),
            ("mongodb+srv://app:p@ss4word@db/x", "p@ss4word"),
            ("redis://:kT9vLq2x@cache:6379", "kT9vLq2x"),
            (
                "https://kT9vLq2xPzR4mW8sB6nC@example.com/a.git",
                "kT9vLq2xPzR4mW8sB6nC",
            ),
            (
                "https://9f8a7c6b5d4e3f2a10b3:x@example.com/1",
                "9f8a7c6b5d4e3f2a10b3",
            ),
        ] {
            assert_eq!(masked(address), Some(value), "{address}");
        }
    }

    #[test]
    fn samples_and_names_stay() {
        for address in [
            "postgres://user:password@localhost/db",
            "postgres://user:${DB_PASSWORD}@db/app",
            "postgres://postgres:postgres@db/app",
            "https://user:***@example.com/",
            "ssh://git@example.com/a.git",
            "https://example.com/?mail=a:b@example.com",
            "https://example.com:8080/@name",
        ] {
            assert_eq!(masked(address), None, "{address}");
        }
    }
}
