//! The first line that says something, as plain words: for titles and rows of lists.

/// The first meaningful line of a Markdown text or a prompt, without its marks, on one line and
/// at most `chars` characters long; a line that was cut ends in `…`.
///
/// Blank lines, rules, fences and lines that are only a tag are passed over, and so is code while
/// there is prose after it. A line that was wrapped by hand goes on with the next one. Empty when
/// the text has no line that says anything.
pub(crate) fn first_line(text: &str, chars: usize) -> String {
    let mut code = None;
    let mut fence: Option<&str> = None;
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let bare = line.trim();
        let row = bare.len() - bare.trim_start_matches(['`', '~']).len();
        if let Some(open) = fence {
            if bare.starts_with(open) && row == bare.len() {
                fence = None;
            } else if code.is_none() && says_something(bare) {
                code = Some(bare);
            }
        } else if row >= 3 && !bare[row..].contains('`') {
            fence = Some(&bare[..row]);
        } else if says_something(bare) && !is_tag(bare) {
            let first = words(without_block_marks(bare), chars);
            if !first.is_empty() {
                return unwrapped(bare, first, lines, chars);
            }
        }
    }
    code.or_else(|| text.lines().map(str::trim).find(|line| !line.is_empty()))
        .map(|line| capped(line, chars))
        .unwrap_or_default()
}

/// Characters from which on a line may have been wrapped by hand.
const WRAPPED: usize = 48;

/// The words of a line with those of the lines on which its paragraph goes on.
fn unwrapped<'a>(
    line: &str,
    first: String,
    next: impl Iterator<Item = &'a str>,
    chars: usize,
) -> String {
    let mut all = first;
    let mut last = line;
    for line in next.map(str::trim) {
        let goes_on = !last.starts_with('#')
            && last.chars().count() >= WRAPPED
            && !line.starts_with(['`', '~', '<', '|'])
            && says_something(line)
            && without_block_marks(line) == line;
        if !goes_on || all.chars().count() >= chars {
            break;
        }
        all.push(' ');
        all.push_str(&words(line, chars));
        last = line;
    }
    capped(&all, chars)
}

fn says_something(line: &str) -> bool {
    line.contains(char::is_alphanumeric)
}

/// Whether a line is a single tag, such as `<task>`; an address in angle brackets is none.
fn is_tag(line: &str) -> bool {
    line.strip_prefix('<')
        .and_then(|rest| rest.strip_suffix('>'))
        .is_some_and(|tag| !tag.contains(['<', '>', ':', '@']))
}

/// The line without the marks of headings, quotes, list items and tasks.
fn without_block_marks(mut line: &str) -> &str {
    loop {
        let rest = line.trim_start();
        let number = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        let hashes = rest.trim_start_matches('#');
        let marked = if let Some(quoted) = rest.strip_prefix('>') {
            Some(quoted)
        } else if (1..=6).contains(&(rest.len() - hashes.len())) {
            hashes.strip_prefix(' ')
        } else if (1..=9).contains(&(rest.len() - number.len())) {
            number
                .strip_prefix(['.', ')'])
                .and_then(|rest| rest.strip_prefix(' '))
        } else {
            ["- ", "* ", "+ ", "[ ] ", "[x] ", "[X] ", "| "]
                .iter()
                .find_map(|mark| rest.strip_prefix(mark))
        };
        match marked {
            Some(marked) if says_something(marked) => line = marked,
            _ => return rest,
        }
    }
}

/// The words of a line, without the marks of code, stress, links and images.
fn words(line: &str, chars: usize) -> String {
    // Marks are short: a stretch of this length surely holds enough words.
    let line = prefix(line, chars.saturating_mul(8).saturating_add(1000));
    let mut words = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(c) = rest.chars().next() {
        let before = words.chars().next_back();
        let (shown, length) = match c {
            '`' => code(rest),
            '*' | '~' | '_' => stress(rest, before),
            '[' | '!' => link(rest),
            '<' => address(rest),
            '\\' => escape(rest),
            _ => None,
        }
        .unwrap_or((&rest[..c.len_utf8()], c.len_utf8()));
        match c {
            // The words of a link or a stress may have marks of their own.
            '[' | '!' | '*' | '~' | '_' if shown.len() > 3 && shown.len() < length => {
                words.push_str(&inner(shown));
            }
            _ => words.push_str(shown),
        }
        rest = &rest[length..];
    }
    capped(&words, chars)
}

