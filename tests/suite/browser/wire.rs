//! The DevTools protocol over two pipes: calls go out, answers and events come back.
//!
//! Messages are JSON, each ended by a NUL byte. One thread reads; callers on other threads
//! wait for the answer with their number.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// How long a call may take. Generous: a page of many MB is printed on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// A connection to one browser.
pub(crate) struct Wire {
    outbox: Arc<Mutex<Outbox>>,
    inbox: Arc<Inbox>,
}

/// Where calls are written, and the number of the last one.
struct Outbox {
    pipe: Box<dyn Write + Send>,
    last: u64,
}

/// What came back, and the bell that rings when more does.
#[derive(Default)]
struct Inbox {
    state: Mutex<Mail>,
    bell: Condvar,
}

#[derive(Default)]
struct Mail {
    answers: BTreeMap<u64, Value>,
    /// Events by session, in the order in which they came.
    events: BTreeMap<String, Vec<Value>>,
    closed: bool,
}

impl Wire {
    /// A connection over the browser's two pipes.
    pub(crate) fn new(out: impl Write + Send + 'static, back: impl Read + Send + 'static) -> Self {
        let outbox = Arc::new(Mutex::new(Outbox {
            pipe: Box::new(out),
            last: 0,
        }));
        let inbox = Arc::new(Inbox::default());
        let (reader_outbox, reader_inbox) = (Arc::clone(&outbox), Arc::clone(&inbox));
        thread::spawn(move || {
            read_all(BufReader::new(back), &reader_outbox, &reader_inbox);
            lock(&reader_inbox.state).closed = true;
            reader_inbox.bell.notify_all();
        });
        Self { outbox, inbox }
    }

    /// Calls a method of a session (`""` is the browser itself) and waits for its answer.
    pub(crate) fn call(
        &self,
        session: &str,
        method: &str,
        params: &Value,
    ) -> Result<Value, String> {
        let number = send(&self.outbox, session, method, params)
            .map_err(|error| format!("{method}: {error}"))?;
        let mut answer = self.wait(method, |mail| mail.answers.remove(&number))?;
        if let Some(error) = answer.get("error") {
            return Err(format!("{method}: {error}"));
        }
        Ok(answer["result"].take())
    }

    /// All events of a session so far, from the given place on.
    pub(crate) fn events(&self, session: &str, from: usize) -> Vec<Value> {
        let mail = lock(&self.inbox.state);
        let events = mail.events.get(session).map_or(&[][..], Vec::as_slice);
        events.get(from..).unwrap_or_default().to_vec()
    }

    /// How many events of a session came so far.
    pub(crate) fn event_count(&self, session: &str) -> usize {
        let mail = lock(&self.inbox.state);
        mail.events.get(session).map_or(0, Vec::len)
    }

    /// Waits for an event of that method, from the given place on.
    pub(crate) fn wait_event(
        &self,
        session: &str,
        from: usize,
        method: &str,
    ) -> Result<(), String> {
        self.wait(method, |mail| {
            let events = mail.events.get(session)?.get(from..)?;
            events.iter().any(|e| e["method"] == method).then_some(())
        })
    }

    /// Drops the events of a session that has ended.
    pub(crate) fn forget(&self, session: &str) {
        lock(&self.inbox.state).events.remove(session);
    }

    fn wait<T>(
        &self,
        what: &str,
        mut find: impl FnMut(&mut Mail) -> Option<T>,
    ) -> Result<T, String> {
        let until = Instant::now() + PATIENCE;
        let mut mail = lock(&self.inbox.state);
        loop {
            if let Some(found) = find(&mut mail) {
                return Ok(found);
            }
            if mail.closed {
                return Err(format!("{what}: the browser is gone"));
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(format!(
                    "{what}: no answer in {} seconds",
                    PATIENCE.as_secs()
                ));
            }
            (mail, _) = self
                .inbox
                .bell
                .wait_timeout(mail, left)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// Sorts what the browser sends until it closes the pipe.
fn read_all(mut back: impl BufRead, outbox: &Mutex<Outbox>, inbox: &Inbox) {
    let mut message = Vec::new();
    loop {
        message.clear();
        match back.read_until(0, &mut message) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        message.pop();
        let Ok(message) = serde_json::from_slice::<Value>(&message) else {
            continue;
        };
        if let Some(number) = message["id"].as_u64() {
            lock(&inbox.state).answers.insert(number, message);
        } else {
            let session = message["sessionId"].as_str().unwrap_or("").to_owned();
            if message["method"] == "Page.javascriptDialogOpening" {
                // A dialog stops its page, and with it every call: it is noted and dismissed.
                // When that fails the browser is gone, which the next call reports.
                let dismiss = json!({ "accept": false });
                let _ = send(outbox, &session, "Page.handleJavaScriptDialog", &dismiss);
            }
            let mut mail = lock(&inbox.state);
            mail.events.entry(session).or_default().push(message);
        }
        inbox.bell.notify_all();
    }
}

/// Writes a call and returns its number.
fn send(
    outbox: &Mutex<Outbox>,
    session: &str,
    method: &str,
    params: &Value,
) -> std::io::Result<u64> {
    let mut outbox = lock(outbox);
    outbox.last += 1;
    let number = outbox.last;
    let mut call = json!({ "id": number, "method": method, "params": params });
    if !session.is_empty() {
        call["sessionId"] = session.into();
    }
    let mut bytes = call.to_string().into_bytes();
    bytes.push(0);
    outbox.pipe.write_all(&bytes)?;
    outbox.pipe.flush()?;
    Ok(number)
}

/// Locks, also when another test panicked meanwhile: what is behind these locks is never left
/// half written.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
