//! One file of records: reads it line by line into rows and the facts that are not of one line.

use std::collections::{BTreeMap, HashMap, HashSet};

use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use crate::formats::branches::{Link, Parent};
use crate::formats::genai::{Row, What};
use crate::formats::problems::Problems;
use crate::formats::records::{self, Extent, Object, Record};
use crate::formats::times;
use crate::model::{Body, Input, Notice, NoticeKind};
use crate::source::File;

/// How much of a call's input is kept for its result, in bytes.
const INPUT: usize = 4_096;

/// A file's rows and facts.
#[derive(Debug, Default)]
pub(super) struct Transcript {
    /// The records, in the order of the file, each once.
    pub(super) rows: Vec<Row>,
    /// The ids of the records that the rows follow, by the rows' places.
    parents: Vec<String>,
    /// The rows where the person went back.
    pub(super) rewinds: HashSet<usize>,
    /// The title that the person gave, and the one that the program gave.
    pub(super) titles: (Option<String>, Option<String>),
    /// The session's id.
    pub(super) session: String,
    /// The subagent whose file this is; empty when it is none's.
    pub(super) agent: String,
    /// What kind of subagent that is.
    pub(super) agent_name: Option<String>,
    /// The folder that was worked in.
    pub(super) project: Option<String>,
    /// The branch.
    pub(super) branch: Option<String>,
    /// The program's version.
    pub(super) version: Option<String>,
    /// What calls were given, as far as it is short, by their ids.
    pub(super) inputs: HashMap<String, Input>,
    /// Records that are not shown, by kind.
    pub(super) unshown: BTreeMap<String, u64>,
    /// Hashes of records.
    seen: HashSet<u64>,
    identical: u64,
}

impl Transcript {
    /// Reads a file.
    pub(super) fn of(file: &File, problems: &mut Problems) -> Self {
        let mut transcript = Transcript::default();
        let extent = records::each_record(file, problems, &mut |record, problems| {
            transcript.take(record, problems)
        });
        transcript.place_gaps(&extent);
        if transcript.identical > 0 {
            let what = format!("identical records, shown once: {}", transcript.identical);
            problems.note(None, what);
        }
        transcript.seen = HashSet::new();
        transcript
    }

    /// What the rows' places in the flow depend on.
    pub(super) fn links(&self) -> Vec<Link<'_>> {
        let rows = self.rows.iter().enumerate();
        rows.map(|(at, row)| Link {
            line: row.line,
            id: &row.id,
            parent: Parent::of(self.parents.get(at).map_or("", String::as_str)),
            counts: self.rewinds.contains(&at)
                || matches!(&row.what, What::Said(prompt) if !prompt.queued),
        })
        .collect()
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
        if !self.is_new(&object, json) {
            self.identical += 1;
            return Ok(());
        }
        self.facts(&object);
        let time = object.get("timestamp").map_or(Ok(None), times::read);
        let time = time.unwrap_or_else(|what| {
            problems.warn(line, what);
            None
        });
        let kind = object.string("type");
        let subtype = object.string("subtype");
        let what = match kind.as_str() {
            "user" => self.user(&object, &subtype),
            "assistant" => self.assistant(&object),
            "tool_result" => self.tool_result(&object),
            "system" => {
                if subtype == "rewind" {
                    self.rewinds.insert(self.rows.len());
                }
                self.system(&object, &subtype)
            }
            kind => {
                let kind = match kind {
                    "" => "without a type",
                    kind => kind,
                };
                self.hide(&format!(
                    "unknown records: {}",
                    crate::figures::one_line(kind, 40)
                ));
                What::Hidden
            }
        };
        self.push(
            Row {
                line,
                id: object.string("uuid"),
                time,
                what,
            },
            object.string("parentUuid"),
        );
        Ok(())
    }

    /// Whether a record was not there before. Some write one record several times; a later one of
    /// the same id with other words is a further part of it.
    fn is_new(&mut self, object: &Object<'_>, json: &str) -> bool {
        if object.text("uuid").is_none_or(|id| id.is_empty()) {
            return true;
        }
        let mut hash = Xxh3::new();
        for key in [
            "uuid",
            "type",
            "subtype",
            "message",
            "systemPayload",
            "toolCallResult",
        ] {
            let value = object.get(key).map_or("", records::Json::get);
            hash.update(&xxh3_64(value.as_bytes()).to_le_bytes());
        }
        let _ = json;
        self.seen.insert(hash.digest())
    }

    fn facts(&mut self, object: &Object<'_>) {
        let set = |fact: &mut Option<String>, key| {
            if fact.is_none() {
                *fact = object.words(key);
            }
        };
        set(&mut self.project, "cwd");
        set(&mut self.branch, "gitBranch");
        set(&mut self.agent_name, "agentName");
        if let Some(version) = object.words("version") {
            self.version = Some(version);
        }
        for (fact, key) in [
            (&mut self.session, "sessionId"),
            (&mut self.agent, "agentId"),
        ] {
            if fact.is_empty() {
                *fact = object.string(key);
            }
        }
    }

    /// Adds a row that follows the record of this id.
    fn push(&mut self, row: Row, parent: String) {
        self.rows.push(row);
        self.parents.push(parent);
    }

    /// Remembers what a call was given, for its result.
    pub(super) fn remember(&mut self, id: &str, input: &Input) {
        let (Input::Json(json) | Input::Text(json)) = input;
        let kept = match json.len() {
            0..=INPUT => input.clone(),
            // Of a long one only the file that it is about.
            _ => {
                let object = Object::parse(json).unwrap_or_default();
                let path = object.get("file_path").map_or("null", records::Json::get);
                Input::Json(format!("{{\"file_path\":{path}}}"))
            }
        };
        self.inputs.insert(id.to_owned(), kept);
    }

    /// Counts a record that is not shown.
    pub(super) fn hide(&mut self, kind: &str) {
        *self.unshown.entry(kind.to_owned()).or_default() += 1;
    }

    fn odd(&mut self, line: u64, title: &str, json: &str) {
        let notice = Notice::new(NoticeKind::Unknown, title);
        let notice = notice.with_body(Body::Data(json.to_owned()));
        let row = Row {
            line,
            what: What::Remarks(vec![notice]),
            ..Row::default()
        };
        self.push(row, String::new());
    }

    /// Puts notices where lines could not be read.
    fn place_gaps(&mut self, extent: &Extent) {
        let gaps = extent.gaps.iter().map(|gap| (gap.first, gap.notice()));
        let cut = extent.cut.zip(extent.cut_notice());
        for (line, notice) in gaps.chain(cut) {
            let place = self.rows.partition_point(|row| row.line <= line);
            let row = Row {
                line,
                what: What::Remarks(vec![notice]),
                ..Row::default()
            };
            self.rows.insert(place, row);
            self.parents.insert(place, String::new());
            self.rewinds = std::mem::take(&mut self.rewinds)
                .into_iter()
                .map(|at| at + usize::from(at >= place))
                .collect();
        }
    }
}
