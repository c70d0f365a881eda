//! Files and commands that hold nothing but credentials: what was read from `.env` or printed by
//! `printenv` is masked value by value, whatever the values look like.

use std::ops::Range;

use super::json;
use super::scan::{Found, Rank, is_reference, kind_of_name};

/// What a text holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Holding {
    /// Lines of names and values.
    Settings,
    /// A private key, perhaps cut.
    Key,
    /// One secret and nothing else.
    Secret,
}

/// How long a command or path can be, in bytes; what is longer is something to be written.
const LONGEST: usize = 16 << 10;

/// What a call's result holds, by what the call was given.
pub(super) fn of_input(input: &str, is_json: bool) -> Option<Holding> {
    if !is_json {
        return of_command(input);
    }
    json::strings(input, LONGEST).iter().find_map(|value| {
        if value.len() < 512 && !value.contains(char::is_whitespace) {
            of_file(value)
        } else {
            of_command(value)
        }
    })
}

/// What a file holds, by its name.
pub(super) fn of_file(path: &str) -> Option<Holding> {
    let path = path
        .trim_end_matches(['"', '\'', ')', ',', ';'])
        .replace('\\', "/")
        .to_ascii_lowercase();
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", &path));
    const SAMPLES: &[&str] = &[
        "example", "sample", "template", "dist", "default", "schema", "test", ".pub", ".ts", ".js",
        ".py", ".md", ".go", ".rs",
    ];
    if SAMPLES.iter().any(|word| name.contains(word)) {
        return None;
    }
    const SETTINGS: &[&str] = &[
        ".env",
        ".envrc",
        ".dev.vars",
        ".netrc",
        "_netrc",
        ".pgpass",
        "pgpass.conf",
        ".npmrc",
        ".pypirc",
        ".my.cnf",
        ".mylogin.cnf",
        ".git-credentials",
        ".htpasswd",
        "credentials",
        ".credentials",
        "credentials.toml",
        "credentials.json",
        ".credentials.json",
        "credentials.yml",
        "credentials.yaml",
        "application_default_credentials.json",
        "secrets.yml",
        "secrets.yaml",
        "secrets.json",
        "secrets.toml",
        "secrets.env",
        "kubeconfig",
        ".dockercfg",
        ".boto",
        ".s3cfg",
        "terraform.tfvars",
        "auth.json",
        ".vault_pass",
        "shadow",
    ];
    const KEYS: &[&str] = &[
        "id_rsa",
        "id_ed25519",
        "id_ecdsa",
        "id_dsa",
        "id_ed25519_sk",
        "id_ecdsa_sk",
    ];
    let is_env = name.starts_with(".env.")
        || (name.ends_with(".env") && name.len() > 4)
        || name.ends_with(".auto.tfvars");
    let is_config = matches!(
        (folder.rsplit('/').next(), name),
        (Some(".docker"), "config.json") | (Some(".kube"), "config") | (Some("gh"), "hosts.yml")
    );
    let is_service = name.starts_with("service-account") && name.ends_with(".json");
    if SETTINGS.contains(&name) || is_env || is_config || is_service {
        return Some(Holding::Settings);
    }
    if name == ".vault-token" {
        return Some(Holding::Secret);
    }
    let is_key = KEYS.contains(&name)
        || [".pem", ".key", ".ppk", ".p8"]
            .iter()
            .any(|end| name.ends_with(end) && name.len() > end.len());
    is_key.then_some(Holding::Key)
}

/// What a command prints.
fn of_command(command: &str) -> Option<Holding> {
    // Every input of every call comes by here, so that bytes are split and not characters.
    let parts = command.as_bytes().split(|byte| b"\n;|&(".contains(byte));
    let mut at = 0;
    let spans = parts.take(64).map(|part| {
        let start = at;
        at += part.len() + 1;
        start..start + part.len()
    });
    let mut parts = spans.filter_map(|span| command.get(span));
    parts.find_map(|part| of_simple_command(part.trim()))
}

