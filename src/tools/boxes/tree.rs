//! JSON in a box, folded by depth: as many levels stand open as fit without a fold, what lies
//! deeper opens where it stands.

use askama::Template;

use crate::figures::counted;
use crate::highlight::{self, Language};
use crate::html::Html;
use crate::tools::Drawing;

use super::frame::{EDGE, fits, named};

/// Rows that a level shows: as many as a box of text shows without a fold.
const ROWS: usize = 2 * EDGE;
/// How many levels are tried open at once.
const LEVELS: usize = 8;

#[derive(Template)]
#[template(path = "tree.html")]
struct TreeTemplate {
    label: String,
    rows: Html,
}

#[derive(Template)]
#[template(path = "twigs.html")]
struct TwigsTemplate {
    pieces: Vec<Piece>,
}

/// What stands in a level, from above.
enum Piece {
    Lines(Vec<Html>),
    /// A list or an object that is folded: its first line, what it says while it is folded, what
    /// is in it.
    Twig(Html, String, Html),
    /// Rows between the first and the last of a long level, and how many.
    Middle(String, String, Html),
}

/// Indented JSON, as [`pretty`](crate::tools::json::pretty) writes it. `None` when its lines do
/// not pair up: what is nested too deep stays on one line.
/// No tree either when its markup is too much for its page.
pub(super) fn tree(label: &str, pretty: &str, drawing: &Drawing<'_>) -> Option<Html> {
    let texts: Vec<&str> = pretty.split('\n').collect();
    let ends = ends(&texts)?;
    let lines = highlight::code_lines(pretty, Language::from_name("json"));
    if !fits(&lines, drawing) {
        return None;
    }
    let tree = Tree { texts, ends, lines };
    let count = tree.texts.len();
    let whole = match tree.ends.first() {
        Some(Some(end)) if end + 1 == count && count > ROWS => {
            // The outermost one is always open.
            let mut pieces = vec![Piece::Lines(vec![tree.lines[0].clone()])];
            pieces.extend(tree.level(1, *end));
            pieces.push(Piece::Lines(vec![tree.lines[*end].clone()]));
            pieces
        }
        _ => vec![Piece::Lines(tree.lines.clone())],
    };
    Some(Html::render(&TreeTemplate {
        label: named(label, count),
        rows: Html::render(&TwigsTemplate {
            pieces: joined(whole),
        }),
    }))
}

struct Tree<'a> {
    texts: Vec<&'a str>,
    /// For a line that opens a list or an object, the line that closes it.
    ends: Vec<Option<usize>>,
    lines: Vec<Html>,
}

/// One row of a level: a line, or a folded list or object with its last line.
enum Row {
    Line(usize),
    Twig(usize, usize),
}

impl Tree<'_> {
    /// The lines from one to before another, as far open as a level has room for.
    fn level(&self, from: usize, to: usize) -> Vec<Piece> {
        let fits = |depth: &usize| self.rows(from, to, *depth).len() <= ROWS;
        let depth = (0..LEVELS).rev().find(fits).unwrap_or(0);
        let mut rows = self.rows(from, to, depth);
        if rows.len() <= ROWS + 1 {
            return self.pieces(&rows);
        }
        let tail = rows.split_off(rows.len() - EDGE);
        let middle = rows.split_off(EDGE);
        let hidden = middle.len() as u64;
        let mut pieces = self.pieces(&rows);
        pieces.push(Piece::Middle(
            counted(hidden, "more row", "more rows"),
            format!("hide {}", counted(hidden, "row", "rows")),
            Html::render(&TwigsTemplate {
                pieces: joined(self.pieces(&middle)),
            }),
        ));
        pieces.extend(self.pieces(&tail));
        pieces
    }

    fn rows(&self, from: usize, to: usize, depth: usize) -> Vec<Row> {
        let mut rows = Vec::new();
        let mut at = from;
        while at < to {
            match self.ends[at] {
                Some(end) if end > at + 2 && depth == 0 => {
                    rows.push(Row::Twig(at, end));
                    at = end + 1;
                }
                Some(end) => {
                    rows.push(Row::Line(at));
                    rows.extend(self.rows(at + 1, end, depth.saturating_sub(1)));
                    rows.push(Row::Line(end));
                    at = end + 1;
                }
                None => {
                    rows.push(Row::Line(at));
                    at += 1;
                }
            }
        }
        rows
    }

    fn pieces(&self, rows: &[Row]) -> Vec<Piece> {
        let pieces = rows.iter().map(|row| match *row {
            Row::Line(at) => Piece::Lines(vec![self.lines[at].clone()]),
            Row::Twig(at, end) => {
                let mut inner = self.level(at + 1, end);
                inner.push(Piece::Lines(vec![self.lines[end].clone()]));
                Piece::Twig(
                    self.lines[at].clone(),
                    format!("⋯ {} {}", self.inside(at, end), self.texts[end].trim()),
                    Html::render(&TwigsTemplate {
                        pieces: joined(inner),
                    }),
                )
            }
        });
        pieces.collect()
    }

    /// How many values a list or an object has: `3 items`, `1 field`.
    fn inside(&self, at: usize, end: usize) -> String {
        let mut count = 0;
        let mut line = at + 1;
        while line < end {
            count += 1;
            line = self.ends[line].unwrap_or(line) + 1;
        }
        if self.texts[at].ends_with('[') {
            counted(count, "item", "items")
        } else {
            counted(count, "field", "fields")
        }
    }
}

