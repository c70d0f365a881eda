//! Which lines of a file a call is about, under the many names that vendors give them.

use serde_json::Value;

use super::args::Args;

const START: &[&str] = &["start_line", "startLine", "start_line_one_indexed"];
const END: &[&str] = &["end_line", "endLine", "end_line_one_indexed_inclusive"];

/// The lines as a row shows them behind a path: `:1-80`, or `:40` when there is no end. Empty
/// when the call is about the whole file.
pub(super) fn range(args: &Args) -> String {
    let (start, end) = bounds(args);
    match (start.filter(|start| *start > 0), end) {
        (Some(start), Some(end)) if end >= start => format!(":{start}-{end}"),
        (Some(start), _) => format!(":{start}"),
        (None, _) => String::new(),
    }
}

/// The first and the last line, counted from 1.
fn bounds(args: &Args) -> (Option<i64>, Option<i64>) {
    if let [start, end] = args.items(&["view_range", "line_range"]) {
        return (start.as_i64(), end.as_i64());
    }
    if let Some((start, end)) = args
        .get(&["line_range"])
        .and_then(Value::as_str)
        .and_then(|lines| lines.split_once('-'))
    {
        return (start.trim().parse().ok(), end.trim().parse().ok());
    }
    let (start, end) = (args.number(START), args.number(END));
    if start.is_some() || end.is_some() {
        return (start.or(Some(1)), end);
    }
    let limit = args.number(&["limit"]).filter(|limit| *limit > 0);
    let offset = args.number(&["offset"]).map(|offset| match offset {
        0 => 1,
        offset => offset,
    });
    match (offset, limit) {
        (None, None) => (None, None),
        (offset, limit) => {
            let start = offset.unwrap_or(1);
            (
                Some(start),
                limit.map(|limit| start.saturating_add(limit - 1)),
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Input;

    #[test]
    fn the_lines_are_found_under_every_name() {
        for (input, shown) in [
            (r#"{"offset":1,"limit":80}"#, ":1-80"),
            (r#"{"offset":"38","limit":40}"#, ":38-77"),
            (r#"{"offset":40}"#, ":40"),
            (r#"{"offset":0,"limit":5}"#, ":1-5"),
            (r#"{"limit":100}"#, ":1-100"),
            (r#"{"start_line":3,"end_line":9}"#, ":3-9"),
            (r#"{"endLine":9}"#, ":1-9"),
            (r#"{"view_range":[10,-1]}"#, ":10"),
            (r#"{"view_range":[10,20]}"#, ":10-20"),
            (r#"{"line_range":"7-8"}"#, ":7-8"),
            (r#"{"offset":-5}"#, ""),
            (
                r#"{"offset":9223372036854775807,"limit":9}"#,
                ":9223372036854775807-9223372036854775807",
            ),
            (r#"{"view_range":"x","offset":{}}"#, ""),
            ("{}", ""),
        ] {
            let args = Args::of(Some(&Input::Json(input.to_owned())));
            assert_eq!(range(&args), shown, "{input}");
        }
    }
}
