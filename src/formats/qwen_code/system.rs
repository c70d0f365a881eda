//! Records of what the program did: commands, summaries, titles, failures.

use crate::figures::count;
use crate::formats::genai::{self, Content, What};
use crate::formats::notices::in_a_line;
use crate::formats::records::{Object, text};
use crate::model::{Author, Body, Notice, NoticeKind, Part, Prompt};

use super::transcript::Transcript;

impl Transcript {
    /// Reads a record of the program.
    pub(super) fn system(&mut self, object: &Object<'_>, subtype: &str) -> What {
        let payload = object.object("systemPayload").unwrap_or_default();
        match subtype {
            "chat_compression" => What::Divider(compression(&payload)),
            "slash_command" => self.command(&payload),
            "at_command" => at_command(&payload).map_or(What::Hidden, |n| What::Remarks(vec![n])),
            "custom_title" => {
                let title = payload.words("customTitle");
                match payload.text("titleSource").as_deref() {
                    Some("auto") => self.titles.1 = title,
                    _ => self.titles.0 = title,
                }
                What::Hidden
            }
            "agent_launch_prompt" => match payload.words("displayText") {
                Some(words) => What::Said(Box::new(Prompt {
                    author: Author::Agent(None),
                    parts: vec![Part::Text(words)],
                    ..Prompt::default()
                })),
                None => What::Hidden,
            },
            "ui_telemetry" => self.event(&payload),
            "turn_result" => match payload.object("error").and_then(|e| e.words("message")) {
                Some(message) => What::Failed(in_a_line(NoticeKind::Error, &message)),
                None => What::Ended,
            },
            // What was left by it stands as another version.
            "rewind" => What::Hidden,
            subtype => {
                let kind = match subtype {
                    "" => "records of the program".to_owned(),
                    subtype => crate::figures::one_line(&subtype.replace('_', " "), 40),
                };
                self.hide(&kind);
                What::Hidden
            }
        }
    }

    /// A command that was typed, and later what it printed. The second has the first in it.
    fn command(&mut self, payload: &Object<'_>) -> What {
        let Some(command) = payload.words("rawCommand") else {
            self.hide("slash command");
            return What::Hidden;
        };
        let mut notice = in_a_line(NoticeKind::Command, &command);
        let output = output(payload);
        if payload.text("phase").as_deref() == Some("result") {
            if let Some(row) = self.rows.last_mut()
                && let What::Remarks(typed) = &row.what
                && typed.as_slice() == [notice.clone()]
            {
                row.what = What::Hidden;
            }
        } else if payload.flag("hiddenInvocation") {
            self.hide("commands that the program hid");
            return What::Hidden;
        }
        if !output.trim().is_empty() {
            notice.body = Some(Body::Output(output));
        }
        What::Remarks(vec![notice])
    }

    /// What the program counted. Only failures are worth a line: the rest says again what the
    /// messages say.
    fn event(&mut self, payload: &Object<'_>) -> What {
        let event = payload.object("uiEvent").unwrap_or_default();
        let is_failure = event
            .text("event.name")
            .is_some_and(|name| name.ends_with("api_error"));
        match event
            .words("error_message")
            .or_else(|| event.words("error"))
        {
            Some(message) if is_failure => {
                let code = event.count("status_code").filter(|code| *code > 0);
                let code = code.map_or_else(String::new, |code| format!(" {code}"));
                let words = format!("API error{code}: {message}");
                What::Failed(in_a_line(NoticeKind::Error, &words))
            }
            _ => {
                self.hide("telemetry");
                What::Hidden
            }
        }
    }
}

/// Earlier messages were summarised, or were not to be.
fn compression(payload: &Object<'_>) -> Notice {
    let info = payload.object("info").unwrap_or_default();
    let history = payload.items("compressedHistory");
    // The summary stands first; the messages behind it stand in the transcript as well.
    let first = history.first().and_then(|turn| Object::of(*turn));
    let words = first.map(|turn| {
        let parts = Content::read(turn.get("parts")).parts.into_iter();
        let words = parts.filter_map(|part| match part {
            Part::Text(words) => Some(words),
            _ => None,
        });
        words.collect::<Vec<_>>().join("\n\n")
    });
    let mut notice = genai::summary(words.unwrap_or_default());
    let tokens = info
        .count("originalTokenCount")
        .zip(info.count("newTokenCount"));
    if let Some((before, after)) = tokens.filter(|(before, _)| *before > 0) {
        notice.title = format!(
            "{}: {} → {} tokens",
            notice.title,
            count(before),
            count(after)
        );
    }
    notice
}

/// Files that a prompt named.
fn at_command(payload: &Object<'_>) -> Option<Notice> {
    let files: Vec<String> = payload
        .items("filesRead")
        .into_iter()
        .filter_map(|file| Some(text(file)?.into_owned()))
        .collect();
    let message = payload.words("message");
    let title = match files.as_slice() {
        [] => message.clone()?,
        [file] => format!("Read {file}"),
        files => format!("Read {} files", files.len()),
    };
    let lines = match files.len() {
        0 | 1 => String::new(),
        _ => files.join("\n"),
    };
    let lines: Vec<String> = [lines]
        .into_iter()
        .chain(message.filter(|message| *message != title))
        .filter(|line| !line.is_empty())
        .collect();
    let notice = in_a_line(NoticeKind::Context, &title);
    Some(notice.with_body(Body::Output(lines.join("\n"))))
}

/// What a command printed.
fn output(payload: &Object<'_>) -> String {
    let mut lines: Vec<String> = Vec::new();
    for item in payload.items("outputHistoryItems") {
        let Some(item) = Object::of(item) else {
            continue;
        };
        if let Some(words) = item.words("text") {
            lines.push(words);
            continue;
        }
        for (key, value) in item.entries().filter(|(key, _)| *key != "type") {
            match Object::of(value) {
                Some(inner) => lines.extend(inner.entries().map(|(key, value)| told(key, value))),
                None => lines.push(told(key, value)),
            }
        }
    }
    lines.join("\n")
}

fn told(key: &str, value: crate::formats::records::Json<'_>) -> String {
    let value = text(value).unwrap_or_else(|| value.get().into());
    format!("{key}: {value}")
}
