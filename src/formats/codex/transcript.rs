//! One file of records: reads it line by line into rows and the facts that are not of one line.

use std::collections::BTreeMap;

use xxhash_rust::xxh3::xxh3_64;

use crate::formats::problems::Problems;
use crate::formats::records::{self, Extent, Json, Object, Record};
use crate::formats::times;
use crate::model::{Body, Notice, NoticeKind, Reply, Timestamp};
use crate::source::File;

use super::content::{self, Block};
use super::events::{self, SUMMARISED};
use super::items;
use super::meta::Meta;
use super::row::{Row, What};
use super::stream::Stream;
use super::tokens::Tokens;

/// How many unknown kinds are told apart.
const KINDS: usize = 20;

/// A file's rows and facts.
#[derive(Debug, Default)]
pub(super) struct Transcript {
    /// The records, in the order of the file.
    pub(super) rows: Vec<Row>,
    /// What the session says of itself, in the first record that does.
    pub(super) meta: Option<Meta>,
    /// The id of another session whose own record was copied.
    pub(super) copied_from: Option<String>,
    /// The name that the session was given last.
    pub(super) title: Option<String>,
    /// Records that are not shown, by kind.
    pub(super) unshown: BTreeMap<String, u64>,
    /// Kinds of records that are not known.
    unknown: Vec<String>,
    tokens: Tokens,
    stream: Stream,
    /// The limit that was said to be reached.
    limit: Option<String>,
}

impl Transcript {
    /// Reads a file of lines.
    pub(super) fn of_lines(file: &File, problems: &mut Problems) -> Self {
        let mut transcript = Transcript::default();
        let extent = records::each_record(file, problems, &mut |record, problems| {
            transcript.take(record, problems)
        });
        transcript.place_gaps(&extent);
        transcript.report(problems);
        transcript
    }

    /// Reads the one document as which the first program saved a session.
    pub(super) fn of_document(file: &File, problems: &mut Problems) -> Self {
        let mut transcript = Transcript::default();
        if let Some(kept) = records::kept_document(file, &["items"], problems) {
            // What is kept is sound.
            let document = Object::parse(&kept.json).unwrap_or_default();
            let mut gaps = kept.gaps.into_iter().peekable();
            transcript.meta = document.object("session").map(|session| Meta::of(&session));
            for (number, item) in document.items("items").into_iter().enumerate() {
                while let Some((_, notice)) = gaps.next_if(|(before, _)| *before <= number) {
                    transcript.rows.push(Row::remark(1, notice));
                }
                let object = Object::of(item).unwrap_or_default();
                transcript.item(&object, item, 1, None);
            }
            let rest = gaps.map(|(_, notice)| Row::remark(1, notice));
            transcript.rows.extend(rest);
        }
        transcript.report(problems);
        transcript
    }

    fn place_gaps(&mut self, extent: &Extent) {
        for (line, notice) in extent.notices() {
            self.rows.push(Row::remark(line, notice));
        }
        self.rows.sort_by_key(|row| row.line);
    }

