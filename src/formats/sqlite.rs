//! SQLite databases that programs keep their conversations in: opened to be read and never to be
//! written to, whatever somebody put into them.
//!
//! SQLite itself is the reader. What a database can bring along that acts (views, triggers,
//! virtual tables, extensions, values made by expressions) is switched off or not asked, and both
//! the size of a value and the work of a connection have a limit.

use std::io::{self, Read};
use std::path::Path;

use rusqlite::config::DbConfig;
use rusqlite::limits::Limit;
use rusqlite::{Connection, OpenFlags, Params, Row};

use crate::source::File;

/// How every database begins.
const MAGIC: &[u8; 16] = b"SQLite format 3\0";

/// The largest value that is read, in bytes: as long as the longest line of a file.
const LARGEST: i32 = 64 << 20;
/// How long a query may be, in bytes; those of the readers are short.
const LONGEST_QUERY: i32 = 10_000;
/// After how many steps of SQLite's machine the work is counted, and how often it may be.
const STEPS: i32 = 100_000;
const MOST: u32 = 40_000;
/// The largest database that is held in memory because it is no file, in bytes.
const IN_MEMORY: u64 = 256 << 20;

/// An opened database.
pub(crate) struct Database {
    connection: Connection,
    /// The tables that hold rows of their own, sorted.
    tables: Vec<String>,
    /// Whether newer rows, which stand in a file beside it, were left out.
    pub(crate) lacks_newest: bool,
}

impl Database {
    /// Opens a database.
    ///
    /// # Errors
    /// In SQLite's words what is wrong with it.
    pub(crate) fn open(file: &File) -> Result<Self, String> {
        let opened = match file.location() {
            Some(path) => on_disk(path),
            None => in_memory(file).map(|connection| (connection, false)),
        };
        let (connection, lacks_newest) = opened.map_err(|error| said(&error))?;
        let tables = tables(&connection).map_err(|error| said(&error))?;
        Ok(Self {
            connection,
            tables,
            lacks_newest,
        })
    }

    /// The names of its tables, sorted.
    pub(crate) fn tables(&self) -> &[String] {
        &self.tables
    }

    /// Whether there is a table of this name: only such a one may be asked.
    pub(crate) fn has(&self, table: &str) -> bool {
        self.tables.iter().any(|name| name == table)
    }

    /// Hands over the rows of a query, one at a time.
    ///
    /// # Errors
    /// In SQLite's words why there are no more rows.
    pub(crate) fn rows(
        &self,
        query: &str,
        values: impl Params,
        each: &mut dyn FnMut(&Row<'_>) -> rusqlite::Result<()>,
    ) -> Result<(), String> {
        let run = || {
            let mut statement = self.connection.prepare(query)?;
            let mut rows = statement.query(values)?;
            while let Some(row) = rows.next()? {
                each(row)?;
            }
            Ok(())
        };
        run().map_err(|error: rusqlite::Error| said(&error))
    }
}

/// Whether a file is an SQLite database, by its first bytes.
///
/// # Errors
/// What the system says.
pub(crate) fn is_database(file: &File) -> io::Result<bool> {
    let mut start = Vec::with_capacity(MAGIC.len());
    let length = MAGIC.len() as u64;
    file.open()?.take(length).read_to_end(&mut start)?;
    Ok(start == MAGIC)
}

/// A text column; empty for what is none, with U+FFFD for what is no UTF-8.
pub(crate) fn text(row: &Row<'_>, column: usize) -> String {
    let value = row.get_ref(column).ok();
    let bytes = value.and_then(|value| value.as_bytes_or_null().ok().flatten());
    bytes.map_or_else(String::new, |bytes| {
        String::from_utf8_lossy(bytes).into_owned()
    })
}

/// A whole number; `None` for what is none.
pub(crate) fn number(row: &Row<'_>, column: usize) -> Option<i64> {
    row.get_ref(column).ok()?.as_i64().ok()
}

/// Opens a file, and says whether newer rows stand beside it that are left out. `immutable` keeps
/// SQLite from locking the file and from making others beside it. With it the write-ahead log is
/// not read, so that a log with something in it is read by SQLite's own way without locks: the
/// index of the log is then kept in memory.
fn on_disk(path: &Path) -> rusqlite::Result<(Connection, bool)> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
        | OpenFlags::SQLITE_OPEN_NO_MUTEX
        | OpenFlags::SQLITE_OPEN_URI;
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    let has_log = std::fs::metadata(Path::new(&log)).is_ok_and(|log| log.len() > 0);
    if has_log && let Ok(connection) = with_log(path, flags) {
        return Ok((connection, false));
    }
    let mut connection = Connection::open_with_flags(address(path), flags)?;
    secure(&mut connection)?;
    Ok((connection, has_log))
}

