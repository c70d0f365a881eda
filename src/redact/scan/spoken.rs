//! Values that people and programs tell in words: "the password is …", "password for the user:
//! …", "sign in with the password … and look". Here words stand everywhere, so that a value must
//! look as no word does.

use std::ops::Range;

use super::assigned::{Form, Site, bare, quoted, skip};
use super::lines::{line_after, line_end};
use super::looks::{classes, is_hex, is_random, is_uuid};
use super::placeholders::{is_placeholder, is_reference};
use super::words::is_wordy;

/// What joins a name and its value in a sentence.
pub(super) const LINKS: &[&str] = &[
    "to ",
    "is ",
    "was ",
    "ist ",
    "lautet ",
    "est ",
    "es ",
    "é ",
    "è ",
    "= ",
    "-> ",
    "as ",
    "of ",
    "with ",
    "\u{2192} ",
];

/// Words after which a value can come that is some words away from its name.
const BEFORE: &[&str] = &[
    "is", "was", "to", "now", "as", "ist", "lautet", "est", "es", "é", "è", "=", "->", "\u{2192}",
    "/", "set", "use", "は", "是", "为", "為",
];

/// Heads of lists of codes that open an account when a second factor is lost.
pub(super) const CODES: &[&str] = &["recovery codes", "backup codes", "emergency codes"];

/// How many words can stand between a name and its value.
const WORDS: usize = 10;
/// How far their line is read, in bytes.
const REACH: usize = 160;

/// The value that the rest of a line tells, or the next line after a colon.
pub(super) fn said(text: &str, name: &Range<usize>) -> Option<Site> {
    let rest = line_after(text, name.end);
    if rest.len() > REACH * 4 && !rest.is_char_boundary(REACH) {
        return None;
    }
    let rest = rest.get(..REACH).unwrap_or(rest);
    let is_name_whole = rest.starts_with(|c: char| c.is_whitespace() || "\"'`:=)*([".contains(c));
    if !is_name_whole && text[name.clone()].is_ascii() && !rest.starts_with('\u{ff1a}') {
        return None;
    }
    if let Some(site) = given(text, name.end) {
        return Some(site);
    }
    let mut at = 0;
    let mut before = "";
    for (count, word) in rest.split([' ', '\t']).enumerate() {
        let start = at;
        at += word.len() + 1;
        if count > WORDS {
            break;
        }
        if word.is_empty() {
            continue;
        }
        let inner = word.trim_start_matches(|c: char| "\"'`(*:=\u{ff1a}".contains(c));
        let left = word.len() - inner.len();
        let value = inner.trim_end_matches(|c: char| ".,;:!?\"'`)*\u{3002}".contains(c));
        let value = value
            .split(['\u{3002}', '\u{ff0c}'])
            .next()
            .unwrap_or(value);
        let is_linked = before.is_empty()
            || before.ends_with([':', '=', '\u{ff1a}'])
            || BEFORE.contains(&before)
            || word.starts_with(['"', '\'', '`']);
        if is_linked && is_no_word(value) {
            let start = name.end + start + left;
            return Some(spoken(start..start + value.len()));
        }
        if word.ends_with(['.', ';', '?', '!']) {
            // The next sentence is about something else.
            return None;
        }
        before = word;
    }
    below(text, name)
}

/// What is given to a name without a sign: `storePassword "…"`, `with password "…"`.
fn given(text: &str, from: usize) -> Option<Site> {
    let at = from + 1;
    if text.as_bytes().get(from) != Some(&b' ') {
        return None;
    }
    let site = quoted(text, at)?;
    let value = &text[site.span.clone()];
    let classes = classes(value);
    let is_mixed = classes.digits > 0 && classes.lower > 0 && classes.upper + classes.other > 0;
    ((8..=128).contains(&value.len())
        && !value.contains(|c: char| c.is_whitespace() || "(){}<>$\\/".contains(c))
        && (is_mixed || is_random(value)))
    .then_some(site)
}

/// The only word of the next line, where this one ends with a colon.
fn below(text: &str, name: &Range<usize>) -> Option<Site> {
    let from = name.end;
    let end = line_end(text, from);
    let rest = text[from..end].trim_end_matches(|c: char| c.is_whitespace() || c == '*');
    let is_one = !rest.contains([';', '?', '!']) && !rest.contains(". ");
    if rest.len() > REACH || !is_one || !rest.ends_with([':', '\u{ff1a}']) {
        return None;
    }
    // Programs announce passwords in sentences; what is said of tokens may be followed by anything.
    let is_password = text[name.clone()].to_ascii_lowercase().contains("pass");
    if !is_password && rest.trim_start() != ":" {
        return None;
    }
    let bytes = text.as_bytes();
    let start = skip(bytes, end, |byte| {
        byte.is_ascii_whitespace() || matches!(byte, b'>' | b'|' | b'`' | b'*')
    });
    if start > end + 64 {
        return None;
    }
    let line = text.get(start..line_end(text, start))?;
    let value = line.trim_end().trim_end_matches(['`', '*']);
    is_no_word(value).then(|| spoken(start..start + value.len()))
}

