//! The first look at a file: enough of its JSON to tell its format, however long its first line
//! is, without building the whole of it.

mod halves;

use std::fmt;
use std::io::{self, BufRead, BufReader, Read};

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use crate::source::File;

use super::records;
use super::sqlite::{self, Database};
use halves::Halves;

/// How many records are looked at.
const RECORDS: usize = 20;
/// How many records suffice when they are long, and how many bytes are long.
const FEW: (usize, usize) = (5, 64 << 10);
/// How many lines are looked at for them.
const LINES: usize = 200;
/// How deep into each record.
const DEPTH: usize = 6;
/// How many characters of a string are kept.
const TEXT: usize = 200;
/// How long a line may be to be looked at, in bytes.
const LINE: u64 = 64 << 20;
/// How much of a file is looked at to see that it is no lines at all, in bytes.
const START: u64 = 64 << 10;

/// The beginning of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Head {
    /// The first JSON values of the file: its lines, or the one document that it is.
    pub records: Vec<Shape>,
    /// Whether the file is one JSON document rather than lines.
    pub document: bool,
    /// Whether there is nothing but white space in the file.
    pub empty: bool,
    /// The first bytes as text, for formats that are not JSON: of the first line, or of a page.
    pub text: String,
    /// The names of the tables of a file that is an SQLite database, sorted.
    pub tables: Vec<String>,
    /// Whether it is an SQLite database.
    is_database: bool,
    /// Whether the first line with anything on it is no JSON by itself.
    broken_first: bool,
}

/// What a JSON value looks like, to a small depth.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Shape {
    /// `null`, or deeper than one looks.
    #[default]
    Unseen,
    /// A boolean.
    Bool(bool),
    /// A number.
    Number(f64),
    /// The start of a string.
    Text(String),
    /// The shape of an array's first elements.
    List(Vec<Shape>),
    /// An object's keys with their shapes, in order.
    Map(Vec<(String, Shape)>),
}

impl Shape {
    /// The value under a key; `None` when this is no object or has no such key.
    pub fn get(&self, key: &str) -> Option<&Shape> {
        let Shape::Map(entries) = self else {
            return None;
        };
        entries
            .iter()
            .find(|(name, _)| name == key)
            .map(|(_, value)| value)
    }

    /// Whether this is an object with all of these keys.
    pub fn has(&self, keys: &[&str]) -> bool {
        keys.iter().all(|key| self.get(key).is_some())
    }

    /// The string under a key.
    pub fn text(&self, key: &str) -> Option<&str> {
        match self.get(key) {
            Some(Shape::Text(text)) => Some(text),
            _ => None,
        }
    }

    /// The elements of an array; empty when this is none.
    pub fn items(&self) -> &[Shape] {
        if let Shape::List(items) = self {
            items
        } else {
            &[]
        }
    }
}

/// Whether a file's name says that it is a picture, a sound or a document: nothing to be sniffed.
fn is_media(name: &str) -> bool {
    const ENDINGS: [&str; 18] = [
        "png", "jpg", "jpeg", "webp", "gif", "heic", "svg", "wav", "mp3", "m4a", "ogg", "webm",
        "mp4", "mov", "pdf", "docx", "xlsx", "pptx",
    ];
    let ending = name.rsplit('.').next().unwrap_or("");
    ENDINGS
        .iter()
        .any(|media| ending.eq_ignore_ascii_case(media))
}

