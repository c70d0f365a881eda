//! Writes the site. The only room that writes: each file appears whole or not at all, the
//! manifest comes last, and nothing is deleted that foldout did not write.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Component, Path, PathBuf};
use std::sync::Mutex;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use crate::error::Error;
use crate::pages::Page;

/// The manifest, from the site's top.
const MANIFEST: &str = ".foldout/manifest.json";
/// Tells backup tools, as other programs' build folders do, that this can be made again.
const CACHE_TAG: &str =
    "Signature: 8a477f597d28d172789f06886806bc55\n# This folder was made by foldout.\n";

/// What the manifest says of a site.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// The version of foldout that wrote it.
    pub foldout: String,
    /// Every file of the site, from its top, with the hash of its content.
    pub files: BTreeMap<String, String>,
    /// Every source, by its name, with the files that it was read from and the address of its
    /// pages.
    pub sources: BTreeMap<String, String>,
}

/// A site that is being written.
pub struct Site {
    folder: PathBuf,
    former: Manifest,
    written: Mutex<BTreeMap<String, String>>,
}

impl Site {
    /// Opens the output folder, which is made when it is not there.
    ///
    /// # Errors
    /// When it is not empty and foldout did not make it (unless `adopts`), or cannot be made.
    pub fn open(folder: &Path, adopts: bool) -> Result<Self, Error> {
        let is_foreign = match fs::read_dir(folder) {
            Ok(mut entries) => entries.next().is_some() && !folder.join(MANIFEST).is_file(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => false,
            Err(error) => return Err(Error::io(folder, "look into the output folder", error)),
        };
        // A build that was stopped before its manifest has left its folder behind.
        if is_foreign && !adopts && !folder.join(".foldout").is_dir() {
            return Err(Error::new(
                folder,
                "the folder is not empty and was not made by foldout; --adopt writes into it all the same",
            ));
        }
        fs::create_dir_all(folder.join(".foldout"))
            .map_err(|error| Error::io(folder, "make the folder", error))?;
        let former = match fs::read(folder.join(MANIFEST)) {
            Ok(bytes) => serde_json::from_slice(&bytes).unwrap_or_default(),
            Err(_) => Manifest::default(),
        };
        let site = Self {
            folder: folder.to_owned(),
            former,
            written: Mutex::default(),
        };
        site.write(".foldout/CACHEDIR.TAG", CACHE_TAG.as_bytes())?;
        Ok(site)
    }

    /// Writes a page and the files beside it.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub(crate) fn write_page(&self, page: &Page) -> Result<(), Error> {
        let folder = page.file.rsplit_once('/').map_or("", |(folder, _)| folder);
        for side_file in &page.side_files {
            let name = if folder.is_empty() {
                side_file.name.clone()
            } else {
                format!("{folder}/{}", side_file.name)
            };
            self.write(&name, &side_file.bytes)?;
        }
        self.write(&page.file, page.html.as_str().as_bytes())
    }

    /// Writes one file of the site, unless it is there with the same content.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), Error> {
        let path = self.path_of(name)?;
        let hash = format!("{:016x}", xxh3_64(bytes));
        let is_same_size =
            fs::metadata(&path).is_ok_and(|metadata| metadata.len() == bytes.len() as u64);
        if !(is_same_size && fs::read(&path).is_ok_and(|there| there == bytes)) {
            write_whole(&path, bytes).map_err(|error| Error::io(&path, "write", error))?;
        }
        let mut written = self
            .written
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        written.insert(name.to_owned(), hash);
        Ok(())
    }

    /// Ends the build: files of the former build that this one did not write again are deleted,
    /// if they are still as foldout wrote them, and the manifest is written.
    ///
    /// # Errors
    /// When the manifest cannot be written.
    pub fn finish(self, sources: BTreeMap<String, String>) -> Result<Manifest, Error> {
        let written = std::mem::take(
            &mut *self
                .written
                .lock()
                .unwrap_or_else(std::sync::PoisonError::into_inner),
        );
        for (name, hash) in &self.former.files {
            if !written.contains_key(name) {
                self.delete_own(name, hash);
            }
        }
        let manifest = Manifest {
            foldout: env!("CARGO_PKG_VERSION").to_owned(),
            files: written,
            sources,
        };
        let json =
            serde_json::to_string_pretty(&manifest).expect("a map of strings is always JSON");
        let path = self.folder.join(MANIFEST);
        write_whole(&path, format!("{json}\n").as_bytes())
            .map_err(|error| Error::io(&path, "write", error))?;
        Ok(manifest)
    }

    /// Deletes a file of a former build, with folders that become empty by it. A file that was
    /// changed since is somebody's work and stays.
    fn delete_own(&self, name: &str, hash: &str) {
        let Ok(path) = self.path_of(name) else { return };
        let is_own =
            fs::read(&path).is_ok_and(|bytes| format!("{:016x}", xxh3_64(&bytes)) == *hash);
        if !is_own || fs::remove_file(&path).is_err() {
            return;
        }
        let mut folder = path.parent();
        while let Some(inner) =
            folder.filter(|inner| *inner != self.folder && inner.starts_with(&self.folder))
        {
            if fs::remove_dir(inner).is_err() {
                break;
            }
            folder = inner.parent();
        }
    }

    /// Where a file of the site is on disk; never outside the folder.
    fn path_of(&self, name: &str) -> Result<PathBuf, Error> {
        let path = Path::new(name);
        let is_inside = path
            .components()
            .all(|part| matches!(part, Component::Normal(_)));
        if !is_inside || name.is_empty() {
            return Err(Error::new(path, "an address must lie inside the site"));
        }
        Ok(self.folder.join(path))
    }
}

/// Writes a file under another name in its folder and renames it, so that it is never seen half.
fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut file = match new_temporary(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            fs::create_dir_all(folder)?;
            new_temporary(folder)?
        }
        file => file?,
    };
    file.write_all(bytes)?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

fn new_temporary(folder: &Path) -> io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".foldout-").suffix(".part");
    // A web server must be able to read what the temporary file becomes.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o644));
    builder.tempfile_in(folder)
}
