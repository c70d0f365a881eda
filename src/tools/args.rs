//! A call's input under the many names that vendors give the same argument.

use serde_json::{Map, Value};

use crate::model::Input;

/// Names of the argument that is a file or folder.
pub(super) const PATH: &[&str] = &[
    "path",
    "file_path",
    "filePath",
    "filename",
    "file",
    "target_file",
    "absolute_path",
    "relative_workspace_path",
    "notebook_path",
    "dir_path",
    "target_directory",
    "uri",
];
/// Names of the argument that is the folder in which is looked.
pub(super) const PLACE: &[&str] = &[
    "path",
    "directory",
    "dir",
    "dir_path",
    "target_directory",
    "relative_workspace_path",
    "DirectoryPath",
    "folder",
    "searchPath",
    "file_path",
];
/// Names of the argument that is a command.
pub(super) const COMMAND: &[&str] = &["command", "cmd", "script", "commandLine"];
/// Names of the argument that is the text to be replaced.
pub(super) const OLD: &[&str] = &[
    "oldString",
    "old_string",
    "old_str",
    "oldText",
    "old_text",
    "search",
];
/// Names of the argument that is the text put in its place.
pub(super) const NEW: &[&str] = &[
    "newString",
    "new_string",
    "new_str",
    "newText",
    "new_text",
    "insert_text",
    "replace",
];
/// Names of the argument that is a file's new content.
pub(super) const CONTENT: &[&str] = &["content", "contents", "file_text", "text"];
/// Names of the argument that asks for every occurrence.
pub(super) const ALL: &[&str] = &["replaceAll", "replace_all", "allow_multiple"];
/// Names of the argument that is a query.
pub(super) const QUERY: &[&str] = &["query", "q", "search_term"];

/// A call's input, parsed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Args {
    /// The arguments by name, in the file's order; empty when the input is no object.
    pub(super) map: Map<String, Value>,
    /// Input that is no object: a patch, a list, a number, JSON that does not parse.
    pub(super) free: Option<String>,
}

impl Args {
    /// Parses an input. An object is taken as it is; a string is tried as JSON once more;
    /// anything else is free text. Never fails.
    pub(super) fn of(input: Option<&Input>) -> Self {
        let (raw, json) = match input {
            None => return Args::default(),
            Some(Input::Json(raw)) => (raw, serde_json::from_str::<Value>(raw).ok()),
            Some(Input::Text(raw)) => (
                raw,
                serde_json::from_str::<Value>(raw)
                    .ok()
                    .filter(Value::is_object),
            ),
        };
        match json {
            Some(Value::Object(map)) => Args { map, free: None },
            Some(Value::String(text)) => match serde_json::from_str(&text) {
                Ok(Value::Object(map)) => Args { map, free: None },
                _ => Args {
                    map: Map::new(),
                    free: Some(text).filter(|text| !text.is_empty()),
                },
            },
            Some(Value::Null) => Args::default(),
            _ => Args {
                map: Map::new(),
                free: Some(raw.clone()).filter(|raw| !raw.trim().is_empty()),
            },
        }
    }

    /// The arguments of one element of a list; `None` when it is no object.
    pub(super) fn of_object(value: &Value) -> Option<Self> {
        value.as_object().map(|map| Args {
            map: map.clone(),
            free: None,
        })
    }

    /// Whether nothing was given.
    pub(super) fn is_empty(&self) -> bool {
        self.map.is_empty() && self.free.is_none()
    }

    /// Whether the input is an object (or missing) in which the first argument of each group of
    /// names is text, or there is none: what a view needs that shows them as words.
    pub(super) fn are_text(&self, groups: &[&[&str]]) -> bool {
        self.free.is_none()
            && groups
                .iter()
                .all(|names| self.get(names).is_none_or(Value::is_string))
    }

    /// The first of the names that is there and not null.
    pub(super) fn get(&self, names: &[&str]) -> Option<&Value> {
        names
            .iter()
            .find_map(|name| self.map.get(*name))
            .filter(|value| !value.is_null())
    }

