//! Lines around a place, looked at no farther than something short can be: one line may be all of a
//! text of megabytes, and hold a sign at every few bytes.

use super::shapes::floor;

/// How far back a line is looked at, in bytes.
const BACK: usize = 512;
/// How far ahead.
const AHEAD: usize = 8_192;

/// The line up to a place, or the last of it.
pub(super) fn line_before(text: &str, at: usize) -> &str {
    let mut from = at.saturating_sub(BACK);
    while !text.is_char_boundary(from) {
        from += 1;
    }
    let before = &text[from..at];
    before.rsplit('\n').next().unwrap_or(before)
}

/// Where the line ends that a place is in, or how far it is looked at.
pub(super) fn line_end(text: &str, from: usize) -> usize {
    let most = floor(text, (from + AHEAD).min(text.len()));
    let line = &text.as_bytes()[from..most];
    memchr::memchr(b'\n', line).map_or(most, |at| from + at)
}

/// The rest of the line from a place on, or the first of it.
pub(super) fn line_after(text: &str, from: usize) -> &str {
    let line = &text[from..line_end(text, from)];
    line.strip_suffix('\r').unwrap_or(line)
}

/// How often a text is looked at closely: so many times in each stretch of it. More signs than
/// that no text has that anybody wrote, and each look takes longer than the stretch is.
#[derive(Debug, Default)]
pub(super) struct Looks {
    stretch: usize,
    taken: u32,
}

/// How long a stretch is, in bytes.
const STRETCH: usize = 4_096;
/// How many looks it has.
const MOST: u32 = 200;

impl Looks {
    /// Whether there is one more look at this place; places come in order.
    pub(super) fn take(&mut self, at: usize) -> bool {
        if at / STRETCH != self.stretch {
            *self = Self {
                stretch: at / STRETCH,
                taken: 0,
            };
        }
        self.taken += 1;
        self.taken <= MOST
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_looked_at_only_so_far() {
        let text = format!("a\nb {} c\r\nd", "é".repeat(10_000));
        assert_eq!(line_before(&text, 3), "b");
        assert!(line_before(&text, text.len() - 4).len() <= BACK);
        assert!(line_after(&text, 2).len() <= AHEAD);
        assert_eq!(line_after("a b\r\nc", 2), "b");
        assert_eq!(line_after("ab", 2), "");
    }

    #[test]
    fn a_stretch_has_so_many_looks() {
        let mut looks = Looks::default();
        let taken = (0..3 * STRETCH).filter(|at| looks.take(*at)).count();
        assert_eq!(taken, 3 * MOST as usize);
    }
}
