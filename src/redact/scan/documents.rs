//! Documents that say of themselves that they hold secrets, under names that do not tell: web
//! keys, Kubernetes secrets, what Terraform made up.

use std::ops::Range;

use super::assigned::{Form, Site, bare, blanks, closings, quoted, skip};
use super::lines::line_end;
use super::looks::is_random;
use super::placeholders::{is_placeholder, is_reference};
use super::shapes::floor;

/// What such a document has in it, with what is secret then.
pub(super) struct Document {
    /// What it is found by, in any letter case.
    pub(super) sign: &'static str,
    /// The kind of its secrets.
    pub(super) kind: &'static str,
    holds: Holds,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Holds {
    /// Secrets under these keys of the same object.
    Keys(&'static [&'static str]),
    /// Secrets under all keys of its `data` and `stringData`.
    Data,
}

const JWK: &[&str] = &["d", "p", "q", "dp", "dq", "qi", "k"];
const MADE: &[&str] = &["result", "hex", "b64_std", "private_key_pem", "secret"];

const fn document(sign: &'static str, kind: &'static str, holds: Holds) -> Document {
    Document { sign, kind, holds }
}

/// The documents.
pub(super) const DOCUMENTS: &[Document] = &[
    document("\"kty\"", "private-key", Holds::Keys(JWK)),
    document("\"random_password\"", "password", Holds::Keys(MADE)),
    document("\"tls_private_key\"", "private-key", Holds::Keys(MADE)),
    document("kind: secret", "secret", Holds::Data),
    document("\"kind\":\"secret\"", "secret", Holds::Data),
    document("\"kind\": \"secret\"", "secret", Holds::Data),
];

/// How far around its sign a document is looked at.
const AROUND: usize = 8_192;

/// The secrets of the document whose sign stands here.
pub(super) fn secrets(text: &str, document: &Document, sign: &Range<usize>) -> Vec<Range<usize>> {
    let window = around(text, sign);
    match document.holds {
        Holds::Keys(keys) => under_keys(text, window, keys),
        Holds::Data => {
            let after = text[sign.end..].bytes().next();
            let is_whole = after.is_none_or(|byte| !byte.is_ascii_alphanumeric());
            if is_whole {
                in_data(text, window)
            } else {
                Vec::new()
            }
        }
    }
}

/// The stretch that can belong to the same document: between `---`, and not past other kinds.
fn around(text: &str, sign: &Range<usize>) -> Range<usize> {
    let from = floor(text, sign.start.saturating_sub(AROUND));
    let from = text[from..sign.start]
        .rfind("\n---")
        .map_or(from, |at| from + at + 4);
    let to = floor(text, sign.end + AROUND);
    let to = text[sign.end..to]
        .find("\n---")
        .map_or(to, |at| sign.end + at);
    from..to
}

fn under_keys(text: &str, window: Range<usize>, keys: &[&str]) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let colons = memchr::memchr_iter(b':', &bytes[window.clone()]).map(|at| window.start + at);
    for colon in colons.take(400) {
        let before = text[window.start..colon].trim_end_matches(['"', '\\', ' ']);
        let len = before
            .bytes()
            .rev()
            .take(24)
            .take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
            .count();
        if !keys.contains(&&before[before.len() - len..]) {
            continue;
        }
        if let Some(site) = quoted(text, blanks(bytes, colon + 1)) {
            let value = &text[site.span.clone()];
            if value.len() >= 16 && is_random(&value[..floor(value, 256)]) {
                found.push(site.span);
            }
        }
    }
    found
}

/// The values under `data` and `stringData`, as YAML and JSON write them.
fn in_data(text: &str, window: Range<usize>) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for word in ["data", "stringData"] {
        for (at, _) in text[window.clone()].match_indices(word).take(8) {
            let start = window.start + at;
            let before = text[..start].chars().next_back();
            if before.is_none_or(|c| !c.is_alphanumeric() && c != '.' && c != '-') {
                found.extend(values(text, start + word.len(), window.end));
            }
        }
    }
    found
}

