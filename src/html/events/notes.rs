//! Footnotes: references where they stand, the notes themselves after the text, linked both ways.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::mem;

use super::{Open, Writer};
use crate::html::Plain;
use crate::html::text::write_text;

/// The footnotes of one text, in the order in which they are first met.
#[derive(Debug, Default)]
pub(super) struct Notes {
    notes: Vec<Note>,
    /// A note's place in `notes` by its label, folded: labels differ not by case.
    numbers: BTreeMap<String, usize>,
}

#[derive(Debug)]
struct Note {
    label: String,
    references: usize,
    /// The finished markup of every definition: a text may define a label twice.
    bodies: Vec<String>,
}

impl Notes {
    /// The number of the note with this label, which is made where there is none.
    fn number(&mut self, label: &str) -> usize {
        let next = self.notes.len();
        let number = *self.numbers.entry(label.to_lowercase()).or_insert(next);
        if number == next {
            self.notes.push(Note {
                label: label.to_owned(),
                references: 0,
                bodies: Vec::new(),
            });
        }
        number
    }

    /// Keeps a finished definition.
    pub(super) fn define(&mut self, number: usize, body: String) {
        self.notes[number].bodies.push(body);
    }

    /// Writes all notes as a list. A note that is only referred to still gets the place that its
    /// references lead to.
    pub(super) fn write(&self, scope: &str, out: &mut String) {
        if self.notes.is_empty() {
            return;
        }
        out.push_str("<dl class=\"notes\">\n");
        for (number, note) in self.notes.iter().enumerate() {
            let number = number + 1;
            put(out, format_args!("<dt id=\"{}-n{number}\">", Plain(scope)));
            write_text(&note.label, out).expect("writing to a String cannot fail");
            out.push_str("</dt><dd dir=\"auto\">");
            for body in &note.bodies {
                out.push_str(body);
            }
            for reference in 1..=note.references {
                let scope = Plain(scope);
                put(
                    out,
                    format_args!(
                        "<a href=\"#{scope}-n{number}-r{reference}\" aria-label=\"Back to reference {reference}\">↩</a> "
                    ),
                );
            }
            out.push_str("</dd>\n");
        }
        out.push_str("</dl>\n");
    }
}

impl Writer<'_, '_> {
    /// Writes a reference. Inside a link it leads nowhere, since links do not nest.
    pub(super) fn reference(&mut self, label: &str) {
        let index = self.notes.number(label);
        let note = &mut self.notes.notes[index];
        note.references += 1;
        let (number, reference) = (index + 1, note.references);
        let scope = Plain(self.scope);
        put(
            &mut self.out,
            format_args!("<sup id=\"{scope}-n{number}-r{reference}\">"),
        );
        if self.anchors == 0 {
            let label = Plain(label);
            put(
                &mut self.out,
                format_args!("<a href=\"#{scope}-n{number}\" aria-label=\"Note {label}\">"),
            );
        }
        self.write(label);
        self.out.push_str(if self.anchors == 0 {
            "</a></sup>"
        } else {
            "</sup>"
        });
    }

    /// Puts the page aside to write a note.
    pub(super) fn note(&mut self, label: &str) {
        let number = self.notes.number(label);
        let page = mem::take(&mut self.out);
        self.open.push(Open::Note(number, page));
    }
}

fn put(out: &mut String, markup: std::fmt::Arguments<'_>) {
    out.write_fmt(markup)
        .expect("writing to a String cannot fail");
}
