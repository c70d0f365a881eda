//! Files inside a zip, read where they are: nothing is ever written to disk, and the names inside
//! are labels, never paths.
//!
//! A member is gone through once before anything is read of it: its checksum must be right, and it
//! must not be larger than it says or out of all proportion. So what is read later can be trusted
//! to end.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, BufReader, Cursor, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use zip::{CompressionMethod, ZipArchive};

use super::inflate::{Inflate, Mark};

/// How many members an archive may have.
const MEMBERS: usize = 200_000;
/// How many times larger a member may become when it is unpacked, once it is larger than
/// [`SMALL`].
const RATIO: u64 = 1_000;
/// What may have any proportion.
const SMALL: u64 = 1 << 20;
/// How far the marks are apart, in bytes, at least and at most.
const APART: (u64, u64) = (1 << 20, 4 << 20);
/// About how many marks a member has.
const MARKS: u64 = 192;
/// How many unpacked stretches of a member are kept at a time.
const KEPT: usize = 2;

/// Where the bytes of an archive are.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Store {
    /// In a file.
    Disk(PathBuf),
    /// In memory.
    Memory(Arc<[u8]>),
    /// In another archive, as they are.
    Within {
        /// That archive.
        store: Arc<Store>,
        /// Where they begin in it.
        start: u64,
        /// How many they are.
        size: u64,
    },
}

trait Seekable: Read + Seek {}

impl<T: Read + Seek> Seekable for T {}

impl Store {
    fn open(&self) -> io::Result<Box<dyn Seekable + '_>> {
        match self {
            Store::Disk(path) => Ok(Box::new(BufReader::new(fs::File::open(path)?))),
            Store::Memory(bytes) => Ok(Box::new(Cursor::new(&bytes[..]))),
            Store::Within { store, start, size } => Ok(Box::new(Window {
                inner: store.open()?,
                range: *start..start.saturating_add(*size),
                at: 0,
            })),
        }
    }

    fn range(&self, range: Range<u64>) -> io::Result<impl Read + '_> {
        let mut reader = self.open()?;
        reader.seek(SeekFrom::Start(range.start))?;
        Ok(reader.take(range.end.saturating_sub(range.start)))
    }
}

/// Some bytes of something larger, as if they were all.
struct Window<'a> {
    inner: Box<dyn Seekable + 'a>,
    range: Range<u64>,
    at: u64,
}

impl Read for Window<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let place = self.range.start.saturating_add(self.at);
        let left = self.range.end.saturating_sub(place);
        self.inner.seek(SeekFrom::Start(place))?;
        let got = (&mut self.inner).take(left).read(buffer)?;
        self.at += got as u64;
        Ok(got)
    }
}

impl Seek for Window<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let size = self.range.end - self.range.start;
        let place = match to {
            SeekFrom::Start(place) => Some(place),
            SeekFrom::End(by) => size.checked_add_signed(by),
            SeekFrom::Current(by) => self.at.checked_add_signed(by),
        };
        self.at = place.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.at)
    }
}

/// What is in an archive.
#[derive(Debug, Default)]
pub(super) struct Contents {
    /// The files by their names, `/` between the parts, in the archive's order.
    pub(super) members: Vec<(String, Member)>,
    /// What is not as it should be, in words.
    pub(super) faults: Vec<String>,
}

/// Lists an archive.
///
/// # Errors
/// When it is none, or is cut.
pub(super) fn contents(store: &Store) -> Result<Contents, String> {
    let store = Arc::new(store.clone());
    let reader = store.open().map_err(|error| error.to_string())?;
    let mut archive = ZipArchive::new(reader).map_err(|error| words(&error))?;
    let mut contents = Contents::default();
    if archive.len() > MEMBERS {
        return Err(format!("more than {MEMBERS} entries"));
    }
    if counted_at_its_end(&store).is_some_and(|count| count > archive.len()) {
        let what = "an entry's name is used twice; the last one is read";
        contents.faults.push(what.to_owned());
    }
    let mut names = BTreeSet::new();
    for index in 0..archive.len() {
        let entry = match archive.by_index_raw(index) {
            Ok(entry) => entry,
            Err(error) => {
                contents
                    .faults
                    .push(format!("entry {}: {}", index + 1, words(&error)));
                continue;
            }
        };
        if entry.is_dir() {
            continue;
        }
        let written = String::from_utf8_lossy(entry.name_raw()).replace('\\', "/");
        let parts = written
            .split('/')
            .filter(|part| !matches!(*part, "" | "." | ".."));
        let name = parts.collect::<Vec<_>>().join("/");
        let mut fault = |what: &str| contents.faults.push(format!("entry `{written}`: {what}"));
        if entry.is_symlink() {
            fault("symbolic link, not followed");
            continue;
        }
        if entry.encrypted() {
            fault("encrypted");
            continue;
        }
        let is_deflated = entry.compression() == CompressionMethod::DEFLATE;
        if !is_deflated && entry.compression() != CompressionMethod::STORE {
            fault("compressed in a way that is not read");
            continue;
        }
        if name != written {
            fault("unsafe name; it is read, under the safe part of it");
        }
        let Some(start) = entry.data_start() else {
            fault("cannot be found");
            continue;
        };
        if name.is_empty() || !names.insert(name.clone()) {
            continue;
        }
        let member = Member {
            store: Arc::clone(&store),
            start,
            packed: entry.compressed_size(),
            size: entry.size(),
            checksum: entry.crc32(),
            is_deflated,
            looked: Arc::default(),
        };
        contents.members.push((name, member));
    }
    Ok(contents)
}

