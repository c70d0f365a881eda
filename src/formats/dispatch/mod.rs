//! Dispatch, whose conversations are rows of chunks: one JSON document with the rows of a
//! conversation (and perhaps the metrics of its turns), or JSON Lines with a row on each.

mod metrics;
mod rows;
#[cfg(test)]
mod tests;
mod turns;

use crate::model::{Conversation, Entry};
use crate::source::Source;

use super::problems::Problems;
use super::records::{self, Json, Object, each_record};
use super::{Format, Head, Reading, Shape};
use metrics::Metrics;
use rows::Row;

/// Reads Dispatch's conversations.
pub(super) struct Dispatch;

impl Format for Dispatch {
    fn name(&self) -> &'static str {
        "dispatch"
    }

    fn program(&self) -> &'static str {
        "Dispatch"
    }

    fn recognises(&self, head: &Head) -> bool {
        head.records.iter().any(|record| {
            is_row(record)
                || record.items().iter().any(is_row)
                || record.get("chunks").is_some_and(|chunks| {
                    chunks.items().iter().any(is_row)
                        || matches!(chunks, Shape::List(_)) && record.has(&["conversationId"])
                })
        })
    }

    /// A single line may be one row as well.
    fn is_document(&self, head: &Head) -> bool {
        let is_row = |record: &Shape| record.get("chunk").is_some();
        head.document && !head.records.iter().any(is_row)
    }

    fn read(&self, source: &Source) -> Reading {
        let mut problems = Problems::of(&source.main);
        let mut saved = Saved::default();
        if super::is_document(self, source) {
            let kept = records::kept_document(&source.main, &["chunks"], &mut problems);
            if let Some(kept) = kept {
                saved.document(&kept.json);
                // From the last on, so that the places of the others stay.
                for (at, notice) in kept.gaps.into_iter().rev() {
                    let at = at.min(saved.rows.len());
                    saved.rows.insert(at, Row::unreadable(at as u64, notice));
                }
            }
        } else {
            saved.lines(source, &mut problems);
        }
        let conversation = saved.into_conversation(&mut problems);
        Reading {
            conversation,
            problems: problems.into_vec(),
        }
    }
}

/// A row has a whole number and a chunk with a type.
fn is_row(shape: &Shape) -> bool {
    matches!(shape.get("seq"), Some(Shape::Number(seq)) if seq.fract() == 0.0)
        && shape.get("chunk").is_some_and(|chunk| chunk.has(&["type"]))
}

/// What a file holds.
#[derive(Debug, Default)]
struct Saved {
    id: String,
    title: Option<String>,
    rows: Vec<Row>,
    metrics: Vec<Metrics>,
    /// How many values are neither a row nor metrics.
    others: u64,
}

impl Saved {
    /// One value: an object with rows in it, or an array of rows.
    fn document(&mut self, json: &str) {
        let Ok(whole) = Object::parse(json) else {
            // What is kept is sound.
            self.rows_of(Json::parse(json).map(records::items).unwrap_or_default());
            return;
        };
        self.id = whole.string("conversationId");
        self.title = whole.words("title");
        self.rows_of(whole.items("chunks"));
        let metrics = whole.items("metrics").into_iter().filter_map(Object::of);
        self.metrics = metrics.map(|turn| Metrics::of(&turn)).collect();
    }

    fn rows_of(&mut self, rows: Vec<Json<'_>>) {
        for row in rows {
            self.row(&Object::of(row).unwrap_or_default(), None);
        }
    }

    /// A row on each line.
    fn lines(&mut self, source: &Source, problems: &mut Problems) {
        let extent = each_record(&source.main, problems, &mut |record, _| {
            self.row(&Object::parse(record.json)?, Some(record.line));
            Ok(())
        });
        let gaps = extent.gaps.iter().map(|gap| (gap.first, gap.notice()));
        let cut = extent.cut.zip(extent.cut_notice());
        let unreadable = gaps.chain(cut);
        self.rows
            .extend(unreadable.map(|(line, notice)| Row::unreadable(line, notice)));
        self.rows.sort_by_key(|row| row.line);
    }

    fn row(&mut self, row: &Object<'_>, line: Option<u64>) {
        match Row::of(row, line) {
            Some(row) => self.rows.push(row),
            None => self.others += 1,
        }
    }

    fn into_conversation(self, problems: &mut Problems) -> Option<Conversation> {
        if self.rows.is_empty() {
            if !problems.any_warning() {
                problems.note(None, "no rows");
            }
            return None;
        }
        let rows = rows::in_order(self.rows, problems);
        let turns = turns::turns(&self.id, rows, problems);
        let mut conversation = Conversation {
            id: self.id,
            title: self.title,
            program: Dispatch.program().to_owned(),
            entries: turns.entries,
            ..Conversation::default()
        };
        let replies = conversation
            .entries
            .iter_mut()
            .filter_map(|entry| match entry {
                Entry::Reply(reply) => Some(reply),
                _ => None,
            });
        let unplaced = metrics::place(self.metrics, replies.collect(), &turns.steps);
        for (what, count) in [
            ("metrics of turns that are not here", unplaced),
            ("records without a chunk", self.others),
        ] {
            if count > 0 {
                conversation.unshown.insert(what.to_owned(), count);
            }
        }
        Some(conversation)
    }
}
