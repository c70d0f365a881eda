//! Undoes what hides a secret from a search: terminal escapes, invisible characters, one level of
//! `%xx`, `\uXXXX` and HTML entities.

use super::mapped::Mapped;

/// What can stand at the beginning of something that [`undone`] undoes, for the search that runs
/// over every text.
pub(super) const SIGNS: &[&str] = &[
    "\u{1b}", "%", "&#", "&quot;", "&amp;", "&lowbar;", "&equals;", "&colon;", "\\u00", "\\x",
    "\\033", "\\e[", "\u{200b}", "\u{200c}", "\u{200d}", "\u{200e}", "\u{200f}", "\u{2060}",
    "\u{feff}", "\u{ad}", "\u{180e}", "\0",
];

/// Whether something begins at a sign that is worth a second look: `%` alone is common.
pub(super) fn is_odd(text: &str, at: usize) -> bool {
    let rest = &text.as_bytes()[at..];
    match rest.first() {
        Some(b'%') => percent(rest).is_some_and(|c| c != ' ' && c != '/'),
        Some(b'\\') => escape(rest).is_some(),
        _ => true,
    }
}

/// The text with all of it undone. `from` is where it begins in the original.
pub(super) fn undone(text: &str, from: usize) -> Mapped {
    let bytes = text.as_bytes();
    let mut copy = Mapped::with_capacity(text.len());
    let mut kept = 0;
    let mut at = 0;
    while at < bytes.len() {
        let found = match bytes[at] {
            0x1b => Some((terminal(&bytes[at..]), None)),
            b'%' => percent(&bytes[at..]).map(|c| (3, Some(c))),
            b'&' => entity(&text[at..]),
            b'\\' => escape(&bytes[at..]),
            // Every second byte of a text that was written in UTF-16.
            0 => Some((1, None)),
            0xc2 | 0xe1 | 0xe2 | 0xef => invisible(&text[at..]),
            _ => None,
        };
        let Some((len, meaning)) = found else {
            at += 1;
            continue;
        };
        copy.keep(&text[kept..at], from + kept);
        if let Some(c) = meaning {
            copy.replace(c, from + at, len);
        }
        at += len;
        kept = at;
    }
    copy.keep(&text[kept..], from + kept);
    copy
}

/// How long a terminal's escape sequence is.
fn terminal(bytes: &[u8]) -> usize {
    match bytes.get(1) {
        Some(b'[') => sequence(bytes, 2),
        Some(b']') => {
            // Ended by BEL, by ESC and a backslash, or by the one character that means the same.
            let ends = bytes.iter().enumerate().take(4_096).skip(2);
            let end = ends.clone().find_map(|(at, byte)| match byte {
                0x07 => Some(at + 1),
                0x1b if bytes.get(at + 1) == Some(&b'\\') => Some(at + 2),
                0xc2 if bytes.get(at + 1) == Some(&0x9c) => Some(at + 2),
                _ => None,
            });
            end.unwrap_or(2)
        }
        Some(0x20..=0x7e) => 2,
        _ => 1,
    }
}

/// The length of a control sequence whose parameters begin at `at`.
fn sequence(bytes: &[u8], at: usize) -> usize {
    let parameters = bytes[at..]
        .iter()
        .take(64)
        .take_while(|byte| (0x20..=0x3f).contains(*byte))
        .count();
    match bytes.get(at + parameters) {
        Some(0x40..=0x7e) => at + parameters + 1,
        _ => at + parameters,
    }
}

fn percent(bytes: &[u8]) -> Option<char> {
    printable(hex(bytes.get(1..3)?)?)
}

/// `\u005f` and `\x5f`; a terminal's escape written out in the same way, with its parameters, is
/// left out.
fn escape(bytes: &[u8]) -> Option<(usize, Option<char>)> {
    let (len, code) = match bytes.get(1)? {
        b'u' => (6, hex(bytes.get(2..6)?)?),
        b'x' => (4, hex(bytes.get(2..4)?)?),
        b'0' if bytes.starts_with(b"\\033") => (4, 0x1b),
        b'e' if bytes.get(2) == Some(&b'[') => (2, 0x1b),
        _ => return None,
    };
    if code == 0x1b {
        let end = if bytes.get(len) == Some(&b'[') {
            sequence(bytes, len + 1)
        } else {
            len
        };
        return Some((end, None));
    }
    Some((len, Some(printable(code)?)))
}

