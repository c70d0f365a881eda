//! Where programs keep their conversations: what a format may ask of the machine to say so.

use std::ffi::OsString;
use std::path::PathBuf;

use super::{FORMATS, Format};

/// What is known of the machine that foldout runs on.
pub struct Machine {
    /// The home folder of the person who runs foldout.
    pub home: Option<PathBuf>,
    /// The value of an environment variable.
    pub variable: fn(&str) -> Option<OsString>,
}

impl Machine {
    /// The folder that a variable names; `None` when it is not set, or empty.
    pub fn folder(&self, variable: &str) -> Option<PathBuf> {
        (self.variable)(variable)
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
    }

    /// A path below the home folder.
    pub fn at_home(&self, path: &str) -> Option<PathBuf> {
        self.home.as_ref().map(|home| home.join(path))
    }

    /// What a variable names, else the path below the home folder.
    pub fn folder_or(&self, variable: &str, at_home: &str) -> Option<PathBuf> {
        self.folder(variable).or_else(|| self.at_home(at_home))
    }
}

/// Where something is kept on a machine now: each place with the formats that name it.
pub fn places(machine: &Machine) -> Vec<(PathBuf, Vec<&'static dyn Format>)> {
    let mut places: Vec<(PathBuf, Vec<&'static dyn Format>)> = Vec::new();
    for format in FORMATS {
        for place in format.places(machine) {
            match places.iter_mut().find(|(known, _)| *known == place) {
                // Programs that came from one another may keep things in one place.
                Some((_, formats)) => formats.push(*format),
                None if place.exists() => places.push((place, vec![*format])),
                None => {}
            }
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variable_goes_before_the_home_folder() {
        let machine = Machine {
            home: Some(PathBuf::from("/home/robin")),
            variable: |name| match name {
                "A" => Some("/data/a".into()),
                "B" => Some("".into()),
                _ => None,
            },
        };
        let found = |variable| machine.folder_or(variable, ".a");
        assert_eq!(found("A"), Some(PathBuf::from("/data/a")));
        for variable in ["B", "C"] {
            assert_eq!(found(variable), Some(PathBuf::from("/home/robin/.a")));
        }
    }
}
