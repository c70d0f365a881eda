//! What people and programs write where a secret belongs: samples, mentions, references to a
//! secret that is kept elsewhere, code.

use super::looks::{classes, distinct, is_random, is_sequence};
use super::words::is_wordy;

/// What people write where a secret belongs.
const PLACEHOLDERS: &[&str] = &[
    "example",
    "changeme",
    "change-me",
    "change_me",
    "placeholder",
    "dummy",
    "sample",
    "redacted",
    "replace_",
    "replace-",
    "replaceme",
    "insert-",
    "insert_",
    "fake",
    "notreal",
    "not-a-real",
    "your-",
    "your_",
    "yourkey",
    "yourtoken",
    "yourpass",
    "yoursecret",
    "yourapi",
    "my-secret",
    "my_secret",
    "mysecret",
    "mypassword",
    "supersecret",
    "super-secret",
    "super_secret",
    "todo",
    "masked",
    "hidden",
    "omitted",
    "secret-here",
    "key-here",
    "token-here",
    "_here",
    "-here",
    "goes-here",
    "xxxx",
    "****",
    "....",
    "____",
    "----",
    "...",
    "\u{2026}",
    "\u{2022}\u{2022}",
    "placehold",
    "lorem",
    "foobar",
    "abc123",
    "test-key",
    "test_key",
    "test-token",
    "test_token",
    "testkey",
    "testtoken",
    "deadbeef",
    "cafebabe",
    "00000000",
    "11111111",
    "no-secret",
];

/// Values that stand for themselves in samples, tests and settings of a developer's machine.
const COMMON: &[&str] = &[
    "password",
    "passwd",
    "passwort",
    "pass",
    "pwd",
    "secret",
    "token",
    "apikey",
    "api-key",
    "api_key",
    "key",
    "admin",
    "root",
    "user",
    "username",
    "test",
    "tests",
    "testing",
    "guest",
    "demo",
    "dev",
    "devpass",
    "devpassword",
    "development",
    "local",
    "localhost",
    "default",
    "none",
    "null",
    "nil",
    "undefined",
    "true",
    "false",
    "string",
    "str",
    "number",
    "bool",
    "boolean",
    "any",
    "object",
    "bytes",
    "optional",
    "required",
    "empty",
    "unset",
    "unknown",
    "value",
    "postgres",
    "postgresql",
    "mysql",
    "mariadb",
    "redis",
    "mongo",
    "mongodb",
    "rabbitmq",
    "minio",
    "minioadmin",
    "docker",
    "django",
    "rails",
    "app",
    "foo",
    "bar",
    "baz",
    "qux",
    "hello",
    "bearer",
    "basic",
    "oauth",
    "oauth2",
    "jwt",
    "auto",
    "prompt",
    "stdin",
    "env",
    "environment",
    "file",
    "inherit",
    "disabled",
    "enabled",
    "yes",
    "no",
    "off",
    "on",
    "p",
    "pw",
    "x",
    "y",
    "hunter2",
    "letmein",
    "qwerty",
    "correcthorsebatterystaple",
    "12345",
    "123456",
    "1234567",
    "12345678",
    "123456789",
    "1234567890",
    "password1",
    "password123",
    "pass123",
    "test123",
    "testpass",
    "testpassword",
    "secret123",
    "admin123",
    "root123",
    "wrong",
    "wrongpassword",
    "wrongpass",
    "invalid",
    "correct",
    "s3cret",
    "s3cr3t",
    "p4ssw0rd",
    "passw0rd",
    "p@ssw0rd",
    "p@ssword",
    "passphrase",
    "credentials",
    "authorization",
    "anonymous",
    "anoncvs",
];

/// Whether a value is what somebody writes where a secret belongs: a sample, stars, a mention.
pub(crate) fn is_placeholder(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    let plain = lower.trim_matches(|c: char| !c.is_ascii_alphanumeric());
    plain.is_empty()
        || COMMON.contains(&plain)
        || (lower.contains(['<', '>']) && !is_salt(value))
        || PLACEHOLDERS.iter().any(|word| lower.contains(word))
        || distinct(value) <= 3
        || is_sequence(value)
}

/// Long, and of all kinds of signs, as salts are: here `<` is one of them and no placeholder's.
fn is_salt(value: &str) -> bool {
    let classes = classes(value);
    value.len() >= 32
        && [classes.lower, classes.upper, classes.digits, classes.other]
            .iter()
            .all(|count| *count >= 4)
}

