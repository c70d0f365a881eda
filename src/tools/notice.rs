//! Notices: what neither person nor assistant said, as one quiet line with its text folded.

use askama::Template;

use crate::html::{Html, Text};
use crate::markdown;
use crate::model::{Body, Notice, NoticeKind};

use super::Drawing;
use super::boxes::{self, Tone};

#[derive(Template)]
#[template(path = "notice.html")]
struct NoticeTemplate<'a> {
    kind: &'static str,
    is_divider: bool,
    title: Text<'a>,
    body: Option<Html>,
}

/// Draws a notice. Compactions and interruptions are dividers, the rest are small lines.
pub(crate) fn notice(notice: &Notice, drawing: &Drawing<'_>) -> Html {
    let tone = if notice.kind == NoticeKind::Error {
        Tone::Failure
    } else {
        Tone::Output
    };
    let body = notice.body.as_ref().map(|body| match body {
        Body::Prose(text) => markdown::html(text, &drawing.fresh_id()),
        Body::Output(text) => boxes::output(text, tone, drawing),
        Body::Data(text) => boxes::data(text, drawing),
    });
    Html::render(&NoticeTemplate {
        kind: class(notice.kind),
        is_divider: matches!(
            notice.kind,
            NoticeKind::Compaction | NoticeKind::Interruption | NoticeKind::ModelChange
        ),
        title: Text(&notice.title),
        body,
    })
}

fn class(kind: NoticeKind) -> &'static str {
    match kind {
        NoticeKind::Compaction => "compaction",
        NoticeKind::Interruption => "interruption",
        NoticeKind::Command => "command",
        NoticeKind::Hook => "hook",
        NoticeKind::ModelChange => "model-change",
        NoticeKind::Error => "failed",
        NoticeKind::Reminder => "reminder",
        NoticeKind::Context => "context",
        NoticeKind::Task => "task",
        NoticeKind::Info => "info",
        NoticeKind::Unknown => "unknown",
    }
}
