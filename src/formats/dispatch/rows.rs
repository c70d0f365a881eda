//! The rows of a saved conversation: what each of them says, and in which order they stand.

use std::borrow::Cow;

use crate::formats::pairs::input;
use crate::formats::problems::Problems;
use crate::formats::records::{Json, Object, text};
use crate::model::{Input, Notice, ToolResult};

/// How far back a row is compared with those before it, to find one that stands twice.
const NEAR: usize = 16;

/// One saved row.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Row {
    /// Its number in the conversation, counted from 1; `None` when the file has none.
    pub(super) seq: Option<u64>,
    /// Who it belongs to: `system`, `user`, `assistant` or `tool`.
    pub(super) role: String,
    /// What it says.
    pub(super) chunk: Chunk,
    /// Where it stands in a file of lines, counted from 1.
    pub(super) line: Option<u64>,
}

/// What a row says.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Chunk {
    Text(String),
    Thinking(String),
    Call(Call),
    Result(Outcome),
    Error {
        message: String,
        code: Option<String>,
    },
    System(String),
    /// A kind that this reader does not know, as JSON.
    Unknown {
        kind: String,
        json: String,
    },
    /// Lines of the file that could not be read.
    Unreadable(Notice),
}

/// A tool call.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Call {
    pub(super) id: String,
    pub(super) tool: String,
    pub(super) input: Input,
    pub(super) step: Option<String>,
}

/// What a tool gave back.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Outcome {
    pub(super) id: String,
    pub(super) tool: String,
    /// The result; `None` once it was added to its pair.
    pub(super) result: Option<ToolResult>,
    pub(super) step: Option<String>,
}

impl Row {
    /// The row that a JSON object is; `None` when it is something else.
    pub(super) fn of(row: &Object<'_>, line: Option<u64>) -> Option<Self> {
        let value = row.get("chunk")?;
        let chunk = Object::of(value)?;
        let kind = chunk.text("type")?.into_owned();
        Some(Row {
            seq: row.count("seq"),
            role: row.string("role"),
            chunk: Chunk::of(kind, &chunk, value.get()),
            line,
        })
    }

    /// What stands for lines that could not be read.
    pub(super) fn unreadable(line: u64, notice: Notice) -> Self {
        Row {
            seq: None,
            role: String::new(),
            chunk: Chunk::Unreadable(notice),
            line: Some(line),
        }
    }
}

impl Chunk {
    fn of(kind: String, chunk: &Object<'_>, json: &str) -> Self {
        let id = || chunk.string("toolCallId");
        let tool = || chunk.string("toolName");
        let words_of = |key| chunk.get(key).and_then(text).map(Cow::into_owned);
        let said = match kind.as_str() {
            "text" => words_of("text").map(Chunk::Text),
            "thinking" => words_of("text").map(Chunk::Thinking),
            "system" => words_of("text").map(Chunk::System),
            "error" => words_of("message").map(|message| Chunk::Error {
                message,
                code: chunk.words("code"),
            }),
            "tool-call" => Some(Chunk::Call(Call {
                id: id(),
                tool: tool(),
                input: input(chunk, "input"),
                step: chunk.words("stepId"),
            })),
            "tool-result" => Some(Chunk::Result(Outcome {
                id: id(),
                tool: tool(),
                result: Some(ToolResult {
                    text: chunk.get("content").map(words).unwrap_or_default(),
                    is_error: chunk.flag("isError"),
                    ..ToolResult::default()
                }),
                step: chunk.words("stepId"),
            })),
            _ => None,
        };
        said.unwrap_or_else(|| Chunk::Unknown {
            kind,
            json: json.to_owned(),
        })
    }
}

/// A text; what is none stands as its JSON.
fn words(value: Json<'_>) -> String {
    text(value).map_or_else(|| value.get().to_owned(), Cow::into_owned)
}

