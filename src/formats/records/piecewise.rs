//! A document that is cut, or unsound somewhere in it, read piece by piece: its facts, and the
//! elements of the array that holds its messages. What cannot be read is left out, and told.

use crate::formats::problems::Problems;
use crate::model::{Notice, NoticeKind};
use crate::source::File;

use super::document::{Fault, bytes_of, place, sound, sound_value};
use super::scan::Scan;
use super::{DEPTH, Gap, describe, mend, too_deep};

/// What could be read of a document.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Kept {
    /// The document, sound.
    pub(crate) json: String,
    /// The notices that stand where elements are missing, in order, each with the number of the
    /// elements that were kept before it.
    pub(crate) gaps: Vec<(usize, Notice)>,
}

/// Reads a file that is one JSON document whose messages are in an array: the document itself, or
/// what is under one of these keys in it. `None` when there is nothing in it that could be read;
/// the problem is then a lost file.
pub(crate) fn kept_document(file: &File, keys: &[&str], problems: &mut Problems) -> Option<Kept> {
    let bytes = bytes_of(file, problems)?;
    let fault = match sound_value(bytes, DEPTH, problems)? {
        Ok(json) => {
            return Some(Kept {
                json,
                gaps: Vec::new(),
            });
        }
        Err(fault) => fault,
    };
    // The words about the pieces say more than those about the whole, unless there are none.
    let mut pieces = Pieces::of(&fault, problems);
    match fault.text.as_bytes().first() {
        Some(b'[') => {
            pieces.array();
        }
        Some(b'{') => pieces.entries(keys),
        _ => {}
    }
    let count = pieces.count;
    let kept = pieces.finish();
    if count == 0 {
        problems.lost(fault.line, fault.what);
        return None;
    }
    Some(kept)
}

/// The way through an unsound document.
struct Pieces<'a> {
    text: &'a str,
    first_line: u64,
    /// How far the text was gone through.
    at: usize,
    /// A place in the text and its line, from which later lines are counted.
    counted: (usize, u64),
    /// What is sound of it.
    out: String,
    /// How many elements were kept.
    count: usize,
    /// What was left out between elements, behind how many of them.
    gaps: Vec<(usize, Gap)>,
    /// The line at which the file ends too early.
    cut: Option<u64>,
    problems: &'a mut Problems,
}

impl<'a> Pieces<'a> {
    fn of(fault: &'a Fault, problems: &'a mut Problems) -> Self {
        Self {
            text: &fault.text,
            first_line: fault.first_line,
            at: 0,
            counted: (0, fault.first_line),
            out: String::new(),
            count: 0,
            gaps: Vec::new(),
            cut: None,
            problems,
        }
    }

    /// Goes through the entries of the object that begins here.
    fn entries(&mut self, keys: &[&str]) {
        self.at += 1;
        self.out.push('{');
        let mut is_first = true;
        let mut is_lost = false;
        loop {
            match self.next() {
                None => {
                    self.cut();
                    break;
                }
                Some(b'}') => break,
                Some(b'"') => {}
                Some(_) => {
                    if !is_lost {
                        is_lost = true;
                        let line = self.line(self.at);
                        let column = place(&self.text.as_bytes()[..self.at]).1;
                        let what = format!("not valid JSON at column {column}");
                        self.problems.warn(line, what);
                    }
                    let next = self.text[self.at..].find(['"', '}']);
                    self.at = next.map_or(self.text.len(), |next| self.at + next);
                    continue;
                }
            }
            let Some((name, _)) = self.value() else {
                self.cut();
                break;
            };
            let is_wanted = keys
                .iter()
                .any(|key| name.trim_matches('"') == *key && name.len() == key.len() + 2);
            let name = sound(name)
                .ok()
                .map(|mended| mended.unwrap_or(name.to_owned()));
            self.next();
            let comma = if is_first { "" } else { "," };
            if is_wanted && self.text[self.at..].starts_with('[') {
                is_first = false;
                self.out
                    .push_str(&format!("{comma}{}:", name.unwrap_or_default()));
                if !self.array() {
                    break;
                }
                continue;
            }
            let start = self.at;
            let Some((value, scan)) = self.value() else {
                self.cut();
                break;
            };
            if let (Some(name), Some(value)) = (name, self.sound(start, value, &scan)) {
                is_first = false;
                self.out.push_str(&format!("{comma}{name}:{value}"));
            }
        }
        self.out.push('}');
    }

