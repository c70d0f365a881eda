//! The value that a name is given: `KEY=value`, `"key": "value"`, `--key value`, `<key>value</key>`,
//! `| key | value |`, "the key is value", however a file, a shell, a language or a person writes it.

use std::ops::Range;

use super::lines::{line_after, line_before};
use super::pairs::paired;
use super::spoken::{linked, nearby};

/// How a value stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// Between quotes.
    Quoted,
    /// Up to a blank or a sign that ends it.
    Bare,
    /// All that a line has after `NAME=`, or what follows a flag: settings, not code.
    Setting,
    /// In a sentence.
    Spoken,
}

/// A value with how it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Site {
    /// The value, without quotes.
    pub(crate) span: Range<usize>,
    /// How it stands.
    pub(crate) form: Form,
}

/// How far a value may reach.
const LONGEST: usize = 4_096;

/// The stretch of the name that a sign is a part of.
pub(crate) fn name_around(text: &str, sign: &Range<usize>) -> Range<usize> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    let reach = |stretch: &str| {
        stretch
            .chars()
            .take(80)
            .take_while(|c| is_part(*c))
            .map(char::len_utf8)
            .sum::<usize>()
    };
    let before: usize = text[..sign.start]
        .chars()
        .rev()
        .take(80)
        .take_while(|c| is_part(*c))
        .map(char::len_utf8)
        .sum();
    let start = sign.start - before;
    let end = sign.end + reach(&text[sign.end..]);
    let name = &text[start..end];
    // Dots and dashes at a name's ends belong to the sentence or the flag.
    let left = name.len() - name.trim_start_matches(['-', '.']).len();
    let right = name.trim_end_matches(['-', '.']).len();
    start + left.min(right)..start + right
}

/// The value that stands after a name, if anything does.
pub(crate) fn value_after(text: &str, name: &Range<usize>) -> Option<Site> {
    let bytes = text.as_bytes();
    let (closed, was_quoted) = closings(bytes, name.end);
    let at = blanks(bytes, closed);
    match bytes.get(at)? {
        b':' | b'=' => after_sign(text, name, at, was_quoted),
        b'|' if bytes.get(at + 1) == Some(&b'|') => quoted(text, blanks(bytes, at + 2)),
        b'|' => {
            let site = bare(
                text,
                skip(bytes, at + 1, |byte| matches!(byte, b' ' | b'\t' | b'`')),
            )?;
            Some(Site {
                form: Form::Bare,
                ..site
            })
        }
        b'?' if bytes[at..].starts_with(b"??") => quoted(text, blanks(bytes, at + 2)),
        b',' if was_quoted => paired(text, closed).or_else(|| quoted(text, blanks(bytes, at + 1))),
        b'(' => quoted(text, blanks(bytes, at + 1)).or_else(|| {
            let site = bare(text, blanks(bytes, at + 1))?;
            (at > closed && bytes.get(site.span.end) == Some(&b')')).then_some(Site {
                form: Form::Spoken,
                ..site
            })
        }),
        b'>' => {
            let site = bare(text, at + 1)?;
            (bytes.get(site.span.end) == Some(&b'<')).then_some(site)
        }
        _ => after_blank(text, name, closed, at),
    }
}

/// After `:`, `=` and the signs that are made of them.
fn after_sign(text: &str, name: &Range<usize>, at: usize, was_quoted: bool) -> Option<Site> {
    let bytes = text.as_bytes();
    let end = skip(bytes, at, |byte| matches!(byte, b':' | b'=' | b'>')).min(at + 3);
    if &bytes[at..end] == b"::" || bytes.get(end) == Some(&b'~') {
        return None;
    }
    // `${NAME:-value}` and `${NAME:?words}`.
    if matches!(bytes.get(end), Some(b'?' | b'+')) && bytes[at] == b':' {
        return None;
    }
    let from = if bytes[at] == b':'
        && bytes.get(end) == Some(&b'-')
        && name.start >= 2
        && text[..name.start].ends_with("${")
    {
        end + 1
    } else {
        skip(bytes, end, |byte| matches!(byte, b' ' | b'\t' | b'*'))
    };
    let from = if bytes[at] == b':' {
        past_type(text, from)
    } else {
        from
    };
    if let Some(site) = quoted(text, from) {
        return Some(site);
    }
    if let Some(site) = setting(text, name, from) {
        return Some(site);
    }
    let site = bare(text, from)?;
    // `process.env.KEY || "…"`: what stands in for the reference is the secret.
    let rest = text[site.span.end..].trim_start();
    if let Some(rest) = ["||", "??", "or "]
        .iter()
        .find_map(|or| rest.strip_prefix(or))
        && let Some(site) = quoted(text, blanks(bytes, text.len() - rest.len()))
    {
        return Some(site);
    }
    let is_query = matches!(text[..name.start].bytes().last(), Some(b'?' | b'&' | b';'));
    let form = if is_query || (was_quoted && bytes[at] == b':') {
        Form::Quoted
    } else {
        Form::Bare
    };
    Some(Site { form, ..site })
}

