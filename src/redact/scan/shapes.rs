//! Tries a rule where one of its literals stands, also when its text was wrapped at a line's end
//! or put together from pieces.

use std::ops::Range;
use std::sync::OnceLock;

use regex::Regex;

use crate::redact::rules::{Look, Rule};

use super::looks::{ends_alone, is_drawn, is_random, starts_alone};
use super::mapped::Mapped;
use super::placeholders::is_placeholder;

/// How far behind its literal a match can end.
const AHEAD: usize = 4_096;

/// How far behind its literal a match can end that begins before it.
const BEHIND: usize = 1_024;

/// A rule with its pattern, which is compiled when it is needed first.
#[derive(Debug)]
pub(super) struct Shape {
    /// The rule.
    pub(super) rule: &'static Rule,
    pattern: OnceLock<Option<Regex>>,
    is_loose: bool,
}

/// What a rule found.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Match {
    /// Where.
    pub(super) span: Range<usize>,
    /// The secret without what stood between its pieces; `None` when it is in one piece.
    pub(super) value: Option<String>,
}

impl Shape {
    /// A rule, not yet compiled.
    pub(super) fn of(rule: &'static Rule) -> Self {
        Self {
            rule,
            pattern: OnceLock::new(),
            is_loose: rule.pattern.starts_with("(?i)"),
        }
    }

    /// What the rule finds where its literal stands.
    pub(super) fn try_at(
        &self,
        text: &str,
        literal: &Range<usize>,
        written: &str,
    ) -> Option<Match> {
        if !self.is_loose && &text[literal.clone()] != written && !written.starts_with("discord") {
            return None;
        }
        let rule = self.rule;
        let starts_with_word = written.starts_with(|c: char| c.is_ascii_alphanumeric());
        let is_glued = rule.reach == 0 && starts_with_word && !starts_alone(text, literal.start);
        if is_glued && !may_be_glued(rule, text, literal) {
            return None;
        }
        // With the bytes before, to see whether a match can begin there.
        let reach = if rule.reach == 0 { 0 } else { rule.reach + 2 };
        let from = floor(text, literal.start.saturating_sub(reach));
        let window = &text[from..floor(text, literal.end + AHEAD)];
        let limit = from + window.len();
        let literal = literal.start - from..literal.end - from;
        let whole = self.find(window, &literal);
        if is_glued {
            let whole = whole.filter(|whole| {
                whole.end >= literal.end + 20 && is_random(&window[literal.end..whole.end])
            })?;
            return Some(Match {
                span: from + whole.start..end_of_token(text, from + whole.end, limit),
                value: None,
            });
        }
        let pieces = (rule.reach == 0)
            .then(|| pieces(window, whole.as_ref()))
            .flatten();
        if let Some(copy) = pieces
            && let Some(found) = self.find(&copy.text, &literal)
        {
            let span = copy.origin(&found);
            let is_longer = whole.as_ref().is_none_or(|whole| whole.len() < found.len());
            if is_longer && span.len() > found.len() {
                return Some(Match {
                    span: from + span.start..from + span.end,
                    value: Some(copy.text[found].to_owned()),
                });
            }
        }
        whole.map(|span| Match {
            span: from + span.start..end_of_token(text, from + span.end, limit),
            value: None,
        })
    }

    fn find(&self, window: &str, literal: &Range<usize>) -> Option<Range<usize>> {
        let pattern = self.pattern.get_or_init(|| {
            let anchor = if self.rule.reach == 0 { r"\A" } else { "" };
            Regex::new(&format!("{anchor}(?:{})", self.rule.pattern)).ok()
        });
        let pattern = pattern.as_ref()?;
        let window = if self.rule.reach == 0 {
            &window[literal.start..]
        } else {
            &window[..floor(window, literal.end + self.rule.reach + BEHIND)]
        };
        let shift = if self.rule.reach == 0 {
            literal.start
        } else {
            0
        };
        pattern
            .captures_iter(window)
            .take(16)
            .filter_map(|captures| {
                let whole = captures.get(0)?;
                let is_here =
                    whole.start() + shift <= literal.start && whole.end() + shift >= literal.end;
                let part = captures.iter().skip(1).flatten().next().unwrap_or(whole);
                is_here.then(|| (whole.range(), part.range()))
            })
            .find(|(whole, part)| self.fits(window, whole, part))
            .map(|(_, part)| part.start + shift..part.end + shift)
    }

