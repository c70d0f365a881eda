//! Passwords that are given to programs on the command line, where no name stands beside them:
//! `curl -u name:password`, `mysql -ppassword`, `sshpass -p password`.

use std::ops::Range;

use super::looks::starts_alone;
use super::placeholders::{is_placeholder, is_reference};
use super::programs::{Program, Takes};
use super::words::is_only_words;

/// The passwords on a command line; `sign` is the stretch of the program's name.
pub(super) fn passwords(text: &str, program: &Program, sign: &Range<usize>) -> Vec<Range<usize>> {
    let before = text[..sign.start].chars().next_back();
    let is_called = before.is_none_or(|c| c.is_whitespace() || "\"'`$(;&|/>=\\".contains(c))
        || starts_alone(text, sign.start);
    if !is_called || before == Some('-') || before == Some('.') {
        return Vec::new();
    }
    let words = words(text, sign.end);
    if let Takes::Word(place) = program.takes {
        let mut plain = words
            .iter()
            .filter(|word| !text[(*word).clone()].starts_with('-'));
        let word = plain.nth(place).and_then(|word| kept(text, word.clone()));
        let is_one = |span: &Range<usize>| span.len() >= 8 && !is_only_words(&text[span.clone()]);
        return word.filter(is_one).into_iter().collect();
    }
    if program.takes == Takes::Settings {
        let values = words.into_iter().filter_map(|word| setting(text, word));
        return values.collect();
    }
    by_flag(text, program, &words).into_iter().collect()
}

/// `NAME=value`, also after the flag that says that it is one.
fn setting(text: &str, word: Range<usize>) -> Option<Range<usize>> {
    let is = &text[word.clone()];
    let pair = is.strip_prefix("--from-literal=").unwrap_or(is);
    if pair.starts_with('-') {
        return None;
    }
    let value = word.end - pair.len() + pair.find('=')? + 1..word.end;
    kept(text, value).filter(|span| span.len() >= 6 && !is_only_words(&text[span.clone()]))
}

/// The value of the first flag that has one.
fn by_flag(text: &str, program: &Program, words: &[Range<usize>]) -> Option<Range<usize>> {
    for (at, word) in words.iter().enumerate() {
        let is = &text[word.clone()];
        let flags = program.flags.iter();
        let Some(flag) = flags
            .clone()
            .find(|flag| is == **flag)
            .or_else(|| flags.clone().find(|flag| is.starts_with(**flag)))
        else {
            continue;
        };
        let attached = word.start + flag.len()..word.end;
        let next = || words.get(at + 1).cloned();
        let value = match program.takes {
            _ if is.starts_with("--") && is.as_bytes().get(flag.len()) == Some(&b'=') => {
                // `--user="…"`: the quotes stand between.
                match attached.len() {
                    1 => next().filter(|_| text[word.end..].starts_with(['"', '\''])),
                    _ => Some(attached.start + 1..word.end),
                }
            }
            // `-p'…'`: the quotes stand between the flag and its value.
            Takes::Attached if attached.is_empty() => next().filter(|next| {
                next.start == word.end + 1 && text[word.end..].starts_with(['"', '\''])
            }),
            Takes::Attached => Some(attached),
            Takes::Third => (is == *flag).then(|| words.get(at + 3).cloned()).flatten(),
            _ if is == *flag => next(),
            Takes::Password if !flag.starts_with("--") && flag.len() == 2 => Some(attached),
            _ => None,
        };
        let Some(value) = value else { continue };
        let value = match program.takes {
            Takes::Pair => after(text, value, &[':', ',']),
            Takes::Percent => after(text, value, &['%']),
            _ if text[value.clone()].starts_with("pass:") => Some(value.start + 5..value.end),
            _ => Some(value),
        };
        if let Some(found) = value.and_then(|value| kept(text, value)) {
            return Some(found);
        }
    }
    None
}

/// A value that is worth masking.
fn kept(text: &str, span: Range<usize>) -> Option<Range<usize>> {
    let value = &text[span.clone()];
    let is_word = is_only_words(value) && value.len() < 6;
    let is_one = value.len() >= 4
        && !value.starts_with('-')
        && !is_word
        && !is_placeholder(value)
        && !is_reference(value);
    is_one.then_some(span)
}

fn after(text: &str, span: Range<usize>, signs: &[char]) -> Option<Range<usize>> {
    let at = text[span.clone()].find(signs)?;
    Some(span.start + at + 1..span.end)
}

