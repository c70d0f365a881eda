//! Rust as text: what is code, what is spoken, and what is only there for tests.
//!
//! Lengths and line breaks are kept, so that a place in the result is a place in the file.

use super::Tree;

/// The code alone: comments and what stands between quotes are blanked.
pub(super) fn code(text: &str) -> String {
    blank(text, true)
}

/// Code and strings: only comments are blanked.
pub(super) fn without_comments(text: &str) -> String {
    blank(text, false)
}

fn blank(text: &str, strings_too: bool) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    let mut before = ' ';
    while let Some(c) = rest.chars().next() {
        let (length, is_blanked) = if rest.starts_with("//") {
            (rest.find('\n').unwrap_or(rest.len()), true)
        } else if rest.starts_with("/*") {
            (block_comment(rest), true)
        } else if let Some(length) = raw_string(rest).filter(|_| !is_word(before)) {
            (length, strings_too)
        } else if c == '"' {
            (string(rest), strings_too)
        } else if let Some(length) = char_literal(rest) {
            (length, strings_too)
        } else {
            // Nothing begins before the next of these.
            let after = &rest[c.len_utf8()..];
            let plain = after.find(['/', '"', '\'', 'b', 'c', 'r']);
            (c.len_utf8() + plain.unwrap_or(after.len()), false)
        };
        let (piece, after) = rest.split_at(length);
        before = piece.chars().next_back().unwrap_or(before);
        rest = after;
        if is_blanked {
            let blanks = piece.bytes().map(|b| if b == b'\n' { '\n' } else { ' ' });
            out.extend(blanks);
        } else {
            out.push_str(piece);
        }
    }
    out
}

fn block_comment(text: &str) -> usize {
    let bytes = text.as_bytes();
    let (mut depth, mut at) = (0, 0);
    while at < bytes.len() {
        match &bytes[at..] {
            [b'/', b'*', ..] => (depth, at) = (depth + 1, at + 2),
            [b'*', b'/', ..] => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            return at;
        }
    }
    bytes.len()
}

/// The length of a raw string that begins here, with or without `b` or `c` before the `r`.
fn raw_string(text: &str) -> Option<usize> {
    let marked = text.trim_start_matches(['b', 'c']);
    let hashes = marked.strip_prefix('r')?;
    let open = hashes.trim_start_matches('#');
    let body = open.strip_prefix('"')?;
    if text.len() - marked.len() > 1 {
        return None;
    }
    let end = format!("\"{}", "#".repeat(hashes.len() - open.len()));
    let length = body.find(&end).map_or(body.len(), |at| at + end.len());
    Some(text.len() - body.len() + length)
}

