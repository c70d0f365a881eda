//! What a reader is handed: a file with the files that belong to it. The only way in which a
//! reader reaches its siblings.

mod archive;
mod inflate;

use std::fs;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use archive::{Member, Store};

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
    Packed(Member),
}

/// What an archive holds.
#[derive(Debug, Default)]
pub struct Members {
    /// Its files, in its order. Their names and paths begin with those of the archive.
    pub files: Vec<File>,
    /// What is not as it should be in it, in words.
    pub faults: Vec<String>,
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
        self.open_range(0..self.size)
    }

    /// Opens these bytes of the file for reading, or what there is of them.
    ///
    /// # Errors
    /// What the system says.
    pub fn open_range(&self, range: Range<u64>) -> io::Result<Box<dyn Read + '_>> {
        let range = range.start..range.end.min(self.size).max(range.start);
        match &self.content {
            Content::Disk(path) => {
                let mut file = fs::File::open(path)?;
                if range.start > 0 {
                    file.seek(SeekFrom::Start(range.start))?;
                }
                Ok(Box::new(file.take(range.end - range.start)))
            }
            Content::Memory(bytes) => {
                let at = |place: u64| {
                    usize::try_from(place).map_or(bytes.len(), |at| at.min(bytes.len()))
                };
                Ok(Box::new(&bytes[at(range.start)..at(range.end)]))
            }
            Content::Packed(member) => member.range(range),
        }
    }

    /// Whether the file is inside an archive.
    pub fn is_packed(&self) -> bool {
        matches!(self.content, Content::Packed(_))
    }

    /// Whether the file begins as an archive does.
    pub fn is_archive(&self) -> bool {
        let mut start = [0; 4];
        let read = |start: &mut [u8; 4]| self.open()?.read_exact(start);
        read(&mut start).is_ok() && (start == *b"PK\x03\x04" || start == *b"PK\x05\x06")
    }

    /// Lists the files in an archive. One that is packed in another is unpacked into memory, of
    /// which `left` bytes may be taken.
    ///
    /// # Errors
    /// When it is none, is cut, or is too large for that, in words.
    pub fn members(&self, left: &mut u64) -> Result<Members, String> {
        let store = match &self.content {
            Content::Disk(path) => Store::Disk(path.clone()),
            Content::Memory(bytes) => Store::Memory(Arc::clone(bytes)),
            Content::Packed(member) => member
                .as_store(left)
                .map_err(|error| error.to_string())?
                .ok_or("too large to be opened inside another archive; unpack it")?,
        };
        let contents = archive::contents(&store)?;
        let files = contents.members.into_iter().map(|(name, member)| File {
            path: format!("{}/{name}", self.path),
            name: format!("{}/{name}", self.name),
            input: self.input,
            size: member.size,
            content: Content::Packed(member),
        });
        Ok(Members {
            files: files.collect(),
            faults: contents.faults,
        })
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

    /// Where the file lies on disk; `None` for one that is in memory or in an archive. Only for what opens
    /// files by itself, as SQLite does: everything else goes through [`File::open`].
    pub fn location(&self) -> Option<&Path> {
        match &self.content {
            Content::Disk(path) => Some(path),
            Content::Memory(_) | Content::Packed(_) => None,
        }
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
    /// Files that all sources of one format have in common, wherever they were found.
    pub shared_files: SideFiles,
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
pub struct SideFiles {
    files: Arc<[File]>,
    /// The places of the files in that list, sorted by the files' folders, then their names.
    by_folder: Arc<[usize]>,
}

impl From<Vec<File>> for SideFiles {
    fn from(mut files: Vec<File>) -> Self {
        files.sort_by(|one, other| {
            (one.file_name(), &one.name).cmp(&(other.file_name(), &other.name))
        });
        let mut by_folder: Vec<usize> = (0..files.len()).collect();
        by_folder.sort_by_key(|at| (files[*at].folder(), *at));
        Self {
            files: files.into(),
            by_folder: by_folder.into(),
        }
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
        self.files.iter()
    }

    /// Those whose last name begins with `start`, sorted.
    pub fn starting_with(&self, start: &str) -> impl Iterator<Item = &File> {
        let first = self.files.partition_point(|file| file.file_name() < start);
        let rest = self.files[first..].iter();
        rest.take_while(move |file| file.file_name().starts_with(start))
    }

    /// Those that are directly in this folder, sorted by name.
    pub fn in_folder(&self, folder: &str) -> impl Iterator<Item = &File> {
        let first = self
            .by_folder
            .partition_point(|at| self.files[*at].folder() < folder);
        let rest = self.by_folder[first..].iter().map(|at| &self.files[*at]);
        rest.take_while(move |file| file.folder() == folder)
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
            shared_files: SideFiles::default(),
        }
    }

    /// The name of its main file; of a part, with the part's place behind a `#`.
    pub fn name(&self) -> String {
        let name = &self.main.name;
        match self.part.as_ref().map(|part| &part.at) {
            None => name.clone(),
            Some(At::Bytes(range)) => format!("{name}#{}", range.start),
            Some(At::Key(key)) => format!("{name}#{key}"),
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
        let in_folder = |folder: &str| {
            let files = source.side_files.in_folder(folder);
            files.map(|file| file.name.as_str()).collect::<Vec<_>>()
        };
        assert_eq!(in_folder("s/a"), ["s/a/ax.txt", "s/a/x.txt"]);
        assert_eq!(in_folder("").len(), 2);
        assert_eq!(in_folder("s"), [""; 0]);
    }
}
