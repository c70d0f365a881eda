//! Secrets that a program is fed: `echo V | docker login --password-stdin`,
//! `gh auth login --with-token <<< V`, and those that stand at a known place of a call:
//! `login("name", "V")`, `IDENTIFIED BY 'V'`.

use std::ops::Range;

use super::assigned::{bare, blanks, quoted};
use super::lines::{line_after, line_before};
use super::placeholders::{is_placeholder, is_reference};
use super::words::is_only_words;

/// What reads a secret from its input, by what it is called with.
pub(super) const READERS: &[&str] = &[
    "--password-stdin",
    "--with-token",
    "sudo -s",
    "sudo -ks",
    "chpasswd",
    "passwd --stdin",
    "secret create ",
    "secret set ",
    "secret put ",
    "secrets set",
    "secrets import",
    "env add ",
    "add-generic-password",
];

/// The secret that a reader at `sign` is fed: what is printed into the pipe before it, or a string
/// after it.
pub(super) fn fed(text: &str, sign: &Range<usize>) -> Option<Range<usize>> {
    let span = here_string(text, sign.end).or_else(|| piped(text, sign.start))?;
    let is_pair = text[sign.clone()].eq_ignore_ascii_case("chpasswd");
    let span = match text[span.clone()].find(':') {
        Some(at) if is_pair => span.start + at + 1..span.end,
        _ => span,
    };
    kept(text, span)
}

fn here_string(text: &str, from: usize) -> Option<Range<usize>> {
    let line = line_after(text, from);
    let end = line.find(['|', ';', '&']).unwrap_or(line.len());
    let at = from + line[..end].find("<<<")? + 3;
    let at = blanks(text.as_bytes(), at);
    quoted(text, at)
        .or_else(|| bare(text, at))
        .map(|site| site.span)
}

/// The last word that `echo` or `printf` prints into the pipe which ends at `to`.
pub(super) fn piped(text: &str, to: usize) -> Option<Range<usize>> {
    let line = line_before(text, to);
    let start = to - line.len();
    let pipe = line.rfind('|')?;
    let command = &line[..pipe];
    let print = ["echo ", "printf ", "Write-Output "]
        .iter()
        .filter_map(|print| command.rfind(print).map(|at| at + print.len()))
        .max()?;
    let words = &command[print..];
    if words.contains(['|', ';', '`']) || words.contains("$(") {
        return None;
    }
    let words = words.trim_end();
    let end = start + print + words.len();
    let quote = words
        .chars()
        .next_back()
        .filter(|c| matches!(c, '"' | '\''));
    let (from, to) = match quote {
        Some(quote) => {
            let inner = &words[..words.len() - 1];
            let inner = inner.strip_suffix('\\').unwrap_or(inner);
            let open = inner.rfind(quote)?;
            (start + print + open + 1, start + print + inner.len())
        }
        None => {
            let open = words.rfind([' ', '\t']).map_or(0, |at| at + 1);
            (start + print + open, end)
        }
    };
    let value = &text[from..to];
    let value = value.trim_end_matches("\\n");
    (!value.contains(char::is_whitespace)).then(|| from..from + value.len())
}

/// A call with a secret among what it is given.
pub(super) struct Call {
    /// How it is written up to its first argument.
    pub(super) name: &'static str,
    /// Which of the strings is the secret, counted from 0; `None` for the last.
    place: Option<usize>,
}

const fn call(name: &'static str, place: Option<usize>) -> Call {
    Call { name, place }
}

/// Calls of libraries, and statements of SQL, which have the same form.
pub(super) const CALLS: &[Call] = &[
    call("auth=(", Some(1)),
    call("auth = (", Some(1)),
    call(".login(", Some(1)),
    call("basicauth(", Some(1)),
    call("basic_auth(", Some(1)),
    call("basic_auth=(", Some(1)),
    call("networkcredential(", Some(1)),
    call("usernamepasswordcredentials(", Some(1)),
    call("passwordauthentication(", Some(1)),
    call("new pdo(", Some(2)),
    call("mysqli(", Some(2)),
    call("mysqli_connect(", Some(2)),
    call("drivermanager.getconnection(", Some(2)),
    call("identified by ", Some(0)),
    call(" by '", None),
    call("encrypted password ", Some(0)),
    call("role ", None),
    call("convertto-securestring ", Some(0)),
    // A script that types it in, with the key that sends it off.
    call("send \"", None),
];

/// The secret of a call whose name stands at `sign`.
pub(super) fn argument(text: &str, call: &Call, sign: &Range<usize>) -> Option<Range<usize>> {
    let rest = line_after(text, sign.end);
    let rest = &rest[..rest.find(['\n', ')']).unwrap_or(rest.len())];
    let Some(place) = call.place else {
        return statement(text, call, sign, rest);
    };
    let is_statement = call.name.ends_with(' ');
    let mut at = sign.end;
    for count in 0..=place {
        at += text[at..sign.end + rest.len()].find(['"', '\''])?;
        if is_statement && at > sign.end + 16 {
            return None;
        }
        let site = quoted(text, at)?;
        if count == place {
            return kept(text, site.span);
        }
        at = site.span.end + 1;
        if at > sign.end + rest.len() {
            return None;
        }
    }
    None
}

