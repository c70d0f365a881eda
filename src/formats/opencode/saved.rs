//! Sessions with their messages, whatever they were kept in. What comes later under an id stands
//! in the place of what came before.

use std::collections::{BTreeMap, HashMap};

use crate::formats::problems::Problems;
use crate::formats::records::Object;
use crate::model::{Notice, Timestamp};

use super::message::{Info, Message};
use super::part::{self, Piece};

/// Everything that was saved in a source.
#[derive(Debug, Default)]
pub(super) struct Saved {
    /// The sessions, in order of appearance.
    pub(super) sessions: Vec<Session>,
    places: HashMap<String, usize>,
    /// Records that are not shown, by kind.
    pub(super) unshown: BTreeMap<String, u64>,
    /// Kinds of parts that are not known, in order of appearance.
    pub(super) unknown: Vec<String>,
    /// What could not be read, in words for the page.
    pub(super) losses: Vec<String>,
}

/// A session.
#[derive(Debug, Default)]
pub(super) struct Session {
    /// Its id; empty when it has none.
    pub(super) id: String,
    /// What is said of it.
    pub(super) info: Info,
    /// Its messages, in order of appearance.
    pub(super) messages: Vec<Message>,
    places: HashMap<String, usize>,
    /// Notices, each with the number of messages before it.
    pub(super) notices: Vec<(usize, Notice)>,
}

/// Where a part belongs.
#[derive(Clone, Debug, Default)]
pub(super) struct Place {
    /// The session's id.
    pub(super) session: String,
    /// The message's id.
    pub(super) message: String,
    /// The part's own id.
    pub(super) part: String,
    /// When it was told, where the part itself may not say it.
    pub(super) time: Option<Timestamp>,
}

impl Place {
    /// Where a part says that it belongs.
    pub(super) fn of(part: &Object<'_>) -> Self {
        Place {
            session: part.string("sessionID"),
            message: part.string("messageID"),
            part: part.string("id"),
            time: None,
        }
    }
}

/// How many kinds are told apart.
const KINDS: usize = 20;

impl Saved {
    /// The session of this id, known or new.
    pub(super) fn session(&mut self, id: &str) -> &mut Session {
        let at = match self.places.get(id) {
            Some(at) => *at,
            None => {
                self.places.insert(id.to_owned(), self.sessions.len());
                self.sessions.push(Session {
                    id: id.to_owned(),
                    ..Session::default()
                });
                self.sessions.len() - 1
            }
        };
        &mut self.sessions[at]
    }

    /// Takes over what is said of a session.
    pub(super) fn describe(&mut self, info: &Object<'_>) {
        self.session(&info.string("id")).info = Info::of(info);
    }

    /// Takes over what is said of a message.
    pub(super) fn message(&mut self, info: &Object<'_>) {
        let (session, id) = (info.string("sessionID"), info.string("id"));
        self.message_of(&session, &id, info);
    }

    /// Takes over what is said of a message whose ids stand elsewhere.
    pub(super) fn message_of(&mut self, session: &str, id: &str, info: &Object<'_>) {
        self.session(session).message(id).describe(info);
        // The oldest messages hold their parts themselves.
        for (at, value) in info.items("parts").into_iter().enumerate() {
            if let Some(part) = Object::of(value) {
                let place = Place {
                    session: session.to_owned(),
                    message: id.to_owned(),
                    part: format!("{id} {at}"),
                    time: None,
                };
                self.part_at(place, &part, value.get());
            }
        }
    }

    /// Takes a part.
    pub(super) fn part(&mut self, part: &Object<'_>, json: &str) {
        self.part_at(Place::of(part), part, json);
    }

    /// Takes a part whose ids stand elsewhere.
    pub(super) fn part_at(&mut self, place: Place, part: &Object<'_>, json: &str) {
        let piece = part::read(part, json);
        if let Piece::Unknown(kind, _) = &piece
            && !self.unknown.contains(kind)
            && self.unknown.len() < KINDS
        {
            self.unknown.push(kind.clone());
        }
        let message = self.session(&place.session).message(&place.message);
        message.created = message.created.or(place.time);
        let mut newest_first = message.parts.iter_mut().rev();
        match newest_first.find(|(id, _)| *id == place.part) {
            Some((id, known)) if !id.is_empty() => *known = piece,
            _ => message.parts.push((place.part, piece)),
        }
    }

    /// Takes in what was saved in another file. Of a session that both have, this one's stays.
    pub(super) fn take_in(&mut self, other: Saved) {
        for session in other.sessions {
            if !self.places.contains_key(&session.id) {
                self.places.insert(session.id.clone(), self.sessions.len());
                self.sessions.push(session);
            }
        }
        for (kind, count) in other.unshown {
            *self.unshown.entry(kind).or_default() += count;
        }
        for kind in other.unknown {
            if !self.unknown.contains(&kind) {
                self.unknown.push(kind);
            }
        }
        self.losses.extend(other.losses);
    }

    /// Counts a record that is not shown.
    pub(super) fn hide(&mut self, kind: &str) {
        *self.unshown.entry(kind.to_owned()).or_default() += 1;
    }

    /// Remembers that something could not be read.
    pub(super) fn lost(&mut self, what: impl Into<String>) {
        self.losses.push(what.into());
    }

    /// The ids of the sessions that no other one of these started, in order.
    pub(super) fn roots(&self) -> Vec<&str> {
        let is_root = |session: &&Session| !self.places.contains_key(&session.info.parent);
        let roots = self.sessions.iter().filter(is_root);
        roots.map(|session| session.id.as_str()).collect()
    }

    /// Says once what was seen over the whole source.
    pub(super) fn report(&self, problems: &mut Problems) {
        if self.unknown.is_empty() {
            return;
        }
        let names = self.unknown.iter().take(5);
        let names: Vec<String> = names.map(|k| crate::figures::one_line(k, 40)).collect();
        let types = if self.unknown.len() == 1 {
            "type"
        } else {
            "types"
        };
        let what = format!(
            "{} unknown part {types}: {}",
            self.unknown.len(),
            names.join(", ")
        );
        problems.note(None, what);
    }
}

impl Session {
    /// The message of this id, known or new.
    pub(super) fn message(&mut self, id: &str) -> &mut Message {
        let at = match self.places.get(id) {
            Some(at) => *at,
            None => {
                self.places.insert(id.to_owned(), self.messages.len());
                self.messages.push(Message {
                    id: id.to_owned(),
                    ..Message::default()
                });
                self.messages.len() - 1
            }
        };
        &mut self.messages[at]
    }

    /// Finds the messages again after they were sorted.
    pub(super) fn renumber(&mut self) {
        let ids = self.messages.iter().map(|message| message.id.clone());
        self.places = ids.zip(0..).collect();
    }

    /// The message of this id, when there is one.
    pub(super) fn known(&mut self, id: &str) -> Option<&mut Message> {
        let at = *self.places.get(id)?;
        self.messages.get_mut(at)
    }

    /// Puts a notice behind what is there.
    pub(super) fn note(&mut self, notice: Notice) {
        self.notices.push((self.messages.len(), notice));
    }
}
