//! Blocks that a program keeps in a text between lines of colons:
//!
//! ```text
//! :::artifact{identifier="tides" title="The tide table"}
//! …
//! :::
//! ```
//!
//! Strict: a block begins on a line of its own, outside of code, and is closed by a line of three
//! colons, outside of code as well. Everything else stays text.

/// A stretch of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stretch<'a> {
    /// Text between blocks.
    Text(&'a str),
    /// A block.
    Block {
        /// Its name.
        name: &'a str,
        /// What stands in its braces.
        attributes: &'a str,
        /// What stands in it.
        inner: &'a str,
    },
}

/// Cuts a text at its blocks of these names.
pub(crate) fn directives<'a>(text: &'a str, names: &[&str]) -> Vec<Stretch<'a>> {
    let mut stretches = Vec::new();
    let mut fence = Fence::default();
    let mut from = 0;
    let mut at = 0;
    while at < text.len() {
        let end = end_of_line(text, at);
        let line = &text[at..end];
        let is_code = fence.see(line);
        if !is_code
            && let Some((name, attributes)) = opened(line, names)
            && let Some((inner, length)) = closed(&text[end..])
        {
            push_text(&mut stretches, &text[from..at]);
            stretches.push(Stretch::Block {
                name,
                attributes,
                inner,
            });
            from = end + length;
            at = from;
            continue;
        }
        at = end;
    }
    push_text(&mut stretches, &text[from..]);
    stretches
}

/// The value of an attribute: `name="value"`.
pub(crate) fn attribute<'a>(attributes: &'a str, name: &str) -> Option<&'a str> {
    let (before, rest) = attributes.split_once(&format!("{name}=\""))?;
    let is_whole = before.is_empty() || before.ends_with(' ');
    is_whole.then(|| rest.split('"').next().unwrap_or(rest))
}

/// The text of a block that is nothing but fenced code, without the fence; else the whole of it.
pub(crate) fn unfenced(inner: &str) -> &str {
    let text = inner.trim();
    let Some(marks) = marks_of(text) else {
        return inner;
    };
    let body = text.strip_suffix(marks);
    let body = body
        .and_then(|body| body.split_once('\n'))
        .map(|(_, body)| body);
    match body {
        Some(body) if !body.lines().any(|line| line.trim_end() == marks) => body.trim_end(),
        _ => inner,
    }
}

fn push_text<'a>(stretches: &mut Vec<Stretch<'a>>, text: &'a str) {
    if !text.trim().is_empty() {
        stretches.push(Stretch::Text(text.trim_matches('\n')));
    }
}

fn end_of_line(text: &str, at: usize) -> usize {
    text[at..].find('\n').map_or(text.len(), |end| at + end + 1)
}

/// The name and the attributes of a block that a line opens.
fn opened<'a>(line: &'a str, names: &[&str]) -> Option<(&'a str, &'a str)> {
    let rest = line.trim().strip_prefix(":::")?;
    let (name, attributes) = match rest.split_once('{') {
        Some((name, attributes)) => (name, attributes.strip_suffix('}')?),
        None => (rest, ""),
    };
    names.contains(&name).then_some((name, attributes))
}

/// What stands before the line that closes a block, and how far it is behind that.
fn closed(text: &str) -> Option<(&str, usize)> {
    let mut fence = Fence::default();
    let mut at = 0;
    while at < text.len() {
        let end = end_of_line(text, at);
        let line = &text[at..end];
        if !fence.see(line) && line.trim() == ":::" {
            return Some((text[..at].trim_matches('\n'), end));
        }
        at = end;
    }
    None
}

/// Whether the lines that are gone through are code.
#[derive(Default)]
struct Fence<'a>(Option<&'a str>);

impl<'a> Fence<'a> {
    /// Sees the next line; whether it is one of code, or opens or closes it.
    fn see(&mut self, line: &'a str) -> bool {
        let marks = marks_of(line);
        match self.0 {
            Some(open) => {
                let is_end =
                    marks.is_some_and(|marks| marks.starts_with(open) && line.trim() == marks);
                if is_end {
                    self.0 = None;
                }
                true
            }
            None => {
                self.0 = marks;
                marks.is_some()
            }
        }
    }
}

/// The marks of a line that opens or closes a block of code.
fn marks_of(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let mark = line.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let marks = &line[..line.len() - line.trim_start_matches(mark).len()];
    (marks.len() >= 3).then_some(marks)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_cut_out_with_their_attributes() {
        let text = "Here:\n:::a{x=\"1\" title=\"T\"}\n```js\n:::\n```\n:::\nDone.\n:::b\nin\n:::";
        assert_eq!(
            directives(text, &["a", "b"]),
            [
                Stretch::Text("Here:"),
                Stretch::Block {
                    name: "a",
                    attributes: "x=\"1\" title=\"T\"",
                    inner: "```js\n:::\n```",
                },
                Stretch::Text("Done."),
                Stretch::Block {
                    name: "b",
                    attributes: "",
                    inner: "in",
                },
            ]
        );
        assert_eq!(attribute("x=\"1\" title=\"T\"", "title"), Some("T"));
        assert_eq!(attribute("subtitle=\"T\"", "title"), None);
        assert_eq!(unfenced("```js\n:::\n```"), ":::");
        for whole in ["```\na\n```\nb\n```\nc\n```", "plain", "```"] {
            assert_eq!(unfenced(whole), whole);
        }
    }

    #[test]
    fn what_is_no_whole_block_stays_as_it_is() {
        for text in [
            ":::a\nnever closed",
            "```\n:::a\nx\n:::\n```",
            "a :::a\nx\n:::",
            ":::other\nx\n:::",
            ":::a{x=\"1\"\nx\n:::",
        ] {
            assert_eq!(directives(text, &["a"]), [Stretch::Text(text)]);
        }
    }
}
