//! Commands of the program that the person typed, with what they printed or put in.

use crate::figures::one_line;
use crate::model::{Body, Entry, Notice, NoticeKind, Part, Prompt, Timestamp};

use super::Flow;
use crate::formats::claude_code::wrappers::{self, Command, Piece};

/// A command of the person that waits for its output.
pub(super) struct Typed {
    pub(super) command: Command,
    pub(super) output: String,
    pub(super) id: String,
    pub(super) time: Option<Timestamp>,
}

impl Flow<'_, '_> {
    pub(super) fn output(&mut self, output: &str, time: Option<Timestamp>) {
        if output.trim().is_empty() {
            return;
        }
        if let Some(typed) = &mut self.command {
            if !typed.output.is_empty() {
                typed.output.push('\n');
            }
            typed.output.push_str(output);
            return;
        }
        let notice = Notice::new(NoticeKind::Command, "Output of a command");
        self.notice(notice.with_body(Body::Output(output.to_owned())).at(time));
    }

    /// What the program wrote into a user message.
    pub(super) fn injected(&mut self, pieces: Vec<Piece>, time: Option<Timestamp>) {
        let mut nobody = Prompt {
            time,
            ..Prompt::default()
        };
        for piece in pieces {
            let expands = match piece {
                Piece::Part(Part::Text(text)) => wrappers::injected(&text),
                Piece::Notice(notice) if notice.kind == NoticeKind::Context => notice,
                Piece::Part(part) => {
                    match (&mut self.reply, self.entries.last_mut()) {
                        (Some(open), _) => open.reply.parts.push(part),
                        (None, Some(Entry::Prompt(prompt))) => prompt.parts.push(part),
                        (None, _) => self.open(None, time).reply.parts.push(part),
                    }
                    continue;
                }
                piece => {
                    if matches!(piece, Piece::Notice(_)) {
                        self.close_command();
                    }
                    self.piece(piece, &mut nobody, false);
                    continue;
                }
            };
            self.expansion(expands.at(time));
        }
    }

    /// Context that the program put in. After a command that printed nothing it is what the
    /// command stands for, and the command is then what the person asked.
    fn expansion(&mut self, notice: Notice) {
        let Some(typed) = self.command.take_if(|typed| typed.output.is_empty()) else {
            self.close_command();
            return self.notice(notice);
        };
        let message = typed.command.message;
        let message = message.map(|message| Notice::new(NoticeKind::Info, message).at(typed.time));
        self.prompt(Prompt {
            id: typed.id,
            time: typed.time,
            parts: vec![Part::Text(typed.command.words)],
            asides: message.into_iter().chain([notice]).collect(),
            ..Prompt::default()
        });
    }

    pub(super) fn close_command(&mut self) {
        let Some(typed) = self.command.take() else {
            return;
        };
        let words = typed.command.words;
        let title = one_line(&words, 200);
        let mut output = typed.output;
        if let Some(message) = typed.command.message {
            output = format!("{message}\n{output}");
        }
        if title != words {
            output = format!("{words}\n\n{output}");
        }
        let notice = Notice::new(NoticeKind::Command, title).with_body(Body::Output(output));
        self.entries.push(Entry::Notice(notice.at(typed.time)));
    }
}
