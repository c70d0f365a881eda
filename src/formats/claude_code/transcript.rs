//! One file of records: reads it line by line into rows and the facts that are not of one line.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

use serde::de::IgnoredAny;
use xxhash_rust::xxh3::xxh3_64;

use crate::formats::problems::Problems;
use crate::formats::records::{self, Extent, Json, Object, Record, text};
use crate::formats::times;
use crate::model::{Body, Notice, NoticeKind};
use crate::source::File;

use super::content;
use super::row::{Row, Side, What};
use super::sessions::Sessions;
use super::system;

/// A file's rows and facts.
#[derive(Debug, Default)]
pub(super) struct Transcript {
    /// The records, in the order of the file, each once.
    pub(super) rows: Vec<Row>,
    /// Titles by who gave them: the person, the program.
    pub(super) titles: (Option<String>, Option<String>),
    /// Titles that belong to the conversation which holds a record of this id.
    pub(super) summaries: Vec<(String, String)>,
    /// The ids of the sessions that the records name.
    pub(super) sessions: Sessions,
    /// The id of the subagent whose file this is.
    pub(super) agent: String,
    /// The folder that was worked in.
    pub(super) project: Option<String>,
    /// The branch.
    pub(super) branch: Option<String>,
    /// The program's version.
    pub(super) version: Option<String>,
    /// The cost in US dollars of the whole, when the file says it.
    pub(super) cost: Option<f64>,
    /// The cost of messages, by their ids.
    pub(super) costs: BTreeMap<String, f64>,
    /// Subagents' ids with the calls that started them.
    pub(super) links: BTreeMap<String, String>,
    /// Records that are not shown, by kind.
    pub(super) unshown: BTreeMap<String, u64>,
    /// Kinds of records that are not known.
    pub(super) unknown_records: Vec<String>,
    /// Kinds of blocks that are not known.
    pub(super) unknown_blocks: Vec<String>,
    /// Subagents whose records have a file of their own.
    pub(super) filed: BTreeSet<String>,
    /// Hashes of ids, each with a hash of what was said under it.
    seen: HashMap<u64, u64>,
    /// Elements of a document that could not be read, each with the number of those before it.
    missing: VecDeque<(usize, Notice)>,
    identical: u64,
}

impl Transcript {
    /// Reads a file of lines. `filed` are the ids of subagents that have files of their own.
    pub(super) fn of_lines(file: &File, filed: BTreeSet<String>, problems: &mut Problems) -> Self {
        let mut transcript = Transcript {
            filed,
            ..Transcript::default()
        };
        let extent = records::each_record(file, problems, &mut |record, problems| {
            transcript.take(record, problems)
        });
        transcript.place_gaps(&extent);
        transcript.report(problems);
        transcript
    }

    /// Reads the one document that a web session is saved as.
    pub(super) fn of_document(file: &File, problems: &mut Problems) -> Self {
        let mut transcript = Transcript::default();
        if let Some(kept) = records::kept_document(file, &["loglines"], problems) {
            let record = Record {
                line: 1,
                json: &kept.json,
            };
            transcript.missing = kept.gaps.into();
            // What is kept is sound.
            let _ = transcript.take(record, problems);
            transcript.missing_before(usize::MAX, u64::MAX);
        }
        transcript.report(problems);
        transcript
    }

    /// Puts the notices where elements of a document could not be read, up to this one.
    fn missing_before(&mut self, number: usize, line: u64) {
        while self.missing.front().is_some_and(|(at, _)| *at <= number)
            && let Some((_, notice)) = self.missing.pop_front()
        {
            self.rows.push(Row::remark(line, notice));
        }
    }

    /// Puts notices where lines could not be read.
    fn place_gaps(&mut self, extent: &Extent) {
        for (line, notice) in extent.notices() {
            self.rows.push(Row::remark(line, notice));
        }
        self.rows.sort_by_key(|row| row.line);
    }

    /// Says once what was seen over the whole file.
    fn report(&mut self, problems: &mut Problems) {
        if self.identical > 0 {
            let what = format!("identical records, shown once: {}", self.identical);
            problems.note(None, what);
        }
        problems.note_unknown("record", &self.unknown_records);
        problems.note_unknown("block", &self.unknown_blocks);
        self.seen = HashMap::new();
    }

    /// Takes one record.
    fn take(
        &mut self,
        record: Record<'_>,
        problems: &mut Problems,
    ) -> Result<(), serde_json::Error> {
        let Record { line, json } = record;
        if !json.starts_with('{') {
            serde_json::from_str::<IgnoredAny>(json)?;
            problems.warn(line, "expected an object");
            self.odd(line, "A record that is no object", json);
            return Ok(());
        }
        let object = Object::parse(json)?;
        if let Some(lines) = object.get("loglines") {
            self.take_web_session(&object, lines, record, problems);
            return Ok(());
        }
        self.take_object(&object, json, line, None, problems);
        Ok(())
    }