    /// What a pattern cannot say: the neighbours and the look.
    fn fits(&self, window: &str, whole: &Range<usize>, part: &Range<usize>) -> bool {
        let value = &window[part.clone()];
        let is_word = |byte: Option<u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric());
        let first = window[whole.clone()].bytes().next();
        // What stands before a match at the window's beginning was looked at already.
        let starts = starts_alone(window, whole.start) || !is_word(first);
        let ends = ends_alone(window, part.end) || !is_word(value.bytes().next_back());
        if !starts || !ends {
            return false;
        }
        let literal = self
            .rule
            .literals
            .iter()
            .find(|literal| value.starts_with(**literal));
        let body = literal.map_or(value, |literal| &value[literal.len()..]);
        match self.rule.look {
            Look::Any => !is_placeholder(value),
            Look::GithubChecksum if has_github_checksum(value) => true,
            Look::Random | Look::GithubChecksum => {
                !is_placeholder(body) && !is_placeholder(value) && is_drawn(body)
            }
        }
    }
}

/// Whether a token can stand directly after something else, as in `prefix_ghp_…`: its literal has
/// a sign in it, so that no word and no base64 has it by chance.
fn may_be_glued(rule: &Rule, text: &str, literal: &Range<usize>) -> bool {
    let before = text[..literal.start].bytes().next_back();
    let is_own = text[literal.clone()].len() >= 4 && text[literal.clone()].ends_with(['_', '-']);
    let is_before = before.is_some_and(|byte| byte == b'_' || byte.is_ascii_lowercase());
    rule.look != Look::Any && is_own && is_before
}

/// Where a token ends that was found up to `end`, when the search or a pattern's own limit stopped
/// within it: no part of it may stay.
fn end_of_token(text: &str, end: usize, limit: usize) -> usize {
    let bytes = text.as_bytes();
    let is_within = end > 0
        && bytes[end - 1].is_ascii_alphanumeric()
        && bytes.get(end).is_some_and(u8::is_ascii_alphanumeric);
    if end < limit && !is_within {
        return end;
    }
    let rest = bytes[end..].iter();
    end + rest
        .take_while(|byte| byte.is_ascii_alphanumeric() || b"_-+/=".contains(byte))
        .count()
}

/// The window with its pieces put together from the end of the first piece on; `None` when it is
/// in one piece. `whole` is what was found without that.
fn pieces(window: &str, whole: Option<&Range<usize>>) -> Option<Mapped> {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"_-+/=.~%!$:".contains(&byte);
    let bytes = window.as_bytes();
    let run = |from: usize| {
        bytes[from.min(bytes.len())..]
            .iter()
            .take_while(|byte| is_part(**byte))
            .count()
    };
    let mut at = run(0);
    if let Some(whole) = whole {
        // A match that does not end where its piece ends is whole.
        if whole.end != at || !(is_wrapped(window, at) || is_joined(window, at)) {
            return None;
        }
    }
    let mut copy = Mapped::default();
    copy.keep(&window[..at], 0);
    let mut count = 0;
    while let Some(next) = joint(window, at) {
        let len = run(next);
        count += 1;
        if len == 0 || count > 64 {
            break;
        }
        copy.keep(&window[next..next + len], next);
        at = next + len;
    }
    (count > 0).then_some(copy)
}

/// Whether a line that ends here was broken by a terminal: it is long, it goes on after a
/// backslash or in the same box, and the next begins with what can only be the rest of something.
fn is_wrapped(window: &str, at: usize) -> bool {
    let rest = &window[at..];
    let is_marked = rest.starts_with('\\') || boxed(rest).is_some();
    let is_end = is_marked || rest.starts_with('\n') || rest.starts_with("\r\n");
    let Some(next) = is_end.then(|| joint(window, at)).flatten() else {
        return false;
    };
    let next = &window[next..];
    let word = &next[..next
        .find(|c: char| !(c.is_ascii_alphanumeric() || "_-+/.~".contains(c)))
        .unwrap_or(next.len())];
    let ends = next[word.len()..].chars().next();
    (at >= 40 || is_marked)
        && word.len() >= 8
        && is_random(word)
        && ends.is_none_or(|c| c != '=' && c != ':' && c != '(')
}

/// What stands after the right edge of a box, if that is next.
fn boxed(rest: &str) -> Option<&str> {
    let edge = rest.trim_start_matches(' ');
    (rest.len() - edge.len() <= 64)
        .then(|| edge.strip_prefix(['│', '┃', '║', '|']))
        .flatten()
        .filter(|after| after.starts_with(['\n', '\r']))
}

/// Whether a string that ends here is put together with another by a sign: `"…" + "…"`.
fn is_joined(window: &str, at: usize) -> bool {
    joint(window, at).is_some_and(|next| window[at..next].contains(['+', '.', '~']))
}