fn of_simple_command(command: &str) -> Option<Holding> {
    const SECRETS: &[&str] = &[
        "gh auth token",
        "gcloud auth print-",
        "aws ecr get-login-password",
        "pass show ",
        "op read ",
        "vault print token",
        "heroku auth:token",
        "openssl rand",
        "pwgen",
        "security find-generic-password",
        "security find-internet-password",
        "secret-tool lookup",
        "wg genkey",
        "wg genpsk",
    ];
    const SETTINGS: &[&str] = &[
        "export -p",
        "declare -x",
        "declare -p",
        "heroku config",
        "doppler secrets",
        "kubectl get secret",
        "kubectl get secrets",
        "docker compose config",
        "fly secrets",
        "railway variables",
        "infisical secrets",
        "vault kv get",
        "vault read",
        "systemctl show-environment",
    ];
    let command = command.trim_start_matches("sudo ").trim_start();
    if !command.starts_with(|c: char| c.is_ascii_alphabetic() || c == '/' || c == '.') {
        return None;
    }
    // By the first byte most are told apart without a look at the rest.
    let first = command.as_bytes().first();
    let begins = |start: &&str| start.as_bytes().first() == first && command.starts_with(start);
    if SECRETS.iter().any(begins) || (command.starts_with("vault ") && command.contains("-field")) {
        return Some(Holding::Secret);
    }
    if SETTINGS.iter().any(begins) {
        return Some(Holding::Settings);
    }
    let mut words = command.split_whitespace();
    let program = words.next()?;
    let program = program.rsplit('/').next().unwrap_or(program);
    let rest: Vec<&str> = words.collect();
    match program {
        // With words after it, `env` runs a command.
        "env" | "printenv" if rest.iter().all(|word| word.starts_with(['-', '>', '2'])) => {
            Some(Holding::Settings)
        }
        "set" if rest.is_empty() => Some(Holding::Settings),
        "printenv" => rest
            .iter()
            .any(|name| kind_of_name(name).is_some())
            .then_some(Holding::Secret),
        "echo" | "printf" => {
            let names = rest
                .iter()
                .map(|word| word.trim_matches(['"', '\'', '{', '}', '$']));
            let is_variable = rest.len() == 1 && rest[0].contains('$');
            (is_variable && names.into_iter().any(|name| kind_of_name(name).is_some()))
                .then_some(Holding::Secret)
        }
        "cat" | "head" | "tail" | "less" | "more" | "bat" | "batcat" | "type" | "gc" | "nl"
        | "tac" | "grep" | "egrep" | "rg" | "ag" | "awk" | "sed" | "cut" | "sort" | "strings"
        | "Get-Content" => rest
            .iter()
            .find_map(|word| of_file(word.trim_matches(['"', '\'']))),
        _ => None,
    }
}

impl Holding {
    /// The values in a text of this kind.
    pub(crate) fn values(self, text: &str) -> Vec<Found<'static>> {
        match self {
            Holding::Settings => settings(text),
            Holding::Key => key_lines(text),
            Holding::Secret => whole(text),
        }
    }
}

/// One secret that is all of a text.
fn whole(text: &str) -> Vec<Found<'static>> {
    let value = text.trim();
    let start = text.len() - text.trim_start().len();
    let is_one = value.len() >= 8
        && value.len() <= 8_192
        && !value.contains(char::is_whitespace)
        && !is_reference(value);
    is_one
        .then(|| found(start..start + value.len(), "secret"))
        .into_iter()
        .collect()
}

/// The values of lines such as `NAME=value`, `name: value`, `"name": "value"`, `host:user:value`.
fn settings(text: &str) -> Vec<Found<'static>> {
    let mut all = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        if let Some((span, kind)) = setting(line) {
            all.push(found(start + span.start..start + span.end, kind));
        }
    }
    all
}

fn setting(line: &str) -> Option<(Range<usize>, &'static str)> {
    let from = gutter(line);
    let body = line[from..].trim_end();
    if body.starts_with(['#', ';', '[', '/']) {
        return None;
    }
    let netrc = ["password ", "account "]
        .iter()
        .find_map(|word| body.find(word).map(|at| at + word.len()));
    let sign = match body.find(['=', ':']) {
        _ if netrc.is_some() => netrc?,
        // Host, port, database, name, password.
        Some(_) if body.matches(':').count() == 4 && !body.contains([' ', '=', '/']) => {
            body.rfind(':')? + 1
        }
        Some(at) if body[at..].starts_with("://") => return None,
        Some(at) => at + 1,
        None => return None,
    };
    let value = &body[sign..];
    let left = value.len() - value.trim_start_matches([' ', '\t', '"', '\'', '`']).len();
    let value = value[left..]
        .trim_end_matches([',', ';', ' '])
        .trim_end_matches(['"', '\'', '`']);
    let value = match value.find(" #") {
        Some(at) => value[..at].trim_end().trim_end_matches(['"', '\'']),
        None => value,
    };
    let is_plain = value.len() <= 5 && value.bytes().all(|byte| byte.is_ascii_digit());
    let is_nothing = matches!(
        value.to_ascii_lowercase().as_str(),
        "" | "true"
            | "false"
            | "null"
            | "yes"
            | "no"
            | "on"
            | "off"
            | "{"
            | "["
            | "|"
            | ">"
            | "{}"
            | "[]"
    );
    if is_plain || is_nothing || is_reference_only(value) || value.starts_with("[redacted") {
        return None;
    }
    let name = body[..sign].trim_end_matches(['=', ':', ' ', '"', '\'']);
    let name = name.rsplit([' ', '"', '\'']).next().unwrap_or(name);
    let start = from + sign + left;
    Some((
        start..start + value.len(),
        kind_of_name(name).unwrap_or("setting"),
    ))
}