/// How many entries the end of the archive counts; `None` when it does not say.
fn counted_at_its_end(store: &Store) -> Option<usize> {
    let mut reader = store.open().ok()?;
    let size = reader.seek(SeekFrom::End(0)).ok()?;
    reader
        .seek(SeekFrom::Start(size.saturating_sub(66_000)))
        .ok()?;
    let mut end = Vec::new();
    reader.read_to_end(&mut end).ok()?;
    let at = memchr::memmem::rfind(&end, b"PK\x05\x06")?;
    let count = end.get(at + 10..at + 12)?;
    let count = u16::from_le_bytes(count.try_into().ok()?);
    (count != u16::MAX).then_some(usize::from(count))
}

fn words(error: &zip::result::ZipError) -> String {
    match error {
        zip::result::ZipError::InvalidArchive(what) => format!("not a sound zip file: {what}"),
        error => error.to_string(),
    }
}

/// One file of an archive. A copy is the same file.
#[derive(Clone)]
pub(super) struct Member {
    store: Arc<Store>,
    start: u64,
    packed: u64,
    /// Its size as the archive says it.
    pub(super) size: u64,
    checksum: u32,
    is_deflated: bool,
    looked: Arc<OnceLock<Result<Looked, String>>>,
}

/// The unpacked bytes between two marks; as they were written, since to copy them would take as
/// much again.
type Block = Arc<Vec<u8>>;

/// What the way through a member left.
struct Looked {
    marks: Vec<Mark>,
    kept: Mutex<Vec<(usize, Block)>>,
}

impl std::fmt::Debug for Member {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let range = self.start..self.start + self.packed;
        f.debug_tuple("Member").field(&range).finish()
    }
}

impl PartialEq for Member {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Member {}

impl PartialOrd for Member {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Member {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (&self.store, self.start).cmp(&(&other.store, other.start))
    }
}

impl Member {
    /// Where the bytes of an archive are that is this member; one that is packed is unpacked into
    /// memory, of which `left` may be taken. `None` when that is not enough.
    ///
    /// # Errors
    /// As for [`Member::range`].
    pub(super) fn as_store(&self, left: &mut u64) -> io::Result<Option<Store>> {
        if !self.is_deflated {
            return Ok(Some(Store::Within {
                store: Arc::clone(&self.store),
                start: self.start,
                size: self.packed,
            }));
        }
        let Some(rest) = left.checked_sub(self.size) else {
            return Ok(None);
        };
        let mut bytes = Vec::new();
        self.range(0..self.size)?.read_to_end(&mut bytes)?;
        *left = rest;
        Ok(Some(Store::Memory(bytes.into())))
    }

    /// Reads these bytes of it, or what there is of them.
    ///
    /// # Errors
    /// What the system says; that it is damaged, larger than it says, or out of all proportion.
    pub(super) fn range(&self, range: Range<u64>) -> io::Result<Box<dyn Read + '_>> {
        let looked = self.looked.get_or_init(|| self.look());
        let looked = looked
            .as_ref()
            .map_err(|what| io::Error::new(io::ErrorKind::InvalidData, what.clone()))?;
        let range = range.start..range.end.min(self.size);
        if !self.is_deflated {
            let from = self.start + range.start.min(self.size);
            let to = self.start + range.end;
            return Ok(Box::new(self.store.range(from..to)?));
        }
        Ok(Box::new(Blocks {
            member: self,
            looked,
            range,
            block: None,
        }))
    }

