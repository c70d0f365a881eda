//! Names and values that stand in two places beside each other: the fields of an object, the
//! elements and attributes of markup, the block of a YAML scalar.

use std::ops::Range;

use super::assigned::{Form, Site, bare, blanks, closings, quoted, skip};
use super::lines::line_end;
use super::shapes::floor;

/// Keys under which objects keep what their `name` or `key` names.
const VALUES: &[&str] = &[
    "value",
    "content",
    "parametervalue",
    "defaultvalue",
    "secretstring",
];

/// How far apart the two fields of one object can be.
const FIELDS: usize = 200;

/// The value that stands beside a name without a sign between them.
pub(super) fn beside(text: &str, name: &Range<usize>) -> Option<Site> {
    let bytes = text.as_bytes();
    let (closed, was_quoted) = closings(bytes, name.end);
    match bytes.get(closed) {
        Some(b'<') => return element(text, closed),
        Some(b'>') => return content(text, closed + 1),
        _ => {}
    }
    if was_quoted
        && is_value_of(text, name.start, b"name")
        && let Some(site) = attribute(text, closed)
    {
        return Some(site);
    }
    let sign = blanks(bytes, closed);
    if let Some(rest) = text.get(sign..)
        && let Some(rest) = rest.strip_prefix(['│', '┃', '║'])
    {
        let site = bare(text, blanks(bytes, text.len() - rest.len()))?;
        let value = &text[site.span.clone()];
        let len = value.find(['│', '┃', '║']).unwrap_or(value.len());
        return (len > 0).then(|| Site {
            span: site.span.start..site.span.start + len,
            ..site
        });
    }
    if matches!(bytes.get(sign), Some(b':' | b'=')) {
        let from = skip(bytes, sign, |byte| matches!(byte, b':' | b'='));
        let arrow = from > sign && bytes[from - 1] == b'=' && bytes.get(from) == Some(&b'>');
        let from = blanks(bytes, from + usize::from(arrow));
        if arrow && bytes[from..].starts_with(b"\n") {
            return dumped(text, from);
        }
        return match bytes.get(from)? {
            b'{' => in_object(text, from + 1),
            b'|' | b'>' => block(text, from),
            b'&' | b'!' => tagged(text, from),
            b'N' if bytes.get(from + 1) == Some(&b'\'') => quoted(text, from + 1),
            b'"' if bytes[from..].starts_with(b"\"\"\"") => {
                quoted(text, from + 2).filter(|site| text[site.span.end..].starts_with("\"\"\""))
            }
            _ => None,
        };
    }
    let field = field_of(text, name.start)?;
    later_field(text, closed).or_else(|| earlier_field(text, field))
}

/// What PHP prints below the name of a field: `["password"]=>⏎  string(18) "…"`.
fn dumped(text: &str, from: usize) -> Option<Site> {
    let bytes = text.as_bytes();
    let at = skip(bytes, from, |byte| byte.is_ascii_whitespace()).min(from + FIELDS);
    let rest = text.get(at..)?.strip_prefix("string(")?;
    let (length, rest) = rest.split_once(") ")?;
    let is_length = !length.is_empty() && length.bytes().all(|byte| byte.is_ascii_digit());
    is_length.then(|| quoted(text, text.len() - rest.len()))?
}

/// `- name: KEY⏎  value: …`, `{"name": "KEY", "value": "…"}`, `name="KEY" value="…"`.
pub(super) fn paired(text: &str, closed: usize) -> Option<Site> {
    let bytes = text.as_bytes();
    let at = skip(bytes, closed, |byte| {
        matches!(
            byte,
            b' ' | b'\t' | b'\r' | b'\n' | b',' | b'"' | b'\'' | b'\\' | b'n'
        )
    });
    value_field(text, at.min(closed + 64))
}

/// The value of a field such as `value: …` that begins here.
fn value_field(text: &str, at: usize) -> Option<Site> {
    let bytes = text.as_bytes();
    let word = VALUES.iter().find(|word| {
        bytes
            .get(at..at + word.len())
            .is_some_and(|there| there.eq_ignore_ascii_case(word.as_bytes()))
    })?;
    let (end, _) = closings(bytes, at + word.len());
    let sign = blanks(bytes, end);
    if !matches!(bytes.get(sign), Some(b':' | b'=')) {
        return None;
    }
    let from = blanks(bytes, sign + 1);
    quoted(text, from)
        .or_else(|| bare(text, from))
        .map(|site| Site {
            form: Form::Quoted,
            ..site
        })
}