/// What stands between two pieces of a text that belongs together: a line's end, or the end of a
/// string and the beginning of the next. Gives where the next piece begins.
fn joint(window: &str, at: usize) -> Option<usize> {
    let rest = window.get(at..)?;
    let after = rest
        .strip_prefix('\\')
        .filter(|after| after.starts_with(['\n', '\r']))
        .or_else(|| boxed(rest))
        .unwrap_or(rest);
    let edge = rest.len() - after.len();
    if let Some(next) = after
        .strip_prefix("\r\n")
        .or_else(|| after.strip_prefix('\n'))
    {
        let next = next.trim_start_matches([' ', '\t', '>', '│', '┃', '║', '|']);
        let start = window.len() - next.len();
        return (start <= at + edge + 24).then_some(start);
    }
    let quote = rest
        .chars()
        .next()
        .filter(|c| matches!(c, '"' | '\'' | '`'))?;
    let between = rest[1..].trim_start();
    let between = between
        .strip_prefix(['+', '.', '&', '\\', '~'])
        .unwrap_or(between)
        .trim_start_matches(['.', '+'])
        .trim_start();
    let next = between.strip_prefix(quote)?;
    let start = window.len() - next.len();
    (start > at + 2 && start <= at + 64).then_some(start)
}

/// Whether the last six characters of a GitHub token are the checksum of those before them:
/// CRC 32 to the base of 62.
fn has_github_checksum(value: &str) -> bool {
    const DIGITS: &[u8] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    let Some(body) = value
        .get(4..)
        .filter(|body| body.len() == 36 && body.is_ascii())
    else {
        return false;
    };
    let (random, check) = body.split_at(30);
    let mut rest = crc32(random.as_bytes());
    let mut digits = [b'0'; 6];
    for digit in digits.iter_mut().rev() {
        *digit = DIGITS[(rest % 62) as usize];
        rest /= 62;
    }
    check.as_bytes() == digits
}

fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |crc: u32, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| {
            (crc >> 1) ^ (0xedb8_8320 & (crc & 1).wrapping_neg())
        })
    })
}

/// The last place up to `at` where a character begins.
pub(super) fn floor(text: &str, at: usize) -> usize {
    let at = at.min(text.len());
    (at.saturating_sub(3)..=at)
        .rev()
        .find(|at| text.is_char_boundary(*at))
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::redact::rules;

    fn find(kind: &str, text: &str) -> Option<Match> {
        let rule = rules::all().find(|rule| rule.kind == kind).expect("a rule");
        let written = rule
            .literals
            .iter()
            .find(|literal| text.contains(**literal))?;
        let at = text.find(written)?;
        Shape::of(rule).try_at(text, &(at..at + written.len()), written)
    }

    #[test]
    fn the_checksum_is_the_usual_one() {
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
    }

    #[test]
    fn a_token_that_was_wrapped_or_put_together_is_found_whole() {
        let body = "kT9vLq2xPzR4mW8sB6nC7d4b9c6f5dx2aQ3e";
        let token = format!("ghp{}{body}", "_");
        for joint in [
            "\n",
            "\r\n",
            "\n    ",
            "\" + \"",
            "\"\n  \"",
            "\\\n",
            "\" .\n \"",
            " │\n│ ",
            "   ┃\r\n┃ ",
        ] {
            let text = format!("x \"{}{joint}{}\" y", &token[..20], &token[20..]);
            let found = find("github-token", &text).expect("found");
            assert_eq!(found.value.as_deref(), Some(token.as_str()), "{joint:?}");
            assert!(text[found.span].ends_with(&token[20..]));
        }
    }

    #[test]
    fn a_token_directly_after_a_prefix_is_found() {
        let token = format!("ghp{}kT9vLq2xPzR4mW8sB6nC7d4b9c6f5dx2aQ3e", "_");
        for before in ["prefix_", "x", "my_key_"] {
            let text = format!("{before}{token}");
            let found = find("github-token", &text).expect("found");
            assert_eq!(&text[found.span], token);
        }
        assert_eq!(
            find(
                "github-token",
                "xghp_getting_help_with_the_other_pages_of_it"
            ),
            None
        );
    }

    #[test]
    fn the_next_line_stays_where_a_token_is_whole() {
        let token = format!("ghp{}kT9vLq2xPzR4mW8sB6nC7d4b9c6f5dx2aQ3e", "_");
        let text = format!("TOKEN={token}\nOTHER=x1");
        let found = find("github-token", &text).expect("found");
        assert_eq!(&text[found.span], token);
    }
}
