//! Whether the value of a telling name is worth hiding.

use super::assigned::{Form, Site};
use super::looks::{classes, is_hex, is_random, is_surely_random, is_uuid};
use super::placeholders::{is_placeholder, is_reference};
use super::vocabulary::Level;
use super::words::{is_only_words, is_wordy};

/// Whether a value under a name of this level is a secret.
pub(crate) fn is_secret(text: &str, site: &Site, level: Level, name: &str) -> bool {
    let value = &text[site.span.clone()];
    if value.len() < 4
        || value.contains(|c: char| c.is_whitespace() || c.is_control() || c == '\u{fffd}')
        || is_placeholder(value)
        || is_reference(value)
    {
        return false;
    }
    let after = text[site.span.end..].chars().next();
    if site.form == Form::Bare && matches!(after, Some('(' | '[' | '{')) {
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

fn is_random_enough(value: &str) -> bool {
    let classes = classes(value);
    !is_wordy(value)
        && (classes.digits > 0 || classes.other > 0 || is_random(value))
        && (classes.lower + classes.upper > 0 || value.len() >= 12)
}