/// `IDENTIFIED WITH x BY 'V'`, `ALTER ROLE x PASSWORD 'V'`.
fn statement(text: &str, call: &Call, sign: &Range<usize>, rest: &str) -> Option<Range<usize>> {
    let upper = |words: &str| words.to_ascii_uppercase();
    if call.name.ends_with('\'') {
        let before = line_before(text, sign.start);
        let is_user = upper(before).contains("IDENTIFIED WITH");
        return is_user
            .then(|| quoted(text, sign.end - 1))
            .flatten()
            .and_then(|site| kept(text, site.span));
    }
    if call.name == "send \"" {
        let site = quoted(text, sign.end - 1)?;
        let value = text[site.span.clone()].strip_suffix("\\r")?;
        return kept(text, site.span.start..site.span.start + value.len());
    }
    let words = upper(rest);
    let at = words.find("PASSWORD '")?;
    let site = quoted(text, sign.end + at + "PASSWORD ".len())?;
    kept(text, site.span)
}

/// A value that is worth masking.
fn kept(text: &str, span: Range<usize>) -> Option<Range<usize>> {
    let value = &text[span.clone()];
    let is_one = value.len() >= 6
        && !value.contains(char::is_whitespace)
        && !value.starts_with(['-', '%'])
        && !value.contains(['(', '{'])
        && !is_only_words(value)
        && !is_placeholder(value)
        && !is_reference(value)
        && !value.contains('$');
    is_one.then_some(span)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_reader(text: &str) -> Option<&str> {
        let lower = text.to_ascii_lowercase();
        READERS.iter().find_map(|reader| {
            let at = lower.find(reader)?;
            fed(text, &(at..at + reader.len())).map(|span| &text[span])
        })
    }

    fn of_call(text: &str) -> Option<&str> {
        let lower = text.to_ascii_lowercase();
        CALLS.iter().find_map(|call| {
            let at = lower.find(call.name)?;
            argument(text, call, &(at..at + call.name.len())).map(|span| &text[span])
        })
    }

    #[test]
    fn what_is_fed_to_a_reader_is_found() {
        for text in [
            "echo \"kT9vLq2xPz\" | docker login -u x --password-stdin",
            "printf '%s' 'kT9vLq2xPz' | gh auth login --with-token",
            "echo kT9vLq2xPz | sudo -S apt update",
            "echo 'x:kT9vLq2xPz' | sudo chpasswd",
            "gh secret set KEY <<< \"kT9vLq2xPz\"",
            "gh auth login --with-token <<< kT9vLq2xPz",
            "printf \"KEY=%s\\n\" \"kT9vLq2xPz\" | fly secrets import",
            "{\"command\":\"echo \\\"kT9vLq2xPz\\\" | sudo -S ls\"}",
        ] {
            assert_eq!(of_reader(text), Some("kT9vLq2xPz"), "{text}");
        }
    }

    #[test]
    fn the_secret_of_a_call_is_found() {
        for text in [
            "requests.get(url, auth=(\"me\", \"kT9vLq2xPz\"))",
            "smtp.login('a@b.example', 'kT9vLq2xPz')",
            "new PDO('mysql:host=db;dbname=x', 'shop', 'kT9vLq2xPz')",
            "ALTER USER 'root'@'x' IDENTIFIED BY 'kT9vLq2xPz';",
            "CREATE USER a IDENTIFIED BY \"kT9vLq2xPz\" QUOTA 1M ON x",
            "CREATE USER 'a' IDENTIFIED WITH caching BY 'kT9vLq2xPz'",
            "ALTER ROLE x PASSWORD 'kT9vLq2xPz'",
            "expect \"x\"\nsend \"kT9vLq2xPz\\r\"",
            "$p = ConvertTo-SecureString \"kT9vLq2xPz\" -AsPlainText",
        ] {
            assert_eq!(of_call(text), Some("kT9vLq2xPz"), "{text}");
        }
    }

    #[test]
    fn variables_and_words_stay() {
        for text in [
            "echo \"$TOKEN\" | docker login --password-stdin",
            "cat token.txt | gh auth login --with-token",
            "echo production | vercel env add NAME",
            "git log | grep x; sudo -S ls",
        ] {
            assert_eq!(of_reader(text), None, "{text}");
        }
        for text in [
            "client.login(user, password)",
            "IDENTIFIED BY '<password>'",
            "auth=(\"user\", \"password\")",
            "ConvertTo-SecureString $plain -AsPlainText",
            "the role of a 'PASSWORD' in it",
        ] {
            assert_eq!(of_call(text), None, "{text}");
        }
    }
}
