//! One JSON document: an export, a list of events, or what is said of a session whose messages
//! are in files of their own. Its messages are read one at a time; what was read before an error
//! is kept.

use std::fmt;
use std::io::{BufReader, Read};

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use crate::formats::problems::Problems;
use crate::formats::records::{self, Object};
use crate::source::File;

use super::events;
use super::saved::Saved;

/// Reads a document. Gives the id of the session when it is only what is said of one.
pub(super) fn read(file: &File, saved: &mut Saved, problems: &mut Problems) -> Option<String> {
    let mut reading = Reading {
        saved: &mut *saved,
        session: None,
    };
    let read = match records::open(file) {
        Ok((_, reader)) => {
            let reader = BufReader::with_capacity(1 << 16, reader);
            let mut document = serde_json::Deserializer::from_reader(reader);
            let read = reading.deserialize_with(&mut document);
            read.and_then(|()| document.end())
        }
        Err(error) => Err(serde_json::Error::io(error)),
    };
    let session = reading.session;
    let Err(error) = read else {
        return session;
    };
    // What one character spoils may be mended in the whole.
    let mut quiet = Problems::of(file);
    if let Some(text) = records::document(file, &mut quiet) {
        *saved = Saved::default();
        let mut reading = Reading {
            saved,
            session: None,
        };
        let mut document = serde_json::Deserializer::from_str(&text);
        if reading.deserialize_with(&mut document).is_ok() {
            problems.warn(None, "not sound JSON, mended");
            return reading.session;
        }
        return reading.session;
    }
    let (line, what) = match error.is_io() {
        true => (None, error.to_string()),
        false => {
            let (line, what) = records::describe(&error, 1, 0);
            (Some(line), what)
        }
    };
    problems.warn(line, format!("reading stopped: {what}"));
    saved.lost("The rest of the file could not be read");
    session
}

/// Whether a file begins with a list.
pub(super) fn begins_list(file: &File) -> bool {
    let Ok((_, reader)) = records::open(file) else {
        return false;
    };
    let mut bytes = BufReader::new(reader.take(4096))
        .bytes()
        .map_while(Result::ok);
    bytes.find(|byte| !byte.is_ascii_whitespace()) == Some(b'[')
}

/// Takes what a document holds as it comes.
struct Reading<'a> {
    saved: &'a mut Saved,
    /// The session of which the document says something.
    session: Option<String>,
}

impl Reading<'_> {
    fn deserialize_with<'de, D>(&mut self, document: D) -> Result<(), serde_json::Error>
    where
        D: Deserializer<'de, Error = serde_json::Error>,
    {
        document.deserialize_any(Top(self))
    }

    /// The entries of an object, its messages apart.
    fn object(&mut self, entries: &[(String, Box<RawValue>)], is_export: bool) {
        let json = entries.iter().map(|(key, value)| {
            let key = serde_json::Value::from(key.as_str());
            format!("{key}:{}", value.get())
        });
        let json = format!("{{{}}}", json.collect::<Vec<_>>().join(","));
        let Ok(object) = Object::parse(&json) else {
            return;
        };
        if is_export {
            if let Some(info) = object.object("info") {
                self.saved.describe(&info);
            }
        } else if object.has("title") {
            self.session = Some(object.string("id"));
            self.saved.describe(&object);
        } else {
            events::take(&object, &json, self.saved);
        }
    }

    /// A message of an export with its parts.
    fn message(&mut self, json: &str) {
        let Ok(message) = Object::parse(json) else {
            return;
        };
        let Some(info) = message.object("info") else {
            return self.saved.hide("messages that are none");
        };
        self.saved.message(&info);
        let (session, id) = (info.string("sessionID"), info.string("id"));
        for value in message.items("parts") {
            let part = Object::of(value).unwrap_or_default();
            let place = super::saved::Place {
                session: session.clone(),
                message: id.clone(),
                part: part.string("id"),
                time: None,
            };
            self.saved.part_at(place, &part, value.get());
        }
    }
}

/// The document itself.
struct Top<'a, 'b>(&'a mut Reading<'b>);

impl<'de> Visitor<'de> for Top<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object or a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while let Some(event) = list.next_element::<Box<RawValue>>()? {
            match Object::parse(event.get()) {
                Ok(object) => events::take(&object, event.get(), self.0.saved),
                Err(_) => self.0.saved.hide("events that are none"),
            }
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let mut entries = Vec::new();
        let mut is_export = false;
        let mut read = Ok(());
        loop {
            match map.next_key::<String>() {
                Ok(Some(key)) if key == "messages" => {
                    is_export = true;
                    read = map.next_value_seed(Messages(self.0));
                }
                Ok(Some(key)) => match map.next_value::<Box<RawValue>>() {
                    Ok(value) => entries.push((key, value)),
                    Err(error) => read = Err(error),
                },
                Ok(None) => break,
                Err(error) => read = Err(error),
            }
            if read.is_err() {
                break;
            }
        }
        self.0.object(&entries, is_export);
        read
    }
}

/// The messages of an export.
struct Messages<'a, 'b>(&'a mut Reading<'b>);

impl<'de> DeserializeSeed<'de> for Messages<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Messages<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of messages")
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while let Some(message) = list.next_element::<Box<RawValue>>()? {
            self.0.message(message.get());
        }
        Ok(())
    }
}
