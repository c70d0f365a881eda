//! One file of a session: reads it line by line into rows and the facts that are not of one line.

use std::collections::{BTreeMap, HashMap};

use xxhash_rust::xxh3::xxh3_64;

use crate::figures::one_line;
use crate::formats::problems::Problems;
use crate::formats::records::{self, Extent, Object, Record};
use crate::formats::times;
use crate::model::{Body, Notice, NoticeKind};
use crate::source::{File, Source};

use super::blobs::Blobs;
use super::entries;
use super::row::{Follows, Row, What};

/// The id under which the header stands, which no entry can have: it is what the first entries
/// follow, of which there are several when a person began anew.
const HEADER: &str = "\u{1}header";

/// How many unknown kinds are told apart.
const KINDS: usize = 20;

/// A file's rows and facts.
#[derive(Debug)]
pub(super) struct Transcript<'a> {
    /// The records, in the order of the file, each once.
    pub(super) rows: Vec<Row>,
    /// The session's id.
    pub(super) id: String,
    /// The folder that was worked in.
    pub(super) project: Option<String>,
    /// The session that this one was forked from.
    pub(super) origin: Option<String>,
    /// The title of today, that of the header, and the last that an entry gave.
    pub(super) titles: [Option<String>; 3],
    /// The model and the level of thinking that the header names.
    pub(super) settings: (String, String),
    /// Labels by the ids of what they were put on.
    pub(super) labels: BTreeMap<String, String>,
    /// The cost in US dollars of all messages that have one.
    pub(super) cost: f64,
    /// What the record at its beginning says of a subagent.
    pub(super) agent: Option<entries::Init>,
    /// Records that are not shown, by kind.
    pub(super) unshown: BTreeMap<String, u64>,
    /// Kinds of records and of blocks that are not known.
    pub(super) unknown: [Vec<String>; 2],
    /// Where pictures are that are not in the file.
    pub(super) blobs: Blobs<'a>,
    has_header: bool,
    /// Ids that stood before, each with a hash of its record.
    seen: HashMap<u64, u64>,
    identical: u64,
}

impl<'a> Transcript<'a> {
    /// Reads a file of a source.
    pub(super) fn of(file: &File, source: &'a Source, problems: &mut Problems) -> Self {
        let mut transcript = Transcript {
            rows: Vec::new(),
            id: String::new(),
            project: None,
            origin: None,
            titles: [None, None, None],
            settings: Default::default(),
            labels: BTreeMap::new(),
            cost: 0.0,
            agent: None,
            unshown: BTreeMap::new(),
            unknown: Default::default(),
            blobs: Blobs::of(source),
            has_header: false,
            seen: HashMap::new(),
            identical: 0,
        };
        // What the first entries follow, header or not.
        transcript.rows.push(Row {
            id: HEADER.to_owned(),
            ..Row::default()
        });
        let extent = records::each_record(file, problems, &mut |record, problems| {
            transcript.take(record, problems)
        });
        transcript.place_gaps(&extent);
        transcript.report(problems);
        transcript
    }

    /// Puts notices where lines could not be read.
    fn place_gaps(&mut self, extent: &Extent) {
        let remark = |line, notice| Row {
            line,
            what: What::Remark(notice),
            ..Row::default()
        };
        for (line, notice) in extent.notices() {
            self.rows.push(remark(line, notice));
        }
        self.rows.sort_by_key(|row| row.line);
    }

    /// Says once what was seen over the whole file.
    fn report(&mut self, problems: &mut Problems) {
        if self.identical > 0 {
            let what = format!("identical records, shown once: {}", self.identical);
            problems.note(None, what);
        }
        for (kinds, what) in self.unknown.iter().zip(["record", "block"]) {
            problems.note_unknown(what, kinds);
        }
        self.seen = HashMap::new();
    }