fn entity(text: &str) -> Option<(usize, Option<char>)> {
    const NAMED: &[(&str, char)] = &[
        ("&amp;", '&'),
        ("&quot;", '"'),
        ("&apos;", '\''),
        ("&lt;", '<'),
        ("&gt;", '>'),
        ("&lowbar;", '_'),
        ("&equals;", '='),
        ("&colon;", ':'),
        ("&commat;", '@'),
        ("&sol;", '/'),
        ("&plus;", '+'),
        ("&period;", '.'),
        ("&hyphen;", '-'),
        ("&dash;", '-'),
    ];
    if let Some((name, c)) = NAMED.iter().find(|(name, _)| text.starts_with(name)) {
        return Some((name.len(), Some(*c)));
    }
    let digits = text.strip_prefix("&#")?;
    let end = digits.bytes().take(8).position(|byte| byte == b';')?;
    let code = match digits[..end].strip_prefix(['x', 'X']) {
        Some(digits) => u32::from_str_radix(digits, 16).ok()?,
        None => digits[..end].parse().ok()?,
    };
    Some((end + 3, Some(printable(code)?)))
}

/// The length of an invisible character.
fn invisible(text: &str) -> Option<(usize, Option<char>)> {
    let c = text.chars().next()?;
    let is_invisible = matches!(
        c,
        '\u{ad}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}' | '\u{2066}'..='\u{2069}' | '\u{feff}'
    );
    is_invisible.then_some((c.len_utf8(), None))
}

fn hex(digits: &[u8]) -> Option<u32> {
    digits.iter().try_fold(0, |code, digit| {
        Some(code * 16 + char::from(*digit).to_digit(16)?)
    })
}

/// A character that can be a part of a secret or stand around one.
fn printable(code: u32) -> Option<char> {
    char::from_u32(code).filter(|c| matches!(c, ' '..='~'))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_hides_a_secret_is_undone() {
        for (written, meant) in [
            ("a\u{1b}[1;31mb\u{1b}[0mc", "abc"),
            ("a\u{1b}]8;;http://x\u{7}b", "ab"),
            (r"a\u001b[32mb\x1b[0mc\033[0md", "abcd"),
            ("a%5Fb%2", "a_b%2"),
            ("a&#95;b&#x5F;c&amp;d&", "a_b_c&d&"),
            (r"\u0041KIA \n \\", r"AKIA \n \\"),
            ("a\u{200b}b\u{feff}é", "abé"),
            ("a\0b\0", "ab"),
        ] {
            assert_eq!(undone(written, 0).text, meant, "{written:?}");
        }
    }

    #[test]
    fn a_sequence_without_an_end_takes_nothing_with_it() {
        assert_eq!(undone("\u{1b}]8;;abc", 0).text, "8;;abc");
        assert_eq!(undone("x\u{1b}", 0).text, "x");
        assert_eq!(undone("\u{1b}]0;a\u{9c18d}\u{9c}b", 0).text, "b");
    }

    proptest! {
        #[test]
        fn every_stretch_leads_back_into_the_original(
            text in "(%5F|&#9;|&#95;|\\\\u00[0-9]{2}|\u{200b}|\u{1b}\\[[0-9;]*m|é|.){0,40}",
            a in 0usize..80, b in 0usize..80,
        ) {
            let copy = undone(&text, 0);
            let end = copy.text.len();
            let span = a.min(b).min(end)..a.max(b).min(end);
            let origin = copy.origin(&span);
            prop_assert!(origin.start <= origin.end && origin.end <= text.len());
            if copy.text.is_char_boundary(span.start) && copy.text.is_char_boundary(span.end) {
                prop_assert!(text.get(origin).is_some());
            }
        }
    }
}
