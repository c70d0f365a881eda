//! Private keys as blocks of text: PEM, OpenSSH, PGP and PuTTY, with line ends as they are or as
//! `\n`, with line numbers before them, cut at either end.

use std::ops::Range;

use super::lines::line_end;

/// What such blocks are found by.
pub(super) const SIGNS: &[&str] = &[
    "-----BEGIN ",
    "---- BEGIN ",
    "-----END ",
    "---- END ",
    "Private-Lines: ",
];

/// How long a line of one can be: all of a key may stand in one.
const LINE: usize = 8_192;

/// How long a block can be: an RSA key of 16,384 bits with line numbers is shorter.
const LONGEST: usize = 32_768;

/// The body of the key at a sign; its first and last lines stay, since they are public.
pub(super) fn key(text: &str, sign: &Range<usize>) -> Option<Range<usize>> {
    let at = sign.start;
    if text[sign.clone()].starts_with('P') {
        let body = line_end(text, sign.end) + 1;
        text.get(body..)?;
        return body_after(text, body);
    }
    let dashes = &text[sign.clone()][..4];
    let label_end = text[sign.end..]
        .bytes()
        .take(60)
        .position(|byte| byte == b'-')?
        + sign.end;
    let label = &text[sign.end..label_end];
    let is_private = label.contains("PRIVATE KEY")
        || label.contains("SECRET KEY")
        || label.contains("PRIVATE BLOCK");
    let is_shared = label.starts_with("OpenVPN Static key");
    let is_label = label
        .bytes()
        .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b' ');
    if !(is_shared || is_private && is_label) || !text[label_end..].starts_with(dashes) {
        return None;
    }
    if text[sign.clone()].contains("BEGIN") {
        let body = label_end
            + text[label_end..]
                .bytes()
                .take_while(|byte| *byte == b'-')
                .count();
        body_after(text, body)
    } else {
        body_before(text, at)
    }
}

/// From `body` on, as many lines as belong to a key, without what is white at the ends.
fn body_after(text: &str, body: usize) -> Option<Range<usize>> {
    let mut end = body;
    let mut start = None;
    let mut has_key = false;
    for (at, line) in lines(text, body, floor(text, body + LONGEST)) {
        match kind(line) {
            Kind::Key(inner) => {
                has_key = true;
                start.get_or_insert(at + inner.start);
                end = at + inner.end;
            }
            Kind::Header if !has_key => {}
            Kind::Empty => {}
            Kind::Header | Kind::Other => break,
        }
    }
    Some(start?..end)
}

/// The same backwards, for a key whose beginning was cut off.
fn body_before(text: &str, end: usize) -> Option<Range<usize>> {
    let from = ceil(text, end.saturating_sub(LONGEST));
    let mut found: Option<Range<usize>> = None;
    for (at, line) in lines(text, from, end) {
        match kind(line) {
            Kind::Key(inner) => {
                let start = found.as_ref().map_or(at + inner.start, |found| found.start);
                found = Some(start..at + inner.end);
            }
            Kind::Empty => {}
            Kind::Header | Kind::Other => found = None,
        }
    }
    found
}

/// The lines of a stretch, with the places where they begin; `\n` written out ends one too.
fn lines(text: &str, from: usize, to: usize) -> impl Iterator<Item = (usize, &str)> {
    let mut at = from;
    std::iter::from_fn(move || {
        if at >= to {
            return None;
        }
        let begin = at;
        let rest = &text[begin..floor(text, to.min(begin + LINE))];
        let bytes = rest.as_bytes();
        let mut end = bytes.len();
        let mut skip = 0;
        for place in memchr::memchr2_iter(b'\n', b'\\', bytes) {
            if bytes[place] == b'\n' {
                (end, skip) = (place, 1);
                break;
            }
            if bytes.get(place + 1) == Some(&b'n') {
                let slashes = bytes[..place]
                    .iter()
                    .rev()
                    .take_while(|byte| **byte == b'\\')
                    .count();
                (end, skip) = (place - slashes, slashes + 2);
                break;
            }
        }
        at = begin + end + skip;
        Some((begin, &rest[..end]))
    })
}

enum Kind {
    /// A line of base64, with where it is in the line.
    Key(Range<usize>),
    /// `Proc-Type: 4,ENCRYPTED`.
    Header,
    Empty,
    Other,
}

