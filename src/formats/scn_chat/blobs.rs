//! What records keep outside of themselves: blobs, looked for beside the transcript.

use std::collections::BTreeSet;

use crate::formats::problems::Problems;
use crate::formats::records::Object;
use crate::model::{ImageData, TextFile};
use crate::source::{File, Source};

/// The saved blobs of a source.
#[derive(Debug)]
pub(super) struct Blobs<'a> {
    source: &'a Source,
    /// Blobs that are named and not here.
    missing: BTreeSet<String>,
    /// What could not be read as it stands.
    unreadable: BTreeSet<String>,
}

/// A reference to a blob.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Blob {
    /// The content id.
    pub(super) cid: String,
    pub(super) media_type: Option<String>,
    pub(super) bytes: Option<u64>,
}

impl Blob {
    /// The reference that a record's field holds.
    pub(super) fn of(fields: &Object<'_>) -> Self {
        let link = fields.object("ref").and_then(|r| r.words("$link"));
        Blob {
            // The first blobs of the protocol had the id beside the type.
            cid: link.unwrap_or_else(|| fields.string("cid")),
            media_type: fields.words("mimeType"),
            bytes: fields.count("size"),
        }
    }
}

impl<'a> Blobs<'a> {
    /// The blobs that were saved with a source.
    pub(super) fn of(source: &'a Source) -> Self {
        Blobs {
            source,
            missing: BTreeSet::new(),
            unreadable: BTreeSet::new(),
        }
    }

    /// The bytes of a picture.
    pub(super) fn image(&mut self, blob: &Blob) -> ImageData {
        match self.read(blob) {
            Some((_, bytes)) => ImageData::Bytes(bytes),
            None => ImageData::Missing(format!("{} was not saved", name(blob))),
        }
    }

    /// A text, or what is known of it when it was not saved.
    pub(super) fn text(&mut self, blob: &Blob) -> TextFile {
        match self.read(blob) {
            Some((file, bytes)) => TextFile {
                name: file.file_name().to_owned(),
                bytes: Some(bytes.len() as u64),
                text: Some(self.decode(file, bytes)),
            },
            None => TextFile {
                name: name(blob),
                text: None,
                bytes: blob.bytes,
            },
        }
    }

    /// The text that a blob's bytes are; what is none becomes U+FFFD, and is said.
    fn decode(&mut self, file: &File, bytes: Vec<u8>) -> String {
        String::from_utf8(bytes).unwrap_or_else(|error| {
            let at = error.utf8_error().valid_up_to() + 1;
            let what = format!("blobs/{}: invalid UTF-8 at byte {at}", file.file_name());
            self.unreadable.insert(what);
            String::from_utf8_lossy(error.as_bytes()).into_owned()
        })
    }

    /// Says what was missing, once for each blob.
    pub(super) fn report(self, problems: &mut Problems) {
        for cid in self.missing {
            problems.warn(None, format!("no file blobs/{cid}"));
        }
        for what in self.unreadable {
            problems.warn(None, what);
        }
    }

    /// The file of a blob with its bytes. It is named by the content id, perhaps with an
    /// extension.
    fn read(&mut self, blob: &Blob) -> Option<(&'a File, Vec<u8>)> {
        if blob.cid.is_empty() {
            return None;
        }
        let files = &self.source.side_files;
        let bare = files.starting_with(&blob.cid).next();
        let bare = bare.filter(|file| file.file_name() == blob.cid);
        let dotted = format!("{}.", blob.cid);
        let mut named = files.starting_with(&dotted);
        let Some(file) = bare.or_else(|| named.find(|file| file.stem() == blob.cid)) else {
            self.missing.insert(blob.cid.clone());
            return None;
        };
        match file.read() {
            Ok(bytes) => Some((file, bytes)),
            Err(e) => {
                let what = format!("blobs/{}: cannot be read: {e}", file.file_name());
                self.unreadable.insert(what);
                None
            }
        }
    }
}

/// What to call a blob whose file is not here.
fn name(blob: &Blob) -> String {
    match blob.cid.as_str() {
        "" => "The file".to_owned(),
        cid => cid.to_owned(),
    }
}
