//! Tables whose heading tells what a column holds: lines of CSV, tables of Markdown, of databases
//! and of terminals, with whatever lines they are drawn.

use std::ops::Range;

use super::assigned::{Form, Site};
use super::lines::{line_before, line_end};

/// How many lines of a table are looked at.
const ROWS: usize = 200;
/// How many columns.
const COLUMNS: usize = 64;

/// The cells below a heading, as far as its table goes.
pub(super) fn column(text: &str, name: &Range<usize>) -> Vec<Site> {
    let start = name.start - line_before(text, name.start).len();
    let end = line_end(text, name.end);
    if end >= text.len() || end - start > 1_024 {
        return Vec::new();
    }
    let head = &text[start..end];
    let at = name.start - start;
    let Some(separator) = separator(head, at, name.end - start) else {
        return Vec::new();
    };
    let heads = cells(head, separator);
    let Some(place) = heads.iter().position(|cell| cell.contains(&at)) else {
        return Vec::new();
    };
    let is_heading = |cell: &Range<usize>| is_heading(&head[cell.clone()], separator);
    // A sentence with two blanks in it is no heading, nor are fields beside each other.
    if head.contains("||")
        || (separator == GAP && head.contains([':', '=']))
        || heads.len() < 2
        || heads.len() > COLUMNS
        || !heads.iter().all(is_heading)
    {
        return Vec::new();
    }
    let mut sites = Vec::new();
    let mut from = end + 1;
    for _ in 0..ROWS {
        let Some(line) = text.get(from..).map(|_| &text[from..line_end(text, from)]) else {
            break;
        };
        let body = line.strip_suffix('\r').unwrap_or(line);
        if !is_ruler(body) {
            let row = cells(body, separator);
            if row.len() != heads.len() {
                break;
            }
            let cell = &row[place];
            let value = body[cell.clone()]
                .trim_matches(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`' | '*'));
            if !value.is_empty() && !value.contains(char::is_whitespace) {
                let inner = body[cell.clone()].find(value).unwrap_or(0);
                let start = from + cell.start + inner;
                sites.push(Site {
                    span: start..start + value.len(),
                    form: Form::Bare,
                });
            }
        }
        from += line.len() + 1;
        if from >= text.len() {
            break;
        }
    }
    sites
}

/// Stands for the two blanks or more between columns that nothing else parts.
const GAP: char = ' ';

/// What parts the cells of a heading in which a name stands.
fn separator(head: &str, start: usize, end: usize) -> Option<char> {
    let (left, right) = (head[..start].trim_end(), head[end..].trim_start());
    let is_far = |there: &str, gap: usize| there.is_empty() || gap >= 2;
    let is_column =
        is_far(left, start - left.len()) && is_far(right, head.len() - end - right.len());
    if is_column && !head.contains('\t') && !(left.is_empty() && right.is_empty()) {
        return Some(GAP);
    }
    let is_around = |c: char| matches!(c, ' ' | '"' | '\'' | '`' | '*');
    let before = head[..start]
        .trim_end_matches(is_around)
        .chars()
        .next_back();
    let after = head[end..].trim_start_matches(is_around).chars().next();
    let is_one = |c: &char| matches!(c, '|' | '│' | '┃' | '║' | '\t' | ',' | ';');
    let tab = |c: Option<char>| c.is_none() || c == Some('\r');
    match (before.filter(is_one), after.filter(is_one)) {
        (Some(a), Some(b)) if a == b => Some(a),
        (Some(a), None) if tab(after) => Some(a),
        (None, Some(b)) if tab(before) => Some(b),
        _ => None,
    }
}

/// A heading is a few words; in what is written with commas it is one.
fn is_heading(cell: &str, separator: char) -> bool {
    let cell =
        cell.trim_matches(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`' | '*'));
    let is_drawn = !matches!(separator, ',' | ';' | '\t');
    let most = if matches!(separator, ',' | ';' | '\t') {
        2
    } else {
        5
    };
    (!cell.is_empty() || is_drawn)
        && cell.len() <= 40
        && cell.split_whitespace().count() <= most
        && cell
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ' ' | '/' | '#' | ':'))
}

/// Lines between the rows: `|---|:-:|`, `+-----+`, `├──┼──┤`.
fn is_ruler(line: &str) -> bool {
    line.chars().all(|c| {
        c.is_whitespace()
            || matches!(c, '-' | '=' | '+' | '|' | ':' | '_')
            || ('\u{2500}'..='\u{257f}').contains(&c)
    })
}

/// The cells of a line, without the frame's own at either end. A separator between quotes is none.
fn cells(line: &str, separator: char) -> Vec<Range<usize>> {
    let mut cells = Vec::new();
    let mut start = 0;
    if separator == GAP {
        for cell in line.split("  ") {
            let inner = cell.trim();
            if !inner.is_empty() {
                let from = start + cell.len() - cell.trim_start().len();
                cells.push(from..from + inner.len());
            }
            start += cell.len() + 2;
        }
        return cells;
    }
    let mut is_quoted = false;
    for (at, c) in line.char_indices() {
        if c == '"' && matches!(separator, ',' | ';') {
            is_quoted = !is_quoted;
        } else if c == separator && !is_quoted {
            cells.push(start..at);
            start = at + c.len_utf8();
        }
    }
    cells.push(start..line.len());
    if !matches!(separator, ',' | ';' | '\t') {
        let is_frame = |cell: &Range<usize>| line[cell.clone()].trim().is_empty();
        if cells.last().is_some_and(is_frame) {
            cells.pop();
        }
        if cells.first().is_some_and(is_frame) {
            cells.remove(0);
        }
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column_of(text: &str, name: &str) -> Vec<String> {
        let at = text.find(name).expect("the heading stands there");
        let sites = column(text, &(at..at + name.len()));
        sites
            .into_iter()
            .map(|site| text[site.span].to_owned())
            .collect()
    }

    #[test]
    fn the_cells_below_a_heading_are_found_however_the_table_is_drawn() {
        for text in [
            "user,password\na,V1\nb,V2\n\nend",
            "\"user\";\"password\";\"x\"\n\"a;b\";\"V1\";\"1\"\n\"c\";\"V2\";\"2\"",
            "user\tpassword\na\tV1\nb\tV2",
            "| user | password |\n|:--|--:|\n| a | `V1` |\n| b | V2 |\n\ntext",
            "user   password   role\na      V1         admin\nb      V2         guest\n\nend",
            "  user  password\n  a     V1\n  b     V2\n2 rows",
            " user | password \n------+-----\n a | V1\n b | V2\n(2 rows)",
            "+----+----+\n| user | password |\n+----+----+\n| a | V1 |\n| b | V2 |\n+----+----+",
            "┌──┬──┐\n│ user │ password │\n├──┼──┤\n│ a │ V1 │\n│ b │ V2 │\n└──┴──┘",
        ] {
            assert_eq!(column_of(text, "password"), ["V1", "V2"], "{text}");
        }
    }

    #[test]
    fn what_is_no_table_gives_no_cells() {
        for text in [
            "login(user, password)\nnext(a, b)",
            "a password, and more\nb, c",
            "the user, the password, or whatever else\na, b, c",
            "password\nV1",
            "  password\n  V1",
            "user: a  password\nb  V1",
            "x || password\ny || V1",
            "    User,\n    password,\n    ProxyUser2,\n",
        ] {
            assert_eq!(column_of(text, "password"), [""; 0], "{text}");
        }
    }
}