/// The words of a seed phrase: twelve or more, small and short.
pub(super) fn phrase(text: &str, name: &Range<usize>) -> Option<Range<usize>> {
    let lower = text[name.clone()].to_ascii_lowercase();
    if !["mnemonic", "phrase", "seed"]
        .iter()
        .any(|end| lower.ends_with(end))
    {
        return None;
    }
    let rest = line_after(text, name.end);
    let rest_at = rest.strip_prefix(" phrase").or(rest.strip_prefix(" words"));
    let rest_at = rest_at.unwrap_or(rest);
    let left = rest.len()
        - rest_at
            .trim_start_matches([' ', ':', '=', '"', '\'', '`', '\\'])
            .len();
    let mut end = left;
    let mut count = 0;
    for word in rest[left..].split(' ').take(32) {
        let len = word.bytes().take_while(u8::is_ascii_lowercase).count();
        let is_spoken = matches!(
            word,
            "the" | "and" | "for" | "that" | "this" | "with" | "you"
        );
        if !(3..=8).contains(&len) || is_spoken {
            break;
        }
        end += len + usize::from(count > 0);
        count += 1;
        if len < word.len() {
            break;
        }
    }
    (count >= 12).then(|| name.end + left..name.end + end)
}

/// The codes in the lines below their heading.
pub(super) fn codes(text: &str, from: usize) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = line_end(text, from) + 1;
    for _ in 0..24 {
        if at > text.len() || !text.is_char_boundary(at) {
            break;
        }
        let end = line_end(text, at);
        let line = &text[at..end];
        let mut words = 0;
        let mut start = at;
        for word in line.split(|c: char| c.is_whitespace() || "*`|,".contains(c)) {
            let span = start..start + word.len();
            start = span.end + 1;
            let is_code = word.len() >= 8
                && word.bytes().any(|byte| byte.is_ascii_digit())
                && word.bytes().any(|byte| byte.is_ascii_alphabetic())
                && word
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
            if is_code && (word.contains('-') || !is_wordy(word)) {
                found.push(span);
            } else if !word
                .trim_matches(|c: char| c.is_ascii_digit() || ".-)".contains(c))
                .is_empty()
            {
                words += 1;
            }
        }
        if words > 0 || (line.trim().is_empty() && !found.is_empty()) {
            break;
        }
        at = end + 1;
    }
    found
}

/// A value in brackets or quotes a few words after its name: "the token you pasted (…)".
pub(super) fn nearby(text: &str, at: usize) -> Option<Site> {
    let rest = text.get(at..)?;
    let end = rest
        .char_indices()
        .take(48)
        .find(|(_, c)| matches!(c, '(' | '`' | '"' | '\''))?
        .0;
    let between = &rest[..end];
    let is_plain = between.chars().all(|c| c.is_alphabetic() || c == ' ');
    if !is_plain
        || ["commit", "sha", "hash", "checksum", "digest", "id "]
            .iter()
            .any(|word| between.contains(word))
    {
        return None;
    }
    let site = bare(text, at + end + 1)?;
    matches!(
        text.as_bytes().get(site.span.end),
        Some(b')' | b'`' | b'"' | b'\'')
    )
    .then_some(spoken(site.span))
}

/// The value after a word that joins it to its name: "is …", "to …".
pub(super) fn linked(text: &str, at: usize) -> Option<Site> {
    let bytes = text.as_bytes();
    let link = LINKS.iter().find(|link| {
        bytes
            .get(at..at + link.len())
            .is_some_and(|there| there.eq_ignore_ascii_case(link.as_bytes()))
    })?;
    let from = skip(bytes, at + link.len(), |byte| {
        matches!(byte, b' ' | b':' | b'*')
    });
    quoted(text, from)
        .filter(|site| link.trim() == "to" || !text[site.span.clone()].contains(' '))
        .or_else(|| bare(text, from))
        .map(|site| spoken(site.span))
}

fn spoken(span: Range<usize>) -> Site {
    Site {
        span,
        form: Form::Spoken,
    }
}

