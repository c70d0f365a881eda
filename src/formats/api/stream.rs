//! Responses that were kept as they came, bit by bit: as server-sent events, or as a list of what
//! stood in them. They are put together and then read like any other.

use std::io::Read;

use serde_json::{Map, Value};

use crate::figures::size;
use crate::formats::Head;
use crate::formats::problems::Problems;
use crate::formats::records;
use crate::source::Source;

use super::Wire;

/// The responses that a text or a list of pieces gives, each as JSON; none when it is no stream.
pub(crate) fn responses(text: &str, wire: &dyn Wire) -> Vec<String> {
    let mut streams: Vec<Vec<Value>> = Vec::new();
    let mut last: Option<String> = None;
    for piece in pieces(text) {
        let id = wire.stream_of(&piece).map(str::to_owned);
        let is_next = id.is_some() && id != last;
        match streams.last_mut() {
            Some(stream) if !is_next => stream.push(piece),
            // What stands before the first that says so is of none.
            None if id.is_none() => {}
            _ => streams.push(vec![piece]),
        }
        last = id.or(last);
    }
    let joined = streams.iter().filter_map(|stream| wire.joined(stream));
    joined.map(|response| response.to_string()).collect()
}

/// Whether a text begins as server-sent events do.
pub(crate) fn are_events(text: &str) -> bool {
    let first = text.trim_start_matches('\u{feff}').trim_start();
    ["data:", "event:"]
        .iter()
        .any(|field| first.starts_with(field))
}

/// Whether a file begins with events in which one of these words stands, or with a piece as
/// `is_piece` knows them.
pub(crate) fn is_stream(
    head: &Head,
    words: &[&str],
    is_piece: impl Fn(&crate::formats::Shape) -> bool,
) -> bool {
    let is_told = || words.iter().any(|word| head.text.contains(word));
    (are_events(&head.text) && is_told()) || head.records.first().is_some_and(is_piece)
}

/// How much of a file is looked at to see whether it is a stream, and how long one may be, in bytes.
const START: u64 = 64 << 10;
const LONGEST: u64 = 256 << 20;

/// Whether a source's main file is a stream by itself.
pub(super) fn is_streamed(source: &Source, wire: &dyn Wire) -> bool {
    let mut start = Vec::new();
    let read = records::open(&source.main)
        .and_then(|(_, reader)| reader.take(START).read_to_end(&mut start));
    let text = String::from_utf8_lossy(&start);
    let first = text.lines().find(|line| !line.trim().is_empty());
    read.is_ok()
        && first.is_some_and(|line| {
            let piece = || serde_json::from_str(line).ok();
            are_events(line) || piece().is_some_and(|piece| wire.begins_stream(&piece))
        })
}

/// The text of a file that is a stream.
pub(super) fn text_of(source: &Source, problems: &mut Problems) -> Option<String> {
    let mut bytes = Vec::new();
    let read = records::open(&source.main)
        .and_then(|(_, reader)| reader.take(LONGEST).read_to_end(&mut bytes));
    if let Err(error) = read {
        problems.lost(None, format!("cannot be read: {error}"));
        return None;
    }
    if bytes.len() as u64 == LONGEST {
        problems.warn(None, format!("only the first {} are read", size(LONGEST)));
    }
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// The pieces in a text: the data of its events, or JSON in lines or in a list.
fn pieces(text: &str) -> Vec<Value> {
    if are_events(text) {
        return events(text);
    }
    let start = text.trim_start();
    if start.starts_with('[') {
        let list = serde_json::from_str(start).unwrap_or_default();
        return match list {
            Value::Array(list) => list,
            _ => Vec::new(),
        };
    }
    let lines = start.lines().filter(|line| !line.trim().is_empty());
    let lines: Option<Vec<Value>> = lines.map(|line| serde_json::from_str(line).ok()).collect();
    lines.filter(|lines| lines.len() > 1).unwrap_or_default()
}

/// The data of server-sent events. An event ends with an empty line; one that was cut is none.
fn events(text: &str) -> Vec<Value> {
    let mut found = Vec::new();
    let mut data = String::new();
    for line in text.lines().chain([""]) {
        if let Some(more) = line.strip_prefix("data:") {
            // Some logs drop the empty lines: then each line is an event.
            found.extend(taken(&mut data));
            data.push_str(more.trim());
        } else if line.trim().is_empty() {
            found.extend(taken(&mut data));
            data.clear();
        }
    }
    found
}

/// The value that was gathered, if it is whole.
fn taken(data: &mut String) -> Option<Value> {
    let value = serde_json::from_str(data).ok()?;
    data.clear();
    Some(value)
}

/// Adds a piece to what came before it: texts grow, lists are joined by their elements' `index`,
/// and what only names something stays.
pub(crate) fn grow(whole: &mut Map<String, Value>, piece: &Map<String, Value>) {
    for (key, more) in piece {
        match (whole.get_mut(key), more) {
            (_, Value::Null) => {}
            (Some(Value::String(text)), Value::String(more)) => {
                if !matches!(key.as_str(), "id" | "type" | "role" | "name" | "format") {
                    text.push_str(more);
                }
            }
            (Some(Value::Object(whole)), Value::Object(more)) => grow(whole, more),
            (Some(Value::Array(list)), Value::Array(more)) => {
                more.iter().for_each(|element| grow_list(list, element));
            }
            (None | Some(Value::Null), Value::Array(more)) => {
                let mut list = Vec::new();
                more.iter()
                    .for_each(|element| grow_list(&mut list, element));
                whole.insert(key.clone(), Value::Array(list));
            }
            _ => {
                whole.insert(key.clone(), more.clone());
            }
        }
    }
}

fn grow_list(list: &mut Vec<Value>, element: &Value) {
    let index = element.get("index").filter(|index| index.is_u64());
    let known = index.and_then(|index| {
        let mut known = list.iter_mut();
        known.find(|known| known.get("index") == Some(index))
    });
    match (known, element) {
        (Some(Value::Object(known)), Value::Object(more)) => grow(known, more),
        _ => list.push(element.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_read_with_and_without_empty_lines_and_cut() {
        let values = |text: &str| {
            events(text)
                .iter()
                .map(Value::to_string)
                .collect::<Vec<_>>()
        };
        let text =
            "event: a\ndata: {\"n\":1}\n\n: ping\n\ndata: {\"n\":\ndata: 2}\n\ndata: [DONE]\n\n";
        assert_eq!(values(text), ["{\"n\":1}", "{\"n\":2}"]);
        assert_eq!(
            values("data: {\"n\":1}\ndata: {\"n\":2}\ndata: {\"n\""),
            ["{\"n\":1}", "{\"n\":2}"]
        );
    }

    #[test]
    fn pieces_grow_into_one() {
        let mut whole = Map::new();
        for piece in [
            r#"{"role":"assistant","content":"a","calls":[{"index":0,"id":"c","f":{"name":"x","args":""}}]}"#,
            r#"{"role":"assistant","content":"b","calls":[{"index":0,"f":{"args":"{}"}},{"index":1,"id":"d"}]}"#,
            r#"{"content":null}"#,
        ] {
            let Ok(Value::Object(piece)) = serde_json::from_str(piece) else {
                panic!("an object");
            };
            grow(&mut whole, &piece);
        }
        assert_eq!(
            Value::Object(whole).to_string(),
            r#"{"role":"assistant","content":"ab","calls":[{"index":0,"id":"c","f":{"name":"x","args":"{}"}},{"index":1,"id":"d"}]}"#
        );
    }
}
