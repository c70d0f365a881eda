//! One file of records: reads it line by line into rows and the facts that are not of one line.

use std::collections::{BTreeMap, HashMap};

use serde::de::IgnoredAny;
use serde_json::value::RawValue;
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use crate::formats::problems::Problems;
use crate::formats::records::{self, Extent, Object, Record, text};
use crate::formats::times;
use crate::model::{Body, Notice, NoticeKind, Part, Usage};
use crate::source::File;

use super::content::{self, Content, Place};
use super::report;
use super::row::{Message, Row, Side, Speech, What};
use super::system;
use super::wrappers::{self, Piece};

/// A file's rows and facts.
#[derive(Debug, Default)]
pub(super) struct Transcript {
    /// The records, in the order of the file, each once.
    pub(super) rows: Vec<Row>,
    /// Titles by who gave them: the person, the program.
    pub(super) titles: (Option<String>, Option<String>),
    /// Titles that belong to the conversation which holds a record of this id.
    pub(super) summaries: Vec<(String, String)>,
    /// Session ids with the number of their records, in order of appearance.
    pub(super) sessions: Vec<(String, u64)>,
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
    pub(super) links: Vec<(String, String)>,
    /// Records that are not shown, by kind.
    pub(super) unshown: BTreeMap<String, u64>,
    /// Kinds of records that are not known.
    pub(super) unknown_records: Vec<String>,
    /// Kinds of blocks that are not known.
    pub(super) unknown_blocks: Vec<String>,
    /// Subagents whose records have a file of their own.
    pub(super) filed: Vec<String>,
    /// Ids with a hash of what was said under them.
    seen: HashMap<String, u64>,
    identical: u64,
}

impl Transcript {
    /// Reads a file. `filed` are the ids of subagents that have files of their own.
    pub(super) fn read(file: &File, filed: Vec<String>, problems: &mut Problems) -> Self {
        let mut transcript = Transcript {
            filed,
            ..Transcript::default()
        };
        if is_web_session(file) {
            if let Some(document) = records::document(file, problems) {
                let record = Record {
                    line: 1,
                    json: &document,
                };
                // The document was checked as a whole.
                let _ = transcript.take(record, problems);
            }
        } else {
            let extent = records::each_record(file, problems, &mut |record, problems| {
                transcript.take(record, problems)
            });
            transcript.place_gaps(&extent);
        }
        transcript.report(problems);
        transcript
    }

    /// Puts notices where lines could not be read.
    fn place_gaps(&mut self, extent: &Extent) {
        let remark = |line, notice| Row {
            line,
            what: What::Remark {
                notice,
                call: String::new(),
            },
            ..Row::default()
        };
        for gap in &extent.gaps {
            self.rows.push(remark(gap.first, gap.notice()));
        }
        if let Some(notice) = extent.cut_notice() {
            self.rows.push(remark(u64::MAX, notice));
        }
        self.rows.sort_by_key(|row| row.line);
    }

