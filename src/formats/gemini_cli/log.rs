//! A session's file: what stands at its end, after all that replaced and took back what stood
//! before.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

use crate::formats::branches::Step;
use crate::formats::genai::{Row, What};
use crate::formats::problems::Problems;
use crate::formats::records::{self, Extent, Json, Object, Record, items, text};
use crate::model::{Author, Body, Notice, NoticeKind, Part};
use crate::source::File;

use super::messages;

/// Conversations that were taken back within such ones, past this depth, stand beside them.
const DEEPEST: usize = 16;

/// A session as its file tells it.
#[derive(Debug, Default)]
pub(super) struct Log {
    /// The messages, in no order that means anything.
    pub(super) rows: Vec<Row>,
    /// What is left of them, in order, with what was taken back.
    pub(super) steps: Vec<Step>,
    /// Elements of a document that could not be read, each with the number of those before it.
    gaps: VecDeque<(usize, Notice)>,
    /// Where the messages that are left stand among the rows, by id.
    known: HashMap<String, usize>,
    /// The session's id.
    pub(super) id: String,
    /// The hash of the folder that was worked in.
    pub(super) project_hash: String,
    /// What the session was about, in the program's words.
    pub(super) summary: Option<String>,
    /// Folders that belong to the work.
    pub(super) folders: Vec<String>,
    /// Whether it is a subagent's.
    pub(super) is_agent: bool,
    /// Whether the first versions of the program's fork wrote it.
    pub(super) is_fork: bool,
    /// Records that are not shown, by kind.
    pub(super) unshown: BTreeMap<String, u64>,
}

impl Log {
    /// Reads a file of lines.
    pub(super) fn of_lines(file: &File, problems: &mut Problems) -> Self {
        let mut log = Log::default();
        let extent = records::each_record(file, problems, &mut |record, problems| {
            log.take(record, problems)
        });
        log.place_gaps(&extent);
        log.settle();
        log
    }

    /// Reads a file that is one document.
    pub(super) fn of_document(file: &File, problems: &mut Problems) -> Self {
        let mut log = Log::default();
        if let Some(kept) = records::kept_document(file, &["messages", "history"], problems) {
            log.gaps = kept.gaps.into();
            let record = Record {
                line: 1,
                json: &kept.json,
            };
            // What is kept is sound.
            let _ = log.take(record, problems);
            log.gaps_before(usize::MAX);
        }
        log.settle();
        log
    }

    /// Takes one record.
    fn take(
        &mut self,
        record: Record<'_>,
        problems: &mut Problems,
    ) -> Result<(), serde_json::Error> {
        let Record { line, json } = record;
        if json.starts_with('[') {
            self.messages(items(Json::parse(json)?), line, problems);
            return Ok(());
        }
        let Some(object) = record.object(problems)? else {
            return Ok(());
        };
        if let Some(id) = object.text("$rewindTo") {
            self.rewind(&id);
        } else if let Some(set) = object.object("$set") {
            self.facts(&set);
            if set.get("messages").is_some() {
                self.rebuild(set.items("messages"), line, problems);
            }
        } else if !object.has("messages")
            && (object.has("role") || object.has("id") || object.has("type"))
        {
            self.message(&object, line, problems);
        } else if object.has("sessionId") || object.has("messages") || object.has("history") {
            self.facts(&object);
            self.messages(object.items("messages"), line, problems);
            self.messages(object.items("history"), line, problems);
        } else {
            self.hide("records of an unknown kind");
        }
        Ok(())
    }

    /// What the session says of itself.
    fn facts(&mut self, object: &Object<'_>) {
        if let Some(id) = object.words("sessionId") {
            self.id = id;
        }
        if let Some(hash) = object.words("projectHash") {
            self.project_hash = hash;
        }
        if object.has("summary") {
            self.summary = object.words("summary");
        }
        if object.has("directories") {
            let folders = object.items("directories").into_iter();
            self.folders = folders
                .filter_map(|folder| Some(text(folder)?.into_owned()))
                .collect();
        }
        self.is_agent |= object.text("kind").as_deref() == Some("subagent");
    }

    fn messages(&mut self, messages: Vec<Json<'_>>, line: u64, problems: &mut Problems) {
        for (number, message) in messages.into_iter().enumerate() {
            self.gaps_before(number);
            match Object::of(message) {
                Some(message) => self.message(&message, line, problems),
                None => {
                    problems.warn(line, "expected an object");
                    let notice = Notice::new(NoticeKind::Unknown, "A message that is no object");
                    let notice = notice.with_body(Body::Data(message.get().to_owned()));
                    self.push(Row {
                        line,
                        what: What::Remarks(vec![notice]),
                        ..Row::default()
                    });
                }
            }
        }
    }