    /// Goes through it once.
    fn look(&self) -> Result<Looked, String> {
        let apart = (self.size / MARKS).clamp(APART.0, APART.1);
        let mut looked = Looked {
            marks: vec![Mark::start()],
            kept: Mutex::default(),
        };
        let packed = self.packed();
        let packed = packed.map_err(|error| error.to_string())?;
        let mut hash = crc32fast::Hasher::new();
        let mut size: u64 = 0;
        let mut buffer = vec![0; 32 << 10];
        let mut reader: Reader<'_> = if self.is_deflated {
            Reader::Deflated(Inflate::from(&Mark::start(), Box::new(packed)))
        } else {
            Reader::Stored(Box::new(packed))
        };
        loop {
            let got = reader
                .read(&mut buffer)
                .map_err(|error| error.to_string())?;
            if got == 0 {
                break;
            }
            hash.update(&buffer[..got]);
            size += got as u64;
            if size > self.size {
                return Err("larger than the archive says".to_owned());
            }
            if size > SMALL && size / RATIO > self.packed {
                return Err(format!("expands over {RATIO}:1"));
            }
            if let Reader::Deflated(reader) = &reader
                && size >= looked.marks.len() as u64 * apart
            {
                looked.marks.extend(reader.mark());
            }
        }
        if size != self.size {
            return Err("shorter than the archive says".to_owned());
        }
        if hash.finalize() != self.checksum {
            return Err("its checksum is wrong".to_owned());
        }
        Ok(looked)
    }

    fn packed(&self) -> io::Result<impl Read + '_> {
        self.store
            .range(self.start..self.start.saturating_add(self.packed))
    }

    /// The unpacked bytes between two marks. They are kept for a while: the next conversation of
    /// an export stands in the same ones.
    fn block(&self, looked: &Looked, index: usize) -> io::Result<Block> {
        {
            let kept = looked.kept.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some((_, block)) = kept.iter().find(|(at, _)| *at == index) {
                return Ok(Arc::clone(block));
            }
        }
        let mark = &looked.marks[index];
        let (read, written) = mark.place();
        let end = looked
            .marks
            .get(index + 1)
            .map_or(self.size, |next| next.place().1);
        let packed = self
            .store
            .range(self.start + read..self.start + self.packed)?;
        let mut block = Vec::with_capacity(usize::try_from(end - written).unwrap_or_default());
        Inflate::from(mark, packed)
            .take(end - written)
            .read_to_end(&mut block)?;
        let block: Block = Arc::new(block);
        let mut kept = looked.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() == KEPT {
            kept.remove(0);
        }
        kept.push((index, Arc::clone(&block)));
        Ok(block)
    }
}

enum Reader<'a> {
    Stored(Box<dyn Read + 'a>),
    Deflated(Inflate<Box<dyn Read + 'a>>),
}

impl Read for Reader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Reader::Stored(reader) => reader.read(buffer),
            Reader::Deflated(reader) => reader.read(buffer),
        }
    }
}

/// Reads a deflated member block by block.
struct Blocks<'a> {
    member: &'a Member,
    looked: &'a Looked,
    /// What is still to be read.
    range: Range<u64>,
    /// The block that is being read, and where in the member it begins.
    block: Option<(u64, Block)>,
}

impl Read for Blocks<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.range.is_empty() || buffer.is_empty() {
            return Ok(0);
        }
        let at = self.range.start;
        let is_there =
            |(start, block): &(u64, Block)| (*start..*start + block.len() as u64).contains(&at);
        if !self.block.as_ref().is_some_and(is_there) {
            let marks = &self.looked.marks;
            let index = marks.partition_point(|mark| mark.place().1 <= at) - 1;
            let block = self.member.block(self.looked, index)?;
            self.block = Some((marks[index].place().1, block));
        }
        let Some((start, block)) = &self.block else {
            return Ok(0);
        };
        let from = usize::try_from(at - start).unwrap_or(usize::MAX);
        let rest = block.get(from..).unwrap_or_default();
        let left = usize::try_from(self.range.end - at).unwrap_or(usize::MAX);
        let len = rest.len().min(buffer.len()).min(left);
        buffer[..len].copy_from_slice(&rest[..len]);
        self.range.start += len as u64;
        Ok(len)
    }
}

#[cfg(test)]
mod tests;
