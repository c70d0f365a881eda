//! Marks inside a line that are found by eye, without a parser: web addresses, runs of
//! backticks, links.

/// The start and the end of a web address whose `://` begins at `colon`; `None` when there is no
/// scheme before it or no host behind it.
///
/// The end is where a reader would see it: punctuation that ends a sentence and brackets that
/// were opened before are left out.
pub(super) fn address_end(text: &str, colon: usize) -> Option<(usize, usize)> {
    let after = text[colon..].strip_prefix("://")?;
    let before = &text.as_bytes()[..colon];
    let length = ["https", "http"]
        .iter()
        .map(|scheme| scheme.len())
        .find(|length| {
            before.len() >= *length
                && before[before.len() - length..].eq_ignore_ascii_case(&b"https"[..*length])
        })?;
    let start = colon - length;
    if before[..start]
        .last()
        .is_some_and(|byte| byte.is_ascii_alphanumeric())
        || !after.starts_with(|c: char| c.is_alphanumeric() || c == '[')
    {
        return None;
    }
    let host = colon + "://".len();
    let end = trimmed(text, host, host + address_length(after));
    (end > host).then_some((start, end))
}

/// How far an address could go: to the first character that no address has, or to a closing
/// bracket that it did not open.
fn address_length(text: &str) -> usize {
    let mut open = [0_usize; 3];
    let mut before = '/';
    for (at, c) in text.char_indices() {
        match c {
            '(' => open[0] += 1,
            '[' => open[1] += 1,
            '{' => open[2] += 1,
            ')' | ']' | '}' => {
                let kind = usize::from(c == ']') + 2 * usize::from(c == '}');
                if open[kind] == 0 {
                    return at;
                }
                open[kind] -= 1;
            }
            '<' | '>' | '"' | '`' | '|' | '\\' | '^' => return at,
            // The end of a stress that the address stands in.
            '*' | '~' if before == c => return at - 1,
            _ if c.is_ascii_graphic() => {}
            // Chinese, Japanese and Korean text follows an address without a space.
            _ if c.is_alphanumeric() && c < '\u{2e80}' => {}
            _ => return at,
        }
        before = c;
    }
    text.len()
}

/// Takes punctuation off the end of an address, entities among it, and brackets left open.
fn trimmed(text: &str, host: usize, mut end: usize) -> usize {
    loop {
        let address = &text[host..end];
        let Some(last) = address.chars().next_back() else {
            return end;
        };
        if last == ';'
            && let Some(entity) = address.rfind('&')
            && address[entity + 1..address.len() - 1]
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'#')
        {
            end = host + entity;
        } else if matches!(
            last,
            '?' | '!' | '.' | ',' | ':' | ';' | '*' | '_' | '~' | '\'' | '&' | '(' | '[' | '{'
        ) {
            end -= last.len_utf8();
        } else {
            return end;
        }
    }
}