/// Whether a value says where the secret is instead of being it.
pub(crate) fn is_reference(value: &str) -> bool {
    const BEGINNINGS: &[&str] = &[
        "${",
        "$(",
        "$$(",
        "#{",
        "@{",
        "{{",
        "{%",
        "<%",
        "!ref",
        "!sub",
        "!secret",
        "!env",
        "!vault",
        "!getatt",
        "op://",
        "arn:",
        "projects/",
        "vault:",
        "ssm:",
        "ref+",
        "file:",
        "env:",
        "env(",
        "secret:",
        "secrets.",
        "secretref:",
        "process.env",
        "os.environ",
        "os.getenv",
        "import.meta",
        "system.getenv",
        "configuration[",
        "config.",
        "settings.",
        "self.",
        "this.",
        "props.",
        "args.",
        "options.",
        "var.",
        "local.",
        "data.",
        "keyvault",
        "http://",
        "https://",
        "/",
        "./",
        "../",
        "~/",
        "&",
    ];
    let lower = value
        .get(..24.min(value.len()))
        .unwrap_or(value)
        .to_ascii_lowercase();
    if BEGINNINGS.iter().any(|start| lower.starts_with(start)) && !is_base64_start(value) {
        return true;
    }
    let is_name = |name: &str| {
        !name.is_empty()
            && name
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    let variable = value
        .strip_prefix('$')
        .unwrap_or("")
        .trim_start_matches("env:");
    let percent = value
        .strip_prefix('%')
        .and_then(|rest| rest.strip_suffix('%'));
    is_name(variable)
        || is_code(value)
        || percent.is_some_and(is_name)
        || value.starts_with("%(")
        || [("${", "}"), ("{{", "}}"), ("$(", ")")]
            .iter()
            .any(|(open, close)| {
                let at = value.find(open);
                at.is_some_and(|at| at == 0 || value[at..].contains(close))
            })
}

/// Paths of a language, negations, patterns, calls, paths with wildcards: what source has where a
/// value would stand.
fn is_code(value: &str) -> bool {
    const PATTERNS: &[&str] = &[
        "(?", "[^", ")+", ")*", "]+", "]*", "]{", "\\w", "\\d", "\\s", ".*", ".+",
    ];
    let is_path = value.contains('/') && is_wordy(&value.replace('*', ""));
    let negated = value.strip_prefix('!').unwrap_or("");
    value.contains("::")
        || (!negated.is_empty() && is_wordy(negated))
        || PATTERNS.iter().any(|sign| value.contains(sign))
        || (is_path && value.contains(['.', '*']))
}

/// A slash begins a path, and one random base64 text in sixty-four.
fn is_base64_start(value: &str) -> bool {
    value.starts_with('/')
        && value.len() >= 40
        && !value[1..].contains(['.', '-', '_'])
        && is_random(value)
}

/// Whether a value is one that can be looked for everywhere: long, and no word that people use.
pub(crate) fn is_specific(value: &str) -> bool {
    let classes = classes(value);
    let kinds = [classes.lower, classes.upper, classes.digits, classes.other];
    let kinds = kinds.iter().filter(|count| **count > 0).count();
    value.len() >= 8
        && kinds >= 2
        && distinct(value) >= 5
        && !is_wordy(value)
        && !is_placeholder(value)
}

/// Whether a value is one that somebody thought of, and that is looked for where it stands alone:
/// letters, digits, and capitals or signs.
pub(crate) fn is_chosen(value: &str) -> bool {
    let classes = classes(value);
    (8..=12).contains(&value.len())
        && classes.digits > 0
        && classes.lower > 0
        && classes.upper + classes.other > 0
        && !is_placeholder(value)
        && !is_reference(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_and_references_are_known() {
        for value in [
            "xxxxxxxxxxxxxxxxxxxx",
            "changeme",
            "YOUR_API_KEY",
            "<token>",
            "****",
            "sk-...",
            "password",
            "0000000000000000",
            "abcdefghijklmnop",
            "1234567890abcdef",
            "AKIAIOSFODNN7EXAMPLE",
            "[redacted: token #1]",
            "dev",
        ] {
            assert!(is_placeholder(value), "{value}");
        }
        for value in [
            "$TOKEN",
            "${TOKEN}",
            "process.env.TOKEN",
            "$(cat x)",
            "%TOKEN%",
            "/run/secrets/db",
            "{{ token }}",
            "op://a/b/c",
            "$env:TOKEN",
            "core::PCWSTR",
            "src/**/*.rs",
            "(?:[a-z]+)",
            "!req.headers.authorization",
        ] {
            assert!(is_reference(value), "{value}");
        }
        for value in ["kT9vLq2xPz", "pa$$w0rdX1", "9f8a7c6b5d4e3f2a"] {
            assert!(!is_placeholder(value) && !is_reference(value), "{value}");
        }
    }
}