/// After a blank: a flag, a line of `.netrc`, a sentence, the other half of a pair.
fn after_blank(text: &str, name: &Range<usize>, closed: usize, at: usize) -> Option<Site> {
    let bytes = text.as_bytes();
    let before = &text[..name.start];
    if at > closed && before.ends_with('-') {
        let site = quoted(text, at).or_else(|| bare(text, at))?;
        let is_flag = text.as_bytes()[site.span.start] == b'-';
        return (!is_flag).then_some(Site {
            form: Form::Setting,
            ..site
        });
    }
    let line = line_before(text, name.start).trim();
    // Routers write how the value is hidden before it: `secret 0 …`.
    let is_digit = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_digit);
    let at = match is_digit(bytes.get(at)) && bytes.get(at + 1) == Some(&b' ') {
        true => at + 2,
        false => at,
    };
    if at > closed && is_setter(line) {
        let site = quoted(text, at).or_else(|| bare(text, at))?;
        let rest = line_after(text, site.span.end).trim_matches(['"', '\'']);
        if rest.trim().is_empty()
            || rest.trim_start().starts_with('/')
            || line.ends_with("login")
            || line.contains("login ")
        {
            return Some(Site {
                form: Form::Setting,
                ..site
            });
        }
    }
    if let Some(site) = paired(text, closed) {
        return Some(site);
    }
    if let Some(site) = linked(text, at).filter(|_| at > closed) {
        return Some(site);
    }
    if at >= closed + 2 || bytes.get(closed) == Some(&b'\t') {
        // Columns: `NAME    value`.
        return bare(text, at).map(|site| Site {
            form: Form::Spoken,
            ..site
        });
    }
    nearby(text, at)
}

/// What a line begins with where a blank sets a value.
fn is_setter(line: &str) -> bool {
    let line = line
        .trim_start_matches(['$', '#', '>', '+', '-', '|'])
        .trim_start();
    const SETTERS: &[&str] = &[
        "",
        "ENV",
        "ARG",
        "set",
        "setx",
        "export",
        "set -x",
        "set -gx",
        "requirepass",
        "masterauth",
        "enable",
    ];
    SETTERS.contains(&line)
        || [
            "machine ",
            "login ",
            "user ",
            "default login",
            "npm config set",
            "aws configure set",
            "git config",
            "config set",
            "kv put ",
            "etcdctl put ",
            "nmcli ",
            "username ",
        ]
        .iter()
        .any(|start| line.starts_with(start) || line.contains(start))
}

/// Past what may close a name: `"]`, `\"`, `**`, `` ` ``. Whether a quote was among it.
pub(super) fn closings(bytes: &[u8], at: usize) -> (usize, bool) {
    let end = skip(bytes, at, |byte| {
        matches!(byte, b'\\' | b'"' | b'\'' | b'`' | b']' | b'*')
    })
    .min(at + 12);
    let was_quoted = bytes[at..end]
        .iter()
        .any(|byte| matches!(byte, b'"' | b'\'' | b'`'));
    // A backslash alone is the `\n` or `\t` after a name, not its end.
    if bytes[at..end].last() == Some(&b'\\') && !was_quoted {
        return (at, false);
    }
    (end, was_quoted)
}

/// Past a type between `:` and `=`, as in `let token: &str = "…"`.
fn past_type(text: &str, from: usize) -> usize {
    let rest = &text[from..];
    let line = rest.char_indices().take(48).take_while(|(_, c)| *c != '\n');
    for (at, c) in line {
        match c {
            '=' if at > 0 && !rest[at..].starts_with("==") => {
                let after = skip(text.as_bytes(), from + at + 1, |byte| byte == b' ');
                return if is_type(rest[..at].trim_end()) {
                    after
                } else {
                    from
                };
            }
            c if c.is_alphanumeric() || "<>[]&' _|?:".contains(c) => {}
            _ => return from,
        }
    }
    from
}

fn is_type(word: &str) -> bool {
    const TYPES: &[&str] = &["str", "string", "char", "bytes", "secret", "any", "text"];
    let lower = word.to_ascii_lowercase();
    TYPES.iter().any(|name| lower.contains(name)) && word.len() <= 32
}

