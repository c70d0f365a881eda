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
    /// Held while the site is written: a second build of the same folder waits for the first.
    _lock: fs::File,
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
        let lock = lock(folder)?;
        let former = match fs::read(folder.join(MANIFEST)) {
            Ok(bytes) => serde_json::from_slice(&bytes).unwrap_or_default(),
            Err(_) => Manifest::default(),
        };
        let site = Self {
            folder: folder.to_owned(),
            _lock: lock,
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
        // A link below the folder could lead anywhere.
        let mut inner = self.folder.clone();
        for part in path.components() {
            inner.push(part);
            match fs::symlink_metadata(&inner) {
                Ok(metadata) if metadata.is_symlink() => {
                    return Err(Error::new(
                        &inner,
                        "a link stands where the site would be written",
                    ));
                }
                Ok(_) => {}
                Err(_) => break,
            }
        }
        Ok(self.folder.join(path))
    }
}

/// Takes the folder's lock, which ends with the process that holds it.
fn lock(folder: &Path) -> Result<fs::File, Error> {
    let path = folder.join(".foldout/lock");
    let file = fs::File::options().create(true).append(true).open(&path);
    let file = file.map_err(|error| Error::io(&path, "open", error))?;
    file.lock()
        .map_err(|error| Error::io(&path, "lock", error))?;
    Ok(file)
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

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = walkdir::WalkDir::new(folder)
            .into_iter()
            .filter_map(Result::ok)
            .filter(|entry| entry.file_type().is_file())
            .map(|entry| {
                entry
                    .path()
                    .strip_prefix(folder)
                    .expect("below it")
                    .to_string_lossy()
                    .into_owned()
            })
            .filter(|name| !name.starts_with(".foldout"))
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_foreign_folder_is_refused_and_left_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("thesis.txt"), "mine").expect("written");
        assert!(Site::open(folder.path(), false).is_err());
        assert_eq!(names(folder.path()), ["thesis.txt"]);
        assert!(!folder.path().join(".foldout").exists());
        assert!(Site::open(folder.path(), true).is_ok());
    }

    #[test]
    fn an_address_outside_the_folder_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let site = Site::open(&folder.path().join("site"), false).expect("opened");
        for name in ["../x", "/etc/x", "a/../../x", ""] {
            assert!(site.write(name, b"x").is_err(), "{name}");
        }
    }

    #[test]
    fn a_rebuild_deletes_only_what_foldout_wrote_and_nobody_changed() {
        let folder = tempfile::tempdir().expect("a folder");
        let build = |files: &[&str]| {
            let site = Site::open(folder.path(), false).expect("opened");
            for file in files {
                site.write(file, file.as_bytes()).expect("written");
            }
            site.finish(BTreeMap::new()).expect("finished");
        };
        build(&["a/one.html", "a/two.html", "b/three.html"]);
        fs::write(folder.path().join("b/three.html"), "changed by hand").expect("written");
        fs::write(folder.path().join("a/notes.txt"), "mine").expect("written");
        build(&["a/one.html"]);
        assert_eq!(
            names(folder.path()),
            ["a/notes.txt", "a/one.html", "b/three.html"]
        );
    }

    #[test]
    fn an_unchanged_file_is_not_written_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let write = || {
            let site = Site::open(folder.path(), false).expect("opened");
            site.write("x.html", b"same").expect("written");
            site.finish(BTreeMap::new()).expect("finished");
            fs::metadata(folder.path().join("x.html"))
                .expect("there")
                .modified()
                .expect("a time")
        };
        assert_eq!(write(), write());
    }

    #[test]
    fn no_temporary_file_is_left() {
        let folder = tempfile::tempdir().expect("a folder");
        let site = Site::open(folder.path(), false).expect("opened");
        site.write("deep/er/x.html", b"x").expect("written");
        site.finish(BTreeMap::new()).expect("finished");
        assert_eq!(names(folder.path()), ["deep/er/x.html"]);
    }
}