/// The words inside a mark, one level down: deeper marks stay.
fn inner(text: &str) -> String {
    text.replace(['`', '*'], "")
}

/// Code between backticks, as shown, and the length of it all.
fn code(text: &str) -> Option<(&str, usize)> {
    let row = text.len() - text.trim_start_matches('`').len();
    let ticks = &text[..row];
    let end = row + text[row..].find(ticks)?;
    (end > row).then(|| (text[row..end].trim(), end + row))
}

/// Words between stars, tildes or underscores. Names such as `__init__` keep theirs.
fn stress(text: &str, before: Option<char>) -> Option<(&str, usize)> {
    let mark = text.chars().next()?;
    let row = text.len() - text.trim_start_matches(mark).len();
    let marks = &text[..row];
    let long_enough = if mark == '~' { row == 2 } else { row <= 3 };
    if !long_enough || before.is_some_and(char::is_alphanumeric) {
        return None;
    }
    let end = row + text[row..].find(marks)?;
    let (inside, after) = (&text[row..end], &text[end + row..]);
    let fits = !inside.is_empty()
        && !inside.starts_with(char::is_whitespace)
        && !inside.ends_with(char::is_whitespace)
        && !after.starts_with(|c: char| c.is_alphanumeric() || c == mark)
        && inside.contains(char::is_alphanumeric)
        && (mark != '_' || row == 1 || inside.contains(' '));
    fits.then_some((inside, end + row))
}

/// A link's or an image's words; an image without any is called one. A footnote's mark is left out.
fn link(text: &str) -> Option<(&str, usize)> {
    let image = text.starts_with('!');
    let start = if image { 2 } else { 1 };
    if image && !text.starts_with("![") {
        return None;
    }
    let end = start + text[start..].find([']', '['])?;
    let words = &text[start..end];
    if words.starts_with('^') && text[end..].starts_with(']') {
        return Some(("", end + 1));
    }
    let target = text[end..].strip_prefix("](")?;
    let length = end + 2 + target.find(')')? + 1;
    match words.trim() {
        "" if image => Some(("image", length)),
        words => Some((words, length)),
    }
}

/// An address in angle brackets.
fn address(text: &str) -> Option<(&str, usize)> {
    let end = text.find('>')?;
    let inside = &text[1..end];
    let fits = inside.contains([':', '@']) && !inside.contains(char::is_whitespace);
    fits.then_some((inside, end + 1))
}

/// An escaped mark. The backslashes of math and of paths stay.
fn escape(text: &str) -> Option<(&str, usize)> {
    let mark = text.get(1..2)?;
    "*_`#~>|!".contains(mark).then_some((mark, 2))
}

/// The text with single spaces, cut to `chars` characters: between words when one ends near.
fn capped(text: &str, chars: usize) -> String {
    let mut line = String::new();
    for word in prefix(text, chars.saturating_mul(8).saturating_add(1000)).split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    if line.chars().nth(chars).is_none() {
        return line;
    }
    let Some((mut cut, _)) = line.char_indices().nth(chars.saturating_sub(1)) else {
        return line;
    };
    if !line[cut..].starts_with(' ')
        && let Some(space) = line[..cut].rfind(' ')
        && space * 2 >= cut
    {
        cut = space;
    }
    // What belongs to the character before it goes with it.
    while line[cut..].starts_with(attaches) || line[..cut].ends_with('\u{200d}') {
        cut = line[..cut]
            .char_indices()
            .next_back()
            .map_or(0, |(at, _)| at);
    }
    line.truncate(cut);
    line.truncate(line.trim_end_matches([' ', ',', ';', ':']).len());
    if chars > 0 {
        line.push('…');
    }
    line
}

/// Whether a character is drawn into the one before it.
fn attaches(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{200d}' | '\u{fe0e}' | '\u{fe0f}'
        | '\u{20d0}'..='\u{20ff}' | '\u{1f3fb}'..='\u{1f3ff}')
}

/// At most the first `bytes` bytes.
fn prefix(text: &str, bytes: usize) -> &str {
    match text
        .char_indices()
        .find(|(at, c)| at + c.len_utf8() > bytes)
    {
        Some((at, _)) => &text[..at],
        None => text,
    }
}
