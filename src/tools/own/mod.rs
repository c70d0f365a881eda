//! Views that a user makes for tools: the `[[tool-view]]` entries of the settings file.
//!
//! [`entry`] is how they are written and what can be wrong with them, [`field`] how they name what
//! is in an input or a result, [`view`] how one draws a card and [`parts`] the pieces of its body.
//! An entry only chooses among what foldout's own views are made of, so that nothing of a call
//! becomes markup and nothing of it is left out, whatever the entry says.

mod entry;
mod field;
mod parts;
#[cfg(test)]
mod tests;
mod view;

use regex::Regex;
use toml::Spanned;

use crate::error::Error;
use crate::settings::Document;

use super::ToolView;
use entry::Entry;
use view::OwnView;

/// The views that a user made, which come before foldout's own.
#[derive(Clone, Debug, Default)]
pub struct OwnViews {
    views: Vec<OwnView>,
    /// The tools that a view has by their whole names.
    names: Vec<(String, usize)>,
    /// The views that have tools by a pattern.
    patterns: Vec<(NamePattern, usize)>,
}

/// A name with `*` for any characters and `?` for one.
#[derive(Clone, Debug)]
struct NamePattern {
    pattern: Regex,
    /// Whether it names the format as well: `codex/run_*`.
    has_format: bool,
}

impl OwnViews {
    /// Reads the entries of a settings file.
    ///
    /// # Errors
    /// What is wrong with an entry, with the file and the line.
    pub fn of(document: &Document<'_>) -> Result<Self, Error> {
        let entries: Option<Vec<Spanned<Entry>>> = document.part("tool-view")?;
        let mut own = OwnViews::default();
        let mut lines: Vec<usize> = Vec::new();
        for entry in entries.unwrap_or_default() {
            let at = own.views.len();
            let span = entry.span();
            let entry = entry.into_inner();
            if entry.names.0.is_empty() {
                return Err(document.wrong(Some(span), "this view has no names"));
            }
            for name in &entry.names.0 {
                let wrong = |what: String| document.wrong(Some(name.span()), what);
                let text = name.get_ref();
                if text.trim().is_empty() {
                    return Err(wrong("a name is empty".to_owned()));
                }
                if text.contains(['*', '?']) {
                    let pattern = NamePattern::new(text)
                        .ok_or_else(|| wrong("this name is too long".to_owned()))?;
                    own.patterns.push((pattern, at));
                    continue;
                }
                if let Some(known) = own.names.iter().position(|(known, _)| known == text) {
                    let what = format!("'{text}' has a view already, in line {}", lines[known]);
                    return Err(wrong(what));
                }
                own.names.push((text.clone(), at));
                lines.push(document.line(name.span().start));
            }
            let view = OwnView::of(entry).map_err(|(at, what)| {
                // A mistake without a place of its own is one of the whole entry.
                document.wrong(Some(at.unwrap_or(span)), what)
            })?;
            own.views.push(view);
        }
        Ok(own)
    }

    /// The view of a tool: the one that names it whole, else the first with a pattern that fits.
    /// `bare` is the tool's name without the prefix of its program.
    pub(super) fn view_of(&self, format: &str, tool: &str, bare: &str) -> Option<&dyn ToolView> {
        if self.views.is_empty() {
            return None;
        }
        let bound = format!("{format}/{tool}");
        let names = [bound.as_str(), tool, bare];
        let whole = names.iter().find_map(|name| {
            let known = self.names.iter().find(|(known, _)| known == name);
            known.map(|(_, at)| *at)
        });
        let at = whole.or_else(|| {
            let fits = |pattern: &NamePattern| {
                let names = if pattern.has_format {
                    &names[..1]
                } else {
                    &names[1..]
                };
                names.iter().any(|name| pattern.pattern.is_match(name))
            };
            let found = self.patterns.iter().find(|(pattern, _)| fits(pattern));
            found.map(|(_, at)| *at)
        })?;
        self.views.get(at).map(|view| view as &dyn ToolView)
    }
}

impl NamePattern {
    /// `None` when it is longer than any name.
    fn new(text: &str) -> Option<Self> {
        let mut pattern = String::from(r"(?s)\A");
        for c in text.chars() {
            match c {
                '*' => pattern.push_str(".*"),
                '?' => pattern.push('.'),
                c => pattern.push_str(&regex::escape(c.encode_utf8(&mut [0; 4]))),
            }
        }
        pattern.push_str(r"\z");
        Some(Self {
            pattern: Regex::new(&pattern).ok()?,
            has_format: text.contains('/'),
        })
    }
}
