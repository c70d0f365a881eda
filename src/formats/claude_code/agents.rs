//! Subagents inside a conversation's file: which records are whose.

use std::collections::HashMap;

use super::row::Row;

/// The records of one subagent inside another conversation's file.
#[derive(Debug, Default)]
pub(super) struct Party {
    /// Its records, in order.
    pub(super) rows: Vec<Row>,
    /// Its id; empty when it is not known.
    pub(super) id: String,
    /// The call that started it; empty when it is not known.
    pub(super) call: String,
}

/// Takes subagents' records out of a conversation's.
pub(super) fn split(rows: Vec<Row>) -> (Vec<Row>, Vec<Party>) {
    let mut main = Vec::with_capacity(rows.len());
    let mut parties: Vec<Party> = Vec::new();
    let mut by_key: HashMap<String, usize> = HashMap::new();
    let mut by_uuid: HashMap<String, usize> = HashMap::new();
    for mut row in rows {
        let Some(side) = row.side.take() else {
            main.push(row);
            continue;
        };
        let followed = by_uuid.get(&row.parent).copied();
        let key = if !side.call.is_empty() {
            format!("call {}", side.call)
        } else if !side.agent.is_empty() {
            format!("agent {}", side.agent)
        } else if !row.parent.is_empty() {
            format!("after {}", row.parent)
        } else {
            format!("from {}", row.uuid)
        };
        let named = !side.call.is_empty() || !side.agent.is_empty();
        let known = by_key.get(&key).copied();
        let known = if named { known } else { followed.or(known) };
        let party = known.unwrap_or_else(|| {
            parties.push(Party {
                id: side.agent,
                // The oldest files name the call as the first record's parent.
                call: if named { side.call } else { row.parent.clone() },
                ..Party::default()
            });
            parties.len() - 1
        });
        by_key.insert(key, party);
        if !row.uuid.is_empty() {
            by_uuid.insert(row.uuid.clone(), party);
        }
        parties[party].rows.push(row);
    }
    (main, parties)
}
