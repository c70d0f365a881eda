//! Pictures and outputs that a session keeps in files of their own.

use std::collections::BTreeSet;
use std::io::Read;

use crate::formats::problems::Problems;
use crate::model::{ImageData, TextFile};
use crate::source::{File, Source};

/// How a picture that is elsewhere is named: by the hash of its bytes.
const BLOB: &str = "blob:sha256:";

/// How much is taken from a file beside the session, in bytes.
const LARGEST: u64 = 64 << 20;

/// The files of a source that are no transcripts.
#[derive(Debug)]
pub(super) struct Blobs<'a> {
    source: &'a Source,
    /// Pictures that are named and not here.
    missing: BTreeSet<String>,
    /// What could not be read as it stands.
    unreadable: BTreeSet<String>,
}

impl<'a> Blobs<'a> {
    /// The files of a source.
    pub(super) fn of(source: &'a Source) -> Self {
        Blobs {
            source,
            missing: BTreeSet::new(),
            unreadable: BTreeSet::new(),
        }
    }

    /// A picture's bytes, where they are not in the transcript; `None` when they are.
    pub(super) fn picture(&mut self, data: &str) -> Option<ImageData> {
        let hash = data.strip_prefix(BLOB)?;
        let mut files = self.source.shared_files.starting_with(hash);
        let Some(file) = files.find(|file| file.file_name() == hash) else {
            self.missing.insert(hash.to_owned());
            let words = format!("blob {} was not saved with the session", short(hash));
            return Some(ImageData::Missing(words));
        };
        Some(match self.bytes(file) {
            Some(bytes) => ImageData::Bytes(bytes),
            None => ImageData::Missing(format!("blob {} cannot be read", short(hash))),
        })
    }

    /// The whole of an output that was saved under this number in a session's folder.
    pub(super) fn artifact(&mut self, number: &str, folder: &str) -> TextFile {
        let start = format!("{number}.");
        let logs = || {
            let files = self.source.side_files.starting_with(&start);
            files.filter(|file| file.file_name().ends_with(".log"))
        };
        // Every session counts its own.
        let own = logs().find(|file| file.folder() == folder);
        match own.or_else(|| logs().next()) {
            Some(file) => self.text(file),
            None => TextFile {
                name: format!("{number}.log"),
                text: None,
                bytes: None,
            },
        }
    }

    /// An output that was saved under a path of the machine.
    pub(super) fn output(&mut self, path: &str) -> TextFile {
        let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
        match self.source.side_file(name) {
            Some(file) => self.text(file),
            None => TextFile {
                name: name.to_owned(),
                text: None,
                bytes: None,
            },
        }
    }

    /// Says what was missing, once for each.
    pub(super) fn report(self, problems: &mut Problems) {
        match self.missing.len() {
            0 => {}
            1 => problems.note(None, "1 picture was not saved with the session"),
            many => problems.note(
                None,
                format!("{many} pictures were not saved with the session"),
            ),
        }
        for what in self.unreadable {
            problems.warn(None, what);
        }
    }

    fn text(&mut self, file: &File) -> TextFile {
        let text = self.bytes(file).map(|bytes| {
            String::from_utf8(bytes).unwrap_or_else(|error| {
                let at = error.utf8_error().valid_up_to() + 1;
                let what = format!("{}: invalid UTF-8 at byte {at}", file.name);
                self.unreadable.insert(what);
                String::from_utf8_lossy(error.as_bytes()).into_owned()
            })
        });
        TextFile {
            name: file.file_name().to_owned(),
            text,
            bytes: Some(file.size),
        }
    }

    fn bytes(&mut self, file: &File) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        let opened = file.open();
        match opened.and_then(|opened| opened.take(LARGEST).read_to_end(&mut bytes)) {
            Ok(_) => Some(bytes),
            Err(error) => {
                let what = format!("{}: cannot be read: {error}", file.name);
                self.unreadable.insert(what);
                None
            }
        }
    }
}

/// Enough of a hash to know it again.
fn short(hash: &str) -> String {
    hash.chars().take(12).collect()
}
