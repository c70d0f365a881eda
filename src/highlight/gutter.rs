//! Code that carries its line numbers: which lines do, and where the code begins.

/// What may stand between a line's number and its code, and what it takes to believe it.
struct Separator {
    text: &'static str,
    /// The least number of numbered lines.
    least: usize,
    /// The least number of numbered lines for each line without a number.
    share: usize,
}

/// `→` is written by tools alone, often with a remark of theirs behind it; `:` by many.
const SEPARATORS: [Separator; 6] = [
    separator("→", 1, 1),
    separator("\t", 2, 9),
    separator(" | ", 2, 9),
    separator("| ", 2, 9),
    separator(": ", 3, 9),
    separator(":", 3, 9),
];

const fn separator(text: &'static str, least: usize, share: usize) -> Separator {
    Separator { text, least, share }
}

/// The lines as (gutter, code), if nearly all of them begin with a number that rises from line
/// to line and the same separator: `   12→code`, `   12\tcode`, `12 | code`, `12: code`. The
/// gutter includes the separator; it is empty on a line without a number. A caller takes off a
/// last line feed first, as for [`super::code_lines`].
pub(crate) fn numbered_lines(text: &str) -> Option<Vec<(&str, &str)>> {
    SEPARATORS
        .iter()
        .find_map(|separator| with_separator(text, separator))
}

/// The same of a text that is known to begin with this line of a file: few lines are believed as
/// well when the first has its number.
pub(crate) fn lines_from(text: &str, first: u64) -> Option<Vec<(&str, &str)>> {
    let surely = |separator: &Separator| {
        let (number, _) = split(text.lines().next()?, separator.text)?;
        let separator = Separator {
            least: 1,
            ..*separator
        };
        let is_first = u64::from(number) == first;
        is_first.then(|| with_separator(text, &separator))?
    };
    numbered_lines(text).or_else(|| SEPARATORS.iter().find_map(surely))
}

fn with_separator<'t>(text: &'t str, separator: &Separator) -> Option<Vec<(&'t str, &'t str)>> {
    let mut lines = Vec::new();
    let mut last = None;
    let (mut numbered, mut others) = (0, 0);
    for line in text.split('\n') {
        let line = line.strip_suffix('\r').unwrap_or(line);
        match split(line, separator.text)
            .filter(|(number, _)| last.is_none_or(|last| *number > last))
        {
            Some((number, at)) => {
                last = Some(number);
                numbered += 1;
                lines.push(line.split_at(at));
            }
            None => {
                // The first line decides, so that long texts without numbers cost nothing.
                if numbered == 0 {
                    return None;
                }
                others += usize::from(!line.trim().is_empty());
                lines.push(("", line));
            }
        }
    }
    (numbered >= separator.least && others * separator.share <= numbered).then_some(lines)
}

/// The line's number and where its code begins.
fn split(line: &str, separator: &str) -> Option<(u32, usize)> {
    let digits = line.trim_start_matches(' ');
    let length = digits.bytes().take_while(u8::is_ascii_digit).count();
    if length == 0 || length > 8 {
        return None;
    }
    let number = digits[..length].parse().ok()?;
    let rest = &digits[length..];
    // An empty line of code may have lost the space that ends its separator.
    let separator = if rest == separator.trim_end_matches(' ') {
        rest
    } else {
        separator
    };
    rest.starts_with(separator)
        .then(|| (number, line.len() - rest.len() + separator.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_lines_are_believed_when_the_first_has_its_number() {
        let short = "7: a\n8: b";
        assert_eq!(numbered_lines(short), None);
        let split = Some(vec![("7: ", "a"), ("8: ", "b")]);
        assert_eq!(lines_from(short, 7), split);
        assert_eq!(lines_from(short, 1), None);
        assert_eq!(lines_from("00001| a", 1), Some(vec![("00001| ", "a")]));
    }

    #[test]
    fn the_known_gutters_are_split_off() {
        let arrow = "     9→fn main() {\n    10→\n    11→}";
        assert_eq!(
            numbered_lines(arrow),
            Some(vec![
                ("     9→", "fn main() {"),
                ("    10→", ""),
                ("    11→", "}")
            ])
        );
        let tab = "     1\tuse a;\n     2\t\tuse b;";
        assert_eq!(
            numbered_lines(tab),
            Some(vec![("     1\t", "use a;"), ("     2\t", "\tuse b;")])
        );
        let bar = "00001| a\n00002|\n00003|   b";
        assert_eq!(
            numbered_lines(bar),
            Some(vec![("00001| ", "a"), ("00002|", ""), ("00003| ", "  b")])
        );
        let spaced = " 9 | a\n10 | b";
        assert_eq!(
            numbered_lines(spaced),
            Some(vec![(" 9 | ", "a"), ("10 | ", "b")])
        );
        let colon = "7: a\n8: b\n12: c";
        assert_eq!(
            numbered_lines(colon),
            Some(vec![("7: ", "a"), ("8: ", "b"), ("12: ", "c")])
        );
        assert_eq!(
            numbered_lines("7:a\n8:b\n9:c"),
            Some(vec![("7:", "a"), ("8:", "b"), ("9:", "c")])
        );
    }

    #[test]
    fn a_few_lines_without_a_number_are_kept() {
        let mut text: String = (1..=20).map(|n| format!("{n:6}→line\n")).collect();
        text.push_str("\n(more lines follow)");
        let lines = numbered_lines(&text).expect("nearly all lines are numbered");
        assert_eq!(lines.len(), 22);
        assert_eq!(lines[21], ("", "(more lines follow)"));
    }

    #[test]
    fn other_texts_have_no_gutter() {
        for text in [
            "",
            "\n",
            "12:30 noon\n12:45 later\n13:00 late",
            "fn main() {}\n",
            "3→a\n2→b\n1→c",
            "1\tone line of a table",
            "1: one\n2: two",
            "99999999999→a",
            "1→a\nplain\nplain\nplain",
        ] {
            assert_eq!(numbered_lines(text), None, "{text:?}");
        }
    }
}
