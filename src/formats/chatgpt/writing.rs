//! Blocks of writing: drafts that ChatGPT sets apart from what it says, as it keeps them in its
//! text.
//!
//! ```text
//! :::writing{variant="email" id="48317" subject="The tide table"}
//! Hello,
//! :::
//! ```

const OPEN: &str = ":::writing{";
const CLOSE: &str = ":::";

/// The text with each such block as a quotation under its subject. What is never closed, or stands
/// in code, stays as it is.
pub(super) fn quoted(text: &str) -> String {
    if !text.contains(OPEN) {
        return text.to_owned();
    }
    let lines: Vec<&str> = text.split('\n').collect();
    let mut out: Vec<String> = Vec::with_capacity(lines.len());
    let mut fence: Option<&str> = None;
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        let marks = fence_of(line);
        if let Some(open) = fence {
            if marks.is_some_and(|marks| marks.starts_with(open)) {
                fence = None;
            }
        } else if marks.is_some() {
            fence = marks;
        } else if let Some((attributes, first)) = opened(line) {
            let rest = &lines[at + 1..];
            if let Some(length) = rest.iter().position(|line| line.trim() == CLOSE) {
                quote(attributes, first, &rest[..length], &mut out);
                at += length + 2;
                continue;
            }
        }
        out.push((*line).to_owned());
        at += 1;
    }
    out.join("\n")
}

/// The attributes of a block that a line opens, and what stands behind them.
fn opened(line: &str) -> Option<(&str, &str)> {
    let (attributes, first) = line.trim_start().strip_prefix(OPEN)?.split_once('}')?;
    Some((attributes, first.trim()))
}

/// The marks of a line that opens or closes a block of code.
fn fence_of(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let mark = line.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let marks = &line[..line.len() - line.trim_start_matches(mark).len()];
    (marks.len() >= 3).then_some(marks)
}

fn quote(attributes: &str, first: &str, inner: &[&str], out: &mut Vec<String>) {
    // A paragraph before it would take its first line in.
    out.push(String::new());
    let heading = attribute(attributes, "subject").or_else(|| attribute(attributes, "title"));
    if let Some(heading) = heading.filter(|heading| !heading.trim().is_empty()) {
        let heading = heading.trim().replace(['*', '`', '\\'], "");
        out.extend([format!("> **{heading}**"), ">".to_owned()]);
    }
    let first = Some(first).filter(|first| !first.is_empty());
    let inner = first.into_iter().chain(inner.iter().copied());
    out.extend(inner.map(|line| format!("> {line}")));
    out.push(String::new());
}

/// The value of an attribute: `name="value"`.
fn attribute<'a>(attributes: &'a str, name: &str) -> Option<&'a str> {
    let (before, rest) = attributes.split_once(&format!("{name}=\""))?;
    let is_whole = before.is_empty() || before.ends_with(' ');
    is_whole.then(|| rest.split('"').next().unwrap_or(rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drafts_are_quoted_under_their_subject() {
        let text = "Here:\n:::writing{variant=\"email\" id=\"1\" subject=\"Tide *table*\"}\nHello,\n\n- a\n:::\nDone.";
        let quoted = quoted(text);
        assert_eq!(
            quoted,
            "Here:\n\n> **Tide table**\n>\n> Hello,\n> \n> - a\n\nDone."
        );
    }

    #[test]
    fn what_is_no_whole_draft_stays_as_it_is() {
        for text in [
            ":::writing{id=\"1\"}\nnever closed",
            "```\n:::writing{id=\"1\"}\nx\n:::\n```",
            "a :::writing{ b\n:::",
            ":::note{a}\nx\n:::",
        ] {
            assert_eq!(quoted(text), text);
        }
    }
}