impl Head {
    /// What the file is, as far as was seen: why no format has it.
    pub fn refusal(&self) -> &'static str {
        let is_seen = |shape: &Shape| *shape != Shape::Unseen;
        if self.is_database && self.tables.is_empty() {
            "a database that cannot be opened"
        } else if self.is_database {
            "no known format: a database with other tables"
        } else if self.text.starts_with("PK\u{3}\u{4}") {
            "an archive inside another is not opened; unpack it"
        } else if self.text.trim_start().starts_with('<') {
            "no known format: a page or XML"
        } else if self.records.iter().any(is_seen) {
            "no known format: JSON that is no conversation"
        } else {
            "no known format: not JSON"
        }
    }

    /// Looks at the beginning of a file.
    ///
    /// # Errors
    /// What the system says.
    pub fn of(file: &File) -> io::Result<Self> {
        // In an archive the whole of a file is gone through before any of it is read.
        if file.is_packed() && is_media(file.file_name()) {
            return Ok(Head::default());
        }
        if sqlite::is_database(file)? {
            // A database that cannot be opened is of no known format.
            let tables = Database::open(file).map(|database| database.tables().to_vec());
            return Ok(Head {
                tables: tables.unwrap_or_default(),
                is_database: true,
                ..Head::default()
            });
        }
        if let Some(head) = Head::of_start(file)? {
            return Ok(head);
        }
        let mut head = Head::of_lines(file)?;
        // A pretty-printed document begins on a line that is no JSON by itself; so may a file
        // of lines whose first line is broken.
        let begins_open = head.text.trim_start().starts_with(['{', '[']);
        let broken_first = head.broken_first;
        if broken_first && begins_open {
            let (shape, whole) = Head::document(file)?;
            if whole {
                head.records = vec![shape];
            } else if shape != Shape::Unseen {
                // What was seen before an error is kept: a cut document is still of its format.
                head.records.insert(0, shape);
            }
            head.document = whole || head.records.len() == 1;
        }
        Ok(head)
    }

    /// What the start of a file suffices for: a page, and an array on one long line, which may
    /// be as long as an archive of years.
    fn of_start(file: &File) -> io::Result<Option<Self>> {
        let mut start = Vec::new();
        records::open(file)?.1.take(START).read_to_end(&mut start)?;
        let begun = start.trim_ascii_start();
        if begun.starts_with(b"<") {
            return Ok(Some(Head {
                text: String::from_utf8_lossy(&start).into_owned(),
                ..Head::default()
            }));
        }
        let is_long = start.len() as u64 == START && !begun.contains(&b'\n');
        if !begun.starts_with(b"[") || !is_long {
            return Ok(None);
        }
        let (shape, _) = Head::document(file)?;
        Ok(Some(Head {
            records: vec![shape],
            document: true,
            text: String::from_utf8_lossy(&start[..start.len().min(4096)]).into_owned(),
            ..Head::default()
        }))
    }

    /// Looks at the lines that are JSON by themselves.
    fn of_lines(file: &File) -> io::Result<Self> {
        let mut reader = BufReader::with_capacity(1 << 16, records::open(file)?.1);
        let mut head = Head {
            empty: true,
            ..Head::default()
        };
        let mut line = Vec::new();
        let mut lines = 0;
        let mut bytes = 0;
        while head.records.len() < RECORDS && lines < LINES {
            line.clear();
            if (&mut reader).take(LINE).read_until(b'\n', &mut line)? == 0 {
                break;
            }
            lines += 1;
            bytes += line.len();
            if head.empty {
                head.text = String::from_utf8_lossy(&line[..line.len().min(4096)]).into_owned();
            }
            if line.iter().all(u8::is_ascii_whitespace) {
                continue;
            }
            let first = head.empty;
            head.empty = false;
            match whole(&line) {
                // Within a document, elements end in a comma and keys are followed by a value.
                Some((_, after)) if head.broken_first && after == Some(b',') => {}
                Some((Shape::Map(map), _)) => head.records.push(Shape::Map(map)),
                Some((shape, _)) if !head.broken_first => head.records.push(shape),
                Some(_) => {}
                None => head.broken_first |= first,
            }
            if head.records.len() >= FEW.0 && bytes >= FEW.1 {
                break;
            }
        }
        head.document = head.records.len() == 1 && lines == 1;
        Ok(head)
    }

    /// Looks at a file as one document; what was seen before an error, and whether there was
    /// none. Of an array that is the whole document no more is read than what is looked at.
    fn document(file: &File) -> io::Result<(Shape, bool)> {
        let (shape, seen) = look(records::open(file)?.1);
        if seen.as_ref().is_err_and(halves::is_of_one) {
            // Half a character in a title, or a byte that is none, would hide all that follows it.
            let (shape, seen) = look(Halves::of(records::open(file)?.1));
            // The first of many lines is no document by it.
            let is_list = matches!(shape, Shape::List(_));
            return Ok((shape, is_list && is_sound(&seen)));
        }
        Ok((shape, is_sound(&seen)))
    }
}