/// Where the key begins whose value the name is, or ends with: `"key": "NAME"`, `Name: /a/NAME`.
fn field_of(text: &str, name: usize) -> Option<usize> {
    const NAMES: &[&[u8]] = &[b"name", b"key", b"variable", b"field", b"id"];
    let bytes = &text.as_bytes()[..name];
    let part = |byte: &u8| byte.is_ascii_alphanumeric() || b"/._-:".contains(byte);
    let path = bytes.iter().rev().take(80);
    let path = path.take_while(|byte| part(byte)).count();
    NAMES
        .iter()
        .find_map(|key| key_before(&bytes[..name - path], key))
}

fn is_value_of(text: &str, name: usize, key: &[u8]) -> bool {
    key_before(&text.as_bytes()[..name], key).is_some()
}

/// Where this key begins, if a text ends with it, its sign and the beginning of its value.
fn key_before(bytes: &[u8], key: &[u8]) -> Option<usize> {
    let back = |end: usize, is: fn(&u8) -> bool| {
        end - bytes[..end]
            .iter()
            .rev()
            .take(16)
            .take_while(|byte| is(byte))
            .count()
    };
    let is_quote = |byte: &u8| matches!(byte, b'"' | b'\'' | b'\\');
    let sign = back(bytes.len(), |byte| {
        matches!(byte, b'"' | b'\'' | b'\\' | b' ' | b'\t')
    });
    let end = sign.checked_sub(1)?;
    if !matches!(bytes[end], b':' | b'=') {
        return None;
    }
    let end = back(back(end, |byte| *byte == b' '), is_quote);
    let start = end.checked_sub(key.len())?;
    let alone = start == 0 || !bytes[start - 1].is_ascii_alphanumeric();
    (alone && bytes[start..end].eq_ignore_ascii_case(key)).then(|| back(start, is_quote))
}

/// A field `value` a little later in the same object.
fn later_field(text: &str, closed: usize) -> Option<Site> {
    let rest = &text[closed..floor(text, closed + FIELDS)];
    let end = rest.find(['{', '}', '[', ']']).unwrap_or(rest.len());
    let starts = rest[..end].match_indices([',', '\n', ' ']).take(16);
    starts
        .filter_map(|(at, _)| paired(text, closed + at))
        .next()
}

/// A field `value` a little before in the same object, which begins at `field`.
fn earlier_field(text: &str, field: usize) -> Option<Site> {
    let mut from = field.saturating_sub(FIELDS * 4);
    while !text.is_char_boundary(from) {
        from += 1;
    }
    let before = &text[from..field];
    let before = &before[before.rfind(['{', '}'])? + 1..];
    let at = field - before.len();
    let site = paired(text, at)?;
    let between = text.get(site.span.end..field)?;
    (between.len() <= FIELDS && !between.contains('\n') || between.trim().len() <= 3)
        .then_some(site)
}

/// The field `value` of the object that a name is given: `"NAME": {"type": …, "value": "…"}`.
fn in_object(text: &str, from: usize) -> Option<Site> {
    paired(text, from).or_else(|| later_field(text, from))
}

/// `<key>NAME</key>⏎<string>…</string>`, `<name>NAME</name><value>…</value>`.
fn element(text: &str, at: usize) -> Option<Site> {
    const NAMES: &[&str] = &["key", "name", "param-name", "dt", "td", "th"];
    let bytes = text.as_bytes();
    let rest = text[at..].strip_prefix("</")?;
    let tag = &rest[..rest.as_bytes().iter().take(16).position(|b| *b == b'>')?];
    if !NAMES.contains(&tag) {
        return None;
    }
    let next = skip(bytes, at + 3 + tag.len(), |byte| byte.is_ascii_whitespace());
    let inner = text.get(next..)?.strip_prefix('<')?;
    let close = inner
        .as_bytes()
        .iter()
        .take(FIELDS)
        .position(|byte| matches!(byte, b'>' | b'<' | b'/'))?;
    if inner.as_bytes()[close] != b'>' {
        return None;
    }
    let site = content(text, next + close + 2)?;
    let form = if matches!(tag, "dt" | "td" | "th") {
        Form::Spoken
    } else {
        site.form
    };
    Some(Site { form, ..site })
}

/// `name="NAME" translatable="false">…</string>`.
fn attribute(text: &str, closed: usize) -> Option<Site> {
    let rest = &text.as_bytes()[closed..];
    let end = rest
        .iter()
        .take(FIELDS)
        .position(|byte| matches!(byte, b'>' | b'<' | b'\n'))?;
    (rest[end] == b'>')
        .then(|| content(text, closed + end + 1))
        .flatten()
}