    /// Takes a session that is one document.
    fn take_web_session(
        &mut self,
        object: &Object<'_>,
        lines: Json<'_>,
        record: Record<'_>,
        problems: &mut Problems,
    ) {
        let title = object.text("title").or_else(|| object.text("name"));
        self.titles.1 = title.map(Into::into);
        let mut line = record.line;
        let mut counted = 0;
        for (number, item) in records::items(lines).into_iter().enumerate() {
            let start = item.get().as_ptr() as usize - record.json.as_ptr() as usize;
            let above = record.json.as_bytes().get(counted..start);
            line += memchr::memchr_iter(b'\n', above.unwrap_or_default()).count() as u64;
            counted = start;
            self.missing_before(number, line);
            match Object::of(item) {
                Some(object) => self.take_object(&object, item.get(), line, None, problems),
                None => {
                    problems.warn(line, "expected an object");
                    self.odd(line, "A record that is no object", item.get());
                }
            }
        }
    }

    /// Takes a record that is an object. `side` names the subagent of a record inside a record.
    pub(super) fn take_object(
        &mut self,
        object: &Object<'_>,
        json: &str,
        line: u64,
        side: Option<Side>,
        problems: &mut Problems,
    ) {
        if object.has_duplicate_key() {
            problems.warn(line, "duplicate key, the last one counts");
        }
        let mut row = self.envelope(object, line, side, problems);
        let said = object.get("message").map_or(json, Json::get);
        if !row.uuid.is_empty() {
            let hash = xxh3_64(said.as_bytes());
            let key = xxh3_64(row.uuid.as_bytes());
            match self.seen.get(&key) {
                Some(known) if *known == hash => {
                    self.identical += 1;
                    return;
                }
                Some(_) => problems.warn(line, format!("duplicate uuid {}", name(&row.uuid))),
                None => {
                    self.seen.insert(key, hash);
                }
            }
        }
        let message = object.object("message").unwrap_or_default();
        let role = message.text("role").unwrap_or_default();
        let kind = match object.get("type") {
            None => role.clone(),
            Some(kind) => match text(kind) {
                Some(kind) => kind,
                None => {
                    problems.warn(line, "`type` is not a string");
                    self.odd(line, "A record of no type", json);
                    return;
                }
            },
        };
        row.what = match (kind.as_ref(), role.as_ref()) {
            ("user", _) => self.user(object, &message, line, problems),
            ("assistant", _) => self.assistant(object, &message, line, problems),
            (kind, role) => match system::read(self, kind, object, &row, problems) {
                Some(what) => what,
                // A new kind of record may still hold a message.
                None if role == "user" => self.user(object, &message, line, problems),
                None if role == "assistant" => self.assistant(object, &message, line, problems),
                None => {
                    self.unknown(kind);
                    What::Hidden
                }
            },
        };
        self.rows.push(row);
    }

    fn unknown(&mut self, kind: &str) {
        let kind = if kind.is_empty() {
            "without a type"
        } else {
            kind
        };
        if content::note_kind(&mut self.unknown_records, kind) {
            self.hide(&format!("unknown records: {}", name(kind)));
        } else {
            self.hide("unknown records");
        }
    }

    /// Counts a record that is not shown.
    pub(super) fn hide(&mut self, kind: &str) {
        if let Some(count) = self.unshown.get_mut(kind) {
            *count += 1;
        } else {
            self.unshown.insert(kind.to_owned(), 1);
        }
    }

    fn odd(&mut self, line: u64, title: &str, json: &str) {
        let notice = Notice::new(NoticeKind::Unknown, title);
        self.rows.push(Row {
            line,
            what: What::Remark {
                notice: notice.with_body(Body::Data(json.to_owned())),
                call: String::new(),
            },
            ..Row::default()
        });
    }

    /// What every record of the chain has, and the facts that it tells by the way.
    fn envelope(
        &mut self,
        object: &Object<'_>,
        line: u64,
        side: Option<Side>,
        problems: &mut Problems,
    ) -> Row {
        let agent = object.string("agentId");
        let call = object.string("parent_tool_use_id");
        let side = side.or_else(|| {
            let beside = object.flag("isSidechain") || !call.is_empty();
            beside.then(|| Side {
                agent: agent.clone(),
                call,
            })
        });
        let session = object
            .text("sessionId")
            .or_else(|| object.text("session_id"));
        if let Some(session) = session.filter(|session| !session.is_empty()) {
            self.sessions.add(&session);
        }
        if self.agent.is_empty() {
            self.agent = agent;
        }
        let set = |fact: &mut Option<String>, key| {
            if fact.is_none() {
                *fact = object
                    .text(key)
                    .filter(|value| !value.is_empty())
                    .map(Into::into);
            }
        };
        set(&mut self.project, "cwd");
        set(&mut self.branch, "gitBranch");
        if let Some(version) = object.text("version")
            && self.version.as_deref() != Some(version.as_ref())
        {
            self.version = Some(version.into_owned());
        }
        let time = object.get("timestamp").map_or(Ok(None), times::read);
        Row {
            line,
            uuid: object.string("uuid"),
            parent: object.string("parentUuid"),
            time: time.unwrap_or_else(|what| {
                problems.warn(line, what);
                None
            }),
            side,
            what: What::Hidden,
        }
    }
}

/// A foreign name for a diagnostic: one short line.
pub(super) fn name(foreign: &str) -> String {
    crate::figures::one_line(foreign, 40)
}
