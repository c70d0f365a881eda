//! Credentials in headers: `Authorization` whole, whatever its scheme, and cookies.

use std::ops::Range;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::lines::{line_before, line_end};
use super::looks::{is_random, starts_alone};
use super::placeholders::{is_placeholder, is_reference};
use super::words::is_wordy;

/// What schemes are looked for in every text, also without their header.
pub(super) const SCHEMES: &[&str] = &["bearer ", "bearer%20", "basic ", "basic%20"];

/// Schemes whose credentials are one word.
const ONE_WORD: &[&str] = &[
    "bearer",
    "basic",
    "token",
    "apikey",
    "api-key",
    "key",
    "negotiate",
    "ntlm",
    "ssws",
    "bot",
    "geniekey",
    "splunk",
    "jwt",
    "oauth2",
    "dpop",
    "privatetoken",
    "zoho-oauthtoken",
    "sso-key",
    "discogs",
    "client-id",
    "klaviyo-api-key",
    "notary",
];

/// Schemes whose credentials are a list.
const LISTS: &[&str] = &[
    "digest",
    "oauth",
    "hawk",
    "mac",
    "signature",
    "aws4-hmac-sha256",
    "sharedkey",
    "hmac",
    "vapid",
];

/// The credentials after `Authorization:`, `"Authorization": "` and the like; `from` is where the
/// header's value begins, after a quote if it has one.
pub(super) fn authorization(text: &str, from: usize) -> Option<Range<usize>> {
    let value = &text[from..line_end(text, from)];
    let scheme_len = value
        .find(|c: char| !(c.is_ascii_alphanumeric() || c == '-'))
        .unwrap_or(value.len());
    let scheme = value[..scheme_len].to_ascii_lowercase();
    let rest = &value[scheme_len..];
    let blank = rest.len() - rest.trim_start_matches([' ', '\t']).len();
    let blank = if rest.starts_with("%20") { 3 } else { blank };
    let start = from + scheme_len + blank;
    if blank > 0 && LISTS.contains(&scheme.as_str()) {
        let end = list_end(text, start);
        return is_credential(&text[start..end], 12).then_some(start..end);
    }
    let is_one = blank > 0 && ONE_WORD.contains(&scheme.as_str());
    let start = if is_one { start } else { from };
    let end = word_end(text, start);
    let word = &text[start..end];
    let is_good = if scheme == "basic" && is_one {
        is_basic(word)
    } else {
        is_credential(word, 8) && !is_wordy(word)
    };
    is_good.then_some(start..end)
}

/// The credentials after a scheme that stands without its header.
pub(super) fn after_scheme(text: &str, scheme: &Range<usize>) -> Option<Range<usize>> {
    if !starts_alone(text, scheme.start) {
        return None;
    }
    let start = scheme.end;
    let end = word_end(text, start);
    let word = &text[start..end];
    let is_good = if text[scheme.clone()]
        .to_ascii_lowercase()
        .starts_with("basic")
    {
        word.len() >= 8 && is_pair(word)
    } else {
        word.len() >= 16 && is_random(word) && is_credential(word, 16)
    };
    is_good.then_some(start..end)
}

/// Whether base64 stands for a name and a password that is no placeholder.
pub(super) fn is_pair(word: &str) -> bool {
    let word = word.trim_end_matches('=');
    let decoded = STANDARD.decode(format!("{word}{}", "=".repeat((4 - word.len() % 4) % 4)));
    let Some(text) = decoded.ok().and_then(|bytes| String::from_utf8(bytes).ok()) else {
        return false;
    };
    text.split_once(':').is_some_and(|(_, password)| {
        !is_placeholder(password) && !is_reference(password) && !password.contains(char::is_control)
    })
}

/// After `Basic`, whatever is long and no placeholder is credentials; what can be read must hold
/// a password that is none.
fn is_basic(word: &str) -> bool {
    is_pair(word) || (is_credential(word, 12) && is_random(word) && STANDARD.decode(word).is_err())
}

fn is_credential(word: &str, least: usize) -> bool {
    let is_text = !word.contains(|c: char| c.is_control() || c == '\u{fffd}');
    word.len() >= least && is_text && !is_placeholder(word) && !is_reference(word)
}

