//! Blocks that a program wrote into a reply's text as elements of HTML. Strict: an element begins
//! on a line of its own, outside of code; its attributes are quoted; its end stands there too.
//! Everything else stays text.

/// A stretch of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Block<'a> {
    /// Text between elements.
    Text(&'a str),
    /// An element.
    Element {
        /// Its attributes with their values as they stand, in order.
        attributes: Vec<(&'a str, &'a str)>,
        /// What stands in it.
        inner: &'a str,
        /// The whole of it.
        whole: &'a str,
    },
}

/// Cuts a text at its elements of this name.
pub(crate) fn blocks<'a>(text: &'a str, name: &str) -> Vec<Block<'a>> {
    let open = format!("<{name}");
    let close = format!("</{name}>");
    let mut blocks = Vec::new();
    let mut from = 0;
    let mut at = 0;
    let mut fence: Option<&str> = None;
    while at < text.len() {
        let end = text[at..].find('\n').map_or(text.len(), |end| at + end + 1);
        let line = text[at..end].trim_start();
        let mark = fence_of(line);
        match (fence, mark) {
            (Some(opened), Some(mark)) if mark.starts_with(opened) && is_bare(line, mark) => {
                fence = None;
            }
            (None, Some(mark)) => fence = Some(mark),
            (None, None) if line.starts_with(&open) => {
                let start = end - line.len();
                if let Some((block, length)) = element(&text[start..], &open, &close) {
                    push_text(&mut blocks, &text[from..start]);
                    blocks.push(block);
                    from = start + length;
                    at = from;
                    continue;
                }
            }
            _ => {}
        }
        at = end;
    }
    push_text(&mut blocks, &text[from..]);
    blocks
}

fn push_text<'a>(blocks: &mut Vec<Block<'a>>, text: &'a str) {
    if !text.trim().is_empty() {
        blocks.push(Block::Text(text.trim_matches('\n')));
    }
}

/// The signs that a line of a code fence begins with.
fn fence_of(line: &str) -> Option<&str> {
    let sign = line
        .chars()
        .next()
        .filter(|sign| matches!(sign, '`' | '~'))?;
    let length = line.len() - line.trim_start_matches(sign).len();
    (length >= 3).then(|| &line[..length])
}

/// Whether nothing but the signs stands on a line: only such a line ends a fence.
fn is_bare(line: &str, mark: &str) -> bool {
    line[mark.len()..].trim().is_empty()
}

/// The element that a text begins with, and its length.
fn element<'a>(text: &'a str, open: &str, close: &str) -> Option<(Block<'a>, usize)> {
    let mut rest = text.strip_prefix(open)?;
    let mut attributes = Vec::new();
    let inner = loop {
        if let Some(inner) = rest.strip_prefix('>') {
            break inner;
        }
        let trimmed = rest.trim_start();
        if let Some(inner) = trimmed.strip_prefix('>') {
            break inner;
        }
        // Attributes are set apart by white space.
        if trimmed.len() == rest.len() {
            return None;
        }
        let (name, after) = trimmed.split_once("=\"")?;
        let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        if name.is_empty() || !name.chars().all(is_name) {
            return None;
        }
        let (value, after) = after.split_once('"')?;
        attributes.push((name, value));
        rest = after;
    };
    let length = end_of(inner, open, close)?;
    let start = text.len() - inner.len();
    let whole = start + length + close.len();
    let block = Block::Element {
        attributes,
        inner: &inner[..length],
        whole: &text[..whole],
    };
    Some((block, whole))
}

/// Where an element ends, elements of its own name in it counted.
fn end_of(inner: &str, open: &str, close: &str) -> Option<usize> {
    let mut depth = 0_u32;
    let mut at = 0;
    loop {
        let end = at + inner[at..].find(close)?;
        let opened = inner[at..end].matches(open).count();
        depth = depth.saturating_add(u32::try_from(opened).unwrap_or(u32::MAX));
        if depth == 0 {
            return Some(end);
        }
        depth -= 1;
        at = end + close.len();
    }
}

/// The text with the character references undone that such programs write.
pub(crate) fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let known = rest[1..].find(';').filter(|end| *end <= 8).and_then(|end| {
            let c = reference(&rest[1..=end])?;
            Some((c, end + 2))
        });
        let (c, length) = known.unwrap_or(('&', 1));
        out.push(c);
        rest = &rest[length..];
    }
    out.push_str(rest);
    out
}

fn reference(name: &str) -> Option<char> {
    match name {
        "quot" => Some('"'),
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "apos" => Some('\''),
        "nbsp" => Some('\u{a0}'),
        _ => {
            let number = name.strip_prefix('#')?;
            let hex = number.strip_prefix(['x', 'X']);
            let code = match hex {
                Some(hex) => u32::from_str_radix(hex, 16),
                None => number.parse(),
            };
            char::from_u32(code.ok()?)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> Vec<String> {
        let word = |block: Block<'_>| match block {
            Block::Text(text) => text.to_owned(),
            Block::Element {
                attributes, inner, ..
            } => format!("{attributes:?}{inner}"),
        };
        blocks(text, "box").into_iter().map(word).collect()
    }

    #[test]
    fn an_element_on_its_own_line_is_a_block() {
        assert_eq!(
            told("a\n<box x=\"1\" y=\"a > b\">\nin\n</box>\nb"),
            ["a", "[(\"x\", \"1\"), (\"y\", \"a > b\")]\nin\n", "b"]
        );
        assert_eq!(
            told("<box>a<box>b</box>c</box>d"),
            ["[]a<box>b</box>c", "d"]
        );
    }

    #[test]
    fn what_is_no_such_element_stays_text() {
        for text in [
            "in a line <box>a</box>",
            "<boxes>a</boxes>",
            "<box x=1>a</box>",
            "<box x>a</box>",
            "<box>never closed",
            "<box x=\"never closed",
            "```html\n<box>a</box>\n```",
            "~~~~\n~~~\n<box>a</box>",
            "```\n``` x\n<box>a</box>",
        ] {
            assert_eq!(told(text), [text], "{text}");
        }
        assert_eq!(told("```\nx\n```\n<box>a</box>").len(), 2);
    }

    #[test]
    fn references_are_undone_once() {
        assert_eq!(
            unescaped("&quot;a &amp;lt; &#39;&#x27; & &x; &unknown; &lt;"),
            "\"a &lt; '' & &x; &unknown; <"
        );
        assert_eq!(unescaped("&é;&"), "&é;&");
    }
}
