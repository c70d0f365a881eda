//! Google AI Studio: prompts as they are kept on Drive, often in files without an extension.

use crate::model::{
    Attachment, Conversation, Notice, NoticeKind, Part, Prompt, Reasoning, Reply, ReplyStatus,
    Timestamp, Usage,
};
use crate::source::Source;

use super::api::{Flow, data_part, ended, said};
use super::chat::cite;
use super::gemini_api::{part, searched, words_of};
use super::problems::Problems;
use super::records::{Json, Object, document_of};
use super::{Format, Head, Reading, Shape};

/// Reads the prompts of Google AI Studio.
pub(super) struct AiStudio;

impl Format for AiStudio {
    fn name(&self) -> &'static str {
        "ai_studio"
    }

    fn program(&self) -> &'static str {
        "Google AI Studio"
    }

    fn recognises(&self, head: &Head) -> bool {
        let is_prompt = |shape: &Shape| {
            let prompt = shape.get("chunkedPrompt");
            prompt.is_some_and(|prompt| matches!(prompt.get("chunks"), Some(Shape::List(_))))
        };
        let mut records = head.records.iter();
        records.any(|record| is_prompt(record) || record.get("prompt").is_some_and(is_prompt))
    }

    fn is_document(&self, _: &Head) -> bool {
        true
    }

    fn read(&self, source: &Source) -> Reading {
        let mut problems = Problems::of_source(source);
        let Some(json) = document_of(source, &mut problems) else {
            return Reading {
                conversation: None,
                problems: problems.into_vec(),
            };
        };
        let conversation = conversation(&json, source, &mut problems);
        Reading::settled(conversation, vec![problems], |notice| {
            notice.kind == NoticeKind::Context
        })
    }
}

fn conversation(json: &str, source: &Source, problems: &mut Problems) -> Conversation {
    let whole = Object::parse(json).unwrap_or_default();
    let inner = whole.object("prompt");
    let whole = inner.as_ref().unwrap_or(&whole);
    let settings = whole.object("runSettings").unwrap_or_default();
    let model = settings.words("model");
    let model = model.map(|model| model.trim_start_matches("models/").to_owned());
    let mut flow = Flow::default();
    let meta = whole.object("metadata").unwrap_or_default();
    let titles = [
        meta.words("displayName"),
        whole.words("displayName"),
        whole.words("title"),
    ];
    let titles = titles.into_iter().flatten().next();
    // On Drive the file's name is the title.
    flow.about.title = Some(titles.unwrap_or_else(|| source.main.stem().to_owned()));
    flow.about.id = whole
        .words("id")
        .or_else(|| whole.words("name"))
        .unwrap_or_default();
    let told = whole.get("systemInstruction").map(words_of);
    flow.told(&told.unwrap_or_default(), None);
    let prompt = whole.object("chunkedPrompt").unwrap_or_default();
    // What is handed over with a prompt are chunks of their own.
    let mut open = Prompt::default();
    for value in prompt.items("chunks") {
        let chunk = Object::of(value).unwrap_or_default();
        let time = flow.losses.time(&chunk, "createTime");
        if chunk.string("role") == "user" {
            asked(&chunk, time, &mut open, &mut flow);
            open.asides.extend(branches(&chunk));
            continue;
        }
        flow.prompt(std::mem::take(&mut open));
        match chunk.string("role").as_str() {
            "model" => answered(&chunk, time, model.as_ref(), &mut flow),
            role => flow.of_unknown(role, chunk.string("text")),
        }
        flow.parts(branches(&chunk).into_iter().map(Part::Notice));
    }
    for pending in prompt
        .items("pendingInputs")
        .into_iter()
        .filter_map(Object::of)
    {
        asked(&pending, None, &mut open, &mut flow);
    }
    flow.prompt(open);
    flow.finish(AiStudio.program(), problems)
}

fn asked(chunk: &Object<'_>, time: Option<Timestamp>, open: &mut Prompt, flow: &mut Flow) {
    if open.id.is_empty() {
        open.id = chunk.string("id");
    }
    open.time = open.time.or(time);
    each_part(chunk, flow, &mut |_, part| open.parts.push(part));
}

fn answered(chunk: &Object<'_>, time: Option<Timestamp>, model: Option<&String>, flow: &mut Flow) {
    let mut sources = Vec::new();
    if let Some(grounding) = chunk.object("grounding") {
        let found = grounding
            .items("groundingSources")
            .into_iter()
            .filter_map(Object::of);
        let pages: Vec<(String, Option<String>)> = found
            .filter_map(|page| Some((page.words("uri")?, page.words("title"))))
            .collect();
        searched(grounding.get("webSearchQueries"), &pages, flow);
        for (url, title) in pages {
            cite(&mut sources, &url, title);
        }
    }
    if chunk.flag("isThought") {
        flow.part(Part::Reasoning(Reasoning {
            text: words(chunk),
            ..Reasoning::default()
        }));
    } else {
        each_part(chunk, flow, &mut Flow::part);
    }
    let (status, notice) = ended(&chunk.string("finishReason"));
    flow.parts(notice);
    let error = chunk.words("errorMessage");
    let tokens = chunk.count("tokenCount").unwrap_or_default();
    let thought = if chunk.flag("isThought") { tokens } else { 0 };
    flow.facts(Reply {
        id: chunk.string("id"),
        start: time,
        end: time,
        models: model.into_iter().cloned().collect(),
        status: match error {
            Some(_) => ReplyStatus::Error,
            None => status,
        },
        sources,
        error,
        usage: (tokens > 0).then(|| Usage {
            output: tokens,
            reasoning: thought,
            ..Usage::default()
        }),
        ..Reply::default()
    });
}