/// For every line that opens a list or an object the line that closes it.
fn ends(texts: &[&str]) -> Option<Vec<Option<usize>>> {
    let mut ends = vec![None; texts.len()];
    let mut open = Vec::new();
    for (at, text) in texts.iter().enumerate() {
        let text = text.trim();
        if text.starts_with(['}', ']']) {
            let start: usize = open.pop()?;
            ends[start] = Some(at);
        }
        if text.ends_with(['{', '[']) {
            open.push(at);
        }
    }
    open.is_empty().then_some(ends)
}

/// Lines that follow each other as one piece.
fn joined(pieces: Vec<Piece>) -> Vec<Piece> {
    let mut joined: Vec<Piece> = Vec::new();
    for piece in pieces {
        match (joined.last_mut(), piece) {
            (Some(Piece::Lines(before)), Piece::Lines(lines)) => before.extend(lines),
            (_, piece) => joined.push(piece),
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use crate::tools::json::pretty;
    use crate::tools::testing::{text, with_drawing};

    use super::*;

    fn drawn(json: &str) -> String {
        let pretty = pretty(json).expect("it is JSON");
        with_drawing(|drawing| tree("JSON", &pretty, drawing))
            .expect("it pairs up")
            .into_string()
    }

    #[test]
    fn short_json_has_no_fold() {
        let html = drawn(r#"{"a":{"b":[1,2]},"c":3}"#);
        assert!(!html.contains("<details"), "{html}");
        assert!(
            text(&html).contains("    \"b\": [\n      1,\n      2\n    ]\n"),
            "{html}"
        );
    }

    #[test]
    fn what_lies_deep_is_folded_and_what_is_above_is_not() {
        let plants: Vec<_> = (0..8)
            .map(|n| format!(r#"{{"name":"plant {n}","at":{{"row":{n},"bed":1}}}}"#))
            .collect();
        let html = drawn(&format!(r#"{{"total":8,"plants":[{}]}}"#, plants.join(",")));
        let (open, _) = html.split_once("<details").expect("a fold");
        assert!(text(open).contains("\"total\": 8"), "{html}");
        assert_eq!(html.matches("⋯ 2 fields }").count(), 8, "{html}");
        for n in 0..8 {
            assert!(text(&html).contains(&format!("plant {n}")));
        }
        assert_eq!(
            html.matches("<details").count(),
            html.matches("</details>").count()
        );
    }

    #[test]
    fn a_long_level_has_a_fold_in_its_middle() {
        let numbers: Vec<_> = (0..100).map(|n| n.to_string()).collect();
        let html = drawn(&format!("[{}]", numbers.join(",")));
        assert!(html.contains("⋯ 88 more rows"), "{html}");
    }

    #[test]
    fn what_is_nested_too_deep_is_no_tree_but_no_panic() {
        let deep = format!("{}1{}", "[".repeat(100), "]".repeat(100));
        let deep = pretty(&deep).expect("it is JSON");
        with_drawing(|drawing| tree("JSON", &deep, drawing));
    }
}
