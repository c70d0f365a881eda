//! Foreign text on its way into a page: escaped, with invisible characters made visible.

use std::fmt::{self, Write};

use askama::filters::HtmlSafe;
use askama::{FastWritable, Values};

use super::invisible::{LOOK, MARKS_IN_A_ROW, is_combining, is_hidden, name, takes_joiners};

/// Foreign text as element content. Invisible and bidi characters become
/// `<span class="inv" title="RIGHT-TO-LEFT OVERRIDE">U+202E</span>`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Text<'a>(pub &'a str);

/// Foreign text where no element can stand: attribute values, `<title>`. Invisible and bidi
/// characters become `[U+202E]`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Plain<'a>(pub &'a str);

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_text(self.0, f)
    }
}

impl FastWritable for Text<'_> {
    fn write_into(&self, dest: &mut dyn Write, _: &dyn Values) -> askama::Result<()> {
        write_text(self.0, dest)?;
        Ok(())
    }
}

impl HtmlSafe for Text<'_> {}

impl fmt::Display for Plain<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_escaped(self.0, f, &mut |c, dest| {
            write!(dest, "[U+{:04X}]", c as u32)
        })
    }
}

impl FastWritable for Plain<'_> {
    fn write_into(&self, dest: &mut dyn Write, _: &dyn Values) -> askama::Result<()> {
        write!(dest, "{self}")?;
        Ok(())
    }
}

impl HtmlSafe for Plain<'_> {}

/// Writes foreign text as element content.
pub(super) fn write_text(text: &str, dest: &mut (impl Write + ?Sized)) -> fmt::Result {
    write_escaped(text, dest, &mut |c, dest| {
        let code = c as u32;
        match name(c) {
            Some(name) => write!(
                dest,
                "<span class=\"inv\" title=\"{name}\">U+{code:04X}</span>"
            ),
            None => write!(dest, "<span class=\"inv\">U+{code:04X}</span>"),
        }
    })
}

/// Escapes `text` into `dest`; hidden characters go through `mark`. Clean stretches are found by
/// a table over bytes and copied whole.
fn write_escaped<W: Write + ?Sized>(
    text: &str,
    dest: &mut W,
    mark: &mut impl FnMut(char, &mut W) -> fmt::Result,
) -> fmt::Result {
    let bytes = text.as_bytes();
    let mut clean = 0;
    let mut at = 0;
    let mut marks = 0;
    while at < bytes.len() {
        if !LOOK[usize::from(bytes[at])] {
            at += 1;
            // A continuation byte belongs to the character that was just passed.
            continue;
        }
        let c = text[at..]
            .chars()
            .next()
            .expect("`at` is inside the text, on a character");
        let next = at + c.len_utf8();
        let entity = match c {
            '&' => Some("&amp;"),
            '<' => Some("&lt;"),
            '>' => Some("&gt;"),
            '"' => Some("&quot;"),
            '\'' => Some("&#39;"),
            _ => None,
        };
        if let Some(entity) = entity {
            dest.write_str(&text[clean..at])?;
            dest.write_str(entity)?;
            clean = next;
        } else if is_combining(c) && !is_hidden(c) {
            marks = if at > 0 && text[..at].chars().next_back().is_some_and(is_combining) {
                marks + 1
            } else {
                1
            };
            if marks > MARKS_IN_A_ROW {
                dest.write_str(&text[clean..at])?;
                mark(c, dest)?;
                clean = next;
            }
        } else if is_hidden(c) || (matches!(c, '\u{200c}' | '\u{200d}') && !joins(text, at, next)) {
            dest.write_str(&text[clean..at])?;
            // A carriage return before a line feed is only the other system's line end.
            if !(c == '\r' && bytes.get(next) == Some(&b'\n')) {
                mark(c, dest)?;
            }
            clean = next;
        }
        at = next;
    }
    dest.write_str(&text[clean..])
}

/// Whether the joiner at `at..next` stands in a script or emoji sequence that uses joiners.
fn joins(text: &str, at: usize, next: usize) -> bool {
    text[..at].chars().next_back().is_some_and(takes_joiners)
        && text[next..].chars().next().is_some_and(takes_joiners)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_characters_are_escaped() {
        assert_eq!(
            Text("<b a=\"x\" c='y'>&amp;").to_string(),
            "&lt;b a=&quot;x&quot; c=&#39;y&#39;&gt;&amp;amp;"
        );
        assert_eq!(Plain("a\"b").to_string(), "a&quot;b");
    }

    #[test]
    fn bidi_and_invisible_characters_become_marks() {
        assert_eq!(
            Text("a\u{202e}b").to_string(),
            "a<span class=\"inv\" title=\"RIGHT-TO-LEFT OVERRIDE\">U+202E</span>b"
        );
        assert_eq!(Plain("a\u{202e}b").to_string(), "a[U+202E]b");
        assert_eq!(
            Text("x\u{0}y").to_string(),
            "x<span class=\"inv\" title=\"NULL\">U+0000</span>y"
        );
        // It is a combining character too.
        assert!(Text("a\u{34f}b").to_string().contains("U+034F"));
        assert_eq!(
            Text("\u{e0041}").to_string(),
            "<span class=\"inv\" title=\"TAG CHARACTER\">U+E0041</span>"
        );
    }

    #[test]
    fn joiners_stay_in_emoji_and_in_scripts_that_need_them() {
        let family = "👩\u{200d}👧 می\u{200c}خواهم ❤\u{fe0f}";
        assert_eq!(Text(family).to_string(), family);
        assert!(Text("pay\u{200d}load").to_string().contains("U+200D"));
    }

    #[test]
    fn ordinary_text_of_many_scripts_is_untouched() {
        let text = "naïve café → “quoted” 日本語 проверка שלום مرحبا ไทย\n\ttabs é ﷺ 🙂";
        assert_eq!(Text(text).to_string(), text);
    }

    #[test]
    fn a_long_row_of_combining_marks_is_cut_to_marks() {
        let zalgo = format!("a{}", "\u{301}".repeat(20));
        let shown = Text(&zalgo).to_string();
        assert_eq!(shown.matches('\u{301}').count(), MARKS_IN_A_ROW);
        assert_eq!(shown.matches("U+0301").count(), 12);
    }

    #[test]
    fn windows_line_ends_lose_their_carriage_return() {
        assert_eq!(Text("a\r\nb").to_string(), "a\nb");
        assert!(Text("a\rb").to_string().contains("CARRIAGE RETURN"));
    }
}
