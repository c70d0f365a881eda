//! The rows' own tests: every example is masked, no counter-example is, whatever stands around.

use std::collections::BTreeSet;

use crate::redact::scan::{Found, Scanner};

use super::{Look, all};

/// A text in which `<A36>` and its like are replaced by invented characters, always the same for
/// the same template. Classes: `A` letters and digits, `L` letters, `l` small letters and digits,
/// `U` capitals and digits, `B` base 32, `Q` and `q` the alphabets of age,
/// `C` base 58, `d` digits, `h` and `H`
/// hex, `w` word characters and `-`, `b` base64, `x` the letter x, `0` the digit 0.
pub(crate) fn written_out(template: &str) -> String {
    let mut state = template.bytes().fold(0x9e37_79b9_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    });
    let mut next = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state >> 11).expect("53 bits") % below
    };
    let mut out = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('<') {
        out.push_str(before);
        let Some((class, end)) = after.split_once('>') else {
            out.push('<');
            rest = after;
            continue;
        };
        let count = class
            .get(1..)
            .and_then(|digits| digits.parse::<usize>().ok());
        let letters = class.chars().next().and_then(alphabet);
        if let (Some(count), Some(letters)) = (count, letters) {
            out.extend((0..count).map(|_| char::from(letters[next(letters.len())])));
            rest = end;
        } else {
            out.push('<');
            rest = after;
        }
    }
    out.push_str(rest);
    out
}

fn alphabet(class: char) -> Option<Vec<u8>> {
    let (az, upper, digits) = (
        "abcdefghijklmnopqrstuvwxyz",
        "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
        "0123456789",
    );
    let letters = match class {
        'A' => [az, upper, digits].concat(),
        'L' => [az, upper].concat(),
        'l' => [az, digits].concat(),
        'U' => [upper, digits].concat(),
        'B' => [upper, "234567"].concat(),
        'Q' => "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L".to_owned(),
        'q' => "qpzry9x8gf2tvdw0s3jn54khce6mua7l".to_owned(),
        'C' => "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz".to_owned(),
        'd' => "123456789".to_owned(),
        'h' => "0123456789abcdef".to_owned(),
        'H' => "0123456789ABCDEF".to_owned(),
        'w' => [az, upper, digits, "_-"].concat(),
        'b' => [az, upper, digits, "+/"].concat(),
        'x' => "x".to_owned(),
        '0' => "0".to_owned(),
        _ => return None,
    };
    Some(letters.into_bytes())
}

fn kinds(scanner: &Scanner, text: &str) -> Vec<String> {
    let found = scanner.secrets(text);
    found
        .iter()
        .map(|found: &Found<'_>| found.kind.to_owned())
        .collect()
}

/// Each text with what was found in it, where `is_wrong` says so.
fn wrong(
    texts: impl Iterator<Item = (&'static str, String)>,
    is_wrong: impl Fn(&str, &[String]) -> bool,
) -> Vec<String> {
    let scanner = Scanner::default();
    texts
        .filter_map(|(kind, text)| {
            let found = kinds(&scanner, &text);
            is_wrong(kind, &found).then(|| format!("{kind}: {text}: {found:?}"))
        })
        .collect()
}

fn examples() -> impl Iterator<Item = (&'static str, &'static str)> {
    all().flat_map(|rule| rule.examples.iter().map(|example| (rule.kind, *example)))
}

#[test]
fn every_row_has_examples_and_counter_examples() {
    for rule in all() {
        assert!(!rule.vendor.is_empty(), "{}", rule.kind);
        assert!(!rule.examples.is_empty(), "{}", rule.kind);
        assert!(!rule.counter_examples.is_empty(), "{}", rule.kind);
    }
}

#[test]
fn every_example_is_found_under_its_name() {
    let texts = examples().map(|(kind, example)| (kind, written_out(example)));
    let missed = wrong(texts, |kind, found| {
        !found.iter().any(|found| found == kind)
    });
    assert!(missed.is_empty(), "{missed:#?}");
}

#[test]
fn every_example_is_found_whatever_stands_around_it() {
    let around = [
        "(_)", "[_],", "`_`", "\"_\"", "'_';", "<b>_</b>", "|_|", "x=_&y=2", "{_}", r"\n_\n",
        r#"\"_\""#, "see _.", "a,_,b", "_\\", ":_\r\n",
    ];
    let texts = examples().flat_map(|(kind, example)| {
        let text = written_out(example);
        around.map(|pair| (kind, pair.replacen('_', &text, 1)))
    });
    let missed = wrong(texts, |_, found| found.is_empty());
    assert!(missed.is_empty(), "{missed:#?}");
}

#[test]
fn no_counter_example_is_changed() {
    let texts = all().flat_map(|rule| {
        let texts = rule.counter_examples.iter();
        texts.map(|text| (rule.kind, written_out(text)))
    });
    let alarms = wrong(texts, |_, found| !found.is_empty());
    assert!(alarms.is_empty(), "{alarms:#?}");
}

#[test]
fn an_example_written_with_one_letter_only_is_a_placeholder() {
    let texts = all()
        .filter(|rule| rule.look != Look::Any)
        .flat_map(|rule| {
            rule.examples.iter().map(|example| {
                let mut text = (*example).to_owned();
                for class in ["A", "L", "l", "U", "B", "Q", "C", "h", "H", "w", "b"] {
                    text = text.replace(&format!("<{class}"), "<x");
                }
                (rule.kind, written_out(&text.replace("<d", "<0")))
            })
        });
    let alarms = wrong(texts, |_, found| !found.is_empty());
    assert!(alarms.is_empty(), "{alarms:#?}");
}

#[test]
fn kinds_are_written_as_markers_need_them() {
    let named: BTreeSet<_> = all().map(|rule| rule.kind).collect();
    for kind in named {
        let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        assert!(kind.chars().all(is_plain) && kind.len() <= 24, "{kind}");
    }
}
