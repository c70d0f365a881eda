//! One request with its response, out of the envelopes in which logs keep them.

use serde_json::Value;

use crate::formats::records::{Json, Object, text};
use crate::formats::times;
use crate::model::Timestamp;

use super::{Flow, stream};

/// How a vendor's API looks on the wire.
pub(crate) trait Wire: Sync {
    /// The program, as people call it.
    fn program(&self) -> &'static str;

    /// Whether a body is a request.
    fn is_request(&self, body: &Object<'_>) -> bool;

    /// Whether a body is a response.
    fn is_response(&self, body: &Object<'_>) -> bool;

    /// Whether a value is a message by itself, as requests list them.
    fn is_message(&self, message: &Object<'_>) -> bool;

    /// What a request lists, in order: what was said before, and what is said now.
    fn messages<'a>(&self, request: &Object<'a>) -> Vec<Json<'a>>;

    /// Reads what a request has beside its messages.
    fn begin(&self, request: &Object<'_>, flow: &mut Flow);

    /// Reads a message.
    fn message(&self, message: Json<'_>, flow: &mut Flow);

    /// Reads what stands behind a request's messages.
    fn end(&self, request: &Object<'_>, flow: &mut Flow) {
        let _ = (request, flow);
    }

    /// Reads a response.
    fn respond(&self, response: &Object<'_>, flow: &mut Flow);

    /// The id of the streamed response that a piece begins or is of; `None` of one that does not
    /// say, or is none of this API's.
    fn stream_of<'p>(&self, piece: &'p Value) -> Option<&'p str> {
        let _ = piece;
        None
    }

    /// Whether a value by itself is a piece that a stream begins with, and no whole response.
    fn begins_stream(&self, piece: &Value) -> bool {
        let _ = piece;
        false
    }

    /// The response that the pieces of a stream are.
    fn joined(&self, pieces: &[Value]) -> Option<Value> {
        let _ = pieces;
        None
    }

    /// What an answer says at its core, by which it is known again among the messages of the next
    /// request; `None` for a message that is no answer.
    fn essence(&self, message: Json<'_>) -> Option<u64>;

    /// The same of all that a response holds.
    fn essences(&self, response: &Object<'_>) -> Vec<u64>;
}

/// A request and its response, of which one may be missing.
#[derive(Debug, Default)]
pub(crate) struct Exchange {
    /// The request's body.
    pub(crate) request: Option<String>,
    /// The response's body.
    pub(crate) response: Option<String>,
    /// The id that a batch gave it; empty when there is none.
    pub(crate) batch_id: String,
    /// When the request was made.
    pub(crate) time: Option<Timestamp>,
    /// How long the response took, in milliseconds.
    pub(crate) ms: Option<u64>,
    /// What went wrong, when there is no response.
    pub(crate) error: Option<String>,
}

const REQUESTS: [&str; 7] = [
    "request",
    "req",
    "params",
    "body",
    "request_body",
    "requestBody",
    "raw_request",
];
const RESPONSES: [&str; 6] = [
    "response",
    "res",
    "result",
    "response_body",
    "responseBody",
    "raw_response",
];
const STREAMS: [&str; 5] = [
    "chunks",
    "events",
    "stream",
    "response_chunks",
    "raw_stream",
];
const TIMES: [&str; 9] = [
    "timestamp",
    "time",
    "ts",
    "created_at",
    "createdAt",
    "start_time",
    "startTime",
    "datetime",
    "requested_at",
];
const DURATIONS: [&str; 4] = ["duration_ms", "durationMs", "latency_ms", "latencyMs"];

impl Exchange {
    /// Reads a record; `None` when it is none.
    pub(crate) fn of(record: Json<'_>, wire: &dyn Wire) -> Option<Self> {
        let whole = Object::of(record)?;
        let inner = |keys: &[&str], is_one: &dyn Fn(&Object<'_>) -> bool| {
            let bodies = keys.iter().filter_map(|key| whole.get(key));
            bodies.flat_map(bodies_in).find(|body| {
                let object = Object::parse(body).ok();
                object.is_some_and(|object| is_one(&object))
            })
        };
        let request = inner(&REQUESTS, &|body| wire.is_request(body));
        let own = || wire.is_request(&whole).then(|| record.get().to_owned());
        let request = request.or_else(own);
        let response = inner(&RESPONSES, &|body| wire.is_response(body));
        let own = || {
            let is_own = request.is_none() && wire.is_response(&whole);
            is_own.then(|| record.get().to_owned())
        };
        let response = response.or_else(own);
        // Some logs keep the answer as it came, bit by bit.
        let streamed = || {
            let keys = RESPONSES.iter().chain(&STREAMS);
            let bodies = keys.filter_map(|key| whole.get(key)).flat_map(bodies_in);
            let mut streams = bodies.map(|body| stream::responses(&body, wire));
            streams.find_map(|responses| responses.into_iter().next())
        };
        let response = response.or_else(streamed);
        let error = match response {
            Some(_) => None,
            None => error_in(&whole),
        };
        if request.is_none() && response.is_none() && error.is_none() {
            return None;
        }
        let times = TIMES.iter().filter_map(|key| whole.get(key));
        let mut times = times.filter_map(|time| times::read(time).ok().flatten());
        Some(Exchange {
            request,
            response,
            batch_id: whole
                .words("custom_id")
                .or_else(|| whole.words("key"))
                .unwrap_or_default(),
            time: times.next(),
            ms: DURATIONS.iter().find_map(|key| whole.count(key)),
            error,
        })
    }
}

/// The bodies that a value may be: itself, what it wraps, each of them perhaps written as text.
fn bodies_in(value: Json<'_>) -> Vec<String> {
    let value = match text(value) {
        Some(words) => words.into_owned(),
        None => value.get().to_owned(),
    };
    let mut bodies = Vec::new();
    if let Ok(object) = Object::parse(&value) {
        for key in ["body", "message", "json", "data"] {
            let Some(inner) = object.get(key) else {
                continue;
            };
            bodies.push(match text(inner) {
                Some(words) => words.into_owned(),
                None => inner.get().to_owned(),
            });
        }
    }
    // What is wrapped is tried after the wrapper: a message may well have a body.
    bodies.insert(0, value);
    bodies
}

/// What a record or the response in it says that went wrong.
fn error_in(whole: &Object<'_>) -> Option<String> {
    let inner = RESPONSES.iter().filter_map(|key| whole.object(key));
    let bodies = inner.flat_map(|response| {
        let body = response.object("body");
        let state = response
            .words("type")
            .filter(|state| ["errored", "canceled", "expired"].contains(&state.as_str()));
        let told = error_of(&response).or_else(|| error_of(&body?));
        told.or_else(|| state.map(|state| format!("The request was {state}.")))
    });
    let mut errors = bodies.chain(error_of(whole));
    errors.next()
}

/// The error of a body: its message, with its kind before it.
pub(super) fn error_of(body: &Object<'_>) -> Option<String> {
    let value = body.get("error")?;
    if let Some(words) = text(value) {
        return Some(words.into_owned()).filter(|words| !words.trim().is_empty());
    }
    let error = Object::of(value)?;
    // Some vendors wrap an error once more.
    let error = error.object("error").unwrap_or(error);
    let message = error.words("message");
    let kind = error.words("code").or_else(|| error.words("type"));
    match (kind, message) {
        (Some(kind), Some(message)) => Some(format!("{kind}: {message}")),
        (one, other) => Some(one.or(other).unwrap_or_else(|| value.get().to_owned())),
    }
}
