//! Pictures and files of an export: messages point to them, and they lie beside the conversations
//! under names of several ages.
//!
//! The name of a file begins with the id that the pointer holds, in whatever folder it lies.
//! Exports that keep the bytes as `<id>.dat` say in further files what the names were.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use crate::figures::{duration, one_line, size};
use crate::formats::chat::image_at;
use crate::formats::records::{Json, Object, items, text};
use crate::model::{Attachment, Image, ImageData, Part};
use crate::source::{File, SideFiles, Source};

/// Files that give the names of others: by the name of the `.dat` file, and by the id.
const NAMES: &str = "conversation_asset_file_names.json";
const LIBRARY: &str = "library_files.json";
/// Texts up to this size are shown with the message that they came with, in bytes.
const TEXT: u64 = 256 << 10;
/// How much of a missing picture's prompt or name is said, in characters.
const NAME: usize = 200;
/// Larger files of names are not read.
const LARGEST: u64 = 64 << 20;

/// The files of one export.
#[derive(Debug)]
pub(super) struct Assets<'a> {
    source: &'a Source,
    /// The original names by id, read when they are first needed.
    names: OnceCell<BTreeMap<String, String>>,
}

impl<'a> Assets<'a> {
    /// The files of a source.
    pub(super) fn of(source: &'a Source) -> Self {
        Self {
            source,
            names: OnceCell::new(),
        }
    }

    /// The picture that a pointer means.
    pub(super) fn image(&self, pointer: &str, alt: Option<String>) -> Image {
        if pointer.starts_with("data:") || pointer.starts_with("http") {
            return image_at(pointer, alt);
        }
        let id = id_of(pointer);
        let data = match self.file(id).map(File::read) {
            Some(Ok(bytes)) => ImageData::Bytes(bytes),
            Some(Err(error)) => ImageData::Missing(format!("{id} cannot be read: {error}")),
            // What it shows is then all that is left of it.
            None => {
                let name = alt.clone().or_else(|| self.name(id));
                let name = name.unwrap_or_else(|| id.to_owned());
                ImageData::Missing(match name.trim() {
                    "" => "it is not in the export".to_owned(),
                    name => format!("{} is not in the export", one_line(name, NAME)),
                })
            }
        };
        Image { data, alt }
    }

    /// A file that came with a message: its name and type, and its text when that is there.
    pub(super) fn attachment(&self, given: &Object<'_>) -> Part {
        let id = given.words("id").or_else(|| given.words("file_id"));
        let id = id.unwrap_or_default();
        let media_type = given.words("mime_type").or_else(|| given.words("mimeType"));
        let name = given.words("name").or_else(|| self.name(&id));
        let file = self.file(id_of(&id));
        let is = |kind: &str| media_type.as_ref().is_some_and(|one| one.starts_with(kind));
        if is("image/") && file.is_some() {
            return Part::Image(self.image(&id, name));
        }
        Part::File(self.named(name.unwrap_or(id), media_type, file, given.count("size")))
    }

    /// A file that a pointer means.
    pub(super) fn pointed(&self, pointer: &str, media_type: Option<String>) -> Attachment {
        let id = id_of(pointer);
        let name = self.name(id).unwrap_or_else(|| id.to_owned());
        self.named(name, media_type, self.file(id), None)
    }

    /// A recording, with the seconds that it took.
    pub(super) fn recording(&self, pointer: &Object<'_>) -> Attachment {
        let format = pointer.words("format").unwrap_or_else(|| "wav".to_owned());
        let id = pointer.string("asset_pointer");
        let span = pointer.object("metadata").unwrap_or_default();
        let seconds = |key| span.get(key)?.get().parse::<f64>().ok();
        let took = seconds("end").map(|end| end - seconds("start").unwrap_or_default());
        let took = took.filter(|took| (0.0..1e6).contains(took) && *took > 0.0);
        let took = took.map(|took| duration((took * 1e3) as u64));
        let is_there = self.file(id_of(&id)).is_some();
        let place = if is_there {
            "in the export"
        } else {
            "not in the export"
        };
        let notes = took.into_iter().chain([place.to_owned()]);
        Attachment {
            name: "Recording".to_owned(),
            media_type: Some(format!("audio/{format}")),
            text: None,
            note: Some(notes.collect::<Vec<_>>().join(" · ")),
        }
    }

    fn named(
        &self,
        name: String,
        media_type: Option<String>,
        file: Option<&File>,
        size_given: Option<u64>,
    ) -> Attachment {
        let is_text = media_type.as_deref().is_some_and(|kind| {
            kind.starts_with("text/") || matches!(kind, "application/json" | "application/xml")
        });
        let text = file
            .filter(|file| is_text && file.size <= TEXT)
            .and_then(|file| String::from_utf8(file.read().ok()?).ok());
        let bytes = file.map(|file| file.size).or(size_given);
        let place = match (&text, file) {
            (Some(_), _) => None,
            (None, Some(_)) => Some("in the export".to_owned()),
            (None, None) => Some("not in the export".to_owned()),
        };
        let notes: Vec<String> = bytes.map(size).into_iter().chain(place).collect();
        Attachment {
            name,
            media_type,
            text,
            note: (!notes.is_empty()).then(|| notes.join(" · ")),
        }
    }

    /// The file of an id: its name is the id, or begins with it. Of several the export's own is
    /// taken.
    fn file(&self, id: &str) -> Option<&'a File> {
        if id.is_empty() {
            return None;
        }
        let is_it = |file: &&File| {
            let rest = &file.file_name()[id.len()..];
            !rest.starts_with(|c: char| c.is_alphanumeric())
        };
        let export = self.source.main.folder();
        let is_own = |file: &&File| {
            let folder = file.folder().strip_prefix(export);
            folder.is_some_and(|inner| {
                export.is_empty() || inner.is_empty() || inner.starts_with('/')
            })
        };
        let found = |files: &'a SideFiles| files.starting_with(id).filter(is_it);
        let own = found(&self.source.side_files).next();
        own.or_else(|| found(&self.source.shared_files).find(is_own))
            .or_else(|| found(&self.source.shared_files).next())
    }

    /// The name that a file had when it was handed over.
    fn name(&self, id: &str) -> Option<String> {
        let names = self.names.get_or_init(|| names(self.source));
        names.get(id_of(id)).cloned()
    }
}

/// The id in a pointer: without its scheme, and without what stands behind it.
pub(super) fn id_of(pointer: &str) -> &str {
    let rest = pointer.split_once("://").map_or(pointer, |(_, rest)| rest);
    let end = rest.find(['#', '?']).unwrap_or(rest.len());
    &rest[..end]
}

/// The names that the export's own lists give, by the ids of the files.
fn names(source: &Source) -> BTreeMap<String, String> {
    let mut names = BTreeMap::new();
    let read = |name: &str| {
        let file = source.side_file(name)?;
        let bytes = (file.size <= LARGEST).then(|| file.read().ok())??;
        String::from_utf8(bytes).ok()
    };
    if let Some(json) = read(NAMES)
        && let Ok(list) = Object::parse(&json)
    {
        for (file, name) in list.entries() {
            let id = file.strip_suffix(".dat").unwrap_or(file);
            if let Some(name) = text(name) {
                names.insert(id.to_owned(), name.into_owned());
            }
        }
    }
    if let Some(json) = read(LIBRARY)
        && let Ok(list) = Json::parse(&json)
    {
        for file in items(list) {
            let file = Object::of(file).unwrap_or_default();
            if let Some(name) = file.words("file_name") {
                names.entry(file.string("file_id")).or_insert(name);
            }
        }
    }
    names
}
