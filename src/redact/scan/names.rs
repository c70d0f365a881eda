//! Names that tell: `DB_PASSWORD`, `apiKey`, `X-Auth-Token`. From the last words of a name follows
//! whether its value is a secret, and how much the value must look like one.

/// What is looked for in every text, to find such names; each stands in at least one of the words
/// below.
pub(super) const SIGNS: &[&str] = &[
    "pass",
    "pwd",
    "_pw",
    "pw:",
    "pw=",
    "pw =",
    "pw is ",
    "secret",
    "token",
    "key",
    "auth",
    "cred",
    "psk",
    "bearer",
    "_pat",
    "jwt",
    "otp",
    "mnemonic",
    "seed",
    "kennwort",
    "contrase",
    "senha",
    "salt",
    "code=",
    "_sas",
    "wachtwoord",
    "parola",
    "rootpw",
    "\u{43f}\u{430}\u{440}\u{43e}\u{43b}\u{44c}",
    "\u{41f}\u{430}\u{440}\u{43e}\u{43b}\u{44c}",
    "密码",
    "密碼",
    "パスワード",
    "비밀번호",
];

use std::ops::Range;

use super::vocabulary::{HEADS, KEYS, Level, NO_TOKENS, TAILS, WHOLE_HEADS};

/// What a name tells of its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Telling {
    /// The kind, as the marker says it.
    pub(crate) kind: &'static str,
    /// What the value must look like.
    pub(crate) level: Level,
}

/// The name with the words before it that belong to it in a sentence or a list: `API key`,
/// `Secret access key`.
pub(crate) fn with_words_before(text: &str, name: &Range<usize>) -> Range<usize> {
    const LASTS: &[&str] = &["key", "token", "secret", "phrase", "password"];
    const BEFORE: &[&str] = &[
        "access",
        "account",
        "admin",
        "api",
        "auth",
        "client",
        "encryption",
        "licence",
        "license",
        "master",
        "private",
        "recovery",
        "secret",
        "seed",
        "service",
        "signing",
        "unseal",
    ];
    let mut start = name.start;
    if text[name.clone()].eq_ignore_ascii_case("passe") && text[..start].ends_with("mot de ") {
        return start - "mot de ".len()..name.end;
    }
    let is_one =
        |word: &str, list: &[&str]| list.iter().any(|known| word.eq_ignore_ascii_case(known));
    if !is_one(&text[name.clone()], LASTS) {
        return name.clone();
    }
    for _ in 0..2 {
        let Some(before) = text[..start].strip_suffix(' ') else {
            break;
        };
        let len = before
            .bytes()
            .rev()
            .take(12)
            .take_while(u8::is_ascii_alphabetic)
            .count();
        if !is_one(&before[before.len() - len..], BEFORE) {
            break;
        }
        start = before.len() - len;
    }
    start..name.end
}

/// What a name tells of its value; `None` for most names.
pub(crate) fn telling(name: &str) -> Option<Telling> {
    if name.len() < 2 || name.len() > 80 {
        return None;
    }
    let mut words = words(name);
    while let Some(last) = words.last() {
        let is_tail = words.len() > 1
            && (TAILS.contains(&last.as_str()) || last.bytes().all(|byte| byte.is_ascii_digit()));
        if !is_tail {
            break;
        }
        words.pop();
    }
    let last = words.last()?.trim_end_matches(|c: char| c.is_ascii_digit());
    let before = words
        .len()
        .checked_sub(2)
        .map_or("", |at| words[at].as_str());
    // `API_KEY`, and the names of headers: `Fastly-Key`.
    let is_header = name.contains('-')
        && name
            .split('-')
            .all(|word| word.starts_with(|c: char| c.is_ascii_uppercase()));
    let is_shouted = is_header || name.contains('_') && !name.contains(|c: char| c.is_lowercase());
    let head = WHOLE_HEADS
        .iter()
        .find(|head| head.word == last)
        .or_else(|| {
            HEADS
                .iter()
                .filter(|head| last.ends_with(head.word))
                .max_by_key(|head| head.word.len())
        })?;
    let mut telling = Telling {
        kind: head.kind,
        level: head.level,
    };
    match head.word {
        "key" if KEYS.contains(&before) => telling.kind = kind_of_key(before),
        "key" if is_shouted && !is_other_key(before) => telling.level = Level::Certain,
        "key" => return None,
        "token" if NO_TOKENS.contains(&before) => return None,
        "token" if last != "token" && !last.ends_with("authtoken") => {
            telling.level = Level::Certain
        }
        "token" if before == "access" || before == "refresh" => {
            telling.kind = if before == "access" {
                "access-token"
            } else {
                "refresh-token"
            };
        }
        // `pass` and its like are words of many other things.
        "pass" | "pw" | "pat" | "sas" | "cred"
            if words.len() < 2 && name.contains(|c: char| c.is_lowercase()) =>
        {
            return None;
        }
        "salt" if !is_shouted => return None,
        // `mot de passe` names a secret, `passe` by itself is a verb.
        "passe" if before != "de" => return None,
        "secret" if before == "client" => telling.kind = "client-secret",
        _ => {}
    }
    if matches!(telling.kind, "secret" | "access-key" | "secret-key" | "key")
        && words.first().is_some_and(|word| word == "aws")
    {
        telling.kind = "aws-secret-key";
    }
    Some(telling)
}

