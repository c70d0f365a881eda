//! Stretches of finished markup replaced, whatever tags stand in between: for the last look at a
//! page, when something is on it that must not be.

use std::ops::Range;

use super::Html;

impl Html {
    /// The same with words in the place of these stretches of [`Html::as_str`], which are in
    /// order, none over another. Tags inside a stretch stay. Of the words only letters, digits,
    /// blanks and `[ ] : # -` are kept, so that they can stand in a tag as well.
    pub(crate) fn with_masked(&self, stretches: &[(Range<usize>, String)]) -> Html {
        let mut out = String::with_capacity(self.0.len());
        let mut at = 0;
        for (span, words) in stretches {
            let Some(before) = self.0.get(at..span.start) else {
                continue;
            };
            out.push_str(before);
            let is_plain = |c: &char| c.is_ascii_alphanumeric() || " []:#-".contains(*c);
            out.extend(words.chars().filter(is_plain));
            at = span.start;
            while at < span.end {
                // A quote outside of a tag can only be the end of the value that the stretch
                // began in; the tag then goes on.
                let rest = &self.0[at..];
                let Some(markup) = rest.find(['<', '>', '"']).filter(|len| at + len < span.end)
                else {
                    at = span.end;
                    break;
                };
                let end = rest[markup..]
                    .find('>')
                    .map_or(rest.len(), |len| markup + len + 1);
                out.push_str(&rest[markup..end]);
                at += end;
            }
        }
        out.push_str(self.0.get(at..).unwrap_or(""));
        Html(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn masked(markup: &str, secret: &str) -> String {
        let start = markup.find(&secret[..3]).expect("it begins there");
        let end = markup
            .rfind(&secret[secret.len() - 3..])
            .expect("it ends there")
            + 3;
        let stretch = (start..end, "[redacted: <key> #1]".to_owned());
        Html(markup.to_owned())
            .with_masked(&[stretch])
            .into_string()
    }

    #[test]
    fn words_take_the_place_of_text_and_tags_stay() {
        let secret = "abcdefxyz";
        for (markup, after) in [
            ("<p>abcdefxyz!</p>", "<p>[redacted: key #1]!</p>"),
            (
                "<p>abc<b class=\"n\">def</b>xyz</p>",
                "<p>[redacted: key #1]<b class=\"n\"></b></p>",
            ),
            (
                "<a href=\"/abcdefxyz\">x</a>",
                "<a href=\"/[redacted: key #1]\">x</a>",
            ),
            (
                "<a href=\"/abc\" id=\"a\">def<i>xyz</i></a>",
                "<a href=\"/[redacted: key #1]\" id=\"a\"><i></i></a>",
            ),
        ] {
            assert_eq!(masked(markup, secret), after);
        }
    }
}