/// All that an element holds, if it is one word.
fn content(text: &str, from: usize) -> Option<Site> {
    let bytes = text.as_bytes();
    let start = skip(bytes, from, |byte| byte.is_ascii_whitespace()).min(from + 64);
    let rest = bytes.get(start..)?;
    let len = rest
        .iter()
        .take(4_096)
        .position(|byte| *byte == b'<' || byte.is_ascii_whitespace())?;
    let end = skip(bytes, start + len, |byte| byte.is_ascii_whitespace());
    (len > 0 && bytes[end..].starts_with(b"</")).then(|| Site {
        span: start..start + len,
        form: Form::Quoted,
    })
}

/// The only word of a block: `key: |⏎  …`.
fn block(text: &str, from: usize) -> Option<Site> {
    let bytes = text.as_bytes();
    let mark = skip(bytes, from + 1, |byte| {
        matches!(byte, b'+' | b'-' | b'0'..=b'9' | b'\r')
    });
    if bytes.get(mark) != Some(&b'\n') || mark > from + 4 {
        return None;
    }
    let start = skip(bytes, mark + 1, |byte| byte == b' ').min(mark + 64);
    let line = text.get(start..line_end(text, start))?.trim_end();
    (start > mark + 1 && !line.is_empty() && !line.contains(char::is_whitespace)).then(|| Site {
        span: start..start + line.len(),
        form: Form::Bare,
    })
}

/// Past the anchor or tag of a YAML value: `&name …`, `!!str …`.
fn tagged(text: &str, from: usize) -> Option<Site> {
    let bytes = text.as_bytes();
    let word = skip(bytes, from + 1, |byte| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'!' | b'_' | b'-')
    });
    if word == from + 1 || bytes.get(word) != Some(&b' ') {
        return None;
    }
    let at = blanks(bytes, word);
    quoted(text, at).or_else(|| bare(text, at))
}

#[cfg(test)]
mod tests {
    use super::*;

    const V: &str = "kT9vLq2xPzR4mW8s";

    fn found(text: &str, name: &str) -> Option<String> {
        let text = text.replace('@', V);
        let at = text.find(name).expect("the name stands there");
        beside(&text, &(at..at + name.len())).map(|site| text[site.span].to_owned())
    }

    #[test]
    fn a_value_in_another_field_is_found() {
        for (text, name) in [
            (r#"{"value": "@", "key": "api_key"}"#, "api_key"),
            (
                r#"{"Name":"/prod/db/password","Type":"SecureString","Value":"@"}"#,
                "password",
            ),
            (
                "\"db_password\": {\n  \"sensitive\": true,\n  \"type\": \"string\",\n  \"value\": \"@\"\n}",
                "db_password",
            ),
            (r#"<add key="apiKey" note="x" value="@" />"#, "apiKey"),
            ("┃ client_secret ┃ @ ┃", "client_secret"),
        ] {
            assert_eq!(found(text, name).as_deref(), Some(V), "{text}");
        }
    }

    #[test]
    fn a_value_in_another_element_is_found() {
        for (text, name) in [
            ("<key>APIToken</key>\n\t<string>@</string>", "APIToken"),
            ("<name>apiSecret</name><value>@</value>", "apiSecret"),
            ("<string name=\"api_key\" x=\"y\">@</string>", "api_key"),
            ("<Password>\n  @\n</Password>", "Password"),
        ] {
            assert_eq!(found(text, name).as_deref(), Some(V), "{text}");
        }
    }

    #[test]
    fn the_word_of_a_block_is_found() {
        for text in [
            "password: |\n  @\nuser: x",
            "password: >-\n    @",
            "password: &pw @\nb: *pw",
            "password: !!str @",
            "password = \"\"\"@\"\"\"",
            "PASSWORD = N'@'"
                .to_lowercase()
                .replace("n'", "N'")
                .as_str(),
        ] {
            assert_eq!(found(text, "password").as_deref(), Some(V), "{text}");
        }
    }

    #[test]
    fn what_belongs_to_another_name_stays() {
        for (text, name) in [
            (r#"{"key": "api_key"}, {"value": "@"}"#, "api_key"),
            (
                "<key>PasswordPolicy</key>\n<dict><x>@</x>",
                "PasswordPolicy",
            ),
            ("<p>password</p><p>@</p>", "password"),
            ("password: |\n  The words of it: @", "password"),
            ("password: |\n@", "password"),
            (
                "{ password: { type: String }, other: { value: '@' } }",
                "password",
            ),
        ] {
            assert_eq!(found(text, name), None, "{text}");
        }
    }
}