    /// The first of the names that is a string.
    pub(super) fn text(&self, names: &[&str]) -> Option<&str> {
        names.iter().find_map(|name| self.map.get(*name)?.as_str())
    }

    /// The first of the names that is a string with something in it, and its name.
    pub(super) fn named<'n>(&self, names: &[&'n str]) -> Option<(&'n str, &str)> {
        names.iter().find_map(|name| {
            let text = self.map.get(*name)?.as_str()?;
            (!text.trim().is_empty()).then_some((*name, text))
        })
    }

    /// The first of the names that is a string with something in it.
    pub(super) fn words(&self, names: &[&str]) -> Option<&str> {
        self.named(names).map(|(_, text)| text)
    }

    /// The first of the names that is a string with something in it, else input that is only a
    /// text.
    pub(super) fn words_or_free(&self, names: &[&str]) -> Option<&str> {
        self.words(names).or(self.free.as_deref())
    }

    /// The first of the names that is a string with something in it, a number or a list of them,
    /// in one line: ids, targets, positions.
    pub(super) fn told(&self, names: &[&str]) -> Option<String> {
        names.iter().find_map(|name| told(self.map.get(*name)?))
    }

    /// The first of the names that is a whole number, or a string of one.
    pub(super) fn number(&self, names: &[&str]) -> Option<i64> {
        names.iter().find_map(|name| match self.map.get(*name)? {
            Value::Number(number) => number
                .as_i64()
                .or_else(|| number.as_f64().map(|float| float as i64)),
            Value::String(text) => text.trim().parse().ok(),
            _ => None,
        })
    }

    /// The first of the names that is a string or a number, such as an id.
    pub(super) fn word(&self, names: &[&str]) -> Option<String> {
        names.iter().find_map(|name| match self.map.get(*name)? {
            Value::String(text) if !text.trim().is_empty() => Some(text.clone()),
            Value::Number(number) => Some(number.to_string()),
            _ => None,
        })
    }

    /// Whether one of the names is true.
    pub(super) fn flag(&self, names: &[&str]) -> bool {
        names.iter().any(|name| match self.map.get(*name) {
            Some(Value::Bool(flag)) => *flag,
            Some(Value::String(text)) => text == "true",
            _ => false,
        })
    }

    /// The elements of the first of the names that is an array; empty when none is.
    pub(super) fn items(&self, names: &[&str]) -> &[Value] {
        names
            .iter()
            .find_map(|name| self.map.get(*name)?.as_array())
            .map_or(&[], Vec::as_slice)
    }

    /// The first of the names that is a list of queries, and the queries, each in a line with what
    /// it was narrowed to; `None` when there is no such list, or more in it than these.
    pub(super) fn query_lines<'n>(&self, names: &[&'n str]) -> Option<(&'n str, Vec<String>)> {
        let is_list = |name: &&&str| self.map.get(**name).is_some_and(Value::is_array);
        let name = *names.iter().find(is_list)?;
        let lines: Option<Vec<String>> = self.items(&[name]).iter().map(query_line).collect();
        lines
            .filter(|lines| !lines.is_empty())
            .map(|lines| (name, lines))
    }

    /// The command, whether it is given as a string or as a list of words.
    pub(super) fn command(&self) -> Option<String> {
        match self.get(COMMAND)? {
            Value::String(command) => Some(command.clone()),
            Value::Array(words) => {
                let words: Option<Vec<_>> = words.iter().map(Value::as_str).collect();
                let words = words?;
                match words[..] {
                    // A shell that is only there to run one line says nothing.
                    [shell, "-lc" | "-c", line] if shell.ends_with("sh") => Some(line.to_owned()),
                    _ => Some(
                        words
                            .iter()
                            .map(|word| quoted(word))
                            .collect::<Vec<_>>()
                            .join(" "),
                    ),
                }
            }
            _ => None,
        }
    }

    /// The arguments that a view does not draw itself, so that none is forgotten. Of each group
    /// of names in `drawn` the view draws the first that is there; a second one under another
    /// name is among the rest.
    pub(super) fn rest(&self, drawn: &[&[&str]]) -> Vec<(&str, &Value)> {
        let is_there = |name: &&str| self.map.get(*name).is_some_and(|value| !value.is_null());
        let is_drawn = |name: &str, value: &Value| {
            let group = drawn.iter().find(|names| names.contains(&name));
            group.is_some_and(|names| {
                value.is_null() || names.iter().copied().find(|n| is_there(n)) == Some(name)
            })
        };
        self.map
            .iter()
            .filter(|(name, value)| !is_drawn(name, value))
            .map(|(name, value)| (name.as_str(), value))
            .collect()
    }
}

