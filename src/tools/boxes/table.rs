//! Records as a table: what many tools answer that list things.

use askama::Template;
use serde_json::{Map, Value};

use crate::figures::{counted, one_line};
use crate::html::{Html, Text};

use super::Drawn;

/// Rows before the fold, and rows of a page; the rest stands in the result as recorded.
const SHOWN: usize = 12;
const ROWS: usize = 200;
/// Cells of a page.
const CELLS: usize = 2_000;
/// Columns that a table may have.
const COLUMNS: usize = 24;
/// Characters that a cell keeps.
const CELL: usize = 160;
/// Columns, and characters of a text, up to which records are taken for a table unasked.
const FEW: usize = 10;
const SHORT: usize = 120;

#[derive(Template)]
#[template(path = "table.html")]
struct TableTemplate<'a> {
    label: String,
    head: Vec<Column<'a>>,
    shown: &'a [Vec<Cell>],
    folded: &'a [Vec<Cell>],
    more: String,
    less: String,
    left: Option<String>,
}

struct Column<'a> {
    name: Text<'a>,
    is_number: bool,
}

struct Cell {
    text: String,
    is_number: bool,
}

impl Cell {
    fn words(&self) -> Text<'_> {
        Text(&self.text)
    }
}

/// The records of a JSON text, when it is a list of at least two flat and similar ones whose
/// values are short.
pub(in crate::tools) fn records(text: &str) -> Option<Vec<Value>> {
    let text = text.trim();
    if !text.starts_with('[') {
        return None;
    }
    let records: Vec<Value> = serde_json::from_str(text).ok()?;
    let columns = columns(&records)?;
    let is_short = |value: &Value| match value {
        Value::Array(_) | Value::Object(_) => false,
        Value::String(text) => text.len() <= SHORT && !text.contains('\n'),
        _ => true,
    };
    let mut filled = 0;
    for record in &records {
        let map = record
            .as_object()
            .filter(|map| map.values().all(is_short))?;
        filled += map.len();
    }
    // Records of many kinds make a table of holes.
    let is_dense = filled * 2 >= records.len() * columns.len();
    (records.len() >= 2 && columns.len() <= FEW && is_dense).then_some(records)
}

/// A table of records. `None` when there are none, or one is no object, or their fields are too
/// many for columns. Long values are cut and nested ones written as JSON, so that a card has to
/// show the records as recorded too.
pub(in crate::tools) fn table(records: &[Value]) -> Option<Drawn> {
    let columns = columns(records)?;
    let mut rows: Vec<Vec<Cell>> = Vec::new();
    for record in records.iter().take(ROWS.min(CELLS / columns.len())) {
        let map = record.as_object()?;
        rows.push(columns.iter().map(|column| cell(map, column)).collect());
    }
    let (shown, folded) = if rows.len() > SHOWN + 1 {
        rows.split_at(SHOWN)
    } else {
        (&rows[..], &[][..])
    };
    let head = columns.iter().enumerate().map(|(at, column)| Column {
        name: Text(column),
        is_number: rows.iter().any(|row| row[at].is_number)
            && rows
                .iter()
                .all(|row| row[at].is_number || row[at].text.is_empty()),
    });
    let head = head.collect();
    let (hidden, left) = (folded.len() as u64, records.len() - rows.len());
    let html = Html::render(&TableTemplate {
        label: format!("Table, {}", counted(records.len() as u64, "row", "rows")),
        head,
        shown,
        folded,
        more: counted(hidden, "more row", "more rows"),
        less: format!("hide {}", counted(hidden, "row", "rows")),
        left: (left > 0).then(|| {
            let rows = counted(left as u64, "more row", "more rows");
            format!("{rows} in what was recorded")
        }),
    });
    Some(Drawn {
        html,
        is_whole: false,
    })
}

/// The names of all fields, in the order of their first appearance.
fn columns(records: &[Value]) -> Option<Vec<&str>> {
    let mut columns: Vec<&str> = Vec::new();
    for record in records {
        for name in record.as_object()?.keys() {
            if !columns.contains(&name.as_str()) {
                columns.push(name);
            }
        }
        if columns.len() > COLUMNS {
            return None;
        }
    }
    (!columns.is_empty()).then_some(columns)
}

fn cell(map: &Map<String, Value>, column: &str) -> Cell {
    let text = match map.get(column) {
        None => String::new(),
        Some(Value::String(text)) => one_line(text, CELL),
        Some(value) => one_line(&value.to_string(), CELL),
    };
    Cell {
        text,
        is_number: map.get(column).is_some_and(Value::is_number),
    }
}

#[cfg(test)]
mod tests {
    use crate::tools::testing::{body, call, html, row};

    fn plants(count: usize) -> String {
        let plants: Vec<_> = (1..=count)
            .map(|n| format!(r#"{{"name":"plant {n}","height":{n},"dry":true}}"#))
            .collect();
        format!("[{}]", plants.join(","))
    }

    #[test]
    fn records_are_a_table_over_what_was_recorded() {
        let call = call("mcp__garden__list", "{}", Some(Ok(&plants(3))));
        let html = html("x", &call);
        assert!(
            html.contains("<th scope=\"col\"><bdi>name</bdi></th>"),
            "{html}"
        );
        assert!(html.contains("<td class=\"num\">2</td>"), "{html}");
        assert!(body("x", &call).contains("Result as recorded"), "{html}");
        assert!(!html.contains("class=\"more\""));
        assert_eq!(row("x", &call), "✓ garden · list → 3 rows");
    }

    #[test]
    fn a_long_table_is_folded_and_cut_and_says_so() {
        let html = html("x", &call("nobody_knows", "{}", Some(Ok(&plants(500)))));
        assert!(html.contains("⋯ 188 more rows"), "{html}");
        assert!(html.contains("300 more rows in what was recorded"));
        assert!(html.contains("plant 500"), "as recorded");
    }

    #[test]
    fn what_is_not_flat_or_not_alike_is_no_table() {
        for result in [
            r#"[{"a":1}]"#.to_owned(),
            r#"[{"a":1},{"a":{"b":2}}]"#.to_owned(),
            r#"[{"a":1},2]"#.to_owned(),
            r#"[{"a":1},{"b":1},{"c":1}]"#.to_owned(),
            format!(r#"[{{"a":"{0}"}},{{"a":"{0}"}}]"#, "word ".repeat(60)),
            "[]".to_owned(),
            "[1,2]".to_owned(),
        ] {
            let html = html("x", &call("nobody_knows", "{}", Some(Ok(&result))));
            assert!(!html.contains("<table"), "{result}");
        }
    }
}