/// Opens a database with its write-ahead log.
fn with_log(path: &Path, flags: OpenFlags) -> rusqlite::Result<Connection> {
    let lockless = if cfg!(windows) {
        "win32-none"
    } else {
        "unix-none"
    };
    let flags = flags - OpenFlags::SQLITE_OPEN_URI;
    let mut connection = Connection::open_with_flags_and_vfs(path, flags, lockless)?;
    secure(&mut connection)?;
    connection.pragma_update(None, "locking_mode", "EXCLUSIVE")?;
    // The log is looked at when something is read for the first time.
    connection.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))?;
    Ok(connection)
}

/// The address under which SQLite opens a file that it is not to touch.
fn address(path: &Path) -> String {
    let mut address = String::from("file:");
    for c in path.to_string_lossy().replace('\\', "/").chars() {
        match c {
            '%' => address.push_str("%25"),
            '?' => address.push_str("%3f"),
            '#' => address.push_str("%23"),
            c => address.push(c),
        }
    }
    address.push_str("?mode=ro&immutable=1");
    address
}

/// Opens a database that is held in memory.
fn in_memory(file: &File) -> rusqlite::Result<Connection> {
    if file.size > IN_MEMORY {
        return Err(failed(io::Error::other("too large to be read from a pipe")));
    }
    let mut bytes = file.read().map_err(failed)?;
    // A database without a file has no log, whatever its header says.
    for version in [18, 19] {
        if let Some(version) = bytes.get_mut(version) {
            *version = 1;
        }
    }
    let mut connection = Connection::open_in_memory()?;
    let length = bytes.len();
    connection.deserialize_read_exact("main", bytes.as_slice(), length, true)?;
    secure(&mut connection)?;
    Ok(connection)
}

/// Switches off what a reader does not need.
fn secure(connection: &mut Connection) -> rusqlite::Result<()> {
    for (config, value) in [
        (DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true),
        (DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false),
        (DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true),
    ] {
        connection.set_db_config(config, value)?;
    }
    for (limit, value) in [
        (Limit::SQLITE_LIMIT_LENGTH, LARGEST),
        (Limit::SQLITE_LIMIT_SQL_LENGTH, LONGEST_QUERY),
        (Limit::SQLITE_LIMIT_ATTACHED, 0),
    ] {
        connection.set_limit(limit, value)?;
    }
    connection.pragma_update(None, "query_only", true)?;
    connection.pragma_update(None, "cell_size_check", true)?;
    connection.pragma_update(None, "mmap_size", 0)?;
    connection.pragma_update(None, "temp_store", "MEMORY")?;
    let mut done = 0;
    let is_enough = move || {
        done += 1;
        done > MOST
    };
    connection.progress_handler(STEPS, Some(is_enough))
}

/// The tables with rows of their own: no views, and none whose rows a module makes up.
fn tables(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    let query = "SELECT name FROM sqlite_schema WHERE type = 'table' \
                 AND sql LIKE 'CREATE TABLE %' ORDER BY name LIMIT 1000";
    let mut statement = connection.prepare(query)?;
    let mut rows = statement.query([])?;
    let mut tables = Vec::new();
    while let Some(row) = rows.next()? {
        tables.push(text(row, 0));
    }
    Ok(tables)
}

/// What went wrong, without anything that stands in the file.
fn said(error: &rusqlite::Error) -> String {
    let words = match error {
        rusqlite::Error::SqliteFailure(error, _) => {
            rusqlite::ffi::code_to_str(error.extended_code).to_owned()
        }
        rusqlite::Error::SqlInputError { error, .. } => {
            rusqlite::ffi::code_to_str(error.extended_code).to_owned()
        }
        rusqlite::Error::ToSqlConversionFailure(error) => error.to_string(),
        _ => "a value is not as expected".to_owned(),
    };
    let mut letters = words.chars();
    let first = letters.next().map(|letter| letter.to_ascii_lowercase());
    first.into_iter().chain(letters).collect()
}

/// What the system said, in SQLite's clothes.
fn failed(error: io::Error) -> rusqlite::Error {
    rusqlite::Error::ToSqlConversionFailure(Box::new(error))
}

#[cfg(test)]
mod tests;