/// The values of the map that begins after its name.
fn values(text: &str, from: usize, to: usize) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let (closed, _) = closings(bytes, from);
    let sign = blanks(bytes, closed);
    if bytes.get(sign) != Some(&b':') {
        return Vec::new();
    }
    let start = skip(bytes, sign + 1, |byte| byte.is_ascii_whitespace());
    if bytes.get(start) == Some(&b'{') {
        let end = text[start..to].find('}').map_or(to, |at| start + at);
        return pairs(text, start + 1..end);
    }
    // The lines that are indented more than the name is.
    let line = text[..from].rfind('\n').map_or(0, |at| at + 1);
    let indent = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let own = indent(&text[line..from]);
    let mut at = line_end(text, from) + 1;
    let mut found = Vec::new();
    while at < to {
        let end = line_end(text, at).min(to);
        let body = &text[at..end];
        if !body.trim().is_empty() {
            if indent(body) <= own {
                break;
            }
            found.extend(pairs(text, at..end));
        }
        at = end + 1;
    }
    found
}

/// The values of `name: value` in a stretch.
fn pairs(text: &str, stretch: Range<usize>) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = stretch.start;
    while let Some(colon) = memchr::memchr(b':', &bytes[at.min(stretch.end)..stretch.end]) {
        let from = blanks(bytes, at + colon + 1);
        let site = quoted(text, from).or_else(|| word(text, from, stretch.end));
        let Some(site) = site else {
            at = at + colon + 1;
            continue;
        };
        at = site.span.end;
        let value = &text[site.span.clone()];
        if value.len() >= 4 && !is_placeholder(value) && !is_reference(value) {
            found.push(site.span);
        }
    }
    found
}

fn word(text: &str, from: usize, to: usize) -> Option<Site> {
    let site = bare(text, from)?;
    // `=` ends base64 and is none of the signs that end a bare value.
    (site.span.end <= to).then_some(Site {
        form: Form::Quoted,
        ..site
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<&str> {
        let lower = text.to_ascii_lowercase();
        let documents = DOCUMENTS.iter().flat_map(|document| {
            let at = lower.find(document.sign);
            at.into_iter()
                .flat_map(move |at| secrets(text, document, &(at..at + document.sign.len())))
        });
        documents.map(|span| &text[span]).collect()
    }

    #[test]
    fn private_members_of_a_web_key_are_found_and_public_ones_stay() {
        let text = r#"{"kty":"EC","x":"Aa0Bb1Cc2Dd3Ee4Ff5Gg6","d":"kT9vLq2xPzR4mW8sB6nC7d4b"}"#;
        assert_eq!(found(text), ["kT9vLq2xPzR4mW8sB6nC7d4b"]);
        assert_eq!(
            found(r#"{"kty":"RSA","n":"Aa0Bb1Cc2Dd3Ee4Ff5Gg6","e":"AQAB"}"#),
            [""; 0]
        );
    }

    #[test]
    fn all_data_of_a_kubernetes_secret_is_found_wherever_its_kind_stands() {
        let yaml =
            "data:\n  uri: cG9zdGdyZXM=\n  pin: \"a1b2c3\"\nkind: Secret\n---\ndata:\n  x: other1";
        assert_eq!(found(yaml), ["cG9zdGdyZXM=", "a1b2c3"]);
        let json = r#"{"kind":"Secret","data":{"db":"Ukpka1duZnZE"},"type":"Opaque"}"#;
        assert_eq!(found(json), ["Ukpka1duZnZE"]);
        let other = "kind: SecretProviderClass\ndata:\n  x: abcdef12";
        assert_eq!(found(other), [""; 0]);
        assert_eq!(found("kind: ConfigMap\ndata:\n  x: abcdef12"), [""; 0]);
    }

    #[test]
    fn what_terraform_made_up_is_found() {
        let text = r#"{"type":"random_password","instances":[{"attributes":{"length":32,"result":"kT9vLq2xPzR4mW8s"}}]}"#;
        assert_eq!(found(text), ["kT9vLq2xPzR4mW8s"]);
    }
}