/// The words of a chunk: its own, or those of its parts, which say the same in pieces.
fn words(chunk: &Object<'_>) -> String {
    chunk.words("text").unwrap_or_else(|| {
        let parts = chunk.items("parts").into_iter().filter_map(Object::of);
        parts.map(|part| part.string("text")).collect()
    })
}

/// Hands over the parts of a chunk in order; calls and results go to the flow between them.
fn each_part(chunk: &Object<'_>, flow: &mut Flow, each: &mut dyn FnMut(&mut Flow, Part)) {
    if let Some(part) = said(chunk.string("text")) {
        each(flow, part);
    } else {
        for value in chunk.items("parts") {
            if let Some(part) = part(value, flow) {
                each(flow, part);
            }
        }
    }
    for key in ["executableCode", "codeExecutionResult"] {
        if let Some(value) = chunk.get(key) {
            let wrapped = format!("{{\"{key}\":{}}}", value.get());
            let wrapped = Json::parse(&wrapped).ok();
            if let Some(part) = wrapped.and_then(|value| part(value, flow)) {
                each(flow, part);
            }
        }
    }
    for key in ["inlineImage", "inlineFile", "inlineAudio", "inlineVideo"] {
        if let Some(data) = chunk.object(key) {
            let kind = data.string("mimeType");
            each(
                flow,
                data_part(&kind, data.string("data"), data.words("name")),
            );
        }
    }
    for (key, name) in [
        ("driveImage", "An image"),
        ("driveDocument", "A document"),
        ("driveAudio", "A recording"),
        ("driveVideo", "A video"),
        ("driveFile", "A file"),
    ] {
        if let Some(file) = chunk.object(key) {
            let file = Part::File(Attachment {
                name: file.words("name").unwrap_or_else(|| name.to_owned()),
                media_type: file.words("mimeType"),
                text: None,
                note: Some("on Google Drive, not in this file".to_owned()),
            });
            each(flow, file);
        }
    }
    if let Some(video) = chunk.object("youtubeVideo") {
        let file = Part::File(Attachment {
            name: "A video on YouTube".to_owned(),
            note: Some(format!(
                "https://www.youtube.com/watch?v={}",
                video.string("id")
            )),
            ..Attachment::default()
        });
        each(flow, file);
    }
}

/// That the conversation was branched here, into another file or out of it.
fn branches(chunk: &Object<'_>) -> Vec<Notice> {
    let name = |branch: &Object<'_>| {
        let name = branch.words("displayName");
        name.unwrap_or_else(|| branch.string("promptId"))
    };
    let parent = chunk.object("branchParent");
    let parent = parent.map(|parent| format!("Branched off from {}", name(&parent)));
    let children = chunk.items("branchChildren").into_iter();
    let children = children.filter_map(Object::of);
    let children = children.map(|child| format!("Branched off here: {}", name(&child)));
    let titles = parent.into_iter().chain(children);
    titles
        .map(|title| Notice::new(NoticeKind::Info, title))
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::formats::api::tests::read_with;
    use crate::formats::outline::outline;

    #[test]
    fn chunks_in_a_row_are_one_turn_and_pieces_are_not_said_twice() {
        let (told, problems) = read_with(&AiStudio, &json!({"prompt": {
            "runSettings": {"model": "models/g-1"}, "metadata": {"displayName": "Tides"}, "systemInstruction": {"text": "Be brief."},
            "chunkedPrompt": {"chunks": [
                {"role": "user", "text": "High?", "driveDocument": {"id": "d"}, "createTime": "2026-02-01T10:00:00Z"},
                {"role": "model", "text": "hm", "isThought": true, "parts": [{"text": "h", "thought": true}, {"text": "m", "thought": true}]},
                {"role": "model", "text": "", "parts": [{"text": "Ye"}], "executableCode": {"language": "PYTHON", "code": "1"}},
                {"role": "model", "codeExecutionResult": {"outcome": "OUTCOME_OK", "output": "1"}},
                {"role": "model", "text": "Yes.", "parts": [{"text": "Yes."}], "finishReason": "STOP", "tokenCount": 3,
                    "grounding": {"webSearchQueries": ["tide"], "groundingSources": [{"referenceNumber": 1, "uri": "https://example.com/t", "title": "T"}]}}],
                "pendingInputs": [{"role": "user", "text": ""}]}}}).to_string());
        let expected = [
            "<Context Instructions for the assistant>",
            "person: \"High?\", file A document",
            "Complete: thought, \"Ye\", code_execution → \"1\", google_search → \"\", \"Yes.\"",
        ];
        assert!(problems.is_empty(), "{problems:?}");
        assert_eq!(outline(&told[0]), expected);
        assert_eq!(told[0].title.as_deref(), Some("Tides"));
        let reply = crate::formats::outline::replies(&told[0])
            .next()
            .expect("a reply");
        assert_eq!(
            (reply.models.as_slice(), reply.sources.len()),
            (&["g-1".to_owned()][..], 1)
        );
    }

    #[test]
    fn the_files_name_is_the_title_where_there_is_none() {
        let chunks = json!({"chunkedPrompt": {"chunks": [{"role": "user", "text": "x"}, {"role": "model", "errorMessage": "No."}]}});
        let (told, _) = read_with(&AiStudio, &chunks.to_string());
        assert_eq!(told[0].title.as_deref(), Some("x"));
        assert_eq!(outline(&told[0])[1], "Error: error No.");
    }
}
