//! A copy of a text in which something was undone, with the way back: every stretch of the copy
//! knows which stretch of the original it came from.

use std::ops::Range;

/// A copy with the way back.
#[derive(Clone, Default)]
pub(crate) struct Mapped {
    /// The copy.
    pub(crate) text: String,
    steps: Vec<Step>,
}

/// A stretch of the copy. Where both lengths are equal, byte answers to byte; else the whole
/// stretch of the original stands for the whole stretch of the copy.
#[derive(Clone, Copy)]
struct Step {
    at: usize,
    origin: usize,
    len: usize,
    origin_len: usize,
}

impl Mapped {
    /// An empty copy with room for a text of this length.
    pub(crate) fn with_capacity(len: usize) -> Self {
        Self {
            text: String::with_capacity(len),
            steps: Vec::new(),
        }
    }

    /// Appends a stretch as it stands; `origin` is where it begins in the original.
    pub(crate) fn keep(&mut self, stretch: &str, origin: usize) {
        self.push(stretch, origin, stretch.len());
    }

    /// Appends what `origin_len` bytes of the original mean.
    pub(crate) fn replace(&mut self, meaning: char, origin: usize, origin_len: usize) {
        self.push(meaning.encode_utf8(&mut [0; 4]), origin, origin_len);
    }

    fn push(&mut self, stretch: &str, origin: usize, origin_len: usize) {
        if stretch.is_empty() {
            return;
        }
        self.steps.push(Step {
            at: self.text.len(),
            origin,
            len: stretch.len(),
            origin_len,
        });
        self.text.push_str(stretch);
    }

    /// The stretch of the original that a stretch of the copy came from. What was left out
    /// between its ends belongs to it.
    pub(crate) fn origin(&self, span: &Range<usize>) -> Range<usize> {
        if span.is_empty() {
            return 0..0;
        }
        let (Some(first), Some(last)) = (self.step(span.start), self.step(span.end - 1)) else {
            return 0..0;
        };
        let start = if first.len == first.origin_len {
            first.origin + (span.start - first.at)
        } else {
            first.origin
        };
        let end = if last.len == last.origin_len {
            last.origin + (span.end - last.at)
        } else {
            last.origin + last.origin_len
        };
        start..end
    }

    fn step(&self, at: usize) -> Option<Step> {
        let after = self.steps.partition_point(|step| step.at <= at);
        self.steps.get(after.checked_sub(1)?).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stretch_of_the_copy_leads_back_to_all_that_it_stands_for() {
        // `a%5Fb` with the middle undone, and something left out before `c`.
        let mut copy = Mapped::default();
        copy.keep("a", 0);
        copy.replace('_', 1, 3);
        copy.keep("b", 4);
        copy.keep("c", 9);
        assert_eq!(copy.text, "a_bc");
        assert_eq!(copy.origin(&(0..4)), 0..10);
        assert_eq!(copy.origin(&(1..2)), 1..4);
        assert_eq!(copy.origin(&(2..3)), 4..5);
        assert_eq!(copy.origin(&(3..3)), 0..0);
    }
}