/// A scalar, or a list of scalars, in words; `None` for nothing and for what is deeper.
fn told(value: &Value) -> Option<String> {
    match value {
        Value::String(text) if !text.trim().is_empty() => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Array(items) if !items.is_empty() => {
            let items: Option<Vec<_>> = items
                .iter()
                .map(|item| told(item).filter(|_| !item.is_array()))
                .collect();
            Some(items?.join(", "))
        }
        _ => None,
    }
}

/// A word as a shell would need it written.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+@%^".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// One query of a list, with what it was narrowed to.
fn query_line(query: &Value) -> Option<String> {
    let Value::Object(map) = query else {
        return query.as_str().map(str::to_owned);
    };
    let mut words = QUERY
        .iter()
        .find_map(|name| map.get(*name)?.as_str())?
        .to_owned();
    for (key, value) in map {
        match (key.as_str(), value) {
            (_, Value::Null) => {}
            (key, _) if QUERY.contains(&key) => {}
            ("recency", Value::Number(days)) => words += &format!(" · last {days} days"),
            ("domains", Value::Array(domains)) => {
                for domain in domains {
                    words += &format!(" · {}", domain.as_str()?);
                }
            }
            _ => return None,
        }
    }
    Some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(raw: &str) -> Args {
        Args::of(Some(&Input::Json(raw.to_owned())))
    }

    /// S1-21: string JSON, invalid JSON, array, number, null, missing.
    #[test]
    fn s1_21_any_input_shape_is_taken() {
        assert_eq!(args(r#"{"a":1}"#).map.len(), 1);
        assert_eq!(args(r#""{\"a\":1}""#).map.len(), 1);
        assert_eq!(args("{oops").free.as_deref(), Some("{oops"));
        assert_eq!(args("[1,2]").free.as_deref(), Some("[1,2]"));
        assert_eq!(args("7").free.as_deref(), Some("7"));
        assert_eq!(
            args(r#""*** Begin Patch""#).free.as_deref(),
            Some("*** Begin Patch")
        );
        assert!(args("null").is_empty());
        assert!(Args::of(None).is_empty());
    }

    #[test]
    fn a_command_may_be_a_list_of_words() {
        assert_eq!(
            args(r#"{"command":["bash","-lc","ls | wc"]}"#)
                .command()
                .as_deref(),
            Some("ls | wc")
        );
        assert_eq!(
            args(r#"{"cmd":["echo","a b","it's"]}"#)
                .command()
                .as_deref(),
            Some(r"echo 'a b' 'it'\''s'")
        );
        assert_eq!(args(r#"{"command":7}"#).command(), None);
    }

    #[test]
    fn the_second_name_of_an_argument_is_among_the_rest() {
        let args = args(r#"{"file_path":"b","path":"a","limit":null,"x":null,"y":{}}"#);
        let rest: Vec<_> = args
            .rest(&[PATH, &["limit"]])
            .into_iter()
            .map(|r| r.0)
            .collect();
        assert_eq!(args.text(PATH), Some("a"));
        assert_eq!(rest, ["file_path", "x", "y"]);
        assert!(args.are_text(&[PATH]));
        assert!(!args.are_text(&[&["y"]]));
    }
}
