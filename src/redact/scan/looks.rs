//! What a value looks like: drawn by a machine, or not; and whether it stands alone.

use super::words::{is_only_words, is_wordy};

/// Whether a value looks as if a machine had drawn its characters.
pub(crate) fn is_random(value: &str) -> bool {
    let classes = classes(value);
    let needed = if value.len() >= 16 { 6 } else { 5 };
    if distinct(value) < needed || is_sequence(value) || is_wordy(value) {
        return false;
    }
    match classes {
        // Letters of one kind alone: no word, as `is_wordy` said; numbers alone are figures.
        Classes { digits: 0, .. } => value.len() >= 16,
        Classes {
            lower: 0, upper: 0, ..
        } => false,
        _ => true,
    }
}

/// Whether what follows the literal of a rule was drawn by a machine: the literal says so much
/// that words are enough to doubt it, not words with numbers.
pub(crate) fn is_drawn(value: &str) -> bool {
    let needed = if value.len() >= 16 { 6 } else { 5 };
    distinct(value) >= needed
        && value.bytes().any(|byte| byte.is_ascii_alphabetic())
        && !is_sequence(value)
        && !is_only_words(value)
}

/// Whether a value leaves no doubt: long, and with letters of both kinds and digits, or hex.
pub(crate) fn is_surely_random(value: &str) -> bool {
    let classes = classes(value);
    let is_mixed = classes.lower >= 3 && classes.upper >= 3 && classes.digits >= 2;
    value.len() >= 20 && is_random(value) && !is_uuid(value) && (is_mixed || is_hex(value))
}

/// Whether a value is a UUID, which names things more often than it opens them.
pub(crate) fn is_uuid(value: &str) -> bool {
    let bytes = value.as_bytes();
    bytes.len() == 36
        && bytes.iter().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => *byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

/// Whether a value is hex digits of a key's or a hash's length.
pub(crate) fn is_hex(value: &str) -> bool {
    value.len() >= 16 && value.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// How many characters there are of each kind.
#[derive(Clone, Copy)]
pub(crate) struct Classes {
    pub(crate) lower: usize,
    pub(crate) upper: usize,
    pub(crate) digits: usize,
    pub(crate) other: usize,
}

/// Counts a value's characters by kind.
pub(crate) fn classes(value: &str) -> Classes {
    let count = |is: fn(&char) -> bool| value.chars().filter(is).count();
    let lower = count(|c| c.is_lowercase());
    let upper = count(|c| c.is_uppercase());
    let digits = count(char::is_ascii_digit);
    Classes {
        lower,
        upper,
        digits,
        other: value.chars().count() - lower - upper - digits,
    }
}

/// How many different characters a value has, capitals as small letters.
pub(super) fn distinct(value: &str) -> usize {
    let mut seen = [0_u64; 4];
    for byte in value.bytes() {
        let byte = byte.to_ascii_lowercase();
        seen[usize::from(byte >> 6)] |= 1 << (byte & 63);
    }
    seen.iter().map(|word| word.count_ones() as usize).sum()
}

/// `abcdef…`, `1234567890abcdef`: most characters follow their neighbour.
pub(super) fn is_sequence(value: &str) -> bool {
    let bytes = value.as_bytes();
    if bytes.len() < 6 {
        return false;
    }
    let follows = bytes
        .windows(2)
        .filter(|pair| pair[1] == pair[0].wrapping_add(1) || pair[0] == pair[1] || pair == b"90")
        .count();
    follows * 2 >= bytes.len()
}

/// Whether a value can begin here: after no letter, digit or `_`. The letter of an escape such as
/// `\n` is none.
pub(crate) fn starts_alone(text: &str, at: usize) -> bool {
    let before = &text.as_bytes()[..at];
    match before {
        [.., b'\\', b'n' | b'r' | b't' | b'b' | b'f'] => {
            let slashes = before[..before.len() - 1]
                .iter()
                .rev()
                .take_while(|byte| **byte == b'\\');
            slashes.count() % 2 == 1
        }
        [.., last] => !(last.is_ascii_alphanumeric() || *last == b'_'),
        [] => true,
    }
}

/// Whether a value can end here.
pub(crate) fn ends_alone(text: &str, at: usize) -> bool {
    let after = text.as_bytes().get(at);
    !after.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_words_are_not_random() {
        for value in [
            "kT9vLq2xPzR4mW8s",
            "a1b2c3d4e5f60718",
            "qZkLmXvRtYpWnBsDfGhJ",
        ] {
            assert!(is_random(value), "{value}");
        }
        for value in ["12345678901234", "getAccessToken", "aaaaaaaaaaaaaaaa1"] {
            assert!(!is_random(value), "{value}");
        }
    }

    #[test]
    fn a_value_ends_at_what_is_no_part_of_a_word() {
        let stands_alone = |text: &str, span: std::ops::Range<usize>| {
            starts_alone(text, span.start) && ends_alone(text, span.end)
        };
        assert!(stands_alone("(abc)", 1..4));
        assert!(stands_alone(r"\nabc\n", 2..5));
        assert!(!stands_alone(r"\\nabc", 3..6));
        assert!(!stands_alone("xabc", 1..4));
        assert!(!stands_alone("abc_", 0..3));
    }
}
