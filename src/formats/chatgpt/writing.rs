//! Blocks of writing: drafts that ChatGPT sets apart from what it says, as it keeps them in its
//! text.

use crate::formats::chat::{Stretch, attribute, directives};

/// The text with each such block as a quotation under its subject.
pub(super) fn quoted(text: &str) -> String {
    if !text.contains(":::writing") {
        return text.to_owned();
    }
    let stretches = directives(text, &["writing"]).into_iter();
    let texts = stretches.map(|stretch| match stretch {
        Stretch::Text(text) => text.to_owned(),
        Stretch::Block {
            attributes, inner, ..
        } => quotation(attributes, inner),
    });
    texts.collect::<Vec<_>>().join("\n\n")
}

fn quotation(attributes: &str, inner: &str) -> String {
    let heading = attribute(attributes, "subject").or_else(|| attribute(attributes, "title"));
    let heading = heading.unwrap_or_default().replace(['*', '`', '\\'], "");
    let mut lines = Vec::new();
    if !heading.trim().is_empty() {
        lines.extend([format!("> **{}**", heading.trim()), ">".to_owned()]);
    }
    lines.extend(inner.lines().map(|line| format!("> {line}")));
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drafts_are_quoted_under_their_subject() {
        let text = "Here:\n:::writing{variant=\"email\" id=\"1\" subject=\"Tide *table*\"}\nHello,\n\n- a\n:::\nDone.";
        assert_eq!(
            quoted(text),
            "Here:\n\n> **Tide table**\n>\n> Hello,\n> \n> - a\n\nDone."
        );
        let plain = "What `:::writing{}` is for.";
        assert_eq!(quoted(plain), plain);
    }
}
