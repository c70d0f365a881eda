//! Records of what was said: by the person, by the model, by tools.

use crate::formats::genai::{self, Content, Message, Shown, What};
use crate::formats::notices::in_a_line;
use crate::formats::records::Object;
use crate::model::{Author, Body, Image, ImageData, Notice, NoticeKind, Part, ToolCall, Usage};

use super::transcript::Transcript;

impl Transcript {
    /// Reads a message to the model.
    pub(super) fn user(&mut self, object: &Object<'_>, subtype: &str) -> What {
        let content = content(object);
        if !content.answers.is_empty() {
            return self.answered(object, content);
        }
        let payload = object.object("systemPayload").unwrap_or_default();
        let shown = payload.words("displayText");
        let written = match subtype {
            "notification" | "background_task_completed" => Some("Notification"),
            "cron" => Some("Scheduled prompt"),
            "goal_runtime" => Some("The goal goes on"),
            _ => None,
        };
        if let Some(title) = written {
            return What::Remarks(vec![notice(title, &content.parts, shown)]);
        }
        let author = match object.flag("isSidechain") || !self.agent.is_empty() {
            true => Author::Agent(None),
            false => Author::Person,
        };
        let mut what = genai::spoken(content.parts, shown, author);
        if let What::Said(prompt) = &mut what {
            prompt.queued = subtype == "mid_turn_user_message";
            let files = payload.items("attachmentReferences").into_iter();
            let missing = files.filter_map(Object::of).filter(|file| {
                file.text("type").as_deref() == Some("image")
                    && !prompt
                        .parts
                        .iter()
                        .any(|part| matches!(part, Part::Image(_)))
            });
            let missing: Vec<Part> = missing.map(|file| Part::Image(kept_apart(&file))).collect();
            prompt.parts.extend(missing);
        }
        what
    }

    /// Reads a message of the model.
    pub(super) fn assistant(&mut self, object: &Object<'_>) -> What {
        let content = content(object);
        for part in &content.parts {
            if let Part::Tool(call) = part
                && let Some(input) = &call.input
            {
                self.remember(&call.id, input);
            }
        }
        What::Wrote(Box::new(Message {
            model: object.string("model"),
            parts: content.parts,
            thought: None,
            sources: content.sources,
            usage: usage(object),
        }))
    }

    /// Reads the results of calls.
    pub(super) fn tool_result(&mut self, object: &Object<'_>) -> What {
        self.answered(object, content(object))
    }

    fn answered(&mut self, object: &Object<'_>, content: Content) -> What {
        let recorded = object.object("toolCallResult").unwrap_or_default();
        let about = recorded.string("callId");
        let status = recorded.string("status");
        let mut answers = content.answers;
        // A result that was recorded without a response is still one.
        if answers.is_empty() && !about.is_empty() {
            answers.push(genai::Answer {
                id: about.clone(),
                ..genai::Answer::default()
            });
        }
        let is_lone = answers.len() == 1;
        for answer in &mut answers {
            let call = ToolCall {
                id: answer.id.clone(),
                name: answer.name.clone(),
                input: self.inputs.get(&answer.id).cloned(),
                ..ToolCall::default()
            };
            let is_own = answer.id == about || about.is_empty() && is_lone;
            let shown = match is_own {
                true => Shown {
                    status: &status,
                    display: recorded.get("resultDisplay"),
                },
                false => Shown::default(),
            };
            genai::settle(&call, &mut answer.result, shown);
        }
        What::Answered(answers)
    }
}

fn content(object: &Object<'_>) -> Content {
    let message = object.object("message").unwrap_or_default();
    Content::read(message.get("parts").or_else(|| message.get("content")))
}

/// What the program wrote to the model by itself.
fn notice(title: &str, parts: &[Part], shown: Option<String>) -> Notice {
    let words = parts.iter().filter_map(|part| match part {
        Part::Text(words) => Some(words.as_str()),
        _ => None,
    });
    let words = words.collect::<Vec<_>>().join("\n");
    let line = shown.unwrap_or_else(|| words.clone());
    let mut notice = in_a_line(NoticeKind::Task, &format!("{title}: {}", line.trim()));
    if words.trim() != line.trim() {
        notice.body = Some(Body::Prose(words));
    }
    notice
}

/// A picture that the program keeps outside of the session.
fn kept_apart(file: &Object<'_>) -> Image {
    Image {
        data: ImageData::Missing("kept outside of the transcript".to_owned()),
        alt: file.words("attachmentId"),
    }
}

/// The tokens of a message. Whether what was thought is among what was written is told by the
/// total.
fn usage(object: &Object<'_>) -> Option<Usage> {
    let tokens = object.object("usageMetadata")?;
    let count = |key| tokens.count(key).unwrap_or_default();
    let cached = count("cachedContentTokenCount");
    let read = count("promptTokenCount").saturating_add(count("toolUsePromptTokenCount"));
    let (written, thought) = (count("candidatesTokenCount"), count("thoughtsTokenCount"));
    let has_thoughts = tokens.count("totalTokenCount") == Some(read.saturating_add(written));
    let usage = Usage {
        input: read.saturating_sub(cached),
        output: match has_thoughts {
            true => written,
            false => written.saturating_add(thought),
        },
        cache_read: cached,
        cache_write: 0,
        reasoning: thought,
    };
    (usage != Usage::default()).then_some(usage)
}
