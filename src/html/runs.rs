//! Runs of text with a class from a closed list: what the lexer, ANSI and diff draw with.

use std::fmt::Write;

use super::Html;
use super::text::write_text;

/// The classes that runs of foreign text may carry. A closed list: nothing in an input can name
/// a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Class {
    /// Code: a keyword.
    Keyword,
    /// Code: a string or character literal.
    Str,
    /// Code: a number, a boolean, a null.
    Number,
    /// Code: a comment.
    Comment,
    /// Code: the name of a function that is defined or called.
    Function,
    /// Code: a type.
    Type,
    /// Code: an attribute, decorator, tag name, key.
    Attribute,
    /// Diff: a line that was added.
    Added,
    /// Diff: a line that was taken away.
    Removed,
    /// Diff: a hunk's head or a gap.
    Hunk,
    /// Diff: a line that stayed.
    Context,
    /// Diff: the words inside a changed line that differ.
    Word,
    /// ANSI: bold.
    Bold,
    /// ANSI: faint.
    Faint,
    /// ANSI: italic.
    Italic,
    /// ANSI: underlined.
    Underline,
    /// ANSI: struck through.
    Struck,
    /// ANSI: reversed colours.
    Reverse,
    /// ANSI: one of the sixteen foreground colours, 0 to 15.
    Foreground(u8),
    /// ANSI: one of the eight background colours, 0 to 7.
    Background(u8),
    /// A quiet remark of foldout's own inside foreign text.
    Remark,
    /// A `<mark>`-like stress, such as a search pattern.
    Stress,
}

/// The names of the sixteen colours' classes.
const FOREGROUND: [&str; 16] = [
    "f0", "f1", "f2", "f3", "f4", "f5", "f6", "f7", "f8", "f9", "fa", "fb", "fc", "fd", "fe", "ff",
];
const BACKGROUND: [&str; 8] = ["b0", "b1", "b2", "b3", "b4", "b5", "b6", "b7"];

impl Class {
    /// The class as the style sheet spells it; one or two letters, since code has many.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Class::Keyword => "k",
            Class::Str => "s",
            Class::Number => "n",
            Class::Comment => "c",
            Class::Function => "f",
            Class::Type => "t",
            Class::Attribute => "a",
            Class::Added => "ad",
            Class::Removed => "rm",
            Class::Hunk => "hk",
            Class::Context => "cx",
            Class::Word => "w",
            Class::Bold => "bo",
            Class::Faint => "dm",
            Class::Italic => "it",
            Class::Underline => "ul",
            Class::Struck => "st",
            Class::Reverse => "rv",
            Class::Foreground(n) => FOREGROUND[usize::from(n & 15)],
            Class::Background(n) => BACKGROUND[usize::from(n & 7)],
            Class::Remark => "re",
            Class::Stress => "ss",
        }
    }
}

/// Builds an [`Html`] from text and `<span>`s of a [`Class`].
#[derive(Debug, Default)]
pub(crate) struct Runs {
    out: String,
    open: usize,
}

impl Runs {
    /// A builder with room for about `bytes` of text.
    pub(crate) fn with_capacity(bytes: usize) -> Self {
        Self {
            out: String::with_capacity(bytes + bytes / 4),
            open: 0,
        }
    }

    /// Appends text without a class of its own.
    pub(crate) fn text(&mut self, text: &str) {
        write_text(text, &mut self.out).expect("writing to a String cannot fail");
    }

    /// Appends text of one class.
    pub(crate) fn classed(&mut self, class: Class, text: &str) {
        self.open(class);
        self.text(text);
        self.close();
    }

    /// Opens a span that lasts until the matching [`Runs::close`].
    pub(crate) fn open(&mut self, class: Class) {
        self.open_all(&[class]);
    }

    /// Opens one span that carries several classes.
    pub(crate) fn open_all(&mut self, classes: &[Class]) {
        self.out.push_str("<span class=\"");
        for (index, class) in classes.iter().enumerate() {
            let gap = if index == 0 { "" } else { " " };
            write!(self.out, "{gap}{}", class.name()).expect("writing to a String cannot fail");
        }
        self.out.push_str("\">");
        self.open += 1;
    }

    /// Closes the span opened last; does nothing when none is open.
    pub(crate) fn close(&mut self) {
        if self.open > 0 {
            self.out.push_str("</span>");
            self.open -= 1;
        }
    }

    /// Appends finished HTML.
    pub(crate) fn html(&mut self, html: &Html) {
        self.out.push_str(html.as_str());
    }

    /// The finished piece; spans still open are closed.
    pub(crate) fn finish(mut self) -> Html {
        while self.open > 0 {
            self.close();
        }
        Html(self.out)
    }
}