/// What is seen of one value, and the error that ended the look.
fn look(reader: impl Read) -> (Shape, Result<(), serde_json::Error>) {
    let reader = BufReader::with_capacity(1 << 16, reader);
    let mut shape = Shape::Unseen;
    let seen = Look {
        into: &mut shape,
        depth: DEPTH,
    }
    .deserialize(&mut serde_json::Deserializer::from_reader(reader));
    (shape, seen)
}

/// Whether a look met no error of the file's. The one of the look's own says that enough was seen.
fn is_sound(seen: &Result<(), serde_json::Error>) -> bool {
    seen.as_ref().err().is_none_or(serde_json::Error::is_data)
}

/// The shape of a line that begins with a whole value, and the line's last byte.
fn whole(line: &[u8]) -> Option<(Shape, Option<u8>)> {
    let mut shape = Shape::Unseen;
    let mut values = serde_json::Deserializer::from_slice(line);
    let seen = Look {
        into: &mut shape,
        depth: DEPTH,
    }
    .deserialize(&mut values);
    if !is_sound(&seen) {
        return None;
    }
    let last = line.trim_ascii_end().last().copied();
    Some((shape, last))
}

/// Looks at one value and writes what it sees as it goes, so that an error leaves what was seen.
struct Look<'a> {
    into: &'a mut Shape,
    depth: usize,
}