    /// Puts the notices where elements of a document could not be read, up to this one.
    fn gaps_before(&mut self, number: usize) {
        while self.gaps.front().is_some_and(|(at, _)| *at <= number)
            && let Some((_, notice)) = self.gaps.pop_front()
        {
            self.push(Row {
                line: 1,
                what: What::Remarks(vec![notice]),
                ..Row::default()
            });
        }
    }

    /// Takes a message: a new one, or a later state of one that is there.
    fn message(&mut self, object: &Object<'_>, line: u64, problems: &mut Problems) {
        let row = self.row(object, line, problems);
        match self.known.get(&row.id) {
            Some(&at) if !row.id.is_empty() => {
                let line = self.rows[at].line;
                self.rows[at] = Row { line, ..row };
            }
            _ => self.push(row),
        }
    }

    fn row(&mut self, object: &Object<'_>, line: u64, problems: &mut Problems) -> Row {
        let author = match self.is_agent {
            true => Author::Agent(None),
            false => Author::Person,
        };
        self.is_fork |= object.text("type").as_deref() == Some("qwen");
        messages::read(object, line, &author, problems)
    }

    fn push(&mut self, row: Row) {
        self.steps.push(Step::Row(self.rows.len()));
        self.add(row);
    }

    fn add(&mut self, row: Row) -> usize {
        let at = self.rows.len();
        if !row.id.is_empty() {
            self.known.insert(row.id.clone(), at);
        }
        self.rows.push(row);
        at
    }

    /// Takes the conversation back to before a message. What is taken back is a branch that was
    /// left. Like the program, it takes all back when it does not know the message.
    fn rewind(&mut self, id: &str) {
        let at = self.known.get(id);
        let from = at.and_then(|at| self.place(*at)).unwrap_or_default();
        self.leave(from);
    }

    /// The place of a row among the steps.
    fn place(&self, row: usize) -> Option<usize> {
        self.steps.iter().rposition(|step| *step == Step::Row(row))
    }

    /// Leaves all steps from this one on as a branch.
    fn leave(&mut self, from: usize) {
        let left = self.steps.split_off(from);
        for step in &left {
            if let Step::Row(at) = step {
                self.known.remove(&self.rows[*at].id);
            }
        }
        if left.is_empty() {
            return;
        }
        let left = match depth(&left) {
            DEEPEST.. => flat(left),
            _ => left,
        };
        match self.steps.last_mut() {
            Some(Step::Versions(versions)) => versions.push(left),
            _ => self.steps.push(Step::Versions(vec![left])),
        }
    }

    /// Takes a checkpoint: the messages that the model is given from here on. Those that are there
    /// stay as they were said, be they given to the model any more or not; a summary stands where
    /// it was put.
    fn rebuild(&mut self, messages: Vec<Json<'_>>, line: u64, problems: &mut Problems) {
        let messages: Vec<Object<'_>> = messages.into_iter().filter_map(Object::of).collect();
        let is_new =
            |log: &Log, message: &Object<'_>| !log.known.contains_key(&message.string("id"));
        let mut fresh: Vec<(Row, Option<usize>)> = Vec::new();
        for (number, message) in messages.iter().enumerate() {
            if is_new(self, message) {
                let next = messages[number..]
                    .iter()
                    .find_map(|message| self.known.get(&message.string("id")).copied());
                fresh.push((self.row(message, line, problems), next));
            } else if let Some(row) = self.changed(message, line, problems) {
                fresh.push((row, None));
            } else {
                self.hide("messages that the model was given again");
            }
        }
        let is_summary = |(row, _): &(Row, _)| matches!(row.what, What::Divider(_));
        if !fresh.iter().any(is_summary) {
            let kept: BTreeSet<usize> = messages
                .iter()
                .filter_map(|message| self.known.get(&message.string("id")).copied())
                .collect();
            self.leave_end(&kept);
        }
        for (row, next) in fresh {
            let at = self.add(row);
            let place = next.and_then(|next| self.place(next));
            let place = place.unwrap_or(self.steps.len());
            self.steps.insert(place, Step::Row(at));
        }
    }