/// The words of a command up to its end, without their quotes.
fn words(text: &str, from: usize) -> Vec<Range<usize>> {
    let mut words = Vec::new();
    let mut quote = None;
    let mut start = None;
    for (at, c) in text[from..].char_indices().take(2_048) {
        let at = from + at;
        match (quote, c) {
            (Some(open), _) if c == open => {
                // `-p'…'`: the quotes are no part of the value, the flag is one of the word.
                quote = None;
                if let Some(begin) = start.take() {
                    words.push(begin..at);
                }
            }
            (Some(_), '\n') => break,
            (Some(_), _) => {}
            (None, '"' | '\'') => {
                let is_flag = start.is_some_and(|begin: usize| text[begin..at].starts_with('-'));
                if let (true, Some(begin)) = (is_flag, start) {
                    words.push(begin..at);
                }
                quote = Some(c);
                start = Some(at + 1);
            }
            (None, '\n' | '|' | ';' | '<' | '`') => {
                let is_continued = c == '\n' && text[..at].trim_end_matches('\r').ends_with('\\');
                if let Some(begin) = start.take() {
                    words.push(begin..at);
                }
                if !is_continued {
                    break;
                }
            }
            (None, c) if c.is_whitespace() => {
                if let Some(begin) = start.take() {
                    words.push(begin..at);
                }
            }
            (None, '\\') if start.is_none() => {}
            (None, '\\') if text[at + 1..].starts_with(['n', '"', '\'']) => {
                if let Some(begin) = start.take() {
                    words.push(begin..at);
                }
                break;
            }
            (None, _) => {
                start.get_or_insert(at);
            }
        }
        if words.len() > 64 {
            break;
        }
    }
    if let Some(begin) = start {
        let end = text[begin..]
            .find(char::is_whitespace)
            .map_or(text.len(), |at| begin + at);
        words.push(begin..end);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::redact::scan::programs::PROGRAMS;

    fn masked(text: &str) -> Option<&str> {
        PROGRAMS.iter().find_map(|program| {
            let at = text.find(program.name)?;
            passwords(text, program, &(at..at + program.name.len()))
                .first()
                .map(|span| &text[span.clone()])
        })
    }

    #[test]
    fn passwords_on_command_lines_are_found() {
        for command in [
            "curl -s -u admin:kT9!vLq2 https://example.com",
            "curl --user 'admin:kT9!vLq2' https://example.com",
            "curl --user=admin:kT9!vLq2 https://example.com",
            "mysql -h db -u root -pkT9!vLq2 app < dump.sql",
            "mysql -h db -p'kT9!vLq2' app",
            "sshpass -p 'kT9!vLq2' ssh deploy@10.0.0.7",
            "cd x && sshpass -pkT9!vLq2 ssh a@b",
            "redis-cli -h cache -a kT9!vLq2 ping",
            "docker login -u me -p kT9!vLq2 registry.example.com",
            "smbclient //a/b -U me%kT9!vLq2",
            "htpasswd -bc .htpasswd me kT9!vLq2",
            "openssl enc -aes-256-cbc -pass pass:kT9!vLq2",
            "unzip -P kT9!vLq2 a.zip",
            "curl --user=\"admin:kT9!vLq2\" https://example.com",
            "net user dana kT9!vLq2 /add",
            "mc alias set store https://s3.example.com me kT9!vLq2",
            "kubectl create secret generic db --from-literal=licence=kT9!vLq2",
            "vault kv put secret/db user=me dsn=kT9!vLq2",
        ] {
            assert_eq!(masked(command), Some("kT9!vLq2"), "{command}");
        }
    }

    #[test]
    fn other_flags_stay() {
        for command in [
            "curl -u $USER:$PASS https://example.com",
            "curl -u admin https://example.com",
            "mysql -u root -p app",
            "mysql -P 3306 -h db",
            "docker login -u me --password-stdin",
            "az login --use-device-code",
            "curl -u user:password https://example.com",
            "vault login -method=github",
            "heroku config:set NODE_ENV=production",
            "kubectl create secret generic db --from-file=./tls.key",
            "net user administrator",
            "redis-cli -a \"$REDIS_PASSWORD\" ping",
        ] {
            assert_eq!(masked(command), None, "{command}");
        }
    }
}