    fn report(&mut self, problems: &mut Problems) {
        problems.note_unknown("record", &self.unknown);
    }

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
        let time = object.get("timestamp").map_or(Ok(None), times::read);
        let time = time.unwrap_or_else(|what| {
            problems.warn(line, what);
            None
        });
        let kind = object.text("type").unwrap_or_default();
        match object.get("payload") {
            Some(payload) => self.enveloped(&kind, payload, line, time, problems),
            None => self.bare(&kind, &object, json, line, time),
        }
        Ok(())
    }

    /// A record of the newer files: a kind, a time, and what it says.
    fn enveloped(
        &mut self,
        kind: &str,
        payload: Json<'_>,
        line: u64,
        time: Option<Timestamp>,
        problems: &mut Problems,
    ) {
        let Some(object) = Object::of(payload) else {
            problems.warn(line, "expected an object");
            return self.odd(line, "A record that is no object", payload.get());
        };
        match kind {
            "session_meta" => self.meta(&object, line, time),
            "turn_context" => {
                if let Some(id) = object.words("model") {
                    let effort = object.words("effort");
                    let model = Reply::model_name(id, effort.as_deref());
                    self.push(line, time, What::Model(model)).turn = turn(&object);
                }
            }
            "response_item" => self.item(&object, payload, line, time),
            "event_msg" => self.event(&object, line, time),
            "compacted" => {
                self.push(line, time, What::Compacted(compacted(&object)));
            }
            "world_state" | "inter_agent_communication_metadata" => {
                self.hide("states of the program");
            }
            kind => self.unknown(kind),
        }
    }

    /// A record of the older files, or of the stream.
    fn bare(
        &mut self,
        kind: &str,
        object: &Object<'_>,
        json: &str,
        line: u64,
        time: Option<Timestamp>,
    ) {
        match kind {
            "thread.started" => {
                self.stream.begin();
                let id = object.string("thread_id");
                let own = self.meta.get_or_insert_default();
                if own.id.is_empty() {
                    own.made = super::meta::moment_of(&id);
                    own.id = id;
                }
            }
            "turn.started" => {
                self.push(line, time, What::Started);
            }
            "turn.completed" => {
                let usage = object.object("usage").unwrap_or_default();
                self.count(&usage, None, line, time);
                self.end(line, time, None);
            }
            "turn.failed" => self.end(line, time, events::message_of(object.get("error"))),
            "item.started" | "item.updated" | "item.completed" => {
                self.streamed(&object.object("item").unwrap_or_default(), line, time);
            }
            "error" => {
                let message = object.string("message");
                self.push(
                    line,
                    time,
                    What::Failed {
                        message,
                        code: None,
                    },
                );
            }
            "" if object.has("record_type") => self.hide("states of the program"),
            "" if object.has("id") && !object.has("role") => self.meta(object, line, time),
            kind => {
                if items::read(object).is_some() {
                    // It was checked as a whole.
                    if let Ok(value) = Json::parse(json) {
                        self.item(object, value, line, time);
                    }
                } else {
                    self.unknown(kind);
                }
            }
        }
    }

    fn meta(&mut self, object: &Object<'_>, line: u64, time: Option<Timestamp>) {
        let meta = Meta::of(object);
        match &self.meta {
            None => self.meta = Some(meta),
            Some(own) if own.id != meta.id => {
                self.copied_from.get_or_insert(meta.id);
                self.push(line, time, What::Hidden);
            }
            Some(_) => {}
        }
    }

    fn item(&mut self, object: &Object<'_>, json: Json<'_>, line: u64, time: Option<Timestamp>) {
        let Some(item) = items::read(object) else {
            let kind = object.string("type");
            let title = format!("Item of an unknown kind: {kind}");
            self.note_kind(&kind);
            return self.odd(line, &title, json.get());
        };
        if let Some(kind) = item.hidden {
            self.hide(kind);
        }
        let result = item.result;
        let row = self.push(line, time, item.what);
        row.echo = item.echo;
        row.copied = Some(xxh3_64(json.get().as_bytes()));
        row.turn = turn(object);
        if let Some(result) = result {
            self.push(line, time, result);
        }
    }

    fn event(&mut self, object: &Object<'_>, line: u64, time: Option<Timestamp>) {
        let kind = object.text("type").unwrap_or_default();
        match kind.as_ref() {
            "token_count" => {
                self.limits(object.object("rate_limits"), line, time);
                let info = object.object("info").unwrap_or_default();
                if let Some(total) = info.object("total_token_usage") {
                    let last = info.object("last_token_usage");
                    self.count(&total, last.as_ref(), line, time);
                }
                return;
            }
            "thread_name_updated" => {
                self.title = object.words("thread_name").or(self.title.take());
                return;
            }
            _ => {}
        }
        let Some(event) = events::read(object) else {
            let kind = kind.into_owned();
            return self.unknown(&kind);
        };
        if let Some(kind) = event.hidden {
            self.hide(kind);
        }
        let row = self.push(line, time, event.what);
        row.echo = event.echo;
        row.turn = turn(object);
    }

    fn streamed(&mut self, item: &Object<'_>, line: u64, time: Option<Timestamp>) {
        let Some((what, result)) = self.stream.read(item) else {
            let kind = item.text("type").unwrap_or_default().into_owned();
            return self.unknown(&kind);
        };
        let id = item.string("id");
        let Some((at, known)) = self.stream.place(&id) else {
            let at = self.rows.len();
            self.push(line, time, what);
            let outcome = result.map(|result| {
                self.push(line, time, result);
                at + 1
            });
            return self.stream.put(id, (at, outcome));
        };
        self.rows[at].what = what;
        if let (Some(known), Some(result)) = (known, result) {
            self.rows[known].what = result;
        }
    }

    fn end(&mut self, line: u64, time: Option<Timestamp>, error: Option<String>) {
        let ended = What::Ended {
            ms: None,
            answer: None,
            error,
        };
        self.push(line, time, ended);
    }

    fn count(
        &mut self,
        total: &Object<'_>,
        last: Option<&Object<'_>>,
        line: u64,
        time: Option<Timestamp>,
    ) {
        if let Some(usage) = self.tokens.take(total, last) {
            self.push(line, time, What::Tokens(usage));
        }
    }

    /// Says once that a limit of the vendor was reached.
    fn limits(&mut self, limits: Option<Object<'_>>, line: u64, time: Option<Timestamp>) {
        let limits = limits.unwrap_or_default();
        let reached = limits.words("rate_limit_reached_type");
        if let Some(kind) = reached.as_ref().filter(|_| self.limit != reached) {
            let words = format!("Rate limit reached: {}", kind.replace('_', " "));
            let notice = super::wrappers::in_a_line(NoticeKind::Info, &words);
            self.push(line, time, What::Remark(notice));
        }
        self.limit = reached;
    }

    fn push(&mut self, line: u64, time: Option<Timestamp>, what: What) -> &mut Row {
        self.rows.push(Row {
            line,
            time,
            what,
            ..Row::default()
        });
        self.rows.last_mut().expect("a row was just pushed")
    }

    fn unknown(&mut self, kind: &str) {
        let kind = if kind.is_empty() {
            "without a type"
        } else {
            kind
        };
        if self.note_kind(kind) {
            self.hide(&format!(
                "unknown records: {}",
                crate::figures::one_line(kind, 40)
            ));
        } else {
            self.hide("unknown records");
        }
    }

    /// Remembers an unknown kind; false when there are too many to tell them apart.
    fn note_kind(&mut self, kind: &str) -> bool {
        if self.unknown.iter().any(|known| known == kind) {
            return true;
        }
        let has_room = self.unknown.len() < KINDS;
        if has_room {
            self.unknown.push(kind.to_owned());
        }
        has_room
    }

    fn hide(&mut self, kind: &str) {
        *self.unshown.entry(kind.to_owned()).or_default() += 1;
    }

    fn odd(&mut self, line: u64, title: &str, json: &str) {
        let title = crate::figures::one_line(title, 120);
        let notice = Notice::new(NoticeKind::Unknown, title);
        let notice = notice.with_body(Body::Data(json.to_owned()));
        self.push(line, None, What::Remark(notice));
    }
}

/// When a record's turn began, which the turn's id says.
fn turn(object: &Object<'_>) -> Option<i64> {
    let inner = object.object("internal_chat_message_metadata_passthrough");
    let id = object
        .words("turn_id")
        .or_else(|| inner.as_ref()?.words("turn_id"))?;
    super::meta::moment_of(&id)
}

/// A compaction with its summary, where it is written out.
fn compacted(object: &Object<'_>) -> Notice {
    let own = object.words("message");
    let summary = own.or_else(|| {
        // The summary is the last message of the history that goes on.
        let last = *object.items("replacement_history").last()?;
        let last = Object::of(last)?;
        if last.text("role").as_deref() != Some("user") {
            return None;
        }
        let blocks = content::blocks(last.get("content")).into_iter();
        let words = blocks.filter_map(|block| match block {
            Block::Text(words) => Some(words),
            _ => None,
        });
        let words: Vec<String> = words.collect();
        let words = words.join("\n\n");
        words
            .starts_with("Another language model started")
            .then_some(words)
    });
    let notice = Notice::new(NoticeKind::Compaction, SUMMARISED);
    notice.with_body(Body::Prose(summary.unwrap_or_default()))
}