fn string(text: &str) -> usize {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// The length of a character literal that begins here; `None` for anything else, such as a
/// lifetime.
fn char_literal(text: &str) -> Option<usize> {
    let body = text.strip_prefix('\'')?;
    if body.starts_with('\\') {
        // The character after the backslash may itself be a quote.
        return body.get(2..)?.find('\'').map(|at| at + 4);
    }
    let c = body.chars().next()?;
    body[c.len_utf8()..]
        .starts_with('\'')
        .then(|| c.len_utf8() + 2)
}

/// Whether a character can stand in a Rust name.
pub(super) fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Where `token` stands in `code` as a whole: not as the end of a longer name.
pub(super) fn places<'a>(code: &'a str, token: &'a str) -> impl Iterator<Item = usize> + 'a {
    let begins_a_name = token.starts_with(is_word);
    code.match_indices(token)
        .map(|(at, _)| at)
        .filter(move |at| !(begins_a_name && code[..*at].ends_with(is_word)))
}

/// The number of the line, from 1, on which a place is.
pub(super) fn line(text: &str, at: usize) -> usize {
    text[..at].matches('\n').count() + 1
}

/// Where the bracket that opens at `at` closes, counted past the closing one; the end when it
/// never does. `code` holds no strings or comments.
pub(super) fn closing(code: &str, at: usize) -> usize {
    let mut depth = 0usize;
    for (offset, byte) in code[at..].bytes().enumerate() {
        match byte {
            b'{' | b'[' | b'(' => depth += 1,
            b'}' | b']' | b')' => depth = depth.saturating_sub(1),
            _ => continue,
        }
        if depth == 0 {
            return at + offset + 1;
        }
    }
    code.len()
}

/// The code with the braces of every item of a kind (`"mod "`, `"enum "`) blanked, and what
/// stands between them.
pub(super) fn without_bodies(code: &str, kind: &str) -> String {
    let mut out = code.to_owned();
    for at in places(code, kind) {
        let after = &code[at + kind.len()..];
        if let Some(offset) = after.find(['{', ';'])
            && after[offset..].starts_with('{')
        {
            let brace = at + kind.len() + offset;
            blank_range(&mut out, brace, closing(code, brace));
        }
    }
    out
}

/// The code of a file without what is compiled for tests alone.
pub(super) fn without_tests(code: &str) -> String {
    let mut out = code.to_owned();
    for at in places(code, "#[cfg(test)]") {
        blank_range(&mut out, at, item_end(code, at));
    }
    out
}

/// Where the item ends whose attributes begin at `at`.
fn item_end(code: &str, at: usize) -> usize {
    let mut at = at;
    while code[at..].trim_start().starts_with('#') {
        let bracket = code[at..]
            .find('[')
            .map_or(code.len(), |offset| at + offset);
        at = closing(code, bracket);
    }
    match code[at..].find(['{', ';']) {
        Some(offset) if code[at + offset..].starts_with('{') => closing(code, at + offset),
        Some(offset) => at + offset + 1,
        None => code.len(),
    }
}

fn blank_range(text: &mut String, from: usize, to: usize) {
    let blanks: String = text[from..to]
        .bytes()
        .map(|b| if b == b'\n' { '\n' } else { ' ' })
        .collect();
    text.replace_range(from..to, &blanks);
}

/// The code of every file of `src` that is not for tests alone, without its tests.
pub(super) fn shipped(tree: &Tree) -> Vec<(&str, String)> {
    let files: Vec<_> = tree
        .rust("src/")
        .map(|(path, text)| (path, code(text)))
        .collect();
    let test_modules: Vec<_> = files
        .iter()
        .flat_map(|(path, code)| test_modules(path, code))
        .collect();
    files
        .into_iter()
        .filter(|(path, _)| {
            let mut only_tests = test_modules.iter();
            !only_tests.any(|module| {
                path.strip_prefix(module.as_str())
                    .is_some_and(|rest| rest == ".rs" || rest.starts_with('/'))
            })
        })
        .map(|(path, code)| (path, without_tests(&code)))
        .collect()
}

/// The modules in files of their own that a file declares for tests alone, by their path
/// without `.rs`.
fn test_modules(path: &str, code: &str) -> Vec<String> {
    let stem = path.strip_suffix(".rs").unwrap_or(path);
    let folder = match stem.rsplit_once('/') {
        Some((folder, "mod" | "lib" | "main")) => folder,
        _ => stem,
    };
    places(code, "#[cfg(test)]")
        .filter_map(|at| {
            let item = &code[at..item_end(code, at)];
            let name = item.rsplit_once("mod ")?.1.strip_suffix(';')?;
            Some(format!("{folder}/{}", name.trim()))
        })
        .collect()
}

#[test]
fn comments_strings_and_characters_are_no_code() {
    let text = "a /* b /* c */ d */ \"e\\\"f\" g // h\nr#\"i\"j\"# 'k' '\\'' &'l b\"m\" br\"n\" o";
    let words: Vec<_> = code(text).split_whitespace().map(str::to_owned).collect();
    assert_eq!(words, ["a", "g", "&'l", "b", "o"]);
    assert_eq!(code(text).len(), text.len());
    assert!(without_comments("\"a // b\" // c").starts_with("\"a // b\"  "));
    assert_eq!(code("for r in a { \"x\" }"), "for r in a {     }");
}

#[test]
fn tests_are_cut_out() {
    let code = "fn a() {}\n#[cfg(test)]\n#[allow(x)]\nmod tests { fn b() { {} } }\nfn c() {}\n\
                #[cfg(test)]\nuse d;\nfn e() {}";
    let shipped = without_tests(code);
    let names: Vec<_> = shipped.matches("fn ").collect();
    assert_eq!(names.len(), 3, "{shipped}");
    assert!(!shipped.contains("use d"));
}

#[test]
fn test_files_are_not_shipped() {
    let tree = Tree::of(&[
        ("src/a/mod.rs", "#[cfg(test)]\nmod tests;\nmod b;"),
        ("src/a/tests.rs", ""),
        ("src/a/b.rs", "#[cfg(test)] mod cases;"),
        ("src/a/b/cases/deep.rs", ""),
        ("src/lib.rs", ""),
    ]);
    let paths: Vec<_> = shipped(&tree).into_iter().map(|(path, _)| path).collect();
    assert_eq!(paths, ["src/a/b.rs", "src/a/mod.rs", "src/lib.rs"]);
}