/// The values of the cookies after `Cookie:` and `Set-Cookie:`, and where the list of them ends;
/// `from` is where the header's value begins.
pub(super) fn cookies(text: &str, from: usize) -> (Vec<Range<usize>>, usize) {
    const ATTRIBUTES: &[&str] = &[
        "path",
        "domain",
        "expires",
        "max-age",
        "samesite",
        "secure",
        "httponly",
        "partitioned",
        "priority",
        "comment",
        "version",
    ];
    let end = list_end(text, from);
    let mut found = Vec::new();
    let mut at = from;
    for pair in text[from..end].split(';') {
        let begin = at;
        at += pair.len() + 1;
        let Some((name, value)) = pair.split_once('=') else {
            continue;
        };
        if ATTRIBUTES.contains(&name.trim().to_ascii_lowercase().as_str()) {
            continue;
        }
        let start = begin + name.len() + 1;
        let stop = value.find([' ', ',']).unwrap_or(value.len());
        let value = &value[..stop];
        if value.len() >= 8 && is_credential(value, 8) && !is_wordy(value) {
            found.push(start..start + value.len());
        }
    }
    (found, end)
}

/// The value of a line in a browser's cookie file: seven columns, the last of which is the value.
pub(super) fn in_jar(text: &str, sign: &Range<usize>) -> Option<Range<usize>> {
    let start = sign.start - line_before(text, sign.start).len();
    let end = line_end(text, sign.start);
    let columns: Vec<&str> = text[start..end].split('\t').collect();
    let value = columns
        .last()
        .filter(|_| columns.len() == 7)?
        .trim_end_matches('\r');
    let at = start
        + columns[..6]
            .iter()
            .map(|column| column.len() + 1)
            .sum::<usize>();
    (is_credential(value, 8) && !is_wordy(value)).then(|| at..at + value.len())
}

/// Where a list of credentials ends: at a quote that is not inside it, at the line's end.
fn list_end(text: &str, from: usize) -> usize {
    let line = &text[from..line_end(text, from)];
    let mut after_sign = false;
    let mut is_inside = false;
    for (at, c) in line.char_indices() {
        match c {
            '"' if is_inside => is_inside = false,
            '"' if after_sign => is_inside = true,
            '"' | '\'' | '`' | '<' => return from + at,
            '\\' if !is_inside && line[at + 1..].starts_with(['n', 'r', '"']) => return from + at,
            _ => {}
        }
        after_sign = c == '=';
    }
    from + line.trim_end().len()
}

fn word_end(text: &str, from: usize) -> usize {
    let line = &text[from..line_end(text, from)];
    let end = line.find(|c: char| c.is_whitespace() || "\"'`<>(),;{}[]|\\&".contains(c));
    let end = from + end.unwrap_or(line.len());
    from + text[from..end]
        .trim_end_matches(['.', ':', '*', '!', '?'])
        .len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn credentials<'t>(text: &'t str, header: &str) -> Option<&'t str> {
        let from = text.find(header).map(|at| at + header.len())?;
        authorization(text, from).map(|span| &text[span])
    }

    #[test]
    fn all_schemes_are_known_and_the_whole_credentials_go() {
        let token = "kT9vLq2xPzR4mW8sB6";
        for scheme in [
            "Bearer ", "bearer ", "Token ", "token ", "", "Bot ", "ApiKey ",
        ] {
            let text = format!("Authorization: {scheme}{token}\" https://x");
            assert_eq!(
                credentials(&text, "Authorization: "),
                Some(token),
                "{scheme}"
            );
        }
        let text = "Authorization: Digest username=\"a\", response=\"0a1b2c3d4e5f\"\nAccept: x";
        assert_eq!(
            credentials(text, "Authorization: "),
            Some("username=\"a\", response=\"0a1b2c3d4e5f\"")
        );
    }

    #[test]
    fn placeholders_and_words_stay() {
        for value in [
            "Bearer <token>",
            "Bearer $TOKEN",
            "Bearer ${token}",
            "Bearer token",
            "Basic dXNlcjpwYXNzd29yZA==",
            "keyVaultReference",
        ] {
            assert_eq!(
                credentials(&format!("Authorization: {value}"), "Authorization: "),
                None,
                "{value}"
            );
        }
        assert!(is_pair("YWRtaW46V2ludGVyMjAyNSFr"));
    }

    #[test]
    fn cookies_lose_their_values_and_keep_their_names() {
        let text = "a=1; sessionid=9f8a7c6b5d4e3f2a1b0c; theme=dark; Path=/; sid=s%3AkT9vLq2xPzR4";
        let values: Vec<_> = cookies(text, 0)
            .0
            .into_iter()
            .map(|span| &text[span])
            .collect();
        assert_eq!(values, ["9f8a7c6b5d4e3f2a1b0c", "s%3AkT9vLq2xPzR4"]);
        let jar = ".example.com\tTRUE\t/\tTRUE\t1893456000\tsid\t9f8a7c6b5d4e3f2a\n";
        let sign = jar.find("\tTRUE\t").map(|at| at..at + 6).expect("there");
        assert_eq!(
            in_jar(jar, &sign).map(|span| &jar[span]),
            Some("9f8a7c6b5d4e3f2a")
        );
    }
}