/// Puts the rows into the order of their numbers. A row without one stays behind the row that it
/// follows; a row that stands twice is kept once.
pub(super) fn in_order(rows: Vec<Row>, problems: &mut Problems) -> Vec<Row> {
    let mut last = 0;
    let mut numbered: Vec<(u64, Row)> = Vec::with_capacity(rows.len());
    for row in rows {
        last = row.seq.unwrap_or(last);
        numbered.push((last, row));
    }
    let sorted = numbered.is_sorted_by_key(|(seq, _)| *seq);
    if !sorted {
        // Stable: rows of one number stay in the order of the file.
        numbered.sort_by_key(|(seq, _)| *seq);
        problems.note(None, "rows out of order, sorted by seq");
    }
    let mut kept: Vec<(u64, Row)> = Vec::with_capacity(numbered.len());
    for (number, row) in numbered {
        let mut same_number = kept.iter().rev().take(NEAR);
        let twin = row.seq.is_some()
            && same_number.any(|(_, earlier)| {
                earlier.seq == row.seq && earlier.role == row.role && earlier.chunk == row.chunk
            });
        if twin {
            problems.note(row.line, "a row stands twice");
        } else {
            kept.push((number, row));
        }
    }
    kept.into_iter().map(|(_, row)| row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::File;

    fn row(json: &str) -> Option<Row> {
        Row::of(&Object::parse(json).ok()?, None)
    }

    fn input_of(field: &str) -> Input {
        let json = format!(
            r#"{{"seq":1,"role":"assistant","chunk":{{"type":"tool-call","toolCallId":"a","toolName":"t"{field}}}}}"#
        );
        match row(&json).expect("a row").chunk {
            Chunk::Call(call) => call.input,
            other => panic!("no call: {other:?}"),
        }
    }

    #[test]
    fn every_shape_of_input_is_read() {
        let json = |text: &str| Input::Json(text.to_owned());
        let text = |text: &str| Input::Text(text.to_owned());
        assert_eq!(input_of(r#","input":{"a": 1}"#), json(r#"{"a": 1}"#));
        assert_eq!(
            input_of(r#","input":"{\"a\":1}""#),
            json(r#"{"a":1}"#),
            "JSON in a string is JSON"
        );
        assert_eq!(input_of(r#","input":"{\"a\":""#), text(r#"{"a":"#));
        assert_eq!(input_of(r#","input":"12""#), text("12"));
        assert_eq!(input_of(r#","input":"""#), text(""));
        assert_eq!(input_of(r#","input":[1,"x"]"#), json(r#"[1,"x"]"#));
        assert_eq!(input_of(r#","input":4.20"#), json("4.20"));
        assert_eq!(input_of(r#","input":null"#), json("null"));
        assert_eq!(input_of(""), text(""));
    }

    #[test]
    fn a_chunk_of_an_unknown_or_misshapen_kind_is_kept_as_json() {
        let chunk = row(r#"{"seq":1,"role":"user","chunk":{"type":"image","url":"x"}}"#)
            .expect("a row")
            .chunk;
        let json = r#"{"type":"image","url":"x"}"#.to_owned();
        let kind = "image".to_owned();
        assert_eq!(chunk, Chunk::Unknown { kind, json });
        let chunk = row(r#"{"seq":1,"role":"user","chunk":{"type":"text","text":7}}"#)
            .expect("a row")
            .chunk;
        assert!(matches!(chunk, Chunk::Unknown { kind, .. } if kind == "text"));
        assert!(row(r#"{"seq":1,"role":"user"}"#).is_none());
    }

    #[test]
    fn rows_are_sorted_and_a_repeated_row_is_kept_once() {
        let text = |seq: &str, text: &str| {
            row(&format!(
                r#"{{{seq}"role":"user","chunk":{{"type":"text","text":"{text}"}}}}"#
            ))
            .expect("a row")
        };
        let rows = vec![
            text(r#""seq":3,"#, "c"),
            text("", "c2"),
            text(r#""seq":1,"#, "a"),
            text(r#""seq":3,"#, "c"),
            text(r#""seq":3,"#, "other"),
        ];
        let file = File::in_memory("f".into(), "f".into(), Vec::new());
        let mut problems = Problems::of(&file);
        let said: Vec<_> = in_order(rows, &mut problems)
            .into_iter()
            .map(|row| match row.chunk {
                Chunk::Text(text) => text,
                other => panic!("no text: {other:?}"),
            })
            .collect();
        assert_eq!(said, ["a", "c", "c2", "other"]);
        let problems = problems.into_vec();
        assert_eq!(problems.len(), 2, "{problems:?}");
    }
}
