//! Gemini Apps in a Google Takeout: the activity of an account, a prompt with its answer in each
//! record, the newest first. Nothing says which prompts are of one conversation, so that those of
//! a day stand together.

mod words;

use std::ops::Range;

use crate::error::{Problem, Severity};
use crate::model::{Attachment, Conversation, Entry, Part, Prompt, Reply, ReplyStatus, Timestamp};
use crate::source::{self, At, File, Source};

use super::chat::Losses;
use super::problems::Problems;
use super::records::{Json, Object, document, elements, items, text};
use super::{Format, Head, Reading, Shape};

/// Reads the activity of Gemini Apps.
pub(super) struct GeminiTakeout;

/// What stands before the words of a prompt, in the languages that are known.
const PREFIXES: [&str; 4] = ["Prompted ", "Asked ", "Live Prompt ", "Prompt: "];

impl Format for GeminiTakeout {
    fn name(&self) -> &'static str {
        "gemini_takeout"
    }

    fn program(&self) -> &'static str {
        "Gemini Apps"
    }

    fn recognises(&self, head: &Head) -> bool {
        let mut shapes = head.records.iter().flat_map(Shape::items);
        shapes.any(|one| {
            let header = one.text("header").unwrap_or_default();
            (header.contains("Gemini") || header.contains("Bard")) && one.has(&["title", "time"])
        })
    }

    fn is_document(&self, _: &Head) -> bool {
        true
    }

    /// A part is the stretch of the file in which the records of one day stand.
    fn parts(&self, source: &Source) -> Result<Vec<source::Part>, Problem> {
        let found = elements(&source.main, None).map_err(|error| {
            let what = format!("cannot be read: {error}");
            Problem::new(Severity::Warning, source.main.path.as_str(), what)
        })?;
        let ranges = found.map(|found| found.ranges).unwrap_or_default();
        let mut days: Vec<(String, Range<u64>)> = Vec::new();
        for range in ranges {
            let day = day_of(&source.main, range.clone()).unwrap_or_default();
            match days.last_mut() {
                Some((last, stretch)) if *last == day => stretch.end = range.end,
                _ => days.push((day, range)),
            }
        }
        let part = |(day, range): (String, Range<u64>)| source::Part {
            at: At::Key(format!("{}-{} {day}", range.start, range.end)),
            size: range.end - range.start,
        };
        Ok(days.into_iter().map(part).collect())
    }

    fn read(&self, source: &Source) -> Reading {
        let mut problems = Problems::of_source(source);
        let stretch = match &source.part {
            Some(source::Part {
                at: At::Key(key), ..
            }) => stretch(source, key),
            _ => Some((String::new(), source.main.clone())),
        };
        let conversation = stretch.and_then(|(day, file)| {
            let json = document(&file, &mut problems)?;
            conversation(&json, day, &mut problems)
        });
        Reading {
            conversation,
            problems: problems.into_vec(),
        }
    }
}

/// The day of a record, as its time begins.
fn day_of(file: &File, range: Range<u64>) -> Option<String> {
    let mut bytes = Vec::new();
    let mut reader = file.open_range(range).ok()?;
    std::io::Read::read_to_end(&mut reader, &mut bytes).ok()?;
    let record = String::from_utf8_lossy(&bytes);
    let time = Object::parse(record.trim()).ok()?.words("time")?;
    time.get(..10).map(str::to_owned)
}

/// The records of a part, as a file of their own.
fn stretch(source: &Source, key: &str) -> Option<(String, File)> {
    let (range, day) = key.split_once(' ')?;
    let (start, end) = range.split_once('-')?;
    let range = start.parse().ok()?..end.parse().ok()?;
    let mut bytes = vec![b'['];
    let mut reader = source.main.open_range(range).ok()?;
    std::io::Read::read_to_end(&mut reader, &mut bytes).ok()?;
    bytes.push(b']');
    let main = &source.main;
    let file = File::in_memory(main.path.clone(), main.name.clone(), bytes);
    Some((day.to_owned(), file))
}

fn conversation(json: &str, day: String, problems: &mut Problems) -> Option<Conversation> {
    let mut losses = Losses::default();
    let mut entries: Vec<Entry> = Vec::new();
    // The newest is the first.
    for value in items(Json::parse(json).ok()?).into_iter().rev() {
        let record = Object::of(value).unwrap_or_default();
        let header = record.string("header");
        if header.contains("Gemini") || header.contains("Bard") {
            exchange(&record, &mut entries, &mut losses);
        } else {
            losses.skip("record of another product");
        }
    }
    losses.report(problems);
    if entries.is_empty() {
        problems.note(None, "no prompts");
        return None;
    }
    Some(Conversation {
        id: day,
        program: GeminiTakeout.program().to_owned(),
        entries,
        unshown: losses.unshown,
        ..Conversation::default()
    })
}

