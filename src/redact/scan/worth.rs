//! Whether the value of a telling name is worth hiding.

use super::assigned::{Form, Site};
use super::looks::{classes, is_hex, is_random, is_surely_random, is_uuid};
use super::placeholders::{is_placeholder, is_reference};
use super::shapes::floor;
use super::vocabulary::Level;
use super::words::{is_only_words, is_wordy};

/// How many bytes of a value are looked at.
const JUDGED: usize = 256;

/// Whether a value under a name of this level is a secret.
pub(crate) fn is_secret(text: &str, site: &Site, level: Level, name: &str) -> bool {
    // By what a long value begins with it can be told as well.
    let value = &text[site.span.clone()];
    let value = &value[..floor(value, JUDGED)];
    if value.len() < 4
        || value.contains(|c: char| c.is_control() || c == '\u{fffd}')
        || is_placeholder(value)
        || is_reference(value)
        || is_version(value)
    {
        return false;
    }
    if value.contains(char::is_whitespace) {
        return site.form == Form::Quoted && is_secret_with_blanks(value, level, name);
    }
    // Code: a call, an element, a block.
    let after = text[site.span.end..].chars().next();
    if matches!(after, Some('(' | '[' | '{')) {
        return false;
    }
    // A name that is given its own name, or a part of it, is code.
    if name.eq_ignore_ascii_case(value) {
        return false;
    }
    let classes = classes(value);
    match (site.form, level) {
        (Form::Spoken, Level::Password) => {
            let kinds = [classes.lower, classes.upper, classes.digits, classes.other];
            let kinds = kinds.iter().filter(|count| **count > 0).count();
            value.len() >= 6 && classes.digits > 0 && kinds >= 2 && !is_wordy(value)
        }
        (Form::Spoken, _) => is_surely_random(value) && (!is_uuid(value)),
        (_, Level::Password) => {
            let is_shouted = !name.contains(|c: char| c.is_lowercase());
            if site.form == Form::Bare && value.len() < 6 {
                return false;
            }
            let is_number = classes.digits == value.len() && value.len() >= 6;
            let is_word = is_only_words(value) && !is_number;
            !is_word
                || (site.form == Form::Setting
                    && is_shouted
                    && value.len() >= 6
                    && classes.upper == 0)
        }
        (_, Level::Secret) => value.len() >= 8 && is_random_enough(value),
        (_, Level::Random) => value.len() >= 12 && (is_random(value) || is_uuid(value)),
        (_, Level::Certain) => is_surely_random(value) || (value.len() >= 32 && is_hex(value)),
    }
}

/// Whether a value of several words is a secret and no sentence about one: drawn words, the words
/// of a passphrase, a salt of all kinds of signs.
fn is_secret_with_blanks(value: &str, level: Level, name: &str) -> bool {
    const SPOKEN: &[&str] = &[
        "a", "an", "and", "are", "at", "be", "by", "can", "enter", "for", "here", "in", "is",
        "must", "no", "not", "of", "on", "or", "please", "the", "this", "to", "use", "with",
        "your", "you",
    ];
    let words: Vec<&str> = value.split(' ').collect();
    let classes = classes(value);
    let is_salt = value.len() >= 32
        && words.len() <= 8
        && [classes.lower, classes.upper, classes.digits, classes.other]
            .iter()
            .all(|count| *count >= 3);
    if is_salt {
        return true;
    }
    let lower = name.to_ascii_lowercase();
    let is_phrase = [
        "passphrase",
        "mnemonic",
        "seed_phrase",
        "seedphrase",
        "seed",
    ]
    .iter()
    .any(|end| lower.ends_with(end));
    let is_small =
        |word: &&str| word.len() >= 3 && word.bytes().all(|byte| byte.is_ascii_lowercase());
    if is_phrase && words.len() >= 4 {
        return words
            .iter()
            .all(|word| is_small(word) && !SPOKEN.contains(word));
    }
    let is_drawn = |word: &&&str| {
        word.bytes().any(|byte| byte.is_ascii_digit())
            && word.bytes().any(|byte| byte.is_ascii_alphabetic())
            && !is_wordy(word)
    };
    level >= Level::Secret
        && words.len() <= 6
        && words.iter().filter(is_drawn).count() * 2 >= words.len()
}

/// The version of a program: `v2.4.1-beta`.
fn is_version(value: &str) -> bool {
    let number = value.strip_prefix('v').unwrap_or(value);
    let parts: Vec<&str> = number.split('.').collect();
    let Some((last, first)) = parts.split_last() else {
        return false;
    };
    let is_number = |part: &&str| {
        (1..=4).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit())
    };
    (2..=3).contains(&first.len())
        && first.iter().all(is_number)
        && last.starts_with(|c: char| c.is_ascii_digit())
        && last.len() <= 8
}

/// The name of something: small words and short marks with dashes between, `db-credentials-v2`.
fn is_label(value: &str) -> bool {
    let is_small = |part: &str| {
        part.bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    };
    let is_word = |part: &str| {
        part.len() >= 4 && part.bytes().all(|byte| byte.is_ascii_lowercase()) && is_wordy(part)
    };
    let parts = || value.split(['-', '_', '.']);
    parts().count() >= 2
        && parts().any(is_word)
        && parts().all(|part| is_small(part) && (part.len() <= 3 || is_word(part)))
}

fn is_random_enough(value: &str) -> bool {
    let classes = classes(value);
    !is_wordy(value)
        && !is_label(value)
        && (classes.digits > 0 || classes.other > 0 || is_random(value))
        && (classes.lower + classes.upper > 0 || value.len() >= 12)
}