/// A value between quotes, which may be escaped and have a prefix: `"…"`, `\"…\"`, `f'…'`.
pub(super) fn quoted(text: &str, from: usize) -> Option<Site> {
    let bytes = text.as_bytes();
    let mut at = from;
    if matches!(bytes.get(at), Some(b'b' | b'f' | b'r' | b'u' | b'@' | b'$'))
        && matches!(bytes.get(at + 1), Some(b'"' | b'\''))
    {
        at += 1;
    }
    let slashes = skip(bytes, at, |byte| byte == b'\\') - at;
    let quote = *bytes.get(at + slashes)?;
    if !matches!(quote, b'"' | b'\'' | b'`') || slashes > 7 {
        return None;
    }
    let start = at + slashes + 1;
    let mut end = start;
    let mut escapes = 0;
    while let Some(byte) = bytes.get(end).filter(|_| end - start < LONGEST) {
        match byte {
            b'\n' => break,
            b'\\' => escapes += 1,
            _ if *byte == quote && escapes <= slashes => break,
            _ => escapes = 0,
        }
        end += 1;
    }
    // The backslashes before the closing quote belong to it.
    if bytes.get(end) == Some(&quote) {
        end -= slashes.min(escapes);
    }
    (end > start && text.is_char_boundary(end)).then_some(Site {
        span: start..end,
        form: Form::Quoted,
    })
}

/// A value without quotes: up to a blank or a sign that ends it.
pub(super) fn bare(text: &str, from: usize) -> Option<Site> {
    let rest = text.get(from..)?;
    let ends = |c: char| {
        c.is_whitespace()
            || matches!(
                c,
                '"' | '\''
                    | '`'
                    | '<'
                    | '>'
                    | '('
                    | ')'
                    | '['
                    | ']'
                    | '{'
                    | '}'
                    | ','
                    | ';'
                    | '&'
                    | '|'
                    | '\\'
                    | '…'
            )
    };
    let len = rest
        .char_indices()
        .take(LONGEST)
        .find(|(_, c)| ends(*c))
        .map_or_else(
            || {
                rest.char_indices()
                    .nth(LONGEST)
                    .map_or(rest.len(), |(at, _)| at)
            },
            |(at, _)| at,
        );
    let value = rest[..len].trim_end_matches(['.', ':', '!', '?', '*']);
    // What ends a sentence may also end a password, if it is the line's last character as well.
    (!value.is_empty()).then_some(Site {
        span: from..from + value.len(),
        form: Form::Bare,
    })
}

/// A line that sets one value and says nothing else: `export KEY=…`, `key: …`. Here the value
/// reaches to the line's end, whatever signs are in it.
fn setting(text: &str, name: &Range<usize>, from: usize) -> Option<Site> {
    let line = line_before(text, name.start);
    let start = line.trim_start_matches(|c: char| {
        c.is_whitespace()
            || c.is_ascii_digit()
            || matches!(c, '+' | '-' | '>' | '|' | '$' | '#' | '→' | ':')
    });
    if !matches!(
        start.trim_end(),
        "" | "export"
            | "set"
            | "ENV"
            | "env"
            | "ARG"
            | "declare -x"
            | "SetEnv"
            | "Environment="
            | "-e"
    ) {
        return None;
    }
    text.get(from..)?;
    let line = line_after(text, from).trim_end();
    let value = line.trim_end_matches([',', ';']);
    if value.is_empty()
        || value.len() > LONGEST
        || value.contains(|c: char| c.is_whitespace() || matches!(c, '"' | '\\'))
    {
        return None;
    }
    if is_call(value) || value.ends_with(['{', '[', '(', '>']) || value.ends_with("')") {
        return None;
    }
    Some(Site {
        span: from..from + value.len(),
        form: Form::Setting,
    })
}

/// `getToken()`, `tokens[0]`: code.
fn is_call(value: &str) -> bool {
    let name = value.find(|c: char| !(c.is_ascii_alphanumeric() || "_$.:!?".contains(c)));
    name.is_some_and(|at| {
        at > 0 && value[at..].starts_with(['(', '[', '{']) && value.contains([')', ']', '}'])
    })
}

pub(super) fn blanks(bytes: &[u8], at: usize) -> usize {
    skip(bytes, at, |byte| matches!(byte, b' ' | b'\t')).min(at + 64)
}

/// The first place from `at` on whose byte does not satisfy `is`.
pub(super) fn skip(bytes: &[u8], at: usize, is: impl Fn(u8) -> bool) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    at + rest.iter().take_while(|byte| is(**byte)).count()
}
