//! The words of an answer that is kept as HTML, as Markdown: paragraphs, headings, lists, code,
//! emphasis, tables and links; of everything else the text.

use crate::formats::chat::unescaped;

/// The Markdown of a piece of HTML.
pub(super) fn markdown(html: &str) -> String {
    let mut writer = Writer::default();
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        writer.text(&rest[..at]);
        let Some(length) = rest[at..].find('>') else {
            rest = &rest[at..];
            break;
        };
        let tag = &rest[at + 1..at + length];
        // What does not begin as a tag is a sign of the text.
        if tag.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '!')) {
            writer.tag(tag);
            rest = &rest[at + length + 1..];
        } else {
            writer.text("<");
            rest = &rest[at + 1..];
        }
    }
    writer.text(rest);
    writer.finish()
}

#[derive(Default)]
struct Writer {
    out: String,
    /// The lists that are open, with the number of the next item of those that count.
    lists: Vec<Option<u32>>,
    /// Where the links that are open go.
    links: Vec<String>,
    is_code: bool,
    /// Cells of the row that is open, and whether a row was written.
    cells: usize,
    rows: usize,
}

impl Writer {
    fn text(&mut self, text: &str) {
        let text = unescaped(text);
        if self.is_code {
            self.out.push_str(&text);
            return;
        }
        let is_at_start = self.out.ends_with(['\n', ' ']) || self.out.is_empty();
        let mut words = text.split_whitespace().peekable();
        let starts_apart = text.starts_with(char::is_whitespace);
        if starts_apart && !is_at_start {
            self.out.push(' ');
        }
        let has_words = words.peek().is_some();
        self.out.push_str(&words.collect::<Vec<_>>().join(" "));
        if has_words && text.ends_with(char::is_whitespace) {
            self.out.push(' ');
        }
    }

    fn tag(&mut self, tag: &str) {
        let closes = tag.starts_with('/');
        let name = tag.trim_start_matches('/');
        let name = name
            .split(|c: char| c.is_whitespace() || c == '/')
            .next()
            .unwrap_or("");
        let name = name.to_ascii_lowercase();
        match (name.as_str(), closes) {
            ("pre", false) => {
                self.paragraph();
                self.out.push_str("```\n");
                self.is_code = true;
            }
            ("pre", true) => {
                let line = if self.out.ends_with('\n') { "" } else { "\n" };
                self.out.push_str(line);
                self.out.push_str("```");
                self.is_code = false;
                self.paragraph();
            }
            _ if self.is_code => {}
            ("p" | "div" | "blockquote" | "hr", _) => self.paragraph(),
            ("br", _) => self.out.push_str("  \n"),
            ("strong" | "b", _) => self.out.push_str("**"),
            ("em" | "i", _) => self.out.push('*'),
            ("code", _) => self.out.push('`'),
            ("ul", false) => self.lists.push(None),
            ("ol", false) => self.lists.push(Some(1)),
            ("ul" | "ol", true) => {
                self.lists.pop();
                self.paragraph();
            }
            ("li", false) => self.item(),
            ("a", false) => {
                let url = tag
                    .split_once("href=\"")
                    .and_then(|(_, rest)| rest.split_once('"'));
                self.links
                    .push(url.map_or_else(String::new, |(url, _)| unescaped(url)));
                self.out.push('[');
            }
            ("a", true) => {
                if let Some(url) = self.links.pop() {
                    self.out += &format!("](<{}>)", url.replace(['<', '>', '\n'], ""));
                }
            }
            ("table", _) => {
                self.paragraph();
                self.rows = 0;
            }
            ("tr", false) => self.cells = 0,
            ("td" | "th", false) => self.out.push_str("| "),
            ("td" | "th", true) => {
                self.cells += 1;
                self.out.push(' ');
            }
            ("tr", true) => self.row(),
            _ => self.heading(&name, closes),
        }
    }

    fn heading(&mut self, name: &str, closes: bool) {
        let level = name
            .strip_prefix('h')
            .and_then(|level| level.parse::<usize>().ok());
        let Some(level) = level.filter(|level| (1..=6).contains(level)) else {
            return;
        };
        self.paragraph();
        if !closes {
            self.out.push_str(&"#".repeat(level));
            self.out.push(' ');
        }
    }

    fn row(&mut self) {
        self.out.push_str("|\n");
        if self.rows == 0 {
            self.out.push_str(&"| --- ".repeat(self.cells));
            self.out.push_str("|\n");
        }
        self.rows += 1;
    }

    fn item(&mut self) {
        let trimmed = self.out.trim_end().len();
        self.out.truncate(trimmed);
        if trimmed > 0 {
            self.out
                .push_str(if self.lists.len() > 1 { "\n" } else { "\n\n" });
        }
        let depth = self.lists.len().saturating_sub(1).min(16);
        self.out.push_str(&"    ".repeat(depth));
        match self.lists.last_mut() {
            Some(Some(number)) => {
                self.out += &format!("{number}. ");
                *number = number.saturating_add(1);
            }
            _ => self.out.push_str("- "),
        }
    }

    fn paragraph(&mut self) {
        // The first paragraph of an item begins on its line.
        let line = self
            .out
            .rsplit('\n')
            .next()
            .unwrap_or_default()
            .trim_start();
        let is_bare = |line: &str| {
            let number = line.trim_end().trim_end_matches('.');
            line == "- "
                || (!number.is_empty()
                    && line.ends_with(". ")
                    && number.chars().all(|c| c.is_ascii_digit()))
        };
        if self.out.is_empty() || is_bare(line) {
            return;
        }
        let trimmed = self.out.trim_end().len();
        self.out.truncate(trimmed);
        self.out.push_str("\n\n");
    }

    fn finish(mut self) -> String {
        if self.is_code {
            self.out.push_str("\n```");
        }
        self.out.trim().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::markdown;

    #[test]
    fn what_has_a_sign_in_markdown_is_written_with_it() {
        let html = "<h2>Beds</h2><p>2 &lt; 3 and <strong>so</strong> <em>on</em>,\n<a href=\"https://example.com/a?b=1&amp;c\">there</a>.</p>\
            <ul><li><p>one</p></li><li>two<ol><li>a</li></ol></li></ul><pre><code>x = 1\n  y</code></pre>\
            <table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>";
        let expected = "## Beds\n\n2 < 3 and **so** *on*, [there](<https://example.com/a?b=1&c>).\n\n\
            - one\n\n- two\n    1. a\n\n```\nx = 1\n  y\n```\n\n| a | b |\n| --- | --- |\n| 1 | 2 |";
        assert_eq!(markdown(html), expected);
    }

    #[test]
    fn odd_html_keeps_its_words() {
        for (html, words) in [
            ("a < b", "a < b"),
            ("<b", "<b"),
            ("</a></ul></pre>x", "```\n\nx"),
            ("<script>x</script>", "x"),
            ("<pre>open", "```\nopen\n```"),
        ] {
            assert_eq!(markdown(html), words, "{html}");
        }
    }
}