fn kind(line: &str) -> Kind {
    // Line numbers, quotes, signs of diffs and of joined strings stand around the base64.
    let is_around = |c: char| {
        c.is_whitespace()
            || matches!(
                c,
                '"' | '\'' | '`' | '+' | ',' | '|' | '>' | '→' | '\\' | '·'
            )
    };
    let left = line.trim_start_matches(|c: char| is_around(c) || c == '-');
    let left = match left.find(['\t', '→', '|', ':']) {
        Some(at) if at <= 8 && left[..at].trim().bytes().all(|byte| byte.is_ascii_digit()) => {
            left[at..].trim_start_matches(|c: char| is_around(c) || c == ':')
        }
        _ => left,
    };
    let start = line.len() - left.len();
    let inner = left.trim_end_matches(|c: char| is_around(c) || c == ';' || c == ')');
    if inner.is_empty() {
        return Kind::Empty;
    }
    let is_base64 = inner
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'='));
    let is_long = inner.len() >= 24
        || (inner.len() >= 4
            && (inner.ends_with('=')
                || inner.starts_with('=')
                || inner
                    .bytes()
                    .any(|byte| byte.is_ascii_digit() || byte == b'+' || byte == b'/')));
    if is_base64 && is_long {
        return Kind::Key(start..start + inner.len());
    }
    match inner.split_once(": ") {
        Some((name, _))
            if name.len() <= 24
                && name
                    .bytes()
                    .all(|byte| byte.is_ascii_alphabetic() || byte == b'-') =>
        {
            Kind::Header
        }
        _ => Kind::Other,
    }
}

fn floor(text: &str, at: usize) -> usize {
    let at = at.min(text.len());
    (0..=at)
        .rev()
        .find(|at| text.is_char_boundary(*at))
        .unwrap_or(0)
}

fn ceil(text: &str, at: usize) -> usize {
    (at..text.len())
        .find(|at| text.is_char_boundary(*at))
        .unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = "MFRGGZDFMZTWQ2LKkT9vLq2xPzR4mW8sB6nC7d4b9c6f5dx2";

    fn masked(text: &str) -> Option<&str> {
        SIGNS.iter().find_map(|sign| {
            let at = text.find(sign)?;
            key(text, &(at..at + sign.len())).map(|span| &text[span])
        })
    }

    fn block(kind: &str, break_: &str) -> String {
        let dashes = "-".repeat(5);
        [
            format!("{dashes}BEGIN {kind}{dashes}"),
            LINE.to_owned(),
            LINE.to_owned(),
            "aB3=".to_owned(),
            format!("{dashes}END {kind}{dashes}"),
        ]
        .join(break_)
    }

    #[test]
    fn the_body_of_a_private_key_is_found_whatever_its_line_ends() {
        for kind in [
            "RSA PRIVATE KEY",
            "OPENSSH PRIVATE KEY",
            "PRIVATE KEY",
            "PGP PRIVATE KEY BLOCK",
            "OpenVPN Static key V1",
        ] {
            for break_ in [
                "\n",
                "\r\n",
                r"\n",
                r"\\n",
                "\n  12\t",
                "\" +\n  \"",
                "\n> ",
            ] {
                let text = block(kind, break_);
                let body = masked(&text).expect("a key");
                assert!(
                    body.starts_with(LINE) && body.ends_with("aB3="),
                    "{kind:?} {break_:?}: {body}"
                );
            }
        }
    }

    #[test]
    fn a_key_that_is_cut_is_found() {
        let whole = block("RSA PRIVATE KEY", "\n");
        let head = &whole[..whole.len() - 60];
        assert!(
            masked(&format!("{head}\n[output truncated]"))
                .is_some_and(|body| body.starts_with(LINE) && !body.contains("output"))
        );
        let tail = &whole[40..];
        assert!(masked(&format!("of a key:\n{tail}")).is_some_and(|body| body.contains(LINE)));
    }

    #[test]
    fn public_keys_and_mentions_stay() {
        for text in [
            block("PUBLIC KEY", "\n"),
            block("CERTIFICATE", "\n"),
            "-----BEGIN[A-Z ]*PRIVATE KEY-----".to_owned(),
            format!(
                "grep -r '{}BEGIN RSA PRIVATE KEY{}' .\nsrc/a.rs: found",
                "-----", "-----"
            ),
        ] {
            assert_eq!(masked(&text), None, "{text}");
        }
    }
}
