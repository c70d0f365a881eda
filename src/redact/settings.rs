//! What a user sets: the `[redact]` part of the settings file.

use std::ops::Range;
use std::path::Path;

use regex::Regex;
use serde::Deserialize;
use toml::Spanned;

use crate::error::Error;
use crate::settings::{Document, pattern_error};

use super::scan::OwnRule;

/// What is redacted.
#[derive(Clone)]
pub struct Settings {
    /// Whether secrets are masked.
    pub secrets: bool,
    /// Whether home folders become `~`, and the names of people and machines go with them.
    pub paths: bool,
    /// Whether e-mail addresses are masked.
    pub emails: bool,
    own: Vec<OwnRule>,
    allow: Vec<String>,
    allow_patterns: Vec<Regex>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            secrets: true,
            paths: true,
            emails: false,
            own: Vec::new(),
            allow: Vec::new(),
            allow_patterns: Vec::new(),
        }
    }
}

impl std::fmt::Debug for Settings {
    // The values that are allowed are nobody's business.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Settings")
            .field("secrets", &self.secrets)
            .field("paths", &self.paths)
            .field("emails", &self.emails)
            .field("own", &self.own.len())
            .field("allow", &(self.allow.len() + self.allow_patterns.len()))
            .finish()
    }
}

/// The part, as it is written.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
struct Redact {
    secrets: Option<bool>,
    paths: Option<bool>,
    emails: Option<bool>,
    allow: Vec<String>,
    allow_patterns: Vec<Spanned<String>>,
    rules: Vec<Spanned<Rule>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Rule {
    name: Spanned<String>,
    pattern: Spanned<String>,
    #[serde(default)]
    examples: Vec<Spanned<String>>,
    #[serde(default)]
    counter_examples: Vec<Spanned<String>>,
}

/// How long a rule's name may be: it stands in every marker.
const NAME: usize = 40;

impl Settings {
    /// Nothing is redacted.
    pub fn nothing() -> Self {
        Self {
            secrets: false,
            paths: false,
            emails: false,
            ..Self::default()
        }
    }

    /// Whether anything is redacted.
    pub fn any(&self) -> bool {
        self.secrets || self.paths || self.emails
    }

    /// Reads a settings file's text; `path` is how errors name the file.
    ///
    /// # Errors
    /// What is wrong, with the file and the line: no TOML, an unknown name, a rule whose pattern
    /// is none or does not do to its examples what it should.
    pub fn read(path: &Path, text: &str) -> Result<Self, Error> {
        Self::of(&Document::new(path, text)?)
    }

    /// Reads the part of a settings file.
    ///
    /// # Errors
    /// As [`Settings::read`].
    pub fn of(document: &Document<'_>) -> Result<Self, Error> {
        let redact: Redact = document.part("redact")?.unwrap_or_default();
        let mut settings = Settings {
            secrets: redact.secrets.unwrap_or(true),
            paths: redact.paths.unwrap_or(true),
            emails: redact.emails.unwrap_or(false),
            allow: redact.allow,
            ..Settings::default()
        };
        for pattern in redact.allow_patterns {
            let whole = format!(r"\A(?:{})\z", pattern.get_ref());
            let compiled = Regex::new(&whole)
                .map_err(|error| document.wrong(Some(pattern.span()), pattern_error(&error)))?;
            settings.allow_patterns.push(compiled);
        }
        for rule in redact.rules {
            let own = own_rule(rule.get_ref())
                .map_err(|(span, what)| document.wrong(Some(span), what))?;
            settings.own.push(own);
        }
        Ok(settings)
    }

    /// The rules that the user added.
    pub(super) fn own(&self) -> Vec<OwnRule> {
        self.own.clone()
    }

    /// Whether a value is one that stays as it is.
    pub(super) fn allows(&self, value: &str) -> bool {
        self.allow.iter().any(|allowed| allowed == value)
            || self
                .allow_patterns
                .iter()
                .any(|pattern| pattern.is_match(value))
    }
}

fn own_rule(rule: &Rule) -> Result<OwnRule, (Range<usize>, String)> {
    let name = rule.name.get_ref();
    let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if name.is_empty() || name.len() > NAME || !name.chars().all(is_plain) {
        let what = format!("a rule's name has small letters, digits and '-', {NAME} at most");
        return Err((rule.name.span(), what));
    }
    let pattern = Regex::new(rule.pattern.get_ref())
        .map_err(|error| (rule.pattern.span(), pattern_error(&error)))?;
    if pattern.is_match("") {
        return Err((
            rule.pattern.span(),
            format!("the pattern of '{name}' fits nothing at all, so that it fits everywhere"),
        ));
    }
    for example in &rule.examples {
        if !pattern.is_match(example.get_ref()) {
            return Err((
                example.span(),
                format!("the pattern of '{name}' does not find this example"),
            ));
        }
    }
    for example in &rule.counter_examples {
        if pattern.is_match(example.get_ref()) {
            return Err((
                example.span(),
                format!("the pattern of '{name}' finds this counter-example"),
            ));
        }
    }
    Ok(OwnRule {
        name: name.clone(),
        pattern,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::FILE;

    fn read(text: &str) -> Result<Settings, String> {
        Settings::read(Path::new(FILE), text).map_err(|error| error.to_string())
    }

    #[test]
    fn switches_rules_and_what_is_allowed_are_read() {
        let settings = read(
            "[redact]\nemails = true\npaths = false\nallow = ['kept']\nallow-patterns = ['T-\\d+']\n\
             [[redact.rules]]\nname = 'acme-key'\npattern = 'acme_([a-z0-9]{20})'\nexamples = ['acme_0123456789abcdefghij']\ncounter-examples = ['acme_x']\n",
        )
        .expect("right");
        assert!(settings.secrets && settings.emails && !settings.paths);
        assert!(settings.allows("kept") && settings.allows("T-12") && !settings.allows("T-12x"));
        assert_eq!(settings.own()[0].name, "acme-key");
        assert!(read("").expect("empty").secrets);
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        for (text, place, what) in [
            ("[redact]\nsecret = true\n", "foldout.toml:2: ", "secret"),
            ("x = ", "foldout.toml:1: ", ""),
            ("[redact]\nemails = 3\n", "foldout.toml:2: ", "bool"),
            (
                "[redact]\n[[redact.rules]]\nname = 'a'\npattern = '('\n",
                "foldout.toml:4: ",
                "no pattern",
            ),
            (
                "[[redact.rules]]\nname = 'A b'\npattern = 'x'\n",
                "foldout.toml:2: ",
                "name",
            ),
            (
                "[[redact.rules]]\nname = 'a'\npattern = 'x*'\n",
                "foldout.toml:3: ",
                "everywhere",
            ),
            (
                "[[redact.rules]]\nname = 'a'\npattern = 'xy'\nexamples = ['xy', 'x']\n",
                "foldout.toml:4: ",
                "does not find",
            ),
            (
                "[[redact.rules]]\nname = 'a'\npattern = 'xy'\ncounter-examples = [\n 'xyz']\n",
                "foldout.toml:5: ",
                "counter-example",
            ),
        ] {
            let error = read(text).expect_err(text);
            assert!(
                error.starts_with(place) && error.contains(what),
                "{text:?}: {error}"
            );
        }
    }

    #[test]
    fn debug_output_shows_no_value() {
        let settings = read("[redact]\nallow = ['kT9vLq2xPz']\n").expect("right");
        assert!(!format!("{settings:?}").contains("kT9"));
    }
}
