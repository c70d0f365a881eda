//! Problems of one file, in bounded number: a million bad lines give twenty diagnostics and a
//! count.

use crate::error::{Problem, Severity};
use crate::figures;
use crate::source::{File, Source};

/// How many problems of one severity are named one by one.
const NAMED: usize = 20;

/// Collects the problems of one file.
#[derive(Debug)]
pub(crate) struct Problems {
    path: String,
    named: Vec<Problem>,
    notes: usize,
    warnings: usize,
    /// Whether lines are known.
    has_lines: bool,
}

impl Problems {
    /// No problems yet.
    pub(crate) fn of(file: &File) -> Self {
        Self {
            path: file.path.clone(),
            named: Vec::new(),
            notes: 0,
            warnings: 0,
            has_lines: true,
        }
    }

    /// No problems yet of a source's main file. In a part of a file lines are not known: what is
    /// before it is not read.
    pub(crate) fn of_source(source: &Source) -> Self {
        Self {
            has_lines: source.part.is_none(),
            ..Self::of(&source.main)
        }
    }

    /// Nothing is missing, but it is worth a line. The line is counted from 1; `None` means the
    /// whole file.
    pub(crate) fn note(&mut self, line: impl Into<Option<u64>>, what: impl Into<String>) {
        self.notes += 1;
        if self.notes <= NAMED {
            self.push(Severity::Note, line.into(), what.into());
        }
    }

    /// Something is missing, or shown differently from how it was written.
    pub(crate) fn warn(&mut self, line: impl Into<Option<u64>>, what: impl Into<String>) {
        self.warnings += 1;
        if self.warnings <= NAMED {
            self.push(Severity::Warning, line.into(), what.into());
        }
    }

    /// Says which kinds of records, blocks and the like are not known; nothing when all are. The
    /// kinds are the file's own words.
    pub(crate) fn note_unknown(&mut self, what: &str, kinds: &[String]) {
        if kinds.is_empty() {
            return;
        }
        let names = kinds.iter().take(5);
        let names: Vec<_> = names.map(|kind| figures::one_line(kind, 40)).collect();
        let types = if kinds.len() == 1 { "type" } else { "types" };
        let (count, names) = (kinds.len(), names.join(", "));
        self.note(None, format!("{count} unknown {what} {types}: {names}"));
    }

    /// The file gives no page.
    pub(crate) fn lost(&mut self, line: impl Into<Option<u64>>, what: impl Into<String>) {
        self.push(Severity::Lost, line.into(), what.into());
    }

    /// Whether anything was collected.
    pub(crate) fn any(&self) -> bool {
        !self.named.is_empty()
    }

    /// Whether it was said that the file gives no page.
    pub(crate) fn any_lost(&self) -> bool {
        let mut named = self.named.iter();
        named.any(|problem| problem.severity == Severity::Lost)
    }

    /// Whether a warning or worse was collected.
    pub(crate) fn any_warning(&self) -> bool {
        self.named
            .iter()
            .any(|problem| problem.severity > Severity::Note)
    }

    /// All problems by line, those of the whole file last, and how many more there were.
    pub(crate) fn into_vec(mut self) -> Vec<Problem> {
        self.named
            .sort_by_key(|problem| problem.line.unwrap_or(u64::MAX));
        for (count, severity, word) in [
            (self.warnings, Severity::Warning, "warnings"),
            (self.notes, Severity::Note, "notes"),
        ] {
            if count > NAMED {
                let more = count - NAMED;
                let word = if more == 1 {
                    &word[..word.len() - 1]
                } else {
                    word
                };
                // It begins with a word that sorts behind those of the others.
                let what = format!("… and {more} more {word} in this file");
                self.push(severity, None, what);
            }
        }
        self.named
    }

    fn push(&mut self, severity: Severity, line: Option<u64>, what: String) {
        self.named.push(Problem {
            path: self.path.clone(),
            line: line.filter(|_| self.has_lines),
            severity,
            what,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_many_more_there_are_is_said_last() {
        let file = File::in_memory("a.jsonl".into(), "a.jsonl".into(), Vec::new());
        let mut problems = Problems::of(&file);
        (1..=21).for_each(|line| problems.warn(line, "bad"));
        problems.warn(None, "no time");
        let mut list = problems.into_vec();
        list.sort();
        let last = list.last().map(ToString::to_string);
        assert_eq!(
            last.as_deref(),
            Some("a.jsonl: … and 2 more warnings in this file")
        );
        assert_eq!(list[0].line, Some(1));
    }

    #[test]
    fn past_twenty_only_a_count_is_kept() {
        let file = File::in_memory("a.jsonl".into(), "a.jsonl".into(), Vec::new());
        let mut problems = Problems::of(&file);
        for line in (1..=1_000).rev() {
            problems.warn(line, "bad");
        }
        problems.note(None, "odd");
        let list = problems.into_vec();
        assert_eq!(list.len(), 22);
        assert!(list[0].line < list[1].line);
        assert_eq!(
            list[21].to_string(),
            "a.jsonl: … and 980 more warnings in this file"
        );
    }
}