/// References to other variables say nothing; paths and addresses in such a file may.
fn is_reference_only(value: &str) -> bool {
    value.starts_with('$') && is_reference(value) && !value[1..].contains('$') && value.len() < 64
}

/// Past what stands before a line's own text: its number, a sign of a diff, `export`.
fn gutter(line: &str) -> usize {
    let body = line.trim_start();
    let digits = body.bytes().take_while(u8::is_ascii_digit).count();
    let after = &body[digits..];
    let body = match after.chars().next() {
        Some('\t' | '→' | '|' | ':' | '-') if digits > 0 => {
            after[after.chars().next().map_or(0, char::len_utf8)..].trim_start()
        }
        _ => body,
    };
    let body = body.trim_start_matches(['+', '-', ' ']);
    let body = ["export ", "set ", "declare -x ", "Environment="]
        .iter()
        .find_map(|word| body.strip_prefix(word))
        .unwrap_or(body);
    line.len() - body.len()
}

/// The lines of a key without its first line.
fn key_lines(text: &str) -> Vec<Found<'static>> {
    if text.contains("-----BEGIN ") && !text.contains("PRIVATE") {
        return Vec::new();
    }
    let mut all = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at + gutter(line);
        at += line.len();
        let body = text[start..at].trim_end();
        let is_base64 = body.len() >= 20
            && body
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte));
        if is_base64 {
            all.push(found(start..start + body.len(), "private-key"));
        }
    }
    all
}

fn found(span: Range<usize>, kind: &'static str) -> Found<'static> {
    Found {
        span,
        kind,
        rank: Rank::Named,
        value: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_credentials_are_known_and_their_samples_are_not() {
        for (path, holding) in [
            ("/app/.env", Some(Holding::Settings)),
            (".env.local", Some(Holding::Settings)),
            ("~/.aws/credentials", Some(Holding::Settings)),
            (r"C:\x\.npmrc", Some(Holding::Settings)),
            ("~/.ssh/id_ed25519", Some(Holding::Key)),
            ("certs/server.key", Some(Holding::Key)),
            (".env.example", None),
            ("id_rsa.pub", None),
            ("src/env.ts", None),
            ("config.json", None),
            ("auth.test.json", None),
        ] {
            assert_eq!(of_file(path), holding, "{path}");
        }
    }

    #[test]
    fn commands_that_print_credentials_are_known() {
        for (command, holding) in [
            ("cd app && cat .env | head", Some(Holding::Settings)),
            ("env | sort", Some(Holding::Settings)),
            ("printenv", Some(Holding::Settings)),
            ("env FOO=1 make test", None),
            ("gh auth token", Some(Holding::Secret)),
            ("echo $GITHUB_TOKEN", Some(Holding::Secret)),
            ("echo $HOME", None),
            ("cat README.md", None),
            ("set -euo pipefail", None),
        ] {
            assert_eq!(of_command(command), holding, "{command}");
        }
        assert_eq!(
            of_input(r#"{"file_path":"/app/.env"}"#, true),
            Some(Holding::Settings)
        );
    }

    #[test]
    fn every_value_of_settings_is_found() {
        let text = "# app\nexport A_NAME=\"two words\"\nPORT=3000\n     4\tURL=http://x # y\n  \"user\": \"me\",\nEMPTY=\nREF=${A}\nmachine h login l password p4ss\n";
        let values: Vec<_> = settings(text)
            .into_iter()
            .map(|one| &text[one.span])
            .collect();
        assert_eq!(values, ["two words", "http://x", "me", "p4ss"]);
    }
}
