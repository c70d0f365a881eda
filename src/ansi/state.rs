//! A line while it is written and written over.

use super::style::Style;
use crate::html::{Class, Html, Runs, is_combining};

/// What a line shows, and how often it showed something else before.
#[derive(Debug, Default)]
pub(super) struct State {
    text: String,
    /// Where each style begins in the text.
    styles: Vec<(usize, Style)>,
    /// What stands at and after the cursor when it was moved back, the nearest last.
    ahead: Vec<(char, Style)>,
    /// Whether the cursor was moved back since something was last lost.
    moved_back: bool,
    /// How many states were written over.
    earlier: usize,
    /// The state before the carriage return, for the case that nothing comes after it.
    kept: Option<(String, Vec<(usize, Style)>)>,
}

impl State {
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Prints text without controls that steer the line.
    pub(super) fn print(&mut self, text: &str, style: Style) {
        let mut rest = text;
        while let Some(c) = rest.chars().next() {
            let Some(over) = self.ahead.pop() else {
                break;
            };
            rest = &rest[c.len_utf8()..];
            let (c, style) = self.overwrite(over, (c, style));
            self.push(c.encode_utf8(&mut [0; 4]), style);
        }
        self.push(rest, style);
    }

    pub(super) fn step_back(&mut self) {
        let Some(c) = self.text.pop() else {
            return;
        };
        self.ahead.push((c, self.style_of_last()));
        self.moved_back = true;
        let end = self.text.len();
        while self.styles.pop_if(|(start, _)| *start >= end).is_some() {}
    }

    pub(super) fn return_carriage(&mut self) {
        self.restore_ahead();
        if !self.text.trim().is_empty() {
            self.earlier += usize::from(self.kept.is_some());
            self.kept = Some((
                std::mem::take(&mut self.text),
                std::mem::take(&mut self.styles),
            ));
        }
        self.text.clear();
        self.styles.clear();
    }

    /// Ends the line: its last state is the last that showed anything.
    pub(super) fn finish(&mut self) {
        self.restore_ahead();
        let Some(kept) = self.kept.take() else {
            return;
        };
        if self.text.trim().is_empty() {
            (self.text, self.styles) = kept;
        } else {
            self.earlier += 1;
        }
    }

    /// The line, with the count of what it showed before.
    pub(super) fn html(&self) -> Html {
        let mut runs = Runs::with_capacity(self.text.len());
        let mut at = 0;
        let mut style = Style::default();
        let end = (self.text.len(), Style::default());
        for (start, next) in self.styles.iter().copied().chain([end]) {
            // Combining marks stay with what they stand on: a run of them that is cut by spans
            // would pile up beyond the limit that text in one piece has.
            let start = at.max(start);
            let marks = self.text[start..].chars().take_while(|c| is_combining(*c));
            let start = start + marks.map(char::len_utf8).sum::<usize>();
            draw(&mut runs, &self.text[at..start], style);
            (at, style) = (start, next);
        }
        if self.earlier > 0 {
            let states = if self.earlier == 1 { "state" } else { "states" };
            let remark = format!(" (+{} earlier {states})", self.earlier);
            runs.classed(Class::Remark, &remark);
        }
        runs.finish()
    }

    /// What becomes of a character that is printed over another. Printers and manual pages wrote
    /// bold as a letter over itself and underlining as a letter over `_`; everything else is lost
    /// and counted.
    fn overwrite(
        &mut self,
        (old, old_style): (char, Style),
        (new, style): (char, Style),
    ) -> (char, Style) {
        let mut both = style;
        both.bold |= old_style.bold;
        both.underline |= old_style.underline;
        match (old, new) {
            (' ', _) => (new, style),
            _ if old == new => {
                both.bold = true;
                (new, both)
            }
            (letter, '_') | ('_', letter) if letter != ' ' => {
                both.underline = true;
                (letter, both)
            }
            _ => {
                self.earlier += usize::from(self.moved_back);
                self.moved_back = false;
                (new, style)
            }
        }
    }

    fn push(&mut self, text: &str, style: Style) {
        if text.is_empty() {
            return;
        }
        if self.style_of_last() != style {
            self.styles.push((self.text.len(), style));
        }
        self.text.push_str(text);
    }

    fn restore_ahead(&mut self) {
        while let Some((c, style)) = self.ahead.pop() {
            self.push(c.encode_utf8(&mut [0; 4]), style);
        }
    }

    fn style_of_last(&self) -> Style {
        self.styles
            .last()
            .map(|(_, style)| *style)
            .unwrap_or_default()
    }
}

fn draw(runs: &mut Runs, text: &str, style: Style) {
    if text.is_empty() {
        return;
    }
    let classes = style.classes();
    if classes.is_empty() {
        runs.text(text);
    } else {
        runs.open_all(&classes);
        runs.text(text);
        runs.close();
    }
}
