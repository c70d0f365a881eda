//! The names of people and machines, at prompts and in lists of files, and e-mail addresses.

use std::ops::Range;

use super::homes::is_common;
use super::lines::line_after;

/// What lines of `ls -l` begin with.
pub(super) const LISTING_SIGNS: &[&str] = &[
    "drwx", "-rw-", "-rwx", "lrwx", "-r--", "dr-x", "drw-", "-r-x",
];

/// Owner and group of a line of `ls -l`, where they are people's.
pub(super) fn owners(text: &str, sign: &Range<usize>) -> Vec<Range<usize>> {
    if !text[..sign.start].ends_with(['\n', ' ', '\t', '"', '\'']) && sign.start > 0 {
        return Vec::new();
    }
    let line = line_after(text, sign.start);
    let is_mode = |mode: &str| {
        (10..=11).contains(&mode.len())
            && mode.starts_with(['-', 'd', 'l', 'b', 'c', 'p', 's'])
            && mode
                .bytes()
                .skip(1)
                .all(|byte| b"-rwxsStT.+@".contains(&byte))
    };
    let mut columns = Vec::new();
    let mut at = 0;
    for word in line.split(' ').take(48) {
        if !word.is_empty() {
            columns.push(at..at + word.len());
        }
        at += word.len() + 1;
    }
    let [mode, links, owner, group, size, ..] = &columns[..] else {
        return Vec::new();
    };
    let is_number = |span: &Range<usize>| {
        line[span.clone()]
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b',' || byte == b'.')
    };
    let is_size = is_number(size) || line[size.clone()].starts_with(|c: char| c.is_ascii_digit());
    if !is_mode(&line[mode.clone()]) || !is_number(links) || !is_size {
        return Vec::new();
    }
    [owner, group]
        .into_iter()
        .filter(|name| {
            let name = &line[(*name).clone()];
            name.starts_with(char::is_alphabetic) && !is_common(name)
        })
        .map(|name| sign.start + name.start..sign.start + name.end)
        .collect()
}

/// Name and host at a prompt: `jane@laptop:~/src$ ls`, `[jane@laptop src]$ ls`.
pub(super) fn prompt(text: &str, at: usize) -> Option<(Option<Range<usize>>, Range<usize>)> {
    let is_part = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    let before: usize = text[..at]
        .chars()
        .rev()
        .take(33)
        .take_while(is_part)
        .count();
    let host: usize = text[at + 1..].chars().take(64).take_while(is_part).count();
    if before == 0 || before > 32 || host == 0 {
        return None;
    }
    let (name, host) = (at - before..at, at + 1..at + 1 + host);
    let rest = line_after(text, host.end);
    let is_bracketed = text[..name.start].ends_with('[')
        && rest.starts_with(' ')
        && (rest.contains("]$") || rest.contains("]#"));
    let starts_line = text[..name.start]
        .chars()
        .next_back()
        .is_none_or(|c| c == '\n' || c.is_whitespace() || c == ')');
    let path = rest
        .strip_prefix(':')
        .or_else(|| rest.strip_prefix(' '))
        .unwrap_or("");
    let is_path = path.starts_with(['~', '/']);
    let folder_end = path.find(['$', '#', '%', '>']).unwrap_or(path.len());
    let is_prompt = starts_line
        && is_path
        && folder_end < path.len()
        && folder_end < 120
        && matches!(path[folder_end + 1..].chars().next(), None | Some(' '));
    if !is_bracketed && !is_prompt {
        return None;
    }
    let person = (!is_common(&text[name.clone()])).then_some(name);
    Some((person, host))
}

/// The e-mail address around an `@`, unless nobody can be behind it.
pub(super) fn address(text: &str, at: usize) -> Option<Range<usize>> {
    let is_local = |c: &char| c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | '+' | '%');
    let is_domain = |c: &char| c.is_alphanumeric() || matches!(c, '.' | '-');
    let before: usize = text[..at]
        .chars()
        .rev()
        .take(64)
        .take_while(is_local)
        .map(char::len_utf8)
        .sum();
    let after: usize = text[at + 1..]
        .chars()
        .take(128)
        .take_while(is_domain)
        .map(char::len_utf8)
        .sum();
    let local = &text[at - before..at];
    let domain = text[at + 1..at + 1 + after].trim_end_matches(['.', '-']);
    let (_, top) = domain.rsplit_once('.')?;
    let lower = domain.to_ascii_lowercase();
    let is_sample = ["example.com", "example.org", "example.net"]
        .iter()
        .any(|sample| lower == *sample || lower.ends_with(&format!(".{sample}")))
        || matches!(top, "invalid" | "test" | "local" | "localhost");
    let is_machine = local.contains("noreply") || local.contains("no-reply") || local == "git";
    let is_address = !local.is_empty() && top.len() >= 2 && top.chars().all(char::is_alphabetic);
    (is_address && !is_sample && !is_machine).then(|| at - before..at + 1 + domain.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn owners_and_prompts_are_found() {
        let line = "drwxr-xr-x  2 jane staff  64 Jan  2 03:04 .";
        assert_eq!(
            owners(line, &(0..4))
                .into_iter()
                .map(|span| &line[span])
                .collect::<Vec<_>>(),
            ["jane"]
        );
        assert!(owners("-rw-r--r-- 1 root root 64 Jan 2 03:04 a", &(0..4)).is_empty());
        for text in [
            "jane@laptop-7:~/src$ ls",
            "[jane@laptop-7 src]$ ls",
            "(venv) jane@laptop-7:/tmp# ls",
            "jane@laptop-7 ~ % ls",
        ] {
            let at = text.find('@').expect("there");
            let (name, host) = prompt(text, at).expect("a prompt");
            assert_eq!(
                (&text[name.expect("a name")], &text[host]),
                ("jane", "laptop-7"),
                "{text}"
            );
        }
        for text in [
            "git@github.com:acme/app.git",
            "jane@example.com",
            "npm i a@1.2.3 # x",
        ] {
            assert_eq!(prompt(text, text.find('@').expect("there")), None, "{text}");
        }
    }

    #[test]
    fn addresses_of_people_are_found() {
        let find = |text: &'static str| {
            address(text, text.find('@').expect("there")).map(|span| &text[span])
        };
        assert_eq!(
            find("<jane.doe@corp-example.com>"),
            Some("jane.doe@corp-example.com")
        );
        for text in [
            "user@example.com",
            "noreply@corp-example.com",
            "git@corp-example.com",
            "lodash@4.17.21",
            "@decorator",
        ] {
            assert_eq!(find(text), None, "{text}");
        }
    }
}