fn kind_of_key(before: &str) -> &'static str {
    match before {
        "secret" => "secret-key",
        "private" => "private-key",
        "access" => "access-key",
        "account" | "storage" => "account-key",
        "encryption" | "encrypt" | "aes" | "cipher" => "encryption-key",
        "signing" | "sign" | "hmac" | "jwt" => "signing-key",
        _ => "api-key",
    }
}

/// Keys that open nothing, in the style of variables.
fn is_other_key(before: &str) -> bool {
    matches!(
        before,
        "" | "primary"
            | "foreign"
            | "public"
            | "cache"
            | "sort"
            | "partition"
            | "hash"
            | "unique"
            | "index"
            | "map"
            | "object"
            | "row"
            | "group"
            | "query"
            | "lookup"
            | "idempotency"
            | "registry"
            | "config"
            | "label"
            | "host"
            | "hot"
            | "any"
            | "publishable"
            | "site"
            | "dedupe"
            | "current"
            | "storage"
    )
}

/// The words of a name, in small letters: at `_`, `-`, `.` and before the capitals of camel case.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let chars: Vec<char> = name.chars().collect();
    for (at, c) in chars.iter().enumerate() {
        let is_edge = !c.is_alphanumeric();
        let is_hump = c.is_uppercase()
            && at > 0
            && (chars[at - 1].is_lowercase()
                || chars[at - 1].is_ascii_digit()
                || (chars[at - 1].is_uppercase()
                    && chars.get(at + 1).is_some_and(|next| next.is_lowercase())));
        if (is_edge || is_hump) && words.last().is_some_and(|word| !word.is_empty()) {
            words.push(String::new());
        }
        if !is_edge && let Some(word) = words.last_mut() {
            word.extend(c.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_secrets_tell() {
        for (name, kind, level) in [
            ("DB_PASSWORD", "password", Level::Password),
            ("spring.datasource.password", "password", Level::Password),
            ("passwd", "password", Level::Password),
            ("ansible_become_pass", "password", Level::Password),
            ("userPassword", "password", Level::Password),
            ("clientSecret", "client-secret", Level::Secret),
            ("SECRET_KEY_BASE", "secret-key", Level::Random),
            ("AWS_SECRET_ACCESS_KEY", "aws-secret-key", Level::Random),
            ("SecretAccessKey", "access-key", Level::Random),
            ("X-Api-Key", "api-key", Level::Random),
            ("Ocp-Apim-Subscription-Key", "api-key", Level::Random),
            ("_authToken", "token", Level::Random),
            ("accessToken", "access-token", Level::Random),
            ("COHERE_API_KEY", "api-key", Level::Random),
            ("AccountKey", "account-key", Level::Random),
            ("STRIPE_RK_KEY", "key", Level::Certain),
            ("GITHUB_PAT", "token", Level::Random),
            ("sessionToken2", "token", Level::Random),
            ("APIKey", "api-key", Level::Random),
            ("PSK", "password", Level::Secret),
        ] {
            assert_eq!(telling(name), Some(Telling { kind, level }), "{name}");
        }
    }

    #[test]
    fn names_of_other_things_do_not() {
        for name in [
            "key",
            "primary_key",
            "CACHE_KEY",
            "Cache-Key",
            "max_tokens",
            "token_count",
            "cache_creation_input_tokens",
            "nextPageToken",
            "trace_token_id",
            "tokenizer",
            "password_hash_rounds",
            "password_reset_token_expires_in",
            "secret_name",
            "apiKeyHeader",
            "author",
            "authors",
            "pass",
            "path",
            "pattern",
            "keyboard",
            "monkey",
            "PublicKey",
            "pubkey",
            "max_key_length_bytes",
            "sessionId",
            "compass_direction",
            "AUTHOR_NAME",
            "secretsmanager",
        ] {
            assert_eq!(telling(name), None, "{name}");
        }
    }
}
