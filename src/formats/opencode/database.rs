//! The database that versions since 1.2 keep: tables of sessions, messages and parts, in which
//! each message and part is the same JSON as before, without its ids.

use std::collections::BTreeMap;

use crate::formats::problems::Problems;
use crate::formats::records::Object;
use crate::formats::sqlite::{Database, number, text};
use crate::source::{At, File, Part};

use super::newer;
use super::saved::{Place, Saved};

/// How many sessions are read at most that calls of one another started.
const FAMILY: usize = 2_000;

/// Whether a database with these tables is OpenCode's.
pub(super) fn is_ours(tables: &[String]) -> bool {
    let has = |name: &str| tables.iter().any(|table| table == name);
    let old = has("message") && has("part");
    has("session") && has("project") && (old || has("session_message"))
}

/// The sessions that no call started, oldest first.
///
/// # Errors
/// In SQLite's words why it cannot be told.
pub(super) fn parts(file: &File) -> Result<Vec<Part>, String> {
    let database = Database::open(file)?;
    let mut sizes: BTreeMap<String, u64> = BTreeMap::new();
    let mut total = 1;
    let mut parents: BTreeMap<String, String> = BTreeMap::new();
    let mut order = Vec::new();
    let sessions = "SELECT id, parent_id FROM session ORDER BY time_created, id";
    database.rows(sessions, [], &mut |row| {
        parents.insert(text(row, 0), text(row, 1));
        order.push(text(row, 0));
        Ok(())
    })?;
    for table in ["part", "session_message"] {
        if !database.has(table) {
            continue;
        }
        let query = format!("SELECT session_id, count(*) FROM {table} GROUP BY session_id");
        database.rows(&query, [], &mut |row| {
            let count = number(row, 1).and_then(|count| u64::try_from(count).ok());
            let count = count.unwrap_or_default();
            total += count;
            *sizes.entry(text(row, 0)).or_default() += count;
            Ok(())
        })?;
    }
    order.retain(|id| {
        let parent = parents.get(id).map_or("", String::as_str);
        parent == id || !parents.contains_key(parent)
    });
    let part = |id: String| {
        let rows = sizes.get(&id).copied().unwrap_or_default();
        let size = u128::from(file.size) * u128::from(rows) / u128::from(total);
        Part {
            at: At::Key(id),
            size: u64::try_from(size).unwrap_or(file.size),
        }
    };
    Ok(order.into_iter().map(part).collect())
}

/// Reads a session and those below it; without a key the oldest one.
///
/// # Errors
/// In SQLite's words why there is no more.
pub(super) fn load(
    file: &File,
    key: Option<&str>,
    saved: &mut Saved,
    problems: &mut Problems,
) -> Result<(), String> {
    let database = Database::open(file)?;
    if database.lacks_newest {
        problems.warn(
            None,
            "its newest rows, in the `-wal` file beside it, were not read",
        );
    }
    let mut key = key.map(str::to_owned);
    if key.is_none() {
        let oldest =
            "SELECT id FROM session ORDER BY parent_id IS NOT NULL, time_created, id LIMIT 1";
        database.rows(oldest, [], &mut |row| {
            key = Some(text(row, 0));
            Ok(())
        })?;
    }
    let Some(key) = key else {
        return Ok(());
    };
    let mut family = vec![key];
    let mut at = 0;
    while let Some(id) = family.get(at).cloned() {
        let below = "SELECT id FROM session WHERE parent_id = ?1 ORDER BY time_created, id";
        database.rows(below, [&id], &mut |row| {
            let child = text(row, 0);
            if family.len() < FAMILY && !family.contains(&child) {
                family.push(child);
            }
            Ok(())
        })?;
        at += 1;
    }
    for id in &family {
        load_session(&database, id, saved)?;
    }
    Ok(())
}

/// Reads what is said of a session, and its messages.
fn load_session(database: &Database, id: &str, saved: &mut Saved) -> Result<(), String> {
    let query = "SELECT parent_id, title, directory, version, revert FROM session WHERE id = ?1";
    database.rows(query, [id], &mut |row| {
        let value = |column| serde_json::Value::from(text(row, column)).to_string();
        let revert = Some(text(row, 4)).filter(|revert| Object::parse(revert).is_ok());
        let info = format!(
            "{{\"id\":{},\"parentID\":{},\"title\":{},\"directory\":{},\"version\":{},\"revert\":{}}}",
            serde_json::Value::from(id),
            value(0),
            value(1),
            value(2),
            value(3),
            revert.as_deref().unwrap_or("null"),
        );
        if let Ok(info) = Object::parse(&info) {
            saved.describe(&info);
        }
        Ok(())
    })?;
    let mut any = false;
    if database.has("message") && database.has("part") {
        // Only the small columns are sorted: a message may be megabytes long.
        let mut messages = Vec::new();
        let query = "SELECT time_created, id FROM message WHERE session_id = ?1";
        database.rows(query, [id], &mut |row| {
            messages.push((number(row, 0), text(row, 1)));
            Ok(())
        })?;
        messages.sort();
        any = !messages.is_empty();
        for (_, message) in messages {
            load_message(database, id, &message, saved)?;
        }
    }
    if !any && database.has("session_message") {
        let mut messages = Vec::new();
        let query = "SELECT time_created, id FROM session_message WHERE session_id = ?1";
        database.rows(query, [id], &mut |row| {
            messages.push((number(row, 0), text(row, 1)));
            Ok(())
        })?;
        messages.sort();
        for (_, message) in messages {
            let query = "SELECT type, data FROM session_message WHERE id = ?1";
            database.rows(query, [&message], &mut |row| {
                let json = text(row, 1);
                match Object::parse(&json) {
                    Ok(data) => newer::take(saved, id, &message, &text(row, 0), &data),
                    Err(_) => saved.hide("rows that are no JSON"),
                }
                Ok(())
            })?;
        }
    }
    Ok(())
}

/// Reads a message with its parts.
fn load_message(
    database: &Database,
    session: &str,
    message: &str,
    saved: &mut Saved,
) -> Result<(), String> {
    let query = "SELECT data FROM message WHERE id = ?1";
    database.rows(query, [message], &mut |row| {
        let json = text(row, 0);
        match Object::parse(&json) {
            Ok(info) => saved.message_of(session, message, &info),
            Err(_) => saved.hide("rows that are no JSON"),
        }
        Ok(())
    })?;
    let mut parts = Vec::new();
    let query = "SELECT id FROM part WHERE message_id = ?1";
    database.rows(query, [message], &mut |row| {
        parts.push(text(row, 0));
        Ok(())
    })?;
    parts.sort();
    for part in parts {
        let query = "SELECT data FROM part WHERE id = ?1";
        database.rows(query, [&part], &mut |row| {
            let json = text(row, 0);
            match Object::parse(&json) {
                Ok(data) => {
                    let place = Place {
                        session: session.to_owned(),
                        message: message.to_owned(),
                        part: part.clone(),
                        time: None,
                    };
                    saved.part_at(place, &data, &json);
                }
                Err(_) => saved.hide("rows that are no JSON"),
            }
            Ok(())
        })?;
    }
    Ok(())
}
