//! Runs of text with a class from a closed list: what the lexer, ANSI and diff draw with.

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
    /// Code: an attribute, decorator, key, variable, option.
    Attribute,
    /// Code: the line number in front of a line.
    Gutter,
    /// Code: the `$` before a command, which cannot be selected.
    Prompt,
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
}

/// A span's opening tag. Whole tags are kept ready, because code has a span every few bytes.
macro_rules! tag {
    ($name:literal) => {
        concat!("<span class=\"", $name, "\">")
    };
}

/// The tags of the sixteen foreground colours.
const FOREGROUND: [&str; 16] = [
    tag!("f0"),
    tag!("f1"),
    tag!("f2"),
    tag!("f3"),
    tag!("f4"),
    tag!("f5"),
    tag!("f6"),
    tag!("f7"),
    tag!("f8"),
    tag!("f9"),
    tag!("fa"),
    tag!("fb"),
    tag!("fc"),
    tag!("fd"),
    tag!("fe"),
    tag!("ff"),
];

/// The tags of the eight background colours.
const BACKGROUND: [&str; 8] = [
    tag!("b0"),
    tag!("b1"),
    tag!("b2"),
    tag!("b3"),
    tag!("b4"),
    tag!("b5"),
    tag!("b6"),
    tag!("b7"),
];

impl Class {
    /// The class as the style sheet spells it; one or two letters, since code has many.
    pub(crate) fn name(self) -> &'static str {
        let tag = self.tag();
        &tag["<span class=\"".len()..tag.len() - "\">".len()]
    }

    /// The opening tag of a span that has this class alone.
    fn tag(self) -> &'static str {
        match self {
            Class::Keyword => tag!("k"),
            Class::Str => tag!("s"),
            Class::Number => tag!("n"),
            Class::Comment => tag!("c"),
            Class::Function => tag!("f"),
            Class::Type => tag!("t"),
            Class::Attribute => tag!("a"),
            Class::Gutter => tag!("g"),
            Class::Prompt => tag!("ps"),
            Class::Added => tag!("ad"),
            Class::Removed => tag!("rm"),
            Class::Hunk => tag!("hk"),
            Class::Context => tag!("cx"),
            Class::Word => tag!("w"),
            Class::Bold => tag!("bo"),
            Class::Faint => tag!("dm"),
            Class::Italic => tag!("it"),
            Class::Underline => tag!("ul"),
            Class::Struck => tag!("st"),
            Class::Reverse => tag!("rv"),
            Class::Foreground(n) => FOREGROUND[usize::from(n & 15)],
            Class::Background(n) => BACKGROUND[usize::from(n & 7)],
            Class::Remark => tag!("re"),
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
        self.out.push_str(class.tag());
        self.open += 1;
    }

    /// Opens one span that carries several classes.
    pub(crate) fn open_all(&mut self, classes: &[Class]) {
        self.out.push_str("<span class=\"");
        for (index, class) in classes.iter().enumerate() {
            if index > 0 {
                self.out.push(' ');
            }
            self.out.push_str(class.name());
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
        self.close_all();
        Html(self.out)
    }

    /// The piece so far, its spans closed, in just the room it needs. The builder is empty
    /// afterwards and can build the next piece without new room.
    pub(crate) fn take(&mut self) -> Html {
        self.close_all();
        let html = Html(self.out.as_str().to_owned());
        self.out.clear();
        html
    }

    fn close_all(&mut self) {
        while self.open > 0 {
            self.close();
        }
    }
}

#[cfg(test)]
impl Class {
    /// Every class there is.
    pub(crate) fn all() -> impl Iterator<Item = Class> {
        [
            Class::Keyword,
            Class::Str,
            Class::Number,
            Class::Comment,
            Class::Function,
            Class::Type,
            Class::Attribute,
            Class::Gutter,
            Class::Prompt,
            Class::Added,
            Class::Removed,
            Class::Hunk,
            Class::Context,
            Class::Word,
            Class::Bold,
            Class::Faint,
            Class::Italic,
            Class::Underline,
            Class::Struck,
            Class::Reverse,
            Class::Remark,
        ]
        .into_iter()
        .chain((0..16).map(Class::Foreground))
        .chain((0..8).map(Class::Background))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_classes_share_a_name() {
        let mut names: Vec<&str> = Class::all().map(Class::name).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }

    #[test]
    fn spans_left_open_are_closed_at_the_end() {
        let mut runs = Runs::default();
        runs.open_all(&[Class::Bold, Class::Foreground(1)]);
        runs.classed(Class::Word, "<");
        assert_eq!(
            runs.finish().as_str(),
            "<span class=\"bo f1\"><span class=\"w\">&lt;</span></span>"
        );
    }
}
