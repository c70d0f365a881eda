//! The queue of messages that were typed while the assistant was at work. What was sent stands
//! in the session once more; the rest would be lost.

use std::collections::{HashMap, HashSet, VecDeque};

use crate::model::{Body, Notice, NoticeKind, Part};

use super::row::{Row, Speech, What};
use super::system::remark;
use super::wrappers::Piece;

/// How far a message is looked for in the queue; nobody lets more wait.
const LONGEST_QUEUE: usize = 1_000;

/// Shows messages of the queue that stand nowhere else: those that were put in between, and
/// those that were never sent.
pub(super) fn settle(rows: &mut [Row]) {
    let mut shown: HashMap<u64, usize> = HashMap::new();
    for row in rows.iter() {
        if let What::Said(speech) = &row.what {
            *shown.entry(speech.words).or_default() += 1;
        }
    }
    // Messages that wait, with the rows that put them there.
    let mut waiting: VecDeque<(usize, u64)> = VecDeque::new();
    let mut sent: HashSet<usize> = HashSet::new();
    for (at, row) in rows.iter().enumerate() {
        let What::Queue { operation, speech } = &row.what else {
            continue;
        };
        let words = (!speech.pieces.is_empty()).then_some(speech.words);
        match operation.as_str() {
            "enqueue" => waiting.extend(words.map(|words| (at, words))),
            "dequeue" | "remove" if !waiting.is_empty() => {
                let mut near = waiting.iter().take(LONGEST_QUEUE);
                let named = near.position(|(_, known)| Some(*known) == words);
                let taken = waiting.remove(named.unwrap_or_default());
                sent.extend(taken.map(|(at, _)| at));
            }
            _ => {}
        }
    }
    for (at, row) in rows.iter_mut().enumerate() {
        if !matches!(&row.what, What::Queue { operation, .. } if operation == "enqueue") {
            continue;
        }
        let What::Queue { speech, .. } = std::mem::take(&mut row.what) else {
            continue;
        };
        if let Some(count) = shown.get_mut(&speech.words).filter(|count| **count > 0) {
            *count -= 1;
            continue;
        }
        row.what = if sent.contains(&at) {
            What::Said(speech)
        } else {
            unsent(speech)
        };
    }
}

/// What a message that was never sent is shown as: its words are a notice; with a picture or a
/// file among them, which no notice holds, it is a prompt that says so.
fn unsent(mut speech: Speech) -> What {
    let title = "A message that was queued and not sent";
    let held = |piece: &Piece| matches!(piece, Piece::Part(part) if !matches!(part, Part::Text(_)));
    if speech.pieces.iter().any(held) {
        let notice = Notice::new(NoticeKind::Info, title);
        speech.pieces.insert(0, Piece::Notice(notice));
        speech.queued = true;
        return What::Said(speech);
    }
    let words = speech.pieces.into_iter().filter_map(|piece| match piece {
        Piece::Part(Part::Text(words)) | Piece::Output(words) => Some(words),
        Piece::Command(command) => Some(command.words),
        Piece::From { text, .. } => Some(text),
        Piece::Notice(notice) | Piece::Stop(notice) => {
            let body = notice.body.map(|body| body.text().to_owned());
            Some(format!("{}\n{}", notice.title, body.unwrap_or_default()))
        }
        // None is left: see above.
        Piece::Part(_) => None,
    });
    let words = words.collect::<Vec<_>>().join("\n\n");
    if words.trim().is_empty() {
        return What::Hidden;
    }
    remark(Notice::new(NoticeKind::Info, title).with_body(Body::Prose(words)))
}