    /// What a checkpoint says in the place of a message that is there, when it is not the same: a
    /// summary, or other words that the model is given from here on. The message stays as it was
    /// said.
    fn changed(&mut self, message: &Object<'_>, line: u64, problems: &mut Problems) -> Option<Row> {
        let row = self.row(message, line, problems);
        let known = &self.rows[*self.known.get(&row.id)?];
        let told = words(&row);
        let what = match row.what {
            What::Divider(notice) if !matches!(known.what, What::Divider(_)) => {
                What::Divider(notice)
            }
            _ if told.is_empty() || told == words(known) => return None,
            _ => {
                let title = "Other words for an earlier message, for the model from here on";
                let notice = Notice::new(NoticeKind::Context, title);
                What::Remarks(vec![notice.with_body(Body::Prose(told))])
            }
        };
        Some(Row {
            id: String::new(),
            what,
            ..row
        })
    }

    /// Leaves the end of the conversation when a checkpoint has dropped it, prompts and all: it
    /// was taken back.
    fn leave_end(&mut self, kept: &BTreeSet<usize>) {
        let is_kept = |step: &Step| matches!(step, Step::Row(at) if kept.contains(at));
        let from = self.steps.iter().rposition(is_kept).map_or(0, |at| at + 1);
        let is_prompt = |step: &Step| match step {
            Step::Row(at) => matches!(self.rows[*at].what, What::Said(_)),
            Step::Versions(_) => false,
        };
        if self.steps[from..].iter().any(is_prompt) {
            self.leave(from);
        }
    }

    /// Counts a record that is not shown.
    fn hide(&mut self, kind: &str) {
        *self.unshown.entry(kind.to_owned()).or_default() += 1;
    }

    /// Puts notices where lines could not be read.
    fn place_gaps(&mut self, extent: &Extent) {
        let gaps = extent.gaps.iter().map(|gap| (gap.first, gap.notice()));
        let cut = extent.cut.zip(extent.cut_notice());
        for (line, notice) in gaps.chain(cut) {
            let is_later = |step: &Step| match step {
                Step::Row(at) => self.rows[*at].line > line,
                Step::Versions(_) => false,
            };
            let place = self.steps.iter().position(is_later);
            let at = self.add(Row {
                line,
                what: What::Remarks(vec![notice]),
                ..Row::default()
            });
            let place = place.unwrap_or(self.steps.len());
            self.steps.insert(place, Step::Row(at));
        }
    }

    /// What can only be told at the end: which calls may still be running.
    fn settle(&mut self) {
        let last = self.steps.iter().rev().find_map(|step| match step {
            Step::Row(at) if !is_aside(&self.rows[*at].what) => Some(*at),
            _ => None,
        });
        for (at, row) in self.rows.iter_mut().enumerate() {
            if let What::Wrote(message) = &mut row.what
                && Some(at) != last
            {
                for part in &mut message.parts {
                    if let Part::Tool(call) = part {
                        call.running = false;
                    }
                }
            }
        }
        let hidden = self
            .rows
            .iter()
            .filter(|row| matches!(row.what, What::Hidden))
            .count() as u64;
        if hidden > 0 {
            self.unshown
                .insert("messages of the program without words".to_owned(), hidden);
        }
        for row in &self.rows {
            if let What::Unshown(kind) = row.what {
                *self.unshown.entry(kind.to_owned()).or_default() += 1;
            }
        }
        self.known = HashMap::new();
    }
}

/// Whether a record is neither of the person nor of the model.
fn is_aside(what: &What) -> bool {
    matches!(what, What::Remarks(_) | What::Unshown(_) | What::Hidden)
}

/// The words of a message, without what stands around them.
fn words(row: &Row) -> String {
    let parts = match &row.what {
        What::Said(prompt) => &prompt.parts,
        What::Wrote(message) => &message.parts,
        _ => return String::new(),
    };
    let words = parts.iter().filter_map(|part| match part {
        Part::Text(text) => Some(text.trim()),
        _ => None,
    });
    words.collect::<Vec<_>>().join("\n\n")
}

/// How deep branches nest in these steps.
fn depth(steps: &[Step]) -> usize {
    let within = steps.iter().map(|step| match step {
        Step::Row(_) => 0,
        Step::Versions(versions) => 1 + versions.iter().map(|v| depth(v)).max().unwrap_or_default(),
    });
    within.max().unwrap_or_default()
}

/// The steps without branches, what was in them in its place.
fn flat(steps: Vec<Step>) -> Vec<Step> {
    let mut out = Vec::with_capacity(steps.len());
    for step in steps {
        match step {
            Step::Versions(versions) => out.extend(versions.into_iter().flat_map(flat)),
            step => out.push(step),
        }
    }
    out
}