/// A prompt and what was answered. A record without an answer that does not begin as a prompt
/// does is of something else that was done.
fn exchange(record: &Object<'_>, entries: &mut Vec<Entry>, losses: &mut Losses) {
    let time = losses.time(record, "time");
    let title = record.string("title");
    let prompt = PREFIXES
        .iter()
        .find_map(|prefix| title.strip_prefix(prefix));
    let answers = record.items("safeHtmlItem").into_iter();
    let answers = answers.filter_map(|item| Object::of(item)?.words("html"));
    let answers: Vec<Part> = answers
        .map(|html| Part::Text(words::markdown(&html)))
        .collect();
    if prompt.is_none() && answers.is_empty() {
        losses.skip("record that is no prompt");
        return;
    }
    let words = prompt.unwrap_or(&title).trim();
    let mut parts = vec![Part::Text(words.to_owned())];
    parts.extend(files(record));
    let id = record.string("time");
    entries.push(Entry::Prompt(Prompt {
        id: id.clone(),
        time,
        parts,
        ..Prompt::default()
    }));
    if !answers.is_empty() {
        entries.push(Entry::Reply(reply(format!("{id}-answer"), time, answers)));
    }
}

fn reply(id: String, time: Option<Timestamp>, parts: Vec<Part>) -> Reply {
    Reply {
        id,
        start: time,
        status: ReplyStatus::Complete,
        parts,
        ..Reply::default()
    }
}

/// The files of a prompt, by their names: a text, or an object with it.
fn files(record: &Object<'_>) -> Vec<Part> {
    let mut names: Vec<String> = Vec::new();
    for value in record
        .items("attachedFiles")
        .into_iter()
        .chain(record.get("imageFile"))
    {
        let own = text(value).map(|name| name.into_owned());
        let name = own.or_else(|| Object::of(value)?.words("name"));
        if let Some(name) = name.filter(|name| !names.contains(name)) {
            names.push(name);
        }
    }
    // Older activities list them below the title: `Attached 1 file.`, `- map.png`.
    for line in record.items("subtitles").into_iter().filter_map(Object::of) {
        let name = line.string("name");
        let listed = name
            .trim_start()
            .strip_prefix('-')
            .map(|name| name.trim().to_owned());
        if let Some(name) = listed.filter(|name| !name.is_empty() && !names.contains(name)) {
            names.push(name);
        }
    }
    let files = names.into_iter().map(|name| {
        Part::File(Attachment {
            name,
            note: Some("beside the activity, not read".to_owned()),
            ..Attachment::default()
        })
    });
    files.collect()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::formats::apart;
    use crate::formats::outline::outline;
    use crate::source::File;

    fn all(document: &Value) -> Vec<Conversation> {
        let bytes = document.to_string().into_bytes();
        let file = File::in_memory("x.json".into(), "x.json".into(), bytes);
        let head = Head::of(&file).expect("memory can be read");
        assert!(GeminiTakeout.recognises(&head), "it is recognised");
        let (sources, problem) = apart(Source::single(file), &GeminiTakeout);
        assert!(problem.is_none());
        let readings = sources.iter().map(|source| GeminiTakeout.read(source));
        readings
            .filter_map(|reading| reading.conversation)
            .collect()
    }

    #[test]
    fn each_day_is_a_conversation_and_the_oldest_comes_first() {
        let record = |title: &str, time: &str, html: Value| {
            json!({"header": "Gemini Apps", "title": title,
            "time": time, "safeHtmlItem": html})
        };
        let told = all(&json!([
            record(
                "Prompted b",
                "2026-03-02T11:00:00Z",
                json!([{"html": "<p>B</p>"}])
            ),
            record("Used a Gem", "2026-03-02T10:30:00Z", json!([])),
            record(
                "Prompted a",
                "2026-03-02T10:00:00Z",
                json!([{"html": "<p>A</p>"}])
            ),
            record("Prompted z", "2026-03-01T10:00:00Z", json!([])),
        ]));
        let expected = [
            "person: \"a\"",
            "Complete: \"A\"",
            "person: \"b\"",
            "Complete: \"B\"",
        ];
        assert_eq!(outline(&told[0]), expected);
        assert_eq!(outline(&told[1]), ["person: \"z\""]);
        assert_eq!(told[0].unshown["record that is no prompt"], 1);
    }

    #[test]
    fn files_of_older_activities_are_named_below_the_title() {
        let told = all(&json!([{"header": "Gemini Apps", "title": "Prompted a",
            "time": "2026-03-02T10:00:00Z", "attachedFiles": ["map.png"],
            "subtitles": [{"name": "Attached 2 files."}, {"name": "-  map.png", "url": "map.png"}, {"name": "- tide.pdf"}]}]));
        let written = format!("{:?}", told[0].entries);
        assert_eq!(written.matches("map.png").count(), 1, "{written}");
        assert!(written.contains("tide.pdf"));
    }
}
