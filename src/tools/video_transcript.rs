//! Transcripts of videos.

use askama::Template;

use crate::html::Html;

use super::{Act, Body, Drawing, Glimpse, Label, ToolView, boxes, outcome};

/// Draws what is said in a video.
pub(crate) struct VideoTranscript;

#[derive(Template)]
#[template(path = "tools/video_transcript.html")]
struct VideoTranscriptTemplate {
    call: Html,
    result: Html,
}

impl ToolView for VideoTranscript {
    fn name(&self) -> &'static str {
        "video_transcript"
    }

    fn names(&self) -> &'static [&'static str] {
        &["youtube_transcript", "get_youtube_transcript"]
    }

    fn label(&self, _: &Act<'_>) -> Label {
        Label::words("Read a transcript")
    }

    fn activity(&self, _: &Act<'_>) -> String {
        "Reading a transcript".to_owned()
    }

    fn glimpse(&self, act: &Act<'_>) -> Glimpse {
        let names = &["url", "video_url", "videoId", "video_id", "id", "video"];
        Glimpse::Code(act.args.words_or_free(names).unwrap_or_default().to_owned())
    }

    fn outcome(&self, act: &Act<'_>) -> Option<String> {
        Some(outcome::lines_or_failure(act))
    }

    fn body(&self, act: &Act<'_>, drawing: &Drawing<'_>) -> Option<Body> {
        Some(Body::whole(&VideoTranscriptTemplate {
            call: boxes::rest(&act.args, &[], drawing),
            result: boxes::result(act, "Reading…", drawing),
        }))
    }
}

#[cfg(test)]
mod tests {
    use crate::tools::testing::{call, html, row, text};

    #[test]
    fn a_transcript_is_counted_in_lines() {
        let input = r#"{"url":"https://example.com/watch?v=1","lang":"en"}"#;
        let call = call("youtube_transcript", input, Some(Ok("Hello.\nBye.")));
        assert_eq!(
            row("dispatch", &call),
            "✓ youtube_transcript https://example.com/watch?v=1 → 2 lines"
        );
        let body = text(&html("dispatch", &call));
        assert!(body.contains("lang") && body.contains("Hello.\nBye."));
    }
}
