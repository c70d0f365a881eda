//! What a telling name stands beside. A name is found once; every way in which a value can stand
//! by it gives its sites, and the first that holds a secret is taken.

use std::ops::Range;

use super::assigned::{Form, Site, value_after};
use super::headers;
use super::lines::line_before;
use super::names::{Telling, telling, with_words_before};
use super::pairs::beside;
use super::spoken::{phrase, said};
use super::tables::column;
use super::vocabulary::Level;
use super::worth::is_secret;

/// What was found by a name.
pub(super) struct ByName {
    /// The secrets with their kinds.
    pub(super) found: Vec<(Range<usize>, &'static str)>,
    /// Up to where there is nothing else to be seen.
    pub(super) end: usize,
}

/// The values of a telling name that are secrets.
pub(super) fn by_name(text: &str, name: &Range<usize>) -> ByName {
    let name = &with_words_before(text, name);
    let word = &text[name.clone()];
    let nothing = ByName {
        found: Vec::new(),
        end: name.end,
    };
    let ends = |end: &str| {
        let from = word.len().checked_sub(end.len());
        from.and_then(|from| word.get(from..))
            .is_some_and(|last| last.eq_ignore_ascii_case(end))
    };
    if ends("cookie") || ends("cookies") {
        let Some(site) = value_after(text, name) else {
            return nothing;
        };
        let (cookies, end) = headers::cookies(text, site.span.start);
        let found = cookies.into_iter().map(|span| (span, "cookie")).collect();
        return ByName { found, end };
    }
    if word.eq_ignore_ascii_case("code") {
        let span = code(text, name);
        return ByName {
            found: span.map(|span| (span, "code")).into_iter().collect(),
            ..nothing
        };
    }
    if let Some(span) = phrase(text, name) {
        let end = span.end;
        return ByName {
            found: vec![(span, "seed-phrase")],
            end,
        };
    }
    let by_itself = telling(word);
    // What tells only by its place says nothing in a sentence.
    let is_whole = by_itself.is_some();
    let Some(telling) = by_itself.or_else(|| told_by_place(text, name)) else {
        return nothing;
    };
    if telling.kind == "authorization" {
        let site = value_after(text, name);
        let span = site.and_then(|site| headers::authorization(text, site.span.start));
        return ByName {
            found: span.map(|span| (span, telling.kind)).into_iter().collect(),
            ..nothing
        };
    }
    if is_in_resource(text, name.start) {
        return nothing;
    }
    let is_one = |site: &Site| is_secret(text, site, telling.level, word);
    let site = value_after(text, name)
        .map(|site| without_scheme(text, site))
        .filter(is_one)
        .or_else(|| beside(text, name).filter(is_one))
        .or_else(|| said(text, name).filter(|site| is_whole && is_one(site)));
    if let Some(Site { span, .. }) = site {
        // A value before its name is behind; the search goes on after the name.
        let end = span.end.max(name.end);
        return ByName {
            found: vec![(span, telling.kind)],
            end,
        };
    }
    let cells = column(text, name).into_iter().filter(is_one);
    ByName {
        found: cells.map(|site| (site.span, telling.kind)).collect(),
        ..nothing
    }
}

/// Whether a name is a part of the name of a resource: `arn:aws:secretsmanager:…:secret:db-…`.
fn is_in_resource(text: &str, at: usize) -> bool {
    if !text[..at].ends_with([':', '/']) {
        return false;
    }
    let before = line_before(text, at);
    let word = before
        .rsplit(|c: char| c.is_whitespace() || "\"'`(=,".contains(c))
        .next();
    word.is_some_and(|word| word.starts_with("arn:"))
}

/// Words that tell only where they stand: `pass=` and `pass:`, a `key` of something that encrypts.
fn told_by_place(text: &str, name: &Range<usize>) -> Option<Telling> {
    let word = text[name.clone()].to_ascii_lowercase();
    let after = text[name.end..].trim_start_matches(['"', '\'']);
    match word.as_str() {
        "pass" | "pw" | "passe" if is_given(after) => Some(Telling {
            kind: "password",
            level: Level::Secret,
        }),
        "secret_id" | "secretid" => Some(Telling {
            kind: "secret",
            level: Level::Random,
        }),
        "key" if is_of_cipher(&text[..name.start]) => Some(Telling {
            kind: "key",
            level: Level::Certain,
        }),
        _ => None,
    }
}

/// Whether what stands behind a name gives it a value.
fn is_given(after: &str) -> bool {
    let after = after.trim_start_matches([' ', '\t']);
    after.starts_with([':', '=']) || after.starts_with("is ")
}

/// Whether the object that begins in the last of this text is one that a cipher is set up with:
/// `"Jwt": {`, `encryption:⏎`, `'crypt' => [`.
fn is_of_cipher(before: &str) -> bool {
    const OWNERS: &[&str] = &["jwt", "encryption", "crypt", "signing", "hmac", "cipher"];
    let mut from = before.len().saturating_sub(160);
    while !before.is_char_boundary(from) {
        from += 1;
    }
    let before = &before[from..];
    let owner = match before.rfind(['{', '[', '}', ']']) {
        Some(at) if before[at..].starts_with(['{', '[']) => &before[..at],
        Some(_) => return false,
        None => match before.trim_end_matches([' ', '"', '\'']).strip_suffix('\n') {
            Some(line) => line,
            None => return false,
        },
    };
    let owner = owner
        .trim_end_matches(|c: char| c.is_whitespace() || "\"':=>\\".contains(c))
        .to_ascii_lowercase();
    OWNERS.iter().any(|word| owner.ends_with(word))
}

/// The code that a sign-in page hands back in an address.
fn code(text: &str, name: &Range<usize>) -> Option<Range<usize>> {
    let is_query = text[..name.start].ends_with(['?', '&']);
    let site = value_after(text, name).filter(|_| is_query)?;
    is_secret(text, &site, Level::Certain, "code").then_some(site.span)
}

/// What a name tells of a value that a file has beside it as data: a key of JSON.
pub(crate) fn is_told(name: &str, value: &str) -> Option<&'static str> {
    // As a whole key these are no words of a text.
    let name = match name {
        "pass" | "pw" => "password",
        name => name,
    };
    let telling = telling(name)?;
    let site = Site {
        span: 0..value.len(),
        form: Form::Quoted,
    };
    if telling.kind == "authorization" {
        return headers::authorization(value, 0).map(|_| telling.kind);
    }
    is_secret(value, &site, telling.level, name).then_some(telling.kind)
}

/// The kind of what a name tells of; `None` for most names.
pub(crate) fn kind_of_name(name: &str) -> Option<&'static str> {
    telling(name).map(|telling| telling.kind)
}

/// A value under any name may begin with its scheme: `token: "Bearer …"`.
fn without_scheme(text: &str, site: Site) -> Site {
    let value = &text[site.span.clone()];
    let scheme = value.split_once(' ').filter(|(scheme, rest)| {
        ["bearer", "basic", "token"]
            .iter()
            .any(|known| scheme.eq_ignore_ascii_case(known))
            && !rest.contains(' ')
    });
    match scheme {
        Some((scheme, _)) => Site {
            span: site.span.start + scheme.len() + 1..site.span.end,
            ..site
        },
        None => site,
    }
}
