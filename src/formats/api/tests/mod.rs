//! What tests of readers of APIs have in common.

use crate::formats::{Format, Head, apart};
use crate::model::Conversation;
use crate::source::{File, Source};

/// The conversations in a text, which must be recognised, and what was said of the file.
pub(crate) fn read_with(format: &dyn Format, text: &str) -> (Vec<Conversation>, Vec<String>) {
    let bytes = text.as_bytes().to_vec();
    let file = File::in_memory("x.json".into(), "x.json".into(), bytes);
    let head = Head::of(&file).expect("memory can be read");
    assert!(format.recognises(&head), "it is recognised: {text:.200}");
    let (sources, problem) = apart(Source::single(file), format);
    assert!(problem.is_none());
    let mut told = Vec::new();
    let mut all = Vec::new();
    for source in &sources {
        let reading = format.read(source);
        told.extend(reading.problems.iter().map(ToString::to_string));
        all.extend(reading.conversation);
    }
    (all, told)
}
