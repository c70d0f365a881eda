//! Databases: read, and never more than that.

use std::path::PathBuf;
use std::time::SystemTime;

use super::*;

/// A database in a folder of its own, filled by these statements.
fn made(statements: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = folder.path().join("a #?%.db");
    let made = Connection::open(&path).expect("a database can be made");
    made.execute_batch(statements).expect("it can be filled");
    (folder, path)
}

fn file(path: &Path) -> File {
    let size = std::fs::metadata(path).expect("it is there").len();
    File::on_disk(path.to_owned(), "a.db".to_owned(), "a.db".to_owned(), size)
}

fn words(database: &Database, query: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    database.rows(query, [], &mut |row| {
        words.push(text(row, 0));
        Ok(())
    })?;
    Ok(words)
}

/// The names of a folder's files with their sizes and when they were changed.
fn listed(folder: &Path) -> Vec<(String, u64, SystemTime)> {
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .expect("it can be listed")
        .map(|entry| {
            let entry = entry.expect("it can be listed");
            let data = entry.metadata().expect("it is there");
            let name = entry.file_name().to_string_lossy().into_owned();
            (name, data.len(), data.modified().expect("it is known"))
        })
        .collect();
    files.sort();
    files
}

const ROWS: &str = "CREATE TABLE t (a TEXT); INSERT INTO t VALUES ('one'), ('two');";

#[test]
fn rows_are_read_from_disk_and_from_memory() {
    let (_folder, path) = made(ROWS);
    let bytes = std::fs::read(&path).expect("it can be read");
    let in_memory = File::in_memory("a.db".to_owned(), "a.db".to_owned(), bytes);
    for file in [file(&path), in_memory] {
        assert!(is_database(&file).is_ok_and(|is| is));
        let database = Database::open(&file).expect("it can be opened");
        assert_eq!(database.tables(), ["t"]);
        assert_eq!(
            words(&database, "SELECT a FROM t"),
            Ok(vec!["one".to_owned(), "two".to_owned()])
        );
    }
}

#[test]
fn nothing_is_written_and_no_file_appears() {
    let (folder, path) = made(&format!("PRAGMA journal_mode = WAL; {ROWS}"));
    let before = listed(folder.path());
    let database = Database::open(&file(&path)).expect("it can be opened");
    assert_eq!(
        words(&database, "SELECT a FROM t").map(|rows| rows.len()),
        Ok(2)
    );
    assert!(words(&database, "DELETE FROM t RETURNING a").is_err());
    drop(database);
    assert_eq!(listed(folder.path()), before);
}

#[test]
fn rows_in_a_log_beside_it_are_read_and_the_log_stays() {
    let (folder, path) = made(&format!("PRAGMA journal_mode = WAL; {ROWS}"));
    let writer = Connection::open(&path).expect("it can be opened");
    writer
        .execute_batch("PRAGMA wal_autocheckpoint = 0; INSERT INTO t VALUES ('three');")
        .expect("it can be written");
    // As after a crash: the log is there, its index and its writer are not.
    let copy = folder.path().join("copy");
    std::fs::create_dir(&copy).expect("a folder can be made");
    let mut log = path.clone().into_os_string();
    log.push("-wal");
    std::fs::copy(&path, copy.join("b.db")).expect("it can be copied");
    std::fs::copy(log, copy.join("b.db-wal")).expect("it can be copied");
    let before = listed(&copy);
    let database = Database::open(&file(&copy.join("b.db"))).expect("it can be opened");
    let rows = words(&database, "SELECT a FROM t").map(|rows| rows.len());
    let is_whole = rows == Ok(3) && !database.lacks_newest;
    assert!(is_whole || database.lacks_newest);
    assert!(is_whole || cfg!(windows));
    drop(database);
    assert_eq!(listed(&copy), before);
}

#[test]
fn only_tables_with_rows_of_their_own_are_told() {
    let (_folder, path) = made(&format!(
        "{ROWS} CREATE VIEW v AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)
         SELECT x AS a FROM n;
         CREATE VIRTUAL TABLE f USING fts5(a);
         CREATE TRIGGER r AFTER INSERT ON t BEGIN DELETE FROM t; END;"
    ));
    let database = Database::open(&file(&path)).expect("it can be opened");
    assert!(database.has("t") && !database.has("v") && !database.has("f"));
    assert!(words(&database, "SELECT a FROM v LIMIT 1").is_err());
}

#[test]
fn values_that_would_fill_the_memory_are_refused() {
    let (_folder, path) = made(
        "CREATE TABLE t (n INTEGER, a BLOB AS (zeroblob(n)));
         INSERT INTO t (n) VALUES (100000000);",
    );
    let database = Database::open(&file(&path)).expect("it can be opened");
    assert!(words(&database, "SELECT a FROM t").is_err());
}

#[test]
fn work_without_an_end_is_ended() {
    let (_folder, path) = made(ROWS);
    let mut connection = Connection::open(&path).expect("it can be opened");
    let mut done = 0;
    let handler = move || {
        done += 1;
        done > 3
    };
    secure(&mut connection).expect("it can be secured");
    connection
        .progress_handler(1_000, Some(handler))
        .expect("it can be set");
    let endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) \
                   SELECT count(*) FROM n";
    let ended = connection.query_row(endless, [], |_| Ok(()));
    assert_eq!(
        ended.map_err(|error| said(&error)),
        Err("interrupted".to_owned())
    );
}

#[test]
fn what_is_broken_is_told_in_words_of_its_own() {
    let (_folder, path) = made(ROWS);
    let mut bytes = std::fs::read(&path).expect("it can be read");
    let half = bytes.len() / 2;
    let told = |bytes: Vec<u8>| {
        let file = File::in_memory("a.db".to_owned(), "a.db".to_owned(), bytes);
        let database = Database::open(&file);
        database.and_then(|database| words(&database, "SELECT a FROM t"))
    };
    for byte in &mut bytes[100..half] {
        *byte = 0xff;
    }
    assert!(told(bytes.clone()).is_err());
    bytes.truncate(20);
    assert!(told(bytes).is_err());
    assert!(told(b"SQLite format 3\0 and then nothing".to_vec()).is_err());
}