/// Whether a word of a sentence can be none: letters with digits, of two kinds at least or with
/// signs among them, that nothing else looks like.
pub(super) fn is_no_word(value: &str) -> bool {
    if !(8..=256).contains(&value.len()) || !value.bytes().all(|byte| byte.is_ascii_graphic()) {
        return false;
    }
    let padded = value;
    let value = value.trim_end_matches('=');
    let classes = classes(value);
    let signs = value
        .bytes()
        .filter(|byte| !byte.is_ascii_alphanumeric() && !b"-_./:".contains(byte))
        .count();
    let is_mixed = classes.lower > 0 && (classes.upper > 0 || signs > 0);
    let is_split = classes.lower > 0 && classes.digits > 2 && value.contains('-');
    let version = value.trim_start_matches(['v', 'V']);
    let is_version = version.starts_with(|c: char| c.is_ascii_digit())
        && version.split(['.', '-']).count() >= 2
        && version
            .split(['.', '-'])
            .take(2)
            .all(|part| part.len() <= 4 && part.starts_with(|c: char| c.is_ascii_digit()));
    let is_name = is_version
        || value.contains("://")
        || value.starts_with(['/', '~', '.', '-', '$', '#'])
        || value.contains(['(', '[', '{', '<', '=', ',', '\\'])
        || is_uuid(value);
    classes.digits > 0
        && (is_mixed || is_split || is_hex(value) && value.len() >= 20)
        && !is_name
        && !is_wordy(value)
        && !is_placeholder(padded)
        && !is_reference(padded)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found<'t>(text: &'t str, name: &str) -> Option<&'t str> {
        let at = text.find(name)?;
        said(text, &(at..at + name.len())).map(|site| &text[site.span])
    }

    #[test]
    fn a_value_among_words_is_found() {
        for text in [
            "log in with the password kT9vLq2xPz and look",
            "log in with password \"kT9vLq2xPz\", please",
            "password for the deploy user is kT9vLq2xPz.",
            "new password for user x: kT9vLq2xPz",
            "password is now kT9vLq2xPz",
            "a password is generated for root@localhost: kT9vLq2xPz",
            "the password for [x] (reset with `y`):\n  kT9vLq2xPz",
            "use this password:\n\nkT9vLq2xPz\n\nIt is also in x",
            "password: x / kT9vLq2xPz",
        ] {
            assert_eq!(found(text, "password"), Some("kT9vLq2xPz"), "{text}");
        }
    }

    #[test]
    fn the_words_of_a_seed_are_found() {
        let words = "walnut glacier pickle saddle orbit violet meadow copper harbour tinsel thunder lantern";
        for text in [
            format!("mnemonic: {words}"),
            format!("seed = \"{words}\" x"),
        ] {
            let name = 0..text.find([':', ' ']).expect("a sign");
            let span = phrase(&text, &name).expect("a phrase");
            assert_eq!(&text[span], words);
        }
        let text = format!("seed phrase: \"{words}\"");
        assert!(phrase(&text, &(0..4)).is_some_and(|span| text[span] == *words));
        let text = "seed the database with all those values that tests need later when they run";
        assert_eq!(phrase(text, &(0..4)), None);
    }

    #[test]
    fn codes_below_their_heading_are_found() {
        let text = "Recovery codes:\ne1c55-51811\n 2. c3b24-5887f\n\nKeep them.";
        let found: Vec<_> = codes(text, 14)
            .into_iter()
            .map(|span| &text[span])
            .collect();
        assert_eq!(found, ["e1c55-51811", "c3b24-5887f"]);
        assert!(codes("recovery codes\nwere printed on 2026-01-02", 14).is_empty());
    }

    #[test]
    fn words_paths_and_versions_among_words_stay() {
        for text in [
            "the password is required",
            "password authentication was dropped in v2.1.0-rc1",
            "password hashed with pbkdf2_sha256",
            "the password is read from /etc/app/Secret1.txt",
            "password: see https://x.example.com/A1b2C3d4",
            "password check getPassword2(value) fails",
            "password id 3f2a1b0c-9d8e-4f7a-8b6c-5d4e3f2a1b0c",
            "password changed in build Kx99zzQwErT7",
            "password:\n  min_length: 8",
            "password. Let me fix it:\n\nkT9vLq2xPz",
            "password field; then set kT9vLq2xPz",
            "password v2.4.1Beta was dropped",
            "postgres://user:password@db-1.example.com:5432/A1b2C3d4",
            "password \"${DB_PASSWORD_2}\" is not set",
        ] {
            assert_eq!(found(text, "password"), None, "{text}");
        }
    }
}