    /// Takes one record.
    fn take(
        &mut self,
        record: Record<'_>,
        problems: &mut Problems,
    ) -> Result<(), serde_json::Error> {
        let Record { line, json } = record;
        let Some(object) = record.object(problems)? else {
            self.odd(line, "A record that is no object", json);
            return Ok(());
        };
        let Some(kind) = object.text("type") else {
            problems.warn(line, "`type` is not a string");
            self.odd(line, "A record of no type", json);
            return Ok(());
        };
        if kind == "session" {
            self.header(&object);
            return Ok(());
        }
        let mut row = self.envelope(&object, line, problems);
        if !row.id.is_empty() {
            let (key, hash) = (xxh3_64(row.id.as_bytes()), xxh3_64(json.as_bytes()));
            match self.seen.get(&key) {
                Some(known) if *known == hash => {
                    self.identical += 1;
                    return Ok(());
                }
                Some(_) => problems.warn(line, format!("duplicate id {}", name(&row.id))),
                None => {
                    self.seen.insert(key, hash);
                }
            }
        }
        row.what = entries::read(self, &kind, &object, row.time, line, problems);
        self.rows.push(row);
        Ok(())
    }

    /// The first record. A file that was glued to another has a second one, which says nothing
    /// of this session.
    fn header(&mut self, object: &Object<'_>) {
        if self.has_header {
            return self.hide("headers of other sessions");
        }
        self.has_header = true;
        self.id = object.string("id");
        self.project = object.words("cwd");
        self.titles[1] = object.words("title");
        let origin = object.words("parentSession");
        self.origin = origin.or_else(|| object.words("branchedFrom"));
        self.settings = (object.string("modelId"), object.string("thinkingLevel"));
    }

    /// What every entry has.
    fn envelope(&mut self, object: &Object<'_>, line: u64, problems: &mut Problems) -> Row {
        let time = object.get("timestamp").map_or(Ok(None), times::read);
        let follows = match object.text("parentId") {
            Some(parent) => Follows::Id(parent.into_owned()),
            // The oldest files are lists: an entry follows the one before it.
            None if !object.has("parentId") => Follows::Before,
            None => Follows::Id(HEADER.to_owned()),
        };
        Row {
            line,
            id: object.string("id"),
            follows: self.known(follows),
            time: time.unwrap_or_else(|what| {
                problems.warn(line, what);
                None
            }),
            what: What::Hidden,
        }
    }

    /// What an entry follows. Entries stand behind what they follow: where that could not be read,
    /// the one before takes its place, so that the entry stays on its branch.
    fn known(&mut self, follows: Follows) -> Follows {
        match follows {
            Follows::Id(id) if id != HEADER => {
                if self.seen.contains_key(&xxh3_64(id.as_bytes())) {
                    return Follows::Id(id);
                }
                self.hide(MISSING);
                Follows::Before
            }
            follows => follows,
        }
    }

    /// How many entries follow one that is not in the file; says it.
    pub(super) fn note_missing(&mut self, problems: &mut Problems) {
        match self.unshown.remove(MISSING) {
            None => {}
            Some(1) => problems.note(None, "1 parent not in this file"),
            Some(count) => problems.note(None, format!("{count} parents not in this file")),
        }
    }

    /// Counts a record that is not shown.
    pub(super) fn hide(&mut self, kind: &str) {
        *self.unshown.entry(kind.to_owned()).or_default() += 1;
    }

    /// Counts a record of an unknown kind.
    pub(super) fn unknown(&mut self, kind: &str) {
        if note_kind(&mut self.unknown[0], kind) {
            self.hide(&format!("unknown records: {}", name(kind)));
        } else {
            self.hide("unknown records");
        }
    }

    fn odd(&mut self, line: u64, title: &str, json: &str) {
        let notice = Notice::new(NoticeKind::Unknown, title);
        self.rows.push(Row {
            line,
            what: What::Remark(notice.with_body(Body::Data(json.to_owned()))),
            ..Row::default()
        });
    }
}

/// Under which entries that follow an unknown one are counted until it is said.
const MISSING: &str = "\u{1}missing";

/// Remembers an unknown kind; false when there are too many to tell them apart.
pub(super) fn note_kind(known: &mut Vec<String>, kind: &str) -> bool {
    if known.iter().any(|known| known == kind) {
        return true;
    }
    let room = known.len() < KINDS;
    if room {
        known.push(kind.to_owned());
    }
    room
}

/// A foreign name for a diagnostic: one short line.
pub(super) fn name(foreign: &str) -> String {
    one_line(foreign, 40)
}
