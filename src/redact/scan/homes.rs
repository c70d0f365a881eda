//! Home folders, and whose they are.

use std::ops::Range;

/// What home folders are found by, also in the names of Claude's project folders.
pub(super) const HOME_SIGNS: &[&str] = &["/home/", "/users/", "\\users\\", "-home-", "-users-"];

/// Accounts that are nobody's, whose home folder says nothing.
const NOBODYS: &[&str] = &[
    "runner",
    "runneradmin",
    "linuxbrew",
    "shared",
    "public",
    "default",
    "all",
];

/// Accounts that many machines have: their folder becomes `~`, their name stays.
const COMMON: &[&str] = &[
    "root",
    "user",
    "users",
    "admin",
    "administrator",
    "git",
    "node",
    "app",
    "ubuntu",
    "debian",
    "fedora",
    "centos",
    "ec2-user",
    "vscode",
    "codespace",
    "gitpod",
    "jovyan",
    "vagrant",
    "docker",
    "www-data",
    "nobody",
    "daemon",
    "bin",
    "sys",
    "adm",
    "staff",
    "wheel",
    "dev",
    "developer",
    "test",
    "tester",
    "guest",
    "me",
    "you",
    "username",
    "postgres",
    "mysql",
    "redis",
    "nginx",
    "service",
    "system",
    "sandbox",
    "deploy",
    "build",
    "ci",
    "jenkins",
    "circleci",
    "coder",
    "agent",
    "claude",
    "pi",
    "oracle",
    "opc",
    "core",
    "home",
    "everyone",
    "domain",
];

/// A home folder with its owner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Home {
    /// What becomes `~`.
    pub(super) span: Range<usize>,
    /// The owner's name, if it is one that can be looked for elsewhere.
    pub(super) owner: Option<Range<usize>>,
}

/// The home folder at a sign.
pub(super) fn home(text: &str, sign: &Range<usize>) -> Option<Home> {
    match text.as_bytes()[sign.start] {
        b'-' => dashed(text, sign),
        b'\\' => windows(text, sign),
        _ => unix(text, sign),
    }
}

fn unix(text: &str, sign: &Range<usize>) -> Option<Home> {
    let folder = &text[sign.clone()];
    if folder != "/home/" && folder != "/Users/" && folder != "/users/" {
        return None;
    }
    let name = name_at(text, sign.end)?;
    let start = root(text, sign.start)?;
    if is_route(&text[..sign.start]) {
        return None;
    }
    // `/users/7` is the path of an interface.
    let is_address = folder == "/users/" && start == sign.start;
    (!is_address).then(|| Home {
        span: start..name.end,
        owner: owner(text, name),
    })
}

/// Whether what stands before a path makes it one of a website: a request, a router, a link.
fn is_route(before: &str) -> bool {
    const REQUESTS: &[&str] = &[
        "GET ", "POST ", "PUT ", "PATCH ", "DELETE ", "HEAD ", "OPTIONS ",
    ];
    const ROUTERS: &[&str] = &[
        ".get(",
        ".post(",
        ".put(",
        ".patch(",
        ".delete(",
        ".use(",
        ".all(",
        "route(",
        "Route(",
        "navigate(",
        "redirect(",
        "href=",
        " to=",
        "path=",
    ];
    let open = before.trim_end_matches(['"', '\'', '`']);
    REQUESTS.iter().any(|request| before.ends_with(request))
        || (open.len() < before.len() && ROUTERS.iter().any(|router| open.ends_with(router)))
}

/// Where the path begins whose part before `/home/` or `/Users/` ends at `end`; `None` when that
/// part is an address or another folder.
fn root(text: &str, end: usize) -> Option<usize> {
    const ROOTS: &[&str] = &[
        "/mnt/c",
        "/mnt/d",
        "/c",
        "/d",
        "/var",
        "/usr",
        "/export",
        "/data",
        "/mnt",
        "/nfs",
        "/private",
        "/host",
        "/System/Volumes/Data",
        "/rootfs",
        "/volume1",
        "/net",
    ];
    let before = &text[..end];
    let is_part = |c: char| {
        c.is_alphanumeric()
            || matches!(c, '_' | '.' | '~' | '-' | '/' | ':' | '$' | '}' | ')' | '%')
    };
    let len: usize = before
        .chars()
        .rev()
        .take(64)
        .take_while(|c| is_part(*c))
        .map(char::len_utf8)
        .sum();
    let path = &before[end - len..];
    let path = path.rsplit_once("file://").map_or(path, |(_, path)| path);
    let path = path
        .rsplit_once(':')
        .filter(|(head, tail)| !(head.len() <= 2 || tail.starts_with("//")))
        .map_or(path, |(_, path)| path);
    if path.is_empty() {
        return Some(end);
    }
    if let [drive, b':'] | [b'/', drive, b':'] = path.as_bytes()
        && drive.is_ascii_alphabetic()
    {
        return Some(end - path.len());
    }
    if ROOTS.contains(&path) {
        return Some(end - path.len());
    }
    // An escape such as `\n` or `%2F` stands before the path, or its first slash is doubled.
    let is_escape = before.ends_with("\\n")
        || before.ends_with("\\t")
        || before.ends_with("\\r")
        || path == "/";
    (is_escape || path.ends_with("%22") || path.ends_with("%3D") || path.ends_with("}:"))
        .then_some(end)
}