    /// Goes through the elements of the array that begins here; false when the file ends in it.
    fn array(&mut self) -> bool {
        self.at += 1;
        self.out.push('[');
        let mut is_first = true;
        // What stands before an element of its own line: by it the next is found behind one that
        // does not come to its end.
        let mut indent = None;
        let is_whole = loop {
            match self.next() {
                None => {
                    self.cut();
                    break false;
                }
                Some(b']') => {
                    self.at += 1;
                    break true;
                }
                Some(_) => {}
            }
            let start = self.at;
            let found = self.value();
            let own = indent.get_or_insert_with(|| self.indent(start)).clone();
            let rest = self.text.len();
            let sound = match &found {
                Some((value, scan)) => self.sound(start, value, scan),
                None => None,
            };
            if let Some(value) = sound {
                let comma = if is_first { "" } else { "," };
                is_first = false;
                self.out.push_str(comma);
                self.out.push_str(&value);
                self.count += 1;
                continue;
            }
            let end = if found.is_some() { self.at } else { rest };
            let again = own.and_then(|own| self.text[start + 1..end].find(&own));
            match again {
                Some(next) => {
                    self.at = start + 1 + next;
                    if found.is_none() {
                        let line = self.line(start);
                        self.problems.warn(line, "a value that does not end");
                    }
                }
                None if found.is_none() => {
                    self.at = rest;
                    self.cut();
                    break false;
                }
                None => {}
            }
            let (first, last) = (self.line(start), self.line(self.at));
            self.gap(first, last);
        };
        self.out.push(']');
        is_whole
    }

    /// What stands before an element that has a line of its own, up to its bracket.
    fn indent(&self, start: usize) -> Option<String> {
        let line = self.text[..start].rfind('\n')?;
        let is_alone = self.text[line..start].trim().is_empty();
        is_alone.then(|| self.text[line..=start].to_owned())
    }

    /// The next byte that is neither white space nor between values.
    fn next(&mut self) -> Option<u8> {
        let rest = &self.text.as_bytes()[self.at..];
        let is_between = |b: &u8| b.is_ascii_whitespace() || matches!(b, b',' | b':');
        let skipped = rest.iter().position(|b| !is_between(b));
        self.at += skipped.unwrap_or(rest.len());
        self.text.as_bytes().get(self.at).copied()
    }

    /// Goes over the value that begins here, sound or not; `None` when it has no end.
    fn value(&mut self) -> Option<(&'a str, Scan)> {
        let text = &self.text[self.at..];
        let mut scan = Scan::default();
        let mut end = scan.end(text.as_bytes())?;
        while !text.is_char_boundary(end) {
            end += 1;
        }
        self.at += end;
        Some((&text[..end], scan))
    }

    /// A value that is sound, or was made so; `None` with a warning when it cannot be.
    fn sound(&mut self, start: usize, value: &str, scan: &Scan) -> Option<String> {
        if scan.deepest > DEPTH {
            let line = self.line(start);
            self.problems.warn(line, too_deep());
            return None;
        }
        let paired = scan.surrogates.then(|| mend::lone_surrogates(value));
        let paired = paired.flatten();
        let value = paired.as_deref().unwrap_or(value);
        match sound(value) {
            Ok(mended) => Some(mended.unwrap_or_else(|| value.to_owned())),
            Err(error) => {
                let before = place(&self.text.as_bytes()[..start]).1 - 1;
                let line = self.line(start);
                let (line, what) = describe(&error, line, before);
                self.problems.warn(line, what);
                None
            }
        }
    }

    /// The line of a place that is not before the last one that was asked for.
    fn line(&mut self, at: usize) -> u64 {
        let (from, line) = match self.counted {
            (from, line) if from <= at => (from, line),
            _ => (0, self.first_line),
        };
        let between = &self.text.as_bytes()[from..at];
        let line = line + memchr::memchr_iter(b'\n', between).count() as u64;
        self.counted = (at, line);
        line
    }

    fn gap(&mut self, first: u64, last: u64) {
        match self.gaps.last_mut() {
            Some((count, gap)) if *count == self.count => gap.last = last,
            _ => self.gaps.push((self.count, Gap { first, last })),
        }
    }