impl<'de> DeserializeSeed<'de> for Look<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        if self.depth == 0 {
            return deserializer.deserialize_ignored_any(IgnoredAny).map(|_| ());
        }
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Look<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_bool<E>(self, v: bool) -> Result<(), E> {
        *self.into = Shape::Bool(v);
        Ok(())
    }

    fn visit_i64<E>(self, v: i64) -> Result<(), E> {
        *self.into = Shape::Number(v as f64);
        Ok(())
    }

    fn visit_u64<E>(self, v: u64) -> Result<(), E> {
        *self.into = Shape::Number(v as f64);
        Ok(())
    }

    fn visit_f64<E>(self, v: f64) -> Result<(), E> {
        *self.into = Shape::Number(v);
        Ok(())
    }

    fn visit_str<E>(self, v: &str) -> Result<(), E> {
        let cut = v.char_indices().nth(TEXT).map_or(v.len(), |(at, _)| at);
        *self.into = Shape::Text(v[..cut].to_owned());
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        *self.into = Shape::List(Vec::new());
        let Shape::List(items) = self.into else {
            return Ok(());
        };
        while items.len() < RECORDS {
            items.push(Shape::Unseen);
            let last = items.last_mut().expect("an element was just pushed");
            if seq
                .next_element_seed(Look {
                    into: last,
                    depth: self.depth - 1,
                })?
                .is_none()
            {
                items.pop();
                return Ok(());
            }
        }
        if self.depth == DEPTH {
            return Err(serde::de::Error::custom("enough was seen"));
        }
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        *self.into = Shape::Map(Vec::new());
        let Shape::Map(entries) = self.into else {
            return Ok(());
        };
        while let Some(key) = map.next_key::<String>()? {
            entries.push((key, Shape::Unseen));
            let last = &mut entries.last_mut().expect("an entry was just pushed").1;
            map.next_value_seed(Look {
                into: last,
                depth: self.depth - 1,
            })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(text: &str) -> Head {
        let file = File::in_memory("x".into(), "x".into(), text.as_bytes().to_vec());
        Head::of(&file).expect("memory can be read")
    }

    #[test]
    fn lines_and_documents_are_told_apart() {
        let lines = head("\u{feff}{\"type\":\"user\"}\n\n{\"type\":\"assistant\"}\n");
        assert!(!lines.document);
        assert_eq!(lines.records.len(), 2);
        assert_eq!(lines.records[0].text("type"), Some("user"));
        let pretty = head("{\n \"loglines\": [\n {\"type\":\"user\"}]}\n");
        assert!(pretty.document);
        assert_eq!(
            pretty.records[0].get("loglines").map(|l| l.items().len()),
            Some(1)
        );
        assert!(head("{\"messages\":[]}\n").document);
        assert!(head(" \n\n").empty);
        assert!(head("\n{\n\"messages\":[]\n}\n").document);
    }

    #[test]
    fn a_cut_document_still_shows_what_it_was() {
        let cut = head("{\n\"chunks\": [\n{\"seq\":1,\"role\":\"user\",\"chu");
        assert!(cut.document);
        let first = &cut.records[0]
            .get("chunks")
            .expect("the key was read")
            .items()[0];
        assert_eq!(first.get("seq"), Some(&Shape::Number(1.0)));
    }

    #[test]
    fn a_broken_first_record_does_not_hide_the_format() {
        let lines = head("{\"type\":\"user\",}\n// x\n{\"type\":\"assistant\"}\n");
        assert!(!lines.document);
        assert_eq!(lines.records[1].text("type"), Some("assistant"));
        let lone = head("{\"type\":\"user\",\"message\":\"\\ud83d\"}\n{\"type\":\"assistant\"}\n");
        assert_eq!(lone.records.len(), 2);
        let array = head("[\n{\"a\":1},\n{\"a\":2}\n]\n");
        assert!(array.document);
        assert_eq!(array.records[0].items().len(), 2);
    }

    #[test]
    fn of_long_records_a_few_are_looked_at() {
        let long = format!("{{\"type\":\"{}\"}}\n", "x".repeat(20_000));
        assert_eq!(head(&long.repeat(30)).records.len(), FEW.0);
        assert_eq!(head(&"{}\n".repeat(30)).records.len(), RECORDS);
    }

    #[test]
    fn of_a_long_array_only_the_start_is_read() {
        let element = format!("{{\"a\":\"{}\"}},", "x".repeat(9_000));
        // What is broken further on is for the reader.
        let long = head(&format!("[{}oops", element.repeat(30)));
        assert!(long.document);
        assert_eq!(long.records[0].items().len(), RECORDS);
        let spread = head(&format!("[\n{}\noops", element.repeat(30)));
        assert!(spread.document);
    }

    #[test]
    fn half_a_character_does_not_hide_what_follows() {
        let list = head("[{\"title\":\"\\ud83d\\ud83d\\ude00\",\n\"mapping\":{}}]");
        assert!(list.document);
        assert!(list.records[0].items()[0].has(&["title", "mapping"]));
        let latin = b"[{\"title\":\"caf\xe9\",\"mapping\":{}}]".to_vec();
        let latin = Head::of(&File::in_memory("x".into(), "x".into(), latin));
        let latin = latin.expect("memory can be read");
        assert!(latin.records[0].items()[0].has(&["title", "mapping"]));
    }

    #[test]
    fn of_a_page_the_start_is_kept() {
        let page = head("<html>\n<script>\nvar a = 1;\n");
        assert!(page.text.contains("var a") && page.records.is_empty() && !page.empty);
    }

    #[test]
    fn a_bad_first_line_does_not_hide_the_second() {
        assert_eq!(head("oops\n{\"type\":\"user\"}\n").records.len(), 1);
        assert!(head("# aider chat started at 2026\n").records.is_empty());
    }
}
