//! Messages that stand below the ones that they follow, taken apart in one walk. A long
//! conversation is nested deeper than any parser goes, and to go into it level by level would
//! mean to walk through its end again for each of its messages.

use memchr::memchr2;

/// An export whose messages are taken out of each other.
#[derive(Debug, Default)]
pub(super) struct Flat {
    /// The export without its messages.
    pub(super) rest: String,
    /// The messages, each before those below it.
    pub(super) messages: Vec<Nested>,
}

/// One message.
#[derive(Debug, Default)]
pub(super) struct Nested {
    /// Its JSON, without the messages below it.
    pub(super) json: String,
    /// The place of the message above it.
    pub(super) above: Option<usize>,
}

/// The keys of lists of messages.
const LISTS: [&str; 3] = ["\"messages\"", "\"messagesTree\"", "\"children\""];

/// Takes the messages of a sound document apart.
pub(super) fn messages(json: &str) -> Flat {
    let mut walk = Walk {
        json,
        flat: Flat::default(),
        open: vec![Open::Export],
        depths: vec![0],
        from: 0,
        key: None,
    };
    walk.go();
    walk.flat
}

/// What is being walked through.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    /// The export itself.
    Export,
    /// The message at this place.
    Message(usize),
    /// A list of messages.
    List,
}

struct Walk<'a> {
    json: &'a str,
    flat: Flat,
    open: Vec<Open>,
    /// How many brackets are open in each of them.
    depths: Vec<u32>,
    /// Where what is not copied yet begins.
    from: usize,
    /// The last string before a colon, when it may be the key of a list.
    key: Option<&'a str>,
}

impl Walk<'_> {
    fn go(&mut self) {
        let bytes = self.json.as_bytes();
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            match byte {
                b'"' => {
                    let end = end_of_string(bytes, at);
                    self.key = self.json.get(at..end);
                    at = end;
                    continue;
                }
                b'{' | b'[' => self.opened(byte, at),
                b'}' | b']' => self.closed(at),
                b',' => self.key = None,
                _ => {}
            }
            at += 1;
        }
        self.copy(bytes.len());
    }

    fn top(&self) -> (Open, u32) {
        let open = self.open.last().copied().unwrap_or(Open::Export);
        (open, self.depths.last().copied().unwrap_or_default())
    }

    fn opened(&mut self, byte: u8, at: usize) {
        let (open, depth) = self.top();
        match open {
            Open::List if byte == b'{' => {
                self.from = at;
                let above = self.open.iter().rev().find_map(|open| match open {
                    Open::Message(place) => Some(*place),
                    _ => None,
                });
                self.flat.messages.push(Nested {
                    json: String::new(),
                    above,
                });
                self.open.push(Open::Message(self.flat.messages.len() - 1));
                self.depths.push(1);
            }
            Open::Export | Open::Message(_)
                if byte == b'['
                    && depth == 1
                    && self.key.is_some_and(|key| LISTS.contains(&key)) =>
            {
                self.copy(at);
                self.open.push(Open::List);
                self.depths.push(1);
            }
            _ => self.deeper(),
        }
        self.key = None;
    }

    fn deeper(&mut self) {
        if let Some(depth) = self.depths.last_mut() {
            *depth += 1;
        }
    }

    fn closed(&mut self, at: usize) {
        let Some(depth) = self.depths.last_mut() else {
            return;
        };
        *depth = depth.saturating_sub(1);
        if *depth > 0 || self.open.len() == 1 {
            return;
        }
        match self.open.last() {
            Some(Open::Message(_)) => self.copy(at + 1),
            // The list's brackets stay, empty.
            Some(Open::List) => {
                self.open.pop();
                self.depths.pop();
                self.from = at;
                self.push("[");
                return;
            }
            _ => {}
        }
        self.open.pop();
        self.depths.pop();
    }

    /// Copies what was walked through to where it belongs.
    fn copy(&mut self, to: usize) {
        if self.top().0 != Open::List
            && let Some(text) = self.json.get(self.from..to)
        {
            let text = text.to_owned();
            self.push(&text);
        }
        self.from = to;
    }

    fn push(&mut self, text: &str) {
        match self.top().0 {
            Open::Message(place) => {
                if let Some(message) = self.flat.messages.get_mut(place) {
                    message.json.push_str(text);
                }
            }
            _ => self.flat.rest.push_str(text),
        }
    }
}

/// Where the string that begins here ends.
fn end_of_string(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(found) = bytes.get(at..).and_then(|rest| memchr2(b'"', b'\\', rest)) {
        at += found;
        if bytes[at] == b'"' {
            return at + 1;
        }
        at += 2;
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(json: &str) -> (String, Vec<(String, Option<usize>)>) {
        let flat = messages(json);
        let messages = flat.messages.into_iter();
        (
            flat.rest,
            messages.map(|one| (one.json, one.above)).collect(),
        )
    }

    #[test]
    fn messages_are_taken_out_of_each_other() {
        let json = r#"{"a":[{"x":1}],"messages":[{"n":1,"children":[{"n":2,"children":[],"c":[{"children":[3]}]}],"t":"\"children\":["},{"n":4}],"b":2}"#;
        let (rest, messages) = told(json);
        assert_eq!(rest, r#"{"a":[{"x":1}],"messages":[],"b":2}"#);
        let expected = [
            (r#"{"n":1,"children":[],"t":"\"children\":["}"#, None),
            (r#"{"n":2,"children":[],"c":[{"children":[3]}]}"#, Some(0)),
            (r#"{"n":4}"#, None),
        ];
        let expected = expected.map(|(json, above)| (json.to_owned(), above));
        assert_eq!(messages, expected);
    }

    #[test]
    fn nesting_has_no_bounds() {
        let depth = 30_000;
        let json = format!(
            "{{\"messagesTree\":[{}{}]}}",
            "{\"n\":0,\"children\":[".repeat(depth),
            "]}".repeat(depth)
        );
        let (_, messages) = told(&json);
        assert_eq!(messages.len(), depth);
        assert_eq!(messages[depth - 1].1, Some(depth - 2));
    }
}
