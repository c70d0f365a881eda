//! Where a lexer's tokens go: one piece of HTML, one piece a line, or a list of spans.

use std::ops::Range;

use crate::html::{Class, Html, Runs};

/// Takes tokens in their order and draws the text between them plainly.
pub(super) struct Painter<'t> {
    text: &'t str,
    /// The same with a word for each marker of a secret, whose signs are no code.
    words: &'t str,
    /// Up to where the text is drawn.
    at: usize,
    canvas: Canvas,
}

enum Canvas {
    Whole(Runs),
    Lines(Vec<Html>, Runs),
    Spans(Vec<(Range<usize>, Class)>),
}

impl<'t> Painter<'t> {
    /// Draws into one piece.
    pub(super) fn whole(text: &'t str, words: &'t str) -> Self {
        Self::new(
            text,
            words,
            Canvas::Whole(Runs::with_capacity(text.len() * 3 / 2)),
        )
    }

    /// Draws one piece a line.
    pub(super) fn by_line(text: &'t str, words: &'t str) -> Self {
        // What is left of the last line's end when its line feed was taken off.
        let text = text.strip_suffix('\r').unwrap_or(text);
        let words = &words[..text.len()];
        Self::new(text, words, Canvas::Lines(Vec::new(), Runs::default()))
    }

    /// Draws nothing and keeps the tokens.
    pub(super) fn spans(text: &'t str, words: &'t str) -> Self {
        Self::new(text, words, Canvas::Spans(Vec::new()))
    }

    fn new(text: &'t str, words: &'t str, canvas: Canvas) -> Self {
        debug_assert_eq!(
            text.len(),
            words.len(),
            "places in one are places in the other"
        );
        Self {
            text,
            words,
            at: 0,
            canvas,
        }
    }

    /// What a lexer reads: the text that is drawn, with words for markers.
    pub(super) fn words(&self) -> &'t str {
        self.words
    }

    /// Takes a token, which begins no earlier than the last one ended.
    pub(super) fn token(&mut self, range: Range<usize>, class: Class) {
        if range.is_empty() {
            return;
        }
        debug_assert!(range.start >= self.at, "tokens come in their order");
        if let Canvas::Spans(spans) = &mut self.canvas {
            spans.push((range, class));
            return;
        }
        self.advance(range.start, None);
        self.advance(range.end, Some(class));
    }

    /// The whole text as one piece.
    pub(super) fn into_html(mut self) -> Html {
        self.advance(self.text.len(), None);
        match self.canvas {
            Canvas::Whole(runs) => runs.finish(),
            Canvas::Lines(..) | Canvas::Spans(_) => Html::default(),
        }
    }

    /// The lines; after a last line feed an empty one.
    pub(super) fn into_lines(mut self) -> Vec<Html> {
        self.advance(self.text.len(), None);
        let Canvas::Lines(mut lines, runs) = self.canvas else {
            return Vec::new();
        };
        lines.push(runs.finish());
        lines
    }

    /// The tokens.
    pub(super) fn into_spans(self) -> Vec<(Range<usize>, Class)> {
        match self.canvas {
            Canvas::Spans(spans) => spans,
            Canvas::Whole(_) | Canvas::Lines(..) => Vec::new(),
        }
    }

    fn advance(&mut self, end: usize, class: Option<Class>) {
        let bytes = self.text.as_bytes();
        match &mut self.canvas {
            Canvas::Whole(runs) => piece(runs, self.text, self.at..end, class),
            Canvas::Lines(lines, runs) => {
                let mut at = self.at;
                while let Some(length) = memchr::memchr(b'\n', &bytes[at..end]) {
                    piece(runs, self.text, at..at + length, class);
                    lines.push(runs.take());
                    at += length + 1;
                }
                piece(runs, self.text, at..end, class);
            }
            Canvas::Spans(_) => {}
        }
        self.at = end;
    }
}

/// Draws one piece. The carriage return of a line end is left out here, since a piece that ends
/// between it and its line feed would show it as a mark.
fn piece(runs: &mut Runs, text: &str, mut range: Range<usize>, class: Option<Class>) {
    let bytes = text.as_bytes();
    if bytes[range.clone()].ends_with(b"\r") && bytes.get(range.end) == Some(&b'\n') {
        range.end -= 1;
    }
    if range.is_empty() {
        return;
    }
    match class {
        Some(class) => runs.classed(class, &text[range]),
        None => runs.text(&text[range]),
    }
}