    fn cut(&mut self) {
        let line = self.line(self.text.len());
        self.problems
            .warn(line, "the file ends in the middle (still being written?)");
        self.cut = Some(line);
    }

    fn finish(self) -> Kept {
        let gaps = self.gaps.iter().map(|(count, gap)| (*count, gap.notice()));
        let cut = self.cut.map(|line| {
            let title = format!("The file ends in the middle of line {line}");
            (self.count, Notice::new(NoticeKind::Unknown, title))
        });
        Kept {
            gaps: gaps.chain(cut).collect(),
            json: self.out,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(text: &str) -> (Option<Kept>, Vec<String>) {
        let file = File::in_memory("f".into(), "f".into(), text.as_bytes().to_vec());
        let mut problems = Problems::of(&file);
        let kept = kept_document(&file, &["all"], &mut problems);
        let problems = problems
            .into_vec()
            .iter()
            .map(ToString::to_string)
            .collect();
        (kept, problems)
    }

    /// What is kept, with the titles of the gaps.
    fn told(text: &str) -> (String, Vec<(usize, String)>) {
        let kept = kept(text).0.expect("something is kept");
        let gaps = kept.gaps.into_iter().map(|(at, notice)| (at, notice.title));
        (kept.json, gaps.collect())
    }

    #[test]
    fn a_cut_document_keeps_the_elements_before_the_cut() {
        let text = "{\"id\":\"s\",\n\"all\":[{\"a\":1},\n{\"b\":2},\n{\"c\":\"x";
        let cut = "The file ends in the middle of line 4".to_owned();
        assert_eq!(
            told(text),
            (
                "{\"id\":\"s\",\"all\":[{\"a\":1},{\"b\":2}]}".into(),
                vec![(2, cut)]
            )
        );
        assert_eq!(
            kept(text).1,
            ["f:4: the file ends in the middle (still being written?)"]
        );
    }

    #[test]
    fn a_bad_element_or_fact_keeps_the_others() {
        let text = "{\"id\":s,\"n\":[1],\n\"all\":[{\"a\":1},\n{\"b\":x},{\"c\":3}],\"z\":2}";
        let gap = "Line 3 could not be read".to_owned();
        assert_eq!(
            told(text),
            (
                "{\"n\":[1],\"all\":[{\"a\":1},{\"c\":3}],\"z\":2}".into(),
                vec![(1, gap)]
            )
        );
        assert_eq!(
            kept(text).1,
            [
                "f:1: not valid JSON at column 7",
                "f:3: not valid JSON at column 6"
            ]
        );
    }

    #[test]
    fn an_element_that_is_nested_too_deep_is_left_out_alone() {
        let deep = format!("{}{}", "[".repeat(200), "]".repeat(200));
        let text = format!("[{{\"a\":1}},{{\"b\":{deep}}},{{\"c\":3}}]");
        assert_eq!(told(&text).0, "[{\"a\":1},{\"c\":3}]");
    }

    #[test]
    fn behind_an_open_string_the_next_element_is_found_by_its_indent() {
        let text = "{\n \"all\": [\n  {\n   \"a\": \"x\n  },\n  {\n   \"b\": 2\n  }\n ]\n}";
        assert_eq!(
            told(text).0.replace(['\n', ' '], ""),
            "{\"all\":[{\"b\":2}]}"
        );
    }

    #[test]
    fn a_document_without_a_sound_element_is_lost() {
        let (kept, problems) = kept("{\"all\":[{\"a\":x}]}");
        assert_eq!(kept, None);
        assert!(problems.iter().any(|problem| problem.contains("no page")));
    }

    #[test]
    fn every_cut_keeps_the_whole_elements_before_it() {
        let text = "{\"é\":\"ü\", \"all\" : [ {\"a\":\"ö,]}\"} , [1,{\"b\":[]}] ], \"z\":1}";
        for end in (0..text.len()).filter(|end| text.is_char_boundary(*end)) {
            if let Some(kept) = kept(&text[..end]).0 {
                let value: serde_json::Value =
                    serde_json::from_str(&kept.json).expect("what is kept is sound");
                assert!(value["all"].as_array().is_some_and(|all| !all.is_empty()));
            }
        }
    }
}
