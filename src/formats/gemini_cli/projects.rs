//! The folders that were worked in, as the program keeps them beside the sessions: each project's
//! own folder holds a file with the path in it, and a registry gives each path's short name, after
//! which that folder is called (`~/.gemini/tmp/<short name>/chats/<session>`).
//! Source: `packages/core/src/config/projectRegistry.ts` of google-gemini/gemini-cli.

use std::io::Read;

use crate::formats::records::{Object, text};
use crate::source::{File, Source};

/// The file with the path of the project whose sessions are beside it.
const MARKER: &str = ".project_root";

/// The file with the short names of all paths; it is in the program's folder.
pub(super) const REGISTRY: &str = "projects.json";

/// How much is read of either, in bytes.
const LARGEST: u64 = 4 << 20;

/// Whether a file is one of these. Other programs have files of the registry's name.
pub(super) fn tells_folders(file: &File) -> bool {
    file.file_name() == MARKER
        || file.file_name() == REGISTRY
            && file
                .path
                .replace('\\', "/")
                .ends_with(".gemini/projects.json")
}

/// The folder that was worked in.
pub(super) fn folder_of(file: &File, source: &Source) -> Option<String> {
    marked(file, source).or_else(|| registered(file, source))
}

/// The short name of the project, which is that of the folder around the sessions.
pub(super) fn short_name(file: &File) -> Option<&str> {
    let (project, _) = file.folder().rsplit_once("/chats")?;
    project.rsplit('/').next().filter(|name| !name.is_empty())
}

/// The path in the file that is in the session's folder, or nearest above it.
fn marked(file: &File, source: &Source) -> Option<String> {
    let mut folder = file.folder();
    loop {
        let markers = source.shared_files.in_folder(folder);
        let mut own =
            markers.filter(|marker| marker.file_name() == MARKER && marker.input == file.input);
        if let Some(marker) = own.next() {
            let path = read(marker)?;
            let path = path.trim();
            return is_path(path).then(|| path.to_owned());
        }
        if folder.is_empty() {
            return None;
        }
        folder = folder.rsplit_once('/').map_or("", |(above, _)| above);
    }
}

/// The path to which the registry gave the session's short name.
fn registered(file: &File, source: &Source) -> Option<String> {
    let own = short_name(file)?;
    source
        .shared_files
        .starting_with(REGISTRY)
        .find_map(|registry| {
            let json = read(registry)?;
            let projects = Object::parse(&json).ok()?.object("projects")?;
            let found = projects
                .entries()
                .find(|(_, name)| text(*name).as_deref() == Some(own))?;
            let path: &str = found.0;
            is_path(path).then(|| path.to_owned())
        })
}

/// Whether a text is one absolute path.
fn is_path(text: &str) -> bool {
    let is_rooted = text.starts_with('/') || text.get(1..3) == Some(":\\");
    is_rooted && !text.contains(['\n', '\r'])
}

fn read(file: &File) -> Option<String> {
    let mut content = String::new();
    let mut reader = file.open().ok()?.take(LARGEST);
    reader.read_to_string(&mut content).ok()?;
    Some(content)
}
