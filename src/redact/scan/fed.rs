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
    /// How it is written up to what it is given.
    pub(super) name: &'static str,
    /// Where in that the secret stands.
    place: Place,
}

/// Where in a call its secret stands.
enum Place {
    /// The string of this number among the arguments, counted from 0.
    Argument(usize),
    /// The string right behind the words of a statement: `IDENTIFIED BY 'V'`.
    Next,
    /// The string that the name ends in the quote of, in a line that says this before it.
    Begun(&'static str),
    /// The string behind this word of the same line.
    Behind(&'static str),
    /// What is typed, with the key that sends it off: `send "V\r"`.
    Typed,
}

const fn call(name: &'static str, place: Place) -> Call {
    Call { name, place }
}

/// Calls of libraries, and statements of SQL, which have the same form.
pub(super) const CALLS: &[Call] = &[
    call("auth=(", Place::Argument(1)),
    call("auth = (", Place::Argument(1)),
    call(".login(", Place::Argument(1)),
    call("basicauth(", Place::Argument(1)),
    call("basic_auth(", Place::Argument(1)),
    call("basic_auth=(", Place::Argument(1)),
    call("networkcredential(", Place::Argument(1)),
    call("usernamepasswordcredentials(", Place::Argument(1)),
    call("passwordauthentication(", Place::Argument(1)),
    call("new pdo(", Place::Argument(2)),
    call("mysqli(", Place::Argument(2)),
    call("mysqli_connect(", Place::Argument(2)),
    call("drivermanager.getconnection(", Place::Argument(2)),
    call("identified by ", Place::Next),
    call(" by '", Place::Begun("IDENTIFIED WITH")),
    call("encrypted password ", Place::Next),
    call("role ", Place::Behind("PASSWORD ")),
    call("convertto-securestring ", Place::Next),
    call("send \"", Place::Typed),
];

/// How far behind the words of a statement its string may begin: `IDENTIFIED BY PASSWORD 'V'`.
const NEAR: usize = 16;

/// The secret of a call whose name stands at `sign`.
pub(super) fn argument(text: &str, call: &Call, sign: &Range<usize>) -> Option<Range<usize>> {
    let rest = line_after(text, sign.end);
    let span = match call.place {
        Place::Argument(number) => string(text, sign.end, rest, number)?,
        Place::Next => {
            string(text, sign.end, rest, 0).filter(|span| span.start <= sign.end + NEAR + 1)?
        }
        Place::Begun(words) => {
            let before = line_before(text, sign.start).to_ascii_uppercase();
            before
                .contains(words)
                .then(|| quoted(text, sign.end - 1))??
                .span
        }
        Place::Behind(word) => {
            let at = sign.end + rest.to_ascii_uppercase().find(word)? + word.len();
            quoted(text, at)?.span
        }
        Place::Typed => {
            let span = quoted(text, sign.end - 1)?.span;
            let value = text[span.clone()].strip_suffix("\\r")?;
            span.start..span.start + value.len()
        }
    };
    kept(text, span)
}

/// The string of this number among the arguments that stand in `rest`, which begins at `from`.
fn string(text: &str, from: usize, rest: &str, number: usize) -> Option<Range<usize>> {
    let end = from + rest.find(['\n', ')']).unwrap_or(rest.len());
    let mut at = from;
    for _ in 0..number {
        at += text.get(at..end)?.find(['"', '\''])?;
        at = quoted(text, at)?.span.end + 1;
    }
    at += text.get(at..end)?.find(['"', '\''])?;
    Some(quoted(text, at)?.span)
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