fn windows(text: &str, sign: &Range<usize>) -> Option<Home> {
    let bytes = text.as_bytes();
    let start = sign.start
        - bytes[..sign.start]
            .iter()
            .rev()
            .take_while(|byte| **byte == b'\\')
            .count();
    let from = sign.end
        + bytes[sign.end..]
            .iter()
            .take_while(|byte| **byte == b'\\')
            .count();
    let name = windows_name(text, from)?;
    let is_drive = start >= 2 && bytes[start - 1] == b':' && bytes[start - 2].is_ascii_alphabetic();
    let start = if is_drive { start - 2 } else { start };
    Some(Home {
        span: start..name.end,
        owner: owner(text, name),
    })
}

/// A name on Windows may have blanks: `Jane Doe`, where a backslash follows or every word has a
/// capital.
fn windows_name(text: &str, from: usize) -> Option<Range<usize>> {
    let rest = text.get(from..)?;
    let end = rest
        .char_indices()
        .take(40)
        .find(|(_, c)| !(c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | ' ' | '\'')))
        .map_or(rest.len().min(40), |(at, _)| at);
    let name = rest.get(..end)?;
    let is_whole = rest[end..].starts_with('\\')
        && name
            .split(' ')
            .all(|word| word.starts_with(char::is_uppercase) || !name.contains(' '));
    if is_whole && !name.is_empty() && !is_nobodys(name) {
        return Some(from..from + end);
    }
    name_at(text, from)
}

/// A folder's name in which `-` stands for every separator: `-home-jane-app`, `C--Users-jane-app`.
fn dashed(text: &str, sign: &Range<usize>) -> Option<Home> {
    let folder = &text[sign.clone()];
    if folder != "-home-" && folder != "-Users-" {
        return None;
    }
    let before = &text.as_bytes()[..sign.start];
    let is_edge = |byte: Option<&u8>| {
        byte.is_none_or(|byte| {
            !(byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'))
        })
    };
    let start = match before {
        [.., drive, b'-']
            if drive.is_ascii_alphabetic() && is_edge(before.get(before.len().wrapping_sub(3))) =>
        {
            sign.start - 2
        }
        _ if is_edge(before.last()) => sign.start,
        _ => return None,
    };
    let rest = &text[sign.end..];
    let end = rest
        .find(|c: char| !(c.is_alphanumeric() || c == '_'))
        .unwrap_or(rest.len());
    let name = &rest[..end];
    let follows = rest[end..].chars().next();
    let is_folder = follows
        .is_none_or(|c| matches!(c, '-' | '/' | '\\' | '"' | '\'' | '`') || c.is_whitespace());
    (!name.is_empty() && !is_nobodys(name) && is_folder).then(|| Home {
        span: start..sign.end + end,
        owner: None,
    })
}

/// The name of an account that begins here.
fn name_at(text: &str, from: usize) -> Option<Range<usize>> {
    let rest = text.get(from..)?;
    let end = rest
        .char_indices()
        .take(48)
        .find(|(_, c)| !(c.is_alphanumeric() || matches!(c, '.' | '_' | '-')))
        .map_or(rest.len().min(48), |(at, _)| at);
    let name = rest.get(..end)?.trim_end_matches(['.', '-']);
    let is_name = name.starts_with(|c: char| c.is_alphabetic() || c == '_') && !is_nobodys(name);
    is_name.then(|| from..from + name.len())
}

fn is_nobodys(name: &str) -> bool {
    let lower = name.to_lowercase();
    NOBODYS.contains(&lower.as_str()) || lower == "all users"
}

/// Whether a name is that of an account which many machines have.
pub(super) fn is_common(name: &str) -> bool {
    is_nobodys(name)
        || name.len() < 3
        || COMMON.contains(&name.to_lowercase().as_str())
        || name.starts_with('_')
}

fn owner(text: &str, name: Range<usize>) -> Option<Range<usize>> {
    (!is_common(&text[name.clone()])).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shortened(text: &str) -> Option<String> {
        let lower = text.to_ascii_lowercase();
        HOME_SIGNS.iter().find_map(|sign| {
            let at = lower.find(sign)?;
            let home = home(text, &(at..at + sign.len()))?;
            Some(format!(
                "{}~{}",
                &text[..home.span.start],
                &text[home.span.end..]
            ))
        })
    }

    #[test]
    fn home_folders_become_a_tilde() {
        for (path, short) in [
            ("cd /home/ada/src", "cd ~/src"),
            ("/Users/jane.doe", "~"),
            (r"C:\Users\Jane Doe\src", r"~\src"),
            (r"C:\\Users\\jane\\src", r"~\\src"),
            ("/c/Users/jane/src", "~/src"),
            ("/mnt/c/Users/jane/src", "~/src"),
            ("C:/Users/jane/src", "~/src"),
            ("/c:/Users/jane/src", "~/src"),
            ("file:///home/ada/x.html", "file://~/x.html"),
            ("host:/home/ada/x", "host:~/x"),
            ("-home-ada-app/x.jsonl", "~-app/x.jsonl"),
            ("C--Users-jane-app", "~-app"),
            ("/var/home/ada/x", "~/x"),
        ] {
            assert_eq!(shortened(path).as_deref(), Some(short), "{path}");
        }
    }

    #[test]
    fn other_paths_stay() {
        for path in [
            "/home/runner/work/app/app",
            "https://example.com/home/page",
            "https://example.com/users/7",
            "src/home/index.ts",
            "/api/users/jane",
            "--home-dir",
            "/home/",
            "/home/$USER/x",
            "/Users/Shared/x",
            "the -home-",
            "nav-home-link",
            "GET /home/me HTTP/1.1",
            "app.get(\"/home/you\", show)",
        ] {
            assert_eq!(shortened(path), None, "{path}");
        }
    }
}