    /// Says once what was seen over the whole file.
    fn report(&mut self, problems: &mut Problems) {
        if self.identical > 0 {
            let what = format!("identical records, shown once: {}", self.identical);
            problems.note(None, what);
        }
        for (kinds, what) in [
            (&self.unknown_records, "record"),
            (&self.unknown_blocks, "block"),
        ] {
            if !kinds.is_empty() {
                let names = kinds.iter().take(5).map(|k| name(k)).collect::<Vec<_>>();
                let types = if kinds.len() == 1 { "type" } else { "types" };
                let what = format!(
                    "{} unknown {what} {types}: {}",
                    kinds.len(),
                    names.join(", ")
                );
                problems.note(None, what);
            }
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
        lines: &RawValue,
        record: Record<'_>,
        problems: &mut Problems,
    ) {
        let title = object.text("title").or_else(|| object.text("name"));
        self.titles.1 = title.map(Into::into);
        for item in records::items(lines) {
            let before = item.get().as_ptr() as usize - record.json.as_ptr() as usize;
            let above = record.json.as_bytes().get(..before).unwrap_or_default();
            let line = record.line + memchr::memchr_iter(b'\n', above).count() as u64;
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
        let said = object.get("message").map_or(json, RawValue::get);
        if !row.uuid.is_empty() {
            let hash = xxh3_64(said.as_bytes());
            match self.seen.get(&row.uuid) {
                Some(known) if *known == hash => {
                    self.identical += 1;
                    return;
                }
                Some(_) => problems.warn(line, format!("duplicate uuid {}", name(&row.uuid))),
                None => {
                    self.seen.insert(row.uuid.clone(), hash);
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
        if !self.unknown_records.iter().any(|known| known == kind) {
            self.unknown_records.push(kind.to_owned());
        }
        self.hide(&format!("unknown records: {}", name(kind)));
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
            match self.sessions.iter_mut().find(|(id, _)| *id == session) {
                Some((_, count)) => *count += 1,
                None => self.sessions.push((session.into_owned(), 1)),
            }
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

    fn content(
        &mut self,
        object: &Object<'_>,
        message: &Object<'_>,
        line: u64,
        problems: &mut Problems,
    ) -> Content {
        let mut place = Place {
            line,
            problems,
            unknown: &mut self.unknown_blocks,
        };
        let value = object.get("message");
        if message.has("content") {
            if message.has_duplicate_key() {
                place
                    .problems
                    .warn(line, "duplicate key, the last one counts");
            }
            Content::read(message.get("content"), &mut place)
        } else if value.is_some_and(|value| value.get().starts_with('"')) {
            Content::read(value, &mut place)
        } else {
            place.problems.warn(line, "a message without content");
            let notice = match value {
                Some(value) => content::raw("A message that is not as expected", value),
                None => Notice::new(NoticeKind::Unknown, "A message without content"),
            };
            Content {
                parts: vec![Part::Notice(notice)],
                ..Content::default()
            }
        }
    }

    fn user(
        &mut self,
        object: &Object<'_>,
        message: &Object<'_>,
        line: u64,
        problems: &mut Problems,
    ) -> What {
        let content = self.content(object, message, line, problems);
        if object.flag("isCompactSummary") {
            let words = content.parts.into_iter().filter_map(|part| match part {
                Part::Text(text) => Some(text),
                _ => None,
            });
            return What::Summary(words.collect::<Vec<_>>().join("\n\n"));
        }
        let mut speech = speech(content);
        speech.injected = object.flag("isMeta");
        speech.call = object.string("sourceToolUseID");
        if let Some(value) = object.get("toolUseResult")
            && !speech.outcomes.is_empty()
        {
            let report = report::read(value);
            if let [outcome] = speech.outcomes.as_mut_slice() {
                if outcome.call.is_empty() {
                    outcome.call = report.call.clone().unwrap_or_default();
                }
                outcome.add(report);
            } else {
                speech.report = Some(report);
            }
        }
        What::Said(speech)
    }

    fn assistant(
        &mut self,
        object: &Object<'_>,
        message: &Object<'_>,
        line: u64,
        problems: &mut Problems,
    ) -> What {
        let content = self.content(object, message, line, problems);
        let id = message.string("id");
        if let Some(cost) = object.get("costUSD")
            && let Ok(cost) = cost.get().parse::<f64>()
            && cost.is_finite()
        {
            let known = self.costs.entry(id.clone()).or_default();
            *known = if id.is_empty() {
                *known + cost
            } else {
                known.max(cost)
            };
        }
        let model = message.string("model");
        let failed = object.flag("isApiErrorMessage");
        let synthetic = failed || model == "<synthetic>";
        What::Wrote(Message {
            usage: usage(message, line, problems),
            stop: message.string("stop_reason"),
            model: if synthetic { String::new() } else { model },
            id,
            parts: content.parts,
            outcomes: content.outcomes,
            sources: content.sources,
            synthetic,
            failed,
        })
    }
}

/// Whether a file is the one document that a web session is saved as.
fn is_web_session(file: &File) -> bool {
    crate::formats::Head::of(file).is_ok_and(|head| {
        head.document && head.records.first().is_some_and(|r| r.has(&["loglines"]))
    })
}

/// A user message out of its content.
pub(super) fn speech(content: Content) -> Speech {
    let mut speech = Speech {
        outcomes: content.outcomes,
        ..Speech::default()
    };
    let mut hash = Xxh3::new();
    for part in content.parts {
        match part {
            Part::Text(words) => {
                hash.update(words.trim().as_bytes());
                speech.pieces.extend(wrappers::pieces(&words));
            }
            Part::Notice(notice) => speech.pieces.push(Piece::Notice(notice)),
            part => speech.pieces.push(Piece::Part(part)),
        }
    }
    speech.words = hash.digest();
    speech
}

/// The tokens of a message; `None` when it has none, or when a count cannot be.
fn usage(message: &Object<'_>, line: u64, problems: &mut Problems) -> Option<Usage> {
    let usage = message.object("usage")?;
    let mut sound = true;
    let mut read = |key: &str| {
        let Some(value) = usage.get(key) else {
            return 0;
        };
        records::count(value).unwrap_or_else(|| {
            sound = false;
            0
        })
    };
    let tokens = Usage {
        input: read("input_tokens"),
        output: read("output_tokens"),
        cache_read: read("cache_read_input_tokens"),
        cache_write: read("cache_creation_input_tokens"),
        reasoning: 0,
    };
    if !sound {
        problems.warn(line, "number out of range, tokens are not known");
        return None;
    }
    (tokens != Usage::default()).then_some(tokens)
}

/// A foreign name for a diagnostic: one short line.
pub(super) fn name(foreign: &str) -> String {
    crate::figures::one_line(foreign, 40)
}
