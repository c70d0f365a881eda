//! What a reader is handed: a file with the files that belong to it. The only way in which a
//! reader reaches its siblings.

use std::fs;
use std::io::{self, Read};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

/// A file that the walk found.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct File {
    /// The path under which problems name it, as the user would type it; `/` between its parts.
    pub path: String,
    /// The path relative to the input that it was found under; `/` between its parts.
    pub name: String,
    /// The number of the folder that the name is relative to, counted from 0: by it the same
    /// name under two inputs is told apart.
    pub input: usize,
    /// Its size in bytes when it was found.
    pub size: u64,
    content: Content,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Content {
    Disk(PathBuf),
    Memory(Arc<[u8]>),
}

impl File {
    /// A file on disk, of the first input.
    pub fn on_disk(location: PathBuf, path: String, name: String, size: u64) -> Self {
        Self {
            path,
            name,
            input: 0,
            size,
            content: Content::Disk(location),
        }
    }

    /// A file that was read already, such as standard input; of the first input.
    pub fn in_memory(path: String, name: String, bytes: Vec<u8>) -> Self {
        Self {
            path,
            name,
            input: 0,
            size: bytes.len() as u64,
            content: Content::Memory(bytes.into()),
        }
    }

    /// The same, found under the input of this number.
    pub fn under(self, input: usize) -> Self {
        Self { input, ..self }
    }

    /// Opens the file for reading from its start, up to the length that it had when it was
    /// found: what a live session appends meanwhile is for the next build.
    ///
    /// # Errors
    /// What the system says.
    pub fn open(&self) -> io::Result<Box<dyn Read + '_>> {
        match &self.content {
            Content::Disk(path) => Ok(Box::new(fs::File::open(path)?.take(self.size))),
            Content::Memory(bytes) => Ok(Box::new(&bytes[..])),
        }
    }

    /// Reads the whole file.
    ///
    /// # Errors
    /// What the system says.
    pub fn read(&self) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::with_capacity(usize::try_from(self.size).unwrap_or_default());
        self.open()?.read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// The folder part of [`File::name`], without a slash at its end; empty at the top.
    pub fn folder(&self) -> &str {
        self.name.rsplit_once('/').map_or("", |(folder, _)| folder)
    }

    /// The last part of [`File::name`].
    pub fn file_name(&self) -> &str {
        self.name
            .rsplit_once('/')
            .map_or(&self.name, |(_, file)| file)
    }

    /// [`File::file_name`] without its last extension.
    pub fn stem(&self) -> &str {
        self.file_name()
            .rsplit_once('.')
            .map_or(self.file_name(), |(stem, _)| stem)
    }
}

/// What one reader reads in one go: a main file, the transcripts that belong to it (subagents),
/// and the other files that it may point to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The file that gives the conversation.
    pub main: File,
    /// The part of it that gives the conversation, when it holds several.
    pub part: Option<Part>,
    /// Whether the main file is one JSON document, by the first look at it; `None` when nobody
    /// has looked yet.
    pub is_document: Option<bool>,
    /// The file of the conversation that this one was forked from, and whose history it repeats,
    /// when that is among the sources.
    pub origin: Option<File>,
    /// Further transcripts of the same conversation, sorted by name.
    pub members: Vec<File>,
    /// Files without a transcript in the source's own folder. Sources may have one such folder
    /// in common.
    pub side_files: SideFiles,
}

/// One conversation's part of a file that holds several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Where it is.
    pub at: At,
    /// About how many bytes are read for it, by which work is planned.
    pub size: u64,
}

/// Where a part is in its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum At {
    /// In these bytes.
    Bytes(Range<u64>),
    /// Under this key, whatever that is to the format: the id of a row, say.
    Key(String),
}

/// Files by their last names. A copy is the same list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SideFiles(Arc<[File]>);

impl From<Vec<File>> for SideFiles {
    fn from(mut files: Vec<File>) -> Self {
        files.sort_by(|one, other| {
            (one.file_name(), &one.name).cmp(&(other.file_name(), &other.name))
        });
        Self(files.into())
    }
}

impl FromIterator<File> for SideFiles {
    fn from_iter<I: IntoIterator<Item = File>>(files: I) -> Self {
        Vec::from_iter(files).into()
    }
}

impl SideFiles {
    /// All of them, sorted by their last names.
    pub fn iter(&self) -> impl Iterator<Item = &File> {
        self.0.iter()
    }

    /// Those whose last name begins with `start`, sorted.
    pub fn starting_with(&self, start: &str) -> impl Iterator<Item = &File> {
        let first = self.0.partition_point(|file| file.file_name() < start);
        let rest = self.0[first..].iter();
        rest.take_while(move |file| file.file_name().starts_with(start))
    }
}

impl Source {
    /// A source of one file.
    pub fn single(main: File) -> Self {
        Self {
            main,
            part: None,
            is_document: None,
            origin: None,
            members: Vec::new(),
            side_files: SideFiles::default(),
        }
    }

    /// All bytes that belong to it, by which work is planned.
    pub fn size(&self) -> u64 {
        let own = self.part.as_ref().map_or(self.main.size, |part| part.size);
        self.members
            .iter()
            .fold(own, |sum, file| sum.saturating_add(file.size))
    }

    /// The side file whose name ends in `/` + `tail`, or is `tail`.
    pub fn side_file(&self, tail: &str) -> Option<&File> {
        let last = tail.rsplit('/').next().unwrap_or(tail);
        self.side_files.starting_with(last).find(|file| {
            file.name
                .strip_suffix(tail)
                .is_some_and(|front| front.is_empty() || front.ends_with('/'))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn side_files_are_found_by_the_end_of_their_names() {
        let file = |name: &str| File::in_memory(name.into(), name.into(), Vec::new());
        let mut source = Source::single(file("s.jsonl"));
        let names = ["s/b/x.txt", "x.txt.bak", "x.txt", "s/a/ax.txt", "s/a/x.txt"];
        source.side_files = names.map(file).into_iter().collect();
        let found = |tail: &str| source.side_file(tail).map(|file| file.name.as_str());
        assert_eq!(found("b/x.txt"), Some("s/b/x.txt"));
        assert_eq!(found("x.txt"), Some("s/a/x.txt"));
        assert_eq!(found("ax.txt"), Some("s/a/ax.txt"));
        assert_eq!(found("c/x.txt"), None);
        assert_eq!(found("x.tx"), None);
    }
}
